"""A question that is answered by yes or no."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from client_cli.console import printable
from client_cli.screen.dialog import HELP, Dialog, T
from client_cli.screen.keyline import KeyLine


class Question(Dialog[bool]):
    """Asks for a yes or a no before what cannot be undone, so that Enter, which may come by habit, is a no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,Y", "answer(True)", "Yes", id="yes"),
        Binding("n,N,enter,escape", "answer(False)", "No", id="no"),
        HELP,
    ]
    HELP = "Y alone says yes; what is asked about cannot be undone."
    DEFAULT_CSS = """
    Question > #box { width: auto; min-width: 30; max-width: 60; padding: 1 2 0 2; }
    Question #box Static { width: auto; max-width: 54; margin-bottom: 1; }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Static(Content(printable(self._text)))
            yield Static(Content("   ").join([_button("[ Y Yes ]", True), _button("[ N No ]", False)]))
        yield KeyLine()

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)


def end_if_sure(dialog: Dialog[T], result: T, question: str | None) -> None:
    """End a dialog with a result; where there is a question about it, by a yes alone.

    The dialog stands beneath the question all the while, so that no key comes to the screen under both.
    """

    def answered(yes: bool | None) -> None:
        if yes:
            dialog.dismiss(result)

    if question is None:
        dialog.dismiss(result)
    elif dialog.app.screen is dialog:  # else it is being asked already, for a key that was pressed twice
        dialog.app.push_screen(Question(question), answered)


def _button(text: str, answer: bool) -> Content:
    return Content.styled(text, Style.from_meta({"@click": f"screen.answer({answer})"}) + Style(bold=True))
