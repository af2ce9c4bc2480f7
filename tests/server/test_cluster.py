"""A store that is a Cluster: tables on several nodes, slots that move, nodes that crash or change places."""

import asyncio
import contextlib
import dataclasses
import itertools
from collections.abc import AsyncIterator, Iterator

import pytest

from server.redis_slots import slot_of
from server.redis_store import RedisStore
from server.store import (
    START,
    Appended,
    Head,
    LogGrew,
    LookAgain,
    Record,
    StoreError,
    StoreInDoubt,
    StoreUnavailable,
)
from tests.server.scripted_server import HANG_UP, ScriptedServer, listening
from tests.server.test_redis_store import LOADING, READONLY, SAVED, connected, no_pause
from tests.server.test_store import DAY_S, Ear, appended, facts, new
from tests.server.writers import all_wrote, heard, told_to_look_again, writing
from tests.store_groups import ClusterGroup, cluster_group, info, shared_groups, until
from tests.stores import KINDS, PATIENT, StoreProgram, free_port, running

__all__ = ["cluster_group", "shared_groups"]

TABLES = [f"T{n}" for n in range(30)]
AT_ONCE = dataclasses.replace(PATIENT, sleep=no_pause)


def log_of(table: str) -> str:
    return f"{{t:{table}}}:log"


def tables_of(group: ClusterGroup, node: StoreProgram, count: int) -> list[str]:
    """Names of tables that a node serves."""
    names = (f"N{n}" for n in itertools.count())
    return list(itertools.islice((name for name in names if group.node_of(log_of(name)) is node), count))


def in_one_slot(table: str, count: int) -> list[str]:
    """Names of tables in the slot of this one, which is the first of them."""
    names = (f"{table}.{n}" for n in itertools.count())
    same = (name for name in names if slot_of(log_of(name)) == slot_of(log_of(table)))
    return [table, *itertools.islice(same, count - 1)]


class Move:
    """A slot on its way from one node to another, a key at a time."""

    def __init__(self, group: ClusterGroup, slot: int, source: StoreProgram, target: StoreProgram) -> None:
        self.group = group
        self.slot = slot
        self.source = source
        self.target = target

    def begin(self) -> None:
        self.target.command("CLUSTER", "SETSLOT", self.slot, "IMPORTING", self.group.name_of(self.source))
        self.source.command("CLUSTER", "SETSLOT", self.slot, "MIGRATING", self.group.name_of(self.target))

    def carry(self, count: int) -> int:
        """Carry over at most so many keys; return how many there were."""
        keys = self.source.command("CLUSTER", "GETKEYSINSLOT", self.slot, count)
        for key in keys:
            self.source.command("MIGRATE", "127.0.0.1", self.target.port, key, 0, 5000)
        return len(keys)

    def end(self) -> None:
        while self.carry(100):
            pass
        for node in (self.target, self.source):  # the others hear of it by themselves
            node.command("CLUSTER", "SETSLOT", self.slot, "NODE", self.group.name_of(self.target))


@pytest.mark.parametrize("cluster_group", KINDS[:1], indirect=True)
async def test_tables_are_spread_over_all_masters(cluster_group: ClusterGroup) -> None:
    async with connected(cluster_group.url) as store, connected(cluster_group.url) as other:
        ears = {table: Ear() for table in TABLES}
        await asyncio.gather(*(other.watch(table, ear) for table, ear in ears.items()))
        written = await asyncio.gather(*(appended(store, START, "a", table=table) for table in TABLES))
        for table, entries in zip(TABLES, written, strict=True):
            assert await ears[table].next() == LogGrew(START, entries)
            assert cluster_group.node_of(log_of(table)).command("EXISTS", log_of(table)) == 1
        assert await store.heads(TABLES) == [Head(1, "a")] * len(TABLES)
        assert len({cluster_group.node_of(log_of(table)) for table in TABLES}) == cluster_group.MASTERS


