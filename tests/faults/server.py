"""`biritch-server` as the fault test starts it: in haste, ending itself at a named point, or with a fault of its own.

All of this is put on from outside, by what stands in the environment, so that the server has no hooks for tests.
"""

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from server import main, redis_store, render, session, tables, transport
from server.decide import Asked, Refusal, Repeated, decide
from server.open_table import Job, OpenTable
from server.redis_pipe import script_sha
from server.redis_store import RedisStore
from server.store import Appended
from server.table import Table

CRASH, MUTANT, HASTE = "BIRITCH_FAULTS_CRASH", "BIRITCH_FAULTS_MUTANT", "BIRITCH_FAULTS_HASTE"
CRASHED = 70
"""The status of a server that has ended itself."""

CRASH_POINTS = ("before-append", "after-append", "before-answer", "after-answer")


def put(owner: object, name: str, value: object) -> None:
    """Replace something of the server's."""
    assert hasattr(owner, name), f"{owner} has no {name} any more"
    setattr(owner, name, value)


def make_haste(factor: float) -> None:
    """Shorten the times after which a silent process, connection or table is looked after."""
    put(tables, "PRESENCE_TTL_S", tables.PRESENCE_TTL_S / factor)
    put(tables, "PATROL_S", tables.PATROL_S / factor)
    limits = transport.Limits()
    put(transport, "Limits", partial(transport.Limits, ping_s=limits.ping_s / factor, pong_s=limits.pong_s / factor))


# --- crash points


def crash_at(point: str, times: int) -> None:
    """End the process without warning when it comes to a point for the n-th time."""
    assert point in CRASH_POINTS, point
    left = [times]

    def pass_by(now: str) -> None:
        if now == point:
            left[0] -= 1
            if left[0] == 0:
                os._exit(CRASHED)

    append, answer = RedisStore.append, session.Session._answer

    async def crashing_append(self: RedisStore, *arguments: Any, **named: Any) -> object:
        pass_by("before-append")
        result = await append(self, *arguments, **named)
        if isinstance(result, Appended):
            pass_by("after-append")
        return result

    def crashing_answer(self: session.Session, id: int, what: int | Refusal) -> None:
        if isinstance(what, Refusal) or what == 0:
            return answer(self, id, what)
        pass_by("before-answer")
        answer(self, id, what)
        pass_by("after-answer")

    put(RedisStore, "append", crashing_append)
    put(session.Session, "_answer", crashing_answer)


# --- mutants: faults that the checks have to find


def check_no_entry_id() -> None:
    """Append behind the number alone, whatever entry stands there."""
    sound = redis_store._APPEND
    unsound = sound.replace(" or id_of(at) ~= after_id", "")
    assert sound != unsound, "the script checks the id in another way now"
    put(redis_store, "_APPEND", unsound)
    put(redis_store, "_APPEND_SHA", script_sha(unsound))


def remember_no_commands() -> None:
    """Forget each command as soon as it is done."""
    fold = Table.fold

    def forgetful(self: Table, *arguments: Any) -> object:
        happened = fold(self, *arguments)
        for member in self.members.values():
            member.answers.clear()
            member.last_command = 0
        return happened

    put(Table, "fold", forgetful)


def answer_before_append() -> None:
    """Answer a command as soon as it is decided."""
    do = OpenTable._do

    async def hasty(self: OpenTable, job: Job) -> None:
        if isinstance(job.given, Asked) and job.answer is not None:
            decision = decide(self.table, job.given, self._now())
            if not isinstance(decision, Refusal | Repeated):
                job.answer(self.table.head.number + 1)
                job = Job(job.given, lambda _: None)
        await do(self, job)

    put(OpenTable, "_do", hasty)


def tell_all() -> None:
    """Tell everybody of everything, hidden cards and all."""
    put(render, "redact", lambda event, seat: event)


MUTANTS: dict[str, Callable[[], None]] = {
    "no-entry-id": check_no_entry_id,
    "no-remembered-ids": remember_no_commands,
    "answer-before-append": answer_before_append,
    "tell-all": tell_all,
}


def prepare() -> None:
    """Put on what the environment asks for."""
    make_haste(float(os.environ.get(HASTE, "1")))
    if mutant := os.environ.get(MUTANT):
        MUTANTS[mutant]()
    if crash := os.environ.get(CRASH):
        point, _, times = crash.partition(":")
        crash_at(point, int(times))


if __name__ == "__main__":
    prepare()
    main.main()
