"""`biritch-server` as the fault test starts it: in haste, ending itself at a named point, or with a fault of its own.

All of this is put on from outside, by what stands in the environment, so that the server has no hooks for tests.
"""

import logging
import os
import signal
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from server import decide, main, open_table, redis_store, session, snapshot, table, tables, transport
from server import entries as d
from server.clock import StoreClock
from server.decide import Refusal
from server.redis_link import Timing
from server.redis_store import RedisStore
from server.store import Appended, NewEntry
from server.table import Table
from tests.faults.mutants import MUTANTS, put

CRASH, MUTANT, HASTE = "BIRITCH_FAULTS_CRASH", "BIRITCH_FAULTS_MUTANT", "BIRITCH_FAULTS_HASTE"
CRASHED = 70
"""The status of a server that has ended itself."""

CRASH_POINTS = (
    "before-append",
    "after-append",
    "before-answer",
    "after-answer",
    "before-checkpoint",
    "after-checkpoint",
)
"""Those of a checkpoint are about its append, the last before it is folded."""

FORWARD, BACKWARD = signal.SIGUSR1, signal.SIGUSR2
SHIFT_S = 5 * 3600.0

LEAST_WAIT_S = 0.5
"""On a busy machine a store may take so long to answer, without being away."""

_log = logging.getLogger("biritch.faults")


# --- haste


def away_s(haste: float) -> float:
    """Return after how long the others need not wait for a player: less than a process is frozen."""
    return decide.AWAY_S / (5 * haste)


def make_haste(factor: float) -> None:
    """Shorten the times after which a process, connection, store or player that is silent is looked after.

    Checkpoints come sooner, too.
    """
    put(tables, "PRESENCE_TTL_S", tables.PRESENCE_TTL_S / factor)
    put(tables, "PATROL_S", tables.PATROL_S / factor)
    put(table, "CHECKPOINT_EVERY", round(table.CHECKPOINT_EVERY / (5 * factor)))
    put(decide, "AWAY_S", away_s(factor))
    limits, line = transport.Limits(), Timing()
    put(transport, "Limits", partial(transport.Limits, ping_s=limits.ping_s / factor, pong_s=limits.pong_s / factor))
    shorter = Timing(
        connect_s=max(LEAST_WAIT_S, line.connect_s / factor),
        answer_s=max(LEAST_WAIT_S, line.answer_s / factor),
        beat_s=line.beat_s / factor,
        silent_s=line.silent_s / factor,
    )
    put(redis_store, "Timing", lambda: shorter)


# --- its clock


def let_clock_be_shifted() -> None:
    """Go by clocks that a signal sets on or back by hours: the wall's, and that by which the store's is carried on."""
    ahead = [0.0]
    wall_s, wall_ns = time.time, time.time_ns

    def shift(number: int, frame: object) -> None:
        ahead[0] += SHIFT_S if number == FORWARD else -SHIFT_S

    put(time, "time", lambda: wall_s() + ahead[0])
    put(time, "time_ns", lambda: wall_ns() + round(ahead[0] * 1e9))
    put(tables, "StoreClock", lambda monotonic: StoreClock(lambda: monotonic() + ahead[0]))
    for number in (FORWARD, BACKWARD):
        signal.signal(number, shift)


# --- what it has folded


def log_checkpoints() -> None:
    """Log what each checkpoint comes to in this process, to be compared with others."""

    def logged(table: Table) -> d.Checkpoint:
        checkpoint = snapshot.take(table)
        where = f"{table.id} {table.head.number} {table.head.id}"
        _log.info("process %d at %s comes to %s", os.getpid(), where, checkpoint.digest)
        return checkpoint

    put(open_table, "take", logged)


# --- crash points


def crash_at(point: str, times: int) -> None:
    """End the process without warning when it comes to a point for the n-th time."""
    assert point in CRASH_POINTS, point
    left = [times]

    def pass_by(*points: str) -> None:
        if point in points:
            left[0] -= 1
            if left[0] == 0:
                os._exit(CRASHED)

    append, answer = RedisStore.append, session.Session._answer

    async def crashing_append(
        self: RedisStore, table: str, after: object, entries: Sequence[NewEntry], *further: Any, **named: Any
    ) -> object:
        what = ["append"]
        if any(isinstance(d.decode(entry.data).deed, d.Checkpoint) for entry in entries):
            what.append("checkpoint")
        pass_by(*(f"before-{name}" for name in what))
        result = await append(self, table, after, entries, *further, **named)  # type: ignore[arg-type]
        if isinstance(result, Appended):
            pass_by(*(f"after-{name}" for name in what))
        return result

    def crashing_answer(self: session.Session, id: int, what: int | Refusal) -> None:
        if isinstance(what, Refusal) or what == 0:
            return answer(self, id, what)
        pass_by("before-answer")
        answer(self, id, what)
        pass_by("after-answer")

    put(RedisStore, "append", crashing_append)
    put(session.Session, "_answer", crashing_answer)


def prepare() -> None:
    """Put on what the environment asks for."""
    make_haste(float(os.environ.get(HASTE, "1")))
    let_clock_be_shifted()
    log_checkpoints()
    if mutant := os.environ.get(MUTANT):
        MUTANTS[mutant]()
    if crash := os.environ.get(CRASH):
        point, _, times = crash.partition(":")
        crash_at(point, int(times))


if __name__ == "__main__":
    prepare()
    main.main()
