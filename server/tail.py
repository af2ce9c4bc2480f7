"""The end of a table's log: how much of it is read, and the table from which it is folded on."""

from collections.abc import Sequence

from server import entries as d
from server.snapshot import restored
from server.store import Store, StoredEntry
from server.table import Table

TAIL = 512
"""So many entries are read to find the last checkpoint of a log: more than ever follow one."""


async def read_tail(store: Store, table: str) -> list[StoredEntry]:
    """Read the end of the log, as much as has a checkpoint in it; or all of it, if it has none yet."""
    tail = await store.last(table, TAIL)
    if not tail or tail[0].number == 1 or _last_checkpoint(tail) is not None:
        return tail
    return await store.read(table)


def start(table: str, tail: Sequence[StoredEntry]) -> tuple[Table, Sequence[StoredEntry]]:
    """Return the table as its last checkpoint has it, else an empty one, and the entries to be folded from there on.

    Raises UnknownEntry.
    """
    found = _last_checkpoint(tail)
    if found is None:
        return Table(table), tail
    place, checkpoint = found
    return restored(table, tail[place].number, checkpoint), tail[place:]


def _last_checkpoint(tail: Sequence[StoredEntry]) -> tuple[int, d.Checkpoint] | None:
    """Return the last checkpoint among entries, and its place."""
    for place in range(len(tail) - 1, -1, -1):
        deed = d.decode(tail[place].data).deed
        if isinstance(deed, d.Checkpoint):
            return place, deed
    return None
