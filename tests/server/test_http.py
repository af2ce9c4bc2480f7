"""The HTTP side of the port: plain answers, and who is let in to the WebSocket."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from server.transport import Limits
from tests.server.wire import REQUEST, Raw, Server, serve, turn

OURS = Subprotocol("biritch.1")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    server = await serve(origins=("https://example.org",))
    yield server
    await server.listener.close()


async def fetch(server: Server, request: str) -> tuple[int, str, str]:
    """Return status, headers and body."""
    client = await Raw.connect(server.port)
    await client.send(request.encode())
    head, _, body = (await client.read_to_end()).decode().partition("\r\n\r\n")
    client.close()
    return int(head.split()[1]), head, body


async def test_get_is_answered(server: Server) -> None:
    status, head, body = await fetch(server, "GET /healthz?verbose HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (status, body) == (200, "fine")
    assert "Content-Type: text/plain\r\n" in head and "Content-Length: 4\r\n" in head


async def test_head_is_answered_without_a_body(server: Server) -> None:
    status, head, body = await fetch(server, "HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (status, body) == (200, "")
    assert "Content-Length: 4\r\n" in head


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET /nothing HTTP/1.1", 404),
        ("HEAD / HTTP/1.1", 404),
        ("GET / HTTP/1.1", 426),
        ("GET /healthz HTTP/1.0", 200),
        ("POST /healthz HTTP/1.1", 405),
        ("DELETE / HTTP/1.1", 405),
        ("POST / HTTP/1.1\r\nContent-Length: 2", 400),
        ("GET /healthz HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c", 200),
        ("GET /table HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket", 404),
        ("hello", 400),
        ("GET /" + 9000 * "x" + " HTTP/1.1", 414),
        ("GET / HTTP/1.1\r\nCookie: " + 9000 * "x", 431),
        ("GET / HTTP/1.1" + 200 * "\r\nX: y", 431),
    ],
)
async def test_other_requests(server: Server, request_line: str, status: int) -> None:
    assert (await fetch(server, f"{request_line}\r\n\r\n"))[0] == status


async def test_headers_that_never_end_are_refused(server: Server) -> None:
    client = await Raw.connect(server.port)
    await client.send(b"GET / HTTP/1.1\r\n" + 20 * (b"Cookie: " + 1000 * b"x" + b"\r\n"))
    assert (await client.read_to_end()).startswith(b"HTTP/1.1 431 ")
    client.close()


async def test_an_answer_that_fails_is_a_500_and_one_line_without_values(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    status, _, body = await fetch(server, "GET /broken HTTP/1.1\r\n\r\n")
    assert status == 500
    assert "queen" not in body and "Traceback" not in body
    (record,) = caplog.records
    assert "RuntimeError in " in record.getMessage() and "queen" not in caplog.text and record.exc_info is None


@pytest.mark.parametrize("offered", [None, [Subprotocol("biritch.2")]])
async def test_the_subprotocol_is_required(server: Server, offered: list[Subprotocol] | None) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(server.uri, subprotocols=offered)
    assert refused.value.response.status_code == 400
    assert b"offer the subprotocol biritch.1" in refused.value.response.body


async def test_no_compression_is_negotiated(server: Server) -> None:
    async with connect(server.uri, subprotocols=[Subprotocol("chat"), OURS]) as client:
        assert client.subprotocol == OURS
        assert not client.protocol.extensions


async def test_a_browser_s_origin_has_to_be_allowed(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(server.uri, subprotocols=[OURS], origin=Origin("https://evil.example"))
    assert refused.value.response.status_code == 403
    async with connect(server.uri, subprotocols=[OURS], origin=Origin("https://example.org")) as client:
        await client.send(b"let in")
        assert await client.recv() == b"let in"


async def test_frames_sent_before_the_answer_are_refused(server: Server) -> None:
    client = await Raw.connect(server.port)
    await client.send(REQUEST + b"\x82\x80\0\0\0\0")
    assert (await client.read_to_end()).startswith(b"HTTP/1.1 400 ")
    client.close()


async def test_more_connections_than_the_limit_are_refused_until_one_leaves() -> None:
    server = await serve(limits=Limits(connections=1))
    first = await Raw.open(server.port)
    with pytest.raises(InvalidStatus) as refused:
        await connect(server.uri, subprotocols=[OURS])
    assert refused.value.response.status_code == 503
    assert refused.value.response.headers["Retry-After"]
    assert (await fetch(server, "GET /healthz HTTP/1.1\r\n\r\n"))[0] == 200
    first.close()
    await server.receivers[0].ended.wait()
    (await Raw.open(server.port)).close()
    await server.listener.close()


async def test_connections_of_one_address_are_limited() -> None:
    server = await serve(limits=Limits(per_remote=2))
    clients = [await Raw.open(server.port) for _ in range(2)]
    with pytest.raises(InvalidStatus) as refused:
        await connect(server.uri, subprotocols=[OURS])
    assert refused.value.response.status_code == 503
    assert server.listener.connections == 2
    await server.listener.close()
    assert server.listener.connections == 0
    for client in clients:
        client.close()


@pytest.mark.parametrize("said", [b"", b"GET / HT", REQUEST[:-4]])
async def test_a_handshake_that_never_ends_is_cut_off(server: Server, said: bytes) -> None:
    client = await Raw.connect(server.port)
    await client.send(said)
    while server.heard_of_handshakes() != [len(said)]:
        await turn()
    server.tick_after(4.9)
    assert server.listener._shared.sockets
    server.tick_after(5.1)
    assert await client.is_cut_off()
    assert server.receivers == []
    client.close()


async def test_an_answer_that_is_not_read_is_cut_off(server: Server) -> None:
    client = await Raw.connect(server.port)
    await client.send(b"GET /healthz HTTP/1.1\r\n\r\n")
    await client.read_until(b"fine")
    server.tick_after(3.1)
    await server.listener._gone()
    client.close()
