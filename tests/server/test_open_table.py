"""An open table: what its guests are told, bots, several processes at one table, and wake-ups that do not fit."""

from random import Random

import pytest

from protocol import messages as m
from server import entries as d
from server.decide import Asked, Losing, Refusal
from server.lifetimes import Lifetimes
from server.open_table import INBOX, Answer, Job
from server.store import Appended, LogGrew, LookAgain, NewEntry, StoredEntry, Wake
from tests.server.house import (
    FakeGuest,
    House,
    Opener,
    agreeing,
    deeds,
    house,
    opened,
    some_turns,
    true_to,
    until,
    world,
)
from tests.server.memory_store import MemoryWorld
from tests.server.rig import to_act, turn_command

__all__ = ["house", "opened", "world"]

# --- one process


async def test_an_entry_is_told_to_all_and_then_the_command_is_answered(house: House, world: MemoryWorld) -> None:
    ann, bob = await house.guest("ann"), await house.guest("bob")
    answer = await house.ask("ann", m.TakeSeat(1, "N"))
    assert answer == world.logs["t"][-1].number == ann.numbers[-1] == bob.numbers[-1]
    assert ann.told(m.Entry)[-1].entry == world.logs["t"][-1].id
    refused = await house.ask("bob", m.TakeSeat(1, "N"))
    assert isinstance(refused, Refusal) and refused.code == "seat.taken"
    assert await house.ask("ann", m.TakeSeat(1, "N")) == answer, "a repeat gets the first answer"
    assert len(deeds(world, d.SatDown)) == 1


async def test_every_guest_hears_every_entry_once_in_order(house: House, world: MemoryWorld) -> None:
    guests = await house.four()
    rng = Random(1)
    while house.table.stage == "playing":
        await house.act(rng)
    for guest in guests:
        first = guest.told(m.TableView)[0].number
        assert guest.numbers == list(range(first + 1, world.logs["t"][-1].number + 1))
    true_to(world, house)


async def test_what_was_missed_is_told_as_it_was_told_to_others(house: House, world: MemoryWorld) -> None:
    """Whose turn it was and which phase it had begun as well: the line may break again in the middle of it."""
    guests = await house.four()
    eve = await house.guest("eve")
    had = eve.told(m.TableView)[-1]
    rng = Random(3)
    for _ in range(20):
        await house.act(rng)
    missed, _ = house.arrive("eve", (had.number, had.entry))
    await until(lambda: missed.numbers[-1:] == [house.table.head.number])
    again = missed.told(m.Entry)
    assert len(again) > 12
    assert {entry.turn.phase for entry in again if entry.turn is not None} == {"auction", "play"}
    live = {entry.number: entry for guest in guests for entry in guest.told(m.Entry) if _without_legal(entry)}
    assert [live[entry.number] for entry in again] == again


def _without_legal(entry: m.Entry) -> bool:
    return entry.turn is None or entry.turn.legal is None


async def test_an_inbox_that_is_full_takes_no_more(house: House, world: MemoryWorld) -> None:
    await house.guest("ann")
    gate = house.store.shut("append")
    answers: list[Answer] = []
    id = 1
    while house.open.put(Job(Asked("ann", m.SetName(id, f"A{id}")), answers.append)):
        id += 1
        if id == 2:
            await some_turns()  # the first is being saved
    assert INBOX <= id <= INBOX + 2
    house.open.wake(LookAgain())  # no room either: made up for later
    gate.set()
    await until(lambda: len(answers) == id - 1)
    assert all(isinstance(answer, int) for answer in answers) and house.table.members["ann"].name == f"A{id - 1}"
    assert house.store.calls["read"] > 1, "the log was looked at"


async def test_how_long_the_log_outlives_its_last_entry(house: House) -> None:
    kept: list[int] = []
    append = house.store.append

    async def noting(*args: object, **named: object) -> object:
        kept.append(args[3])  # type: ignore[arg-type]
        return await append(*args, **named)  # type: ignore[arg-type]

    house.store.append = noting  # type: ignore[assignment,method-assign]
    keep = Lifetimes()
    await house.seat_bots()
    assert kept[-2:] == [keep.empty_s, keep.unfinished_s], "the last to agree, and the cards"
    await house.play_with_bots()
    assert kept[-1] == keep.unfinished_s
    await house.ask("ann", m.EndTable(house.next_id("ann")))
    await house.ask("ann", m.LeaveTable(house.next_id("ann")))
    assert kept[-2:] == [keep.empty_s, keep.empty_s]
    assert keep.after("over", []) == keep.over_s < keep.unfinished_s == keep.after("over", [d.DealBegun(b"")])


