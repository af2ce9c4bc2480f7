"""Vint with its default options: the ladder, refusals, the play, game and rubber, what always holds."""

from random import Random
from typing import Any

import pytest

from rules.actions import Discard, Play
from rules.calls import Bid, parse_call
from rules.cards import in_order, parse_card, parse_hand
from rules.errors import IllegalAction
from rules.scoresheet import RubberStanding
from rules.seats import side_of
from rules.vint import LADDER, coronets
from tests.rules.deals import (
    after_calls,
    after_plays,
    begun,
    finished_with,
    hands_with,
    honour_cards,
    points,
    texts,
    vint,
)
from tests.rules.test_conformance import played_out

HANDS = {"N": "AKQJ.AKQ.AKQ.AKQ", "E": "T987.JT9.JT9.JT9", "S": "6543.876.876.876", "W": "2.5432.5432.5432"}


# --- auction


def test_the_ladder() -> None:
    """Rank of a bid: five times the level less one, and the place of the denomination."""
    assert len(LADDER) == 35
    for rung, bid in enumerate(LADDER):
        assert rung == 5 * (bid.level - 1) + "SCDHN".index(bid.denomination)


def test_every_bid_admits_exactly_what_stands_above_it() -> None:
    game = vint()
    start = begun(game, "S", HANDS)
    assert list(map(str, game.legal_actions(start))) == ["P", *map(str, LADDER)]
    for rung, bid in enumerate(LADDER):
        state = after_calls(game, start, str(bid))
        assert list(map(str, game.legal_actions(state))) == ["P", *map(str, LADDER[rung + 1 :])]
        for lower in LADDER[: rung + 1]:
            with pytest.raises(IllegalAction, match="does not outrank") as refused:
                game.apply(state, lower)
            assert refused.value.code == "auction.insufficient_bid"


def test_after_seven_no_trumps_only_a_pass_is_left_and_three_of_them_end_the_auction() -> None:
    game = vint()
    state = after_calls(game, begun(game, "S", HANDS), "7N")
    for _ in range(3):
        assert texts(game.legal_actions(state)) == {"P"}
        state = after_calls(game, state, "P")
    assert state.phase == "play"


@pytest.mark.parametrize(
    ("calls", "call", "code"),
    [
        ("", "X", "auction.no_such_call"),
        ("1H", "X", "auction.no_such_call"),
        ("1H", "XX", "auction.no_such_call"),
        ("1H", "M", "auction.no_such_call"),
        ("1H", "L", "auction.no_such_call"),
        ("1H", "H", "auction.no_such_call"),
        ("1H", "2R", "auction.no_such_bid"),
        ("1H", "8S", "auction.no_such_bid"),
        ("1H", "1D", "auction.insufficient_bid"),
        ("1H P P P", "P", "auction.over"),
    ],
)
def test_refused_calls(calls: str, call: str, code: str) -> None:
    game = vint()
    state = after_calls(game, begun(game, "S", HANDS), calls)
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, parse_call(call))
    assert refused.value.code == code


# --- play


@pytest.mark.parametrize(
    ("calls", "plays", "card", "code"),
    [
        ("1S", "", "S2", "play.not_yet"),
        ("1S P P P", "", "SA", "play.not_held"),
        ("1S P P P", "H5", "SA", "play.revoke"),
        ("1S P P P", "H5", "JK", "play.not_held"),
    ],
)
def test_refused_plays(calls: str, plays: str, card: str, code: str) -> None:
    game = vint()
    state = after_plays(game, after_calls(game, begun(game, "S", HANDS), calls), plays.split())
    with pytest.raises(IllegalAction) as refused:
        after_plays(game, state, [card])
    assert refused.value.code == code


def test_what_other_games_have_is_not_due() -> None:
    game = vint()
    with pytest.raises(IllegalAction) as refused:
        game.apply(begun(game, "S", HANDS), Discard((parse_card("S6"),)))
    assert refused.value.code == "action.not_due"


def test_nothing_is_done_when_the_deal_is_over() -> None:
    game = vint()
    state = after_calls(game, begun(game, "S", HANDS), "P P P P")
    with pytest.raises(IllegalAction) as refused:
        after_calls(game, state, "P")
    assert refused.value.code == "deal.over"


def test_nobody_is_dummy() -> None:
    """Everyone plays his own hand and sees no other, whoever bid."""
    game = vint()
    state = after_calls(game, begun(game, "S", HANDS), "1S P P P")
    for card in ["H5", "HA", "HT", "H6", "SA"]:
        assert state.to_act == state.hand_to_play
        state = after_plays(game, state, [card])
        for seat in (None, *game.seats):
            view = game.view(state, seat)
            assert [place for place, hand in enumerate(view.hands) if hand is not None] == [seat] * (seat is not None)
            assert view.exposed == ()


# --- game and rubber


