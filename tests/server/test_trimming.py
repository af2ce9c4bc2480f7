"""A log that loses its beginning stays short and quick to load, and whoever was slower than that goes on from it."""

import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from protocol import messages as m
from protocol.translate import command_for
from rules.actions import Action, Choose
from rules.record import replay
from server import entries as d
from server.decide import Asked, Losing, seat_code_hash
from server.lifetimes import Lifetimes
from server.metrics import REWINDS
from server.open_table import Job, OpenTable
from server.store import LookAgain, StoredEntry
from server.table import CHECKPOINT_EVERY
from server.tail import TAIL
from tests.server.house import AT_ONCE, FakeGuest, House, Opener, deeds, house, opened, some_turns, until, world
from tests.server.memory_store import Fault, MemoryStore, MemoryWorld
from tests.server.rig import PLAYERS, digest, to_act

__all__ = ["house", "opened", "world"]

AS_SHORT_AS_CAN_BE = replace(AT_ONCE, keep=Lifetimes(entries=1))


def checkpoints(log: Sequence[StoredEntry]) -> list[int]:
    return [one.number for one in log if isinstance(d.decode(one.data).deed, d.Checkpoint)]


# --- how short it stays


async def test_the_last_entries_stay(house: House, world: MemoryWorld) -> None:
    await house.seat_bots()
    lengths = []
    for deal in range(1, 21):
        await house.play_deals(deal)
        lengths.append(len(world.logs["t"]))
    assert world.logs["t"][-1].number > 2 * TAIL
    assert lengths == sorted(lengths) and lengths[-1] == TAIL
    assert checkpoints(world.logs["t"])[-2] > world.logs["t"][0].number


async def test_it_is_never_shorter_than_from_the_last_checkpoint_but_one(opened: Opener, world: MemoryWorld) -> None:
    house = await opened("p1", AS_SHORT_AS_CAN_BE)
    await house.seat_bots()
    await house.play_deals(1)
    assert world.logs["t"][0].number == 1 and len(checkpoints(world.logs["t"])) == 1
    for deal in range(2, 6):
        await house.play_deals(deal)
        assert len(checkpoints(world.logs["t"])) == 2 and checkpoints(world.logs["t"])[0] == world.logs["t"][0].number


async def test_a_table_where_nobody_plays_stays_short_too(opened: Opener, world: MemoryWorld) -> None:
    house = await opened("p1", AS_SHORT_AS_CAN_BE)
    await house.guest("ann")
    await rename(house, "ann", 5 * CHECKPOINT_EVERY)
    assert world.logs["t"][-1].number > 5 * CHECKPOINT_EVERY and len(world.logs["t"]) < 3 * CHECKPOINT_EVERY
    assert world.deals == {}


async def rename(house: House, player: str, times: int) -> None:
    for _ in range(times):
        id = house.next_id(player)
        assert isinstance(await house.ask(player, m.SetName(id, f"{player.title()} {id}")), int)


class CountingStore(MemoryStore):
    """Counts the entries that it gives."""

    given = 0

    async def read(self, table: str, after: int = 0) -> list[StoredEntry]:
        return self._counted(await super().read(table, after))

    async def last(self, table: str, count: int) -> list[StoredEntry]:
        return self._counted(await super().last(table, count))

    def _counted(self, entries: list[StoredEntry]) -> list[StoredEntry]:
        self.given += len(entries)
        return entries


async def test_loading_takes_no_longer_for_a_table_of_many_deals(house: House, world: MemoryWorld) -> None:
    await house.seat_bots()
    for deal in range(1, 21):
        await house.play_deals(deal)
        store = CountingStore(world)
        other = OpenTable("t", "p9", store, lambda: world.seconds, AT_ONCE)
        assert await other.load()
        assert digest(other.table) == digest(house.table)
        assert store.given <= TAIL and other.table.head == house.table.head
        await store.close()


