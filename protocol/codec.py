"""Messages to bytes and back: msgpack makes and reads the bytes, msgspec holds the types."""

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, TypeVar, get_args

import msgpack
import msgspec

from protocol.errors import BadCommand, ProtocolError
from protocol.messages import MAX_ID, AnyEvent, AnyServerMessage, Command, Entry, ServerMessage

_Kind = TypeVar("_Kind", Command, ServerMessage)

MAX_COMMAND_BYTES: Final = 4096
MAX_MESSAGE_BYTES: Final = 1 << 20

_packer = msgpack.Packer(autoreset=True)


def encode(message: Command | ServerMessage) -> bytes:
    """Return the bytes of a message. Raises ValueError for a text that is no Unicode, as half a surrogate."""
    return _packer.pack(msgspec.to_builtins(message))


def _unpack(frame: bytes, unpack: Callable[[bytes], object]) -> dict[str, Any]:
    try:
        value = unpack(frame)
    except (ValueError, TypeError, RecursionError, msgpack.exceptions.UnpackException) as error:
        raise ProtocolError(f"The frame is no msgpack message: {str(error) or type(error).__name__}.") from None
    if not isinstance(value, dict):
        raise ProtocolError("The frame is no msgpack map.")
    return value


def _pairs(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    """Make a map, refusing what msgpack lets pass: keys twice, keys that are no text, numbers that are none."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a map has a key twice")
    for key, value in made.items():
        if not isinstance(key, str):
            raise ValueError("a key is no text")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError("a number is not finite")
    return made


_strict = partial(
    msgpack.unpackb, raw=False, strict_map_key=True, object_pairs_hook=_pairs, max_bin_len=0, max_ext_len=0
)
# A text may fill the frame: one that is too long for its field is a wrong command, not a broken one.
_unpack_command = partial(_strict, max_str_len=MAX_COMMAND_BYTES, max_array_len=16, max_map_len=32)
# A list is given its room before its items are read, and lists may stand in lists a thousand deep.
_unpack_message = partial(_strict, max_str_len=1 << 16, max_array_len=1 << 10, max_map_len=1 << 10)


def decode_command(frame: bytes) -> Command:
    """Read a client's command. Raises ProtocolError for bytes that do not decode, BadCommand for a wrong command."""
    if len(frame) > MAX_COMMAND_BYTES:
        raise ProtocolError(f"The frame is larger than {MAX_COMMAND_BYTES} bytes.")
    fields = _unpack(frame, _unpack_command)
    given = fields.get("id")
    id = given if type(given) is int and 0 < given <= MAX_ID else 0
    tag = _tag(fields)
    kind = _COMMANDS.get(tag)
    if not tag:
        raise BadCommand(id, "command.unknown_type", "A command says in the text `type` which one it is.")
    if kind is None:
        raise BadCommand(id, "command.unknown_type", f"There is no command of the type {_clipped(tag)!r}.")
    try:
        return msgspec.convert(fields, kind, strict=True)
    except msgspec.ValidationError as error:
        raise _wrong(id, tag, str(error)) from None


def _tag(fields: dict[str, Any]) -> str:
    """Return what a map says it is, empty if that is no text: to write out lists in lists may take all of the stack."""
    tag = fields.get("type")
    return tag if isinstance(tag, str) else ""


def _wrong(id: int, tag: str, found: str) -> BadCommand:
    """Return what msgspec has found wrong with a command as a sentence about its field."""
    what, _, path = found.partition(" - at ")
    name = _clipped(what.partition("field ")[2].strip("`"))
    if what.startswith("Object contains unknown field"):
        return BadCommand(id, "command.unknown_field", f"A command {tag} has no field {name!r}.")
    if what.startswith("Object missing required field"):
        return BadCommand(id, "command.missing_field", f"A command {tag} needs the field {name!r}.")
    field = path.strip("`").removeprefix("$.")
    return BadCommand(id, "command.bad_field", f"The field {field!r} does not fit: {what[0].lower()}{what[1:]}.")


def _clipped(text: str) -> str:
    return text[:40]


def decode_message(frame: bytes) -> ServerMessage | None:
    """Read what the server says; None for a message of a type that this client does not know. Raises ProtocolError."""
    fields = _unpack(frame, _unpack_message)
    kind = _SAYINGS.get(_tag(fields))
    if kind is None:
        return None
    if kind is Entry and isinstance(fields.get("events"), list):
        fields["events"] = [event for event in fields["events"] if _known(event)]
    try:
        message: ServerMessage = msgspec.convert(fields, kind, strict=True)
    except msgspec.ValidationError as error:
        raise ProtocolError(f"The server's message does not fit: {error}.") from None
    return message


def _known(event: object) -> bool:
    return isinstance(event, dict) and _tag(event) in _EVENTS


def _by_tag(kinds: Iterable[type[_Kind]]) -> dict[str, type[_Kind]]:
    return {str(kind.__struct_config__.tag): kind for kind in kinds}


# One struct at a time is converted: msgspec looks a union up by all its members, which costs more than the rest.
_COMMANDS = _by_tag(Command.__subclasses__())
_SAYINGS = _by_tag(get_args(AnyServerMessage))
_EVENTS = _by_tag(get_args(AnyEvent))
