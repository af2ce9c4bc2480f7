"""Royal auction bridge with its default options: the tables of its rules, refusals, the play, game and rubber."""

from random import Random
from typing import Any

import pytest

from rules.calls import Bid, Denomination, Word, parse_call
from rules.cards import Card, Cards, Rank, Suit
from rules.errors import IllegalAction
from rules.scoresheet import RubberStanding
from tests.rules.deals import (
    after_calls,
    after_plays,
    auction_bridge,
    begun,
    bid_of,
    finished_with,
    hands_with,
    honour_cards,
    played_for,
    score_of,
    scored,
    texts,
)

# Value of the bid: bids, lowest first.
LADDER = """
 2: 1S         20: 2N        42: 6D 7C
 4: 2S         21: 3D        45: 5R
 6: 1C 3S      24: 3H 4C     48: 6H
 7: 1D         27: 3R        49: 7D
 8: 1H 4S      28: 4D        50: 5N
 9: 1R         30: 3N 5C     54: 6R
10: 1N 5S      32: 4H        56: 7H
12: 2C 6S      35: 5D        60: 6N
14: 2D 7S      36: 4R 6C     63: 7R
16: 2H         40: 4N 5H     70: 7N
18: 2R 3C
"""

# Honours between partners, larger and smaller hand: points in each denomination.
HONOURS = """
      S   C   D   H   R
3-0   4  12  14  16  18
2-1   4  12  14  16  18
3-1   8  24  28  32  36
2-2   8  24  28  32  36
4-0  16  48  56  64  72
3-2  10  30  35  40  45
4-1  18  54  63  72  81
5-0  20  60  70  80  90
2-0   0   0   0   0   0
1-1   0   0   0   0   0
"""

ACES = {"3-0": 30, "2-1": 30, "3-1": 40, "2-2": 40, "4-0": 100, "2-0": 0, "1-1": 0}

# Contract two hearts, doubled so often: odd tricks below, contract made, each overtrick, each trick short.
DOUBLING = """
    8    0    0   50
X  16   50   50  100
XX 32  100  100  200
"""


def ladder() -> list[tuple[int, list[str]]]:
    rungs: dict[int, list[str]] = {}
    value = 0
    for entry in LADDER.split():
        if entry.endswith(":"):
            value = int(entry[:-1])
        else:
            rungs.setdefault(value, []).append(entry)
    return sorted(rungs.items())


def test_the_ladder() -> None:
    game: Any = auction_bridge()
    printed = [(value, bid) for value, bids in ladder() for bid in bids]
    assert len(printed) == 42
    assert list(map(str, game.ladder)) == [bid for _, bid in printed]
    for value, text in printed:
        bid = bid_of(text)
        assert bid.level * game.rates[bid.denomination] == value


def test_every_bid_admits_exactly_what_stands_above_it() -> None:
    game = auction_bridge()
    bids = [bid for _, bids in ladder() for bid in bids]
    start = begun(game, "S", hands_with({}, Random(1)))
    assert texts(game.legal_actions(start)) == set(bids)
    for rung, bid in enumerate(bids):
        state = after_calls(game, start, bid)
        assert texts(game.legal_actions(state)) == {"P", "X", *bids[rung + 1 :]}
        for lower in bids[: rung + 1]:
            with pytest.raises(IllegalAction, match="does not outrank") as refused:
                game.apply(state, parse_call(lower))
            assert refused.value.code == "auction.insufficient_bid"


@pytest.mark.parametrize(
    ("calls", "call", "code"),
    [
        ("", "P", "auction.must_bid"),
        ("", "X", "auction.nothing_to_double"),
        ("", "XX", "auction.not_doubled"),
        ("1H", "XX", "auction.not_doubled"),
        ("1H P", "X", "auction.own_bid"),
        ("1H X P", "X", "auction.already_doubled"),
        ("1H X P", "XX", "auction.own_double"),
        ("1H X XX", "XX", "auction.already_redoubled"),
        ("1H", "1Z", "auction.no_such_bid"),
        ("1H", "8H", "auction.no_such_bid"),
        ("1H", "M", "auction.no_such_call"),
        ("1H", "H", "auction.no_such_call"),
        ("1H P P P", "P", "auction.over"),
    ],
)
def test_refused_calls(calls: str, call: str, code: str) -> None:
    game = auction_bridge()
    state = after_calls(game, begun(game, "S", hands_with({}, Random(1))), calls)
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, parse_call(call))
    assert refused.value.code == code


