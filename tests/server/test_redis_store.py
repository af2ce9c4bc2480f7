"""What only a real store can do to us: forget scripts, hang up, freeze, crash, fill up, refuse."""

import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from server.redis_link import Command, Reply, Timing
from server.redis_pipe import Pipe
from server.redis_store import RedisStore
from server.redis_watch import Watch
from server.store import (
    START,
    Appended,
    Head,
    LogGrew,
    LookAgain,
    NewEntry,
    Record,
    StoreError,
    StoreInDoubt,
    StoreUnavailable,
)
from tests.server.scripted_server import GOOD, HANG_UP, Relay, ScriptedServer, listening
from tests.server.test_store import DAY_S, Ear, appended, facts, new
from tests.stores import KINDS, PATIENT, WITHIN_S, StoreProgram, running, store_program

__all__ = ["store_program"]

QUICK = Timing(connect_s=0.1, answer_s=0.1, retries=0)
ONE_TRY = dataclasses.replace(PATIENT, retries=0)

SAVED = b"*2\r\n:1\r\n:1700000000000\r\n"
LOADING = b"-LOADING Redis is loading the dataset in memory\r\n"
READONLY = b"-READONLY You can't write against a read only replica.\r\n"


@contextlib.asynccontextmanager
async def connected(url: str, timing: Timing = PATIENT) -> AsyncIterator[RedisStore]:
    store = await RedisStore.connect(url, timing)
    try:
        yield store
    finally:
        await store.close()


def hurry(store: RedisStore) -> None:
    """Let it wait but a moment from now on: the server is frozen, and no patience would help."""
    cast(Pipe, store._pipe)._timing = cast(Watch, store._watch)._timing = QUICK


async def no_pause(delay_s: float) -> None:
    await asyncio.sleep(0)


# Scripts and keys


