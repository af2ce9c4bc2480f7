"""A log that has gone back is the truth all the same; nobody plays on with cards that others may have seen."""

import logging
from dataclasses import replace
from random import Random

import pytest

from protocol import messages as m
from server import entries as d
from server.decide import Losing, Refusal
from server.entries import entry
from server.open_table import Job
from server.store import LookAgain, NewEntry
from tests.server.house import AT_ONCE, House, deeds, some_turns, until
from tests.server.memory_store import Fault, MemoryWorld
from tests.server.rig import digest, refold, turn_command


@pytest.fixture
def world() -> MemoryWorld:
    return MemoryWorld()


@pytest.fixture(autouse=True)
def warned(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.WARNING)
    return caplog


async def played_on(house: House, actions: int) -> list[bytes]:
    """Play some actions; return the seeds of the deals so far."""
    rng = Random(1)
    for _ in range(actions):
        await house.act(rng)
    return [deed.seed for deed in deeds(house.world, d.DealBegun)]


async def dealt_anew(house: House, seeds: list[bytes]) -> None:
    await until(lambda: house.table.deal is not None and house.table.deal.seed not in seeds)
    assert house.table.stage == "playing"


async def test_clients_are_told_and_the_deal_is_void_and_dealt_anew(world: MemoryWorld) -> None:
    house = await House.start(world)
    guests = await house.four()
    seeds = await played_on(house, 8)
    back_to = len(world.logs["t"]) - 4
    world.cut("t", back_to)
    for guest in guests:
        guest.frames.clear()
    house.open.wake(LookAgain())
    await dealt_anew(house, seeds)
    assert len(deeds(world, d.Voided)) == 1 and len(deeds(world, d.DealBegun)) == 2
    assert house.table.deal is not None and house.table.deal.number == 2
    for guest in guests:
        rewound, view, *later = [type(message) for message in guest.told(m.ServerMessage)]
        assert (rewound, view) == (m.Rewound, m.TableView) and set(later) == {m.Entry}
        assert guest.told(m.Rewound)[0].number == guest.told(m.TableView)[0].number == back_to
        assert guest.numbers == [back_to + 1, back_to + 2]
        events = [type(event) for one in guest.told(m.Entry) for event in one.events]
        assert events == [m.DealVoided, m.CardsDealt]
    await house.close()


async def test_a_command_that_finds_the_log_gone_back_is_refused(world: MemoryWorld) -> None:
    house = await House.start(world)
    await house.four()
    seeds = await played_on(house, 5)
    world.cut("t", len(world.logs["t"]) - 2)
    answer = await house.act(Random(2))
    assert isinstance(answer, Refusal) and answer.code == "table.rewound"
    await dealt_anew(house, seeds)
    assert isinstance(await house.act(Random(2)), int)
    await house.close()


async def test_a_deal_that_cannot_be_made_void_at_once_is_not_played_on(world: MemoryWorld) -> None:
    house = await House.start(world)
    await house.four()
    seeds = await played_on(house, 5)
    world.cut("t", len(world.logs["t"]) - 2)
    house.store.faults.extend([Fault.UNAVAILABLE] * 40)
    house.open.wake(LookAgain())
    await until(lambda: len(house.store.faults) < 30)
    assert house.table.deal is not None and house.table.deal.seed in seeds
    answer = await house.act(Random(3))
    assert isinstance(answer, Refusal) and answer.code == "store.unavailable"
    await dealt_anew(house, seeds)
    assert len(deeds(world, d.Voided)) == 1 and len(deeds(world, d.Called)) + len(deeds(world, d.Played)) == 3
    await house.close()


