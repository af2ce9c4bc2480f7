"""The command `python -m bench`."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bench.core import report
from bench.load import Plan, measure
from bench.tables import measure as measure_tables

PLAN = Plan()
BUSY_RATE = 8.0

WORDS = {
    "actions_per_second": "accepted calls and cards a second",
    "p50_ms": "ms from an action to the last of four who hears of it: half take at most",
    "p99_ms": "  99 of 100",
    "p999_ms": "  999 of 1,000",
    "cpu_s_per_1000": "server CPU of all processes, s per 1,000 actions",
    "store_cpu_s_per_1000": "  its store",
    "cpu_ratio_to_one_process": "all processes / one process that serves as much alone, CPU",
    "one_process_store_cpu_s_per_1000": "  the store of that one, s per 1,000 actions",
    "cpu_ms_per_second_at_rest": "server CPU of all processes while nobody acts, ms a second",
    "relay_cpu_s_per_1000": "  the bare relay",
    "cpu_ratio_to_relay": "server / relay, CPU",
    "relay_p99_ms": "the relay's ms, 99 of 100",
    "kib_per_idle_connection": "KiB resident per idle connection",
    "kib_per_table": "KiB resident, of all processes, per table, its four connections and their history with it",
    "tables": "tables",
    "processes": "server processes",
    "seconds": "seconds of load",
}

TABLES_WORDS = {
    "server_kib_per_table_first": "KiB resident that each table has added to the server process, at first",
    "server_kib_per_table_last": "  at last",
    "store_kib_per_table_first": "KiB that each table has added to the store, at first",
    "store_kib_per_table_last": "  at last",
    "server_kib": "KiB resident of the server process, when all tables are closed",
    "server_kib_after": "  when they have expired",
    "store_kib": "KiB used by the store, when all tables are closed",
    "store_kib_after": "  when they have expired",
    "tables": "tables opened and closed",
    "open_left": "  still open in the server process at the end",
    "keys": "keys that they had in the store",
    "keys_for_ever": "  that had no time to expire at",
    "keys_left": "  that are left when the tables have expired",
}


_JSON = click.option(
    "--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write the figures here as well."
)


@click.group()
def main() -> None:
    """Measure what a server costs and how quick it is, and how quick the rules are."""


@main.command()
@click.option("--tables", default=PLAN.tables, show_default=True, type=click.IntRange(1), help="Tables of four.")
@click.option("--seconds", default=PLAN.seconds, show_default=True, help="Load on each of server and relay.")
@click.option(
    "--rate",
    type=float,
    help="Actions a second of each table; 0 for no pause. Default:"
    f" {PLAN.rate:g}, or {BUSY_RATE:g} where several processes are compared with one.",
)
@click.option("--rounds", default=PLAN.rounds, show_default=True, type=click.IntRange(1), help="Slices of each.")
@click.option("--idle", default=PLAN.idle, show_default=True, help="Idle connections to open.")
@click.option(
    "--processes", default=PLAN.processes, show_default=True, type=click.IntRange(1), help="Server processes."
)
@_JSON
def load(file: Path | None, rate: float | None, **plan: Any) -> None:
    """Play at many tables of a server with its embedded store, by turns with a bare relay.

    Several processes share one store, and the seats of each table are spread over them; then one process that serves
    as many tables alone takes turns as well. They are given more to do: where there is little, what a process spends on
    being woken for a single action is most of its cost.
    """
    if rate is None:
        rate = PLAN.rate if plan["processes"] == 1 else BUSY_RATE
    _tell(asyncio.run(measure(Plan(rate=rate, **plan))), WORDS, file)


@main.command()
@click.option("--count", default=10_000, show_default=True, type=click.IntRange(1), help="How many tables.")
@_JSON
def tables(file: Path | None, count: int) -> None:
    """Open and close many tables on one server process, and see what memory it and its store keep of them.

    The file has what was in use on the way as well.
    """
    figures, samples = asyncio.run(measure_tables(count))
    _tell(figures, TABLES_WORDS, file, samples=samples)


def _tell(figures: Mapping[str, float], words: Mapping[str, str], file: Path | None, **more: object) -> None:
    for name, meaning in words.items():
        click.echo(f"{figures[name]:12,.3f}  {meaning}")
    if file is not None:
        file.write_text(json.dumps({name: figures[name] for name in words} | more, indent=2) + "\n")


@main.command()
@click.option(
    "--seconds", default=3.0, show_default=True, type=click.FloatRange(0, min_open=True), help="For each game."
)
@click.option("--seed", default=1, show_default=True, help="What the deals are made from.")
@_JSON
def core(seconds: float, seed: int, file: Path | None) -> None:
    """Fold whole deals of each game in one process, listing the legal actions of every state."""
    report(seconds, seed, file)


if __name__ == "__main__":
    main()
