"""The refusals of one table, each to be found just by the table as of the entry that it names."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from client_cli.link import PASSING
from protocol import messages as m
from server.decide import Asked, Refusal, decide
from server.table import Table
from tests.faults.history import History
from tests.faults.notes import Finding, Sent


class Refusals:
    """Those that say something of the command; a passing one says nothing of it, it may be sent again."""

    def __init__(self, table: str, history: History, sent: Iterable[Sent]) -> None:
        self._table, self._history = table, history
        self._open: defaultdict[int, list[tuple[Sent, m.Rejected, int]]] = defaultdict(list)
        self._early: list[Finding] = []
        for one in sent:
            for answer in one.answers:
                if isinstance(answer.message, m.Rejected) and answer.message.code not in PASSING:
                    self._add(one, answer.message, answer.era)

    def _add(self, sent: Sent, refusal: m.Rejected, era: int) -> None:
        self._open[refusal.number].append((sent, refusal, era))
        seen = sent.seen
        if seen is not None and refusal.number < seen.number and sent.era == era and self._history[era].has(seen):
            what = f"{sent.command} was refused ({refusal.code}) by one who knew less than entry {seen.number}"
            self._early.append(Finding("refused_wrongly", self._table, refusal.number, what))

    def look(self, folded: Table, era: int) -> None:
        """Strike out what this state of the table would refuse in the same way."""
        waiting = self._open.get(folded.head.number)
        if waiting:
            self._open[folded.head.number] = [one for one in waiting if one[2] < era or not _just(folded, *one[:2])]

    def unjust(self) -> Iterator[Finding]:
        """Return what no state of the table has refused."""
        yield from self._early
        for number, some in self._open.items():
            for sent, refusal, era in some:
                yield Finding(
                    "refused_wrongly",
                    self._table,
                    number,
                    f"{sent.command} was refused in era {era}, sent in {sent.era}: {refusal.code}: {refusal.message}"
                    f" (other answers: {[type(one.message).__name__ for one in sent.answers]})",
                )


def _just(table: Table, sent: Sent, refusal: m.Rejected) -> bool:
    if isinstance(sent.command, m.Say):
        return False
    would = decide(table, Asked(sent.player, sent.command), table.time)
    return isinstance(would, Refusal) and would.code == refusal.code
