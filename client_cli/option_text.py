"""The options of a game in words: what each is here, what else it might be, and what it changes."""

import textwrap
from collections.abc import Mapping

from rules.options import Option, Value, value_text
from rules.registry import GAMES

WIDTH = 78
NARROW = 72  # fits a dialog of a screen of 80 columns
INDENT = "    "


def option_lines(option: Option, value: str) -> list[str]:
    """Write an option: its value here, what else it may be, and what it changes; none that leaves no choice."""
    default = value_text(option.default)
    others = [text for text in option.allowed(at_table=True).split(", ") if text != value]
    if value != default:
        others = [f"{text} (default)" if text == default else text for text in others]
    if not others:
        return []
    heading = f"{option.name} = {value}; or {', '.join(others)}"
    return [*wrapped(heading, "  ", INDENT, NARROW), *wrapped(option.words, INDENT, INDENT, NARROW)]


def table_option_lines(game: str, players: int, given: Mapping[str, Value], *, all_of_them: bool) -> list[str]:
    """Write the options of a table that tells those which differ from the default: these, or all of them.

    One that this client does not know, of a later server, is written as it was told.
    """
    offered = {option.name: option for option in GAMES[game].options(players, given)} if game in GAMES else {}
    lines = [f"  {name} = {value_text(value)}" for name, value in given.items() if name not in offered]
    for name, option in offered.items():
        if all_of_them or name in given:
            lines += option_lines(option, value_text(given.get(name, option.default)))
    return lines


def wrapped(text: str, indent: str = "", further: str | None = None, width: int = WIDTH) -> list[str]:
    """Break a text into lines of at most `width` cells, the first behind `indent`, the others behind `further`."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent if further is None else further,
        break_on_hyphens=False,
        break_long_words=False,
    )
