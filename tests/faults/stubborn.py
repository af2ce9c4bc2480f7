"""A client that never gives up: what was not answered is sent again under the same id, however often it takes."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random

from msgspec import structs

from client_cli.link import PASSING
from client_cli.model import Model
from client_cli.wire import Closed, Connector, Unreachable, Wire
from protocol import messages as m
from protocol.codec import decode_message, encode
from tests.faults.client import AGAIN_S, Answer
from tests.faults.notes import Notes

ANSWERED_S = 3.0
"""So long may each step of coming in take."""


class Stubborn:
    """A `Client`. It tells `changed` of whatever comes or goes."""

    def __init__(
        self, connect: Connector, token: str, name: str, notes: Notes, rng: Random, changed: Callable[[], None]
    ) -> None:
        self._connect, self._token, self._name = connect, token, name
        self._notes, self._rng, self._changed = notes, rng, changed
        self._table = ""
        self._model = Model()
        self._heard = 0.0
        self._last_id = 0
        self._wire: Wire | None = None
        self._in = asyncio.Event()
        self._waiting: dict[int, asyncio.Future[Answer | None]] = {}

    @property
    def view(self) -> m.TableView | None:
        return self._model.view

    @property
    def there(self) -> bool:
        return self._in.is_set() and self.view is not None

    async def join(self, table: str) -> None:
        self._table = table
        self._model.replace(None)
        self._in.clear()
        if self._wire is not None:
            await self._wire.close()  # and come back, to the table

    async def do(self, command: m.Command) -> Answer | None:
        await self._in.wait()
        command = structs.replace(command, id=self._id())
        while True:
            await self._in.wait()
            waiting = self._expect(command.id)
            with suppress(Closed):  # then there is no answer either
                await self._send(command)
            answer = await waiting
            if answer is not None:
                return answer

    # --- connections, one after the other

    async def run(self) -> None:
        while True:
            with suppress(Closed, Unreachable, TimeoutError):
                await self._converse(await self._connect())
            # Spread out as the product's returns are.
            await asyncio.sleep(self._rng.uniform(0, 2 * AGAIN_S))

    async def _converse(self, wire: Wire) -> None:
        self._wire = wire
        reading = asyncio.create_task(self._read(wire))
        try:
            await self._greet(reading)
            self._in.set()
            self._changed()
            await reading
        finally:
            self._in.clear()
            self._wire = None
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_result(None)
            self._waiting.clear()
            self._changed()
            await wire.close()

    async def _greet(self, reading: asyncio.Task[None]) -> None:
        await self._must(m.Hello(self._id(), self._token, self._name), reading)
        if self._table:
            number, entry = (0, "") if self.view is None else (self.view.number, self.view.entry)
            await self._must(m.JoinTable(self._id(), self._table, None, number, entry, self._heard), reading)

    async def _must(self, command: m.Command, reading: asyncio.Task[None]) -> None:
        """Ask for something that is part of coming in; go away if it is refused for now or takes too long."""
        answer = self._expect(command.id)
        await self._send(command)
        either: list[asyncio.Future[Answer | None] | asyncio.Task[None]] = [answer, reading]
        await asyncio.wait(either, timeout=ANSWERED_S, return_when=asyncio.FIRST_COMPLETED)
        got = answer.result() if answer.done() else None
        if isinstance(got, m.Rejected) and got.code not in PASSING:
            self._notes.finds("refused_wrongly", f"{self._name} may not come in: {got.code}: {got.message}")
        if not isinstance(got, m.Accepted):
            raise Closed(None, "not let in")

    def _id(self) -> int:
        self._last_id += 1
        return self._last_id

    def _expect(self, id: int) -> "asyncio.Future[Answer | None]":
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._waiting[id] = answer
        return answer

    async def _send(self, command: m.Command) -> None:
        if self._wire is None:
            raise Closed(None, "")
        await self._wire.send(encode(command))

    # --- what it is told

    async def _read(self, wire: Wire) -> None:
        while True:
            message = decode_message(await wire.receive())
            match message:
                case m.TableView(last_command=last):
                    self._last_id = max(self._last_id, last)
                    self._model.replace(message)
                case m.Entry():
                    if self.view is None or message.number != self.view.number + 1:
                        self._model.replace(None)
                        raise Closed(None, "an entry is missing")
                    self._model.fold(message)
                case m.Rewound():
                    self._model.replace(None)
                case m.TableMade(table=table):
                    self._notes.table = table
                case m.Said(time=time):
                    self._heard = max(self._heard, time)
                case m.Accepted() | m.Rejected():
                    answer = self._waiting.pop(message.id, None)
                    if answer is not None and not answer.done():
                        answer.set_result(message)
            self._changed()
