"""Who sees what: the view of a deal from one seat, and events with the hidden cards taken out.

`Game.view` and `redact` are the only ways out for hidden cards.
"""

from dataclasses import dataclass, replace

from rules.calls import Call
from rules.cards import Cards
from rules.events import CardsDealt, CardsDiscarded, Contract, Event, WidowTaken
from rules.scoresheet import Result
from rules.seats import Seat
from rules.tricks import Trick


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat may know of a deal; `seat` is None for a spectator.

    By seat: `hands` as far as visible (cards still held, None if hidden), `counts` of cards held, `tricks_won`.
    `calls` are empty where the laws hide them. `last_trick` is open until the next lead. `widow` is None where hidden.
    After the deal `result` is set and `dealt` shows the hands as dealt.
    """

    seat: Seat | None
    dealer: Seat
    phase: str
    to_act: Seat | None
    hand_to_play: Seat | None
    hands: tuple[Cards | None, ...]
    counts: tuple[int, ...]
    calls: tuple[tuple[Seat, Call], ...]
    contract: Contract | None
    trick: Trick | None
    last_trick: Trick | None
    tricks_won: tuple[int, ...]
    exposed: tuple[Seat, ...] = ()
    widow: Cards | None = None
    widow_count: int = 0
    discard: Cards | None = None
    dealt: tuple[Cards | None, ...] | None = None
    result: Result | None = None


def redact(event: Event, seat: Seat | None) -> Event:
    """Return the event as a seat may know it, None for a spectator: hidden cards are None, counts stay."""
    match event:
        case CardsDealt(hands=hands):
            own = tuple(hand if place == seat else None for place, hand in enumerate(hands))
            return replace(event, hands=own, widow=None)
        case WidowTaken(seat=taker) | CardsDiscarded(seat=taker) if taker != seat:
            return replace(event, cards=None)
        case _:
            return event


def depends_on_seat(event: Event) -> bool:
    """Say whether an event reads differently from different seats."""
    return isinstance(event, CardsDealt | WidowTaken | CardsDiscarded)
