"""`biritch browse`: step through the deals of record files on the whole screen."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import click
from msgspec import structs

from client_cli.ending import run_to_end
from client_cli.shelf import FileDeals
from client_cli.start import fills_screen, settings

NO_SCREEN = "It needs a terminal; `biritch replay --full FILE` prints the deals."


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--ascii", "only_ascii", is_flag=True, help="Write suits as letters, and nothing outside ASCII.")
def browse(files: tuple[str, ...], only_ascii: bool) -> None:
    """Step through the deals in FILE, card by card, on the whole screen; `-` reads from standard input.

    A FILE holds one deal record on each line. It is read only as far as it is looked at, so that its size does not
    matter. What is wrong with a record is said in its place.
    """
    config = settings()
    config = structs.replace(config, ascii=config.ascii or only_ascii)
    with _typed_elsewhere("-" in files) as piped:
        if not fills_screen(config):
            raise click.UsageError(NO_SCREEN)
        shelf = FileDeals(files, {"-": piped})
        if not shelf.readable():
            for place in range(len(shelf)):
                click.echo(shelf[place].wrong, err=True)
            raise click.exceptions.Exit(1)
        from client_cli.screen.browser import BrowserApp
        from client_cli.screen.running import run_app

        sys.exit(run_to_end(run_app(BrowserApp(shelf, config))))


@contextmanager
def _typed_elsewhere(piped: bool) -> Iterator[str]:
    """Keep what comes from standard input, if anything does, in a file; keys then come from the terminal itself.

    Returns the path of the file.
    """
    if not piped or sys.stdin.isatty():
        yield "-"
        return
    with tempfile.NamedTemporaryFile() as kept:
        shutil.copyfileobj(sys.stdin.buffer, kept)
        kept.flush()
        try:
            terminal = os.open("/dev/tty", os.O_RDWR)
        except OSError:
            raise click.UsageError(NO_SCREEN) from None
        os.dup2(terminal, sys.stdin.fileno())
        os.close(terminal)
        yield kept.name
