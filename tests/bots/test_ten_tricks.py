"""The simple bot with bowers and joker: what it bids, lays away, calls and plays in Five Hundred."""

from dataclasses import replace

import pytest

from bots.simple import choose
from rules.actions import CallPartners, Choose, Discard, NameJoker, Play
from rules.calls import parse_call
from rules.cards import Cards, Suit, hand_text, parse_card, parse_hand
from rules.events import Contract
from rules.five_hundred_cards import ORDERS
from rules.game import AnyGame
from rules.registry import make_game
from rules.tricks import Trick, playable
from rules.view import View


def asked(hand: str, before: str = "", players: int = 4, **options: object) -> str:
    """Return the call of the seat to act, which holds this hand; the calls before it stand in rotation."""
    game = make_game("five_hundred", players, options)
    calls = before.split()
    seat = 0
    dealer = (seat - 1 - len(calls)) % players
    state, _ = game.deal(dealer, dealt(game, dealer, seat, parse_hand(hand)), game.fresh())
    for call in calls:
        state, _ = game.apply(state, parse_call(call))
    assert state.to_act == seat
    return str(choose(game.view(state, seat), game.legal_actions(state)))


def dealt(game: AnyGame, dealer: int, seat: int, hand: Cards) -> Cards:
    """Return a deck that deals a hand to a seat."""
    own, rest = iter(hand), iter([card for card in game.deck if card not in hand])
    return tuple(next(own if place == seat else rest) for place in game.places(dealer))


@pytest.mark.parametrize(
    ("hand", "before", "call"),
    [
        pytest.param("765.98.976.T8", "", "P", id="rubbish"),
        pytest.param("A.JAKQT.J.A5+JK", "", "8H", id="all high trumps and two aces"),
        pytest.param("7.JAK96.J8.97", "", "7H", id="both bowers and length"),
        pytest.param("A5.K98.976.T8", "7H P", "P", id="no raise over partner"),
        pytest.param("A5.98.9765.T8", "8C", "P", id="nothing against a high bid"),
    ],
)
def test_calls(hand: str, before: str, call: str) -> None:
    assert asked(hand, before) == call


def test_never_bids_misere() -> None:
    assert asked("765.654.654.6", "7H P P") == "P"


def exchange(players: int, hand: str, contract: str, partners: tuple[int, ...] = ()) -> View:
    bid = parse_call(contract)
    trumps = getattr(bid, "denomination", None)
    cards = parse_hand(hand)
    return View(
        seat=0,
        dealer=1,
        phase="exchange",
        to_act=0,
        hand_to_play=None,
        hands=(cards, *[None] * (players - 1)),
        counts=(len(cards), *[10] * (players - 1)),
        calls=((0, bid),),
        contract=Contract(bid, 1, 0, None, partners, trumps.trumps if trumps else None, 0),
        trick=Trick(0),
        last_trick=None,
        tricks_won=(0,) * players,
    )


@pytest.mark.parametrize(
    ("hand", "contract", "away"),
    [
        pytest.param("97.JAKT8.J8.A65+JK", "8H", "97..8.", id="no trumps, bowers or aces, and void"),
        pytest.param("97.AKT86.J.KQ65+JK", "8H", "97...5", id="a king keeps its guard"),
        pytest.param("A93.K2.QJT9.A87+JK", "7N", "3...87", id="without trumps"),
        pytest.param("A93.32.987.876+JK", "M", "A9...+JK", id="what would win a misère"),
    ],
)
def test_lays_away(hand: str, contract: str, away: str) -> None:
    view = exchange(4, hand, contract, (2,))
    assert view.hands[0] is not None
    laid = choose(view, [Choose(3, view.hands[0])])
    assert isinstance(laid, Discard)
    assert hand_text(laid.cards) == away


