"""The program around the screens: from a list of servers to a table and back, and how it ends."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from client_cli.address import Address
from client_cli.config import BadConfig, Config
from client_cli.house_rules import Chosen
from client_cli.news import Dropped
from client_cli.online import Join
from client_cli.place import Begin, NoPlace, Opening, Place
from client_cli.screen import sight
from client_cli.screen.app import BiritchApp, look_around
from client_cli.screen.choose import GameDialog
from client_cli.screen.help import HelpDialog
from client_cli.screen.keys import check_keys, known_actions
from client_cli.screen.servers import ServersScreen
from client_cli.screen.table import TableScreen
from client_cli.screen.tables import TablesScreen
from client_cli.screen.waiting import WaitingScreen
from client_cli.screen.wishes import GoToServer, LeaveServer
from client_cli.state import Memory
from client_cli.visit import Visit
from protocol import messages as m
from tests.client_cli.fakes import FakeServer, FakeWire
from tests.client_cli.screen.stage import MONO, settled, shown
from tests.client_cli.views import GATHERING, PLAY

QUIET = Config(theme="dark", bell=False)


class Hall:
    """A server that a test speaks for, as a place to visit."""

    def __init__(self, folder: Path, begin: Begin, *, alone: bool = False) -> None:
        self.server, self._begin, self._alone = FakeServer(), begin, alone
        self.memory = Memory(folder, "ws://h:1/")
        self.gone: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.closed = False

    @asynccontextmanager
    async def opening(self) -> AsyncIterator[Place]:
        async def ended() -> str:
            return await self.gone

        try:
            yield Place(self.server.connect, self.memory, self._begin, "Ann", ended, alone=self._alone)
        finally:
            self.closed = True

    async def greets(self) -> FakeWire:
        """Take the client's connection and greet it."""
        wire = await self.server.opened()
        await wire.greet()
        return wire

    async def seats(self, view: m.TableView) -> FakeWire:
        """Let the client come to a table."""
        wire = await self.greets()
        join = await wire.asked(m.JoinTable)
        wire.say(view, m.Accepted(join.id, view.number))
        return wire


async def until(app: BiritchApp, condition: Callable[[], bool]) -> None:
    """Return when a condition holds, and is drawn if the program has not ended."""
    # A turn of the loop at a time: what is waited for may be anything, and tells nobody.
    while not condition():  # noqa: ASYNC110
        await asyncio.sleep(0)
    if app.return_value is None:
        await settled(app)


def room(app: BiritchApp, kind: type[Any]) -> Callable[[], bool]:
    return lambda: isinstance(app.screen, kind) and app.screen.is_mounted


@asynccontextmanager
async def running(opening: Opening | None, config: Config = QUIET) -> AsyncIterator[BiritchApp]:
    app = BiritchApp(config, opening)
    async with app.run_test(size=(80, 24), notifications=True):
        try:
            yield app
        finally:
            await app.close_visit()


JOIN = Join("t1", None)


async def test_a_command_line_leads_to_its_table_and_back_to_the_tables(tmp_path: Path) -> None:
    hall = Hall(tmp_path, JOIN)
    async with running(hall.opening) as app:
        assert isinstance(app.screen, WaitingScreen)
        wire = await hall.seats(PLAY)
        await until(app, room(app, TableScreen))
        assert hall.memory.now.table == "t1"
        assert app.desk.visit is not None
        leaving = asyncio.create_task(app.desk.ask(m.LeaveTable(0)))
        command = await wire.asked(m.LeaveTable)
        wire.say(m.Accepted(command.id, 6))
        assert await leaving
        await until(app, room(app, TablesScreen))
        assert hall.memory.now.table is None


async def test_dialogs_go_with_their_table(tmp_path: Path) -> None:
    hall = Hall(tmp_path, JOIN)
    async with running(hall.opening) as app:
        wire = await hall.seats(PLAY)
        await until(app, room(app, TableScreen))
        app.action_help()
        await until(app, room(app, HelpDialog))
        app.action_help()
        await settled(app)
        assert sum(isinstance(screen, HelpDialog) for screen in app.screen_stack) == 1
        leaving = asyncio.create_task(app.desk.ask(m.LeaveTable(0)))
        command = await wire.asked(m.LeaveTable)
        wire.say(m.Accepted(command.id, 6))
        await leaving
        await until(app, room(app, TablesScreen))
        assert not any(isinstance(screen, HelpDialog | TableScreen) for screen in app.screen_stack)


async def test_leaving_the_only_table_of_ones_own_server_ends_the_program(tmp_path: Path) -> None:
    hall = Hall(tmp_path, JOIN, alone=True)
    async with running(hall.opening) as app:
        wire = await hall.seats(PLAY)
        await until(app, room(app, TableScreen))
        leaving = asyncio.create_task(app.desk.ask(m.LeaveTable(0)))
        command = await wire.asked(m.LeaveTable)
        wire.say(m.Accepted(command.id, 6))
        await leaving
        assert app.return_value == 0
    assert hall.closed


