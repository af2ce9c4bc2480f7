"""What a shell is told, and that being asked by one costs little."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from client_cli.main import _COMMANDS, EXIT_STATUSES, PROGRAM, cli
from rules.registry import GAMES

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = {"asyncio", "textual", "msgspec", "msgpack", "websockets", "platformdirs", "protocol"}


def test_exit_statuses_are_in_the_help_and_on_the_players_page() -> None:
    told = CliRunner().invoke(cli, ["--help"]).output
    page = (ROOT / "docs" / "player.md").read_text(encoding="utf-8")
    for status, words in EXIT_STATUSES.items():
        assert f"  {status:<6} {words}\n" in told
        assert f"| {status} | {words} |\n" in page


def ask(words: str, state: Path) -> tuple[list[str], set[str]]:
    """Return what a shell is told about the last word of a line, and which modules that took."""
    program = """
import sys
from client_cli.main import cli
try:
    cli(prog_name="biritch")
finally:
    print(*(name for name in sys.modules if "." not in name), file=sys.stderr)
"""
    asked = {"_BIRITCH_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **asked, "BIRITCH_STATE": str(state), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.removeprefix("plain,") for line in done.stdout.split()], set(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("biritch pl", ["play"]),
        ("biritch ", list(_COMMANDS)),
        ("biritch --h", ["--help"]),
        ("biritch seat ", ["code"]),
        ("biritch play --ne", ["--new"]),
        ("biritch join --se", ["--seat"]),
        ("biritch completion ", ["bash", "zsh", "fish"]),
        ("biritch join --profile ", ["ann", "bob"]),
        ("biritch join --profile a", ["ann"]),
    ],
)
def test_what_is_told_without_much_ado(tmp_path: Path, words: str, answers: list[str]) -> None:
    for profile in ("ann", "bob"):
        (tmp_path / profile).mkdir()
    told, modules = ask(words, tmp_path)
    assert told == answers
    assert not modules & (HEAVY | {"rules"})


@pytest.mark.parametrize("words", ["biritch create ", "biritch create localhost ", "biritch create --private "])
def test_games_are_told(tmp_path: Path, words: str) -> None:
    told, modules = ask(words, tmp_path)
    assert told == list(GAMES)
    assert not modules & HEAVY


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("biritch create vint --option coro", ["coronets=true", "coronets=false"]),
        ("biritch create localhost bridge --option nosuch", []),
        ("biritch create localhost auction_bridge --option slams", ["slams=american", "slams=english"]),
    ],
)
def test_house_rules_are_those_of_the_game(tmp_path: Path, words: str, answers: list[str]) -> None:
    told, modules = ask(words, tmp_path)
    assert told == answers
    assert not modules & HEAVY


def test_a_profile_needs_no_folder(tmp_path: Path) -> None:
    assert ask("biritch join --profile ", tmp_path / "none")[0] == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "client_cli.main", "completion", shell],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"_BIRITCH_COMPLETE={shell}_complete" in done.stdout
    assert PROGRAM in done.stdout
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=done.stdout, text=True, check=True)
