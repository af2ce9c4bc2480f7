"""The first screen: where to play."""

from pathlib import Path

import pytest

from client_cli.address import Address
from client_cli.config import Config
from client_cli.house_rules import Chosen
from client_cli.screen.desk import Desk
from client_cli.screen.servers import ServersScreen
from client_cli.screen.wishes import GoToServer, PlayAlone
from client_cli.state import KnownServer
from tests.client_cli.screen.dialogs import ASCII
from tests.client_cli.screen.stage import CONFIG, Stage, assert_golden, staged

KNOWN = [
    KnownServer("wss://cards.example.org:443/", "Ann", "t1", 30.0),
    KnownServer("ws://localhost:8765/", "[red]x[/]", None, 20.0),
    KnownServer("ws://club.example:80/cards", None, None, 10.0),
]


def with_known(desk: Desk) -> ServersScreen:
    return ServersScreen(desk, KNOWN)


def with_none(desk: Desk) -> ServersScreen:
    return ServersScreen(desk, [])


def addresses(stage: Stage) -> list[Address]:
    """Return where the person wanted to go."""
    assert all(isinstance(wish, GoToServer) for wish in stage.app.wishes)
    return [wish.address for wish in stage.app.wishes if isinstance(wish, GoToServer)]


def chosen(stage: Stage) -> list[Chosen | None]:
    """Return what the person wanted to play alone."""
    assert all(isinstance(wish, PlayAlone) for wish in stage.app.wishes)
    return [wish.chosen for wish in stage.app.wishes if isinstance(wish, PlayAlone)]


# --- the list


async def test_enter_goes_to_the_server_used_last(tmp_path: Path) -> None:
    async with staged(with_known, tmp_path) as stage:
        await stage.press("enter")
        assert addresses(stage) == [Address("wss://cards.example.org:443/")]


async def test_arrows_go_to_another_server(tmp_path: Path) -> None:
    async with staged(with_known, tmp_path) as stage:
        await stage.press("down", "down", "enter")
        assert addresses(stage) == [Address("ws://club.example:80/cards")]


async def test_a_click_goes_to_a_server(tmp_path: Path) -> None:
    async with staged(with_known, tmp_path) as stage:
        await stage.click("ws://localhost:8765")
        assert addresses(stage) == [Address("ws://localhost:8765/")]


async def test_above_the_servers_is_the_game_against_bots(tmp_path: Path) -> None:
    async with staged(with_known, tmp_path) as stage:
        await stage.press("up", "enter")
        assert chosen(stage) == [None]


async def test_without_servers_enter_plays_against_bots(tmp_path: Path) -> None:
    async with staged(with_none, tmp_path) as stage:
        assert "Servers where" not in stage.shown()
        await stage.press("enter")
        assert chosen(stage) == [None]


async def test_a_game_against_bots_can_be_chosen(tmp_path: Path) -> None:
    async with staged(with_none, tmp_path) as stage:
        await stage.press("g", "escape")
        assert chosen(stage) == []
        await stage.press("g", "1")
        assert chosen(stage) == [Chosen("vint")]


async def test_a_table_that_waits_and_the_name_there_are_told(tmp_path: Path) -> None:
    async with staged(with_known, tmp_path) as stage:
        lines = {line.split()[0].lstrip("▶"): line for line in stage.shown().splitlines() if "ws" in line}
        assert "as [red]x[/]" in lines["ws://localhost:8765"]
        assert "waiting" not in lines["ws://localhost:8765"]
        assert sum("your table is waiting" in line for line in stage.shown().splitlines()) == 1


async def test_a_long_list_scrolls_and_leaves_the_field_in_sight(tmp_path: Path) -> None:
    many = [KnownServer(f"ws://server{number}:8765/", None, None, 0.0) for number in range(40)]
    async with staged(lambda desk: ServersScreen(desk, many), tmp_path) as stage:
        assert "ws://server0:" in stage.shown() and "ws://server39:" not in stage.shown()
        await stage.press("end")
        assert "▶ ws://server39:" in stage.shown() and "ws://server0:" not in stage.shown()
        assert "The address of a server" in stage.shown()
        await stage.press("enter")
        assert addresses(stage) == [Address("ws://server39:8765/")]


# --- the address


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("cards.example", Address("ws://cards.example:8765/")),
        ("wss://cards.example", Address("wss://cards.example:443/")),
        ("ws://h:1#t1:code", Address("ws://h:1/", "t1", "code")),
        (" biritch join ws://h:1/#t1 ", Address("ws://h:1/", "t1")),
    ],
)
async def test_an_address_is_typed(tmp_path: Path, typed: str, address: Address) -> None:
    async with staged(with_known, tmp_path) as stage:
        await stage.press("a", *typed, "enter")
        assert addresses(stage) == [address]


async def test_a_wrong_address_is_told_under_the_field_until_it_is_changed(tmp_path: Path) -> None:
    async with staged(with_known, tmp_path) as stage:
        await stage.press("a", *"ftp://x", "enter")
        assert "'ftp://x' is no address of a server" in stage.shown()
        assert addresses(stage) == []
        await stage.press("backspace")
        assert "is no address" not in stage.shown()


async def test_esc_goes_from_the_field_to_the_list(tmp_path: Path) -> None:
    async with staged(with_known, tmp_path) as stage:
        assert "Esc" not in stage.shown()
        await stage.press("a", "q", "g")
        assert "Esc Back to the list" in stage.shown() and "Q Quit" not in stage.shown()
        await stage.press("escape", "enter")
        assert addresses(stage) == [Address("wss://cards.example.org:443/")]


async def test_a_click_goes_to_the_field(tmp_path: Path) -> None:
    async with staged(with_known, tmp_path) as stage:
        await stage.click("cards.example.org:8765, or")
        await stage.press(*"h:1", "enter")
        assert addresses(stage) == [Address("ws://h:1/")]


# --- how it looks


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_it_looks_like_this(tmp_path: Path, size: tuple[int, int]) -> None:
    async with staged(with_known, tmp_path, size=size) as stage:
        assert_golden(f"lobby_servers_{size[0]}x{size[1]}", stage.app)


async def test_it_needs_ascii_alone(tmp_path: Path) -> None:
    known = [*KNOWN, KnownServer("ws://bücher.example:8765/", "Zoë", None, 0.0)]
    async with staged(lambda desk: ServersScreen(desk, known), tmp_path, config=ASCII) as stage:
        assert stage.shown().isascii()
        assert_golden("lobby_servers_ascii", stage.app)
        await stage.press("a", *"ftp://x", "enter")
        assert stage.shown().isascii()


async def test_it_needs_no_colour(tmp_path: Path) -> None:
    async with staged(with_known, tmp_path, config=CONFIG) as stage:
        coloured = stage.shown()
    async with staged(with_known, tmp_path, config=Config(theme="mono", bell=False)) as stage:
        assert stage.shown() == coloured
        await stage.press("down")
        assert "▶ ws://localhost:8765" in stage.shown()
