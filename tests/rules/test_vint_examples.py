"""Every worked example of the rules of Vint: auctions A1 to A6, scores E1 to E42, the rubber R1, golden records."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from rules.calls import Bid, Denomination, parse_call
from rules.cards import Suit
from rules.errors import IllegalAction
from rules.honours import aces, trump_honours
from rules.record import replay
from rules.scoresheet import RubberStanding
from rules.session import totals
from tests.rules.deals import (
    after_calls,
    after_plays,
    begun,
    golden_records,
    hands_with,
    points,
    scored,
    texts,
    vint,
)

WORKED = {example["id"]: example for example in golden_records("vint_worked.jsonl")}

# Dealer North: calls, contract, bidder, leader.
AUCTIONS = [
    # Overbidding the partner is legal.
    ("A1", "1S P 1N P 2H P P P", "2H", "N", "E"),
    ("A2", "P P P 1C P P P", "1C", "W", "N"),
    # North comes in after passing; East bids again after being overbid.
    ("A4", "P 3D P P 3H 4D P P P", "4D", "E", "S"),
    ("A5", "2H 2N 3S P P P", "3S", "S", "W"),
    # The auction is closed and North cannot raise.
    ("A6", "1H P P P", "1H", "N", "E"),
]

# What an account of the data is called in a line of the score.
REASONS = {
    "penalty": "undertricks",
    "slam_made": "slam",
    "slam_bid": "slam_bid",
    "honours": "honours",
    "coronets": "coronet",
    "game": "game",
    "rubber": "rubber",
}


@pytest.mark.parametrize(
    ("calls", "contract", "bidder", "leader"), [pytest.param(*row[1:], id=row[0]) for row in AUCTIONS]
)
def test_auction(calls: str, contract: str, bidder: str, leader: str) -> None:
    game = vint()
    state = after_calls(game, begun(game, "N", hands_with({}, Random(1))), calls)
    assert state.phase == "play"
    assert (str(state.contract.call), state.contract.dummy) == (contract, None)
    assert [game.seats.name(seat) for seat in (state.contract.declarer, state.contract.leader)] == [bidder, leader]
    assert state.to_act == state.hand_to_play == state.contract.leader


def test_auction_a3_passed_out() -> None:
    game = vint()
    state = after_calls(game, begun(game, "N", hands_with({}, Random(1))), "P P P P")
    assert (state.phase, state.result.lines) == ("over", ())
    assert game.seats.name(state.result.next_dealer) == "E"


def test_auction_a5_two_diamonds_over_two_hearts_is_refused() -> None:
    game = vint()
    state = after_calls(game, begun(game, "N", hands_with({}, Random(1))), "2H")
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, parse_call("2D"))
    assert refused.value.code == "auction.insufficient_bid"
    assert {"2N", "3S", "P"} <= texts(game.legal_actions(state))


def test_auction_a6_cannot_be_reopened() -> None:
    game = vint()
    state = after_calls(game, begun(game, "N", hands_with({}, Random(1))), "1H P P P")
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, parse_call("2H"))
    assert refused.value.code == "auction.over"


def standing(before: dict[str, Any], above: tuple[int, int] = (0, 0)) -> RubberStanding:
    below, games = ((before[column]["NS"], before[column]["EW"]) for column in ("below", "games"))
    return RubberStanding(below, above, games)


def played(example: dict[str, Any], before: RubberStanding, **options: object) -> Any:
    """Play an example out, checking who wins each trick."""
    game = vint(**options)
    state = begun(game, example["dealer"], example["hands"], before)
    state = after_calls(game, state, " ".join(example["calls"]))
    for start, winner in zip(range(0, 52, 4), example["trick_winners"], strict=False):
        state = after_plays(game, state, example["plays"][start : start + 4])
        assert state.tricks.winners[-1] == game.seats.parse(winner)
    return state


def test_the_examples_are_all_there() -> None:
    assert list(WORKED) == [f"E{number}" for number in range(1, 43)]


@pytest.mark.parametrize("number", WORKED)
def test_score(number: str) -> None:
    example = WORKED[number]
    before, expected = standing(example["before"]), example["expected"]
    state = played(example, before)
    result = state.result
    for side, name in enumerate(("NS", "EW")):
        assert points(state, side, "below") == expected["below"][name]
        assert points(state, side, "above") == expected["above"][name]
    after = standing(expected["after"])
    assert (result.standing.below, result.standing.games) == (after.below, after.games)
    assert result.over is expected["rubber_over"]
    assert result.winner == (("NS", "EW").index(expected["game_won_by"]) if result.over else None)
    assert result.next_dealer == vint().seats.left(state.dealer)
    game_lines = [("NS", "EW")[line.side] for line in result.lines if line.reason == "game"]
    assert game_lines == ([expected["game_won_by"]] if expected["game_won_by"] else [])


@pytest.mark.parametrize("number", [number for number, example in WORKED.items() if example["bid"]])
def test_breakdown(number: str) -> None:
    example = WORKED[number]
    breakdown = example["expected"]["breakdown"]
    state = played(example, standing(example["before"]))
    bid = state.contract.call
    assert isinstance(bid, Bid)
    assert (str(bid), vint().seats.name(state.contract.declarer)) == (example["bid"], example["bidder"])
    for name, reason in REASONS.items():
        for side, side_name in enumerate(("NS", "EW")):
            value = sum(line.points for line in state.result.lines if (line.side, line.reason) == (side, reason))
            assert value == breakdown["points"][name][side_name], name
    assert {line.reason for line in state.result.lines} <= {"tricks", *REASONS.values()}
    trumps = bid.denomination.trumps
    assert by_side(aces(state.hands)) == breakdown["aces"]
    assert (None if trumps is None else by_side(trump_honours(state.hands, trumps))) == breakdown["trump_honours"]
    honours = [line for line in state.result.lines if line.reason == "honours"]
    if breakdown["honours_to"] is None:
        assert honours == []
    else:
        (line,) = honours
        assert line.points == breakdown["honours_count"] * breakdown["honour_value"]
        assert line.words.endswith(f"× {breakdown['honour_value']}")
    coronets = [line.words for line in state.result.lines if line.reason == "coronet"]
    assert Counter(coronets) == Counter(map(coronet_words, breakdown["coronets"]))


def by_side(held: tuple[int, ...]) -> dict[str, int]:
    return {"NS": held[0] + held[2], "EW": held[1] + held[3]}


def coronet_words(coronet: dict[str, Any]) -> str:
    suit = coronet["suit"]
    cards = [f"{suit}{rank}" if suit else f"{rank}A" for rank in coronet["cards"]]
    return f"coronet of {coronet['seat']}, {' '.join(cards)}: {coronet['points']}"


def test_e25_and_e26_differ_in_the_order_of_the_tricks_alone() -> None:
    states = [played(WORKED[number], standing(WORKED[number]["before"])) for number in ("E25", "E26")]
    lines = [[line for line in scored(state) if not line.endswith("game")] for state in states]
    assert lines[0] == lines[1]
    assert [state.result.standing.games for state in states] == [(1, 0), (0, 1)]


def test_r1_a_rubber_added_up() -> None:
    before = RubberStanding()
    for number in ("E37", "E38", "E39", "E40", "E41"):
        result = played(WORKED[number], before).result
        before = result.standing
    assert (result.over, result.winner) == (True, 0)
    assert totals(vint(), result.standing) == (18330, 14720)
    assert result.standing == RubberStanding((0, 0), (18330, 14720), (2, 1))


# The same deals under options: what each side has above the line.
UNDER_OPTIONS = [
    ("E4", {"split_majority": "separate"}, (800, 600)),
    ("E5", {"split_majority": "separate"}, (600, 600)),
    ("E16", {"split_majority": "separate"}, (800, 4400)),
    ("E16", {"tied_aces_lost": "difference"}, (600, 4000)),
    ("E17", {"tied_aces_lost": "difference"}, (0, 500)),
    ("E7", {"tied_aces_lost": "difference"}, (100, 1000)),
    ("E16", {"tied_aces_lost": "difference", "split_majority": "separate"}, (800, 4400)),
    ("E31", {"coronets": False}, (1800, 0)),
    ("E34", {"coronets": False}, (3000, 0)),
    ("E23", {"failed_slam": True}, (5500, 11000)),
    ("E22", {"failed_slam": True}, (7600, 17000)),
    ("E12", {"failed_slam": True}, (11200, 0)),
]


@pytest.mark.parametrize(
    ("number", "options", "above"), [pytest.param(*row, id=f"{row[0]} {row[1]}") for row in UNDER_OPTIONS]
)
def test_under_options(number: str, options: dict[str, object], above: tuple[int, int]) -> None:
    example = WORKED[number]
    state = played(example, standing(example["before"]), **options)
    assert tuple(points(state, side, "above") for side in (0, 1)) == above


def test_e36_has_near_misses_and_no_coronet() -> None:
    state = played(WORKED["E36"], standing(WORKED["E36"]["before"]))
    assert state.contract.trumps is Denomination.CLUBS.trumps is Suit.CLUBS
    assert not any(line.reason == "coronet" for line in state.result.lines)


@pytest.mark.parametrize("record", golden_records("vint.jsonl"), ids=lambda record: record["id"])
def test_golden_record(record: dict[str, Any]) -> None:
    assert replay(record) == record
