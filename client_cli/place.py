"""A server to visit, whoever visits it: how it is reached, what is remembered of it, and what to do first there."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from client_cli.state import Memory

if TYPE_CHECKING:  # the first screen needs nothing of them but their time
    from client_cli.visit import Visit
    from client_cli.wire import Connector

T = TypeVar("T")

REFUSED = 1
WRONG_USE = 2
NO_CONNECTION = 3
"""Exit statuses of a visit that came to nothing."""

Begin = Callable[["Visit"], Awaitable[int | None]]
"""What to do first at a server; a status ends the visit."""


@dataclass(frozen=True, slots=True)
class Place:
    """A server that is ready to be visited. `ended` returns a sentence if it ends for good, where that can be known."""

    connect: "Connector"
    memory: Memory
    begin: Begin
    name: str | None = None
    ended: Callable[[], Awaitable[str]] | None = None
    alone: bool = False
    """Whether it is a server of one's own, with no tables but one."""


Opening = Callable[[], AbstractAsyncContextManager[Place]]
"""Opens a place for as long as the visit lasts. Raises NoPlace."""


class NoPlace(Exception):
    """The server cannot be had: a sentence, and the exit status that fits."""

    def __init__(self, sentence: str, status: int = NO_CONNECTION) -> None:
        super().__init__(sentence)
        self.status = status


async def while_it_is_there(place: Place, work: Coroutine[object, object, T]) -> T:
    """Return what the work comes to. Raises NoPlace when the server has ended for good, having ended the work."""
    if place.ended is None:
        return await work
    ended, run = asyncio.ensure_future(place.ended()), asyncio.ensure_future(work)
    try:
        await asyncio.wait({ended, run}, return_when=asyncio.FIRST_COMPLETED)
        if run.done():
            return run.result()
        raise NoPlace(ended.result())
    finally:
        ended.cancel()
        run.cancel()
        await asyncio.gather(ended, run, return_exceptions=True)
