"""Writers of tables that go on through all trouble of a store, and know what has to be in the log afterwards."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence

from server.redis_store import RedisStore
from server.store import START, Appended, Diverged, Head, LookAgain, NewEntry, Store, StoreInDoubt, StoreUnavailable
from tests.server.test_store import DAY_S, Ear
from tests.stores import WITHIN_S


class Writer:
    """Writes a log, entry by entry. `written` is what was acknowledged, less what the store then said is gone."""

    def __init__(self, store: Store, table: str) -> None:
        self.store = store
        self.table = table
        self.written: list[str] = []
        self.set_back = 0  # so often the log turned out not to be the one that was written
        self._count = 0
        self._head = START

    async def write(self) -> None:
        """Append one entry, however often it takes."""
        self._count += 1
        id = f"{self.table}-{self._count}"
        while True:
            try:
                result = await self.store.append(self.table, self._head, [NewEntry(id, b"")], DAY_S)
                if isinstance(result, Appended):
                    self.written.append(id)
                    self._head = result.entries[-1].head
                    return
                assert isinstance(result, Diverged), "nobody else writes here"
                await self._go_back()
            except (StoreInDoubt, StoreUnavailable):
                await asyncio.sleep(0)

    async def _go_back(self) -> None:
        log = await self.store.read(self.table)
        ids = [entry.id for entry in log]
        # Nothing is there but what we wrote, in the order in which we did; the tail alone may be missing.
        assert ids == self.written[: len(ids)]
        self.written, self._head = ids, log[-1].head if log else START
        self.set_back += 1

    async def check(self) -> None:
        """The log is what was acknowledged, nothing lost and nothing doubled."""
        log = await self.store.read(self.table)
        assert [entry.id for entry in log] == self.written
        assert [entry.number for entry in log] == list(range(1, len(log) + 1))


@contextlib.asynccontextmanager
async def writing(store: Store, tables: Sequence[str]) -> AsyncIterator[list[Writer]]:
    """Write to tables for as long as this lasts, and once more each at the end; then check the logs."""
    writers, done = [Writer(store, table) for table in tables], asyncio.Event()

    async def go_on(writer: Writer) -> None:
        while not done.is_set():
            await writer.write()

    async with asyncio.TaskGroup() as tasks:
        for writer in writers:
            tasks.create_task(go_on(writer))
        try:
            yield writers
        finally:
            done.set()
    for writer in writers:
        await writer.write()
        await writer.check()


async def all_wrote(writers: Sequence[Writer], more: int = 5) -> None:
    """Return when each has written so many more entries."""
    goals = [writer._count + more + 1 for writer in writers]
    await come_true(lambda: all(writer._count >= goal for writer, goal in zip(writers, goals, strict=True)))


async def come_true(condition: Callable[[], bool]) -> None:
    """Return when a condition holds; ask a store program nothing in it, as that stops the loop."""
    async with asyncio.timeout(WITHIN_S):
        while not condition():  # noqa: ASYNC110 there is no event for it
            await asyncio.sleep(0)


async def told_to_look_again(ear: Ear) -> None:
    while await ear.next() != LookAgain():
        pass


async def heard(ear: Ear, store: RedisStore, table: str, after: Head) -> Head:
    """Append until the ear has heard of the last entry; what it is told to look for may be anything before that."""
    while True:
        result = await store.append(table, after, [NewEntry(f"heard-{after.number}", b"")], DAY_S)
        assert isinstance(result, Appended)
        after = result.entries[-1].head
        while (wake := await ear.next()) != LookAgain():
            if getattr(wake, "entries", None) == result.entries:
                return after
