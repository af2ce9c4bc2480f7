"""A store in memory, for tests: it passes the same contract as the real one, and can be told to fail.

Several `MemoryStore`s on one `MemoryWorld` are like several processes on one store.
"""

import asyncio
import enum
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from server.store import (
    BEHIND_ENTRIES,
    CHAT_KEPT,
    Appended,
    AppendResult,
    Behind,
    ChatGrew,
    Diverged,
    Greeting,
    Head,
    Kept,
    LogGrew,
    LookAgain,
    NewEntry,
    Record,
    Said,
    StoredEntry,
    StoreInDoubt,
    StoreUnavailable,
    Trimmed,
    Wake,
)


class Fault(enum.Enum):
    """What becomes of the next append."""

    UNAVAILABLE = "nothing is sent"
    SAVED_IN_DOUBT = "saved, but the answer is lost"
    LOST_IN_DOUBT = "lost on the way, and no answer comes"


@dataclass
class MemoryWorld:
    """What the stores of one test share. The clock stands still until a test sets `seconds`."""

    seconds: float = 1_000_000.0
    started: float = 0.0
    logs: dict[str, list[StoredEntry]] = field(default_factory=dict)
    deals: dict[str, dict[int, bytes]] = field(default_factory=dict)
    readers: dict[str, set[str]] = field(default_factory=dict)
    chats: dict[str, list[Said]] = field(default_factory=dict)
    cards: dict[str, tuple[float, bytes]] = field(default_factory=dict)
    presence: dict[str, float] = field(default_factory=dict)
    watchers: dict[str, list[Callable[[Wake], None]]] = field(default_factory=dict)
    greeters: list[Callable[[Greeting], None]] = field(default_factory=list)

    def cut(self, table: str, number: int) -> None:
        """Let the log go back to an entry; 0 takes it away."""
        self.logs[table] = [entry for entry in self.logs.get(table, []) if entry.number <= number]
        if not self.logs[table]:
            del self.logs[table]

    def trim(self, table: str, number: int) -> None:
        """Take away the entries before one."""
        self.logs[table] = [entry for entry in self.logs[table] if entry.number >= number]

    def tell(self, table: str, wake: Wake) -> None:
        """Wake the watchers of a table, in a later turn of the loop as the real store does."""
        for watcher in self.watchers.get(table, []):
            asyncio.get_running_loop().call_soon(self._wake, table, watcher, wake)

    def tell_all_to_look_again(self) -> None:
        for table in self.watchers:
            self.tell(table, LookAgain())

    def _wake(self, table: str, watcher: Callable[[Wake], None], wake: Wake) -> None:
        if watcher in self.watchers.get(table, []):
            watcher(wake)


