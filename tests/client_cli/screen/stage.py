"""A stage for one screen: an app that shows it, on a visit to a fake server for which a test speaks.

    async with staged(TableScreen, tmp_path, view) as stage:
        await stage.press("h", "k")
        command = await stage.asked(m.PlayCard)
        await stage.accept(command, entry(6, m.CardPlayed("S", "S", "HK")))
        assert "HK" in stage.shown()

What a screen shows is compared with a file of text by `assert_golden`; run pytest with BIRITCH_WRITE_GOLDEN=1 to write
these files anew.
"""

import asyncio
import html
import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from rich.style import Style
from textual import on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.message import Message
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widget import Widget

from client_cli.config import Config
from client_cli.house_rules import Chosen
from client_cli.news import Dropped, News, Returned
from client_cli.screen.desk import Desk, Hears
from client_cli.screen.help import HelpDialog
from client_cli.screen.theme import THEMES, theme_of
from client_cli.screen.wishes import GoToServer, LeaveServer, PlayAlone
from client_cli.state import Memory
from client_cli.visit import Visit
from protocol import messages as m
from tests.client_cli.fakes import FakeServer, FakeTime, FakeWire

C = TypeVar("C", bound=m.Command)

URL = "ws://cards.example:8765/"
CONFIG = Config(theme="dark", bell=False)
MONO = Config(theme="mono", ascii=True, bell=False)
GOLDEN = Path(__file__).parents[2] / "golden" / "screen"
WRITE_GOLDEN = bool(os.environ.get("BIRITCH_WRITE_GOLDEN"))  # now: no test sees the environment of who runs it

_HOPS = 10  # a key goes from the app to a line in a dialog and back, what it causes as far again; each widget is a hop


class StageApp(App[None]):
    """Shows screens; it is the person of the visit, too. `said`, `ear`, `wishes`, `bells` keep what came, in order."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,f1", "help", "Help", id="help")]

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.animation_level = "none"
        self.said: list[str] = []
        self.ear: list[m.ServerMessage | News] = []
        self.wishes: list[Message] = []
        self.bells = 0
        self.changed = asyncio.Event()
        self.desk = Desk(config, self.said.append)
        self.set_class(config.ascii, "-ascii", update=False)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = theme_of(config)
        self.set_keymap(dict(config.keys))

    def say(self, *lines: str) -> None:
        self.desk.say(*lines)

    async def choose_game(self) -> Chosen | None:
        raise AssertionError("a screen asks for the game")

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        self.ear.append(message)
        for screen in self.screen_stack:
            if isinstance(screen, Hears):
                screen.heard(message, before)
        self.changed.set()

    def action_help(self) -> None:
        self.push_screen(HelpDialog(self.screen))

    def bell(self) -> None:
        self.bells += 1

    @on(GoToServer)
    @on(PlayAlone)
    @on(LeaveServer)
    def wished(self, wish: Message) -> None:
        self.wishes.append(wish)


@dataclass(slots=True)
class Stage:
    """A screen that is shown, the person's hands, and the server's end of the connection."""

    app: StageApp
    pilot: Pilot[None]
    server: FakeServer
    wire: FakeWire

    @property
    def desk(self) -> Desk:
        return self.app.desk

    # --- the person

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other, each when the one before has done all that it does."""
        for key in keys:
            if key == "space" or not key[0].isalnum():
                await self.pilot.press(key)  # which knows which key makes which sign
            else:
                self.app.simulate_key(key)
            await settled(self.app)

    async def press_at_once(self, *keys: str) -> None:
        """Press keys so fast that none waits for what the one before does."""
        for key in keys:
            self.app.simulate_key(key)
        await settled(self.app)

    async def click(self, text: str, nth: int = 0) -> None:
        """Click on the first cell of a text where it is shown for the nth time."""
        await settled(self.app)
        found = [(row, line) for row, line in enumerate(self.shown().splitlines()) if text in line]
        places = [(row, place.start()) for row, line in found for place in re.finditer(re.escape(text), line)]
        assert places, f"{text!r} is not shown"
        row, column = places[nth]
        await self.pilot.click(offset=(column, row))
        await settled(self.app)

    def shown(self) -> str:
        """Return what the whole terminal shows now, as text."""
        return shown(self.app)

    def style_of(self, text: str) -> Style:
        """Return how a text is shown where it stands first."""
        lines = enumerate(self.shown().splitlines())
        column, row = next((line.index(text), row) for row, line in lines if text in line)
        return self.app.screen.get_style_at(column, row)

    # --- the server

    async def asked(self, kind: type[C]) -> C:
        """Return the next command that the client has sent, which is of this kind."""
        return await self.wire.asked(kind)

    async def tell(self, *messages: m.ServerMessage) -> None:
        """Let the server say something; return when the screen shows what follows from it. Not for answers."""
        heard = len(self.app.ear) + len(messages)
        self.wire.say(*messages)
        await self._until(lambda: len(self.app.ear) >= heard)

    async def accept(self, command: m.Command, *messages: m.ServerMessage) -> None:
        """Let the server accept a command; what follows from it, such as an entry, comes first."""
        heard = len(self.app.ear) + len(messages)
        number = next((each.number for each in messages if isinstance(each, m.Entry)), 0)
        self.wire.say(*messages, m.Accepted(command.id, number))
        await self._until(lambda: len(self.app.ear) >= heard)
        await self.answered()

    async def reject(self, command: m.Command, sentence: str) -> None:
        """Let the server refuse a command."""
        self.wire.say(m.Rejected(command.id, "test.refused", sentence))
        await self.answered()

    async def answered(self) -> None:
        """Return when no worker of a screen waits for an answer any more."""
        await self.app.workers.wait_for_complete()
        await settled(self.app)

    async def drop(self) -> None:
        """Break the connection; the client tries again, but is not greeted yet."""
        heard = len(self.app.ear)
        self.wire.drop()
        await self._until(lambda: any(isinstance(each, Dropped) for each in self.app.ear[heard:]))
        self.wire = await self.server.opened()

    async def come_back(self, *messages: m.ServerMessage) -> None:
        """Greet the client that has connected again, and tell it what it missed at its table, if it has one."""
        heard = len(self.app.ear)
        await self.wire.greet()
        if self.desk.view is not None:
            join = await self.wire.asked(m.JoinTable)
            self.wire.say(*messages, m.Accepted(join.id))
        await self._until(lambda: any(isinstance(each, Returned) for each in self.app.ear[heard:]))

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self.app.changed.clear()
            await self.app.changed.wait()
        await settled(self.app)


