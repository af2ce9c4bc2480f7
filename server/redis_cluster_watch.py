"""What a process hears from a Cluster: one subscription for each node, and a channel on the node that serves its slot.

When a slot moves its node ends the subscriptions, or refuses a new one with the address of the other node; after a
fail-over the connection breaks. Each time the map is read anew, and the channels follow it; a watcher whose channel has
moved is told to look again. While a slot is moving, its channels are heard only from the keys that have not moved yet.
"""

import asyncio
import logging
import random
from collections.abc import Callable

from server.redis_cluster import redirect
from server.redis_link import Address, Link, Timing, code_of
from server.redis_pipe import Pipe
from server.redis_slots import Slots, slot_of
from server.redis_watch import CLOSED, SHARDED, Heard, Watch, Watched
from server.store import StoreUnavailable

log = logging.getLogger(__name__)


class ClusterWatch:
    """The same as `Watch`, on all nodes."""

    def __init__(
        self, slots: Slots, link_to: Callable[[Address], Link], line: Callable[[Address], Pipe], timing: Timing
    ) -> None:
        self._slots = slots
        self._link_to = link_to
        self._line = line
        self._timing = timing
        self._nodes: dict[Address, Watch] = {}
        self._places: dict[bytes, Address] = {}
        self._parted: set[bytes] = set()  # their node has ended their subscriptions
        self._hint: Address | None = None  # who knows best where they are now
        self._stale = asyncio.Event()  # the map should be read again
        self._moved = asyncio.Event()  # the map has changed
        self._closed = False
        self._tasks: list[asyncio.Task[None]] = []
        slots.on_change.append(self._moved.set)

    async def add(self, channel: str, wake: Heard) -> None:
        """Return when the subscription is confirmed; raise StoreUnavailable, and watch nothing, if it is not."""
        key = channel.encode()
        if self._closed:
            raise StoreUnavailable(CLOSED)
        if key in self._places:
            raise ValueError(f"{channel} is watched already")
        node = self._slots.owner(slot_of(key))
        if node is None:
            self._slots.refresh_soon()
            raise StoreUnavailable("No node of the cluster serves this table.")
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(self._read_map(), name="store watch map"),
                asyncio.create_task(self._follow_map(), name="store watch moves"),
            ]
        watched = Watched(wake)
        self._enter(node, key, watched)

        async def leave() -> None:
            if key in self._places and self._nodes[self._places[key]].has(key, watched):
                await self.remove(channel)

        await watched.confirm(self._nodes[node].subscribe([key]), leave, self._timing)

    async def remove(self, channel: str) -> None:
        key = channel.encode()
        self._parted.discard(key)
        if key in self._places:
            await self._nodes[self._places.pop(key)].remove(channel)

    async def close(self) -> None:
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(node.close() for node in self._nodes.values()))
        self._places.clear()

    def _enter(self, node: Address, key: bytes, watched: Watched) -> None:
        if node not in self._nodes:
            self._nodes[node] = Watch(
                lambda: self._link_to(node),
                lambda: self._line(node),
                self._timing,
                SHARDED,
                lost=lambda error: self._lost(node, error),
                parted=lambda key: self._gave_away(node, key),
            )
        self._nodes[node].enter(key, watched)
        self._places[key] = node

    def _lost(self, node: Address, error: Exception) -> None:
        """A subscription ended. Where the node named another for a slot, that one is asked; else any will do."""
        if code_of(error) == "MOVED":
            self._slots.learn(*redirect(error, node))
        else:
            self._stale.set()

    def _gave_away(self, node: Address, key: bytes) -> None:
        self._parted.add(key)
        self._hint = node
        self._stale.set()

    async def _read_map(self) -> None:
        """Read the map when it is doubted, with a pause in between, until a node answers."""
        failures = 0
        while True:
            await self._stale.wait()
            self._stale.clear()
            hint, self._hint = self._hint, None
            try:
                await self._slots.refresh(hint)
                failures = 0
            except StoreUnavailable as error:
                log.debug("no map of the cluster: %s", error)
                self._stale.set()
                failures = min(failures + 1, 10)
            if self._parted:
                self._moved.set()  # whether or not the map is another: they have to subscribe again
            pause_s = self._timing.pause_s * 2.0**failures * (0.5 + random.random())
            await self._timing.sleep(min(self._timing.longest_pause_s, pause_s))

    async def _follow_map(self) -> None:
        while True:
            await self._moved.wait()
            self._moved.clear()
            try:
                await self._move()
            except Exception:  # a fault of ours must not make all tables deaf
                log.exception("following the cluster's map failed")

    async def _move(self) -> None:
        """Bring each channel that is not where it belongs, or was ended there, to the node of its slot."""
        parted, self._parted = self._parted, set()
        moves: dict[Address, list[bytes]] = {}
        for key, here in list(self._places.items()):
            there = self._slots.owner(slot_of(key)) or here
            if there != here or key in parted:
                self._enter(there, key, self._nodes[here].release(key))
                moves.setdefault(there, []).append(key)
        for node, keys in moves.items():
            try:
                async with asyncio.timeout(self._timing.connect_s):
                    await self._nodes[node].subscribe(keys)
            except TimeoutError:
                log.debug("a node takes no subscriptions: its heartbeat will find it")
        for address in [address for address in self._nodes if address not in self._slots.nodes]:
            if self._nodes[address].empty:
                await self._nodes.pop(address).close()
