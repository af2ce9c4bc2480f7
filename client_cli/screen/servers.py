"""The first screen: the servers where one has been, a game against bots, an address to type."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from client_cli.address import Address, parse_address
from client_cli.screen.desk import Desk
from client_cli.screen.field import Field
from client_cli.screen.join import read_link
from client_cli.screen.keyline import KeyLine
from client_cli.screen.marks import clean, marks_of
from client_cli.screen.room import TALL
from client_cli.screen.rows import Row, Rows
from client_cli.screen.theme import SUIT_VARIABLES
from client_cli.screen.wishes import GoToServer, PlayAlone
from client_cli.signs import LETTERS, Signs
from client_cli.state import KnownServer

if TYPE_CHECKING:
    from client_cli.house_rules import Chosen

_ALONE = "alone"


class Servers(Rows):
    """A game against bots, and the servers where one has been, by their URLs."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Go there", id="go")]


class ServersScreen(Screen[None]):
    """Where to play. `known` are the servers used before, the last one first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a,A", "address", "Address or link", id="address"),
        Binding("g,G", "game", "Choose a game", id="game"),
        Binding("escape", "list", "Back to the list", id="list"),
        Binding("q,Q", "app.leave", "Quit", id="quit"),
    ]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]  # noqa: RUF012  # as its base has it
    HELP = (
        "A game against bots needs no server: it goes on where you left it, or asks which game to play. To play with "
        "friends, go to a server, or paste the link that a friend has sent you."
    )
    DEFAULT_CSS = """
    ServersScreen {
        align-horizontal: center;
        & > #body { width: 100%; height: 100%; max-width: 84; padding: 1 2 0 2; }
        #title { text-align: center; text-style: bold; color: $accent; }
        #games { text-align: center; color: $text-muted; margin-bottom: 1; }
        &.-tall #body { padding-top: 4; }
        Servers { height: auto; max-height: 52%; margin-bottom: 1; }
        #prompt { padding: 0 1; }
    }
    """

    def __init__(self, desk: Desk, known: Sequence[KnownServer]) -> None:
        super().__init__()
        self._desk, self._known = desk, known
        self._servers = Servers(marks_of(desk.signs).turn)
        self._field = Field(read_link, self._go, placeholder="cards.example.org:8765, or wss://...")

    def compose(self) -> ComposeResult:
        with Vertical(id="body"):
            yield Static(_title(self._desk.signs), id="title")
            yield Static("Vint, Bridge, Royal Auction Bridge, Five Hundred", id="games")
            yield self._servers
            yield Static("The address of a server, or the link to a table:", id="prompt")
            yield self._field
        yield KeyLine()

    def on_mount(self) -> None:
        rows = [Row(_ALONE, (Content.styled("Play here, against bots", "bold"),))]
        if self._known:
            rows.append(Row(None, (Content(), Content("Servers where you have been"))))
        width = max((len(_where(server)) for server in self._known), default=0)
        rows += [_row(server, width, self._desk.signs) for server in self._known]
        self._servers.show(rows, self._known[0].url if self._known else _ALONE)
        self._servers.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "list" or not self._servers.has_focus

    # --- choosing

    def on_option_list_option_selected(self) -> None:
        chosen = self._servers.chosen
        if chosen == _ALONE:
            self.post_message(PlayAlone())
        elif chosen is not None:
            self._go(parse_address(chosen))

    def _go(self, address: Address) -> None:
        self.post_message(GoToServer(address))

    def action_address(self) -> None:
        self._field.type()

    def action_list(self) -> None:
        self._servers.focus()

    def action_game(self) -> None:
        from client_cli.screen.choose import GameDialog

        self.app.push_screen(GameDialog(self._desk), self._play)

    def _play(self, chosen: "Chosen | None") -> None:
        if chosen is not None:
            self.post_message(PlayAlone(chosen))


def _title(signs: Signs) -> Content:
    if signs is LETTERS:
        return Content("Biritch")
    suits = [Content.styled(signs.suits[suit], f"${variable}") for suit, variable in SUIT_VARIABLES.items()]
    return Content("  ").join([*suits[:2], Content("Biritch"), *suits[2:]])


def _where(server: KnownServer) -> str:
    return server.url.removesuffix("/")


def _row(server: KnownServer, width: int, signs: Signs) -> Row:
    where = clean(_where(server).ljust(width), signs)
    name = f"  as {clean(server.name, signs)}" if server.name else ""
    waiting = "  your table is waiting" if server.table else ""
    return Row(server.url, (Content.assemble((where, "bold"), name, (waiting, "bold $accent")),))