@asynccontextmanager
async def staged(
    make: Callable[[Desk], Screen[Any]],
    folder: Path,
    view: m.TableView | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    config: Config = CONFIG,
) -> AsyncIterator[Stage]:
    """Show a screen, on a visit to a server, at the table of the view if there is one. `folder` is for the memory."""
    app, server = StageApp(config), FakeServer()
    async with app.run_test(size=size) as pilot:
        visit = Visit(server.connect, app, Memory(folder, URL), name="Ann", pace=FakeTime().pace())
        app.desk.visit = visit
        running = asyncio.create_task(visit.run())
        try:
            wire = await server.opened()
            await wire.greet()
            await visit.up()
            if view is not None:
                await _join(visit, wire, view)
            await app.push_screen(make(app.desk))
            await settled(app)
            yield Stage(app, pilot, server, wire)
        finally:
            await visit.link.close()
            running.cancel()  # it may be waiting for a greeting
            with suppress(asyncio.CancelledError):
                await running


async def _join(visit: Visit, wire: FakeWire, view: m.TableView) -> None:
    joining = asyncio.create_task(visit.ask(m.JoinTable(0, view.table)))
    command = await wire.asked(m.JoinTable)
    wire.say(view, m.Accepted(command.id, view.number))
    await joining


async def settled(app: App[Any]) -> None:
    """Return when all that is under way has been dealt with and drawn."""
    while True:
        for _ in range(_HOPS):
            await _hop(app)
        if not app.is_running or await _drawn(app):
            return


async def _hop(app: App[Any]) -> None:
    """Return when everything has dealt with what waits for it now."""
    nodes = [app, *(node for screen in app.screen_stack for node in screen.walk_children(with_self=True))]
    waiting = {node: asyncio.Event() for node in nodes}
    for node, reached in waiting.items():
        if not node.call_later(reached.set):
            reached.set()
    await asyncio.sleep(0)
    # A widget that goes meanwhile never says so.
    # Either may come first, and the second tells nobody: so each turn of the loop is looked at.
    while any(not reached.is_set() and _is_there(node) for node, reached in waiting.items()):  # noqa: ASYNC110
        await asyncio.sleep(0)


def _is_there(node: DOMNode) -> bool:
    """Say whether a node deals with messages, or will as soon as it is mounted."""
    return node.is_running or (isinstance(node, Widget) and not node.is_mounted)


async def _drawn(app: App[Any]) -> bool:
    """Return True when the screen on top is drawn, False when another one has come to stand there.

    What a screen is to do when it is drawn may be left undone for as long as another one covers it: the first layout of
    that one stops the timer by which the one beneath was to be drawn. To wait for it would be to wait for ever.
    """
    before, drawn = _top(app), asyncio.Event()
    app.screen.call_after_refresh(drawn.set)
    # Either may come first, and the second tells nobody.
    while not drawn.is_set() and _top(app) == before:  # noqa: ASYNC110
        await asyncio.sleep(0)
    return _top(app) == before


def _top(app: App[Any]) -> tuple[Screen[Any], int] | None:
    """Return the screen on top, and how often it has been covered and uncovered."""
    stack = app.screen_stack
    return (stack[-1], stack[-1].stack_updates) if stack else None


# --- what is shown

_CELL_WIDTH = 12.2
_TEXT = re.compile(r'<text class="[^"]*" x="([\d.]+)"[^>]*clip-path="url\(#[\w-]*line-(\d+)\)">([^<]*)</text>')


def shown(app: App[Any]) -> str:
    """Return what the whole terminal shows now, as lines of text."""
    width, height = app.size
    rows = [[" "] * width for _ in range(height)]
    for x, row, escaped in _TEXT.findall(app.export_screenshot()):
        text, column = html.unescape(escaped).replace("\xa0", " "), round(float(x) / _CELL_WIDTH)
        rows[int(row)][column : column + len(text)] = text
    return "".join("".join(row).rstrip() + "\n" for row in rows)


def assert_golden(name: str, app: App[Any]) -> None:
    """Compare what is shown with `tests/golden/screen/NAME.txt`, or write that file if the environment asks for it."""
    path, now = GOLDEN / f"{name}.txt", shown(app)
    if WRITE_GOLDEN:
        path.parent.mkdir(exist_ok=True)
        path.write_text(now, encoding="utf-8")
    assert path.is_file(), f"there is no {path.name} yet; BIRITCH_WRITE_GOLDEN=1 writes it"
    assert now == path.read_text(encoding="utf-8")
