"""Straight bridge with its default options: the order and worth of doubling, refusals, the play, game and rubber."""

from random import Random
from typing import Any

import pytest

from rules.actions import Discard
from rules.calls import Denomination, parse_call
from rules.cards import Suit, parse_card
from rules.errors import IllegalAction
from rules.scoresheet import RubberStanding
from rules.seats import side_of
from tests.rules import oracle_bridge as oracle
from tests.rules.deals import (
    after_calls,
    after_plays,
    begun,
    bridge,
    finished_with,
    honour_cards,
    played_for,
    points,
    texts,
)
from tests.rules.test_conformance import played_out

# Value of a trick undoubled, and after each doubling to the limit.
DOUBLING = """
S 2 4 8 16 32 64 100
C 4 8 16 32 64 100
D 6 12 24 48 96 100
H 8 16 32 64 100
N 12 24 48 96 100
"""

HANDS = {"N": "AKQJ.AKQ.AKQ.AKQ", "E": "T987.JT9.JT9.JT9", "S": "6543.876.876.876", "W": "2.5432.5432.5432"}
WEST = {"S2", *(f"{suit}{rank}" for suit in "HDC" for rank in "5432")}


@pytest.mark.parametrize("row", DOUBLING.strip().splitlines())
def test_doubling(row: str) -> None:
    name, *values = row.split()
    game: Any = bridge()
    state = after_calls(game, begun(game, "S", HANDS), name)
    for doublings, value in enumerate(map(int, values)):
        assert game.trick_value(Denomination(name), 2**doublings) == value
        last = value == 100
        assert texts(game.legal_actions(state)) == (WEST if last else {"P", "X"})
        if not last:
            state = after_calls(game, state, "X")
    assert state.phase == "play"
    state = played_for(game, state, 13)
    line = state.result.lines[0]
    assert (line.side, line.account, line.points % 100) == (0, "below", 0)
    assert "at most 100" in line.words


def test_the_words_of_a_trick_line() -> None:
    aces = honour_cards("N:S E:H S:D W:C", None)
    for calls, words in {
        "N P P": "tricks 2 × 12",
        "N X P P": "tricks 2 × 24 (12 × 2)",
        "N X X P P": "tricks 2 × 48 (12 × 4)",
        "N X X X X": "tricks 2 × 100 (12 × 16, at most 100)",
    }.items():
        assert finished_with(bridge(), "S", calls, aces, 8).result.lines[0].words == words


# --- declaration


def test_the_declaration() -> None:
    game = bridge()
    state = begun(game, "S", HANDS)
    assert (state.phase, state.to_act) == ("dealer_declares", 2)
    assert list(map(str, game.legal_actions(state))) == ["L", "S", "C", "D", "H", "N"]
    state = after_calls(game, state, "L")
    assert (state.phase, state.to_act) == ("partner_declares", 0)
    assert list(map(str, game.legal_actions(state))) == ["S", "C", "D", "H", "N"]
    state = after_calls(game, state, "N")
    assert (state.phase, state.to_act) == ("doubling", 3)
    assert list(map(str, game.legal_actions(state))) == ["P", "X"]


@pytest.mark.parametrize("calls", ["H P P", "L H P P"])
def test_the_dealer_plays_whoever_declared(calls: str) -> None:
    game = bridge()
    contract = after_calls(game, begun(game, "E", HANDS), calls).contract
    assert (contract.declarer, contract.dummy, contract.partners, contract.leader) == (1, 3, (3,), 2)
    assert (str(contract.call), contract.trumps) == ("H", Suit.HEARTS)


@pytest.mark.parametrize(
    ("calls", "call", "code"),
    [
        ("", "P", "declaration.due"),
        ("", "X", "declaration.due"),
        ("L", "P", "declaration.due"),
        ("L", "L", "declaration.not_left"),
        ("H", "L", "declaration.not_left"),
        ("H", "S", "declaration.made"),
        ("L H", "N", "declaration.made"),
        ("", "R", "declaration.unknown"),
        ("L", "Z", "declaration.unknown"),
        ("", "1S", "auction.no_such_call"),
        ("H X", "XX", "auction.no_such_call"),
        ("H", "M", "auction.no_such_call"),
        ("H P P", "X", "auction.over"),
        ("H P P", "H", "auction.over"),
        ("H X X X X", "P", "auction.over"),
    ],
)
def test_refused_calls(calls: str, call: str, code: str) -> None:
    game = bridge()
    state = after_calls(game, begun(game, "S", HANDS), calls)
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, parse_call(call))
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("calls", "plays", "card", "code"),
    [
        ("", "", "S2", "play.not_yet"),
        ("H X", "", "S2", "play.not_yet"),
        ("S P P", "", "SA", "play.not_held"),
        ("S P P", "H5", "SA", "play.revoke"),
        ("S P P", "H5", "JK", "play.not_held"),
    ],
)
def test_refused_plays(calls: str, plays: str, card: str, code: str) -> None:
    game = bridge()
    state = after_plays(game, after_calls(game, begun(game, "S", HANDS), calls), plays.split())
    with pytest.raises(IllegalAction) as refused:
        after_plays(game, state, [card])
    assert refused.value.code == code


