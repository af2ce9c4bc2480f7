"""Every message between a client and the server, as typed structs; docs/protocol.md is made from this file.

A message is one msgpack map in one binary WebSocket frame, tagged `type` with the snake_case name of its struct.
Cards, calls, hands and seats are in their one text form: `HT`, `2R`, `AK2.T98.QJ3.7654`, `N`.
"""

from typing import Annotated

from msgspec import Meta, Struct, field

SUBPROTOCOL = "biritch.1"


def _tag(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


MAX_ID = 2**53

Id = Annotated[int, Meta(ge=1, le=MAX_ID)]
Count = Annotated[int, Meta(ge=0, le=MAX_ID)]
TableId = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9_-]+\Z")]
EntryId = Annotated[str, Meta(max_length=32)]
SeatName = Annotated[str, Meta(min_length=1, max_length=2)]
CardText = Annotated[str, Meta(min_length=2, max_length=4)]
CallText = Annotated[str, Meta(min_length=1, max_length=3)]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Options = dict[Annotated[str, Meta(max_length=32)], Annotated[str, Meta(max_length=32)] | bool | int]


# --- commands: what a client asks for -------------------------------------------------------------------------------


class Command(Struct, tag_field="type", tag=_tag, forbid_unknown_fields=True, omit_defaults=True):
    """A command has an `id`, a number that grows with every new command of a player.

    It is answered exactly once, `accepted` or `rejected` with the same id. Sent again with the same id, at the same
    table, an accepted command is not done again and gets the first answer.
    """

    id: Id


class Hello(Command):
    """Say who is there; the first command of every connection.

    `token` is the one an earlier `welcome` gave; without it the server makes a new player. `name` is what others see.
    """

    token: Annotated[str, Meta(max_length=64)] | None = None
    name: Name | None = None
    client: Annotated[str, Meta(max_length=48)] = ""


class ListTables(Command):
    """Ask for the public tables; `table_list` comes before the answer."""


class CreateTable(Command):
    """Make a table; `table_made` comes before the answer.

    `players` is the number of seats, None for the game's usual one; `options` lists what differs from the defaults; a
    private table is not listed and needs its invitation code.
    """

    game: Annotated[str, Meta(max_length=32)]
    players: Annotated[int, Meta(ge=2, le=6)] | None = None
    options: Options = field(default_factory=dict)
    private: bool = False


class JoinTable(Command):
    """Come to a table, as a spectator until a seat is taken, or back to it after a lost connection.

    `number` and `entry` name the last entry that the client has: what it missed follows, or else a whole `table_view`,
    before the answer. What was said after `heard`, the time of the last `said` that it has, follows too. A connection
    is at one table at a time. With a `seat_code` one comes to the seat of the player who asked for it; that player is
    at the table no longer, and his connection is closed as replaced.
    """

    table: TableId
    invitation: Annotated[str, Meta(max_length=32)] | None = None
    number: Count = 0
    entry: EntryId = ""
    heard: float = 0.0
    seat_code: Annotated[str, Meta(max_length=32)] | None = None


class GetRecords(Command):
    """Ask for the records of a table's finished deals after number `after`; `deal_records` comes before the answer.

    Who sat there during one may ask for all, also when the table is long gone, and who is at the table now; for those
    of a public table anyone may. For everybody else there is no such table.
    """

    table: TableId
    after: Count = 0


class LeaveTable(Command):
    """Go away from the table; a seat that one had is free again."""


class SetName(Command):
    """Change the name that others see."""

    name: Name


class TakeSeat(Command):
    """Sit down in a free seat, also in place of a bot that nobody owns; an own earlier seat is left."""

    seat: SeatName


class LeaveSeat(Command):
    """Stand up and watch."""


class MakeSeatCode(Command):
    """Ask for a code that moves the own seat to another device; `seat_code` comes before the answer.

    It is good for one use within ten minutes, and no longer when another has been made. A command sent again gets its
    first answer, but no code.
    """


class SeatBot(Command):
    """Put a bot in a free seat, or in the seat of a player who has been away for more than 60 seconds."""

    seat: SeatName


class RemoveBot(Command):
    """Send away a bot that is in no player's seat."""

    seat: SeatName


class Ready(Command):
    """Agree that deal number `deal` begins; it does when all seats are taken and all players have agreed."""

    deal: Id


class MakeCall(Command):
    """Call. `deal` and `index` are those of the turn that is answered."""

    deal: Id
    index: Count
    call: CallText


class PlayCard(Command):
    """Play a card from the hand to play: one's own or, for declarer, dummy's. A joker may name a suit, `JK:H`."""

    deal: Id
    index: Count
    card: CardText


class DiscardCards(Command):
    """Lay cards away for the widow."""

    deal: Id
    index: Count
    cards: Annotated[list[CardText], Meta(max_length=8)]


class CallPartners(Command):
    """Name the seats that play with the bidder, perhaps none."""

    deal: Id
    index: Count
    seats: Annotated[list[SeatName], Meta(max_length=4)]


class NameJoker(Command):
    """Say which suit the joker belongs to, or None."""

    deal: Id
    index: Count
    suit: Annotated[str, Meta(min_length=1, max_length=1)] | None = None


