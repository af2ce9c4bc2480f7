"""The store in Redis (7.0 or later) or Valkey (8 or later): one server, a master kept by Sentinels, or a Cluster.

Keys: the log of a table is the stream `{t:ID}:log`, its chat `{t:ID}:chat`, its channel `{t:ID}:wake`, its public card
`{t:ID}:card`; the hash tag keeps them together in a cluster. The hash `{t:ID}:deals` has the record of deal n as field
`n`, and for each who may read them an empty field `r:NAME`. `public` is the set of advertised tables, `p:PROCESS`
stands while a process is there, and on the channel `greetings` all hear who has said hello. The two scripts beside this
file do what has to be done in one step.
"""

import logging
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgpack

from server.redis_cluster import Router
from server.redis_cluster_watch import ClusterWatch
from server.redis_link import Command, Reply, Timing, read_info
from server.redis_pipe import DEMOTED, NOT_YET, Pipe, script_sha
from server.redis_sentinel import MasterLink, Sentinels
from server.redis_slots import Slots
from server.redis_url import Kind, Place, place_of, shown
from server.redis_watch import Heard, Watch
from server.store import (
    BEHIND_ENTRIES,
    CHAT_KEPT,
    Appended,
    AppendResult,
    Behind,
    Diverged,
    Greeting,
    Head,
    Kept,
    NewEntry,
    Record,
    Said,
    StoredEntry,
    StoreError,
    StoreUnavailable,
    Trimmed,
    Wake,
)

log = logging.getLogger(__name__)

OLDEST_REDIS = (7, 0)
READ_AT_ONCE = 1000
PUBLIC = "public"
GREETINGS = "greetings"
_READER = "r:"

_APPEND = Path(__file__).with_name("append.lua").read_text()
_SAY = Path(__file__).with_name("say.lua").read_text()
_APPEND_SHA = script_sha(_APPEND)
_SAY_SHA = script_sha(_SAY)


_INSTEAD = {
    "cluster": "a node of a Cluster: its URL begins with redis+cluster://",
    "sentinel": "a Sentinel: its URL is redis+sentinel://HOST:PORT/SERVICE",
    "standalone": "a server of its own: its URL begins with redis://, or with redis+sentinel:// for its Sentinels",
}


class Line(Protocol):
    """Where commands go: to one server, or each to its node."""

    async def one(self, command: Command, *, changes: bool) -> Reply: ...
    async def many(self, commands: Sequence[Command], *, changes: bool) -> list[Reply]: ...
    async def each(self, command: Command) -> list[Reply]: ...
    async def close(self) -> None: ...


class Watcher(Protocol):
    async def add(self, channel: str, wake: Heard) -> None: ...
    async def remove(self, channel: str) -> None: ...
    async def close(self) -> None: ...


