"""Where the lines come from: a terminal with line editing, or a pipe that holds a script.

A thread reads, since a terminal can only be waited for; it is a daemon, so that it never holds up the end.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from client_cli.console import PROMPT, Console

CHUNK_BYTES = 4096


class Source:
    """Lines of standard input, without their ends; None when there are no more. `scripted` if it is no terminal."""

    def __init__(self, console: Console) -> None:
        self.scripted = not (sys.stdin is not None and sys.stdin.isatty())
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._asking = False
        self._terminal_was: list[Any] | None = None
        if not self.scripted:
            self._terminal_was = _terminal_settings()
            console.typed = self._typed
        threading.Thread(target=self._read, name="input", daemon=True).start()

    async def next(self) -> str | None:
        """Return the next line."""
        return await self._lines.get()

    def close(self) -> None:
        """Give the terminal back as it was: line editing, which is not ended in its thread, had changed it."""
        if self._terminal_was is not None:
            import termios

            with suppress(termios.error, ValueError, OSError):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._terminal_was)

    def _read(self) -> None:
        with suppress(RuntimeError):  # the loop has ended, and nobody asks for lines any more
            for line in _piped() if self.scripted else self._edited():
                self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
            self._loop.call_soon_threadsafe(self._lines.put_nowait, None)

    def _edited(self) -> Iterator[str]:
        with suppress(ImportError):
            import readline  # noqa: F401  # from now on `input` edits lines and remembers them
        while True:
            self._asking = True
            try:
                line = input(PROMPT)
            except (EOFError, OSError, ValueError):
                return
            finally:
                self._asking = False
            yield line

    def _typed(self) -> str | None:
        if not self._asking:
            return None
        try:
            import readline
        except ImportError:
            return ""
        return readline.get_line_buffer()


def _piped() -> Iterator[str]:
    """Read lines by the system's own call: a thread that is stuck in `sys.stdin` would spoil the end of the program."""
    rest = b""
    with suppress(OSError, AttributeError, ValueError):  # standard input may be closed, or missing altogether
        number = sys.stdin.fileno()
        while chunk := os.read(number, CHUNK_BYTES):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from (line.decode(errors="replace").rstrip("\r") for line in lines)
    if rest:
        yield rest.decode(errors="replace")


def _terminal_settings() -> list[Any] | None:
    try:
        import termios

        return termios.tcgetattr(sys.stdin.fileno())
    except (ImportError, OSError, ValueError):
        return None
