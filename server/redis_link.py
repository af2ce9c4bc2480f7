"""One connection to the store: its URL, how it is opened, and what an error on it means.

Of redis-py only the connection is used (TLS, login, parser): commands are packed here and replies read as they come,
which costs a fraction of the CPU of its client and shows exactly what was sent and what was answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, cast
from urllib.parse import unquote, urlsplit

import hiredis
import redis.asyncio.connection as redis_connection
from redis.exceptions import AuthenticationError, BusyLoadingError, RedisError, ResponseError

from server.store import StoreError, StoreUnavailable

Command = tuple[str | bytes | int, ...]
Reply = Any
"""Bytes, an integer, None, a list of replies, or an exception for an error that the store answered."""

SCHEMES = ("redis", "rediss", "unix")

LINK_ERRORS = (RedisError, OSError, TimeoutError)
"""What opening, writing or reading raises when the connection is no good (any more)."""

REFUSALS = frozenset(
    {"BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MISCONF", "NOAUTH", "NOPERM", "NOREPLICAS", "OOM", "READONLY"}
    | {"TRYAGAIN", "WRONGPASS"}
)
"""The store refused the command before it did anything."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long to wait, in seconds. `sleep` is what a test replaces."""

    connect_s: float = 1.0
    answer_s: float = 2.0
    retries: int = 3
    pause_s: float = 0.05  # before the first retry, on average; doubled for each further one
    longest_pause_s: float = 0.5
    beat_s: float = 2.0
    silent_s: float = 5.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Link(Protocol):
    """What is used of a connection of redis-py; a connection that asks a Sentinel for its address fits as well."""

    @property
    def is_connected(self) -> bool: ...
    async def connect(self) -> None: ...
    async def can_read(self) -> bool: ...
    async def send_packed_command(self, command: Iterable[bytes], check_health: bool = True) -> None: ...
    async def read_response(self, *, timeout: float, disconnect_on_error: bool) -> Reply: ...  # noqa: ASYNC109
    async def disconnect(self, nowait: bool = False) -> None: ...


def pack(command: Command) -> bytes:
    packed: bytes = hiredis.pack_command(cast(Any, command))
    return packed


def shown(url: str) -> str:
    """Return a URL as it may be printed: without user, password and options."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "a URL that is malformed"
    if parts.scheme == "unix":
        return f"unix://{parts.path}"
    if parts.scheme not in SCHEMES:
        return "a URL that is malformed"
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path}"


def link_maker(url: str, timing: Timing) -> Callable[[], Link]:
    """Return what makes new, not yet opened connections to a `redis://`, `rediss://` or `unix://` URL."""
    if urlsplit_scheme(url) not in SCHEMES:
        raise StoreUnavailable("The store's URL must begin with redis://, rediss:// or unix://.")
    try:
        options = dict(redis_connection.parse_url(url))
        kind = cast(Callable[..., Link], options.pop("connection_class", redis_connection.Connection))
        options |= {
            # RESP2 gives the same shapes from every server, and published messages in the line of replies.
            "protocol": 2,
            # Timeouts are set here around whole pipelines, which is cheaper than one for each reply.
            "socket_timeout": None,
            "socket_connect_timeout": timing.connect_s,
            "client_name": "biritch",
            "retry": None,
        }
        kind(**options)  # an option that is unknown is found now
    except (ValueError, TypeError, RedisError) as error:
        # The error may quote any part of the URL, so it is not passed on.
        raise StoreUnavailable(f"The store's URL is not understood: {shown(url)} ({type(error).__name__}).") from None
    return lambda: kind(**options)


def urlsplit_scheme(url: str) -> str:
    return url.partition("://")[0].lower() if "://" in url else ""


def socket_path(url: str) -> str:
    """Return the path of a `unix://` URL."""
    return unquote(urlsplit(url).path)


async def make_ready(link: Link, timing: Timing) -> None:
    """Open the connection unless it is open and in order: a peer that hung up while it was idle shows here."""
    if link.is_connected:
        if not await link.can_read():
            return
        await drop(link)
    async with asyncio.timeout(timing.connect_s):
        await link.connect()


async def read_reply(link: Link) -> Reply:
    """Return the next reply, an error as a value; raise one of `LINK_ERRORS` if there will be none."""
    try:
        return await link.read_response(timeout=math.inf, disconnect_on_error=False)
    except (ResponseError, BusyLoadingError, AuthenticationError) as error:
        return error


async def drop(link: Link) -> None:
    """Close the connection without waiting for the other side."""
    with contextlib.suppress(*LINK_ERRORS):
        await link.disconnect(nowait=True)


def code_of(error: Exception) -> str:
    """Return the word that opens an error of the store, as `READONLY`."""
    return str(getattr(error, "status_code", None) or str(error).partition(" ")[0])


def as_store_error(error: Exception) -> StoreError:
    """Return what an error that the store answered means for the caller."""
    code = code_of(error)
    text = str(error).removeprefix(f"{code} ")
    if code in REFUSALS:
        return StoreUnavailable(f"The store refused ({code}): {text}")
    return StoreError(f"The store answered with an error: {error}")
