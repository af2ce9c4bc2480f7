"""One open table in this process: a task that takes its inputs in order and decides, appends, folds, sends.

No process owns a table. What another process has appended comes as a wake-up or as the answer to an append that was
behind; it is folded, and what was to be decided is decided again.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from secrets import token_bytes, token_urlsafe
from typing import Protocol

from protocol import messages as m
from protocol.codec import encode
from rules.shuffle import SEED_BYTES
from server import entries as d
from server.decide import (
    BotDue,
    CheckpointDue,
    Input,
    Looking,
    Losing,
    Refusal,
    Repeated,
    Shuffled,
    Staying,
    WentBack,
    bot_to_act,
    decide,
)
from server.entries import Entry, UnknownEntry
from server.http import traced
from server.lifetimes import Lifetimes
from server.metrics import ENTRIES, REWINDS
from server.render import Folded, Telling, card_bytes, entry_frame, folded, said_frame, table_card, table_view, turn
from server.snapshot import restored, take
from server.store import (
    Appended,
    Behind,
    ChatGrew,
    Diverged,
    LogGrew,
    LookAgain,
    NewEntry,
    Said,
    Store,
    StoredEntry,
    StoreError,
    StoreInDoubt,
    StoreUnavailable,
    Wake,
)
from server.table import Table

_log = logging.getLogger("biritch.tables")

INBOX = 256
"""So many inputs wait for a table at most; a command more is refused."""

RECENT = 64
"""So many entries are kept to tell a client that comes back what it missed."""

TAIL = 512
"""So many entries are read to find the last checkpoint of a log: more than ever follow one."""

Answer = int | Refusal
"""The number of the entry that an input became, 0 if it needed none; or why it was refused."""


REWOUND = Refusal("table.rewound", "The store went back; this was not done.")


class Guest(Protocol):
    """Somebody at a table by a connection of this process."""

    @property
    def player(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def connection(self) -> str: ...

    def send(self, frame: bytes) -> None: ...

    def replaced(self) -> None:
        """Another connection of the player has taken over."""

    def left(self) -> None:
        """The player has gone away from the table."""

    def cut_off(self) -> None:
        """The table is no longer open here; coming again may help."""


@dataclass(frozen=True, slots=True)
class Job:
    """An input and who waits for its answer. A guest who arrives is told of the table before he is answered."""

    given: Input
    answer: Callable[[Answer], None] | None = None
    arriving: Guest | None = None
    has: tuple[int, str] = (0, "")


@dataclass(frozen=True, slots=True)
class Timing:
    """In seconds: how long a bot takes, how long to wait before a store that did not do a thing is asked again, and how
    much longer each further process waits before it does what is due."""

    bot_s: float = 0.8
    again_s: float = 0.2
    stagger_s: float = 0.3
    keep: Lifetimes = field(default_factory=Lifetimes)


class Gone(Exception):
    """The table's log is no longer there."""


