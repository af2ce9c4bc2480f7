"""One client's connection: frames in and out, limits, keep-alive and an end to everything."""

import asyncio
import enum
import logging

from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame
from websockets.protocol import SEND_EOF, State
from websockets.server import ServerProtocol

from server.frames import (
    BINARY,
    CLOSE,
    CONTINUATION,
    PING,
    PING_FRAME,
    PONG,
    TEXT,
    Piece,
    binary_frame,
    plain_frames,
    pong_frame,
)
from server.http import Handshake, traced
from server.shared import Receiver, Shared

_log = logging.getLogger("biritch.transport")

_MAX_REASON = 123  # bytes that fit a close frame beside the code
_NEVER = float("inf")


class Phase(enum.Enum):
    SHAKING = enum.auto()
    OPEN = enum.auto()
    STALLED = enum.auto()
    CLOSING = enum.auto()


_SHAKING, _OPEN, _STALLED, _CLOSING = Phase

_TOO_LATE = {
    _SHAKING: "no handshake in time",
    _STALLED: "the client does not read",
    _CLOSING: "no close handshake in time",
}


class Connection(asyncio.BufferedProtocol):
    """A client, as the layers above hold it: `remote`, `host`, `closed`, `send` and `close`.

    The rest is called by the event loop and the listener. The library's state machine is made for the handshake, and
    again at the first frame that is not plain; most connections never need it.
    """

    __slots__ = (
        "_ending",
        "_handshake",
        "_heard_at",
        "_held",
        "_library",
        "_parts",
        "_phase",
        "_pinged_at",
        "_receiver",
        "_said_goodbye",
        "_shared",
        "_tokens",
        "_transport",
        "deadline",
    )

    _transport: asyncio.Transport

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._phase = _SHAKING
        self._handshake: Handshake | None = None
        self._library: ServerProtocol | None = None
        self._receiver: Receiver | None = None
        self._parts: bytearray | None = None
        self._held: list[Piece] | None = None
        self._tokens = float(shared.limits.burst)
        self._ending: tuple[int | None, str] | None = None
        self._said_goodbye = False
        self._heard_at = self._pinged_at = shared.loop.time()
        self.deadline = self._heard_at + shared.limits.open_s

    # For the layers above.

    @property
    def remote(self) -> str:
        """The address and port of the peer of the socket; what HTTP headers claim is not looked at."""
        peer = self._transport.get_extra_info("peername")
        if not peer:
            return self.host
        return f"[{peer[0]}]:{peer[1]}" if ":" in peer[0] else f"{peer[0]}:{peer[1]}"

    @property
    def host(self) -> str:
        """The address without the port, to count by."""
        peer = self._transport.get_extra_info("peername")
        return str(peer[0]) if peer else "unknown"

    @property
    def closed(self) -> bool:
        """Whether nothing more is sent or delivered."""
        return self._phase is _CLOSING

    def send(self, frame: bytes) -> None:
        """Send one binary message; never waits, and does nothing if the peer is gone."""
        if self._phase is not _CLOSING:
            self._write(binary_frame(frame))

    def close(self, code: int, reason: str) -> None:
        """Begin the closing handshake; the connection is cut off if it takes longer than `close_s`."""
        if self._phase is _CLOSING:
            return
        library = self._with_library()
        if library.state is State.OPEN:
            library.send_close(code, _clipped(reason))
        self._begin_closing((code, reason))
        self._settle()

    def abort(self, why: str) -> None:
        """Cut the connection off at once, dropping what waits to be sent."""
        if self._phase is not _CLOSING:
            self._begin_closing((None, why))
        self.deadline = _NEVER
        self._transport.abort()

    # For the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport), "a stream has a full transport"
        self._transport = transport
        transport.set_write_buffer_limits(high=self._shared.limits.outbox // 4)
        self._handshake = Handshake(self._shared.door, self.host)
        self._shared.sockets.add(self)
        self._shared.emptied.clear()
        if len(self._shared.sockets) > self._shared.max_sockets:
            self.abort("too many sockets")

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._shared.buffer

    def buffer_updated(self, nbytes: int) -> None:
        data = bytes(self._shared.buffer[:nbytes])
        if self._phase is _CLOSING:
            self._discard(data)
        elif self._handshake is not None:
            self._shake(self._handshake, data)
        else:
            self._refill(self._shared.loop.time())
            pieces = plain_frames(data, self._shared.limits.max_message) if self._library is None else None
            self._hand_over(self._parsed(data) if pieces is None else pieces)

    def eof_received(self) -> None:
        # Returning None closes the transport once it has sent what it holds.
        if self._library is not None:
            self._library.receive_eof()
        self._begin_closing(None)

    def pause_writing(self) -> None:
        self._transport.pause_reading()
        if self._phase is _OPEN:
            self._phase = _STALLED
            self.deadline = self._shared.loop.time() + self._shared.limits.stalled_s

    def resume_writing(self) -> None:
        if self._phase is _STALLED:
            self._phase = _OPEN
            self.deadline = self._shared.loop.time() + self._shared.limits.ping_s
        if self._held is None:
            self._transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._begin_closing(None)
        self.deadline = _NEVER
        shared, receiver = self._shared, self._receiver
        shared.sockets.discard(self)
        if not shared.sockets:
            shared.emptied.set()
        if receiver is None:
            return
        self._receiver = None
        shared.admitted -= 1
        shared.hosts[self.host] -= 1
        if not shared.hosts[self.host]:
            del shared.hosts[self.host]
        try:
            receiver.closed(*(self._ending or _ending_of(self._library)))
        except Exception as error:
            _log.error("the receiver of %s failed at its end: %s", self.remote, traced(error))

    # For the listener's clock.

    def due(self, now: float) -> None:
        """Do what the passing of `deadline` asks for."""
        if self._phase is _OPEN:
            self._keep_alive(now)
        else:
            self.abort(_TOO_LATE[self._phase])

    def catch_up(self, now: float) -> None:
        """Hand over what was held back and has become affordable."""
        if self._held is None:
            self._shared.paced.discard(self)
        elif self._phase is _OPEN:
            self._refill(now)
            held, self._held = self._held, None
            self._hand_over(held)
            if self._held is None:
                self._shared.paced.discard(self)
                self._resume_reading()

    def leave(self, code: int, reason: str) -> None:
        """Close, or cut off where a close frame could not get through."""
        if self._phase is _OPEN:
            self.close(code, reason)
        elif self._phase is not _CLOSING:
            self.abort(reason)

    # Reading.

    def _shake(self, handshake: Handshake, data: bytes) -> None:
        reply = handshake.receive(data)
        if reply is None:
            return
        self._handshake = None
        self._transport.write(reply.data)
        if not reply.accepted:
            self._begin_closing(None)
            self._finish()
        elif self._phase is _SHAKING:
            self._open()

    def _open(self) -> None:
        self._phase = _OPEN
        self._heard_at = self._shared.loop.time()
        self.deadline = self._heard_at + self._shared.limits.ping_s
        try:
            self._receiver = self._shared.receiver(self)
            self._shared.admitted += 1
            self._shared.hosts[self.host] += 1
        except Exception as error:
            self._failed(error)

    def _parsed(self, data: bytes) -> list[Piece]:
        library = self._with_library()
        library.receive_data(data)
        return [_piece(event) for event in library.events_received() if isinstance(event, Frame)]

    def _hand_over(self, pieces: list[Piece]) -> None:
        receiver = self._receiver
        assert receiver is not None, "only an open connection hands over"
        try:
            for done, (opcode, final, payload) in enumerate(pieces):
                if self._tokens < 1:
                    self._hold(pieces[done:])
                    return
                self._tokens -= 1
                if opcode == BINARY and final:
                    receiver.received(payload)
                else:
                    self._take_rare(receiver, opcode, final, payload)
                if self._phase is _CLOSING:
                    break
        except Exception as error:
            self._failed(error)
        if self._library is not None:
            self._settle()

    def _take_rare(self, receiver: Receiver, opcode: int, final: bool, payload: bytes) -> None:
        if opcode == PING:
            self._write(pong_frame(payload))
        elif opcode == TEXT:
            self.close(1003, "messages are binary frames here")
        elif opcode == CLOSE:
            self._said_goodbye = True
        elif opcode in (BINARY, CONTINUATION):
            # The library has seen to the order of fragments and to the size of the whole.
            self._parts = (self._parts or bytearray()) + payload
            if final:
                message, self._parts = bytes(self._parts), None
                receiver.received(message)

    def _discard(self, data: bytes) -> None:
        # After our close frame only the peer's counts; after its own, or an HTTP answer, nothing does.
        if self._library is not None:
            self._said_goodbye |= any(opcode == CLOSE for opcode, _, _ in self._parsed(data))
            self._settle()

    def _hold(self, pieces: list[Piece]) -> None:
        self._held = pieces
        self._shared.paced.add(self)
        self._transport.pause_reading()

    def _refill(self, now: float) -> None:
        limits = self._shared.limits
        elapsed = now - self._heard_at
        if elapsed > 0:
            self._heard_at = now
            self._tokens = min(limits.burst, self._tokens + elapsed * limits.messages_per_s)

    def _resume_reading(self) -> None:
        if self._phase is not _STALLED:
            self._transport.resume_reading()

    # Writing.

    def _write(self, data: bytes) -> None:
        transport = self._transport
        if transport.is_closing():
            return  # asyncio warns of writes to a socket that has failed
        transport.write(data)
        # asyncio tells us within the write above that what waits has passed a quarter of the limit.
        if self._phase is not _OPEN and transport.get_write_buffer_size() > self._shared.limits.outbox:
            self.abort(_TOO_LATE[_STALLED])

    def _keep_alive(self, now: float) -> None:
        limits = self._shared.limits
        if now < self._heard_at + limits.ping_s:
            self.deadline = self._heard_at + limits.ping_s
        elif self._pinged_at <= self._heard_at:
            self._pinged_at = now
            self.deadline = now + limits.pong_s
            self._write(PING_FRAME)
        else:
            self.close(1011, "no answer to a ping")
            self._transport.close()  # nobody is there to answer a close frame either

    # The end.

    def _failed(self, error: Exception) -> None:
        _log.error("the receiver of %s failed: %s", self.remote, traced(error))
        self.close(1011, "internal error")

    def _with_library(self) -> ServerProtocol:
        if self._library is None:
            self._library = self._shared.door.connected()
        return self._library

    def _begin_closing(self, ending: tuple[int | None, str] | None) -> None:
        if self._ending is None:
            self._ending = ending
        if self._phase is _CLOSING:
            return
        self._phase = _CLOSING
        self.deadline = self._shared.loop.time() + self._shared.limits.close_s
        self._handshake = None
        self._shared.paced.discard(self)
        self._held = None
        self._transport.resume_reading()  # for the peer's close frame

    def _settle(self) -> None:
        """Send what the library has to say, and follow it when it leaves the open state."""
        library = self._library
        assert library is not None, "there is a library to settle with"
        chunks = library.data_to_send()
        if chunks:
            self._write(b"".join(chunks))
        if library.state is not State.OPEN:
            self._begin_closing(None)
        if SEND_EOF in chunks:
            self._finish()

    def _finish(self) -> None:
        if self._said_goodbye or not self._transport.can_write_eof():
            self._transport.close()
        elif not self._transport.is_closing():
            # Closing with unread input would make the kernel reset the connection and our last words be lost:
            # the rest is read and dropped, until the peer closes or `close_s` is over.
            self._transport.write_eof()


def _piece(frame: Frame) -> Piece:
    # The library has answered a ping by itself.
    opcode = PONG if frame.opcode == PING else int(frame.opcode)
    return opcode, frame.fin, bytes(frame.data)


def _clipped(reason: str) -> str:
    return reason.encode()[:_MAX_REASON].decode(errors="ignore")


def _ending_of(library: ServerProtocol | None) -> tuple[int | None, str]:
    if library is not None:
        library.receive_eof()
        closed: ConnectionClosed = library.close_exc
        first = closed.rcvd if closed.rcvd_then_sent or closed.sent is None else closed.sent
        if first is not None:
            return first.code, first.reason
    return None, "connection lost"
