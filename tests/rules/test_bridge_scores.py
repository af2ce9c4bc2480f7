"""What is scored above the line in straight bridge: the tables of honours, aces, chicane and slams."""

from random import Random
from typing import Any

import pytest

from rules.calls import Denomination
from rules.cards import Card, Cards, Rank, Suit
from tests.rules.deals import (
    after_calls,
    begun,
    bridge,
    finished_with,
    hands_with,
    honour_cards,
    played_for,
    scored,
)

# Honours between partners, larger and smaller hand: points in each suit.
HONOURS = """
      S   C   D   H
3-0   4   8  12  16
2-1   4   8  12  16
3-1   8  16  24  32
2-2   8  16  24  32
4-0  16  32  48  64
3-2  10  20  30  40
4-1  18  36  54  72
5-0  20  40  60  80
2-0   0   0   0   0
1-1   0   0   0   0
"""

CHICANE = {"S": 4, "C": 8, "D": 12, "H": 16}

ACES = {"3-0": 30, "2-1": 30, "3-1": 40, "2-2": 40, "4-0": 100, "2-0": 0, "1-1": 0}


def split_honours(split: str, suit: Suit | None) -> dict[str, Cards]:
    """Give NS so many of the honours (at no trump aces) in one hand and so many in the other, EW the rest."""
    one, other = map(int, split.split("-"))
    ranks = (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN)
    cards = [Card(suit, rank) for rank in ranks] if suit else [Card(each, Rank.ACE) for each in Suit]
    rest = cards[one + other :]
    return {"N": tuple(cards[:one]), "S": tuple(cards[one : one + other]), "E": tuple(rest[:2]), "W": tuple(rest[2:])}


def honour_rows() -> list[Any]:
    head, *rows = [line.split() for line in HONOURS.strip().splitlines()]
    return [
        pytest.param(split, name, int(value), id=f"{split} {name}")
        for split, *columns in rows
        for name, value in zip(head, columns, strict=True)
    ]


def honours_of(split: str, name: str) -> list[str]:
    game = bridge()
    held = split_honours(split, Denomination(name).trumps)
    state = after_calls(game, begun(game, "E", hands_with(held, Random(7))), f"{name} X P P")
    return [line for line in scored(played_for(game, state, 7)) if line.endswith("honours") and line.startswith("NS")]


@pytest.mark.parametrize(("split", "name", "value"), honour_rows())
def test_honours_are_never_doubled(split: str, name: str, value: int) -> None:
    assert honours_of(split, name) == ([f"NS above {value} honours"] if value else [])


@pytest.mark.parametrize(("split", "value"), ACES.items())
def test_aces_at_no_trump(split: str, value: int) -> None:
    assert honours_of(split, "N") == ([f"NS above {value} honours"] if value else [])


def both_void(suit: Suit) -> dict[str, str]:
    """Return hands of which East and West are void of a suit."""
    hands = {
        "N": "AKQJT98.AKQJ..A2",
        "E": ".T987.AKQJT.QJT9",
        "S": "765432..9876.K87",
        "W": ".65432.5432.6543",
    }
    suits = [*Suit]
    order = [suits.index(suit), *(place for place in range(4) if suits[place] is not suit)]
    moved = {}
    for name, text in hands.items():
        parts = text.split(".")
        new = [""] * 4
        for part, place in zip(parts, order, strict=True):
            new[place] = part
        moved[name] = ".".join(new)
    return moved


@pytest.mark.parametrize(("name", "value"), CHICANE.items())
def test_chicane_is_scored_for_each_void_hand(name: str, value: int) -> None:
    """Both adversaries void: twice as much, undoubled. One void hand is in B19 and B20."""
    game = bridge()
    suit = Suit(name)
    for dealer in "NE":
        state = after_calls(game, begun(game, dealer, both_void(suit)), f"{name} X P P")
        lines = scored(played_for(game, state, 7))
        assert [line for line in lines if line.endswith("chicane")] == [f"EW above {2 * value} chicane"]


def test_no_chicane_at_no_trump() -> None:
    game = bridge()
    state = after_calls(game, begun(game, "N", both_void(Suit.SPADES)), "N P P")
    assert not any(line.endswith("chicane") for line in scored(played_for(game, state, 7)))


@pytest.mark.parametrize("name", list("SCDHN"))
@pytest.mark.parametrize(("tricks", "slam"), [(11, 0), (12, 20), (13, 40), (2, 0), (1, 20), (0, 40)])
def test_slams_of_either_side_are_never_doubled(name: str, tricks: int, slam: int) -> None:
    suit = Denomination(name).trumps
    strong = {"A": "AK", "B": "QJ"} if suit else {"A": "SH", "B": "DC"}
    held = f"N:{strong['A']} E:- S:{strong['B']} W:-" if tricks > 2 else f"N:- E:{strong['A']} S:- W:{strong['B']}"
    state = finished_with(bridge(), "S", f"{name} X P P", honour_cards(held, suit), tricks)
    side = "NS" if tricks > 2 else "EW"
    assert [line for line in scored(state) if line.endswith("slam")] == ([f"{side} above {slam} slam"] if slam else [])
