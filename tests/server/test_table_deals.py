"""The pure table: turns, commands once and only once, deals and rubbers, and logs that cannot be folded."""

from random import Random

import pytest

from bots import simple
from protocol import messages as m
from rules.cards import PACK_52
from server import entries as d
from server.decide import Looking, Repeated, Shuffled, Staying, WentBack
from server.entries import UnknownEntry, entry
from server.render import table_view
from server.table import ANSWERS_KEPT, Table, deed_of
from tests.server.rig import PLAYERS, Rig, choose, digest, hands_held, turn_command

SEED = bytes(32)


@pytest.fixture
def rig() -> Rig:
    return Rig()


# --- turns


def test_a_turn_is_answered_by_who_has_it_and_once(rig: Rig) -> None:
    rig.sit(*PLAYERS)
    assert rig.code("ann", m.MakeCall(9, 1, 0, "1S")) == "turn.none"
    rig.agree()
    actor = rig.acting()
    other = next(player for player in PLAYERS if player != actor)
    assert rig.code(other, m.MakeCall(9, 1, 0, "1S")) == "turn.not_yours"
    for deal, index in ((1, 1), (2, 0), (1, 2**53)):
        assert rig.code(actor, m.MakeCall(9, deal, index, "1S")) == "turn.stale"
    assert rig.code(actor, m.PlayCard(9, 1, 0, "SA")) in {"auction.not_over", "play.not_yet", "auction.not_a_call"}
    assert rig.code(actor, m.MakeCall(9, 1, 0, "X")).startswith("auction.")
    rig.must(actor, m.MakeCall(9, 1, 0, "1S"))
    assert rig.code(actor, m.MakeCall(10, 1, 0, "2S")) == "turn.stale"


@pytest.mark.parametrize("text", ["", "8S", "0S", "1s", "1♠", "PP", "S1", "\x00"])
def test_what_is_no_call(rig: Rig, text: str) -> None:
    rig.playing()
    assert (
        rig.code(rig.acting(), m.MakeCall(9, 1, 0, text)) in {"command.bad_text", "auction.not_in_game"} or text == "8S"
    )


@pytest.mark.parametrize(
    "command",
    [
        m.PlayCard(9, 1, 0, "S1"),
        m.PlayCard(9, 1, 0, "JK:X"),
        m.PlayCard(9, 1, 0, "sa"),
        m.DiscardCards(9, 1, 0, ["?"]),
        m.CallPartners(9, 1, 0, ["Q"]),
        m.NameJoker(9, 1, 0, "x"),
    ],
    ids=str,
)
def test_what_is_no_card_seat_or_suit(rig: Rig, command: m.Command) -> None:
    rig.playing()
    assert rig.code(rig.acting(), command) == "command.bad_text"


@pytest.mark.parametrize(
    "command",
    [
        m.DiscardCards(9, 1, 0, ["SA", "SA"]),
        m.DiscardCards(9, 1, 0, []),
        m.CallPartners(9, 1, 0, ["N", "N"]),
        m.NameJoker(9, 1, 0),
        m.PlayCard(9, 1, 0, "JK:H"),
        m.PlayCard(9, 1, 0, "JK"),
        m.MakeCall(9, 1, 0, "OM"),
        m.MakeCall(9, 1, 0, "L"),
        m.MakeCall(9, 1, 0, "10N"),
        m.MakeCall(9, 1, 0, "H"),
    ],
    ids=str,
)
def test_what_this_game_does_not_have(rig: Rig, command: m.Command) -> None:
    rig.playing()
    assert "." in rig.code(rig.acting(), command)


def test_a_card_that_may_not_be_played_is_refused(rig: Rig) -> None:
    rig.playing()
    rng, tried = Random(3), 0
    while rig.table.stage == "playing":
        deal = rig.table.deal
        assert deal is not None
        if deal.state.phase == "play":
            allowed = {str(action) for action in rig.table.game.legal_actions(deal.state)}
            for card in rng.sample([str(card) for card in PACK_52 if str(card) not in allowed], 5):
                code = rig.code(rig.acting(), m.PlayCard(10**6, deal.number, deal.index, card))
                assert code.startswith("play."), code
                tried += 1
        rig.act(rng)
    assert tried == 5 * 52


