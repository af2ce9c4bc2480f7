"""`biritch replay`: play deal records again, recompute their scores and report what is wrong in them."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

import click

from client_cli.diagram import deal_lines, score_lines
from client_cli.record_lines import (
    Line,
    Record,
    Unreadable,
    complaint,
    lines_of,
    open_file,
    parse_line,
    shortened,
    summary,
)
from client_cli.signs import LETTERS, SYMBOLS, Signs
from rules.errors import BadRecord
from rules.game import AnyGame
from rules.record import filled
from rules.replay import Replayed, play_again
from rules.scoresheet import Result, standing_numbers

Form = Callable[[Record, Replayed], str]


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Write each record with its score filled in, one to a line.")
@click.option("--full", is_flag=True, help="Write whole deals: hands, auction, tricks and score.")
@click.option("--ascii", "only_ascii", is_flag=True, help="Write suits as letters.")
def replay(files: tuple[str, ...], as_json: bool, full: bool, only_ascii: bool) -> None:
    """Play the deals in FILE again and check their scores; `-` reads from standard input.

    A FILE holds one deal record on each line. A record that is wrong is reported with its file, its line and its first
    illegal action, and the others are still done; the exit status is then 1.
    """
    if as_json and full:
        raise click.UsageError("--json and --full are two forms of output: give one of them.")
    suits = LETTERS if only_ascii or not _writes_symbols() else SYMBOLS
    form: Form = _text_form(full, suits)
    if as_json:
        form = _json_form
    all_right = True
    with ExitStack() as stack:
        screen = _Screen(stack, files)
        for name in files:
            all_right &= _replay_file(name, form, as_json, screen)
    # Here, and not when Python ends, so that a closed pipe is met where click ends quietly.
    sys.stdout.flush()
    if not all_right:
        raise click.exceptions.Exit(1)


# --- one record


def _replay_file(name: str, form: Form, as_json: bool, screen: "_Screen") -> bool:
    """Do every record of a file; say whether all were right."""
    all_right = True
    try:
        for line in _lines(name):
            if line.content.strip():
                all_right &= _replay_line(name, line, form, as_json, screen)
            screen.advance(line.size)
    except Unreadable as error:
        screen.complain(f"{name}: {error}")
        return False
    return all_right


def _lines(name: str) -> Iterator[Line]:
    if name == "-":
        yield from lines_of(sys.stdin.buffer)
    else:
        with open_file(name) as file:
            yield from lines_of(file)


def _replay_line(name: str, line: Line, form: Form, as_json: bool, screen: "_Screen") -> bool:
    record: Record = {}
    try:
        record = parse_line(line)
        text = form(record, play_again(record))
    except BadRecord as error:
        screen.complain(f"{name}:{line.number}: {complaint(record, error)}")
        if as_json:
            sys.stdout.write(_error_json(record, error))
        return False
    sys.stdout.write(text)
    return True


def _error_json(record: Record, error: BadRecord) -> str:
    what = {"code": error.code, "message": error.message, "list": error.list, "index": error.index}
    return json.dumps({"id": record.get("id"), "error": what}) + "\n"


# --- forms of output


def _json_form(record: Record, replayed: Replayed) -> str:
    try:
        # ASCII alone: a record goes through any pipe and terminal unharmed, whatever names it holds.
        return json.dumps(filled(record, replayed)) + "\n"
    except RecursionError:
        raise BadRecord("bad_record", "The record is nested too deeply.") from None


def _text_form(full: bool, suits: Signs) -> Form:
    def form(record: Record, replayed: Replayed) -> str:
        filled(record, replayed)
        lines = [_printable(f"{record.get('id', 'deal')}: {summary(replayed, suits)}")]
        result = replayed.state.result
        if full:
            lines += ["", *deal_lines(replayed.game, replayed.events, suits)]
            lines += [*(_over_lines(replayed.game, result) if result is not None else ()), ""]
        elif result is not None:
            lines += [f"  {line}" for line in _result_lines(replayed.game, result, suits)]
        return "".join(f"{line}\n" for line in lines)

    return form


def _result_lines(game: AnyGame, result: Result, suits: Signs) -> list[str]:
    after = standing_numbers(result.standing, game.sides)
    columns = [f"{name} {' '.join(f'{side} {number}' for side, number in after[name].items())}" for name in after]
    return [*score_lines(game.sides, result.lines, suits), f"after: {', '.join(columns)}", *_over_lines(game, result)]


def _over_lines(game: AnyGame, result: Result) -> list[str]:
    """Say that the rubber or game is over, where it is."""
    if not result.over:
        return []
    return ["over" if result.winner is None else f"over, won by {game.sides[result.winner].name}"]


def _writes_symbols() -> bool:
    try:
        "".join(SYMBOLS.suits.values()).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _printable(text: str) -> str:
    """Escape what a record could do to a terminal, and what the terminal's encoding lacks."""
    safe = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
    return safe.encode(sys.stdout.encoding or "ascii", "backslashreplace").decode(sys.stdout.encoding or "ascii")


# --- standard error


class _Screen:
    """Complaints on standard error, and a progress bar there if it is a terminal that the output does not go to."""

    def __init__(self, stack: ExitStack, files: Sequence[str]) -> None:
        shown = sys.stderr.isatty() and not sys.stdout.isatty() and all(map(os.path.isfile, files))
        total = sum(map(os.path.getsize, files)) if shown else 0
        # Drawn a few hundred times at most: drawing costs as much as a deal.
        bar = click.progressbar(length=total, file=sys.stderr, update_min_steps=max(1, total // 400))
        self._bar = stack.enter_context(bar) if shown else None

    def advance(self, size: int) -> None:
        if self._bar is not None:
            self._bar.update(size)

    def complain(self, text: str) -> None:
        text = shortened(_printable(text))
        click.echo(("\r\x1b[K" if self._bar is not None else "") + text, err=True)
