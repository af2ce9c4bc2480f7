"""What the screen of a table looks like, as text: on a small terminal and on a large one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from client_cli.config import Config
from protocol import messages as m
from tests.client_cli.screen.situations import (
    Situation,
    chooses_card,
    chooses_dummys_card,
    make_table,
    my_turn,
    won_auction,
)
from tests.client_cli.screen.stage import MONO, assert_golden, staged

SMALL, LARGE = (80, 24), (120, 40)
COLOURS = Config(theme="dark", bell=False)


def gathering() -> Situation:
    situation = Situation("auction_bridge", dealer_may_pass=True)
    situation.join("bob", "E")
    situation.join("cis")
    situation.ask(m.SeatBot(0, "N"))
    return situation


def bidding() -> Situation:
    situation = Situation("auction_bridge")
    situation.join("bob", "E")
    situation.begin()
    situation.do("1S", "1D", "P", "1R", "P", "2C", "P", "2H")
    return situation


def playing() -> Situation:
    situation = Situation("auction_bridge")
    situation.join("bob", "E")
    situation.begin()
    situation.do("1S", "P", "1H", "P", "1R", "X", "P", "P", "P")
    return played(situation, 17, chooses_card)


def dummys() -> Situation:
    situation = Situation("auction_bridge")
    situation.begin()
    situation.do("2H", "X", "P", "P", "P")
    return played(situation, 5, chooses_dummys_card)


def defending() -> Situation:
    situation = Situation("auction_bridge", seat="N")
    situation.join("bob", "S")
    situation.begin()
    situation.do("1S", "2H", "P", "P", "P")
    return played(situation, 5, my_turn)


def played(situation: Situation, cards: int, condition: Callable[[m.TableView], bool]) -> Situation:
    """Let at least so many cards be played, until it is so."""
    situation.play(cards)
    while not condition(situation.view):
        situation.play()
    return situation


def declaring() -> Situation:
    situation = Situation("bridge")
    situation.begin()
    return situation


def doubled() -> Situation:
    situation = Situation("bridge")
    situation.begin()
    situation.do("H", "X")
    return situation


def vint() -> Situation:
    situation = Situation("vint")
    situation.begin()
    situation.do("1S", "2D", "P", "P", "P")
    situation.play(52)
    situation.begin(bytes([7]) * 32)
    situation.do("P", "1H", "3C")
    return situation


def exchanging() -> Situation:
    return won_auction("7H", players=3)


def five() -> Situation:
    situation = won_auction("8H", players=5)
    situation.join("bob")
    return situation


def six() -> Situation:
    situation = Situation("five_hundred", 6)
    situation.begin()
    situation.do("6H")
    situation.pass_all()
    situation.play(11)
    return situation


def scored() -> Situation:
    situation = Situation("auction_bridge")
    situation.begin()
    situation.do("2H", "X", "P", "P", "P")
    situation.play(52)
    return situation


TABLES: dict[str, tuple[Callable[[], Situation], tuple[str, ...]]] = {
    "gathering": (gathering, ()),
    "bidding": (bidding, ("down", "down", "right", "right")),
    "playing": (playing, ("right",)),
    "dummys": (dummys, ("right", "right")),
    "defending": (defending, ()),
    "declaring": (declaring, ("down", "down")),
    "doubled": (doubled, ("left",)),
    "vint": (vint, ()),
    "exchanging": (exchanging, ("right", "space", "left", "space")),
    "five": (five, ()),
    "six": (six, ()),
    "scored": (scored, ()),
}


@pytest.mark.parametrize("name", TABLES)
async def test_small(tmp_path: Path, name: str) -> None:
    await compare(tmp_path, f"table_{name}_80x24", name, SMALL, COLOURS)


@pytest.mark.parametrize("name", ["gathering", "bidding", "playing", "exchanging", "six"])
async def test_large(tmp_path: Path, name: str) -> None:
    await compare(tmp_path, f"table_{name}_120x40", name, LARGE, COLOURS)


@pytest.mark.parametrize("name", ["bidding", "playing", "dummys"])
async def test_ascii(tmp_path: Path, name: str) -> None:
    await compare(tmp_path, f"table_{name}_ascii", name, SMALL, MONO)


async def test_lost(tmp_path: Path) -> None:
    async with staged(make_table, tmp_path, playing().view) as stage:
        await stage.drop()
        assert_golden("table_lost_80x24", stage.app)


async def test_watching(tmp_path: Path) -> None:
    situation = playing()
    situation.join("cis")
    async with staged(make_table, tmp_path, situation.told.fresh("cis")) as stage:
        assert_golden("table_watching_80x24", stage.app)


async def compare(folder: Path, golden: str, name: str, size: tuple[int, int], config: Config) -> None:
    make, keys = TABLES[name]
    async with staged(make_table, folder, make().view, size=size, config=config) as stage:
        await stage.press(*keys)
        assert_golden(golden, stage.app)
