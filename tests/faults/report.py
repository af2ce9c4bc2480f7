"""What came out of a run: how often, how long, and what ought not to be."""

import json
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.faults.notes import Finding, Notes, World
from tests.faults.trouble import KINDS

BELONGS_TO_KILL_S = 1.0
UNDISTURBED = ("kill_server", "crash_server")
"""After these there is another server at once, and the store; the other faults have times of their own in them."""


@dataclass(slots=True)
class Report:
    """What came out of it."""

    counts: dict[str, int | float] = field(default_factory=dict)
    details: dict[str, object] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def kinds(self) -> Counter[str]:
        return Counter(finding.kind for finding in self.findings)

    def as_json(self) -> str:
        return json.dumps({**self.counts, **self.details, "findings": list(map(str, self.findings))}, indent=2)

    def count(self, world: World, notes: Sequence[Notes], found: Counter[str], faults: Iterable[str]) -> None:
        """Count what the players noted; `found` is what was counted in the logs."""
        kinds, undisturbed = self.kinds, _waited_s(world, UNDISTURBED)
        self.counts = {
            "actions": sum(bool(sent.accepted) for one in notes for sent in one.sent),
            "kills": world.counts["kills"],
            "reconnects": world.counts["reconnects"],
            "duplicates_sent": world.counts["duplicates_sent"],
            "lost": kinds["lost"],
            "doubled": kinds["doubled"],
            "leaked": kinds["leaked"],
            "refused_wrongly": kinds["refused_wrongly"] + kinds["half_applied"],
            "rewinds": found["rewinds"],
            "checkpoints_agreed": found["checkpoints_agreed"],
            "resume_median_s": round(statistics.median(undisturbed), 3) if undisturbed else 0.0,
            "resume_worst_s": round(max(undisturbed, default=0.0), 3),
        }
        self.details = {
            **{name: count for name, count in found.items() if name not in self.counts},
            "cuts": world.counts["cuts"],
            "delays": world.counts["delays"],
            "told_rewound": sum(one.rewound for one in notes),
            "faults": dict(Counter(faults)),
            "crashes": {name: count for name, count in world.counts.items() if name.startswith("crash ")},
            "refusals": dict(Counter(code for one in notes for code in one.rejections)),
            "resume_by_fault": {kind: _spread(times) for kind in KINDS if (times := _waited_s(world, (kind,)))},
            "failures": dict(kinds),
        }


def _waited_s(world: World, faults: Sequence[str]) -> list[float]:
    """Return how long players of servers that were killed have waited for their table."""
    return [
        one.again_s - one.lost_s
        for one in world.resumed
        if any(
            kill.fault in faults and kill.url == one.url and abs(kill.at_s - one.lost_s) < BELONGS_TO_KILL_S
            for kill in world.killed
        )
    ]


def _spread(times_s: Sequence[float]) -> list[float]:
    """Return how many, the median, the worst."""
    return [len(times_s), round(statistics.median(times_s), 3), round(max(times_s), 3)]
