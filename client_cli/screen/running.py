"""Running a program on the whole screen for as long as there is somebody to see it."""

import asyncio
import signal
import sys
import termios

from textual.app import App

LOOK_S = 2.0
"""So often, in seconds, it is looked whether there still is a terminal."""


async def run_app(app: App[int]) -> int:
    """Run a program and return its status; a terminal that is gone ends it as the signal would that says so."""
    shown, gone = asyncio.ensure_future(app.run_async()), asyncio.create_task(_hung_up())
    try:
        await asyncio.wait({shown, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not shown.done():
            signal.raise_signal(signal.SIGHUP)
        await shown
    finally:
        gone.cancel()
        shown.cancel()
        await asyncio.gather(shown, gone, return_exceptions=True)
    return app.return_value or 0


async def _hung_up() -> None:
    """Return when the terminal is gone, its window closed or the line to it broken, and no signal came of it."""
    while True:
        # Nothing tells of it: Textual reads the terminal in a thread, and passes over the end of what can be read.
        await asyncio.sleep(LOOK_S)
        try:
            termios.tcgetattr(sys.stdin.fileno())
        except (termios.error, OSError, ValueError):
            return
