"""Messages to bytes and back, and what is done with bytes that mean harm."""

import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import msgpack
import pytest

from protocol import messages as m
from protocol.codec import MAX_COMMAND_BYTES, decode_command, decode_message, encode
from protocol.errors import BadCommand, ProtocolError
from tests.protocol.samples import COMMANDS, EVENTS, SAYINGS, sample

packed: Callable[[Any], bytes] = msgpack.Packer(autoreset=True).pack


def name(kind: type) -> str:
    return kind.__name__


# --- round trips


@pytest.mark.parametrize("kind", COMMANDS, ids=name)
def test_commands_come_back_as_they_were(kind: type[m.Command]) -> None:
    for seed in range(50):
        command = sample(kind, Random(seed))
        assert decode_command(encode(command)) == command, seed


@pytest.mark.parametrize("kind", SAYINGS, ids=name)
def test_messages_come_back_as_they_were(kind: type[m.ServerMessage]) -> None:
    for seed in range(50):
        message = sample(kind, Random(seed))
        assert decode_message(encode(message)) == message, seed


@pytest.mark.parametrize("kind", EVENTS, ids=name)
def test_events_come_back_as_they_were(kind: type[m.ServerMessage]) -> None:
    for seed in range(50):
        entry = m.Entry(1, "x", 0.0, [sample(kind, Random(seed))])
        assert decode_message(encode(entry)) == entry, seed


@pytest.mark.parametrize("kind", [*COMMANDS, *SAYINGS, *EVENTS], ids=name)
def test_messages_are_tagged_in_snake_case(kind: type) -> None:
    fields = msgpack.unpackb(encode(sample(kind, Random(0))))
    assert fields["type"] == "".join("_" + c.lower() if c.isupper() else c for c in kind.__name__)[1:]


def test_a_text_that_is_no_unicode_is_not_sent() -> None:
    """What a terminal hands over may hold bytes that were no UTF-8; the next message is whole all the same."""
    with pytest.raises(ValueError):
        encode(m.Say(1, "half a surrogate: \udcff"))
    assert decode_command(encode(m.Say(2, "hello"))) == m.Say(2, "hello")


# --- bytes that are no message

HELLO = packed({"type": "hello", "id": 1})

