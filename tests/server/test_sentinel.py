"""A store that Sentinels keep: the master changes, by order or by a crash, and tables go on by themselves."""

import asyncio
import contextlib
import dataclasses
from collections.abc import Iterator

import pytest

from server.redis_link import Timing
from server.redis_store import RedisStore
from server.store import START, Diverged, Head, StoreUnavailable
from tests.server.scripted_server import GOOD, ScriptedServer, listening
from tests.server.test_redis_store import connected, no_pause
from tests.server.test_store import DAY_S, Ear, appended, new
from tests.server.writers import all_wrote, heard, told_to_look_again, writing
from tests.store_groups import SERVICE, SentinelGroup, sentinel_group, shared_groups, until
from tests.stores import KINDS, PATIENT, StoreProgram

__all__ = ["sentinel_group", "shared_groups"]

TABLES = [f"T{n}" for n in range(10)]
SOON = Timing(connect_s=2.0, answer_s=0.5, beat_s=0.2, silent_s=0.6)
"""Finds a master that is silent before the Sentinel has done so."""
AT_ONCE = dataclasses.replace(PATIENT, sleep=no_pause)


async def in_step(group: SentinelGroup) -> None:
    """Return when the replica has all that the master acknowledged until now."""
    assert await asyncio.to_thread(group.command, "WAIT", 1, 20_000) == 1


async def fails_over(group: SentinelGroup, old: StoreProgram) -> None:
    await asyncio.to_thread(until, lambda: group.master is not old)


async def test_a_fail_over_by_order_loses_nothing_that_was_copied(sentinel_group: SentinelGroup) -> None:
    async with connected(sentinel_group.url) as store, connected(sentinel_group.url) as other:
        ear = Ear()
        copied = [await appended(store, START, "a", "b", table=f"quiet-{table}") for table in TABLES]
        await other.watch("quiet-T0", ear)
        async with writing(store, TABLES) as writers:
            await all_wrote(writers)
            await in_step(sentinel_group)
            sure = [list(writer.written) for writer in writers]
            await asyncio.to_thread(sentinel_group.fail_over)
            await all_wrote(writers)
            await told_to_look_again(ear)
        for writer, ids in zip(writers, sure, strict=True):
            assert writer.written[: len(ids)] == ids
        assert [await store.read(f"quiet-{table}") for table in TABLES] == [list(entries) for entries in copied]
        await heard(ear, store, "quiet-T0", Head(2, "b"))


@pytest.mark.parametrize("sentinel_group", KINDS[:1], indirect=True)
async def test_a_master_that_crashes_loses_nothing_that_was_copied(sentinel_group: SentinelGroup) -> None:
    async with connected(sentinel_group.url) as store, connected(sentinel_group.url) as other:
        ear = Ear()
        await other.watch("quiet", ear)
        async with writing(store, TABLES) as writers:
            await all_wrote(writers)
            await in_step(sentinel_group)
            sure = [list(writer.written) for writer in writers]
            old = sentinel_group.master
            old.kill()
            await fails_over(sentinel_group, old)
            await all_wrote(writers)
            await told_to_look_again(ear)
        for writer, ids in zip(writers, sure, strict=True):
            assert writer.written[: len(ids)] == ids
        await heard(ear, store, "quiet", START)
        old.start()  # it comes back as the replica of the other, and nothing is written to it
        async with writing(store, ["late"]) as writers:
            await asyncio.to_thread(until, sentinel_group.settled)
            await all_wrote(writers)
        assert sentinel_group.master is not old
        assert writers[0].set_back == 0


@pytest.mark.parametrize("sentinel_group", KINDS[:1], indirect=True)
async def test_a_master_that_freezes_is_left(sentinel_group: SentinelGroup) -> None:
    async with connected(sentinel_group.url, SOON) as store, connected(sentinel_group.url, SOON) as other:
        ear = Ear()
        await other.watch("quiet", ear)
        async with writing(store, TABLES) as writers:
            await all_wrote(writers)
            old = sentinel_group.master
            await asyncio.to_thread(old.freeze)
            try:
                await fails_over(sentinel_group, old)
                await all_wrote(writers)
                # Its connection is whole and brings no error: the heartbeat finds it.
                await told_to_look_again(ear)
                await heard(ear, store, "quiet", START)
            finally:
                old.thaw()


@pytest.mark.parametrize("sentinel_group", KINDS[:1], indirect=True)
async def test_what_a_lost_tail_had_acknowledged_has_diverged(sentinel_group: SentinelGroup) -> None:
    async with connected(sentinel_group.url) as store:
        ear = Ear()
        entries = await appended(store, START, "a", "b")
        await store.watch("T", ear)
        await in_step(sentinel_group)
        old = sentinel_group.master
        sentinel_group.fall_behind()
        tail = await appended(store, entries[-1].head, "c", "d")
        old.kill()
        await fails_over(sentinel_group, old)
        await told_to_look_again(ear)
        assert await store.append("T", tail[-1].head, new("e"), DAY_S) == Diverged(Head(2, "b"))
        assert await store.read("T") == list(entries)
        await heard(ear, store, "T", entries[-1].head)
        old.start()


