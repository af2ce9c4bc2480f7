"""What a player reads: turns, blocks, and the line for each event."""

import io

import pytest
from msgspec import structs

from client_cli.blocks import show
from client_cli.console import Console, printable
from client_cli.draw import hand_line, turn_lines
from client_cli.signs import LETTERS, SYMBOLS
from client_cli.tell import tell
from protocol import messages as m
from tests.client_cli.views import AUCTION, GATHERING, PLAY, STANDING


def test_a_turn_to_call() -> None:
    assert turn_lines(AUCTION) == [
        ">> Your turn: last bid 1♠ by E, doubled | ♠ A K 2  ♥ 10 9 8  ♦ Q J 3  ♣ 7 6 5 4",
        "   you may call: pass, redouble, 1♣+, 1♦, 2♠, 1♥, 7NT",
    ]


def test_a_turn_to_play_from_dummy() -> None:
    assert turn_lines(PLAY) == [
        ">> Your turn from dummy (N): 2R by S, doubled; trick 4: W ♥5 | ♠ Q J  ♥ K  ♦ A K  ♣ A K",
        "   you may play: ♥K",
    ]


def test_a_lead_of_any_card() -> None:
    assert PLAY.deal is not None
    counts = {"N": 1, "E": 2, "S": 2, "W": 2}
    deal = structs.replace(PLAY.deal, trick=m.TrickPart("S"), counts=counts, hands={"S": "A.2.."})
    view = structs.replace(PLAY, deal=deal, turn=m.Turn(7, 10, "S", "S", m.Legal(cards=["SA", "H2"])))
    assert turn_lines(view, LETTERS) == [
        ">> Your turn: 2R by S, doubled; trick 4: you lead | S A  H 2  D -  C -",
        "   you may play: any card",
    ]


def test_nothing_is_said_on_the_turn_of_somebody_else() -> None:
    assert turn_lines(structs.replace(PLAY, turn=m.Turn(7, 9, "E", "E"))) == []


FIVE = structs.replace(
    PLAY,
    game="five_hundred",
    title="Five Hundred",
    seats=[m.SeatPart(seat, bot=True) for seat in "12345"],
    sides={seat: [seat] for seat in "12345"},
    seat="3",
    standing={"scores": dict.fromkeys("12345", 0)},
    deal=m.DealPart(
        number=7,
        dealer="1",
        phase="partners",
        hands={"3": "5.JA9.JT.K+JK"},
        counts=dict.fromkeys("12345", 10),
        calls=[m.CallPart("3", "7H")],
        contract=m.ContractPart("7H", 1, "3", None, [], "H", "3"),
        trick=m.TrickPart("3"),
        last_trick=None,
        tricks_won=dict.fromkeys("12345", 0),
    ),
)


@pytest.mark.parametrize(
    ("legal", "line"),
    [
        (m.Legal(partners=[[], ["1"], ["2"]]), "say who plays with you, such as: partners 2; one of: none, 1, 2"),
        (m.Legal(discard=(2, ["HA", "DT", "S5", "JK"])), "lay away 2 cards, such as: discard S5 D10"),
        (m.Legal(jokers=[None, "S", "H"]), "name the joker's suit: joker none, joker S, joker H"),
    ],
)
def test_what_is_settled_before_the_play_of_five_hundred(legal: m.Legal, line: str) -> None:
    view = structs.replace(FIVE, turn=m.Turn(7, 9, "3", None, legal))
    assert turn_lines(view) == [">> Your turn: 7♥ by 3 | ♠ 5  ♥ JK J ♦J A 9  ♦ 10  ♣ K", f"   {line}"]


def test_a_joker_that_leads_is_shown_as_it_is_typed() -> None:
    view = structs.replace(FIVE, turn=m.Turn(7, 9, "3", "3", m.Legal(cards=["S5", "JK:H", "JK:C"])))
    assert turn_lines(view)[-1] == "   you may play: ♠5 JK:♥ JK:♣"


