"""What has been said at the table and what has happened there, the last lines at the bottom.

Calls and cards are not written down: they lie on the table as long as the laws leave them there, and what has been
laid away nobody may look at again.
"""

from collections.abc import Mapping, Sequence

from msgspec import structs
from textual import events
from textual.content import Content
from textual.widget import Widget

from client_cli.screen.cards import hued
from client_cli.screen.marks import clean
from client_cli.signs import Signs
from client_cli.tell import tell
from protocol import messages as m

MOST_LINES = 500


class Talk(Widget):
    """Lines that come at the bottom and move up; the wheel, or a page at a time, goes back to earlier ones."""

    DEFAULT_CSS = """
    Talk { height: 1fr; }
    """

    def __init__(self, signs: Signs, id: str | None = None) -> None:
        super().__init__(id=id)
        self._signs = signs
        self.lines: list[Content] = []
        self._back = 0

    def say(self, name: str, seat: str | None, text: str) -> None:
        """Write down what somebody has said."""
        who = clean(name, self._signs) + (f" ({seat})" if seat else "")
        self.add(Content.assemble((f"{who}: ", "bold $secondary"), clean(text, self._signs)))

    def happen(self, entry: m.Entry, view: m.TableView, names: Mapping[str, str]) -> None:
        """Write down what an entry tells."""
        for event in entry.events:
            if not isinstance(event, m.CallMade | m.CardPlayed | m.TrickWon | m.HandExposed):
                if isinstance(event, m.WidowTaken | m.CardsDiscarded):
                    event = structs.replace(event, cards=None)
                told = next(filter(None, tell(event, view, names, self._signs)), None)
                if told is not None:
                    self.add(hued(clean(told, self._signs), self._signs))

    def add(self, line: Content) -> None:
        """Write a line below the others; who has gone back to earlier ones stays there."""
        self.lines = [*self.lines[1 - MOST_LINES :], line]
        if self._back:
            self._back += len(self._wrapped([line]))
        self.refresh()

    def turn_pages(self, pages: int) -> None:
        """Go back so many pages, or forward again."""
        self._go_back(pages * max(1, self.size.height - 1))

    def _go_back(self, lines: int) -> None:
        most = len(self._wrapped(self.lines)) - self.size.height
        self._back = max(0, min(self._back + lines, most))
        self.refresh()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._go_back(1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._go_back(-1)

    def _wrapped(self, lines: Sequence[Content]) -> list[Content]:
        width = max(1, self.size.width)
        return [piece for line in lines for piece in line.wrap(width)]

    def render(self) -> Content:
        height = self.size.height
        shown = self._wrapped(self.lines[-(height + self._back) :])
        end = len(shown) - self._back
        return Content("\n").join(shown[max(0, end - height) : end])
