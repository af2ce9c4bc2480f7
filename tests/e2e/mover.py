"""A player who goes on at another server when his own goes away, by way of the client's own link."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from bots.simple import choose
from client_cli.address import parse_address
from client_cli.draw import seats_of
from client_cli.link import Link, Offline
from client_cli.model import Model
from client_cli.news import Answer, News, Returned
from client_cli.wire import Unreachable, Wire, connector
from protocol import messages as m
from protocol.translate import command_for, parse_legal, parse_view


class Mover:
    """A bot at a table. It notes what it is told of the table, and every answer to a command.

    `urls` are those of the servers, the first that lets it in is taken. `told` is called after whatever it hears.
    """

    def __init__(self, urls: Sequence[str], told: Callable[[], None]) -> None:
        self.link = Link(self._connect, self._heard)
        self.url = ""
        """That of the server where it is, or was last."""
        self.returns = 0
        """How often it has come back after a connection was gone."""
        self.numbers: list[int] = []
        """Of the entries that it was told of."""
        self.views = 0
        """How often it was shown the whole table."""
        self.accepted: dict[int, int] = {}
        """The entry that each of its commands at the table became, by the command's id."""
        self.others: list[Answer] = []
        """Answers that do not accept."""
        self.made = ""
        self._urls, self._told = urls, told
        self._model = Model()
        self._changed = asyncio.Event()

    @property
    def view(self) -> m.TableView:
        assert self._model.view is not None, "a table has been joined"
        return self._model.view

    async def ask(self, command: m.Command) -> None:
        """Send a command and note the answer; do nothing while there is no connection."""
        with suppress(Offline):
            answer = await self.link.ask(command)
            if isinstance(answer, m.Accepted):
                self.accepted[answer.id] = answer.number
            else:
                self.others.append(answer)

    async def play(self, may_act: Callable[[m.TableView], bool], done: Callable[[m.TableView], bool]) -> None:
        """Agree to deals and play, as far as it may, until it is done."""
        while not done(self.view):
            self._changed.clear()
            command = self._next(self.view) if self.link.online and may_act(self.view) else None
            if command is not None:
                await self.ask(command)
            else:
                await self._changed.wait()

    def look_again(self) -> None:
        """Consider anew whether to act."""
        self._changed.set()

    def _next(self, view: m.TableView) -> m.Command | None:
        """Return what the table waits for from this seat, if anything."""
        turn = view.turn
        if turn is not None and turn.legal is not None and view.deal is not None:
            seats = seats_of(view)
            action = choose(parse_view(view.deal, turn, view.seat, seats), parse_legal(turn.legal, seats))
            return command_for(action, 0, turn.deal, turn.index, seats)
        own = next(part for part in view.seats if part.seat == view.seat)
        if view.stage in ("gathering", "scored") and not own.ready:
            return m.Ready(0, view.next_deal)
        return None

    async def _connect(self) -> Wire:
        """Connect as by way of a proxy before the servers."""
        for url in self._urls:
            with suppress(Unreachable):
                self.url = url
                return await connector(parse_address(url))()
        raise Unreachable("There is no server.")

    def _heard(self, message: m.ServerMessage | News) -> None:
        match message:
            case m.TableMade(table=table):
                self.made = table
            case m.TableView():
                self._model.replace(message)
                self.views += 1
            case m.Entry() if self._model.view is not None:
                self._model.fold(message)
                self.numbers.append(message.number)
            case Returned():
                self.returns += 1
        self._changed.set()
        self._told()
