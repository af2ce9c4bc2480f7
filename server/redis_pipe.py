"""The line to one server of the store: what is asked in one turn of the event loop goes out in one pipeline.

A few lanes, each a task with a connection of its own, take what waits, write it all and read the replies in order. So
a burst costs one write and one read, and one slow pipeline does not hold up everything. An error that the store answers
fails its own asker alone; an asker who is cancelled leaves the others alone.
"""

import asyncio
import hashlib
import logging
import random
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

from redis.exceptions import NoScriptError

from server.redis_link import (
    LINK_ERRORS,
    Command,
    Link,
    Reply,
    Timing,
    as_store_error,
    code_of,
    drop,
    make_ready,
    pack,
    read_reply,
)
from server.store import StoreError, StoreInDoubt, StoreUnavailable

LANES = 2
IN_A_PIPELINE = 512
WAITING_AT_MOST = 20_000

NOT_YET = frozenset({"LOADING"})
"""Refused before anything was done, and by and by it may be accepted: so it is sent again."""
DEMOTED = frozenset({"READONLY", "MASTERDOWN", "NOREPLICAS"})
"""Refused by a server that is the master no more: the next connection may lead to the one that took over."""

log = logging.getLogger(__name__)


class _Ask:
    """Commands that are sent together and answered together."""

    __slots__ = ("answer", "changes", "commands", "doubt", "packed", "sent")

    def __init__(self, commands: Sequence[Command], changes: bool, answer: asyncio.Future[list[Reply]]) -> None:
        self.commands = commands
        # Packed in the asker's own time: what cannot be packed fails there.
        self.packed = [pack(command) for command in commands]
        self.changes = changes
        self.answer = answer
        self.sent = False  # bytes of it may have left, and no reply has come yet
        self.doubt = False  # an earlier try may have done it

    def lost(self) -> None:
        self.doubt = self.doubt or self.sent
        self.sent = False

    def fail(self, error: BaseException) -> None:
        if self.answer.done():
            return
        why = f"{type(error).__name__}: {error}".rstrip(".")
        if self.changes and (self.sent or self.doubt):
            self.answer.set_exception(StoreInDoubt(f"The store did not answer, so this may have been done ({why})."))
        else:
            self.answer.set_exception(StoreUnavailable(f"The store is away ({why})."))


