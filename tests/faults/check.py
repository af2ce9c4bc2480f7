"""What the players were told and answered, held against the logs of their table."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from protocol import messages as m
from server import entries as d
from server.decide import Asked, Refusal, decide
from server.store import CHAT_KEPT
from server.table import Table
from tests.faults.history import Era, History
from tests.faults.notes import Finding, Sent, Stretch
from tests.faults.player import Player

FOR_NOW = ("store.unavailable", "server.busy", "server.stopping", "table.rewound")
"""Refusals that say nothing of the command: it may be sent again."""


def check_commands(table: str, history: History, sent: Iterable[Sent]) -> Iterator[Finding]:
    """Every accepted command is in the log once, as it was sent and answered; a refused one is not."""
    for era in history:
        for (player, id), numbers in era.done.items():
            if len(numbers) > 1:
                yield Finding("doubled", table, numbers[1], f"command {id} of {player} is entries {numbers}")
        for text, times in era.talk.items():
            if times > 1:
                yield Finding("doubled", table, 0, f"the talk has {text!r} {times} times")
    for one in sent:
        if isinstance(one.command, m.Say):
            yield from _check_talk(table, history, one)
        elif not isinstance(one.command, m.CreateTable):
            yield from _check_accepted(table, history, one)
            yield from _check_refused(table, history, one)


def _check_accepted(table: str, history: History, sent: Sent) -> Iterator[Finding]:
    key = sent.player, sent.command.id
    for number, until in sent.accepted:
        eras = [era for era in history[: until + 1] if number in era.done.get(key, ())]
        if not eras:
            yield Finding("lost", table, number, f"{sent.command} was accepted and is not this entry")
        elif not _says(eras[-1].entries[number - 1].deed, sent.command):
            yield Finding("lost", table, number, f"{sent.command} became {eras[-1].entries[number - 1].deed}")
    answered = {number for number, _ in sent.accepted}
    if len(answered) > 1 and len(history) == 1:
        yield Finding("refused_wrongly", table, min(answered), f"{sent.command} was accepted as all of {answered}")


def _says(deed: d.AnyDeed, command: m.Command) -> bool:
    """Say whether a deed is what a command asked for; most commands have nothing that could be another."""
    match deed, command:
        case d.Called(call=done), m.MakeCall(call=asked):
            return done == asked
        case d.Played(card=done), m.PlayCard(card=asked):
            return done == asked
        case d.Renamed(name=done), m.SetName(name=asked):
            return done == asked
        case d.Discarded(cards=cards), m.DiscardCards(cards=asked_for):
            return sorted(cards) == sorted(asked_for)
        case ((d.Called() | d.Played() | d.Renamed() | d.Discarded()), _):
            return False
    return True


def _check_refused(table: str, history: History, sent: Sent) -> Iterator[Finding]:
    """What was refused as often as it was sent has not been done."""
    if len(sent.answers) < sent.times or sent.accepted:
        return
    numbers = next((era.done[key] for era in history if (key := (sent.player, sent.command.id)) in era.done), None)
    if numbers and sent.answers:
        codes = [one.message.code for one in sent.answers if isinstance(one.message, m.Rejected)]
        yield Finding("half_applied", table, numbers[0], f"{sent.command} was refused ({codes}) and done")


def _check_talk(table: str, history: History, sent: Sent) -> Iterator[Finding]:
    assert isinstance(sent.command, m.Say)
    for _, until in sent.accepted:
        kept = history[: until + 1]
        if not any(sent.command.text in era.talk or era.talk.total() >= CHAT_KEPT for era in kept):
            yield Finding("lost", table, 0, f"{sent.command} was accepted and is not in the talk")


# --- refusals


class Refusals:
    """The refusals of one table, each to be found just by the table as of the entry that it names."""

    def __init__(self, table: str, history: History, sent: Iterable[Sent]) -> None:
        self._table, self._history = table, history
        self._open: defaultdict[int, list[tuple[Sent, m.Rejected, int]]] = defaultdict(list)
        self._early: list[Finding] = []
        for one in sent:
            for answer in one.answers:
                if isinstance(answer.message, m.Rejected) and answer.message.code not in FOR_NOW:
                    self._add(one, answer.message, answer.era)

    def _add(self, sent: Sent, refusal: m.Rejected, era: int) -> None:
        self._open[refusal.number].append((sent, refusal, era))
        if refusal.number < sent.seen[0] and sent.era == era and self._history[era].has(*sent.seen):
            what = f"{sent.command} was refused ({refusal.code}) by one who knew less than entry {sent.seen[0]}"
            self._early.append(Finding("refused_wrongly", self._table, refusal.number, what))

    def look(self, folded: Table, era: int) -> None:
        """Strike out what this state of the table would refuse in the same way."""
        waiting = self._open.get(folded.head.number)
        if waiting:
            self._open[folded.head.number] = [one for one in waiting if one[2] < era or not _just(folded, *one[:2])]

    def unjust(self) -> Iterator[Finding]:
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


# --- the order in which they were told


def place(table: str, history: History, stretches: Iterable[Stretch]) -> tuple[list[list[Stretch]], list[Finding]]:
    """Find for each stretch the log that it is a piece of; one that is none of any is a finding."""
    placed: list[list[Stretch]] = [[] for _ in history]
    findings: list[Finding] = []
    for stretch in stretches:
        fitting = [number for number, era in enumerate(history[: stretch.era + 1]) if _fits(era, stretch)]
        if fitting:
            placed[fitting[-1]].append(stretch)
        else:
            findings.append(_misfit(table, history, stretch))
    return placed, findings


def _fits(era: Era, stretch: Stretch) -> bool:
    return all(era.has(told.number, told.entry) for told in stretch.told)


def _misfit(table: str, history: History, stretch: Stretch) -> Finding:
    def length(era: Era) -> int:
        told = stretch.told
        return next((n for n, one in enumerate(told) if not era.has(one.number, one.entry)), len(told))

    best = max(map(length, history[: stretch.era + 1]))
    number = stretch.told[best].number
    what = f"{stretch.player} was told, from {stretch.told[0].number} on, what no log holds in this order"
    return Finding("order", table, number, what)


def check_end(table: str, history: History, players: Iterable[Player]) -> Iterator[Finding]:
    """In the end every player knows the whole log."""
    last = history[-1].stored[-1]
    for player in players:
        told = player.notes.stretches[-1].told[-1]
        if (told.number, told.entry) != (last.number, last.id):
            yield Finding("order", table, last.number, f"{player.name} has heard only of {told.number}")
