"""`biritch create`, `biritch join` and `biritch tables`: the sessions at somebody else's server."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from client_cli.choices import CA, NAME, NO_BELL, OPTIONS, PLAIN, PROFILE, games

if TYPE_CHECKING:
    from client_cli.address import Address
    from client_cli.place import Begin

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
        PROFILE,
        NAME,
        CA,
    ):
        command = option(command)
    return command


@click.command(epilog=SCRIPTS)
@click.argument("words", metavar="[URL] GAME", nargs=-1, required=True, shell_complete=games)
@OPTIONS
@click.option("--players", type=click.IntRange(2, 6), help="Number of seats. Default: the game's usual one.")
@click.option("--private", is_flag=True, help="Do not list the table; one needs its link to come.")
@_shared
@PLAIN
@NO_BELL
def create(words: tuple[str, ...], options: tuple[str, ...], players: int | None, private: bool, **shared: Any) -> None:
    """Make a table of GAME at the server URL (host:port, ws:// or wss://) and go there.

    Without URL: at the server that is set, else at the one used last.
    """
    from client_cli.online import Create

    if len(words) > 2:
        raise click.UsageError("Give a game, and before it a server if it is not the usual one.")
    *urls, game = words
    address = read_server(urls[0] if urls else None, shared["profile"])
    given = read_game(game, players, options)
    visit_server(address, Create(address.url, game, given, players, private), **shared)


@click.command(epilog=SCRIPTS)
@click.argument("url", required=False)
@click.argument("table", required=False)
@click.option("--invitation", metavar="CODE", help="The code of a private table.")
@click.option("--seat", "code", metavar="CODE", help="A code that `seat code` has printed on another device.")
@_shared
@PLAIN
@NO_BELL
def join(url: str | None, table: str | None, invitation: str | None, code: str | None, **shared: Any) -> None:
    """Go to TABLE at the server URL, which may be a link that `create` has printed.

    Without URL: to the server that is set, else to the one used last. Without TABLE: to the one where you were last,
    else to the only public one with a free seat. With a seat code: into your seat at the table of the code.
    """
    from client_cli.online import Join

    address = read_server(url, shared["profile"])
    if code is None:
        named = read_table(address.table if table is None else table)
        visit_server(address, Join(named, read_invitation(invitation or address.invitation)), **shared)
    if table is not None or invitation is not None:
        raise click.UsageError("A seat code names its table, and needs no invitation.")
    visit_server(address, read_seat_code(code), **shared)


@click.command()
@click.argument("url", required=False)
@_shared
def tables(url: str | None, ca: Path | None, name: str | None, profile: str) -> None:
    """List the public tables of the server URL, or of the one that is set, else of the one used last."""
    from client_cli.ending import run_to_end
    from client_cli.lines import run_lines
    from client_cli.online import Tables, opening

    place = opening(read_server(url, profile), Tables(), profile=profile, name=name, authority=ca)
    sys.exit(run_to_end(run_lines(place, reads=False)))


@click.group()
def seat() -> None:
    """Move your seat to another device."""


@seat.command()
@click.argument("url", required=False)
@PROFILE
@CA
def code(url: str | None, profile: str, ca: Path | None) -> None:
    """Print a code that moves the seat that you have at the server URL to another device.

    Without URL it is the server that is set, else the one used last. A client that runs with the same profile stops;
    `seat code`, typed in it, lets it run until the code is used.
    """
    from client_cli.ending import run_to_end
    from client_cli.online import opening
    from client_cli.seat import ask_for_code, have_seat

    sys.exit(run_to_end(ask_for_code(opening(read_server(url, profile), have_seat, profile=profile, authority=ca))))


def read_server(url: str | None, profile: str) -> "Address":
    """Read the address of a server, else take the one that is set or was used last; or complain."""
    from client_cli.start import settings
    from client_cli.state import last_server

    url = url or settings().server or last_server(profile)
    if url is None:
        raise click.UsageError("Name a server: none has been used yet, and `biritch config` shows none.")
    return read_address(url)


def read_seat_code(text: str) -> "Begin":
    """Read a seat code, or complain of the command line."""
    from client_cli.seat import BadSeatCode, take_seat

    try:
        return take_seat(text)
    except BadSeatCode as error:
        raise click.UsageError(str(error)) from None


def read_address(text: str) -> "Address":
    """Read the address of a server, or complain of the command line."""
    from client_cli.address import BadAddress, parse_address

    try:
        return parse_address(text)
    except BadAddress as error:
        raise click.UsageError(str(error)) from None


def read_table(text: str | None) -> str | None:
    """Read the id of a table, if one is given, or complain of the command line."""
    from client_cli.address import is_table

    if text is not None and not is_table(text):
        raise click.UsageError(
            f"{text!r} is no table: its id is of letters, digits, - and _, such as hx4kq2vn7wtb; "
            "it stands behind the # of the link that `biritch create` has printed."
        )
    return text


def read_invitation(text: str | None) -> str | None:
    """Read the code of a private table, if one is given, or complain of the command line."""
    from client_cli.address import is_invitation

    if text is not None and not is_invitation(text):
        raise click.UsageError(f"{text!r} is no invitation: its code stands behind `TABLE:` in the link.")
    return text


def read_game(game: str, players: int | None, options: tuple[str, ...]) -> Any:
    """Read the options of a game, or complain of the command line."""
    from client_cli.house_rules import read_options
    from rules.errors import BadOption

    try:
        return read_options(game, players, options)
    except BadOption as error:
        raise click.UsageError(error.message) from None


def visit_server(
    address: "Address", begin: "Begin", *, ca: Path | None, name: str | None, profile: str, plain: bool, no_bell: bool
) -> NoReturn:
    """Visit a server and exit with the status that comes of it."""
    from client_cli.online import opening
    from client_cli.start import settings, visit

    config = settings(plain=plain, no_bell=no_bell)
    visit(config, opening(address, begin, profile=profile, name=name or config.name, authority=ca), profile)