# --- commands once and only once


def test_a_repeated_command_gets_the_first_answer(rig: Rig) -> None:
    rig.playing()
    rng, actor = Random(4), rig.acting()
    command = turn_command(rig.table, rig.next_id(actor), rng)
    rig.must(actor, command)
    number = rig.table.head.number
    for _ in range(9):
        rig.act(rng)
    assert rig.ask(actor, command) == Repeated(number)
    assert rig.ask(actor, m.LeaveSeat(command.id)) == Repeated(number), "the id alone counts"


def test_the_last_accepted_commands_are_remembered(rig: Rig) -> None:
    rig.sit("ann")
    first = rig.table.head.number
    for id in range(10, 10 + 2 * ANSWERS_KEPT, 2):
        rig.must("ann", m.SetName(id, f"Ann {id}"))
    assert rig.ask("ann", m.SetName(10, "x")) == Repeated(first + 1)
    rig.must("ann", m.SetName(1000, "y"))
    assert rig.code("ann", m.SetName(10, "x")) == "command.stale_id", "the oldest is forgotten"
    assert rig.ask("ann", m.SetName(12, "x")) == Repeated(first + 2)
    assert rig.code("ann", m.SetName(13, "x")) == "command.stale_id", "that one was never accepted"
    assert len(rig.table.members["ann"].answers) == ANSWERS_KEPT
    assert table_view(rig.table, "ann").last_command == 1000


def test_refusals_are_not_remembered(rig: Rig) -> None:
    rig.sit("ann")
    rig.arrive("bob")
    assert rig.code("bob", m.TakeSeat(5, "N")) == "seat.taken"
    rig.must("ann", m.LeaveSeat(9))
    rig.must("bob", m.TakeSeat(5, "N"))


# --- deals and rubbers


def test_the_cut_moves_the_players() -> None:
    moved: set[tuple[str | None, ...]] = set()
    for seed in range(20):
        rig = Rig({"first_dealer": "cut"})
        rig.seeds = seed
        rig.playing()
        owners = [chair.owner for chair in rig.table.chairs]
        assert sorted(map(str, owners)) == sorted(PLAYERS)
        assert rig.table.deal is not None
        assert rig.table.deal.held == {owner: seat for seat, owner in enumerate(owners)}
        assert table_view(rig.table, "ann").seat == "NESW"[owners.index("ann")]
        moved.add(tuple(owners))
    assert len(moved) > 3


def test_rubbers_follow_each_other_and_the_ledger_sums_to_nothing(rig: Rig) -> None:
    rig.playing()
    for rubber in (1, 2):
        while rig.table.stage != "over":
            rig.play_sanely()
            if rig.table.stage == "scored":
                assert rig.code("ann", m.Rematch(10**6, rubber)) == "rematch.not_over"
                rig.agree()
        assert rig.table.rubber == rubber
        assert sum(rig.table.ledger.values()) == 0 and set(rig.table.ledger) == set(PLAYERS)
        assert rig.code("ann", m.Rematch(10**6, rubber + 1)) == "rematch.not_over"
        assert rig.code("ann", m.Ready(10**6, rig.table.deals + 1)) == "ready.wrong_deal"
        ledger = dict(rig.table.ledger)
        rig.agree()
        assert rig.table.ledger == ledger and rig.table.rubber == rubber + 1
        assert rig.table.standing == rig.table.game.fresh()


def test_a_deal_that_is_void_is_dealt_anew(rig: Rig) -> None:
    rig.playing()
    assert rig.table.deal is not None
    dealer, seed = rig.table.deal.state.dealer, rig.table.deal.seed
    rig.act(Random(6))
    assert rig.give(WentBack(bytes(31) + b"x")) == (), "another deal than this"
    assert rig.give(WentBack(seed)) != ()
    assert rig.give(WentBack(seed)) == rig.give(WentBack()) == (), "once is enough"
    assert rig.table.stage == "scored" and rig.table.all_agreed
    rig.give(Shuffled(b"another seed".ljust(32)))
    assert rig.table.deal.state.dealer == dealer and rig.table.deal.number == 2 and rig.table.deal.index == 0
    assert rig.table.deal.seed != seed
    assert sorted(card for hand in hands_held(rig.table) for card in hand) == sorted(PACK_52)