NO_MESSAGES = {
    "nothing": b"",
    "text": b"hello",
    "json": b'{"type":"hello","id":1}',
    "a number": packed(1),
    "a list": packed([1, 2]),
    "nil": packed(None),
    "a byte never used": b"\xc1",
    "cut off": HELLO[:-1],
    "trailing byte": HELLO + b"\x00",
    "two messages": HELLO + HELLO,
    "a key twice": b"\x83" + packed("type") + packed("hello") + (packed("id") + packed(1)) * 2,
    "the tag twice": b"\x83" + (packed("type") + packed("hello")) * 2 + packed("id") + packed(1),
    "a byte-string key": b"\x82\xc4\x04type\xa5hello\xa2id\x01",
    "a number for a key": packed({"type": "hello", "id": 1, 7: 1}),
    "a list for a key": b"\x81\x91\x01\x01",
    "NaN": packed({"type": "join_table", "id": 1, "heard": float("nan")}),
    "infinity": packed({"type": "join_table", "id": 1, "heard": float("inf")}),
    "NaN deep inside": packed({"type": "create_table", "id": 1, "game": "vint", "options": {"x": float("nan")}}),
    "bytes": packed({"type": "hello", "id": 1, "name": b"North"}),
    "an extension": packed({"type": "hello", "id": 1, "name": msgpack.ExtType(5, b"x")}),
    "a timestamp": packed({"type": "hello", "id": 1, "name": msgpack.Timestamp(1, 0)}),
    "an empty extension of 2**32 - 1": b"\x82\xa4type\xa5hello\xa2id\xc9\xff\xff\xff\xff\x05",
    "no UTF-8": b"\x82\xa4type\xa5hell\xff\xa2id\x01",
    "half a surrogate": b"\x82\xa4type\xa3\xed\xa0\x80\xa2id\x01",
    "a text of 2**32 - 1": b"\x82\xa4type\xdb\xff\xff\xff\xff",
    "bytes of 2**32 - 1": b"\x82\xa4type\xc6\xff\xff\xff\xff",
    "a list of 2**32 - 1": b"\x82\xa4type\xdd\xff\xff\xff\xff",
    "a map of 2**32 - 1": b"\xdf\xff\xff\xff\xff",
    "a list too long": packed({"type": "discard_cards", "id": 1, "deal": 1, "index": 0, "cards": ["SA"] * 17}),
    "a map too large": packed({"type": "hello", "id": 1} | {f"f{n}": 0 for n in range(31)}),
    "too large": packed({"type": "say", "id": 1, "text": "x" * MAX_COMMAND_BYTES}),
    "4097 bytes": packed({"type": "x" * 1500, "id": 1, "a": "x" * 1500, "b": "x" * 1074}),
    "lists in lists": b"\x91" * MAX_COMMAND_BYTES,
    "maps in maps": b"\x81\xa1a" * (MAX_COMMAND_BYTES // 3),
    "a deep list inside": b"\x82\xa4type\xa5hello\xa2id" + b"\x91" * 4000,
    "wide lists": b"\xdc\x00\x11" * 1000,
    "empty lists": b"\xdc\x0f\xfd" + b"\x90" * 4093,
}


def test_the_frame_just_too_large_is_just_too_large() -> None:
    assert len(NO_MESSAGES["4097 bytes"]) == MAX_COMMAND_BYTES + 1
    with pytest.raises(ProtocolError, match="larger"):
        decode_command(NO_MESSAGES["4097 bytes"])


@pytest.mark.parametrize("frame", NO_MESSAGES.values(), ids=NO_MESSAGES.keys())
def test_bytes_that_are_no_message_end_the_connection(frame: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ProtocolError) as raised:
            decode_command(frame)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert len(str(raised.value)) < 200


def test_the_largest_command_fits() -> None:
    largest = m.Say(m.MAX_ID, "🂡" * 400)
    assert decode_command(encode(largest)) == largest


# --- commands that are wrong: refused, and the connection stays

BAD_COMMANDS: dict[str, tuple[dict[str, object], str, int]] = {
    "no type": ({"id": 7}, "command.unknown_type", 7),
    "a type unknown": ({"type": "resign", "id": 7}, "command.unknown_type", 7),
    "a number for a type": ({"type": 1, "id": 7}, "command.unknown_type", 7),
    "a server's message": ({"type": "welcome", "id": 7}, "command.unknown_type", 7),
    "a struct's own name": ({"type": "command", "id": 7}, "command.unknown_type", 7),
    "no id": ({"type": "hello"}, "command.missing_field", 0),
    "id 0": ({"type": "hello", "id": 0}, "command.bad_field", 0),
    "a negative id": ({"type": "hello", "id": -1}, "command.bad_field", 0),
    "an id too large": ({"type": "hello", "id": 2**53 + 1}, "command.bad_field", 0),
    "an id of 2**64 - 1": ({"type": "hello", "id": 2**64 - 1}, "command.bad_field", 0),
    "true for an id": ({"type": "hello", "id": True}, "command.bad_field", 0),
    "5.0 for an id": ({"type": "hello", "id": 5.0}, "command.bad_field", 0),
    "text for an id": ({"type": "hello", "id": "5"}, "command.bad_field", 0),
    "a field unknown": ({"type": "hello", "id": 7, "colour": "red"}, "command.unknown_field", 7),
    "a field unknown with a long name": ({"type": "hello", "id": 7, "x" * 1500: 1}, "command.unknown_field", 7),
    "a field missing": ({"type": "set_name", "id": 7}, "command.missing_field", 7),
    "a name empty": ({"type": "set_name", "id": 7, "name": ""}, "command.bad_field", 7),
    "a text as long as the frame": ({"type": "say", "id": 7, "text": "x" * 4000}, "command.bad_field", 7),
    "a name too long": ({"type": "set_name", "id": 7, "name": "x" * 25}, "command.bad_field", 7),
    "nil for a name": ({"type": "set_name", "id": 7, "name": None}, "command.bad_field", 7),
    "no bytes for a name": ({"type": "set_name", "id": 7, "name": b""}, "command.bad_field", 7),
    "an empty extension for a name": (
        {"type": "set_name", "id": 7, "name": msgpack.ExtType(5, b"")},
        "command.bad_field",
        7,
    ),
    "an empty extension for cards": (
        {"type": "discard_cards", "id": 7, "deal": 1, "index": 0, "cards": msgpack.ExtType(5, b"")},
        "command.bad_field",
        7,
    ),
    "a list for a name": ({"type": "set_name", "id": 7, "name": ["x"]}, "command.bad_field", 7),
    "a map for a name": ({"type": "set_name", "id": 7, "name": {"x": {"y": []}}}, "command.bad_field", 7),
    "1.0 for a deal": ({"type": "ready", "id": 7, "deal": 1.0}, "command.bad_field", 7),
    "true for a deal": ({"type": "ready", "id": 7, "deal": True}, "command.bad_field", 7),
    "1.0 for an index": ({"type": "make_call", "id": 7, "deal": 1, "index": 1.0, "call": "P"}, "command.bad_field", 7),
    "1.0 for a rubber": ({"type": "rematch", "id": 7, "rubber": 1.0}, "command.bad_field", 7),
    "true for a rubber": ({"type": "rematch", "id": 7, "rubber": True}, "command.bad_field", 7),
    "4.0 players": ({"type": "create_table", "id": 7, "game": "vint", "players": 4.0}, "command.bad_field", 7),
    "7 players": ({"type": "create_table", "id": 7, "game": "vint", "players": 7}, "command.bad_field", 7),
    "1 for private": ({"type": "create_table", "id": 7, "game": "vint", "private": 1}, "command.bad_field", 7),
    "1.5 for an option": (
        {"type": "create_table", "id": 7, "game": "vint", "options": {"x": 1.5}},
        "command.bad_field",
        7,
    ),
    "1.0 for an option": (
        {"type": "create_table", "id": 7, "game": "vint", "options": {"x": 1.0}},
        "command.bad_field",
        7,
    ),
    "nil for an option": (
        {"type": "create_table", "id": 7, "game": "vint", "options": {"x": None}},
        "command.bad_field",
        7,
    ),
    "a list for an option": (
        {"type": "create_table", "id": 7, "game": "vint", "options": {"x": [1]}},
        "command.bad_field",
        7,
    ),
    "an option's name too long": (
        {"type": "create_table", "id": 7, "game": "vint", "options": {"x" * 33: 1}},
        "command.bad_field",
        7,
    ),
    "a table with a colon": ({"type": "join_table", "id": 7, "table": "a:b"}, "command.bad_field", 7),
    "a table with a line break": ({"type": "join_table", "id": 7, "table": "ab\n"}, "command.bad_field", 7),
    "1.0 for a number": ({"type": "join_table", "id": 7, "table": "a", "number": 1.0}, "command.bad_field", 7),
    "9 cards": ({"type": "discard_cards", "id": 7, "deal": 1, "index": 0, "cards": ["SA"] * 9}, "command.bad_field", 7),
    "NaN in a list": (
        {"type": "discard_cards", "id": 7, "deal": 1, "index": 0, "cards": [float("nan")]},
        "command.bad_field",
        7,
    ),
    "a card of 5 letters": (
        {"type": "play_card", "id": 7, "deal": 1, "index": 0, "card": "JK:HH"},
        "command.bad_field",
        7,
    ),
    "lists in lists in a field": ({"type": "say", "id": 7, "text": [[[[[[[[]]]]]]]]}, "command.bad_field", 7),
    "401 characters": ({"type": "say", "id": 7, "text": "x" * 401}, "command.bad_field", 7),
}


@pytest.mark.parametrize(("fields", "code", "id"), BAD_COMMANDS.values(), ids=BAD_COMMANDS.keys())
def test_a_wrong_command_is_refused(fields: dict[str, object], code: str, id: int) -> None:
    with pytest.raises(BadCommand) as raised:
        decode_command(packed(fields))
    assert (raised.value.code, raised.value.id) == (code, id)
    assert len(raised.value.message) < 300


@pytest.mark.parametrize("depth", [1, 500, 1000, 1020])
def test_lists_in_lists_for_a_type_are_refused(depth: int) -> None:
    """As deep as msgpack reads them: written out as text they would take more stack than there is."""
    nested = b"\xa4type" + b"\x91" * depth + b"\x01"
    with pytest.raises(BadCommand) as raised:
        decode_command(b"\x82\xa2id\x07" + nested)
    assert (raised.value.code, raised.value.id) == ("command.unknown_type", 7)
    assert decode_message(b"\x82\xa2id\x07" + nested) is None
    entry = packed({"type": "entry", "number": 5, "entry": "x", "time": 1.5, "events": []})
    assert entry.endswith(b"\x90"), "the events come last"
    assert decode_message(entry[:-1] + b"\x91\x81" + nested) == m.Entry(5, "x", 1.5)


# --- what a client makes of a newer server


def test_a_client_ignores_what_it_does_not_know() -> None:
    assert decode_message(packed({"type": "confetti", "colour": "red"})) is None
    assert decode_message(packed({"no": "type"})) is None
    accepted = {"type": "accepted", "id": 3, "number": 9, "mood": {"of": ["the", "server"]}}
    assert decode_message(packed(accepted)) == m.Accepted(3, 9)
    events: list[object] = [
        {"type": "cat_on_table", "name": "Tom"},
        {"type": "trick_won", "seat": "N", "number": 1, "applause": 3.5},
        "no event at all",
    ]
    entry = {"type": "entry", "number": 5, "entry": "x", "time": 1.5, "events": events, "weather": None}
    assert decode_message(packed(entry)) == m.Entry(5, "x", 1.5, [m.TrickWon("N", 1)])


def test_a_client_refuses_what_does_not_fit() -> None:
    for fields in ({"type": "accepted"}, {"type": "entry", "number": 5}, {"type": "entry", "events": 5}):
        with pytest.raises(ProtocolError):
            decode_message(packed(fields))


@pytest.mark.parametrize("wide", [b"\xdc\x20\x00", b"\xdc\x04\x00", b"\xde\x04\x00\xa1a"], ids=repr)
def test_a_short_message_takes_little_memory(wide: bytes) -> None:
    """A list says its length before its items, each of which may be another one."""
    tracemalloc.start()
    try:
        with pytest.raises(ProtocolError):
            decode_message(wide * 1020)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


# --- by lot


def mutated(frame: bytes, random: Random) -> bytes:
    """Change, drop, double or put in a few bytes."""
    bytes_ = bytearray(frame)
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(bytes_) + 1)
        match random.randrange(4):
            case 0:
                bytes_[place : place + 1] = bytes([random.randrange(256)])
            case 1:
                del bytes_[place : place + random.randint(1, 3)]
            case 2:
                bytes_[place:place] = random.randbytes(random.randint(1, 3))
            case _:
                bytes_[place:place] = bytes_[place : place + random.randint(1, 9)]
    return bytes(bytes_)