async def test_a_store_that_goes_away_while_the_log_is_read_again_is_waited_for(world: MemoryWorld) -> None:
    house = await House.start(world)
    guests = await house.four()
    seeds = await played_on(house, 5)
    gate = house.store.shut("read")
    world.cut("t", len(world.logs["t"]) - 2)
    answers = house.send("ann", m.SetName(house.next_id("ann"), "Anne"))
    await until(lambda: house.store.calls["read"] == 2)
    house.store.away = True
    gate.set()
    await until(lambda: house.store.calls["read"] == 9)
    assert not answers and house.table.deal is not None and house.table.deal.seed in seeds
    house.store.away = False
    await dealt_anew(house, seeds)
    assert [refusal.code for refusal in answers if isinstance(refusal, Refusal)] == ["table.rewound"]
    assert [guest.endings for guest in guests] == [[]] * 4
    await house.close()


async def test_a_deal_is_void_although_all_leave_who_knew_too_much(world: MemoryWorld) -> None:
    patient = replace(AT_ONCE, again_s=0.001)  # so that nothing waits at the table when it looks whether to close
    one, two = await House.start(world, "p1"), await House.start(world, "p2", patient)
    await one.four()
    await played_on(one, 5)
    back_to = len(world.logs["t"]) - 2
    eve = await two.guest("eve")
    two.open.expected = 0
    await one.close()
    world.cut("t", back_to)  # of her coming as well
    gate = two.store.shut("append")
    two.open.wake(LookAgain())
    await until(lambda: eve.told(m.Rewound))
    two.store.away = True
    two.open.dismiss(eve)
    await two.open.leave(eve, "lost")
    gate.set()
    await some_turns(500)
    assert two.running and deeds(world, d.Voided) == []
    two.store.away = False
    await until(lambda: deeds(world, d.Voided))
    await until(lambda: not two.running)
    assert len(deeds(world, d.Voided)) == 1
    await two.close()


async def test_who_was_replaced_before_he_could_say_that_he_is_here_does_not_say_it(world: MemoryWorld) -> None:
    one, two = await House.start(world, "p1"), await House.start(world, "p2")
    first = await one.guest("ann")
    await until(lambda: two.table.head == one.table.head)
    gate = one.store.shut("append")
    two.open.put(Job(Losing("ann", first.connection, "server_gone")))
    await until(lambda: one.store.calls["append"] == 3)  # it was made, she has come, and is said to be there
    second = await two.guest("ann")
    two.open.dismiss(second)
    await two.open.leave(second, "lost")
    await until(lambda: len(deeds(world, d.Dropped)) == 2)
    gate.set()
    await until(lambda: first.endings)
    await some_turns()
    assert first.endings == ["replaced"] and len(deeds(world, d.Arrived)) == 2
    await one.close()
    await two.close()


@pytest.mark.parametrize(("by", "ending"), [("clock", "cut off"), ("ann", "replaced")])
async def test_only_who_comes_himself_replaces_for_good(world: MemoryWorld, by: str, ending: str) -> None:
    """Two processes may each take their connection for the last one, where the log has lost both."""
    house = await House.start(world)
    ann = await house.guest("ann")
    await some_turns()
    arrived = NewEntry("from-another", d.encode(entry(by, d.Arrived("ann", "Ann", "p9", "another"))))
    await house.store.append("t", house.table.head, [arrived], 0)
    await until(lambda: ann.endings)
    assert ann.endings == [ending]
    await house.close()


async def test_two_processes_void_the_deal_once(world: MemoryWorld) -> None:
    one, two = await House.start(world, "p1"), await House.start(world, "p2")
    await one.four()
    eve = await two.guest("eve")
    seeds = await played_on(one, 8)
    await until(lambda: two.table.head == one.table.head)
    world.cut("t", len(world.logs["t"]) - 4)
    gate = two.store.shut("read")  # the second hears of it when the new deal has begun
    one.open.wake(LookAgain())
    await dealt_anew(one, seeds)
    gate.set()
    two.open.wake(LookAgain())
    await until(lambda: two.table.head == one.table.head and eve.told(m.Rewound))
    await some_turns()
    assert len(deeds(world, d.Voided)) == 1 and len(deeds(world, d.DealBegun)) == 2
    assert digest(one.table) == digest(two.table) == digest(refold("t", world.logs["t"]))
    await one.close()
    await two.close()


