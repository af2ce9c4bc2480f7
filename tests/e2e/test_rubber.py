"""Four client processes play a whole rubber at a server process on a real store, and lose nothing if it is killed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protocol.messages import MakeCall, PlayCard
from rules.scoresheet import standing_numbers
from server import entries as d
from server.render import table_view
from server.store import StoredEntry
from tests.e2e.processes import Note, RobotProcess, ServerProcess, fold

SEATS = "NESW"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    process = ServerProcess(tmp_path / "data")
    await process.start()
    yield process
    await process.stop()
    assert await process.log("none") == []  # whoever used the store last has stopped it


async def sit_down(server: ServerProcess) -> tuple[str, list[RobotProcess]]:
    first = await RobotProcess.start(server.url, "new", SEATS[0])
    table = str((await first.until(lambda note: note["note"] == "table"))["table"])
    return table, [first, *[await RobotProcess.start(server.url, table, seat) for seat in SEATS[1:]]]


async def finish(server: ServerProcess, table: str, robots: list[RobotProcess]) -> None:
    """Wait for the end of the rubber, and hold everybody's notes against the log."""
    try:
        assert [await robot.ended() for robot in robots] == [0, 0, 0, 0]
    finally:
        for robot in robots:
            await robot.stop()
    assert await server.stop() == 0
    log = await server.log(table)
    accepted = 0
    for robot in robots:
        accepted += count_accepted(robot.notes, log)
        assert_told_without_gap(robot.notes, log)
    # What was under way when the server was killed has been answered, too, once it was back.
    assert accepted == sum(isinstance(d.decode(stored.data).deed, d.Called | d.Played) for stored in log)
    once, again = fold(table, log), fold(table, log)
    assert once.stage == "over"
    assert table_view(once, "nobody") == table_view(again, "nobody")
    # An entry more may be heard after the last card: a checkpoint, or that the first has gone.
    ends = [note for robot in robots for note in robot.notes if note["note"] == "over"]
    assert len(ends) == len(robots)
    for end in ends:
        assert end["standing"] == standing_numbers(once.standing, once.game.sides)
        assert end["ledger"] == once.ledger
        assert sum(end["ledger"].values()) == 0


def count_accepted(notes: list[Note], log: list[StoredEntry]) -> int:
    """Return how many calls and cards were accepted, having seen that each is in the log, as it was sent and once."""
    by_number = {stored.number: d.decode(stored.data) for stored in log}
    written = [(entry.by, entry.command) for entry in by_number.values() if entry.command]
    accepted = [note for note in notes if note["note"] == "accepted" and note["number"] and "id" in note["command"]]
    acts = [note for note in accepted if note["command"]["type"] in ("make_call", "play_card")]
    for note in acts:
        entry, command = by_number[note["number"]], note["command"]
        assert (entry.by, entry.command) == (note["player"], command["id"])
        assert written.count((entry.by, entry.command)) == 1
        match entry.deed:
            case d.Called(call=call):
                assert command == as_sent(MakeCall(command["id"], command["deal"], command["index"], call))
            case d.Played(card=card):
                assert command == as_sent(PlayCard(command["id"], command["deal"], command["index"], card))
            case _:
                raise AssertionError(entry)
    return len(acts)


def as_sent(command: MakeCall | PlayCard) -> object:
    text = {"call": command.call} if isinstance(command, MakeCall) else {"card": command.card}
    kind = "make_call" if isinstance(command, MakeCall) else "play_card"
    return {"type": kind, "id": command.id, "deal": command.deal, "index": command.index, **text}


def assert_told_without_gap(notes: list[Note], log: list[StoredEntry]) -> None:
    """Each client has heard every entry from its view on, in order, as the log has it."""
    ids = {stored.number: stored.id for stored in log}
    number = 0
    for note in notes:
        if note["note"] == "view":
            number = note["number"]
        elif note["note"] == "entry":
            number += 1
            assert note["number"] == number
        else:
            continue
        assert ids[number] == note["entry"]


async def test_four_processes_play_a_rubber(server: ServerProcess) -> None:
    table, robots = await sit_down(server)
    await finish(server, table, robots)


async def in_the_play_of_deal_two(robots: list[RobotProcess]) -> None:
    """Return in the middle of the play. Of two neighbours one at least is not dummy, and plays cards."""

    def plays(note: Note) -> bool:
        if note["note"] != "accepted" or note["command"]["type"] != "play_card":
            return False
        return note["command"]["deal"] == 2 and bool(note["command"]["index"] > 20)

    waiting = [asyncio.create_task(robot.until(plays)) for robot in robots[:2]]
    done, others = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in others:
        task.cancel()
    await asyncio.gather(*done)


@pytest.mark.parametrize("store_too", [False, True], ids=["server", "server-and-store"])
async def test_a_server_killed_in_mid_deal_loses_nothing(server: ServerProcess, store_too: bool) -> None:
    table, robots = await sit_down(server)
    await in_the_play_of_deal_two(robots)
    await server.kill()
    if store_too:
        await server.kill_store()
    await server.start()
    await finish(server, table, robots)
