"""Load on servers and on the bare relay, by turns: actions a second, latency, processor time, memory.

They take turns in short slices, so that what else the machine does falls on all alike. The figures to quote are their
ratios: those depend little on the machine. Where several processes are to serve the tables, one alone takes turns too.
"""

import asyncio
import gc
import resource
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, Generic, Protocol, TypeVar

from bench import programs
from bench.pacing import Pacer, Slice
from bench.programs import Group
from bench.relay import MEMBERS
from bench.seats import Player, Room, Table

AT_ONCE = 16
WARM_UP_S = 0.5


class Driven(Protocol):
    """Four connections that act by turns."""

    pacer: Pacer
    trouble: "asyncio.Future[None]"

    async def close(self) -> None: ...


T = TypeVar("T")
D = TypeVar("D", bound=Driven, covariant=True)


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
    processes: int = 1


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

    def store_cpu_s_per_1000(self) -> float:
        return 1000 * self.children_cpu_s / max(self.actions, 1)

    def quantile_ms(self, part: float) -> float:
        """Return the latency that this part of the actions did not exceed."""
        ranked = sorted(self.latencies_s)
        return 1000 * ranked[min(int(part * len(ranked)), len(ranked) - 1)] if ranked else 0.0


@dataclass(frozen=True, slots=True)
class Side(Generic[D]):
    """One that takes turns: its programs, those who act there, and what its slices have come to."""

    programs: Group
    driven: Sequence[D]
    spent: Spent = field(default_factory=Spent)


async def measure(plan: Plan) -> dict[str, float]:
    """Run the whole measurement and return its figures."""
    with ExitStack() as stack:
        groups = [stack.enter_context(programs.servers(count)) for count in sorted({1, plan.processes})]
        relay = stack.enter_context(programs.relay())
        _allow_files(MEMBERS * (len(groups) + 1) * plan.tables + plan.idle + 100)
        empty_kib = groups[-1].resident_kib
        served, relayed = [await _seated(group, plan.tables) for group in groups], await _in_rooms(relay, plan.tables)
        rest_ms = await _at_rest(groups[-1], plan.seconds / plan.rounds)
        await _by_turns(plan, served, relayed)
        tables_kib = groups[-1].resident_kib - empty_kib
        idle_kib = await _idle(plan.idle, groups[-1])
        await _close(*served, relayed)
    return _figures(served[0].spent, served[-1].spent, relayed.spent) | {
        "cpu_ms_per_second_at_rest": rest_ms,
        "kib_per_idle_connection": idle_kib,
        "kib_per_table": tables_kib / plan.tables,
        "tables": plan.tables,
        "processes": plan.processes,
        "seconds": served[-1].spent.seconds,
    }


def _allow_files(wanted: int) -> None:
    """Let this process have so many sockets; the programs set their own limits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(
            resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
        )


async def _seated(group: Group, count: int) -> Side[Table]:
    tables = [Table() for _ in range(count)]
    await _in_batches(tables, lambda table: table.open(group.addresses))
    return Side(group, tables)


async def _in_rooms(group: Group, count: int) -> Side[Room]:
    rooms = [Room(b"%d" % number) for number in range(count)]
    await _in_batches(rooms, lambda room: room.open(group.addresses[0]))
    return Side(group, rooms)


async def _close(*sides: Side[Driven]) -> None:
    for side in sides:
        for one in side.driven:
            await one.close()


async def _at_rest(servers: Group, seconds: float) -> float:
    """Return how many ms of a processor servers use in a second in which nobody acts."""
    cpu_s = servers.cpu_s
    await asyncio.sleep(seconds)  # what is measured is that nothing happens
    return 1000 * (servers.cpu_s - cpu_s) / seconds


async def _by_turns(plan: Plan, served: Sequence[Side[Table]], relayed: Side[Room]) -> None:
    gc.collect()
    gc.freeze()  # a pause of the driver's own must not look like one of the server's
    for round_ in range(-1, plan.rounds):
        warm = round_ < 0
        seconds = WARM_UP_S if warm else plan.seconds / plan.rounds
        for side in served:
            await _slice(plan, seconds, side, Spent() if warm else side.spent)
        tables = served[-1].driven
        size = sum(table.entry_bytes for table in tables) // sum(table.entries for table in tables)
        for room in relayed.driven:
            room.message = bytes(size)
        await _slice(plan, seconds, relayed, Spent() if warm else relayed.spent)


async def _slice(plan: Plan, seconds: float, side: Side[Driven], spent: Spent) -> None:
    """Let all act for so many seconds, and add up what it took."""
    loop, driven = asyncio.get_running_loop(), side.driven
    cpu_s, children_cpu_s = side.programs.cpu_s, side.programs.children_cpu_s
    now = loop.time()
    slice_ = Slice(now, now + seconds, 1 / plan.rate if plan.rate else 0.0)
    runs = asyncio.gather(*(one.pacer.run(slice_, place / len(driven)) for place, one in enumerate(driven)))
    ends: list[asyncio.Future[Any]] = [runs, *(one.trouble for one in driven)]
    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for end in ends:
        if end.done():
            end.result()
    spent.seconds += loop.time() - now
    spent.cpu_s += side.programs.cpu_s - cpu_s
    spent.children_cpu_s += side.programs.children_cpu_s - children_cpu_s
    spent.latencies_s += slice_.latencies_s


async def _idle(number: int, servers: Group) -> float:
    """Return the KiB that servers hold for each further connection that has said hello and sits at no table."""
    if not number:
        return 0.0
    before_kib = servers.resident_kib
    players = [(Player(), address) for _, address in zip(range(number), cycle(servers.addresses), strict=False)]
    await _in_batches(players, lambda one: one[0].open(one[1]))
    held_kib = servers.resident_kib - before_kib
    for player, _ in players:
        await player.close()
    return held_kib / number


async def _in_batches(some: Sequence[T], open_: Callable[[T], Awaitable[None]]) -> None:
    for first in range(0, len(some), AT_ONCE):
        await asyncio.gather(*map(open_, some[first : first + AT_ONCE]))


def _figures(alone: Spent, served: Spent, relayed: Spent) -> dict[str, float]:
    cpu_s, relay_cpu_s = served.cpu_s_per_1000(), relayed.cpu_s_per_1000()
    return {
        "actions_per_second": served.actions / served.seconds,
        "p50_ms": served.quantile_ms(0.5),
        "p99_ms": served.quantile_ms(0.99),
        "p999_ms": served.quantile_ms(0.999),
        "cpu_s_per_1000": cpu_s,
        "store_cpu_s_per_1000": served.store_cpu_s_per_1000(),
        "cpu_ratio_to_one_process": _ratio(cpu_s, alone.cpu_s_per_1000()),
        "one_process_store_cpu_s_per_1000": alone.store_cpu_s_per_1000(),
        "relay_cpu_s_per_1000": relay_cpu_s,
        "cpu_ratio_to_relay": _ratio(cpu_s, relay_cpu_s),
        "relay_p99_ms": relayed.quantile_ms(0.99),
    }


def _ratio(cpu_s: float, yardstick_s: float) -> float:
    return cpu_s / yardstick_s if yardstick_s else 0.0