HANDS = {"N": "AKQJ.AKQ.AKQ.AKQ", "E": "T987.JT9.JT9.JT9", "S": "6543.876.876.876", "W": "2.5432.5432.5432"}


@pytest.mark.parametrize(
    ("calls", "plays", "card", "code"),
    [
        ("1S", "", "S2", "play.not_yet"),
        ("1S P P P", "", "SA", "play.not_held"),
        ("1S P P P", "H5", "SA", "play.revoke"),
        ("1S P P P", "H5", "H5", "play.not_held"),
        ("1S P P P", "H5", "JK", "play.not_held"),
    ],
)
def test_refused_plays(calls: str, plays: str, card: str, code: str) -> None:
    game = auction_bridge()
    state = after_plays(game, after_calls(game, begun(game, "S", HANDS), calls), plays.split())
    with pytest.raises(IllegalAction) as refused:
        after_plays(game, state, [card])
    assert refused.value.code == code


def test_a_void_hand_may_ruff_or_not() -> None:
    """West leads his only spade against two hearts; in the second round of the suit he may play anything."""
    game = auction_bridge()
    state = after_calls(game, begun(game, "S", HANDS), "2H P P P")
    state = after_plays(game, state, ["S2", "SA", "ST", "S3", "SK", "S7", "S4"])
    assert state.to_act == 3
    assert texts(game.legal_actions(state)) == {f"{suit}{rank}" for suit in "HDC" for rank in "5432"}
    state = after_plays(game, state, ["H2"])
    assert state.tricks.winners[-1] == 3, "a trump wins over the ace of spades"


def test_dummy_is_shown_after_the_first_lead_and_not_before() -> None:
    game = auction_bridge()
    state = after_calls(game, begun(game, "S", HANDS), "1S P P P")
    assert game.view(state, 3).hands[0] is None
    state = after_plays(game, state, ["H5"])
    assert all(game.view(state, seat).hands[0] is not None for seat in (None, 1, 2, 3))
    assert (state.hand_to_play, state.to_act) == (0, 2)
    assert game.view(state, 1).hands[2] is None


def test_the_last_trick_is_open_until_the_next_lead() -> None:
    game = auction_bridge()
    state = after_calls(game, begun(game, "S", HANDS), "1S P P P")
    state = after_plays(game, state, ["H5", "HA", "HT", "H6"])
    last = game.view(state, None).last_trick
    assert last is not None
    assert [str(card) for _, card in last.plays] == ["H5", "HA", "HT", "H6"]
    assert game.view(after_plays(game, state, ["SA"]), None).last_trick is None


def split_honours(split: str, suit: Suit | None) -> dict[str, Cards]:
    """Give NS so many of the honours (at no trump aces) in one hand and so many in the other, EW the rest."""
    one, other = map(int, split.split("-"))
    ranks = (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN)
    cards = [Card(suit, rank) for rank in ranks] if suit else [Card(each, Rank.ACE) for each in Suit]
    rest = cards[one + other :]
    # No more than two of them with either adversary, nor three with both, so that these score nothing.
    return {"N": tuple(cards[:one]), "S": tuple(cards[one : one + other]), "E": tuple(rest[:2]), "W": tuple(rest[2:])}


def honour_rows() -> list[Any]:
    head, *rows = [line.split() for line in HONOURS.strip().splitlines()]
    return [
        pytest.param(split, name, int(points), id=f"{split} {name}")
        for split, *columns in rows
        for name, points in zip(head, columns, strict=True)
    ]


def honours_of(split: str, denomination: str) -> list[str]:
    game = auction_bridge()
    held = split_honours(split, Denomination(denomination).trumps)
    state = after_calls(game, begun(game, "E", hands_with(held, Random(7))), f"1{denomination} P P P")
    return [line for line in scored(played_for(game, state, 7)) if line.endswith("honours") and line.startswith("NS")]


@pytest.mark.parametrize(("split", "denomination", "points"), honour_rows())
def test_honours(split: str, denomination: str, points: int) -> None:
    assert honours_of(split, denomination) == ([f"NS above {points} honours"] if points else [])


