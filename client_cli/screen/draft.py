"""A table that is being thought out: the game, its players, the options that differ; whether they go together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from client_cli.house_rules import DEFAULT, Chosen, usual_players
from protocol import messages as m
from rules.errors import BadOption
from rules.options import Option, Value, value_text
from rules.registry import GAMES, make_game


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to choose: its values, the one chosen now, the usual one, and what it is about.

    `texts` writes the values. `numbers`, where there is one, makes every number in it a value too.
    """

    name: str
    values: tuple[Value, ...]
    texts: tuple[str, ...]
    now: Value
    default: Value
    words: str
    numbers: range | None = None

    @property
    def default_text(self) -> str:
        return self.texts[self.values.index(self.default)]


@dataclass(frozen=True, slots=True)
class Draft:
    """A table as chosen so far. `alone` if it is for a server of one's own, whose tables nobody else can see."""

    chosen: Chosen
    private: bool = False
    alone: bool = False

    def entries(self) -> list[Entry]:
        """List what can be chosen; an option that leaves no choice is not there."""
        chosen, family = self.chosen, GAMES[self.chosen.game]
        games = tuple(GAMES)
        titles = tuple(each.title for each in GAMES.values())
        entries = [Entry("game", games, titles, chosen.game, DEFAULT, family.summary)]
        if len(family.players) > 1:
            usual, numbers = usual_players(family), tuple(sorted(family.players))
            entries.append(_entry("players", numbers, chosen.seats, usual, "How many play."))
        if not self.alone:
            words = "Whether all can see the table in the list, or only those come who have its link."
            entries.append(_entry("table", ("public", "private"), "private" if self.private else "public", None, words))
        return entries + [_of_option(option, chosen.options) for option in _offered(chosen) if _leaves_choice(option)]

    def choose(self, name: str, value: Value) -> "Draft":
        """Return the draft with another value of an entry. What is then no longer offered is taken back."""
        chosen = self.chosen
        match name:
            case "game":
                return replace(self, chosen=Chosen(str(value)))
            case "table":
                return replace(self, private=value == "private")
            case "players":
                usual = usual_players(GAMES[chosen.game])
                chosen = replace(chosen, players=None if value == usual else int(value))
            case _:
                chosen = replace(chosen, options={**chosen.options, name: value})
        return replace(self, chosen=replace(chosen, options=_differing(chosen)))

    def refusal(self) -> str | None:
        """Say, in the words of the rules, why there can be no such table; None if there can."""
        try:
            make_game(self.chosen.game, self.chosen.seats, self.chosen.options)
        except BadOption as error:
            return error.message
        return None

    def command(self) -> m.CreateTable:
        """Return the command that makes the table."""
        return m.CreateTable(0, self.chosen.game, self.chosen.players, dict(self.chosen.options), self.private)


NEW = Draft(Chosen(DEFAULT))


def _entry(name: str, values: Sequence[Value], now: Value, default: Value | None, words: str) -> Entry:
    texts = tuple(value_text(value) for value in values)
    return Entry(name, tuple(values), texts, now, values[0] if default is None else default, words)


def _of_option(option: Option, given: Mapping[str, Value]) -> Entry:
    values = _at_tables(option)
    now = given.get(option.name, option.default)
    return replace(_entry(option.name, values, now, option.default, option.words), numbers=option.numbers)


def _offered(chosen: Chosen) -> Sequence[Option]:
    return GAMES[chosen.game].options(chosen.seats, chosen.options)


def _at_tables(option: Option) -> tuple[Value, ...]:
    return tuple(value for value in option.values if value not in option.record_only)


def _leaves_choice(option: Option) -> bool:
    return len(_at_tables(option)) > 1 or option.numbers is not None


def _differing(chosen: Chosen) -> dict[str, Value]:
    """Return the options that are offered and differ from the defaults, which depend on what else is chosen.

    A number stays whatever it is, since it may not yet be typed to its end.
    """
    options = {option.name: option for option in _offered(chosen)}
    return {
        name: value
        for name, value in chosen.options.items()
        if name in options and value != options[name].default and _may_stay(options[name], value)
    }


def _may_stay(option: Option, value: Value) -> bool:
    return option.offers(value) or (option.numbers is not None and type(value) is int)