@pytest.mark.parametrize("sentinel_group", KINDS[:1], indirect=True)
async def test_a_master_without_replicas_may_refuse_until_it_has_one(sentinel_group: SentinelGroup) -> None:
    async with connected(sentinel_group.url, AT_ONCE) as store:
        (first,) = await appended(store, START, "a")
        sentinel_group.command("CONFIG", "SET", "min-replicas-to-write", "2")
        with pytest.raises(StoreUnavailable, match=r"NoReplicas|NOREPLICAS|[Nn]ot enough good replicas"):
            await store.append("T", first.head, new("b"), DAY_S)
        sentinel_group.command("CONFIG", "SET", "min-replicas-to-write", "0")
        assert await store.read("T") == [first]
        await appended(store, first.head, "b")


# Opening


@pytest.fixture(params=KINDS[:1])
def guarded_group(request: pytest.FixtureRequest) -> Iterator[SentinelGroup]:
    group = SentinelGroup(request.param, password="s3cret/@word", sentinel_password="other@word")
    yield group
    group.stop()


async def test_a_group_with_passwords(guarded_group: SentinelGroup) -> None:
    hosts = f"127.0.0.1:1,127.0.0.1:{guarded_group.sentinel.port}"
    url = f"redis+sentinel://:s3cret%2F%40word@{hosts}/{SERVICE}/0?sentinel_password=other%40word"
    async with connected(url, AT_ONCE) as store:
        ear = Ear()
        await store.watch("T", ear)
        await heard(ear, store, "T", START)
    for right, wrong in (("s3cret", "secr3t"), ("other", "0ther"), ("?sentinel_password=other%40word", "")):
        with pytest.raises(StoreUnavailable) as raised:
            await RedisStore.connect(url.replace(right, wrong), AT_ONCE)
        said = str(raised.value)
        assert said.startswith(f"The store at redis+sentinel://{hosts}/{SERVICE}/0 cannot be used. ")
        assert "Authentication" in said
        assert "word" not in said.replace("password", "")


@pytest.mark.parametrize("sentinel_group", KINDS[:1], indirect=True)
async def test_what_is_no_such_group_is_refused(sentinel_group: SentinelGroup) -> None:
    sentinel, store = sentinel_group.sentinel.port, sentinel_group.master.port
    for url, said in (
        (f"redis+sentinel://127.0.0.1:{sentinel}/other", "No such master"),
        (f"redis+sentinel://127.0.0.1:{store}/{SERVICE}", "is no Sentinel"),
        (f"redis://127.0.0.1:{sentinel}", r"It is a Sentinel: its URL is redis\+sentinel://HOST:PORT/SERVICE"),
        (f"redis+sentinel://127.0.0.1:1/{SERVICE}", "cannot be used"),
        (f"redis+cluster://127.0.0.1:{sentinel}", "no node of one"),
    ):
        with pytest.raises(StoreUnavailable, match=said):
            await RedisStore.connect(url, AT_ONCE)


# Several Sentinels


class ScriptedSentinel(ScriptedServer):
    """Says where the master is, and since which fail-over; and is that server too, if it is asked."""

    def __init__(self, port: int, epoch: int, role: str = "master") -> None:
        super().__init__(GOOD + b"role:%s\r\n" % role.encode())
        self._named = {"ip": "127.0.0.1", "port": str(port), "config-epoch": str(epoch)}

    def answer(self, command: list[bytes]) -> bytes:
        if command[0] != b"SENTINEL":
            return super().answer(command)
        words = [word for item in self._named.items() for word in item]
        return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word.encode()) for word in words)


async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("sentinel_group", KINDS[:1], indirect=True)
async def test_the_newest_word_of_most_sentinels_counts(sentinel_group: SentinelGroup) -> None:
    port = sentinel_group.master.port
    async with contextlib.AsyncExitStack() as stack:
        serves = [ScriptedSentinel(1, 3).serve, ScriptedSentinel(port, 4).serve, never]
        urls = [await stack.enter_async_context(listening(serve)) for serve in serves]
        hosts = [url.removeprefix("redis://") for url in urls]
        store = await stack.enter_async_context(connected(f"redis+sentinel://{','.join(hosts)}/{SERVICE}"))
        await appended(store, START, "a")


@pytest.mark.parametrize("sentinel_group", KINDS[:1], indirect=True)
async def test_one_sentinel_that_answers_is_enough(sentinel_group: SentinelGroup) -> None:
    url = sentinel_group.url.replace("://", "://127.0.0.1:1,127.0.0.1:2,")
    async with connected(url) as store:
        await appended(store, START, "a")


async def test_who_says_it_is_a_replica_is_not_taken_for_the_master() -> None:
    replica = ScriptedSentinel(0, 1, role="slave")
    async with (
        listening(replica.serve) as server,
        listening(ScriptedSentinel(int(server.rpartition(":")[2]), 1).serve) as sentinel,
    ):
        with pytest.raises(StoreUnavailable, match="says it is a slave"):
            await RedisStore.connect(f"{sentinel.replace('redis', 'redis+sentinel')}/{SERVICE}", AT_ONCE)
