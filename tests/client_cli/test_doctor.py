"""What the doctor finds: of the terminal and the installation, of files, and of servers good and bad."""

import json
import ssl
import time
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from msgspec import structs
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from client_cli import doctor
from client_cli.address import Address
from client_cli.finding import Finding
from client_cli.server_check import LIMIT_S, look_at_server
from protocol import messages as m
from protocol.codec import decode_command, encode
from tests.client_cli.test_pipes import Client, client, url
from tests.client_cli.test_wire import OURS, address, certificate

__all__ = ["certificate", "client", "url"]  # fixtures

OURSELVES = f"biritch {version('biritch')}"


def verdicts(found: list[Finding]) -> dict[str, str]:
    return {finding.subject: finding.verdict for finding in found}


# --- here


@pytest.mark.parametrize(
    ("environment", "verdict", "words"),
    [
        ({"TERM": "xterm-256color"}, "ok", "256 colours"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "ok", "All colours"),
        ({"TERM": "vt220"}, "ok", "Few colours"),
        ({"TERM": "dumb"}, "note", "TERM is dumb"),
        ({}, "note", "TERM is not set"),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "note", "NO_COLOR"),
    ],
)
def test_colours(environment: dict[str, str], verdict: str, words: str) -> None:
    found = doctor.terminal(environment, "utf-8", True)[1]
    assert found.verdict == verdict and words in found.words


@pytest.mark.parametrize(
    ("encoding", "verdict"), [("utf-8", "ok"), ("UTF8", "ok"), ("ascii", "note"), ("cp437", "note")]
)
def test_letters(encoding: str, verdict: str) -> None:
    assert doctor.terminal({}, encoding, True)[2].verdict == verdict


@pytest.mark.parametrize(("columns", "lines", "verdict"), [(80, 24, "ok"), (79, 24, "note"), (80, 23, "note")])
def test_the_size(monkeypatch: pytest.MonkeyPatch, columns: int, lines: int, verdict: str) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    assert doctor.terminal({}, "utf-8", True)[0].verdict == verdict
    assert "no terminal" in doctor.terminal({}, "utf-8", False)[0].words


def test_packages_that_are_not_there() -> None:
    assert doctor.packages(["click", "pytest"]).verdict == "ok"
    found = doctor.packages(["click", "no-such-package", "nor-this-one"])
    assert (found.verdict, found.words) == ("wrong", "Not installed: no-such-package, nor-this-one.")


def test_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    monkeypatch.setenv("BIRITCH_CONFIG", str(file))
    assert doctor.settings() == Finding("settings", "ok", f"There is no {file}; none is needed.")
    file.write_text("bell = 5")
    found = doctor.settings()
    assert found.verdict == "wrong" and found.words.startswith(f"{file}: bell cannot be 5")


def test_a_state_folder_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BIRITCH_STATE", str(tmp_path / "state"))
    assert doctor.state_folder().verdict == "ok"
    assert list((tmp_path / "state").iterdir()) == [], "nothing is left there"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BIRITCH_STATE", str(tmp_path / "file"))
    found = doctor.state_folder()
    assert found.verdict == "wrong" and "BIRITCH_STATE" in found.advice


async def test_an_own_server_that_has_no_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BIRITCH_STORE_PROGRAM", str(tmp_path / "none"))
    found = await doctor.own_server()
    assert found.verdict == "wrong" and "cannot be run" in found.words


@pytest.mark.parametrize(
    ("found", "status"),
    [
        ([], 0),
        ([Finding("a", "note", "x"), Finding("server", "ok", "x")], 0),
        ([Finding("a", "wrong", "x"), Finding("server", "note", "x")], 1),
        ([Finding("a", "wrong", "x"), Finding("server", "wrong", "x")], 3),
    ],
)
def test_the_status(found: list[Finding], status: int) -> None:
    assert doctor.status(found) == status


# --- servers

Handler = Callable[[ServerConnection], Awaitable[None]]


def greeting(**fields: object) -> Handler:
    """Return a server that welcomes everybody in its own way."""

    async def handle(socket: ServerConnection) -> None:
        hello = decode_command(await socket.recv())  # type: ignore[arg-type]  # bytes
        welcome = structs.replace(m.Welcome("p", "P", OURSELVES, time.time()), **fields)
        await socket.send(encode(welcome))
        await socket.send(encode(m.Accepted(hello.id)))
        await socket.wait_closed()

    return handle


