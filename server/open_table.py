"""One open table in this process: a task that takes its inputs in order and decides, appends, folds, sends.

No process owns a table. What another process has appended comes as a wake-up or as the answer to an append that was
behind; it is folded, and what was to be decided is decided again.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from secrets import token_bytes, token_urlsafe

from protocol import messages as m
from protocol.codec import encode
from rules.shuffle import SEED_BYTES
from server import entries as d
from server.arrivals import Arrivals
from server.decide import (
    CLOCK,
    Arriving,
    Asked,
    Input,
    Looking,
    Losing,
    Refusal,
    Repeated,
    Staying,
    WentBack,
    decide,
    depends_on_time,
)
from server.due import next_due, rank, superseded, untrue
from server.entries import Entry, UnknownEntry
from server.guest import Guest
from server.http import traced
from server.lifetimes import Lifetimes
from server.metrics import ENTRIES, REWINDS
from server.recent import Recent
from server.records import record_of
from server.render import Telling, card_bytes, entry_frame, folded, said_frame, table_card, table_view, turn
from server.snapshot import take
from server.store import (
    Appended,
    Behind,
    ChatGrew,
    Diverged,
    Head,
    LogGrew,
    LookAgain,
    NewEntry,
    Record,
    Said,
    Store,
    StoredEntry,
    StoreError,
    StoreInDoubt,
    StoreUnavailable,
    Trimmed,
    Wake,
)
from server.table import Table
from server.tail import read_tail, start

_log = logging.getLogger("biritch.tables")

INBOX = 256
"""So many inputs wait for a table at most; a command more is refused."""

Answer = int | Refusal
"""The number of the entry that an input became, 0 if it needed none; or why it was refused."""


UNAVAILABLE = Refusal("store.unavailable", "The store cannot be reached; nothing was done. Try again.")
REWOUND = Refusal("table.rewound", "The store went back; this was not done.")
OVERTAKEN = Refusal("server.busy", "You have come to this table by another connection meanwhile; connect again.")
"""A guest's connection was opened before the one by which he came last. Whoever is still there opens a new one."""


@dataclass(frozen=True, slots=True)
class Job:
    """An input and who waits for its answer. A guest who arrives is told of the table before he is answered."""

    given: Input
    answer: Callable[[Answer], None] | None = None
    arriving: Guest | None = None
    has: tuple[int, str] = (0, "")


@dataclass(frozen=True, slots=True)
class TableTiming:
    """In seconds: how long a bot takes, how long to wait before a store that did not do a thing is asked again, and how
    much longer each further process waits before it does what is due. `keep` is what the store keeps of a table."""

    bot_s: float = 0.8
    again_s: float = 0.2
    stagger_s: float = 0.3
    keep: Lifetimes = field(default_factory=Lifetimes)


class Gone(Exception):
    """The table's log is no longer there."""


