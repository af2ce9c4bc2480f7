"""One connection to the store: how it is opened, asked and closed, and what an error on it means.

Of redis-py only the connection is used (TLS, login, parser): commands are packed here and replies read as they come,
which costs a fraction of the CPU of its client and shows exactly what was sent and what was answered.
"""

import asyncio
import contextlib
import math
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

import hiredis
from redis.exceptions import AuthenticationError, BusyLoadingError, RedisError, ResponseError

from server.store import StoreError, StoreUnavailable

Command = tuple[str | bytes | int, ...]
Reply = Any
"""Bytes, an integer, None, a list of replies, or an exception for an error that the store answered."""

T = TypeVar("T")

Address = tuple[str, int]
"""Host and port."""

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
    gather_s: float = 0.01  # the longest that a wake-up waits for others
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Link(Protocol):
    """What is used of a connection of redis-py; one that asks the Sentinels where to connect fits as well."""

    @property
    def is_connected(self) -> bool: ...
    @property
    def _writer(self) -> asyncio.StreamWriter | None: ...
    async def connect(self) -> None: ...
    async def can_read(self) -> bool: ...
    async def send_packed_command(self, command: Iterable[bytes], check_health: bool = True) -> None: ...
    # ASYNC109: the parameter is redis-py's.
    async def read_response(self, *, timeout: float, disconnect_on_error: bool) -> Reply: ...  # noqa: ASYNC109
    async def disconnect(self, nowait: bool = False) -> None: ...


def pack(command: Command) -> bytes:
    packed: bytes = hiredis.pack_command(cast(Any, command))
    return packed


def transport_of(link: Link) -> asyncio.Transport:
    """Return what is underneath an open connection: redis-py has no public name for it."""
    writer = link._writer
    if writer is None:
        raise ConnectionError("the connection is not open")
    return cast(asyncio.Transport, writer.transport)


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


async def ask_once(link: Link, commands: Sequence[Command], timing: Timing) -> list[Reply]:
    """Open the connection, ask, and close it; raise one of `LINK_ERRORS` if it fails, or an answer is an error."""
    try:
        async with asyncio.timeout(timing.connect_s):
            await link.connect()
            return await ask(link, commands)
    finally:
        await drop(link)


async def ask(link: Link, commands: Sequence[Command]) -> list[Reply]:
    await link.send_packed_command([pack(command) for command in commands], check_health=False)
    replies = [await read_reply(link) for _ in commands]
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return replies


async def drop(link: Link) -> None:
    """Close the connection without waiting for the other side."""
    with contextlib.suppress(*LINK_ERRORS):
        await link.disconnect(nowait=True)


async def most_answers(askers: Iterable[Coroutine[Any, Any, T]], wait_s: float) -> tuple[list[T], list[Exception]]:
    """Return what the first half and one more answer, or all that do in time, and the errors of those that failed.

    So one that is frozen holds nothing up, and one that has fallen behind is not the only one heard.
    """
    tasks = [asyncio.ensure_future(asker) for asker in askers]
    waiting, enough = set(tasks), len(tasks) // 2 + 1
    answers: list[T] = []
    errors: list[Exception] = []
    try:
        async with asyncio.timeout(wait_s):
            while waiting and len(answers) < enough:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    try:
                        answers.append(task.result())
                    except LINK_ERRORS as error:
                        errors.append(error)
    except TimeoutError as error:
        errors.append(error)
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    return answers, errors


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


def read_info(text: bytes) -> dict[str, str]:
    """Read the lines `name:value` of INFO."""
    lines = text.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)
