"""`biritch browse` at a terminal, and where there is none."""

import os
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from client_cli.browse import NO_SCREEN, browse
from tests.terminal import Terminal

ROOT = Path(__file__).parents[2]
DEALS = ROOT / "tests" / "golden" / "vint.jsonl"
COMMAND = [sys.executable, "-c", "from client_cli.browse import browse; browse()"]
AT_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp('sh', ['sh', '-c', sys.argv[1]])"
)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"} | more


def test_without_a_terminal_it_says_what_does_without_one() -> None:
    done = CliRunner().invoke(browse, [str(DEALS)])
    assert done.exit_code == 2
    assert NO_SCREEN in done.stderr
    assert "biritch replay --full" in NO_SCREEN


def test_a_file_is_needed() -> None:
    assert CliRunner().invoke(browse, []).exit_code == 2


@pytest.mark.parametrize("more", [{"TERM": "dumb"}, {"BIRITCH_PLAIN": "true"}])
def test_where_no_whole_screen_is_wanted_there_is_none(more: dict[str, str]) -> None:
    with Terminal([*COMMAND, str(DEALS)], environment(**more)) as terminal:
        assert terminal.end() == 2
        assert "biritch replay --full" in " ".join(terminal.seen.split())


def test_files_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with Terminal([*COMMAND, str(tmp_path / "none"), str(tmp_path)], environment(), size=(200, 24)) as terminal:
        assert terminal.end() == 1
        assert f"{tmp_path / 'none'}: No such file or directory" in terminal.seen
        assert f"{tmp_path}: Is a directory" in terminal.seen


def test_deals_are_gone_through_at_a_terminal() -> None:
    with Terminal([*COMMAND, "--ascii", str(DEALS)], environment(NO_COLOR="1"), size=(100, 30)) as terminal:
        terminal.shows("vint-001")
        terminal.types("\r")
        terminal.shows("Step 0 of")
        terminal.types(" ")
        terminal.shows("Step 1 of")
        assert terminal.text.isascii()
        terminal.types("q")
        terminal.shows("Enter Open")
        terminal.types("q")
        assert terminal.end() == 0


def test_deals_come_from_a_pipe_and_keys_from_the_terminal() -> None:
    command = f"cat {shlex.quote(str(DEALS))} | {shlex.join(COMMAND)} -"
    with Terminal([sys.executable, "-c", AT_TERMINAL, command], environment(), size=(100, 30)) as terminal:
        terminal.shows("vint-001")
        terminal.shows("-:1")
        terminal.types("\r")
        terminal.shows("Step 0 of")
        terminal.types("qq")
        assert terminal.end() == 0


def test_a_pipe_without_a_terminal_is_refused() -> None:
    command = f"cat {shlex.quote(str(DEALS))} | {shlex.join(COMMAND)} -"
    with Terminal(["sh", "-c", command], environment(), size=(100, 30)) as terminal:
        assert terminal.end() == 2
        assert "biritch replay --full" in " ".join(terminal.seen.split())
