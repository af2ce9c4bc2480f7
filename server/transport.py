"""The transport: a listening port that turns sockets into connections and back; it knows nothing of the game.

One `asyncio` protocol object per connection over the sans-I/O layer of `websockets`: no task and no queue for a
connection or a message, and one timer for all of them.
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Sequence

from server.connection import Connection
from server.http import Door, HttpAnswer, traced
from server.shared import Limits, Receiver, Shared

__all__ = ["Connection", "HttpAnswer", "Limits", "Listener", "Receiver", "listen"]

_log = logging.getLogger("biritch.transport")

TICK_S = 0.25

_BACKLOG = 4096
# asyncio accepts as many in one turn as it is told the backlog is: a burst of them must not stop the tables.
_ACCEPTS_A_TURN = 32
# Sockets beyond the limit of connections: clients that are being refused, and /healthz.
_SPARE_SOCKETS = 256


class Listener:
    """A listening port and its connections."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._server: asyncio.Server | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._draining = False

    @property
    def port(self) -> int:
        assert self._server is not None, "the listener is started"
        return int(self._server.sockets[0].getsockname()[1])

    @property
    def connections(self) -> int:
        """The number of WebSockets open now."""
        return self._shared.admitted

    async def start(self, host: str | None, port: int) -> None:
        loop = self._shared.loop
        self._server = await loop.create_server(
            lambda: Connection(self._shared), host, port, backlog=_ACCEPTS_A_TURN, start_serving=False
        )
        for listening in self._server.sockets:
            _tune(listening, self._shared.limits)
        await self._server.start_serving()
        for listening in self._server.sockets:
            with listening.dup() as twin:
                twin.listen(_BACKLOG)
        self._beat()

    def refusal(self, host: str) -> str | None:
        """Return why a client at this address cannot be let in now, if so."""
        limits = self._shared.limits
        if self._draining:
            return "The server is going away; try again soon"
        if self.connections >= limits.connections:
            return "The server is full; try again later"
        if limits.per_remote is not None and self._shared.hosts[host] >= limits.per_remote:
            return "Too many connections from your address"
        return None

    def tick(self, now: float) -> None:
        """Do what time asks for: hand over what was paced, ping, end what took too long."""
        late = [connection for connection in self._shared.sockets if connection.deadline <= now]
        for connection in tuple(self._shared.paced):
            connection.catch_up(now)
        # What came in one burst would be pinged in one turn ever after: a share at a time spreads it.
        for connection in late[: 100 + len(self._shared.sockets) // 20]:
            connection.due(now)

    async def drain(self, code: int, reason: str, limit_s: float) -> None:
        """Accept no more and close every connection, cutting off those that have not left within `limit_s`."""
        self._stop_accepting()
        for connection in tuple(self._shared.sockets):
            connection.leave(code, reason)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self._gone()
        await self.close()

    async def close(self) -> None:
        """Stop at once."""
        self._stop_accepting()
        for connection in tuple(self._shared.sockets):
            connection.abort("the server stopped")
        await self._gone()
        if self._timer is not None:
            self._timer.cancel()

    def _stop_accepting(self) -> None:
        self._draining = True
        self._shared.max_sockets = 0  # for those that asyncio has accepted and not handed over yet
        if self._server is not None:
            self._server.close()

    async def _gone(self) -> None:
        if self._shared.sockets:
            await self._shared.emptied.wait()

    def _beat(self) -> None:
        self._timer = self._shared.loop.call_later(TICK_S, self._beat)
        try:
            self.tick(self._shared.loop.time())
        except Exception as error:
            _log.error("the clock of the connections failed: %s", traced(error))


async def listen(
    host: str | None,
    port: int,
    *,
    receiver: Callable[[Connection], Receiver],
    answer: Callable[[str], HttpAnswer | None],
    limits: Limits | None = None,
    subprotocol: str = "biritch.1",
    path: str = "/",
    origins: Sequence[str] = (),
) -> Listener:
    """Open the port; `receiver` is called for each WebSocket, `answer` with the path of each plain GET or HEAD.

    Browsers are let in from the given `origins` only; other programs name none.
    """
    limits = limits or Limits()
    door = Door(path, subprotocol, tuple(origins), limits.max_message, answer, lambda host: listener.refusal(host))
    shared = Shared(asyncio.get_running_loop(), limits, door, receiver)
    shared.max_sockets = limits.connections + _SPARE_SOCKETS
    listener = Listener(shared)
    await listener.start(host, port)
    return listener


def _tune(listening: socket.socket, limits: Limits) -> None:
    """Set the options that accepted sockets inherit from the listening one."""
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # What the kernel would hold for a client that does not read grows to megabytes if it is left alone.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.outbox)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        unanswered_ms = int(1000 * (limits.ping_s + limits.pong_s))
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, unanswered_ms)
