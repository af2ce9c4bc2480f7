"""Four at a table of the server, and four in a room of the relay, driven by a pacer."""

import asyncio
from collections.abc import Sequence
from itertools import count, cycle
from typing import Protocol

from msgspec import Struct, msgpack

from bench.client import Address, Socket, connect
from bench.pacing import Pacer
from bench.relay import MEMBERS
from protocol import messages as m
from protocol.codec import encode


class Refused(Exception):
    """The server has rejected a command."""


class _Event(Struct):
    type: str
    deal: int = 0
    rubber: int = 0


class Heard(Struct):
    """What the driver wants to know of a message: less to decode than all of it."""

    type: str
    id: int = 0
    number: int = 0
    table: str = ""
    code: str = ""
    message: str = ""
    events: list[_Event] = []
    turn: m.Turn | None = None


_decode = msgpack.Decoder(Heard).decode


class Hearer(Protocol):
    """Who is told what a player hears of the table."""

    def entered(self, player: "Player", entry: Heard, size: int) -> None: ...
    def failed(self, why: Exception) -> None: ...


class Player:
    """One connection to the server."""

    def __init__(self, table: Hearer | None = None) -> None:
        self.table = table
        self.number = 0
        self.made = ""
        self._ids = count(1)
        self._answers: dict[int, asyncio.Future[None]] = {}
        self._socket: Socket | None = None

    async def open(self, address: Address) -> None:
        """Connect and say hello."""
        self._socket = await connect(address, self.heard)
        self._socket.lost.add_done_callback(self._lost)
        await self.ask(m.Hello(self.next_id()))

    def next_id(self) -> int:
        return next(self._ids)

    def send(self, command: m.Command) -> None:
        assert self._socket is not None, "connected"
        self._socket.send(encode(command))

    async def ask(self, command: m.Command) -> None:
        """Send a command and wait until it is accepted. Raises Refused."""
        answer = self._answers[command.id] = asyncio.get_running_loop().create_future()
        self.send(command)
        await answer

    def heard(self, frame: bytes) -> None:
        message = _decode(frame)
        match message.type:
            case "entry":
                self.number = message.number
                if self.table is not None:
                    self.table.entered(self, message, len(frame))
            case "accepted" | "rejected":
                self._answered(message)
            case "table_made":
                self.made = message.table
            case "table_view":
                self.number = message.number

    def _answered(self, message: Heard) -> None:
        refusal = None if message.type == "accepted" else Refused(f"{message.code}: {message.message}")
        answer = self._answers.pop(message.id, None)
        if answer is None or answer.cancelled():
            if refusal is not None and self.table is not None:
                self.table.failed(refusal)
        elif refusal is None:
            answer.set_result(None)
        else:
            answer.set_exception(refusal)

    def _lost(self, _: object) -> None:
        if self.table is not None:
            self.table.failed(ConnectionError("the server closed a connection"))

    async def close(self) -> None:
        self.table = None
        if self._socket is not None:
            self._socket.close()
            await self._socket.lost


class Table:
    """Four players who play deal after deal: a pass where there is one, else the first call or card that is legal."""

    def __init__(self) -> None:
        self.players = [Player(self) for _ in range(MEMBERS)]
        self.pacer = Pacer(self._act, asyncio.get_running_loop().time)
        self.trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.entries = 0
        self.entry_bytes = 0
        self._turn: tuple[Player, m.Turn, m.Legal] | None = None
        self._waiting_for = 0
        self._not_heard: set[Player] = set()

    async def open(self, addresses: Sequence[Address]) -> None:
        """Make a table, take the seats, begin the first deal. The players are spread over the servers."""
        for player, address in zip(self.players, cycle(addresses), strict=False):
            await player.open(address)
        first = self.players[0]
        await first.ask(m.CreateTable(first.next_id(), "auction_bridge"))
        for player, seat in zip(self.players, "NESW", strict=True):
            await player.ask(m.JoinTable(player.next_id(), first.made))
            await player.ask(m.TakeSeat(player.next_id(), seat))
        for player in self.players:
            await player.ask(m.Ready(player.next_id(), 1))

    def entered(self, player: Player, entry: Heard, size: int) -> None:
        """Take note that an entry has reached a player."""
        self.entries += 1
        self.entry_bytes += size
        if entry.turn is not None and entry.turn.legal is not None:
            self._turn = (player, entry.turn, entry.turn.legal)
        for event in entry.events[-1:]:
            if event.type == "deal_scored":
                player.send(m.Ready(player.next_id(), event.deal + 1))
            elif event.type == "rubber_scored":
                player.send(m.Rematch(player.next_id(), event.rubber))
        if entry.number == self._waiting_for:
            self._not_heard.discard(player)
            if not self._not_heard:
                self._waiting_for = 0
                self.pacer.heard_by_all()
        elif entry.turn is not None and entry.turn.legal is not None:
            self.pacer.not_before()
            self.pacer.may_act()

    def _act(self) -> bool:
        if self._turn is None:
            return False
        (player, turn, legal), self._turn = self._turn, None
        self._waiting_for, self._not_heard = player.number + 1, set(self.players)
        player.send(_answer(turn, legal, player.next_id()))
        return True

    def failed(self, why: Exception) -> None:
        if not self.trouble.done():
            self.trouble.set_exception(why)

    async def close(self) -> None:
        self.trouble.cancel()
        for player in self.players:
            await player.close()


def _answer(turn: m.Turn, legal: m.Legal, id: int) -> m.Command:
    if legal.cards:
        return m.PlayCard(id, turn.deal, turn.index, legal.cards[0])
    return m.MakeCall(id, turn.deal, turn.index, "P" if "P" in legal.calls else legal.calls[0])


class Room:
    """Four connections to the relay, which in turn say something as long as an entry is."""

    def __init__(self, name: bytes) -> None:
        self.pacer = Pacer(self._act, asyncio.get_running_loop().time)
        self.trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.message = b""
        self._name = name
        self._sockets: list[Socket] = []
        self._said = 0
        self._heard = 0

    async def open(self, address: Address) -> None:
        for _ in range(MEMBERS):
            socket = await connect(address, self._one_heard)
            socket.send(self._name)
            socket.lost.add_done_callback(self._lost)
            self._sockets.append(socket)

    def _act(self) -> bool:
        self._sockets[self._said % MEMBERS].send(self.message)
        self._said += 1
        return True

    def _one_heard(self, _: bytes) -> None:
        self._heard += 1
        if self._heard == MEMBERS:
            self._heard = 0
            self.pacer.heard_by_all()

    def _lost(self, _: object) -> None:
        if not self.trouble.done():
            self.trouble.set_exception(ConnectionError("the relay closed a connection"))

    async def close(self) -> None:
        self.trouble.cancel()
        for socket in self._sockets:
            socket.close()
            await socket.lost
