"""What all dialogs have: a frame above the screen beneath, and the keys that leave and help."""

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.screen import ModalScreen

from client_cli.screen.sight import Sight

T = TypeVar("T")

BACK = Binding("escape", "dismiss(None)", "Back", id="back")
HELP = Binding("question_mark,f1", "app.help", "Help", id="help")
"""The app's own keys are not heard while a dialog is open."""


class Dialog(ModalScreen[T]):
    """A dialog; what it shows stands in a container with the id `box`. One that comes by itself has a `sight`."""

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

    def __init__(self, sight: Sight | None = None) -> None:
        super().__init__()
        self._sight = sight

    def on_mount(self) -> None:
        self.set_class(self.app.has_class("-ascii"), "-ascii")
        if self._sight is not None:
            self._sight.begin(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hear no key before the dialog can have been seen."""
        return self._sight is None or self._sight.seen

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """End the dialog if it stands on top; else it has ended already, by a key that was pressed twice.

        Textual would end whatever stands on top.
        """
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()