def test_calls_as_partners_who_have_bid_then_who_sits_nearest() -> None:
    calls = tuple((seat, parse_call(call)) for seat, call in [(2, "6S"), (3, "P"), (4, "6C"), (0, "8H")])
    view = View(0, 1, "partners", 0, None, (None,) * 5, (10,) * 5, calls, None, None, None, (0,) * 5)
    one = [CallPartners(()), *(CallPartners((seat,)) for seat in (1, 2, 3, 4))]
    assert choose(view, one) == CallPartners((4,))
    assert choose(view, [*one, CallPartners((1, 2)), CallPartners((2, 4)), CallPartners((3, 4))]) == CallPartners(
        (2, 4)
    )


def test_leaves_the_joker_free() -> None:
    assert choose(exchange(4, "A9...+JK", "7N"), [NameJoker(None), NameJoker(Suit.SPADES)]) == NameJoker(None)


# --- the play. Seat 0 is asked.


def played(hand: str, trick: str = "", contract: str = "7H 1", players: int = 4, partners: tuple[int, ...] = ()) -> str:
    """Ask which card to play; the trick as `3:HK 2:H4`, in the order of play."""
    call, declarer = contract.split()
    bid, cards = parse_call(call), parse_hand(hand)
    trumps = getattr(bid, "denomination", None)
    suit = trumps.trumps if trumps else None
    plays = tuple((int(text[0]), parse_card(text[2:])) for text in trick.split())
    order = ORDERS[suit, None]
    view = View(
        seat=0,
        dealer=0,
        phase="play",
        to_act=0,
        hand_to_play=0,
        hands=(cards, *[None] * (players - 1)),
        counts=(len(cards), *[10] * (players - 1)),
        calls=((int(declarer), bid),),
        contract=Contract(bid, 1, int(declarer), None, partners, suit, int(declarer)),
        trick=Trick(plays[0][0], order.suit(plays[0][1]), plays) if plays else Trick(0),
        last_trick=None,
        tricks_won=(0,) * players,
    )
    legal = playable(cards, view.trick.led if view.trick else None, order)
    return str(choose(view, [Play(card) for card in legal]))


@pytest.mark.parametrize(
    ("card", "hand", "trick", "contract", "partners"),
    [
        pytest.param("JK", "A5.AKT.J5.A8+JK", "", "8H 0", (2,), id="declarer draws trumps from the top"),
        pytest.param("DJ", "A5.KT.J5.A8", "1:HA 2:H4 3:HQ", "7H 1", (3,), id="the left bower takes the ace of trumps"),
        pytest.param(
            "HT", "A5.KT.J5.A8", "1:H5 2:HJ 3:H9", "7H 1", (3,), id="and spares itself for partner's right one"
        ),
        pytest.param("DJ", "A5..J5.A8", "1:HA 2:H4 3:HQ", "7H 1", (3,), id="as the only trump it must follow"),
        pytest.param("H5", "A5.5T.J5.", "1:CK 2:C4 3:C5", "7H 1", (3,), id="the lowest trump ruffs"),
        pytest.param("S5", "A5..65.", "1:CK 2:CA 3:C5", "7H 1", (3,), id="partner's ace is left alone"),
    ],
)
def test_plays(card: str, hand: str, trick: str, contract: str, partners: tuple[int, ...]) -> None:
    assert played(hand, trick, contract, partners=partners) == card


def test_loses_to_the_bidder_of_a_misere() -> None:
    assert played("A52.AK3..", "1:S9 2:SK", "M 1", partners=(3,)) == "S5"


def test_keeps_a_joker_that_could_lead_without_trumps() -> None:
    view = replace(exchange(4, "2.AK5..+JK", "7N", (2,)), phase="play", hand_to_play=0)
    joker = [Play(parse_card("JK"), suit) for suit in (Suit.SPADES, Suit.HEARTS, Suit.CLUBS)]
    assert choose(view, [Play(parse_card("HA")), Play(parse_card("H5")), *joker]) == Play(parse_card("HA"))
    last = replace(view, hands=(parse_hand("...+JK"), None, None, None))
    assert choose(last, joker) in joker