async def test_a_slot_moves_under_appends(cluster_group: ClusterGroup) -> None:
    first, second = cluster_group.nodes[1:3]
    tables = in_one_slot(tables_of(cluster_group, first, 1)[0], 4)
    for source, target in ((first, second), (second, first)):
        move = Move(cluster_group, slot_of(log_of(tables[0])), source, target)
        cluster_group.empty()
        async with connected(cluster_group.url) as store, connected(cluster_group.url) as other:
            ears = [Ear() for _ in tables]
            for table, ear in zip(tables, ears, strict=True):
                await other.watch(table, ear)
            async with writing(store, [*tables[1:], *TABLES]) as writers:
                await all_wrote(writers)
                await asyncio.to_thread(move.begin)
                await all_wrote(writers)
                # A new table is made where its slot goes.
                (entry,) = await appended(store, START, "a", table=tables[0])
                assert target.command("CLUSTER", "COUNTKEYSINSLOT", move.slot) == 1
                for _ in range(len(tables) - 1):
                    assert await asyncio.to_thread(move.carry, 1) == 1
                    await all_wrote(writers, 2)
                await asyncio.to_thread(move.end)
                await asyncio.to_thread(until, cluster_group.settled)
                await all_wrote(writers)
                for ear in ears:
                    await told_to_look_again(ear)
            assert target.command("CLUSTER", "COUNTKEYSINSLOT", move.slot) == len(tables)
            await heard(ears[0], store, tables[0], entry.head)
            assert [writer.set_back for writer in writers] == [0] * len(writers)


@pytest.mark.parametrize("cluster_group", KINDS[:1], indirect=True)
async def test_a_record_waits_until_its_slot_has_moved(cluster_group: ClusterGroup) -> None:
    """Log and records are two keys, of which one may be here and the other there."""
    source, target = cluster_group.nodes[1:3]
    (table,) = tables_of(cluster_group, source, 1)
    kept = Record(1, b"one", ("ann",), DAY_S)
    async with connected(cluster_group.url, AT_ONCE) as store:
        entries = await appended(store, START, "a", table=table)
        move = Move(cluster_group, slot_of(log_of(table)), source, target)
        move.begin()
        with pytest.raises(StoreUnavailable, match="Multiple keys request"):
            await store.append(table, entries[-1].head, new("b"), DAY_S, record=kept)
        entries = await appended(store, entries[-1].head, "c", table=table)  # the play goes on
        move.end()
        await asyncio.to_thread(until, cluster_group.settled)
        result = await store.append(table, entries[-1].head, new("d"), DAY_S, record=kept)
        assert isinstance(result, Appended) and result.entries[0].number == 3
        assert await store.records(table, (await store.kept(table)).deals) == {1: b"one"}


async def test_who_did_not_hear_of_a_move_is_redirected(cluster_group: ClusterGroup) -> None:
    first, second = cluster_group.nodes[1:3]
    table, other_table = in_one_slot(tables_of(cluster_group, first, 1)[0], 2)
    async with connected(cluster_group.url, AT_ONCE) as store, connected(cluster_group.url, AT_ONCE) as other:
        for source, target in ((first, second), (second, first)):
            move = Move(cluster_group, slot_of(log_of(table)), source, target)
            move.begin()
            move.end()
            await asyncio.to_thread(until, cluster_group.settled)
            ear = Ear()
            await other.watch(table, ear)  # refused by the node it knew, and confirmed by the one that was named
            head = (await store.heads([table]))[0] or START
            await heard(ear, store, table, head)
            await other.unwatch(table)
        assert await store.read(other_table) == []


