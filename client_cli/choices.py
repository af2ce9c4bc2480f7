"""Options that several commands have."""

import re
from pathlib import Path

import click

PLAIN = click.option(
    "--plain", is_flag=True, help="Line by line, also at a terminal: for screen readers and slow links."
)
NO_BELL = click.option("--no-bell", is_flag=True, help="Do not ring the terminal's bell when it is your turn.")


def games(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a game."""
    from rules.registry import GAMES

    return [name for name in GAMES if name.startswith(incomplete)]


def _options(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete a house rule of the game that stands on the line."""
    from client_cli.house_rules import DEFAULT, usual_players
    from rules.options import value_text
    from rules.registry import GAMES

    named = next((name for name in GAMES if name in context.args or name in context.params.values()), DEFAULT)
    game = GAMES[named]
    texts = [
        f"{option.name}={value_text(value)}"
        for option in game.options(usual_players(game), {})
        for value in option.values
        if value not in option.record_only
    ]
    return [text for text in texts if text.startswith(incomplete)]


def _profiles(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a player of this machine."""
    from client_cli.state import state_folder

    folder = state_folder()
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return [name for name in names if name.startswith(incomplete)]


OPTIONS = click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="A house rule; may be repeated.",
    shell_complete=_options,
)


def _name(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and not value.isprintable():
        raise click.BadParameter("a name is of characters that can be printed")
    return value


NAME = click.option("--name", callback=_name, help="What others see; remembered for next time.")


def _profile(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", value) is None:
        raise click.BadParameter("a profile's name is of letters, digits, - and _")
    return value


PROFILE = click.option(
    "--profile",
    default="default",
    show_default=True,
    callback=_profile,
    shell_complete=_profiles,
    help="Which of this machine's players to be: each has a token of its own.",
)
CA = click.option(
    "--ca",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Certificates of an authority to trust besides the system's, for wss:// addresses.",
)
