"""What the connections of one listener have in common: their limits, what they are for, who is there."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from server.http import Door

if TYPE_CHECKING:
    from server.connection import Connection

READ_SIZE = 4096
"""Bytes read in one turn of the event loop: a client that floods the server must not make the others wait."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one connection may use; names end in their unit, sizes are in bytes.

    A reader slower than we write is cut off when `outbox` bytes wait for it, or when what waits does not shrink for
    `stalled_s`. One that sends faster than `messages_per_s`, after `burst`, is read more slowly. A silent one is
    pinged after `ping_s` and given up `pong_s` later. More than `connections` in all, or `per_remote` from one
    address, are refused.
    """

    max_message: int = 4096
    outbox: int = 64 * 1024
    open_s: float = 5
    close_s: float = 3
    ping_s: float = 10
    pong_s: float = 10
    stalled_s: float = 5
    messages_per_s: float = 50
    burst: int = 100
    connections: int = 10_000
    per_remote: int | None = None


class Receiver(Protocol):
    """What the layer above makes of a connection."""

    def received(self, frame: bytes) -> None:
        """Take one whole binary message."""

    def closed(self, code: int | None, reason: str) -> None:
        """Take note of the end, once, however it came.

        The code is that of the close frame that began it, from either side, or None where the connection broke off
        or was cut off without one.
        """


@dataclass(slots=True)
class Shared:
    """What the connections of one listener have in common."""

    loop: asyncio.AbstractEventLoop
    limits: Limits
    door: Door
    receiver: Callable[["Connection"], Receiver]
    sockets: set["Connection"] = field(default_factory=set)
    paced: set["Connection"] = field(default_factory=set)
    # WebSockets open now, in all and by address.
    admitted: int = 0
    hosts: Counter[str] = field(default_factory=Counter)
    max_sockets: int = 0
    emptied: asyncio.Event = field(default_factory=asyncio.Event)
    # One for all: what was read is taken out before the next read, and no idle connection keeps a buffer.
    buffer: memoryview = field(default_factory=lambda: memoryview(bytearray(READ_SIZE)))
