"""Clients and receivers for tests of the transport: real sockets, and no waiting for the clock."""

import asyncio
import base64
import socket
from collections.abc import Callable
from dataclasses import dataclass, field

from websockets.frames import Frame, Opcode

from server.http import MAX_REQUEST
from server.transport import Connection, HttpAnswer, Limits, Listener, listen

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: " + base64.b64encode(bytes(16)) + b"\r\nSec-WebSocket-Protocol: biritch.1\r\n\r\n"
)


def masked(opcode: int, payload: bytes = b"", final: bool = True) -> bytes:
    return Frame(Opcode(opcode), payload, final).serialize(mask=True)


def binary(payload: bytes) -> bytes:
    return masked(Opcode.BINARY, payload)


@dataclass(eq=False)
class Recorder:
    """A receiver that keeps what it gets, does what its test says to each message, and says when it has ended."""

    connection: Connection
    react: Callable[[Connection, bytes], None]
    messages: list[bytes] = field(default_factory=list)
    endings: list[tuple[int | None, str]] = field(default_factory=list)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def received(self, frame: bytes) -> None:
        assert not self.endings, "nothing comes after the end"
        self.messages.append(frame)
        self.react(self.connection, frame)

    def closed(self, code: int | None, reason: str) -> None:
        self.endings.append((code, reason))
        self.ended.set()

    @property
    def waiting(self) -> int:
        """Bytes that wait in the server's memory for this client to read."""
        return self.connection._transport.get_write_buffer_size()


async def turn() -> None:
    """Let the event loop do one turn."""
    await asyncio.sleep(0)


def echo(connection: Connection, frame: bytes) -> None:
    connection.send(frame)


def page(path: str) -> HttpAnswer | None:
    if path == "/broken":
        raise RuntimeError("the queen of spades")
    return HttpAnswer(200, "text/plain", b"fine") if path == "/healthz" else None


@dataclass(eq=False)
class Server:
    listener: Listener
    receivers: list[Recorder]

    @property
    def port(self) -> int:
        return self.listener.port

    @property
    def uri(self) -> str:
        return f"ws://127.0.0.1:{self.port}/"

    def heard_of_handshakes(self) -> list[int]:
        """Return how many bytes of its request each client that is not let in yet has sent."""
        handshakes = [connection._handshake for connection in self.listener._shared.sockets]
        return [MAX_REQUEST - handshake._room for handshake in handshakes if handshake is not None]

    def tick_after(self, seconds: float) -> None:
        """Let the listener believe that so much time has passed."""
        self.listener.tick(asyncio.get_running_loop().time() + seconds)


async def serve(
    react: Callable[[Connection, bytes], None] = echo,
    limits: Limits | None = None,
    origins: tuple[str, ...] = (),
) -> Server:
    receivers: list[Recorder] = []

    def made(connection: Connection) -> Recorder:
        receivers.append(Recorder(connection, react))
        return receivers[-1]

    limits = limits or Limits()
    return Server(await listen("127.0.0.1", 0, receiver=made, answer=page, limits=limits, origins=origins), receivers)


class Raw:
    """A client that sends any bytes, and reads only when it is told to."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.loop = asyncio.get_running_loop()
        self.unread = b""

    @classmethod
    async def connect(cls, port: int, receive_buffer: int | None = None) -> "Raw":
        sock = socket.socket()
        sock.setblocking(False)
        if receive_buffer is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        except OSError:
            sock.close()
            raise
        return cls(sock)

    @classmethod
    async def open(cls, port: int, receive_buffer: int | None = None) -> "Raw":
        """Connect and shake hands."""
        client = await cls.connect(port, receive_buffer)
        await client.send(REQUEST)
        assert (await client.read_until(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        return client

    async def send(self, data: bytes) -> None:
        await self.loop.sock_sendall(self.sock, data)

    def try_send(self, data: bytes) -> int:
        """Return how many bytes the kernel took."""
        try:
            return self.sock.send(data)
        except BlockingIOError:
            return 0

    async def read_until(self, end: bytes) -> bytes:
        while end not in self.unread:
            self.unread += await self._some()
        found, _, self.unread = self.unread.partition(end)
        return found + end

    async def read_exactly(self, size: int) -> bytes:
        while len(self.unread) < size:
            self.unread += await self._some()
        data, self.unread = self.unread[:size], self.unread[size:]
        return data

    async def read_frame(self) -> tuple[int, bytes]:
        """Return opcode and payload of the next frame, which is short."""
        head, size = await self.read_exactly(2)
        assert head & 0x80 and size < 126, "the server sends whole frames; those of these tests are short"
        return head & 0x0F, await self.read_exactly(size)

    async def read_close(self) -> tuple[int, str]:
        """Return code and reason of the close frame, which is next."""
        opcode, payload = await self.read_frame()
        assert opcode == Opcode.CLOSE, (opcode, payload)
        return int.from_bytes(payload[:2], "big"), payload[2:].decode()

    async def read_to_end(self) -> bytes:
        while data := await self.loop.sock_recv(self.sock, 65536):
            self.unread += data
        return self.unread

    async def is_cut_off(self) -> bool:
        """Wait for what comes next, and return whether that is the end."""
        try:
            return await self.loop.sock_recv(self.sock, 1) == b""
        except ConnectionResetError:
            return True

    async def _some(self) -> bytes:
        data = await self.loop.sock_recv(self.sock, 65536)
        assert data, f"the server closed the connection after {self.unread!r}"
        return data

    def close(self) -> None:
        self.sock.close()

    def reset(self) -> None:
        """Vanish with a reset, as a killed program with unread input does."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.sock.close()
