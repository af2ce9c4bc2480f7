"""The measurement of the rules runs for every game; what it measures is no test's business."""

import json
from pathlib import Path

from click.testing import CliRunner

from bench.__main__ import main
from rules.registry import GAMES


def test_every_game_is_measured(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    done = CliRunner().invoke(main, ["core", "--seconds", "0.01", "--json", str(file)], catch_exceptions=False)
    assert done.exit_code == 0
    figures = json.loads(file.read_text("utf-8"))["actions_per_second"]
    assert list(figures) == list(GAMES)
    assert all(figure > 0 for figure in figures.values())