class OpenTable:
    """A table that this process has open."""

    def __init__(self, id: str, process: str, store: Store, now: Callable[[], float], timing: Timing) -> None:
        self.table = Table(id)
        self.open = False
        """Whether it is loaded and takes inputs."""
        self.expected = 0
        """How many guests are on their way in: the table stays open for them."""
        self._process, self._store, self._now, self._timing = process, store, now, timing
        self._inbox: asyncio.Queue[Job | Wake] = asyncio.Queue(INBOX)
        self._missed_wake = False
        self._heard = 0.0  # the time of the last line of chat that was passed on
        self._guests: dict[str, Guest] = {}
        self._recent: deque[Folded] = deque(maxlen=RECENT)
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
        try:
            self._inbox.put_nowait(wake)
        except asyncio.QueueFull:
            self._missed_wake = True

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
        stored = await self._tail()
        self._begin(stored)
        self._heard = self._now()
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
                item = await self._inbox.get()
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
        return bool(self._guests) or self.expected > 0 or not self._inbox.empty() or self._untrue() is not None

    def _shut(self) -> None:
        self.open = False
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

    async def _take(self, item: Job | Wake) -> None:
        match item:
            case Job():
                await self._do(item)
            case ChatGrew(said=said):
                self._pass_on(said)
            case LogGrew(after=after, entries=new) if after == self.table.head:
                for one in new:
                    self._fold(one)
            case LogGrew(entries=new) if self._knows(new[-1].number, new[-1].id):
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

    def _knows(self, number: int, id: str) -> bool:
        return any((what.number, what.id) == (number, id) for what in reversed(self._recent))

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
        if job.answer is not None:
            job.answer(answer)
        else:
            self._hold_s = self._timing.again_s if isinstance(answer, Refusal) else 0.0

    # --- decide and append

    async def _decide(self, given: Input) -> Answer:
        while True:
            decision = decide(self.table, given, max(self._now(), self.table.time))
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

    async def _append(self, decision: Sequence[Entry], new: Sequence[NewEntry]) -> Refusal | None:
        """Append and fold; or, when others were first, fold theirs alone. Returns why it cannot be done at all."""
        ttl_s = self._timing.keep.after(self.table.stage, (entry.deed for entry in decision))
        in_doubt = False
        while True:
            try:
                result = await self._store.append(self.table.id, self.table.head, new, ttl_s)
            except StoreInDoubt:
                # Nothing more is decided until it is known whether this was saved. The same ids make asking safe.
                in_doubt = True
            except StoreUnavailable:
                if not in_doubt:
                    return Refusal("store.unavailable", "The store cannot be reached; nothing was done. Try again.")
            else:
                break
            await asyncio.sleep(self._timing.again_s)
        match result:
            case Appended(entries=stored) | Behind(entries=stored):
                for one in stored:
                    self._fold(one)
            case Diverged():
                await self._rewind()
                return REWOUND
        return None

    # --- fold and send

    def _fold(self, stored: StoredEntry) -> None:
        entry = d.decode(stored.data)
        if isinstance(entry.deed, d.Checkpoint) and take(self.table).digest != entry.deed.digest:
            raise UnknownEntry(f"Checkpoint {stored.number} of its log is not what the entries before it come to.")
        happened = self.table.fold(stored.number, stored.id, stored.time, entry)
        ENTRIES.inc()
        what = folded(self.table, stored, happened)
        self._recent.append(what)
        telling = Telling(self.table, what)
        for guest in tuple(self._guests.values()):
            guest.send(telling.frame(self.table.seat_of(guest.player)))
        self._after(entry.deed)

    def _after(self, deed: d.Deed) -> None:
        """See to the guests whom a deed concerns in person."""
        if not isinstance(deed, d.Called | d.Played) or self.table.stage != "playing":
            self._card_changed = True
        match deed:
            case d.Arrived(player=player, connection=connection):
                guest = self._guests.get(player)
                if guest is not None and guest.connection != connection:
                    del self._guests[player]
                    guest.replaced()
            case d.Left(player=player):
                guest = self._guests.pop(player, None)
                if guest is not None:
                    guest.left()
            case d.SatDown(player=player) | d.StoodUp(player=player):
                guest = self._guests.get(player)
                if guest is not None and self.table.deal is not None:
                    self._show(guest)  # another seat sees other cards

    def _show(self, guest: Guest) -> None:
        guest.send(encode(table_view(self.table, guest.player)))

    def _welcome(self, guest: Guest, has: tuple[int, str]) -> None:
        """Tell a guest what he has missed since the entry that he has, or all there is."""
        self._guests[guest.player] = guest
        missed = [what for what in self._recent if what.number > has[0]]
        if not self._knows(*has) or len(missed) != self.table.head.number - has[0]:
            self._show(guest)
            return
        seat = self.table.seat_of(guest.player)
        for what in missed:
            last = what.number == self.table.head.number
            guest.send(entry_frame(self.table, what, seat, turn(self.table, seat) if last else None))

    # --- the log as others have left it

    async def _tail(self) -> list[StoredEntry]:
        """Read the end of the log, as much as has a checkpoint in it; or all of it, if it has none yet."""
        tail = await self._store.last(self.table.id, TAIL)
        if not tail or tail[0].number == 1 or _last_checkpoint(tail) is not None:
            return tail
        return await self._store.read(self.table.id)

    def _begin(self, stored: Sequence[StoredEntry]) -> None:
        """Fold what has been read, from its last checkpoint or its beginning on."""
        found = _last_checkpoint(stored)
        if found is None:
            self.table, start = Table(self.table.id), 0
        else:
            start, checkpoint = found
            self.table = restored(self.table.id, stored[start].number, checkpoint)
        for one in stored[start:]:
            self._fold(one)

    async def _catch_up(self) -> None:
        """Read what follows the entry folded last; a log that lacks that very entry has gone back."""
        head = self.table.head
        try:
            stored = await self._store.read(self.table.id, head.number - 1)
        except StoreUnavailable:
            return  # the wake-up comes again with the connection to the store
        if not stored or stored[0].id != head.id:
            await self._rewind()
            return
        for one in stored[1:]:
            self._fold(one)

    async def _rewind(self) -> None:
        """Take the log for the truth although it went back."""
        REWINDS.inc()
        _log.warning("table %s: the log went back behind entry %d", self.table.id, self.table.head.number)
        stored = await self._surely_tail()
        if not stored:
            raise Gone("its log is gone")
        former, known = self.table.head.number, tuple(self._recent)
        self._recent.clear()
        guests, self._guests = self._guests, {}
        try:
            self._begin(stored)
        finally:
            self._guests = guests
        self._suspect(former, known)
        for guest in tuple(guests.values()):
            guest.send(encode(m.Rewound(self.table.head.number)))
            self._show(guest)

    async def _surely_tail(self) -> list[StoredEntry]:
        """Read the log, however long it takes: only this process may know which deal is to be void."""
        while True:
            try:
                return await self._tail()
            except StoreUnavailable:
                await asyncio.sleep(self._timing.again_s)

    def _suspect(self, former: int, known: Sequence[Folded]) -> None:
        """Void the deal in progress, of which players may know more than the log, unless it has begun since then."""
        deal = self.table.deal
        if deal is None or deal.begun > former:
            return
        if all(what.number != deal.begun or what.seed == deal.seed for what in known):
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
        untrue = self._untrue()
        if untrue is not None:
            return untrue, 0.0
        stagger_s = self._timing.stagger_s * self._rank()
        if self.table.checkpoint_due:
            return CheckpointDue(), stagger_s
        if self.table.all_agreed:
            return Shuffled(token_bytes(SEED_BYTES)), stagger_s
        if self.table.deal is not None and bot_to_act(self.table) is not None:
            due = self.table.deal.acted + self._timing.bot_s
            return BotDue(self.table.turn), max(0.0, due - self._now()) + stagger_s
        return None

    def _untrue(self) -> Losing | Staying | None:
        """Find what the log says of this process's connections and is not, or no longer, so."""
        members = self.table.members
        for player, member in members.items():
            if member.connection is not None and member.process == self._process:
                guest = self._guests.get(player)
                if guest is None or guest.connection != member.connection:
                    return Losing(player, member.connection, "lost")
        for player, guest in self._guests.items():
            if not self.table.ended and not self.table.present(player):
                return Staying(player, guest.name, self._process, guest.connection)
        return None

    def _rank(self) -> int:
        """Say how many processes with players at the table are to try before this one."""
        return sum(process < self._process for process in self.table.processes())

    async def _advertise(self) -> None:
        """Keep the list of public tables true. It is a hint: if the store is away, the next change sets it right."""
        if not self._card_changed or self.table.invitation is not None or self.table.head.number == 0:
            return
        self._card_changed = False
        try:
            if self.table.ended:
                await self._store.withdraw(self.table.id)
            else:
                await self._store.advertise(self.table.id, card_bytes(table_card(self.table)))
        except StoreError:
            self._card_changed = True


def _last_checkpoint(stored: Sequence[StoredEntry]) -> tuple[int, d.Checkpoint] | None:
    """Return the last checkpoint among entries, and its place."""
    for place in range(len(stored) - 1, -1, -1):
        deed = d.decode(stored[place].data).deed
        if isinstance(deed, d.Checkpoint):
            return place, deed
    return None
