"""Seat codes: a seat goes to another device, once and with all that belongs to it; the former one hears no more."""

import asyncio
from collections.abc import AsyncIterator
from random import Random

import msgspec
import pytest

from protocol import messages as m
from server import entries as d
from server.decide import SEAT_CODE_S, Asked, Refusal, Repeated, seat_code_hash
from server.open_table import Answer, Job
from server.render import table_view
from server.session import CLOSE_REPLACED, player_of
from server.snapshot import restored, take
from server.tables import ID_LETTERS
from tests.server.fake_client import TOKENS, Process
from tests.server.house import House, Opener, deeds, house, opened, some_turns, until, world
from tests.server.memory_store import MemoryWorld
from tests.server.rig import PLAYERS, Rig, cards_in, digest, hands_held, refold

__all__ = ["house", "opened", "world"]  # fixtures

CODE = "abcd-efgh-jkmn"


def refused(decision: object) -> str:
    """Return why nothing was done."""
    assert isinstance(decision, Refusal), decision
    return decision.code


def owners(rig: Rig) -> list[str | None]:
    return [chair.owner for chair in rig.table.chairs]


# --- the pure table


def test_a_code_moves_the_seat_and_the_former_player_is_gone() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    rig.arrive("eve", seat_code=CODE)
    assert owners(rig) == ["ann", "eve", "cid", "dan"]
    assert "bob" not in rig.table.members and "bob" in rig.table.departed
    view = table_view(rig.table, "eve")
    assert view.seat == "E" and view.deal is not None and view.deal.hands.keys() == {"E"}
    assert table_view(rig.table, "ann").spectators == []


@pytest.mark.parametrize("typed", ["abcd-efgh-jkmn", "ABCDEFGHJKMN", "Abcd-EfghJkmn"])
def test_a_code_may_be_typed_in_any_way(typed: str) -> None:
    rig = Rig()
    rig.sit("ann")
    rig.make_seat_code("ann", CODE)
    rig.arrive("eve", seat_code=typed)
    assert owners(rig)[0] == "eve"


def test_what_belongs_to_the_seat_goes_with_it() -> None:
    rig = Rig()
    rig.sit(*PLAYERS)
    rig.must("bob", m.Ready(rig.next_id("bob"), 1))
    rig.make_seat_code("bob", CODE)
    rig.arrive("eve", seat_code=CODE)
    assert [chair.agreed for chair in rig.table.chairs] == [False, True, False, False]
    rig.agree()
    assert rig.table.deal is not None and rig.table.deal.held["eve"] == 1


def test_the_points_of_the_rubbers_go_with_it() -> None:
    rig = Rig().playing()
    while rig.table.stage != "over":
        rig.play_sanely()
        if rig.table.stage == "scored":
            rig.agree()
    before = dict(rig.table.ledger)
    assert before["bob"] != 0
    rig.make_seat_code("bob", CODE)
    rig.arrive("eve", seat_code=CODE)
    assert rig.table.ledger == {"ann": before["ann"], "cid": before["cid"], "dan": before["dan"], "eve": before["bob"]}
    # He comes back as himself, and wins and loses on his own account; both are one person's when he has it back.
    rig.arrive("bob", "2")
    rig.make_seat_code("eve", "other")
    rig.table.ledger["bob"] = 5
    rig.arrive("bob", "2", seat_code="other")
    assert rig.table.ledger["bob"] == before["bob"] + 5 and "eve" not in rig.table.ledger


def test_a_code_serves_once_and_its_user_may_say_it_again() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    rig.arrive("eve", seat_code=CODE)
    assert refused(rig.arrive("fay", seat_code=CODE)) == "seat.bad_code"
    assert "fay" not in rig.table.members
    assert refused(rig.arrive("bob", "2", seat_code=CODE)) == "seat.bad_code"
    rig.drop("eve")
    rig.now += SEAT_CODE_S + 1
    rig.arrive("eve", "2", seat_code=CODE)
    assert owners(rig)[1] == "eve" and rig.table.present("eve")


def test_a_code_grows_old() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    rig.now += SEAT_CODE_S
    assert not isinstance(rig.arrive("eve", seat_code=CODE), Refusal)
    rig.make_seat_code("cid", "second")
    rig.now += SEAT_CODE_S + 0.1
    assert refused(rig.arrive("fay", seat_code="second")) == "seat.bad_code"
    assert owners(rig) == ["ann", "eve", "cid", "dan"]


