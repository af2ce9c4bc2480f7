"""Deals and rubbers that bots play, for tests."""

from collections.abc import Iterator
from random import Random
from typing import Any

from bots.simple import choose
from rules.actions import Action, Choose
from rules.game import AnyGame
from rules.scoresheet import Standing

MOST_DEALS = 60


def states(game: AnyGame, random: Random, dealer: int, before: Standing, wild: float = 0) -> Iterator[Any]:
    """Yield every state of a deal that bots play; some of the actions, if wild, are drawn by lot."""
    deck = list(game.deck)
    random.shuffle(deck)
    state, _ = game.deal(dealer, deck, before)
    while True:
        yield state
        if state.result is not None:
            return
        legal = game.legal_actions(state)
        drawn = random.choice(legal)
        action = drawn if random.random() < wild and not isinstance(drawn, Choose) else chosen(game, state)
        state, _ = game.apply(state, action)


def chosen(game: AnyGame, state: Any) -> Action:
    """Return what the bot does whose turn it is."""
    return choose(game.view(state, state.to_act), game.legal_actions(state))


def rubber(game: AnyGame, seed: int) -> list[Any]:
    """Return the last states of the deals of a rubber of bots."""
    random, dealer, standing, ends = Random(seed), seed % len(game.seats), game.fresh(), []
    while True:
        *_, end = states(game, random, dealer, standing)
        ends.append(end)
        if end.result.over or len(ends) == MOST_DEALS:
            return ends
        dealer, standing = end.result.next_dealer, end.result.standing
