"""Records of finished deals: what is in them, when they are kept, and who may read them."""

import json
from collections import deque
from collections.abc import AsyncIterator, Iterable
from random import Random
from typing import Any

import pytest

from protocol import messages as m
from rules.record import replay
from rules.registry import GAMES
from server import entries as d
from server.decide import AWAY_S, BotDue, CheckpointDue, WentBack
from server.lifetimes import Lifetimes
from server.records import ANYONE, PAGE_BYTES, PAGE_DEALS, record_of
from server.session import player_of
from tests.server.fake_client import TOKENS, Client, Process
from tests.server.house import House, Opener, agreeing, deeds, house, opened, some_turns, until, world
from tests.server.memory_store import Fault, MemoryWorld
from tests.server.rig import PLAYERS, Rig

__all__ = ["house", "opened", "world"]

TTL_S = 1000
TABLES = [(name, players) for name, family in GAMES.items() for players in family.players]


def written(rig: Rig) -> dict[str, Any]:
    """Return the record of the deal that is over."""
    record = record_of(rig.table, TTL_S)
    assert record is not None
    made: dict[str, Any] = json.loads(record.data)
    return made


# --- what is in one


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_it_is_what_replay_makes_of_it(game: str, players: int) -> None:
    rig, rng = Rig(game=game, players=players).playing(*"abcdef"[:players]), Random(players)
    for number in range(1, 4):
        rig.play_deal(rng)
        record = record_of(rig.table, TTL_S)
        assert record is not None and (record.deal, record.ttl_s) == (number, TTL_S)
        again = replay(json.loads(record.data))
        assert json.dumps(again).encode() == record.data and "score" in again
        rig.give(CheckpointDue())
        rig.agree()


def test_it_says_what_the_table_was() -> None:
    rig = Rig({"slams": "english"}).playing()
    rig.play_deal(Random(7))
    record, owners = written(rig), [str(chair.owner) for chair in rig.table.chairs]
    assert (record["id"], record["options"], record["when"]) == ("t-1", {"slams": "english"}, rig.now)
    assert record["seed"] == (1).to_bytes(32, "big").hex()
    sat = [{"player": owner, "name": owner.title(), "seat": seat} for owner, seat in zip(owners, "NESW", strict=True)]
    expected = {"id": "t", "private": False, "deal": 1, "rubber": 1, "sat": sat, "bots": [], "ledger": {}}
    assert record["table"] == expected


def test_the_last_of_a_rubber_has_the_ledger() -> None:
    rig = Rig().playing()
    while rig.table.stage != "over":
        rig.play_sanely()
        assert written(rig)["table"]["ledger"] == rig.table.ledger
        rig.give(CheckpointDue())
        if rig.table.stage != "over":
            rig.agree()
    assert set(rig.table.ledger) == set(PLAYERS)


def private(*players: str) -> Rig:
    rig = Rig(invitation="code")
    for player, seat in zip(players, "NESW", strict=False):
        rig.arrive(player, invitation="code")
        rig.must(player, m.TakeSeat(rig.next_id(player), seat))
    return rig


def test_who_left_in_the_middle_sat_there_and_may_read_it() -> None:
    rig = private(*PLAYERS)
    rig.agree()
    seats = {str(chair.owner): "NESW"[seat] for seat, chair in enumerate(rig.table.chairs)}
    rig.must("bob", m.LeaveTable(rig.next_id("bob")))
    for player in ("eve", "fay"):
        rig.arrive(player, invitation="code")
    rig.must("eve", m.TakeSeat(rig.next_id("eve"), seats["bob"]))
    rig.drop("cid")
    rig.now += 61
    rig.must("ann", m.SeatBot(rig.next_id("ann"), seats["cid"]))
    rng = Random(1)
    while rig.table.stage == "playing":
        if not rig.give(BotDue()):
            rig.act(rng)
    record, table = record_of(rig.table, TTL_S), written(rig)["table"]
    assert record is not None and set(record.readers) == {*PLAYERS, "eve"}, "Fay only watched"
    assert (table["private"], table["bots"]) == (True, [seats["cid"]])
    who = [(one["player"], one["name"], one["seat"]) for one in table["sat"]]
    assert set(who) == {(player, player.title(), seats[player]) for player in PLAYERS} | {("eve", "Eve", seats["bob"])}


