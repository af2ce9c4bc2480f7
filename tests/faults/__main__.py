"""The command line of the fault test."""

import argparse
import asyncio
import signal
import sys
from dataclasses import replace
from pathlib import Path

from tests.faults.mutants import MUTANTS
from tests.faults.report import Report
from tests.faults.run import Plan, run
from tests.faults.trouble import PROVOKES

GIVE_UP_S = 5.0
"""A server with a fault may never finish a deal."""

SHOWN = 10
"""So many findings of each kind are printed at most."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long faults are caused (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="what the schedule follows from (default: 0)")
    parser.add_argument("--tables", type=int, default=50, help="default: 50")
    parser.add_argument("--haste", type=float, default=3.0, help="what the servers' time limits are divided by")
    parser.add_argument("--mutant", choices=sorted(MUTANTS), help="give the servers a fault that must be found")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts there")
    given = parser.parse_args()
    plan = Plan(given.seconds, given.seed, given.tables, given.haste)
    if given.mutant is not None:
        plan = replace(plan, mutant=given.mutant, kinds=PROVOKES[given.mutant], finish_s=GIVE_UP_S)
    try:
        report = asyncio.run(_until_terminated(plan))
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 130
    show(report)
    if given.json is not None:
        given.json.write_text(report.as_json() + "\n", encoding="utf-8")
    return 1 if report.findings else 0


async def _until_terminated(plan: Plan) -> Report:
    """Run the plan; a request to end ends it in good order."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    print(f"seed {plan.seed}, {plan.tables} tables, {plan.seconds:.0f} s of faults", flush=True)
    return await run(plan, lambda line: print(f"  {line}", flush=True))


def show(report: Report) -> None:
    for name, value in {**report.counts, **report.details}.items():
        print(f"{name:>19}  {value}")
    for kind, count in sorted(report.kinds.items()):
        print(f"\n{kind}: {count}")
        for finding in [finding for finding in report.findings if finding.kind == kind][:SHOWN]:
            print(f"  {finding}")
    print("\nFAILED" if report.findings else "\nall checks passed")


if __name__ == "__main__":
    sys.exit(main())
