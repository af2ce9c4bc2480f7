"""The line in which one says something to all at the table."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from client_cli.screen.desk import NOT_SENT, Desk


class Chat(Input):
    """A line to type in, under the prompt. Enter says it, Esc says nothing; both close the line."""

    class Said(Message):
        """Something has been said."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Say nothing", key_display="Esc", id="close-chat")
    ]
    DEFAULT_CSS = """
    Chat, Chat:focus { height: 1; border: none; padding: 0 1; background: $panel; }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(id="chat", placeholder="Say something", max_length=400)
        self._desk = desk

    def on_mount(self) -> None:
        self.focus()

    async def action_submit(self) -> None:
        """Say it, now or not at all; what cannot be said now stays in the line."""
        text = self.value.strip()
        if text and not self._desk.online:
            self._desk.say(NOT_SENT)
            return
        if text:
            self.post_message(self.Said(text))
        self.action_close()

    def action_close(self) -> None:
        self.remove()
