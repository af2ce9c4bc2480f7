"""How fast the rules fold: whole deals, the legal actions of every state included, in one process."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random

from bots.simple import choose
from rules.actions import Action
from rules.game import AnyGame
from rules.registry import GAMES, make_game
from rules.scoresheet import Standing
from rules.seats import Seat
from rules.shuffle import shuffled

DEALS = 60


@dataclass(frozen=True, slots=True)
class Played:
    """A deal as bots play it: what is needed to fold it again."""

    dealer: Seat
    seed: bytes
    before: Standing
    actions: tuple[Action, ...]


def report(seconds: float, seed: int, file: Path | None) -> None:
    """Print how many actions a second are folded for each game, and write the same as JSON."""
    per_second = {name: _per_second(name, seconds, seed) for name in GAMES}
    for name, actions in per_second.items():
        print(f"{actions:12,.0f}  actions a second, {GAMES[name].title}")
    if file is not None:
        file.write_text(json.dumps({"actions_per_second": per_second, "seconds": seconds, "seed": seed}) + "\n")


def _per_second(name: str, seconds: float, seed: int) -> float:
    game = make_game(name, GAMES[name].players[0], {})
    deals = _deals(game, Random(seed))
    folded, begun = 0, time.perf_counter()
    while (took := time.perf_counter() - begun) < seconds:
        folded += _fold(game, next(deals))
    return folded / took


def _deals(game: AnyGame, random: Random) -> Iterator[Played]:
    """Give the same deals round and round; that bots chose their actions is not measured."""
    played = [_play(game, place % len(game.seats), random.randbytes(32)) for place in range(DEALS)]
    return (played[place % DEALS] for place in count())


def _play(game: AnyGame, dealer: Seat, seed: bytes) -> Played:
    state, _ = game.deal(dealer, shuffled(game.deck, seed), game.fresh())
    actions: list[Action] = []
    while state.result is None:
        action = choose(game.view(state, state.to_act), game.legal_actions(state))
        state, _ = game.apply(state, action)
        actions.append(action)
    return Played(dealer, seed, game.fresh(), tuple(actions))


def _fold(game: AnyGame, deal: Played) -> int:
    """Fold a deal from its shuffle to its score, and return how many actions that were."""
    state, _ = game.deal(deal.dealer, shuffled(game.deck, deal.seed), deal.before)
    for action in deal.actions:
        game.legal_actions(state)
        state, _ = game.apply(state, action)
    return len(deal.actions)