def test_called_partners_are_shown_with_the_contract() -> None:
    assert FIVE.deal is not None and FIVE.deal.contract is not None
    contract = structs.replace(FIVE.deal.contract, partners=["1", "5"])
    view = structs.replace(FIVE, deal=structs.replace(FIVE.deal, contract=contract))
    assert show("auction", view)[-1] == "7♥ by 3 with 1 and 5"


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ([], "you declare trumps"),
        ([m.CallPart("N", "L")], "N leaves the declaration to you"),
    ],
)
def test_a_declaration_is_asked_for(calls: list[m.CallPart], words: str) -> None:
    assert AUCTION.deal is not None
    turn = m.Turn(7, 2, "S", None, m.Legal(calls=["S", "H", "N"]))
    view = structs.replace(AUCTION, deal=structs.replace(AUCTION.deal, calls=calls), turn=turn)
    lines = turn_lines(view)
    assert lines[0].startswith(f">> Your turn: {words} | ")
    assert lines[1] == "   you may call: ♠, ♥, NT"


def test_a_declaration_may_be_doubled_again_and_again() -> None:
    assert AUCTION.deal is not None
    calls = [m.CallPart("N", "H"), *(m.CallPart(seat, "X") for seat in "ENE")]
    turn = m.Turn(7, 2, "S", None, m.Legal(calls=["P", "X"]))
    view = structs.replace(AUCTION, deal=structs.replace(AUCTION.deal, calls=calls), turn=turn)
    assert turn_lines(view)[0].startswith(">> Your turn: declared ♥ by N, doubled to 8 times | ")


def test_a_hand_of_odd_cards() -> None:
    assert hand_line("A9..RWE.T+JK", LETTERS) == "S A 9  H -  D 13 12 11  C 10  JK"


BLOCKS = {
    "who": ["N  bot", "E  Bob", "S  Ann (you)", "W  free", "watching: Cis"],
    "hand": ["♠ A K 2  ♥ 10 9 8  ♦ Q J 3  ♣ 7 6 5"],
    "dummy": ["N  ♠ Q J  ♥ K  ♦ A K  ♣ A K"],
    "trick": ["Trick 4: W ♥5"],
    "last": ["The last trick can be seen until the next one is led."],
    "auction": ["E   S  W  N", "1♠  X", "2R by S, doubled"],
    "legal": ["you may play: ♥K"],
    "score": [
        "Rubber 1",
        "             NS      EW",
        "  below       0      20",
        "  above       9       0",
        "  games       1       0",
    ],
    "table": [
        "Deal 7, E deals",
        "2R by S, doubled",
        "Trick 4: W ♥5",
        "N  bot, 1 trick  ♠ Q J  ♥ K  ♦ A K  ♣ A K",
        "E  Bob, 0 tricks",
        "S  Ann, 2 tricks <  ♠ A K 2  ♥ 10 9 8  ♦ Q J 3  ♣ 7 6 5",
        "W  free, 0 tricks",
    ],
}


@pytest.mark.parametrize("what", BLOCKS)
def test_blocks(what: str) -> None:
    assert show(what, PLAY) == BLOCKS[what]


@pytest.mark.parametrize("what", BLOCKS)
def test_blocks_before_the_first_deal(what: str) -> None:
    assert all(show(what, GATHERING))


NO_BID = "Nobody has bid: the deal is played without trumps; E leads"

