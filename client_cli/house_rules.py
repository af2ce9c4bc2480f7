"""The options of a game as a person types them, `--option name=value`, read by what the game offers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rules.errors import BadOption
from rules.game import Family
from rules.options import Option, Value, parse_value, value_text
from rules.registry import GAMES, make_game

DEFAULT = "auction_bridge"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A game with what has been asked for: its options, and the number of players, None for the usual one."""

    game: str
    options: Mapping[str, Value] = field(default_factory=dict)
    players: int | None = None

    @property
    def title(self) -> str:
        return GAMES[self.game].title

    @property
    def seats(self) -> int:
        """How many play."""
        return self.players or usual_players(GAMES[self.game])


def every_game() -> list[Chosen]:
    """Return all games as they are usually played, in their order."""
    return [Chosen(name) for name in GAMES]


def read_options(game: str, players: int | None, texts: Sequence[str]) -> dict[str, Value]:
    """Return the options given. Raises BadOption, with a sentence that lists what is allowed.

    A game that this client does not know is left to the server, which has the last word in any case.
    """
    family = GAMES.get(game)
    given: dict[str, Value] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption("options.bad_form", f"An option is given as name=value, and not as {text!r}.")
        read = _plain(value) if family is None else _read(family, players, given, name, value)
        if name in given and value_text(given[name]) != value_text(read):
            raise BadOption(
                "options.contradictory",
                f"The option {name!r} is given twice, as {value_text(given[name])} and as {value_text(read)}.",
            )
        given[name] = read
    if family is not None:
        make_game(game, players or usual_players(family), given)
    return given


def usual_players(family: Family) -> int:
    """Return the number of players that a game has if none is given: four, where it can be played by four."""
    return 4 if 4 in family.players else family.players[0]


def _read(family: Family, players: int | None, given: dict[str, Value], name: str, value: str) -> Value:
    options: Sequence[Option] = family.options(players or usual_players(family), given)
    option = next((option for option in options if option.name == name), None)
    return _plain(value) if option is None else parse_value(option, value)


def _plain(text: str) -> Value:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdecimal() else text
