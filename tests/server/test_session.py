"""A connection's commands: the order of answers, what is refused and how, who is replaced, and no ghosts afterwards."""

from collections.abc import AsyncIterator

import msgpack
import pytest

from protocol import messages as m
from server import entries as d
from server.session import CLOSE_BAD_FRAME, CLOSE_REPLACED, CLOSE_RESTARTING, WAITING, player_of
from tests.server.fake_client import TOKENS, Process
from tests.server.house import deeds, some_turns, until
from tests.server.memory_store import MemoryWorld


@pytest.fixture
def world() -> MemoryWorld:
    return MemoryWorld()


@pytest.fixture
async def process(world: MemoryWorld) -> AsyncIterator[Process]:
    process = Process(world)
    yield process
    process.store.gates.clear()
    await process.stop()


# --- hello


async def test_a_new_player_gets_a_token_and_is_the_same_with_it_later(process: Process) -> None:
    first, second = process.client(), process.client()
    assert isinstance(await first.ask(m.Hello(1)), m.Accepted)
    (welcome,) = first.told(m.Welcome)
    assert welcome.token is not None and len(welcome.token) == 43 and welcome.name.startswith("Player ")
    assert welcome.now == process.world.seconds
    assert isinstance(await second.ask(m.Hello(1, welcome.token, "Ann")), m.Accepted)
    (again,) = second.told(m.Welcome)
    assert (again.player, again.name, again.token) == (welcome.player, "Ann", None)
    assert welcome.token not in again.player and player_of(welcome.token) == again.player


@pytest.mark.parametrize(
    "command",
    [
        m.ListTables(1),
        m.CreateTable(1, "auction_bridge"),
        m.JoinTable(1, "t"),
        m.GetRecords(1, "t"),
        m.Say(1, "hi"),
        m.Ready(1, 1),
        m.LeaveTable(1),
        m.SetName(1, "x"),
    ],
    ids=lambda command: type(command).__name__,
)
async def test_hello_comes_first(process: Process, command: m.Command) -> None:
    client = process.client()
    assert await client.code(command) == "hello.expected"
    assert client.closing is None


async def test_hello_is_said_once(process: Process) -> None:
    ann = await process.greeted("ann")
    assert await ann.code(m.Hello(2, TOKENS["bob"])) == "hello.repeated"
    assert ann.session.player == player_of(TOKENS["ann"])


@pytest.mark.parametrize("token", ["", "x", "A" * 42, "A" * 44, "A" * 42 + "\n", "A" * 42 + "ä", "A" * 42 + "="])
async def test_what_is_no_token(process: Process, token: str) -> None:
    client = process.client()
    answer = await client.ask(m.Hello(1, token))
    # An empty one is none at all, and a new player.
    assert (
        isinstance(answer, m.Accepted)
        if token == ""
        else answer == m.Rejected(1, "hello.bad_token", "That is no token; leave it out to get a new one.")
    )
    if token:
        assert isinstance(await client.ask(m.Hello(2)), m.Accepted), "the connection stays"


UNPRINTABLE = [
    "\x1b[2J",
    "a\nb",
    "a\rb",
    "\x00",
    "a\u202eb",
    "a\u2066b",
    "a\u200fb",
    "\u2028",
    "a\x9b31m",
    "\ufeffa",
    " a",
    "a ",
    " ",
]


@pytest.mark.parametrize("text", UNPRINTABLE, ids=ascii)
async def test_names_and_talk_that_could_do_something_to_a_terminal_are_refused(process: Process, text: str) -> None:
    client = process.client()
    assert await client.code(m.Hello(1, None, text)) == "command.unprintable"
    ann = await process.joined("ann", await process.new_table())
    assert await ann.code(m.SetName(8, text)) == "command.unprintable"
    assert await ann.code(m.Say(9, text)) == "command.unprintable"
    assert ann.told(m.Said) == [] and ann.closing is None