def harmless(decode: Callable[[bytes], object], frame: bytes) -> None:
    """Decode a frame; the two errors are all that may be raised."""
    with suppress(ProtocolError, BadCommand):
        decode(frame)


@pytest.mark.parametrize("decode", [decode_command, decode_message])
def test_random_bytes_do_no_harm(decode: Callable[[bytes], object]) -> None:
    random = Random(1)
    for _ in range(5000):
        harmless(decode, random.randbytes(random.randrange(60)))


@pytest.mark.parametrize("kind", COMMANDS, ids=name)
def test_mutated_commands_do_no_harm(kind: type[m.Command]) -> None:
    random = Random(kind.__name__)
    for _ in range(300):
        harmless(decode_command, mutated(encode(sample(kind, random)), random))


@pytest.mark.parametrize("kind", SAYINGS, ids=name)
def test_mutated_messages_do_no_harm(kind: type[m.ServerMessage]) -> None:
    random = Random(kind.__name__)
    for _ in range(300):
        harmless(decode_message, mutated(encode(sample(kind, random)), random))


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ({"id": 7}, "A command says in the text `type` which one it is."),
        ({"type": "resign", "id": 7}, "There is no command of the type 'resign'."),
        ({"type": "ready", "id": 7}, "A command ready needs the field 'deal'."),
        ({"type": "ready", "id": 7, "deal": 1, "zz": 1}, "A command ready has no field 'zz'."),
        ({"type": "ready", "id": 7, "deal": 0}, "The field 'deal' does not fit: expected `int` >= 1."),
    ],
)
def test_what_is_wrong_is_said_of_the_field(command: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadCommand) as raised:
        decode_command(packed(command))
    assert str(raised.value) == sentence
