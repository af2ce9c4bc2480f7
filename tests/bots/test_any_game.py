"""Bots in every game and at every size of table: always legal, blind to what is hidden, and through in good time."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rules.calls import Bid
from rules.cards import in_order
from rules.game import AnyGame, permits
from rules.registry import GAMES, make_game
from tests.bots.deals import chosen, rubber, states

TABLES = [(name, players) for name, family in GAMES.items() for players in family.players]

MISERES: dict[str, object] = {"misere": "on", "open_misere": "on", "misere_needs_seven": False}
OTHERS: list[tuple[str, int, dict[str, object]]] = [
    ("auction_bridge", 4, {"count": "1908"}),
    ("auction_bridge", 4, {"nullos": "on"}),
    ("auction_bridge", 4, {"dealer_may_pass": True}),
    ("auction_bridge", 4, {"dealer_may_pass": True, "nullos": "on"}),
    ("auction_bridge", 4, {"hide_auction_during_play": True}),
    ("vint", 4, {"auction_end": "eight_passes"}),
    ("bridge", 4, {"royal_spades": 9, "doubling_limit": "stop_after_200"}),
    ("bridge", 4, {"spade_convention": "two"}),
    ("five_hundred", 4, {"preset": "us_official4"}),
    ("five_hundred", 4, {"preset": "us_official4", "inkle": "on"}),
    ("five_hundred", 4, {"pack": 42}),
    ("five_hundred", 4, {"pack": 45, **MISERES}),
    ("five_hundred", 4, {"pack": 46, "nt_joker_follow": "anytime"}),
    ("five_hundred", 4, {"all_pass": "no_trump_play", "lone_bidder_may_raise": True}),
    ("five_hundred", 2, {"pack": 24}),
    ("five_hundred", 3, {"all_pass": "redeal", "win_requires_contract": True, **MISERES}),
    ("five_hundred", 6, {"open_misere_expose": "before_first_lead", "misere_needs_seven": False}),
]
ALL: list[tuple[str, int, dict[str, object]]] = [*((name, players, {}) for name, players in TABLES), *OTHERS]


@pytest.mark.parametrize(("name", "players", "options"), ALL, ids=str)
@pytest.mark.parametrize("wild", [0, 0.3])
def test_is_always_legal_and_always_the_same(name: str, players: int, options: dict[str, object], wild: float) -> None:
    game = make_game(name, players, options)
    for seed in range(8):
        for state in states(game, Random(seed), seed % players, game.fresh(), wild):
            if state.result is None:
                action = chosen(game, state)
                assert permits(game, state, action), seed
                assert chosen(game, state) == action, seed


def dealt_otherwise(game: AnyGame, state: Any, random: Random) -> Any:
    """Deal the cards that the seat to act does not see otherwise, so that all that has happened could have happened."""
    view = game.view(state, state.to_act)
    hidden = [place for place, hand in enumerate(view.hands) if hand is None]
    held = list(state.hands if state.tricks is None else state.tricks.hands)
    widow = getattr(state, "widow", ()) if state.phase == "auction" else ()
    cards = [*widow, *(card for place in hidden for card in held[place])]
    random.shuffle(cards)
    for place in hidden:
        held[place], cards = in_order(cards[: len(held[place])]), cards[len(held[place]) :]
    if state.tricks is not None:
        return replace(state, tricks=replace(state.tricks, hands=tuple(held)))
    other = replace(state, hands=tuple(held))
    return replace(other, widow=in_order(cards)) if widow else other


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_sees_nothing_that_is_hidden(name: str, players: int) -> None:
    game = make_game(name, players, {})
    for seed in range(10):
        random = Random(seed)
        for state in list(states(game, random, 0, game.fresh(), 0.1))[:-1]:
            other = dealt_otherwise(game, state, random)
            assert chosen(game, other) == chosen(game, state), seed


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_rubbers_and_games_end(name: str, players: int) -> None:
    game = make_game(name, players, {})
    rubbers = [rubber(game, seed) for seed in range(20)]
    assert all(ends[-1].result.over for ends in rubbers)
    assert sum(map(len, rubbers)) / len(rubbers) < 25
    played = [end for ends in rubbers for end in ends if end.contract is not None and end.contract.declarer is not None]
    assert len(played) > 0.8 * sum(map(len, rubbers))
    made = [margin(end) >= 0 for end in played if isinstance(end.contract.call, Bid)]
    assert not made or sum(made) / len(made) > 0.6


def margin(end: Any) -> int:
    """Return the tricks by which a contract was made, negative if it failed."""
    contract = end.contract
    won = sum(seat in (contract.declarer, *contract.partners) for seat in end.tricks.winners)
    book = 6 if len(end.tricks.complete) == 13 else 0
    return int(won - book - contract.call.level)
