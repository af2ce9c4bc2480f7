"""A person at a terminal: what is typed while the connection is there, and while it is not."""

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import structs

from client_cli.board import Board, after_rubber_line
from client_cli.console import Console
from client_cli.session import Session
from client_cli.state import Memory, Remembered
from client_cli.visit import Visit
from protocol import messages as m
from tests.client_cli.fakes import FakeServer, FakeTime, FakeWire, entry
from tests.client_cli.views import GATHERING, PLAY


class Keyboard:
    """Lines that a test types."""

    scripted = False

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    def type(self, line: str | None) -> None:
        self._lines.put_nowait(line)

    async def next(self) -> str | None:
        return await self._lines.get()


class Screen(io.StringIO):
    """Standard output that can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self._written = asyncio.Event()

    def flush(self) -> None:
        self._written.set()

    async def shows(self, text: str) -> None:
        """Return when this has been printed."""
        while text not in self.getvalue():
            self._written.clear()
            await self._written.wait()


class Seat:
    """A session at table t1, in the play, with both its ends in a test's hands."""

    def __init__(self, folder: Path) -> None:
        self.server, self.keys, self.screen = FakeServer(), Keyboard(), Screen()
        self.memory = Memory(folder, "ws://h:1/")
        self.session = Session(self.server.connect, Console(self.screen), self.memory, pace=FakeTime().pace())
        self.wire: FakeWire

    async def begin(self, visit: Visit) -> int | None:
        await visit.ask(m.JoinTable(0, "t1", "code"))
        return None

    async def sit(self) -> "asyncio.Task[int]":
        run = asyncio.create_task(self.session.run(self.begin, self.keys))
        self.wire = await self.server.opened()
        await self.wire.greet(token="secret")
        join = await self.wire.asked(m.JoinTable)
        self.wire.say(PLAY, m.Accepted(join.id, 5))
        await self.screen.shows(">> Your turn from dummy (N)")
        return run

    async def come_back(self) -> None:
        self.wire = await self.server.opened()
        await self.wire.greet()
        join = await self.wire.asked(m.JoinTable)
        self.wire.say(m.Accepted(join.id, 5))
        await self.screen.shows("The connection is back.")


@pytest.fixture
async def seat(tmp_path: Path) -> AsyncIterator[Seat]:
    seat = Seat(tmp_path)
    run = await seat.sit()
    yield seat
    seat.keys.type("quit")
    assert await asyncio.wait_for(run, 10) == 0


async def test_the_turn_is_told_again_when_the_connection_is_back(seat: Seat) -> None:
    seat.wire.drop(reason="gone")
    await seat.come_back()
    assert "The connection is back.\n>> Your turn from dummy (N)" in seat.screen.getvalue()


async def test_a_card_is_sent_and_shown(seat: Seat) -> None:
    seat.keys.type("hk")
    card = await seat.wire.asked(m.PlayCard)
    assert (card.deal, card.index, card.card) == (7, 9, "HK")
    seat.wire.say(entry(6, m.CardPlayed("N", "S", "HK"), turn=m.Turn(7, 10, "E", "E")), m.Accepted(card.id, 6))
    await seat.screen.shows("S plays HK from dummy (N)\n")


async def test_a_refusal_is_the_servers_sentence(seat: Seat) -> None:
    seat.keys.type("2s")
    card = await seat.wire.asked(m.PlayCard)
    seat.wire.say(m.Rejected(card.id, "play.not_held", "The hand to play does not hold S2."))
    await seat.screen.shows("The hand to play does not hold S2.\n")


async def test_what_is_typed_without_a_connection_is_not_sent(seat: Seat) -> None:
    seat.wire.drop(reason="gone")
    await seat.screen.shows("The connection is lost (gone); trying again ...\n")
    seat.keys.type("hk")
    await seat.screen.shows("There is no connection; 'hk' was not sent.\n")
    await seat.come_back()
    assert seat.wire.quiet


