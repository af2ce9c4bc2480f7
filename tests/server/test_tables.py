"""The tables of a process: each is loaded once, closed and loaded again; the patrol; the list; the end."""

import asyncio
import logging

import pytest

from protocol import messages as m
from server import entries as d
from server.decide import Refusal
from server.entries import entry
from server.open_table import OpenTable
from server.render import card_bytes, parse_card
from server.session import CLOSE_REPLACED, CLOSE_RESTARTING
from server.store import START, NewEntry, StoreError
from server.table import CHECKPOINT_EVERY
from server.tables import LISTED, PATROL_S, PRESENCE_TTL_S, RELIST_ROUNDS, WITNESS_ROUNDS
from tests.server.fake_client import Client, Process
from tests.server.house import deeds, some_turns, until
from tests.server.memory_store import Fault, MemoryWorld


@pytest.fixture
def world() -> MemoryWorld:
    return MemoryWorld()


@pytest.fixture
def process(world: MemoryWorld) -> Process:
    return Process(world)


# --- opening and closing


async def test_a_table_is_loaded_once_however_many_ask(process: Process) -> None:
    table = await process.new_table()
    gate = process.store.shut("read")
    asking = [asyncio.create_task(process.tables.get(table)) for _ in range(20)]
    await some_turns()
    gate.set()
    found = await asyncio.gather(*asking)
    assert len(set(map(id, found))) == 1 and isinstance(found[0], OpenTable) and found[0].expected == 20
    assert process.store.calls["read"] == process.store.calls["watch"] == 1
    await process.stop()


async def test_who_goes_away_while_a_table_is_loaded_does_not_hinder_the_others(process: Process) -> None:
    table = await process.new_table()
    gate = process.store.shut("read")
    asking = [asyncio.create_task(process.tables.get(table)) for _ in range(3)]
    await some_turns()
    asking[0].cancel()
    gate.set()
    found = await asyncio.gather(*asking, return_exceptions=True)
    assert isinstance(found[0], asyncio.CancelledError) and isinstance(found[1], OpenTable) and found[1] is found[2]
    assert found[1].expected == 2
    await process.stop()


@pytest.mark.parametrize("turns", range(12))
async def test_a_table_that_nobody_waits_for_any_more_is_closed(
    process: Process, world: MemoryWorld, turns: int
) -> None:
    table = await process.new_table()
    asking = asyncio.create_task(process.tables.get(table))
    await some_turns(turns)
    if asking.done():
        asking.result().unexpect()  # type: ignore[union-attr]
    asking.cancel()
    await until(lambda: not process.tables._held)
    assert process.tables.tables() == [] and not world.watchers.get(table)
    await process.stop()


async def test_a_table_is_loaded_afresh_when_it_is_on_its_way_out(process: Process, world: MemoryWorld) -> None:
    table = await process.new_table()
    ann = await process.joined("ann", table)
    gate = process.store.shut("unwatch")
    ann.vanish()
    await until(lambda: process.store.calls["unwatch"] == 1)
    bob = await process.greeted("bob")
    bob.say(m.JoinTable(7, table))
    await some_turns()  # and the loop goes on turning
    assert bob.answers(7) == []
    gate.set()
    await until(lambda: bob.answers(7))
    assert isinstance(bob.answers(7)[0], m.Accepted)
    assert len(world.watchers[table]) == 1
    await process.stop()


async def test_there_is_no_such_table(process: Process, world: MemoryWorld) -> None:
    for _ in range(2):
        found = await asyncio.gather(*[process.tables.get("nowhere") for _ in range(3)])
        assert [refusal.code for refusal in found if isinstance(refusal, Refusal)] == ["table.unknown"] * 3
    assert not world.watchers["nowhere"] and process.tables.tables() == []
    await process.stop()


async def test_a_store_that_is_away_is_said_to_be_so_to_all_who_ask(process: Process) -> None:
    table = await process.new_table()
    process.store.away = True
    found = await asyncio.gather(*[process.tables.get(table) for _ in range(3)], return_exceptions=True)
    assert all(isinstance(error, StoreError) for error in found)
    process.store.away = False
    assert isinstance(await process.tables.get(table), OpenTable)
    await process.stop()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"garbage", "rules.unknown_version"),
        (d.encode(entry("p", d.TableOpened("auction_bridge", 4, {}, 99))), "rules.unknown_version"),
        (d.encode(entry("p", d.TableOpened("mus", 4, {}, 1))), "rules.unknown_version"),
        (d.encode(entry("p", d.Left("p"))), "rules.unknown_version"),
    ],
)
async def test_a_log_that_this_server_does_not_know_is_left_alone(process: Process, data: bytes, code: str) -> None:
    await process.store.append("t", START, [NewEntry("strange-entry", data)], 0)
    refused = await process.tables.get("t")
    assert isinstance(refused, Refusal) and refused.code == code and refused.message.endswith(".")
    assert len(process.world.logs["t"]) == 1
    await process.stop()


