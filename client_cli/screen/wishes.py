"""What a screen asks the program for, as messages that rise to it: to go somewhere else."""

from typing import TYPE_CHECKING

from textual.message import Message

from client_cli.address import Address

if TYPE_CHECKING:  # the first screen needs nothing of it but its time
    from client_cli.house_rules import Chosen


class GoToServer(Message):
    """Visit a server; where the address names a table, that table."""

    def __init__(self, address: Address) -> None:
        super().__init__()
        self.address = address


class PlayAlone(Message):
    """Play against bots at a server of one's own; `chosen` None goes on with what is unfinished, or asks."""

    def __init__(self, chosen: "Chosen | None" = None) -> None:
        super().__init__()
        self.chosen = chosen


class LeaveServer(Message):
    """End the visit and go back to the list of servers."""
