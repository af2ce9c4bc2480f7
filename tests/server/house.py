"""Helpers for tests of open tables: several "processes", each with the table open, on a store in memory."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, TypeVar

import pytest

from protocol import messages as m
from protocol.codec import decode_message
from rules import registry
from server import entries as d
from server.decide import Arriving, Asked
from server.entries import entry
from server.open_table import Answer, Job, OpenTable, TableTiming
from server.store import START, Appended, AppendResult, Head, NewEntry, Record, StoredEntry, Wake
from server.table import Table
from tests.server.memory_store import MemoryStore, MemoryWorld
from tests.server.rig import PLAYERS, SEATS, cards_in, digest, hidden_from, refold, to_act, turn_command

AT_ONCE = TableTiming(bot_s=0.0, again_s=0.0, stagger_s=0.0)

_Message = TypeVar("_Message", bound=m.ServerMessage)


async def until(condition: Callable[[], object], turns: int = 20_000) -> None:
    """Let the event loop turn until something is so."""
    for _ in range(turns):
        if condition():
            return
        await asyncio.sleep(0)
    raise AssertionError("what was waited for has not come")


async def some_turns(turns: int = 50) -> None:
    """Let happen whatever is about to happen."""
    for _ in range(turns):
        await asyncio.sleep(0)


class PausingStore(MemoryStore):
    """A store whose every answer takes a turn of the event loop, or as long as its gate is shut."""

    def __init__(self, world: MemoryWorld) -> None:
        super().__init__(world)
        self.gates: dict[str, asyncio.Event] = {}
        self.calls: Counter[str] = Counter()

    def shut(self, name: str) -> asyncio.Event:
        """Hold all calls of a method until the event is set."""
        self.gates[name] = asyncio.Event()
        return self.gates[name]

    async def _pause(self, name: str) -> None:
        self.calls[name] += 1
        await asyncio.sleep(0)
        if name in self.gates:
            await self.gates[name].wait()

    async def append(
        self,
        table: str,
        after: Head,
        entries: Sequence[NewEntry],
        ttl_s: int,
        *,
        first: int = 0,
        record: Record | None = None,
    ) -> AppendResult:
        await self._pause("append")
        return await super().append(table, after, entries, ttl_s, first=first, record=record)

    async def read(self, table: str, after: int = 0) -> list[StoredEntry]:
        await self._pause("read")
        return await super().read(table, after)

    async def last(self, table: str, count: int) -> list[StoredEntry]:
        await self._pause("read")
        return await super().last(table, count)

    async def watch(self, table: str, wake: Callable[[Wake], None]) -> None:
        await self._pause("watch")
        await super().watch(table, wake)

    async def unwatch(self, table: str) -> None:
        await self._pause("unwatch")
        await super().unwatch(table)

    async def say(self, table: str, id: str, data: bytes, ttl_s: int) -> None:
        await self._pause("say")
        await super().say(table, id, data, ttl_s)

    async def advertised(self) -> dict[str, bytes]:
        await self._pause("advertised")
        return await super().advertised()


@dataclass(eq=False)
class FakeGuest:
    """A guest that keeps what it is told, and searches each frame for cards that it may not know."""

    player: str
    connection: str
    at: OpenTable
    frames: list[bytes] = field(default_factory=list)
    endings: list[str] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.player.title()

    def send(self, frame: bytes) -> None:
        leaked = cards_in(frame) & hidden_from(self.at.table, self.at.table.seat_of(self.player))
        if leaked:
            self.leaks.append(f"{self.player} was told of {leaked}: {decode_message(frame)}")
        self.frames.append(frame)

    def replaced(self) -> None:
        self.endings.append("replaced")

    def left(self) -> None:
        self.endings.append("left")

    def cut_off(self) -> None:
        self.endings.append("cut off")

    def told(self, kind: type[_Message]) -> list[_Message]:
        messages = [decode_message(frame) for frame in self.frames]
        return [message for message in messages if isinstance(message, kind)]

    @property
    def numbers(self) -> list[int]:
        """The numbers of the entries that it has been told of."""
        return [told.number for told in self.told(m.Entry)]


class House:
    """A process with one table open, on a store that several share."""

    def __init__(self, world: MemoryWorld, process: str, table: str = "t", timing: TableTiming = AT_ONCE) -> None:
        self.world, self.process = world, process
        self.store = PausingStore(world)
        self.ahead_s = 0.0  # by so much does this process take the store's clock to be ahead of what it is
        self.open = OpenTable(table, process, self.store, lambda: world.seconds + self.ahead_s, timing)
        self.answers: dict[tuple[str, int], list[Answer]] = {}
        self.sent: Counter[tuple[str, int]] = Counter()
        self.ids: Counter[str] = Counter()
        self._task: asyncio.Task[None] | None = None
        self._guests: list[FakeGuest] = []

    @classmethod
    async def start(
        cls, world: MemoryWorld, process: str = "p1", timing: TableTiming = AT_ONCE, game: str = "auction_bridge"
    ) -> "House":
        """Make the table if there is none, and open it; it stays open until `close`."""
        house = cls(world, process, timing=timing)
        if "t" not in world.logs:
            opened = entry("ann", d.TableOpened(game, 4, {}, registry.VERSION))
            made = await house.store.append("t", START, [NewEntry("first-entry-0", d.encode(opened))], 0)
            assert isinstance(made, Appended)
        house.open.expected = 1
        assert await house.open.load()
        house._task = asyncio.create_task(house.open.run())
        return house

    @property
    def table(self) -> Table:
        return self.open.table

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    async def close(self) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self.store.close()
        assert [leak for guest in self._guests for leak in guest.leaks] == []

    def arrive(
        self, player: str, has: tuple[int, str] = (0, ""), seat_code: str | None = None
    ) -> tuple[FakeGuest, list[Answer]]:
        guest = FakeGuest(player, f"{self.process}-{player}-{len(self._guests)}", self.open)
        self._guests.append(guest)
        answers: list[Answer] = []
        arriving = Arriving(player, guest.name, self.process, guest.connection, None, seat_code)
        self.open.expected += 1
        assert self.open.put(Job(arriving, answers.append, guest, has))
        return guest, answers

    async def guest(self, player: str, has: tuple[int, str] = (0, "")) -> FakeGuest:
        guest, answers = self.arrive(player, has)
        await until(lambda: answers)
        assert isinstance(answers[0], int), answers
        return guest

    def send(self, player: str, command: m.Command) -> list[Answer]:
        """Put a command in; its answers come into the list that is returned."""
        answers = self.answers.setdefault((player, command.id), [])
        self.sent[player, command.id] += 1
        assert self.open.put(Job(Asked(player, command), answers.append))
        return answers

    @property
    def all_answered(self) -> bool:
        return all(len(self.answers[key]) >= count for key, count in self.sent.items())

    async def ask(self, player: str, command: m.Command) -> Answer:
        answers = self.send(player, command)
        known = len(answers)
        await until(lambda: len(answers) > known)
        return answers[-1]

    def next_id(self, player: str) -> int:
        member = self.table.members.get(player)
        self.ids[player] = max(self.ids[player], 0 if member is None else member.last_command) + 1
        return self.ids[player]

    async def four(self) -> list[FakeGuest]:
        """Let four players come, sit down and agree; return when the cards are dealt."""
        guests = [await self.guest(player) for player in PLAYERS]
        for player, seat in zip(PLAYERS, SEATS, strict=True):
            assert isinstance(await self.ask(player, m.TakeSeat(self.next_id(player), seat)), int)
        await self.agree()
        return guests

    async def agree(self) -> None:
        deal = self.table.deals + 1
        for player in [chair.owner for chair in self.table.chairs if chair.owner is not None and not chair.bot]:
            assert isinstance(await self.ask(player, m.Ready(self.next_id(player), deal)), int)
        await until(lambda: self.table.deals == deal)

    async def seat_bots(self) -> FakeGuest:
        """Let Ann sit down with three bots, and deal."""
        ann = await self.guest("ann")
        await self.ask("ann", m.TakeSeat(self.next_id("ann"), "N"))
        for seat in SEATS[1:]:
            await self.ask("ann", m.SeatBot(self.next_id("ann"), seat))
        await self.agree()
        return ann

    async def play_with_bots(self) -> None:
        """Play Ann's turns until the deal is over."""
        rng = Random(2)
        while self.table.stage == "playing":
            await until(lambda: self.table.stage != "playing" or to_act(self.table) == "ann")
            if self.table.stage == "playing":
                await self.act(rng)

    async def play_deals(self, deals: int) -> None:
        """Play with the bots until so many deals are over and kept."""
        while True:
            await self.play_with_bots()
            await until(lambda: not self.table.checkpoint_due)
            if self.table.deals >= deals:
                return
            if self.table.stage == "over":
                await self.ask("ann", m.Rematch(self.next_id("ann"), self.table.rubber))
                await until(lambda: self.table.stage == "playing")
            else:
                await self.agree()

    async def act(self, rng: Random) -> Answer:
        player = to_act(self.table)
        assert player is not None
        return await self.ask(player, turn_command(self.table, self.next_id(player), rng))


