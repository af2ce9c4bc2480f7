"""What a process hears from the store: one connection for all the tables it watches.

What is heard is a wake-up and never the truth, so all that matters here is that nothing is missed in silence. After
each reconnect every watcher is told to look again, and a heartbeat that this process publishes to itself finds a
connection on which nothing comes any more: a frozen server, or one that others no longer follow.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
import secrets
from collections.abc import Callable
from typing import Any

import msgpack

from server.redis_link import LINK_ERRORS, Command, Link, Timing, drop, pack
from server.redis_pipe import Pipe
from server.store import ChatGrew, Head, LogGrew, LookAgain, Said, StoredEntry, StoreError, StoreUnavailable, Wake

CHANNELS_IN_A_COMMAND = 500
_CLOSED = "The store was closed."

log = logging.getLogger(__name__)


class _Watched:
    """A table that is watched. `asked` counts the subscriptions sent on this connection and not yet confirmed."""

    __slots__ = ("asked", "confirmed", "wake")

    def __init__(self, wake: Callable[[Wake], None], confirmed: asyncio.Future[None]) -> None:
        self.wake = wake
        self.confirmed = confirmed
        self.asked = 0

    def give_up(self, error: StoreUnavailable) -> None:
        if not self.confirmed.done():
            self.confirmed.set_exception(error)
            self.confirmed.exception()  # whether or not somebody still waits for it


class Watch:
    """Subscribe to the channels of tables and pass on what comes. It connects at the first `add`, not before."""

    def __init__(self, make: Callable[[], Link], pipe: Pipe, timing: Timing) -> None:
        self._make = make
        self._pipe = pipe
        self._timing = timing
        self._watched: dict[bytes, _Watched] = {}
        # A channel's late confirmations are not those of a watcher that came after.
        self._late: dict[bytes, int] = {}
        self._beat_channel = f"beat:{secrets.token_urlsafe(12)}".encode()
        self._silent_beats = 0
        self._link: Link | None = None  # set while it is listened to
        self._patience: asyncio.Timeout | None = None  # what the heartbeat ends when nothing comes any more
        self._failures = 0  # since something was last confirmed
        self._closed = False
        self._tasks: list[asyncio.Task[None]] = []

    async def add(self, channel: str, wake: Callable[[Wake], None]) -> None:
        """Return when the subscription is confirmed; raise StoreUnavailable, and watch nothing, if it is not."""
        key = channel.encode()
        if self._closed:
            raise StoreUnavailable(_CLOSED)
        if key in self._watched:
            raise ValueError(f"{channel} is watched already")
        watched = self._watched[key] = _Watched(wake, asyncio.get_running_loop().create_future())
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(self._run(), name="store watch"),
                asyncio.create_task(self._beat(), name="store heartbeat"),
            ]
        try:
            async with asyncio.timeout(self._timing.connect_s + self._timing.answer_s):
                await self._subscribe([key])
                await watched.confirmed
        except BaseException as error:
            if self._watched.get(key) is watched:
                await self.remove(channel)
            if isinstance(error, TimeoutError):
                raise StoreUnavailable("The store did not confirm a subscription.") from None
            raise

    async def remove(self, channel: str) -> None:
        key = channel.encode()
        watched = self._watched.pop(key, None)
        if watched is None:
            return
        watched.give_up(StoreUnavailable("The table is watched no more."))
        if watched.asked:
            self._late[key] = self._late.get(key, 0) + watched.asked
        await self._send(("UNSUBSCRIBE", key))

    async def close(self) -> None:
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for watched in self._watched.values():
            watched.give_up(StoreUnavailable(_CLOSED))
        self._watched.clear()

    async def _run(self) -> None:
        link = self._make()
        try:
            while True:
                try:
                    async with asyncio.timeout(self._timing.connect_s):
                        await link.connect()
                    async with asyncio.timeout(None) as self._patience:
                        await self._resubscribe(link)
                        await self._listen(link)
                except LINK_ERRORS as error:
                    level = logging.DEBUG if self._failures else logging.WARNING
                    log.log(level, "no subscription to the store: %s: %s", type(error).__name__, error)
                except Exception:
                    log.exception("reading from the store's subscription failed")
                self._link = self._patience = None
                await drop(link)
                self._failures += 1
                await self._timing.sleep(self._pause_s(self._failures))
        finally:
            self._link = self._patience = None
            await drop(link)

    async def _resubscribe(self, link: Link) -> None:
        """Subscribe to everything. The confirmation of each channel is what wakes its watcher."""
        self._link = link
        self._silent_beats = 0
        self._late.clear()
        for watched in self._watched.values():
            watched.asked = 0
        await self._send(("SUBSCRIBE", self._beat_channel))
        await self._subscribe(list(self._watched))

    async def _subscribe(self, keys: list[bytes]) -> None:
        if self._link is None:
            return  # all are subscribed when there is a connection again
        for first in range(0, len(keys), CHANNELS_IN_A_COMMAND):
            some = [key for key in keys[first : first + CHANNELS_IN_A_COMMAND] if key in self._watched]
            for key in some:
                self._watched[key].asked += 1
            if some:
                await self._send(("SUBSCRIBE", *some))

    async def _send(self, command: Command) -> None:
        link = self._link
        if link is None or not link.is_connected:
            return  # the reader finds out by itself; a write here would open the connection behind its back
        try:
            await link.send_packed_command([pack(command)], check_health=False)
        except LINK_ERRORS:
            await drop(link)

    async def _listen(self, link: Link) -> None:
        while True:
            message = await link.read_response(timeout=math.inf, disconnect_on_error=False)
            if message[0] == b"message":
                self._heard(message[1], message[2])
            elif message[0] == b"subscribe":
                self._confirmed(message[1])

    def _heard(self, channel: bytes, data: bytes) -> None:
        watched = self._watched.get(channel)
        if watched is not None:
            self._tell(watched, _decoded(data))
        elif channel == self._beat_channel:
            self._silent_beats = 0

    def _confirmed(self, channel: bytes) -> None:
        self._failures = 0
        late = self._late.pop(channel, 0)
        if late:
            if late > 1:
                self._late[channel] = late - 1
            return
        watched = self._watched.get(channel)
        if watched is None:
            return
        watched.asked -= 1
        if watched.asked:
            return
        if watched.confirmed.done():
            self._tell(watched, LookAgain())
        else:
            watched.confirmed.set_result(None)

    def _tell(self, watched: _Watched, wake: Wake) -> None:
        try:
            watched.wake(wake)
        except Exception:  # one table's fault must not make the others deaf
            log.exception("a watcher failed")

    async def _beat(self) -> None:
        """Publish to ourselves; drop the connection when it stays silent."""
        allowed = int(self._timing.silent_s / self._timing.beat_s)
        while True:
            await self._timing.sleep(self._timing.beat_s)
            self._silent_beats += 1
            if self._silent_beats > allowed and self._patience is not None:
                log.warning("the subscription to the store has gone silent: connecting again")
                self._patience.reschedule(asyncio.get_running_loop().time())
            try:
                await self._pipe.one(("PUBLISH", self._beat_channel, b""), changes=False)
            except StoreError as error:
                log.debug("no heartbeat: %s", error)

    def _pause_s(self, failures: int) -> float:
        pause_s = self._timing.pause_s * 2.0 ** min(failures - 1, 10) * (0.5 + random.random())
        return min(self._timing.longest_pause_s, pause_s)


def _decoded(data: bytes) -> Wake:
    """Read what the scripts publish: `log`, number and id before, then id, ms and data of each entry; or `chat`."""
    try:
        parts: list[Any] = msgpack.unpackb(data, raw=True)
        if parts[0] == b"log":
            after = Head(parts[1], parts[2].decode())
            entries = tuple(
                StoredEntry(number, parts[at].decode(), parts[at + 1] / 1000, parts[at + 2])
                for number, at in enumerate(range(3, len(parts), 3), after.number + 1)
            )
            return LogGrew(after, entries)
        if parts[0] == b"chat":
            return ChatGrew(Said(parts[1].decode(), parts[2] / 1000, parts[3]))
    except (ValueError, TypeError, LookupError, AttributeError, msgpack.UnpackException):
        log.warning("an unknown message came on the channel of a table")
    return LookAgain()
