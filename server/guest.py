"""A guest of an open table: somebody who is there by a connection of this process."""

from typing import Protocol


class Guest(Protocol):
    """Somebody at a table by a connection of this process."""

    @property
    def player(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def connection(self) -> str: ...

    def send(self, frame: bytes) -> None: ...

    def replaced(self) -> None:
        """Another connection of the player has taken over."""

    def left(self) -> None:
        """The player has gone away from the table."""

    def cut_off(self) -> None:
        """The table is no longer open here, or not by this connection; coming again by a new one may help."""
