"""Vint: every value of every option. The worked deals under options are in `test_vint_examples`."""

from random import Random

import pytest

from rules.cards import Suit
from rules.errors import BadOption
from rules.scoresheet import RubberStanding
from rules.vint import OPTIONS
from tests.rules.deals import (
    after_calls,
    begun,
    finished_with,
    hands_with,
    honour_cards,
    scored,
    texts,
    vint,
)

HANDS = hands_with({}, Random(1))


@pytest.mark.parametrize(("end", "passes"), [("three_passes", 3), ("eight_passes", 8), ("twelve_passes", 12)])
def test_auction_end(end: str, passes: int) -> None:
    game = vint(auction_end=end)
    state = after_calls(game, begun(game, "N", HANDS), " ".join(["P", "1S", *["P"] * (passes - 1)]))
    assert state.phase == "auction"
    state = after_calls(game, state, "P")
    assert (state.phase, state.contract.declarer) == ("play", 1)


@pytest.mark.parametrize(("end", "passes"), [("three_passes", 4), ("eight_passes", 8), ("twelve_passes", 12)])
def test_passed_out(end: str, passes: int) -> None:
    game = vint(auction_end=end)
    before = RubberStanding((250, 400), (30, 0), (1, 0))
    state = after_calls(game, begun(game, "N", HANDS, before), " ".join(["P"] * (passes - 1)))
    assert "1S" in texts(game.legal_actions(state))
    state = after_calls(game, state, "P")
    assert (state.phase, state.result.lines) == ("over", ())
    assert (state.result.standing, state.result.over, state.result.winner) == (before, False, None)


@pytest.mark.parametrize("end", ["eight_passes", "twelve_passes"])
def test_the_bidder_may_raise_himself_meanwhile(end: str) -> None:
    game = vint(auction_end=end)
    state = after_calls(game, begun(game, "N", HANDS), "1S P P P")
    assert texts(game.legal_actions(state)) >= {"P", "1C", "2S", "7N"}
    state = after_calls(game, state, "2S P P P 3S")
    assert (str(state.auction.bid), state.auction.bidder) == ("3S", 0)


@pytest.mark.parametrize(("all_pass", "dealer"), [("next_dealer", 3), ("same_dealer", 2)])
def test_all_pass(all_pass: str, dealer: int) -> None:
    game = vint(all_pass=all_pass)
    assert after_calls(game, begun(game, "S", HANDS), "P P P P").result.next_dealer == dealer
    held = honour_cards("N:AK E:QT S:J W:-", Suit.HEARTS)
    assert finished_with(game, "S", "1H P P P", held, 7).result.next_dealer == 3


@pytest.mark.parametrize(
    ("held", "aces", "tricks", "options", "expected"),
    [
        # NS hold the honours of hearts that are named first, and the aces besides; EW the rest.
        ("KQJT", "SD", 6, {}, ["NS above 200 honours"]),
        ("KQJT", "SD", 6, {"tied_aces_lost": "difference"}, ["NS above 300 honours"]),
        ("KQJT", "SD", 7, {"tied_aces_lost": "difference"}, ["NS above 600 honours"]),
        ("KQJ", "SD", 6, {"tied_aces_lost": "difference"}, ["NS above 100 honours"]),
        ("KQJ", "SDC", 6, {"tied_aces_lost": "difference"}, ["NS above 600 honours"]),
        ("KQJ", "S", 6, {"tied_aces_lost": "difference"}, []),
        ("KQJT", "SD", 6, {"split_majority": "separate"}, ["NS above 400 honours", "EW above 200 honours"]),
        ("KQJT", "SD", 7, {"split_majority": "separate"}, ["NS above 400 honours", "NS above 200 honours"]),
        ("KQJ", "S", 7, {"split_majority": "separate"}, ["NS above 300 honours", "EW above 300 honours"]),
        ("KQJ", "SDC", 6, {"split_majority": "separate"}, ["NS above 300 honours", "NS above 300 honours"]),
    ],
)
def test_how_majorities_are_counted(
    held: str, aces: str, tricks: int, options: dict[str, object], expected: list[str]
) -> None:
    game = vint(**options)
    ours, theirs = honour_cards(f"N:{held} E:A{''.join(set('QJT') - set(held))} S:- W:-", Suit.HEARTS), "SDC"
    lie = honour_cards(f"S:{aces} W:{''.join(suit for suit in theirs if suit not in aces) or '-'}", None)
    dealt = {"N": ours["N"], "E": ours["E"], "S": lie["S"], "W": lie["W"]}
    state = finished_with(game, "S", "1H P P P", dealt, tricks)
    assert [line for line in scored(state) if line.endswith("honours")] == expected


