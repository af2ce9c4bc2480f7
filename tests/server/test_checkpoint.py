"""Checkpoints: a table made from one is the table that was, and a log is read from the last one on."""

from random import Random

import pytest

from protocol import messages as m
from rules.registry import GAMES
from server import entries as d
from server.decide import CheckpointDue
from server.entries import UnknownEntry
from server.open_table import OpenTable
from server.snapshot import restored, take
from server.store import Head
from server.table import CHECKPOINT_EVERY, Table
from tests.server.house import AT_ONCE
from tests.server.memory_store import MemoryStore, MemoryWorld
from tests.server.rig import Rig, digest


def again(table: Table) -> Table:
    """Return the table as another process would make it from a checkpoint taken now."""
    made = restored(table.id, table.head.number + 1, take(table))
    # What a checkpoint need not keep, since the entry itself tells it.
    assert made.head == Head(table.head.number, "")
    made.head, made.time = table.head, table.time
    made.checkpoint, made.checkpoint_deal = table.checkpoint, table.checkpoint_deal
    return made


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_a_table_made_from_a_checkpoint_is_the_table(game: str, seed: int) -> None:
    rig, rng = Rig(game=game), Random(seed)
    assert digest(again(rig.table)) == digest(rig.table)
    rig.playing()
    for _ in range(2):
        while rig.table.stage == "playing":
            rig.act(rng)
            if rng.randrange(4) == 0:
                assert digest(again(rig.table)) == digest(rig.table)
        assert digest(again(rig.table)) == digest(rig.table)
        rig.agree()
    rig.drop("bob")
    rig.now += 61
    rig.must("ann", m.SeatBot(rig.next_id("ann"), rig.table.game.seats.names[1]))
    rig.arrive("eve")
    assert digest(again(rig.table)) == digest(rig.table)


def test_what_was_accepted_is_remembered_across_a_checkpoint() -> None:
    rig, rng = Rig().playing(), Random(3)
    for _ in range(80):
        if rig.table.stage != "playing":
            rig.agree()
        rig.act(rng)
    made = again(rig.table)
    assert made.members["ann"].answers == rig.table.members["ann"].answers != {}
    assert list(made.members) == list(rig.table.members)


def test_one_is_due_at_the_end_of_a_deal_and_not_again() -> None:
    rig = Rig().playing()
    assert rig.give(CheckpointDue()) == ()
    rig.play_deal(Random(1))
    assert rig.table.checkpoint_due
    (kept,) = rig.give(CheckpointDue())  # type: ignore[misc]  # a tuple of one entry
    assert isinstance(kept.deed, d.Checkpoint) and (kept.by, kept.command) == ("clock", 0)
    assert rig.table.checkpoint == rig.table.head.number and rig.give(CheckpointDue()) == ()
    rig.agree()
    assert not rig.table.checkpoint_due


def test_one_is_due_where_much_happens_between_deals() -> None:
    rig = Rig()
    rig.arrive("ann")
    while rig.table.head.number < CHECKPOINT_EVERY:
        assert not rig.table.checkpoint_due
        rig.must("ann", m.SetName(rig.next_id("ann"), f"Ann {rig.table.head.number}"))
    assert rig.table.checkpoint_due


async def test_a_checkpoint_that_differs_from_what_was_folded_stops_the_table() -> None:
    rig = Rig().playing()
    rig.play_deal(Random(1))
    kept = take(rig.table)
    rig.append(d.entry("clock", d.Checkpoint(kept.state, kept.digest[::-1])))
    world = MemoryWorld(logs={"t": rig.log})
    table = OpenTable("t", "p1", MemoryStore(world), lambda: world.seconds, AT_ONCE)
    with pytest.raises(UnknownEntry, match="is not what the entries before it come to"):
        await table.load()
    rig.log[-1] = rig.log[-1].__class__(
        rig.log[-1].number, rig.log[-1].id, rig.log[-1].time, d.encode(d.entry("clock", d.Checkpoint(b"?", "")))
    )
    with pytest.raises(UnknownEntry, match="cannot be read"):
        await OpenTable("t", "p2", MemoryStore(world), lambda: world.seconds, AT_ONCE).load()