class RedisStore:
    """A `Store` in a Redis or Valkey server. Made by `connect`; the connections are opened again by themselves."""

    def __init__(self, place: Place, timing: Timing) -> None:
        self._pipe, self._watch = _lines(place, timing)
        self._mode = "cluster" if place.kind is Kind.CLUSTER else "standalone"
        self._publish = "SPUBLISH" if place.kind is Kind.CLUSTER else "PUBLISH"

    @classmethod
    async def connect(cls, url: str, timing: Timing | None = None) -> "RedisStore":
        """Connect to a store, see `redis_url`; raise StoreUnavailable if there is none that we can use."""
        timing = timing or Timing()
        store = cls(place_of(url, timing), timing)
        try:
            await store._check_server()
            await store._warn_of_loss(shown(url))
        except StoreError as error:
            await store.close()
            raise StoreUnavailable(f"The store at {shown(url)} cannot be used. {error}") from None
        except BaseException:
            await store.close()
            raise
        return store

    async def append(
        self,
        table: str,
        after: Head,
        entries: Sequence[NewEntry],
        ttl_s: int,
        *,
        first: int = 0,
        record: Record | None = None,
    ) -> AppendResult:
        if not entries:
            raise ValueError("there is nothing to append")
        keys = (_log(table),) if record is None else (_log(table), _deals(table))
        command: list[str | bytes | int] = ["EVALSHA", _APPEND_SHA, len(keys), *keys]
        command += (after.number, after.id, ttl_s * 1000)
        command += (self._publish, _channel(table), BEHIND_ENTRIES, first)
        fields = () if record is None else _fields(record)
        command += (0 if record is None else record.ttl_s * 1000, len(fields), *fields)
        for entry in entries:
            command += (entry.id, entry.data)
        reply = await self._pipe.one(tuple(command), changes=True)
        if reply[0] == 1:
            return Appended(
                tuple(
                    StoredEntry(number, entry.id, ms / 1000, entry.data)
                    for number, entry, ms in zip(
                        range(after.number + 1, after.number + 1 + len(entries)), entries, reply[1:], strict=True
                    )
                )
            )
        if reply[0] == 2:
            return Behind(tuple(_stored(item) for item in reply[1]))
        if reply[0] == 4:
            return Trimmed()
        return Diverged(Head(reply[1], reply[2].decode()) if len(reply) > 1 else None)

    async def read(self, table: str, after: int = 0) -> list[StoredEntry]:
        entries: list[StoredEntry] = []
        while True:
            last = entries[-1].number if entries else after
            command = ("XRANGE", _log(table), f"({last}-0", "+", "COUNT", READ_AT_ONCE)
            page = await self._pipe.one(command, changes=False)
            more = [_stored(item) for item in page]
            if entries and more and more[0].number != last + 1:
                entries.clear()  # trimmed while it was read, what has been read with it
            entries += more
            if len(page) < READ_AT_ONCE:
                return entries

    async def last(self, table: str, count: int) -> list[StoredEntry]:
        page = await self._pipe.one(("XREVRANGE", _log(table), "+", "-", "COUNT", count), changes=False)
        return [_stored(item) for item in reversed(page)]

    async def kept(self, table: str) -> Kept:
        fields = [field.decode() for field in await self._pipe.one(("HKEYS", _deals(table)), changes=False)]
        deals = sorted(int(field) for field in fields if not field.startswith(_READER))
        return Kept(tuple(deals), frozenset(field[len(_READER) :] for field in fields if field.startswith(_READER)))

    async def records(self, table: str, deals: Sequence[int]) -> dict[int, bytes]:
        if not deals:
            return {}
        reply = await self._pipe.one(("HMGET", _deals(table), *deals), changes=False)
        return {deal: data for deal, data in zip(deals, reply, strict=True) if data is not None}

    async def heads(self, tables: Sequence[str]) -> list[Head | None]:
        commands: list[Command] = [("XREVRANGE", _log(table), "+", "-", "COUNT", 1) for table in tables]
        replies = await self._pipe.many(commands, changes=False)
        return [_stored(reply[0]).head if reply else None for reply in replies]

    async def watch(self, table: str, wake: Callable[[Wake], None]) -> None:
        await self._watch.add(_channel(table), wake)

    async def unwatch(self, table: str) -> None:
        await self._watch.remove(_channel(table))

    async def say(self, table: str, id: str, data: bytes, ttl_s: int) -> None:
        where = (self._publish, _channel(table))
        command = ("EVALSHA", _SAY_SHA, 1, _chat(table), id, data, ttl_s * 1000, *where, CHAT_KEPT)
        await self._pipe.one(command, changes=True)

    async def said(self, table: str, count: int = CHAT_KEPT) -> list[Said]:
        reply = await self._pipe.one(("XREVRANGE", _chat(table), "+", "-", "COUNT", count), changes=False)
        return [Said(id.decode(), int(ms) / 1000, data) for _, (_, id, _, ms, _, data) in reversed(reply)]

    async def advertise(self, table: str, card: bytes, ttl_s: float = 300.0) -> None:
        commands: list[Command] = [
            ("SET", _card(table), card, "PX", _ms(ttl_s)),
            ("SADD", PUBLIC, table),
        ]
        await self._pipe.many(commands, changes=True)

    async def withdraw(self, table: str) -> None:
        await self._pipe.many([("SREM", PUBLIC, table), ("DEL", _card(table))], changes=True)

    async def advertised(self) -> dict[str, bytes]:
        members = await self._pipe.one(("SMEMBERS", PUBLIC), changes=False)
        tables = sorted(member.decode() for member in members)
        cards = await self._pipe.many([("GET", _card(table)) for table in tables], changes=False)
        listed = dict(zip(tables, cards, strict=True))
        stale = [table for table, card in listed.items() if card is None]
        if stale:
            # One that is advertised in this very moment may be lost; it will say so again.
            await self._pipe.one(("SREM", PUBLIC, *stale), changes=True)
        return {table: card for table, card in listed.items() if card is not None}

    async def announce(self, process: str, ttl_s: float) -> None:
        await self._pipe.one(("SET", _process(process), b"", "PX", _ms(ttl_s)), changes=True)

    async def alive(self, processes: Collection[str]) -> set[str]:
        names = list(processes)
        replies = await self._pipe.many([("EXISTS", _process(name)) for name in names], changes=False)
        return {name for name, there in zip(names, replies, strict=True) if there}

    async def greet(self, greeting: Greeting) -> None:
        said = msgpack.packb(("hello", greeting.opened, greeting.connection, greeting.player))
        await self._pipe.one((self._publish, GREETINGS, said), changes=False)

    async def hear_greetings(self, heard: Callable[[Greeting], None]) -> None:
        def wake(what: Wake | Greeting) -> None:
            if isinstance(what, Greeting):
                heard(what)

        await self._watch.add(GREETINGS, wake)

    async def up_s(self) -> float:
        # Of the youngest node: what another process had announced there may be gone.
        return min(float(info["uptime_in_seconds"]) for info in await self._server_infos())

    async def now(self) -> float:
        seconds, microseconds = await self._pipe.one(("TIME",), changes=False)
        return int(seconds) + int(microseconds) / 1_000_000

    async def close(self) -> None:
        await self._watch.close()
        await self._pipe.close()

    async def _server_infos(self) -> list[dict[str, str]]:
        return [read_info(text) for text in await self._pipe.each(("INFO", "server"))]

    async def _check_server(self) -> None:
        for info in await self._server_infos():
            mode = info.get("redis_mode") or info.get("server_mode", "standalone")  # the second is what Valkey says
            if mode != self._mode:
                raise StoreUnavailable(f"It is {_INSTEAD.get(mode, f'a {mode} server, which we do not know')}.")
            version = info.get("redis_version", "")  # Valkey says there which Redis it is like
            if not _at_least(version, OLDEST_REDIS):
                raise StoreUnavailable(f"It says version {version or 'unknown'}; Redis 7.0 or Valkey 8 is the oldest.")

    async def _warn_of_loss(self, name: str) -> None:
        infos = [read_info(text) for text in await self._pipe.each(("INFO", "persistence"))]
        if any(info.get("aof_enabled") == "0" for info in infos):
            log.warning("the store at %s keeps no append-only file: when it ends, all tables are lost", name)


