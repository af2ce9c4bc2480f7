"""The processes under test: one store program and several servers; started, killed, frozen, and gone at the end."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.request import urlopen

from server.redis_link import Timing
from server.redis_store import RedisStore
from server.store_program import Health, find_program, health, socket_url

ROOT = Path(__file__).resolve().parent.parent.parent
WITHIN_S = 30.0
"""So long may a program take to start on a busy machine."""

PATIENT = Timing(connect_s=WITHIN_S, answer_s=WITHIN_S)


class Program:
    """A process in a session of its own, so that a Ctrl-C meant for the test does not reach it."""

    def __init__(self) -> None:
        self._process: Process | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    def freeze(self) -> None:
        """Stop it in its tracks."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

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


class StoreProgram(Program):
    """Valkey on a unix socket; all that it answers is on the disk before."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.socket = folder / "s"
        self.url = socket_url(self.socket)

    async def start(self) -> None:
        """Start it on what is in its folder, and return when it answers."""
        self.folder.mkdir(exist_ok=True)
        options = ["--port", "0", "--unixsocket", str(self.socket), "--dir", str(self.folder), "--save", ""]
        options += ["--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0"]
        options += ["--logfile", str(self.folder / "log")]
        self.socket.unlink(missing_ok=True)
        self._process = await asyncio.create_subprocess_exec(str(find_program()), *options, start_new_session=True)
        async with asyncio.timeout(WITHIN_S):
            while await health(self.socket) is not Health.READY:
                assert self.running, (self.folder / "log").read_text()[-2000:]
                await asyncio.sleep(0.01)

    def copy(self, to: Path) -> None:
        """Keep what it has written so far; it may be running."""
        shutil.copytree(self.folder / "appendonlydir", to / "appendonlydir")

    def put_back(self, kept: Path) -> None:
        """Replace all that it has written by an earlier copy; it must not be running."""
        shutil.rmtree(self.folder / "appendonlydir")
        shutil.copytree(kept / "appendonlydir", self.folder / "appendonlydir")

    @asynccontextmanager
    async def reader(self) -> AsyncIterator[RedisStore]:
        store = await RedisStore.connect(self.url, PATIENT)
        try:
            yield store
        finally:
            await store.close()


class ServerProgram(Program):
    """`biritch-server` by the wrapper of the fault test, on a port that it keeps. It ends when this process does."""

    def __init__(self, name: str, store: str, log: Path, environment: Mapping[str, str]) -> None:
        super().__init__()
        self.name, self.log = name, log
        self._store, self._environment = store, environment
        self.port = 0

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/"

    async def start(self, **further: str) -> None:
        """Start it and return when it serves. `further` goes into its environment."""
        options = ("--port", str(self.port), "--store", self._store, "--bot-delay", "0.05", "--until-eof")
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

    async def page(self, path: str) -> str:
        """Return a page of its HTTP side."""

        def fetch() -> str:
            with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                return str(answer.read().decode())

        return await asyncio.to_thread(fetch)


class Programs:
    """The store, the servers, and the folder in which everything of theirs lies."""

    def __init__(self, folder: Path, servers: int, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.store = StoreProgram(folder / "d")
        self.servers = [
            ServerProgram(f"server {n}", self.store.url, folder / f"server{n}.log", environment) for n in range(servers)
        ]
        self._others: list[StoreProgram] = []

    async def start(self) -> None:
        await self.store.start()
        await asyncio.gather(*(server.start() for server in self.servers))

    @asynccontextmanager
    async def opened(self, copy: Path) -> AsyncIterator[RedisStore]:
        """Read a copy of what the store had written."""
        other = StoreProgram(copy)
        self._others.append(other)
        await other.start()
        async with other.reader() as store:
            yield store
        await other.kill()

    async def stop(self) -> None:
        """End everything: whoever interrupts the waiting leaves nothing running."""
        everything = (*self.servers, self.store, *self._others)
        for program in everything:
            program.end()
        await asyncio.gather(*(program.ended() for program in everything))


@asynccontextmanager
async def programs(servers: int, environment: Mapping[str, str]) -> AsyncIterator[Programs]:
    """Run the programs; whatever happens, nothing of them is left behind."""
    # A short path: the name of a unix socket has room for about a hundred bytes.
    folder = Path(tempfile.mkdtemp(prefix="bf-", dir="/tmp"))
    them = Programs(folder, servers, environment)
    try:
        await them.start()
        yield them
    finally:
        try:
            await them.stop()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
