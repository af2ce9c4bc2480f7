"""What holds for every game and every option: shown on deals called and played at random, by seeds that are printed."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations
from random import Random
from typing import Any, Protocol

import pytest
from msgspec import msgpack

from protocol.codec import encode
from protocol.translate import deal_part, event_message
from rules.actions import PLAYS, Action, CallPartners, Choose, Discard, NameJoker, Play, parse_play
from rules.calls import Bid, Declaration, Denomination, Word, parse_call
from rules.cards import JOKER, Card, Cards, Suit, in_order
from rules.errors import BadOption, IllegalAction
from rules.events import CardsDealt, Event, WidowTaken
from rules.game import AnyGame, Place, permits
from rules.record import replay, write
from rules.registry import GAMES, make_game
from rules.replay import play_again
from rules.scoresheet import Standing, standing_numbers
from rules.seats import Seat
from rules.shuffle import shuffled
from rules.view import depends_on_seat, redact
from tests.rules import oracle_auction_bridge, oracle_bridge, oracle_five_hundred, oracle_vint


class Oracle(Protocol):
    """A second reading of the laws of a game, on the texts of a deal record."""

    def legal(self, record: Mapping[str, Any], done: int) -> set[str]:
        """Return what may be done after so many calls and cards of a record."""
        ...

    def end(self, record: Mapping[str, Any]) -> tuple[object, str | None, str]:
        """Return the sheet after a deal that has been finished, who has won the rubber, and who deals next."""
        ...


ORACLES: dict[str, Oracle] = {
    "auction_bridge": oracle_auction_bridge,
    "bridge": oracle_bridge,
    "five_hundred": oracle_five_hundred,
    "vint": oracle_vint,
}

# Standings near the end of a rubber, from which one of the deals begins, for as many sides as a table has; a game of
# one game has no games won.
LATE: dict[str, dict[str, tuple[int, ...]]] = {
    "auction_bridge": {"below": (20, 24), "above": (330, 150), "games": (1, 1)},
    "bridge": {"below": (18, 28), "above": (96, 330), "games": (1, 1)},
    "five_hundred": {"scores": (440, 460, -270, 490, 480)},
    "vint": {"below": (440, 460), "above": (18000, 12000), "games": (1, 1)},
}

EVERY_CALL: list[Action] = [
    *Word,
    *map(Declaration, Denomination),
    *(Bid(level, denomination) for level in range(1, 11) for denomination in Denomination),
]
EVERY_PLAY: list[Action] = [*PLAYS.values(), *(Play(JOKER, suit) for suit in Suit)]
EVERY_CHOICE: list[Action] = [
    *map(NameJoker, (None, *Suit)),
    *(CallPartners(seats) for number in range(4) for seats in combinations(range(6), number)),
]


@dataclass(frozen=True, slots=True)
class Table:
    """One game with its number of seats and options."""

    name: str
    players: int
    options: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.name, str(self.players), *(f"{name}={value}" for name, value in self.options)])

    @property
    def game(self) -> AnyGame:
        return make_game(self.name, self.players, dict(self.options))


def tables() -> Iterator[Table]:
    """Every game with its defaults and with options at random; with its usual number also each value by itself."""
    for name, family in GAMES.items():
        for players in family.players:
            yield Table(name, players)
            alone = [{option.name: value} for option in family.options(players, {}) for value in option.values[1:]]
            for chosen in alone if players == family.players[0] else []:
                if goes_together(name, players, chosen):
                    yield Table(name, players, tuple(chosen.items()))
            for number in range(10):
                yield Table(name, players, tuple(mixed(name, players, Random(f"{name} {players} {number}")).items()))


def mixed(name: str, players: int, random: Random) -> dict[str, object]:
    """Return options at random that do not contradict each other."""
    while True:
        drawn = [(option, random.choice(option.values)) for option in GAMES[name].options(players, {})]
        chosen: dict[str, object] = {option.name: value for option, value in drawn if value != option.default}
        if goes_together(name, players, chosen):
            return chosen


def goes_together(name: str, players: int, chosen: Mapping[str, object]) -> bool:
    try:
        make_game(name, players, chosen)
    except BadOption:
        return False
    return True


@dataclass
class Dealt:
    """A deal and all that has been done in it; `states` has one more than `actions`, `events` as many as states."""

    game: AnyGame
    dealer: Seat
    deck: Cards
    before: Standing
    actions: list[Action] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    events: list[tuple[Event, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.note(*self.game.deal(self.dealer, self.deck, self.before))

    @property
    def state(self) -> Any:
        return self.states[-1]

    def note(self, state: Any, events: tuple[Event, ...]) -> None:
        self.states.append(state)
        self.events.append(events)

    def act(self, action: Action) -> None:
        step = self.game.apply(self.state, action)
        self.actions.append(action)
        self.note(*step)

    def piles(self) -> dict[Place, Cards]:
        """The cards by where they were dealt, as they lay in the deck."""
        piles: dict[Place, list[Card]] = {}
        for card, place in zip(self.deck, self.game.places(self.dealer), strict=True):
            piles.setdefault(place, []).append(card)
        return {place: tuple(cards) for place, cards in piles.items()}

    def record(self) -> dict[str, object]:
        piles = self.piles()
        hands = [piles[seat] for seat in self.game.seats]
        widow, dead = piles.get("widow", ()), piles.get("dead", ())
        result = self.state.result
        return write(self.game, self.dealer, hands, self.actions, self.before, result, widow=widow, dead=dead)


def begun(game: AnyGame, random: Random, before: Standing | None = None) -> Dealt:
    dealer = random.randrange(len(game.seats))
    return Dealt(game, dealer, shuffled(game.deck, random.randbytes(32)), before or game.fresh())


def chosen(dealt: Dealt, random: Random) -> Action:
    """Choose a legal action; passes are likelier, or every auction would end at the top of the ladder."""
    actions = dealt.game.legal_actions(dealt.state)
    if Word.PASS in actions and random.random() < 0.6:
        return Word.PASS
    if Word.DOUBLE in actions and random.random() < 0.3:
        return Word.DOUBLE
    action = random.choice(actions[: max(12, len(actions) // 3)])
    if isinstance(action, Choose):
        return Discard(tuple(random.sample(action.cards, action.count)))
    return action


def played_out(game: AnyGame, random: Random, before: Standing | None = None) -> Dealt:
    dealt = begun(game, random, before)
    while dealt.state.result is None:
        assert dealt.game.legal_actions(dealt.state), "a deal that is not over has a legal action"
        dealt.act(chosen(dealt, random))
    assert not dealt.game.legal_actions(dealt.state)
    return dealt


def late(table: Table) -> Standing | None:
    if table.name not in LATE:
        return None
    columns = {name: numbers[: len(table.game.sides)] for name, numbers in LATE[table.name].items()}
    try:
        return table.game.standing(columns)
    except ValueError:
        return table.game.standing(columns | {"games": (0, 0)})


@cache
def deals(table: Table) -> list[Dealt]:
    """Some deals in a row, through a rubber or game and into the next; the last from near the end of one."""
    dealt: list[Dealt] = []
    before = None
    for number in range(4):
        if number == 3:
            before = late(table) or before
        dealt.append(played_out(table.game, Random(f"{table} {number}"), before))
        result = dealt[-1].state.result
        before = None if result.over else result.standing
    return dealt


every_table = pytest.mark.parametrize("table", list(tables()), ids=str)


@every_table
def test_every_card_is_in_one_place(table: Table) -> None:
    game = table.game
    for dealt in deals(table):
        piles = dealt.piles()
        gone: list[Card] = list(piles.get("dead", ()))
        for action, state in zip([None, *dealt.actions], dealt.states, strict=True):
            match action:
                case Play(card=card):
                    gone.append(card)
                case Discard(cards=cards):
                    gone += cards
            held = [card for seat in game.seats for card in game.view(state, seat).hands[seat] or ()]
            widow = piles["widow"] if game.view(state, None).widow_count else ()
            assert in_order([*gone, *held, *widow]) == in_order(game.deck)


@every_table
def test_apply_accepts_exactly_what_legal_actions_lists(table: Table) -> None:
    game = table.game
    random = Random(str(table))
    for dealt in deals(table)[:2]:
        for state in [*random.sample(dealt.states, min(12, len(dealt.states))), dealt.states[0], dealt.state]:
            legal = set(game.legal_actions(state)) if state.result is None else set()
            before = repr(state)
            for action in (*EVERY_CALL, *EVERY_PLAY, *EVERY_CHOICE):
                assert permits(game, state, action) is is_listed(action, legal), (str(table), action)
            for choice in filter(lambda action: isinstance(action, Choose), legal):
                assert isinstance(choice, Choose)
                assert permits(game, state, Discard(tuple(random.sample(choice.cards, choice.count))))
            for cards in (
                (),
                game.deck[:3],
                game.deck[:2] * 2,
                *(hand for hand in game.view(state, None).hands if hand),
            ):
                assert not permits(game, state, Discard(cards)) or any(is_one_of(cards, action) for action in legal)
            assert repr(state) == before, "a refused action changes nothing"


def is_listed(action: Action, legal: Container[Action | Choose]) -> bool:
    """Partners may be called in any order."""
    if isinstance(action, CallPartners):
        return any(CallPartners(seats) in legal for seats in permutations(action.seats))
    return action in legal


def is_one_of(cards: Cards, choice: Action | Choose) -> bool:
    return isinstance(choice, Choose) and len(set(cards)) == choice.count and set(cards) <= set(choice.cards)


@every_table
def test_legal_actions_are_listed_once_and_have_a_text(table: Table) -> None:
    for dealt in deals(table):
        for state in dealt.states:
            actions = [action for action in table.game.legal_actions(state) if not isinstance(action, Choose)]
            assert len(set(actions)) == len(actions)
            for action in actions:
                if isinstance(action, Word | Bid | Declaration):
                    assert parse_call(str(action)) == action
                if isinstance(action, Play):
                    assert parse_play(str(action)) == action


@every_table
def test_a_refusal_has_a_code_and_a_sentence(table: Table) -> None:
    game, state = table.game, deals(table)[0].states[0]
    legal = game.legal_actions(state)
    for action in EVERY_CALL + EVERY_PLAY + EVERY_CHOICE:
        if not is_listed(action, legal):
            with pytest.raises(IllegalAction) as refused:
                game.apply(state, action)
            assert "." in refused.value.code
            assert refused.value.message.endswith(".")


@every_table
def test_a_record_gives_the_same_deal_again(table: Table) -> None:
    random = Random(str(table))
    for dealt in deals(table):
        record = dealt.record()
        again = play_again(record)
        assert again.state == dealt.state
        assert again.events == tuple(event for events in dealt.events for event in events)
        assert replay(record) == record
        done = random.randrange(len(dealt.actions))
        while done and dealt.actions[done - 1] in TOLD_BY_WHAT_FOLLOWS:
            done -= 1
        part = begun_again(dealt, done)
        assert play_again(part.record()).state == part.state
        assert replay(part.record()) == part.record()


# A list that is empty, or null, may still have to be decided: a record ends before or after this, not at it.
TOLD_BY_WHAT_FOLLOWS = (CallPartners(()), NameJoker(None))


def begun_again(dealt: Dealt, actions: int) -> Dealt:
    again = Dealt(dealt.game, dealt.dealer, dealt.deck, dealt.before)
    for action in dealt.actions[:actions]:
        again.act(action)
    return again


# --- who sees what


def known_cards(dealt: Dealt, seat: Seat | None) -> set[Card]:
    """Cards of which this seat knows where they lie or have come from."""
    game, view = dealt.game, dealt.game.view(dealt.state, seat)
    known = {action.card for action in dealt.actions if isinstance(action, Play)}
    known.update(*(hand for hand in (*view.hands, *(view.dealt or ())) if hand is not None))
    if seat is not None:
        known.update(game.view(dealt.states[0], seat).hands[seat] or ())
    for event in (redact(event, seat) for events in dealt.events for event in events):
        if isinstance(event, WidowTaken):
            known.update(event.cards or ())
    return known


def with_hidden_cards_moved(dealt: Dealt, seat: Seat | None, random: Random) -> Dealt | None:
    """Return the same deal with cards changed about that the seat has not seen; None if it could not have gone so.

    In the play only cards of one suit change places, so that nobody has revoked; what another has laid away moves too.
    """
    known = known_cards(dealt, seat)
    hidden = [card for card in dealt.deck if card not in known]
    playing = any(isinstance(action, Play) for action in dealt.actions)
    groups = [[card for card in hidden if card.suit is suit] for suit in (*Suit, None)] if playing else [hidden]
    other = {card: card for card in dealt.deck}
    for group in groups:
        other |= zip(group, random.sample(group, len(group)), strict=True)
    moved = Dealt(dealt.game, dealt.dealer, tuple(other[card] for card in dealt.deck), dealt.before)
    try:
        for action in dealt.actions:
            moved.act(Discard(tuple(other[card] for card in action.cards)) if isinstance(action, Discard) else action)
    except IllegalAction:
        return None
    return None if moved.piles() == dealt.piles() else moved


@every_table
def test_hidden_cards_change_nothing_for_a_seat(table: Table) -> None:
    """Two deals that differ only in cards hidden from a seat give it equal views and events, to the last byte."""
    compared = 0
    game = table.game
    for number, whole in enumerate(deals(table)):
        for seat in (None, *game.seats):
            random = Random(f"{table} {number} {seat}")
            for one in (begun_again(whole, random.randrange(len(whole.actions))), whole):
                other = with_hidden_cards_moved(one, seat, random)
                if other is not None:
                    compared += 1
                    compare(game, one, other, seat)
    assert compared >= 8, "hardly anything was compared"


def compare(game: AnyGame, one: Dealt, other: Dealt, seat: Seat | None) -> None:
    for state, changed in zip(one.states, other.states, strict=True):
        view, changed_view = game.view(state, seat), game.view(changed, seat)
        assert view == changed_view
        assert msgpack.encode(deal_part(view, game, 1)) == msgpack.encode(deal_part(changed_view, game, 1))
        if seat is not None and state.to_act == seat:
            assert game.legal_actions(state) == game.legal_actions(changed)
    for events, changed_events in zip(one.events, other.events, strict=True):
        told, changed_told = ([redact(event, seat) for event in some] for some in (events, changed_events))
        assert told == changed_told
        for event, changed_event in zip(told, changed_told, strict=True):
            assert encode(event_message(event, game, 1, b"")) == encode(event_message(changed_event, game, 1, b""))


@every_table
def test_only_events_that_are_said_to_depend_on_the_seat_do(table: Table) -> None:
    for dealt in deals(table)[:1]:
        for event in (event for events in dealt.events for event in events):
            versions = [redact(event, seat) for seat in (None, *table.game.seats)]
            if not depends_on_seat(event):
                assert all(version == event for version in versions)
            if isinstance(event, CardsDealt):
                assert versions[0] == CardsDealt(
                    event.dealer, (None,) * len(event.hands), event.counts, None, event.widow_count
                )


@every_table
def test_a_seat_sees_its_own_hand_and_all_hands_after_the_deal(table: Table) -> None:
    """A game with a widow may keep hands hidden that would tell what lay there."""
    for dealt in deals(table):
        piles = dealt.piles()
        for seat in table.game.seats:
            assert set(table.game.view(dealt.states[0], seat).hands[seat] or ()) == set(piles[seat])
            end = table.game.view(dealt.state, seat)
            assert end.dealt is not None
            for each, hand in enumerate(end.dealt):
                assert set(hand) == set(piles[each]) if hand is not None else "widow" in piles


# --- a second reading of the laws


def text(game: AnyGame, action: Action | Choose) -> str:
    """Write an action as the second readings do."""
    match action:
        case Choose(count=count, cards=cards):
            return " ".join(["discard", str(count), *sorted(map(str, cards))])
        case CallPartners(seats=seats):
            return " ".join(["partners", *sorted(map(game.seats.name, seats))])
        case NameJoker(suit=suit):
            return f"joker {suit or '-'}"
    return str(action)


@every_table
def test_a_second_reading_of_the_laws_agrees(table: Table) -> None:
    game, oracle = table.game, ORACLES[table.name]
    for dealt in deals(table):
        record = dealt.record()
        for done, state in enumerate(dealt.states):
            assert {text(game, action) for action in game.legal_actions(state)} == oracle.legal(record, done), record
        result = dealt.state.result
        sheet, winner, next_dealer = oracle.end(record)
        assert standing_numbers(result.standing, game.sides) == sheet, record
        assert (None if result.winner is None else game.sides[result.winner].name) == winner, record
        assert result.over is (winner is not None)
        assert game.seats.name(result.next_dealer) == next_dealer, record
