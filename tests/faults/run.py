"""A run from its plan to its report."""

import asyncio
import json
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from tests.faults.check import Refusals, check_commands, check_end, place
from tests.faults.history import History, histories
from tests.faults.notes import Finding, World
from tests.faults.programs import Programs, programs
from tests.faults.server import HASTE, MUTANT
from tests.faults.tables import Seated, seated, until
from tests.faults.trouble import KINDS, Trouble
from tests.faults.walk import Secrets, Walk

SERVERS = 3
FROZEN_S = (15.0, 24.0)
"""Longer than a process is believed to be there, than a ping may take, and than the store is waited for."""

BELONGS_TO_KILL_S = 1.0
SETTLED_S = 1.0
UNDISTURBED = ("kill_server", "crash_server")
"""After these there is another server at once, and the store; the other faults have times of their own in them."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do.

    `haste` divides the servers' time limits, and how long a process sleeps that is frozen; between two faults there is
    a time of `quiet_s`. `mutant` is a fault of the servers that is to be found.
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


@dataclass(slots=True)
class Report:
    """What came out of it."""

    counts: dict[str, int | float] = field(default_factory=dict)
    details: dict[str, object] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def kinds(self) -> Counter[str]:
        return Counter(finding.kind for finding in self.findings)

    def as_json(self) -> str:
        return json.dumps({**self.counts, **self.details, "findings": list(map(str, self.findings))}, indent=2)


async def run(plan: Plan, say: Callable[[str], None]) -> Report:
    """Carry out a plan."""
    environment = {HASTE: str(plan.haste), **({MUTANT: plan.mutant} if plan.mutant else {})}
    async with programs(SERVERS, environment) as them:
        return await _Run(plan, them, say).go()


class _Run:
    def __init__(self, plan: Plan, them: Programs, say: Callable[[str], None]) -> None:
        self._plan, self._programs, self._say = plan, them, say
        rng = Random(plan.seed)
        self._world = World()
        self._tables = [
            seated(number, self._urls, self._world, Random(rng.getrandbits(64)), plan.think_s)
            for number in range(plan.tables)
        ]
        self._players = [player for table in self._tables for player in table.players]
        chance = Random(rng.getrandbits(64))
        frozen_s = min(FROZEN_S) / plan.haste, max(FROZEN_S) / plan.haste
        self._trouble = Trouble(them, self._players, self._world, chance, frozen_s, plan.quiet_s)
        self._pages: list[str] = []

    def _urls(self) -> Sequence[str]:
        """Where a player tries to connect: as a proxy would, it leaves out what is known to be down."""
        return [server.url for server in self._programs.servers if server.running] or [self._programs.servers[0].url]

    async def go(self) -> Report:
        try:
            await self._play()
            history = await histories(self._programs, self._trouble, [table.id for table in self._tables])
        finally:
            await asyncio.gather(*(player.stop() for player in self._players))
        self._say("checking")
        return self._check(history)

    async def _play(self) -> None:
        for player in self._players:
            player.start()
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
            server = self._programs.servers[len(self._pages) % SERVERS]
            try:
                self._pages.append(await server.page("/metrics"))
            except OSError:
                self._pages.append("")  # it is down, or frozen

    async def _finish(self) -> None:
        """Heal everything, let all deals come to their end, and let everybody come afresh."""
        await self._trouble.heal()
        self._world.mischief = self._world.playing_on = False
        try:
            await until(lambda: all(player.finished for player in self._players), self._plan.finish_s)
        except TimeoutError:
            for player in self._players:
                if not player.finished:
                    stage = None if player.view is None else (player.view.stage, player.view.number, player.view.turn)
                    what = f"{player.name} waits: there {player.there}, idle {player.idle}, {stage}"
                    self._world.findings.append(Finding("unfinished", player.table, 0, what))
        await asyncio.sleep(SETTLED_S)
        for table in self._tables:
            for number, player in enumerate(table.players):
                if player.view is not None:
                    player.notes.models.append(player.view)
                player.come_afresh(self._programs.servers[(table.number + number) % SERVERS].url)
        try:
            await until(lambda: all(player.there for player in self._players), self._plan.finish_s)
        except TimeoutError:
            self._world.findings.append(Finding("unfinished", "", 0, "not all came back in the end"))
        await asyncio.sleep(SETTLED_S)
        self._pages += [await server.page("/metrics") for server in self._programs.servers]

    # --- what came out

    def _check(self, histories: dict[str, History]) -> Report:
        report, secrets = Report(findings=list(self._world.findings)), Secrets()
        scored = 0
        for table in self._tables:
            scored += self._check_table(table, histories[table.id], secrets, report)
        for server in self._programs.servers:
            log = server.log.read_text(errors="replace")
            report.findings += secrets.search(f"the log of {server.name}", log)
            report.findings += [Finding("error", "", 0, line[:300]) for line in log.splitlines() if " ERROR " in line]
        for page in self._pages:
            report.findings += secrets.search("a page of metrics", page)
        self._count(report, histories, scored)
        return report

    def _check_table(self, table: Seated, history: History, secrets: Secrets, report: Report) -> int:
        sent = [one for player in table.players for one in player.notes.sent.values()]
        stretches = [stretch for player in table.players for stretch in player.notes.stretches if stretch.told]
        placed, misfits = place(table.id, history, stretches)
        report.findings += [*check_commands(table.id, history, sent), *misfits]
        report.findings += check_end(table.id, history, table.players)
        refusals = Refusals(table.id, history, sent)
        for number, pieces in enumerate(placed):
            walk = Walk(table.id, number, history, pieces, table.players, number not in self._world.forgotten)
            walk.go(refusals, secrets)
            report.findings += walk.findings
        report.findings += refusals.unjust()
        if walk.table.stage == "playing" or not walk.scored:
            what = f"the deal was not finished: {walk.table.stage}"
            report.findings.append(Finding("unfinished", table.id, walk.table.head.number, what))
        return walk.scored

    def _count(self, report: Report, histories: dict[str, History], scored: int) -> None:
        notes = [player.notes for player in self._players]
        sent = [one for note in notes for one in note.sent.values()]
        world, kinds = self._world.counts, report.kinds
        undisturbed = self._resumed(UNDISTURBED)
        report.counts = {
            "actions": sum(bool(one.accepted) for one in sent),
            "kills": world["kills"],
            "reconnects": world["reconnects"],
            "duplicates_sent": world["duplicates_sent"],
            "lost": kinds["lost"],
            "doubled": kinds["doubled"],
            "leaked": kinds["leaked"],
            "refused_wrongly": kinds["refused_wrongly"] + kinds["half_applied"],
            "rewinds": sum(_went_back(history) for history in histories.values()),
            "resume_median_s": round(statistics.median(undisturbed), 3) if undisturbed else 0.0,
            "resume_worst_s": round(max(undisturbed, default=0.0), 3),
        }
        report.details = {
            "seed": self._plan.seed,
            "tables": len(self._tables),
            "deals_scored": scored,
            "cuts": world["cuts"],
            "told_rewound": sum(note.rewound for note in notes),
            "faults": dict(Counter(self._trouble.done)),
            "crashes": {name: count for name, count in world.items() if name.startswith("crash ")},
            "refusals": dict(Counter(code for note in notes for code in note.rejections)),
            "resume_by_fault": {kind: _spread(times_s) for kind in KINDS if (times_s := self._resumed((kind,)))},
            "failures": dict(kinds),
        }

    def _resumed(self, faults: Sequence[str]) -> list[float]:
        """Return how long players of servers that were killed have waited for their table."""
        return [
            one.again_s - one.lost_s
            for one in self._world.resumed
            if any(
                kill.fault in faults and kill.url == one.url and abs(kill.at_s - one.lost_s) < BELONGS_TO_KILL_S
                for kill in self._world.killed
            )
        ]


def _went_back(history: History) -> int:
    """Count how often a table's log has lost entries."""
    return sum(not after.has(before.stored[-1].number, before.stored[-1].id) for before, after in pairwise(history))


def _spread(times_s: Sequence[float]) -> list[float]:
    """Return how many, the median, the worst."""
    return [len(times_s), round(statistics.median(times_s), 3), round(max(times_s), 3)]