@pytest.mark.parametrize(
    ("below", "games", "winner", "over", "bonus"),
    [
        # At two no trump with seven tricks for NS: 140 and 120.
        ((0, 0), (0, 0), None, False, 0),
        ((350, 370), (0, 0), None, False, 0),
        ((360, 370), (0, 0), 0, False, 1000),
        ((350, 380), (0, 0), 1, False, 1000),
        ((360, 0), (1, 1), 0, True, 3000),
        ((360, 0), (0, 1), 0, False, 1000),
        ((0, 380), (0, 1), 1, True, 3000),
    ],
)
def test_game_and_rubber(
    below: tuple[int, int], games: tuple[int, int], winner: int | None, over: bool, bonus: int
) -> None:
    game = vint(coronets=False)
    before = RubberStanding(below, (700, 800), games)
    aces = honour_cards("N:S E:H S:D W:C", None)
    result = finished_with(game, "S", "2N P P P", aces, 7, before).result
    added = (140, 120)
    penalty = (0, 2000)  # seven tricks are one short of eight
    bonuses = tuple(bonus if side == winner else 0 for side in (0, 1))
    total = tuple(700 * (side == 0) + 800 * (side == 1) + penalty[side] + bonuses[side] for side in (0, 1))
    if winner is None:
        after = RubberStanding((below[0] + added[0], below[1] + added[1]), (total[0], total[1]), games)
    else:
        won = (games[0] + (winner == 0), games[1] + (winner == 1))
        after = RubberStanding((0, 0), (total[0] + below[0] + added[0], total[1] + below[1] + added[1]), won)
    assert (result.standing, result.over, result.winner) == (after, over, winner if over else None)


@pytest.mark.parametrize("columns", [{"below": (500, 0)}, {"below": (-1, 0)}, {"games": (2, 0)}, {"above": (0, -1)}])
def test_no_deal_begins_with_an_impossible_standing(columns: dict[str, tuple[int, int]]) -> None:
    game = vint()
    start = {"below": (0, 0), "above": (0, 0), "games": (0, 0)}
    assert game.standing(start) == game.fresh()
    with pytest.raises(ValueError):
        game.standing(start | columns)


# --- what always holds


def honour_numbers(state: Any) -> tuple[int, int]:
    """How many honours each side has scored in a deal."""
    bid = state.contract.call
    each = (250 if bid.denomination.trumps is None else 100) * bid.level
    lines = [line for line in state.result.lines if line.reason == "honours"]
    assert all(line.points % each == 0 for line in lines)
    sums = [sum(line.points for line in lines if line.side == side) // each for side in (0, 1)]
    return sums[0], sums[1]


def test_what_always_holds() -> None:
    game = vint()
    played = 0
    for seed in range(80):
        state = played_out(game, Random(seed)).state
        if state.contract is None:
            assert state.result.lines == ()
            continue
        played += 1
        bid = state.contract.call
        assert isinstance(bid, Bid)
        assert points(state, 0, "below") + points(state, 1, "below") == 130 * bid.level
        penalties = [line for line in state.result.lines if line.reason == "undertricks"]
        assert len(penalties) <= 1
        assert all(line.side != side_of(state.contract.declarer) for line in penalties)
        numbers = honour_numbers(state)
        assert min(numbers) == 0
        assert max(numbers) in ((0, 3, 4) if bid.denomination.trumps is None else (0, 1, 2, 3, 5, 6, 7, 8, 9))
        assert all(line.points % 500 == 0 for line in state.result.lines if line.reason == "coronet")
        assert all(line.points % 50 == 0 for line in state.result.lines if line.account == "above")
        assert sum(line.reason == "game" for line in state.result.lines) <= 1
        assert all(below < 500 for below in state.result.standing.below)
    assert played > 40


def replayed(game: Any, dealt: Any, dealer: int) -> Any:
    """Play a deal again with another dealer."""
    state, _ = game.deal(dealer, dealt.deck, game.fresh())
    for action in dealt.actions:
        state, _ = game.apply(state, action)
    return state


def test_turning_the_table_swaps_all_scores() -> None:
    """All hands and calls moved on by one seat: what NS scored EW score now, and the other way round."""
    game = vint()
    for seed in range(30):
        dealt = played_out(game, Random(seed))
        turned = replayed(game, dealt, game.seats.left(dealt.dealer))
        for account in ("below", "above"):
            assert points(dealt.state, 0, account) == points(turned, 1, account)
            assert points(dealt.state, 1, account) == points(turned, 0, account)


def test_partners_may_change_cards_without_changing_honours() -> None:
    game: Any = vint()
    changed = 0
    for seed in range(30):
        dealt = played_out(game, Random(seed))
        if dealt.state.contract is None:
            continue
        bid, hands = dealt.state.contract.call, dealt.state.hands
        won = [sum(side_of(seat) == side for seat in dealt.state.tricks.winners) for side in (0, 1)]
        pools = [list(hands[0] + hands[2]), list(hands[1] + hands[3])]
        for pool in pools:
            Random(seed).shuffle(pool)
        other = [in_order(pools[seat % 2][13 * (seat // 2) : 13 * (seat // 2) + 13]) for seat in range(4)]
        assert game._honours(other, bid, won) == game._honours(hands, bid, won)
        changed += coronets(other, bid.denomination) != coronets(hands, bid.denomination)
    assert changed


def test_coronets_are_the_same_whoever_bids_and_however_the_tricks_fall() -> None:
    game = vint()
    hands = hands_with({"N": parse_hand("AKQ.A.A.")}, Random(5))
    seen = set()
    for calls in ("1H P P P", "P 1H P P P", "P P 7H P P P"):
        for which in (0, -1):
            state = after_calls(game, begun(game, "N", hands), calls)
            while state.result is None:
                action = game.legal_actions(state)[which]
                assert isinstance(action, Play)
                state, _ = game.apply(state, action)
            seen.add(tuple(line for line in state.result.lines if line.reason == "coronet"))
    assert len(seen) == 1
