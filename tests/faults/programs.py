"""The processes under test: a store and several servers; started, killed, frozen, and gone at the end."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar
from urllib.request import urlopen

from server.redis_store import RedisStore
from tests.faults.server import BACKWARD, FORWARD
from tests.store_groups import SentinelGroup, until
from tests.stores import PATIENT, WITHIN_S, StoreProgram, running

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent.parent
KIND = "valkey"
SAFE = ("--appendfsync", "always", "--auto-aof-rewrite-percentage", "0")
"""All that the store answers is on the disk before."""

WHOLE_LOG = "1000000"
"""So many entries are kept of a log: all, as they are what everything is compared with."""


async def aside(work: Callable[[], T]) -> T:
    """Do something that blocks while the players go on; to its end, even if nobody waits for it any more."""
    doing = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait([doing])
        raise


class ServerProgram:
    """`biritch-server` by the wrapper of the fault test, on a port that it keeps. It ends when this process does.

    It is in a session of its own, so that a Ctrl-C meant for the test does not reach it.
    """

    def __init__(self, name: str, store: str, log: Path, environment: Mapping[str, str]) -> None:
        self.name, self.log = name, log
        self._store, self._environment = store, environment
        self._process: Process | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/"

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self, **further: str) -> None:
        """Start it and return when it serves. `further` goes into its environment."""
        options = (
            "--port",
            str(self.port),
            "--store",
            self._store,
            "--bot-delay",
            "0.05",
            "--until-eof",
            "--keep-entries",
            WHOLE_LOG,
        )
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.faults.server", *options),
                cwd=ROOT,
                env={**os.environ, **self._environment, **further},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(WITHIN_S):
            line = (await self._process.stdout.readline()).decode()
        # A crash point may lie before the first client.
        assert line.startswith("Biritch serves ws://"), f"{self.name} said {line!r}: {self.log.read_text()[-2000:]}"
        self.port = int(line.rstrip("/\n").rpartition(":")[2])

    def freeze(self) -> None:
        """Stop it in its tracks."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def shift_clock(self, forward: bool) -> None:
        """Set its clock on or back by hours."""
        self._signal(FORWARD if forward else BACKWARD)

    async def kill(self) -> None:
        """End it at once, as a crash would, and return when it is gone."""
        self.end()
        await self.ended()

    def end(self) -> None:
        self._signal(signal.SIGKILL)

    async def ended(self) -> int | None:
        """Wait for its end, and return its status."""
        return None if self._process is None else await self._process.wait()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def page(self, path: str) -> str:
        """Return a page of its HTTP side."""

        def fetch() -> str:
            with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                return str(answer.read().decode())

        return await asyncio.to_thread(fetch)


class Programs:
    """The store, the servers, and a folder for what they write and what is kept of it.

    With `sentinel` the store is a master with a replica under a Sentinel, else one server alone.
    """

    def __init__(self, folder: Path, servers: int, environment: Mapping[str, str], sentinel: bool) -> None:
        self.folder = folder
        self.group = SentinelGroup(KIND, config=SAFE) if sentinel else None
        self._single = None if sentinel else StoreProgram(KIND, config=SAFE)
        url = self.store.url if self.group is None else self.group.url
        self.servers = [
            ServerProgram(f"server {n}", url, folder / f"server{n}.log", environment) for n in range(servers)
        ]

    @property
    def store(self) -> StoreProgram:
        """The one that has the truth: the master, where there is a group."""
        store = self._single if self.group is None else self.group.master
        assert store is not None, "there is a store"
        return store

    async def start(self) -> None:
        await asyncio.gather(*(server.start() for server in self.servers))

    async def lose_master(self, behind_s: float, *, frozen: bool) -> StoreProgram:
        """Lose the master, dead or frozen, when its replica has not followed for `behind_s`; return it."""
        assert self.group is not None, "only a group has a replica"
        await aside(lambda: until(self._in_step))
        self.group.fall_behind()
        await asyncio.sleep(behind_s)
        lost = self.group.master
        if frozen:
            lost.freeze()
        else:
            lost.kill()
        return lost

    async def replace(self, lost: StoreProgram, alone_s: float) -> None:
        """Let the replica take over from a master that was lost, and get that back as its replica after a while."""
        group = self.group
        assert group is not None, "only a group has a replica"
        await aside(group.fail_over)
        await asyncio.sleep(alone_s)
        lost.kill()
        await aside(lost.start)

    def _in_step(self) -> bool:
        """Whether the replica has what the master has, also if that has just been set back."""
        return self.group is not None and self.group.settled() and int(self.group.command("WAIT", 1, 100)) == 1

    async def stop(self) -> None:
        """End everything: whoever interrupts the waiting leaves nothing running."""
        for server in self.servers:
            server.end()
        for store in (self.group, self._single):
            if store is not None:
                store.stop()
        await asyncio.gather(*(server.ended() for server in self.servers))


@asynccontextmanager
async def programs(servers: int, environment: Mapping[str, str], *, sentinel: bool) -> AsyncIterator[Programs]:
    """Run the programs; whatever happens, nothing of them is left behind."""
    folder = Path(tempfile.mkdtemp(prefix="biritch-faults-"))
    try:
        them = Programs(folder, servers, environment, sentinel)
        try:
            await them.start()
            yield them
        finally:
            await them.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def reader(program: StoreProgram) -> AsyncIterator[RedisStore]:
    """Read what a store holds, however long it takes to answer."""
    store = await RedisStore.connect(program.url, PATIENT)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def reader_of_copy(copy: Path) -> AsyncIterator[RedisStore]:
    """Read a copy of what a store had written."""
    with running(KIND, written=copy) as program:
        async with reader(program) as store:
            yield store
