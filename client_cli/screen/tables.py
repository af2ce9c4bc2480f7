"""The public tables of a server: who sits there, and the ways to one of them."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from client_cli.address import Address, link_to
from client_cli.draw import seat_text
from client_cli.link import Offline
from client_cli.news import Dropped, News, Returned, Unknown
from client_cli.screen.desk import Desk
from client_cli.screen.field import Wrong
from client_cli.screen.keyline import KeyLine
from client_cli.screen.marks import clean, marks_of
from client_cli.screen.rows import MARK_WIDTH, Row, Rows, packed
from client_cli.screen.theme import MUTED
from client_cli.screen.wishes import GoToServer, LeaveServer
from client_cli.signs import Signs
from protocol import messages as m
from rules.options import value_text

EVERY_S = 4.0
"""So often the list is asked for while it is looked at."""

MAX_NAME = 24

_STAGES = {"gathering": "not begun", "scored": "between deals"}
_OWN = "(own)"
"""The key of the row for the table that waits; no table has such a name."""
_INDENT = "   "


class Cards(Rows):
    """The tables, by their names."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Go there", id="go")]


class TablesScreen(Screen[None]):
    """The tables of the server that is visited, asked for again every `every_s` seconds."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,N", "create", "New table", id="create"),
        Binding("j,J", "join", "By link", id="join"),
        Binding("m,M", "name", "My name", id="name"),
        Binding("r,R", "look", "Refresh", id="look"),
        Binding("q,Q,escape", "leave", "Back", id="leave"),
    ]
    HELP = (
        "Here are the public tables, those with free seats first. At a table you watch until you take a seat. A table "
        "of your own may be private: then only those come who have its link. What stands under the seats is what that "
        "table plays otherwise than usual."
    )
    DEFAULT_CSS = """
    TablesScreen {
        #top { height: 1; padding: 0 1; background: $panel; }
        #server { width: 1fr; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
        #me { width: auto; padding-left: 2; }
        #state { padding: 0 1; margin-bottom: 1; color: $text-muted; }
        #state.-bad { background: $error; color: $background; text-style: bold; }
        Cards { height: 1fr; }
    }
    """

    def __init__(self, desk: Desk, every_s: float = EVERY_S) -> None:
        super().__init__()
        assert desk.visit is not None, "a server is visited"
        self._desk, self._visit, self._every_s = desk, desk.visit, every_s
        self._cards = Cards(marks_of(desk.signs).turn)
        self._server, self._me, self._state = Static(id="server"), Static(id="me"), Static(id="state")
        self._lost = not desk.online
        self._looked = bool(desk.visit.tables)
        self._looking = self._asking = False
        self._refusal: str | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield self._server
            yield self._me
        yield self._state
        yield self._cards
        yield KeyLine()

    def on_mount(self) -> None:
        self._cards.focus()
        self.set_interval(self._every_s, self._look_if_seen)

    def on_screen_resume(self) -> None:
        self.action_look()

    def on_resize(self) -> None:
        self._draw()

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        match message:
            case m.TableList():
                self._looked, self._refusal = True, None
            case Dropped():
                self._lost = True
            case Returned():
                self._lost = False
                self.action_look()
            case _:
                return
        self._draw()

    # --- the list

    def _look_if_seen(self) -> None:
        if self.is_active:
            self.action_look()

    def action_look(self) -> None:
        """Ask for the tables, unless they have been asked for already."""
        if not self._looking and self._desk.online:
            self._looking = True
            self.run_worker(self._look())

    async def _look(self) -> None:
        # Nobody has asked for this: what goes wrong is told where the list is, and not as a notice.
        try:
            answer = await self._visit.ask(m.ListTables(0))
        except Offline:
            return
        finally:
            self._looking = False
        if isinstance(answer, Unknown):
            self.action_look()  # the connection may have come back before this was known
        self._refusal = answer.message if isinstance(answer, m.Rejected) else None
        self._draw()

    # --- what is wanted

    def on_option_list_option_selected(self) -> None:
        waits, chosen = self._visit.memory.now, self._cards.chosen
        if chosen == _OWN and waits.table is not None:
            self._ask(m.JoinTable(0, waits.table, waits.invitation))
        elif chosen is not None:
            self._ask(m.JoinTable(0, chosen))

    def action_create(self) -> None:
        from client_cli.screen.create import CreateDialog

        self.app.push_screen(CreateDialog(self._desk), self._ask)

    def action_join(self) -> None:
        from client_cli.screen.join import join_dialog

        self.app.push_screen(join_dialog(self._visit.memory.url), self._join)

    def _join(self, address: Address | None) -> None:
        if address is None:
            return
        if address.url == self._visit.memory.url and address.table is not None:
            self._ask(m.JoinTable(0, address.table, address.invitation))
        else:
            self.post_message(GoToServer(address))

    def action_name(self) -> None:
        from client_cli.screen.line import LineDialog

        now = self._visit.link.name or ""
        dialog = LineDialog("Your name", "What others see:", read_name, value=now, max_length=MAX_NAME)
        self.app.push_screen(dialog, self._rename)

    def _rename(self, name: str | None) -> None:
        if name is not None:
            self._ask(m.SetName(0, name))

    def action_leave(self) -> None:
        self.post_message(LeaveServer())

    def _ask(self, command: m.Command | None) -> None:
        if command is not None:
            # The app's work, since this screen is gone when the view of a table comes, which is before the answer.
            self.app.run_worker(self._obey(command))

    async def _obey(self, command: m.Command) -> None:
        """Send a command, and go to the table that it has made; nothing else is sent meanwhile."""
        if self._asking:
            return
        self._asking = True
        try:
            self._draw()
            if await self._desk.ask(command) and isinstance(command, m.CreateTable):
                await self._go_to_made()
        finally:
            self._asking = False
            self._draw()

    async def _go_to_made(self) -> None:
        made = self._visit.made
        assert made is not None, "`table_made` comes before the answer"
        link = link_to(self._visit.memory.url, made.table, made.invitation)
        self._desk.say(f"Your friends come with: biritch join {link}")
        await self._desk.ask(m.JoinTable(0, made.table, made.invitation))

    # --- how it looks

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        signs, visit = self._desk.signs, self._visit
        self._server.update(Content(clean(f"Tables at {visit.memory.url.removesuffix('/')}", signs)))
        self._me.update(Content(clean(f"You are {visit.link.name or 'a guest'}", signs)))
        self._state.update(Content(clean(self._state_text(), signs)))
        self._state.set_class(self._lost or self._refusal is not None, "-bad")
        waits = visit.memory.now.table
        width = self.size.width - MARK_WIDTH - len(_INDENT) - 1
        self._cards.show(
            [
                *([Row(_OWN, (Content.styled("Your table is waiting", "bold $accent"),))] if waits else []),
                *(Row(card.table, tuple(card_lines(card, width, signs))) for card in visit.tables),
            ]
        )

    def _state_text(self) -> str:
        tables, bad = self._visit.tables, marks_of(self._desk.signs).bad
        if self._lost:
            return f"{bad} The connection is lost; trying again ..."
        if self._refusal is not None:
            return f"{bad} {self._refusal}"
        if self._asking:
            return "One moment ..."
        if not self._looked:
            return "Looking for tables ..."
        if not tables:
            return "There is no public table yet; N makes a new one."
        free = sum(any(_is_free(part) for part in card.seats) for card in tables)
        return f"{len(tables)} public {'table' if len(tables) == 1 else 'tables'}, {free} with free seats"


def read_name(text: str) -> str:
    """Read a name; the server has the last word on its signs. Raises Wrong."""
    if not text.strip():
        raise Wrong("A name has at least one letter.")
    return text.strip()


def card_lines(card: m.TableCard, width: int, signs: Signs) -> list[Content]:
    """Write a table: its game and stage, who sits in its seats, and what it plays otherwise than usual."""
    stage = _STAGES.get(card.stage, card.stage)
    head = Content.assemble(
        (clean(card.title, signs).ljust(22), "bold"), f"  {clean(stage, signs):<13}", f"  {clean(card.table, signs)}"
    )
    options = [
        Content.styled(clean(f"{name}={value_text(value)}", signs), "$secondary")
        for name, value in card.options.items()
    ]
    lines = packed([_seat(part, signs) for part in card.seats], width) + packed(options, width)
    return [head, *(Content(_INDENT) + line for line in lines)]


def _seat(part: m.SeatPart, signs: Signs) -> Content:
    look = "bold $success" if _is_free(part) else "" if part.connected else MUTED
    return Content.assemble((part.seat, "bold"), " ", (clean(seat_text(part), signs), look))


def _is_free(part: m.SeatPart) -> bool:
    return part.player is None and not part.bot
