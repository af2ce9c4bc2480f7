"""A player at a table, line by line: what is typed goes to the server, what happens there is printed.

`Session.run` ends with the exit status. A script's lines are taken one at a time: not before the answer to the one
before has come and its effect can be seen.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from client_cli.blocks import show
from client_cli.board import Board, asks_ready, deal_being_played, is_ended, is_my_turn
from client_cli.choice import ask_game
from client_cli.console import Console
from client_cli.house_rules import DEFAULT, Chosen
from client_cli.link import Offline
from client_cli.news import Dropped, Ended, Forgotten, News, Returned, Unknown
from client_cli.pace import Pace
from client_cli.seat import handed_on
from client_cli.state import Memory
from client_cli.verbs import HELP, Meaning, Quit, Show, Wait, Wrong, read_line
from client_cli.visit import Visit
from client_cli.wire import Connector
from protocol import messages as m

GIVE_UP_S = 60.0
"""A script, which nobody watches, waits so long for a lost connection."""


class Lines(Protocol):
    """Where the lines come from; `scripted` if nobody is at a terminal."""

    @property
    def scripted(self) -> bool: ...

    async def next(self) -> str | None: ...


class Session:
    """A person's lines and a console, on a visit to a server."""

    def __init__(
        self,
        connect: Connector,
        console: Console,
        memory: Memory,
        *,
        name: str | None = None,
        scripted: bool = False,
        pace: Pace | None = None,
    ) -> None:
        pace = pace or Pace(give_up_s=GIVE_UP_S if scripted else None)
        self.visit = Visit(connect, self, memory, name=name, pace=pace)
        self.console, self.scripted = console, scripted
        self._board = Board(console, hints=not scripted)
        self._lines: Lines | None = None
        self._failed = False
        self._seen_deal = self._seen_rubber = 0

    @property
    def view(self) -> m.TableView | None:
        return self.visit.view

    # --- the person of the visit

    def say(self, *lines: str) -> None:
        self.console.say(*lines)

    async def choose_game(self) -> Chosen | None:
        assert self._lines is not None, "the session has begun"
        return Chosen(DEFAULT) if self.scripted else await ask_game(self._lines.next, self.console)

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        match message:
            case m.TableView():
                if before is None or before.table != message.table:
                    self._seen_deal = message.deal.number if message.deal is not None and message.deal.score else 0
                    self._seen_rubber = message.rubber if message.stage == "over" else 0
                self._board.viewed(message, before)
            case m.Entry() if self.view is not None:
                self._board.told(message, self.view)
            case m.Said(name=name, seat=seat, text=text):
                self.console.say(f"{name}{f' ({seat})' if seat else ''}: {text}")
            case m.SeatCode():
                self.console.say(*handed_on(self.visit.memory.url, message, self.visit.link.name))
            case m.Rewound():
                self._board.rewound()
            case Dropped(reason=reason):
                self._board.dropped()
                self.console.say(f"The connection is lost{f' ({reason})' if reason else ''}; trying again ...")
            case Returned():
                self.console.say("The connection is back.")
                self._board.returned(self.view)
            case Forgotten(what=what):
                self.console.say(what)

    # --- the whole of it

    async def run(self, begin: Callable[[Visit], Awaitable[int | None]], lines: Lines) -> int:
        """Connect, begin (a status ends it at once), then take lines until they end; return the exit status."""
        self._lines = lines
        link = asyncio.create_task(self.visit.run())
        work = asyncio.create_task(self._work(begin, lines))
        try:
            await asyncio.wait({link, work}, return_when=asyncio.FIRST_COMPLETED)
            return work.result() if work.done() else self._ended(link.result())
        finally:
            await self.visit.link.close()
            for task in (link, work):
                task.cancel()
            await asyncio.gather(link, work, return_exceptions=True)
            self.console.end_line()

    async def _work(self, begin: Callable[[Visit], Awaitable[int | None]], lines: Lines) -> int:
        if (ended := await self.visit.up()) is not None:
            return self._ended(ended)
        status = await begin(self.visit)
        if status is not None:
            return status
        if self.view is not None and self.view.seat is None and not self.scripted:
            self.console.say("You watch. `sit S` takes a seat, `bot N` puts a bot in one, `help` lists the rest.")
        return await (self._obey_script(lines) if self.scripted else self._obey_person(lines))

    def _ended(self, ended: Ended) -> int:
        self.console.say(ended.reason)
        return ended.code

    async def _obey_script(self, lines: Lines) -> int:
        while (line := await lines.next()) is not None:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            await self.visit.until(lambda: self.visit.link.online)
            meaning = read_line(line, self.view)
            if isinstance(meaning, Quit) or await self._obey(line, meaning):
                break
        return int(self._failed)

    async def _obey_person(self, lines: Lines) -> int:
        """Take lines as they are typed: each is sent at once or not at all, whatever the ones before wait for."""
        under_way: set[asyncio.Task[bool]] = set()
        left = asyncio.Event()

        def done(task: asyncio.Task[bool]) -> None:
            if task.cancelled():
                return
            if task.exception() is not None or task.result():
                left.set()
            else:
                under_way.discard(task)

        leaving = asyncio.create_task(left.wait())
        while not left.is_set():
            typing = asyncio.create_task(lines.next())
            await asyncio.wait({typing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            line = typing.result() if typing.done() else None
            typing.cancel()
            meaning = Quit() if line is None else self._meaning(line)
            if isinstance(meaning, Quit):
                break
            if meaning is not None and line is not None:
                task = asyncio.create_task(self._obey(line, meaning))
                under_way.add(task)
                task.add_done_callback(done)
        leaving.cancel()
        if self.visit.link.online:
            await asyncio.gather(*under_way)
        return 0

    def _meaning(self, line: str) -> Meaning | None:
        """Return what a typed line means; an empty one says `ready` where that is asked for."""
        if line.strip():
            return read_line(line, self.view)
        return read_line("ready", self.view) if self.view is not None and asks_ready(self.view) else None

    # --- one line

    async def _obey(self, line: str, meaning: Meaning) -> bool:
        """Do what a line means; say whether it was the last."""
        match meaning:
            case Show(what="help"):
                self.console.say(*HELP)
            case Show(what=what) if self.view is not None:
                self.console.say(*show(what, self.view, self.console.signs))
            case Show():
                self._fail("You are at no table.")
            case Wrong(sentence=sentence):
                self._fail(sentence)
            case Wait(until=until):
                await self._wait(until)
            case m.Command():
                return await self._send(line.strip(), meaning)
        return False

    def _fail(self, sentence: str) -> None:
        self._failed = True
        self.console.say(sentence)

    async def _send(self, line: str, command: m.Command) -> bool:
        drops = self.visit.drops
        try:
            answer = await self.visit.ask(command)
        except Offline:
            self._fail(f"There is no connection; {line!r} was not sent.")
            return False
        match answer:
            case m.Rejected(message=message):
                self._fail(message)
                return False
            case Unknown():
                self._fail(f"The connection broke; nobody knows whether {line!r} was done.")
                return False
        if drops != self.visit.drops:
            self.console.say(f"{line!r} had been accepted.")
        return self._done(command)

    def _done(self, command: m.Command) -> bool:
        """Take note of what was accepted; say whether it was the last thing to do."""
        match command:
            case m.LeaveTable():
                return True
            case m.Ready(deal=deal):
                self._seen_deal = max(self._seen_deal, deal - 1)
            case m.Rematch(rubber=rubber):
                self._seen_rubber = max(self._seen_rubber, rubber)
        return False

    async def _wait(self, until: str) -> None:
        if not self.scripted:
            self.console.say("Only a script needs to wait.")
            return
        if self.view is None:
            self._fail("You are at no table.")
            return
        if until == "turn":
            await self._wait_for_turn(self.view)
        else:
            await self.visit.until(lambda: is_ended(self.view) or self._is_over(until))
        self._waited(until, self.view)

    def _waited(self, until: str, view: m.TableView | None) -> None:
        if until != "turn" and view is not None and view.deal is not None:
            self._seen_deal = view.deal.number
        if until != "over" and is_ended(view):
            self._fail("The table is closed.")

    async def _wait_for_turn(self, view: m.TableView) -> None:
        """Wait for the own turn, or for the end of the deal that is being played: a script must not hang."""
        deal = deal_being_played(view)
        await self.visit.until(
            lambda: (
                is_ended(self.view)
                or is_my_turn(self.view)
                or (deal is not None and deal_being_played(self.view) != deal)
            )
        )

    def _is_over(self, what: str) -> bool:
        view = self.view
        if view is None or view.deal is None or view.deal.score is None:
            return False
        if what == "deal":
            return view.deal.number > self._seen_deal
        return view.stage == "over" and view.rubber > self._seen_rubber
