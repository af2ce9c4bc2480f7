"""The logs folded once more, beside the servers, and everything that was told compared with what ought to be told."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from protocol import messages as m
from protocol.codec import decode_message, encode
from server import decide as decision
from server import entries as d
from server.decide import BOT, Asked, bot_to_act, decide
from server.render import Folded, entry_frame, folded, table_view, turn
from server.snapshot import take
from server.store import StoredEntry
from server.table import Table
from tests.faults.deals import Deals
from tests.faults.history import History
from tests.faults.logs import Secrets
from tests.faults.notes import Finding, Notes, Stretch, Told
from tests.faults.order import fits
from tests.faults.refusals import Refusals
from tests.server.rig import cards_in, hidden_from

SLIP = 8
"""So many entries may come before it is known everywhere that a deal is to be void."""


@contextmanager
def judging(away_s: float) -> Iterator[None]:
    """Judge by the limit by which the servers went."""
    usual, decision.AWAY_S = decision.AWAY_S, away_s
    try:
        yield
    finally:
        decision.AWAY_S = usual


class Walk:
    """One fold of one table's log of one era, with those who were told of it as it grew."""

    def __init__(self, id: str, history: History, number: int, told: Iterable[Stretch], notes: Sequence[Notes]) -> None:
        self.table = Table(id)
        self.deals = Deals(self.table)
        self.findings: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self._number, self._era = number, history[number]
        self._former = history[number - 1] if number else None
        self._told: defaultdict[int, list[tuple[str, Told]]] = defaultdict(list)
        for stretch in told:
            for one in stretch.told:
                self._told[one.head.number].append((stretch.player, one))
        self._asked: defaultdict[tuple[str, int], list[m.Command]] = defaultdict(list)
        for sent in (sent for player in notes for sent in player.sent):
            self._asked[sent.player, sent.command.id].append(sent.command)
        self._made = [(player.player, player.before_end[1]) for player in notes if player.before_end is not None]
        self._lost = _lost(history, number, notes)
        self._suspect = 0  # the number of a deal of which players know more than the log

    def go(self, refusals: Refusals, secrets: Secrets) -> None:
        """Fold the log, checking at each entry all that belongs there."""
        refusals.look(self.table, self._number)
        for stored, entry in zip(self._era.stored, self._era.entries, strict=True):
            try:
                if stored.number > 1 and not (self._former is not None and self._former.has(stored.head)):
                    self._judge(stored, entry)
                self._count(entry.deed)
                happened = self.table.fold(stored.number, stored.id, stored.time, entry)
            except Exception as error:  # whatever it is that the servers have written there
                return self._find("log", f"the next entry cannot be: {entry.deed}: {error!r}")
            self._look(folded(self.table, stored, happened), entry.deed, secrets)
            refusals.look(self.table, self._number)
        for wrong in self.deals.compare(self._era.records):
            self._find("record", wrong)

    def _look(self, what: Folded, deed: d.AnyDeed, secrets: Secrets) -> None:
        """Check what belongs to the entry that was folded last."""
        wrong = self.deals.note(deed, secrets)
        if wrong is not None:
            self._find("score", wrong)
        self._see_to_void(deed)
        for player, told in self._told.get(what.number, ()):
            self._compare(player, told, what)
        for player, made in self._made:
            if (made.number, made.entry) == (what.number, what.id):
                self._compare_made(player, made)

    def _find(self, kind: str, what: str) -> None:
        self.findings.append(Finding(kind, self.table.id, self.table.head.number, what))

    # --- whether it may be

    def _judge(self, stored: StoredEntry, entry: d.Entry) -> None:
        """Check that the table, as it is, allows the entry that follows, at its time."""
        match entry.deed:
            case d.DealBegun():
                allowed = self.table.all_agreed
            case d.Dropped(player=player, connection=connection):
                allowed = self.table.members[player].connection == connection
            case d.Checkpoint(digest=digest):
                allowed = take(self.table).digest == digest
            case _ if entry.by == BOT:
                allowed = bot_to_act(self.table) is not None
            case _ if entry.command:
                asked = self._asked[entry.by, entry.command]
                allowed = any(
                    decide(self.table, Asked(entry.by, command), stored.time) == (entry,) for command in asked
                )
            case _:
                allowed = True
        if not allowed:
            self._find("accepted_wrongly", f"what follows, at {stored.time}, ought not to: {entry}")

    def _count(self, deed: d.AnyDeed) -> None:
        """Count what is about to happen and does not happen everywhere."""
        match deed:
            case d.BotSeated(seat=seat) if self.table.chairs[seat].owner is not None:
                self.counts["bots_for_the_absent"] += 1
            case d.Arrived(player=player) if (own := self.table.seat_of(player)) is not None:
                self.counts["seats_taken_back"] += self.table.chairs[own].bot
            case d.Ended():
                self.counts["tables_ended"] += 1
            case d.Voided():
                self.counts["deals_voided"] += 1
            case d.Checkpoint():
                self.counts["checkpoints"] += 1

    # --- what they were told

    def _compare(self, player: str, told: Told, what: Folded) -> None:
        seat = self.table.seat_of(player)
        named = cards_in(told.frame)
        if named and (leaked := named & hidden_from(self.table, seat)):
            self._find("leaked", f"{player} in seat {seat} was told of {sorted(leaked)}")
        message = decode_message(told.frame)
        if isinstance(message, m.TableView):
            ought = decode_message(encode(table_view(self.table, player)))
            if message != ought:
                self._find("view", f"{player} was shown {_difference(message, ought)}")
        elif isinstance(message, m.Entry):
            entry = decode_message(entry_frame(self.table, what, seat, turn(self.table, seat)))
            assert isinstance(entry, m.Entry)
            _forget_what_was_legal(message.turn, entry.turn)
            if message != entry:
                self._find("view", f"{player} was told {_difference(message, entry)}")

    def _compare_made(self, player: str, made: m.TableView) -> None:
        """Compare what a player has made of a view and entries with what he would be shown."""
        ought = decode_message(encode(table_view(self.table, player)))
        assert isinstance(ought, m.TableView)
        for view in (made, ought):
            view.last_command = 0
            view.spectators.sort(key=lambda part: part.player)
        _forget_what_was_legal(made.turn, ought.turn)
        if made != ought:
            self._find("view", f"{player} had made of the entries {_difference(made, ought)}")

    # --- after a rewinding

    def _see_to_void(self, deed: d.AnyDeed) -> None:
        """See that a deal in progress is void after its log has gone back, at once or nearly so.

        Until a process that knows of it comes to say so, one that does not may let the deal go on, and end.
        """
        deal, head = self.table.deal, self.table.head.number
        if (
            self._lost is not None
            and head == self._lost.known_at
            and deal is not None
            and self.table.stage == "playing"
        ):
            self._suspect = deal.number if deal.begun <= self._lost.cut_at else 0
        elif isinstance(deed, d.Voided) or self.table.stage != "playing":
            self._suspect = 0
        elif self._suspect and self._lost is not None and head > self._lost.known_at + SLIP:
            self._find("played_on", f"deal {self._suspect} goes on although its log had gone back: {self._lost}")
            self._suspect = 0


