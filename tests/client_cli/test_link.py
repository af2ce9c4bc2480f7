"""The link: it comes back, resumes its table, tells what became of commands, and knows when to stop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

import pytest
from msgspec import structs

from client_cli.link import Link, Offline
from client_cli.news import Answer, Dropped, Ended, Forgotten, Returned, Unknown
from client_cli.pace import Pace
from client_cli.wire import Unreachable
from protocol import messages as m
from tests.client_cli.fakes import Ear, FakeServer, FakeTime, FakeWire, a_link, entry
from tests.client_cli.views import GATHERING
from tests.server.house import until

CARD = m.PlayCard(0, 7, 9, "HK")
CLOSED = Ended("The connection was closed.", 0)


@dataclass
class Scene:
    """A link that is up, at table t1 as of entry 5, and the server's end of it."""

    server: FakeServer
    ear: Ear
    time: FakeTime
    link: Link
    run: asyncio.Task[Ended]
    wire: FakeWire

    def ask(self, command: m.Command) -> asyncio.Task[Answer]:
        return asyncio.create_task(self.link.ask(command))

    async def back(self, number: int = 5) -> FakeWire:
        """Let the link come back to its table, which knows nothing new."""
        self.wire = await self.server.opened()
        hello = await self.wire.greet()
        assert hello.token == "secret"
        join = await self.wire.asked(m.JoinTable)
        assert (join.table, join.number, join.entry) == ("t1", number, f"e{number}")
        self.wire.say(m.Accepted(join.id, number))
        return self.wire


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    server, ear, time = FakeServer(), Ear(), FakeTime()
    link = a_link(server, ear, time, name="Ann")
    run = asyncio.create_task(link.run())
    wire = await server.opened()
    await wire.greet(token="secret")
    assert await link.up() is None
    joining = asyncio.create_task(link.ask(m.JoinTable(0, "t1", "code")))
    join = await wire.asked(m.JoinTable)
    wire.say(structs.replace(GATHERING, last_command=40), m.Accepted(join.id, 5))
    assert await joining == m.Accepted(join.id, 5)
    yield Scene(server, ear, time, link, run, wire)
    run.cancel()
    with suppress(asyncio.CancelledError):
        await run


async def test_ids_go_on_from_the_last_one_accepted(scene: Scene) -> None:
    asking = scene.ask(m.Say(0, "hello"))
    assert (await scene.wire.asked(m.Say)).id == 41
    scene.wire.say(m.Rejected(41, "no", "No."))
    assert await asking == m.Rejected(41, "no", "No.")


async def test_it_comes_back_and_hears_what_it_missed(scene: Scene) -> None:
    scene.wire.say(entry(6), m.Said("b", "Bob", "hi", 12.5))
    await scene.ear.next(m.Said)
    scene.wire.drop(reason="gone")
    assert await scene.ear.next(Dropped) == Dropped("gone")
    wire = await scene.server.opened()
    hello = await wire.greet()
    assert (hello.token, hello.name) == ("secret", "Ann")
    join = await wire.asked(m.JoinTable)
    assert join == m.JoinTable(join.id, "t1", "code", 6, "e6", 12.5)
    wire.say(entry(7), entry(8), m.Accepted(join.id, 8))
    assert await scene.ear.next(m.Entry) == entry(7)
    assert await scene.ear.next(m.Entry) == entry(8)
    await scene.ear.next(Returned)
    assert scene.link.online


async def test_a_name_that_was_changed_is_told_after_the_return(scene: Scene) -> None:
    asking = scene.ask(m.SetName(0, "Anne"))
    scene.wire.say(m.Accepted((await scene.wire.asked(m.SetName)).id, 6))
    await asking
    scene.wire.drop()
    assert (await (await scene.server.opened()).greet()).name == "Anne"


async def test_after_one_that_broke_soon_the_tries_wait_longer_and_longer(scene: Scene) -> None:
    scene.server.refusals = [Unreachable("away")] * 7
    scene.wire.drop(1012, "stopping")
    await scene.back()
    await scene.ear.next(Returned)
    assert scene.time.slept == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]


async def test_a_steady_connection_is_tried_again_at_once(scene: Scene) -> None:
    scene.time.seconds += 60
    scene.wire.drop()
    await scene.back()
    assert scene.time.slept == []


def test_chance_shortens_a_delay_by_up_to_half() -> None:
    pace = FakeTime().pace(chance=lambda: 0.0)
    assert [pace.delay() for _ in range(3)] == [0.0, 0.125, 0.25]


async def test_a_server_that_is_about_to_stop_is_left_at_once(scene: Scene) -> None:
    scene.wire.say(m.Moving("restart"))
    await scene.ear.next(Dropped)
    assert scene.wire.closed
    await scene.back()


async def test_it_is_not_left_before_it_has_answered(scene: Scene) -> None:
    asking = scene.ask(CARD)
    card = await scene.wire.asked(m.PlayCard)
    scene.wire.say(m.Moving("restart"), m.Accepted(card.id, 6))
    assert await asking == m.Accepted(card.id, 6)
    await scene.back()


