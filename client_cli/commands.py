"""`biritch create`, `biritch join` and `biritch tables`: the sessions at somebody else's server."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from client_cli.address import Address
    from client_cli.online import Begin

F = TypeVar("F", bound=Callable[..., Any])

SCRIPTS = """\b
What is typed, one to a line, `help` lists. From a pipe it is a script: a line
is taken when the answer to the one before has come; `wait turn`, `wait deal`
and `wait over` hold it until it is your turn, the deal is scored, the rubber
is over; `quit` or the end of the script ends the client when the answers have
come. Lines that begin with # are left out. A line that is refused does not
stop the script, but the exit status is 1 then."""


def _shared(command: F) -> F:
    """Add the options that all sessions have."""
    for option in (
        click.option("--no-bell", is_flag=True, help="Do not ring the terminal's bell when it is your turn."),
        click.option("--profile", default="default", show_default=True, callback=_profile, help=_PROFILE),
        click.option("--name", help="What others see; remembered for next time."),
        click.option("--ca", type=click.Path(exists=True, dir_okay=False, path_type=Path), help=_CA),
    ):
        command = option(command)
    return command


def _profile(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", value) is None:
        raise click.BadParameter("a profile's name is of letters, digits, - and _")
    return value


_PROFILE = "Which of this machine's players to be: each has a token of its own."
_CA = "Certificates of an authority to trust besides the system's, for wss:// addresses."


@click.command(epilog=SCRIPTS)
@click.argument("url")
@click.argument("game")
@click.option("--option", "options", metavar="NAME=VALUE", multiple=True, help="A house rule; may be repeated.")
@click.option("--players", type=click.IntRange(2, 6), help="Number of seats. Default: the game's usual one.")
@click.option("--private", is_flag=True, help="Do not list the table; one needs its link to come.")
@_shared
def create(url: str, game: str, options: tuple[str, ...], players: int | None, private: bool, **shared: Any) -> None:
    """Make a table of GAME at the server URL (host:port, ws:// or wss://) and go there."""
    from client_cli.online import Create

    address = read_address(url)
    given = read_game(game, players, options)
    run(address, Create(address.url, game, given, players, private), **shared)


@click.command(epilog=SCRIPTS)
@click.argument("url")
@click.argument("table", required=False)
@click.option("--invitation", metavar="CODE", help="The code of a private table.")
@_shared
def join(url: str, table: str | None, invitation: str | None, **shared: Any) -> None:
    """Go to TABLE at the server URL, which may be a link that `create` has printed.

    Without TABLE: the one where you were last, else the only public one with a free seat.
    """
    from client_cli.online import Join

    address = read_address(url)
    run(address, Join(table or address.table, invitation or address.invitation), **shared)


@click.command()
@click.argument("url")
@_shared
def tables(url: str, **shared: Any) -> None:
    """List the public tables of the server URL."""
    from client_cli.online import Tables

    run(read_address(url), Tables(), **shared)


def read_address(text: str) -> "Address":
    """Read the address of a server, or complain of the command line."""
    from client_cli.address import BadAddress, parse_address

    try:
        return parse_address(text)
    except BadAddress as error:
        raise click.UsageError(str(error)) from None


def read_game(game: str, players: int | None, options: tuple[str, ...]) -> Any:
    """Read the options of a game, or complain of the command line."""
    from client_cli.house_rules import read_options
    from rules.errors import BadOption

    try:
        return read_options(game, players, options)
    except BadOption as error:
        raise click.UsageError(error.message) from None


def run(address: "Address", begin: "Begin", *, ca: Path | None, name: str | None, profile: str, no_bell: bool) -> None:
    """Run a session and exit with its status."""
    from client_cli.ending import run_to_end
    from client_cli.online import run_session

    session = run_session(address, begin, profile=profile, name=name, authority=ca, bell=not no_bell)
    sys.exit(run_to_end(session))