class MemoryStore:
    """A `Store`; it keeps logs, records and chat for ever, whatever their `ttl_s`.

    `faults` are used up by the appends to come, one each; `away` makes everything unavailable.
    """

    def __init__(self, world: MemoryWorld | None = None) -> None:
        self.world = world or MemoryWorld()
        self.faults: deque[Fault] = deque()
        self.away = False
        self._watching: dict[str, Callable[[Wake], None]] = {}

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
        self._reach()
        if not entries:
            raise ValueError("there is nothing to append")
        fault = self.faults.popleft() if self.faults else None
        if fault is Fault.UNAVAILABLE:
            raise StoreUnavailable("The store is away (a test says so).")
        if fault is Fault.LOST_IN_DOUBT:
            raise StoreInDoubt("The store did not answer (a test says so).")
        before = len(self.world.logs.get(table, ()))
        result = self._append(table, after, entries)
        if len(self.world.logs.get(table, ())) > before:
            self._put_away(table, first, record)
        if fault is Fault.SAVED_IN_DOUBT:
            raise StoreInDoubt("The store did not answer (a test says so).")
        return result

    def _put_away(self, table: str, first: int, record: Record | None) -> None:
        self.world.trim(table, first)
        if record is not None:
            self.world.deals.setdefault(table, {})[record.deal] = record.data
            self.world.readers.setdefault(table, set()).update(record.readers)

    def _append(self, table: str, after: Head, entries: Sequence[NewEntry]) -> AppendResult:
        log = self.world.logs.get(table, [])
        tail = [entry for entry in log if entry.number > after.number]
        if log and log[0].number > max(after.number, 1):
            return Trimmed()
        at = next((entry for entry in log if entry.number == after.number), None)
        if after.number and (at is None or at.id != after.id):
            return Diverged(log[-1].head if log else None)
        there = 0
        while there < min(len(tail), len(entries)) and tail[there].id == entries[there].id:
            there += 1
        if there < len(entries) and there < len(tail):
            return Behind(tuple(tail[:BEHIND_ENTRIES]))
        if there < len(entries):
            self._add(table, tail[there - 1].head if there else after, entries[there:])
        first = after.number + 1
        whole = self.world.logs[table]
        return Appended(tuple(entry for entry in whole if first <= entry.number < first + len(entries)))

    def _add(self, table: str, before: Head, entries: Sequence[NewEntry]) -> None:
        log = self.world.logs.setdefault(table, [])
        time = max(log[-1].time if log else 0.0, int(self.world.seconds * 1000) / 1000)
        new = tuple(
            StoredEntry(number, entry.id, time, entry.data) for number, entry in enumerate(entries, before.number + 1)
        )
        log.extend(new)
        self.world.tell(table, LogGrew(before, new))

    async def read(self, table: str, after: int = 0) -> list[StoredEntry]:
        self._reach()
        return [entry for entry in self.world.logs.get(table, []) if entry.number > after]

    async def last(self, table: str, count: int) -> list[StoredEntry]:
        self._reach()
        return self.world.logs.get(table, [])[-count:]

    async def kept(self, table: str) -> Kept:
        self._reach()
        deals = tuple(sorted(self.world.deals.get(table, ())))
        return Kept(deals, frozenset(self.world.readers.get(table, ())))

    async def records(self, table: str, deals: Sequence[int]) -> dict[int, bytes]:
        self._reach()
        kept = self.world.deals.get(table, {})
        return {deal: kept[deal] for deal in deals if deal in kept}

    async def heads(self, tables: Sequence[str]) -> list[Head | None]:
        self._reach()
        logs = [self.world.logs.get(table) for table in tables]
        return [log[-1].head if log else None for log in logs]

    async def watch(self, table: str, wake: Callable[[Wake], None]) -> None:
        self._reach()
        if table in self._watching:
            raise ValueError(f"{table} is watched already")
        self._watching[table] = wake
        self.world.watchers.setdefault(table, []).append(wake)

    async def unwatch(self, table: str) -> None:
        wake = self._watching.pop(table, None)
        if wake is not None:
            self.world.watchers[table].remove(wake)

    async def say(self, table: str, id: str, data: bytes, ttl_s: int) -> None:
        self._reach()
        lines = self.world.chats.setdefault(table, [])
        if any(line.id == id for line in lines):
            return
        time_ms = max(round(lines[-1].time * 1000) + 1 if lines else 0, int(self.world.seconds * 1000))
        time = time_ms / 1000
        lines.append(Said(id, time, data))
        del lines[:-CHAT_KEPT]
        self.world.tell(table, ChatGrew(lines[-1]))

    async def said(self, table: str, count: int = CHAT_KEPT) -> list[Said]:
        self._reach()
        return self.world.chats.get(table, [])[-count:]

    async def advertise(self, table: str, card: bytes, ttl_s: float = 300.0) -> None:
        self._reach()
        self.world.cards[table] = (self.world.seconds + ttl_s, card)

    async def withdraw(self, table: str) -> None:
        self._reach()
        self.world.cards.pop(table, None)

    async def advertised(self) -> dict[str, bytes]:
        self._reach()
        fresh = sorted((table, card) for table, (until, card) in self.world.cards.items() if until > self.world.seconds)
        return dict(fresh)

    async def announce(self, process: str, ttl_s: float) -> None:
        self._reach()
        self.world.presence[process] = self.world.seconds + ttl_s

    async def alive(self, processes: Collection[str]) -> set[str]:
        self._reach()
        return {name for name in processes if self.world.presence.get(name, 0.0) > self.world.seconds}

    async def greet(self, greeting: Greeting) -> None:
        self._reach()
        for heard in self.world.greeters:
            asyncio.get_running_loop().call_soon(heard, greeting)

    async def hear_greetings(self, heard: Callable[[Greeting], None]) -> None:
        self._reach()
        self.world.greeters.append(heard)

    async def up_s(self) -> float:
        self._reach()
        return self.world.seconds - self.world.started

    async def now(self) -> float:
        self._reach()
        return self.world.seconds

    async def close(self) -> None:
        for table in list(self._watching):
            await self.unwatch(table)
        self.away = True

    def _reach(self) -> None:
        if self.away:
            raise StoreUnavailable("The store is away (a test says so).")