async def test_a_table_plays_on_from_a_trimmed_log_in_any_process(opened: Opener, world: MemoryWorld) -> None:
    one = await opened("p1", AS_SHORT_AS_CAN_BE)
    await one.seat_bots()
    await one.play_deals(4)
    answers, ledger = dict(one.table.members["ann"].answers), dict(one.table.ledger)
    two = await opened("p2", AS_SHORT_AS_CAN_BE)
    assert (two.table.members["ann"].answers, two.table.ledger, two.table.deals) == (answers, ledger, 4)
    await two.guest("ann")
    (command, number), *_ = reversed(answers.items())
    assert await two.ask("ann", m.SetName(command, "Whatever was asked then")) == number
    two.ids["ann"] = command
    await two.play_deals(6)
    assert list(world.deals["t"]) == [1, 2, 3, 4, 5, 6]


async def test_the_records_are_whole_when_the_log_is_not(opened: Opener, world: MemoryWorld) -> None:
    house = await opened("p1", AS_SHORT_AS_CAN_BE)
    await house.seat_bots()
    begun: list[bytes] = []
    for deal in range(1, 9):
        await house.play_deals(deal)
        begun += [deed.seed for deed in deeds(world, d.DealBegun) if deed.seed not in begun]
    world.cut("t", 0)
    store = MemoryStore(world)
    kept = await store.records("t", (await store.kept("t")).deals)
    lines = [json.loads(line) for line in kept.values()]
    assert list(kept) == [line["table"]["deal"] for line in lines] == list(range(1, 9))
    assert [line["seed"] for line in lines] == [seed.hex() for seed in begun]
    assert all(replay(line) == line and line["score"] for line in lines)
    for before, after in pairwise(lines):
        begins = before["over"]
        assert after["table"]["rubber"] == before["table"]["rubber"] + begins
        assert begins or after["before"] == before["after"], "one deal goes on from the other"
    await store.close()


# --- who was slower


async def beside(opened: Opener) -> tuple[House, House, FakeGuest]:
    """Ann plays with bots in one process, Eve watches in another."""
    one, two = await opened("p1", AS_SHORT_AS_CAN_BE), await opened("p2", AS_SHORT_AS_CAN_BE)
    eve = await two.guest("eve")
    await one.seat_bots()
    await one.play_deals(1)
    await until(lambda: two.table.head == one.table.head and not two.table.checkpoint_due)
    return one, two, eve


async def goes_on(world: MemoryWorld, one: House, two: House, eve: FakeGuest, rewinds: float) -> None:
    """Eve's process has the table as the other has it; she got a view, and hears what happens from then on."""
    await until(lambda: two.table.head == one.table.head == world.logs["t"][-1].head)
    assert digest(two.table) == digest(one.table)
    assert len(eve.told(m.TableView)) == 1 and eve.told(m.Rewound) == [] and eve.endings == []
    number = eve.told(m.TableView)[0].number
    await rename(one, "ann", 3)
    await until(lambda: two.table.head == one.table.head)
    assert eve.numbers == list(range(number + 1, one.table.head.number + 1))
    assert deeds(world, d.Voided) == [] and rewinds == count()


def count() -> float:
    return float(REWINDS._value.get())


async def test_a_process_that_reads_a_trimmed_log_shows_it_afresh(opened: Opener, world: MemoryWorld) -> None:
    one, two, eve = await beside(opened)
    gate, rewinds = two.store.shut("read"), count()
    two.open.wake(LookAgain())
    await some_turns()
    await one.agree()
    await one.play_deals(4)
    await one.agree()  # a deal is in progress, and goes on
    assert two.table.head.number < world.logs["t"][0].number
    eve.frames.clear()
    gate.set()
    await goes_on(world, one, two, eve, rewinds)
    assert one.table.deals == 5


