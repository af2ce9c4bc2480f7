"""`biritch score`: score a deal played with real cards from what is told of it, by the same code as any deal.

Which facts a game asks for, and their words, are the game's own data (`Family.facts`).
"""

import json
from typing import Any

import click

from client_cli.commands import read_game
from client_cli.console import Console
from client_cli.diagram import score_lines
from client_cli.house_rules import usual_players
from rules.facts import BadFact, Fact
from rules.game import AnyGame, Family
from rules.record import result_values
from rules.registry import GAMES, make_game
from rules.scoresheet import Result, standing_numbers


class ScoreGroup(click.Group):
    """A group with one command for each game, made of the facts that the game asks for."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(GAMES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in GAMES:
            raise click.UsageError(f"There is no game {name!r} here. The games are: {', '.join(GAMES)}.")
        return _command(GAMES[name])


@click.group(cls=ScoreGroup)
def score() -> None:
    """Score a deal that was played with real cards, and show where each point comes from.

    `biritch score GAME --help` lists what is asked for in a game. Example:

    \b
    biritch score auction_bridge --contract 3HX --by S --tricks 10 --honours S=AQ,N=K
    """


def _command(family: Family) -> click.Command:
    names = {_parameter(fact): fact.name for fact in family.facts}

    def run(players: int | None, options: tuple[str, ...], as_json: bool, **told: Any) -> None:
        given = {
            names[name]: "" if value is True else value for name, value in told.items() if value not in (None, False)
        }
        game = make_game(family.name, players or usual_players(family), read_game(family.name, players, options))
        _write(game, _result(family, game, given), as_json)

    return click.Command(
        family.name,
        callback=run,
        params=[*map(_option, family.facts), *_house_rules(family)],
        short_help=family.title,
        help=f"Score a deal of {family.title} that was played with real cards.\n\nExample:\n\n\b\n{_example(family)}",
    )


def _parameter(fact: Fact) -> str:
    return fact.name.replace("-", "_")


def _option(fact: Fact) -> click.Option:
    if fact.switch:
        return click.Option([f"--{fact.name}", _parameter(fact)], is_flag=True, help=fact.words)
    words = f"{fact.words} Needed." if fact.needed else fact.words
    return click.Option([f"--{fact.name}", _parameter(fact)], metavar=fact.example, help=words)


def _house_rules(family: Family) -> list[click.Option]:
    """Return the options that every game has here; the number of players only where there is a choice."""
    numbers = ", ".join(map(str, sorted(family.players)))
    many = len(family.players) > 1
    return [
        click.Option(["--players"], type=int, hidden=not many, help=f"Number of players: {numbers}."),
        click.Option(
            ["--option", "options"], metavar="NAME=VALUE", multiple=True, help="A house rule; may be repeated."
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Write score, lines and what follows as JSON."),
    ]


def _example(family: Family) -> str:
    words = [f"--{fact.name} {fact.example}" for fact in family.facts if fact.needed]
    return " \\\n    ".join([f"biritch score {family.name}", *words])


def _result(family: Family, game: AnyGame, given: dict[str, str]) -> Result:
    if family.score_facts is None:
        raise click.UsageError(f"Deals of {family.title} cannot be scored from the command line.")
    try:
        return family.score_facts(game, given)
    except BadFact as error:
        raise click.UsageError(str(error)) from None


# --- output


def _write(game: AnyGame, result: Result, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(_values(game, result)))
        return
    console = Console()
    after = standing_numbers(result.standing, game.sides)
    columns = [f"{name} {' '.join(f'{side} {number}' for side, number in after[name].items())}" for name in after]
    console.say(*score_lines(game.sides, result.lines, console.signs), *_sums(game, result))
    console.say(f"after: {', '.join(columns)}")
    if result.over:
        console.say("over" if result.winner is None else f"over, won by {game.sides[result.winner].name}")


def _sums(game: AnyGame, result: Result) -> list[str]:
    """Write what each side has in all, where there is more than one line to add up."""
    if len(result.lines) < 2:
        return []
    totals = (sum(line.points for line in result.lines if line.side == side) for side in range(len(game.sides)))
    return [f"in all: {', '.join(f'{side.name} {total}' for side, total in zip(game.sides, totals, strict=True))}"]


def _values(game: AnyGame, result: Result) -> dict[str, object]:
    values = result_values(game, result)
    lines = [
        {
            "side": game.sides[line.side].name,
            "account": line.account,
            "points": line.points,
            "reason": line.reason,
            "words": line.words,
        }
        for line in result.lines
    ]
    return {"score": values.pop("score"), "lines": lines, **values}
