"""A player at one seat, who plays what his table allows, by a client of either kind and a road that makes trouble."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from secrets import token_urlsafe

from protocol import messages as m
from server.session import player_of
from tests.faults.choice import due, impatient, small_talk, somebody_is_away
from tests.faults.client import AGAIN_S, Answer, Client
from tests.faults.linked import Linked
from tests.faults.notes import Notes, Resumed, World
from tests.faults.road import Road
from tests.faults.stubborn import Stubborn
from tests.faults.wire import connector

AT_ONCE_S = 0.02
"""So long players think before the trouble begins and when it is over."""
MOVES_ON_S = 2.0
"""So long after an answer may what follows from it take, before the player looks again at what is due."""
LOOKS_S = 0.5
"""So often does a player look whether he still has to wait for one who is away."""


class Player:
    """A player of one table. `linked` says by which client he plays, `ends` whether he may end the table."""

    def __init__(
        self, name: str, urls: Callable[[], Sequence[str]], world: World, rng: Random, *, linked: bool, ends: bool
    ) -> None:
        self.name = name
        token = token_urlsafe(32)
        self.id = player_of(token)
        self.notes = Notes(self.id, world)
        self.road = Road(urls, world, Random(rng.getrandbits(64)))
        connect = connector(lambda: self.road.url, self.notes, world, Random(rng.getrandbits(64)))
        self.client: Client = (
            Linked(connect, token, name, self.notes, world.haste, self._look)
            if linked
            else Stubborn(connect, token, name, self.notes, Random(rng.getrandbits(64)), self._look)
        )
        self.nudged = False
        self.idle = True
        """Whether no command of its waits for an answer."""
        self._world, self._rng, self._ends = world, rng, ends
        self._changed = asyncio.Event()
        self._at = ""  # the server that it is connected to, or was last
        self._was_there = False
        self._lost: tuple[str, float] | None = None  # which server's connection has been lost, and when
        self._tasks: list[asyncio.Task[None]] = []

    # --- for those who look on

    @property
    def view(self) -> m.TableView | None:
        """The table as this player knows it."""
        return self.client.view

    @property
    def there(self) -> bool:
        """Whether it is connected and has its table."""
        return self.client.there

    @property
    def finished(self) -> bool:
        """Whether it is there and no deal is in progress, nor about to begin by itself."""
        view = self.view
        if not self.there or view is None or not self.idle:
            return False
        if view.stage == "ended":
            return True
        return view.stage in ("scored", "over") and not all(part.ready or part.bot for part in view.seats)

    def nudge(self) -> None:
        """Have it ask for something at once, whosever turn it is."""
        self.nudged = True
        self._changed.set()

    async def returns(self) -> None:
        """Wait until it has its table, or is away by its own doing."""
        while not (self.there or self.road.is_shut):
            self._changed.clear()
            await self._changed.wait()

    def stay_away(self, seconds: float) -> None:
        """Be without a connection for so long, by his own doing."""
        self._lost = None
        self.road.shut(seconds)

    async def come_afresh(self, url: str) -> None:
        """Connect to a server, as one who knows nothing of the table yet."""
        self.road.lead_to(url)
        self.notes.comes_afresh(self.view)
        await self.client.join(self.notes.table)

    # --- its life

    async def start(self) -> None:
        """Live from now on: keep a connection, and play."""
        await self.road.open()
        self._tasks = [asyncio.create_task(self.client.run()), asyncio.create_task(self._play())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for failed in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(failed, Exception):
                self.notes.finds("failed", f"the player came to an end: {failed!r}")
        await self.road.close()

    def _look(self) -> None:
        """Take note of what has changed, and of how long the table was out of sight."""
        there = self.there
        if there:
            self._world.counts["reconnects"] += self._world.mischief and not self._was_there
            if self._lost is not None:
                self._world.resumed.append(Resumed(*self._lost, time.monotonic()))
                self._lost = None
            self._at = self.road.at or self._at
        elif self._was_there and not self.road.is_shut:
            self._lost = (self._at, time.monotonic())
        self._was_there = there
        self._changed.set()

    async def do(self, command: m.Command) -> Answer | None:
        """Do a command and return the answer, None if that is lost."""
        self.idle = False
        try:
            return await self.client.do(command)
        finally:
            self.idle = True

    async def _play(self) -> None:
        while True:
            self._changed.clear()
            command = self._next()
            if command is None:
                await self._wait()
                continue
            if not self.nudged:
                think_s = self._world.think_s if self._world.mischief else AT_ONCE_S
                await asyncio.sleep(self._rng.expovariate(1 / think_s))
                command = self._next()
            if command is not None:
                self.nudged = False
                await self._act(command)

    async def _wait(self) -> None:
        """Wait until something changes; or not so long, if somebody else ought to be there."""
        waits_for_one = self.view is not None and somebody_is_away(self.view)
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKS_S if waits_for_one else None):
                await self._changed.wait()

    def _next(self) -> m.Command | None:
        if not self.there or self.view is None or self._world.over:
            return None
        if self.nudged or (self._world.mischief and self._rng.random() < 0.03):
            return small_talk(self._rng, self.name, nudged=self.nudged)
        command = due(self.view, self._rng, self._world.playing_on)
        return command or impatient(self.view, self._rng, ends=self._ends)

    async def _act(self, command: m.Command) -> None:
        before = self.notes.known
        answer = await self.do(command)
        if not isinstance(answer, m.Accepted):
            await asyncio.sleep(AGAIN_S)
        elif answer.number:
            with suppress(TimeoutError):
                async with asyncio.timeout(MOVES_ON_S):
                    while self.notes.known == before:
                        self._changed.clear()
                        await self._changed.wait()