async def test_forgotten_scripts_are_loaded_again(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        await appended(store, START, "a")
        await store.say("T", "m1", b"", DAY_S)
        store_program.command("SCRIPT", "FLUSH")
        tables = [f"T{n}" for n in range(50)]
        await asyncio.gather(*(appended(store, START, "a", table=table) for table in tables), store.now())
        await store.say("T", "m2", b"", DAY_S)
        assert await store.heads(tables) == [Head(1, "a")] * 50


async def test_keys_live_as_long_as_they_were_told(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        await store.append("T", START, new("a"), 1000)
        await store.say("T", "m", b"", 1000)
        await store.advertise("T", b"card", 1000)
        await store.announce("p1", 1000)
        for key in ("{t:T}:log", "{t:T}:chat", "{t:T}:card", "p:p1"):
            assert 900_000 < store_program.command("PTTL", key) <= 1_000_000, key
        await store.append("T", Head(1, "a"), new("b"), 5000)
        assert store_program.command("PTTL", "{t:T}:log") > 4_900_000
        await store.append("T", Head(2, "b"), new("c"), 0)
        assert store_program.command("PTTL", "{t:T}:log") == -1


async def test_records_live_as_long_as_the_last_of_them_was_told(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        await store.append("T", START, new("a"), 10, record=Record(1, b"one", ("ann",), 1000))
        assert 900_000 < store_program.command("PTTL", "{t:T}:deals") <= 1_000_000
        assert store_program.command("PTTL", "{t:T}:log") <= 10_000
        await store.append("T", Head(1, "a"), new("b"), 10, record=Record(2, b"two", ("ann",), 5000))
        assert store_program.command("PTTL", "{t:T}:deals") > 4_900_000
        await store.append("T", Head(2, "b"), new("c"), 10, record=Record(3, b"three", ("ann",), 0))
        assert store_program.command("PTTL", "{t:T}:deals") == -1
        assert store_program.command("HGETALL", "{t:T}:deals") == {
            b"1": b"one",
            b"2": b"two",
            b"3": b"three",
            b"r:ann": b"",
        }


async def test_a_log_that_is_trimmed_while_it_is_read_has_no_gap(
    store_program: StoreProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.redis_store.READ_AT_ONCE", 3)
    async with connected(store_program.url) as store:
        entries = await appended(store, START, *"abcdefghij")
        one, pages = store._pipe.one, 0

        async def trimming(command: Command, *, changes: bool) -> Reply:
            nonlocal pages
            pages += 1
            if pages == 3:
                store_program.command("XTRIM", "{t:T}:log", "MINID", "9-0")
            return await one(command, changes=changes)

        monkeypatch.setattr(store._pipe, "one", trimming)
        assert await store.read("T") == list(entries[8:])
        assert pages == 3


async def test_a_public_table_that_went_stale_is_listed_no_more(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        await store.advertise("A", b"a")
        await store.advertise("B", b"b")
        store_program.command("DEL", "{t:A}:card")
        assert await store.advertised() == {"B": b"b"}
        assert store_program.command("SCARD", "public") == 1


# One pipeline, many askers


async def test_a_bad_item_fails_its_own_asker_alone(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        store_program.command("SET", "{t:bad}:log", "not a log")
        good = [store.append(f"T{n}", START, new("a"), DAY_S) for n in range(10)]
        bad = store.append("bad", START, new("a"), DAY_S)
        no_bytes = store.append("T", START, [NewEntry("a", cast(Any, object()))], DAY_S)
        *saved, wrong, unpackable = await asyncio.gather(*good, bad, no_bytes, return_exceptions=True)
        assert all(isinstance(result, Appended) for result in saved)
        assert type(wrong) is StoreError
        assert "WRONGTYPE" in str(wrong)
        assert isinstance(unpackable, TypeError)


async def test_who_is_cancelled_does_not_harm_the_others(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        for turns in range(6):
            tasks = [asyncio.create_task(appended(store, START, f"{turns}", table=f"{turns}-{n}")) for n in range(20)]
            for _ in range(turns):
                await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(result, tuple) for result in results[1::2])
            # Those cancelled may or may not have been saved; asking again tells, and nothing is there twice.
            for n in range(20):
                assert facts(await appended(store, START, f"{turns}", table=f"{turns}-{n}"))[0][0] == 1


async def test_asking_after_the_end_fails_at_once(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        await store.close()
        with pytest.raises(StoreUnavailable):
            await store.now()
        with pytest.raises(StoreUnavailable):
            await store.watch("T", Ear())


# Connections that break


async def test_connections_that_were_killed_are_opened_again(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        head, ear = START, Ear()
        await store.watch("T", ear)
        for turn in range(10):
            store_program.command("CLIENT", "KILL", "TYPE", "normal")
            head = (await appended(store, head, f"e{turn}"))[-1].head
        assert [entry.id for entry in await store.read("T")] == [f"e{turn}" for turn in range(10)]
        store_program.command("CLIENT", "KILL", "TYPE", "pubsub")
        while await ear.next() != LookAgain():
            pass
        entries = await appended(store, head, "last")
        assert await ear.next() == LogGrew(head, entries)


async def test_connections_killed_in_the_middle_of_work_lose_and_double_nothing(store_program: StoreProgram) -> None:
    async with connected(store_program.url, dataclasses.replace(PATIENT, sleep=no_pause)) as store:
        done = asyncio.Event()

        async def write(table: str) -> list[str]:
            head, ids = START, [f"{table}-{n}" for n in range(100)]
            for id in ids:
                result = None
                while not isinstance(result, Appended):
                    with contextlib.suppress(StoreInDoubt, StoreUnavailable):
                        result = await store.append(table, head, new(id), DAY_S)
                head = result.entries[-1].head
            return ids

        async def kill() -> None:
            while not done.is_set():
                await asyncio.to_thread(store_program.command, "CLIENT", "KILL", "TYPE", "normal")

        killer = asyncio.create_task(kill())
        written = await asyncio.gather(*(write(f"T{n}") for n in range(20)))
        done.set()
        await killer
        for n, ids in enumerate(written):
            assert [entry.id for entry in await store.read(f"T{n}")] == ids


async def test_nothing_acknowledged_is_lost_when_the_store_is_killed(store_program: StoreProgram) -> None:
    async with connected(store_program.url, ONE_TRY) as store:
        ear = Ear()
        await store.watch("T", ear)
        entries = await appended(store, START, "a", "b")
        assert await ear.next() == LogGrew(START, entries)
        store_program.kill()
        with pytest.raises(StoreUnavailable):
            await store.now()
        with pytest.raises(StoreUnavailable):  # nothing can have been sent: there was nobody to connect to
            await store.append("T", entries[-1].head, new("c"), DAY_S)
        store_program.start()
        assert await ear.next() == LookAgain()
        assert await store.read("T") == list(entries)
        more = await appended(store, entries[-1].head, "c")
        assert await ear.next() == LogGrew(entries[-1].head, more)


async def test_a_frozen_store_leaves_in_doubt_and_saves_once(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        (first,) = await appended(store, START, "a")
        store_program.freeze()
        hurry(store)
        with pytest.raises(StoreInDoubt):
            await store.append("T", first.head, new("b"), DAY_S)
        with pytest.raises(StoreUnavailable):  # a new connection gets no answer, so nothing is sent on it
            await store.append("T", first.head, new("b"), DAY_S)
        store_program.thaw()
        async with connected(store_program.url) as patient:
            await appended(patient, first.head, "b")
            assert [entry.id for entry in await patient.read("T")] == ["a", "b"]


async def test_closing_does_not_wait_for_a_frozen_store(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        await store.watch("T", Ear())
        await appended(store, START, "a")
        store_program.freeze()
        asked = asyncio.create_task(store.append("T", Head(1, "a"), new("b"), DAY_S))
        watched = asyncio.create_task(store.watch("U", Ear()))
        done, _ = await asyncio.wait([asked, watched], timeout=0.05)
        assert not done
        async with asyncio.timeout(WITHIN_S / 2):
            await store.close()
        with pytest.raises(StoreInDoubt):
            await asked
        with pytest.raises(StoreUnavailable):
            await watched
        store_program.thaw()


async def test_a_subscription_that_is_not_confirmed_is_given_up(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        store_program.freeze()
        hurry(store)
        with pytest.raises(StoreUnavailable):
            await store.watch("T", Ear())
        store_program.thaw()
        ear = Ear()
        async with connected(store_program.url) as patient:
            await patient.watch("T", ear)  # the first try left nothing behind in the way of the next
            entries = await appended(patient, START, "a")
            assert await ear.next() == LogGrew(START, entries)


async def test_who_gives_up_before_it_is_confirmed_is_told(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        await store.watch("T", Ear())
        store_program.freeze()
        watched = asyncio.create_task(store.watch("U", Ear()))
        await asyncio.sleep(0)
        await store.unwatch("U")
        with pytest.raises(StoreUnavailable, match="watched no more"):
            await watched
        ear = Ear()
        again = asyncio.create_task(store.watch("U", ear))
        store_program.thaw()
        await again
        entries = await appended(store, START, "a", table="U")
        assert await ear.next() == LogGrew(START, entries)


# The heartbeat


class Ticker:
    """A sleep that a test ends: the heartbeat's; other pauses are none."""

    def __init__(self, beat_s: float) -> None:
        self._beat_s = beat_s
        self._sleeping = asyncio.Event()
        self._go = asyncio.Event()

    async def sleep(self, delay_s: float) -> None:
        if delay_s != self._beat_s:
            return await asyncio.sleep(0)
        self._sleeping.set()
        await self._go.wait()
        self._go.clear()
        return None

    async def tick(self) -> None:
        """Let one beat pass, and return when the next is waited for."""
        async with asyncio.timeout(WITHIN_S):
            await self._sleeping.wait()
            self._sleeping.clear()
            self._go.set()
            await self._sleeping.wait()


async def test_a_silent_subscription_is_found_and_made_anew(store_program: StoreProgram) -> None:
    ticker, relay = Ticker(2.0), Relay(str(store_program.folder / "s"))
    timing = dataclasses.replace(PATIENT, sleep=ticker.sleep)
    async with listening(relay.serve) as url, connected(url, timing) as store:
        ear, head = Ear(), START
        await store.watch("T", ear)
        for turn in range(8):  # as long as it hears itself, all is well
            await ticker.tick()
            entries = await appended(store, head, f"e{turn}")
            assert await ear.next() == LogGrew(head, entries)
            head = entries[-1].head
        relay.mute_subscribers()
        await appended(store, head, "unheard")
        for _ in range(4):
            await ticker.tick()
        assert await ear.next() == LookAgain()
        head = (await store.read("T"))[-1].head
        entries = await appended(store, head, "heard")
        assert await ear.next() == LogGrew(Head(9, "unheard"), entries)


async def test_a_foreign_message_makes_a_watcher_look_again(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        ear = Ear()
        await store.watch("T", ear)
        for message in (b"", b"\xc1", b"\x93\xa3log\x01", b"\x91\xa5other", b"\x05"):
            store_program.command("PUBLISH", "{t:T}:wake", message)
            assert await ear.next() == LookAgain()


async def test_a_watcher_that_fails_does_not_make_others_deaf(
    store_program: StoreProgram, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(wake: object) -> None:
        raise RuntimeError("a fault of this watcher")

    async with connected(store_program.url) as store:
        ear = Ear()
        await store.watch("bad", fail)
        await store.watch("T", ear)
        await appended(store, START, "a", table="bad")
        entries = await appended(store, START, "a")
        assert await ear.next() == LogGrew(START, entries)
    assert "a fault of this watcher" in caplog.text
    caplog.clear()


# A store that refuses


async def test_a_full_store_refuses_and_changes_nothing(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        (first,) = await appended(store, START, "a")
        store_program.command("CONFIG", "SET", "maxmemory", "1")
        with pytest.raises(StoreUnavailable, match="OOM"):
            await store.append("T", first.head, new("b"), DAY_S)
        assert await store.read("T") == [first]
        store_program.command("CONFIG", "SET", "maxmemory", "0")
        await appended(store, first.head, "b")


async def test_a_replica_does_not_answer(store_program: StoreProgram) -> None:
    async with connected(store_program.url) as store:
        (first,) = await appended(store, START, "a")
        store_program.command("REPLICAOF", "127.0.0.1", "1")
        with pytest.raises(StoreUnavailable, match="READONLY"):
            await store.append("T", START, new("a"), DAY_S)
        store_program.command("REPLICAOF", "NO", "ONE")
        assert await appended(store, START, "a") == (first,)


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ([LOADING] * 4, StoreUnavailable),
        ([READONLY], StoreUnavailable),
        ([HANG_UP] * 4, StoreInDoubt),
        # The first try may have done it, whatever the later ones say.
        ([HANG_UP, LOADING, LOADING, LOADING], StoreInDoubt),
        ([LOADING, HANG_UP, LOADING, LOADING], StoreInDoubt),
        ([HANG_UP, READONLY], StoreInDoubt),
        ([HANG_UP, LOADING, b"-NOSCRIPT No matching script.\r\n", SAVED], None),
        ([LOADING, SAVED], None),
        ([HANG_UP, SAVED], None),
        ([b"-NOSCRIPT No matching script.\r\n", SAVED], None),
        ([b"-NOSCRIPT No matching script.\r\n", HANG_UP, SAVED], None),
    ],
)
async def test_in_doubt_is_what_may_have_been_done(answers: list[bytes], error: type[StoreError] | None) -> None:
    server = ScriptedServer()
    server.answers.extend(answers)
    async with listening(server.serve) as url, connected(url, dataclasses.replace(PATIENT, sleep=no_pause)) as store:
        if error is None:
            assert facts(await appended(store, START, "a")) == [(1, "a", b"data of a")]
        else:
            with pytest.raises(StoreError) as raised:
                await store.append("T", START, new("a"), DAY_S)
            assert raised.type is error
    assert not server.answers


# Opening


@pytest.mark.parametrize("kind", KINDS)
async def test_a_store_on_tcp_with_a_password(kind: str) -> None:
    with running(kind, tcp=True, password="s3cret/@word") as program:
        url = f"redis://:s3cret%2F%40word@127.0.0.1:{program.port}/0"
        async with connected(url) as store:
            ear = Ear()
            await store.watch("T", ear)
            entries = await appended(store, START, "a")
            assert await ear.next() == LogGrew(START, entries)
        for wrong in (url.replace("s3cret", "secr3t"), url.replace(":s3cret%2F%40word@", "")):
            with pytest.raises(StoreUnavailable, match=f"redis://127.0.0.1:{program.port}/0 cannot be used") as raised:
                await RedisStore.connect(wrong, dataclasses.replace(PATIENT, sleep=no_pause))
            assert "word" not in str(raised.value).replace("password", "")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://:hidden@host/", "must begin with redis://, rediss:// or unix://"),
        ("hidden", "must begin with redis://"),
        ("user:hidden@host", "must begin with redis://"),
        ("redis://:hidden@host:port/", "The store's URL is not understood: a URL that is malformed"),
        ("redis://:hidden@host/?hidden=1", "The store's URL is not understood: redis://host/"),
        ("redis://:hidden@127.0.0.1:1/0", "The store at redis://127.0.0.1:1/0 cannot be used"),
        ("rediss://user:hidden@127.0.0.1:1", "The store at rediss://127.0.0.1:1 cannot be used"),
        ("unix://:hidden@/nowhere/s?password=hidden", "The store at unix:///nowhere/s cannot be used"),
    ],
)
async def test_a_url_that_leads_nowhere_is_named_without_its_password(url: str, said: str) -> None:
    with pytest.raises(StoreUnavailable) as raised:
        await RedisStore.connect(url, ONE_TRY)
    assert said in str(raised.value)
    assert "hidden" not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize(
    ("info", "said"),
    [
        (b"redis_version:6.2.14\r\n", "It says version 6.2.14; Redis 7.0 or Valkey 8 is the oldest."),
        (b"something:else\r\n", "It says version unknown"),
        (b"redis_version:seven\r\n", "It says version seven"),
        (GOOD.replace(b"standalone", b"cluster"), "It is a node of a Cluster: its URL begins with redis+cluster://."),
        (GOOD.replace(b"standalone", b"sentinel"), "It is a Sentinel: its URL is redis+sentinel://"),
    ],
)
async def test_a_server_that_cannot_be_used_is_refused(info: bytes, said: str) -> None:
    async with listening(ScriptedServer(info).serve) as url:
        with pytest.raises(StoreUnavailable) as raised:
            await RedisStore.connect(url, PATIENT)
    assert said in str(raised.value)


@pytest.mark.parametrize(("setting", "warned"), [(b"0", True), (b"1", False)])
async def test_a_server_that_keeps_no_file_is_used_with_a_warning(
    setting: bytes, warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with listening(ScriptedServer(GOOD + b"aof_enabled:%s\r\n" % setting).serve) as url:
        store = await RedisStore.connect(url, PATIENT)
        await store.close()
    assert ("keeps no append-only file" in caplog.text) == warned


async def test_a_server_that_does_not_answer_is_given_up(store_program: StoreProgram) -> None:
    store_program.freeze()
    with pytest.raises(StoreUnavailable, match="cannot be used"):
        await RedisStore.connect(store_program.url, QUICK)
    store_program.thaw()
