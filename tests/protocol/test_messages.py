"""The package of the messages hands on all that its files define, and each message is where it is looked for."""

import pytest
from msgspec import Struct

from protocol import messages as m
from tests.protocol.samples import EVENTS, SAYINGS

BASES: list[type[Struct]] = [m.Command, m.ServerMessage, m.Part]


def defined(base: type[Struct]) -> list[type[Struct]]:
    """Return the structs that the package's own files derive from a base."""
    return [kind for kind in base.__subclasses__() if kind.__module__.startswith(f"{m.__name__}.")]


@pytest.mark.parametrize("base", BASES, ids=lambda kind: kind.__name__)
def test_every_struct_can_be_had_from_the_package(base: type[Struct]) -> None:
    missing = [kind.__name__ for kind in [base, *defined(base)] if getattr(m, kind.__name__, None) is not kind]
    assert missing == []


def test_what_the_server_says_is_a_message_or_an_event() -> None:
    """What stands in neither list is decoded by nobody and described nowhere."""
    assert sorted(kind.__name__ for kind in [*SAYINGS, *EVENTS]) == sorted(
        kind.__name__ for kind in defined(m.ServerMessage)
    )
