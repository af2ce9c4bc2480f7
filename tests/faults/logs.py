"""What the servers have logged, and shown on their pages."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from rules.cards import Card, hand_text
from tests.faults.notes import Finding


class Secrets:
    """What nobody may read in a log of the servers or on a page of theirs: seeds, hands, cards."""

    _CARD = re.compile(r"(?<![\w.:/-])(?:[CDHS][2-9TJQKA]|JK)(?![\w.:/-])")

    def __init__(self) -> None:
        self._texts: set[str] = set()

    def add(self, seed: bytes, hands: Iterable[Iterable[Card]]) -> None:
        self._texts |= {seed.hex(), *(hand_text(hand) for hand in hands if hand)}

    def search(self, where: str, text: str) -> Iterator[Finding]:
        for line in text.splitlines():
            if self._CARD.search(line) or any(secret in line for secret in self._texts):
                yield Finding("leaked", "", 0, f"{where} says {line[:200]!r}")


_COMES_TO = re.compile(r"process (\d+) at (\S+) (\d+) (\S+) comes to (\w+)")


class Agreement:
    """What each process has made of the entries before each checkpoint. To have one's state from there is no proof."""

    def __init__(self) -> None:
        self._digests: defaultdict[tuple[str, int, str], dict[str, str]] = defaultdict(dict)

    def read(self, log: str) -> None:
        for process, table, number, entry, digest in _COMES_TO.findall(log):
            self._digests[table, int(number), entry][process] = digest

    @property
    def agreed(self) -> int:
        """At how many checkpoints several processes had a table open, and agreed."""
        return sum(len(said) > 1 and len(set(said.values())) == 1 for said in self._digests.values())

    def findings(self) -> Iterator[Finding]:
        for (table, number, _), said in self._digests.items():
            if len(set(said.values())) > 1:
                yield Finding("digest", table, number, f"processes {sorted(said)} differ about the state after this")


def errors(where: str, log: str) -> Iterator[Finding]:
    """Return what a server itself took for an error, as when it finds a checkpoint not to be what it comes to."""
    for line in log.splitlines():
        if " ERROR " in line:
            yield Finding("error", "", 0, f"{where}: {line[:300]}")
