"""What the store has held: the logs and the talk of all tables at the end of each era."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol import messages as m
from protocol.codec import decode_message
from server import entries as d
from server.redis_store import RedisStore
from server.store import StoredEntry
from tests.faults.programs import Programs
from tests.faults.trouble import Trouble


@dataclass(slots=True)
class Era:
    """One table's log and talk when an era ended."""

    stored: Sequence[StoredEntry]
    talk: Counter[str]
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

    def has(self, number: int, id: str) -> bool:
        """Say whether the log has this entry."""
        return 0 < number <= len(self.stored) and self.stored[number - 1].id == id

    def shared(self, before: "Era") -> int:
        """Return the number of the last entry that it has from the era before, if that had more; else 0."""
        last = before.stored[-1]
        if self.has(last.number, last.id):
            return 0
        return max(one.number for one in before.stored if self.has(one.number, one.id))


History = list[Era]
"""One table's eras."""


async def histories(programs: Programs, trouble: Trouble, tables: Sequence[str]) -> dict[str, History]:
    """Read all eras of all tables: the last from the store as it runs, the others from what was copied."""
    found: dict[str, History] = {table: [] for table in tables}
    for copy in trouble.ends:
        async with programs.opened(copy) as store:
            await _read(store, found)
    async with programs.store.reader() as store:
        await _read(store, found)
    return found


async def _read(store: RedisStore, found: dict[str, History]) -> None:
    for table, history in found.items():
        said = [decode_message(line.data) for line in await store.said(table)]
        talk = Counter(line.text for line in said if isinstance(line, m.Said))
        history.append(Era(await store.read(table), talk))
