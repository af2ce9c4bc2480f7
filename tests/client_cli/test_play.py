"""`biritch play` with the real server and its embedded store: bots that play while nobody watches, and a person."""

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from client_cli.alone import opening
from client_cli.place import NoPlace
from client_cli.robots import MOST_DEALS
from rules.registry import GAMES
from tests.terminal import WITHIN_S, Terminal

ROOT = Path(__file__).resolve().parent.parent.parent
USUAL = ("--game", "auction_bridge")
COMMAND = [sys.executable, "-m", "client_cli.main", "play"]


@pytest.fixture
def data() -> Iterator[Path]:
    """A folder with a short path, since the store's socket is in it."""
    with tempfile.TemporaryDirectory(prefix="b-") as folder:
        yield Path(folder)


@pytest.fixture
def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "TERM": "xterm"}


def watched(environment: dict[str, str], *arguments: str) -> list[str]:
    """Return what is printed where nobody plays."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout[-2000:] + done.stderr
    return done.stdout.splitlines()


def deals_of(lines: list[str]) -> int:
    """Return how many deals are printed, each with its seed."""
    deals = [line for line in lines if re.fullmatch(r"Deal \d+", line)]
    assert deals == [f"Deal {number}" for number in range(1, len(deals) + 1)] and deals
    assert sum(bool(re.fullmatch(r"seed [0-9a-f]{64}", line)) for line in lines) == len(deals)
    return len(deals)


def test_bots_play_every_game_and_print_it(environment: dict[str, str]) -> None:
    lines = watched(environment)
    begins = [lines.index(f"{family.title}, all options at their defaults") for family in GAMES.values()]
    assert begins == sorted(begins)
    told = []
    for family, begin, end in zip(GAMES.values(), begins, [*begins[1:], len(lines)], strict=True):
        part = lines[begin:end]
        deals, (total,) = deals_of(part), [line for line in part if line.startswith("Total: ")]
        assert re.fullmatch(r"Total: NS -?\d+, EW -?\d+\. (NS|EW) wins the (rubber|game)\.", total)
        assert {"Rubber 1", "Game 1"} & set(part)
        told.append(f"{family.title} in {deals} deals")
    assert lines[-1] == f"Played and checked: {', '.join(told)}."


def test_bots_play_one_game_with_another_number(environment: dict[str, str]) -> None:
    lines = watched(environment, "--game", "five_hundred", "--players", "3")
    assert deals_of(lines) <= MOST_DEALS
    assert re.fullmatch(r"Total: 1: -?\d+, 2: -?\d+, 3: -?\d+\. [123] wins the game\.", lines[-1])


def test_bots_play_a_session_of_three_rubbers_and_end_with_the_ledger(environment: dict[str, str]) -> None:
    lines = watched(environment, "--game", "vint", "--option", "session=three_rubbers")
    deals_of(lines)
    tables = [dict(re.findall(r"([NESW]) (Robot \d)", line)) for line in lines if re.match(r"Rubber \d begins: ", line)]
    partners = {frozenset((table["N"], table["S"])) for table in tables}
    partners |= {frozenset((table["E"], table["W"])) for table in tables}
    assert len(tables) == 3 and len(partners) == 6, "each has each of the others as his partner"
    totals = [
        found for line in lines if (found := re.match(r"Total: NS (\d+), EW (\d+)\. (NS|EW) wins the rubber", line))
    ]
    due = dict.fromkeys(tables[0].values(), 0)
    for table, total in zip(tables, totals, strict=True):
        lead = int(total[1]) - int(total[2])
        for seat, name in table.items():
            due[name] += lead if seat in "NS" else -lead
    assert lines[-5] == "Ledger"
    told = [re.fullmatch(r"  (Robot \d) +([+-]\d+)", line) for line in lines[-4:]]
    assert {found[1]: int(found[2]) for found in told if found} == due


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--option", "count=1913"], "It can be: 1912, 1908."),
        (["--game", "whist"], "There is no game 'whist'"),
        (["--option", "slams=english", "--option", "slams=american"], "is given twice, as english and as american."),
        (["--game", "vint", "--players", "3"], "Vint is not for 3 players"),
    ],
)
def test_wrong_use(environment: dict[str, str], arguments: list[str], words: str) -> None:
    done = subprocess.run(
        [*COMMAND, *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert words in done.stderr


Sit = Callable[..., Terminal]


@pytest.fixture
def sit(data: Path, environment: dict[str, str]) -> Iterator[Sit]:
    """What starts somebody who plays line by line, and who may come back to the same folder."""
    with ExitStack() as stack:

        def start(*arguments: str) -> Terminal:
            command = [*COMMAND, "--plain", "--data", str(data), "--name", "Ann", *arguments]
            return stack.enter_context(Terminal(command, environment))

        yield start


def test_a_person_is_asked_which_game_plays_and_comes_back(sit: Sit) -> None:
    first = sit()
    first.sees("Which game?")
    first.types("whist\n")
    first.sees("type a number from 1 to 4")
    first.types("2\n")
    first.sees(": Bridge, all options at their defaults")
    first.sees("Deal 1: ")  # and not a turn of his own: dummy, who does not declare, has none in a deal
    first.types("who\n")
    first.sees("S  Ann (you)")
    first.types("quit\n")
    assert first.end() == 0
    again = sit()
    again.sees("Your unfinished rubber goes on")
    assert "Which game?" not in again.seen
    again.types("quit\n")
    assert again.end() == 0
    new = sit("--new")
    new.sees("Enter alone is for Royal auction bridge.")
    new.types("\n")
    new.sees("Deal 1: ")
    assert "goes on" not in new.seen
    new.types("quit\n")
    assert new.end() == 0


def test_who_types_nothing_plays_nothing(sit: Sit) -> None:
    person = sit()
    person.sees("Which game?")
    person.types("\x04")
    assert person.end() == 0


def test_a_person_at_a_table_of_five(sit: Sit) -> None:
    person = sit("--game", "five_hundred", "--players", "5")
    person.sees("Ann sits down at 5")
    person.sees(">> Your turn: ")
    person.types("quit\n")
    assert person.end() == 0


def test_two_can_play_in_one_folder(sit: Sit) -> None:
    people = [sit(*USUAL), sit(*USUAL)]
    for person in people:
        person.sees(">> Your turn")
    for person in people:
        person.types("quit\n")
        assert person.end() == 0


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)])
def test_the_server_is_stopped_with_the_client(sit: Sit, number: signal.Signals, status: int) -> None:
    person = sit(*USUAL)
    person.sees("Deal 1: ")
    programs = person.programs()
    assert programs
    person.process.send_signal(number)
    assert person.end() == status
    _, alive = psutil.wait_procs(programs, timeout=WITHIN_S)
    assert alive == []


def test_a_server_that_ends_by_itself_ends_the_client(sit: Sit) -> None:
    person = sit(*USUAL)
    person.sees("Deal 1: ")
    server, store = person.programs()
    server.kill()
    person.sees("The server has ended by itself; see ")
    assert person.end() == 3
    store.kill()  # it would be used, and stopped, by who plays next in this folder


def test_a_missing_package_is_told(data: Path, environment: dict[str, str]) -> None:
    program = "import sys; sys.modules['redis'] = None; import client_cli.main as m; m.main()"
    assert why_not(environment, sys.executable, "-c", program, "play") == (
        "A server of your own needs more packages: install biritch[server], "
        "or in a clone run `python3 tools/setup.py server`.\n"
    )


def test_a_folder_that_cannot_be_is_a_sentence(data: Path, environment: dict[str, str]) -> None:
    (data / "file").touch()
    said = why_not(environment, *COMMAND, "--bots-only", "--data", str(data / "file" / "x"))
    assert re.fullmatch(r"The folder \S+/file/x cannot be used: Not a directory\. With --data .*\.\n", said)


def why_not(environment: dict[str, str], *command: str) -> str:
    """Run a command that cannot begin, and return what it says of that."""
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    return done.stderr


async def test_a_player_whose_folder_cannot_be_gets_the_same_sentence(data: Path) -> None:
    (data / "file").touch()
    with pytest.raises(NoPlace, match=r"file/x/players cannot be used: Not a directory\."):
        async with opening(None, data / "file" / "x", name=None, new=False)():
            pass
