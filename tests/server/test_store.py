"""The contract of a store: the one in memory and the real ones give the same answers."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Protocol

import pytest

from server.redis_store import RedisStore
from server.store import (
    BEHIND_ENTRIES,
    CHAT_KEPT,
    START,
    Appended,
    AppendResult,
    Behind,
    ChatGrew,
    Diverged,
    Greeting,
    Head,
    Kept,
    LogGrew,
    NewEntry,
    Record,
    Store,
    StoredEntry,
    Trimmed,
    Wake,
)
from tests.server.memory_store import MemoryStore, MemoryWorld
from tests.store_groups import SharedGroups, shared_groups
from tests.stores import KINDS, PATIENT, WITHIN_S, SharedPrograms, shared_programs

__all__ = ["shared_groups", "shared_programs"]

DAY_S = 86_400


class Program(Protocol):
    """A server, or a group of them that runs a command where its key is."""

    @property
    def url(self) -> str: ...
    def command(self, *words: str | bytes | int) -> Any: ...


@dataclass
class Pair:
    """Two processes on one store, and a way to let a log go back behind their backs."""

    one: Store
    other: Store
    world: MemoryWorld | None
    program: Program | None

    def forget(self, table: str) -> None:
        if self.world is not None:
            self.world.cut(table, 0)
        if self.program is not None:
            self.program.command("DEL", f"{{t:{table}}}:log")

    def trim(self, table: str, number: int) -> None:
        if self.world is not None:
            self.world.trim(table, number)
        if self.program is not None:
            self.program.command("XTRIM", f"{{t:{table}}}:log", "MINID", f"{number}-0")


@pytest.fixture(params=["memory", *KINDS, *(f"{KINDS[0]} {sort}" for sort in ("sentinel", "cluster"))])
async def pair(
    request: pytest.FixtureRequest, shared_programs: SharedPrograms, shared_groups: SharedGroups
) -> AsyncIterator[Pair]:
    kind, _, sort = request.param.partition(" ")
    if kind == "memory":
        world = MemoryWorld()
        yield Pair(MemoryStore(world), MemoryStore(world), world, None)
        return
    program: Program = shared_groups.emptied(sort, kind) if sort else shared_programs.emptied(kind)
    async with AsyncExitStack() as stack:
        stores = [await RedisStore.connect(program.url, PATIENT) for _ in range(2)]
        for store in stores:
            stack.push_async_callback(store.close)
        yield Pair(stores[0], stores[1], None, program)


def new(*ids: str) -> list[NewEntry]:
    return [NewEntry(id, b"data of " + id.encode()) for id in ids]


async def appended(store: Store, after: Head, *ids: str, table: str = "T") -> tuple[StoredEntry, ...]:
    result = await store.append(table, after, new(*ids), DAY_S)
    assert isinstance(result, Appended), result
    return result.entries


def facts(entries: Sequence[StoredEntry]) -> list[tuple[int, str, bytes]]:
    return [(entry.number, entry.id, entry.data) for entry in entries]


class Ear:
    """A watcher that keeps what it hears."""

    def __init__(self) -> None:
        self._heard: asyncio.Queue[Wake] = asyncio.Queue()

    def __call__(self, wake: Wake) -> None:
        self._heard.put_nowait(wake)

    async def next(self) -> Wake:
        async with asyncio.timeout(WITHIN_S):
            return await self._heard.get()


async def test_a_log_grows_entry_by_entry(pair: Pair) -> None:
    first = await appended(pair.one, START, "a", "b")
    second = await appended(pair.other, first[-1].head, "c")
    assert facts(first) == [(1, "a", b"data of a"), (2, "b", b"data of b")]
    assert facts(second) == [(3, "c", b"data of c")]
    assert await pair.one.read("T") == [*first, *second]


async def test_bytes_come_back_as_they_went(pair: Pair) -> None:
    data = bytes(range(256)) * 300
    await pair.one.append("T", START, [NewEntry("a", data), NewEntry("b", b"")], DAY_S)
    assert [entry.data for entry in await pair.other.read("T")] == [data, b""]


async def test_the_same_ids_again_are_answered_as_before(pair: Pair) -> None:
    entries = await appended(pair.one, START, "a", "b")
    assert await appended(pair.one, START, "a", "b") == entries
    await appended(pair.other, entries[-1].head, "c")
    assert await appended(pair.one, START, "a", "b") == entries
    assert await appended(pair.one, entries[0].head, "b") == entries[1:]
    assert len(await pair.one.read("T")) == 3


async def test_what_is_there_in_part_is_completed_at_the_end_of_the_log_alone(pair: Pair) -> None:
    (first,) = await appended(pair.one, START, "a")
    entries = await appended(pair.one, START, "a", "b", "c")
    assert facts(entries) == [(1, "a", b"data of a"), (2, "b", b"data of b"), (3, "c", b"data of c")]
    assert entries[0] == first
    assert await pair.one.append("T", START, new("a", "x"), DAY_S) == Behind(entries)


async def test_who_is_behind_is_given_what_follows(pair: Pair) -> None:
    entries = await appended(pair.one, START, "a", "b", "c")
    assert await pair.other.append("T", START, new("x"), DAY_S) == Behind(entries)
    assert await pair.other.append("T", entries[1].head, new("x", "y"), DAY_S) == Behind(entries[2:])
    assert await pair.one.read("T") == list(entries)


async def test_who_is_far_behind_reads_the_rest(pair: Pair) -> None:
    ids = [f"e{n}" for n in range(BEHIND_ENTRIES + 10)]
    entries = await appended(pair.one, START, *ids)
    for count in (1, BEHIND_ENTRIES + 5):
        result = await pair.other.append("T", START, new(*(f"x{n}" for n in range(count))), DAY_S)
        assert result == Behind(entries[:BEHIND_ENTRIES])
    assert await pair.other.read("T", BEHIND_ENTRIES) == list(entries[BEHIND_ENTRIES:])


async def test_a_log_longer_than_a_page_is_read_whole(pair: Pair) -> None:
    head, ids = START, [f"e{n}" for n in range(2000)]
    for first in range(0, len(ids), 500):
        head = (await appended(pair.one, head, *ids[first : first + 500]))[-1].head
    assert [entry.id for entry in await pair.other.read("T")] == ids
    assert [entry.id for entry in await pair.other.read("T", 1999)] == ids[1999:]


async def test_a_log_that_is_gone_has_diverged(pair: Pair) -> None:
    entries = await appended(pair.one, START, "a", "b")
    pair.forget("T")
    assert await pair.one.append("T", entries[-1].head, new("c"), DAY_S) == Diverged(None)
    assert await pair.one.read("T") == []


async def test_a_log_that_went_back_has_diverged(pair: Pair) -> None:
    entries = await appended(pair.one, START, "a", "b", "c")
    pair.forget("T")
    await appended(pair.other, START, "a", "b")
    assert await pair.one.append("T", entries[-1].head, new("d"), DAY_S) == Diverged(Head(2, "b"))


async def test_a_log_rewritten_past_the_old_number_has_diverged(pair: Pair) -> None:
    entries = await appended(pair.one, START, "a", "b")
    pair.forget("T")
    await appended(pair.other, START, "x", "y", "z")
    assert await pair.one.append("T", entries[-1].head, new("c"), DAY_S) == Diverged(Head(3, "z"))
    # Even the entries it would append, in the right place, do not make a foreign log its own.
    assert await pair.one.append("T", entries[-1].head, new("z"), DAY_S) == Diverged(Head(3, "z"))


async def test_a_trimmed_log_goes_on_and_does_not_follow_its_lost_beginning(pair: Pair) -> None:
    entries = await appended(pair.one, START, "a", "b", "c", "d")
    pair.trim("T", 3)
    assert await pair.one.read("T") == list(entries[2:])
    for lost in (START, *(entry.head for entry in entries[:2])):
        assert await pair.one.append("T", lost, new("x"), DAY_S) == Trimmed()
        assert await pair.one.append("T", lost, new("c", "d"), DAY_S) == Trimmed(), "they stand there, but behind what?"
    assert facts(await appended(pair.one, entries[-1].head, "e")) == [(5, "e", b"data of e")]


async def test_the_beginning_of_a_log_is_trimmed_by_who_knows_what_follows(pair: Pair) -> None:
    entries = await appended(pair.one, START, "a", "b", "c", "d")
    for stale in (Head(4, "x"), Head(5, "e"), entries[1].head):
        result = await pair.other.append("T", stale, new("x"), DAY_S, first=3)
        assert isinstance(result, Behind | Diverged) and await pair.one.read("T") == list(entries)
    result = await pair.other.append("T", entries[-1].head, new("e"), DAY_S, first=3)
    assert isinstance(result, Appended)
    assert await pair.one.read("T") == await pair.one.read("T", 1) == [*entries[2:], *result.entries]
    assert await pair.other.append("T", entries[-1].head, new("e"), DAY_S, first=4) == result
    assert await pair.one.last("T", 10) == [*entries[2:], *result.entries], "what is there already is not done again"
    assert await pair.one.append("T", entries[2].head, new("x"), DAY_S) == Behind((entries[3], *result.entries))
    assert await pair.one.heads(["T"]) == [Head(5, "e")]


def record(deal: int, *readers: str, data: bytes = b"") -> Record:
    return Record(deal, data or b"deal %d" % deal, readers, DAY_S)


async def test_records_are_kept_with_an_entry(pair: Pair) -> None:
    assert await pair.one.kept("T") == Kept() and await pair.one.records("T", [1]) == {}
    head = START
    for deal, readers in ((2, ("ann", "bob")), (10, ("*", "ann", "cid")), (9, ())):
        result = await pair.one.append("T", head, new(f"e{deal}"), DAY_S, record=record(deal, *readers))
        assert isinstance(result, Appended)
        head = result.entries[-1].head
    assert await pair.other.kept("T") == Kept((2, 9, 10), frozenset({"ann", "bob", "cid", "*"}))
    assert list((await pair.other.records("T", [10, 3, 2])).items()) == [(10, b"deal 10"), (2, b"deal 2")]
    assert await pair.other.records("T", []) == {}
    assert await pair.other.kept("U") == Kept()


async def test_a_record_is_kept_by_who_knows_the_log_alone(pair: Pair) -> None:
    entries = await appended(pair.one, START, "a", "b")
    for stale in (START, entries[0].head, Head(2, "x"), Head(3, "c")):
        result = await pair.other.append("T", stale, new("x"), DAY_S, record=record(1, "eve"))
        assert not isinstance(result, Appended)
    await pair.other.append("T", entries[-1].head, new("c"), DAY_S, first=2)
    assert await pair.other.append("T", entries[0].head, new("x"), DAY_S, record=record(1, "eve")) == Trimmed()
    assert await pair.one.kept("T") == Kept()


async def test_a_record_outlives_its_log_and_a_later_one_of_the_deal_replaces_it(pair: Pair) -> None:
    await pair.one.append("T", START, new("a"), DAY_S, record=record(1, "ann", data=bytes(range(256))))
    assert isinstance(await pair.one.append("T", START, new("a"), DAY_S, record=record(1, "ann")), Appended)
    assert await pair.other.records("T", [1]) == {1: bytes(range(256))}
    pair.forget("T")
    assert await pair.other.kept("T") == Kept((1,), frozenset({"ann"}))
    await pair.other.append("T", START, new("b"), DAY_S, record=record(1, "bob", data=b"another"))
    assert await pair.one.records("T", [1]) == {1: b"another"}
    assert await pair.one.kept("T") == Kept((1,), frozenset({"ann", "bob"}))


async def test_of_two_who_write_at_once_one_wins(pair: Pair) -> None:
    head = START
    for turn in range(20):
        results = await asyncio.gather(
            *(
                store.append("T", head, new(f"{turn}{name}"), DAY_S)
                for store, name in ((pair.one, "a"), (pair.other, "b"))
            )
        )
        (won,) = [result for result in results if isinstance(result, Appended)]
        assert [result for result in results if isinstance(result, Behind)] == [Behind(won.entries)]
        head = won.entries[-1].head
    assert head.number == 20


async def test_many_tables_at_once_keep_apart(pair: Pair) -> None:
    tables = [f"T{n}" for n in range(300)]
    await asyncio.gather(*(appended(pair.one, START, f"{table}a", f"{table}b", table=table) for table in tables))
    assert await pair.other.heads(tables) == [Head(2, f"{table}b") for table in tables]


async def test_times_never_go_back_and_are_the_stores(pair: Pair) -> None:
    head, before = START, await pair.one.now()
    for turn in range(30):
        head = (await appended(pair.one if turn % 2 else pair.other, head, f"e{turn}"))[-1].head
    times = [entry.time for entry in await pair.one.read("T")]
    assert times == sorted(times)
    assert before - 0.001 <= times[0] <= times[-1] <= await pair.one.now()
    assert all(round(time * 1000) / 1000 == time for time in times)


async def test_nothing_to_append_is_a_fault(pair: Pair) -> None:
    with pytest.raises(ValueError, match="nothing to append"):
        await pair.one.append("T", START, [], DAY_S)


async def test_heads_of_several_logs(pair: Pair) -> None:
    await appended(pair.one, START, "a", "b", table="A")
    await appended(pair.one, START, "x", table="B")
    assert await pair.other.heads(["A", "none", "B"]) == [Head(2, "b"), None, Head(1, "x")]
    assert await pair.other.heads([]) == []


async def test_a_watcher_hears_of_all_writers_in_order(pair: Pair) -> None:
    ear = Ear()
    await pair.one.watch("T", ear)
    first = await appended(pair.other, START, "a", "b")
    second = await appended(pair.one, first[-1].head, "c")
    assert await ear.next() == LogGrew(START, first)
    assert await ear.next() == LogGrew(Head(2, "b"), second)


async def test_a_watcher_hears_of_what_is_new_alone(pair: Pair) -> None:
    ear = Ear()
    (first,) = await appended(pair.one, START, "a")
    await pair.one.watch("T", ear)
    await appended(pair.other, START, "a")
    await pair.other.append("T", START, new("x"), DAY_S)
    await appended(pair.other, START, "a", "b")
    heard = await ear.next()
    assert isinstance(heard, LogGrew)
    assert (heard.after, facts(heard.entries)) == (first.head, [(2, "b", b"data of b")])


async def test_who_watches_no_more_hears_no_more(pair: Pair) -> None:
    gone, ear = Ear(), Ear()
    await pair.one.watch("T", gone)
    await pair.one.unwatch("T")
    await pair.one.unwatch("T")
    await pair.one.watch("T", ear)
    entries = await appended(pair.other, START, "a")
    assert await ear.next() == LogGrew(START, entries)
    assert gone._heard.empty()


async def test_a_table_has_one_watcher_in_a_process(pair: Pair) -> None:
    await pair.one.watch("T", Ear())
    await pair.other.watch("T", Ear())
    with pytest.raises(ValueError, match="watched already"):
        await pair.one.watch("T", Ear())


async def test_many_tables_are_watched_on_one_connection(pair: Pair) -> None:
    ears = {f"T{n}": Ear() for n in range(1200)}
    await asyncio.gather(*(pair.one.watch(table, ear) for table, ear in ears.items()))
    entries = await appended(pair.other, START, "a", table="T700")
    assert await ears["T700"].next() == LogGrew(START, entries)
    assert all(ear._heard.empty() for ear in ears.values())


async def test_chat_is_heard_and_kept(pair: Pair) -> None:
    ear = Ear()
    await pair.one.watch("T", ear)
    await pair.other.say("T", "m1", b"hello", DAY_S)
    heard = await ear.next()
    assert isinstance(heard, ChatGrew)
    assert (heard.said.id, heard.said.data) == ("m1", b"hello")
    assert await pair.one.said("T", 10) == [heard.said]
    assert await pair.one.read("T") == []


async def test_the_same_line_is_said_once(pair: Pair) -> None:
    ear = Ear()
    await pair.one.watch("T", ear)
    for id in ("m1", "m1", "m2", "m1"):
        await pair.other.say("T", id, id.encode(), DAY_S)
    said = await pair.one.said("T", 10)
    assert [line.id for line in said] == ["m1", "m2"]
    assert [await ear.next(), await ear.next()] == [ChatGrew(line) for line in said]
    assert ear._heard.empty()


async def test_chat_is_capped_and_oldest_first(pair: Pair) -> None:
    for n in range(CHAT_KEPT + 30):
        await pair.one.say("T", f"m{n}", b"", DAY_S)
    said = await pair.other.said("T", 1000)
    assert [line.id for line in said] == [f"m{n}" for n in range(30, CHAT_KEPT + 30)]
    assert [line.id for line in await pair.other.said("T", 2)] == [line.id for line in said[-2:]]
    assert await pair.other.said("none", 5) == []


async def test_public_tables_are_listed(pair: Pair) -> None:
    assert await pair.one.advertised() == {}
    await pair.one.advertise("B", b"card of B")
    await pair.one.advertise("A", b"first card of A")
    await pair.one.advertise("A", b"card of A")
    assert list((await pair.other.advertised()).items()) == [("A", b"card of A"), ("B", b"card of B")]
    await pair.other.withdraw("A")
    await pair.other.withdraw("none")
    assert await pair.one.advertised() == {"B": b"card of B"}


async def test_who_announced_itself_is_alive(pair: Pair) -> None:
    await pair.one.announce("p1", 30.0)
    await pair.one.announce("p2", 30.0)
    assert await pair.other.alive(["p1", "p2", "p3"]) == {"p1", "p2"}
    assert await pair.other.alive([]) == set()


async def test_all_hear_who_has_said_hello(pair: Pair) -> None:
    heard: list[asyncio.Queue[Greeting]] = [asyncio.Queue(), asyncio.Queue()]
    await pair.one.hear_greetings(heard[0].put_nowait)
    await pair.other.hear_greetings(heard[1].put_nowait)
    said = [Greeting(1790000000.25, "c1", "ann"), Greeting(1790000000.5, "c0", "ann"), Greeting(0.0, "c2", "bob")]
    assert sorted(said) == [said[2], said[0], said[1]], "the later is the greater"
    await pair.one.greet(said[0])
    await pair.other.greet(said[1])
    await pair.other.greet(said[2])
    async with asyncio.timeout(WITHIN_S):
        for queue in heard:
            assert sorted([await queue.get() for _ in said]) == sorted(said)


async def test_the_store_answers_and_knows_its_age(pair: Pair) -> None:
    assert await pair.one.up_s() >= 0
    first = await pair.one.now()
    assert await pair.one.now() >= first


Step = tuple[Head, list[NewEntry], int, Record | None]


async def answer(store: Store, step: Step) -> object:
    """The answer of a store to one step of a random play, without the times."""
    after, entries, first, kept = step
    result: AppendResult = await store.append("T", after, entries, DAY_S, first=first, record=kept)
    return result if isinstance(result, Diverged | Trimmed) else (type(result).__name__, facts(result.entries))


@pytest.mark.parametrize("seed", range(10))
async def test_memory_and_real_store_agree(pair: Pair, seed: int) -> None:
    """Random writers, honest and not, with few ids so that chance makes repeats, overlaps and foreign logs."""
    chance, memory = random.Random(seed), MemoryStore()
    known = [START]
    for _ in range(120):
        if chance.random() < 0.03:
            memory.world.cut("T", 0)
            pair.forget("T")
        after = chance.choice(known) if chance.random() < 0.95 else Head(chance.randrange(8), "none")
        entries = new(*(chance.choice("abcdef") for _ in range(chance.choice((1, 1, 2, 3)))))
        first = chance.randrange(after.number + 1) if chance.random() < 0.1 else 0
        kept = record(chance.randrange(1, 5), chance.choice("xyz")) if chance.random() < 0.2 else None
        step = (after, entries, first, kept)
        assert await answer(pair.one, step) == await answer(memory, step), f"seed {seed}"
        known = [START, *(entry.head for entry in await memory.read("T")), *known[-3:]]
        assert await pair.one.kept("T") == await memory.kept("T"), f"seed {seed}"
    assert facts(await pair.one.read("T")) == facts(await memory.read("T"))
    assert await pair.one.records("T", range(5)) == await memory.records("T", range(5))
