"""Running a coroutine to its end, however the end comes: by itself, by a signal, or since nobody reads any more."""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import suppress

_ENDING = ("SIGTERM", "SIGHUP")


def run_to_end(work: Coroutine[object, object, int]) -> int:
    """Return the exit status of the work; a signal cancels it, so that what it has begun is put away in order."""
    try:
        return asyncio.run(_with_signals(work))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # Standard output has no reader: Python would try to flush it once more, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


async def _with_signals(work: Coroutine[object, object, int]) -> int:
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    came: list[int] = []

    def end(number: int) -> None:
        came.append(number)
        task.cancel()

    for name in _ENDING:
        with suppress(AttributeError, NotImplementedError, ValueError):  # not on every system
            number = getattr(signal, name)
            loop.add_signal_handler(number, end, number)
    try:
        status = await task
    except asyncio.CancelledError:
        if not came:
            raise
        status = 0
    return 128 + came[0] if came else status