async def test_names_and_talk_of_all_languages_are_taken(process: Process) -> None:
    ann = await process.joined("ann", await process.new_table())
    for id, text in enumerate(["Zoë", "Владимир", "王", "عمر", "♠ K♥ 🂡", "D'Arcy-O’Neil"], 8):
        assert isinstance(await ann.ask(m.SetName(id, text)), m.Accepted)
        assert isinstance(await ann.ask(m.Say(100 + id, text)), m.Accepted)


async def test_a_new_connection_with_the_token_replaces_the_old_one(process: Process, world: MemoryWorld) -> None:
    table = await process.new_table()
    first = await process.joined("ann", table)
    await first.ask(m.TakeSeat(9, "N"))
    second = await process.greeted("ann")
    assert first.closing is not None and first.closing[0] == CLOSE_REPLACED and second.closing is None
    assert isinstance(await second.ask(m.JoinTable(10, table)), m.Accepted)
    await some_turns()
    opened = process.tables.tables()[0].table
    assert opened.present(second.session.player) and opened.seat_of(second.session.player) == 0
    heard = len(first.frames)
    await second.ask(m.SetName(11, "Anne"))
    assert len(first.frames) == heard
    assert [deed.reason for deed in deeds(world, d.Dropped, table)] in (["replaced"], [])


