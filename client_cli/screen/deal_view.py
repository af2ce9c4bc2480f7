"""A deal on the screen: hands, auction, play and score, all together where there is room, else one part at a time."""

from collections.abc import Callable, Mapping

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.widget import Widget

from client_cli.screen.deal_hands import hands_ink
from client_cli.screen.deal_paint import Part, auction_ink, play_ink, score_ink
from client_cli.screen.pane import Pane
from client_cli.screen.rows import whole_cells
from client_cli.signs import Signs
from client_cli.steps import Picture

ROOM = (110, 36)
"""From so many columns and rows on, the whole screen, there is room for all parts."""

COMPASS_WIDTH, LIST_WIDTH = 43, 40
"""So many columns have the hands where only two parts stand beside each other."""


_BESIDE: Mapping[Part, str] = {"deal": "auction", "play": "play", "score": "score"}
"""What stands beside the hands."""


class DealView(VerticalScroll, can_focus=False):
    """A deal at one moment; `part` is what is shown of it where there is no room for all."""

    DEFAULT_CSS = """
    DealView {
        scrollbar-size-vertical: 1;
        & > #parts { layout: grid; grid-size: 2; grid-rows: auto; height: auto; padding: 0 0 0 1; }
        & #parts > Pane { height: auto; text-wrap: nowrap; text-overflow: clip; }
        &.-all #parts { grid-gutter: 1 0; }
    }
    """

    def __init__(self, signs: Signs, id: str | None = None) -> None:
        super().__init__(id=id)
        self._signs = signs
        self._picture: Picture | None = None
        self._names: Mapping[str, str] = {}
        self._part: Part = "deal"
        self._grid = Widget(id="parts")
        self._parts = {name: Pane(id=name) for name in ("hands", "play", "auction", "score")}

    def compose(self) -> ComposeResult:
        with self._grid:
            yield from self._parts.values()

    def on_mount(self) -> None:
        whole_cells(self)

    @property
    def part(self) -> Part:
        return self._part

    @part.setter
    def part(self, part: Part) -> None:
        self._part = part
        self._draw()
        self.scroll_home(animate=False, immediate=True)

    @property
    def shows_all(self) -> bool:
        """Whether there is room for all parts."""
        width, height = self.app.size
        return width >= ROOM[0] and height >= ROOM[1]

    def show(self, picture: Picture, names: Mapping[str, str]) -> None:
        """Show another moment, or another deal; of an auction that goes on, the last calls."""
        self._picture, self._names = picture, names
        self._draw()
        if not picture.called:
            self.scroll_end(animate=False)

    def on_resize(self, event: Resize) -> None:
        self._draw()

    def _draw(self) -> None:
        """Draw the parts that are shown, and put away the others."""
        picture, width, signs = self._picture, self.app.size.width, self._signs
        if picture is None:
            return
        self.set_class(self.shows_all, "-all")
        hands = COMPASS_WIDTH if len(picture.game.seats) == 4 else LIST_WIDTH
        if self.shows_all:
            hands = (width - 1) // 2
        self._grid.styles.grid_columns = f"{hands} 1fr"
        inks: dict[str, Callable[[], Content]] = {
            "hands": lambda: hands_ink(picture, self._names, hands - 1, signs),
            "play": lambda: play_ink(picture, signs),
            "auction": lambda: auction_ink(picture, signs),
            "score": lambda: score_ink(picture, width - hands - 3, signs),  # there may be a bar
        }
        for name, ink in inks.items():
            pane = self._parts[name]
            pane.display = self.shows_all or name in ("hands", _BESIDE[self._part])
            if pane.display:
                pane.show(ink())
