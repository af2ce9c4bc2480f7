"""What the parts of the table screen are drawn from."""

from dataclasses import dataclass

from client_cli.screen.clock import Clock
from client_cli.screen.pick import Pick
from client_cli.screen.room import Room
from client_cli.signs import Signs
from protocol import messages as m


@dataclass(frozen=True, slots=True)
class Look:
    """The table, what is being chosen, `sent` if a card is on its way, and how much room there is to show it."""

    view: m.TableView
    pick: Pick
    sent: str | None
    clock: Clock
    room: Room
    signs: Signs