def _forget_what_was_legal(told: m.Turn | None, ought: m.Turn | None) -> None:
    """Let a turn be told without what might have been done: as it is when it has passed before it is told."""
    if told is not None and ought is not None and told.legal is None:
        ought.legal = None


@dataclass(frozen=True, slots=True)
class _Lost:
    """A log went back to the entry `cut_at`; it had come to `known_at` when a process that knew this has said so."""

    cut_at: int
    known_at: int


def _lost(history: History, number: int, notes: Iterable[Notes]) -> _Lost | None:
    """Return where the log of an era had gone back to, if it had, and a process knew, said so, and lived on."""
    if number == 0:
        return None
    era, before = history[number], history[number - 1]
    known_at = [
        stretch.told[0].head.number
        for one in notes
        for stretch in one.stretches
        if stretch.rewound_from is not None
        and before.has(stretch.rewound_from)
        and not era.has(stretch.rewound_from)
        and stretch.went_on
        and fits(era, stretch)
    ]
    return _Lost(era.lost_from(before), min(known_at)) if known_at else None


def _difference(told: m.ServerMessage, ought: object) -> str:
    fields = [name for name in told.__struct_fields__ if getattr(told, name) != getattr(ought, name, None)]
    return "; ".join(f"{name} {getattr(told, name)} and not {getattr(ought, name, None)}" for name in fields)