@pytest.mark.parametrize("cluster_group", KINDS[:1], indirect=True)
async def test_a_node_that_crashed_and_came_back_has_lost_nothing(cluster_group: ClusterGroup) -> None:
    node = cluster_group.nodes[2]
    there, elsewhere = tables_of(cluster_group, node, 2), tables_of(cluster_group, cluster_group.nodes[1], 2)
    async with connected(cluster_group.url) as store, connected(cluster_group.url) as other:
        ear, undisturbed = Ear(), Ear()
        entries = await appended(store, START, "a", "b", table=there[0])
        await other.watch(there[0], ear)
        await other.watch(elsewhere[0], undisturbed)
        async with writing(store, [there[1], elsewhere[1]]) as writers:
            await all_wrote(writers)
            node.kill()
            await all_wrote(writers[1:], 20)  # the others serve on
            with pytest.raises(StoreUnavailable):
                await store.append(there[0], entries[-1].head, new("c"), DAY_S)
            await asyncio.to_thread(node.start)
            await all_wrote(writers)
            await told_to_look_again(ear)
        assert await store.read(there[0]) == list(entries)
        await heard(ear, store, there[0], entries[-1].head)
        assert undisturbed._heard.empty()
        assert [writer.set_back for writer in writers] == [0, 0]


@pytest.mark.parametrize("cluster_group", KINDS[:1], indirect=True)
async def test_a_replica_takes_over_in_good_order(cluster_group: ClusterGroup) -> None:
    pair = (cluster_group.nodes[0], cluster_group.nodes[-1])
    master, replica = sorted(pair, key=lambda node: "role:master" not in info(node, "replication"))
    tables = tables_of(cluster_group, master, 3)
    async with connected(cluster_group.url) as store, connected(cluster_group.url) as other:
        ear = Ear()
        await other.watch(tables[0], ear)
        async with writing(store, tables[1:]) as writers:
            await all_wrote(writers)
            replica.command("CLUSTER", "FAILOVER")
            await asyncio.to_thread(until, lambda: cluster_group.node_of(log_of(tables[0])) is replica)
            await all_wrote(writers)
        assert [writer.set_back for writer in writers] == [0, 0]
        await heard(ear, store, tables[0], START)


# Redirects and refusals


class ScriptedNode(ScriptedServer):
    """The only node of its cluster, by its own word."""

    def __init__(self) -> None:
        super().__init__(b"redis_version:7.2.4\r\nredis_mode:cluster\r\n")
        self.port = 0
        self.asking = 0

    def answer(self, command: list[bytes]) -> bytes:
        if command[:2] == [b"CLUSTER", b"SLOTS"]:
            return b"*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$0\r\n\r\n:%d\r\n$1\r\nx\r\n" % self.port
        if command[0] == b"CLUSTER":
            return b"$16\r\ncluster_state:ok\r\n"
        self.asking += command[0] == b"ASKING"
        answer = super().answer(command)
        return answer.replace(b"PORT", b"%d" % self.port)


MOVED = b"-MOVED 77 127.0.0.1:PORT\r\n"
ASK = b"-ASK 77 :PORT\r\n"
TRYAGAIN = b"-TRYAGAIN Multiple keys request during rehashing of slot\r\n"
DOWN = b"-CLUSTERDOWN The cluster is down\r\n"
NOSCRIPT = b"-NOSCRIPT No matching script.\r\n"


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ([MOVED, SAVED], None),
        ([ASK, SAVED], None),
        ([ASK, NOSCRIPT, SAVED], None),
        ([MOVED, ASK, MOVED, SAVED], None),
        ([TRYAGAIN, DOWN, READONLY, SAVED], None),
        ([HANG_UP, MOVED, SAVED], None),
        ([TRYAGAIN] * 4, StoreUnavailable),
        ([LOADING] * 4, StoreUnavailable),
        ([DOWN, DOWN, DOWN, b"-MASTERDOWN Link with MASTER is down\r\n"], StoreUnavailable),
        # No end of redirects: five are followed at once, and after each pause five more.
        ([MOVED] * 24, StoreUnavailable),
        ([HANG_UP] * 4, StoreInDoubt),
        ([ASK, HANG_UP, HANG_UP, HANG_UP, HANG_UP], StoreInDoubt),
        ([HANG_UP, TRYAGAIN, TRYAGAIN, TRYAGAIN], StoreInDoubt),
        ([HANG_UP, b"-WRONGTYPE no log\r\n"], StoreInDoubt),
        ([b"-WRONGTYPE no log\r\n"], StoreError),
    ],
)
async def test_in_doubt_is_what_may_have_been_done(answers: list[bytes], error: type[StoreError] | None) -> None:
    node = ScriptedNode()
    node.answers.extend(answers)
    async with scripted(node) as url, connected(url, AT_ONCE) as store:
        if error is None:
            assert facts(await appended(store, START, "a")) == [(1, "a", b"data of a")]
        else:
            with pytest.raises(StoreError) as raised:
                await store.append("T", START, new("a"), DAY_S)
            assert raised.type is error
    assert not node.answers
    if ASK in answers:
        assert node.asking >= 1