async def test_a_deal_that_went_on_as_it_was_known_is_not_void(opened: Opener, world: MemoryWorld) -> None:
    one, two = await opened("p1", AS_SHORT_AS_CAN_BE), await opened("p2", AS_SHORT_AS_CAN_BE)
    eve, rng = await two.guest("eve"), Random(3)
    await one.four()
    await acts(one, 10, rng)
    await until(lambda: two.table.head == one.table.head)
    gate, rewinds = two.store.shut("read"), count()
    two.open.wake(LookAgain())
    await some_turns()
    await acts(one, 20, rng)
    await rename(one, "ann", 3 * CHECKPOINT_EVERY)
    assert slept_through(world, two) and one.table.stage == "playing"
    eve.frames.clear()
    gate.set()
    await goes_on(world, one, two, eve, rewinds)
    assert one.table.deals == 1


async def acts(house: House, index: int, rng: Random) -> None:
    """Act until there have been so many actions; a deal has four calls and 52 cards at least."""
    while house.table.deal is None or house.table.deal.index < index:
        await house.act(rng)


@pytest.mark.parametrize("saved", [False, True], ids=["never-saved", "saved-in-doubt"])
async def test_a_command_at_a_process_that_slept_is_done_once(opened: Opener, world: MemoryWorld, saved: bool) -> None:
    one, two, eve = await beside(opened)
    rewinds = count()
    if saved:
        two.store.faults.append(Fault.SAVED_IN_DOUBT)
        answers = two.send("eve", m.SetName(two.next_id("eve"), "Evelyn"))
        await until(lambda: deeds(world, d.Renamed))
        gate = two.store.shut("append")
        number = world.logs["t"][-1].number
    else:
        gate = two.store.shut("append")
        answers = two.send("eve", m.SetName(two.next_id("eve"), "Evelyn"))
    await some_turns()
    await one.agree()
    await one.play_deals(4)
    assert not answers and two.table.head.number < world.logs["t"][0].number
    eve.frames.clear()
    gate.set()
    await until(lambda: answers)
    assert two.table.members["eve"].name == "Evelyn"
    if saved:
        assert answers == [number] and number < world.logs["t"][0].number
    else:
        assert answers == [eve.numbers[0]] == [eve.told(m.TableView)[0].number + 1]
    await goes_on(world, one, two, eve, rewinds)


async def test_who_comes_to_a_process_that_slept_is_let_in(opened: Opener, world: MemoryWorld) -> None:
    one, two, eve = await beside(opened)
    gate = two.store.shut("append")
    fay, answers = two.arrive("fay")
    await some_turns()
    await one.agree()
    await one.play_deals(4)
    gate.set()
    await until(lambda: answers)
    assert isinstance(answers[0], int) and fay.told(m.TableView)[0].number == answers[0]
    assert eve.told(m.Rewound) == [] and eve.numbers[-1] == answers[0]


async def test_who_has_come_elsewhere_meanwhile_is_a_guest_no_more(opened: Opener, world: MemoryWorld) -> None:
    one, two, eve = await beside(opened)
    gate = two.store.shut("read")
    two.open.wake(LookAgain())
    await some_turns()
    again = await one.guest("eve")
    await one.agree()
    await one.play_deals(4)
    eve.frames.clear()
    gate.set()
    await until(lambda: eve.endings)
    assert eve.endings == ["replaced"] and eve.frames == []
    await some_turns()
    assert one.table.members["eve"].connection == again.connection and again.endings == []


async def test_who_has_left_elsewhere_meanwhile_does_not_come_back(opened: Opener, world: MemoryWorld) -> None:
    one, two, eve = await beside(opened)
    gate = two.store.shut("read")
    two.open.wake(LookAgain())
    await some_turns()
    await one.guest("eve")
    await one.ask("eve", m.LeaveTable(one.next_id("eve")))
    await one.agree()
    await one.play_deals(4)
    gate.set()
    await until(lambda: eve.endings)
    await some_turns()
    assert eve.endings == ["replaced"] and "eve" not in one.table.members


