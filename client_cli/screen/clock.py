"""How long it has been somebody's turn, and how long somebody has been away: told in minutes and seconds."""

from collections.abc import Callable

from client_cli.news import News
from protocol import messages as m


class Clock:
    """Local time, and the store's as far as it can be told from what the server says.

    What is heard was true a little earlier, so the store's clock is at least so far ahead as any message shows.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._ahead = float("-inf")
        self._turn: tuple[int, int] | None = None
        self._since = now()

    def hear(self, message: m.ServerMessage | News) -> None:
        """Learn what time it is at the store."""
        match message:
            case m.Welcome(now=time) | m.Entry(time=time):
                self._ahead = max(self._ahead, time - self._now())

    def turn(self, turn: m.Turn | None) -> None:
        """Take note of whose turn it is; a new turn starts from nought."""
        key = None if turn is None else (turn.deal, turn.index)
        if key != self._turn:
            self._turn, self._since = key, self._now()

    def thinking(self) -> str:
        """Tell how long it has been the same turn."""
        return minutes(self._now() - self._since)

    def away(self, since: float) -> str:
        """Tell how long ago a time of the store's was."""
        self._ahead = max(self._ahead, since - self._now())
        return minutes(self._now() + self._ahead - since)


def minutes(seconds: float) -> str:
    """Write a length of time."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