# --- gaps


async def test_a_gap_is_filled_by_joining_again(scene: Scene) -> None:
    scene.wire.say(entry(6), entry(8))
    join = await scene.wire.asked(m.JoinTable)
    assert (join.number, join.entry) == (6, "e6")
    scene.wire.say(entry(9), entry(7), entry(8), entry(9), m.Accepted(join.id, 9), entry(10))
    heard = [await scene.ear.next(m.Entry) for _ in range(5)]
    assert heard == [entry(number) for number in (6, 7, 8, 9, 10)]
    assert scene.wire.quiet


async def test_an_entry_that_is_known_is_not_heard_again(scene: Scene) -> None:
    scene.wire.say(entry(5), entry(6), entry(6), entry(7))
    assert [await scene.ear.next(m.Entry) for _ in range(2)] == [entry(6), entry(7)]


async def test_after_a_rewinding_nothing_counts_before_the_view(scene: Scene) -> None:
    view = structs.replace(GATHERING, number=3, entry="x3")
    scene.wire.say(m.Rewound(3), entry(6), view, m.Entry(4, "x4", 1.0))
    await scene.ear.next(m.Rewound)
    assert await scene.ear.next(m.TableView | m.Entry) == view
    assert await scene.ear.next(m.Entry) == m.Entry(4, "x4", 1.0)


# --- what is under way when the connection breaks


async def test_a_card_under_way_is_asked_after_with_its_id(scene: Scene) -> None:
    asking = scene.ask(CARD)
    first = await scene.wire.asked(m.PlayCard)
    scene.wire.drop()
    wire = await scene.back()
    assert await wire.asked(m.PlayCard) == first
    wire.say(m.Accepted(first.id, 6))
    assert await asking == m.Accepted(first.id, 6)


async def test_it_is_asked_after_once_only(scene: Scene) -> None:
    asking = scene.ask(CARD)
    first = await scene.wire.asked(m.PlayCard)
    scene.wire.drop()
    wire = await scene.back()
    await wire.asked(m.PlayCard)
    wire.drop()
    wire = await scene.back()
    assert await asking == Unknown(first.id)
    assert wire.quiet


async def test_talk_under_way_is_not_said_twice(scene: Scene) -> None:
    asking = scene.ask(m.Say(0, "hello"))
    said = await scene.wire.asked(m.Say)
    scene.wire.drop()
    wire = await scene.back()
    assert await asking == Unknown(said.id)
    assert wire.quiet


async def test_nothing_is_sent_later_that_could_not_be_sent(scene: Scene) -> None:
    scene.wire.drop()
    await scene.ear.next(Dropped)
    assert not scene.link.online
    with pytest.raises(Offline):
        await scene.link.ask(CARD)
    wire = await scene.back()
    await scene.ear.next(Returned)
    assert wire.quiet


async def test_a_table_that_is_gone_is_told_of(scene: Scene) -> None:
    asking = scene.ask(CARD)
    card = await scene.wire.asked(m.PlayCard)
    scene.wire.drop()
    wire = await scene.server.opened()
    await wire.greet()
    join = await wire.asked(m.JoinTable)
    wire.say(m.Rejected(join.id, "table.unknown", "There is no such table."))
    assert await scene.ear.next(Forgotten) == Forgotten("There is no such table.")
    assert await asking == Unknown(card.id)
    assert scene.link.table is None


@pytest.mark.parametrize("code", ["store.unavailable", "server.stopping", "table.rewound"])
async def test_a_table_that_cannot_be_joined_now_is_not_given_up(scene: Scene, code: str) -> None:
    scene.wire.drop()
    wire = await scene.server.opened()
    await wire.greet()
    join = await wire.asked(m.JoinTable)
    wire.say(m.Rejected(join.id, code, "Not now."))
    again = await scene.back()
    await scene.ear.next(Returned)
    assert again is not wire and wire.closed
    assert scene.link.table is not None


async def test_a_table_that_was_left_is_not_joined_again(scene: Scene) -> None:
    asking = scene.ask(m.LeaveTable(0))
    scene.wire.say(m.Accepted((await scene.wire.asked(m.LeaveTable)).id, 6))
    await asking
    scene.wire.drop()
    wire = await scene.server.opened()
    await wire.greet()
    await scene.ear.next(Returned)
    assert wire.quiet


# --- the end


@pytest.mark.parametrize(
    ("code", "reason", "ended"),
    [
        (4001, "replaced", Ended("You have come from somewhere else; this client stops here.", 3)),
        (4004, "too old", Ended("The server has closed the connection: too old.", 1)),
        (1007, "no msgpack", Ended("The server has closed the connection: no msgpack.", 1)),
    ],
)
async def test_it_does_not_come_back_when_that_was_meant(scene: Scene, code: int, reason: str, ended: Ended) -> None:
    scene.wire.drop(code, reason)
    assert await scene.run == ended
    assert scene.server.tries == 1


