"""The plain WebSocket frames, made and read without the library: nearly all traffic of a card game.

A whole, final, unfragmented binary, ping or pong frame leaves the state of a WebSocket connection as it was, so it can
be handled here, several times faster. Everything else (fragments, text, close, errors, frames cut in two by a read) is
the library's.
"""

import struct

BINARY, TEXT, CONTINUATION, CLOSE, PING, PONG = 0x2, 0x1, 0x0, 0x8, 0x9, 0xA

Piece = tuple[int, bool, bytes]
"""One frame: opcode, whether it is the last of its message, payload."""

_FINAL = 0x80
_MASKED = 0x80
_LONG = 126
_PLAIN = frozenset(_FINAL | opcode for opcode in (BINARY, PING, PONG))
_SHORT_HEADERS = tuple(bytes((_FINAL | BINARY, size)) for size in range(_LONG))

PING_FRAME = bytes((_FINAL | PING, 0))


def binary_frame(payload: bytes) -> bytes:
    """Return the frame of a whole binary message, as a server sends it (unmasked)."""
    size = len(payload)
    if size < _LONG:
        return _SHORT_HEADERS[size] + payload
    if size < 1 << 16:
        return struct.pack("!BBH", _FINAL | BINARY, _LONG, size) + payload
    return struct.pack("!BBQ", _FINAL | BINARY, 127, size) + payload


def pong_frame(payload: bytes) -> bytes:
    """Return the answer to a ping with this payload (at most 125 bytes)."""
    return bytes((_FINAL | PONG, len(payload))) + payload


def unmask(payload: bytes, mask: bytes) -> bytes:
    """Return a client's payload with its 4-byte mask taken off."""
    size = len(payload)
    key = (mask * (size // 4 + 1))[:size]
    # One operation on big integers: a loop over bytes would be the dearest part of reading a frame.
    return (int.from_bytes(payload, "little") ^ int.from_bytes(key, "little")).to_bytes(size, "little")


def plain_frames(data: bytes, max_message: int) -> list[Piece] | None:
    """Return the frames in `data` if it holds nothing but plain, whole ones, as a client sends them; else None."""
    pieces: list[Piece] = []
    start, end = 0, len(data)
    while start < end:
        if end - start < 6 or (head := data[start]) not in _PLAIN or (size := data[start + 1] - _MASKED) < 0:
            return None
        start += 2
        if size >= _LONG:
            if size > _LONG or head != _FINAL | BINARY:
                return None
            size = int.from_bytes(data[start : start + 2], "big")
            start += 2
        body = start + 4
        stop = body + size
        if stop > end or size > max_message:
            return None
        pieces.append((head & 0x0F, True, unmask(data[body:stop], data[start:body])))
        start = stop
    return pieces
