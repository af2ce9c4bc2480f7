"""How a command visits a server: on the whole screen of a terminal, or line by line."""

import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click
from msgspec import structs

from client_cli.config import BadConfig, Config, load_config
from client_cli.ending import run_to_end

if TYPE_CHECKING:
    from client_cli.place import Opening


def settings(*, plain: bool = False, no_bell: bool = False) -> Config:
    """Return what is set, by the command line before all else; complain of what cannot be."""
    try:
        config = load_config()
    except BadConfig as error:
        raise click.UsageError(str(error)) from None
    return structs.replace(config, plain=plain or config.plain, bell=config.bell and not no_bell)


def fills_screen(config: Config) -> bool:
    """Say whether there is a screen to fill, and it is wanted."""
    at_terminal = all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))
    return at_terminal and not config.plain and os.environ.get("TERM", "dumb") != "dumb"


def visit(config: Config, opening: "Opening | None", profile: str = "default") -> NoReturn:
    """Visit a server, or the list of servers, and exit with the status that comes of it."""
    if fills_screen(config):
        from client_cli.screen.app import run_screen
        from client_cli.screen.keys import check_keys

        try:
            check_keys(config.keys)
        except BadConfig as error:
            raise click.UsageError(str(error)) from None
        sys.exit(run_to_end(run_screen(config, opening, profile)))
    if opening is None:
        raise click.UsageError("Without a command it needs a terminal; `biritch --help` lists the commands.")
    from client_cli.lines import run_lines

    letters = config.ascii or config.theme == "mono"
    sys.exit(run_to_end(run_lines(opening, bell=config.bell, letters=letters)))
