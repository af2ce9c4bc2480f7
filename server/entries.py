"""What a table's log holds: what was accepted, by whom, as the answer to which command.

Folding the entries in order is the only way to a table's state. An entry never changes its meaning: a new meaning is a
new deed or a new version.
"""

from typing import get_args

import msgspec
from msgspec import Struct

VERSION = 1
"""The version of entries that this program writes, and the highest that it reads."""


class UnknownEntry(Exception):
    """An entry of a later version, or none at all: the table has to be left alone."""


class Deed(Struct, tag_field="deed", omit_defaults=True):
    """What was done. Players are named by their public ids, seats by number."""


class TableOpened(Deed):
    """The table was made. `rules` is the version of the laws; only a hash of the invitation code is kept."""

    game: str
    players: int
    options: dict[str, str | int | bool]
    rules: int
    invitation: str | None = None


class Arrived(Deed):
    """A player has come, or come back, by a connection of a process."""

    player: str
    name: str
    process: str
    connection: str


class Dropped(Deed):
    """A player's connection is gone."""

    player: str
    connection: str
    reason: str


class Left(Deed):
    """A player has gone away for good."""

    player: str


class Renamed(Deed):
    player: str
    name: str


class SatDown(Deed):
    player: str
    seat: int


class StoodUp(Deed):
    player: str


class SeatCodeMade(Deed):
    """A code was made that moves this seat; only its `hash` is kept. It is good until the store's time `until`."""

    seat: int
    hash: str
    until: float


class SeatMoved(Deed):
    """A seat code has moved the seat of the `former` player, who is gone by that, to a player at the table."""

    former: str
    player: str


class BotSeated(Deed):
    seat: int


class BotRemoved(Deed):
    seat: int


class Agreed(Deed):
    """The seat agrees that the next deal, or another rubber, begins."""

    seat: int


class DealBegun(Deed):
    """The next deal was shuffled from this seed; who deals follows from the table."""

    seed: bytes


class Voided(Deed):
    """The deal in progress counts for nothing: the log had gone back, and players may have seen more than it knows."""


class Called(Deed):
    """The seat to act has called; the text is that of a record."""

    call: str


class Played(Deed):
    card: str


class Discarded(Deed):
    cards: list[str]


class PartnersCalled(Deed):
    seats: list[int]


class JokerNamed(Deed):
    suit: str | None = None


Act = Called | Played | Discarded | PartnersCalled | JokerNamed
"""The deeds that are actions of a deal."""


class Checkpoint(Deed):
    """The table's state as it was before this entry, so that a log can be read from here. Nothing has happened.

    `state` is a snapshot, and `digest` its SHA-256 in hexadecimal: whoever folds the log compares.
    """

    state: bytes
    digest: str


class Resumed(Deed):
    """Somebody is about to come to a table where nobody was: what ran meanwhile begins to run now."""


class Ended(Deed):
    reason: str


AnyDeed = (
    TableOpened
    | Arrived
    | Dropped
    | Left
    | Renamed
    | SatDown
    | StoodUp
    | SeatCodeMade
    | SeatMoved
    | BotSeated
    | BotRemoved
    | Agreed
    | DealBegun
    | Voided
    | Called
    | Played
    | Discarded
    | PartnersCalled
    | JokerNamed
    | Checkpoint
    | Resumed
    | Ended
)


class Entry(Struct, array_like=True):
    """One entry: its version, who did it (a player's id, `bot` or `clock`), the command's id or 0, the deed."""

    version: int
    by: str
    command: int
    deed: AnyDeed


def entry(by: str, deed: Deed, command: int = 0) -> Entry:
    """Make an entry of this program's version."""
    assert isinstance(deed, get_args(AnyDeed)), deed
    return Entry(VERSION, by, command, deed)


encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Entry).decode


def decode(data: bytes) -> Entry:
    """Read an entry. Raises UnknownEntry for one of a later version, or for bytes that are none."""
    try:
        read = _decode(data)
    except msgspec.MsgspecError as error:
        raise UnknownEntry(f"The table's log holds an entry that this server cannot read: {error}.") from None
    if read.version > VERSION:
        raise UnknownEntry(f"The table's log was written by a later server (entries of version {read.version}).")
    return read
