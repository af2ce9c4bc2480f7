"""`biritch rules`: the rules of a game as it is played here, with its options, on a page for a terminal.

The page is `rules/pages/GAME.md`: words, with numbers and tables filled in from the game that the options make. A block
`[if name=value,value]` ... `[else]` ... `[end]` stands on the page where an option, or `players`, has one of these
values; `!=` says none of them, and `or` joins conditions. Lines that begin with four spaces stay as they are; others
are wrapped.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable

import click

from client_cli.choices import OPTIONS, games
from client_cli.commands import read_game
from client_cli.console import Console
from client_cli.house_rules import usual_players
from client_cli.option_text import INDENT, option_lines, wrapped
from rules.game import AnyGame, Family
from rules.options import value_text
from rules.registry import GAMES, family, make_game

Fillings = Mapping[str, str | Sequence[Sequence[str]]]


@click.command()
@click.argument("game", required=False, shell_complete=games)
@click.option("--players", type=int, help="Number of players. Default: the game's usual one.")
@OPTIONS
def rules(game: str | None, players: int | None, options: tuple[str, ...]) -> None:
    """Print the rules of GAME as it is played here, with the house rules given; without GAME, the list of games."""
    console = Console()
    if game is None:
        if players is not None or options:
            raise click.UsageError("Name a game, whose page is to be shown.")
        console.say(*game_list())
        return
    if game not in GAMES:
        raise click.UsageError(f"There is no game {game!r} here. The games are: {', '.join(GAMES)}.")
    given = read_game(game, players, options)
    console.say(*page_lines(make_game(game, players or usual_players(GAMES[game]), given)))


def game_list() -> list[str]:
    """List the games with a line each."""
    rows = [[each.name, _numbers(each), each.summary or each.title] for each in GAMES.values()]
    return [*_table([["game", "for", ""], *rows], "<"), "", "biritch rules GAME shows the rules of one of them."]


def _numbers(each: Family) -> str:
    first, last = min(each.players), max(each.players)
    if len(each.players) == 1:
        return str(first)
    return f"{first}-{last}" if len(each.players) == last - first + 1 else ",".join(map(str, sorted(each.players)))


# --- a page


def page_lines(game: AnyGame) -> list[str]:
    """Return the page of a game with its options."""
    offered = family(game.name)
    page = page_file(game.name)
    text = page.read_text("utf-8") if page.is_file() else f"# {offered.title}\n\n{offered.summary}\n"
    values = {name: value_text(value) for name, value in game.options.items()}
    values["players"] = str(len(game.seats))
    tables = {**values, **offered.tables(game)}
    options = offered.options(len(game.seats), game.options)
    lines = [*_single_spaced(_written(_chosen(text.splitlines(), values), tables)), "OPTIONS", ""]
    lines += [line for option in options for line in option_lines(option, values[option.name])]
    return lines


def page_file(name: str) -> Traversable:
    """Return where the page of a game is, if it has one."""
    return resources.files("rules").joinpath("pages", f"{name}.md")


def _chosen(lines: Iterable[str], values: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines that are on the page with these values."""
    open_blocks: list[bool] = []
    for line in lines:
        if line.startswith("[if "):
            open_blocks.append(any(_holds(condition, values) for condition in line[4:-1].split(" or ")))
        elif line == "[else]":
            open_blocks[-1] = not open_blocks[-1]
        elif line == "[end]":
            open_blocks.pop()
        elif all(open_blocks):
            yield line
    assert not open_blocks, "a block of the page has no end"


def _holds(condition: str, values: Mapping[str, str]) -> bool:
    name, _, allowed = condition.partition("=")
    return (values[name.removesuffix("!")] in allowed.split(",")) != name.endswith("!")


def _written(lines: Iterable[str], fillings: Fillings) -> Iterator[str]:
    """Yield the lines of the page, filled in and wrapped."""
    paragraph: list[str] = []
    for line in (*lines, ""):
        begins = line.startswith(("#", "- ", INDENT))
        if paragraph and (begins or not line):
            yield from _paragraph(" ".join(paragraph), fillings)
            paragraph = []
        if line.startswith(INDENT):
            yield from _block(line.strip(), fillings)
        elif line.startswith("#"):
            yield from _heading(line)
        elif line:
            paragraph.append(line)
        else:
            yield ""


def _single_spaced(lines: Iterable[str]) -> Iterator[str]:
    """Leave out an empty line after another: between them may have stood a block that is not on this page."""
    before = ""
    for line in lines:
        if line or before:
            yield line
        before = line


def _heading(line: str) -> list[str]:
    title = line.lstrip("# ")
    return [title.upper()] if line.startswith("##") else [title, "=" * len(title)]


def _paragraph(text: str, fillings: Fillings) -> list[str]:
    joined = re.sub(r" ([.,;])", r"\1", " ".join(text.split()))
    return wrapped(_filled(joined, fillings), "", "  " if text.startswith("- ") else "")


def _block(line: str, fillings: Fillings) -> list[str]:
    """Write a line that stays as it is; if it is the name of a filling, its table or its words, wrapped."""
    named = re.fullmatch(r"\{(\w+)\}", line)
    if named is None:
        return [INDENT + _filled(line, fillings)]
    filling = fillings[named[1]]
    if isinstance(filling, str):
        return wrapped(filling, INDENT)
    return [f"{INDENT}{row}" for row in _table(filling, ">" if len(filling[0]) > 2 else "<")]


def _table(rows: Sequence[Sequence[str]], side: str) -> list[str]:
    """Set rows in columns: the first to the left, the others to this side."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = ("<", *side * len(widths))
    return [
        "  ".join(f"{cell:{sides[place]}{widths[place]}}" for place, cell in enumerate(row)).rstrip() for row in rows
    ]


def _filled(text: str, fillings: Fillings) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: str(fillings[found[1]]), text)