def test_a_deal_that_is_void_waits_for_a_seat_that_is_free(rig: Rig) -> None:
    rig.playing()
    rig.must("bob", m.LeaveTable(9))
    rig.give(WentBack())
    assert rig.give(Shuffled(SEED)) == ()
    rig.arrive("eve")
    rig.must("eve", m.TakeSeat(1, "E"))
    assert rig.give(Shuffled(SEED)) == ()
    rig.must("eve", m.Ready(2, 2))
    assert rig.give(Shuffled(SEED)) != ()


def test_who_is_here_says_so_to_a_log_that_has_lost_it(rig: Rig) -> None:
    staying = Staying("ann", "Ann", "p", "ann-7")
    assert rig.give(staying) != ()
    assert rig.table.members["ann"].connection == "ann-7"
    assert rig.give(staying) == () == rig.give(Looking())


# --- logs that cannot be folded


def test_a_log_of_another_version_of_the_rules_is_refused() -> None:
    for version in (0, 99):
        with pytest.raises(UnknownEntry, match=f"version {version} of the rules"):
            Table("t").fold(1, "a", 0.0, entry("ann", d.TableOpened("auction_bridge", 4, {}, version)))


@pytest.mark.parametrize(("game", "players", "options"), [("whist", 4, {}), ("auction_bridge", 3, {})])
def test_a_log_of_an_unknown_game_is_refused(game: str, players: int, options: dict[str, str | int | bool]) -> None:
    with pytest.raises(UnknownEntry, match="does not know"):
        Table("t").fold(1, "a", 0.0, entry("ann", d.TableOpened(game, players, options, 1)))


def test_a_log_that_is_not_whole_is_refused(rig: Rig) -> None:
    with pytest.raises(UnknownEntry, match="not whole"):
        Table("t").fold(1, "a", 0.0, entry("ann", d.Renamed("ann", "x")))
    before = digest(rig.table)
    for number in (1, 3, 0):
        with pytest.raises(UnknownEntry, match="not whole"):
            rig.table.fold(number, "a", 0.0, entry("ann", d.Agreed(0)))
    assert digest(rig.table) == before


def test_a_legal_action_is_one_of_those_listed(rig: Rig) -> None:
    rig.playing()
    assert rig.table.deal is not None
    assert choose(rig.table, Random(7)) in rig.table.game.legal_actions(rig.table.deal.state)


def test_a_session_of_three_rubbers_brings_each_player_with_each() -> None:
    """Vint's option: after a rubber the players move, the deal goes on, and after three there is a fresh draw."""
    rig = Rig({"session": "three_rubbers", "first_dealer": "fixed"}, game="vint")
    rig.sit(*PLAYERS)
    partners: list[set[frozenset[str | None]]] = []
    for rubber in range(1, 5):
        play_rubber(rig.table, rubber)
        owners = [chair.owner for chair in rig.table.chairs]
        partners.append({frozenset(owners[place] for place in (0, 2)), frozenset(owners[place] for place in (1, 3))})
    assert len({pair for both in partners[:3] for pair in both}) == 6
    assert rig.table.chairs[0].owner == "ann", "whoever dealt first in the session keeps his seat"
    assert sum(rig.table.ledger.values()) == 0 and set(rig.table.ledger) == set(PLAYERS)


def play_rubber(table: Table, rubber: int) -> None:
    """Fold a rubber as bots would play it, without asking anybody."""
    begun = None
    while table.rubber < rubber or table.stage != "over":
        if table.stage != "playing":
            last = table.deal.state.result if table.deal is not None else None
            fold(table, d.DealBegun((table.deals + 1000 * rubber).to_bytes(32, "big")))
            assert table.deal is not None
            begun = begun or table.deal
            if table.deal is begun and last is not None and rubber % 3 != 1:
                assert table.deal.state.dealer == last.next_dealer
        assert table.deal is not None and table.deal.state.to_act is not None
        view = table.game.view(table.deal.state, table.deal.state.to_act)
        fold(table, deed_of(simple.choose(view, table.game.legal_actions(table.deal.state))))


def fold(table: Table, deed: d.Deed) -> None:
    table.fold(table.head.number + 1, "e", table.time, d.entry("clock", deed))
