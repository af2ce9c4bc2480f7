"""A WebSocket client that does next to nothing, so that what is measured is the server: one asyncio protocol."""

import asyncio
import struct
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from os import urandom

Heard = Callable[[bytes], None]

# A mask of zeros is a mask, and leaves the payload as it is.
_NO_MASK = bytes(4)
_BINARY, _CLOSE, _PING, _PONG = 0x82, 0x88, 0x89, 0x8A


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and the subprotocol it wants."""

    host: str
    port: int
    subprotocol: str | None = None


class Socket(asyncio.Protocol):
    """One connection; `heard` is called with each message."""

    def __init__(self, address: Address, heard: Heard) -> None:
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.lost: asyncio.Future[None] = loop.create_future()
        self._address, self._heard = address, heard
        self._open = False
        self._data = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        lines = [
            "GET / HTTP/1.1",
            f"Host: {self._address.host}:{self._address.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {b64encode(urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
        ]
        if self._address.subprotocol is not None:
            lines.append(f"Sec-WebSocket-Protocol: {self._address.subprotocol}")
        transport.write("\r\n".join([*lines, "", ""]).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("the server closed the connection"))
        self.lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._open:
            head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head[:16]:
                self.opened.set_exception(ConnectionError(head.splitlines()[0].decode(errors="replace")))
                self.close()
                return
            self._open, self._data = True, rest
            self.opened.set_result(None)
        self._take_frames()

    def _take_frames(self) -> None:
        data, start = self._data, 0
        while len(data) - start >= 2:
            size, body = data[start + 1], start + 2
            if size >= 126:
                width = 2 if size == 126 else 8
                size, body = int.from_bytes(data[body : body + width], "big"), body + width
            if len(data) < body + size:
                break
            self._frame(data[start], data[body : body + size])
            start = body + size
        self._data = data[start:]

    def _frame(self, head: int, payload: bytes) -> None:
        if head == _BINARY:
            self._heard(payload)
        elif head == _PING:
            self._write(_PONG, payload)
        elif head == _CLOSE:
            self.close()

    def send(self, message: bytes) -> None:
        """Send one binary message."""
        self._write(_BINARY, message)

    def _write(self, head: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes((0x80 | size,)) if size < 126 else struct.pack("!BH", 0x80 | 126, size)
        assert self._transport is not None, "connected"
        self._transport.write(bytes((head,)) + length + _NO_MASK + payload)

    def close(self) -> None:
        """Break the connection off."""
        if self._transport is not None:
            self._transport.close()


async def connect(address: Address, heard: Heard) -> Socket:
    """Open a WebSocket. Raises OSError."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(address, heard), address.host, address.port)
    await socket.opened
    return socket
