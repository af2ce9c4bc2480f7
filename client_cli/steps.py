"""A deal step by step: what can be seen after so many of its calls, choices and cards, when all hands lie open."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from bots.ranks import bower_ranks
from client_cli.diagram import PlayedTrick, tricks_of
from rules.calls import Call
from rules.cards import PACK_52, Card, Cards
from rules.events import (
    AuctionEnded,
    CallMade,
    CardPlayed,
    CardsDealt,
    CardsDiscarded,
    Contract,
    DealScored,
    Event,
    JokerNamed,
    PartnersCalled,
    TrickWon,
    WidowTaken,
)
from rules.game import AnyGame
from rules.scoresheet import Result
from rules.seats import Seat
from rules.tricks import PLAIN_ORDERS, CardOrder

_STEPS = CallMade | PartnersCalled | CardsDiscarded | JokerNamed | CardPlayed


@dataclass(frozen=True, slots=True)
class Picture:
    """A deal at one moment. `dealt` are the hands as dealt and `hands` the cards still held, None where not known.

    `called` says that the calls are over: then there is a contract, or the deal is not played. Of the `tricks` some may
    not be known; `tricks_won` counts them too.
    """

    game: AnyGame
    dealer: Seat
    dealt: tuple[Cards | None, ...]
    hands: tuple[Cards | None, ...]
    widow: Cards | None
    calls: tuple[tuple[Seat, Call], ...]
    called: bool
    contract: Contract | None
    partners: tuple[Seat, ...]
    laid_away: Cards | None
    joker: JokerNamed | None
    tricks: tuple[PlayedTrick, ...]
    tricks_won: tuple[int, ...]
    result: Result | None

    @property
    def order(self) -> CardOrder:
        """How the cards rank."""
        trumps = None if self.contract is None else self.contract.trumps
        if set(self.game.deck) == set(PACK_52):
            return PLAIN_ORDERS[trumps]
        return bower_ranks(len(self.game.seats), trumps).order


class Steps:
    """The steps of a deal: 0 is the deal itself, then comes one for each call, choice and card."""

    def __init__(self, game: AnyGame, events: Sequence[Event]) -> None:
        self._game, self._events = game, events
        starts = [place for place, event in enumerate(events) if isinstance(event, _STEPS)]
        self._ends = [*starts, len(events)]
        self._tricks = [step for step in range(1, len(self._ends)) if self._ends_trick(step)]

    def _ends_trick(self, step: int) -> bool:
        events = self._events[self._ends[step - 1] : self._ends[step]]
        return any(isinstance(event, AuctionEnded | TrickWon) for event in events)

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self._ends) - 1

    def trick_after(self, step: int) -> int:
        """Return the next step that ends a trick, or the calls; the last one if there is none."""
        place = bisect_right(self._tricks, step)
        return self._tricks[place] if place < len(self._tricks) else self.last

    def trick_before(self, step: int) -> int:
        """Return the step before that ended a trick, or the calls; the first one if there is none."""
        place = bisect_left(self._tricks, step)
        return self._tricks[place - 1] if place else 0

    def picture(self, step: int) -> Picture:
        """Return what can be seen after a step."""
        return picture_of(self._game, self._events[: self._ends[step]])


def picture_of(game: AnyGame, events: Sequence[Event], won: Sequence[int] | None = None) -> Picture:
    """Return what can be seen after these events of a deal; `won` counts the tricks where not all are known."""
    dealt, *others = events
    assert isinstance(dealt, CardsDealt), "a deal begins with its cards"
    winners = [event.seat for event in others if isinstance(event, TrickWon)]
    ended = [event for event in others if isinstance(event, AuctionEnded)]
    return Picture(
        game=game,
        dealer=dealt.dealer,
        dealt=dealt.hands,
        hands=_held(dealt.hands, others),
        widow=dealt.widow,
        calls=tuple((event.seat, event.call) for event in others if isinstance(event, CallMade)),
        called=bool(ended),
        contract=ended[0].contract if ended else None,
        partners=next((event.partners for event in others if isinstance(event, PartnersCalled)), ()),
        laid_away=next((event.cards for event in others if isinstance(event, CardsDiscarded)), None),
        joker=next((event for event in others if isinstance(event, JokerNamed)), None),
        tricks=tuple(tricks_of(others)),
        tricks_won=tuple(winners.count(seat) for seat in game.seats) if won is None else tuple(won),
        result=next((event.result for event in others if isinstance(event, DealScored)), None),
    )


def _held(dealt: Sequence[Cards | None], events: Sequence[Event]) -> tuple[Cards | None, ...]:
    hands: list[Cards | None] = list(dealt)
    for event in events:
        match event:
            case WidowTaken(seat=seat, cards=cards):
                hands[seat] = None if cards is None else (*(hands[seat] or ()), *cards)
            case CardsDiscarded(seat=seat, cards=cards):
                hands[seat] = _without(hands[seat], cards or ())
            case CardPlayed(seat=seat, card=card):
                hands[seat] = _without(hands[seat], (card,))
    return tuple(hands)


def _without(hand: Cards | None, cards: Sequence[Card]) -> Cards | None:
    return None if hand is None else tuple(card for card in hand if card not in cards)