@pytest.mark.parametrize(
    ("level", "tricks", "failed", "expected"),
    [
        (6, 11, True, ["EW above 6000 undertricks", "EW above 5000 failed_slam"]),
        (6, 11, False, ["EW above 6000 undertricks"]),
        (7, 12, True, ["EW above 7000 undertricks", "NS above 1000 slam", "EW above 10000 failed_slam"]),
        (7, 12, False, ["EW above 7000 undertricks", "NS above 1000 slam"]),
        (5, 10, True, ["EW above 5000 undertricks"]),
        (6, 12, True, ["NS above 1000 slam", "NS above 5000 slam_bid"]),
    ],
)
def test_failed_slam(level: int, tricks: int, failed: bool, expected: list[str]) -> None:
    held = honour_cards("N:AK E:- S:QJ W:T", Suit.HEARTS)
    lines = scored(finished_with(vint(failed_slam=failed), "S", f"{level}H P P P", held, tricks))
    assert [
        line for line in lines if line.split()[-1] in ("undertricks", "slam", "slam_bid", "failed_slam")
    ] == expected


@pytest.mark.parametrize("coronets", [True, False])
def test_coronets(coronets: bool) -> None:
    held = honour_cards("N:AKQ E:- S:J W:T", Suit.HEARTS)
    lines = scored(finished_with(vint(coronets=coronets), "S", "1H P P P", held, 8))
    assert ("NS above 1000 coronet" in lines) is coronets


def test_single_game() -> None:
    """Over after one game, with the points for the game and none for a rubber."""
    game = vint(match="single_game", coronets=False)
    before = RubberStanding((400, 0), (700, 800))
    result = finished_with(game, "S", "2N P P P", honour_cards("N:S E:H S:D W:C", None), 8, before).result
    assert [(line.side, line.points, line.reason) for line in result.lines if line.account == "above"] == [
        (0, 1000, "game")
    ]
    assert (result.over, result.winner) == (True, 0)
    assert result.standing == RubberStanding((0, 0), (700 + 400 + 160 + 1000, 800 + 100), (1, 0))
    with pytest.raises(ValueError):
        game.standing({"below": (0, 0), "above": (0, 0), "games": (1, 0)})


@pytest.mark.parametrize(
    "options",
    [
        {"match": "single_game", "session": "three_rubbers"},
        {"draw": "highest_deals"},
        {"draw": "highest_deals", "first_dealer": "fixed"},
    ],
)
def test_options_that_contradict_each_other(options: dict[str, object]) -> None:
    with pytest.raises(BadOption) as refused:
        vint(**options)
    assert refused.value.code == "options.contradictory"
    assert next(iter(options)) in refused.value.message


def test_options_that_go_together() -> None:
    assert vint(draw="highest_deals", first_dealer="cut").options["draw"] == "highest_deals"
    assert vint(match="single_game").options["session"] == "one_rubber"


def test_the_options_and_their_defaults() -> None:
    assert {option.name: option.values for option in OPTIONS} == {
        "session": ("one_rubber", "three_rubbers"),
        "coronets": (True, False),
        "auction_end": ("three_passes", "eight_passes", "twelve_passes"),
        "all_pass": ("next_dealer", "same_dealer"),
        "split_majority": ("offset", "separate"),
        "tied_aces_lost": ("offset", "difference"),
        "failed_slam": (False, True),
        "match": ("rubber", "single_game"),
        "first_dealer": ("random", "cut", "fixed"),
        "draw": ("lowest_deals", "highest_deals"),
    }
