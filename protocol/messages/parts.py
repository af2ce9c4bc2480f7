"""Parts: maps without a `type` that stand inside what the server says."""

from msgspec import field

from protocol.messages.base import Part


class Legal(Part):
    """What the seat to act may do: calls, cards, and the choices that Five Hundred alone has.

    `discard` is a number and the cards from which to choose so many; `partners` and `jokers` list whole choices, in
    `jokers` None to name no suit.
    """

    calls: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    discard: tuple[int, list[str]] | None = None
    partners: list[list[str]] = field(default_factory=list)
    jokers: list[str | None] = field(default_factory=list)


class Turn(Part):
    """Who decides next: `seat` acts; `hand` is the seat whose hand the card comes from, during the play.

    A command that acts names the same `deal` and `index`. `legal` is there for the seat to act alone. `phase` is that
    of the deal from now on.
    """

    deal: int
    index: int
    seat: str
    hand: str | None = None
    legal: Legal | None = None
    phase: str = ""


class ContractPart(Part):
    """What is played. `call` and `declarer` are None where nobody bid, `trumps` without a trump suit."""

    call: str | None
    doubling: int
    declarer: str | None
    dummy: str | None
    partners: list[str]
    trumps: str | None
    leader: str


class CallPart(Part):
    """One call and the seat that made it."""

    seat: str
    call: str


class PlayPart(Part):
    """One card and the seat from whose hand it came."""

    seat: str
    card: str


class TrickPart(Part):
    """A trick: who led, the suit led, the plays in order."""

    leader: str
    led: str | None = None
    plays: list[PlayPart] = field(default_factory=list)


class ScoreLine(Part):
    """One entry on the score sheet: points of a side in an account, a stable reason, and the sum in words."""

    side: str
    account: str
    points: int
    reason: str
    words: str


class ScorePart(Part):
    """A scored deal: what it added for each side and account, why, and the standing for the next deal."""

    score: dict[str, dict[str, int]]
    lines: list[ScoreLine]
    standing: dict[str, dict[str, int]]
    next_dealer: str
    over: bool
    winner: str | None


class DealPart(Part):
    """All that a seat may know of a deal. By seat: `hands` that are visible, `counts` of cards, `tricks_won`."""

    number: int
    dealer: str
    phase: str
    hands: dict[str, str]
    counts: dict[str, int]
    calls: list[CallPart]
    contract: ContractPart | None
    trick: TrickPart | None
    last_trick: TrickPart | None
    tricks_won: dict[str, int]
    exposed: list[str] = field(default_factory=list)
    widow: str | None = None
    widow_count: int = 0
    discard: str | None = None
    dealt: dict[str, str] | None = None
    score: ScorePart | None = None


class SeatPart(Part):
    """A seat: who owns it, whether a bot plays it, whether its player is there, whether it has agreed to go on.

    `player` is None for a free seat and for a bot that nobody owns; a bot need not be `ready`. `away_since` is the
    store's time in seconds.
    """

    seat: str
    player: str | None = None
    name: str = ""
    bot: bool = False
    connected: bool = False
    away_since: float | None = None
    ready: bool = False


class SpectatorPart(Part):
    """Somebody who watches."""

    player: str
    name: str


class TableCard(Part):
    """A public table in the list: its game, options that differ from the defaults, seats and stage."""

    table: str
    game: str
    title: str
    players: int
    options: dict[str, str | int | bool]
    seats: list[SeatPart]
    stage: str
