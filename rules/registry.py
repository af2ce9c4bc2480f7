"""The games that are played here."""

from collections.abc import Mapping

from rules.auction_bridge import AUCTION_BRIDGE
from rules.bridge import BRIDGE
from rules.errors import BadOption
from rules.five_hundred import FIVE_HUNDRED
from rules.game import AnyGame, Family
from rules.options import read_options
from rules.vint import VINT

VERSION = 1
"""The version of the laws as coded here: raised when a change would fold an old deal differently."""

GAMES: dict[str, Family] = {family.name: family for family in (VINT, BRIDGE, AUCTION_BRIDGE, FIVE_HUNDRED)}


def family(name: str) -> Family:
    """Return a game by name. Raises BadOption for a game that is not played here."""
    try:
        return GAMES[name]
    except KeyError:
        raise BadOption("game.unknown", f"There is no game {name!r} here. The games are: {', '.join(GAMES)}.") from None


def make_game(name: str, players: int, options: Mapping[str, object]) -> AnyGame:
    """Return the laws of a game with the options given and the defaults of the rest. Raises BadOption."""
    offered = family(name)
    if players not in offered.players:
        numbers, noun = ", ".join(map(str, sorted(offered.players))), "player" if players == 1 else "players"
        raise BadOption("game.players", f"{offered.title} is not for {players} {noun}. It is for: {numbers}.")
    return offered.make(players, read_options(offered.options(players, options), options))