async def test_two_processes_that_both_see_it_at_once_void_the_deal_once(world: MemoryWorld) -> None:
    one, two = await House.start(world, "p1"), await House.start(world, "p2")
    await one.four()
    eve = await two.guest("eve")
    seeds = await played_on(one, 8)
    await until(lambda: two.table.head == one.table.head)
    world.cut("t", len(world.logs["t"]) - 4)
    world.tell_all_to_look_again()
    await dealt_anew(one, seeds)
    await until(lambda: two.table.head == one.table.head and eve.told(m.Rewound))
    await some_turns()
    assert len(deeds(world, d.Voided)) == 1 and len(deeds(world, d.DealBegun)) == 2
    await one.close()
    await two.close()


async def test_a_log_that_went_back_and_grew_again_is_noticed_by_its_wake_ups(world: MemoryWorld) -> None:
    house = await House.start(world)
    guests = await house.four()
    await played_on(house, 8)
    world.cut("t", len(world.logs["t"]) - 6)
    other = House(world, "p2")
    mine = NewEntry("somebody-else", d.encode(entry("eve", d.Arrived("eve", "Eve", "p2", "c"))))
    await other.store.append("t", world.logs["t"][-1].head, [mine], 0)  # told to all, with a number of the past
    await until(lambda: guests[0].told(m.Rewound))
    assert "eve" in house.table.members
    await house.close()


async def test_guests_whose_coming_the_log_has_lost_are_there_all_the_same(world: MemoryWorld) -> None:
    house = await House.start(world)
    ann = await house.guest("ann")
    await house.ask("ann", m.TakeSeat(1, "N"))
    before = len(world.logs["t"])
    again = await house.guest("ann")  # a newer connection
    bob = await house.guest("bob")
    assert ann.endings == ["replaced"]
    world.cut("t", before)
    house.open.wake(LookAgain())
    await until(lambda: bob.told(m.Rewound))
    await until(lambda: house.table.present("bob") and house.table.members["ann"].connection == again.connection)
    assert house.table.seat_of("ann") == 0
    assert isinstance(await house.ask("bob", m.TakeSeat(1, "E")), int)
    house.open.dismiss(again)
    await house.open.leave(again, "lost")
    await until(lambda: not house.table.present("ann"))
    assert bob.numbers[-1] == world.logs["t"][-1].number
    await house.close()


async def test_a_log_that_is_gone_is_a_closed_table(world: MemoryWorld) -> None:
    house = await House.start(world)
    ann = await house.guest("ann")
    arriving, _ = house.arrive("bob")
    world.cut("t", 0)
    await until(lambda: not house.running)
    assert ann.endings == ["cut off"] == arriving.endings
    await house.close()


async def test_between_deals_nothing_is_void(world: MemoryWorld) -> None:
    house = await House.start(world)
    guests = await house.four()
    rng = Random(5)
    while house.table.stage == "playing":
        await house.act(rng)
    scored = len(world.logs["t"])
    await house.agree()
    world.cut("t", scored)
    house.open.wake(LookAgain())
    await until(lambda: guests[0].told(m.Rewound))
    await some_turns()
    assert deeds(world, d.Voided) == [] and house.table.stage == "scored"
    assert guests[0].told(m.TableView)[-1].stage == "scored"
    await house.agree()
    assert house.table.deals == 2
    await house.close()


async def test_a_command_from_before_does_not_fit_afterwards(world: MemoryWorld) -> None:
    house = await House.start(world)
    await house.four()
    rng = Random(6)
    late = turn_command(house.table, 500, rng)
    seeds = await played_on(house, 3)
    world.cut("t", len(world.logs["t"]) - 1)
    house.open.wake(LookAgain())
    await dealt_anew(house, seeds)
    for player in ("ann", "bob", "cid", "dan"):
        answer = await house.ask(player, late)
        assert isinstance(answer, Refusal) and answer.code == "turn.stale"
    await house.close()
