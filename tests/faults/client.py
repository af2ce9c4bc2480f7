"""What a player's client has to be: `Stubborn`, one of the test's own, and `Linked`, the product's."""

from typing import Protocol

from protocol import messages as m

AGAIN_S = 0.1
"""So long, about, does a client wait before it tries again."""

Answer = m.Accepted | m.Rejected


class Client(Protocol):
    """Keeps up a player's connection, and comes back to his table by itself."""

    @property
    def view(self) -> m.TableView | None:
        """The table as the player knows it."""

    @property
    def there(self) -> bool:
        """Whether it is connected and has its table."""

    async def run(self) -> None:
        """Keep connected, until cancelled."""

    async def join(self, table: str) -> None:
        """Come to a table, as one who knows nothing of it yet."""

    async def do(self, command: m.Command) -> Answer | None:
        """Do a command, whose id is given here; return the answer, None if that is lost. Waits for a connection."""
