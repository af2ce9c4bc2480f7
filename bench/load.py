"""Load on a server and on the bare relay, by turns: actions a second, latency, processor time, memory.

Server and relay take turns in short slices, so that what else the machine does falls on both alike. The figure to
quote is their ratio: it depends little on the machine.
"""

import asyncio
import gc
import resource
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from bench import programs
from bench.pacing import Pacer, Slice
from bench.programs import Program
from bench.relay import MEMBERS
from bench.seats import Player, Room, Table

AT_ONCE = 16
WARM_UP_S = 0.5

T = TypeVar("T")


class Driven(Protocol):
    """Four connections that act by turns."""

    pacer: Pacer
    trouble: "asyncio.Future[None]"

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """How much load: tables of four, seconds in all for each of server and relay, actions a second of each table.

    A `rate` of 0 is as fast as the tables go; the server holds each connection to some 50 messages a second, so that
    only many tables keep it busy all the time. `idle` connections are opened to see what one costs.
    """

    tables: int = 100
    seconds: float = 15.0
    rate: float = 1.0
    rounds: int = 3
    idle: int = 1000


@dataclass(slots=True)
class Spent:
    """What some slices of load have come to."""

    latencies_s: list[float] = field(default_factory=list)
    seconds: float = 0.0
    cpu_s: float = 0.0
    children_cpu_s: float = 0.0

    @property
    def actions(self) -> int:
        return len(self.latencies_s)

    def cpu_s_per_1000(self) -> float:
        return 1000 * self.cpu_s / max(self.actions, 1)

    def quantile_ms(self, part: float) -> float:
        """Return the latency that this part of the actions did not exceed."""
        ranked = sorted(self.latencies_s)
        return 1000 * ranked[min(int(part * len(ranked)), len(ranked) - 1)] if ranked else 0.0


async def measure(plan: Plan) -> dict[str, float]:
    """Run the whole measurement and return its figures."""
    with ExitStack() as stack:
        server, relay = stack.enter_context(programs.server()), stack.enter_context(programs.relay())
        _allow_files(MEMBERS * 2 * plan.tables + plan.idle + 100)
        empty_kib = server.resident_kib
        tables, rooms = [Table() for _ in range(plan.tables)], [Room(b"%d" % n) for n in range(plan.tables)]
        await _in_batches(tables, lambda table: table.open(server.address))
        await _in_batches(rooms, lambda room: room.open(relay.address))
        served, relayed = await _by_turns(plan, server, tables, relay, rooms)
        tables_kib = server.resident_kib - empty_kib
        idle_kib = await _idle(plan.idle, server)
        driven: tuple[Driven, ...] = (*tables, *rooms)
        for one in driven:
            await one.close()
    return _figures(plan, served, relayed) | {
        "kib_per_idle_connection": idle_kib,
        "kib_per_table": tables_kib / plan.tables,
        "tables": plan.tables,
        "seconds": served.seconds,
    }


def _allow_files(wanted: int) -> None:
    """Let this process have so many sockets; the programs set their own limits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
        )


async def _by_turns(
    plan: Plan, server: Program, tables: Sequence[Table], relay: Program, rooms: Sequence[Room]
) -> tuple[Spent, Spent]:
    served, relayed = Spent(), Spent()
    gc.collect()
    gc.freeze()  # a pause of the driver's own must not look like one of the server's
    for round_ in range(-1, plan.rounds):
        warm = round_ < 0
        seconds = WARM_UP_S if warm else plan.seconds / plan.rounds
        await _slice(plan, seconds, server, tables, Spent() if warm else served)
        size = sum(table.entry_bytes for table in tables) // sum(table.entries for table in tables)
        for room in rooms:
            room.message = bytes(size)
        await _slice(plan, seconds, relay, rooms, Spent() if warm else relayed)
    return served, relayed


async def _slice(plan: Plan, seconds: float, program: Program, driven: Sequence[Driven], spent: Spent) -> None:
    """Let all act for so many seconds, and add up what it took."""
    loop = asyncio.get_running_loop()
    cpu_s, children_cpu_s = program.cpu_s, program.children_cpu_s
    now = loop.time()
    slice_ = Slice(now, now + seconds, 1 / plan.rate if plan.rate else 0.0)
    runs = asyncio.gather(*(one.pacer.run(slice_, place / len(driven)) for place, one in enumerate(driven)))
    ends: list[asyncio.Future[Any]] = [runs, *(one.trouble for one in driven)]
    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for end in ends:
        if end.done():
            end.result()
    spent.seconds += loop.time() - now
    spent.cpu_s += program.cpu_s - cpu_s
    spent.children_cpu_s += program.children_cpu_s - children_cpu_s
    spent.latencies_s += slice_.latencies_s


async def _idle(number: int, server: Program) -> float:
    """Return the KiB that the server holds for each further connection that has said hello and sits at no table."""
    if not number:
        return 0.0
    before_kib = server.resident_kib
    players = [Player() for _ in range(number)]
    await _in_batches(players, lambda player: player.open(server.address))
    held_kib = server.resident_kib - before_kib
    for player in players:
        await player.close()
    return held_kib / number


async def _in_batches(some: Sequence[T], open_: Callable[[T], Awaitable[None]]) -> None:
    for first in range(0, len(some), AT_ONCE):
        await asyncio.gather(*map(open_, some[first : first + AT_ONCE]))


def _figures(plan: Plan, served: Spent, relayed: Spent) -> dict[str, float]:
    cpu_s, relay_cpu_s = served.cpu_s_per_1000(), relayed.cpu_s_per_1000()
    return {
        "actions_per_second": served.actions / served.seconds,
        "p50_ms": served.quantile_ms(0.5),
        "p99_ms": served.quantile_ms(0.99),
        "p999_ms": served.quantile_ms(0.999),
        "cpu_s_per_1000": cpu_s,
        "store_cpu_s_per_1000": 1000 * served.children_cpu_s / max(served.actions, 1),
        "relay_cpu_s_per_1000": relay_cpu_s,
        "cpu_ratio_to_relay": cpu_s / relay_cpu_s if relay_cpu_s else 0.0,
        "relay_p99_ms": relayed.quantile_ms(0.99),
    }
