"""A player's visit to a server: the link, the table as it is now, and what is remembered between visits.

It is the same for every client; the person's own program shows what happens and turns keys or lines into commands.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from client_cli.house_rules import Chosen
from client_cli.link import Link
from client_cli.model import Model
from client_cli.news import Answer, Dropped, Ended, Forgotten, News
from client_cli.notes import Notes
from client_cli.pace import Pace
from client_cli.state import Memory
from client_cli.wire import Connector
from protocol import messages as m


class Person(Protocol):
    """Who visits: is told what happens, and asked what nobody else can decide."""

    def say(self, *lines: str) -> None:
        """Tell the person a few sentences."""

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        """Take what was heard, when `view` holds it already; for a fresh view, `before` is the one it replaces."""

    async def choose_game(self) -> Chosen | None:
        """Ask which game to play; None if none is wanted."""


class Visit:
    """A player at a server. `drops` and `rewinds` count what has interrupted the visit."""

    def __init__(
        self,
        connect: Connector,
        person: Person,
        memory: Memory,
        *,
        name: str | None = None,
        pace: Pace | None = None,
    ) -> None:
        known = memory.now
        self.link = Link(connect, self._heard, token=known.token, name=name or known.name, client="biritch", pace=pace)
        self.person, self.memory = person, memory
        self.tables: list[m.TableCard] = []
        self.made: m.TableMade | None = None
        self.notes = Notes()
        self.drops = self.rewinds = 0
        self._model = Model()
        self._changed = asyncio.Event()

    @property
    def view(self) -> m.TableView | None:
        """The table as it is now; None if no table has been joined."""
        return self._model.view

    async def run(self) -> Ended:
        """Keep up the connection until it cannot be had or is not wanted any more."""
        return await self.link.run()

    async def up(self) -> Ended | None:
        """Wait for the first connection; return why there is none if it cannot be had."""
        ended = await self.link.up()
        self._warn()
        return ended

    async def ask(self, command: m.Command) -> Answer:
        """Send a command; return the answer when its effect can be seen in `view`. Raises Offline."""
        rewinds = self.rewinds
        answer = await self.link.ask(command)
        if isinstance(answer, m.Accepted):
            await self._accepted(command, answer.number, rewinds)
        return answer

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return when a condition holds; looked at again after everything that is heard."""
        while not condition():
            await self._changed.wait()

    async def _accepted(self, command: m.Command, number: int, rewinds: int) -> None:
        match command:
            case m.LeaveTable():
                self._heard(Forgotten("You have left the table."))
                return
            case m.JoinTable() | m.SetName():
                self._remember()  # the invitation or the name, now that it has proved right
        await self.until(lambda: self.view is None or self.view.number >= number or rewinds != self.rewinds)

    def _remember(self) -> None:
        known, view = self.memory.now, self.view
        table, invitation = known.table, known.invitation
        if view is not None:
            table, invitation = view.table, self.link.invitation
        self.memory.keep(replace(known, token=self.link.token, name=self.link.name, table=table, invitation=invitation))
        self._warn()

    def _forget(self) -> None:
        """Remember no table, here and for the next visit."""
        self._model.replace(None)
        self.memory.keep(replace(self.memory.now, token=self.link.token, table=None, invitation=None))
        self._warn()

    def _warn(self) -> None:
        if self.memory.warning is not None:
            self.person.say(self.memory.warning)
            self.memory.warning = None

    def _heard(self, message: m.ServerMessage | News) -> None:
        before = self.view
        match message:
            case m.Welcome():
                self._remember()
            case m.TableView():
                self._model.replace(message)
                self.notes.viewed(message)
                if before is None or before.table != message.table:
                    self._remember()
            case m.Entry():
                if before is None:
                    return
                self._model.fold(message)
                self.notes.told(message, before)  # changed in place
            case m.TableList(tables=tables):
                self.tables = tables
            case m.TableMade():
                self.made = message
            case m.DealRecords():
                self.notes.keep(message)
            case m.Rewound():
                self.rewinds += 1
            case Dropped():
                self.drops += 1
            case Forgotten():
                self._forget()
        self.person.heard(message, before)
        # Whoever waits looks once more, after what is going on now.
        self._changed.set()
        self._changed = asyncio.Event()