async def test_a_log_that_makes_no_sense_is_refused_and_noted(
    process: Process, caplog: pytest.LogCaptureFixture
) -> None:
    table = await process.new_table()
    head = process.world.logs[table][-1].head
    await process.store.append(table, head, [NewEntry("strange-entry", d.encode(entry("p", d.Agreed(9))))], 0)
    refused = await process.tables.get(table)
    assert isinstance(refused, Refusal) and refused.code == "table.unreadable"
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "Traceback" not in caplog.text and "IndexError" in caplog.text
    await process.stop()


async def test_a_connection_of_this_process_that_the_log_still_has_is_a_ghost(
    process: Process, world: MemoryWorld
) -> None:
    table = await process.new_table()
    head = world.logs[table][-1].head
    arrived = d.encode(entry("zoe", d.Arrived("zoe", "Zoe", process.tables.process, "gone")))
    sat_down = d.encode(entry("zoe", d.SatDown("zoe", 0)))
    await process.store.append(
        table, head, [NewEntry("ghost-entry-1", arrived), NewEntry("ghost-entry-2", sat_down)], 0
    )
    await process.joined("ann", table)
    await until(lambda: deeds(world, d.Dropped, table))
    await process.stop()


# --- connections that were given up long ago, at a process that slept


async def ghost(world: MemoryWorld, asleep_at: str) -> tuple[Process, Process, str, Client, asyncio.Event]:
    """A player has connected to a process that goes to sleep over her joining a table, and is long at another.

    Return both processes, the table, her first connection, and what wakes the first process.
    """
    one, two = Process(world, "p1"), Process(world, "p2")
    world.greeters.clear()  # that she has said hello at the other is not heard
    table = await two.new_table()
    first = await one.greeted("ann")
    gate = one.store.shut(asleep_at)
    first.say(m.JoinTable(first.next_id(), table))
    await some_turns()
    world.seconds += 20
    return one, two, table, first, gate


@pytest.mark.parametrize("asleep_at", ["watch", "read", "append"])
async def test_a_connection_that_was_given_up_does_not_throw_out_the_later_one(
    world: MemoryWorld, asleep_at: str
) -> None:
    one, two, table, first, gate = await ghost(world, asleep_at)
    second = await two.joined("ann", table)
    gate.set()
    await until(lambda: first.closing)
    await some_turns()
    assert second.closing is None and first.closing is not None and first.closing[0] == CLOSE_RESTARTING
    assert first.told(m.Rejected)[-1].code == "server.busy"
    assert [deed.connection for deed in deeds(world, d.Arrived, table)] == [second.session.connection]
    assert two.tables.tables()[0].table.present(second.session.player)
    await one.stop()
    await two.stop()


async def test_it_does_not_where_the_later_one_came_before_a_checkpoint(world: MemoryWorld) -> None:
    one, two, table, first, gate = await ghost(world, "read")
    second = await two.joined("ann", table)
    for _ in range(CHECKPOINT_EVERY + 5):
        assert isinstance(await second.ask(m.SetName(second.next_id() + 100, "Anne")), m.Accepted)
    assert len(deeds(world, d.Checkpoint, table)) == 1
    gate.set()
    await until(lambda: first.closing)
    assert second.closing is None
    await one.stop()
    await two.stop()


async def test_it_does_not_take_a_player_for_there_who_is_away(world: MemoryWorld) -> None:
    one, two, table, first, gate = await ghost(world, "append")
    second = await two.joined("ann", table)
    await second.ask(m.TakeSeat(9, "N"))
    second.vanish()
    await until(lambda: deeds(world, d.Dropped, table))
    gate.set()
    await until(lambda: first.closing)
    assert len(deeds(world, d.Arrived, table)) == 1
    await one.stop()
    await two.stop()


async def test_who_is_still_there_comes_by_a_new_connection(world: MemoryWorld) -> None:
    one, two, table, first, gate = await ghost(world, "append")
    second = await two.joined("ann", table)
    gate.set()
    await until(lambda: first.closing)
    world.seconds += 1
    third = await one.joined("ann", table)
    await until(lambda: second.closing)
    assert second.closing is not None and second.closing[0] == CLOSE_REPLACED and third.closing is None
    await one.stop()
    await two.stop()


async def test_a_clock_that_has_gone_back_keeps_nobody_out(world: MemoryWorld) -> None:
    one, two = Process(world, "p1"), Process(world, "p2")
    table = await two.new_table()
    first = await two.joined("ann", table)
    world.seconds -= 5 * 3600.0
    second = await one.joined("ann", table)
    await until(lambda: first.closing)
    assert second.closing is None
    await one.stop()
    await two.stop()


