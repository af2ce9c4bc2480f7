"""Which node of a Cluster serves which hash slot, as far as is known: by the word of the nodes, and of redirects."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from redis.crc import key_slot
from redis.exceptions import ResponseError

from server.redis_link import Address, Command, Link, Reply, Timing, ask_once, most_answers, read_info
from server.store import StoreUnavailable

SLOTS = 16384
ASKED_AT_MOST = 5

_SLOTS_AND_STATE: tuple[Command, ...] = (("CLUSTER", "SLOTS"), ("CLUSTER", "INFO"))


def slot_of(key: str | bytes) -> int:
    return key_slot(key.encode() if isinstance(key, str) else key)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The cluster as one node sees it: its masters and their slots, and all nodes there are."""

    healthy: bool
    epoch: int
    owners: tuple[Address | None, ...]
    known: frozenset[Address]


class Slots:
    """The map of a Cluster. It is read anew by `refresh`; `on_change` is called after each change, from the loop."""

    def __init__(self, seeds: Sequence[Address], link_to: Callable[[Address], Link], timing: Timing) -> None:
        self._seeds = tuple(seeds)
        self._link_to = link_to
        self._timing = timing
        self._owners: list[Address | None] = [None] * SLOTS
        self._known: frozenset[Address] = frozenset()
        self._refreshing: asyncio.Task[None] | None = None
        self._closed = False
        self.nodes: tuple[Address, ...] = ()
        self.on_change: list[Callable[[], None]] = []

    def owner(self, slot: int) -> Address | None:
        return self._owners[slot]

    def learn(self, slot: int, address: Address) -> None:
        """Take the word of a node that a slot is served by another; the rest of what changed is asked of that one."""
        if self._owners[slot] != address:
            self._owners[slot] = address
            self._changed()
        self.refresh_soon(address)

    def refresh_soon(self, hint: Address | None = None) -> None:
        """Read the map in the background, from the node that is hinted at if it answers."""
        if self._refreshing is None and not self._closed:
            self._refreshing = asyncio.create_task(self._refresh(hint), name="store slots")
            self._refreshing.add_done_callback(self._refreshed)

    async def refresh(self, hint: Address | None = None) -> None:
        """Read the map; raise StoreUnavailable if no node tells it. Who asks meanwhile waits for the same answer."""
        self.refresh_soon(hint)
        if self._refreshing is None:
            raise StoreUnavailable("The store was closed.")
        with contextlib.suppress(asyncio.CancelledError):
            return await asyncio.shield(self._refreshing)
        # Either we were cancelled ourselves, or the store was closed.
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise asyncio.CancelledError
        raise StoreUnavailable("The store was closed.")

    async def close(self) -> None:
        self._closed = True
        if self._refreshing is not None:
            self._refreshing.cancel()
            await asyncio.gather(self._refreshing, return_exceptions=True)

    def _refreshed(self, task: asyncio.Task[None]) -> None:
        self._refreshing = None
        if not task.cancelled():
            task.exception()  # whether or not somebody waited for it

    async def _refresh(self, hint: Address | None) -> None:
        if hint is not None:
            answers, _ = await most_answers([self._seen_by(hint)], self._timing.connect_s / 2)
            if answers and answers[0].healthy:
                return self._take(answers[0])
        some = self._some_nodes()
        answers, errors = await most_answers(map(self._seen_by, some), self._timing.connect_s)
        if not answers:
            raise StoreUnavailable(f"No node of the cluster says who serves what: {_reason(errors)}.")
        return self._take(max(answers, key=lambda seen: (seen.healthy, seen.epoch)))

    def _some_nodes(self) -> list[Address]:
        """Return nodes to ask; some that the URL names are always among them, as the whole cluster may have moved."""
        known = random.sample(sorted(self._known), min(len(self._known), ASKED_AT_MOST - 2))
        seeds = random.sample(self._seeds, min(len(self._seeds), ASKED_AT_MOST - len(known)))
        return list(dict.fromkeys([*known, *seeds]))

    async def _seen_by(self, address: Address) -> _Seen:
        ranges, state = await ask_once(self._link_to(address), _SLOTS_AND_STATE, self._timing)
        if not ranges:
            raise ConnectionError("the cluster serves no slots yet")
        return _read(ranges, read_info(state), address)

    def _take(self, seen: _Seen) -> None:
        self._known = seen.known
        if tuple(self._owners) != seen.owners:
            self._owners = list(seen.owners)
            self._changed()

    def _changed(self) -> None:
        self.nodes = tuple(sorted({owner for owner in self._owners if owner is not None}))
        for tell in self.on_change:
            tell()


def _read(ranges: Iterable[Reply], state: dict[str, str], asked: Address) -> _Seen:
    """Read CLUSTER SLOTS: first and last slot, the master, the replicas; a host that is not named is the one asked."""
    owners: list[Address | None] = [None] * SLOTS
    known: set[Address] = set()
    for first, last, *nodes in ranges:
        addresses = [(node[0].decode() if node[0] else asked[0], int(node[1])) for node in nodes]
        known |= set(addresses)
        owners[first : last + 1] = [addresses[0]] * (last + 1 - first)
    healthy = state.get("cluster_state") == "ok"
    return _Seen(healthy, int(state.get("cluster_current_epoch", 0)), tuple(owners), frozenset(known))


def _reason(errors: Sequence[Exception]) -> str:
    for error in errors:
        text = str(error).lower()
        if isinstance(error, ResponseError) and ("cluster support disabled" in text or "unknown command" in text):
            return "the server asked is no node of one; its URL begins with redis:// or redis+sentinel://"
    return "; ".join(sorted({f"{type(error).__name__}: {error}" for error in errors})) or "none is known"
