"""Whether a screen that came by itself could be seen before a key was pressed, or the key was meant for another one."""

import time
from collections.abc import Callable
from typing import Any

from textual.screen import Screen

SEEN_S = 0.6
"""So long after it is drawn a screen counts as seen: longer than between two presses of one key, or than it takes to
notice and not to press."""


class Sight:
    """The sight of a screen, from when it is drawn. `now` is a clock in seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._drawn_at: float | None = None

    def begin(self, screen: Screen[Any]) -> None:
        """Watch for the screen, which is being mounted, to be drawn; when it has been seen, its keys are shown."""
        screen.call_after_refresh(self._drawn, screen)

    def _drawn(self, screen: Screen[Any]) -> None:
        self._drawn_at = self._now()
        screen.set_timer(SEEN_S, screen.refresh_bindings)

    @property
    def seen(self) -> bool:
        return self._drawn_at is not None and self._now() - self._drawn_at >= SEEN_S
