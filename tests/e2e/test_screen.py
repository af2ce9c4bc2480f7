"""The full-screen client in a terminal of 80 by 24, with keys alone: a deal of each game to its score, and its end."""

import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import psutil
import pytest

from rules.registry import GAMES
from tests.e2e.processes import ServerProcess
from tests.terminal import WITHIN_S, Terminal

ROOT = Path(__file__).resolve().parent.parent.parent
RIGHT, ENTER, QUIT = "\x1b[C", "\r", "\x11"
SEATING = "take seat|put a bot in|send away the bot at"
WHOLE_PROMPT = re.compile(rf"Enter: (ready|stand up|({SEATING}) \w)|Enter, or r: ready\.|Free: [\w, ]+\.|You watch\.")
"""A line under the hand at a table that has not begun, drawn to its end."""

YOUR_TURN, SCORED = "YOUR TURN", "Checked: the seed deals these cards"


class Start(Protocol):
    def __call__(self, *arguments: str) -> Terminal: ...


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path, since a store's socket is in it."""
    with tempfile.TemporaryDirectory(prefix="b-") as folder:
        yield Path(folder)


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    """What starts `biritch` on the whole screen, each time as the same person."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    environment |= {"BIRITCH_CONFIG": str(folder / "none"), "BIRITCH_STATE": str(folder / "state")}
    for name in ("NO_COLOR", "BIRITCH_PLAIN", "BIRITCH_ASCII"):
        environment.pop(name, None)
    with ExitStack() as stack:

        def start(*arguments: str) -> Terminal:
            command = [sys.executable, "-m", "client_cli.main", *arguments, "--name", "Ann"]
            return stack.enter_context(Terminal(command, environment))

        yield start


@pytest.fixture
async def server(folder: Path) -> AsyncIterator[ServerProcess]:
    """A server whose bots do not think."""
    process = ServerProcess(folder / "data")
    await process.start()
    yield process
    await process.stop()


def prompt_of(shown: str) -> str:
    """Return the line that says what is asked of who is at the keys."""
    return next((line for line in shown.splitlines() if YOUR_TURN in line), "")


def next_key(shown: str) -> str:
    """Return a key that goes on from what the screen shows: pass where one may, else take the first thing offered."""
    if "Enter: " in prompt_of(shown):
        return ENTER
    return "p" if "│ Pass" in shown else RIGHT


def play_deal(terminal: Terminal) -> None:
    """Play until a deal is scored.

    What is read may end in the middle of a picture, so that the prompt is still there which has been answered. Enter
    is not pressed again for it: the next thing that it would answer is the score.
    """
    shown = key = ""

    def asked() -> bool:
        now = terminal.text
        if SCORED in now:
            return True
        return YOUR_TURN in now and now != shown and (key == "p" or prompt_of(now) != prompt_of(shown))

    while SCORED not in shown:
        terminal.until(asked)
        shown = terminal.text
        if SCORED not in shown:
            key = next_key(shown)
            terminal.types(key)


def choose(terminal: Terminal, what: str) -> None:
    """Go along what is offered until this is, and take it. No key is pressed before the one before has shown."""

    def prompt() -> str:
        return terminal.text.split("\n")[-2].strip()

    def changed(before: str) -> bool:
        return prompt() != before and WHOLE_PROMPT.fullmatch(prompt()) is not None

    terminal.until(lambda: changed(""))  # what was taken before has been answered
    while f"Enter: {what}" not in prompt():
        before = prompt()
        terminal.types(RIGHT)
        terminal.until(lambda before=before: changed(before))  # type: ignore[misc]
    terminal.types(ENTER)
    terminal.until(lambda: not prompt().startswith("Enter: "))


def sit_down(terminal: Terminal, bots: int) -> None:
    """Take a seat, let bots take the others, and begin."""
    terminal.shows("Who plays?")
    choose(terminal, "take seat")
    terminal.shows("Ann (you)")
    for number in range(bots):
        choose(terminal, "put a bot in")
        terminal.until(lambda number=number: terminal.text.count("A bot plays for") > number)  # type: ignore[misc]
    terminal.types("r")
    terminal.shows("deal 1")


@pytest.mark.parametrize("game", GAMES)
async def test_a_deal_is_played_to_its_score_with_keys_alone(start: Start, server: ServerProcess, game: str) -> None:
    terminal = start("create", server.url, game)
    sit_down(terminal, bots=3)
    play_deal(terminal)
    terminal.types("3")
    terminal.shows("[3 Score]")
    terminal.shows("Enter Go on")  # not before it could be seen for a moment
    terminal.types(ENTER)
    terminal.shows("deal 2")
    terminal.types(QUIT)
    assert terminal.end() == 0


def test_who_comes_back_is_at_the_same_table(start: Start, folder: Path) -> None:
    first = start("play", "--data", str(folder), "--game", "vint")
    first.shows(YOUR_TURN)
    (table,) = re.findall(r"table \w{12}", first.text)
    first.types(QUIT)
    assert first.end() == 0
    again = start("play", "--data", str(folder))
    again.shows(YOUR_TURN)
    assert table in again.text
    again.types(QUIT)
    assert again.end() == 0


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_gives_the_terminal_back_and_stops_the_server(
    start: Start, folder: Path, number: signal.Signals, status: int
) -> None:
    terminal = start("play", "--data", str(folder), "--game", "vint")
    terminal.shows("deal 1")
    programs = terminal.programs()
    assert programs
    terminal.process.send_signal(number)
    assert terminal.end() == status
    assert "\x1b[?1049l" in terminal.seen
    _, alive = psutil.wait_procs(programs, timeout=WITHIN_S)
    assert alive == []


def test_a_terminal_that_is_gone_ends_client_and_server(start: Start, folder: Path) -> None:
    terminal = start("play", "--data", str(folder), "--game", "vint")
    terminal.shows("deal 1")
    programs = terminal.programs()
    terminal.hang_up()
    assert terminal.end() == 129
    _, alive = psutil.wait_procs(programs, timeout=WITHIN_S)
    assert alive == []


def test_a_server_that_ends_by_itself_is_told(start: Start, folder: Path) -> None:
    terminal = start("play", "--data", str(folder), "--game", "vint")
    terminal.shows("deal 1")
    server, store = terminal.programs()
    server.kill()
    assert terminal.end() == 3
    assert "The server has ended by itself; see " in terminal.seen
    store.kill()  # it would be used, and stopped, by who plays next in this folder