def test_a_public_table_is_for_anyone() -> None:
    rig = Rig().playing()
    rig.play_deal(Random(1))
    record = record_of(rig.table, TTL_S)
    assert record is not None and set(record.readers) == {*PLAYERS, ANYONE}


# --- of which deals there is one


def test_a_deal_in_progress_or_void_or_kept_already_has_none() -> None:
    rig, rng = Rig(), Random(2)
    assert record_of(rig.table, TTL_S) is None
    rig.playing()
    for _ in range(20):
        assert record_of(rig.table, TTL_S) is None
        rig.act(rng)
    rig.give(WentBack())
    assert deeds_of(rig, d.Voided) == 1 and record_of(rig.table, TTL_S) is None
    rig.agree()
    assert record_of(rig.table, TTL_S) is None
    rig.play_deal(rng)
    assert written(rig)["table"]["deal"] == 2
    rig.give(CheckpointDue())
    assert record_of(rig.table, TTL_S) is None
    rig.agree()
    assert record_of(rig.table, TTL_S) is None


def deeds_of(rig: Rig, kind: type[d.Deed]) -> int:
    return sum(isinstance(d.decode(stored.data).deed, kind) for stored in rig.log)


def test_a_table_that_is_ended_before_the_checkpoint_is_still_due_one() -> None:
    rig = Rig().playing()
    rig.play_deal(Random(1))
    for player in PLAYERS[1:]:
        rig.drop(player)
    rig.now += AWAY_S + 1
    rig.must("ann", m.EndTable(rig.next_id("ann")))
    assert rig.table.checkpoint_due and written(rig)["table"]["deal"] == 1
    assert rig.give(CheckpointDue())
    assert not rig.table.checkpoint_due and rig.table.stage == "ended"


# --- when they are kept


def closing(log: Iterable[Any]) -> int:
    """Count the checkpoints of a log."""
    return sum(isinstance(d.decode(stored.data).deed, d.Checkpoint) for stored in log)


async def test_one_is_kept_with_the_checkpoint_of_its_deal(house: House, world: MemoryWorld) -> None:
    await house.four()
    rng = Random(4)
    for deal in (1, 2):
        while house.table.stage == "playing":
            assert list(world.deals.get("t", ())) == list(range(1, deal)), "none while it is played"
            await house.act(rng)
        await until(lambda: not house.table.checkpoint_due)
        assert closing(world.logs["t"]) == deal == len(world.deals["t"])
        if deal == 1:
            await house.agree()
    lines = [json.loads(data) for data in world.deals["t"].values()]
    assert [line["table"]["deal"] for line in lines] == [1, 2]
    assert [line["seed"] for line in lines] == [deed.seed.hex() for deed in deeds(world, d.DealBegun)]
    assert world.readers["t"] == {*PLAYERS, ANYONE}


def fail_with_records(house: House, faults: Iterable[Fault]) -> None:
    """Let the appends that have a record with them fail."""
    append, left = house.store.append, deque(faults)

    async def failing(*arguments: Any, record: Any = None, **named: Any) -> Any:
        if record is not None and left:
            house.store.faults.append(left.popleft())
        return await append(*arguments, record=record, **named)

    house.store.append = failing  # type: ignore[method-assign]


@pytest.mark.parametrize(
    "faults",
    [
        [Fault.UNAVAILABLE] * 3,
        [Fault.SAVED_IN_DOUBT, Fault.UNAVAILABLE],
        [Fault.LOST_IN_DOUBT, Fault.LOST_IN_DOUBT, Fault.UNAVAILABLE],
    ],
    ids=lambda faults: faults[0].name,
)
async def test_a_store_that_is_away_then_loses_nothing(house: House, world: MemoryWorld, faults: list[Fault]) -> None:
    fail_with_records(house, faults)
    await house.four()
    while house.table.stage == "playing":
        await house.act(Random(5))
    await until(lambda: not house.table.checkpoint_due)
    assert not house.store.faults and closing(world.logs["t"]) == len(world.deals["t"]) == 1


async def test_two_processes_keep_it_once(opened: Opener, world: MemoryWorld) -> None:
    one, two = await opened("p1"), await opened("p2")
    await two.guest("eve")
    await one.four()
    while one.table.stage == "playing":
        await one.act(Random(6))
    await until(lambda: world.deals)
    await agreeing(world, one, two)
    assert closing(world.logs["t"]) == len(world.deals["t"]) == 1