def deeds(world: MemoryWorld, kind: type[Any], table: str = "t") -> list[Any]:
    """Return what of a kind the log of a table holds."""
    return [one.deed for one in map(d.decode, (stored.data for stored in world.logs[table])) if type(one.deed) is kind]


# --- fixtures, and what is true of every process in the end


class Opener(Protocol):
    async def __call__(self, process: str, timing: TableTiming = AT_ONCE) -> House: ...


@pytest.fixture
def world() -> MemoryWorld:
    return MemoryWorld()


@pytest.fixture
async def opened(world: MemoryWorld) -> AsyncIterator[Opener]:
    """Open the table in a further process; all are closed at the end."""
    houses: list[House] = []

    async def open_in(process: str, timing: TableTiming = AT_ONCE) -> House:
        houses.append(await House.start(world, process, timing))
        return houses[-1]

    yield open_in
    for house in houses:
        await house.close()


@pytest.fixture
async def house(opened: Opener) -> House:
    return await opened("p1")


def true_to(world: MemoryWorld, *houses: House) -> None:
    """Check that each process has the table as its log says."""
    expected = digest(refold("t", world.logs["t"]))
    for house in houses:
        assert digest(house.table) == expected, house.process


async def agreeing(world: MemoryWorld, *houses: House) -> None:
    await until(lambda: all(house.table.head == world.logs["t"][-1].head for house in houses))
    await some_turns()
    true_to(world, *houses)