async def asleep_at_a_seat(opened: Opener) -> tuple[House, House, FakeGuest]:
    """Ann sits at a table by a process that falls asleep; at the other is Bob. The seat code `abc` is good."""
    one, two = await opened("p1", AS_SHORT_AS_CAN_BE), await opened("p2", AS_SHORT_AS_CAN_BE)
    await one.guest("bob")
    ann = await two.guest("ann")
    await two.ask("ann", m.TakeSeat(two.next_id("ann"), "N"))
    code = Asked("ann", m.MakeSeatCode(two.next_id("ann")), seat_code_hash("t", "abc"))
    assert two.open.put(Job(code))
    await until(lambda: one.table.chairs[0].code is not None and one.table.head == two.table.head)
    two.store.shut("read")
    two.open.wake(LookAgain())
    await some_turns()
    return one, two, ann


async def wakes(one: House, two: House) -> None:
    """Let so much happen that the log is trimmed, and then the second process hear of it."""
    await rename(one, "bob", 3 * CHECKPOINT_EVERY)
    assert slept_through(one.world, two)
    two.store.gates["read"].set()
    await until(lambda: two.table.head.number >= one.world.logs["t"][0].number)
    await some_turns()
    await until(lambda: two.table.head == one.table.head)


async def test_whose_seat_has_moved_meanwhile_does_not_come_back(opened: Opener, world: MemoryWorld) -> None:
    one, two, ann = await asleep_at_a_seat(opened)
    _, answers = one.arrive("fay", seat_code="abc")
    await until(lambda: answers)
    await wakes(one, two)
    assert ann.endings == ["replaced"] and "ann" not in one.table.members and one.table.seat_of("fay") == 0


async def test_who_has_come_and_gone_elsewhere_meanwhile_is_away(opened: Opener, world: MemoryWorld) -> None:
    one, two, ann = await asleep_at_a_seat(opened)
    elsewhere = await one.guest("ann")
    one.open.dismiss(elsewhere)
    await one.open.leave(elsewhere, "lost")
    await until(lambda: not one.table.present("ann"))
    await wakes(one, two)
    assert ann.endings == ["replaced"] and not one.table.present("ann") and one.table.seat_of("ann") == 0


async def test_who_was_taken_for_gone_meanwhile_is_there(opened: Opener, world: MemoryWorld) -> None:
    one, two, ann = await asleep_at_a_seat(opened)
    eve, _ = two.arrive("eve")
    two.store.gates["read"].set()
    await until(lambda: eve.frames)
    two.store.shut("read")
    two.open.wake(LookAgain())
    await some_turns()
    for guest in (ann, eve):
        one.open.put(Job(Losing(guest.player, guest.connection, "server_gone")))
    await wakes(one, two)
    await until(lambda: one.table.present("ann") and one.table.present("eve"))
    assert ann.endings == eve.endings == []
    assert [one.table.members[guest.player].connection for guest in (ann, eve)] == [ann.connection, eve.connection]


async def test_who_has_left_without_hearing_of_it_does_not_come_back(opened: Opener, world: MemoryWorld) -> None:
    one, two, eve = await beside(opened)
    two.store.faults.append(Fault.SAVED_IN_DOUBT)
    answers = two.send("eve", m.LeaveTable(two.next_id("eve")))
    await until(lambda: deeds(world, d.Left))
    gate, number = two.store.shut("append"), world.logs["t"][-1].number
    await one.agree()
    await one.play_deals(4)
    gate.set()
    await until(lambda: answers)
    await some_turns()
    assert answers == [number] and eve.endings == ["left"] and "eve" not in one.table.members


# --- gone back as well


@pytest.fixture
def warned(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.WARNING)
    return caplog


