"""The dialog that makes a table."""

import re
from pathlib import Path

import pytest

from client_cli.house_rules import DEFAULT
from client_cli.screen.create import CreateDialog
from client_cli.screen.draft import NEW
from protocol import messages as m
from rules.registry import GAMES
from tests.client_cli.screen.dialogs import ASCII, empty_stage, opened
from tests.client_cli.screen.stage import Stage, assert_golden

FIVE_HUNDRED = NEW.choose("game", "five_hundred")


def line_of(stage: Stage, name: str) -> str:
    """Return the line of the form on which something is chosen."""
    return next(line for line in stage.shown().splitlines() if line[6:].startswith(f"{name} "))


async def go_to(stage: Stage, name: str) -> None:
    """Highlight the row of something to choose."""
    for _ in range(40):
        if re.search(rf"▶ [ *]{name} ", stage.shown()):
            return
        await stage.press("down")
    raise AssertionError(f"there is no {name}")


# --- what comes of it


@pytest.mark.parametrize("steps", range(len(GAMES)))
async def test_each_game_can_be_made_as_it_usually_is(tmp_path: Path, steps: int) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, CreateDialog(stage.desk))
        await stage.press(*["right"] * steps, "enter")
        games = list(GAMES)
        assert results == [m.CreateTable(0, games[(games.index(DEFAULT) + steps) % len(games)])]


async def test_players_options_and_who_may_come_are_chosen(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, CreateDialog(stage.desk, FIVE_HUNDRED))
        await go_to(stage, "players")
        await stage.press("right", "right")
        await go_to(stage, "table")
        await stage.press("space")
        await go_to(stage, "defender_cap_490")
        await stage.press("left")
        await stage.press("enter")
        assert results == [m.CreateTable(0, "five_hundred", 6, {"defender_cap_490": "on"}, True)]


async def test_a_click_chooses_a_value_and_makes_nothing_yet(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, CreateDialog(stage.desk))
        await stage.click("english")
        await stage.click("slams")
        assert "● english" in line_of(stage, "slams") and results == []
        assert "Little and grand slam: 20 and 40, or 50 and 100." in stage.shown()
        await stage.click("Make it")
        assert results == [m.CreateTable(0, DEFAULT, None, {"slams": "english"})]


async def test_esc_makes_nothing(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, CreateDialog(stage.desk))
        await stage.press("right", "escape")
        assert results == [None]


# --- numbers


async def test_a_number_is_typed(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, CreateDialog(stage.desk, FIVE_HUNDRED))
        await go_to(stage, "target")
        assert "● 500  ○ a number (10 to 10000)" in line_of(stage, "target")
        await stage.press(*"5000")  # on the way there it is 500, the usual one
        assert "○ 500  ● 5000 (10 to 10000)" in line_of(stage, "target")
        await stage.press("backspace", "backspace", *"55", "enter")
        assert results == [m.CreateTable(0, "five_hundred", None, {"target": 5055})]


async def test_a_number_that_is_taken_back_is_the_usual_one(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        await opened(stage, CreateDialog(stage.desk, FIVE_HUNDRED))
        await go_to(stage, "target")
        await stage.press("7", "backspace")
        assert "● 500  ○ a number" in line_of(stage, "target")
        await stage.press(*"70", "right")
        assert "● 500  ○ a number" in line_of(stage, "target")
        await stage.press("8")  # another number, and not 708
        assert "● 8 (10" in line_of(stage, "target")
        await stage.press("up", "down", *"90")
        assert "● 90 (10" in line_of(stage, "target")


async def test_a_number_out_of_range_is_told_and_not_sent(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, CreateDialog(stage.desk, FIVE_HUNDRED))
        await go_to(stage, "target")
        await stage.press("9", "enter")
        assert "The option 'target' cannot be 9. It can be: 500, any number from 10 to" in stage.shown()
        assert results == [] and stage.app.bells == 1
        await stage.press("0", "enter")
        assert results == [m.CreateTable(0, "five_hundred", None, {"target": 90})]


async def test_digits_do_nothing_where_no_number_is_wanted(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, CreateDialog(stage.desk))
        await stage.press("1", "backspace", "enter")
        assert results == [m.CreateTable(0, DEFAULT)]


# --- what does not go together


async def test_a_contradiction_is_told_in_the_words_of_the_rules_and_not_sent(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, CreateDialog(stage.desk, FIVE_HUNDRED))
        await stage.press("end", "right", "enter")
        assert "inkle is for an auction of a single_round, and auction is continuing." in stage.shown()
        assert results == [] and stage.app.bells == 1
        assert_golden("lobby_create_contradiction", stage.app)
        await go_to(stage, "auction")
        await stage.press("right")
        assert "inkle is for" not in stage.shown()
        await stage.press("enter")
        command = m.CreateTable(0, "five_hundred", None, {"inkle": "on", "auction": "single_round"})
        assert results == [command]


async def test_the_defaults_follow_the_preset(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        await opened(stage, CreateDialog(stage.desk, FIVE_HUNDRED))
        await go_to(stage, "preset")
        assert "● continuing" in line_of(stage, "auction")
        await stage.press("right")
        assert "● single_round" in line_of(stage, "auction") and "*" not in line_of(stage, "auction")
        assert "*" in line_of(stage, "preset")


# --- how it looks


@pytest.mark.parametrize("game", GAMES)
async def test_each_game_looks_like_this(tmp_path: Path, game: str) -> None:
    async with empty_stage(tmp_path) as stage:
        await opened(stage, CreateDialog(stage.desk, NEW.choose("game", game)))
        assert_golden(f"lobby_create_{game}_80x24", stage.app)


async def test_there_is_more_to_see_on_a_large_terminal(tmp_path: Path) -> None:
    async with empty_stage(tmp_path, size=(120, 40)) as stage:
        await opened(stage, CreateDialog(stage.desk, FIVE_HUNDRED))
        await stage.press("end")
        assert "▶  inkle" in stage.shown() and "game  " in stage.shown()
        assert_golden("lobby_create_five_hundred_120x40", stage.app)


async def test_the_form_scrolls(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        await opened(stage, CreateDialog(stage.desk, FIVE_HUNDRED))
        assert "inkle" not in stage.shown()
        await stage.press("end")
        assert "▶  inkle" in stage.shown() and "players" not in stage.shown()


@pytest.mark.parametrize("game", GAMES)
async def test_what_a_row_is_about_is_told_in_full(tmp_path: Path, game: str) -> None:
    draft = NEW.choose("game", game)
    async with empty_stage(tmp_path) as stage:
        await opened(stage, CreateDialog(stage.desk, draft))
        for entry in draft.entries():
            text = " ".join(stage.shown().replace("│", " ").split())
            assert entry.words in text
            await stage.press("down")


async def test_it_needs_ascii_alone(tmp_path: Path) -> None:
    async with empty_stage(tmp_path, config=ASCII) as stage:
        await opened(stage, CreateDialog(stage.desk, FIVE_HUNDRED))
        for _ in FIVE_HUNDRED.entries():
            assert stage.shown().isascii()
            await stage.press("down")
        assert_golden("lobby_create_ascii", stage.app)
