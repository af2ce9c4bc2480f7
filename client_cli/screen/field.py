"""A line to type in; what is wrong with it is said under it."""

from collections.abc import Callable
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

T = TypeVar("T")


class Wrong(Exception):
    """What was typed cannot be used; the sentence says why."""


class Line(Input):
    """The line itself."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Done", id="done")]


class Field(Vertical, Generic[T]):
    """A line to type in. `read` says what it means, or raises Wrong; `done` takes what it means."""

    DEFAULT_CSS = """
    Field {
        height: auto;
        & > Line, & > Line:focus { border: round $primary; padding: 0 1; background: transparent; }
        & > Line:focus { border: round $accent; }
        & > .wrong { height: auto; min-height: 1; padding: 0 1; color: $error; text-style: bold; }
        &.-ascii > Line { border: ascii $primary; }
        &.-ascii > Line:focus { border: ascii $accent; }
    }
    """

    def __init__(
        self,
        read: Callable[[str], T],
        done: Callable[[T], None],
        *,
        value: str = "",
        placeholder: str = "",
        max_length: int = 0,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._read, self._done = read, done
        self._line = Line(value, placeholder, max_length=max_length)
        self._wrong = Static(classes="wrong", markup=False)

    def compose(self) -> ComposeResult:
        yield self._line
        yield self._wrong

    def type(self) -> None:
        """Go to the line, to type there."""
        self._line.focus()

    def on_mount(self) -> None:
        self.set_class(self.app.has_class("-ascii"), "-ascii")

    def on_input_changed(self) -> None:
        self._wrong.update("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            meaning = self._read(event.value)
        except Wrong as error:
            self._wrong.update(str(error))
        else:
            self._done(meaning)