@pytest.mark.parametrize(("split", "points"), ACES.items())
def test_aces_at_no_trump(split: str, points: int) -> None:
    assert honours_of(split, "N") == ([f"NS above {points} honours"] if points else [])


@pytest.mark.parametrize("row", DOUBLING.strip("\n").splitlines())
def test_doubling(row: str) -> None:
    doubled, (trick, contract, over, short) = row[:2].strip(), map(int, row[2:].split())
    calls = " ".join(["2H", *{"": [], "X": ["X"], "XX": ["X", "XX"]}[doubled], "P P P"])
    honours = "EW above 16 honours"
    made = [f"NS above {contract} contract"] * bool(contract)
    assert score_of(calls, 8) == [f"NS below {2 * trick} tricks", *made, honours]
    overtricks = [f"NS above {2 * over} overtricks"] * bool(over)
    assert score_of(calls, 10) == [f"NS below {4 * trick} tricks", *made, *overtricks, honours]
    assert score_of(calls, 6) == [f"EW above {2 * short} undertricks", honours]


@pytest.mark.parametrize(
    ("slams", "tricks", "points"),
    [
        ("american", 11, None),
        ("american", 12, "NS above 20 slam"),
        ("american", 13, "NS above 40 slam"),
        ("american", 1, "EW above 20 slam"),
        ("american", 0, "EW above 40 slam"),
        ("american", 2, None),
        ("english", 12, "NS above 50 slam"),
        ("english", 13, "NS above 100 slam"),
        ("english", 1, "EW above 50 slam"),
        ("english", 0, "EW above 100 slam"),
    ],
)
def test_slams(slams: str, tricks: int, points: str | None) -> None:
    held = "N:AK E:T S:QJ W:-" if tricks > 2 else "N:- E:AKQ S:- W:JT"
    lines = score_of("1H X P P P", tricks, held, slams=slams)
    assert [line for line in lines if line.endswith("slam")] == ([points] if points else [])


@pytest.mark.parametrize(
    ("below", "games", "tricks", "over", "after"),
    [
        # Part score and games before; tricks won by NS at one no trump, 10 a trick; then games, or the rubber.
        ((20, 0), (0, 0), 7, False, RubberStanding((0, 0), (30, 0), (1, 0))),
        ((19, 0), (0, 0), 7, False, RubberStanding((29, 0), (0, 0), (0, 0))),
        ((20, 25), (0, 1), 7, False, RubberStanding((0, 0), (30, 25), (1, 1))),
        ((20, 25), (1, 1), 7, True, RubberStanding((0, 0), (280, 25), (2, 1))),
        ((20, 25), (1, 0), 7, True, RubberStanding((0, 0), (280, 25), (2, 0))),
        ((20, 0), (1, 1), 6, False, RubberStanding((20, 0), (0, 50), (1, 1))),
    ],
)
def test_game_and_rubber(
    below: tuple[int, int], games: tuple[int, int], tricks: int, over: bool, after: RubberStanding
) -> None:
    before = RubberStanding(below, (0, 0), games)
    held = honour_cards("N:S E:H S:D W:C", None)
    result = finished_with(auction_bridge(), "S", "1N P P P", held, tricks, before).result
    assert (result.standing, result.over, result.winner) == (after, over, 0 if over else None)


@pytest.mark.parametrize("columns", [{"below": (30, 0)}, {"below": (-1, 0)}, {"games": (2, 0)}, {"above": (0, -1)}])
def test_no_deal_begins_with_an_impossible_standing(columns: dict[str, tuple[int, int]]) -> None:
    game = auction_bridge()
    start = {"below": (0, 0), "above": (0, 0), "games": (0, 0)}
    assert game.standing(start) == game.fresh()
    with pytest.raises(ValueError):
        game.standing(start | columns)


def test_calls_keep_their_seats() -> None:
    game = auction_bridge()
    state = after_calls(game, begun(game, "W", HANDS), "1S P 2C P")
    one_spade, two_clubs = Bid(1, Denomination.SPADES), Bid(2, Denomination.CLUBS)
    assert state.auction.calls == ((3, one_spade), (0, Word.PASS), (1, two_clubs), (2, Word.PASS))