def test_a_new_code_replaces_the_one_before() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    rig.make_seat_code("bob", "second")
    assert refused(rig.arrive("eve", seat_code=CODE)) == "seat.bad_code"
    assert not isinstance(rig.arrive("eve", seat_code="second"), Refusal)


@pytest.mark.parametrize("command", [m.LeaveSeat, m.LeaveTable])
def test_a_code_is_void_when_its_player_has_stood_up(command: type[m.LeaveSeat | m.LeaveTable]) -> None:
    rig = Rig()
    rig.sit("ann", "bob")
    rig.make_seat_code("bob", CODE)
    rig.must("bob", command(rig.next_id("bob")))
    assert refused(rig.arrive("eve", seat_code=CODE)) == "seat.bad_code"
    rig.must("ann", m.TakeSeat(rig.next_id("ann"), "E"))
    assert refused(rig.arrive("eve", seat_code=CODE)) == "seat.bad_code"


@pytest.mark.parametrize("wrong", ["", "-", "abcd-efgh-jkmm", "\u0130"])
def test_a_wrong_code_is_refused(wrong: str) -> None:
    rig = Rig()
    rig.sit("ann", "bob")
    assert refused(rig.arrive("eve", seat_code=wrong)) == "seat.bad_code"
    rig.make_seat_code("bob", CODE)
    assert refused(rig.arrive("eve", seat_code=wrong)) == "seat.bad_code"
    assert rig.table.members.keys() == {"ann", "bob"}


def test_a_code_brings_its_own_player_back_and_keeps_its_worth() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    rig.arrive("bob", "2", seat_code=CODE)
    assert owners(rig)[1] == "bob" and rig.table.members["bob"].connection == "bob-2"
    assert not isinstance(rig.arrive("eve", seat_code=CODE), Refusal)
    assert owners(rig)[1] == "eve"


def test_a_code_needs_no_invitation_and_is_good_at_a_full_table() -> None:
    rig = Rig(invitation="please")
    rig.arrive("ann", invitation="please")
    rig.must("ann", m.TakeSeat(rig.next_id("ann"), "N"))
    rig.make_seat_code("ann", CODE)
    assert refused(rig.arrive("eve")) == "table.private"
    assert not isinstance(rig.arrive("eve", seat_code=CODE), Refusal)
    assert refused(rig.arrive("ann", "2")) == "table.private"


def test_a_code_is_refused_where_the_table_has_ended() -> None:
    rig = Rig()
    rig.sit("ann")
    rig.make_seat_code("ann", CODE)
    rig.must("ann", m.EndTable(rig.next_id("ann")))
    assert refused(rig.arrive("eve", seat_code=CODE)) == "table.closed"
    assert refused(rig.ask("ann", m.MakeSeatCode(rig.next_id("ann")))) == "table.closed"


def test_nobody_comes_to_see_a_second_hand_by_a_code() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    assert refused(rig.arrive("ann", seat_code=CODE)) == "seat.saw_another_hand"
    rig.arrive("eve", seat_code=CODE)
    rig.arrive("bob", "2")
    rig.must("ann", m.LeaveSeat(rig.next_id("ann")))
    assert rig.code("bob", m.TakeSeat(rig.next_id("bob"), "N")) == "seat.saw_another_hand", "he has seen East's"
    rig.must("ann", m.TakeSeat(rig.next_id("ann"), "N"))
    rig.play_deal(Random(1))
    rig.make_seat_code("eve", "second")
    rig.arrive("ann", seat_code="second")
    assert owners(rig) == [None, "ann", "cid", "dan"], "an own earlier seat is left"


def test_the_seat_goes_back_in_the_same_deal_by_the_same_way() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    rig.arrive("eve", seat_code=CODE)
    rig.make_seat_code("eve", "second")
    rig.arrive("bob", "2", seat_code="second")
    assert owners(rig)[1] == "bob" and "eve" not in rig.table.members


def test_who_was_away_and_played_for_by_a_bot_may_come_from_elsewhere() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    rig.drop("bob")
    rig.now += 61
    rig.must("ann", m.SeatBot(rig.next_id("ann"), "E"))
    rig.arrive("eve", seat_code=CODE)
    assert owners(rig)[1] == "eve" and not rig.table.chairs[1].bot
    assert "bob" not in rig.table.members


