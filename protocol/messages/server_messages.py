"""What the server says to a connection: answers, views, the entries of its table, chat."""

from msgspec import field

from protocol.messages.base import ServerMessage
from protocol.messages.events import AnyEvent
from protocol.messages.parts import DealPart, SeatPart, SpectatorPart, TableCard, Turn


class Welcome(ServerMessage):
    """The connection is a player's: `player` is his public id. A new player's `token` is his to keep secret.

    `now` is the store's time, in seconds since 1970, as all times here are.
    """

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
    """Somebody has said something, at a `time` of the store, in seconds. It is no entry and has no number."""

    player: str
    name: str
    text: str
    time: float
    seat: str | None = None


class Moving(ServerMessage):
    """This server is about to stop; the client does well to connect again at once."""

    reason: str


class Entry(ServerMessage):
    """One entry of the table's log: number, id, the store's `time` in seconds, and the events that this seat may see.

    Numbers follow each other: a gap always means loss, and a client that sees one joins the table again. `turn` is set
    when somebody has to act after it; one that has passed before it is told comes without `legal`.
    """

    number: int
    entry: str
    time: float
    events: list[AnyEvent] = field(default_factory=list)
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
