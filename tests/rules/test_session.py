"""Rubbers in a row: cutting for seats (C1, C2), how players move and who deals (S1), and the ledger."""

from itertools import combinations
from random import Random

import pytest

from rules.cards import parse_card
from rules.scoresheet import RubberStanding
from rules.session import after_rubber, cut, first_dealer, session_goes_on, settle
from tests.rules.deals import auction_bridge, bridge, vint

# Cards drawn by the players in seats N E S W; who deals, and who is his partner.
CUTS = [
    ("C1", "H5 S5 CK DA", 3, 0),
    ("C2", "S2 H2 D2 C2", 1, 2),
    # The ace is lowest, and of equal cards hearts, diamonds, clubs, spades upwards.
    ("aces", "SA CA DA HA", 3, 2),
    ("kings", "HK SQ SJ ST", 3, 2),
]


@pytest.mark.parametrize(("drawn", "dealer", "second"), [pytest.param(*row[1:], id=row[0]) for row in CUTS])
def test_cut(drawn: str, dealer: int, second: int) -> None:
    moved, deals = cut(tuple(parse_card(card) for card in drawn.split()))
    assert sorted(moved) == [0, 1, 2, 3]
    assert deals == dealer == moved[dealer], "he keeps his seat"
    assert (moved[second] - moved[dealer]) % 4 == 2, "the two are partners"


def test_the_highest_deals_by_the_option_draw() -> None:
    cards = tuple(parse_card(card) for card in ("H5", "S5", "CK", "DA"))
    moved, dealer = cut(cards, highest_deals=True)
    assert dealer == 2
    assert (moved[1] - moved[2]) % 4 == 2, "the two highest are partners"


def test_the_option_draw_is_asked() -> None:
    seeds = [Random(seed).randbytes(32) for seed in range(20)]
    lowest, highest = vint(first_dealer="cut"), vint(first_dealer="cut", draw="highest_deals")
    dealers = [(first_dealer(lowest, seed)[1], first_dealer(highest, seed)[1]) for seed in seeds]
    assert all(low != high for low, high in dealers)


@pytest.mark.parametrize("pivot", range(4))
def test_everybody_has_everybody_as_partner_once(pivot: int) -> None:
    game = vint(session="three_rubbers")
    players = list("ABCD")
    pairs = []
    for rubber in (1, 2, 3):
        pairs += [frozenset(players[0::2]), frozenset(players[1::2])]
        step = after_rubber(game, rubber, pivot, next_dealer=rubber)
        if rubber == 3:
            assert step is None
            break
        assert step is not None
        moved, dealer = step
        assert dealer == rubber, "the deal simply goes on"
        assert moved[pivot] == pivot
        players = [players[moved.index(seat)] for seat in range(4)]
    assert set(pairs) == {frozenset(pair) for pair in combinations("ABCD", 2)}
    assert len(pairs) == 6


def test_sessions_follow_each_other() -> None:
    game = vint(session="three_rubbers")
    assert [session_goes_on(game, rubber) for rubber in range(1, 8)] == [True, True, False, True, True, False, True]


def test_a_session_of_one_rubber() -> None:
    for game in (vint(), vint(match="single_game"), bridge(), auction_bridge()):
        assert after_rubber(game, 1, pivot=0, next_dealer=1) is None


# S1: totals of NS and EW in three rubbers; who sits in N E S W; the ledger after each.
S1 = [
    ((18330, 14720), "ABCD", {"A": 3610, "B": -3610, "C": 3610, "D": -3610}),
    ((12480, 21950), "ACDB", {"A": -5860, "B": 5860, "C": 13080, "D": -13080}),
    ((26840, 9310), "ADBC", {"A": 11670, "B": 23390, "C": -4450, "D": -30610}),
]


def test_s1_a_session_of_three_rubbers() -> None:
    """A is the pivot in N; N dealt last in the first rubber, so E deals first in the second."""
    game = vint(session="three_rubbers")
    players = list("ABCD")
    ledger: dict[str, int] = {}
    for rubber, (totals, seats, after) in enumerate(S1, 1):
        assert "".join(players) == seats
        ledger = settle(ledger, game, RubberStanding((0, 0), totals, (2, 1)), players)
        assert ledger == after
        assert sum(ledger.values()) == 0
        step = after_rubber(game, rubber, pivot=0, next_dealer=1)
        if step is None:
            assert rubber == 3
            continue
        moved, dealer = step
        assert game.seats.name(dealer) == "E"
        players = [players[moved.index(seat)] for seat in range(4)]
    assert rubber == 3