async def asleep_over_a_rewind(
    opened: Opener, world: MemoryWorld, deals: int = 0, at: str = "read"
) -> tuple[House, House, FakeGuest, Random]:
    """Four play deals at a process that crashes in the middle of one, and the log has lost all of that but the shuffle.

    Return the process to which they have gone, where they have begun in another way, and one with Eve that has been
    asleep all the while.
    """
    one, two = await opened("p1", AS_SHORT_AS_CAN_BE), await opened("p2", AS_SHORT_AS_CAN_BE)
    eve, rng = await two.guest("eve"), Random(1)
    await one.four()
    for _ in range(deals):
        await over(one, rng)
        await one.agree()
    await acts(one, 30, rng)
    await until(lambda: two.table.head == one.table.head)
    two.store.shut(at)
    if at == "read":
        two.open.wake(LookAgain())
    else:
        two.send("eve", m.SetName(two.next_id("eve"), "Evelyn"))
    await some_turns()
    await one.close()
    assert one.table.deal is not None
    world.cut("t", one.table.deal.begun)
    three = await opened("p3", AS_SHORT_AS_CAN_BE)
    for player in PLAYERS:
        await three.guest(player)
    await begin_otherwise(three, one.table.deal.actions[0])
    eve.frames.clear()
    return three, two, eve, Random(2)


async def begin_otherwise(house: House, than: Action) -> None:
    """Make another first call than one."""
    deal, game, player = house.table.deal, house.table.game, to_act(house.table)
    assert deal is not None and player is not None and deal.index == 0
    call = next(call for call in game.legal_actions(deal.state) if call != than and not isinstance(call, Choose))
    assert isinstance(
        await house.ask(player, command_for(call, house.next_id(player), deal.number, 0, game.seats)), int
    )


async def over(house: House, rng: Random) -> None:
    while house.table.stage == "playing":
        await house.act(rng)
    await until(lambda: not house.table.checkpoint_due)


def slept_through(world: MemoryWorld, two: House) -> bool:
    return two.table.head.number < world.logs["t"][0].number


@pytest.mark.parametrize("at", ["read", "append"])
async def test_a_deal_that_went_on_otherwise_is_void(
    opened: Opener, world: MemoryWorld, warned: pytest.LogCaptureFixture, at: str
) -> None:
    three, two, eve, rng = await asleep_over_a_rewind(opened, world, at=at)
    deal, rewinds = two.table.deal, count()
    assert deal is not None and three.table.deal is not None and three.table.deal.seed == deal.seed
    await acts(three, 5, rng)
    await rename(three, "ann", 3 * CHECKPOINT_EVERY)
    assert slept_through(world, two) and str(three.table.stage) == "playing"
    two.store.gates[at].set()
    await until(lambda: deeds(world, d.Voided) and two.table.head == three.table.head)
    assert [type(told) for told in eve.told(m.ServerMessage)][:2] == [m.Rewound, m.TableView]
    assert len(eve.told(m.Rewound)) == 1 and count() == rewinds + 1
    assert [getattr(answer, "code", answer) for (answer,) in two.answers.values()] == ["table.rewound"] * len(two.sent)
    assert len(two.sent) == (at == "append") and two.table.members["eve"].name == "Eve"
    await until(lambda: three.table.stage == "playing")
    assert three.table.deal.seed != deal.seed


async def test_a_deal_that_is_over_by_then_is_not_void(opened: Opener, world: MemoryWorld) -> None:
    three, two, eve, rng = await asleep_over_a_rewind(opened, world)
    for _ in range(3):
        await over(three, rng)
        await three.agree()
    assert slept_through(world, two)
    two.store.gates["read"].set()
    await until(lambda: two.table.head == three.table.head and eve.told(m.TableView))
    await some_turns()
    assert deeds(world, d.Voided) == [] and three.table.stage == "playing" and eve.told(m.Rewound) == []


async def test_an_entry_that_is_another_now_is_a_rewind_however_short_the_log(
    opened: Opener, world: MemoryWorld, warned: pytest.LogCaptureFixture
) -> None:
    three, two, eve, rng = await asleep_over_a_rewind(opened, world, deals=3)
    await acts(three, 40, rng)
    assert 1 < world.logs["t"][0].number < two.table.head.number < three.table.head.number
    two.store.gates["read"].set()
    await until(lambda: deeds(world, d.Voided) and two.table.head == three.table.head)
    assert len(eve.told(m.Rewound)) == 1
