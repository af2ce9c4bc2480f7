"""A player at one seat: a client that plays what `turn.legal` lists, and makes trouble of every kind on its connection.

It comes back by itself, to another server if need be, and sends what was not answered again under the same id. It
notes all that it is told.
"""

import asyncio
import socket
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from secrets import token_urlsafe

from msgspec import structs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol

from client_cli.model import Model
from protocol import messages as m
from protocol.codec import MAX_MESSAGE_BYTES, decode_message, encode
from server.session import player_of
from tests.faults.choice import due, small_talk
from tests.faults.notes import Answered, Finding, Notes, Resumed, Sent, World

OPEN_S = 3.0
PING_S = 3.0
AGAIN_S = 0.1
AT_ONCE_S = 0.02
"""So long players think before the trouble begins and when it is over."""
MOVES_ON_S = 2.0
"""So long after an answer may what follows from it take, before the player looks again at what is due."""

Answer = m.Accepted | m.Rejected


class Lost(Exception):
    """The connection is gone."""


class Player:
    """A player of one table. `think_s` is how long an action takes on average."""

    def __init__(self, name: str, urls: Callable[[], Sequence[str]], world: World, rng: Random, think_s: float) -> None:
        self.name, self.token = name, token_urlsafe(32)
        self.id = player_of(self.token)
        self.table = ""
        self.notes = Notes()
        self.nudged = False
        self.at = ""  # the URL of the server to which it is connected
        self._urls, self._world, self._rng, self._think_s = urls, world, rng, think_s
        self._next_url: str | None = None
        self._model = Model()
        self._position: tuple[int, str] | None = None
        self._heard = 0.0
        self._last_id = 0
        self._socket: ClientConnection | None = None
        self._joined = asyncio.Event()
        self._changed = asyncio.Event()
        self._waiting: dict[int, asyncio.Future[Answer | None]] = {}
        self._lost: tuple[str, float] | None = None  # which server's connection has been lost, and when
        self._tasks: list[asyncio.Task[None]] = []

    # --- for those who look on

    @property
    def view(self) -> m.TableView | None:
        """The table as this player knows it."""
        return self._model.view

    @property
    def there(self) -> bool:
        """Whether it is connected and has its table."""
        return self._joined.is_set()

    @property
    def idle(self) -> bool:
        """Whether no command of its waits for an answer."""
        return not self._waiting

    @property
    def finished(self) -> bool:
        """Whether it is there and no deal is in progress, nor about to begin by itself."""
        view = self.view
        if not self.there or view is None or not self.idle:
            return False
        return view.stage in ("scored", "over") and not all(part.ready or part.bot for part in view.seats)

    def nudge(self) -> None:
        """Have it ask for something at once, whosever turn it is."""
        self.nudged = True
        self._changed.set()

    def move(self, url: str) -> None:
        """Connect to another server."""
        self._next_url = url
        self.cut()

    def come_afresh(self, url: str) -> None:
        """Connect to a server, as one who knows nothing of the table yet."""
        self._position = None
        self._joined.clear()
        self.move(url)

    def cut(self) -> None:
        """Break the connection off with a reset."""
        if self._socket is not None:
            raw = self._socket.transport.get_extra_info("socket")
            with suppress(OSError):
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._socket.transport.abort()

    # --- its life

    def start(self) -> None:
        """Live from now on: keep a connection, and play."""
        self._tasks = [asyncio.create_task(self._keep_connected()), asyncio.create_task(self._play())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for failed in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(failed, Exception):
                self._find("failed", f"the player came to an end: {failed!r}")

    async def _keep_connected(self) -> None:
        while True:
            url, self._next_url = self._next_url or self._rng.choice(self._urls()), None
            with suppress(Lost, TimeoutError, OSError, WebSocketException, InvalidHandshake, EOFError):
                await self._converse(url)
            # Spread out as the client's own returns are.
            await asyncio.sleep(self._rng.uniform(0, 2 * AGAIN_S))

    async def _converse(self, url: str) -> None:
        self._socket = connection = await connect(
            url,
            subprotocols=[Subprotocol(m.SUBPROTOCOL)],
            proxy=None,
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            open_timeout=OPEN_S,
            ping_interval=PING_S,
            ping_timeout=PING_S,
        )
        reading = asyncio.create_task(self._read(connection))
        try:
            await self._greet(reading)
            self._world.counts["reconnects"] += self._world.mischief
            self.at = url
            self._joined.set()
            self._changed.set()
            await asyncio.wait([reading])
        finally:
            if self.there:
                self._lost = (url, time.monotonic())
            self._joined.clear()
            self._socket = None
            self.at = ""
            connection.transport.abort()
            reading.cancel()
            failed = (await asyncio.gather(reading, return_exceptions=True))[0]
            if isinstance(failed, Exception) and not isinstance(failed, WebSocketException | OSError | EOFError):
                self._find("failed", f"a message was not understood: {failed!r}")
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_result(None)
            self._waiting.clear()

    async def _greet(self, reading: asyncio.Task[None]) -> None:
        await self._must(m.Hello(self._id(), self.token, self.name), reading)
        if self.table:
            number, entry = self._position or (0, "")
            await self._must(m.JoinTable(self._id(), self.table, None, number, entry, self._heard), reading)
            self._resumed()

    def _resumed(self) -> None:
        if self._lost is not None:
            self._world.resumed.append(Resumed(*self._lost, time.monotonic()))
            self._lost = None

    async def _must(self, command: m.Command, reading: asyncio.Task[None]) -> None:
        """Ask for something that is part of coming in; go away if it is refused for now or takes too long."""
        answer = self._expect(command.id)
        self._write(encode(command))
        either: list[asyncio.Future[Answer | None] | asyncio.Task[None]] = [answer, reading]
        await asyncio.wait(either, timeout=OPEN_S, return_when=asyncio.FIRST_COMPLETED)
        got = answer.result() if answer.done() else None
        if isinstance(got, m.Rejected):
            self.notes.rejections.append(got.code)
            if got.code not in ("store.unavailable", "server.busy", "server.stopping"):
                self._find("refused_wrongly", f"{self.name} may not come in: {got.code}: {got.message}")
            await asyncio.sleep(AGAIN_S)
        if not isinstance(got, m.Accepted):
            raise Lost

    # --- what it is told

    async def _read(self, connection: ClientConnection) -> None:
        while True:
            frame = await connection.recv()
            assert isinstance(frame, bytes), "the server speaks in bytes"
            message = decode_message(frame)
            match message:
                case m.TableMade(table=table):
                    self.table = table
                case m.TableView():
                    self._viewed(message, frame)
                case m.Entry():
                    self._entered(message, frame)
                case m.Rewound():
                    self.notes.rewound += 1
                    self._position = None
                case m.Said(time=said):
                    self._heard = max(self._heard, said)
                case m.Accepted() | m.Rejected():
                    self._answered(message)
            self._changed.set()

    def _viewed(self, view: m.TableView, frame: bytes) -> None:
        self._position = view.number, view.entry
        self._last_id = max(self._last_id, view.last_command)
        self.notes.tell(self.id, view, frame, self._world.era)
        self._model.replace(view)
        self._resumed()

    def _entered(self, entry: m.Entry, frame: bytes) -> None:
        if self._position is None or entry.number != self._position[0] + 1:
            self._find("order", f"{self.name} knows {self._position} and was told of {entry.number}", entry.number)
            self._position = None
            return self.cut()
        self._position = entry.number, entry.entry
        self.notes.tell(self.id, entry, frame, self._world.era)
        self._model.fold(entry)
        self._resumed()

    def _answered(self, message: Answer) -> None:
        if isinstance(message, m.Rejected):
            self.notes.rejections.append(message.code)
        if message.id in self.notes.sent:
            self.notes.sent[message.id].answers.append(Answered(message, self._world.era))
        answer = self._waiting.pop(message.id, None)
        if answer is not None and not answer.done():
            answer.set_result(message)

    def _find(self, kind: str, what: str, number: int = 0) -> None:
        self._world.findings.append(Finding(kind, self.table, number, what))

    # --- what it does

    async def do(self, command: m.Command) -> Answer:
        """Do a command, however often the connection breaks over it."""
        await self._joined.wait()
        sent = Sent(self.id, structs.replace(command, id=self._id()), self._position or (0, ""), self._world.era)
        self.notes.sent[sent.command.id] = sent
        while True:
            await self._joined.wait()
            waiting = self._expect(sent.command.id)
            with suppress(Lost):  # then there is no answer either
                await self._send(sent)
            answer = await waiting
            if answer is not None:
                return answer

    def _id(self) -> int:
        self._last_id += 1
        return self._last_id

    def _expect(self, id: int) -> "asyncio.Future[Answer | None]":
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._waiting[id] = answer
        return answer

    def _write(self, data: bytes, *, whole: bool = True) -> None:
        """Write a message, or part of one. Raises Lost."""
        if self._socket is None or self._socket.transport.is_closing():
            raise Lost
        frame = Frame(Opcode.BINARY, data).serialize(mask=True)
        self._socket.transport.write(frame if whole else frame[: self._rng.randrange(1, len(frame))])

    async def _send(self, sent: Sent) -> None:
        """Send a command, now and then as nobody should."""
        frame, way = encode(sent.command), self._rng.random() if self._world.mischief else 1.0
        if way < 0.06:
            await asyncio.sleep(self._rng.uniform(0.2, 1.5))
        if 0.06 <= way < 0.08:
            self._write(frame, whole=False)
            return self._cut_on_purpose()
        for _ in range(2 if 0.1 <= way < 0.2 else 1):
            self._write(frame)
            self._world.counts["duplicates_sent"] += sent.times > 0
            sent.times += 1
        if 0.08 <= way < 0.1:
            self._cut_on_purpose()

    def _cut_on_purpose(self) -> None:
        self._world.counts["cuts"] += 1
        self.cut()

    async def _repeat_later(self, sent: Sent) -> None:
        """Send a command again that has been answered long since."""
        await asyncio.sleep(self._rng.uniform(0.1, 2.0))
        if self.there and self._world.mischief:
            with suppress(Lost):
                self._write(encode(sent.command))
                sent.times += 1
                self._world.counts["duplicates_sent"] += 1

    # --- playing

    async def _play(self) -> None:
        while True:
            self._changed.clear()
            command = self._next() if self.there else None
            if command is None:
                await self._changed.wait()
                continue
            if not self.nudged:
                think_s = self._think_s if self._world.mischief else AT_ONCE_S
                await asyncio.sleep(self._rng.expovariate(1 / think_s))
                command = self._next() if self.there else None
            if command is not None:
                self.nudged = False
                await self._act(command)

    def _next(self) -> m.Command | None:
        if self.view is None:
            return None
        if self.nudged or (self._world.mischief and self._rng.random() < 0.03):
            return small_talk(self._rng, self.name, nudged=self.nudged)
        return due(self.view, self._rng, self._world.playing_on)

    async def _act(self, command: m.Command) -> None:
        before = self._position
        answer = await self.do(command)
        if isinstance(answer, m.Rejected):
            await asyncio.sleep(AGAIN_S)
        elif self._rng.random() < 0.05 and self._world.mischief:
            self._tasks.append(asyncio.create_task(self._repeat_later(self.notes.sent[answer.id])))
        if isinstance(answer, m.Accepted) and answer.number:
            with suppress(TimeoutError):
                async with asyncio.timeout(MOVES_ON_S):
                    while self._position == before:
                        self._changed.clear()
                        await self._changed.wait()
