"""What a process hears from one server of the store: one connection for all the tables it watches there.

What is heard is a wake-up and never the truth, so all that matters here is that nothing is missed in silence. After
each reconnect every watcher is told to look again, and a heartbeat that this process publishes to itself finds a
connection on which nothing comes any more: a frozen server, or one that others no longer follow.
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

import msgpack

from server.redis_ear import Ear
from server.redis_link import LINK_ERRORS, Command, Link, Reply, Timing, drop, pack
from server.redis_pipe import Pipe
from server.store import (
    ChatGrew,
    Greeting,
    Head,
    LogGrew,
    LookAgain,
    Said,
    StoredEntry,
    StoreError,
    StoreUnavailable,
    Wake,
)

CLOSED = "The store was closed."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Words:
    """How one subscribes, and what the server says then. `together` is the most channels in one command."""

    subscribe: str
    unsubscribe: str
    subscribed: bytes
    unsubscribed: bytes
    message: bytes
    together: int


PLAIN = Words("SUBSCRIBE", "UNSUBSCRIBE", b"subscribe", b"unsubscribe", b"message", 500)
SHARDED = Words("SSUBSCRIBE", "SUNSUBSCRIBE", b"ssubscribe", b"sunsubscribe", b"smessage", 1)
"""In a Cluster, where the channels in one command must be of one slot."""


Heard = Callable[[Any], None]
"""Who is told what comes on a channel: a `Wake` on that of a table, a `Greeting` on theirs or `LookAgain`."""


class Watched:
    """A table that is watched. `asked` counts the subscriptions sent on this connection and not yet confirmed."""

    __slots__ = ("asked", "confirmed", "wake")

    def __init__(self, wake: Heard) -> None:
        self.wake = wake
        self.confirmed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.asked = 0

    def give_up(self, error: StoreUnavailable) -> None:
        if not self.confirmed.done():
            self.confirmed.set_exception(error)
            self.confirmed.exception()  # whether or not somebody still waits for it

    async def confirm(self, asking: Awaitable[None], leave: Callable[[], Awaitable[None]], timing: Timing) -> None:
        """Return when the subscription is confirmed; otherwise `leave`, and raise StoreUnavailable."""
        try:
            async with asyncio.timeout(timing.connect_s + timing.answer_s):
                await asking
                await self.confirmed
        except BaseException as error:
            await leave()
            if isinstance(error, TimeoutError):
                raise StoreUnavailable("The store did not confirm a subscription.") from None
            raise


class Watch:
    """Subscribe to the channels of tables and pass on what comes. It connects at the first `add`, not before.

    A Cluster has one for each node: `lost` hears why a connection ended, `parted` which channel the node gave away.
    """

    def __init__(
        self,
        make: Callable[[], Link],
        line: Callable[[], Pipe],
        timing: Timing,
        words: Words = PLAIN,
        lost: Callable[[Exception], None] = lambda error: None,
        parted: Callable[[bytes], None] = lambda channel: None,
    ) -> None:
        self._make = make
        self._line = line
        self._timing = timing
        self._words = words
        self._lost = lost
        self._parted = parted
        self._watched: dict[bytes, Watched] = {}
        # A channel's late confirmations, of either kind, are not those of a watcher that came after.
        self._late: dict[bytes, int] = {}
        self._leaving: dict[bytes, int] = {}
        self._beat_channel = f"beat:{secrets.token_urlsafe(12)}".encode()
        self._silent_beats = 0
        self._link: Link | None = None  # set while it is listened to
        self._patience: asyncio.Timeout | None = None  # what the heartbeat ends when nothing comes any more
        self._failures = 0  # since something was last confirmed
        self._closed = False
        self._tasks: list[asyncio.Task[None]] = []

    async def add(self, channel: str, wake: Heard) -> None:
        """Return when the subscription is confirmed; raise StoreUnavailable, and watch nothing, if it is not."""
        key = channel.encode()
        if key in self._watched:
            raise ValueError(f"{channel} is watched already")
        watched = Watched(wake)
        self.enter(key, watched)

        async def leave() -> None:
            if self.has(key, watched):
                await self.remove(channel)

        await watched.confirm(self.subscribe([key]), leave, self._timing)

    def enter(self, key: bytes, watched: Watched) -> None:
        """Watch a channel from the next connection on, or from when it is subscribed to on this one."""
        if self._closed:
            raise StoreUnavailable(CLOSED)
        watched.asked = 0
        self._watched[key] = watched
        if not self._tasks:
            self._tasks = [
                asyncio.create_task(self._run(), name="store watch"),
                asyncio.create_task(self._beat(), name="store heartbeat"),
            ]

    def release(self, key: bytes) -> Watched:
        """Watch a channel here no more, as it is to be watched elsewhere. The server is not told."""
        watched = self._watched.pop(key)
        if watched.asked:
            self._late[key] = self._late.get(key, 0) + watched.asked
        return watched

    async def remove(self, channel: str) -> None:
        key = channel.encode()
        if key not in self._watched:
            return
        self.release(key).give_up(StoreUnavailable("The table is watched no more."))
        self._leaving[key] = self._leaving.get(key, 0) + 1
        await self._send([(self._words.unsubscribe, key)])

    def has(self, key: bytes, watched: Watched) -> bool:
        return self._watched.get(key) is watched

    @property
    def empty(self) -> bool:
        return not self._watched

    async def close(self) -> None:
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for watched in self._watched.values():
            watched.give_up(StoreUnavailable(CLOSED))
        self._watched.clear()

    async def _run(self) -> None:
        link = self._make()
        try:
            while True:
                try:
                    async with asyncio.timeout(self._timing.connect_s):
                        await link.connect()
                    async with asyncio.timeout(None) as self._patience:
                        ear = Ear(link, self._take, self._timing.gather_s)
                        await self._resubscribe(link)
                        await ear.ended
                except LINK_ERRORS as error:
                    self._lost(error)
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
        self._leaving.clear()
        for watched in self._watched.values():
            watched.asked = 0
        await self._send([("SUBSCRIBE", self._beat_channel)])
        await self.subscribe(list(self._watched))

    async def subscribe(self, keys: Iterable[bytes]) -> None:
        if self._link is None:
            return  # all are subscribed when there is a connection again
        mine = [key for key in keys if key in self._watched]
        for key in mine:
            self._watched[key].asked += 1
        step = self._words.together
        await self._send([(self._words.subscribe, *mine[at : at + step]) for at in range(0, len(mine), step)])

    async def _send(self, commands: list[Command]) -> None:
        link = self._link
        if not commands or link is None or not link.is_connected:
            return  # the reader finds out by itself; a write here would open the connection behind its back
        try:
            await link.send_packed_command([pack(command) for command in commands], check_health=False)
        except LINK_ERRORS:
            await drop(link)

    def _take(self, message: Reply) -> None:
        """Take what the server sends; raise the error that it answers."""
        if isinstance(message, Exception):
            raise message
        words = self._words
        if message[0] == words.message or message[0] == b"message":
            self._heard(message[1], message[2])
        elif message[0] == words.subscribed:
            self._confirmed(message[1])
        elif message[0] == words.unsubscribed:
            self._ended(message[1])

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

    def _ended(self, channel: bytes) -> None:
        """Tell what we asked for from what the server did by itself, as the slot of the channel has moved away."""
        leaving = self._leaving.pop(channel, 0)
        if leaving > 1:
            self._leaving[channel] = leaving - 1
        elif not leaving and channel in self._watched:
            self._parted(channel)

    def _tell(self, watched: Watched, wake: Wake | Greeting) -> None:
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
                await self._line().one(("PUBLISH", self._beat_channel, b""), changes=False)
            except StoreError as error:
                log.debug("no heartbeat: %s", error)

    def _pause_s(self, failures: int) -> float:
        pause_s = self._timing.pause_s * 2.0 ** min(failures - 1, 10) * (0.5 + random.random())
        return min(self._timing.longest_pause_s, pause_s)


def _decoded(data: bytes) -> Wake | Greeting:
    """Read what is published: `log`, number and id before, then id, ms and data of each entry; `chat`; or `hello`."""
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
        if parts[0] == b"hello":
            return Greeting(parts[1], parts[2].decode(), parts[3].decode())
    except (ValueError, TypeError, LookupError, AttributeError, msgpack.UnpackException):
        log.warning("an unknown message came on the channel of a table")
    return LookAgain()
