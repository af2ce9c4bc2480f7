"""What a deal of Vint scores: the tables of its rules, honours and aces, slams, coronets."""

from random import Random
from typing import Any

import pytest

from rules.calls import Denomination
from rules.cards import PACK_52, Card, Cards, Rank, Suit, in_order, parse_hand
from rules.vint import coronets, runs
from tests.rules.deals import (
    finished_with,
    honour_cards,
    points,
    scored,
    vint,
)

# Level: value of a trick, of an honour in a suit, of an ace at no trump, penalty for each trick short.
VALUES = """
1 10 100  250 1000
2 20 200  500 2000
3 30 300  750 3000
4 40 400 1000 4000
5 50 500 1250 5000
6 60 600 1500 6000
7 70 700 1750 7000
"""

# Honours scored, by trump honours of the side that has most of them: how the aces lie; then 3, 4 and 5 trump honours.
# A minus: scored by the other side; a dash: cannot be.
HONOURS = """
same-3       6 7 8
same-4       7 8 9
tied-won     5 6 7
tied-lost    1 2 3
opposite-3   0 1 2
opposite-4  -1 0 x
"""

# Bid: slam points of the bidder's side with eleven, twelve, thirteen tricks.
SLAMS = """
1 0 1000  2000
2 0 1000  2000
3 0 1000  2000
4 0 1000  2000
5 0 1000  2000
6 0 6000  7000
7 0 1000 12000
"""

# Cards of a run: points in a plain suit, in trumps or at no trump.
RUNS = """
2     0     0
3   500  1000
4  1000  2000
5  1500  3000
6  2000  4000
7  2500  5000
13 5500 11000
"""


@pytest.mark.parametrize("row", VALUES.strip().splitlines())
def test_values(row: str) -> None:
    """Below: every trick of both sides. Above: the penalty; the bidder's side keeps what it scores."""
    level, trick, honour, ace, penalty = map(int, row.split())
    suit = finished_with(
        vint(coronets=False), "S", f"{level}H P P P", honour_cards("N:AK E:QT S:J W:-", Suit.HEARTS), 6
    )
    assert [points(suit, side, "below") for side in (0, 1)] == [6 * trick, 7 * trick]
    assert f"EW above {level * penalty} undertricks" in scored(suit)
    assert all(line.points % honour == 0 for line in suit.result.lines if line.reason == "honours")
    aces = honour_cards("N:SH E:C S:D W:-", None)
    no_trump = finished_with(vint(coronets=False), "S", f"{level}N P P P", aces, 6)
    assert [line for line in scored(no_trump) if line.endswith("honours")] == [f"NS above {3 * ace} honours"]
    assert f"EW above {level * penalty} undertricks" in scored(no_trump)


def with_aces(trump_honours: int, lie: str) -> dict[str, Cards]:
    """Give NS so many trump honours in hearts, and the aces as they are to lie; dealt out to two hands of each side."""
    own = {"same-3": "HSD", "same-4": "HSDC", "tied-won": "HS", "tied-lost": "HS", "opposite-3": "H", "opposite-4": ""}
    ours = [Card(Suit(suit), Rank.ACE) for suit in own[lie]]
    theirs = [Card(suit, Rank.ACE) for suit in Suit if str(suit) not in own[lie]]
    rest = [Card(Suit.HEARTS, rank) for rank in (Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN)]
    wanted = trump_honours - (Card(Suit.HEARTS, Rank.ACE) in ours)
    ours, theirs = ours + rest[:wanted], theirs + rest[wanted:]
    return {"N": tuple(ours[::2]), "S": tuple(ours[1::2]), "E": tuple(theirs[::2]), "W": tuple(theirs[1::2])}


def honour_rows() -> list[Any]:
    rows = [line.split() for line in HONOURS.strip().splitlines()]
    return [
        pytest.param(lie, held, int(number), id=f"{lie} {held}")
        for lie, *numbers in rows
        for held, number in zip((3, 4, 5), numbers, strict=True)
        if number != "x"
    ]


@pytest.mark.parametrize(("lie", "held", "number"), honour_rows())
def test_honours_in_a_suit(lie: str, held: int, number: int) -> None:
    for bidder, calls in (("S", "2H P P P"), ("E", "2H P P P")):
        tricks = 6 if lie == "tied-lost" else 7
        won = tricks if bidder == "S" else 13 - tricks
        state = finished_with(vint(), bidder, calls, with_aces(held, lie), won)
        side = "NS" if number > 0 else "EW"
        expected = [f"{side} above {abs(number) * 200} honours"] if number else []
        assert [line for line in scored(state) if line.endswith("honours")] == expected


