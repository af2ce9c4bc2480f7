"""The measurement of many tables runs from end to end; what it finds of memory is no test's business."""

import json
import subprocess
import sys
from pathlib import Path

from bench.__main__ import TABLES_WORDS

ROOT = Path(__file__).resolve().parent.parent.parent


def test_nothing_is_left_of_twenty_tables(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    command = [sys.executable, "-m", "bench", "tables", "--count", "20", "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    figures = json.loads(file.read_text("utf-8"))
    assert list(figures) == [*TABLES_WORDS, "samples"]
    assert figures["tables"] == 20
    assert figures["open_left"] == 0
    # The log and the card of each, the warm-up's too, and the set of public tables.
    assert figures["keys"] == 2 * 21 + 1
    assert (figures["keys_for_ever"], figures["keys_left"]) == (0, 0)
    assert [sample["tables"] for sample in figures["samples"]] == list(range(0, 21, 2))