async def test_what_a_replaced_connection_had_still_to_do_is_not_done(
    process: Process, world: MemoryWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its end may be long in coming, where the client does not answer the close frame."""
    table = await process.new_table()
    first = await process.greeted("ann")
    gate = process.store.shut("advertised")
    first.say(m.ListTables(8))
    first.say(m.JoinTable(9, table))
    await some_turns()
    monkeypatch.setattr(first, "close", lambda code, reason: closed.append(code))
    closed: list[int] = []
    second = await process.joined("ann", table)
    gate.set()
    await some_turns()
    assert closed == [CLOSE_REPLACED] and second.closing is None
    assert [deed.connection for deed in deeds(world, d.Arrived, table)] == [second.session.connection]
    first.session.closed(CLOSE_REPLACED, "")


async def test_a_new_connection_replaces_the_old_one_at_whatever_process(process: Process, world: MemoryWorld) -> None:
    """Whether or not either has come to a table."""
    other = Process(world, "p2")
    first = await process.greeted("ann")
    world.seconds += 1
    other.tables.clock.set(world.seconds)
    second, bob = await other.greeted("ann"), await other.greeted("bob")
    await some_turns()
    assert first.closing is not None and first.closing[0] == CLOSE_REPLACED
    assert second.closing is None and bob.closing is None
    await process.store.greet(first.session.greeting)  # late, or twice
    await some_turns()
    assert second.closing is None
    await other.stop()


async def test_two_who_come_at_once_at_two_processes_leave_one(process: Process, world: MemoryWorld) -> None:
    other = Process(world, "p2")
    clients = [process.client(), other.client()]
    for client in clients:
        client.say(m.Hello(1, TOKENS["ann"]))
    await some_turns()
    closed = [client.closing is not None for client in clients]
    assert sorted(closed) == [False, True]
    await other.stop()


async def test_a_greeting_that_the_store_does_not_take_is_done_without(process: Process) -> None:
    process.store.away = True
    ann = await process.greeted("ann")
    await some_turns()
    assert ann.closing is None


async def test_who_says_no_name_keeps_the_one_he_has_at_the_table(process: Process, world: MemoryWorld) -> None:
    table = await process.new_table()
    first = await process.joined("ann", table)
    await first.ask(m.TakeSeat(9, "N"))
    again = process.client()
    await again.ask(m.Hello(1, TOKENS["ann"]))
    await again.ask(m.JoinTable(10, table))
    assert process.tables.tables()[0].table.members[again.session.player].name == "Ann"


@pytest.mark.parametrize(
    "how", ["left", "left and keeps the seat", "lost", "replaced", "replaced elsewhere", "server_gone"]
)
async def test_the_others_are_told_why_a_player_is_gone(process: Process, world: MemoryWorld, how: str) -> None:
    table, other = await process.new_table(), Process(world, "p2")
    ann, bob = await process.joined("ann", table), await process.joined("bob", table)
    await bob.ask(m.TakeSeat(9, "E"))
    match how:
        case "left":
            await bob.ask(m.LeaveTable(10))
        case "left and keeps the seat":
            bob.session.closed(1000, "")
        case "lost":
            bob.vanish()
        case "replaced":
            await (await process.greeted("bob")).ask(m.JoinTable(10, table))
        case "replaced elsewhere":
            await (await other.greeted("bob")).ask(m.JoinTable(10, table))
        case "server_gone":
            process.sessions.stopping = True
            bob.close(CLOSE_RESTARTING, "the server is about to stop")

    def told() -> list[str]:
        events = [event for entry in ann.told(m.Entry) for event in entry.events]
        gone = [event for event in events if isinstance(event, m.PlayerLeft | m.PlayerDropped)]
        return ["left" if isinstance(event, m.PlayerLeft) else event.reason for event in gone]

    await until(told)
    await some_turns()
    assert told() == [how.split()[0]]
    assert process.tables.tables()[0].table.present(bob.session.player) == how.startswith("replaced")
    await other.stop()


# --- wrong commands


def frame(**fields: object) -> bytes:
    packed: bytes = msgpack.packb(fields)
    return packed


@pytest.mark.parametrize(
    ("sent", "id", "code"),
    [
        (frame(type="dance", id=7), 7, "command.unknown_type"),
        (frame(id=7), 7, "command.unknown_type"),
        (frame(type="ready", id=7), 7, "command.missing_field"),
        (frame(type="ready", id=7, deal=1, extra=1), 7, "command.unknown_field"),
        (frame(type="ready", id=7, deal="1"), 7, "command.bad_field"),
        (frame(type="ready", id=7, deal=0), 7, "command.bad_field"),
        (frame(type="ready", id=7, deal=1.0), 7, "command.bad_field"),
        (frame(type="ready", id=0, deal=1), 0, "command.bad_field"),
        (frame(type="ready", id=True, deal=1), 0, "command.bad_field"),
        (frame(type="ready", id=2**60, deal=1), 0, "command.bad_field"),
        (frame(type="ready", deal=1), 0, "command.missing_field"),
        (frame(type="set_name", id=7, name="x" * 25), 7, "command.bad_field"),
        (frame(type="set_name", id=7, name=""), 7, "command.bad_field"),
        (frame(type="say", id=7, text="x" * 401), 7, "command.bad_field"),
        (frame(type="join_table", id=7, table="../x"), 7, "command.bad_field"),
        (frame(type="join_table", id=7, table="x\n"), 7, "command.bad_field"),
        (frame(type="discard_cards", id=7, deal=1, index=0, cards=["SA"] * 9), 7, "command.bad_field"),
        (frame(type="welcome", id=7), 7, "command.unknown_type"),
    ],
    ids=repr,
)
async def test_a_wrong_command_is_rejected_and_the_connection_stays(
    process: Process, sent: bytes, id: int, code: str
) -> None:
    ann = await process.joined("ann", await process.new_table())
    ann.session.received(sent)
    await until(lambda: ann.answers(id))
    (answer,) = ann.answers(id)
    assert isinstance(answer, m.Rejected) and answer.code == code and answer.message
    assert ann.closing is None
    assert isinstance(await ann.ask(m.TakeSeat(8, "N")), m.Accepted)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\xc1",
        b"\x81",
        b"hello",
        msgpack.packb([1]),
        msgpack.packb({1: 2}),
        b"\x82\xa1a\x01\xa1a\x02",
        b"\x90" * 5000,
        b"\x81\xa2id\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
        b"\x81\xa4type\xa1\xff",
        b"\x91" * 2000,
        b"\x80\x80",
    ],
    ids=lambda sent: repr(sent[:20]),
)
async def test_bytes_that_are_no_command_close_the_connection(process: Process, sent: bytes) -> None:
    table = await process.new_table()
    ann, bob = await process.joined("ann", table), await process.joined("bob", table)
    ann.session.received(sent)
    assert ann.closing is not None and ann.closing[0] == CLOSE_BAD_FRAME
    assert ann.closing[1] and ann.closing[1].isprintable()
    await some_turns()
    assert isinstance(await bob.ask(m.TakeSeat(8, "N")), m.Accepted)
    assert not process.tables.tables()[0].table.present(ann.session.player)


# --- order


async def test_answers_come_in_the_order_of_the_commands(process: Process) -> None:
    """Quick ones wait behind one that asks the store, so that what follows a join finds the table."""
    table = await process.new_table()
    ann = process.client()
    commands: list[m.Command] = [m.Hello(1, TOKENS["ann"]), m.ListTables(2), m.JoinTable(3, table), m.TakeSeat(4, "N")]
    commands += [m.Say(5, "hi"), m.LeaveSeat(6), m.JoinTable(7, "nowhere"), m.TakeSeat(8, "E"), m.LeaveTable(9)]
    commands += [m.TakeSeat(10, "N"), m.CreateTable(11, "auction_bridge")]
    for command in commands:
        ann.say(command)
    await until(lambda: all(ann.answers(id) for id in range(1, 12)))
    await some_turns()
    answers = [answer for answer in ann.told(m.ServerMessage) if isinstance(answer, m.Accepted | m.Rejected)]
    assert sorted(answer.id for answer in answers) == list(range(1, 12)), "one answer each"
    refused = {answer.id: answer.code for answer in answers if isinstance(answer, m.Rejected)}
    assert refused == {7: "table.unknown", 10: "table.none_joined"}
    assert ann.told(m.TableMade)[0].invitation is None


async def test_too_many_commands_that_wait_are_refused(process: Process) -> None:
    ann = await process.greeted("ann")
    gate = process.store.shut("advertised")
    for id in range(100, 100 + WAITING + 6):
        ann.say(m.ListTables(id))
    await some_turns()
    refused = [answer for answer in ann.told(m.Rejected) if answer.code == "server.busy"]
    assert [answer.id for answer in refused] == list(range(100 + WAITING, 100 + WAITING + 6))[-len(refused) :]
    assert 5 <= len(refused) <= 6
    gate.set()
    await until(lambda: len(ann.told(m.TableList)) == WAITING + 6 - len(refused))
    assert isinstance(await ann.ask(m.ListTables(500)), m.Accepted)


async def test_a_table_whose_inbox_is_full_is_busy(process: Process) -> None:
    table = await process.new_table()
    ann = await process.joined("ann", table)
    gate = process.store.shut("append")
    for id in range(10, 400):
        ann.say(m.SetName(id, f"Ann {id}"))
    codes = {answer.code for answer in ann.told(m.Rejected)}
    assert codes == {"server.busy"}
    gate.set()
    await until(lambda: all(ann.answers(id) for id in range(10, 400)))
    assert all(len(ann.answers(id)) == 1 for id in range(10, 400))


# --- store trouble


async def test_a_store_that_is_away_is_said_so_and_the_connection_stays(process: Process) -> None:
    table = await process.new_table()
    ann = await process.joined("ann", table)
    process.store.away = True
    for command in (m.ListTables(10), m.CreateTable(11, "auction_bridge"), m.Say(12, "x"), m.TakeSeat(13, "N")):
        assert await ann.code(command) == "store.unavailable"
    assert await ann.code(m.JoinTable(14, "elsewhere")) == "store.unavailable"
    process.store.away = False
    assert isinstance(await ann.ask(m.TakeSeat(13, "N")), m.Accepted), "he is still at his table"


async def test_a_command_that_fails_has_an_answer(
    process: Process, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ann = await process.greeted("ann")
    monkeypatch.setattr(process.tables, "listed", lambda: 1 / 0)
    assert await ann.code(m.ListTables(9)) == "server.failed"
    assert "ZeroDivisionError" in caplog.text and "Traceback" not in caplog.text
    assert isinstance(await ann.ask(m.CreateTable(10, "auction_bridge")), m.Accepted)


# --- chat


async def test_a_line_is_said_once_however_often_it_is_sent(process: Process) -> None:
    table = await process.new_table()
    ann, bob = await process.joined("ann", table), await process.joined("bob", table)
    process.store.faults.clear()
    for _ in range(3):
        assert isinstance(await ann.ask(m.Say(9, "hello")), m.Accepted)
    assert isinstance(await ann.ask(m.Say(9, "another")), m.Accepted), "a client that has lost count is heard"
    await until(lambda: len(bob.told(m.Said)) == 2)
    await some_turns()
    assert [(said.name, said.text) for said in bob.told(m.Said)] == [("Ann", "hello"), ("Ann", "another")]
    assert await (await process.greeted("eve")).code(m.Say(9, "x")) == "table.none_joined"


async def test_who_comes_back_hears_what_was_said_meanwhile_and_nothing_twice(
    process: Process, world: MemoryWorld
) -> None:
    table = await process.new_table()
    ann, bob = await process.joined("ann", table), await process.joined("bob", table)
    process.tables.clock.set(world.seconds + 5)  # a process whose clock is fast
    for id in range(9, 12):
        world.seconds += 1
        await ann.ask(m.Say(id, f"before {id}"))
    await until(lambda: len(bob.told(m.Said)) == 3)
    heard = bob.told(m.Said)[-1].time
    bob.vanish()
    world.seconds += 1
    await ann.ask(m.Say(12, "meanwhile"))
    back = await process.greeted("bob")
    await back.ask(m.JoinTable(20, table, heard=heard))
    assert [said.text for said in back.told(m.Said)] == ["meanwhile"]


async def test_what_was_said_while_a_process_was_deaf_is_told_later(process: Process, world: MemoryWorld) -> None:
    other, table = Process(world, "p2"), await process.new_table()
    ann, bob = await process.joined("ann", table), await other.joined("bob", table)
    for second, text in enumerate(["one", "two", "three"]):
        world.seconds += 1
        watchers, world.watchers[table] = world.watchers[table], [] if second else world.watchers[table]
        await ann.ask(m.Say(20 + second, text))
        await some_turns()
        world.watchers[table] = watchers
    assert [said.text for said in bob.told(m.Said)] == ["one"]
    for _ in range(2):
        world.tell_all_to_look_again()
        await some_turns()
    for client in (ann, bob):
        assert [said.text for said in client.told(m.Said)] == ["one", "two", "three"]
    await other.stop()


# --- at one table at a time


async def test_joining_another_table_leaves_the_first(process: Process, world: MemoryWorld) -> None:
    first, second = await process.new_table(), await process.new_table()
    ann, bob = await process.joined("ann", first), await process.joined("bob", first)
    await ann.ask(m.TakeSeat(9, "N"))
    await ann.ask(m.JoinTable(10, second))
    heard = len(ann.frames)
    await bob.ask(m.SetName(9, "Bobby"))
    assert len(ann.frames) == heard, "the first tells nothing more"
    await until(lambda: deeds(world, d.Dropped, first))
    assert isinstance(await ann.ask(m.TakeSeat(11, "S")), m.Accepted)
    assert [deed.seat for deed in deeds(world, d.SatDown, second)] == [2]


@pytest.mark.parametrize("other", ["nowhere", "private"])
async def test_a_join_that_is_refused_changes_nothing(process: Process, world: MemoryWorld, other: str) -> None:
    first = await process.new_table()
    if other == "private":
        other = await process.new_table(private=True)
    ann = await process.joined("ann", first)
    assert await ann.code(m.JoinTable(9, other)) in ("table.unknown", "table.private")
    assert isinstance(await ann.ask(m.TakeSeat(10, "N")), m.Accepted)
    ann.vanish()
    await until(lambda: deeds(world, d.Dropped, first))


async def test_joining_again_shows_the_table_anew(process: Process, world: MemoryWorld) -> None:
    table = await process.new_table()
    ann = await process.joined("ann", table)
    await ann.ask(m.SetName(8, "Anne"))
    assert isinstance(await ann.ask(m.JoinTable(9, table)), m.Accepted)
    assert len(ann.told(m.TableView)) == 2 and ann.closing is None
    assert process.tables.tables()[0].table.members[ann.session.player].name == "Anne", "the new name stays"
    entries = len(world.logs[table])
    assert await ann.ask(m.JoinTable(10, table)) == m.Accepted(10, 0)
    assert len(world.logs[table]) == entries, "whoever is there need not arrive again"
    assert isinstance(await ann.ask(m.TakeSeat(11, "N")), m.Accepted)
    ann.vanish()
    await until(lambda: deeds(world, d.Dropped, table))


async def test_who_joins_again_hears_in_its_order_what_he_missed(process: Process) -> None:
    table = await process.new_table()
    ann = await process.joined("ann", table)
    bob = await process.joined("bob", table)
    known = ann.told(m.TableView)[0]
    await bob.ask(m.SetName(8, "Bobby"))
    await bob.ask(m.TakeSeat(9, "N"))
    heard = len(ann.told(m.Entry))
    await ann.ask(m.JoinTable(9, table, None, known.number, known.entry))
    again = [entry.number for entry in ann.told(m.Entry)[heard:]]
    assert again == list(range(known.number + 1, known.number + 1 + len(again))) and len(again) >= 3


async def test_who_has_left_is_at_no_table(process: Process) -> None:
    ann = await process.joined("ann", await process.new_table())
    assert isinstance(await ann.ask(m.LeaveTable(9)), m.Accepted)
    assert await ann.code(m.TakeSeat(10, "N")) == "table.none_joined"
    await until(lambda: process.tables.tables() == [])


# --- the end of a connection, at any moment


@pytest.mark.parametrize("turns", range(40))
async def test_a_connection_that_ends_at_any_moment_leaves_no_ghost(
    process: Process, world: MemoryWorld, turns: int
) -> None:
    table, other = await process.new_table(), await process.new_table()
    ann = process.client()
    commands: list[m.Command] = [m.Hello(1, TOKENS["ann"]), m.JoinTable(2, table), m.TakeSeat(3, "N"), m.Say(4, "hi")]
    for command in [*commands, m.ListTables(5), m.JoinTable(6, other), m.CreateTable(7, "auction_bridge")]:
        ann.say(command)
    await some_turns(turns)
    ann.vanish()
    await until(lambda: not process.tables._held)
    for id in (table, other):
        folded = [d.decode(one.data).deed for one in world.logs[id]]
        there = sum(isinstance(deed, d.Arrived) for deed in folded) - sum(
            isinstance(deed, d.Dropped) for deed in folded
        )
        assert there == 0, folded
        assert not world.watchers.get(id)


async def test_a_table_that_fails_closes_its_connections_and_they_come_back(
    process: Process, world: MemoryWorld, caplog: pytest.LogCaptureFixture
) -> None:
    table = await process.new_table()
    clients = await process.four(table)
    await clients[0].ask(m.Say(50, "x"))
    kept = list(world.logs[table])
    world.logs.pop(table)
    clients[0].say(m.SetName(51, "x"))
    await until(lambda: all(client.closing for client in clients))
    assert {client.closing[0] for client in clients if client.closing} == {CLOSE_RESTARTING}
    world.logs[table] = kept
    back = await process.joined("ann", table)
    assert back.told(m.TableView)[0].seat == "N"
    assert "let go" in caplog.text


async def test_a_server_that_is_about_to_stop_says_so(process: Process) -> None:
    ann = await process.joined("ann", await process.new_table())
    process.sessions.stopping = True
    process.sessions.tell_all(m.Moving("soon"))
    assert [moving.reason for moving in ann.told(m.Moving)] == ["soon"]
    assert await ann.code(m.ListTables(9)) == "server.stopping"
    assert isinstance(await ann.ask(m.TakeSeat(10, "N")), m.Accepted), "a game goes on until the end"