def test_where_nobody_was_the_table_goes_on_first() -> None:
    rig = Rig().playing("ann", "bob", "cid", "dan")
    rig.make_seat_code("ann", CODE)
    for player in PLAYERS:
        rig.drop(player)
    decision = rig.arrive("eve", seat_code=CODE)
    assert not isinstance(decision, Refusal | Repeated)
    assert [type(one.deed) for one in decision] == [d.Resumed, d.Arrived, d.SeatMoved]


def test_a_spectator_at_the_table_moves_into_the_seat() -> None:
    rig = Rig().playing()
    rig.arrive("eve")
    rig.make_seat_code("bob", CODE)
    decision = rig.arrive("eve", seat_code=CODE)
    assert not isinstance(decision, Refusal | Repeated)
    assert [type(one.deed) for one in decision] == [d.SeatMoved], "he has arrived already"


def test_the_log_keeps_a_hash_alone() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    rig.arrive("eve", seat_code=CODE)
    for text in (CODE, CODE.replace("-", "")):
        assert not any(text.encode() in one.data for one in rig.log)
    assert seat_code_hash("t", CODE) != seat_code_hash("u", CODE), "one of another table is of no use here"


def test_a_repeated_command_makes_no_second_code() -> None:
    rig = Rig().playing()
    command = m.MakeSeatCode(rig.next_id("bob"))
    rig.give(Asked("bob", command, seat_code_hash("t", CODE)))
    number = rig.table.head.number
    assert rig.give(Asked("bob", command, seat_code_hash("t", "second"))) == Repeated(number)
    assert refused(rig.arrive("eve", seat_code="second")) == "seat.bad_code"


# --- logs and checkpoints


def test_codes_are_in_a_checkpoint_and_the_log_gives_the_same_table() -> None:
    rig = Rig().playing()
    rig.make_seat_code("bob", CODE)
    rig.make_seat_code("cid", "second")
    rig.arrive("eve", seat_code=CODE)
    assert digest(refold("t", rig.log)) == digest(rig.table)
    made = restored("t", rig.table.head.number + 1, take(rig.table))
    assert [chair.code for chair in made.chairs] == [chair.code for chair in rig.table.chairs]
    assert take(made) == take(rig.table)
    rig.table = made
    rig.table.head, rig.table.time = refold("t", rig.log).head, rig.now
    assert refused(rig.arrive("fay", seat_code=CODE)) == "seat.bad_code"
    rig.arrive("fay", seat_code="second")
    assert owners(rig) == ["ann", "eve", "fay", "dan"]


def test_a_checkpoint_without_codes_is_as_it_was_before_there_were_any() -> None:
    rig = Rig().playing()
    assert len(msgspec.msgpack.decode(take(rig.table).state)) == 12
    rig.make_seat_code("bob", CODE)
    assert len(msgspec.msgpack.decode(take(rig.table).state)) == 13


# --- several processes, and what is told


async def make_code(house: House, player: str, code: str) -> None:
    answers: list[Answer] = []
    asked = Asked(player, m.MakeSeatCode(house.next_id(player)), seat_code_hash("t", code))
    assert house.open.put(Job(asked, answers.append))
    await until(lambda: answers)
    assert isinstance(answers[0], int)


@pytest.mark.parametrize("seed", range(3))
async def test_the_former_connection_is_told_nothing_more_and_the_new_one_what_the_seat_may_know(
    opened: Opener, seed: int
) -> None:
    house, other = await opened("p1"), await opened("p2")
    guests = await house.four()
    rng = Random(seed)
    for _ in range(rng.randrange(20)):
        await house.act(rng)
    bob = guests[1]
    await make_code(house, "bob", CODE)
    await until(lambda: other.table.head == house.table.head)
    eve, answers = other.arrive("eve", seat_code=CODE)
    await until(lambda: answers and bob.endings)
    assert bob.endings == ["replaced"]
    (taken,) = [event for event in bob.told(m.Entry)[-1].events if isinstance(event, m.SeatTaken)]
    assert (taken.player, taken.former, taken.seat) == ("eve", "bob", "E"), "that was the last"
    heard = len(bob.frames)
    (view,) = eve.told(m.TableView)
    hand = {str(card) for card in hands_held(house.table)[1]}
    assert view.seat == "E" and view.deal is not None and hand <= cards_in(eve.frames[0])
    while house.table.stage == "playing":  # every frame is searched for cards that its seat may not know
        await house.act(rng)
    await until(lambda: other.table.head == house.table.head)
    assert len(bob.frames) == heard
    assert eve.told(m.Entry)[-1].number == house.table.head.number


