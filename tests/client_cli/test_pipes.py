"""The client as a program, with a script or another program at its standard input, against a real server."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.open_table import TableTiming
from server.service import Service
from tests.server.memory_store import MemoryStore

ROOT = Path(__file__).resolve().parent.parent.parent
WITHIN_S = 60


@pytest.fixture
async def url() -> AsyncIterator[str]:
    """A server with a store in memory, whose bots do not think."""
    service = await Service.start("127.0.0.1", 0, MemoryStore(), TableTiming(bot_s=0.0))
    yield f"ws://127.0.0.1:{service.listener.port}/"
    await service.stop()


class Client:
    """Starts `biritch` with a folder of its own for what it remembers."""

    def __init__(self, folder: Path) -> None:
        self.environment = {**os.environ, "BIRITCH_STATE": str(folder), "PYTHONPATH": str(ROOT)}

    async def start(self, *arguments: str, stdin: int = PIPE, stderr: int = STDOUT) -> Process:
        command = (sys.executable, "-m", "client_cli.main", *arguments)
        return await asyncio.create_subprocess_exec(
            *command, stdin=stdin, stdout=PIPE, stderr=stderr, env=self.environment
        )

    async def run(self, script: str, *arguments: str) -> tuple[int, str]:
        """Run a script to its end; return the exit status and what was printed."""
        process = await self.start(*arguments)
        output, _ = await asyncio.wait_for(process.communicate(script.encode()), WITHIN_S)
        assert process.returncode is not None
        return process.returncode, output.decode()


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path)


SIT = "sit S\nbot N\nbot E\nbot W\n"


async def test_a_script_runs_in_order(client: Client, url: str) -> None:
    script = f"# alone with bots\n{SIT}\nready\nwait turn\nhand\nlegal\nsay hello\nwho\n"
    status, output = await client.run(script, "create", url, "auction_bridge", "--name", "Ann")
    assert status == 0, output
    lines = output.splitlines()
    order = ["Ann sits down at S", "A bot plays for W", "S is ready", "Rubber 1 begins", "S  Ann (you)"]
    places = [lines.index(line) for line in order]
    assert places == sorted(places)
    assert sum(line.startswith(">> Your turn: ") for line in lines) == 1
    (hand,) = [line.removeprefix("Your hand: ") for line in lines if line.startswith("Your hand: ")]
    assert hand in lines


async def test_a_refused_line_does_not_stop_a_script_but_fails_it(client: Client, url: str) -> None:
    status, output = await client.run("ready\nfly\nsit N\nquit\nsit S\n", "create", url, "auction_bridge")
    assert status == 1
    lines = output.splitlines()
    assert "That is for those who sit at the table." in lines
    assert "There is no 'fly' here. `help` lists what there is." in lines
    assert any(line.endswith("sits down at N") for line in lines)
    assert not any(line.endswith("sits down at S") for line in lines)


async def test_friends_come_by_the_link_of_a_private_table(client: Client, url: str, tmp_path: Path) -> None:
    _, output = await client.run("sit N\n", "create", url, "auction_bridge", "--private", "--name", "Ann")
    (link,) = [line.split()[-1] for line in output.splitlines() if "biritch join" in line]
    friend = Client(tmp_path / "friend")
    status, output = await friend.run("sit S\nwho\n", "join", link, "--name", "Bob")
    assert status == 0, output
    assert "S  Bob (you)" in output.splitlines()
    status, output = await Client(tmp_path / "other").run("", "join", link.rpartition(":")[0])
    assert (status, output) == (1, "The table is private: it needs its invitation code.\n")


async def test_join_finds_the_only_free_table_and_comes_back_to_it(client: Client, url: str, tmp_path: Path) -> None:
    friend = Client(tmp_path / "friend")
    status, output = await friend.run("", "join", url)
    assert (status, output) == (1, "There is no table here yet; `biritch create` makes one.\n")
    await client.run("sit N\n", "create", url, "auction_bridge", "--name", "Ann")
    status, output = await friend.run("sit S\n", "join", url, "--name", "Bob")
    assert status == 0 and "Bob sits down at S" in output
    await client.run("", "create", url, "auction_bridge", "--option", "slams=english")
    status, output = await friend.run("", "join", url)
    assert status == 0 and "S  Bob (you)" in output  # by the table that it remembers, though two are open now
    status, output = await Client(tmp_path / "third").run("", "join", url)
    assert status == 1 and output.startswith("Say which table to join:\n")
    status, output = await friend.run("", "tables", url)
    assert status == 0 and len(output.splitlines()) == 2 and "slams=english" in output


async def test_a_program_plays_a_rubber(client: Client, url: str) -> None:
    process = await client.start("create", url, "auction_bridge")
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(SIT.encode() + b"ready\n")
    hand, lines = "", []
    while line := (await asyncio.wait_for(process.stdout.readline(), WITHIN_S)).decode():
        lines.append(line.rstrip())
        hand = line.partition(" | ")[2] or hand
        answer = answer_to(line, hand)
        process.stdin.write(f"{answer}\n".encode() if answer else b"")
    assert await process.wait() == 0, lines[-20:]
    assert [line for line in lines if line.startswith("Rubber 1 is over, won by ")]
    assert not any("Traceback" in line for line in lines)


def answer_to(line: str, hand: str) -> str | None:
    """Return what the simplest of players types after a line: passes if he may, plays the first card that he may."""
    start, _, rest = line.strip().partition(": ")
    if start == "you may call":
        return "pass" if rest.startswith("pass") else f"bid {rest.split(', ')[0].rstrip('+')}"
    if start == "you may play":
        return first_card(hand) if rest == "any card" else rest.split()[0]
    if line.startswith("  games"):
        return "quit" if "2" in line else "ready"
    return None


def first_card(hand: str) -> str:
    """Return the first card of a hand such as `S A 10  H -  D 5  C -`."""
    suits = [suit.split() for suit in hand.split("  ")]
    return next(suit + ranks[0] for suit, *ranks in suits if ranks != ["-"])


async def test_the_other_client_of_a_player_is_replaced(client: Client, url: str) -> None:
    first = await client.start("create", url, "auction_bridge")
    assert first.stdout is not None
    while not (await first.stdout.readline()).startswith(b"Table "):
        pass
    status, _ = await client.run("", "join", url)
    assert status == 0
    output, _ = await asyncio.wait_for(first.communicate(), WITHIN_S)
    assert output.decode().splitlines()[-1] == "You have come from somewhere else; this client stops here."
    assert first.returncode == 3


async def test_the_end_of_standard_output_ends_it_quietly(client: Client, url: str) -> None:
    process = await client.start("create", url, "auction_bridge")
    assert process.stdin is not None and process.stdout is not None
    await process.stdout.readline()
    process.stdout._transport.close()  # type: ignore[attr-defined]  # as `head` does
    process.stdin.write(b"help\n" * 2)
    assert await asyncio.wait_for(process.wait(), WITHIN_S) == 0


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["join", "127.0.0.1:1"], 3, "ws://127.0.0.1:1/ cannot be reached: connection refused.\n"),
        (["join", "ftp://x"], 2, "is no address of a server"),
        (["create", "127.0.0.1:1", "auction_bridge", "--option", "slams=x"], 2, "It can be: american, english."),
        (["join", "127.0.0.1:1", "--profile", "../x"], 2, "a profile's name is of letters"),
        (["fly"], 2, "No such command 'fly'"),
        (["--help"], 0, "replay"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
async def test_what_ends_at_once(client: Client, arguments: list[str], status: int, words: str) -> None:
    got, output = await client.run("", *arguments)
    assert got == status, output
    assert words in output


async def test_a_game_that_the_server_does_not_know_is_wrong_use(client: Client, url: str) -> None:
    status, output = await client.run("", "create", url, "preference")
    assert status == 2 and "There is no game 'preference' here." in output


async def test_no_standard_input_is_an_empty_script(client: Client, url: str) -> None:
    process = await client.start("create", url, "auction_bridge", stdin=DEVNULL)
    output, _ = await asyncio.wait_for(process.communicate(), WITHIN_S)
    assert process.returncode == 0, output
