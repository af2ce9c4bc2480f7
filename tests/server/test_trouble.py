"""An open table in trouble: a store that is away or in doubt, clients that come back, a log that makes no sense."""

import logging
from random import Random

import pytest

from protocol import messages as m
from server import entries as d
from server.decide import Refusal
from server.entries import entry
from server.recent import RECENT
from server.store import NewEntry
from tests.server.house import House, Opener, agreeing, deeds, house, opened, some_turns, true_to, until, world
from tests.server.memory_store import Fault, MemoryWorld

__all__ = ["house", "opened", "world"]

# --- a store that is away or in doubt


async def test_what_was_never_sent_is_refused_as_unavailable(house: House, world: MemoryWorld) -> None:
    await house.guest("ann")
    house.store.faults.append(Fault.UNAVAILABLE)
    answer = await house.ask("ann", m.TakeSeat(1, "N"))
    assert isinstance(answer, Refusal) and answer.code == "store.unavailable"
    assert deeds(world, d.SatDown) == []
    assert isinstance(await house.ask("ann", m.TakeSeat(1, "N")), int)


@pytest.mark.parametrize("saved", [True, False])
async def test_in_doubt_nothing_is_decided_until_it_is_known(house: House, world: MemoryWorld, saved: bool) -> None:
    ann = await house.guest("ann")
    doubt = Fault.SAVED_IN_DOUBT if saved else Fault.LOST_IN_DOUBT
    house.store.faults.extend([doubt, Fault.UNAVAILABLE, Fault.LOST_IN_DOUBT, Fault.UNAVAILABLE])
    answers = house.send("ann", m.TakeSeat(1, "N"))
    later = house.send("ann", m.TakeSeat(2, "E"))
    heard = len(ann.frames)
    while house.store.faults:
        assert not answers and not later and len(ann.frames) == heard
        await some_turns(1)
    await until(lambda: answers and later)
    await some_turns()
    assert len(answers) == len(later) == 1
    assert isinstance(answers[0], int) and later == [answers[0] + 1]
    assert [deed.seat for deed in deeds(world, d.SatDown)] == [0, 1]
    assert ann.numbers == sorted(set(ann.numbers))


async def test_in_doubt_and_overtaken_it_is_decided_again(opened: Opener, world: MemoryWorld) -> None:
    one, two = await opened("p1"), await opened("p2")
    await one.guest("ann")
    await two.guest("bob")
    await agreeing(world, one, two)
    one.store.faults.append(Fault.LOST_IN_DOUBT)
    gate = one.store.shut("append")
    answers = one.send("ann", m.TakeSeat(1, "N"))
    await two.ask("bob", m.TakeSeat(1, "N"))
    gate.set()
    await until(lambda: answers)
    assert isinstance(answers[0], Refusal) and answers[0].code == "seat.taken"
    await agreeing(world, one, two)


async def test_a_connection_that_is_lost_while_the_store_is_away_is_no_ghost(house: House, world: MemoryWorld) -> None:
    ann = await house.guest("ann")
    await house.guest("bob")
    await house.ask("ann", m.TakeSeat(1, "N"))
    house.store.away = True
    house.open.dismiss(ann)
    await house.open.leave(ann, "lost")
    await some_turns(200)
    assert house.table.present("ann"), "nothing can be saved now"
    house.store.away = False
    await until(lambda: not house.table.present("ann"))
    assert len(deeds(world, d.Dropped)) == 1


async def test_the_table_goes_on_when_the_store_is_back(house: House, world: MemoryWorld) -> None:
    await house.seat_bots()
    house.store.away = True
    await some_turns(200)
    refused = await house.ask("ann", m.LeaveSeat(house.next_id("ann")))
    assert isinstance(refused, Refusal) and refused.code == "store.unavailable"
    house.store.away = False
    await house.play_with_bots()
    true_to(world, house)


# --- coming back


async def test_who_comes_back_gets_exactly_what_was_missed(house: House, world: MemoryWorld) -> None:
    guests = await house.four()
    rng = Random(4)
    ann = guests[0]
    has = world.logs["t"][-1]
    house.open.dismiss(ann)
    await house.open.leave(ann, "lost")
    for _ in range(6):
        await house.act(rng)
    back = await house.guest("ann", (has.number, has.id))
    assert back.told(m.TableView) == []
    assert back.numbers == list(range(has.number + 1, world.logs["t"][-1].number + 1))
    assert [one.entry for one in back.told(m.Entry)] == [one.id for one in world.logs["t"][has.number :]]
    turns = [one.turn for one in back.told(m.Entry) if one.turn is not None]
    assert len(turns) == len(back.numbers) and {turn.deal for turn in turns} == {1}
    assert [turn.legal for turn in turns[:-1]] == [None] * (len(turns) - 1), "they have passed"


async def test_who_has_everything_hears_only_that_he_is_back(house: House, world: MemoryWorld) -> None:
    await house.guest("ann")
    await house.ask("ann", m.TakeSeat(1, "N"))
    has = world.logs["t"][-1]
    back = await house.guest("ann", (has.number, has.id))
    assert back.told(m.TableView) == [] and back.numbers == [has.number + 1]


@pytest.mark.parametrize("has", [(0, ""), (3, "another-id"), (3, ""), (10**9, "x"), (2**53, "")])
async def test_who_has_something_else_gets_a_view(house: House, world: MemoryWorld, has: tuple[int, str]) -> None:
    await house.guest("ann")
    await house.ask("ann", m.TakeSeat(1, "N"))
    back = await house.guest("ann", has)
    assert back.numbers == []
    (view,) = back.told(m.TableView)
    assert (view.number, view.entry, view.seat) == (*plain_head(world), "N")


def plain_head(world: MemoryWorld) -> tuple[int, str]:
    return world.logs["t"][-1].number, world.logs["t"][-1].id


async def test_who_was_away_for_too_long_gets_a_view(house: House, world: MemoryWorld) -> None:
    ann = await house.guest("ann")
    has = world.logs["t"][-1]
    for id in range(1, RECENT + 1):
        await house.ask("ann", m.SetName(id, f"Ann {id}"))
    back = await house.guest("ann", (has.number, has.id))
    assert back.numbers == [] and len(back.told(m.TableView)) == 1
    assert len(ann.numbers) == RECENT + 1  # the arrival of the new connection is the last


# --- a table that fails


@pytest.mark.parametrize(
    "garbage", [b"\xff", d.encode(d.Entry(99, "p", 0, d.Left("p"))), d.encode(entry("p", d.Agreed(9)))]
)
async def test_guests_of_a_table_that_fails_are_cut_off(
    house: House, world: MemoryWorld, garbage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = await house.guest("ann"), await house.guest("bob")
    arriving, answers = None, house.send("zoe", m.SetName(1, "x"))
    await until(lambda: answers)
    await house.store.append("t", world.logs["t"][-1].head, [NewEntry("garbage-entry", garbage)], 0)
    arriving, arrived = house.arrive("cid")
    await until(lambda: not house.running)
    assert ann.endings == bob.endings == ["cut off"]
    assert arriving.endings == ["cut off"] or isinstance(arrived[0], Refusal), "nobody waits for ever"
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    caplog.clear()
