"""The whole server: real sockets, a real store, and the command as a process."""

import asyncio
import contextlib
import logging
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol import messages as m
from protocol.codec import decode_message, encode
from protocol.translate import command_for, parse_legal
from rules.actions import Choose
from rules.cards import parse_hand
from rules.seats import FOUR_SEATS
from server.open_table import TableTiming
from server.redis_store import RedisStore
from server.service import Service
from server.store import StoreUnavailable
from tests.server.fake_client import TOKENS
from tests.server.rig import PLAYERS, SEATS
from tests.stores import PATIENT, WITHIN_S, StoreProgram, redis_url, shared_programs, store_program

__all__ = ["redis_url", "shared_programs", "store_program"]

AT_ONCE = TableTiming(bot_s=0.0, again_s=0.02, stagger_s=0.0)


class Player:
    """A client by a real socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.messages: list[m.ServerMessage] = []
        self.last_id = 0
        self.turn: m.Turn | None = None
        self.view: m.TableView | None = None

    @classmethod
    async def enter(cls, port: int, name: str, table: str | None = None) -> "Player":
        uri = f"ws://127.0.0.1:{port}/"
        player = cls(await connect(uri, subprotocols=[Subprotocol("biritch.1")], compression=None, proxy=None))
        assert isinstance(await player.ask(m.Hello(1, TOKENS[name], name.title())), m.Accepted)
        if table is not None:
            assert isinstance(await player.ask(m.JoinTable(2, table)), m.Accepted)
        return player

    async def hear(self) -> m.ServerMessage:
        async with asyncio.timeout(WITHIN_S):
            data = await self.socket.recv()
        assert isinstance(data, bytes)
        message = decode_message(data)
        assert message is not None
        self.messages.append(message)
        if isinstance(message, m.TableView):
            self.view = message
        if isinstance(message, m.TableView | m.Entry):
            self.turn = message.turn
        return message

    async def until(self, condition: Callable[[], object]) -> None:
        while not condition():
            await self.hear()

    async def ask(self, command: m.Command) -> m.Accepted | m.Rejected:
        self.last_id = max(self.last_id, command.id)
        await self.socket.send(encode(command))
        while True:
            message = await self.hear()
            if isinstance(message, m.Accepted | m.Rejected) and message.id == command.id:
                return message

    async def surely(self, make: Callable[[int], m.Command]) -> m.Accepted:
        """Ask, and ask again while the store is away."""
        for _ in range(2000):
            answer = await self.ask(make(self.last_id + 1))
            if isinstance(answer, m.Accepted):
                return answer
            assert answer.code == "store.unavailable", answer
            await asyncio.sleep(0.01)
        raise AssertionError("the store has not come back")

    def is_past(self, turn: m.Turn) -> bool:
        return bool(self.heard(m.DealScored)) or (self.turn is not None and self.turn.index > turn.index)

    def heard(self, kind: type[m.ServerMessage]) -> list[m.ServerMessage]:
        told = [event for message in self.messages if isinstance(message, m.Entry) for event in message.events]
        return [one for one in [*self.messages, *told] if isinstance(one, kind)]


async def act(players: list[Player], rng: Random) -> bool:
    """Let the player whose turn it is do something legal; False when the deal is over."""
    for player in players:
        await player.until(lambda player=player: player.turn is not None)  # type: ignore[misc]
    actor, turn = next((player, player.turn) for player in players if player.turn and player.turn.legal)
    action = rng.choice(parse_legal(turn.legal or m.Legal(), FOUR_SEATS))
    assert not isinstance(action, Choose)
    await actor.surely(lambda id: command_for(action, id, turn.deal, turn.index, FOUR_SEATS))
    for player in players:
        await player.until(lambda player=player: player.is_past(turn))  # type: ignore[misc]
    return not players[0].heard(m.DealScored)


async def four(port: int) -> list[Player]:
    first = await Player.enter(port, PLAYERS[0])
    await first.ask(m.CreateTable(2, "auction_bridge"))
    (made,) = first.heard(m.TableMade)
    assert isinstance(made, m.TableMade)
    await first.ask(m.JoinTable(3, made.table))
    players = [first, *[await Player.enter(port, name, made.table) for name in PLAYERS[1:]]]
    for player, seat in zip(players, SEATS, strict=True):
        await player.surely(lambda id, seat=seat: m.TakeSeat(id, seat))  # type: ignore[misc]
    for player in players:
        await player.surely(lambda id: m.Ready(id, 1))
    for player in players:
        await player.until(lambda player=player: player.heard(m.CardsDealt))  # type: ignore[misc]
    return players


Starter = Callable[[str], Awaitable[Service]]


@pytest.fixture
async def started() -> AsyncIterator[Starter]:
    async with contextlib.AsyncExitStack() as stack:

        async def start(url: str) -> Service:
            store = await RedisStore.connect(url, PATIENT)
            stack.push_async_callback(store.close)
            service = await Service.start("127.0.0.1", 0, store, AT_ONCE)
            stack.push_async_callback(service.stop)
            return service

        yield start


async def get(port: int, path: str) -> tuple[int, str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: test\r\n\r\n".encode())
    async with asyncio.timeout(WITHIN_S):
        answer = (await reader.read()).decode()
    writer.close()
    await writer.wait_closed()
    return int(answer.split()[1]), answer.partition("\r\n\r\n")[2]


async def test_four_clients_play_a_whole_deal_on_two_servers(
    started: Starter, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    one, two = await started(redis_url), await started(redis_url)
    players = await four(one.listener.port)
    table = next(made.table for made in players[0].messages if isinstance(made, m.TableMade))
    watcher = await Player.enter(two.listener.port, "eve", table)
    rng = Random(1)
    (dealt,) = [event for event in players[0].heard(m.CardsDealt) if isinstance(event, m.CardsDealt)]
    while await act(players, rng):
        pass
    await watcher.until(lambda: watcher.heard(m.DealScored))
    (scored,) = [event for event in watcher.heard(m.DealScored) if isinstance(event, m.DealScored)]
    assert scored.hands["N"] == dealt.hands["N"] and len(watcher.heard(m.CardPlayed)) == 52
    assert sum(len(parse_hand(hand)) for hand in scored.hands.values()) == 52
    pages = [(await get(service.listener.port, "/metrics"))[1] for service in (one, two)]
    assert re.search(r"^biritch_connections 4\.0$", pages[0], re.MULTILINE)
    said = "".join([*pages, *(record.getMessage() for record in caplog.records)])
    for secret in (*TOKENS.values(), *scored.hands.values(), scored.seed):
        assert secret not in said
    for player in (*players, watcher):
        await player.socket.close()


async def test_plain_pages(started: Starter, store_program: StoreProgram) -> None:
    service = await started(store_program.url)
    port = service.listener.port
    assert await get(port, "/healthz") == (200, "alive\n")
    assert await get(port, "/readyz") == (200, "ready\n")
    assert (await get(port, "/metrics"))[1].startswith("# HELP")
    assert (await get(port, "/secret"))[0] == 404
    service.rounds.cancel()  # which would find out that all is well
    service.tables.healthy = False
    assert await get(port, "/readyz") == (503, "the store does not answer\n")
    service.tables.healthy = True
    service.sessions.stopping = True
    assert await get(port, "/readyz") == (503, "stopping\n")
    assert await get(port, "/healthz") == (200, "alive\n")


async def test_play_goes_on_when_the_store_is_back(
    store_program: StoreProgram, caplog: pytest.LogCaptureFixture
) -> None:
    store_program.command("CONFIG", "SET", "appendfsync", "always")  # or a busy disk may lose what was acknowledged
    store = await RedisStore.connect(store_program.url)
    service = await Service.start("127.0.0.1", 0, store, AT_ONCE)
    players = await four(service.listener.port)
    rng = Random(2)
    for _ in range(10):
        assert await act(players, rng)
    store_program.kill()
    refused = await players[0].ask(m.SetName(players[0].last_id + 1, "Anne"))
    assert isinstance(refused, m.Rejected) and refused.code == "store.unavailable"
    await service.tables.patrol()
    assert (await get(service.listener.port, "/readyz"))[0] == 503
    store_program.start()
    while await act(players, rng):
        pass
    await service.tables.patrol()
    assert (await get(service.listener.port, "/readyz"))[0] == 200
    for player in players:
        assert player.socket.close_code is None
        numbers = [one.number for one in player.messages if isinstance(one, m.Entry)]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "nothing is missing, nothing came twice"
        await player.socket.close()
    await service.stop()
    await store.close()
    assert any("store is away" in record.getMessage() for record in caplog.records)


async def test_a_server_that_stops_says_so_and_closes(redis_url: str) -> None:
    store = await RedisStore.connect(redis_url, PATIENT)
    service = await Service.start("127.0.0.1", 0, store, AT_ONCE)
    players = await four(service.listener.port)
    before = players[0].view
    assert before is not None
    last = max(one.number for one in players[0].messages if isinstance(one, m.Entry))
    port = service.listener.port
    async with asyncio.timeout(WITHIN_S):
        await service.stop()
    for player in players:
        with pytest.raises(ConnectionClosed):
            await player.until(lambda: False)
        assert player.socket.close_code == 1012
        assert len(player.heard(m.Moving)) == 1
    log = await store.read(before.table)
    assert len(log) == last + 4, "the table was told of everyone who is gone"
    with pytest.raises(ConnectionRefusedError):
        await connect(f"ws://127.0.0.1:{port}/", proxy=None)
    await store.close()


async def test_a_server_does_not_start_without_its_store(store_program: StoreProgram) -> None:
    store = await RedisStore.connect(store_program.url)
    store_program.kill()
    with pytest.raises(StoreUnavailable):
        await Service.start("127.0.0.1", 0, store, AT_ONCE)
    await store.close()


# --- the command


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "server.main", *arguments]
    env = {name: value for name, value in os.environ.items() if not name.startswith("BIRITCH_")} | environment
    root = Path(__file__).parents[2]
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=root, timeout=120, check=False)


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1 and done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("biritch-server: "), done.stderr
    return lines[0]


def test_a_store_that_cannot_be_reached_is_named_without_its_password() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens here
        url = f"redis://zebra:hush-hush@127.0.0.1:{taken.getsockname()[1]}/0"
        for said in (
            one_sentence(run("--port", "0", "--store", url)),
            one_sentence(run("--port", "0", BIRITCH_STORE=url)),
        ):
            assert f"redis://127.0.0.1:{taken.getsockname()[1]}/0" in said
            assert "hush" not in said and "zebra" not in said


@pytest.mark.parametrize("url", ["http://ann:hush-hush@host/", "hush-hush", "redis://ann:hush-hush@[::1/", ""])
def test_a_url_that_is_none(url: str, tmp_path: Path) -> None:
    said = one_sentence(run("--port", "0", "--data", str(tmp_path), "--store", url))
    assert "URL" in said and "hush" not in said


def test_a_port_that_is_taken_is_named(redis_url: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = one_sentence(run("--port", str(port), "--store", redis_url))
    assert str(port) in said and "in use" in said


def test_help_names_every_option() -> None:
    done = run("--help")
    assert done.returncode == 0 and done.stderr == ""
    for option in ("--host", "--port", "--data", "--store", "--bot-delay", "--keep-records", "--version"):
        assert option in done.stdout
    assert run("--version").stdout.startswith("biritch-server")
    assert run("--port", "99999").returncode == run("--keep-entries", "511").returncode == 2


def test_the_command_serves_until_it_is_told_to_stop(redis_url: str) -> None:
    command = [sys.executable, "-m", "server.main", "--port", "0", "--store", redis_url]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert re.fullmatch(r"Biritch serves ws://127\.0\.0\.1:\d+/\n", line), line
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=WITHIN_S)
    assert process.returncode == 0 and out == "" and "Traceback" not in err
