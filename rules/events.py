"""What happens in a deal, in the past tense: what `apply` reports, and what `rules.view` redacts for each seat."""

from dataclasses import dataclass

from rules.calls import Bid, Call, Declaration, Word
from rules.cards import Card, Cards, Suit
from rules.scoresheet import Result
from rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Contract:
    """What is played: the final call as doubled (1, 2, 4 ...), and the three things that the play asks for.

    `call` and `declarer` are None where a deal is played that nobody bid for; `dummy` where nobody's hand is exposed.
    `partners` are those who play with the declarer, dummy included.
    """

    call: Bid | Declaration | Word | None
    doubling: int
    declarer: Seat | None
    dummy: Seat | None
    partners: tuple[Seat, ...]
    trumps: Suit | None
    leader: Seat


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The hands as dealt, by seat, and the undealt cards; None where redacted. The numbers of cards stay."""

    dealer: Seat
    hands: tuple[Cards | None, ...]
    counts: tuple[int, ...]
    widow: Cards | None
    widow_count: int


@dataclass(frozen=True, slots=True)
class CallMade:
    """A seat has called."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True)
class AuctionEnded:
    """The calls are over; None if the deal is not played."""

    contract: Contract | None


@dataclass(frozen=True, slots=True)
class PartnersCalled:
    """The bidder has named who plays with him."""

    seat: Seat
    partners: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class WidowTaken:
    """The bidder has taken up the widow; its cards are for him alone."""

    seat: Seat
    cards: Cards | None
    count: int


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """The bidder has laid cards away; which, he alone knows."""

    seat: Seat
    cards: Cards | None
    count: int


@dataclass(frozen=True, slots=True)
class JokerNamed:
    """The bidder has said which suit his joker belongs to, None if he declined."""

    seat: Seat
    suit: Suit | None


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card has come from the hand of `seat`, chosen by the seat `by`; `suit` is what a joker was led as.

    `led` is the suit that it leads where neither the printed suit nor `suit` says it, as with a bower or a joker.
    """

    seat: Seat
    by: Seat
    card: Card
    suit: Suit | None = None
    led: Suit | None = None


@dataclass(frozen=True, slots=True)
class HandExposed:
    """A hand lies open from now on, as dummy's does after the first lead."""

    seat: Seat
    cards: Cards


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick is complete; `number` counts from 1."""

    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class DealScored:
    """The deal is over. All hands as dealt, the widow and the discard are public now, except what the laws keep."""

    hands: tuple[Cards | None, ...]
    widow: Cards | None
    discard: Cards | None
    result: Result


Event = (
    CardsDealt
    | CallMade
    | AuctionEnded
    | PartnersCalled
    | WidowTaken
    | CardsDiscarded
    | JokerNamed
    | CardPlayed
    | HandExposed
    | TrickWon
    | DealScored
)
