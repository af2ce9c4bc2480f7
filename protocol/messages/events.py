"""Events: what has happened at a table. They come inside `entry`."""

from protocol.messages.base import ServerMessage
from protocol.messages.parts import ContractPart, ScorePart, SeatPart


class TableOpened(ServerMessage):
    """The table has been made."""

    game: str


class PlayerJoined(ServerMessage):
    """Somebody has come to the table."""

    player: str
    name: str


class PlayerNamed(ServerMessage):
    """A player has another name."""

    player: str
    name: str


class PlayerLeft(ServerMessage):
    """Somebody has gone away for good."""

    player: str


class PlayerConnected(ServerMessage):
    """A player is there again; a bot that held the seat meanwhile has gone."""

    player: str
    seat: str | None = None


class PlayerDropped(ServerMessage):
    """A player's connection is gone, for a `reason`: `left`, he has closed his client and keeps his seat; `lost`;
    `replaced`, by another one of the same player; or `server_gone`, its server stops or has failed. `time` is the
    store's, in seconds.
    """

    player: str
    reason: str
    time: float
    seat: str | None = None


class TableResumed(ServerMessage):
    """Somebody comes to a table where nobody was: who is away counts as away since this `time`, in seconds."""

    time: float


class SeatTaken(ServerMessage):
    """A player has sat down.

    `former` is there where a seat code has moved the seat: the player whose it was. He is at the table no longer, and
    his points in the ledger are the new player's.
    """

    seat: str
    player: str
    name: str
    former: str | None = None


class SeatLeft(ServerMessage):
    """A seat is free."""

    seat: str


class BotSeated(ServerMessage):
    """A bot plays for a seat; the player who owns it, if any, takes it back by returning."""

    seat: str


class SeatReady(ServerMessage):
    """A seat has agreed that the next deal, or another rubber, begins."""

    seat: str


class RubberBegun(ServerMessage):
    """Rubber or game number `rubber` begins with a clean sheet. `seats` says who sits where: a cut may move players."""

    rubber: int
    seats: list[SeatPart]


class TableEnded(ServerMessage):
    """The table is closed; nothing more happens there."""

    reason: str


class DealVoided(ServerMessage):
    """The deal in progress counts for nothing, since the store went back; the same dealer deals anew."""

    deal: int


class CardsDealt(ServerMessage):
    """A deal has begun; `hands` are those that this seat may see."""

    deal: int
    dealer: str
    hands: dict[str, str]
    counts: dict[str, int]
    widow_count: int = 0
    widow: str | None = None


class CallMade(ServerMessage):
    """A seat has called."""

    seat: str
    call: str


class AuctionEnded(ServerMessage):
    """The calls are over; `contract` is None if the deal is not played. `hide_calls` asks to put the calls away."""

    contract: ContractPart | None
    hide_calls: bool = False


class PartnersCalled(ServerMessage):
    """The bidder has named who plays with him."""

    seat: str
    partners: list[str]


class WidowTaken(ServerMessage):
    """The bidder has taken up the widow; `cards` is for him alone."""

    seat: str
    count: int
    cards: str | None = None


class CardsDiscarded(ServerMessage):
    """The bidder has laid cards away; `cards` is for him alone."""

    seat: str
    count: int
    cards: str | None = None


class JokerNamed(ServerMessage):
    """The bidder has said which suit his joker belongs to."""

    seat: str
    suit: str | None = None


class CardPlayed(ServerMessage):
    """A card has come from the hand of `seat`, chosen by the seat `by`.

    `led` is the suit that it leads where neither the printed suit nor the name says it, as with a bower or a joker.
    """

    seat: str
    by: str
    card: str
    led: str | None = None


class HandExposed(ServerMessage):
    """A hand lies open from now on."""

    seat: str
    cards: str


class TrickWon(ServerMessage):
    """A trick is complete; `number` counts from 1."""

    seat: str
    number: int


class DealScored(ServerMessage):
    """The deal is over. `seed`, in hexadecimal, is what the deck was shuffled from.

    `hands` are the hands as dealt, but for those that the laws keep; `widow` and `discard` likewise.
    """

    deal: int
    hands: dict[str, str]
    score: ScorePart
    seed: str
    widow: str | None = None
    discard: str | None = None


class RubberScored(ServerMessage):
    """The rubber or game is over: final totals by side, and the ledger of all players with it."""

    rubber: int
    winner: str | None
    totals: dict[str, int]
    ledger: dict[str, int]


AnyEvent = (
    TableOpened
    | PlayerJoined
    | PlayerNamed
    | PlayerLeft
    | PlayerConnected
    | PlayerDropped
    | TableResumed
    | SeatTaken
    | SeatLeft
    | BotSeated
    | SeatReady
    | RubberBegun
    | TableEnded
    | DealVoided
    | CardsDealt
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
    | RubberScored
)
