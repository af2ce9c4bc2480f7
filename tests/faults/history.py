"""What the store has held: the logs and the talk of all tables at the end of each era."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from protocol import messages as m
from protocol.codec import decode_message
from server import entries as d
from server.redis_store import RedisStore
from server.store import Head, StoredEntry
from tests.faults.programs import Programs, reader, reader_of_copy


@dataclass(slots=True)
class Era:
    """One table's log, its talk and the records of its deals when an era ended."""

    stored: Sequence[StoredEntry]
    talk: Counter[str]
    records: Mapping[int, bytes] = field(default_factory=dict)
    entries: list[d.Entry] = field(default_factory=list)
    done: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    """The entries that each command of each player has become."""

    def __post_init__(self) -> None:
        found: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for one in self.stored:
            entry = d.decode(one.data)
            self.entries.append(entry)
            if entry.command:
                found[entry.by, entry.command].append(one.number)
        self.done = dict(found)

    def has(self, head: Head) -> bool:
        """Say whether the log has this entry."""
        return 0 < head.number <= len(self.stored) and self.stored[head.number - 1].id == head.id

    def lost_from(self, before: "Era") -> int:
        """Return the number of the last entry that it has from the era before, if that had more; else 0."""
        if self.has(before.stored[-1].head):
            return 0
        return max(one.number for one in before.stored if self.has(one.head))


History = list[Era]
"""One table's eras."""


async def histories(programs: Programs, ends: Sequence[Path], tables: Sequence[str]) -> dict[str, History]:
    """Read all eras of all tables: the last from the store as it runs, the others from what was kept at their ends."""
    async with reader(programs.store) as store:  # first of all: nobody plays now, but connections may yet break
        last = await _read(store, tables)
    eras: list[dict[str, Era]] = []
    for copy in ends:
        async with reader_of_copy(copy) as store:
            eras.append(await _read(store, tables))
    return {table: [era[table] for era in (*eras, last)] for table in tables}


async def _read(store: RedisStore, tables: Sequence[str]) -> dict[str, Era]:
    read: dict[str, Era] = {}
    for table in tables:
        said = [decode_message(line.data) for line in await store.said(table)]
        talk = Counter(line.text for line in said if isinstance(line, m.Said))
        records = await store.records(table, (await store.kept(table)).deals)
        read[table] = Era(await store.read(table), talk, records)
    return read
