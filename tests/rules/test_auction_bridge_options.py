"""Royal auction bridge: every value of every option that changes a legal action, a score or a view."""

from random import Random
from typing import Any

import pytest

from rules.auction_bridge import OPTIONS
from rules.errors import BadOption
from rules.game import AnyGame
from rules.scoresheet import RubberStanding
from tests.rules.deals import (
    after_calls,
    auction_bridge,
    begun,
    finished_with,
    hands_with,
    honour_cards,
    played_for,
    score_of,
    scored,
    texts,
)


@pytest.mark.parametrize(
    ("strict", "level", "expected"),
    [
        (True, 7, ["EW above 50 undertricks", "NS above 20 slam"]),
        (False, 7, ["EW above 50 undertricks"]),
        (False, 6, ["NS below 54 tricks", "NS above 20 slam"]),
    ],
)
def test_failed_seven_little_slam(strict: bool, level: int, expected: list[str]) -> None:
    lines = score_of(f"{level}R P P P", 12, "N:AK E:T S:QJ W:-", failed_seven_little_slam=strict)
    assert [line for line in lines if not line.endswith("honours")] == expected


@pytest.mark.parametrize(
    ("limit", "calls", "tricks", "points"),
    [
        ("unless_redoubled", "1S P P P", 6, 50),
        ("unless_redoubled", "1S P P P", 5, 100),
        ("unless_redoubled", "1S P P P", 4, 100),
        ("unless_redoubled", "1S X P P P", 6, 100),
        ("unless_redoubled", "1S X P P P", 3, 100),
        ("unless_redoubled", "1S X XX P P P", 6, 200),
        ("unless_redoubled", "1S X XX P P P", 4, 600),
        ("unless_redoubled", "2S P P P", 5, 150),
        ("unless_redoubled", "1S P 2S P P P", 5, 150),
        ("always", "1S P P P", 4, 100),
        ("always", "1S X P P P", 3, 100),
        ("always", "1S X XX P P P", 4, 100),
        ("always", "2S P P P", 5, 150),
        ("off", "1S P P P", 4, 150),
        ("off", "1S X P P P", 4, 300),
        ("off", "1S X XX P P P", 4, 600),
    ],
)
def test_one_spade_limit(limit: str, calls: str, tricks: int, points: int) -> None:
    lines = score_of(calls, tricks, one_spade_limit=limit)
    assert lines == [f"EW above {points} undertricks", "EW above 4 honours"]


def test_the_one_spade_limit_leaves_out_the_slam() -> None:
    assert score_of("1S P P P", 0, "N:- E:AKQJ S:- W:T") == [
        "EW above 100 undertricks",
        "EW above 40 slam",
        "EW above 18 honours",
    ]


def opening(game: AnyGame) -> set[str]:
    return texts(game.legal_actions(begun(game, "S", hands_with({}, Random(1)))))


def test_dealer_may_pass() -> None:
    game = auction_bridge(dealer_may_pass=True)
    names = "CDHRN"
    assert opening(game) == {"P", *(f"{level}{name}" for level in range(1, 8) for name in names)}
    assert str(game.legal_actions(begun(game, "S", hands_with({}, Random(1))))[1]) == "1C", "the lowest bid"
    state = after_calls(game, begun(game, "S", hands_with({}, Random(1))), "P P P")
    assert texts(game.legal_actions(state)) == opening(game)


def test_four_passes_end_the_deal_without_score() -> None:
    game = auction_bridge(dealer_may_pass=True)
    before = RubberStanding((12, 20), (30, 0), (1, 0))
    state = after_calls(game, begun(game, "S", hands_with({}, Random(1)), before), "P P P P")
    assert state.phase == "over"
    assert state.result.lines == ()
    assert (state.result.standing, state.result.over, state.result.winner) == (before, False, None)
    assert state.result.next_dealer == 3


def test_three_passes_and_a_bid_go_on() -> None:
    game = auction_bridge(dealer_may_pass=True)
    state = after_calls(game, begun(game, "S", hands_with({}, Random(1))), "P P P 1R P P P")
    assert (state.phase, state.contract.declarer) == ("play", 1)


@pytest.mark.parametrize(("denomination", "rate"), [("S", 2), ("C", 4), ("D", 6), ("H", 8), ("N", 12)])
def test_count_1908(denomination: str, rate: int) -> None:
    assert f"NS below {3 * rate} tricks" in score_of(f"3{denomination} P P P", 9, count="1908")
    game = auction_bridge(count="1908")
    assert not any(call.endswith("R") for call in opening(game))


def test_honours_1908_follow_the_count_in_suits_but_not_at_no_trump() -> None:
    assert "EW above 8 honours" in score_of("1C P P P", 7, count="1908")
    assert "EW above 30 honours" in score_of("1N P P P", 7, "N:S E:HD S:- W:C", count="1908")


# Hearts are trumps, at 8. Who holds which honours, and who has no trump at all.
CHICANE_HANDS = {
    # South void; North holds four honours in one hand, West the fifth.
    "own": {"N": "432.AKQJ9.432.32", "E": "AKQJ.876.AKQ.AKQ", "S": "T98765..T987.T98", "W": ".T5432.J65.J7654"},
    # East void; North and South hold all five between them, 3-2.
    "adverse": {"N": "432.AKQ98.432.32", "E": "AKQJT..AKQJ.AKQJ", "S": "98765.JT76.T98.T", "W": ".5432.765.987654"},
    # East and West both void; North holds all five.
    "double": {"N": ".AKQJT987.432.32", "E": "AKQJT9..AKQJ.AKQ", "S": ".65432.T98.JT987", "W": "8765432..765.654"},
    # South and West void; North holds the honours.
    "each": {"N": ".AKQJT987.432.32", "E": "AKQJ.65432.A.AKQ", "S": "T9876..T98.JT987", "W": "5432..KQJ765.654"},
}