class Rematch(Command):
    """Agree to another rubber or game after number `rubber`; it begins when all players have agreed."""

    rubber: Id


class EndTable(Command):
    """End the table for all.

    That is possible after a rubber, when a player has left one or has been away for more than 60 seconds, and when no
    other player is there.
    """


class Say(Command):
    """Say something to all at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]


# --- parts of what the server says ----------------------------------------------------------------------------------


class Part(Struct, omit_defaults=True):
    """A part of a message; it has no tag of its own."""


class Legal(Part):
    """What the seat to act may do: calls, cards, and the choices that Five Hundred alone has.

    `discard` is a number and the cards from which to choose so many; `partners` and `jokers` list whole choices, in
    `jokers` None to name no suit.
    """

    calls: list[str] = []
    cards: list[str] = []
    discard: tuple[int, list[str]] | None = None
    partners: list[list[str]] = []
    jokers: list[str | None] = []


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
    plays: list[PlayPart] = []


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
    exposed: list[str] = []
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


# --- what the server says -------------------------------------------------------------------------------------------


class ServerMessage(Struct, tag_field="type", tag=_tag, omit_defaults=True):
    """A client ignores messages, events and fields that it does not know."""


class Welcome(ServerMessage):
    """The connection is a player's: `player` is his public id. A new player's `token` is his to keep secret."""

    player: str
    name: str
    server: str
    now: float
    token: str | None = None


class Accepted(ServerMessage):
    """A command is done; `number` is that of its entry in the table's log, 0 where it needed none."""

    id: int
    number: int = 0


class Rejected(ServerMessage):
    """A command was refused and nothing has changed; `code` is stable, `number` the table's last entry."""

    id: int
    code: str
    message: str
    number: int = 0


class TableList(ServerMessage):
    """The public tables, those with free seats first."""

    tables: list[TableCard]


class TableMade(ServerMessage):
    """A new table and, for a private one, its invitation code."""

    table: str
    invitation: str | None = None


class SeatCode(ServerMessage):
    """A new seat code, for `join_table` from another device until the store's time `until`, in seconds.

    Its letters may be typed in either case and without the dashes. People are told the table too: `TABLE:CODE`.
    """

    table: str
    code: str
    until: float


class TableView(ServerMessage):
    """All that this connection may know of its table, as of entry `number` whose id is `entry`.

    `seat` is the own seat, None for a spectator; `last_command` the highest id accepted from this player. `stage` is
    `gathering` (before the first deal), `playing`, `scored` (between deals), `over` (the rubber is over) or `ended`.
    `next_deal` is the number for `ready`, `rubber` that for `rematch`. `ledger` holds every player's points of
    the rubbers so far. `sides` names the seats of each side.
    """

    table: str
    number: int
    entry: str
    game: str
    title: str
    options: dict[str, str | int | bool]
    seats: list[SeatPart]
    sides: dict[str, list[str]]
    spectators: list[SpectatorPart]
    player: str
    seat: str | None
    stage: str
    rubber: int
    next_deal: int
    standing: dict[str, dict[str, int]]
    ledger: dict[str, int]
    deal: DealPart | None = None
    turn: Turn | None = None
    last_command: int = 0


class DealRecords(ServerMessage):
    """Finished deals of a table, in order, each the line of JSON that `biritch replay` reads.

    Besides what a record has, there are an `id`, the `seed` in hexadecimal, `when` the deal was scored (the store's
    time in seconds), and in `table` its `id`, the numbers of `deal` and `rubber`, whether it is `private`, who `sat`
    there during the deal, the seats that `bots` played at its end, and the `ledger`. While there are `more`, the next
    ones are those after deal number `last`.
    """

    table: str
    records: list[str]
    last: int
    more: bool = False


class Rewound(ServerMessage):
    """The store went back: what came after entry `number` is void. A `table_view` follows."""

    number: int


class Said(ServerMessage):
    """Somebody has said something. It is no entry of the log and has no number."""

    player: str
    name: str
    text: str
    time: float
    seat: str | None = None


class Moving(ServerMessage):
    """This server is about to stop; the client does well to connect again at once."""

    reason: str


# --- events: what has happened, inside `entry` ----------------------------------------------------------------------


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
    """A player's connection is gone, for a `reason`: `lost`; `replaced`, by another one of the same player; or
    `server_gone`, its server stops or has failed. `time` is the store's, in seconds.
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
    """The deal is over. `seed` is what the deck was shuffled from; `hands` are all hands as dealt."""

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


class Entry(ServerMessage):
    """One entry of the table's log: its number, id, time, and the events that this seat may see, perhaps none.

    Numbers follow each other: a gap always means loss, and a client that sees one joins the table again. `turn` is set
    when somebody has to act after it; one that has passed before it is told comes without `legal`.
    """

    number: int
    entry: str
    time: float
    events: list[AnyEvent] = []
    turn: Turn | None = None


AnyServerMessage = (
    Welcome
    | Accepted
    | Rejected
    | TableList
    | TableMade
    | SeatCode
    | DealRecords
    | TableView
    | Entry
    | Rewound
    | Said
    | Moving
)
