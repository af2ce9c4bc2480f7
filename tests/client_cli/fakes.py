"""A server that does as a test says, and time that passes only when it is slept through."""

import asyncio
from collections.abc import Callable
from types import UnionType
from typing import TypeVar

from client_cli.link import Link
from client_cli.news import News
from client_cli.pace import Pace
from client_cli.wire import Closed, Unreachable, Wire
from protocol import messages as m
from protocol.codec import decode_command, encode

C = TypeVar("C", bound=m.Command)


class FakeWire:
    """The server's end of one connection."""

    def __init__(self) -> None:
        self._asked: asyncio.Queue[m.Command] = asyncio.Queue()
        self._told: asyncio.Queue[bytes | Closed] = asyncio.Queue()
        self.closed = False

    async def send(self, frame: bytes) -> None:
        self._asked.put_nowait(decode_command(frame))

    async def receive(self) -> bytes:
        told = await self._told.get()
        if isinstance(told, Closed):
            raise told
        return told

    async def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.drop()

    async def asked(self, kind: type[C]) -> C:
        """Return the next command, which is of this kind."""
        command = await self._asked.get()
        assert isinstance(command, kind), command
        return command

    @property
    def quiet(self) -> bool:
        """Whether every command has been taken."""
        return self._asked.empty()

    def say(self, *messages: m.ServerMessage) -> None:
        """Send messages to the client."""
        for message in messages:
            self._told.put_nowait(encode(message))

    def say_bytes(self, frame: bytes) -> None:
        self._told.put_nowait(frame)

    def drop(self, code: int | None = None, reason: str = "") -> None:
        """End the connection."""
        self._told.put_nowait(Closed(code, reason))

    async def greet(self, **fields: str) -> m.Hello:
        """Take the client's hello and accept it."""
        hello = await self.asked(m.Hello)
        self.say(m.Welcome("a", hello.name or "Player a", "test", 0.0, **fields), m.Accepted(hello.id))
        return hello


class FakeServer:
    """What a link connects to. `refusals` are what comes of the next tries, before one succeeds.

    While `silent` no try comes to an end; `trying` counts those under way.
    """

    def __init__(self) -> None:
        self.refusals: list[Unreachable] = []
        self.silent = False
        self.tries = self.trying = 0
        self._opened: asyncio.Queue[FakeWire] = asyncio.Queue()

    async def connect(self) -> Wire:
        self.tries += 1
        if self.silent:
            self.trying += 1
            try:
                await asyncio.Event().wait()
            finally:
                self.trying -= 1
        if self.refusals:
            raise self.refusals.pop(0)
        wire = FakeWire()
        self._opened.put_nowait(wire)
        return wire

    async def opened(self) -> FakeWire:
        """Return the next connection."""
        return await self._opened.get()


class FakeTime:
    """A clock that stands still but for sleeping, which takes no time; `slept` is how long each sleep was to be."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    def pace(self, give_up_s: float | None = None, chance: Callable[[], float] = lambda: 1.0) -> Pace:
        return Pace(give_up_s=give_up_s, sleep=self.sleep, now=lambda: self.seconds, chance=chance)


class Ear:
    """Hears what a link says, in order."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[m.ServerMessage | News] = asyncio.Queue()

    def __call__(self, message: m.ServerMessage | News) -> None:
        self.heard.put_nowait(message)

    def all(self) -> list[m.ServerMessage | News]:
        """Return all that was heard since it was last asked for."""
        return [self.heard.get_nowait() for _ in range(self.heard.qsize())]

    async def next(self, kind: type | UnionType) -> m.ServerMessage | News:
        """Return the next thing heard of a kind, leaving out what comes before."""
        while True:
            message = await self.heard.get()
            if isinstance(message, kind):
                return message


def entry(number: int, *events: m.AnyEvent, turn: m.Turn | None = None) -> m.Entry:
    """Make an entry of a table's log."""
    return m.Entry(number, f"e{number}", float(number), list(events), turn)


def a_link(server: FakeServer, ear: Ear, time: FakeTime, give_up_s: float | None = None, **given: str) -> Link:
    """Make a link to a fake server."""
    return Link(server.connect, ear, pace=time.pace(give_up_s), **given)