async def test_a_table_with_nobody_left_is_closed_and_loads_again(house: House, world: MemoryWorld) -> None:
    ann = await house.guest("ann")
    house.open.expected = 0
    await house.ask("ann", m.TakeSeat(1, "N"))
    house.open.dismiss(ann)
    await house.open.leave(ann, "lost")
    await until(lambda: not house.running)
    assert not house.open.open and ann.endings == []
    assert isinstance(deeds(world, d.Dropped)[-1], d.Dropped)
    again = await House.start(world, "p1")
    back = await again.guest("ann")
    assert back.told(m.TableView)[-1].seat == "N"
    await again.close()


async def test_no_input_is_taken_by_a_table_that_is_closed(house: House) -> None:
    await house.close()
    assert not house.open.put(Job(Asked("ann", m.LeaveSeat(1))))
    await house.open.leave(FakeGuest("ann", "1", house.open), "lost")


# --- bots


async def test_bots_play_a_deal_with_one_person(house: House, world: MemoryWorld) -> None:
    await house.seat_bots()
    await house.play_with_bots()
    assert len(deeds(world, d.Played)) == 52
    true_to(world, house)


async def test_two_processes_do_what_is_due_once(opened: Opener, world: MemoryWorld) -> None:
    one, two = await opened("p1"), await opened("p2")
    await two.guest("eve")
    await one.seat_bots()
    await one.play_with_bots()
    await agreeing(world, one, two)
    assert len(deeds(world, d.DealBegun)) == 1 and len(deeds(world, d.Played)) == 52


async def test_bots_wait_while_nobody_is_there(house: House, world: MemoryWorld) -> None:
    ann = await house.seat_bots()
    await until(lambda: to_act(house.table) == "ann")
    house.open.dismiss(ann)
    await house.open.leave(ann, "lost")
    await until(lambda: not house.table.present("ann"))
    assert house.table.deal is not None and house.table.deal.state.to_act is not None
    bob = await house.guest("bob")
    world.seconds += 100
    for seat in "ESW":
        assert isinstance(await house.ask("bob", m.TakeSeat(house.next_id("bob"), seat)), Refusal | int)
        break
    await house.ask("bob", m.SeatBot(house.next_id("bob"), "N"))
    await until(lambda: to_act(house.table) == "bob")
    house.open.dismiss(bob)
    await house.open.leave(bob, "lost")
    await until(lambda: not house.table.processes())
    before = len(world.logs["t"])
    await some_turns(300)
    assert len(world.logs["t"]) == before, "nobody is there"


async def test_talk_and_new_names_do_not_hold_a_bot_up(opened: Opener, world: MemoryWorld) -> None:
    house = await opened("p1")
    await house.seat_bots()
    await until(lambda: to_act(house.table) == "ann")
    assert house.table.deal is not None
    acted = house.table.deal.acted
    world.seconds += 0.5
    await house.ask("ann", m.SetName(house.next_id("ann"), "Anne"))
    assert house.table.time > acted == house.table.deal.acted


# --- several processes


async def test_two_processes_race_for_one_turn(opened: Opener, world: MemoryWorld) -> None:
    one, two = await opened("p1"), await opened("p2")
    await one.four()
    await agreeing(world, one, two)
    player = to_act(one.table)
    assert player is not None and one.table.deal is not None
    await two.guest(player)  # the same player by another connection
    await agreeing(world, one, two)
    rng = Random(3)
    first, second = turn_command(one.table, 1000, rng), turn_command(one.table, 1001, rng)
    gates = one.store.shut("append"), two.store.shut("append")
    answers = one.send(player, first), two.send(player, second)
    await some_turns()
    for gate in gates:
        gate.set()
    await until(lambda: all(answers))
    await agreeing(world, one, two)
    refusals = [answer for (answer,) in answers if isinstance(answer, Refusal)]
    assert [refusal.code for refusal in refusals] == ["turn.stale"]
    assert len(deeds(world, d.Called)) == 1


async def test_two_processes_get_the_same_command_and_answer_alike(opened: Opener, world: MemoryWorld) -> None:
    one, two = await opened("p1"), await opened("p2")
    await one.guest("ann")
    await agreeing(world, one, two)
    gates = one.store.shut("append"), two.store.shut("append")
    answers = one.send("ann", m.TakeSeat(1, "N")), two.send("ann", m.TakeSeat(1, "N"))
    await some_turns()
    for gate in gates:
        gate.set()
    await until(lambda: all(answers))
    assert answers[0] == answers[1] and len(deeds(world, d.SatDown)) == 1