async def test_everybody_may_go_after_the_last_card(house: House, world: MemoryWorld) -> None:
    house.open.expected = 0
    guests = await house.four()
    fail_with_records(house, [Fault.UNAVAILABLE] * 5)
    while house.table.stage == "playing":
        await house.act(Random(7))
    for guest in guests:
        house.open.dismiss(guest)
        await house.open.leave(guest, "lost")
    await until(lambda: not house.running)
    assert list(world.deals["t"]) == [1]


async def test_another_process_keeps_what_one_that_crashed_has_not(opened: Opener, world: MemoryWorld) -> None:
    one = await opened("p1")
    fail_with_records(one, [Fault.UNAVAILABLE] * 10_000)
    await one.four()
    while one.table.stage == "playing":
        await one.act(Random(7))
    await some_turns()
    await one.close()
    assert world.deals == {} and closing(world.logs["t"]) == 0
    await opened("p2")
    await until(lambda: world.deals)
    assert list(world.deals["t"]) == [1] and closing(world.logs["t"]) == 1


async def test_of_a_future_that_the_log_has_lost_there_is_no_record(
    house: House, world: MemoryWorld, caplog: pytest.LogCaptureFixture
) -> None:
    await house.four()
    rng = Random(8)
    while len(deeds(world, d.Played)) < 51:
        await house.act(rng)
    append, back_to = house.store.append, len(world.logs["t"]) - 10

    async def cutting(*arguments: Any, record: Any = None, **named: Any) -> Any:
        if record is not None and record.deal == 1:
            world.cut("t", back_to)
        return await append(*arguments, record=record, **named)

    house.store.append = cutting  # type: ignore[method-assign]
    await house.act(rng)
    await until(lambda: house.table.deals == 2)
    assert len(deeds(world, d.Voided)) == 1 and world.deals == {}
    while house.table.stage == "playing":
        await house.act(rng)
    await until(lambda: not house.table.checkpoint_due)
    assert list(world.deals["t"]) == [2], "a void deal has none"
    caplog.clear()


async def test_they_are_kept_as_long_as_the_setting_says(house: House) -> None:
    kept: list[Any] = []
    append = house.store.append

    async def noting(*arguments: Any, record: Any = None, **named: Any) -> Any:
        kept.extend([] if record is None else [record.ttl_s])
        return await append(*arguments, record=record, **named)

    house.store.append = noting  # type: ignore[method-assign]
    await house.seat_bots()
    await house.play_with_bots()
    await until(lambda: not house.table.checkpoint_due)
    assert kept == [Lifetimes().records_s] == [365 * 24 * 3600]


# --- who may read them


@pytest.fixture
async def process(world: MemoryWorld) -> AsyncIterator[Process]:
    process = Process(world)
    yield process
    await process.stop()


def put(world: MemoryWorld, table: str, deals: Iterable[int], *readers: str, size: int = 10) -> dict[int, str]:
    lines = {deal: f"{deal}".rjust(size, "-") for deal in deals}
    world.deals[table] = {deal: line.encode() for deal, line in lines.items()}
    world.readers[table] = set(readers)
    return lines


async def records(client: Client, table: str, after: int = 0) -> m.DealRecords | m.Rejected:
    """Ask for records, and return what came before the answer, or the refusal."""
    known = len(client.told(m.DealRecords))
    answer = await client.ask(m.GetRecords(client.next_id(), table, after))
    told = client.told(m.DealRecords)[known:]
    if isinstance(answer, m.Rejected):
        assert told == []
        return answer
    (page,) = told
    assert answer.number == 0 and client.messages[-2:] == [page, answer]
    return page


async def test_who_sat_there_may_when_the_table_is_gone(process: Process, world: MemoryWorld) -> None:
    lines = put(world, "gone", [1, 2, 4], player_of(TOKENS["ann"]))
    ann = await process.greeted("ann")
    assert await records(ann, "gone") == m.DealRecords("gone", list(lines.values()), 4)
    assert await records(ann, "gone", 2) == m.DealRecords("gone", [lines[4]], 4)
    assert await records(ann, "gone", 4) == m.DealRecords("gone", [], 4)
    assert process.tables.tables() == [], "no table is opened for it"


