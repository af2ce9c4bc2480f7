"""Calling at the table: the bidding boxes of all games, declarations and doublings, by arrows, letters and clicks."""

from pathlib import Path

import pytest

from client_cli.config import Config
from client_cli.diagram import call_words
from protocol import messages as m
from rules.calls import parse_call
from tests.client_cli.screen.situations import Situation, done, goes_on, legal, make_table, my_turn
from tests.client_cli.screen.stage import Stage, staged

ASKS = Config(theme="dark", bell=False, confirm=True)


def first_turn(game: str, calls: tuple[str, ...] = ()) -> Situation:
    """Return a table after these calls, the first of which was Ann's."""
    situation = Situation(game, seat="W" if game == "five_hundred" else "S")  # eldest hand, or the dealer
    situation.begin()
    assert my_turn(situation.view)
    situation.do(*calls)
    return situation


def box(stage: Stage) -> list[str]:
    """Return the lines of the box in the middle."""
    lines = [line[:52] for line in stage.shown().splitlines()]
    first = next(number for number, line in enumerate(lines) if "╭─ " in line)
    last = next(number for number, line in enumerate(lines) if number > first and "╰──" in line)
    return [line.partition("│")[2].rpartition("│")[0] for line in lines[first + 1 : last]]


BY_LETTERS = [
    ("vint", (), ["1", "s"], "1S"),
    ("vint", ("1S", "2C", "P", "P"), ["3", "n"], "3N"),
    ("vint", ("P", "1S", "P", "P"), ["p"], "P"),
    ("auction_bridge", (), ["1", "r"], "1R"),
    ("auction_bridge", ("1S", "1H", "P", "P"), ["x"], "X"),
    ("auction_bridge", ("1S", "1H", "P", "P"), ["d"], "X"),
    ("auction_bridge", ("1H", "X", "P", "P"), ["x"], "XX"),
    ("auction_bridge", ("1H", "X", "P", "P"), ["r"], "XX"),
    ("bridge", (), ["h"], "H"),
    ("bridge", (), ["n"], "N"),
    ("bridge", (), ["l"], "L"),
    ("bridge", ("S", "X"), ["x"], "X"),
    ("bridge", ("S", "X"), ["p"], "P"),
    ("five_hundred", (), ["6", "h"], "6H"),
    ("five_hundred", (), ["1", "0", "n"], "10N"),
    ("five_hundred", ("6S", "7S", "P", "P"), ["m"], "M"),
    ("five_hundred", (), ["o"], "OM"),
]


@pytest.mark.parametrize(("game", "calls", "typed", "call"), BY_LETTERS)
async def test_by_letters(tmp_path: Path, game: str, calls: tuple[str, ...], typed: list[str], call: str) -> None:
    situation = first_turn(game, calls)
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press(*typed)
        assert (await done(stage, situation, m.MakeCall)).call == call


BY_CLICK = [
    ("vint", (), "2♥", "2H"),
    ("auction_bridge", ("1S", "1H", "P", "P"), "Double", "X"),
    ("auction_bridge", (), "3NT", "3N"),
    ("bridge", (), "Leave it", "L"),
    ("bridge", (), "♥ hearts", "H"),
    ("five_hundred", ("6S", "7S", "P", "P"), "Misere", "M"),
    ("five_hundred", ("6S", "7S", "P", "P"), "10♥", "10H"),
]


@pytest.mark.parametrize(("game", "calls", "label", "call"), BY_CLICK)
async def test_by_a_click(tmp_path: Path, game: str, calls: tuple[str, ...], label: str, call: str) -> None:
    situation = first_turn(game, calls)
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.click(label)
        assert (await done(stage, situation, m.MakeCall)).call == call


@pytest.mark.parametrize(
    ("game", "highest"), [("vint", "5D"), ("auction_bridge", "4R"), ("five_hundred", "7H"), ("five_hundred", "10D")]
)
async def test_the_box_shows_what_is_legal_and_nothing_else(tmp_path: Path, game: str, highest: str) -> None:
    situation = first_turn(game, ("6S" if game == "five_hundred" else "1S", highest, "P", "P"))
    calls = legal(situation.view).calls
    async with staged(make_table, tmp_path, situation.view) as stage:
        words = " ".join(box(stage)).replace("Open misere", "Openmisere").split()
        spoken = {"Pass": "P", "Double": "X", "Redouble": "XX", "Misere": "M", "Openmisere": "OM"}
        signs = str.maketrans("♠♥♦♣", "SHDC")
        assert sorted(spoken.get(word) or word.translate(signs).removesuffix("T") for word in words) == sorted(calls)


async def test_arrows_go_through_the_box_by_rows_and_columns(tmp_path: Path) -> None:
    situation = first_turn("auction_bridge", ("1S", "1H", "P", "P"))
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("down")
        assert "[Pass]" in stage.shown()
        await stage.press("right")
        assert "[Double]" in stage.shown()
        await stage.press("down", "down", "right")
        chosen = next(cell for line in box(stage) for cell in line.split() if "[" in cell)
        await stage.press("up", "down", "left", "right")
        assert chosen in stage.shown()
        await stage.press("enter")
        command = await done(stage, situation, m.MakeCall)
        assert call_words(parse_call(command.call)) == chosen.strip("[]")


async def test_a_call_is_asked_for_twice_where_that_is_set(tmp_path: Path) -> None:
    situation = first_turn("auction_bridge")
    async with staged(make_table, tmp_path, situation.view, config=ASKS) as stage:
        await stage.press("1", "n")
        assert "Bid 1NT? Enter again does it" in stage.shown() and stage.wire.quiet
        await stage.press("escape", "2", "n", "enter")
        assert (await done(stage, situation, m.MakeCall)).call == "2N"


async def test_a_letter_that_is_no_call_is_a_key_of_the_table(tmp_path: Path) -> None:
    situation = first_turn("auction_bridge")
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("w")
        assert len(stage.app.screen_stack) == 3
        await stage.press("escape", "1", "W")  # with Shift, whatever has been typed
        assert len(stage.app.screen_stack) == 3 and stage.wire.quiet


async def test_what_others_call_stands_on_the_table_and_in_the_list(tmp_path: Path) -> None:
    situation = first_turn("auction_bridge")
    async with staged(make_table, tmp_path, situation.view) as stage:
        situation.do("1N")
        await goes_on(stage, situation)
        assert "It is W's turn (bot)." in stage.shown() and "▶ W bot" in stage.shown()
        situation.do("2H")
        await goes_on(stage, situation)
        shown = stage.shown()
        assert "│ 2♥ │" in shown and "│1NT │" in shown
        assert "S     W     N     E" in shown and "1NT   2♥    ▶" in shown
