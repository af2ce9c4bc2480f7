"""Many tables one after the other: does memory stay flat, and is all of it given back?

One player with three bots at each: it is made and joined, a few calls and cards are made, all leave. The logs stay in
the store, so its memory grows by as much for each; that of the server process must not grow at all.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any
from urllib.request import urlopen

from redis.asyncio import Redis

from bench import programs
from bench.client import Address
from bench.programs import Group
from bench.seats import Heard, Player
from protocol import messages as m
from server.embedded import EmbeddedStore

AT_ONCE = 32
STEP = 1000
ACTIONS = 3
PATIENCE_S = 30.0
LOOK_AGAIN_S = 0.1

_FOR_EVER = -1  # what the store answers to TTL for a key that stays; -2 is for one that has expired already


class Visit:
    """One player who makes a table, plays a little with bots, and goes."""

    def __init__(self) -> None:
        self._player = Player(self)
        self._turns: asyncio.Queue[m.Turn | Exception] = asyncio.Queue()

    async def pay(self, address: Address) -> None:
        """Come, play and go. Vint: nobody is dummy, so that after a bid there is always something more to do."""
        player = self._player
        await player.open(address)
        await player.ask(m.CreateTable(player.next_id(), "vint"))
        await player.ask(m.JoinTable(player.next_id(), player.made))
        await player.ask(m.TakeSeat(player.next_id(), "N"))
        for seat in "ESW":
            await player.ask(m.SeatBot(player.next_id(), seat))
        await player.ask(m.Ready(player.next_id(), 1))
        for place in range(ACTIONS):
            await player.ask(self._answer(await self._turn(), bid=place == 0))
        await player.ask(m.LeaveTable(player.next_id()))
        await player.close()

    async def _turn(self) -> m.Turn:
        turn = await self._turns.get()
        if isinstance(turn, Exception):
            raise turn
        return turn

    def _answer(self, turn: m.Turn, bid: bool) -> m.Command:
        id, legal = self._player.next_id(), turn.legal
        assert legal is not None, "it is this player's turn"
        if legal.cards:
            return m.PlayCard(id, turn.deal, turn.index, legal.cards[0])
        bids = [call for call in legal.calls if call != "P"]
        return m.MakeCall(id, turn.deal, turn.index, bids[0] if bid or len(bids) == len(legal.calls) else "P")

    def entered(self, player: Player, entry: Heard, size: int) -> None:
        if entry.turn is not None and entry.turn.legal is not None:
            self._turns.put_nowait(entry.turn)

    def failed(self, why: Exception) -> None:
        self._turns.put_nowait(why)


@dataclass(frozen=True, slots=True)
class Sample:
    """What is in use after so many tables."""

    tables: int
    server_kib: float
    store_kib: float
    keys: int


class Run:
    """A server with its store, and what they were seen to use."""

    def __init__(self, server: Group, store: Redis) -> None:
        self.samples: list[Sample] = []
        self._server, self._store = server, store
        self._address = server.addresses[0]
        self._done = 0

    async def sample(self) -> Sample:
        done, server_kib = self._done, self._server.resident_kib  # both of this moment
        memory: dict[str, Any] = await self._store.info("memory")
        return Sample(done, server_kib, memory["used_memory"] / 1024, int(await self._store.dbsize()))

    async def visits(self, count: int) -> None:
        """Open and close so many tables, some at a time, and look every now and then at what is in use."""
        await Visit().pay(self._address)  # what is made once, at the first table, belongs to none
        self.samples.append(await self.sample())
        places = iter(range(count))
        await asyncio.gather(*(self._keep_visiting(places, step_of(count)) for _ in range(AT_ONCE)))

    async def _keep_visiting(self, places: Iterator[int], step: int) -> None:
        for _ in places:
            await Visit().pay(self._address)
            self._done += 1
            if self._done % step == 0:
                self.samples.append(await self.sample())

    async def closed(self) -> int:
        """Return how many tables the server has open, when there is none or it has taken too long."""
        return await _at_most(0, lambda: open_tables(self._address))

    async def hasten(self) -> int:
        """Let all tables expire in a second instead of days; return how many of their keys would never have done so."""
        async with self._store.pipeline(transaction=False) as pipeline:
            async for key in self._store.scan_iter("{t:*", count=1000):
                pipeline.ttl(key)
                pipeline.expire(key, 1)
            answers = await pipeline.execute()
        return int(answers[::2].count(_FOR_EVER))

    async def expired(self, keys: int) -> int:
        """Return how many keys the store has when there are so few, or it has taken too long."""
        player = Player()
        await player.open(self._address)

        async def left() -> int:
            await player.ask(m.ListTables(player.next_id()))  # whoever asks for the list tidies it up
            return int(await self._store.dbsize())

        try:
            return await _at_most(keys, left)
        finally:
            await player.close()


async def measure(count: int) -> tuple[dict[str, float], list[dict[str, float]]]:
    """Run the whole measurement; return its figures, and what was in use on the way."""
    with TemporaryDirectory(prefix="biritch-bench-") as data:
        async with await EmbeddedStore.start(Path(data)) as store, Redis.from_url(store.url) as direct:
            with programs.servers(1, "--store", store.url, "--bot-delay", "0") as server:
                run = Run(server, direct)
                first = await run.sample()
                await run.visits(count)
                open_left = await run.closed()
                last = await run.sample()
                for_ever = await run.hasten()
                keys_left = await run.expired(first.keys)
                after = await run.sample()
    samples = sorted(run.samples, key=lambda sample: sample.tables)  # one may have been overtaken by the next
    return _figures(samples) | {
        "server_kib": last.server_kib,
        "store_kib": last.store_kib,
        "server_kib_after": after.server_kib,
        "store_kib_after": after.store_kib,
        "tables": last.tables,
        "open_left": open_left,
        "keys": last.keys - first.keys,
        "keys_for_ever": for_ever,
        "keys_left": keys_left - first.keys,
    }, [asdict(sample) for sample in samples]


def step_of(count: int) -> int:
    """Return how many tables there are between two samples."""
    return min(STEP, max(count // 10, 1))


def _figures(samples: Sequence[Sample]) -> dict[str, float]:
    """Return what each table has added, at first and at last."""
    figures = {}
    for part, (one, other) in (("first", samples[:2]), ("last", samples[-2:])):
        tables = other.tables - one.tables
        figures[f"server_kib_per_table_{part}"] = (other.server_kib - one.server_kib) / tables
        figures[f"store_kib_per_table_{part}"] = (other.store_kib - one.store_kib) / tables
    return figures


async def open_tables(address: Address) -> int:
    """Ask a server how many tables it has open."""

    def page() -> str:
        with urlopen(f"http://{address.host}:{address.port}/metrics", timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    found = re.search(r"^biritch_tables (\S+)$", await asyncio.to_thread(page), re.MULTILINE)
    assert found is not None, "every server says it"
    return int(float(found[1]))


async def _at_most(enough: int, look: Callable[[], Awaitable[int]]) -> int:
    """Look until there are so few, or for `PATIENCE_S`; return how many there are."""
    deadline = monotonic() + PATIENCE_S
    while True:
        number = await look()
        if number <= enough or monotonic() > deadline:
            return number
        await asyncio.sleep(LOOK_AGAIN_S)  # memory and expiry tell of nothing; one has to look
