"""What is remembered, who may read it, and what happens to a file that is broken."""

import json
import os
import stat
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import CliRunner

from client_cli.address import Address, BadAddress, link_to, parse_address
from client_cli.house_rules import read_options
from client_cli.main import cli
from client_cli.state import NOTHING, KnownServer, Memory, Remembered, known_servers, state_folder
from rules.errors import BadOption

URL = "ws://example.org:8765/"
ANN = Remembered("secret", "Ann", "t1", "code")


def test_it_is_there_the_next_time(tmp_path: Path) -> None:
    Memory(tmp_path, URL).keep(ANN)
    assert Memory(tmp_path, URL).now == ANN


def test_profiles_and_servers_are_apart(tmp_path: Path) -> None:
    Memory(tmp_path, URL).keep(ANN)
    assert Memory(tmp_path, URL, "other").now == NOTHING
    assert Memory(tmp_path, "ws://example.org:8766/").now == NOTHING
    assert Memory(tmp_path, "ws://example.org_8765/").now == NOTHING


def test_nobody_else_may_read_it(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state", URL)
    memory.keep(ANN)
    assert stat.S_IMODE(memory.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(memory.path.parent.stat().st_mode) == 0o700
    assert [path.name for path in memory.path.parent.iterdir()] == [memory.path.name]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '"text"', "5", '{"token": 5}', '{"url": 5}', '{"colour": "red"}', "\x00"]
)
def test_a_broken_file_is_a_new_start_with_a_warning(tmp_path: Path, text: str) -> None:
    memory = Memory(tmp_path, URL)
    memory.keep(ANN)
    memory.path.write_text(text)
    again = Memory(tmp_path, URL)
    assert again.now == NOTHING
    assert again.warning is not None and "you come as a new player" in again.warning
    again.keep(ANN)
    assert Memory(tmp_path, URL).now == ANN


def test_a_folder_that_cannot_be_made_is_a_warning_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory = Memory(tmp_path / "file", URL)
    memory.keep(ANN)
    assert memory.now == ANN
    assert memory.warning is not None


def test_the_folder_may_be_given(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BIRITCH_STATE", str(tmp_path))
    assert state_folder() == tmp_path


def used(memory: Memory, at: float) -> None:
    """Set the time at which a server was used."""
    os.utime(memory.path, (at, at))


def test_the_servers_used_before_are_known_the_last_one_first(tmp_path: Path) -> None:
    for url, at in ((URL, 100.0), ("wss://cards.example.org:443/", 300.0), ("ws://h:1/", 200.0)):
        memory = Memory(tmp_path, url)
        memory.keep(ANN)
        used(memory, at)
    Memory(tmp_path, "ws://other:1/", "other").keep(ANN)
    assert known_servers(tmp_path) == [
        KnownServer("wss://cards.example.org:443/", "Ann", "t1", 300.0),
        KnownServer("ws://h:1/", "Ann", "t1", 200.0),
        KnownServer(URL, "Ann", "t1", 100.0),
    ]
    assert [server.url for server in known_servers(tmp_path, "other")] == ["ws://other:1/"]
    assert known_servers(tmp_path, "nobody") == []


def test_a_server_is_used_whenever_something_is_kept(tmp_path: Path) -> None:
    memory = Memory(tmp_path, URL)
    memory.keep(ANN)
    used(memory, 100.0)
    text = memory.path.read_text()
    Memory(tmp_path, URL).keep(ANN)
    assert memory.path.read_text() == text
    assert known_servers(tmp_path)[0].last_used > 100.0


def test_a_file_that_does_not_say_its_server_says_it_after_the_next_use(tmp_path: Path) -> None:
    memory = Memory(tmp_path, URL)
    memory.keep(ANN)
    memory.path.write_text(json.dumps(asdict(ANN)))
    assert known_servers(tmp_path) == []
    again = Memory(tmp_path, URL)
    assert (again.now, again.warning) == (ANN, None)
    again.keep(ANN)
    assert [server.url for server in known_servers(tmp_path)] == [URL]


def test_a_broken_file_is_no_known_server(tmp_path: Path) -> None:
    for url in (URL, "ws://h:1/"):
        Memory(tmp_path, url).keep(ANN)
    Memory(tmp_path, URL).path.write_text("{")
    assert [server.url for server in known_servers(tmp_path)] == ["ws://h:1/"]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("example.org", Address("ws://example.org:8765/")),
        ("example.org:99", Address("ws://example.org:99/")),
        ("ws://example.org", Address("ws://example.org:80/")),
        ("wss://example.org/", Address("wss://example.org:443/")),
        ("https://example.org/play", Address("wss://example.org:443/play")),
        ("[::1]:99", Address("ws://[::1]:99/")),
        ("ws://h:1/#T9", Address("ws://h:1/", "T9")),
        ("h:1#T9:code", Address("ws://h:1/", "T9", "code")),
    ],
)
def test_addresses(text: str, address: Address) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize("text", ["", "ftp://h", "ws://", "h:port", "h:99999", "a b"])
def test_no_addresses(text: str) -> None:
    with pytest.raises(BadAddress):
        parse_address(text)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["join", "h:1", "bad table!"], "'bad table!' is no table: its id is of letters, digits, - and _"),
        (["join", "h:1", ""], "'' is no table"),
        (["join", "h:1#bad!"], "'bad!' is no table"),
        (["join", f"h:1#{'t' * 33}"], "is no table"),
        (["join", f"h:1#t1:{'c' * 33}"], "is no invitation"),
        (["join", "h:1", "t1", "--invitation", "c" * 33], "is no invitation"),
        (["records", "h:1", "bad table!"], "'bad table!' is no table"),
    ],
)
def test_what_cannot_be_a_table_is_refused_without_asking_a_server(arguments: list[str], sentence: str) -> None:
    done = CliRunner().invoke(cli, arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in " ".join(done.stderr.split())


@pytest.mark.parametrize("invitation", [None, "code"])
def test_a_link_is_read_back(invitation: str | None) -> None:
    assert parse_address(link_to("ws://h:1/", "T9", invitation)) == Address("ws://h:1/", "T9", invitation)


def test_options_are_read_by_what_the_game_offers() -> None:
    texts = ["slams=english", "chicane=1912", "dealer_may_pass=true"]
    assert read_options("auction_bridge", None, texts) == {
        "slams": "english",
        "chicane": "1912",
        "dealer_may_pass": True,
    }


@pytest.mark.parametrize(
    "texts",
    [
        ["slams=french"],
        ["slams=english", "slams=american"],
        ["slam=english"],
        ["slams"],
        ["dealer_may_pass=1"],
        ["dealer_may_pass=true", "count=1908"],
    ],
)
def test_wrong_options(texts: list[str]) -> None:
    with pytest.raises(BadOption):
        read_options("auction_bridge", None, texts)


def test_a_game_of_a_later_server_is_left_to_it() -> None:
    assert read_options("preference", None, ["a=true", "b=-5", "c=word"]) == {"a": True, "b": -5, "c": "word"}