async def test_for_others_it_is_as_if_there_were_no_such_table(process: Process, world: MemoryWorld) -> None:
    put(world, "private", [1, 2], player_of(TOKENS["ann"]))
    bob = await process.greeted("bob")
    refused, unknown = await records(bob, "private"), await records(bob, "nowhere")
    join = await bob.ask(m.JoinTable(bob.next_id(), "nowhere"))
    for answer in (refused, unknown, join):
        assert isinstance(answer, m.Rejected)
        assert (answer.code, answer.message) == ("table.unknown", "There is no such table.")


async def test_those_of_a_public_table_are_for_anyone(process: Process, world: MemoryWorld) -> None:
    lines = put(world, "public", [3], player_of(TOKENS["ann"]), ANYONE)
    bob = await process.greeted("bob")
    assert await records(bob, "public") == m.DealRecords("public", list(lines.values()), 3)


async def test_whoever_is_there_may_and_no_longer_when_he_has_left(process: Process, world: MemoryWorld) -> None:
    made = await process.tables.make("x", m.CreateTable(1, "auction_bridge", private=True))
    assert isinstance(made, tuple)
    table, invitation = made
    put(world, table, [1], player_of(TOKENS["ann"]))
    bob = await process.greeted("bob")
    assert isinstance(await records(bob, table), m.Rejected)
    assert isinstance(await bob.ask(m.JoinTable(bob.next_id(), table, invitation)), m.Accepted)
    assert isinstance(await records(bob, table), m.DealRecords)
    assert isinstance(await records(bob, "another"), m.Rejected)
    await bob.ask(m.LeaveTable(bob.next_id()))
    assert isinstance(await records(bob, table), m.Rejected)


async def test_before_the_first_deal_is_over_there_are_none(process: Process) -> None:
    ann = await process.joined("ann", table := await process.new_table())
    assert await records(ann, table) == m.DealRecords(table, [], 0)


async def test_who_has_played_reads_what_was_kept(process: Process, world: MemoryWorld) -> None:
    table = await process.new_table()
    ann = await process.joined("ann", table)
    await ann.ask(m.TakeSeat(ann.next_id(), "N"))
    for seat in "ESW":
        await ann.ask(m.SeatBot(ann.next_id(), seat))
    await ann.ask(m.Ready(ann.next_id(), 1))
    opened = process.tables.tables()[0].table
    rng = Random(9)
    await until(lambda: opened.stage == "playing")
    while opened.stage == "playing":
        turn = ann.turn()
        if turn is not None and turn.legal is not None and (turn.deal, turn.index) == opened.turn:
            await ann.ask(answer_to(turn, ann.next_id(), rng))
        await some_turns(1)
    await until(lambda: table in world.deals)
    world.cut(table, 0)
    page = await records(ann, table)
    assert isinstance(page, m.DealRecords)
    (line,) = page.records
    assert json.loads(line)["table"]["sat"] == [
        {"player": ann.session.player, "name": "Ann", "seat": seat}
        for seat in [opened.game.seats.name(seat_of(opened))]
    ]


def seat_of(table: Any) -> int:
    return next(seat for seat, chair in enumerate(table.chairs) if chair.owner is not None)


def answer_to(turn: m.Turn, id: int, rng: Random) -> m.Command:
    assert turn.legal is not None
    if turn.legal.calls:
        return m.MakeCall(id, turn.deal, turn.index, rng.choice(turn.legal.calls))
    return m.PlayCard(id, turn.deal, turn.index, rng.choice(turn.legal.cards))


@pytest.mark.parametrize("size", [10, 2500, PAGE_BYTES // 2, 3 * PAGE_BYTES])
async def test_they_come_in_pages(process: Process, world: MemoryWorld, size: int) -> None:
    lines = put(world, "t", range(2, 200, 3), ANYONE, size=size)
    ann, got, after, pages = await process.greeted("ann"), [], 0, 0
    while True:
        page = await records(ann, "t", after)
        assert isinstance(page, m.DealRecords)
        assert len(page.records) <= PAGE_DEALS and (len(page.records) == 1 or sum(map(len, page.records)) <= PAGE_BYTES)
        got += page.records
        after, pages = page.last, pages + 1
        if not page.more:
            break
    assert got == list(lines.values()) and after == max(lines)
    assert pages == -(-len(lines) // min(PAGE_DEALS, max(1, PAGE_BYTES // size)))


async def test_a_store_that_is_away_is_said_to_be(process: Process) -> None:
    ann = await process.greeted("ann")
    process.store.away = True
    refused = await records(ann, "t")
    assert isinstance(refused, m.Rejected) and refused.code == "store.unavailable"
    process.store.away = False
