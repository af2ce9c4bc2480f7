"""A seat that moves from one program to another by a code, at a real server."""

import asyncio
import re
import shlex
from asyncio.subprocess import Process
from pathlib import Path

import pytest

from client_cli.seat import BadSeatCode, handed_on, parse_seat_code
from client_cli.state import OWN_SERVER
from client_cli.tell import tell
from client_cli.verbs import Wrong, read_line
from protocol import messages as m
from tests.client_cli.test_pipes import SIT, WITHIN_S, Client, client, url
from tests.client_cli.views import GATHERING

__all__ = ["client", "url"]  # fixtures


@pytest.mark.parametrize("text", ["t1:abcd-efgh-jkmn", " t1:abcd-efgh-jkmn\n"])
def test_a_code_names_its_table(text: str) -> None:
    assert parse_seat_code(text) == ("t1", "abcd-efgh-jkmn")


@pytest.mark.parametrize("text", ["", "abcd-efgh-jkmn", "t1:", ":abcd", "t1:ab cd", "t1:a:b", "t 1:abcd"])
def test_what_is_no_code(text: str) -> None:
    with pytest.raises(BadSeatCode):
        parse_seat_code(text)


def test_what_is_handed_on_can_be_typed_into_a_shell() -> None:
    made = m.SeatCode("t1", "abcd-efgh-jkmn", 1600.0)
    _, line = handed_on("ws://h:1/", made, "Ann & Bob")
    words = shlex.split(line)
    assert words == ["biritch", "join", "ws://h:1/", "--seat", "t1:abcd-efgh-jkmn", "--name", "Ann & Bob"]
    assert parse_seat_code(words[4]) == (made.table, made.code)


def test_nobody_is_sent_to_a_server_of_ones_own() -> None:
    (line,) = handed_on(OWN_SERVER, m.SeatCode("t1", "abcd-efgh-jkmn", 1600.0), "Ann")
    assert "biritch" not in line


@pytest.mark.parametrize("name", ["Ann", "Anne"])
def test_the_others_are_told_of_a_move(name: str) -> None:
    names = {"a": "Ann", "b": "Bob"}
    assert tell(m.SeatTaken("S", "z", name, "a"), GATHERING, names) == [
        f"Ann has moved to another device, as {name} at S"
    ]
    assert tell(m.SeatTaken("S", "z", name), GATHERING, names) == [f"{name} sits down at S"]


def test_the_verb() -> None:
    assert read_line("seat code", GATHERING) == m.MakeSeatCode(0)
    assert isinstance(read_line("seat S", GATHERING), Wrong)
    assert isinstance(read_line("seat code", None), Wrong)


# --- programs


class Talk:
    """A client that runs, and what it has printed."""

    def __init__(self, process: Process) -> None:
        self.process, self.seen = process, ""

    async def sees(self, pattern: str) -> re.Match[str]:
        """Read until this has been printed."""
        assert self.process.stdout is not None
        while (found := re.search(pattern, self.seen)) is None:
            line = await asyncio.wait_for(self.process.stdout.readline(), WITHIN_S)
            assert line, self.seen
            self.seen += line.decode()
        return found

    def types(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())

    async def end(self) -> int:
        rest, _ = await asyncio.wait_for(self.process.communicate(), WITHIN_S)
        self.seen += rest.decode()
        assert self.process.returncode is not None
        return self.process.returncode


MOVED = r"biritch join (\S+) --seat (\S+) --name (\S+)"


async def test_the_seat_goes_on_in_the_other_program_and_the_first_one_ends(
    client: Client, url: str, tmp_path: Path
) -> None:
    first = Talk(await client.start("create", url, "auction_bridge", "--private", "--name", "Ann"))
    first.types(f"{SIT}ready\nseat code\n")
    address, code, name = (await first.sees(MOVED)).groups()
    assert (address, name) == (url, "Ann")
    hand = (await first.sees(r"Your hand: (.+)"))[1]
    second = Talk(await Client(tmp_path / "other").start("join", url, "--seat", code, "--name", "Ann"))
    second.types("hand\nquit\n")
    assert await second.end() == 0, second.seen
    assert hand in second.seen.splitlines()
    assert await first.end() == 3
    assert "You have come from somewhere else; this client stops here." in first.seen
    third = Talk(await Client(tmp_path / "third").start("join", url, "--seat", code))
    assert await third.end() == 1
    assert third.seen == "The seat code is mistyped, has been used, or is too old; ask for a new one.\n"
    again = Talk(await Client(tmp_path / "other").start("join", url))
    again.types("quit\n")
    assert await again.end() == 0
    assert hand in again.seen, "the new device comes back by itself, the private table being remembered"


async def test_a_program_of_its_own_prints_a_code(client: Client, url: str, tmp_path: Path) -> None:
    status, output = await client.run("", "seat", "code", url)
    assert (status, output) == (1, "You have no seat there.\n")
    await client.run(SIT, "create", url, "auction_bridge", "--name", "Ann")
    status, output = await client.run("", "seat", "code")  # at the server used last
    assert status == 0, output
    first, line = output.splitlines()
    assert first == "On the other device, once and within ten minutes:"
    words = shlex.split(line)
    status, output = await Client(tmp_path / "other").run("who\n", *words[1:])
    assert status == 0 and "S  Ann (you)" in output.splitlines()
    status, output = await client.run("who\n", "join", url)
    assert "S  Ann (you)" not in output.splitlines() and "S  Ann" in output
    status, output = await client.run("", "seat", "code", url)
    assert (status, output.splitlines()[-1]) == (1, "You have no seat there.")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--seat", "abcd"), "'abcd' is no seat code"),
        (("t1", "--seat", "t1:abcd"), "A seat code names its table"),
        (("--seat", "t1:abcd", "--invitation", "x"), "A seat code names its table"),
    ],
)
async def test_wrong_use(client: Client, arguments: tuple[str, ...], words: str) -> None:
    status, output = await client.run("", "join", "ws://localhost:9/", *arguments)
    assert status == 2 and words in output


async def test_where_there_is_no_server(client: Client) -> None:
    status, output = await client.run("", "seat", "code", "ws://127.0.0.1:9/")
    assert status == 3 and "cannot be reached" in output
    status, output = await client.run("", "seat", "code")
    assert status == 2 and "Name a server" in output
