"""One open WebSocket to a server, and what can come of trying to open one."""

import os
import re
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.typing import Subprotocol

from client_cli.address import Address
from protocol.codec import MAX_MESSAGE_BYTES
from protocol.messages import SUBPROTOCOL

PING_S = 10.0
OPEN_S = 5.0
CLOSE_S = 3.0


class Closed(Exception):
    """The connection is gone; `code` is that of the server's close frame, None if there was none."""

    def __init__(self, code: int | None, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Unreachable(Exception):
    """No connection came about. `lasting` says that trying again cannot help."""

    def __init__(self, message: str, *, lasting: bool = False) -> None:
        super().__init__(message)
        self.lasting = lasting


class Wire(Protocol):
    """An open connection: whole frames in and out. All but `close` raise Closed."""

    async def send(self, frame: bytes) -> None: ...
    async def receive(self) -> bytes: ...
    async def close(self) -> None: ...


Connector = Callable[[], Awaitable[Wire]]
"""Opens a connection. Raises Unreachable."""


class WebSocketWire:
    """A connection by the library."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def send(self, frame: bytes) -> None:
        try:
            await self._socket.send(frame)
        except ConnectionClosed as error:
            raise _closed(error) from None

    async def receive(self) -> bytes:
        try:
            frame = await self._socket.recv()
        except ConnectionClosed as error:
            raise _closed(error) from None
        return frame if isinstance(frame, bytes) else frame.encode()

    async def close(self) -> None:
        await self._socket.close()

    async def round_trip_s(self) -> float:
        """Return how many seconds a ping takes to the server and back. Raises Closed."""
        try:
            return await (await self._socket.ping())
        except ConnectionClosed as error:
            raise _closed(error) from None

    @property
    def tls(self) -> ssl.SSLObject | None:
        """What keeps the connection secret, None if nothing does."""
        found: ssl.SSLObject | None = self._socket.transport.get_extra_info("ssl_object")
        return found


def _closed(error: ConnectionClosed) -> Closed:
    received = error.rcvd
    return Closed(None, "") if received is None else Closed(received.code, received.reason)


def connector(address: Address, authority: Path | None = None) -> Callable[[], Awaitable[WebSocketWire]]:
    """Return what connects to a server; `authority` is a file of certificates to be trusted besides the system's."""
    context = ssl.create_default_context() if address.secure else None
    if context is not None and authority is not None:
        context.load_verify_locations(authority)
    # A proxy of the environment cannot reach this machine's own loopback.
    proxy: Literal[True] | None = None if address.loopback else True

    async def open_wire() -> WebSocketWire:
        try:
            socket = await connect(
                address.url,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                ssl=context,
                proxy=proxy,
                compression=None,
                max_size=MAX_MESSAGE_BYTES,
                open_timeout=OPEN_S,
                ping_interval=PING_S,
                ping_timeout=PING_S,
                close_timeout=CLOSE_S,
            )
        except (OSError, TimeoutError, InvalidHandshake, InvalidURI, EOFError) as error:
            raise _unreachable(address, error) from error
        if socket.subprotocol != SUBPROTOCOL:
            await socket.close()
            raise Unreachable(f"What answers at {address.url} is no Biritch server of this version.", lasting=True)
        return WebSocketWire(socket)

    return open_wire


def _unreachable(address: Address, error: Exception) -> Unreachable:
    match error:
        case ssl.SSLCertVerificationError():
            return Unreachable(
                f"The certificate of {address.url} is not to be trusted: {error.verify_message}. "
                f"`--ca FILE` names an authority of your own.",
                lasting=True,
            )
        case InvalidStatus():
            status = error.response.status_code
            return Unreachable(f"{address.url} answers with HTTP status {status}.", lasting=status in (401, 403, 404))
        case TimeoutError():
            return Unreachable(f"{address.url} does not answer.")
        case OSError():
            return Unreachable(f"{address.url} cannot be reached: {_words(error)}.")
        case _:
            return Unreachable(f"{address.url} does not answer as a Biritch server: {error}.")


def _words(error: OSError) -> str:
    """Name the cause alone: asyncio puts all addresses that it tried into one long text."""
    found = re.search(r"\[Errno (\d+)\]", str(error))
    words = os.strerror(int(found[1])) if found else error.strerror or str(error) or type(error).__name__
    return words.lower()
