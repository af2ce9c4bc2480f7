"""How long the store keeps a table after its last entry."""

from collections.abc import Iterable
from dataclasses import dataclass

from server import entries as d

DAY_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Seconds by how far a table has come: a rubber has begun, a rubber is over, there is nothing to go on with."""

    unfinished_s: int = 30 * DAY_S
    over_s: int = 7 * DAY_S
    empty_s: int = DAY_S

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
