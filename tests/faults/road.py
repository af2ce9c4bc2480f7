"""The way between a player and the servers: a relay of his own, on which frames are delayed and cut in the middle.

As a proxy would, it chooses the server for each connection and leaves out those that are known to be down.
"""

import asyncio
import socket
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from urllib.parse import urlsplit

from tests.faults.notes import World

CHUNK_BYTES = 1 << 16
CUT, DELAYED = 0.008, 0.02
"""How likely that is for what is passed on at once, either way."""

DELAY_S = (0.2, 1.5)


class Road:
    """A relay; `servers` says which URLs there are to choose from."""

    def __init__(self, servers: Callable[[], Sequence[str]], world: World, rng: Random) -> None:
        self._servers, self._world, self._rng = servers, world, rng
        self.at = ""
        """The URL of the server to which it leads just now."""
        self._next = ""
        self._closed_until = 0.0
        self._port = 0
        self._ends: tuple[asyncio.StreamWriter, ...] = ()
        self._listener: asyncio.Server | None = None
        self._carrying: set[asyncio.Task[None] | None] = set()

    @property
    def url(self) -> str:
        """Where the player connects to."""
        return f"ws://127.0.0.1:{self._port}/"

    async def open(self) -> None:
        self._listener = await asyncio.start_server(self._carry, "127.0.0.1", self._port)
        self._port = self._listener.sockets[0].getsockname()[1]

    async def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        while self._carrying:
            self.cut()
            await asyncio.sleep(0)

    def lead_to(self, url: str) -> None:
        """Lead to another server from now on, for one connection."""
        self._next = url
        self.cut()

    def shut(self, seconds: float) -> None:
        """Lead nowhere for so long."""
        self._closed_until = time.monotonic() + seconds
        self.cut()

    def reopen(self) -> None:
        self._closed_until = 0.0

    @property
    def is_shut(self) -> bool:
        return time.monotonic() < self._closed_until

    def cut(self) -> None:
        """Break the connection off with a reset."""
        for end in self._ends:
            _reset(end)

    # --- one connection

    async def _carry(self, player_says: asyncio.StreamReader, player: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._carrying.add(task)
        try:
            await self._lead(player_says, player)
        finally:
            self._carrying.discard(task)
            player.close()

    async def _lead(self, player_says: asyncio.StreamReader, player: asyncio.StreamWriter) -> None:
        self.cut()
        try:
            url, server_says, server = await self._way_to_a_server()
        except OSError:
            return _reset(player)
        self.at, self._ends = url, (player, server)
        ways = [
            asyncio.create_task(self._pass_on(player_says, server)),
            asyncio.create_task(self._pass_on(server_says, player)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            if server in self._ends:
                self.at, self._ends = "", ()
            server.close()

    async def _way_to_a_server(self) -> tuple[str, asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the server that is to be next, or else to any that listens. Raises OSError."""
        servers = self._servers()
        following = [self._next, *self._rng.sample(servers, len(servers))]
        self._next = ""
        for url in filter(None, following):
            if self.is_shut:
                break
            with suppress(OSError):
                place = urlsplit(url)
                return url, *await asyncio.open_connection(place.hostname, place.port)
        raise ConnectionRefusedError

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Pass on what comes until one end is gone, or it is cut off in the middle of something."""
        with suppress(OSError):
            while data := await source.read(CHUNK_BYTES):
                way = self._rng.random() if self._world.mischief else 1.0
                if way < CUT:
                    self._world.counts["cuts"] += 1
                    target.write(data[: self._rng.randrange(len(data))])
                    return
                if way < CUT + DELAYED:
                    self._world.counts["delays"] += 1
                    await asyncio.sleep(self._rng.uniform(*DELAY_S))
                target.write(data)
                await target.drain()


def _reset(end: asyncio.StreamWriter) -> None:
    raw = end.get_extra_info("socket")
    with suppress(OSError):
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    end.transport.abort()
