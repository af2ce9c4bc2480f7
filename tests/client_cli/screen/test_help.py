"""The keys of a screen, listed."""

from pathlib import Path
from typing import ClassVar

import pytest
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen

from client_cli.config import Config
from client_cli.screen.create import CreateDialog
from client_cli.screen.desk import Desk
from client_cli.screen.help import HelpDialog
from client_cli.screen.join import join_dialog
from client_cli.screen.keyline import KeyLine
from client_cli.screen.servers import ServersScreen
from tests.client_cli.screen.dialogs import ASCII, an_empty_screen, empty_stage, opened
from tests.client_cli.screen.stage import Stage, assert_golden, settled, staged


def servers(desk: Desk) -> ServersScreen:
    return ServersScreen(desk, [])


class ManyKeys(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(letter, f"do('{letter}')", f"does {letter}", show=False) for letter in "abcdefghijklmnoprstuvwxyz"),
        Binding("up,down", "move", "Moves", id="move"),
    ]
    HELP = "The words [red]at the end[/]."

    def compose(self):  # type: ignore[no-untyped-def]
        yield KeyLine()


def is_open(stage: Stage) -> bool:
    return isinstance(stage.app.screen, HelpDialog)


async def test_it_lists_the_keys_beneath_and_says_a_few_words(tmp_path: Path) -> None:
    async with staged(servers, tmp_path) as stage:
        await stage.press("?")
        assert_golden("lobby_help", stage.app)


@pytest.mark.parametrize("key", ["?", "escape", "q", "Q", "enter"])
async def test_a_key_closes_it_and_does_nothing_else(tmp_path: Path, key: str) -> None:
    async with staged(servers, tmp_path) as stage:
        await stage.press("?")
        assert is_open(stage)
        await stage.press(key)
        assert not is_open(stage) and stage.app.wishes == []


async def test_keys_that_the_person_has_set_are_shown(tmp_path: Path) -> None:
    config = Config(theme="dark", bell=False, keys={"address": "ctrl+l"})
    async with staged(servers, tmp_path, config=config) as stage:
        assert "^l Address or link" in stage.shown()
        await stage.press("?")
        assert "^l     Address or link" in stage.shown()


async def test_a_long_list_scrolls(tmp_path: Path) -> None:
    async with staged(lambda desk: ManyKeys(), tmp_path) as stage:
        await stage.press("?")
        assert "does a" in stage.shown() and "The words" not in stage.shown()
        scroll = stage.app.screen.query_one(VerticalScroll)
        await stage.press("end")
        while scroll.scroll_y < scroll.max_scroll_y:
            await settled(stage.app)
        await settled(stage.app)
        assert "does a" not in stage.shown() and "The words [red]at the end[/]." in stage.shown()


async def test_all_keys_of_an_action_are_on_one_line(tmp_path: Path) -> None:
    async with staged(lambda desk: ManyKeys(), tmp_path) as stage:
        assert "Up Moves  ? Help" in stage.shown()
        await stage.press("?")
        assert "Up, Down  Moves" in stage.shown()


async def test_a_key_at_the_foot_can_be_clicked(tmp_path: Path) -> None:
    async with staged(an_empty_screen, tmp_path) as stage:
        results = await opened(stage, join_dialog("ws://here:1/"))
        await stage.click("Esc Back")
        assert results == [None]


async def test_it_opens_above_a_dialog(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, CreateDialog(stage.desk))
        await stage.press("?")
        assert "Right, Space  Next value" in stage.shown()
        await stage.press("escape")
        assert not is_open(stage) and results == []


async def test_while_typing_another_key_opens_it(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        await opened(stage, join_dialog("ws://here:1/"))
        await stage.press("?")
        assert not is_open(stage) and "F1 Help" in stage.shown()
        await stage.press("f1")
        assert is_open(stage)


async def test_it_needs_ascii_alone(tmp_path: Path) -> None:
    async with staged(servers, tmp_path, config=ASCII) as stage:
        await stage.press("?")
        assert stage.shown().isascii()
        assert_golden("lobby_help_ascii", stage.app)