async def test_a_spectator_who_moves_in_is_shown_the_seat_afresh(house: House) -> None:
    await house.four()
    await house.guest("eve")
    await make_code(house, "bob", CODE)
    eve, answers = house.arrive("eve", seat_code=CODE)
    await until(lambda: answers)
    view = eve.told(m.TableView)[-1]
    assert view.seat == "E" and view.deal is not None and view.deal.hands.keys() == {"E"}


async def test_of_two_devices_in_two_processes_one_gets_the_seat(opened: Opener, world: MemoryWorld) -> None:
    first, second = await opened("p1"), await opened("p2")
    await first.four()
    await make_code(first, "bob", CODE)
    await until(lambda: second.table.head == first.table.head)
    _, ours = first.arrive("eve", seat_code=CODE)
    _, theirs = second.arrive("fay", seat_code=CODE)
    await until(lambda: ours and theirs)
    answers = [*ours, *theirs]
    assert sorted(isinstance(answer, int) for answer in answers) == [False, True]
    assert [refused(answer) for answer in answers if not isinstance(answer, int)] == ["seat.bad_code"]
    assert len(deeds(world, d.SeatMoved)) == 1
    await until(lambda: second.table.head == first.table.head)
    assert first.table.chairs[1].owner == second.table.chairs[1].owner != "bob"


# --- connections


@pytest.fixture
async def process(world: MemoryWorld) -> AsyncIterator[Process]:
    process = Process(world)
    yield process
    await process.stop()


async def test_the_code_is_told_to_who_asks_and_takes_the_seat_from_another_connection(process: Process) -> None:
    made = await process.tables.make("x", m.CreateTable(1, "auction_bridge", private=True))
    assert isinstance(made, tuple)
    table, invitation = made
    ann = await process.greeted("ann")
    await ann.ask(m.JoinTable(ann.next_id(), table, invitation))
    assert await ann.code(m.MakeSeatCode(ann.next_id())) == "seat.none"
    await ann.ask(m.TakeSeat(ann.next_id(), "N"))
    asked = m.MakeSeatCode(ann.next_id())
    assert isinstance(await ann.ask(asked), m.Accepted)
    (told,) = ann.told(m.SeatCode)
    assert told.table == table and told.until == process.world.seconds + SEAT_CODE_S
    assert len(told.code) == 14 and set(told.code) <= {*ID_LETTERS, "-"}
    assert ann.messages.index(told) == len(ann.messages) - 2, "it comes before the answer"
    assert isinstance(await ann.ask(asked), m.Accepted)
    assert len(ann.told(m.SeatCode)) == 1, "a command sent again makes no code"

    eve = await process.greeted("eve")
    assert await eve.code(m.JoinTable(eve.next_id(), table, seat_code="abcd-efgh-jkmn")) == "seat.bad_code"
    joined = await eve.ask(m.JoinTable(eve.next_id(), table, seat_code=told.code))
    assert isinstance(joined, m.Accepted)
    assert eve.told(m.TableView)[-1].seat == "N" and eve.told(m.TableView)[-1].player == player_of(TOKENS["eve"])
    await until(lambda: ann.closing)
    assert ann.closing is not None and ann.closing[0] == CLOSE_REPLACED
    await some_turns()
    opened = process.tables.tables()[0].table
    assert opened.members.keys() == {player_of(TOKENS["eve"])}


async def test_who_has_watched_is_shown_the_table_afresh_from_the_seat(process: Process) -> None:
    table = await process.new_table()
    clients = await process.four(table)
    eve = await process.joined("eve", table)
    await clients[1].ask(m.MakeSeatCode(clients[1].next_id()))
    (told,) = clients[1].told(m.SeatCode)
    last = eve.told(m.Entry)[-1]
    join = m.JoinTable(eve.next_id(), table, number=last.number, entry=last.entry, seat_code=told.code)
    assert isinstance(await eve.ask(join), m.Accepted)
    view = eve.told(m.TableView)[-1]
    assert view.seat == "E" and view.deal is not None and view.deal.hands.keys() == {"E"}


async def test_two_codes_are_never_the_same(process: Process) -> None:
    ann = await process.joined("ann", await process.new_table())
    await ann.ask(m.TakeSeat(ann.next_id(), "N"))
    await asyncio.gather(*(ann.ask(m.MakeSeatCode(ann.next_id())) for _ in range(20)))
    assert len({told.code for told in ann.told(m.SeatCode)}) == 20
