"""Values of message types, made by lot within the limits that the types declare."""

import string
from random import Random
from typing import Any, get_args

from msgspec import inspect

from protocol import messages as m

COMMANDS = m.Command.__subclasses__()
SAYINGS: list[type[m.ServerMessage]] = list(get_args(m.AnyServerMessage))
EVENTS: list[type[m.ServerMessage]] = list(get_args(m.AnyEvent))

_PLAIN = string.ascii_letters + string.digits + "_-"


def sample(kind: type, random: Random) -> Any:
    """Return a value of a type."""
    return _value(inspect.type_info(kind), random)


def _value(kind: inspect.Type, random: Random) -> Any:
    match kind:
        case inspect.Metadata(type=inner):
            return _value(inner, random)
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return random.random() < 0.5
        case inspect.IntType(ge=low, le=high):
            low, high = -(2**63) if low is None else low, 2**63 - 1 if high is None else high
            return random.choice([low, high, random.randint(low, high)])
        case inspect.FloatType():
            return random.uniform(-1e9, 1e9)
        case inspect.StrType():
            return _text(kind, random)
        case inspect.UnionType(types=kinds):
            return _value(random.choice(kinds), random)
        case inspect.ListType(item_type=item, max_length=high):
            return [_value(item, random) for _ in range(random.randint(0, high or 3))]
        case inspect.TupleType(item_types=items):
            return tuple(_value(item, random) for item in items)
        case inspect.DictType(key_type=key, value_type=value):
            return {_value(key, random): _value(value, random) for _ in range(random.randint(0, 3))}
        case inspect.StructType(cls=struct, fields=fields):
            return struct(**{field.name: _value(field.type, random) for field in fields})
    raise AssertionError(f"no sample of {kind}")


def _text(kind: inspect.StrType, random: Random) -> str:
    length = random.randint(kind.min_length or 0, min(kind.max_length or 12, 400))
    letters = _PLAIN if kind.pattern else _PLAIN + " ♠éß漢🂡\x00\n"
    return "".join(random.choice(letters) for _ in range(length))
