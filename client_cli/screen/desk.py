"""What every screen has at hand: the settings, the visit to a server, and a way to send a command or say why not."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from client_cli.config import Config
from client_cli.news import News, Unknown
from client_cli.signs import LETTERS, SYMBOLS, Signs
from protocol import messages as m

if TYPE_CHECKING:  # the first screen needs nothing of it but its time
    from client_cli.visit import Visit

NOT_SENT = "There is no connection; this was not sent."


@runtime_checkable
class Hears(Protocol):
    """A screen that is told what is heard from the server."""

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        """Take what was heard; `Desk.view` holds it already. `before` is the view that a fresh one replaces."""


class Desk:
    """The settings, and the visit while there is one. `notify` shows the person a sentence."""

    def __init__(self, config: Config, notify: Callable[[str], None]) -> None:
        self.config = config
        self.signs: Signs = LETTERS if config.ascii else SYMBOLS
        self.visit: Visit | None = None
        self._notify = notify

    @property
    def view(self) -> m.TableView | None:
        """The table as it is now; None if no table has been joined."""
        return None if self.visit is None else self.visit.view

    @property
    def online(self) -> bool:
        """Whether a command would be sent now."""
        return self.visit is not None and self.visit.link.online

    def say(self, *lines: str) -> None:
        """Show the person a few sentences."""
        self._notify("\n".join(lines))

    async def ask(self, command: m.Command) -> bool:
        """Send a command, now or not at all; say why if it was not done. Returns when its effect can be seen."""
        if self.visit is None:
            return False
        from client_cli.link import Offline

        try:
            answer = await self.visit.ask(command)
        except Offline:
            self.say(NOT_SENT)
            return False
        match answer:
            case m.Rejected(message=message):
                self.say(message)
            case Unknown():
                self.say("The connection broke; nobody knows whether this was done.")
        return isinstance(answer, m.Accepted)
