"""What the players note of a run: every command and its answers, and every frame that told them of a table."""

from collections import Counter
from dataclasses import dataclass, field

from protocol import messages as m


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
    seen: tuple[int, str]
    era: int
    times: int = 0
    answers: list[Answered] = field(default_factory=list)

    @property
    def accepted(self) -> list[tuple[int, int]]:
        """Number and era of each answer that accepts it."""
        return [(one.message.number, one.era) for one in self.answers if isinstance(one.message, m.Accepted)]


@dataclass(frozen=True, slots=True)
class Told:
    """A frame that told of entry `number` with the id `entry`: a view as of it, or the entry itself."""

    number: int
    entry: str
    frame: bytes


@dataclass(slots=True)
class Stretch:
    """What one player was told from a view on, without a break in the numbers; `era` is that of its last frame."""

    player: str
    told: list[Told]
    era: int


@dataclass(slots=True)
class World:
    """What all players share. An era ends when the store is put back to what it was earlier."""

    era: int = 0
    forgotten: set[int] = field(default_factory=set)
    """Eras at whose beginning no server was left that knew how far the logs had been."""
    playing_on: bool = True
    mischief: bool = False
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


class Notes:
    """What one player notes."""

    def __init__(self) -> None:
        self.sent: dict[int, Sent] = {}
        self.stretches: list[Stretch] = []
        self.rejections: list[str] = []
        self.models: list[m.TableView] = []
        """The table as the player had it by folding entries, when he came afresh."""
        self.rewound = 0

    def tell(self, player: str, message: m.TableView | m.Entry, frame: bytes, era: int) -> None:
        """Note a frame: a view opens a stretch, an entry belongs to the one that is open."""
        if isinstance(message, m.TableView):
            self.stretches.append(Stretch(player, [], era))
        # Of the message itself nothing is kept: the player's model may change what it is given.
        self.stretches[-1].told.append(Told(message.number, message.entry, frame))
        self.stretches[-1].era = era