def _lines(place: Place, timing: Timing) -> tuple[Line, Watcher]:
    scripts = (_APPEND, _SAY)
    if place.kind is Kind.CLUSTER:
        slots = Slots(place.addresses, place.link_to, timing)
        router = Router(slots, place.link_to, timing, scripts)
        return router, ClusterWatch(slots, place.link_to, router.line, timing)
    link, again = place.link, NOT_YET
    if place.sentinel_link_to is not None:
        sentinels = Sentinels(place.addresses, place.service, place.sentinel_link_to, timing)
        link, again = lambda: MasterLink(sentinels, place.link_to), NOT_YET | DEMOTED
    pipe = Pipe(link, timing, scripts, again=again)
    return pipe, Watch(link, lambda: pipe, timing)


def _at_least(version: str, oldest: tuple[int, int]) -> bool:
    try:
        major, minor = version.split(".")[:2]
        return (int(major), int(minor)) >= oldest
    except ValueError:
        return False


def _stored(item: list[Any]) -> StoredEntry:
    """Read an entry as XRANGE gives it: [b"7-0", [b"i", id, b"t", ms, b"d", data]]."""
    fields: Reply = item[1]
    return StoredEntry(int(item[0].partition(b"-")[0]), fields[1].decode(), int(fields[3]) / 1000, fields[5])


def _log(table: str) -> str:
    return f"{{t:{table}}}:log"


def _deals(table: str) -> str:
    return f"{{t:{table}}}:deals"


def _fields(record: Record) -> tuple[str | bytes, ...]:
    """Return what is to be set in the hash of records: names and values by turns."""
    readers = [part for name in record.readers for part in (_READER + name, b"")]
    return (str(record.deal), record.data, *readers)


def _chat(table: str) -> str:
    return f"{{t:{table}}}:chat"


def _card(table: str) -> str:
    return f"{{t:{table}}}:card"


def _channel(table: str) -> str:
    return f"{{t:{table}}}:wake"


def _process(name: str) -> str:
    return f"p:{name}"


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000))
