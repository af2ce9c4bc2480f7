"""When each table acts, and how long it takes until the last of its four has heard."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Slice:
    """A stretch of time under load; times are those of the event loop, in seconds.

    Each table acts every `interval_s`; at 0 as soon as all four have heard of its last action.
    """

    begin: float
    end: float
    interval_s: float
    latencies_s: list[float] = field(default_factory=list)


class Pacer:
    """Makes one table act. `act` acts if it can, and says whether it did; `now` tells the time of the event loop."""

    def __init__(self, act: Callable[[], bool], now: Callable[[], float]) -> None:
        self.slice = Slice(0, 0, 0)
        self._act, self._now = act, now
        self._next = 0.0
        self._owed: deque[float] = deque()
        self._began: float | None = None
        self._rested = asyncio.Event()

    async def run(self, slice_: Slice, offset: float) -> None:
        """Act through a slice; `offset` is a part of the interval, so that not all tables act at once."""
        self.begin(slice_, offset)
        while self._next < slice_.end:
            await asyncio.sleep(self._next - self._now())  # the pace itself: until it is due
            self.due()
        await asyncio.sleep(slice_.end - self._now())  # the slice lasts as long as was asked
        self._owed.clear()
        if self._began is not None:
            await self._rested.wait()

    def begin(self, slice_: Slice, offset: float) -> None:
        self.slice = slice_
        self._rested.clear()
        self._next = slice_.begin + offset * slice_.interval_s

    def due(self) -> None:
        """Owe an action, and act if nothing is under way."""
        # One that is held up by the one before it counts from when it was due: a slow server must not be asked less.
        self._owed.append(self._next if self._began is not None else self._now())
        self._next = self._next + self.slice.interval_s if self.slice.interval_s else self.slice.end
        self.may_act()

    def may_act(self) -> None:
        """Act now if something is owed and nothing is under way."""
        if self._owed and self._began is None and self._act():
            self._began = self._owed.popleft()

    def not_before(self) -> None:
        """Let what is owed count from now: the table itself was not ready, as between two deals."""
        now = self._now()
        self._owed = deque(max(due, now) for due in self._owed)

    def heard_by_all(self) -> None:
        """Take note that the action under way has reached all four."""
        assert self._began is not None, "an action is under way"
        now = self._now()
        self.slice.latencies_s.append(now - self._began)
        self._began = None
        if now >= self.slice.end:
            self._rested.set()
            return
        if not self.slice.interval_s:
            self._owed.append(now)
        self.may_act()
