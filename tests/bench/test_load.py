"""The measurement runs from end to end, very small; what it measures is no test's business."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import WORDS
from bench.load import Spent
from bench.pacing import Pacer, Slice

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("processes", [1, 2])
def test_load_on_two_tables(processes: int, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    arguments = ["--tables", "2", "--seconds", "1", "--rate", "20", "--rounds", "1", "--idle", "5"]
    arguments += ["--processes", str(processes)]
    command = [sys.executable, "-m", "bench", "load", *arguments, "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    figures = json.loads(file.read_text("utf-8"))
    assert list(figures) == list(WORDS)
    assert (figures["tables"], figures["processes"]) == (2, processes)
    assert figures["seconds"] >= 1
    # Two tables that act 20 times a second, and once more if rounding puts that just before the end.
    assert 0 < figures["actions_per_second"] <= 42
    assert 0 < figures["p50_ms"] <= figures["p99_ms"] <= figures["p999_ms"]
    assert figures["relay_p99_ms"] > 0
    assert processes > 1 or figures["cpu_ratio_to_one_process"] == 1
    assert all(value >= 0 for name, value in figures.items() if not name.startswith("kib_")), figures


def test_quantiles() -> None:
    spent = Spent([n / 1000 for n in range(1000, 0, -1)])
    assert (spent.quantile_ms(0.5), spent.quantile_ms(0.99), spent.quantile_ms(0.999)) == (501, 991, 1000)
    assert Spent().quantile_ms(0.5) == 0


def test_an_action_held_up_counts_from_when_it_was_due() -> None:
    """A table acts every 10 ms and its first action takes 35 ms: the three that waited for it are late as well."""
    acted = []

    def act() -> bool:
        acted.append(clock[0])
        return True

    clock = [0.0]
    pacer = Pacer(act, now=lambda: clock[0])
    pacer.begin(Slice(0.0, 0.1, 0.01), 0.0)
    pacer.due()
    for clock[0] in (0.01, 0.02, 0.03):
        pacer.due()
    for clock[0] in (0.035, 0.036, 0.037, 0.038):
        pacer.heard_by_all()
    assert acted == [0.0, 0.035, 0.036, 0.037]
    assert pacer.slice.latencies_s == pytest.approx([0.035, 0.026, 0.017, 0.008])
