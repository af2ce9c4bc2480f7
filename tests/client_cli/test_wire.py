"""Real connections: certificates, other servers than ours, and what opening one costs before it is needed."""

import asyncio
import shutil
import ssl
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path

import pytest
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from client_cli.address import Address
from client_cli.wire import Closed, Unreachable, connector
from protocol.messages import SUBPROTOCOL


async def echo(socket: ServerConnection) -> None:
    """Give every frame back, and close at an empty one."""
    async for frame in socket:
        if not frame:
            await socket.close(4001, "replaced")
        else:
            await socket.send(frame)


def address(server: Server, scheme: str = "ws") -> Address:
    return Address(f"{scheme}://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/")


OURS = [Subprotocol(SUBPROTOCOL)]


async def test_frames_go_out_and_in_and_a_close_has_its_code() -> None:
    async with serve(echo, "127.0.0.1", 0, subprotocols=OURS) as server:
        wire = await connector(address(server))()
        await wire.send(b"hello")
        assert await wire.receive() == b"hello"
        await wire.send(b"")
        with pytest.raises(Closed) as closed:
            await wire.receive()
        assert (closed.value.code, closed.value.reason) == (4001, "replaced")
        with pytest.raises(Closed):
            await wire.send(b"more")
        await wire.close()


async def test_a_server_of_something_else_is_told() -> None:
    async with serve(echo, "127.0.0.1", 0) as server:
        with pytest.raises(Unreachable, match="no Biritch server") as refused:
            await connector(address(server))()
        assert refused.value.lasting


@pytest.mark.parametrize(("status", "lasting"), [(HTTPStatus.NOT_FOUND, True), (HTTPStatus.SERVICE_UNAVAILABLE, False)])
async def test_an_answer_by_http_is_told(status: HTTPStatus, lasting: bool) -> None:
    def refuse(connection: ServerConnection, request: Request) -> Response:
        return connection.respond(status, "no\n")

    async with serve(echo, "127.0.0.1", 0, process_request=refuse) as server:
        with pytest.raises(Unreachable, match=f"HTTP status {status}") as refused:
            await connector(address(server))()
        assert refused.value.lasting is lasting


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for this machine that no authority has signed, with its key."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("there is no openssl to make a certificate")
    file = tmp_path / "certificate.pem"
    command = [program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(file), "-out", str(tmp_path / "public.pem")]
    subprocess.run(command, check=True, capture_output=True)
    file.write_text(file.read_text() + (tmp_path / "public.pem").read_text())
    return file


async def test_an_authority_of_ones_own_is_trusted_if_it_is_named(certificate: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    async with serve(echo, "127.0.0.1", 0, subprotocols=OURS, ssl=context) as server:
        wire = await connector(address(server, "wss"), certificate)()
        await wire.send(b"hello")
        assert await wire.receive() == b"hello"
        await wire.close()
        with pytest.raises(Unreachable, match="not to be trusted") as refused:
            await connector(address(server, "wss"))()
        assert refused.value.lasting


async def test_nobody_at_a_port_is_told() -> None:
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    with pytest.raises(Unreachable, match="cannot be reached: connection refused") as refused:
        await connector(Address(f"ws://127.0.0.1:{port}/"))()
    assert not refused.value.lasting


def test_help_needs_none_of_it() -> None:
    program = """
import sys
from client_cli.main import cli
cli(["--help"], standalone_mode=False)
cli(["play", "--help"], standalone_mode=False)
assert not {"asyncio", "websockets", "msgspec", "platformdirs", "rules", "protocol"} & set(sys.modules), sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, cwd=Path(__file__).parents[2])
