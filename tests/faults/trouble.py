"""The faults: a schedule that follows from a seed, and how each is carried out."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.faults.notes import Killed, World
from tests.faults.player import Player
from tests.faults.programs import Programs, ServerProgram, aside
from tests.faults.server import CRASH, CRASH_POINTS, CRASHED, away_s

KINDS = (
    "kill_server",
    "crash_server",
    "freeze_server",
    "kill_store",
    "freeze_store",
    "kill_server_while_store_frozen",
    "kill_all",
    "restore_store",
    "restore_behind_a_frozen_server",
    "restore_while_all_are_down",
    "fail_over",
    "shift_clock",
    "some_stay_away",
)

PROVOKES = {
    "no-entry-id": ("restore_behind_a_frozen_server",),
    "no-remembered-ids": (),
    "answer-before-append": ("kill_store",),
    "tell-all": (),
}
"""The faults by which each mutant of the server shows; what players do by themselves is there without any."""

CRASH_WITHIN_S, BACK_WITHIN_S = 4.0, 6.0
PASSED_AT_MOST = 5
"""So often does a server pass a point before it crashes there."""

DOWN = (0.6, 0.0, 0.1, 1.0)
"""For how long the store is gone, time after time: now longer, now not so long as it is waited for. The unit is the
shortest time for which something is frozen."""

ONE_IN = 8
"""So many players, and one more, stay away at a time."""


def schedule(rng: Random, kinds: Sequence[str]) -> Iterator[str]:
    """Yield faults without end: all kinds in some order, then all in another."""
    while kinds:
        yield from rng.sample(kinds, len(kinds))


class Trouble:
    """Carries faults out, one after the other, and leaves everything running after each."""

    def __init__(
        self,
        programs: Programs,
        players: Sequence[Player],
        world: World,
        rng: Random,
        frozen_s: tuple[float, float],
        quiet_s: tuple[float, float],
    ) -> None:
        self.ends: list[Path] = []
        """For each era that is over, a copy of what the store had written at its end."""
        self.done: list[str] = []
        self._programs, self._players, self._world, self._rng = programs, players, world, rng
        self._frozen_s, self._quiet_s = frozen_s, quiet_s
        self._copies = 0

    async def go_on(self, seconds: float, kinds: Sequence[str], say: Callable[[str], None]) -> None:
        """Cause one fault after the other for so long."""
        end = time.monotonic() + seconds
        for kind in schedule(self._rng, kinds):
            quiet_s = self._rng.uniform(*self._quiet_s)
            if time.monotonic() + quiet_s > end:
                break
            await asyncio.sleep(quiet_s)
            began = time.monotonic()
            fault: Callable[[], Awaitable[None]] = getattr(self, f"_{kind}")
            await fault()
            self.done.append(kind)
            say(f"{kind}: {time.monotonic() - began:.1f} s")
        await asyncio.sleep(max(0.0, end - time.monotonic()))

    def end_absences(self) -> None:
        for player in self._players:
            player.road.reopen()

    # --- players

    async def _some_stay_away(self) -> None:
        """Let players be away for less, or for longer, than the others need to wait for them."""
        for player in self._rng.sample(self._players, 1 + len(self._players) // ONE_IN):
            player.stay_away(self._rng.uniform(0.5, 3.0) * away_s(self._world.haste))

    # --- servers

    async def _kill_server(self) -> None:
        server = self._some_server()
        gone = self._players_at(server)
        await self._kill(server, "kill_server")
        await asyncio.sleep(self._rng.uniform(0.0, 1.5))
        await server.start()
        await self._back(gone)

    async def _crash_server(self) -> None:
        """Have a server end itself, at one named point and then at another."""
        server = self._some_server()
        gone = self._players_at(server)
        await self._kill(server, "kill_server")
        for point in self._rng.sample(CRASH_POINTS, 2):
            await self._crash_at(server, point)
        await server.start()
        await self._back(gone)

    async def _crash_at(self, server: ServerProgram, point: str) -> None:
        times = 1 if "checkpoint" in point else self._rng.randrange(1, PASSED_AT_MOST + 2)
        await server.start(**{CRASH: f"{point}:{times}"})
        for player in self._rng.sample(self._players, len(self._players) // len(self._programs.servers)):
            player.road.lead_to(server.url)
        try:
            async with asyncio.timeout(CRASH_WITHIN_S):
                status = await server.ended()
        except TimeoutError:  # nothing has been accepted there
            return await self._kill(server, "kill_server")
        assert status == CRASHED, f"{server.name} ended with status {status}"
        self._note_killed(server, "crash_server")
        self._world.counts[f"crash {point}"] += 1

    async def _freeze_server(self) -> None:
        server = self._some_server()
        server.freeze()
        await asyncio.sleep(self._rng.uniform(*self._frozen_s))
        server.thaw()

    async def _shift_clock(self) -> None:
        self._some_server().shift_clock(forward=self._rng.random() < 0.5)

    async def _kill_all(self) -> None:
        await asyncio.gather(*(self._kill(server, "kill_all") for server in self._programs.servers))
        await asyncio.sleep(self._rng.uniform(0.0, 0.5))
        await asyncio.gather(*(server.start() for server in self._programs.servers))

    # --- the store

    async def _kill_store(self) -> None:
        self._programs.store.kill()
        self._world.counts["kills"] += 1
        await asyncio.sleep(DOWN[self.done.count("kill_store") % len(DOWN)] * min(self._frozen_s))
        await aside(self._programs.store.start)

    async def _freeze_store(self) -> None:
        self._programs.store.freeze()
        await asyncio.sleep(self._rng.uniform(*self._frozen_s))
        self._programs.store.thaw()

    async def _kill_server_while_store_frozen(self) -> None:
        """What the server has sent to the store is done when that wakes up; nobody is left to hear of it."""
        server = self._some_server()
        self._programs.store.freeze()
        await asyncio.sleep(self._rng.uniform(0.2, 1.0))
        await self._kill(server, "kill_server_while_store_frozen")
        await asyncio.sleep(self._rng.uniform(0.2, 2.5))
        self._programs.store.thaw()
        await server.start()

    async def _restore_store(self) -> None:
        """Put the store back by a few seconds."""
        kept = self._keep()
        await asyncio.sleep(self._rng.uniform(0.3, 3.0))
        await self._put_back(kept)

    async def _restore_behind_a_frozen_server(self) -> None:
        """Put the store back a little, and let others write over what a server knows that sleeps meanwhile."""
        server, kept, while_s = self._some_server(), self._keep(), min(self._frozen_s)
        await asyncio.sleep(0.3)
        server.freeze()
        await self._put_back(kept)
        await asyncio.sleep(0.3 * while_s)
        for player in self._players:
            if player.road.at == server.url and player.idle:
                player.nudge()
        await asyncio.sleep(0.1 * while_s)
        server.thaw()
        await asyncio.sleep(0.2 * while_s)

    async def _restore_while_all_are_down(self) -> None:
        """Put the store back while nobody is left to know that it was further on, but the players."""
        kept = self._keep()
        await asyncio.sleep(self._rng.uniform(0.3, 1.0))
        await asyncio.gather(*(self._kill(server, "restore_while_all_are_down") for server in self._programs.servers))
        await self._put_back(kept)
        await asyncio.gather(*(server.start() for server in self._programs.servers))

    async def _fail_over(self) -> None:
        """Lose the store's master, and with it what its replica had not copied."""
        self._world.counts["kills"] += 1
        behind_s, alone_s, frozen = self._rng.uniform(0.3, 2.0), self._rng.uniform(0.0, 2.0), self._rng.random() < 0.5
        lost = await self._programs.lose_master(behind_s, frozen=frozen)
        written = self._new_copy()
        lost.copy(written)
        self._end_era(written)
        await self._programs.replace(lost, alone_s)

    # --- parts of these

    def _some_server(self) -> ServerProgram:
        return self._rng.choice(self._programs.servers)

    def _players_at(self, server: ServerProgram) -> set[Player]:
        return {player for player in self._players if player.road.at == server.url}

    async def _back(self, gone: set[Player]) -> None:
        """Let players come back, each once, before anything else happens."""
        with suppress(TimeoutError):
            async with asyncio.timeout(BACK_WITHIN_S):
                await asyncio.gather(*(player.returns() for player in gone))

    async def _kill(self, server: ServerProgram, fault: str) -> None:
        self._note_killed(server, fault)
        await server.kill()

    def _note_killed(self, server: ServerProgram, fault: str) -> None:
        self._world.counts["kills"] += 1
        self._world.killed.append(Killed(fault, server.url, time.monotonic()))

    def _keep(self) -> Path:
        kept = self._new_copy()
        self._programs.store.copy(kept)
        return kept

    def _new_copy(self) -> Path:
        self._copies += 1
        return self._programs.folder / f"copy{self._copies}"

    async def _put_back(self, kept: Path) -> None:
        """Restore what was kept."""
        store = self._programs.store
        store.kill()
        self._end_era(self._keep())
        store.put_back(kept)
        await aside(store.start)

    def _end_era(self, written: Path) -> None:
        """What is acknowledged from now on belongs to another era than what has been `written` so far."""
        self.ends.append(written)
        self._world.era += 1
