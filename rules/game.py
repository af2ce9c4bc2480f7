"""The interface of a game: what the table, the records, the bots and the tests ask of the laws."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from rules.actions import Action, Choose
from rules.cards import Card, Cards
from rules.errors import IllegalAction
from rules.events import Event
from rules.facts import Fact, Given
from rules.options import Option, Options
from rules.scoresheet import Result, Standing
from rules.seats import Seat, Seats, Side
from rules.view import View

Place = Seat | Literal["widow", "dead"]
"""Where a card is dealt to."""


class State(Protocol):
    """A deal at one moment. Each game has a frozen dataclass of its own; these parts are common to all."""

    @property
    def dealer(self) -> Seat: ...

    @property
    def phase(self) -> str:
        """`auction`, `play`, `over`, or a phase of the game's own."""
        ...

    @property
    def to_act(self) -> Seat | None:
        """The seat that decides next; None when the deal is over."""
        ...

    @property
    def hand_to_play(self) -> Seat | None:
        """The seat whose hand the next card comes from, which is not always the seat to act; None outside the play."""
        ...

    @property
    def result(self) -> Result | None:
        """The score and what follows from it, once the deal is over."""
        ...


S = TypeVar("S", bound=State)

Tables = Mapping[str, str | Sequence[Sequence[str]]]
"""What a page of rules prints from the data of a game, by name: words and numbers in a line, or the rows of a table."""


class Game(Protocol[S]):
    """The laws of one game with its options and number of seats. Every method is a pure function of its arguments."""

    @property
    def name(self) -> str:
        """The name in records and messages."""
        ...

    @property
    def options(self) -> Options:
        """A value for every option."""
        ...

    @property
    def seats(self) -> Seats: ...

    @property
    def sides(self) -> tuple[Side, ...]:
        """Who score together; a standing has one number for each in this order."""
        ...

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts in which a deal scores, such as `below` and `above`."""
        ...

    @property
    def deck(self) -> Cards:
        """The cards in a fixed order; the caller shuffles."""
        ...

    def places(self, dealer: Seat) -> Sequence[Place]:
        """Return where the first, second ... card of the shuffled deck is dealt to."""
        ...

    def fresh(self) -> Standing:
        """Return the standing with which a rubber or game begins."""
        ...

    def standing(self, columns: Mapping[str, tuple[int, ...]]) -> Standing:
        """Return the standing that has these columns. Raises ValueError if a deal cannot begin with it."""
        ...

    def deal(self, dealer: Seat, cards: Sequence[Card], standing: Standing) -> tuple[S, tuple[Event, ...]]:
        """Deal the shuffled deck."""
        ...

    def legal_actions(self, state: S) -> Sequence[Action | Choose]:
        """List what the seat to act may do, in the order in which the game ranks it; nothing when the deal is over."""
        ...

    def apply(self, state: S, action: Action) -> tuple[S, tuple[Event, ...]]:
        """Return the state after an action of the seat to act. Raises IllegalAction, changing nothing.

        Accepts exactly what `legal_actions` lists.
        """
        ...

    def view(self, state: S, seat: Seat | None) -> View:
        """Return what a seat may know, None for a spectator."""
        ...


AnyGame = Game[Any]
"""A game whose states are handed back to it and otherwise only asked what `State` has."""


@dataclass(frozen=True, slots=True)
class Family:
    """A game as it is offered: its name, the words for people, and how it is made.

    `players` lists the numbers of seats. `options` is what may be chosen for such a number, given what has been chosen
    already (a preset moves the defaults of the rest). `make` takes a value for every option and raises BadOption for
    values that contradict each other. `rank_in_cut` is how cards rank where cutting settles only who deals first: the
    lowest does, and equals draw again; None where it settles partners too, as in whist.

    `summary` is one line for people. The page of rules is `rules/pages/NAME.md`; `tables` gives what it prints from the
    data of a game. `facts` are what has to be told of a deal that was played with real cards, and `score_facts` scores
    them for a game by the same code as a deal, raising BadFact; None where that is not offered.
    """

    name: str
    title: str
    players: tuple[int, ...]
    options: Callable[[int, Mapping[str, object]], tuple[Option, ...]]
    make: Callable[[int, Options], AnyGame]
    rank_in_cut: Callable[[Card], int] | None = None
    summary: str = ""
    tables: Callable[[Any], Tables] = lambda game: {}
    facts: tuple[Fact, ...] = ()
    score_facts: Callable[[Any, Given], Result] | None = None


def permits(game: AnyGame, state: State, action: Action) -> bool:
    """Say whether the seat to act may do this."""
    try:
        game.apply(state, action)
    except IllegalAction:
        return False
    return True
