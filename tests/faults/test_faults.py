"""The fault test in short, and the proof that it finds the faults that it is there for."""

from dataclasses import replace

import pytest

from tests.faults.mutants import MUTANTS
from tests.faults.report import Report
from tests.faults.run import Plan, run
from tests.faults.trouble import PROVOKES

SHORT = Plan(seconds=15, seed=11814, tables=6, haste=6, think_s=0.2, quiet_s=(0.1, 0.4), settled_s=0.5)

SHOWS = {
    "no-entry-id": {"order", "rewind", "digest", "log"},
    "no-remembered-ids": {"refused_wrongly"},
    "answer-before-append": {"lost"},
    "tell-all": {"leaked"},
}
"""Of these findings each mutant has to cause one or the other."""


async def carried_out(plan: Plan) -> Report:
    print(f"seed {plan.seed}")
    return await run(plan, print)


async def test_whatever_fails_nothing_accepted_is_lost_and_nothing_hidden_is_told() -> None:
    report = await carried_out(SHORT)
    assert not report.findings, "\n".join(map(str, report.findings[:20]))
    assert report.counts["actions"] > 0 and report.counts["kills"] > 0 and report.counts["checkpoints_agreed"] > 0


@pytest.mark.parametrize("mutant", MUTANTS)
async def test_a_server_that_is_at_fault_is_found_out(mutant: str) -> None:
    kinds = PROVOKES[mutant]
    seconds = 3.0 if kinds else 1.5
    plan = replace(SHORT, seconds=seconds, servers=2, mutant=mutant, kinds=kinds, finish_s=0)
    report = await carried_out(plan)
    assert SHOWS[mutant] & report.kinds.keys(), report.as_json()
