"""A client as a process of its own: a bot that plays one seat until the rubber is over, and notes what it was told.

`python -m tests.e2e.robot URL TABLE SEAT NAME`, TABLE `new` for a new one. Each note is a JSON object on a line of
standard output: `table`, `accepted` (with the command that was), `entry`, and at the end `over`.
"""

import asyncio
import json
import sys

import msgspec

from bots.simple import choose
from client_cli.address import parse_address
from client_cli.draw import seats_of
from client_cli.link import Link, Offline
from client_cli.model import Model
from client_cli.news import News
from client_cli.pace import Pace
from client_cli.wire import connector
from protocol import messages as m
from protocol.translate import command_for, parse_legal, parse_view


def note(**what: object) -> None:
    print(json.dumps(what), flush=True)


class Robot:
    """A bot at a table by way of the client's own link and model."""

    def __init__(self, url: str, name: str) -> None:
        # It waits for a server that has been killed as long as the test lets it.
        self.link = Link(connector(parse_address(url)), self._heard, name=name, pace=Pace())
        self._model = Model()
        self._changed = asyncio.Event()
        self._made = ""

    @property
    def view(self) -> m.TableView:
        assert self._model.view is not None, "a table has been joined"
        return self._model.view

    async def run(self, table: str, seat: str) -> None:
        """Sit down, play a rubber, and note the end of it."""
        running = asyncio.create_task(self.link.run())
        await self.link.up()
        if table == "new":
            await self._do(m.CreateTable(0, "auction_bridge"))
            table = self._made
            note(note="table", table=table)
        await self._do(m.JoinTable(0, table))
        await self._do(m.TakeSeat(0, seat))
        while self.view.stage != "over":
            self._changed.clear()
            command = self._next()
            if command is not None:
                await self._do(command)
            else:
                await self._changed.wait()
        note(note="over", standing=self.view.standing, ledger=self.view.ledger, number=self.view.number)
        await self.link.close()
        await running

    def _next(self) -> m.Command | None:
        """Return what the table waits for from this seat, if anything."""
        view, turn = self.view, self.view.turn
        if turn is not None and turn.legal is not None and view.deal is not None:
            seats = seats_of(view)
            action = choose(parse_view(view.deal, turn, view.seat, seats), parse_legal(turn.legal, seats))
            return command_for(action, 0, turn.deal, turn.index, seats)
        own = next((part for part in view.seats if part.seat == view.seat), None)
        if view.stage in ("gathering", "scored") and own is not None and not own.ready:
            return m.Ready(0, view.next_deal)
        return None

    async def _do(self, command: m.Command) -> None:
        """Send a command, and once more what is still due if the connection broke over it."""
        try:
            answer = await self.link.ask(command)
        except Offline:
            await self._changed.wait()  # the link says when it is back
            return
        if isinstance(answer, m.Accepted):
            done = msgspec.structs.replace(command, id=answer.id)
            note(note="accepted", number=answer.number, command=msgspec.to_builtins(done), player=self.link.player)
        elif isinstance(answer, m.Rejected) and answer.code not in ("turn.stale", "ready.already", "ready.wrong_deal"):
            raise SystemExit(f"refused: {answer}")

    def _heard(self, message: m.ServerMessage | News) -> None:
        match message:
            case m.TableView():
                self._model.replace(message)
                note(note="view", number=message.number, entry=message.entry)
            case m.TableMade(table=table):
                self._made = table
            case m.Entry() if self._model.view is not None:
                self._model.fold(message)
                note(note="entry", number=message.number, entry=message.entry)
        self._changed.set()


def main(url: str, table: str, seat: str, name: str) -> None:
    async def play() -> None:
        await Robot(url, name).run(table, seat)

    asyncio.run(play())


if __name__ == "__main__":
    main(*sys.argv[1:])
