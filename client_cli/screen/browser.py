"""The replay browser: deals in a list, such as those of record files, each of which may be opened."""

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click, MouseScrollDown, MouseScrollUp
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from client_cli.config import Config
from client_cli.record_lines import summary
from client_cli.screen.cards import hued
from client_cli.screen.deal_paint import cell
from client_cli.screen.keyline import KeyLine
from client_cli.screen.marks import clean, marks_of
from client_cli.screen.pane import Pane
from client_cli.screen.theme import THEMES, theme_of
from client_cli.shelf import Browsed, Shelf
from client_cli.signs import LETTERS, SYMBOLS, Signs
from rules.game import AnyGame
from rules.scoresheet import Result

_SLICE = 2000
"""So many deals are looked for at once on the way to the last one, so that keys are heard meanwhile."""

_ID_WIDTH = 18


class DealList(Widget):
    """One line for each deal; no more are looked for than are shown. `place` is the one that is marked."""

    DEFAULT_CSS = """
    DealList { height: 1fr; padding: 0 1; }
    """

    def __init__(self, shelf: Shelf, signs: Signs, moved: Callable[[], None], chosen: Callable[[], None]) -> None:
        super().__init__()
        self.place = self._top = 0
        self._shelf, self._signs, self._moved, self._chosen = shelf, signs, moved, chosen

    @property
    def page(self) -> int:
        """How many deals are shown at once."""
        return max(1, self.content_size.height)

    def move_to(self, place: int) -> None:
        """Mark another deal, or the one that is nearest."""
        self._shelf.reach(place + 1)
        self.place = max(0, min(place, len(self._shelf) - 1))
        self._top = max(0, min(self._top, self.place), self.place - self.page + 1)
        self._shelf.reach(self._top + self.page)  # what will be shown counts as known, whenever it is drawn
        self.refresh()
        self._moved()

    def render(self) -> Content:
        rows = range(self._top, min(self._top + self.page, len(self._shelf)))
        return Content("\n").join(self._row(place) for place in rows)

    def _row(self, place: int) -> Content:
        marked = place == self.place
        mark = marks_of(self._signs).turn if marked else " "
        head = Content.assemble(f"{mark}{place + 1:6}  ")
        row = head + deal_line(self._shelf[place], self.content_size.width - head.cell_length, self._signs)
        return row.stylize(Style(bold=True, reverse=True)) if marked else row

    def on_resize(self) -> None:
        self.move_to(self.place)

    def on_click(self, event: Click) -> None:
        place = self._top + event.y
        if place < len(self._shelf):
            self.move_to(place)
            self._chosen()

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        self.move_to(self.place + 3)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        self.move_to(self.place - 3)


def deal_line(deal: Browsed, width: int, signs: Signs) -> Content:
    """Say in one line what a deal was and what it scored, or what is wrong with it."""
    if deal.replayed is None:
        return cell(Content.styled(f"{marks_of(signs).bad} {clean(deal.wrong, signs)}", "bold $error"), width)
    game, result = deal.replayed.game, deal.replayed.state.result
    score = "" if result is None else _points(game, result)
    name = cell(Content(clean(deal.id, signs)), _ID_WIDTH) + Content("  ")
    left = cell(name + hued(summary(deal.replayed, signs), signs), width - len(score) - 2)
    return left + Content(f"  {score}")


def _points(game: AnyGame, result: Result) -> str:
    """Write what each side scored, of those that did."""
    sums = [sum(line.points for line in result.lines if line.side == place) for place in range(len(game.sides))]
    return "  ".join(f"{side.name} {points:+}" for side, points in zip(game.sides, sums, strict=True) if points)


class DealsScreen(Screen[None]):
    """The deals, one of which may be opened."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,right", "open", "Open", id="open"),
        Binding("down,j", "move(1)", "Next", id="down"),
        Binding("up,k", "move(-1)", "Before", id="up", show=False),
        Binding("pagedown", "page(1)", "Page on", id="page-down"),
        Binding("pageup", "page(-1)", "Page back", id="page-up", show=False),
        Binding("home,g", "first", "First", id="first", show=False),
        Binding("end,G", "last", "Last", id="last"),
        Binding("q,escape", "close", "Close", id="back"),
    ]
    HELP = (
        "Here are the deals of the files, one on each line. What is wrong with a record is said in its place. A large "
        "file is read only as far as it is looked at, so that the number of deals may not be known."
    )
    DEFAULT_CSS = """
    DealsScreen > #title { height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; }
    DealsScreen > #none { height: auto; padding: 1 2; }
    """

    def __init__(self, shelf: Shelf, signs: Signs) -> None:
        super().__init__()
        self._shelf, self._signs = shelf, signs
        self._list = DealList(shelf, signs, self._show_title, self.action_open)

    def compose(self) -> ComposeResult:
        yield Pane(id="title")
        yield Pane(id="none")
        yield self._list
        yield KeyLine()

    def on_mount(self) -> None:
        self._shelf.reach(1)
        none = self.query_one("#none", Pane)
        none.show(Content("There are no deals here."))
        none.display = not len(self._shelf)
        self._show_title()

    def _show_title(self) -> None:
        if not len(self._shelf):
            return
        place, known = self._list.place, len(self._shelf)
        right = Content(f"{place + 1} of {known}" + ("" if self._shelf.complete else " or more"))
        left = Content.styled(clean(self._shelf[place].where, self._signs), "bold $accent")
        width = self.size.width - 2 - right.cell_length
        self.query_one("#title", Pane).show(cell(left, width) + right)

    def action_open(self) -> None:
        if len(self._shelf):
            from client_cli.screen.step_through import StepsScreen

            self.app.push_screen(StepsScreen(self._shelf, self._list.place, self._signs), self._came_back)

    def _came_back(self, place: int | None) -> None:
        self._list.move_to(self._list.place if place is None else place)

    def action_close(self) -> None:
        """Go back to the screen beneath; at the bottom, end the program."""
        if len(self.app.screen_stack) > 2:
            self.dismiss()
        else:
            self.app.exit()

    def action_move(self, by: int) -> None:
        self._list.move_to(self._list.place + by)

    def action_page(self, by: int) -> None:
        self._list.move_to(self._list.place + by * self._list.page)

    def action_first(self) -> None:
        self._list.move_to(0)

    def action_last(self) -> None:
        self.run_worker(self._go_to_last(), exclusive=True)

    async def _go_to_last(self) -> None:
        while not self._shelf.complete:
            self._shelf.reach(len(self._shelf) + _SLICE)
            await asyncio.sleep(0)  # takes no time, but lets keys be heard and the list be drawn
        self._list.move_to(len(self._shelf) - 1)


class BrowserApp(App[int]):
    """The replay browser as a program of its own."""

    TITLE = "Biritch"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "quit", "Quit", show=False, priority=True),
        Binding("question_mark", "help", "Help", key_display="?", id="help"),
    ]

    def __init__(self, shelf: Shelf, config: Config) -> None:
        super().__init__()
        self.animation_level = "none"
        self._shelf, self._config = shelf, config

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = theme_of(self._config)
        self.set_class(self._config.ascii, "-ascii")
        self.set_keymap(dict(self._config.keys))
        self.push_screen(DealsScreen(self._shelf, LETTERS if self._config.ascii else SYMBOLS))

    def action_help(self) -> None:
        from client_cli.screen.help import HelpDialog

        if not isinstance(self.screen, HelpDialog):
            self.push_screen(HelpDialog(self.screen))
