"""A wire of the product's own client with short limits; its frames are noted, and now and then go out twice."""

from collections.abc import Callable
from random import Random

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake
from websockets.typing import Subprotocol

from client_cli.wire import PING_S, Connector, Unreachable, WebSocketWire, Wire
from protocol import messages as m
from protocol.codec import MAX_MESSAGE_BYTES, decode_command, encode
from tests.faults.notes import Notes, World

OPEN_S, CLOSE_S = 3.0, 0.5
DOUBLED, REPEATED = 0.1, 0.05
"""How likely a command goes out twice, or another of the last ones again behind it."""

LAST_ONES = 10


def connector(url: Callable[[], str], notes: Notes, world: World, rng: Random) -> Connector:
    """Return what connects to a URL, known when it is used."""
    ping_s = PING_S / world.haste

    async def open_wire() -> Wire:
        try:
            socket = await connect(
                url(),
                subprotocols=[Subprotocol(m.SUBPROTOCOL)],
                proxy=None,
                compression=None,
                max_size=MAX_MESSAGE_BYTES,
                open_timeout=OPEN_S,
                ping_interval=ping_s,
                ping_timeout=ping_s,
                close_timeout=CLOSE_S,
            )
        except (OSError, TimeoutError, InvalidHandshake, EOFError) as error:
            raise Unreachable(f"{type(error).__name__}: {error}") from error
        notes.connects()
        return NotedWire(WebSocketWire(socket), notes, world, rng)

    return open_wire


class NotedWire:
    """Passes frames on to another wire and from it."""

    def __init__(self, wire: Wire, notes: Notes, world: World, rng: Random) -> None:
        self._wire, self._notes, self._world, self._rng = wire, notes, world, rng

    async def send(self, frame: bytes) -> None:
        command = decode_command(frame)
        for one in (command, *self._once_more(command)):
            self._notes.sends(one)
            await self._wire.send(encode(one))

    def _once_more(self, command: m.Command) -> tuple[m.Command, ...]:
        """Return what else goes out with a command: nothing, the same again, or one of the last."""
        if not self._world.mischief or isinstance(command, m.Hello | m.JoinTable):
            return ()
        way = self._rng.random()
        if way < DOUBLED:
            return (command,)
        earlier = [
            sent.command for sent in self._notes.sent[-LAST_ONES:] if not isinstance(sent.command, m.CreateTable)
        ]
        return (self._rng.choice(earlier),) if earlier and way < DOUBLED + REPEATED else ()

    async def receive(self) -> bytes:
        frame = await self._wire.receive()
        self._notes.hears(frame)
        return frame

    async def close(self) -> None:
        await self._wire.close()
