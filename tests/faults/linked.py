"""The product's own link, as a client of the fault test."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from client_cli.link import PASSING, Link, Offline
from client_cli.model import Model
from client_cli.news import Dropped, Ended, Forgotten, News, Returned, Unknown
from client_cli.pace import Pace
from client_cli.wire import Connector
from protocol import messages as m
from tests.faults.client import AGAIN_S, Answer
from tests.faults.notes import Notes

FAILED = 1
"""With this code a link ends that has understood something amiss, or was found to have said it."""


class Linked:
    """A `Client`. The answer to a command is lost where the link cannot tell what has become of it."""

    def __init__(
        self, connect: Connector, token: str, name: str, notes: Notes, haste: float, changed: Callable[[], None]
    ) -> None:
        self._connect, self._token, self._name = connect, token, name
        self._notes, self._haste, self._changed = notes, haste, changed
        self._table = ""
        self._model = Model()
        self._in = asyncio.Event()
        self._link: Link | None = None
        self._living: list[asyncio.Task[object]] = []

    @property
    def view(self) -> m.TableView | None:
        return self._model.view

    @property
    def there(self) -> bool:
        return self._in.is_set() and self.view is not None

    async def join(self, table: str) -> None:
        """Come as one who starts the program anew."""
        self._table = table
        self._model.replace(None)
        for task in self._living:
            task.cancel()

    async def do(self, command: m.Command) -> Answer | None:
        while True:
            await self._in.wait()
            assert self._link is not None, "whoever is in has a link"
            try:
                answer = await self._link.ask(command)
            except Offline:
                self._in.clear()
            else:
                return None if isinstance(answer, Unknown) else answer

    async def run(self) -> None:
        while True:
            await self._live()
            await asyncio.sleep(AGAIN_S)

    async def _live(self) -> None:
        """Run a link until it is not wanted any more, or as long as it lives.

        It ends where it cannot be had at first, or when the player has come by another connection. That may be one of
        its own, given up long ago, from which a server that slept hears only now. Then it is to be started again.
        """
        self._model.replace(None)
        link = self._link = Link(self._connect, self._hear, token=self._token, name=self._name, pace=self._pace())
        self._living = [asyncio.create_task(link.run()), asyncio.create_task(self._come_in(link))]
        try:
            await asyncio.wait(self._living[:1])
        finally:
            self._in.clear()
            for task in self._living:
                task.cancel()
            ended, _ = await asyncio.gather(*self._living, return_exceptions=True)
            self._changed()
        if not isinstance(ended, asyncio.CancelledError | Ended) or getattr(ended, "code", 0) == FAILED:
            self._notes.finds("failed", f"the link of {self._name} came to an end: {ended!r}")

    def _pace(self) -> Pace:
        haste = self._haste
        return Pace(sleep=lambda seconds: asyncio.sleep(seconds / haste), now=lambda: time.monotonic() * haste)

    async def _come_in(self, link: Link) -> None:
        """Wait for the first connection, and come to the table; from there on the link does so by itself."""
        await link.up()
        while self._table and self.view is None:
            answer: object = None
            with suppress(Offline):
                answer = await link.ask(m.JoinTable(0, self._table))
            if isinstance(answer, m.Rejected) and answer.code not in PASSING:
                self._notes.finds("refused_wrongly", f"{self._name} may not come in: {answer}")
            if not isinstance(answer, m.Accepted):
                await asyncio.sleep(AGAIN_S)
        self._in.set()
        self._changed()

    def _hear(self, message: m.ServerMessage | News) -> None:
        match message:
            case m.TableView():
                self._model.replace(message)
            case m.Entry() if self.view is not None:
                self._model.fold(message)
            case m.TableMade(table=table):
                self._notes.table = table
            case Returned():
                self._in.set()
            case Dropped():
                self._in.clear()
            case Forgotten(what=what):
                self._notes.finds("refused_wrongly", f"the link of {self._name} was sent away: {what}")
        self._changed()
