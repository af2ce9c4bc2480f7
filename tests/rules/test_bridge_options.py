"""Straight bridge: every value of every option."""

from random import Random
from typing import Any

import pytest

from rules.bridge import OPTIONS
from rules.calls import Denomination
from rules.errors import BadOption, IllegalAction
from rules.options import refuse_record_only
from rules.scoresheet import RubberStanding
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

# The greatest value of a trick in spades, clubs, diamonds, hearts, no trump, and after how many doublings.
LIMITS = {
    "cap_100": "100/6 100/5 100/5 100/4 100/4",
    "not_over_100": "64/5 64/4 96/4 64/3 96/3",
    "stop_after_100": "128/6 128/5 192/5 128/4 192/4",
    "stop_after_200": "256/7 256/6 384/6 256/5 384/5",
}


def doubled_to_the_end(game: Any, name: str) -> tuple[int, int]:
    """Double as long as anybody is asked; return the value of a trick and the number of doublings."""
    state = after_calls(game, begun(game, "S", hands_with({}, Random(1))), name)
    doublings = 0
    while state.phase == "doubling":
        state = after_calls(game, state, "X")
        doublings += 1
    assert state.contract.doubling == 2**doublings
    return game.trick_value(Denomination(name), state.contract.doubling), doublings


@pytest.mark.parametrize("limit", LIMITS)
def test_doubling_limit(limit: str) -> None:
    game = bridge(doubling_limit=limit)
    for name, expected in zip("SCDHN", LIMITS[limit].split(), strict=True):
        assert "{}/{}".format(*doubled_to_the_end(game, name)) == expected


def test_no_doubling_limit() -> None:
    """There is an end all the same, before numbers grow without end (E7)."""
    game = bridge(doubling_limit="none")
    for name in "SCDHN":
        value, doublings = doubled_to_the_end(game, name)
        assert 1_000_000_000 < value <= 2_000_000_000
        assert doublings >= 27


@pytest.mark.parametrize(("limit", "value"), [("not_over_100", 64), ("stop_after_100", 128), ("none", 128)])
def test_a_trick_counts_as_doubled(limit: str, value: int) -> None:
    held = honour_cards("N:AQ E:K S:T W:J", Denomination.HEARTS.trumps)
    calls = {64: "H X X X", 128: "H X X X X"}[value] + (" P P" if limit == "none" else "")
    state = finished_with(bridge(doubling_limit=limit), "S", calls, held, 8)
    assert scored(state)[0] == f"NS below {2 * value} tricks"


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
        ("add", "own", ["NS above 64 honours", "NS above 16 chicane"]),
        ("add", "adverse", ["NS above 40 honours", "EW above 16 chicane"]),
        ("add", "double", ["NS above 80 honours", "EW above 32 chicane"]),
        ("add", "each", ["NS above 80 honours", "NS above 16 chicane", "EW above 16 chicane"]),
        ("american", "own", ["NS above 64 honours", "NS above 16 chicane"]),
        ("american", "adverse", ["NS above 40 honours", "NS above -16 chicane"]),
        ("american", "double", ["NS above 80 honours", "NS above -32 chicane"]),
        ("american", "each", ["NS above 80 honours", "NS above 16 chicane", "NS above -16 chicane"]),
    ],
)
def test_chicane(law: str, hands: str, expected: list[str]) -> None:
    game = bridge(chicane=law)
    state = played_for(game, after_calls(game, begun(game, "N", CHICANE_HANDS[hands]), "H X P P"), 7)
    assert [line for line in scored(state) if line.split()[-1] in ("honours", "chicane")] == expected


@pytest.mark.parametrize("law", ["add", "american", "off"])
def test_no_chicane_without_trumps(law: str) -> None:
    game = bridge(chicane=law)
    state = played_for(game, after_calls(game, begun(game, "N", CHICANE_HANDS["each"]), "N P P"), 7)
    assert not any(line.endswith("chicane") for line in scored(state))


