"""A running server: the listening port, the sessions and tables behind it, and the round it goes until it stops."""

import asyncio
import logging
from dataclasses import dataclass
from secrets import token_urlsafe

from protocol.messages import SUBPROTOCOL, Moving
from server import metrics
from server.open_table import TableTiming
from server.session import CLOSE_RESTARTING, Sessions
from server.store import Store
from server.tables import Tables
from server.transport import HttpAnswer, Listener, listen

_log = logging.getLogger("biritch")

FLUSH_S = 3.0
"""So long at most clients may take to leave, and tables to finish, when the server stops."""


@dataclass(frozen=True, slots=True)
class Service:
    """A server that serves."""

    listener: Listener
    sessions: Sessions
    tables: Tables
    rounds: asyncio.Task[None]

    @classmethod
    async def start(cls, host: str, port: int, store: Store, timing: TableTiming) -> "Service":
        """Open the port. Raises StoreError if the store does not answer, OSError if the port cannot be had."""
        tables = Tables(token_urlsafe(6), store, asyncio.get_running_loop().time, timing)
        tables.clock.set(await store.now())
        await tables.patrol()
        sessions = Sessions(tables)
        await store.hear_greetings(sessions.heard)
        listener = await listen(
            host,
            port,
            receiver=sessions.open,
            answer=lambda path: _page(path, tables, sessions),
            subprotocol=SUBPROTOCOL,
        )
        return cls(listener, sessions, tables, asyncio.create_task(tables.keep_patrolling()))

    async def stop(self) -> None:
        """Let clients and tables finish what they are at, within limits, and let go of the port."""
        self.sessions.stopping = True
        self.sessions.tell_all(Moving("the server is about to stop"))
        await self.listener.drain(CLOSE_RESTARTING, "the server is about to stop; connect again", FLUSH_S)
        await self.sessions.departed(FLUSH_S)
        await self.tables.stop(FLUSH_S)
        self.rounds.cancel()
        await asyncio.gather(self.rounds, return_exceptions=True)


def _page(path: str, tables: Tables, sessions: Sessions) -> HttpAnswer | None:
    """Answer a plain GET: is the process alive, is it ready for players, how is it doing."""
    match path:
        case "/healthz":
            return _words(200, "alive")
        case "/readyz" if sessions.stopping:
            return _words(503, "stopping")
        case "/readyz" if not tables.healthy:
            return _words(503, "the store does not answer")
        case "/readyz":
            return _words(200, "ready")
        case "/metrics":
            metrics.CONNECTIONS.set(len(sessions))
            return HttpAnswer(200, metrics.CONTENT_TYPE, metrics.page())
        case _:
            return None


def _words(status: int, words: str) -> HttpAnswer:
    return HttpAnswer(status, "text/plain; charset=utf-8", f"{words}\n".encode())
