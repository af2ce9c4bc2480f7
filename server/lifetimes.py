"""What the store keeps of a table, and for how long."""

from collections.abc import Iterable
from dataclasses import dataclass

from server import entries as d
from server.tail import TAIL

DAY_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Seconds after the last entry, by how far a table has come: a rubber has begun, a rubber is over, there is nothing
    to go on with. `records_s` is that of the records after the last deal (0: for ever). At least so many `entries`, and
    those since the last checkpoint but one, are left of a log."""

    unfinished_s: int = 30 * DAY_S
    over_s: int = 7 * DAY_S
    empty_s: int = DAY_S
    records_s: int = 365 * DAY_S
    entries: int = TAIL

    def after(self, stage: str, deeds: Iterable[d.Deed]) -> int:
        """Return how long to keep a table at this stage to which these deeds are added."""
        for deed in deeds:
            if isinstance(deed, d.Ended):
                stage = "ended"
            elif isinstance(deed, d.DealBegun):
                stage = "playing"
        if stage in ("gathering", "ended"):
            return self.empty_s
        return self.over_s if stage == "over" else self.unfinished_s