async def look_at(handler: Handler, answer_s: float = LIMIT_S) -> list[Finding]:
    async with serve(handler, "127.0.0.1", 0, subprotocols=OURS) as server:
        return await look_at_server(address(server), None, answer_s)


async def test_a_server_that_is_well() -> None:
    found = verdicts(await look_at(greeting()))
    assert found.pop("latency") != "wrong", "which depends on what else this machine does"
    assert found == dict.fromkeys(("server", "tls", "version", "clock"), "ok")


@pytest.mark.parametrize(
    ("fields", "subject", "words"),
    [
        ({"server": "biritch 99.0"}, "version", "The server is biritch 99.0, this client "),
        ({"now": time.time() + 3600}, "clock", "seconds ahead of this machine's"),
        ({"now": 0.0}, "clock", "seconds behind this machine's"),
    ],
)
async def test_what_is_worth_a_note(fields: dict[str, object], subject: str, words: str) -> None:
    (noted,) = [finding for finding in await look_at(greeting(**fields)) if finding.subject == subject]
    assert noted.verdict == "note" and words in noted.words


async def test_a_server_that_does_not_answer() -> None:
    async def silent(socket: ServerConnection) -> None:
        await socket.wait_closed()

    found = await look_at(silent, 0.2)
    assert verdicts(found) == {"server": "ok", "tls": "ok", "hello": "wrong"}
    assert doctor.status(found) == 1


@pytest.mark.parametrize("reply", [None, b"\xc1"])
async def test_a_server_that_breaks_off_or_talks_nonsense(reply: bytes | None) -> None:
    async def rude(socket: ServerConnection) -> None:
        if reply is not None:
            await socket.send(reply)

    assert verdicts(await look_at(rude))["hello"] == "wrong"


async def test_a_server_that_refuses() -> None:
    async def refuse(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(encode(m.Rejected(1, "server.busy", "Too many commands wait already.")))
        await socket.wait_closed()

    found = await look_at(refuse)
    assert found[-1].verdict == "wrong" and found[-1].words == "Too many commands wait already."


async def test_a_server_of_something_else() -> None:
    async with serve(greeting(), "127.0.0.1", 0) as server:
        found = await look_at_server(address(server), None)
    assert doctor.status(found) == 3 and "no Biritch server" in found[0].words
    async with serve(greeting(), "127.0.0.1", 0, subprotocols=[Subprotocol("biritch.9")]) as server:
        found = await look_at_server(address(server), None)
    assert doctor.status(found) == 3 and "of this version" in found[0].advice


async def test_tls(certificate: Path, tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    async with serve(greeting(), "127.0.0.1", 0, subprotocols=OURS, ssl=context) as server:
        trusted = await look_at_server(address(server, "wss"), certificate)
        unknown = await look_at_server(address(server, "wss"), None)
    (tls,) = [finding for finding in trusted if finding.subject == "tls"]
    assert tls.verdict == "note" and tls.words.startswith("TLSv1.") and "good for 1 more days" in tls.words
    assert doctor.status(unknown) == 3 and "not to be trusted" in unknown[0].words
    (tmp_path / "empty").write_text("")
    broken = await look_at_server(Address("wss://127.0.0.1:9/"), tmp_path / "empty")
    assert doctor.status(broken) == 3 and "holds no certificates" in broken[0].words


# --- the command


async def test_the_command(client: Client, url: str) -> None:
    status, output = await client.run("", "doctor", url)
    lines = output.splitlines()
    assert status == 0, output
    assert all(line.split()[0] in ("ok", "note") for line in lines)
    for subject in ("python", "packages", "terminal", "settings", "state", "own server", "server", "latency"):
        assert any(line[7:].startswith(subject) for line in lines), output
    await client.run("", "tables", url)
    status, output = await client.run("", "doctor", "--json")
    told = json.loads(output)
    assert (status, told["status"]) == (0, 0)
    (server,) = [each for each in told["found"] if each["subject"] == "server"]
    assert url in server["words"], "it is the one used last"


async def test_the_command_where_there_is_no_server(client: Client) -> None:
    client.environment["BIRITCH_SERVER"] = "127.0.0.1:9"
    status, output = await client.run("", "doctor")
    assert status == 3 and "127.0.0.1:9/ cannot be reached" in output
    client.environment["BIRITCH_SERVER"] = "a b"
    status, output = await client.run("", "doctor")
    assert status == 1 and "BIRITCH_SERVER cannot be" in output
    assert (await client.run("", "doctor", "a b"))[0] == 2
