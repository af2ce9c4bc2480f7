"""What a link has to say of itself, beside what the server says."""

from dataclasses import dataclass

from protocol import messages as m


@dataclass(frozen=True, slots=True)
class Dropped:
    """The connection is gone; a new one is being tried."""

    reason: str


@dataclass(frozen=True, slots=True)
class Returned:
    """There is a connection again, and the table is as it is now."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """There is no table any more: it was left, or the server does not know it, or the player; `what` says so."""

    what: str


@dataclass(frozen=True, slots=True)
class Ended:
    """There will be no more connection. `code` is the exit status that fits."""

    reason: str
    code: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """The answer to a command that was under way when the connection broke: nobody can tell whether it was done."""

    id: int


News = Dropped | Returned | Forgotten
Answer = m.Accepted | m.Rejected | Unknown