class Pipe:
    """Send commands to a server. `scripts` are loaded again whenever it has forgotten them.

    What fails is sent again, `tries` times in all (None: as `timing` says), and so is what the server refuses with a
    code in `again`: on a new connection, if it is the master no more.
    """

    def __init__(
        self,
        make: Callable[[], Link],
        timing: Timing,
        scripts: Sequence[str] = (),
        *,
        lanes: int = LANES,
        tries: int | None = None,
        again: Collection[str] = NOT_YET,
    ) -> None:
        self._make = make
        self._timing = timing
        self._tries = tries
        self._again = again
        self._sources = {script_sha(source): source for source in scripts}
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[_Ask] = deque()
        self._idle: list[asyncio.Future[None]] = []
        self._closed = False
        self._lanes = [asyncio.create_task(self._lane(), name=f"store lane {n}") for n in range(lanes)]

    async def one(self, command: Command, *, changes: bool) -> Reply:
        """Send a command and return its reply. Raise what the store's error means if it answers with one."""
        reply = (await self.ask((command,), changes))[0]
        if isinstance(reply, Exception):
            raise as_store_error(reply)
        return reply

    async def many(self, commands: Sequence[Command], *, changes: bool) -> list[Reply]:
        """Send commands in one pipeline and return their replies. Raise the first error among them."""
        if not commands:
            return []
        replies = await self.ask(commands, changes)
        for reply in replies:
            if isinstance(reply, Exception):
                raise as_store_error(reply)
        return replies

    async def each(self, command: Command) -> list[Reply]:
        """Ask every server of the store: this one."""
        return [await self.one(command, changes=False)]

    def ask(self, commands: Sequence[Command], changes: bool) -> asyncio.Future[list[Reply]]:
        """Send commands, one right behind the other on one connection; the errors answered are among the replies."""
        if self._closed:
            raise StoreUnavailable("The store was closed.")
        if len(self._waiting) >= WAITING_AT_MOST:
            raise StoreUnavailable("Too much waits for the store already.")
        ask = _Ask(commands, changes, self._loop.create_future())
        self._waiting.append(ask)
        if self._idle and len(self._waiting) == 1:
            # The lane runs in the next turn of the loop, so whatever is asked in this one goes with it.
            self._idle.pop().set_result(None)
        return ask.answer

    @property
    def idle(self) -> bool:
        return not self._waiting and len(self._idle) == len(self._lanes)

    async def close(self) -> None:
        """End the lanes; what waits fails, in doubt where it had been sent."""
        self._closed = True
        for lane in self._lanes:
            lane.cancel()
        await asyncio.gather(*self._lanes, return_exceptions=True)
        while self._waiting:
            self._waiting.popleft().fail(_CLOSED)

    def _take(self) -> list[_Ask]:
        batch: list[_Ask] = []
        room = IN_A_PIPELINE
        while self._waiting and room > 0:
            ask = self._waiting.popleft()
            if not ask.answer.done():  # else its asker has gone, and nothing was sent
                batch.append(ask)
                room -= len(ask.commands)
        if self._waiting and self._idle:
            self._idle.pop().set_result(None)
        return batch

    async def _lane(self) -> None:
        link = self._make()
        try:
            while True:
                while not self._waiting:
                    idle: asyncio.Future[None] = self._loop.create_future()
                    self._idle.append(idle)
                    await idle
                await self._serve(link, self._take())
        finally:
            await drop(link)

    async def _serve(self, link: Link, batch: list[_Ask]) -> None:
        try:
            await self._try_and_retry(link, batch)
        except Exception as error:  # a fault of ours: the lane must live on, and nobody may wait for ever
            log.exception("a pipeline to the store failed")
            await drop(link)
            _fail(batch, error)
        except BaseException:
            _fail(batch, _CLOSED)
            raise

    async def _try_and_retry(self, link: Link, batch: list[_Ask]) -> None:
        """Serve the batch. Sending again is harmless: entries and lines of chat have ids, the rest may be repeated."""
        failure: Exception = _CLOSED
        for failures in range(self._tries or self._timing.retries + 1):
            if failures:
                await self._timing.sleep(self._pause_s(failures))
            try:
                await make_ready(link, self._timing)
                async with asyncio.timeout(self._timing.answer_s):
                    failure = await self._exchange(link, batch)
            except LINK_ERRORS as error:
                failure = error
                for ask in batch:
                    ask.lost()
                await drop(link)
            batch = [ask for ask in batch if not ask.answer.done()]
            if not batch:
                return
        _fail(batch, failure)

    async def _exchange(self, link: Link, batch: list[_Ask]) -> Exception:
        """Send the batch and read its replies; some may stay unanswered, for the reason that is returned."""
        failure: Exception = _CLOSED
        packed: list[bytes] = []
        for ask in batch:
            packed += ask.packed
            ask.sent = True
        await link.send_packed_command(packed, check_health=False)
        forgotten: list[_Ask] = []
        stale = False
        for ask in batch:
            replies = [await read_reply(link) for _ in ask.commands]
            ask.sent = False
            refusal = next((reply for reply in replies if isinstance(reply, Exception)), None)
            if isinstance(refusal, NoScriptError):
                ask.packed = [pack(with_source(command, self._sources)) for command in ask.commands]
                forgotten.append(ask)
            elif refusal is not None and code_of(refusal) in self._again:
                failure = refusal
            elif refusal is not None and ask.doubt:
                ask.fail(refusal)  # refused this time, but an earlier try may have done it
            elif not ask.answer.done():
                ask.answer.set_result(replies)
            stale = stale or (refusal is not None and code_of(refusal) in DEMOTED)
        if forgotten:
            failure = await self._exchange(link, forgotten)
        if stale:
            await drop(link)
        return failure

    def _pause_s(self, failures: int) -> float:
        # Spread out, or all processes would come back to the store in the same moment.
        pause_s = self._timing.pause_s * 2.0 ** (failures - 1) * (0.5 + random.random())
        return min(self._timing.longest_pause_s, pause_s)


def script_sha(source: str) -> str:
    return hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest()


def with_source(command: Command, sources: Mapping[str, str]) -> Command:
    """Return an EVALSHA as the EVAL that also makes the store remember the script."""
    if command[0] != "EVALSHA":
        return command
    return ("EVAL", sources[str(command[1])], *command[2:])


def _fail(batch: list[_Ask], error: Exception) -> None:
    for ask in batch:
        ask.fail(error)


_CLOSED = StoreError("the store was closed")
