"""The keys of a screen and what they do, and a few words about it."""

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from client_cli.screen.dialog import Dialog
from client_cli.screen.keyline import KeyLine, keys_of
from client_cli.screen.rows import whole_cells


class HelpDialog(Dialog[None]):
    """Lists the keys of the screen beneath, and under them the words of its `HELP`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,f1,q,Q,enter", "dismiss(None)", "Back", id="back")
    ]
    DEFAULT_CSS = """
    HelpDialog VerticalScroll {
        height: auto;
        max-height: 100%;
        scrollbar-size-vertical: 1;
        & > #words { margin-top: 1; }
    }
    """

    def __init__(self, screen: Screen[Any]) -> None:
        super().__init__()
        # Now: once this dialog is open, the keys beneath are not heard.
        self._keys = [(", ".join(names), binding.description) for binding, _, names in keys_of(screen)]
        self._words = screen.HELP or ""

    def compose(self) -> ComposeResult:
        width = max((len(names) for names, _ in self._keys), default=0)
        lines = [Content.assemble((names.ljust(width), "bold $accent"), f"  {does}") for names, does in self._keys]
        with Vertical(id="box") as box:
            box.border_title = "Help"
            with VerticalScroll() as scroll:
                whole_cells(scroll)
                yield Static(Content("\n").join(lines))
                yield Static(self._words, id="words", markup=False)
        yield KeyLine()