async def test_a_refusal_at_the_beginning_ends_it_with_the_sentence(tmp_path: Path) -> None:
    hall = Hall(tmp_path, JOIN)
    async with running(hall.opening) as app:
        wire = await hall.greets()
        join = await wire.asked(m.JoinTable)
        wire.say(m.Rejected(join.id, "table.unknown", "There is no such table."))
        await until(app, lambda: app.return_value is not None)
        assert (app.return_value, app.last_words) == (1, "There is no such table.")


async def test_a_place_that_cannot_be_had_ends_it() -> None:
    @asynccontextmanager
    async def nowhere() -> AsyncIterator[Place]:
        raise NoPlace("The server did not start.", 3)
        yield  # pragma: no cover

    async with running(nowhere) as app:
        await until(app, lambda: app.return_value is not None)
        assert (app.return_value, app.last_words) == (3, "The server did not start.")


async def test_who_comes_from_somewhere_else_is_told_here(tmp_path: Path) -> None:
    hall = Hall(tmp_path, JOIN)
    async with running(hall.opening) as app:
        wire = await hall.seats(PLAY)
        await until(app, room(app, TableScreen))
        wire.drop(4001, "replaced")
        await until(app, lambda: app.return_value is not None)
        assert app.return_value == 3
        assert "You have come from somewhere else" in app.last_words


async def test_a_server_that_is_gone_for_good_ends_it(tmp_path: Path) -> None:
    hall = Hall(tmp_path, JOIN)
    async with running(hall.opening) as app:
        await hall.seats(PLAY)
        await until(app, room(app, TableScreen))
        hall.gone.set_result("The server has ended by itself.")
        await until(app, lambda: app.return_value is not None)
        assert (app.return_value, app.last_words) == (3, "The server has ended by itself.")


async def test_a_lost_connection_is_passed_on_and_comes_back(tmp_path: Path) -> None:
    hall = Hall(tmp_path, JOIN)
    async with running(hall.opening) as app:
        wire = await hall.seats(PLAY)
        await until(app, room(app, TableScreen))
        app.heard(Dropped("cut"), None)
        await settled(app)
        assert "connection is lost" in shown(app)
        assert wire.quiet


async def test_a_person_chooses_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[Chosen | None] = []

    async def begin(visit: Visit) -> int | None:
        chosen.append(await visit.person.choose_game())
        return 0

    hall = Hall(tmp_path, begin)
    async with running(hall.opening) as app:
        await hall.greets()
        await until(app, room(app, GameDialog))
        monkeypatch.setattr(sight, "SEEN_S", 3600.0)
        app.simulate_key("1")  # pressed for what was shown before
        await settled(app)
        assert isinstance(app.screen, GameDialog)
        monkeypatch.setattr(sight, "SEEN_S", 0.0)
        app.simulate_key("1")
        await until(app, lambda: app.return_value is not None)
        assert chosen == [Chosen("vint")]


async def test_from_the_servers_to_one_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIRITCH_STATE", str(tmp_path))
    hall = Hall(tmp_path, look_around)
    async with running(None) as app:
        await until(app, room(app, ServersScreen))
        app._go_to(hall.opening)
        await hall.greets()
        await until(app, room(app, TablesScreen))
        app.screen.post_message(LeaveServer())
        await until(app, room(app, ServersScreen))
        assert app.desk.visit is None
        assert hall.closed
        app.screen.post_message(GoToServer(Address("ws://127.0.0.1:1/")))
        await until(app, lambda: "cannot be reached" in " ".join(shown(app).split()))
        assert isinstance(app.screen, ServersScreen)


async def test_a_sentence_is_shown_in_ascii_alone(tmp_path: Path) -> None:
    hall = Hall(tmp_path, JOIN)
    async with running(hall.opening, MONO) as app:
        await hall.seats(GATHERING)
        await until(app, room(app, TableScreen))
        app.say("Zoë [red]says[/] ♥")
        await until(app, lambda: "[red]says[/]" in shown(app))
        assert shown(app).isascii()


def test_keys_of_ones_own_are_held_against_the_actions() -> None:
    check_keys({})
    check_keys({"leave": "f10", "last": "f2"})
    assert {"ready", "chat", "save-records", "help"} <= known_actions()
    with pytest.raises(BadConfig, match="there is no action 'jump'; the actions are address, "):
        check_keys({"jump": "j"})


async def test_keys_of_ones_own_are_used(tmp_path: Path) -> None:
    hall = Hall(tmp_path, JOIN)
    async with running(hall.opening, Config(theme="dark", keys={"help": "f9"})) as app:
        await hall.seats(PLAY)
        await until(app, room(app, TableScreen))
        app.simulate_key("f9")
        await until(app, room(app, HelpDialog))
