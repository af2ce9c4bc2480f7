"""A terminal of a given size with a program in it: what is typed, what the screen shows."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from types import TracebackType

import psutil
import pyte
import pytest

WITHIN_S = 100


class Terminal:
    """A program at a terminal. `seen` is all that it has written; `text` what its screen shows now."""

    def __init__(self, command: Sequence[str], environment: dict[str, str], size: tuple[int, int] = (80, 24)) -> None:
        columns, rows = size
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            # Tests that are run in the background ignore it, and so would what they start.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(theirs)
        self._open = True
        self.seen = ""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End the program, if a test has failed before its end; what it has started ends with it."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.end()

    @property
    def text(self) -> str:
        """Return what the screen shows, line by line."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def sees(self, text: str) -> None:
        """Read until this has been written."""
        self.until(lambda: text in self.seen)

    def shows(self, text: str) -> None:
        """Read until the screen shows this."""
        self.until(lambda: text in self.text)

    def until(self, condition: Callable[[], bool]) -> None:
        """Read until a condition holds."""
        end = time.monotonic() + WITHIN_S  # a clock that is shown goes on, whatever else stands still
        while not condition():
            if not self._read():
                pytest.fail(f"the program has ended, after:\n{self.text}")
            if time.monotonic() > end:
                pytest.fail(f"it did not come within {WITHIN_S} s; the screen shows:\n{self.text}")

    def types(self, text: str) -> None:
        """Press these keys."""
        os.write(self._ours, text.encode())

    def hang_up(self) -> None:
        """Take the terminal away."""
        self._open = False
        os.close(self._ours)

    def end(self) -> int:
        """Return the exit status when the program has ended."""
        while self._open:
            self._read()
        return self.process.wait(WITHIN_S)

    def programs(self) -> list[psutil.Process]:
        """Return what the program has started: a server and its store."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def _read(self) -> bool:
        """Take what is written next; False when the program has ended."""
        if self._open and not select.select([self._ours], [], [], WITHIN_S)[0]:
            self.process.kill()
            pytest.fail(f"nothing more was written for {WITHIN_S} s, after:\n{self.seen[-4000:]}\n{self.text}")
        more = self._take()
        self.seen += more.decode(errors="replace")
        self._stream.feed(more)
        return self._open

    def _take(self) -> bytes:
        more = b""
        if self._open:
            try:
                more = os.read(self._ours, 65536)
            except OSError:  # so Linux says that nobody has the terminal open any more
                more = b""
        if not more and self._open:
            self._open = False
            os.close(self._ours)
        return more
