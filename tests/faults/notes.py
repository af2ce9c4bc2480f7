"""What the players note of a run: every command and its answers, and every frame that told them of a table."""

from collections import Counter
from dataclasses import dataclass, field

from protocol import messages as m
from protocol.codec import decode_message
from server.store import Head


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that ought not to be: of which kind, at which table, at which entry (0: at none)."""

    kind: str
    table: str
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: table {self.table or '-'}, entry {self.number or '-'}: {self.what}"


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and the era in which it came."""

    message: m.Accepted | m.Rejected
    era: int


@dataclass(slots=True)
class Sent:
    """A command: when it was first sent the player knew the entry `seen`; `times` counts how often it went out."""

    player: str
    command: m.Command
    seen: Head | None
    era: int
    times: int = 0
    answers: list[Answered] = field(default_factory=list)

    @property
    def accepted(self) -> list[tuple[int, int]]:
        """Number and era of each answer that accepts it."""
        return [(one.message.number, one.era) for one in self.answers if isinstance(one.message, m.Accepted)]

    @property
    def refused(self) -> list[int]:
        """The era of each answer, if it was refused as often as it was sent; else none."""
        eras = [one.era for one in self.answers if isinstance(one.message, m.Rejected)]
        return eras if len(eras) >= self.times else []


@dataclass(frozen=True, slots=True)
class Told:
    """A frame that told of an entry: a view as of it, or the entry itself."""

    head: Head
    frame: bytes


@dataclass(slots=True)
class Stretch:
    """What one player was told without a break in the numbers, from a view on; `era` is that of its last frame.

    It goes on over lost connections, as long as what comes is what follows. It ends where a view is all that he gets
    who comes back, and where he is told that the log went back: then `rewound_from` is what he had known before.
    `went_on` says that more than its beginning came by the same `connection`.
    """

    player: str
    told: list[Told]
    era: int
    connection: int = 0
    rewound_from: Head | None = None
    went_on: bool = False


@dataclass(slots=True)
class World:
    """What all players share. An era ends when the store is put back to what it was earlier.

    `haste` divides the time limits, and an action takes `think_s` on average. The players agree to another deal while
    they are `playing_on`, and do nothing any more when all is `over`.
    """

    haste: float = 1.0
    think_s: float = 0.0
    era: int = 0
    playing_on: bool = True
    mischief: bool = False
    over: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    killed: list["Killed"] = field(default_factory=list)
    resumed: list["Resumed"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Killed:
    """By which fault a server was gone, and when, in the seconds of this process's clock."""

    fault: str
    url: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Resumed:
    """A player had lost his connection to a server, and knew his table again."""

    url: str
    lost_s: float
    again_s: float


_AT_NO_TABLE = m.Hello | m.JoinTable | m.ListTables
"""These come and go with the connection."""


class Notes:
    """What one player notes of all that goes over his connections."""

    def __init__(self, player: str, world: World) -> None:
        self.player, self._world = player, world
        self.table = ""
        self.sent: list[Sent] = []
        self.stretches: list[Stretch] = []
        self.rejections: list[str] = []
        self.rewound = 0
        self.before_end: tuple[Stretch, m.TableView] | None = None
        """What the player had been told last, and had made of it, before he was made to come afresh."""
        self._by_id: dict[int, Sent] = {}
        self._open: Stretch | None = None
        self._rewound_from: Head | None = None
        self._new_connection = self._deaf = False
        self._connections = 0

    @property
    def known(self) -> Head | None:
        """The entry that the player has been told of last; None if he knows nothing that is still true."""
        return None if self._open is None else self._open.told[-1].head

    def connects(self) -> None:
        """A connection begins: the table may be shown anew by it."""
        self._new_connection, self._deaf, self._rewound_from = True, False, None
        self._connections += 1

    def comes_afresh(self, view: m.TableView | None) -> None:
        """The player forgets his view, and listens again when he has a new connection."""
        if view is not None and self._open is not None:
            self.before_end = self._open, view
        self._open, self._deaf = None, True

    def sends(self, command: m.Command) -> None:
        """A command goes out, for the first time or again."""
        if isinstance(command, _AT_NO_TABLE):
            # A client that comes afresh counts from 1 again: the answer that comes now is not to what it sent before.
            self._by_id.pop(command.id, None)
            return
        sent = self._by_id.get(command.id)
        if sent is None or sent.command != command:
            sent = self._by_id[command.id] = Sent(self.player, command, self.known, self._world.era)
            self.sent.append(sent)
        self._world.counts["duplicates_sent"] += sent.times > 0
        sent.times += 1

    def hears(self, frame: bytes) -> None:
        """A frame has come."""
        if self._deaf:
            return
        match decode_message(frame):
            case m.TableView() as view:
                self._viewed(view, frame)
            case m.Entry() as entry:
                self._entered(entry, frame)
            case m.Rewound():
                self.rewound += 1
                self._rewound_from, self._open = self.known, None
            case m.Accepted() | m.Rejected() as answer:
                self._answered(answer)

    def finds(self, kind: str, what: str, number: int = 0) -> None:
        """Something is not as it ought to be."""
        self._world.findings.append(Finding(kind, self.table, number, what))

    def _viewed(self, view: m.TableView, frame: bytes) -> None:
        head, self.table = Head(view.number, view.entry), view.table
        if self._open is None or self._new_connection:
            self._open = Stretch(self.player, [], self._world.era, self._connections, self._rewound_from)
            self.stretches.append(self._open)
            self._rewound_from = None
        elif head != self.known:
            self.finds("order", f"{self.player} knows {self.known} and was shown {head}, nobody says why", view.number)
        self._told(self._open, head, frame)

    def _entered(self, entry: m.Entry, frame: bytes) -> None:
        if self._open is None or self.known is None or entry.number != self.known.number + 1:
            self.finds("order", f"{self.player} knows {self.known} and was told of {entry.number}", entry.number)
            self._open = None
            return
        self._told(self._open, Head(entry.number, entry.entry), frame)

    def _told(self, stretch: Stretch, head: Head, frame: bytes) -> None:
        # Of the message itself nothing is kept: the client may change what it is given.
        stretch.told.append(Told(head, frame))
        stretch.era = self._world.era
        stretch.went_on = stretch.went_on or (len(stretch.told) > 1 and stretch.connection == self._connections)
        self._new_connection = False

    def _answered(self, answer: m.Accepted | m.Rejected) -> None:
        if isinstance(answer, m.Rejected):
            self.rejections.append(answer.code)
        if answer.id in self._by_id:
            self._by_id[answer.id].answers.append(Answered(answer, self._world.era))
