"""A dialog for one line of text."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from client_cli.screen.dialog import BACK, HELP, Dialog, T
from client_cli.screen.field import Field
from client_cli.screen.keyline import KeyLine
from client_cli.screen.question import end_if_sure


class LineDialog(Dialog[T | None]):
    """Asks for a line; ends with what `read` says that it means, which raises Wrong where it means nothing.

    `doubt` may have a question about that, which is asked first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [BACK, HELP]

    HELP = "Enter takes what is typed, Esc leaves all as it was."

    def __init__(
        self,
        title: str,
        words: str,
        read: Callable[[str], T],
        *,
        value: str = "",
        max_length: int = 0,
        doubt: Callable[[T], str | None] = lambda meaning: None,
    ) -> None:
        super().__init__()
        self._title, self._words, self._doubt = title, words, doubt
        self._field = Field(read, self._take, value=value, max_length=max_length)

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            box.border_title = self._title
            yield Static(self._words, markup=False)
            yield self._field
        yield KeyLine()

    def _take(self, meaning: T) -> None:
        end_if_sure(self, meaning, self._doubt(meaning))