EVENTS: list[tuple[m.AnyEvent, list[str]]] = [
    (m.CallMade("W", "2R"), ["W bids 2R"]),
    (m.CallMade("W", "H"), ["W declares ♥"]),
    (m.CallMade("W", "L"), ["W leaves it to the partner"]),
    (m.AuctionEnded(m.ContractPart(None, 1, None, None, [], None, "E")), [NO_BID]),
    (m.CallMade("W", "P"), ["W passes"]),
    (m.CallMade("W", "XX"), ["W redoubles"]),
    (m.AuctionEnded(None), ["The deal is not played."]),
    (m.CardPlayed("W", "W", "HK"), ["W plays ♥K"]),
    (m.CardPlayed("N", "S", "HT"), ["S plays ♥10 from dummy (N)"]),
    (m.CardPlayed("W", "W", "JK:H"), ["W plays JK as ♥"]),
    (m.TrickWon("N", 4), ["Trick 4 to N"]),
    (m.HandExposed("N", "QJ.K.AK.AK"), ["N lays down ♠ Q J  ♥ K  ♦ A K  ♣ A K"]),
    (m.CardsDealt(7, "E", {"S": "A..2."}, {}), ["", "Deal 7: E deals", "Your hand: ♠ A  ♥ –  ♦ 2  ♣ –"]),
    (m.WidowTaken("S", 3), ["S takes up the widow, 3 cards"]),
    (m.CardsDiscarded("S", 3, "A..2."), ["S lays away ♠A ♦2"]),
    (m.PartnersCalled("S", []), ["S plays with nobody"]),
    (m.JokerNamed("S", "H"), ["S names JK as ♥"]),
    (m.JokerNamed("S"), ["S names no suit for the joker"]),
    (m.PlayerJoined("d", "Dan"), ["Dan has come"]),
    (m.PlayerNamed("b", "Rob"), ["Bob is now Rob"]),
    (m.PlayerLeft("b"), ["Bob has left"]),
    (m.PlayerDropped("b", "lost", 1.0, "E"), ["Bob (E) has lost the connection"]),
    (m.PlayerDropped("b", "replaced", 1.0, "E"), ["Bob (E) has come from somewhere else"]),
    (m.PlayerDropped("b", "server_gone", 1.0), ["Bob is cut off, since a server has stopped"]),
    (m.PlayerDropped("b", "of a later server", 1.0, "E"), ["Bob (E) has lost the connection"]),
    (m.PlayerDropped("a", "lost", 1.0, "S"), []),
    (m.PlayerConnected("b", "E"), ["Bob is back"]),
    (m.PlayerConnected("a", "S"), []),
    (m.SeatTaken("W", "d", "Dan"), ["Dan sits down at W"]),
    (m.SeatLeft("W"), ["Seat W is free"]),
    (m.BotSeated("W"), ["A bot plays for W"]),
    (m.SeatReady("E"), ["E is ready"]),
    (m.TableEnded("ended by Bob"), ["The table is closed: ended by Bob"]),
    (m.DealVoided(7), ["Deal 7 counts for nothing, since the server's store went back; it is dealt anew"]),
    (m.RubberBegun(2, []), ["", "Rubber 2 begins"]),
    (
        m.RubberScored(1, "NS", {"NS": 400, "EW": 20}, {"a": 380, "z": -380}),
        ["", "Rubber 1 is over, won by NS: NS 400, EW 20", "Ledger", "  Ann       +380", "  (gone)    -380"],
    ),
]


@pytest.mark.parametrize(("event", "lines"), EVENTS, ids=lambda value: type(value).__name__)
def test_events(event: m.AnyEvent, lines: list[str]) -> None:
    assert tell(event, PLAY, {"a": "Ann", "b": "Bob"}) == lines


def test_the_contract_is_told() -> None:
    assert PLAY.deal is not None
    assert tell(m.AuctionEnded(PLAY.deal.contract), PLAY, {}) == ["The contract is 2R by S, doubled; W leads"]


def test_a_score_is_told_line_by_line() -> None:
    line = m.ScoreLine("NS", "below", 54, "tricks", "tricks 3 × 9 × 2")
    score = m.ScorePart({"NS": {"below": 54}}, [line], STANDING, "S", over=False, winner=None)
    assert tell(m.DealScored(7, {}, score, "00"), PLAY, {}) == [
        "",
        "Deal 7 is over",
        "  NS  below     54  tricks 3 × 9 × 2",
        "             NS      EW",
        "  below       0      20",
        "  above       9       0",
        "  games       1       0",
    ]


# --- the console


class Screen(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_signs_and_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    console = Console(screen := Screen())
    assert console.signs is SYMBOLS
    console.say("W plays ♥10, ♠A")
    console.alert()
    assert screen.getvalue() == "W plays \x1b[31m♥10\x1b[0m, ♠A\n\a"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_letters_without_colour(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    console = Console(screen := Screen(), bell=False)
    assert console.signs is LETTERS
    console.say("tricks 3 × 9")
    console.alert()
    assert screen.getvalue() == "tricks 3 x 9\n"


def test_what_is_typed_moves_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    console = Console(screen := Screen())
    console.typed = lambda: "2r"
    console.say("W passes")
    assert screen.getvalue() == "\r\x1b[KW passes\n> 2r"


def test_nothing_reaches_the_terminal_that_is_no_text() -> None:
    assert printable("a\x1b[2Jb\nc\u202e") == "a?[2Jb?c?"
