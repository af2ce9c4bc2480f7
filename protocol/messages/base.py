"""The three kinds of struct that all others are: a command, what the server says, a part of it; and their tags."""

from typing import Annotated, Final

from msgspec import Meta, Struct

SUBPROTOCOL: Final = "biritch.1"

MAX_ID: Final = 2**53
"""The largest number of a command, an entry or a deal: up to it, every integer is exact as a float too."""

Id = Annotated[int, Meta(ge=1, le=MAX_ID)]


def _tag(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class Command(Struct, tag_field="type", tag=_tag, forbid_unknown_fields=True, omit_defaults=True):
    """A command has an `id`, a number that grows with every new command of a player.

    It is answered exactly once, `accepted` or `rejected` with the same id. Sent again with the same id, at the same
    table, an accepted command is not done again and gets the first answer.
    """

    id: Id


class ServerMessage(Struct, tag_field="type", tag=_tag, omit_defaults=True):
    """A client ignores messages, events and fields that it does not know."""


class Part(Struct, omit_defaults=True):
    """A part of a message; it has no tag of its own."""
