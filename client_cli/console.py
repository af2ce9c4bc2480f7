"""Where the lines go: standard output, with suit signs and colour if it is a terminal that can show them."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from typing import TextIO

from client_cli.signs import LETTERS, SYMBOLS, Signs

PROMPT = "> "

_RED = re.compile(r"[♥♦](?:10|1[1-3]|[2-9AKQJ](?=\b|\s|,))?")


class Console:
    """Standard output. `typed` gives what stands on the input line now, None if nobody is being asked to type.

    With `letters` there are neither suit signs nor colour, whatever the terminal can show.
    """

    def __init__(self, out: TextIO | None = None, *, bell: bool = True, letters: bool = False) -> None:
        self._out = sys.stdout if out is None else out
        self.terminal = self._out.isatty()
        plain = letters or not self.terminal or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        self.colour = not plain and _can_write(self._out, "".join(SYMBOLS.suits.values()))
        self.signs: Signs = SYMBOLS if self.colour else LETTERS
        self.typed: Callable[[], str | None] = lambda: None
        self._bell = bell and self.terminal

    def say(self, *lines: str) -> None:
        """Print lines; what is being typed moves below them."""
        text = "".join(f"{self._painted(line)}\n" for line in lines)
        typed = self.typed() if self.terminal else None
        if typed is not None:
            text = f"\r\x1b[K{text}{PROMPT}{typed}"
        self._out.write(text)
        self._out.flush()

    def complain(self, sentence: str) -> None:
        """Say on standard error why nothing comes of it."""
        sys.stderr.write(f"{printable(sentence)}\n")

    def alert(self) -> None:
        """Ring the bell of a terminal, unless it has been silenced."""
        if self._bell:
            self._out.write("\a")
            self._out.flush()

    def end_line(self) -> None:
        """Leave the input line, so that what comes next begins a line of its own."""
        if self.terminal and self.typed() is not None:
            self._out.write("\r\x1b[K")
            self._out.flush()

    def _painted(self, line: str) -> str:
        shown = printable(line)
        if self.colour:
            shown = _RED.sub("\x1b[31m\\g<0>\x1b[0m", shown)
            return f"\x1b[1m{shown}\x1b[0m" if shown.startswith(">> ") else shown
        return (
            "".join(_LETTERS.get(sign, sign) for sign in shown)
            .encode(_encoding(self._out), "replace")
            .decode(_encoding(self._out))
        )


_LETTERS = {"×": "x", "–": "-"}


def printable(text: str, keep: str = "") -> str:
    """Take out what could do something to a terminal: names and talk come from others."""
    return "".join(sign if sign.isprintable() or sign in keep else "?" for sign in text)


def _encoding(out: TextIO) -> str:
    return out.encoding or "ascii"


def _can_write(out: TextIO, text: str) -> bool:
    try:
        text.encode(_encoding(out))
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def say_all(console: Console, lines: Iterable[str]) -> None:
    """Print lines, none if there are none."""
    listed = list(lines)
    if listed:
        console.say(*listed)