@pytest.mark.parametrize(
    ("law", "hands", "expected"),
    [
        ("off", "own", ["NS above 64 honours"]),
        ("off", "double", ["NS above 80 honours"]),
        ("1908", "own", ["NS above 64 honours", "NS above 16 chicane"]),
        ("1908", "adverse", ["NS above 40 honours", "EW above 16 chicane"]),
        ("1908", "double", ["NS above 80 honours", "EW above 32 chicane"]),
        ("1908", "each", ["NS above 80 honours", "NS above 16 chicane", "EW above 16 chicane"]),
        ("1912", "own", ["NS above 64 honours", "NS above 16 chicane"]),
        ("1912", "adverse", ["NS above 40 honours", "NS above -16 chicane"]),
        ("1912", "double", ["NS above 80 honours", "NS above -32 chicane"]),
        ("1912", "each", ["NS above 80 honours", "NS above 16 chicane", "NS above -16 chicane"]),
    ],
)
def test_chicane(law: str, hands: str, expected: list[str]) -> None:
    game = auction_bridge(chicane=law)
    state = played_for(game, after_calls(game, begun(game, "N", CHICANE_HANDS[hands]), "1H X XX P P P"), 7)
    assert [line for line in scored(state) if line.split()[-1] in ("honours", "chicane")] == expected


@pytest.mark.parametrize("law", ["1908", "1912"])
def test_no_chicane_without_trumps(law: str) -> None:
    game = auction_bridge(chicane=law)
    state = played_for(game, after_calls(game, begun(game, "N", CHICANE_HANDS["each"]), "1N P P P"), 7)
    assert not any(line.endswith("chicane") for line in scored(state))


@pytest.mark.parametrize(
    ("calls", "tricks", "expected"),
    [
        ("3Z P P P", 4, ["NS below 30 tricks"]),
        ("3Z P P P", 3, ["NS below 40 tricks"]),
        ("3Z P P P", 5, ["EW above 50 undertricks"]),
        ("3Z P P P", 7, ["EW above 150 undertricks"]),
        ("3Z X P P P", 2, ["NS below 100 tricks", "NS above 50 contract", "NS above 100 overtricks"]),
        ("3Z X XX P P P", 4, ["NS below 120 tricks", "NS above 100 contract"]),
        ("3Z X P P P", 6, ["EW above 200 undertricks"]),
        ("7Z P P P", 0, ["NS below 70 tricks"]),
        ("1Z P P P", 12, ["EW above 300 undertricks"]),
    ],
)
def test_nullos(calls: str, tricks: int, expected: list[str]) -> None:
    """One may bid to lose: no honours, no slams, whoever holds the aces and however many tricks are won (D7)."""
    game = auction_bridge(nullos="on")
    aces = "N:SHDC E:- S:- W:-" if tricks == 12 else "N:- E:SHDC S:- W:-" if tricks == 0 else "N:S E:HDC S:- W:-"
    assert scored(finished_with(game, "S", calls, honour_cards(aces, None), tricks)) == expected


def test_nullos_rank_just_below_no_trump() -> None:
    game: Any = auction_bridge(nullos="on")
    around = list(map(str, game.ladder))
    for level in range(1, 8):
        assert around.index(f"{level}N") == around.index(f"{level}Z") + 1
    assert len(around) == 49


def test_hide_auction_during_play() -> None:
    for hide in (False, True):
        game = auction_bridge(hide_auction_during_play=hide)
        state = after_calls(game, begun(game, "S", hands_with({}, Random(1))), "1S P P")
        assert len(game.view(state, 1).calls) == 3
        state = after_calls(game, state, "P")
        assert len(game.view(state, 1).calls) == (0 if hide else 4)
        assert game.view(state, 1).contract is not None
        state = played_for(game, state, 7)
        assert len(game.view(state, 1).calls) == 4


@pytest.mark.parametrize(
    "options",
    [
        {"dealer_may_pass": True, "count": "1908"},
        {"nullos": "on", "count": "1908"},
        {"nullos": "on", "count": "1908", "chicane": "1908"},
    ],
)
def test_options_that_contradict_each_other(options: dict[str, object]) -> None:
    with pytest.raises(BadOption) as refused:
        auction_bridge(**options)
    assert refused.value.code == "options.contradictory"
    assert next(iter(options)) in refused.value.message
    assert "count" in refused.value.message


def test_the_options_and_their_defaults() -> None:
    assert {option.name: option.values for option in OPTIONS} == {
        "first_dealer": ("random", "cut", "fixed"),
        "one_spade_limit": ("unless_redoubled", "always", "off"),
        "failed_seven_little_slam": (True, False),
        "slams": ("american", "english"),
        "dealer_may_pass": (False, True),
        "chicane": ("off", "1912", "1908"),
        "nullos": ("off", "on"),
        "count": ("1912", "1908"),
        "timed_finish": ("off", 125),
        "hide_auction_during_play": (False, True),
        "claims": ("off", "agreed"),
    }
