"""The lines to a Cluster: each command goes to the node that serves its key, and after it when the key has moved.

A redirect, and a refusal as TRYAGAIN or CLUSTERDOWN, means that nothing was done, so the command is sent again: at once
where the answer names the node, after a pause and with a fresh map otherwise. As often as a single server would be
tried again, and no more.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence

from server.redis_link import Address, Command, Link, Reply, Timing, as_store_error, code_of
from server.redis_pipe import DEMOTED, NOT_YET, Pipe
from server.redis_slots import Slots, slot_of
from server.store import StoreError, StoreInDoubt, StoreUnavailable

HOPS_AT_MOST = 5
"""So many redirects are followed at once; then there is a pause, for the nodes may not be of one mind yet."""

_LATER = NOT_YET | DEMOTED | {"TRYAGAIN", "CLUSTERDOWN"}
_KEYLESS = frozenset({"INFO", "PING", "TIME"})


class _Part:
    """A command and what has become of it."""

    __slots__ = ("asking", "command", "doubt", "reply", "slot", "trouble")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.slot = _slot(command)
        self.asking: Address | None = None  # the node that takes it this once, while its slot moves
        self.reply: Reply = None
        self.trouble: Exception | None = None  # why it is not answered, after the last try
        self.doubt = False  # a try may have done it


class Router:
    """Send commands to the nodes of a Cluster; the same questions as `Pipe`."""

    def __init__(
        self, slots: Slots, link_to: Callable[[Address], Link], timing: Timing, scripts: Sequence[str]
    ) -> None:
        self._slots = slots
        self._link_to = link_to
        self._timing = timing
        self._scripts = scripts
        self._lines: dict[Address, Pipe] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._closed = False
        slots.on_change.append(self._prune)

    async def one(self, command: Command, *, changes: bool) -> Reply:
        return (await self.many((command,), changes=changes))[0]

    async def many(self, commands: Sequence[Command], *, changes: bool) -> list[Reply]:
        """Send each command to its node, one pipeline a node. Raise the first error among the replies."""
        parts = [_Part(command) for command in commands]
        waiting, hops, failures = parts, 0, 0
        while waiting:
            await self._send(waiting, changes)
            waiting = [part for part in waiting if part.trouble is not None]
            if not waiting:
                break
            if hops < HOPS_AT_MOST and all(self._redirected(part) for part in waiting):
                hops += 1
                continue
            failures, hops = failures + 1, 0
            if failures > self._timing.retries or self._closed:
                raise _failure(parts, waiting, changes)
            await self._timing.sleep(self._pause_s(failures))
            with contextlib.suppress(StoreUnavailable):  # then the old map has to do
                await self._slots.refresh()
        return [_answer(part) for part in parts]

    async def each(self, command: Command) -> list[Reply]:
        """Ask every node that serves slots, and return what those say that answer; raise if there is none."""
        if not self._slots.nodes:
            await self._slots.refresh()
        asked = (self.line(node).one(command, changes=False) for node in self._slots.nodes)
        replies = await asyncio.gather(*asked, return_exceptions=True)
        answers = [reply for reply in replies if not isinstance(reply, BaseException)]
        if not answers and isinstance(replies[0], BaseException):
            raise replies[0]
        return answers

    def line(self, address: Address) -> Pipe:
        """Return the line to a node. It tries once: what comes next is decided here."""
        if self._closed:
            raise StoreUnavailable("The store was closed.")
        if address not in self._lines:
            self._lines[address] = Pipe(
                lambda: self._link_to(address), self._timing, self._scripts, tries=1, again=frozenset()
            )
        return self._lines[address]

    async def close(self) -> None:
        self._closed = True
        await self._slots.close()
        await asyncio.gather(*(line.close() for line in self._lines.values()), *self._closing)

    async def _send(self, parts: list[_Part], changes: bool) -> None:
        batches: dict[tuple[Address, bool], list[_Part]] = {}
        for part in parts:
            address = part.asking or self._node_of(part)
            if address is None:
                part.trouble = StoreUnavailable("no node of the cluster serves this")
            else:
                batches.setdefault((address, part.asking is not None), []).append(part)
        if len(batches) == 1:
            (((address, asking), batch),) = batches.items()
            return await self._exchange(address, asking, batch, changes)
        await asyncio.gather(*(self._exchange(*where, batch, changes) for where, batch in batches.items()))

    async def _exchange(self, address: Address, asking: bool, batch: list[_Part], changes: bool) -> None:
        """Send what is for one node; ASKING lets it answer for the key that comes next, of a slot not yet its own."""
        commands: list[Command] = []
        for part in batch:
            commands += (("ASKING",), part.command) if asking else (part.command,)
        try:
            replies = await self.line(address).ask(commands, changes)
        except StoreError as error:
            for part in batch:
                part.asking, part.trouble = None, error
                part.doubt = part.doubt or isinstance(error, StoreInDoubt)
            return
        for part, reply in zip(batch, replies[1::2] if asking else replies, strict=True):
            part.asking, part.reply = None, reply
            part.trouble = reply if isinstance(reply, Exception) and _again(reply) else None
            if part.trouble is not None:
                self._follow(part, part.trouble, address)

    def _follow(self, part: _Part, trouble: Exception, asked: Address) -> None:
        code = code_of(trouble)
        if code == "MOVED":
            self._slots.learn(*redirect(trouble, asked))
        elif code == "ASK":
            part.asking = redirect(trouble, asked)[1]

    def _redirected(self, part: _Part) -> bool:
        return part.trouble is not None and code_of(part.trouble) in ("MOVED", "ASK")

    def _node_of(self, part: _Part) -> Address | None:
        if part.slot is not None:
            return self._slots.owner(part.slot)
        nodes = self._slots.nodes
        # The same one each time, for its clock's sake, unless it does not answer.
        return nodes[0] if nodes and part.trouble is None else random.choice(nodes) if nodes else None

    def _prune(self) -> None:
        """Close the lines to nodes that serve nothing any more, when nobody waits for an answer on them."""
        for address in [address for address in self._lines if address not in self._slots.nodes]:
            if self._lines[address].idle:
                task = asyncio.create_task(self._lines.pop(address).close())
                self._closing.add(task)
                task.add_done_callback(self._closing.discard)

    def _pause_s(self, failures: int) -> float:
        pause_s = self._timing.pause_s * 2.0 ** (failures - 1) * (0.5 + random.random())
        return min(self._timing.longest_pause_s, pause_s)


def redirect(error: Exception, asked: Address) -> tuple[int, Address]:
    """Read `MOVED 7 host:port`, or what redis-py leaves of it; a host that is not named is the one that was asked."""
    slot, address = str(error).split(" ")[-2:]
    host, _, port = address.rpartition(":")
    return int(slot), (host or asked[0], int(port))


def _slot(command: Command) -> int | None:
    if command[0] in _KEYLESS:
        return None
    key = command[3 if command[0] == "EVALSHA" else 1]
    assert not isinstance(key, int), "a key is text"
    return slot_of(key)


def _again(error: Exception) -> bool:
    code = code_of(error)
    return code in _LATER or code in ("MOVED", "ASK")


def _failure(parts: list[_Part], waiting: list[_Part], changes: bool) -> StoreError:
    trouble = waiting[0].trouble
    done = len(waiting) < len(parts) or any(part.doubt for part in parts)
    if changes and done:
        return StoreInDoubt(f"The store did not answer, so this may have been done ({trouble}).")
    if isinstance(trouble, StoreUnavailable):
        return trouble
    return StoreUnavailable(f"The store is away ({trouble}).")


def _answer(part: _Part) -> Reply:
    if isinstance(part.reply, Exception):
        if part.doubt:  # refused this time, but an earlier try may have done it
            raise StoreInDoubt(f"The store did not answer, so this may have been done ({part.reply}).")
        raise as_store_error(part.reply)
    return part.reply
