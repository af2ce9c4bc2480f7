"""The store's clock as a process knows it between two looks at it."""

from collections.abc import Callable


class StoreClock:
    """The store's time in seconds, carried on by a monotonic clock of this process."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._ahead = 0.0

    def set(self, store_s: float) -> None:
        """Take over what the store's clock says now."""
        self._ahead = store_s - self._monotonic()

    def now(self) -> float:
        return self._monotonic() + self._ahead
