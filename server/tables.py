"""The tables that this process has open, and the watch it keeps over the store and the other processes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from secrets import choice, token_urlsafe

from protocol.messages import CreateTable, TableCard
from rules import registry
from rules.errors import RuleError
from rules.options import refuse_record_only
from server import entries as d
from server.clock import StoreClock
from server.decide import Losing, Refusal, invitation_hash
from server.entries import UnknownEntry, entry
from server.http import traced
from server.metrics import TABLES
from server.open_table import Job, OpenTable, TableTiming
from server.render import parse_card
from server.store import START, LookAgain, NewEntry, Store, StoreError, StoreInDoubt, StoreUnavailable

_log = logging.getLogger("biritch.tables")

PRESENCE_TTL_S = 10.0
"""A process that has not announced itself for so long is gone, and its connections with it."""

ID_LETTERS, ID_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 12
"""A table's id is read out and typed in: no letters that look alike, and none that means something to a shell."""

UNKNOWN = Refusal("table.unknown", "There is no such table.")

LISTED = 100
"""So many public tables are told at most: what one message to a client may hold."""

PATROL_S = 3.0

WITNESS_ROUNDS = 4
"""So many rounds must a process have reached the store, for longer than an announcement stands, to call others gone."""

RELIST_ROUNDS = 30
"""Public tables are listed anew every so many rounds of the patrol."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A table from the first who asks for it until its subscription is gone; `loaded` says why it cannot be had."""

    table: OpenTable
    loaded: "asyncio.Future[Refusal | None]"
    life: asyncio.Task[None]


