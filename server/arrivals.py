"""By which connection each player came to a table last, and when.

A process that slept may hear only now from a connection that its client gave up long ago and has replaced by another.
What such a one asks for must not throw the later one out; but which is the later one, the order of the log alone does
not say.
"""

ARRIVALS_KEPT = 256
"""Of so many players is the last arrival remembered: more than are at a table and remembered to have been there."""


class Arrivals:
    """The last arrivals among the entries that a process has folded; all before the time `since` are unknown to it."""

    def __init__(self, since: float = 0.0) -> None:
        self._since = since
        self._last: dict[str, tuple[str, float]] = {}

    def add(self, player: str, connection: str, time: float) -> None:
        """Take note of an arrival, at the store's time of its entry."""
        self._last.pop(player, None)
        self._last[player] = connection, time
        if len(self._last) > ARRIVALS_KEPT:
            del self._last[next(iter(self._last))]

    def by_another(self, player: str, connection: str) -> float | None:
        """Return the latest time at which a player may have come by another connection than this; None if it was this
        by which he came last."""
        last, time = self._last.get(player, ("", self._since))
        return None if last == connection else time
