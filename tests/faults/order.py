"""The order in which the players were told of a table, held against its logs."""

from collections.abc import Iterable, Iterator

from tests.faults.history import Era, History
from tests.faults.notes import Finding, Notes, Stretch


def place(table: str, history: History, stretches: Iterable[Stretch]) -> tuple[list[list[Stretch]], list[Finding]]:
    """Find for each stretch the log that it is a piece of; one that is none of any is a finding."""
    placed: list[list[Stretch]] = [[] for _ in history]
    findings: list[Finding] = []
    for stretch in stretches:
        fitting = [number for number, era in enumerate(history[: stretch.era + 1]) if fits(era, stretch)]
        if fitting:
            placed[fitting[-1]].append(stretch)
        else:
            findings.append(_misfit(table, history, stretch))
    return placed, findings


def fits(era: Era, stretch: Stretch) -> bool:
    """Say whether a log has all that somebody was told."""
    return all(era.has(told.head) for told in stretch.told)


def _misfit(table: str, history: History, stretch: Stretch) -> Finding:
    def length(era: Era) -> int:
        told = stretch.told
        return next((n for n, one in enumerate(told) if not era.has(one.head)), len(told))

    best = max(map(length, history[: stretch.era + 1]))
    first, number = stretch.told[0].head.number, stretch.told[best].head.number
    what = f"{stretch.player} was told, from {first} on, what no log holds in this order"
    return Finding("order", table, number, what)


def check_rewinds(table: str, history: History, notes: Iterable[Notes]) -> Iterator[Finding]:
    """Whoever had seen what a rewinding took away has heard of it, or came back to a fresh view; and nobody else.

    A stretch ends there in either case. So what each player believed at the end, before he was made to come afresh,
    is in the log as it is now.
    """
    for one in notes:
        for stretch in one.stretches:
            known = stretch.rewound_from
            if known is not None and all(era.has(known) for era in history[: stretch.era + 1]):
                yield Finding("rewind", table, known.number, f"{one.player} was told that this is lost, which is not")
        if one.before_end is not None and not fits(history[-1], one.before_end[0]):
            last = next(told.head for told in one.before_end[0].told if not history[-1].has(told.head))
            what = f"{one.player} was never told that the store has lost this: {last.id}"
            yield Finding("rewind", table, last.number, what)


def check_end(table: str, history: History, notes: Iterable[Notes]) -> Iterator[Finding]:
    """In the end every player knows the whole log."""
    last = history[-1].stored[-1]
    for one in notes:
        if one.known != last.head:
            yield Finding("behind", table, last.number, f"{one.player} has heard only of {one.known}")
