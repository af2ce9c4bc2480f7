"""The program that fills the screen: which screen is shown, and the visit to a server behind it."""

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from client_cli.config import Config
from client_cli.console import Console
from client_cli.news import Ended, Forgotten, News
from client_cli.place import Begin, NoPlace, Opening, Place, while_it_is_there
from client_cli.screen.desk import Desk, Hears
from client_cli.screen.marks import clean
from client_cli.screen.running import run_app
from client_cli.screen.theme import THEMES, theme_of
from client_cli.screen.waiting import WaitingScreen
from client_cli.screen.wishes import GoToServer, PlayAlone
from protocol import messages as m

if TYPE_CHECKING:  # the first screen needs nothing of them but their time
    from client_cli.house_rules import Chosen
    from client_cli.visit import Visit

TOLD_S = 6.0
"""So many seconds a sentence is shown, unless a key takes it away before."""


class BiritchApp(App[int]):
    """The client on a whole screen. It begins with an opening, or with the list of servers.

    At the bottom of the stack is the room where one is: a list of servers, a list of tables, or a table. Dialogs stand
    above it, and are gone with it.
    """

    TITLE = "Biritch"
    ENABLE_COMMAND_PALETTE = False
    CSS = "App.-ascii Toast { border-left: ascii $primary; border-right: ascii $primary; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "leave", "Quit", show=False, priority=True),
        Binding("question_mark,f1", "help", "Help", id="help"),
    ]

    def __init__(self, config: Config, opening: Opening | None, profile: str = "default") -> None:
        super().__init__()
        self.animation_level = "none"
        self.desk = Desk(config, self._tell)
        self.set_class(config.ascii, "-ascii", update=False)
        self._opening, self._profile = opening, profile
        self.last_words = ""
        """What is to be said when the screen is given back."""
        self._staying: asyncio.Task[None] | None = None
        self._alone = False
        self._last_said = ""

    # --- which room is shown

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = theme_of(self.desk.config)
        self.set_keymap(dict(self.desk.config.keys))
        if self._opening is None:
            self._show_servers()
        else:
            self._go_to(self._opening)

    def _enter(self, room: Screen[None]) -> None:
        """Show another room, without what stood above the one before."""
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if len(self.screen_stack) == 1:
            self.push_screen(room)
        else:
            self.switch_screen(room)

    def _show_servers(self) -> None:
        from client_cli.screen.servers import ServersScreen
        from client_cli.state import known_servers, state_folder

        self._enter(ServersScreen(self.desk, known_servers(state_folder(), self._profile)))

    def _show_tables(self) -> None:
        from client_cli.screen.tables import TablesScreen

        self._enter(TablesScreen(self.desk))

    def _show_table(self) -> None:
        from client_cli.screen.table import TableScreen

        self._enter(TableScreen(self.desk))

    # --- the visit

    def _go_to(self, opening: Opening) -> None:
        self._enter(WaitingScreen("One moment ..."))
        self.call_after_refresh(self._begin_stay, opening)

    def _begin_stay(self, opening: Opening) -> None:
        self._staying = asyncio.create_task(self._stay(opening))

    async def _stay(self, opening: Opening) -> None:
        """Visit a server until that has an end, however it comes."""
        try:
            async with opening() as place:
                self._alone = place.alone
                ended = await while_it_is_there(place, self._visit(place))
        except NoPlace as error:
            ended = Ended(str(error), error.status)
        finally:
            self.desk.visit = None
        self._end_visit(ended)

    async def _visit(self, place: Place) -> Ended:
        from client_cli.visit import Visit

        visit = self.desk.visit = Visit(place.connect, self, place.memory, name=place.name)
        link = asyncio.create_task(visit.run())
        try:
            return await self._begin(visit, place.begin) or await link
        finally:
            await visit.link.close()
            link.cancel()
            await asyncio.gather(link, return_exceptions=True)

    async def _begin(self, visit: "Visit", begin: Begin) -> Ended | None:
        """Do what is to be done first; return why the visit is over already, if it is."""
        if (ended := await visit.up()) is not None:
            return ended
        status = await begin(visit)
        if status is not None:
            return Ended(self._last_said, status)
        if visit.view is None:
            self._show_tables()
        return None

    def _end_visit(self, ended: Ended) -> None:
        if self._opening is None:
            self._show_servers()
            self._tell(ended.reason)
        else:
            self.last_words = ended.reason
            self.exit(ended.code)

    async def close_visit(self) -> None:
        """End the visit, and wait until all that it had opened is closed."""
        if self._staying is not None:
            self._staying.cancel()
            await asyncio.gather(self._staying, return_exceptions=True)

    # --- the person of the visit

    def say(self, *lines: str) -> None:
        self._last_said = "\n".join(lines)
        self._tell(self._last_said)

    async def choose_game(self) -> "Chosen | None":
        from client_cli.screen.choose import GameDialog
        from client_cli.screen.sight import Sight

        chosen: asyncio.Future[Chosen | None] = asyncio.get_running_loop().create_future()
        self.push_screen(GameDialog(self.desk, Sight()), chosen.set_result)
        return await chosen

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        match message:
            case m.TableView() if before is None or before.table != message.table:
                self._show_table()
            case Forgotten(what=what):
                self._leave_table(what)
        for screen in self.screen_stack:
            if isinstance(screen, Hears) and screen.is_mounted:
                screen.heard(message, before)

    def _leave_table(self, sentence: str) -> None:
        self._tell(sentence)
        if not self._alone:
            self._show_tables()
        elif self._opening is None:
            self.on_leave_server()
        else:
            self.exit(0)

    def _tell(self, sentence: str) -> None:
        shown = "\n".join(clean(line, self.desk.signs) for line in sentence.splitlines())
        if shown:
            self.notify(shown, timeout=TOLD_S, markup=False)

    # --- what the screens wish

    def on_go_to_server(self, wish: GoToServer) -> None:
        from client_cli.online import Join, opening

        address = wish.address
        begin = look_around if address.table is None else Join(address.table, address.invitation)
        self._go_to(opening(address, begin, profile=self._profile, name=self.desk.config.name))

    def on_play_alone(self, wish: PlayAlone) -> None:
        from client_cli.alone import opening

        self._go_to(opening(wish.chosen, None, name=self.desk.config.name, new=wish.chosen is not None))

    def on_leave_server(self) -> None:
        if self._staying is not None:
            self._staying.cancel()
        if self._opening is None:
            self._show_servers()
        else:
            self.exit(0)

    def action_give_up(self) -> None:
        self.on_leave_server()

    def action_leave(self) -> None:
        self.exit(0)

    def action_help(self) -> None:
        from client_cli.screen.help import HelpDialog

        if not isinstance(self.screen, HelpDialog):
            self.push_screen(HelpDialog(self.screen))


async def look_around(visit: "Visit") -> None:
    """Begin a visit with nothing: the tables are shown."""


async def run_screen(config: Config, opening: Opening | None, profile: str = "default") -> int:
    """Run the client on the whole screen; return the exit status."""
    app = BiritchApp(config, opening, profile)
    try:
        status = await run_app(app)
    finally:
        await app.close_visit()
    if app.last_words:
        Console().complain(app.last_words)
    return status
