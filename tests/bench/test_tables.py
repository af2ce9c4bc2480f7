"""The measurement of many tables runs from end to end, and of tables that were closed no object is kept."""

import asyncio
import gc
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from bench.__main__ import TABLES_WORDS
from bench.client import Address
from bench.tables import Visit
from protocol.messages import SUBPROTOCOL
from server.connection import Connection
from server.embedded import EmbeddedStore
from server.open_table import OpenTable, TableTiming
from server.redis_store import RedisStore
from server.redis_watch import Watched
from server.render import Folded
from server.service import Service
from server.session import Session
from server.store import StoredEntry
from server.table import Deal, Member, Table
from tests.stores import WITHIN_S

ROOT = Path(__file__).resolve().parent.parent.parent
OF_A_TABLE = (OpenTable, Table, Deal, Member, Folded, StoredEntry, Watched, Session, Connection)


def test_nothing_is_left_of_twenty_tables(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    command = [sys.executable, "-m", "bench", "tables", "--count", "20", "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    figures = json.loads(file.read_text("utf-8"))
    assert list(figures) == [*TABLES_WORDS, "samples"]
    assert figures["tables"] == 20
    assert figures["open_left"] == 0
    # The log and the card of each, the warm-up's too, and the set of public tables.
    assert figures["keys"] == 2 * 21 + 1
    assert (figures["keys_for_ever"], figures["keys_left"]) == (0, 0)
    assert [sample["tables"] for sample in figures["samples"]] == list(range(0, 21, 2))


async def test_no_object_of_a_closed_table_is_kept(tmp_path: Path) -> None:
    async with await EmbeddedStore.start(tmp_path) as embedded:
        store = await RedisStore.connect(embedded.url)
        service = await Service.start("127.0.0.1", 0, store, TableTiming(bot_s=0.0))
        try:
            before, running = objects_of_tables(), asyncio.all_tasks()
            address = Address("127.0.0.1", service.listener.port, SUBPROTOCOL)
            await asyncio.gather(*(Visit().pay(address) for _ in range(20)))
            async with asyncio.timeout(WITHIN_S):
                while tasks := begun_since(running):
                    await asyncio.wait(tasks)
            await service.listener.drain(1000, "", WITHIN_S)
            assert objects_of_tables() - before == Counter()
        finally:
            await service.stop()
            await store.close()


def begun_since(running: set[asyncio.Task[None]]) -> list[asyncio.Task[None]]:
    """Return the tasks of tables and connections: those of the store begin with the first table, and go on."""
    return [task for task in asyncio.all_tasks() - running if not task.get_name().startswith("store ")]


def objects_of_tables() -> Counter[str]:
    """Count the objects that a table and its connections are made of."""
    gc.collect()
    return Counter(type(one).__name__ for one in gc.get_objects() if isinstance(one, OF_A_TABLE))
