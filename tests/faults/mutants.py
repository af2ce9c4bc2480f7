"""Faults that a server may be given, and that the checks have to find."""

from collections.abc import Callable
from typing import Any

from server import redis_store, render
from server.decide import Asked, Refusal, Repeated, decide
from server.open_table import Job, OpenTable
from server.redis_pipe import script_sha
from server.table import Table


def put(owner: object, name: str, value: object) -> None:
    """Replace something of the server's."""
    assert hasattr(owner, name), f"{owner} has no {name} any more"
    setattr(owner, name, value)


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
