"""The dialog that asks which game to play against bots."""

from pathlib import Path

import pytest

from client_cli.house_rules import DEFAULT, Chosen
from client_cli.screen.choose import GameDialog
from client_cli.screen.sight import SEEN_S, Sight
from rules.registry import GAMES
from tests.client_cli.screen.dialogs import ASCII, HandClock, empty_stage, opened
from tests.client_cli.screen.stage import assert_golden


async def test_the_usual_game_is_marked(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, GameDialog(stage.desk))
        await stage.press("enter")
        assert results == [Chosen(DEFAULT)]


@pytest.mark.parametrize(("number", "game"), list(enumerate(GAMES, 1)))
async def test_a_number_chooses(tmp_path: Path, number: int, game: str) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, GameDialog(stage.desk))
        await stage.press(str(number))
        assert results == [Chosen(game)]


@pytest.mark.parametrize("game", GAMES)
async def test_a_click_chooses(tmp_path: Path, game: str) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, GameDialog(stage.desk))
        await stage.click(GAMES[game].summary)
        assert results == [Chosen(game)]


async def test_arrows_and_enter_choose(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, GameDialog(stage.desk))
        await stage.press("home", "down", "enter")
        assert results == [Chosen(list(GAMES)[1])]


@pytest.mark.parametrize("key", ["enter", "1", "o", "escape"])
async def test_one_that_came_by_itself_takes_no_key_before_it_can_have_been_seen(tmp_path: Path, key: str) -> None:
    clock = HandClock()
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, GameDialog(stage.desk, Sight(clock)))
        await stage.press(key)
        assert results == [] and isinstance(stage.app.screen, GameDialog)
        clock.seconds += SEEN_S
        await stage.press("home", "enter")
        assert results == [Chosen(next(iter(GAMES)))]


async def test_esc_chooses_none(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, GameDialog(stage.desk))
        await stage.press("escape")
        assert results == [None]


async def test_more_options_lead_to_the_form_of_the_game_that_is_marked(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, GameDialog(stage.desk))
        await stage.press("end", "o")
        assert "private" not in stage.shown()
        await stage.press("down", "left", "enter")
        assert results == [Chosen("five_hundred", {}, 3)]


async def test_esc_in_the_form_comes_back_to_the_games(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, GameDialog(stage.desk))
        await stage.press("o", "escape")
        assert "which game?" in stage.shown() and results == []
        await stage.press("1")
        assert results == [Chosen("vint")]


async def test_help_lists_the_numbers_too(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        await opened(stage, GameDialog(stage.desk))
        await stage.press("?")
        assert all(f"{number}      {game.title}" in stage.shown() for number, game in enumerate(GAMES.values(), 1))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_it_looks_like_this(tmp_path: Path, size: tuple[int, int]) -> None:
    async with empty_stage(tmp_path, size=size) as stage:
        await opened(stage, GameDialog(stage.desk))
        assert_golden(f"lobby_games_{size[0]}x{size[1]}", stage.app)


async def test_it_needs_ascii_alone(tmp_path: Path) -> None:
    async with empty_stage(tmp_path, config=ASCII) as stage:
        await opened(stage, GameDialog(stage.desk))
        assert stage.shown().isascii()
        assert_golden("lobby_games_ascii", stage.app)
