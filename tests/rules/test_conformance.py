"""What holds for every game and every option: shown on deals called and played at random, by seeds that are printed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pytest

from rules.actions import PLAYS, Action, Choose, Discard, Play, parse_play
from rules.calls import Bid, Denomination, Word, parse_call
from rules.cards import Card, Cards, Suit, in_order
from rules.errors import BadOption, IllegalAction
from rules.events import CardsDealt, Event
from rules.game import AnyGame, Place, permits
from rules.record import replay, write
from rules.registry import GAMES, make_game
from rules.replay import play_again
from rules.scoresheet import Standing, standing_numbers
from rules.seats import Seat
from rules.shuffle import shuffled
from rules.view import depends_on_seat, redact
from tests.rules import oracle_auction_bridge as oracle

EVERY_CALL: list[Action] = [
    *Word,
    *(Bid(level, denomination) for level in range(1, 11) for denomination in Denomination),
]
EVERY_PLAY: list[Action] = list(PLAYS.values())


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
    """Every game with its defaults, then with each value of each option by itself, then with some at random."""
    for name, family in GAMES.items():
        for players in family.players:
            options = family.options(players, {})
            yield Table(name, players)
            sets = [{option.name: value} for option in options for value in option.values[1:]]
            random = Random(f"{name} {players}")
            mixed = [[(option, random.choice(option.values)) for option in options] for _ in range(12)]
            sets += [{option.name: value for option, value in mix if value != option.default} for mix in mixed]
            for chosen in sets:
                try:
                    make_game(name, players, chosen)
                except BadOption:
                    continue
                yield Table(name, players, tuple(chosen.items()))


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


@cache
def deals(table: Table) -> list[Dealt]:
    """Some deals in a row, through a rubber or game and into the next."""
    dealt: list[Dealt] = []
    before = None
    for number in range(4):
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
            for action in (*EVERY_CALL, *EVERY_PLAY):
                assert permits(game, state, action) is (action in legal), (str(table), action)
            assert repr(state) == before, "a refused action changes nothing"


@every_table
def test_legal_actions_are_listed_once_and_have_a_text(table: Table) -> None:
    for dealt in deals(table):
        for state in dealt.states:
            actions = [action for action in table.game.legal_actions(state) if not isinstance(action, Choose)]
            assert len(set(actions)) == len(actions)
            for action in actions:
                if isinstance(action, Word | Bid):
                    assert parse_call(str(action)) == action
                if isinstance(action, Play):
                    assert parse_play(str(action)) == action


@every_table
def test_a_refusal_has_a_code_and_a_sentence(table: Table) -> None:
    game, state = table.game, deals(table)[0].states[0]
    legal = game.legal_actions(state)
    for action in EVERY_CALL + EVERY_PLAY:
        if action not in legal:
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
        part = begun_again(dealt, random.randrange(len(dealt.actions)))
        assert play_again(part.record()).state == part.state
        assert replay(part.record()) == part.record()


def begun_again(dealt: Dealt, actions: int) -> Dealt:
    again = Dealt(dealt.game, dealt.dealer, dealt.deck, dealt.before)
    for action in dealt.actions[:actions]:
        again.act(action)
    return again


# --- who sees what


def hidden_places(dealt: Dealt, seat: Seat | None) -> list[Place]:
    """Where cards lie now that this seat has not seen."""
    view = dealt.game.view(dealt.state, seat)
    places: list[Place] = [place for place, hand in enumerate(view.hands) if hand is None]
    return [*places, *(place for place in dealt.piles() if isinstance(place, str))]


def with_hidden_cards_moved(dealt: Dealt, seat: Seat | None, random: Random) -> Dealt | None:
    """Return the same deal with cards changed about that the seat has not seen; None if it could not have gone so.

    In the play only cards of one suit change places, so that nobody has revoked.
    """
    seen = {action.card for action in dealt.actions if isinstance(action, Play)}
    places = dealt.game.places(dealt.dealer)
    hidden = hidden_places(dealt, seat)
    slots = [slot for slot, card in enumerate(dealt.deck) if places[slot] in hidden and card not in seen]
    groups = [slots]
    if dealt.state.phase == "play":
        groups = [[slot for slot in slots if dealt.deck[slot].suit is suit] for suit in (*Suit, None)]
    deck = list(dealt.deck)
    for group in groups:
        cards = [dealt.deck[slot] for slot in group]
        random.shuffle(cards)
        for slot, card in zip(group, cards, strict=True):
            deck[slot] = card
    moved = Dealt(dealt.game, dealt.dealer, tuple(deck), dealt.before)
    try:
        for action in dealt.actions:
            moved.act(action)
    except IllegalAction:
        return None
    return None if moved.states[0] == dealt.states[0] else moved


@every_table
def test_hidden_cards_change_nothing_for_a_seat(table: Table) -> None:
    """Two deals that differ only in cards hidden from a seat give it equal views and equal events."""
    compared = 0
    game = table.game
    for number, whole in enumerate(deals(table)):
        for seat in (None, *game.seats):
            random = Random(f"{table} {number} {seat}")
            one = begun_again(whole, random.randrange(len(whole.actions)))
            other = with_hidden_cards_moved(one, seat, random)
            if other is None:
                continue
            compared += 1
            for state, changed in zip(one.states, other.states, strict=True):
                assert game.view(state, seat) == game.view(changed, seat)
                if seat is not None and state.to_act == seat:
                    assert game.legal_actions(state) == game.legal_actions(changed)
            for events, changed_events in zip(one.events, other.events, strict=True):
                assert [redact(event, seat) for event in events] == [redact(event, seat) for event in changed_events]
    assert compared >= 8, "hardly anything was compared"


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
    for dealt in deals(table):
        piles = dealt.piles()
        for seat in table.game.seats:
            assert set(table.game.view(dealt.states[0], seat).hands[seat] or ()) == set(piles[seat])
            end = table.game.view(dealt.state, seat)
            assert end.dealt is not None
            assert [set(hand or ()) for hand in end.dealt] == [set(piles[each]) for each in table.game.seats]


# --- a second reading of the laws


def auction_bridge_legal(record: Mapping[str, Any], done: int) -> set[str]:
    calls, plays = record["calls"][:done], record["plays"][: max(0, done - len(record["calls"]))]
    if not oracle.auction_over(calls):
        return oracle.legal_calls(record["options"], record["dealer"], calls)
    final = oracle.contract(record["dealer"], calls)
    if final is None or len(plays) == 52:
        return set()
    bid, _, declarer = final
    hands = {seat: oracle.cards(hand) for seat, hand in record["hands"].items()}
    return oracle.legal_plays(hands, oracle.seat_after(declarer, 1), oracle.trump(bid), plays)


def auction_bridge_end(record: Mapping[str, Any]) -> tuple[object, object]:
    hands, calls, plays = record["hands"], record["calls"], record["plays"]
    added = oracle.score(record["options"], record["dealer"], hands, calls, plays)
    return oracle.after(record["before"], added)


LEGAL: dict[str, Callable[[Mapping[str, Any], int], set[str]]] = {"auction_bridge": auction_bridge_legal}
END: dict[str, Callable[[Mapping[str, Any]], tuple[object, object]]] = {"auction_bridge": auction_bridge_end}


@every_table
def test_a_second_reading_of_the_laws_agrees(table: Table) -> None:
    game = table.game
    for dealt in deals(table):
        record = dealt.record()
        for done, state in enumerate(dealt.states):
            assert {str(action) for action in game.legal_actions(state)} == LEGAL[table.name](record, done), record
        result = dealt.state.result
        sheet, winner = END[table.name](record)
        assert standing_numbers(result.standing, game.sides) == sheet, record
        assert (None if result.winner is None else game.sides[result.winner].name) == winner, record
        assert result.over is (winner is not None)