async def test_the_end_settles_what_is_under_way(scene: Scene) -> None:
    asking = scene.ask(CARD)
    card = await scene.wire.asked(m.PlayCard)
    scene.wire.drop(4001, "replaced")
    assert await asking == Unknown(card.id)


async def test_it_gives_up_after_so_long() -> None:
    server, ear, time = FakeServer(), Ear(), FakeTime()
    link = a_link(server, ear, time, give_up_s=10.0)
    run = asyncio.create_task(link.run())
    wire = await server.opened()
    await wire.greet()
    await link.up()
    server.refusals = [Unreachable("away")] * 100
    wire.drop()
    assert await run == Ended("away", 3)
    assert 10 < time.seconds < 20


async def test_the_first_connection_is_tried_once() -> None:
    server = FakeServer()
    server.refusals = [Unreachable("There is nobody.")]
    link = a_link(server, Ear(), FakeTime())
    run = asyncio.create_task(link.run())
    assert await link.up() == await run == Ended("There is nobody.", 3)


async def test_bytes_that_nobody_understands_end_it(scene: Scene) -> None:
    scene.wire.say_bytes(b"\xc1")
    ended = await scene.run
    assert ended.code == 1
    assert ended.reason.startswith("The server is not understood:")


async def test_a_bad_token_is_replaced_by_a_new_player() -> None:
    server, ear = FakeServer(), Ear()
    link = a_link(server, ear, FakeTime(), token="old")
    run = asyncio.create_task(link.run())
    wire = await server.opened()
    hello = await wire.asked(m.Hello)
    wire.say(m.Rejected(hello.id, "hello.bad_token", "That is no token."))
    await wire.greet(token="new")
    assert await link.up() is None
    assert await ear.next(Forgotten) == Forgotten("That is no token.")
    assert link.token == "new"
    await link.close()
    assert (await run).code == 0


async def test_a_hello_that_is_refused_ends_it() -> None:
    server = FakeServer()
    link = a_link(server, Ear(), FakeTime(), name="x")
    run = asyncio.create_task(link.run())
    wire = await server.opened()
    hello = await wire.asked(m.Hello)
    wire.say(m.Rejected(hello.id, "command.unprintable", "That is no name."))
    assert await link.up() == await run == Ended("That is no name.", 1)


# --- closed by its user


async def soon(run: asyncio.Task[Ended]) -> Ended:
    """Return how a link has come to its end, which waits for nothing any more."""
    await until(run.done)
    return run.result()


async def test_it_can_be_closed_while_a_try_to_connect_gets_no_answer() -> None:
    server = FakeServer()
    server.silent = True
    link = a_link(server, Ear(), FakeTime())
    run = asyncio.create_task(link.run())
    await until(lambda: server.trying)
    await link.close()
    assert server.trying == 0
    assert await soon(run) == await link.up() == CLOSED


async def test_it_can_be_closed_while_it_tries_to_come_back(scene: Scene) -> None:
    asking = scene.ask(CARD)
    card = await scene.wire.asked(m.PlayCard)
    scene.server.silent = True
    scene.wire.drop()
    await until(lambda: scene.server.trying)
    await scene.link.close()
    assert scene.server.trying == 0
    assert (await soon(scene.run), await asking) == (CLOSED, Unknown(card.id))


async def test_it_can_be_closed_between_two_tries() -> None:
    server, pausing = FakeServer(), asyncio.Event()

    async def pause(seconds: float) -> None:
        pausing.set()
        await asyncio.Event().wait()

    link = Link(server.connect, Ear(), pace=Pace(sleep=pause))
    run = asyncio.create_task(link.run())
    wire = await server.opened()
    await wire.greet()
    await link.up()
    wire.drop()
    await pausing.wait()
    await link.close()
    assert (await soon(run), server.tries) == (CLOSED, 1)


async def test_it_can_be_closed_while_it_is_not_greeted() -> None:
    server = FakeServer()
    link = a_link(server, Ear(), FakeTime())
    run = asyncio.create_task(link.run())
    wire = await server.opened()
    await wire.asked(m.Hello)
    await link.close()
    assert wire.closed
    assert await soon(run) == CLOSED


async def test_closed_before_it_is_run_it_does_not_connect() -> None:
    server = FakeServer()
    link = a_link(server, Ear(), FakeTime())
    await link.close()
    assert (await soon(asyncio.create_task(link.run())), server.tries) == (CLOSED, 0)


async def test_closed_it_says_nothing_of_a_lost_connection(scene: Scene) -> None:
    await scene.link.close()
    assert (scene.wire.closed, await scene.run) == (True, CLOSED)
    assert not any(isinstance(heard, Dropped) for heard in scene.ear.all())


async def test_who_ends_its_task_ends_what_is_under_way(scene: Scene) -> None:
    scene.server.silent = True
    scene.wire.drop()
    await until(lambda: scene.server.trying)
    scene.run.cancel()
    with suppress(asyncio.CancelledError):
        await scene.run
    assert scene.run.cancelled() and scene.server.trying == 0
