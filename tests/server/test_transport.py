"""Connections over real sockets: what is delivered, what is refused, and that each of them ends."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Opcode
from websockets.typing import Subprotocol

from server.transport import Connection, Limits, listen
from tests.server.wire import Raw, Server, binary, masked, page, serve, turn

SUBPROTOCOLS = [Subprotocol("biritch.1")]


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    server = await serve()
    yield server
    await server.listener.close()


@pytest_asyncio.fixture(autouse=True)
async def nothing_hangs() -> AsyncIterator[None]:
    async with asyncio.timeout(30):
        yield


def client_of(server: Server) -> connect:
    return connect(server.uri, subprotocols=SUBPROTOCOLS, compression=None)


async def closed_with(client: ClientConnection) -> tuple[int, str]:
    with pytest.raises(ConnectionClosed) as ended:
        await client.recv()
    assert ended.value.rcvd is not None
    return ended.value.rcvd.code, ended.value.rcvd.reason


# What is delivered.


@pytest.mark.parametrize("size", [0, 1, 125, 126, 4096])
async def test_messages_go_both_ways(server: Server, size: int) -> None:
    async with client_of(server) as client:
        await client.send(size * b"x")
        assert await client.recv() == size * b"x"
    await server.receivers[0].ended.wait()
    assert server.receivers[0].endings == [(1000, "")]


async def test_fragments_are_one_message(server: Server) -> None:
    async with client_of(server) as client:
        await client.send([b"ab", b"", b"cd"])
        assert await client.recv() == b"abcd"
        await client.send(b"next")
        assert await client.recv() == b"next"


async def test_frames_of_one_read_come_in_order_also_around_control_frames_and_fragments(server: Server) -> None:
    client = await Raw.open(server.port)
    ping, pong = masked(Opcode.PING, b"?"), masked(Opcode.PONG)
    fragments = [masked(Opcode.BINARY, b"2a", False), ping, masked(Opcode.CONT, b"2b")]
    await client.send(binary(b"0") + ping + pong + binary(b"1"))
    answers = [await client.read_frame() for _ in range(3)]
    await client.send(b"".join([*fragments, binary(b"3")]))
    answers += [await client.read_frame() for _ in range(3)]
    assert [payload for opcode, payload in answers if opcode == Opcode.BINARY] == [b"0", b"1", b"2a2b", b"3"]
    assert [payload for opcode, payload in answers if opcode == Opcode.PONG] == [b"?", b"?"]
    client.close()


async def test_bytes_that_come_one_by_one(server: Server) -> None:
    client = await Raw.open(server.port)
    for byte in binary(b"slow") + masked(Opcode.PING, b"!") + binary(b"line"):
        await client.send(bytes((byte,)))
    answers = [await client.read_frame() for _ in range(3)]
    assert sorted(answers) == [(Opcode.BINARY, b"line"), (Opcode.BINARY, b"slow"), (Opcode.PONG, b"!")]
    assert server.receivers[0].messages == [b"slow", b"line"]
    client.close()


async def test_a_large_message_to_a_client(server: Server) -> None:
    async with client_of(server) as client:
        await client.send(b"hello")
        await client.recv()
        server.receivers[0].connection.send(70_000 * b"x")
        assert await client.recv() == 70_000 * b"x"


async def test_nothing_is_delivered_after_the_receiver_closes() -> None:
    server = await serve(lambda connection, frame: connection.close(4000, "enough"))
    client = await Raw.open(server.port)
    await client.send(binary(b"1") + binary(b"2") + binary(b"3"))
    assert await client.read_close() == (4000, "enough")
    await client.send(binary(b"4") + masked(Opcode.CLOSE, b"\x0f\xa0"))
    await server.receivers[0].ended.wait()
    assert server.receivers[0].messages == [b"1"]
    assert server.receivers[0].endings == [(4000, "enough")]
    client.close()
    await server.listener.close()


# What is refused.


HUGE = bytes((0x82, 0xFF)) + (1 << 62).to_bytes(8, "big") + bytes(4)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(masked(Opcode.TEXT, b"hello"), 1003, id="text"),
        pytest.param(masked(Opcode.TEXT, b"hel", False), 1003, id="text-fragment"),
        pytest.param(binary(bytes(4097)), 1009, id="large"),
        pytest.param(HUGE, 1009, id="huge"),
        pytest.param(
            masked(Opcode.BINARY, bytes(3000), False) + masked(Opcode.CONT, bytes(1097)), 1009, id="fragments"
        ),
        pytest.param(bytes((0x82, 0x01, 0x00)), 1002, id="unmasked"),
        pytest.param(bytes((0xC2, 0x80)) + bytes(4), 1002, id="reserved"),
        pytest.param(bytes((0x83, 0x80)) + bytes(4), 1002, id="opcode"),
        pytest.param(masked(Opcode.CONT, b""), 1002, id="continuation"),
        pytest.param(masked(Opcode.BINARY, b"", False) + binary(b""), 1002, id="two-begun"),
        pytest.param(bytes((0x89, 0xFE, 0, 126)) + bytes(130), 1002, id="ping"),
        pytest.param(masked(Opcode.CLOSE, b"\x03\xe8\xff"), 1007, id="utf-8"),
    ],
)
async def test_wrong_frames_close_with_a_code(server: Server, data: bytes, code: int) -> None:
    client = await Raw.open(server.port)
    await client.send(binary(b"before") + data)
    assert await client.read_frame() == (Opcode.BINARY, b"before")
    assert (await client.read_close())[0] == code
    client.close()
    receiver = server.receivers[0]
    await receiver.ended.wait()
    assert receiver.messages == [b"before"]
    assert [ending[0] for ending in receiver.endings] == [code]


async def test_the_last_words_reach_a_client_that_goes_on_sending(server: Server) -> None:
    client = await Raw.open(server.port)
    await client.send(HUGE + bytes(100_000))
    assert (await client.read_close())[0] == 1009
    client.close()


async def test_a_reason_too_long_for_a_close_frame_is_clipped(server: Server) -> None:
    async with client_of(server) as client:
        server.receivers[0].connection.close(4001, 100 * "é")
        assert await closed_with(client) == (4001, 61 * "é")


# Receivers that fail.


def explode(connection: Connection, frame: bytes) -> None:
    if frame == b"bang":
        raise KeyError("the queen of spades")
    connection.send(frame)


async def test_a_failing_receiver_closes_its_connection_alone(caplog: pytest.LogCaptureFixture) -> None:
    server = await serve(explode)
    async with client_of(server) as victim, client_of(server) as other:
        remote = server.receivers[0].connection.remote
        await victim.send(b"bang")
        assert await closed_with(victim) == (1011, "internal error")
        await other.send(b"still here")
        assert await other.recv() == b"still here"
    (record,) = (record for record in caplog.records if record.name == "biritch.transport")
    assert record.levelno == logging.ERROR and remote in record.getMessage()
    assert "KeyError in " in record.getMessage() and "explode" in record.getMessage()
    assert "queen" not in caplog.text and record.exc_info is None
    await server.listener.close()


async def test_a_failing_factory_closes_with_1011(caplog: pytest.LogCaptureFixture) -> None:
    def failing(connection: Connection) -> None:
        raise ValueError

    listener = await listen("127.0.0.1", 0, receiver=failing, answer=page)  # type: ignore[arg-type]
    client = await Raw.open(listener.port)
    assert await client.read_close() == (1011, "internal error")
    assert listener.connections == 0
    client.close()
    await listener.close()
    assert len(caplog.records) == 1


async def test_a_receiver_that_fails_at_its_end_is_only_logged(
    server: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(code: int | None, reason: str) -> None:
        raise ValueError

    async with client_of(server):
        monkeypatch.setattr(server.receivers[0], "closed", failing)
    await server.listener.close()
    assert server.listener.connections == 0
    assert len(caplog.records) == 1


# Clients that do not read.


async def stalled(server: Server) -> Raw:
    """Return a client for which so much waits that the server has stopped reading from it."""
    client = await Raw.open(server.port, receive_buffer=4096)
    connection = server.receivers[-1].connection
    while connection._transport.is_reading():
        connection.send(bytes(1000))
    return client


async def test_a_reader_that_never_reads_is_cut_off(server: Server) -> None:
    client = await Raw.open(server.port, receive_buffer=4096)
    receiver = server.receivers[0]
    most = 0
    while not receiver.connection.closed:
        most = max(most, receiver.waiting)
        receiver.connection.send(bytes(1000))
    assert most <= Limits().outbox
    await receiver.ended.wait()
    receiver.connection.send(b"nobody hears this")
    assert receiver.endings == [(None, "the client does not read")]
    client.close()


async def test_a_stalled_reader_is_cut_off_in_time(server: Server) -> None:
    client = await stalled(server)
    server.tick_after(4.9)
    assert not server.receivers[0].connection.closed
    server.tick_after(5.1)
    await server.receivers[0].ended.wait()
    assert server.receivers[0].endings == [(None, "the client does not read")]
    client.close()


async def test_a_reader_that_resumes_is_served_again(server: Server) -> None:
    client = await stalled(server)
    receiver = server.receivers[0]
    await client.send(binary(b"after all"))
    receiver.connection.send(b"last of what waited")
    await client.read_until(b"last of what waited")
    assert await client.read_frame() == (Opcode.BINARY, b"after all")
    server.tick_after(9)
    assert not receiver.connection.closed
    client.close()


@pytest.mark.parametrize("payload", [b"", 125 * b"!"])
async def test_a_client_that_pings_and_never_reads_is_bounded(payload: bytes) -> None:
    server = await serve(limits=Limits(messages_per_s=1e9, burst=10**9))
    client = await Raw.open(server.port, receive_buffer=4096)
    receiver, pings, most = server.receivers[0], 500 * masked(Opcode.PING, payload), 0
    while receiver.connection._transport.is_reading():
        client.try_send(pings)
        await turn()
        most = max(most, receiver.waiting)
    assert 0 < most <= Limits().outbox
    server.tick_after(5.1)
    await receiver.ended.wait()
    assert receiver.endings == [(None, "the client does not read")]
    client.close()
    await server.listener.close()


async def test_closing_a_client_that_does_not_read_ends_in_time(server: Server) -> None:
    client = await stalled(server)
    server.receivers[0].connection.close(4000, "replaced")
    server.tick_after(3.1)
    await server.receivers[0].ended.wait()
    assert server.receivers[0].endings == [(4000, "replaced")]
    client.close()


# Clients that are silent.


async def test_a_missing_pong_ends_the_connection(server: Server) -> None:
    client = await Raw.open(server.port)
    server.tick_after(9.9)
    server.tick_after(10.1)
    assert await client.read_frame() == (Opcode.PING, b"")
    server.tick_after(20)
    assert not server.receivers[0].connection.closed
    server.tick_after(20.2)
    assert await client.read_close() == (1011, "no answer to a ping")
    await server.receivers[0].ended.wait()
    assert server.receivers[0].endings == [(1011, "no answer to a ping")]
    client.close()


async def test_a_client_that_answers_pings_stays(server: Server) -> None:
    client = await Raw.open(server.port)
    server.tick_after(10.1)
    assert await client.read_frame() == (Opcode.PING, b"")
    await client.send(masked(Opcode.PONG) + binary(b"here"))
    await client.read_frame()
    for seconds in (15, 19):
        server.tick_after(seconds)
    assert not server.receivers[0].connection.closed
    client.close()


# Clients that send too much.


SLOW = Limits(messages_per_s=1, burst=5)


async def test_a_flood_is_paced_and_others_are_served() -> None:
    server = await serve(limits=SLOW)
    flood, other = await Raw.open(server.port), await Raw.open(server.port)
    sent = [b"%d" % number for number in range(12)]
    await flood.send(b"".join(map(binary, sent)))
    received = [await flood.read_frame() for _ in range(5)]
    await other.send(binary(b"me too"))
    assert await other.read_frame() == (Opcode.BINARY, b"me too")
    assert server.receivers[0].messages == sent[:5]
    server.tick_after(4.5)
    assert server.receivers[0].messages == sent[:9]
    server.tick_after(20)
    received += [await flood.read_frame() for _ in range(7)]
    assert received == [(Opcode.BINARY, message) for message in sent]
    assert server.receivers[0].connection._transport.is_reading()
    flood.close()
    other.close()
    await server.listener.close()


async def test_what_is_held_back_comes_before_the_close() -> None:
    server = await serve(limits=SLOW)
    client = await Raw.open(server.port)
    await client.send(7 * binary(b"x") + masked(Opcode.CLOSE, b"\x03\xe8bye"))
    for _ in range(5):
        await client.read_frame()
    server.tick_after(4)
    for _ in range(2):
        await client.read_frame()
    assert await client.read_close() == (1000, "bye")
    await server.receivers[0].ended.wait()
    assert len(server.receivers[0].messages) == 7
    assert server.receivers[0].endings == [(1000, "bye")]
    client.close()
    await server.listener.close()


async def test_closing_a_paced_client_drops_what_was_held_back() -> None:
    server = await serve(limits=SLOW)
    client = await Raw.open(server.port)
    await client.send(b"".join([*(7 * [binary(b"x")]), masked(Opcode.PING)]))
    for _ in range(5):
        await client.read_frame()
    server.receivers[0].connection.close(1012, "restart")
    assert await client.read_close() == (1012, "restart")
    await client.send(masked(Opcode.CLOSE, b"\x03\xf4"))
    await server.receivers[0].ended.wait()
    server.tick_after(20)
    assert len(server.receivers[0].messages) == 5
    assert server.receivers[0].endings == [(1012, "restart")]
    client.close()
    await server.listener.close()


# The end.


async def client_closes(server: Server, client: Raw) -> None:
    await client.send(masked(Opcode.CLOSE, b"\x03\xe9away"))
    assert await client.read_close() == (1001, "away")


async def client_closes_without_a_code(server: Server, client: Raw) -> None:
    await client.send(masked(Opcode.CLOSE))
    await client.read_frame()


async def client_goes(server: Server, client: Raw) -> None:
    client.close()


async def client_goes_within_a_frame(server: Server, client: Raw) -> None:
    await client.send(binary(b"cut")[:4])
    client.close()


async def client_resets(server: Server, client: Raw) -> None:
    client.reset()


async def server_closes(server: Server, client: Raw) -> None:
    server.receivers[0].connection.close(4000, "replaced")
    server.receivers[0].connection.close(4001, "too late")
    await client.read_close()
    await client.send(masked(Opcode.CLOSE, b"\x0f\xa0"))


async def server_closes_and_client_is_silent(server: Server, client: Raw) -> None:
    server.receivers[0].connection.close(4000, "replaced")
    server.tick_after(3.1)


async def both_close(server: Server, client: Raw) -> None:
    server.receivers[0].connection.close(4000, "replaced")
    await client.send(masked(Opcode.CLOSE, b"\x03\xe9away"))


async def drained(server: Server, client: Raw) -> None:
    await server.listener.drain(1012, "restart", 0)


async def stopped(server: Server, client: Raw) -> None:
    await server.listener.close()


@pytest.mark.parametrize(
    ("end", "ending"),
    [
        (client_closes, (1001, "away")),
        (client_closes_without_a_code, (1005, "")),
        (client_goes, (None, "connection lost")),
        (client_goes_within_a_frame, (None, "connection lost")),
        (client_resets, (None, "connection lost")),
        (server_closes, (4000, "replaced")),
        (server_closes_and_client_is_silent, (4000, "replaced")),
        (both_close, (4000, "replaced")),
        (drained, (1012, "restart")),
        (stopped, (None, "the server stopped")),
    ],
)
async def test_the_receiver_hears_of_the_end_once(
    server: Server, end: Callable[[Server, Raw], Awaitable[None]], ending: tuple[int | None, str]
) -> None:
    client = await Raw.open(server.port)
    receiver = server.receivers[0]
    await end(server, client)
    await receiver.ended.wait()
    assert receiver.connection.closed
    assert server.listener.connections == 0
    receiver.connection.send(b"nobody hears this")
    receiver.connection.close(1000, "nor this")
    server.tick_after(100)
    await server.listener.close()
    assert receiver.endings == [ending]
    client.close()


async def test_drain_closes_well_behaved_clients_and_returns_when_they_are_gone(server: Server) -> None:
    port = server.port
    async with client_of(server) as one, client_of(server) as two:
        half_open = await Raw.connect(server.port)
        closed = asyncio.gather(closed_with(one), closed_with(two))
        await server.listener.drain(1012, "restart", 3600)
        assert list(await closed) == [(1012, "restart"), (1012, "restart")]
        half_open.close()
    with pytest.raises(ConnectionRefusedError):
        await Raw.connect(port)


async def test_drain_does_not_wait_for_a_stalled_client(server: Server) -> None:
    client = await stalled(server)
    await server.listener.drain(1012, "restart", 3600)
    assert server.receivers[0].endings == [(None, "restart")]
    client.close()


async def test_the_sockets_notice_dead_peers_by_themselves(server: Server) -> None:
    client = await Raw.open(server.port)
    sock = server.receivers[0].connection._transport.get_extra_info("socket")
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000
    client.close()


async def test_remote_is_the_peer_of_the_socket(server: Server) -> None:
    client = await Raw.open(server.port)
    host, port = client.sock.getsockname()
    assert server.receivers[0].connection.remote == f"{host}:{port}"
    assert server.receivers[0].connection.host == host
    client.close()
