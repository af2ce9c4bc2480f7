"""The lists of a record that royal auction bridge has not: widow, dead hand, partners called, discard, joker's suit.

Shown on a toy: three seats, one bid, partners perhaps, two cards laid away, the joker named, two cards played.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rules.actions import PLAYS, Action, CallPartners, Choose, Discard, NameJoker, Play
from rules.calls import Call, Word, parse_call
from rules.cards import JOKER, PACK_52, Card, Cards, Suit, in_order
from rules.errors import BadRecord, IllegalAction
from rules.events import CardsDealt, Event
from rules.game import Family, Place
from rules.options import Options
from rules.record import replay, write
from rules.registry import GAMES
from rules.replay import play_again
from rules.scoresheet import Line, Result
from rules.seats import Seat, Seats, Side
from rules.view import View

SIX_SPADES = parse_call("6S")


@dataclass(frozen=True)
class ToyStanding:
    scores: tuple[int, ...]

    @property
    def columns(self) -> Mapping[str, tuple[int, ...]]:
        return {"scores": self.scores}


@dataclass(frozen=True)
class ToyState:
    """What has been done is all there is: the phase follows from it."""

    dealer: Seat
    hands: tuple[Cards, ...]
    widow: Cards
    standing: Any
    done: tuple[Action, ...] = ()
    phase: str = "calls"
    result: Result | None = None
    to_act: Seat | None = 0
    hand_to_play: Seat | None = None


@dataclass(frozen=True)
class Toy:
    options: Options

    name = "toy"
    seats = Seats(("1", "2", "3"))
    sides = tuple(Side(name, (seat,)) for seat, name in enumerate(("1", "2", "3")))
    accounts = ("scores",)
    deck = (*PACK_52[:13], JOKER)

    def places(self, dealer: Seat) -> Sequence[Place]:
        """A card to the widow after each round of hands, twice; then the dead hand."""
        each: list[Place] = [0, 1, 2, "widow", 0, 1, 2, "widow", 0, 1, 2]
        return [*each, "dead", "dead", "dead"]

    def fresh(self) -> ToyStanding:
        return ToyStanding((0, 0, 0))

    def standing(self, columns: Mapping[str, tuple[int, ...]]) -> ToyStanding:
        return ToyStanding(**columns)

    def deal(self, dealer: Seat, cards: Sequence[Card], standing: Any) -> tuple[ToyState, tuple[Event, ...]]:
        at: dict[Place, list[Card]] = {}
        for card, place in zip(cards, self.places(dealer), strict=True):
            at.setdefault(place, []).append(card)
        hands = tuple(in_order(at[seat]) for seat in self.seats)
        widow = tuple(at["widow"])
        return ToyState(dealer, hands, widow, standing), (CardsDealt(dealer, hands, (3, 3, 3), widow, 2),)

    def legal_actions(self, state: ToyState) -> Sequence[Action | Choose]:
        match state.phase:
            case "calls":
                return [Word.PASS, SIX_SPADES]
            case "partners":
                return [CallPartners(()), CallPartners((1,)), CallPartners((1, 2))]
            case "discard":
                return [Choose(2, (*state.hands[0], *state.widow))]
            case "joker":
                return [NameJoker(None), *(NameJoker(suit) for suit in Suit)]
            case "play":
                return [PLAYS[card] for card in (*state.hands[0], *state.hands[1]) if PLAYS[card] not in state.done]
        return []

    def apply(self, state: ToyState, action: Action) -> tuple[ToyState, tuple[Event, ...]]:
        legal = self.legal_actions(state)
        chosen = isinstance(action, Discard) and bool(legal) and isinstance(legal[0], Choose)
        if not chosen and action not in legal:
            raise IllegalAction("toy.refused", "This is not due.")
        after = {"calls": "partners", "partners": "discard", "discard": "joker", "joker": "play", "play": "play"}
        phase = "play" if action is Word.PASS else after[state.phase]
        state = replace(state, done=(*state.done, action), phase=phase)
        if sum(isinstance(done, Play) for done in state.done) < 2:
            return state, ()
        lines = (Line(0, "scores", -40, "lost", "lost 40"), Line(1, "scores", 10, "tricks", "tricks 1 × 10"))
        standing = ToyStanding(tuple(map(sum, zip(state.standing.scores, (-40, 10, 0), strict=True))))
        return replace(state, phase="over", result=Result(lines, standing, 1, over=False, winner=None)), ()

    def view(self, state: ToyState, seat: Seat | None) -> View:
        raise AssertionError("nobody looks at a toy")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        GAMES, "toy", Family("toy", "A toy", (3,), lambda players, given: (), lambda _, given: Toy(given))
    )


# The bidder, seat 1, holds SA SJ S8 and takes up ST and JK.
RECORD: dict[str, Any] = {
    "format": "biritch-deal/1",
    "game": "toy",
    "options": {},
    "players": 3,
    "dealer": "2",
    "hands": {"1": "AJ8...", "2": "KQ9...", "3": "765...", "dead": "432..."},
    "widow": ["ST", "JK"],
    "calls": ["6S"],
    "called_partners": ["2"],
    "discard": ["JK", "SJ"],
    "joker_suit": "H",
    "plays": ["SA", "SK"],
    "before": {"scores": {"1": 100, "2": 0, "3": -20}},
    "score": {"1": -40, "2": 10, "3": 0},
    "after": {"scores": {"1": 60, "2": 10, "3": -20}},
    "over": False,
    "winner": None,
}
RESULTS = ("score", "after", "over", "winner")


def changed(**values: object) -> dict[str, Any]:
    return copy.deepcopy(RECORD) | values


def begun(**values: object) -> dict[str, Any]:
    """A record of a deal that is not finished, with these lists and nothing in the others."""
    empty: dict[str, object] = {"called_partners": [], "discard": [], "joker_suit": None, "plays": []}
    return {key: value for key, value in changed(**empty).items() if key not in RESULTS} | values


def place(record: dict[str, Any]) -> tuple[str | None, int | None]:
    with pytest.raises(BadRecord) as error:
        replay(record)
    return error.value.list, error.value.index


def test_a_whole_record_and_how_it_is_written() -> None:
    assert replay(RECORD) == RECORD
    bare = {key: value for key, value in RECORD.items() if key not in RESULTS}
    assert replay(bare) == RECORD
    again = play_again(RECORD)
    state: Any = again.state
    dealt = again.events[0]
    assert isinstance(dealt, CardsDealt)
    dead = Toy.deck[10:13]
    written = write(again.game, 1, state.hands, state.done, again.before, state.result, widow=state.widow, dead=dead)
    assert written == RECORD
    assert list(written) == list(RECORD)


def done(record: dict[str, Any]) -> tuple[Action, ...]:
    state: Any = play_again(record).state
    return tuple(state.done)


def test_empty_lists_that_something_follows_are_decisions() -> None:
    cards = Discard((JOKER, PACK_52[3]))
    assert done(begun(discard=["JK", "SJ"])) == (SIX_SPADES, CallPartners(()), cards)
    assert done(begun(discard=["JK", "SJ"], plays=["SA"]))[1:] == (
        CallPartners(()),
        cards,
        NameJoker(None),
        PLAYS[PACK_52[0]],
    )
    passed: tuple[Call | Play, ...] = (Word.PASS, PLAYS[PACK_52[0]])
    assert done(begun(calls=["P"], plays=["SA"])) == passed


def test_empty_lists_that_nothing_follows_are_not_decided_yet() -> None:
    assert done(begun()) == (SIX_SPADES,)
    assert done(begun(called_partners=["2"])) == (SIX_SPADES, CallPartners((1,)))
    assert len(done(begun(called_partners=["2"], discard=["JK", "SJ"]))) == 3


def test_partners_in_any_order() -> None:
    assert done(begun(called_partners=["3", "2"]))[1] == CallPartners((1, 2))


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"hands": RECORD["hands"] | {"dead": "43..."}}, ("hands", 0)),
        ({"hands": {name: RECORD["hands"][name] for name in "123"}}, ("hands", 0)),
        ({"hands": RECORD["hands"] | {"3": "76T..."}}, ("widow", 0)),
        ({"widow": ["ST"]}, ("widow", 0)),
        ({"widow": ["ST", "ST"]}, ("widow", 0)),
        ({"widow": ["ST", "SA"]}, ("widow", 0)),
        ({"widow": ["ST", "xx"]}, ("widow", 0)),
        ({"widow": ["ST", None]}, ("widow", 0)),
        ({"called_partners": ["1"]}, ("called_partners", 0)),
        ({"called_partners": ["2", "2"]}, ("called_partners", 1)),
        ({"called_partners": ["2", "3", "1"]}, ("called_partners", 2)),
        ({"called_partners": ["N"]}, ("called_partners", 0)),
        ({"called_partners": [1]}, ("called_partners", 0)),
        ({"called_partners": ["3"]}, ("called_partners", 1)),
        ({"discard": ["JK", "SJ", "SA"]}, ("discard", 2)),
        ({"discard": ["JK"]}, ("discard", 1)),
        ({"discard": ["JK", "JK"]}, ("discard", 1)),
        ({"discard": ["S7", "SJ", "SA"]}, ("discard", 0)),
        ({"discard": ["JK", "xx"]}, ("discard", 1)),
        ({"discard": [None, "JK"]}, ("discard", 0)),
        ({"discard": [], "joker_suit": None}, ("plays", 0)),
        ({"discard": []}, ("joker_suit", 0)),
        ({"joker_suit": "N"}, ("joker_suit", 0)),
        ({"joker_suit": 0}, ("joker_suit", 0)),
        ({"calls": []}, ("called_partners", 0)),
        ({"calls": [], "called_partners": []}, ("discard", 0)),
        ({"calls": ["P"], "called_partners": []}, ("discard", 0)),
        ({"calls": ["P"], "called_partners": [], "discard": []}, ("joker_suit", 0)),
        ({"calls": [], "called_partners": [], "discard": [], "joker_suit": None}, ("plays", 0)),
        ({"plays": ["SA", "S2"]}, ("plays", 1)),
        ({"plays": ["SA", "SK", "SQ"]}, ("plays", 2)),
        ({"before": {"scores": {"1": 0, "2": 0}}}, (None, None)),
        ({"score": {"1": {"scores": -40}, "2": {"scores": 10}, "3": {"scores": 0}}}, (None, None)),
    ],
)
def test_what_is_wrong_is_found_at_its_place(values: dict[str, object], where: tuple[str | None, int | None]) -> None:
    assert place(changed(**values)) == where