async def test_a_newer_connection_replaces_the_old_one(opened: Opener, world: MemoryWorld) -> None:
    one, two = await opened("p1"), await opened("p2")
    first = await one.guest("ann")
    second = await one.guest("ann")
    assert first.endings == ["replaced"] and second.endings == []
    third = await two.guest("ann")
    await until(lambda: second.endings)
    assert second.endings == ["replaced"] and third.endings == []
    await one.open.leave(first, "replaced")
    await one.open.leave(second, "replaced")
    await agreeing(world, one, two)
    assert one.table.members["ann"].connection == third.connection
    await one.ask("ann", m.SetName(1, "Anne"))
    await until(lambda: third.numbers)
    assert second.numbers[-1] < third.numbers[-1] == world.logs["t"][-1].number


async def test_a_player_whom_another_process_takes_for_gone_says_that_he_is_here(
    opened: Opener, world: MemoryWorld
) -> None:
    one, two = await opened("p1"), await opened("p2")
    ann, eve = await one.guest("ann"), await one.guest("eve")
    await one.ask("ann", m.TakeSeat(1, "N"))
    await agreeing(world, one, two)
    for guest in (ann, eve):
        two.open.put(Job(two_sees_him_gone(guest)))
    await until(lambda: len(deeds(world, d.Dropped)) == 2 and len(deeds(world, d.Arrived)) == 4)
    await agreeing(world, one, two)
    assert one.table.present("ann") and one.table.present("eve") and one.table.seat_of("ann") == 0
    assert ann.endings == eve.endings == []
    assert ann.numbers[-1] == eve.numbers[-1] == world.logs["t"][-1].number


def two_sees_him_gone(guest: FakeGuest) -> Losing:
    return Losing(guest.player, guest.connection, "server_gone")


# --- wake-ups


async def grown(world: MemoryWorld, entries: list[StoredEntry]) -> list[Wake]:
    log = world.logs["t"]
    return [LogGrew(log[one.number - 2].head, (one,)) for one in entries]


@pytest.mark.parametrize("order", ["lost", "doubled", "backwards", "last alone", "all at once"])
async def test_wake_ups_that_do_not_fit_are_repaired_from_the_log(
    opened: Opener, world: MemoryWorld, order: str
) -> None:
    one, two = await opened("p1"), await opened("p2")
    ann, eve = await one.guest("ann"), await two.guest("eve")
    await agreeing(world, one, two)
    watchers = world.watchers["t"]
    world.watchers["t"] = [watchers[0]]  # the second process is deaf
    before = len(world.logs["t"])
    for id in range(1, 6):
        await one.ask("ann", m.SetName(id, f"Ann {id}"))
    wakes = await grown(world, world.logs["t"][before:])
    world.watchers["t"] = watchers
    match order:
        case "lost":
            wakes = [LookAgain()]
        case "doubled":
            wakes = [wake for wake in wakes for _ in range(2)]
        case "backwards":
            wakes.reverse()
        case "last alone":
            wakes = wakes[-1:]
        case "all at once":
            wakes = [LogGrew(world.logs["t"][before - 1].head, tuple(world.logs["t"][before:]))]
    for wake in wakes:
        two.open.wake(wake)
    await agreeing(world, one, two)
    first = eve.told(m.TableView)[0].number
    assert eve.numbers == list(range(first + 1, world.logs["t"][-1].number + 1)), "each once, in order"
    reads = two.store.calls["read"]
    for wake in await grown(world, world.logs["t"][2:]):
        two.open.wake(wake)  # from the past
    await some_turns()
    assert two.store.calls["read"] == reads, "what is known is not read again"
    assert ann.numbers[-1] == eve.numbers[-1]


async def test_a_table_is_let_go_when_another_process_appends_what_this_one_cannot_read(
    world: MemoryWorld, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    ann = await house.guest("ann")
    await some_turns()
    stored = await house.store.append("t", house.table.head, [NewEntry("a-later-one-0", b"from a later server")], 0)
    assert isinstance(stored, Appended)
    await until(lambda: not house.running)
    assert ann.endings == ["cut off"]
    assert "cannot read" in caplog.text
    caplog.clear()
