"""The records of finished deals, fetched from a server and played again."""

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from client_cli.records import print_records
from client_cli.state import Memory, Remembered
from client_cli.wire import Unreachable
from protocol import messages as m
from server.open_table import TableTiming
from server.service import Service
from server.session import player_of
from tests.client_cli.fakes import FakeServer, FakeTime, FakeWire
from tests.client_cli.test_pipes import SIT, WITHIN_S, Client, answer_to, client
from tests.server.memory_store import MemoryStore, MemoryWorld

__all__ = ["client"]

TOKEN = "T" * 43


@dataclass(frozen=True, slots=True)
class Served:
    """A server, and what its store holds."""

    url: str
    world: MemoryWorld

    def put(self, table: str, deals: int, reader: str) -> list[str]:
        lines = [json.dumps({"id": f"{table}-{deal}", "comment": "x" * 600}) for deal in range(1, deals + 1)]
        self.world.deals[table] = {deal: line.encode() for deal, line in enumerate(lines, 1)}
        self.world.readers[table] = {reader}
        return lines


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    world = MemoryWorld()
    service = await Service.start("127.0.0.1", 0, MemoryStore(world), TableTiming(bot_s=0.0))
    yield Served(f"ws://127.0.0.1:{service.listener.port}/", world)
    await service.stop()


async def ended(process: Process, given: str = "") -> tuple[int, str, str]:
    """Return the exit status, and what has gone to standard output and error."""
    out, err = await asyncio.wait_for(process.communicate(given.encode()), WITHIN_S)
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def run(client: Client, *arguments: str, given: str = "") -> tuple[int, str, str]:
    return await ended(await client.start(*arguments, stderr=PIPE), given)


async def plays(process: Process, until: str) -> list[str]:
    """Play as the simplest of players does, until a line begins so; return the lines."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(SIT.encode() + b"ready\n")
    hand, lines = "", list[str]()
    while not (lines and lines[-1].startswith(until)):
        line = (await asyncio.wait_for(process.stdout.readline(), WITHIN_S)).decode()
        assert line, lines
        lines.append(line.rstrip())
        hand = line.partition(" | ")[2] or hand
        answer = answer_to(line, hand)
        process.stdin.write(f"{answer}\n".encode() if answer else b"")
    return lines


async def test_what_was_played_is_printed_and_plays_again(client: Client, served: Served, tmp_path: Path) -> None:
    player = await client.start("create", served.url, "auction_bridge", "--name", "Zoë", stderr=PIPE)
    lines = await plays(player, "Deal 2:")
    (link,) = [line.split()[-1] for line in lines if "biritch join" in line]
    table = link.partition("#")[2]
    status, printed, _ = await run(client, "records", served.url, table)
    assert status == 0 and player.returncode is None, "it goes on playing"
    (record,) = [json.loads(line) for line in printed.splitlines()]
    assert record["table"]["sat"][0]["name"] == "Zoë" and "score" in record
    assert await run(client, "replay", "--json", "-", given=printed) == (0, printed, "")
    assert await run(Client(tmp_path / "anyone"), "records", link) == (0, printed, "")
    assert await run(client, "records", served.url) == (0, printed, ""), "the table where one was last"
    status, output, _ = await ended(player, "quit\n")
    assert status == 0, output


async def test_many_come_in_pages_and_in_order(client: Client, served: Served) -> None:
    lines = served.put("t", 100, "*")
    assert await run(client, "records", served.url, "t") == (0, "\n".join([*lines, ""]), "")


async def test_those_of_a_private_table_are_for_who_sat_there(client: Client, served: Served, tmp_path: Path) -> None:
    (line,) = served.put("t", 1, player_of(TOKEN))
    for profile in ("default", "other"):
        Memory(tmp_path, served.url, profile).keep(Remembered(token=TOKEN[:-1] + profile[0]))
    refused = (1, "", "There is no such table.\n")
    assert await run(Client(tmp_path / "new"), "records", served.url, "t") == refused
    assert await run(client, "records", served.url, "t") == refused
    Memory(tmp_path, served.url, "other").keep(Remembered(token=TOKEN))
    assert await run(client, "records", served.url, "t", "--profile", "other") == (0, f"{line}\n", "")
    assert await run(client, "records", served.url, "u", "--profile", "other") == refused


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["127.0.0.1:1"], 2, "Name a table: you have been at none there."),
        (["127.0.0.1:1", "t"], 3, "ws://127.0.0.1:1/ cannot be reached: connection refused.\n"),
        (["ftp://x", "t"], 2, "is no address of a server"),
        (["wss://127.0.0.1:1", "t", "--ca", __file__], 2, "holds no certificates"),
    ],
)
async def test_what_ends_at_once(client: Client, arguments: list[str], status: int, words: str) -> None:
    got, out, err = await run(client, "records", *arguments)
    assert (got, out) == (status, "") and words in err


# --- a connection that breaks


async def page(wire: FakeWire, after: int, *records: str, more: bool) -> None:
    asked = await wire.asked(m.GetRecords)
    assert (asked.table, asked.after) == ("t", after)
    wire.say(m.DealRecords("t", list(records), after + len(records), more), m.Accepted(asked.id))


async def test_a_page_that_was_lost_is_asked_for_again(capsys: pytest.CaptureFixture[str]) -> None:
    server = FakeServer()
    printing = asyncio.create_task(print_records(server.connect, "t", None, FakeTime().pace()))
    wire = await server.opened()
    assert (await wire.greet()).token is None
    await page(wire, 0, '{"id": "a"}', '{"id": "b\\u001b"}', more=True)
    assert (await wire.asked(m.GetRecords)).after == 2
    wire.drop()
    wire = await server.opened()
    await wire.greet()
    await page(wire, 2, '{"id":\n"c"}', more=False)
    assert await printing == 0
    assert capsys.readouterr() == ('{"id": "a"}\n{"id": "b\\u001b"}\n{"id": "c"}\n', "")


async def test_a_connection_that_does_not_come_back_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    server = FakeServer()
    printing = asyncio.create_task(print_records(server.connect, "t", None, FakeTime().pace(give_up_s=5.0)))
    wire = await server.opened()
    await wire.greet()
    await page(wire, 0, "{}", more=True)
    server.refusals = [Unreachable("Nobody is there.")] * 20
    wire.drop()
    assert await printing == 3
    assert capsys.readouterr() == ("{}\n", "Nobody is there.\n")


async def test_who_is_refused_as_nobody_comes_as_himself_if_that_can_help(capsys: pytest.CaptureFixture[str]) -> None:
    for code, tries in (("table.unknown", [None, TOKEN]), ("store.unavailable", [None])):
        server = FakeServer()
        printing = asyncio.create_task(print_records(server.connect, "t", TOKEN, FakeTime().pace()))
        for token in tries:
            wire = await server.opened()
            assert (await wire.greet()).token == token
            asked = await wire.asked(m.GetRecords)
            wire.say(m.Rejected(asked.id, code, "No."))
        assert await printing == 1
        assert capsys.readouterr() == ("", "No.\n")
