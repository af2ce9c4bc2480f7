"""The entries of a table that were folded last, for clients that come back and for wake-ups that come late."""

from collections import deque

from server.render import Folded
from server.store import Head

RECENT = 64
"""So many entries are kept to tell a client that comes back what it missed."""


class Recent:
    """The last entries, oldest first."""

    def __init__(self) -> None:
        self._entries: deque[Folded] = deque(maxlen=RECENT)

    def add(self, what: Folded) -> None:
        """Take in the entry that was folded last."""
        self._entries.append(what)

    def knows(self, head: Head) -> bool:
        """Say whether this is one of them."""
        return any((what.number, what.id) == (head.number, head.id) for what in reversed(self._entries))

    def since(self, head: Head) -> list[Folded] | None:
        """Return what somebody has missed who has heard of this entry last; None if it is too long ago, or unknown."""
        return [what for what in self._entries if what.number > head.number] if self.knows(head) else None

    def seed(self, number: int) -> bytes | None:
        """Return the seed of the deal that there was after an entry; None if it is not known any more."""
        return next((what.seed for what in self._entries if what.number == number), None)
