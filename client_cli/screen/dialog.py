"""What all dialogs have: a frame above the screen beneath, and the keys that leave and help."""

from typing import TypeVar

from textual.binding import Binding
from textual.screen import ModalScreen

T = TypeVar("T")

BACK = Binding("escape", "dismiss(None)", "Back", id="back")
HELP = Binding("question_mark,f1", "app.help", "Help", id="help")
"""The app's own keys are not heard while a dialog is open."""


class Dialog(ModalScreen[T]):
    """A dialog; what it shows stands in a container with the id `box`."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $background 70%;
        & > #box {
            width: 76;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            padding: 0 1;
            background: $surface;
            border: round $primary;
            border-title-color: $accent;
            border-title-style: bold;
        }
        &.-ascii > #box { border: ascii $primary; }
    }
    """

    def on_mount(self) -> None:
        self.set_class(self.app.has_class("-ascii"), "-ascii")