# --- making


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (m.CreateTable(1, "whist"), "game.unknown"),
        (m.CreateTable(1, "auction_bridge", 3), "game.players"),
        (m.CreateTable(1, "auction_bridge", options={"wild": True}), "options.unknown"),
        (m.CreateTable(1, "auction_bridge", options={"slams": 1}), "options.bad_value"),
        (m.CreateTable(1, "auction_bridge", options={"dealer_may_pass": 1}), "options.bad_value"),
        (m.CreateTable(1, "auction_bridge", options={"claims": "agreed"}), "options.not_at_tables"),
        (m.CreateTable(1, "auction_bridge", options={"nullos": "on", "count": "1908"}), "options.contradictory"),
    ],
)
async def test_tables_that_cannot_be_made(process: Process, asked: m.CreateTable, code: str) -> None:
    refused = await process.tables.make("ann", asked)
    assert isinstance(refused, Refusal) and refused.code == code
    assert process.world.logs == {}


@pytest.mark.parametrize("fault", [Fault.SAVED_IN_DOUBT, Fault.LOST_IN_DOUBT])
async def test_a_table_is_made_once_although_the_answer_was_lost(process: Process, fault: Fault) -> None:
    process.store.faults.extend([fault, Fault.UNAVAILABLE, fault])
    table = await process.new_table()
    assert len(process.world.logs[table]) == 1


# --- patrol


async def test_a_lost_wake_up_is_found_by_the_patrol(process: Process, world: MemoryWorld) -> None:
    other = Process(world, "p2")
    tables = [await process.new_table() for _ in range(3)]
    here = [await process.joined("ann", tables[0]), await process.joined("eve", tables[1])]
    world.watchers[tables[0]], kept = [], world.watchers[tables[0]]
    bob = await other.joined("bob", tables[0])
    assert isinstance(await bob.ask(m.TakeSeat(9, "N")), m.Accepted)
    heard = [len(client.frames) for client in here]
    await some_turns()
    assert heard == [len(client.frames) for client in here]
    world.watchers[tables[0]] = [*kept, *world.watchers[tables[0]]]
    reads = process.store.calls["read"]
    await process.tables.patrol()
    await until(lambda: here[0].told(m.Entry))
    assert here[0].told(m.Entry)[-1].number == world.logs[tables[0]][-1].number
    assert process.store.calls["read"] == reads + 1, "the quiet table was not read"
    await process.stop()
    await other.stop()


async def gone_quiet(world: MemoryWorld) -> tuple[Process, Process, str, Client]:
    """Two processes with a player each; the second, where Bob is, says nothing any more."""
    one, two = Process(world, "p1"), Process(world, "p2")
    table = await one.new_table()
    ann, bob = await one.joined("ann", table), await two.joined("bob", table)
    for client, seat in ((ann, "N"), (bob, "E")):
        await client.ask(m.TakeSeat(9, seat))
    await two.tables.patrol()
    return one, two, table, ann


async def rounds(process: Process, count: int) -> None:
    for _ in range(count):
        process.world.seconds += PATROL_S
        await process.tables.patrol()
        await some_turns()


async def test_the_connections_of_a_dead_process_are_lost(world: MemoryWorld) -> None:
    one, two, table, ann = await gone_quiet(world)
    two.store.away = True
    await rounds(one, int(PRESENCE_TTL_S / PATROL_S))
    assert deeds(world, d.Dropped, table) == [], "its announcement still stands"
    await rounds(one, 2)
    assert [deed.reason for deed in deeds(world, d.Dropped, table)] == ["server_gone"]
    dropped = [event for told in ann.told(m.Entry) for event in told.events if isinstance(event, m.PlayerDropped)]
    assert [(event.reason, event.seat) for event in dropped] == [("server_gone", "E")]
    assert one.tables.tables()[0].table.present(ann.session.player)
    await one.stop()
    await two.stop()


async def test_nobody_is_dead_before_the_store_has_been_up_for_one_lifetime(world: MemoryWorld) -> None:
    one, two, table, _ = await gone_quiet(world)
    for _ in range(WITNESS_ROUNDS + 1):
        await rounds(one, 1)
        await two.tables.patrol()
    world.presence.clear()
    world.started = world.seconds  # it was restarted just now, and has forgotten who is there
    await rounds(one, int(PRESENCE_TTL_S / PATROL_S))
    assert deeds(world, d.Dropped, table) == []
    await rounds(one, 1)
    assert len(deeds(world, d.Dropped, table)) == 1
    await one.stop()
    await two.stop()