class Tables:
    """All open tables of one process, each with its task."""

    def __init__(self, process: str, store: Store, monotonic: Callable[[], float], timing: TableTiming) -> None:
        self.process = process
        self.store = store
        self.clock = StoreClock(monotonic)
        self.healthy = False
        """Whether the store answered when it was last asked."""
        self.keep = timing.keep
        self._timing = timing
        self._held: dict[str, _Held] = {}
        self._rounds = 0
        self._healthy_rounds = 0

    async def make(self, player: str, asked: CreateTable) -> tuple[str, str | None] | Refusal:
        """Make a table and return its id and, if it is private, its invitation code. Raises StoreError."""
        try:
            family = registry.family(asked.game)
            players = asked.players or family.players[0]
            game = registry.make_game(asked.game, players, asked.options)
            refuse_record_only(family.options(players, asked.options), game.options)
        except RuleError as error:
            return Refusal(error.code, error.message)
        id = "".join(choice(ID_LETTERS) for _ in range(ID_LENGTH))
        invitation = token_urlsafe(12) if asked.private else None
        code = None if invitation is None else invitation_hash(id, invitation)
        opened = d.TableOpened(asked.game, players, asked.options, registry.VERSION, code)
        first = NewEntry(token_urlsafe(9), d.encode(entry(player, opened)))
        await self.surely(lambda: self.store.append(id, START, [first], self.keep.empty_s))
        return id, invitation

    async def surely(self, ask: Callable[[], Awaitable[object]]) -> None:
        """Ask the store for something that is safe to ask twice, until it is known whether it was done.

        Raises StoreUnavailable only where nothing was sent.
        """
        in_doubt = False
        while True:
            try:
                await ask()
                return
            except StoreInDoubt:
                in_doubt = True
            except StoreUnavailable:
                if not in_doubt:
                    raise
            await asyncio.sleep(self._timing.again_s)  # the store says nothing when it is back: ask again

    async def listed(self) -> list[TableCard]:
        """Return public tables, those with free seats first, at most `LISTED` of them. Raises StoreError."""
        cards = [card for data in (await self.store.advertised()).values() if (card := parse_card(data)) is not None]
        return sorted(cards, key=lambda card: all(seat.player or seat.bot for seat in card.seats))[:LISTED]

    async def get(self, id: str) -> OpenTable | Refusal:
        """Return a table, loading it if need be: once, however many ask. It expects the caller's guest.

        Raises StoreError.
        """
        while True:
            held = self._held.get(id) or self._hold(id)
            held.table.expected += 1
            try:
                refusal = await asyncio.shield(held.loaded)
            except BaseException:
                held.table.unexpect()
                raise
            if refusal is not None:
                return refusal
            if held.table.open:
                return held.table
            # Its subscription is on the way out; then it is loaded afresh.
            await asyncio.wait([held.life])

    def _hold(self, id: str) -> "_Held":
        table = OpenTable(id, self.process, self.store, self.clock.now, self._timing)
        loaded: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()
        held = self._held[id] = _Held(table, loaded, asyncio.create_task(self._live(table, loaded)))
        return held

    async def _live(self, table: OpenTable, loaded: "asyncio.Future[Refusal | None]") -> None:
        """Load a table, tell those who wait for it, and run it until nobody of this process is there."""
        try:
            refusal = await self._load(table)
            loaded.set_result(refusal)
            TABLES.set(len(self.tables()))
            if refusal is None:
                await table.run()
        except StoreError as error:
            loaded.set_exception(error)
        finally:
            if not loaded.done():
                loaded.set_exception(StoreUnavailable("The table was not loaded."))
            loaded.exception()  # whether or not anybody waits for it
            try:
                await self.store.unwatch(table.table.id)
            except StoreError as error:
                _log.warning("table %s: its subscription may linger: %s", table.table.id, error)
            finally:
                del self._held[table.table.id]
                TABLES.set(len(self.tables()))

    async def _load(self, table: OpenTable) -> Refusal | None:
        try:
            found = await table.load()
        except UnknownEntry as error:
            return Refusal("rules.unknown_version", str(error))
        except StoreError:
            raise
        except Exception as error:
            _log.error("table %s cannot be loaded: %s", table.table.id, traced(error))
            return Refusal("table.unreadable", "This server cannot read the table's log.")
        return None if found else UNKNOWN

    def tables(self) -> list[OpenTable]:
        """Return the tables open now."""
        return [held.table for held in self._held.values() if held.table.open]

    # --- patrol

    async def patrol(self) -> None:
        """Go the round: announce this process, set the clock, look at quiet logs and for processes that have died."""
        tables = self.tables()
        try:
            await self.store.announce(self.process, PRESENCE_TTL_S)
            self.clock.set(await self.store.now())
            await self._look_at_heads(tables)
            await self._look_for_the_dead(tables)
        except StoreError as error:
            if self.healthy:
                _log.warning("the store is away: %s", error)
            self.healthy = False
            self._healthy_rounds = 0
            return
        self.healthy = True
        self._rounds += 1
        self._healthy_rounds += 1
        if self._rounds % RELIST_ROUNDS == 0:
            for table in tables:
                table.refresh()

    async def _look_at_heads(self, tables: list[OpenTable]) -> None:
        seen = [table.table.head for table in tables]
        for table, before, head in zip(tables, seen, await self.store.heads([t.table.id for t in tables]), strict=True):
            # What moved while the answer was on its way is known already.
            if head != before and table.table.head == before:
                table.wake(LookAgain())

    async def _look_for_the_dead(self, tables: list[OpenTable]) -> None:
        others = {process for table in tables for process in table.table.processes()} - {self.process}
        # After a restart of the store, or when it could not be reached, nobody has been able to announce himself yet.
        if not others or self._healthy_rounds < WITNESS_ROUNDS or await self.store.up_s() < PRESENCE_TTL_S:
            return
        dead = others - await self.store.alive(others)
        for table in tables:
            for player, member in tuple(table.table.members.items()):
                if member.connection is not None and member.process in dead:
                    table.put(Job(Losing(player, member.connection, "server_gone")))

    async def keep_patrolling(self) -> None:
        """Go the round every few seconds, until cancelled."""
        while True:
            try:
                await self.patrol()
            except Exception as error:  # without its rounds the others would take this process for dead
                _log.error("a round of the patrol failed: %s", traced(error))
            await asyncio.sleep(PATROL_S)  # the time between two rounds

    async def stop(self, limit_s: float) -> None:
        """Let every table finish what it has been handed, for so long at most."""
        flushing = [asyncio.create_task(table.flushed()) for table in self.tables()]
        if flushing:
            await asyncio.wait(flushing, timeout=limit_s)
        tasks = [*flushing, *(held.life for held in self._held.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
