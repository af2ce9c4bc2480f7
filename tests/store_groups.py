"""Groups of store programs for tests: a master and its replica under a Sentinel, and a Cluster of three masters.

Everything runs on free ports of this machine. The periods of the Sentinel, and what the nodes of a Cluster take for
silence, are short, so that a fail-over takes a second or two.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis.exceptions import ReadOnlyError, RedisError

from server.redis_slots import SLOTS, slot_of
from tests.stores import KINDS, WITHIN_S, StoreProgram, free_port

SERVICE = "tables"
DOWN_AFTER_MS = 600
CALM_MS = 60_000
NODE_TIMEOUT_MS = 2000

_REPLICATION = ("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
_PERIODS_MS = {"info-period": 100, "publish-period": 400, "ask-period": 100, "ping-period": 100}


class SentinelProgram(StoreProgram):
    """A Sentinel: it keeps what it knows in a file of its own, and no data."""

    def __init__(self, kind: str, master: StoreProgram, password: str) -> None:
        self._monitored = [f"sentinel monitor {SERVICE} 127.0.0.1 {master.port} 1"]
        if master.password:
            self._monitored.append(f"sentinel auth-pass {SERVICE} {master.password}")
        super().__init__(kind, tcp=True, password=password)

    def arguments(self) -> list[str]:
        path = self.folder / "sentinel.conf"
        if not path.exists():
            lines = [f"port {self.port}", "bind 127.0.0.1", f"dir {self.folder}", f"logfile {self.folder / 'log'}"]
            lines += [f"unixsocket {self.folder / 's'}", *([f"requirepass {self.password}"] if self.password else [])]
            lines += [*self._monitored, f"sentinel down-after-milliseconds {SERVICE} {CALM_MS}"]
            lines += [f"sentinel failover-timeout {SERVICE} 5000"]
            path.write_text("\n".join(lines) + "\n")
        return [str(path), "--sentinel"]


class SentinelGroup:
    """A master, a replica in step with it, and a Sentinel that knows of both.

    One alone, as several may take many seconds to agree on who of them orders a fail-over.
    """

    def __init__(
        self, kind: str, *, password: str = "", sentinel_password: str = "", config: tuple[str, ...] = ()
    ) -> None:
        self._running: list[StoreProgram] = []
        try:
            self._start(kind, password, sentinel_password, config)
        except BaseException:
            self.stop()
            raise

    def _start(self, kind: str, password: str, sentinel_password: str, config: tuple[str, ...]) -> None:
        config += (*_REPLICATION, *(("--masterauth", password) if password else ()))
        self.stores = [self._run(StoreProgram(kind, tcp=True, password=password, config=config)) for _ in range(2)]
        self.stores[1].command("REPLICAOF", "127.0.0.1", self.stores[0].port)
        until(lambda: "master_link_status:up" in info(self.stores[1], "replication"))
        self.sentinel = self._run(SentinelProgram(kind, self.stores[0], sentinel_password))
        self.sentinel.command("SENTINEL", "DEBUG", *(word for item in _PERIODS_MS.items() for word in item))
        until(self.settled)
        login = f":{password}@" if password else ""
        options = f"?sentinel_password={sentinel_password}" if sentinel_password else ""
        self.url = f"redis+sentinel://{login}127.0.0.1:{self.sentinel.port}/{SERVICE}{options}"

    def settled(self) -> bool:
        """Whether the Sentinel sees a healthy master with a healthy replica."""
        replicas = self.sentinel.command("SENTINEL", "REPLICAS", SERVICE)
        return self._facts()["flags"] == "master" and any(map(_healthy, replicas))

    @property
    def master(self) -> StoreProgram:
        """The master by the word of the Sentinel."""
        port = int(self._facts()["port"])
        return next(store for store in self.stores if store.port == port)

    def watch_out(self, down_after_ms: int) -> None:
        """Let the Sentinel take a store for dead after so long: short where one is killed, and else never by chance."""
        self.sentinel.command("SENTINEL", "SET", SERVICE, "down-after-milliseconds", down_after_ms)

    def fail_over(self) -> None:
        """Let the Sentinel make the replica the master; return when it has."""
        old = self.master
        until(lambda: self.master is not old or not self._order_fail_over())

    def _order_fail_over(self) -> bool:
        # It gives up if it has not heard from the replica in the last moment, and is to be told again.
        if "failover_in_progress" not in self._facts()["flags"]:
            self.sentinel.command("SENTINEL", "FAILOVER", SERVICE)
        return True

    def fall_behind(self) -> None:
        """Let the replica follow the master no more, though the Sentinel still sees both of them alive."""
        self.command("ACL", "SETUSER", "default", "-psync", "-sync")
        self.command("CLIENT", "KILL", "TYPE", "replica")

    def command(self, *words: str | bytes | int) -> Any:
        return self.master.command(*words)

    def empty(self) -> None:
        self.command("FLUSHALL")
        self.command("SCRIPT", "FLUSH")

    def stop(self) -> None:
        for program in self._running:
            program.stop()

    def _run(self, program: StoreProgram) -> StoreProgram:
        self._running.append(program)
        return program

    def _facts(self) -> dict[str, str]:
        facts = self.sentinel.command("SENTINEL", "MASTER", SERVICE)
        return {name.decode(): value.decode() for name, value in _pairs(facts)}


class ClusterGroup:
    """Three masters with a third of the slots each, and a replica of the first."""

    MASTERS = 3

    def __init__(self, kind: str, *, password: str = "") -> None:
        self._running: list[StoreProgram] = []
        try:
            self._start(kind, password)
        except BaseException:
            self.stop()
            raise

    def _start(self, kind: str, password: str) -> None:
        login = ("--masterauth", password) if password else ()
        for _ in range(self.MASTERS + 1):
            config = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()), *_REPLICATION, *login)
            config += ("--cluster-node-timeout", str(NODE_TIMEOUT_MS), "--cluster-require-full-coverage", "no")
            self._running.append(StoreProgram(kind, tcp=True, password=password, config=config))
        self.nodes = self._running
        self.names: list[str] = [node.command("CLUSTER", "MYID").decode() for node in self.nodes]
        for number, node in enumerate(self.nodes[: self.MASTERS]):
            first, end = number * SLOTS // self.MASTERS, (number + 1) * SLOTS // self.MASTERS
            node.command("CLUSTER", "ADDSLOTSRANGE", first, end - 1)
        for number, node in enumerate(self.nodes):
            node.command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        for node in self.nodes[1:]:
            self.nodes[0].command("CLUSTER", "MEET", "127.0.0.1", node.port, node.config[3])
        until(lambda: self._all_know_all() and self.settled())
        self.nodes[-1].command("CLUSTER", "REPLICATE", self.names[0])
        until(lambda: "master_link_status:up" in info(self.nodes[-1], "replication") and self.settled())
        login_text = f":{password}@" if password else ""
        self.url = f"redis+cluster://{login_text}127.0.0.1:{self.nodes[1].port},127.0.0.1:{self.nodes[0].port}"

    def settled(self) -> bool:
        """Whether all nodes take the cluster for healthy, and say the same about who serves what."""
        states = [node.command("CLUSTER", "INFO") for node in self.nodes]
        maps = {str(sorted(node.command("CLUSTER", "SLOTS"))) for node in self.nodes}
        served = {sum(last + 1 - first for first, last, *_ in node.command("CLUSTER", "SLOTS")) for node in self.nodes}
        return all(b"cluster_state:ok" in state for state in states) and len(maps) == 1 and served == {SLOTS}

    def node_of(self, key: str) -> StoreProgram:
        """The master that serves a key, by the word of the second node, which no test takes away."""
        for first, last, master, *_ in self.nodes[1].command("CLUSTER", "SLOTS"):
            if first <= slot_of(key) <= last:
                return next(node for node in self.nodes if node.port == master[1])
        raise LookupError(f"no node serves {key}")

    def name_of(self, node: StoreProgram) -> str:
        return self.names[self.nodes.index(node)]

    def command(self, *words: str | bytes | int) -> Any:
        """Run a command on the node of its key."""
        return self.node_of(str(words[1])).command(*words)

    def empty(self) -> None:
        for node in self.nodes:
            with contextlib.suppress(ReadOnlyError):  # a replica, and so it follows
                node.command("FLUSHALL")
                node.command("SCRIPT", "FLUSH")

    def stop(self) -> None:
        for program in self._running:
            program.stop()

    def _all_know_all(self) -> bool:
        count = len(self.nodes)
        return all(node.command("CLUSTER", "NODES").count(b"connected") == count for node in self.nodes)


Group = SentinelGroup | ClusterGroup


def info(program: StoreProgram, section: str) -> str:
    facts: dict[str, Any] = program.command("INFO", section)  # redis-py has read it
    return "\n".join(f"{name}:{value}" for name, value in facts.items())


def until(condition: Callable[[], bool]) -> None:
    """Return when a condition holds that programs bring about by themselves; a refusal counts as not yet."""
    deadline = time.monotonic() + WITHIN_S
    while True:
        with contextlib.suppress(RedisError, StopIteration):
            if condition():
                return
        if time.monotonic() > deadline:
            raise TimeoutError("the store programs did not come to it in time")
        time.sleep(0.01)


def _pairs(flat: list[bytes] | dict[bytes, bytes]) -> Iterator[tuple[bytes, bytes]]:
    yield from flat.items() if isinstance(flat, dict) else zip(flat[::2], flat[1::2], strict=True)


def _healthy(replica: list[bytes]) -> bool:
    facts = dict(_pairs(replica))
    return facts[b"flags"] == b"slave" and facts[b"master-link-status"] == b"ok"


class SharedGroups:
    """One group of each sort for the whole run, started when it is first asked for."""

    def __init__(self) -> None:
        self._running: dict[tuple[str, str], Group] = {}
        self._disturbed: set[tuple[str, str]] = set()

    def emptied(self, sort: str, kind: str, *, to_disturb: bool = False) -> Group:
        """Return a group, whole and empty. A test that disturbs it must leave it so that it becomes whole by itself."""
        if (sort, kind) not in self._running:
            self._running[sort, kind] = SentinelGroup(kind) if sort == "sentinel" else ClusterGroup(kind)
        group = self._running[sort, kind]
        if (sort, kind) in self._disturbed:
            until(group.settled)
            self._disturbed.remove((sort, kind))
        if to_disturb:
            self._disturbed.add((sort, kind))
        if isinstance(group, SentinelGroup):
            group.watch_out(DOWN_AFTER_MS if to_disturb else CALM_MS)
        group.empty()
        return group

    def stop(self) -> None:
        while self._running:
            self._running.popitem()[1].stop()


# A fixture that several modules import is a fixture of each: they share this.
_GROUPS = SharedGroups()


@pytest.fixture(scope="session")
def shared_groups() -> Iterator[SharedGroups]:
    yield _GROUPS
    _GROUPS.stop()


@pytest.fixture(params=KINDS)
def sentinel_group(request: pytest.FixtureRequest, shared_groups: SharedGroups) -> SentinelGroup:
    group = shared_groups.emptied("sentinel", request.param, to_disturb=True)
    assert isinstance(group, SentinelGroup)
    return group


@pytest.fixture(params=KINDS)
def cluster_group(request: pytest.FixtureRequest, shared_groups: SharedGroups) -> ClusterGroup:
    group = shared_groups.emptied("cluster", request.param, to_disturb=True)
    assert isinstance(group, ClusterGroup)
    return group