class OpenTable:
    """A table that this process has open."""

    def __init__(self, id: str, process: str, store: Store, now: Callable[[], float], timing: TableTiming) -> None:
        self.table = Table(id)
        self.open = False
        """Whether it is loaded and takes inputs."""
        self.expected = 0
        """How many guests are on their way in: the table stays open for them."""
        self._process, self._store, self._now, self._timing = process, store, now, timing
        self._inbox: asyncio.Queue[Job | Wake | Exception] = asyncio.Queue(INBOX)
        self._missed_wake = False
        self._resting = False
        """Whether the task waits for an input."""
        self._heard = 0.0  # the time of the last line of chat that was passed on
        self._guests: dict[str, Guest] = {}
        self._recent, self._arrivals = Recent(), Arrivals()
        self._due: asyncio.TimerHandle | None = None
        self._hold_s = 0.0
        self._went_back: WentBack | None = None
        self._card_changed = True

    # --- what others ask of it

    def put(self, job: Job) -> bool:
        """Hand over an input; False if too many wait already."""
        if not self.open:
            return False
        try:
            self._inbox.put_nowait(job)
        except asyncio.QueueFull:
            return False
        return True

    def wake(self, wake: Wake) -> None:
        """Take a wake-up of the store. One too many is made up for by a look at the log."""
        if isinstance(wake, LogGrew) and self._take_at_once(wake):
            return
        try:
            self._inbox.put_nowait(wake)
        except asyncio.QueueFull:
            self._missed_wake = True

    def _take_at_once(self, grown: LogGrew) -> bool:
        """Fold what another process has appended while the task rests: to wake it would cost as much as the fold."""
        last = grown.entries[-1]
        if last.number <= self.table.head.number:
            return self._recent.knows(last.head)  # our own, mostly
        if not self._resting or not self._inbox.empty() or grown.after != self.table.head or self._went_back:
            return False
        try:
            for one in grown.entries:
                self._fold(one)
        except Exception as error:
            self._inbox.put_nowait(error)  # the task ends by it
            return True
        if self._card_changed:
            self.put(Job(Looking()))
        else:
            self._arm()
        return True

    def unexpect(self) -> None:
        """Take note that a guest who was on his way in does not come."""
        self.expected -= 1
        self.put(Job(Looking()))

    def dismiss(self, guest: Guest) -> None:
        """Tell a guest nothing more, from this moment on."""
        if self._guests.get(guest.player) is guest:
            del self._guests[guest.player]

    async def leave(self, guest: Guest, reason: str) -> None:
        """Take note that a guest's connection is gone, waiting for a place in the queue: this is never refused."""
        if self.open:
            await self._inbox.put(Job(Losing(guest.player, guest.connection, reason)))

    def refresh(self) -> None:
        """List the table anew at the next occasion, before its place in the list goes stale."""
        self._card_changed = True
        self.put(Job(Looking()))

    async def load(self) -> bool:
        """Fold the log from its last checkpoint. False if there is no log. Raises UnknownEntry, StoreError."""
        await self._store.watch(self.table.id, self.wake)
        stored = await read_tail(self._store, self.table.id)
        self._begin(stored)
        self._heard = max((said.time for said in await self._store.said(self.table.id, 1)), default=0.0)
        self.open = bool(stored)
        return self.open

    async def flushed(self) -> None:
        """Return when everything that was put in has been dealt with."""
        await self._inbox.join()

    # --- the task

    async def run(self) -> None:
        """Take inputs in order until nobody of this process is left at the table."""
        try:
            while self._wanted():
                self._arm()
                self._resting = True
                item = await self._inbox.get()
                self._resting = False
                try:
                    await self._take(item)
                finally:
                    self._inbox.task_done()
        except (UnknownEntry, StoreError, Gone) as error:
            _log.error("table %s is let go: %s", self.table.id, error)
        except Exception as error:
            _log.error("table %s failed; it will be loaded afresh: %s", self.table.id, traced(error))
        finally:
            self._shut()

    def _wanted(self) -> bool:
        return (
            bool(self._guests)
            or self.expected > 0
            or not self._inbox.empty()
            or self.table.checkpoint_due
            or self._went_back is not None
            or untrue(self.table, self._process, self._guests) is not None
        )

    def _shut(self) -> None:
        self.open = self._resting = False
        if self._due is not None:
            self._due.cancel()
        while not self._inbox.empty():
            item = self._inbox.get_nowait()
            self._inbox.task_done()
            if isinstance(item, Job) and item.answer is not None:
                item.answer(Refusal("server.busy", "The table is being loaded afresh; try again."))
        for guest in tuple(self._guests.values()):
            guest.cut_off()
        self._guests.clear()

    async def _take(self, item: Job | Wake | Exception) -> None:
        match item:
            case Exception():
                raise item
            case Job():
                await self._do(item)
            case ChatGrew(said=said):
                self._pass_on(said)
            case LogGrew(after=after, entries=new) if after == self.table.head:
                for one in new:
                    self._fold(one)
            case LogGrew(entries=new) if self._recent.knows(new[-1].head):
                pass  # our own, or folded already as the answer to an append
            case LogGrew():
                await self._catch_up()
            case LookAgain():
                await self._catch_up()
                await self._hear()
        if self._missed_wake:
            self._missed_wake = False
            await self._catch_up()
            await self._hear()
        await self._make_void()
        await self._advertise()

    async def _do(self, job: Job) -> None:
        # One who joins again is told what he missed in its order, and of his own arrival after that.
        again = job.arriving is not None and self._guests.get(job.arriving.player) is job.arriving
        if again and job.arriving is not None:
            del self._guests[job.arriving.player]
        try:
            answer = await self._make_void() or await self._decide(job.given)
            while job.arriving is not None and answer == REWOUND:
                # He asks for nothing of what is gone: he comes to the table as it is now.
                answer = await self._make_void() or await self._decide(job.given)
        except Exception:
            if job.arriving is not None:
                job.arriving.cut_off()  # not among the guests yet
            raise
        if job.arriving is not None:
            self.expected -= 1
            if not isinstance(answer, Refusal):
                self._welcome(job.arriving, job.has)
            elif again:
                self._guests[job.arriving.player] = job.arriving
        elif isinstance(job.given, Asked) and isinstance(job.given.command, m.LeaveTable) and isinstance(answer, int):
            self._see_off(job.given.player)  # for whom the entry was lost to this process
        if job.answer is not None:
            job.answer(answer)
        else:
            self._hold_s = self._timing.again_s if isinstance(answer, Refusal) else 0.0

    # --- decide and append

    async def _decide(self, given: Input) -> Answer:
        while True:
            try:
                if isinstance(given, Arriving) and await self._overtaken(given):
                    return OVERTAKEN
                now = await self._store.now() if depends_on_time(given) else self.table.time
            except StoreUnavailable:
                return UNAVAILABLE
            if isinstance(given, Staying) and not self._has(given.player, given.connection):
                return 0  # he was replaced by what was folded meanwhile
            decision = decide(self.table, given, max(now, self.table.time))
            if isinstance(decision, Refusal):
                return decision
            if isinstance(decision, Repeated):
                return decision.number
            if not decision:
                return 0
            new = [NewEntry(token_urlsafe(9), d.encode(entry)) for entry in decision]
            refusal = await self._append(decision, new)
            if refusal is not None:
                return refusal
            if self.table.head.id == new[-1].id:
                return self.table.head.number

    def _has(self, player: str, connection: str) -> bool:
        guest = self._guests.get(player)
        return guest is not None and guest.connection == connection

    async def _overtaken(self, given: Arriving) -> bool:
        """Say whether the player may have come by another connection since this one was opened."""
        known = self.table.members.get(given.player) or self.table.departed.get(given.player)
        if known is None or known.connection == given.connection:
            return False
        came = self._arrivals.by_another(given.player, given.connection)
        # A time that is yet to come is of a clock that has gone back since, and says nothing.
        return came is not None and given.opened < came <= await self._store.now()

    async def _append(self, decision: Sequence[Entry], new: Sequence[NewEntry]) -> Refusal | None:
        """Append and fold; or, when others were first, fold theirs alone. Returns why it cannot be done at all."""
        ttl_s = self._timing.keep.after(self.table.stage, (entry.deed for entry in decision))
        first, record = self._put_away(decision)
        in_doubt = False
        while True:
            try:
                result = await self._store.append(
                    self.table.id, self.table.head, new, ttl_s, first=first, record=record
                )
            except StoreInDoubt:
                # Nothing more is decided until it is known whether this was saved. The same ids make asking safe.
                in_doubt = True
            except StoreUnavailable:
                if not in_doubt:
                    return UNAVAILABLE
            else:
                break
            await asyncio.sleep(self._timing.again_s)  # the store says nothing when it is back: ask again
        match result:
            case Appended(entries=stored) | Behind(entries=stored):
                for one in stored:
                    self._fold(one)
            case Trimmed():
                return await self._skip()
            case Diverged():
                await self._rewind()
                return REWOUND
        return None

    def _put_away(self, decision: Sequence[Entry]) -> tuple[int, Record | None]:
        """Return what goes with a checkpoint: the first entry that is needed from then on, and the record of its deal.

        The log itself says in the same step that it is so: no checkpoint stands without the record, and a process that
        knows another past than the log takes nothing away from it.
        """
        if not any(isinstance(entry.deed, d.Checkpoint) for entry in decision):
            return 0, None
        table, keep = self.table, self._timing.keep
        first = min(table.checkpoint, table.head.number + len(decision) + 1 - keep.entries)
        return max(first, 0), record_of(table, keep.records_s)

    # --- fold and send

    def _fold(self, stored: StoredEntry) -> None:
        entry = d.decode(stored.data)
        if isinstance(entry.deed, d.Checkpoint) and take(self.table).digest != entry.deed.digest:
            raise UnknownEntry(f"Checkpoint {stored.number} of its log is not what the entries before it come to.")
        happened = self.table.fold(stored.number, stored.id, stored.time, entry)
        ENTRIES.inc()
        what = folded(self.table, stored, happened)
        self._recent.add(what)
        telling = Telling(self.table, what)
        for guest in tuple(self._guests.values()):
            guest.send(telling.frame(self.table.seat_of(guest.player)))
        self._after(entry)

    def _after(self, entry: Entry) -> None:
        """See to the guests whom an entry concerns in person."""
        deed = entry.deed
        if not isinstance(deed, d.Called | d.Played) or self.table.stage != "playing":
            self._card_changed = True
        match deed:
            case d.Arrived(player=player, connection=connection):
                self._arrivals.add(player, connection, self.table.time)
                guest = self._guests.get(player)
                if guest is not None and guest.connection != connection:
                    del self._guests[player]
                    if entry.by == CLOCK:
                        # Another process says that he is there by it. Which is the later one shows when he comes again.
                        guest.cut_off()
                    else:
                        guest.replaced()
            case d.Left(player=player):
                self._see_off(player)
            case d.SeatMoved(former=former):
                guest = self._guests.pop(former, None)
                if guest is not None:
                    guest.replaced()
            case d.SatDown(player=player) | d.StoodUp(player=player):
                guest = self._guests.get(player)
                if guest is not None and self.table.deal is not None:
                    self._show(guest)  # another seat sees other cards

    def _see_off(self, player: str) -> None:
        """Let a player go who has left."""
        if player in self._guests and player not in self.table.members:
            self._guests.pop(player).left()

    def _show(self, guest: Guest) -> None:
        guest.send(encode(table_view(self.table, guest.player)))

    def _welcome(self, guest: Guest, has: tuple[int, str]) -> None:
        """Tell a guest what he has missed since the entry that he has, or all there is."""
        self._guests[guest.player] = guest
        missed = self._recent.since(Head(*has))
        if missed is None:
            self._show(guest)
            return
        seat = self.table.seat_of(guest.player)
        for what in missed:
            last = what.number == self.table.head.number
            guest.send(entry_frame(self.table, what, seat, turn(self.table, seat) if last else what.turn))

    # --- the log as others have left it

    def _begin(self, tail: Sequence[StoredEntry]) -> None:
        """Fold what has been read, from its last checkpoint or its beginning on."""
        self.table, stored = start(self.table.id, tail)
        self._arrivals = Arrivals(stored[0].time if stored else 0.0)
        for one in stored:
            self._fold(one)

    async def _catch_up(self) -> None:
        """Read what follows the entry folded last; a log that lacks that very entry has gone back."""
        head = self.table.head
        try:
            stored = await self._store.read(self.table.id, head.number - 1)
        except StoreUnavailable:
            return  # the wake-up comes again with the connection to the store
        if stored and stored[0].number > head.number:
            await self._skip()
        elif not stored or stored[0].id != head.id:
            await self._rewind()
        else:
            for one in stored[1:]:
                self._fold(one)

    async def _skip(self) -> Refusal | None:
        """Go on from the last checkpoint of a log that begins behind the entry folded last.

        It cannot tell any more whether it had that entry; a deal that went on in another way than is known here says
        that it has gone back meanwhile.
        """
        former = self.table
        _log.info("table %s: the log goes on behind entry %d, which is gone", former.id, former.head.number)
        await self._begin_anew()
        for guest in tuple(self._guests.values()):
            if superseded(self.table, former, self._process, guest):
                del self._guests[guest.player]
                guest.replaced()
        deal = self.table.deal
        if deal is not None and former.deal is not None and deal.departs_from(former.deal):
            self._went_back = WentBack(deal.seed)
            self._tell_rewound(former)
            return REWOUND
        for guest in tuple(self._guests.values()):
            self._show(guest)
        return None

    async def _rewind(self) -> None:
        """Take the log for the truth although it went back."""
        former, known = self.table, self._recent
        await self._begin_anew()
        self._suspect(former.head.number, known)
        self._tell_rewound(former)

    async def _begin_anew(self) -> None:
        """Read the log, however long it takes: only this process may know which deal is to be void."""
        while True:
            try:
                tail = await read_tail(self._store, self.table.id)
                break
            except StoreUnavailable:
                await asyncio.sleep(self._timing.again_s)  # the store says nothing when it is back: ask again
        if not tail:
            raise Gone("its log is gone")
        self._recent = Recent()
        guests, self._guests = self._guests, {}
        try:
            self._begin(tail)
        finally:
            self._guests = guests

    def _tell_rewound(self, former: Table) -> None:
        REWINDS.inc()
        _log.warning("table %s: the log went back behind entry %d", former.id, former.head.number)
        for guest in tuple(self._guests.values()):
            guest.send(encode(m.Rewound(self.table.head.number)))
            self._show(guest)

    def _suspect(self, former: int, known: Recent) -> None:
        """Void the deal in progress, of which players may know more than the log, unless it has begun since then."""
        deal = self.table.deal
        if deal is None or deal.begun > former:
            return
        if known.seed(deal.begun) in (None, deal.seed):
            self._went_back = WentBack(deal.seed)

    async def _make_void(self) -> Refusal | None:
        """Void the deal that is to be void; nothing else is done before."""
        if self._went_back is None:
            return None
        answer = await self._decide(self._went_back)
        if isinstance(answer, Refusal):
            return answer
        self._went_back = None
        return None

    # --- chat

    def _pass_on(self, said: Said) -> None:
        self._heard = max(self._heard, said.time)
        frame = said_frame(said)
        for guest in tuple(self._guests.values()):
            guest.send(frame)

    async def _hear(self) -> None:
        """Pass on what was said while nothing was heard of it."""
        with suppress(StoreUnavailable):
            for said in await self._store.said(self.table.id):
                if said.time > self._heard:
                    self._pass_on(said)

    # --- what is due, and the list of tables

    def _arm(self) -> None:
        """Set the timer for what the clock or a bot has to do next."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        next = self._next()
        if next is not None:
            given, wait_s = next
            wait_s = max(self._hold_s, wait_s, 0.0)
            self._due = asyncio.get_running_loop().call_later(wait_s, self.put, Job(given))

    def _next(self) -> tuple[Input, float] | None:
        """Return what is to be done without being asked, and in how many seconds."""
        if self._went_back is not None:
            return Looking(), 0.0
        wrong = untrue(self.table, self._process, self._guests)
        if wrong is not None:
            return wrong, 0.0
        due = next_due(self.table, self._now(), self._timing.bot_s, lambda: token_bytes(SEED_BYTES))
        if due is None:
            return None
        given, wait_s = due
        return given, wait_s + self._timing.stagger_s * rank(self.table, self._process)

    async def _advertise(self) -> None:
        """Keep the list of public tables true. It is a hint: if the store is away, the next change sets it right."""
        if not self._card_changed or self.table.head.number == 0:
            return
        self._card_changed = False
        if self.table.invitation is not None:
            return
        try:
            if self.table.ended:
                await self._store.withdraw(self.table.id)
            else:
                await self._store.advertise(self.table.id, card_bytes(table_card(self.table)))
        except StoreError:
            self._card_changed = True