def test_what_other_games_have_is_not_due() -> None:
    game = bridge()
    with pytest.raises(IllegalAction) as refused:
        game.apply(begun(game, "S", HANDS), Discard((parse_card("S6"),)))
    assert refused.value.code == "action.not_due"


def test_nothing_is_done_when_the_deal_is_over() -> None:
    game = bridge()
    state = played_for(game, after_calls(game, begun(game, "S", HANDS), "H P P"), 7)
    with pytest.raises(IllegalAction) as refused:
        after_calls(game, state, "P")
    assert refused.value.code == "deal.over"


def test_who_speaks_by_a_second_reading_of_the_laws() -> None:
    game = bridge(doubling_limit="none")
    for seed in range(60):
        dealt = played_out(game, Random(seed))
        record = dealt.record()
        calls: Any = record["calls"]
        for done in range(len(calls)):
            assert game.seats.name(dealt.states[done].to_act or 0) == oracle.to_speak(record, done), record


# --- play


def test_dummy_is_shown_after_the_first_lead_and_not_before() -> None:
    game = bridge()
    state = after_calls(game, begun(game, "S", HANDS), "L S P P")
    assert game.view(state, 3).hands[0] is None
    state = after_plays(game, state, ["H5"])
    assert all(game.view(state, seat).hands[0] is not None for seat in (None, 1, 2, 3))
    assert (state.hand_to_play, state.to_act) == (0, 2)
    assert game.view(state, 1).hands[2] is None


def test_the_last_trick_is_open_until_the_next_lead() -> None:
    game = bridge()
    state = after_plays(game, after_calls(game, begun(game, "S", HANDS), "S P P"), ["H5", "HA", "HT", "H6"])
    last = game.view(state, None).last_trick
    assert last is not None
    assert [str(card) for _, card in last.plays] == ["H5", "HA", "HT", "H6"]
    assert game.view(after_plays(game, state, ["SA"]), None).last_trick is None


# --- game and rubber, and what always holds


@pytest.mark.parametrize(
    ("below", "games", "tricks", "over", "after"),
    [
        # Part score and games before; tricks won by NS at no trump, 12 a trick; then games, or the rubber.
        ((18, 0), (0, 0), 7, False, RubberStanding((0, 0), (30, 0), (1, 0))),
        ((17, 0), (0, 0), 7, False, RubberStanding((29, 0), (0, 0), (0, 0))),
        ((18, 25), (0, 1), 7, False, RubberStanding((0, 0), (30, 25), (1, 1))),
        ((18, 25), (1, 1), 7, True, RubberStanding((0, 0), (130, 25), (2, 1))),
        ((18, 25), (1, 0), 7, True, RubberStanding((0, 0), (130, 25), (2, 0))),
        ((18, 0), (1, 1), 6, False, RubberStanding((18, 12), (0, 0), (1, 1))),
        ((18, 18), (1, 1), 6, True, RubberStanding((0, 0), (18, 130), (1, 2))),
    ],
)
def test_game_and_rubber(
    below: tuple[int, int], games: tuple[int, int], tricks: int, over: bool, after: RubberStanding
) -> None:
    before = RubberStanding(below, (0, 0), games)
    result = finished_with(bridge(), "S", "N P P", honour_cards("N:S E:H S:D W:C", None), tricks, before).result
    assert (result.standing, result.over) == (after, over)
    assert result.winner == (after.games.index(2) if over else None)


def test_what_always_holds() -> None:
    """One side alone scores below, its odd tricks at the doubled value; nothing above depends on the doubling."""
    game: Any = bridge()
    for seed in range(40):
        state = played_out(game, Random(seed)).state
        contract = state.contract
        won = [sum(side_of(seat) == side for seat in state.tricks.winners) for side in (0, 1)]
        value = game.trick_value(contract.call.denomination, contract.doubling)
        assert [points(state, side, "below") for side in (0, 1)] == [max(0, taken - 6) * value for taken in won]
        honours = [line for line in state.result.lines if line.reason == "honours"]
        assert len({line.side for line in honours}) == len(honours) <= 1
        assert contract.trumps is None or len(honours) == 1, "five honours cannot tie"
        assert all(line.points > 0 for line in state.result.lines)
        assert value <= 100


@pytest.mark.parametrize("columns", [{"below": (30, 0)}, {"below": (-1, 0)}, {"games": (2, 0)}, {"above": (0, -1)}])
def test_no_deal_begins_with_an_impossible_standing(columns: dict[str, tuple[int, int]]) -> None:
    game = bridge()
    start = {"below": (0, 0), "above": (0, 0), "games": (0, 0)}
    assert game.standing(start) == game.fresh()
    with pytest.raises(ValueError):
        game.standing(start | columns)