@pytest.mark.parametrize(("held", "to"), [("SH", None), ("SHD", "NS"), ("SHDC", "NS"), ("S", "EW"), ("", "EW")])
@pytest.mark.parametrize("tricks", [6, 7])
def test_aces_at_no_trump(held: str, to: str | None, tricks: int) -> None:
    """Aces two and two pay nobody, whoever took the tricks."""
    theirs = "".join(suit for suit in "SHDC" if suit not in held)
    aces = honour_cards(f"N:{held[:2] or '-'} S:{held[2:] or '-'} E:{theirs[:2] or '-'} W:{theirs[2:] or '-'}", None)
    state = finished_with(vint(), "S", "1N P P P", aces, tricks)
    most = max(len(held), len(theirs))
    expected = [f"{to} above {250 * most} honours"] if to else []
    assert [line for line in scored(state) if line.endswith("honours")] == expected


@pytest.mark.parametrize("row", SLAMS.strip().splitlines())
@pytest.mark.parametrize("tricks", [11, 12, 13])
def test_slams(row: str, tricks: int) -> None:
    level, *numbers = map(int, row.split())
    held = honour_cards("N:AK E:- S:QJ W:T" if tricks < 13 else "N:AKT E:- S:QJ W:-", Suit.HEARTS)
    state = finished_with(vint(), "S", f"{level}H P P P", held, tricks)
    slams = [line for line in state.result.lines if line.reason.startswith("slam")]
    assert sum(line.points for line in slams) == numbers[tricks - 11]
    assert all(line.side == 0 for line in slams)


@pytest.mark.parametrize(("tricks", "value"), [(2, 0), (1, 1000), (0, 2000)])
@pytest.mark.parametrize("level", [1, 7])
def test_slams_of_the_adversaries(tricks: int, value: int, level: int) -> None:
    held = honour_cards("N:- E:AKQ S:- W:JT", Suit.HEARTS)
    state = finished_with(vint(), "S", f"{level}H P P P", held, tricks)
    slams = [line for line in scored(state) if "slam" in line]
    assert slams == ([f"EW above {value} slam"] if value else [])
    assert f"EW above {(level + 6 - tricks) * 1000 * level} undertricks" in scored(state)


# --- coronets


def coronet_points(hand: str, name: str, seat: int = 0) -> tuple[int, int]:
    """Return what a hand in a seat scores in coronets for each side."""
    hands: list[Cards] = [()] * 4
    hands[seat] = parse_hand(hand)
    lines = coronets(hands, Denomination(name))
    return (sum(line.points for line in lines if line.side == 0), sum(line.points for line in lines if line.side == 1))


@pytest.mark.parametrize("row", RUNS.strip().splitlines())
def test_runs(row: str) -> None:
    length, plain, doubled = map(int, row.split())
    for start in range(14 - length):
        run = "AKQJT98765432"[start : start + length]
        for seat in range(4):
            for name, value in (("S", doubled), ("H", plain), ("N", doubled)):
                expected = (value, 0) if seat % 2 == 0 else (0, value)
                assert coronet_points(f"{run}...", name, seat) == expected


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        ("AKQ.32.5432.5432", ["AKQ", "5432", "5432"]),
        ("A32.A32.A32.A432", ["432"]),
        ("AKQT98.AKJT.QJT.", ["AKQ", "T98", "QJT"]),
        ("AKQJT98765432...", ["AKQJT98765432"]),
        ("KQ.JT.98.AKJT876", ["876"]),
        ("", []),
    ],
)
def test_what_a_run_is(hand: str, found: list[str]) -> None:
    cards = parse_hand(hand or "...")
    assert ["".join(str(card)[1] for card in run) for run in runs(cards)] == found


@pytest.mark.parametrize(
    ("aces", "single", "doubled"),
    [("A.A..", 0, 0), ("A.A.A.", 500, 1000), ("A.A..A", 500, 1000), ("A.A.A.A", 1000, 2000)],
)
def test_aces_in_one_hand(aces: str, single: int, doubled: int) -> None:
    """Aces are doubled at no trump alone, and not for the ace of trumps among them."""
    assert coronet_points(aces, "S") == (single, 0)
    assert coronet_points(aces, "C") == (single, 0)
    assert coronet_points(aces, "N") == (doubled, 0)


def test_a_card_counts_in_a_run_and_among_the_aces() -> None:
    assert coronet_points("AKQ.A.A.", "S") == (1000 + 500, 0)
    assert coronet_points("AKQ.A.A.", "C") == (500 + 500, 0)


def test_the_mean_of_coronets_over_random_deals() -> None:
    """1,516 points a deal under a suit and 2,464 at no trump, both sides together."""
    random = Random(3)
    sums = dict.fromkeys((Denomination.HEARTS, Denomination.NO_TRUMPS), 0)
    deals = 4000
    for _ in range(deals):
        cards = random.sample(PACK_52, 52)
        hands = [in_order(cards[start : start + 13]) for start in range(0, 52, 13)]
        for denomination in sums:
            sums[denomination] += sum(line.points for line in coronets(hands, denomination))
    means = [total / deals for total in sums.values()]
    assert means == [pytest.approx(1516, rel=0.03), pytest.approx(2464, rel=0.03)]