@pytest.mark.parametrize(
    ("convention", "dealer", "expected"),
    [
        ("two", "S", ["NS below 2 spades"]),
        ("two", "E", ["EW below 2 spades"]),
        ("two_and_four", "S", ["NS below 2 spades", "NS above 4 honours"]),
        ("two_and_four", "E", ["EW below 2 spades", "EW above 4 honours"]),
    ],
)
@pytest.mark.parametrize("calls", ["S P P", "L S P P"])
def test_undoubled_spades_are_not_played(convention: str, dealer: str, expected: list[str], calls: str) -> None:
    game = bridge(spade_convention=convention)
    before = RubberStanding((19, 18), (0, 0), (1, 1))
    state = after_calls(game, begun(game, dealer, CHICANE_HANDS["each"], before), calls)
    assert (state.phase, state.contract, state.tricks) == ("over", None, None)
    assert scored(state) == expected
    assert not state.result.over
    assert state.result.next_dealer == game.seats.left(game.seats.parse(dealer))


@pytest.mark.parametrize(
    ("calls", "below"),
    [("S X P P", (0, 0)), ("S P X P P", (0, 0)), ("S P P", (20, 0)), ("S P P", (0, 29)), ("H P P", (0, 0))],
)
def test_spades_that_are_played_all_the_same(calls: str, below: tuple[int, int]) -> None:
    game = bridge(spade_convention="two")
    state = after_calls(game, begun(game, "S", hands_with({}, Random(1)), RubberStanding(below)), calls)
    assert state.phase == "play"


def test_spades_are_played_without_the_convention() -> None:
    game = bridge()
    assert after_calls(game, begun(game, "S", hands_with({}, Random(1))), "S P P").phase == "play"


@pytest.mark.parametrize("value", [10, 9])
def test_royal_spades(value: int) -> None:
    game: Any = bridge(royal_spades=value, spade_convention="two")
    state = begun(game, "S", hands_with({}, Random(1)))
    assert list(map(str, game.legal_actions(state))) == ["L", "S", "C", "D", "H", "R", "N"]
    held = honour_cards("N:AQ E:K S:JT W:-", Denomination.ROYALS.trumps)
    state = finished_with(game, "S", "R X P P", held, 9)
    assert state.contract.trumps is Denomination.SPADES.trumps
    assert scored(state)[:2] == [f"NS below {3 * 2 * value} tricks", f"NS above {4 * value} honours"]
    assert after_calls(game, begun(game, "S", hands_with({}, Random(1))), "R P P").phase == "play"


@pytest.mark.parametrize(("value", "most"), [(10, 100), (9, 100)])
def test_royal_spades_are_doubled_to_the_limit(value: int, most: int) -> None:
    assert doubled_to_the_end(bridge(royal_spades=value), "R") == (most, 4)


def test_no_royals_without_the_option() -> None:
    with pytest.raises(IllegalAction):
        after_calls(bridge(), begun(bridge(), "S", hands_with({}, Random(1))), "R")


@pytest.mark.parametrize(("name", "value"), [("claims", "agreed"), ("unfinished_rubber", "as_it_stands")])
def test_values_for_records_alone(name: str, value: str) -> None:
    game = bridge(**{name: value})
    with pytest.raises(BadOption) as refused:
        refuse_record_only(OPTIONS, game.options)
    assert refused.value.code == "options.not_at_tables"


def test_the_options_and_their_defaults() -> None:
    assert {option.name: option.values for option in OPTIONS} == {
        "doubling_limit": ("cap_100", "not_over_100", "stop_after_100", "stop_after_200", "none"),
        "chicane": ("add", "american", "off"),
        "spade_convention": ("off", "two", "two_and_four"),
        "royal_spades": ("off", 10, 9),
        "first_dealer": ("random", "cut", "fixed"),
        "unfinished_rubber": ("void", "as_it_stands"),
        "claims": ("off", "agreed"),
    }
