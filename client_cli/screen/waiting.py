"""What is shown while a server is being reached or started."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static


class WaitingScreen(Screen[None]):
    """One sentence in the middle; Esc gives up."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "app.give_up", "Give up", id="give-up")]
    DEFAULT_CSS = """
    WaitingScreen { align: center middle; }
    WaitingScreen Static { width: auto; }
    """

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self._sentence = sentence

    def compose(self) -> ComposeResult:
        yield Static(self._sentence, markup=False)
