"""A dialog that shows a few lines until it is closed."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from client_cli.screen.cards import hued
from client_cli.screen.dialog import BACK, HELP, Dialog
from client_cli.screen.keyline import KeyLine
from client_cli.screen.marks import clean
from client_cli.screen.rows import whole_cells
from client_cli.screen.sight import Sight
from client_cli.signs import Signs


class PageDialog(Dialog[None]):
    """Shows lines of text, which scroll where they are many."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space,q", "dismiss(None)", show=False), BACK, HELP]
    DEFAULT_CSS = """
    PageDialog > #box { width: auto; min-width: 40; scrollbar-size-vertical: 1; }
    PageDialog #box Static { width: auto; max-width: 100%; }
    """

    def __init__(self, title: str, lines: Sequence[str], signs: Signs, sight: Sight | None = None) -> None:
        super().__init__(sight)
        self._title = title
        self._text = Content("\n").join(hued(clean(line, signs), signs) for line in lines)

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="box") as box:
            box.border_title = self._title
            whole_cells(box)
            yield Static(self._text)
        yield KeyLine()