async def test_a_card_under_way_is_accounted_for(seat: Seat) -> None:
    seat.keys.type("hk")
    await seat.wire.asked(m.PlayCard)
    seat.wire.drop()
    await seat.come_back()
    card = await seat.wire.asked(m.PlayCard)
    seat.wire.say(m.Accepted(card.id, 5))
    await seat.screen.shows("'hk' had been accepted.\n")


async def test_talk_under_way_is_left_open(seat: Seat) -> None:
    seat.keys.type("say hello")
    await seat.wire.asked(m.Say)
    seat.wire.drop()
    await seat.come_back()
    await seat.screen.shows("The connection broke; nobody knows whether 'say hello' was done.\n")


async def test_lines_do_not_wait_for_each_other(seat: Seat) -> None:
    seat.keys.type("hk")
    seat.keys.type("say well?")
    card, said = await seat.wire.asked(m.PlayCard), await seat.wire.asked(m.Say)
    seat.wire.say(m.Accepted(said.id), m.Accepted(card.id, 5))


async def test_an_empty_line_is_ready_where_that_is_asked(seat: Seat) -> None:
    seat.keys.type("")  # nothing, in the middle of a deal
    seat.keys.type("help")
    await seat.screen.shows("Calls and cards")
    seat.wire.say(GATHERING, entry(6))
    seat.wire.say(m.Said("b", "Bob", "shall we?", 1.0, "E"))
    await seat.screen.shows("Bob (E): shall we?\n")
    seat.keys.type("")
    ready = await seat.wire.asked(m.Ready)
    assert ready.deal == 1
    seat.wire.say(m.Accepted(ready.id, 6))


async def test_a_turn_is_announced_once(seat: Seat) -> None:
    seat.wire.say(entry(6, turn=PLAY.turn), entry(7, m.PlayerJoined("d", "Dan"), turn=PLAY.turn))
    await seat.screen.shows("Dan has come\n")
    assert seat.screen.getvalue().count(">> Your turn") == 1


async def test_a_rewinding_is_told_with_the_table_as_it_is(seat: Seat) -> None:
    seat.wire.say(m.Rewound(3), GATHERING)
    await seat.screen.shows("The server's store went back; the table is shown as it is now.\n")


async def test_who_one_is_and_where_is_remembered(seat: Seat) -> None:
    seat.keys.type("help")
    await seat.screen.shows("Calls and cards")
    assert seat.memory.now == Remembered("secret", "Player a", "t1", "code")


async def test_leaving_the_table_is_the_end(tmp_path: Path) -> None:
    seat = Seat(tmp_path)
    run = await seat.sit()
    seat.keys.type("leave")
    await seat.screen.shows("To leave the table for good type `leave table`")
    seat.keys.type("leave table")
    leave = await seat.wire.asked(m.LeaveTable)
    seat.wire.say(m.Accepted(leave.id, 6))
    assert await run == 0
    assert seat.memory.now.table is None


def test_a_table_that_has_been_ended_is_not_shown_as_if_it_were_open() -> None:
    Board(Console(screen := io.StringIO()), hints=True).viewed(structs.replace(GATHERING, stage="ended"), None)
    assert screen.getvalue() == "Table t1 has been ended.\n"


def test_what_may_follow_a_rubber_is_told_and_when_a_session_is_over() -> None:
    over = structs.replace(GATHERING, stage="over", rubber=3)
    assert after_rubber_line(over) == "Type `rematch` for another rubber, or `quit`."
    session = structs.replace(over, options={"session": "three_rubbers"})
    assert after_rubber_line(session) == "The session is over. Type `rematch` for another, or `quit`."
    later = structs.replace(over, options={"session": "of_a_later_server"})
    assert after_rubber_line(later) == after_rubber_line(over)
    fourth = structs.replace(session, rubber=4)
    assert after_rubber_line(fourth) == "Type `rematch` for rubber 5, in other seats, or `quit`."


async def test_the_end_of_typing_is_the_end(tmp_path: Path) -> None:
    seat = Seat(tmp_path)
    run = await seat.sit()
    seat.keys.type(None)
    assert await run == 0
