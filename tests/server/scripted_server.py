"""Servers that misbehave on purpose: one that answers as a test says, and a relay that goes silent."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

import hiredis

HANG_UP = b""
"""An answer: take the command and hang up."""

GOOD = b"redis_version:7.2.4\r\nredis_mode:standalone\r\n"

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class ScriptedServer:
    """Speaks the protocol of Redis. The scripts get `answers` in turn, everything else what a good server says."""

    def __init__(self, info: bytes = GOOD) -> None:
        self.info = info
        self.answers: deque[bytes] = deque()
        self.asked: list[bytes] = []

    def answer(self, command: list[Any]) -> bytes:
        name = command[0].upper()
        if name == b"INFO":
            return b"$%d\r\n%s\r\n" % (len(self.info), self.info)
        if name in (b"EVALSHA", b"EVAL"):
            self.asked.append(name)
            return self.answers.popleft()
        return b"+OK\r\n"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        commands = hiredis.Reader(notEnoughData=Ellipsis)
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                commands.feed(data)
                while (command := commands.gets()) is not Ellipsis:
                    answer = self.answer(command)
                    if answer == HANG_UP:
                        return
                    writer.write(answer)


class Relay:
    """Passes bytes between clients and a store on a unix socket, until it is told to keep back what is published."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._muted: set[asyncio.StreamWriter] = set()
        self._subscribed: set[asyncio.StreamWriter] = set()

    def mute_subscribers(self) -> None:
        self._muted |= self._subscribed

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        store_reader, store_writer = await asyncio.open_unix_connection(self._path)
        back = asyncio.create_task(self._back(store_reader, writer))
        try:
            while data := await reader.read(65536):
                if b"SUBSCRIBE" in data:
                    self._subscribed.add(writer)
                store_writer.write(data)
        finally:
            back.cancel()
            store_writer.close()

    async def _back(self, store_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await store_reader.read(65536):
            if writer not in self._muted:
                writer.write(data)


@contextlib.asynccontextmanager
async def listening(serve: Serve) -> AsyncIterator[str]:
    """Serve on a free port of this machine; give the URL, and end every connection afterwards."""
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await serve(reader, writer)
        except asyncio.CancelledError:
            pass  # the test is over; asyncio would report it as a fault of the server
        finally:
            tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await _ended(tasks)


async def _ended(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in (running := list(tasks)):
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