async def test_who_could_not_reach_the_store_himself_calls_nobody_dead(world: MemoryWorld) -> None:
    one, two, table, _ = await gone_quiet(world)
    await rounds(one, WITNESS_ROUNDS)
    one.store.away = two.store.away = True
    await rounds(one, WITNESS_ROUNDS)
    one.store.away = False
    await rounds(one, WITNESS_ROUNDS - 1)
    assert deeds(world, d.Dropped, table) == [], "the other has had no time to say that he is back"
    two.store.away = False
    await rounds(two, 1)
    await rounds(one, 2)
    assert deeds(world, d.Dropped, table) == []
    await one.stop()
    await two.stop()


async def test_the_patrol_says_whether_the_store_answers(process: Process, caplog: pytest.LogCaptureFixture) -> None:
    assert not process.tables.healthy
    await process.tables.patrol()
    assert process.tables.healthy
    process.store.away = True
    for _ in range(3):
        await process.tables.patrol()
    assert not process.tables.healthy
    assert len(caplog.records) == 1, "it is said once"
    process.store.away = False
    await process.tables.patrol()
    assert process.tables.healthy and process.tables.process in process.world.presence
    await process.stop()


async def test_a_round_that_fails_does_not_end_the_patrol(
    process: Process, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("server.tables.PATROL_S", 0)
    monkeypatch.setattr(process.tables, "_look_at_heads", lambda tables: 1 / 0)
    patrolling = asyncio.create_task(process.tables.keep_patrolling())
    await until(lambda: len(caplog.records) > 2)
    patrolling.cancel()
    await asyncio.gather(patrolling, return_exceptions=True)
    assert "ZeroDivisionError" in caplog.text and "Traceback" not in caplog.text


async def test_the_clock_is_the_stores(process: Process, world: MemoryWorld) -> None:
    process.tables.clock.set(5.0)
    await process.tables.patrol()
    assert process.tables.clock.now() == world.seconds
    world.seconds += 10
    assert process.tables.clock.now() == world.seconds


# --- the list


async def test_public_tables_are_listed_until_they_end(process: Process) -> None:
    public, private = await process.new_table({"slams": "english"}), await process.new_table(private=True)
    ann = await process.joined("ann", public)
    await until(lambda: public in process.world.cards)
    refused = await ann.ask(m.JoinTable(8, private))
    assert isinstance(refused, m.Rejected) and refused.code == "table.private"
    (card,) = await process.tables.listed()
    assert (card.table, card.options, card.stage) == (public, {"slams": "english"}, "gathering")
    await ann.ask(m.TakeSeat(9, "N"))
    await some_turns()
    (card,) = await process.tables.listed()
    assert card.seats[0].name == "Ann"
    await ann.ask(m.EndTable(10))
    await until(lambda: not process.world.cards)
    await process.stop()


async def test_the_list_is_said_again_before_it_goes_stale(process: Process, world: MemoryWorld) -> None:
    table = await process.new_table()
    await process.joined("ann", table)
    await until(lambda: table in world.cards)
    for _ in range(4):
        await rounds(process, RELIST_ROUNDS)
        assert [card.table for card in await process.tables.listed()] == [table]
    await process.stop()


async def test_the_list_is_short_and_begins_with_free_seats(process: Process) -> None:
    for number in range(LISTED + 20):
        seats = [m.SeatPart(seat, "p" if number % 2 else None) for seat in "NESW"]
        one = m.TableCard(f"t{number:03}", "g", "G", 4, {}, seats, "gathering")
        await process.store.advertise(one.table, card_bytes(one))
    await process.store.advertise("broken", b"\xc1")
    await process.store.advertise("later", b"\x91\x01")
    listed = await process.tables.listed()
    assert len(listed) == LISTED and all(card.seats[0].player is None for card in listed[: LISTED // 2])
    assert parse_card(b"") is None


# --- the end


async def test_the_end_comes_within_its_limit(process: Process) -> None:
    table = await process.new_table()
    ann = await process.joined("ann", table)
    process.store.shut("append")
    ann.say(m.TakeSeat(9, "N"))
    await some_turns()
    async with asyncio.timeout(20):
        await process.sessions.departed(0.01)
        await process.tables.stop(0.01)
    assert process.tables.tables() == [] and ann.answers(9) == []
    del process.store.gates["append"]
    await process.stop()


async def test_what_was_handed_over_is_finished_before_the_end(process: Process, world: MemoryWorld) -> None:
    table = await process.new_table()
    ann = await process.joined("ann", table)
    for id in range(9, 30):
        ann.say(m.SetName(id, f"Ann {id}"))
    await process.tables.stop(20)
    assert len(deeds(world, d.Renamed, table)) == 21
    assert all(isinstance(ann.answers(id)[0], m.Accepted) for id in range(9, 30))
    await process.stop()
