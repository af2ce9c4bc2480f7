"""What the server asks of its store: each table's log, the records of its deals, its chat, and a few hints beside them.

The log is the truth. It grows by compare-and-append alone: the writer names the entry it has folded last and hands over
its new entries, each with an id of its own, so that asking again with the same ids is always harmless. Numbers begin
at 1 and have no gaps; the beginning of a log may be gone. Times are the store's clock in seconds, kept as whole
milliseconds, and never go back in a log.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from msgspec import Struct

CHAT_KEPT = 200
"""So many lines of chat are kept for a table."""

BEHIND_ENTRIES = 256
"""At most so many of the missed entries come with `Behind`; `read` gives the rest."""


class StoreError(Exception):
    """The store could not do what was asked; the message is a sentence for people."""


class StoreUnavailable(StoreError):
    """Nothing was changed: no byte of it reached the store, or the store refused it as a whole."""


class StoreInDoubt(StoreError):
    """It was sent and no answer came: it may have been done. Ask again with the same ids to know."""


class Head(Struct, frozen=True):
    """An entry of a log, named by number and id; `START` stands before the first."""

    number: int
    id: str


START = Head(0, "")


class NewEntry(Struct, frozen=True):
    """An entry to be appended. The writer makes the id: url-safe, 12 to 22 characters, never used before."""

    id: str
    data: bytes


class StoredEntry(Struct, frozen=True):
    """An entry of a log. `time` is in seconds, by the store's clock, and never before that of the entry before it."""

    number: int
    id: str
    time: float
    data: bytes

    @property
    def head(self) -> Head:
        return Head(self.number, self.id)


class Record(Struct, frozen=True):
    """The record of a finished deal, to be kept for `ttl_s` from now (0: for ever), with all others of its table.

    `readers` are who may read the records of this table because of it; they are added to those there are.
    """

    deal: int
    data: bytes
    readers: tuple[str, ...]
    ttl_s: int


class Kept(Struct, frozen=True):
    """Which records of a table there are, in order, and who may read them."""

    deals: tuple[int, ...] = ()
    readers: frozenset[str] = frozenset()


class Said(Struct, frozen=True):
    """A line of chat, as it was stored; `time` in seconds by the store's clock."""

    id: str
    time: float
    data: bytes


class Appended(Struct, frozen=True):
    """The log has these entries right behind the one named: since now, or since an earlier try with the same ids."""

    entries: tuple[StoredEntry, ...]


class Behind(Struct, frozen=True):
    """Nothing was appended: these entries, at most `BEHIND_ENTRIES` of those there are, follow the one named."""

    entries: tuple[StoredEntry, ...]


class Diverged(Struct, frozen=True):
    """Nothing was appended: the log lacks the entry named, or has another in its place. `head` is None for no log."""

    head: Head | None


class Trimmed(Struct, frozen=True):
    """Nothing was appended: the log begins only behind the entry named, and cannot tell whether that was its own."""


AppendResult = Appended | Behind | Diverged | Trimmed


class LogGrew(Struct, frozen=True):
    """These entries were appended right behind `after`, by this process or another. A wake-up: the log is the truth."""

    after: Head
    entries: tuple[StoredEntry, ...]


class ChatGrew(Struct, frozen=True):
    said: Said


class LookAgain(Struct, frozen=True):
    """Something may have been missed, the subscription was lost and is back: read the log (and the chat)."""


Wake = LogGrew | ChatGrew | LookAgain


class Greeting(Struct, frozen=True, order=True):
    """A player has said hello by a connection that was `opened` at this time of the store. The later is the greater."""

    opened: float
    connection: str
    player: str


class Store(Protocol):
    """A store of tables. Every method may raise `StoreUnavailable`; those that change something, `StoreInDoubt` too."""

    async def append(
        self,
        table: str,
        after: Head,
        entries: Sequence[NewEntry],
        ttl_s: int,
        *,
        first: int = 0,
        record: Record | None = None,
    ) -> AppendResult:
        """Append the entries behind `after`, all or none, and keep the log for `ttl_s` from now (0: for ever).

        Where the first of them already stand there, at the end of the log, the rest is appended behind them. In the
        same step `record` is kept, in place of one of the same deal, and the entries before number `first`, which is at
        most that of `after`, are taken away.
        """

    async def read(self, table: str, after: int = 0) -> list[StoredEntry]:
        """Return the entries with a higher number than `after`, without a gap; none for a missing log.

        The first has a higher number than the next after `after` where that has been taken away.
        """

    async def last(self, table: str, count: int) -> list[StoredEntry]:
        """Return the last `count` entries, oldest first; none for a missing log."""

    async def kept(self, table: str) -> Kept:
        """Return which records of a table are kept."""

    async def records(self, table: str, deals: Sequence[int]) -> dict[int, bytes]:
        """Return the records of these deals, in this order, without those that are not kept."""

    async def heads(self, tables: Sequence[str]) -> list[Head | None]:
        """Return the last entry of each log, None for a missing one, in one round trip."""

    async def watch(self, table: str, wake: Callable[[Wake], None]) -> None:
        """Call `wake` for what happens at a table from now on; return when the subscription is confirmed.

        One watcher per table. It is called in order, from the event loop, and must not block.
        """

    async def unwatch(self, table: str) -> None:
        """Call the table's watcher no more. A table that is not watched is let be."""

    async def say(self, table: str, id: str, data: bytes, ttl_s: int) -> None:
        """Add a line to the chat. The same id twice is stored and published once, as long as the line is kept."""

    async def said(self, table: str, count: int = CHAT_KEPT) -> list[Said]:
        """Return the last `count` lines, oldest first."""

    async def advertise(self, table: str, card: bytes, ttl_s: float = 300.0) -> None:
        """List a table as public. A hint: it goes stale after `ttl_s`, so say it again well before."""

    async def withdraw(self, table: str) -> None:
        """List the table no longer."""

    async def advertised(self) -> dict[str, bytes]:
        """Return the cards of the tables that are listed, in the order of their names."""

    async def announce(self, process: str, ttl_s: float) -> None:
        """Say that a process is there; forgotten after `ttl_s`."""

    async def alive(self, processes: Collection[str]) -> set[str]:
        """Return those of the processes whose announcement still stands."""

    async def greet(self, greeting: Greeting) -> None:
        """Tell all processes of a greeting, this one as well. A hint: it may be lost, or come twice."""

    async def hear_greetings(self, heard: Callable[[Greeting], None]) -> None:
        """Call `heard`, once and for all, with each greeting from now on; return when the subscription is confirmed."""

    async def up_s(self) -> float:
        """Return the seconds since the store program itself was started."""

    async def now(self) -> float:
        """Return the store's clock, in seconds."""

    async def close(self) -> None:
        """Let go of everything. What waits for an answer fails; never waits for the store itself."""
