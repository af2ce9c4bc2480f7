"""A run from its plan to its report."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from tests.faults.commands import check_commands
from tests.faults.history import History, histories
from tests.faults.logs import Agreement, Secrets, errors
from tests.faults.notes import Finding, World
from tests.faults.order import check_end, check_rewinds, place
from tests.faults.programs import Programs, programs
from tests.faults.refusals import Refusals
from tests.faults.report import Report
from tests.faults.server import HASTE, MUTANT, away_s
from tests.faults.tables import Seated, seated, until
from tests.faults.trouble import KINDS, Trouble
from tests.faults.walk import Walk, judging

FROZEN_S = (21.0, 27.0)
"""Longer than a process is believed to be there, than a ping may take, than the store and a player are waited for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do.

    `haste` divides the servers' time limits, and how long a process sleeps that is frozen; between two faults there is
    a time of `quiet_s`. `mutant` is a fault of the servers that is to be found. The store is one that a Sentinel keeps
    if that is needed for the `kinds` of faults. After the faults the deals have `finish_s` to come to their end, and
    what is under way has `settled_s`.
    """

    seconds: float = 60.0
    seed: int = 0
    tables: int = 50
    haste: float = 3.0
    think_s: float = 0.3
    kinds: Sequence[str] = KINDS
    quiet_s: tuple[float, float] = (0.5, 2.0)
    mutant: str | None = None
    finish_s: float = 90.0
    settled_s: float = 1.0
    servers: int = 3


async def run(plan: Plan, say: Callable[[str], None]) -> Report:
    """Carry out a plan."""
    environment = {HASTE: str(plan.haste), **({MUTANT: plan.mutant} if plan.mutant else {})}
    async with programs(plan.servers, environment, sentinel="fail_over" in plan.kinds) as them:
        return await _Run(plan, them, say).go()


class _Run:
    def __init__(self, plan: Plan, them: Programs, say: Callable[[str], None]) -> None:
        self._plan, self._programs, self._say = plan, them, say
        rng = Random(plan.seed)
        self._world = World(plan.haste, plan.think_s)
        self._tables = [
            seated(number, self._urls, self._world, Random(rng.getrandbits(64))) for number in range(plan.tables)
        ]
        self._players = [player for table in self._tables for player in table.players]
        chance = Random(rng.getrandbits(64))
        frozen_s = min(FROZEN_S) / plan.haste, max(FROZEN_S) / plan.haste
        self._trouble = Trouble(them, self._players, self._world, chance, frozen_s, plan.quiet_s)
        self._pages: list[str] = []

    def _urls(self) -> Sequence[str]:
        """Where a road may lead."""
        return [server.url for server in self._programs.servers if server.running]

    async def go(self) -> Report:
        try:
            await self._play()
            history = await histories(self._programs, self._trouble.ends, [table.id for table in self._tables])
        finally:
            await asyncio.gather(*(player.stop() for player in self._players))
        self._say("checking")
        with judging(away_s(self._plan.haste)):
            return self._check(history)

    async def _play(self) -> None:
        await asyncio.gather(*(player.start() for player in self._players))
        await asyncio.gather(*(table.sit_down() for table in self._tables))
        self._say(f"{len(self._players)} players sit at {len(self._tables)} tables")
        self._world.mischief = True
        looking = asyncio.create_task(self._look_at_pages())
        try:
            await self._trouble.go_on(self._plan.seconds, self._plan.kinds, self._say)
        finally:
            looking.cancel()
        await self._finish()

    async def _look_at_pages(self) -> None:
        while True:
            await asyncio.sleep(5)
            server = self._programs.servers[len(self._pages) % self._plan.servers]
            try:
                self._pages.append(await server.page("/metrics"))
            except OSError:
                self._pages.append("")  # it is down, or frozen

    async def _finish(self) -> None:
        """Let everybody return, all deals come to their end, and everybody come afresh."""
        self._world.mischief = self._world.playing_on = False
        self._trouble.end_absences()
        try:
            await until(lambda: all(player.finished for player in self._players), self._plan.finish_s)
        except TimeoutError:
            for player in self._players:
                if not player.finished:
                    stage = None if player.view is None else (player.view.stage, player.view.number, player.view.turn)
                    player.notes.finds("unfinished", f"{player.name} waits: there {player.there}, {stage}")
        self._world.over = True
        await asyncio.sleep(self._plan.settled_s)
        for table in self._tables:
            for number, player in enumerate(table.players):
                await player.come_afresh(self._programs.servers[(table.number + number) % self._plan.servers].url)
        try:
            await until(lambda: all(player.there for player in self._players), self._plan.finish_s)
        except TimeoutError:
            self._world.findings.append(Finding("unfinished", "", 0, "not all came back in the end"))
        await asyncio.sleep(self._plan.settled_s)
        self._pages += [await server.page("/metrics") for server in self._programs.servers]

    # --- what came out

    def _check(self, histories: dict[str, History]) -> Report:
        report, secrets = Report(findings=list(self._world.findings)), Secrets()
        found: Counter[str] = Counter()
        for table in self._tables:
            found += self._check_table(table, histories[table.id], secrets, report)
        report.findings += self._check_servers(secrets, found)
        report.count(self._world, [player.notes for player in self._players], found, self._trouble.done)
        report.details = {"seed": self._plan.seed, "tables": len(self._tables), **report.details}
        return report

    def _check_table(self, table: Seated, history: History, secrets: Secrets, report: Report) -> Counter[str]:
        notes = [player.notes for player in table.players]
        sent = [one for player in notes for one in player.sent]
        stretches = [stretch for player in notes for stretch in player.stretches]
        placed, misfits = place(table.id, history, stretches)
        report.findings += [*check_commands(table.id, history, sent), *misfits]
        report.findings += [*check_rewinds(table.id, history, notes), *check_end(table.id, history, notes)]
        refusals = Refusals(table.id, history, sent)
        for number, pieces in enumerate(placed):
            walk = Walk(table.id, history, number, pieces, notes)
            walk.go(refusals, secrets)
            report.findings += walk.findings
        report.findings += refusals.unjust()
        if walk.table.stage == "playing" or not (walk.deals.scored or walk.table.ended):
            what = f"the deal was not finished: {walk.table.stage}"
            report.findings.append(Finding("unfinished", table.id, walk.table.head.number, what))
        return walk.counts + Counter(deals_scored=walk.deals.scored, rewinds=_went_back(history))

    def _check_servers(self, secrets: Secrets, found: Counter[str]) -> Iterator[Finding]:
        agreement = Agreement()
        for server in self._programs.servers:
            log = server.log.read_text(errors="replace")
            agreement.read(log)
            yield from secrets.search(f"the log of {server.name}", log)
            yield from errors(server.name, log)
        yield from agreement.findings()
        found["checkpoints_agreed"] = agreement.agreed
        for page in self._pages:
            yield from secrets.search("a page of metrics", page)


def _went_back(history: History) -> int:
    """Count how often a table's log has lost entries."""
    return sum(not after.has(before.stored[-1].head) for before, after in pairwise(history))
