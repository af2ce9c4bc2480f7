"""Server and client processes for tests that go from end to end, and the log that they leave behind."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import Callable
from pathlib import Path
from typing import Any

from server import entries
from server.embedded import EmbeddedStore
from server.redis_store import RedisStore
from server.store import StoredEntry
from server.store_program import process_id, socket_for
from server.table import Table
from tests.stores import WITHIN_S

Note = dict[str, Any]
ENDING_S = 120.0
"""So long may a whole rubber take on a busy machine."""


class ServerProcess:
    """`biritch-server` on a data folder of its own, on a free port that it keeps when it is started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._port = 0
        self._process: Process | None = None

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self._port}/"

    async def start(self) -> None:
        """Start it and return when it says that it serves."""
        options = ["--port", str(self._port), "--data", str(self.folder), "--bot-delay", "0"]
        options += ["--keep-entries", "1000000"]  # the tests read logs from their beginning
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "server.main", *options, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(WITHIN_S):
            line = (await self._process.stdout.readline()).decode()
        assert line.startswith("Biritch serves ws://"), line
        self._port = int(line.rstrip("/\n").rpartition(":")[2])

    async def kill(self) -> None:
        """End it without warning."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def kill_store(self) -> None:
        """End its store without warning, too."""
        pid = await process_id(socket_for(self.folder))
        assert pid is not None, "the store runs"
        os.kill(pid, signal.SIGKILL)

    async def stop(self) -> int:
        """Ask it to end, and return its status."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.terminate()
        async with asyncio.timeout(WITHIN_S):
            return await self._process.wait()

    async def log(self, table: str) -> list[StoredEntry]:
        """Return a table's log as the store has it; the server must have ended."""
        async with await EmbeddedStore.start(self.folder) as embedded:
            store = await RedisStore.connect(embedded.url)
            try:
                return await store.read(table)
            finally:
                await store.close()


class RobotProcess:
    """A client process, and the notes that it has written so far."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.notes: list[Note] = []
        self._reading = asyncio.create_task(self._read())
        self._more = asyncio.Event()

    @classmethod
    async def start(cls, url: str, table: str, seat: str) -> "RobotProcess":
        """Start a bot that plays a seat; TABLE `new` makes one."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.e2e.robot", url, table, seat, f"Robot {seat}", stdout=subprocess.PIPE
        )
        return cls(process)

    async def until(self, done: Callable[[Note], bool]) -> Note:
        """Wait for a note, and return it."""
        seen = 0
        async with asyncio.timeout(ENDING_S):
            while True:
                for found in self.notes[seen:]:
                    seen += 1
                    if done(found):
                        return found
                assert not self._reading.done(), "the client has ended before"
                self._more.clear()
                await self._more.wait()

    async def ended(self) -> int:
        """Wait for its end, and return its status."""
        async with asyncio.timeout(ENDING_S):
            await self._reading
            return await self._process.wait()

    async def stop(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.notes.append(json.loads(line))
            self._more.set()
        self._more.set()


def fold(table: str, log: list[StoredEntry]) -> Table:
    """Return the state that a log comes to."""
    folded = Table(table)
    for stored in log:
        folded.fold(stored.number, stored.id, stored.time, entries.decode(stored.data))
    return folded
