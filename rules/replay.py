"""Deal records played again by the laws: from JSON values to the cards, the actions and the state they lead to.

Whatever is wrong is a `BadRecord` that names the list and the place, so that a person finds the action. Nothing here
knows one game: hands and widow go where `Game.places` deals them, and which list is due the legal actions say.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from rules.actions import Action, CallPartners, Choose, Discard, NameJoker, RecordList, parse_play, record_list
from rules.calls import parse_call
from rules.cards import Card, Cards, Suit, parse_card, parse_hand
from rules.errors import BadOption, BadRecord, IllegalAction
from rules.events import Event
from rules.game import AnyGame, Place, State
from rules.quotation import quoted
from rules.registry import GAMES, make_game
from rules.scoresheet import Standing
from rules.seats import Seat

FORMAT = "biritch-deal/1"

Record = Mapping[str, object]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Replayed:
    """A record played again: all events from the deal on, nothing redacted, and the state that they lead to."""

    game: AnyGame
    before: Standing
    events: tuple[Event, ...]
    state: State


def play_again(record: Record) -> Replayed:
    """Play a record by the laws of its game, as far as it goes. Raises BadRecord at the first thing that is wrong."""
    game = _game(record)
    dealer = _dealer(game, record)
    deck = _deck(game, dealer, record)
    before = _before(game, record)
    state, events = game.deal(dealer, deck, before)
    run = _Run(game, state, list(events))
    _act(run, record)
    return Replayed(game, before, tuple(run.events), run.state)


# --- the deal


def _malformed(message: str) -> BadRecord:
    return BadRecord("bad_record", message)


def _game(record: Record) -> AnyGame:
    _one_of(record, "format", (FORMAT,))
    name = _one_of(record, "game", tuple(GAMES), "the games are")
    players = _one_of(record, "players", sorted(GAMES[name].players), f"{GAMES[name].title} is for")
    options = record.get("options", {})
    if not isinstance(options, Mapping):
        raise BadRecord("options.bad_value", "The options are no object.", "options", 0)
    try:
        return make_game(name, players, options)
    except BadOption as error:
        raise BadRecord(error.code, error.message, "options", 0) from None


def _one_of(record: Record, key: str, allowed: Sequence[T], words: str = "it can be") -> T:
    """Return what stands under a key, which is to be one of these. Raises BadRecord."""
    if key in record:
        given = record[key]
        for value in allowed:
            # Neither `true` nor `1.0` is 1.
            if type(given) is type(value) and given == value:
                return value
    says = f"`{key}` is {quoted(record[key])}" if key in record else f"There is no `{key}`"
    raise _malformed(f"{says}; {words}: {', '.join(map(quoted, allowed))}.")


def _dealer(game: AnyGame, record: Record) -> Seat:
    return game.seats.parse(_one_of(record, "dealer", game.seats.names, "the seats are"))


def _deck(game: AnyGame, dealer: Seat, record: Record) -> Cards:
    """Put hands and widow back into the shuffled deck from which they would be dealt."""
    places = game.places(dealer)
    sizes = Counter(places)
    piles = _hands(game, sizes, record.get("hands"))
    widow = _widow(record.get("widow", []))
    if Counter(widow) != Counter(set(game.deck).difference(*piles.values())):
        raise BadRecord("widow.wrong_cards", "The widow is not what the hands leave of the deck.", "widow", 0)
    piles["widow"] = widow
    dealt = {place: iter(pile) for place, pile in piles.items()}
    return tuple(next(dealt[place]) for place in places)


def _hands(game: AnyGame, sizes: Mapping[Place, int], given: object) -> dict[Place, Cards]:
    expected: dict[str, Place] = {game.seats.name(seat): seat for seat in game.seats}
    if "dead" in sizes:
        expected["dead"] = "dead"
    if not isinstance(given, Mapping) or set(given) != set(expected):
        raise _wrong_hands(f"There is to be one hand for each of: {', '.join(expected)}.")
    piles: dict[Place, Cards] = {}
    seen: set[Card] = set()
    for name, place in expected.items():
        hand = _hand(given[name])
        if len(hand) != sizes[place]:
            raise _wrong_hands(f"The hand {name} has {len(hand)} cards and not {sizes[place]}.")
        if not seen.isdisjoint(hand):
            raise _wrong_hands(f"The hand {name} holds a card that another one holds.")
        seen.update(hand)
        piles[place] = hand
    if not seen.issubset(game.deck):
        raise _wrong_hands(f"{min(map(str, seen.difference(game.deck)))} is not in the deck.")
    return piles


def _hand(given: object) -> Cards:
    if not isinstance(given, str):
        raise _wrong_hands(f"{quoted(given)} is no hand.")
    try:
        return parse_hand(given)
    except ValueError as error:
        raise _wrong_hands(f"{error}.") from None


def _wrong_hands(message: str) -> BadRecord:
    return BadRecord("hands.wrong_cards", message, "hands", 0)


def _widow(given: object) -> Cards:
    if not isinstance(given, list) or not all(isinstance(card, str) for card in given):
        raise BadRecord("widow.wrong_cards", "The widow is no list of cards.", "widow", 0)
    try:
        return tuple(map(parse_card, given))
    except ValueError as error:
        raise BadRecord("widow.wrong_cards", f"{error}.", "widow", 0) from None


def _before(game: AnyGame, record: Record) -> Standing:
    fresh = game.fresh()
    if "before" not in record:
        return fresh
    given = record["before"]
    if not isinstance(given, Mapping) or set(given) != set(fresh.columns):
        raise _malformed(f"`before` has exactly these columns: {', '.join(fresh.columns)}.")
    try:
        return game.standing({column: _side_numbers(game, column, given[column]) for column in fresh.columns})
    except ValueError as error:
        raise _malformed(f"No deal begins with this `before`: {error}.") from None


def _side_numbers(game: AnyGame, column: str, given: object) -> tuple[int, ...]:
    names = [side.name for side in game.sides]
    if not isinstance(given, Mapping) or set(given) != set(names):
        raise _malformed(f"`before.{column}` has exactly these sides: {', '.join(names)}.")
    numbers = tuple(given[name] for name in names)
    if any(type(number) is not int for number in numbers):
        raise _malformed(f"`before.{column}` has a value that is no whole number.")
    return numbers


# --- the actions


@dataclass(slots=True)
class _Run:
    """A deal being played again."""

    game: AnyGame
    state: State
    events: list[Event] = field(default_factory=list)

    def act(self, action: Action, list_: RecordList, index: int) -> None:
        try:
            self.state, events = self.game.apply(self.state, action)
        except IllegalAction as error:
            raise BadRecord(error.code, f"{error.message}{self._whose()}", list_, index) from None
        self.events += events

    def _whose(self) -> str:
        """Name who was to act, which a record does not say beside each action."""
        to_act, hand, name = self.state.to_act, self.state.hand_to_play, self.game.seats.name
        if to_act is None:
            return ""
        if hand is None or hand == to_act:
            return f" It is {name(to_act)}'s turn."
        return f" It is {name(to_act)}'s turn, from the hand of {name(hand)}."

    def legal(self, due: RecordList) -> Sequence[Action | Choose]:
        """List what may be done now if this is the list in which it is written, else nothing."""
        actions = self.game.legal_actions(self.state)
        if not actions:
            return ()
        first = actions[0]
        return actions if due == ("discard" if isinstance(first, Choose) else record_list(first)) else ()


def _act(run: _Run, record: Record) -> None:
    calls, plays = _list(record, "calls", required=True), _list(record, "plays", required=True)
    partners, discard = _list(record, "called_partners"), _list(record, "discard")
    joker_suit = record.get("joker_suit")
    for index, text in enumerate(calls):
        run.act(_parsed(parse_call, text, "calls", index), "calls", index)
    # An empty list or null that nothing follows has not been decided yet.
    _call_partners(run, partners, decided=bool(partners or discard or joker_suit is not None or plays))
    _discard(run, discard)
    _name_joker(run, joker_suit, decided=joker_suit is not None or bool(plays))
    for index, text in enumerate(plays):
        run.act(_parsed(parse_play, text, "plays", index), "plays", index)


def _list(record: Record, name: str, *, required: bool = False) -> list[object]:
    if name not in record and not required:
        return []
    given = record.get(name)
    if not isinstance(given, list):
        raise _malformed(f"`{name}` is to be a list.")
    return given


def _parsed(parse: Callable[[str], T], text: object, list_: RecordList, index: int) -> T:
    if not isinstance(text, str):
        raise BadRecord("record.unknown_action", f"{quoted(text)} is no text.", list_, index)
    try:
        return parse(text)
    except ValueError as error:
        raise BadRecord("record.unknown_action", f"{error}.", list_, index) from None


def _not_due(list_: RecordList) -> BadRecord:
    return BadRecord("action.not_due", f"`{list_}` is not due in this deal, or not yet.", list_, 0)


def _call_partners(run: _Run, given: Sequence[object], *, decided: bool) -> None:
    choices = [action for action in run.legal("called_partners") if isinstance(action, CallPartners)]
    if not choices and given:
        raise _not_due("called_partners")
    if not choices or not decided:
        return
    seats: set[Seat] = set()
    for index, text in enumerate(given):
        seat = _parsed(run.game.seats.parse, text, "called_partners", index)
        if seat in seats or not any(seats | {seat} <= set(choice.seats) for choice in choices):
            raise BadRecord("partners.not_allowed", f"{text} may not be called as well.", "called_partners", index)
        seats.add(seat)
    for choice in choices:
        if set(choice.seats) == seats:
            return run.act(choice, "called_partners", 0)
    raise BadRecord("partners.too_few", "More partners are to be called.", "called_partners", len(given))


def _discard(run: _Run, given: Sequence[object]) -> None:
    if not given:
        return
    choices = [action for action in run.legal("discard") if isinstance(action, Choose)]
    if not choices:
        raise _not_due("discard")
    (choice,) = choices
    cards: list[Card] = []
    for index, text in enumerate(given):
        card = _parsed(parse_card, text, "discard", index)
        if index == choice.count:
            raise _wrong_count(choice.count, given, index)
        if card not in choice.cards or card in cards:
            raise BadRecord("discard.not_held", f"{card} cannot be laid away.", "discard", index)
        cards.append(card)
    if len(cards) < choice.count:
        raise _wrong_count(choice.count, given, len(cards))
    run.act(Discard(tuple(cards)), "discard", 0)


def _wrong_count(due: int, given: Sequence[object], index: int) -> BadRecord:
    message = f"{due} cards are to be laid away, and not {len(given)}."
    return BadRecord("discard.wrong_count", message, "discard", index)


def _name_joker(run: _Run, given: object, *, decided: bool) -> None:
    due = bool(run.legal("joker_suit"))
    if not due and given is not None:
        raise _not_due("joker_suit")
    if due and decided:
        run.act(NameJoker(None if given is None else _parsed(_suit, given, "joker_suit", 0)), "joker_suit", 0)


def _suit(text: str) -> Suit:
    if text not in set(Suit):
        raise ValueError(f"{text!r} is no suit: a joker's is one of {' '.join(Suit)}, or null for none")
    return Suit(text)
