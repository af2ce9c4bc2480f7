"""`biritch play`: a server of one's own, a seat among bots; or bots that play while nobody watches."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from client_cli.choices import NAME, NO_BELL, OPTIONS, PLAIN, games
from client_cli.commands import SCRIPTS, read_game

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from client_cli.house_rules import Chosen
    from client_cli.place import Opening, Place


@click.command(epilog=SCRIPTS)
@click.option(
    "--game",
    help="Which game to play. At a terminal you are asked, unless one is unfinished.",
    shell_complete=games,
)
@OPTIONS
@click.option("--players", type=click.IntRange(2, 6), help="Number of seats. Default: the game's usual one.")
@NAME
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the server's store. Default: in the user's data folder.",
)
@click.option("--new", is_flag=True, help="Begin a new rubber, even if one is unfinished.")
@click.option("--bots-only", is_flag=True, help="Let bots play each game to its end and print it.")
@PLAIN
@NO_BELL
def play(
    game: str | None,
    options: tuple[str, ...],
    players: int | None,
    name: str | None,
    data: Path | None,
    new: bool,
    bots_only: bool,
    plain: bool,
    no_bell: bool,
) -> None:
    """Play against bots, with a server of your own that is stopped at the end.

    A rubber that you leave unfinished goes on the next time. Where standard output is no terminal, and with
    --bots-only, bots play a whole rubber of every game, or of the one that --game names, and each deal is printed; by
    its option `session` Vint has three rubbers, in which the partners change.
    """
    from client_cli.start import settings, visit

    chosen = _chosen(game, players, options)
    data = data.absolute() if data is not None else None
    if bots_only or not sys.stdout.isatty():
        _watch(chosen, data)
    config = settings(plain=plain, no_bell=no_bell)
    visit(config, _own_place(chosen, data, name or config.name, new))


def _watch(chosen: "Chosen | None", data: Path | None) -> NoReturn:
    from client_cli.alone import watch_bots
    from client_cli.ending import run_to_end
    from client_cli.house_rules import every_game

    sys.exit(run_to_end(watch_bots(every_game() if chosen is None else [chosen], data)))


def _own_place(chosen: "Chosen | None", data: Path | None, name: str | None, new: bool) -> "Opening":
    """Return what opens a server of one's own; what that needs is loaded then, behind the first screen."""

    def open_place() -> "AbstractAsyncContextManager[Place]":
        from client_cli.alone import opening

        return opening(chosen, data, name=name, new=new)()

    return open_place


def _chosen(game: str | None, players: int | None, options: tuple[str, ...]) -> "Chosen | None":
    """Return the game that the command line names: options without a game are those of the usual one."""
    if game is None and players is None and not options:
        return None
    from client_cli.house_rules import DEFAULT, Chosen
    from rules.registry import GAMES

    game = game or DEFAULT
    given = read_game(game, players, options)
    if game not in GAMES:
        raise click.UsageError(f"There is no game {game!r}. The games are: {', '.join(GAMES)}.")
    return Chosen(game, given, players)