@contextlib.asynccontextmanager
async def scripted(node: ScriptedNode) -> AsyncIterator[str]:
    async with listening(node.serve) as url:
        node.port = int(url.rpartition(":")[2])
        yield url.replace("redis", "redis+cluster")


# Opening


@pytest.fixture(params=KINDS[:1])
def guarded_node(request: pytest.FixtureRequest) -> Iterator[StoreProgram]:
    """A cluster of one node, with a password."""
    config = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    with running(request.param, tcp=True, password="s3cret/@word", config=config) as node:
        yield node


@pytest.fixture
def plain_server() -> Iterator[StoreProgram]:
    with running(KINDS[0], tcp=True) as server:
        yield server


async def test_a_cluster_with_a_password(guarded_node: StoreProgram) -> None:
    url = f"redis+cluster://:s3cret%2F%40word@127.0.0.1:{guarded_node.port}"
    with pytest.raises(StoreUnavailable, match="serves no slots yet"):
        await RedisStore.connect(url, AT_ONCE)
    guarded_node.command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
    await asyncio.to_thread(until, lambda: b"cluster_state:ok" in guarded_node.command("CLUSTER", "INFO"))
    async with connected(url) as store:
        ear = Ear()
        await store.watch("T", ear)
        await heard(ear, store, "T", START)
    with pytest.raises(StoreUnavailable, match="Authentication") as raised:
        await RedisStore.connect(url.replace("s3cret", "secr3t"), AT_ONCE)
    assert "word" not in str(raised.value).replace("password", "")


@pytest.mark.parametrize("cluster_group", KINDS[:1], indirect=True)
async def test_what_is_no_cluster_is_refused(cluster_group: ClusterGroup, plain_server: StoreProgram) -> None:
    url = f"redis://127.0.0.1:{cluster_group.nodes[0].port}"
    with pytest.raises(StoreUnavailable, match=r"It is a node of a Cluster: its URL begins with redis\+cluster://"):
        await RedisStore.connect(url, AT_ONCE)
    alone = f"redis+cluster://127.0.0.1:{plain_server.port}"
    with pytest.raises(StoreUnavailable, match=r"no node of one; its URL begins with redis:// or redis\+sentinel"):
        await RedisStore.connect(alone, AT_ONCE)
    with pytest.raises(StoreUnavailable, match="No node of the cluster says who serves what"):
        await RedisStore.connect("redis+cluster://127.0.0.1:1,127.0.0.1:2", AT_ONCE)


@pytest.mark.parametrize("cluster_group", KINDS[:1], indirect=True)
async def test_a_watcher_is_told_when_its_node_hangs_up(cluster_group: ClusterGroup) -> None:
    async with connected(cluster_group.url, AT_ONCE) as store:
        ears = {table: Ear() for table in TABLES}
        await asyncio.gather(*(store.watch(table, ear) for table, ear in ears.items()))
        for node in cluster_group.nodes:
            node.command("CLIENT", "KILL", "TYPE", "pubsub")
        for ear in ears.values():
            assert await ear.next() == LookAgain()
