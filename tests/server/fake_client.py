"""A process with sessions, without sockets: clients that are called where a connection would be."""

import asyncio
from collections import Counter
from typing import TypeVar, cast

from protocol import messages as m
from protocol.codec import decode_message, encode
from server.open_table import TableTiming
from server.session import Session, Sessions
from server.tables import Tables
from server.transport import Connection
from tests.server.house import AT_ONCE, PausingStore, until
from tests.server.memory_store import MemoryWorld
from tests.server.rig import PLAYERS, SEATS

_Message = TypeVar("_Message", bound=m.ServerMessage)

TOKENS = {player: player[0].upper() * 43 for player in (*PLAYERS, "eve", "fay")}


class Process:
    """One process of the server on a store in memory."""

    def __init__(self, world: MemoryWorld, name: str = "p1", timing: TableTiming = AT_ONCE) -> None:
        self.world, self.store = world, PausingStore(world)
        self.tables = Tables(name, self.store, lambda: world.seconds, timing)
        self.tables.clock.set(world.seconds)
        self.sessions = Sessions(self.tables)
        world.greeters.append(self.sessions.heard)

    def client(self) -> "Client":
        return Client(self.sessions)

    async def greeted(self, player: str) -> "Client":
        client = self.client()
        assert isinstance(await client.ask(m.Hello(client.next_id(), TOKENS[player], player.title())), m.Accepted)
        return client

    async def joined(self, player: str, table: str) -> "Client":
        client = await self.greeted(player)
        assert isinstance(await client.ask(m.JoinTable(client.next_id(), table)), m.Accepted)
        return client

    async def new_table(self, options: dict[str, str | int | bool] | None = None, private: bool = False) -> str:
        made = await self.tables.make("x", m.CreateTable(1, "auction_bridge", options=options or {}, private=private))
        assert isinstance(made, tuple)
        return made[0]

    async def four(self, table: str) -> list["Client"]:
        clients = [await self.joined(player, table) for player in PLAYERS]
        for client, seat in zip(clients, SEATS, strict=True):
            assert isinstance(await client.ask(m.TakeSeat(client.next_id(), seat)), m.Accepted)
        for client in clients:
            assert isinstance(await client.ask(m.Ready(client.next_id(), 1)), m.Accepted)
        await until(lambda: all(client.turn() for client in clients))
        return clients

    async def stop(self) -> None:
        await self.sessions.departed(5.0)
        await self.tables.stop(5.0)
        await self.store.close()


class Client:
    """Both a client and, for its session, the connection to it."""

    def __init__(self, sessions: Sessions) -> None:
        self.frames: list[bytes] = []
        self.messages: list[m.ServerMessage] = []
        self._answers: dict[int, list[m.Accepted | m.Rejected]] = {}
        self.closing: tuple[int, str] | None = None
        self._ids: Counter[str] = Counter()
        self.session: Session = sessions.open(cast(Connection, self))

    # --- as the connection of the session

    def send(self, frame: bytes) -> None:
        if self.closing is None:
            message = decode_message(frame)
            assert message is not None
            self.frames.append(frame)
            self.messages.append(message)
            if isinstance(message, m.Accepted | m.Rejected):
                self._answers.setdefault(message.id, []).append(message)

    def close(self, code: int, reason: str) -> None:
        if self.closing is None:
            self.closing = code, reason
            assert len(reason.encode()) < 124
            asyncio.get_running_loop().call_soon(self.session.closed, code, reason)

    # --- as the client

    def vanish(self) -> None:
        """Break the connection off."""
        if self.closing is None:
            self.closing = 1006, "vanished"
            self.session.closed(None, "")

    def next_id(self) -> int:
        self._ids["id"] += 1
        return self._ids["id"]

    def say(self, command: m.Command) -> None:
        if self.closing is None:
            self.session.received(encode(command))

    def told(self, kind: type[_Message]) -> list[_Message]:
        return [message for message in self.messages if isinstance(message, kind)]

    def answers(self, id: int) -> list[m.Accepted | m.Rejected]:
        return list(self._answers.get(id, ()))

    async def ask(self, command: m.Command) -> m.Accepted | m.Rejected:
        """Send a command and return its answer, the only one."""
        known = len(self.answers(command.id))
        self.say(command)
        await until(lambda: len(self.answers(command.id)) > known)
        return self.answers(command.id)[-1]

    async def code(self, command: m.Command) -> str:
        answer = await self.ask(command)
        assert isinstance(answer, m.Rejected), answer
        return answer.code

    def turn(self) -> m.Turn | None:
        """Return whose turn it is, as far as this client has heard."""
        seen = [message for message in self.messages if isinstance(message, m.Entry | m.TableView)]
        return seen[-1].turn if seen else None
