"""Bots as clients: each with a connection, a token and a seat of its own, playing a session that is printed.

What is printed is played again by the laws from the cards and the actions alone, so that a server that scores or
shuffles otherwise is found out.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bots.simple import choose
from client_cli.address import parse_address
from client_cli.chronicle import Chronicle
from client_cli.console import Console
from client_cli.deal_check import Differs
from client_cli.draw import seats_of
from client_cli.house_rules import Chosen
from client_cli.link import Link
from client_cli.model import Model
from client_cli.news import Ended, News
from client_cli.pace import Pace
from client_cli.wire import connector
from protocol import messages as m
from protocol.translate import command_for, parse_legal, parse_view
from rules.session import rubbers_of

MOST_DEALS = 60
"""After so many deals a rubber is given up."""


class Failed(Exception):
    """The server refused what a bot has to do."""


@dataclass(frozen=True, slots=True)
class Watched:
    """How a session of bots went: the exit status, the deals that were played, and whether it came to its end."""

    status: int
    deals: int = 0
    is_over: bool = False


class Robot:
    """A bot at a table. `also` hears every entry, after it has been folded into `view`."""

    def __init__(self, url: str, name: str, also: Callable[[m.Entry, m.TableView], None] | None = None) -> None:
        self.link = Link(connector(parse_address(url)), self._heard, name=name, pace=Pace(give_up_s=10.0))
        self.made: m.TableMade | None = None
        self._model = Model()
        self._also = also
        self._changed = asyncio.Event()
        self._acted: tuple[int, int] | None = None

    @property
    def view(self) -> m.TableView:
        assert self._model.view is not None, "a table has been joined"
        return self._model.view

    async def ask(self, command: m.Command) -> None:
        """Have a command accepted. Raises Failed."""
        answer = await self.link.ask(command)
        if not isinstance(answer, m.Accepted):
            raise Failed(answer.message if isinstance(answer, m.Rejected) else "The connection to the server broke.")

    async def play(self, deals: int) -> None:
        """Agree to deals and rubbers and play them until the session is over, or so many deals for each rubber are."""
        while True:
            view, turn = self.view, self.view.turn
            if _is_over(view) or (view.stage == "scored" and view.next_deal > deals * view.rubber):
                return
            if turn is not None and turn.legal is not None and self._acted != (turn.deal, turn.index):
                self._acted = (turn.deal, turn.index)
                await self.ask(self._answer(view, turn, turn.legal))
            elif view.stage in ("gathering", "scored", "over") and not self._ready(view):
                await self.ask(m.Rematch(0, view.rubber) if view.stage == "over" else m.Ready(0, view.next_deal))
                await self._change_of(lambda: self._ready(self.view) or self.view.stage == "playing")
            else:
                await self._changed.wait()
                self._changed.clear()

    def _answer(self, view: m.TableView, turn: m.Turn, legal: m.Legal) -> m.Command:
        assert view.deal is not None, "a turn belongs to a deal"
        seats = seats_of(view)
        action = choose(parse_view(view.deal, turn, view.seat, seats), parse_legal(legal, seats))
        return command_for(action, 0, turn.deal, turn.index, seats)

    def _ready(self, view: m.TableView) -> bool:
        return any(part.ready for part in view.seats if part.seat == view.seat)

    async def _change_of(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._changed.wait()
            self._changed.clear()

    def _heard(self, message: m.ServerMessage | News) -> None:
        match message:
            case m.TableView():
                self._model.replace(message)
            case m.TableMade():
                self.made = message
            case m.Entry() if self._model.view is not None:
                self._model.fold(message)
                if self._also is not None:
                    self._also(message, self._model.view)
        self._changed.set()


def _is_over(view: m.TableView) -> bool:
    """Say whether the session is over, which may be one of several rubbers."""
    return view.stage == "ended" or (view.stage == "over" and view.rubber == rubbers_of(view.options))


async def watch_session(url: str, chosen: Chosen, console: Console, deals: int = MOST_DEALS) -> Watched:
    """Let bots play a session at a server, one in each seat, printing every deal."""
    chronicle = Chronicle(console)
    robots = [Robot(url, "Robot 1", chronicle.note)]
    robots += [Robot(url, f"Robot {number}", chronicle.overhear) for number in range(2, chosen.seats + 1)]
    links = [asyncio.create_task(robot.link.run()) for robot in robots]
    play = asyncio.create_task(play_session(robots, chosen, deals))
    try:
        await asyncio.wait({play, *links}, return_when=asyncio.FIRST_COMPLETED)
        if play.done():
            play.result()
        else:
            return Watched(_broken(console, [link.result() for link in links if link.done()]))
    except (Failed, Differs) as error:
        console.say(str(error))
        return Watched(1)
    finally:
        for robot in robots:
            await robot.link.close()
        for task in (play, *links):
            task.cancel()
        await asyncio.gather(play, *links, return_exceptions=True)
    chronicle.finish()
    return Watched(0, chronicle.deals, chronicle.is_over)


def _broken(console: Console, ended: Sequence[Ended]) -> int:
    console.say(ended[0].reason)
    return ended[0].code or 3


async def play_session(robots: Sequence[Robot], chosen: Chosen, deals: int = MOST_DEALS) -> None:
    """Make a table, take all its seats, and play a session, each rubber for so many deals at most. Raises Failed."""
    for robot in robots:
        if (ended := await robot.link.up()) is not None:
            raise Failed(ended.reason)
    first = robots[0]
    await first.ask(m.CreateTable(0, chosen.game, chosen.players, dict(chosen.options)))
    assert first.made is not None, "`table_made` comes before the answer"
    for robot in robots:
        await robot.ask(m.JoinTable(0, first.made.table, first.made.invitation))
    seats = [part.seat for part in first.view.seats]
    for robot, seat in zip(robots, seats, strict=True):
        await robot.ask(m.TakeSeat(0, seat))
    try:
        async with asyncio.TaskGroup() as group:
            for robot in robots:
                group.create_task(robot.play(deals))
    except* Failed as refused:
        raise refused.exceptions[0] from None
