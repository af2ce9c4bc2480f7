"""What the players asked for and how they were answered, held against the log and the talk of their table."""

from collections.abc import Iterable, Iterator

from protocol import messages as m
from server import entries as d
from server.store import CHAT_KEPT
from tests.faults.history import History
from tests.faults.notes import Finding, Sent

_DEEDS: dict[type[m.Command], type[d.Deed]] = {
    m.MakeCall: d.Called,
    m.PlayCard: d.Played,
    m.DiscardCards: d.Discarded,
    m.CallPartners: d.PartnersCalled,
    m.NameJoker: d.JokerNamed,
    m.Ready: d.Agreed,
    m.Rematch: d.Agreed,
    m.TakeSeat: d.SatDown,
    m.SeatBot: d.BotSeated,
    m.SetName: d.Renamed,
    m.EndTable: d.Ended,
}
"""What the log keeps of each command that the players use."""


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
            yield from _check_talk(table, history, one, one.command.text)
        elif not isinstance(one.command, m.CreateTable):
            yield from _check_accepted(table, history, one)
            yield from _check_refused(table, history, one)


def _check_accepted(table: str, history: History, sent: Sent) -> Iterator[Finding]:
    key = sent.player, sent.command.id
    for number, until in sent.accepted:
        eras = [era for era in history[: until + 1] if number in era.done.get(key, ())]
        if not eras:
            yield Finding("lost", table, number, f"{sent.command} was accepted and is not this entry")
        elif not says(eras[-1].entries[number - 1].deed, sent.command):
            yield Finding("lost", table, number, f"{sent.command} became {eras[-1].entries[number - 1].deed}")


def says(deed: d.AnyDeed, command: m.Command) -> bool:
    """Say whether a deed is what a command asked for."""
    match deed, command:
        case d.Called(call=done), m.MakeCall(call=asked):
            return done == asked
        case d.Played(card=done), m.PlayCard(card=asked):
            return done == asked
        case d.Renamed(name=done), m.SetName(name=asked):
            return done == asked
        case d.Discarded(cards=cards), m.DiscardCards(cards=asked_for):
            return sorted(cards) == sorted(asked_for)
    return type(deed) is _DEEDS[type(command)]


def _check_refused(table: str, history: History, sent: Sent) -> Iterator[Finding]:
    """What was refused as often as it was sent has not been done, nor was it done later.

    It may have been done in an era before that of the last refusal: what was under way then, the store has lost.
    """
    key, since = (sent.player, sent.command.id), max(sent.refused, default=0)
    for era in history[since:] if sent.refused else ():
        for number in era.done.get(key, ()):
            if says(era.entries[number - 1].deed, sent.command):
                yield Finding("half_applied", table, number, f"refused, and done: {sent}")


def _check_talk(table: str, history: History, sent: Sent, text: str) -> Iterator[Finding]:
    for _, until in sent.accepted:
        if not any(text in era.talk or era.talk.total() >= CHAT_KEPT for era in history[: until + 1]):
            yield Finding("lost", table, 0, f"{sent.command} was accepted and is not in the talk")
    if sent.refused and any(text in era.talk for era in history[max(sent.refused) :]):
        yield Finding("half_applied", table, 0, f"refused, and said: {sent}")
