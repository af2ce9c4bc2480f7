"""What stands beside the table: the auction, what has come of it, the score, and the talk."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from client_cli.blocks import game_line
from client_cli.screen.auction import auction, contract
from client_cli.screen.look import Look
from client_cli.screen.marks import clean
from client_cli.screen.pane import Pane
from client_cli.screen.standing import standing, standing_title
from client_cli.screen.talk import Talk
from client_cli.signs import Signs
from protocol import messages as m

_PADDING = 3
_MOST_ROUNDS, _MOST_ROUNDS_TALL = 5, 10


class Side(Vertical):
    """Shows what is written down."""

    DEFAULT_CSS = """
    Side {
        width: 28;
        background: $surface;
        border-left: solid $primary 50%;
        padding: 0 1;
        & > Pane, & > Talk {
            border-top: solid $primary 50%;
            border-title-color: $accent;
            border-title-style: bold;
        }
        & > #contract { border-top: none; }
        & > #auction { max-height: 50%; }
        &.-ascii { border-left: ascii $primary 50%; }
        &.-ascii > Pane, &.-ascii > Talk { border-top: ascii $primary 50%; }
        &.-ascii > #contract { border-top: none; }
    }
    """

    def __init__(self, signs: Signs) -> None:
        super().__init__(id="side")
        self._auction, self._contract, self._standing = Pane("auction"), Pane("contract"), Pane("standing")
        self.talk = Talk(signs, "talk")

    def compose(self) -> ComposeResult:
        yield self._auction
        yield self._contract
        yield self._standing
        yield self.talk

    def on_mount(self) -> None:
        self.set_class(self.app.has_class("-ascii"), "-ascii")
        self.talk.border_title = "Talk"

    def show(self, look: Look) -> None:
        """Show what is written down now."""
        view, width = look.view, look.room.side - _PADDING
        deal = view.deal if view.stage == "playing" else None
        self._show_calls(look, deal, width)
        written = contract(view, deal, look.signs) if deal is not None else Content("")
        self._contract.display = bool(written.plain)
        self._contract.show(written)
        self._standing.display = view.rubber > 0
        self._standing.border_title = standing_title(view)
        self._standing.show(standing(view, look.signs, width))

    def _show_calls(self, look: Look, deal: m.DealPart | None, width: int) -> None:
        """Show the calls of a deal or, before one, what is going to be played."""
        if deal is None:
            self._auction.border_title = "Game"
            self._auction.show(_game(look.view, look.signs))
            return
        rows = _MOST_ROUNDS_TALL if look.room.tall else _MOST_ROUNDS
        self._auction.border_title = "Calls"
        self._auction.display = bool(deal.calls) or deal.contract is None
        self._auction.show(auction(look.view, deal, look.signs, width, rows - 2 * (deal.contract is not None)))


def _game(view: m.TableView, signs: Signs) -> Content:
    lines = [clean(game_line(view), signs)]
    if view.spectators:
        lines.append(f"Watching: {', '.join(clean(part.name, signs) for part in view.spectators)}")
    return Content("\n".join(lines))
