"""When a lost connection is tried again."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 5.0
STEADY_S = 10.0
"""A connection that held so long is not to blame: the next one is tried at once and the delays begin anew."""


@dataclass(slots=True)
class Pace:
    """When to try again: at once, then after delays that double up to a limit, each shortened by chance.

    `sleep`, `now` and `chance` (a number from 0 to 1) are the outside world. After `give_up_s` without a connection
    the link ends; None never does.
    """

    give_up_s: float | None = None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random
    tries: int = field(default=0, init=False)

    def delay(self) -> float:
        """Return how long to wait before the next try, in seconds."""
        self.tries += 1
        if self.tries == 1:
            return 0.0
        longest = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** (self.tries - 2))
        return longest * (0.5 + 0.5 * self.chance())
