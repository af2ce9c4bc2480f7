"""Write `docs/protocol.md`, the page for authors of clients: `python -m tools.protocol_page [--check]`.

Fields, types and limits come from the message structs themselves, codes from their list, the words around them from
`tools/protocol_page.md`, and the example from a deal that is really dealt.
"""

import sys
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from pathlib import Path
from string import Template
from typing import get_args

import msgspec
from msgspec import inspect

from protocol import messages as m
from protocol.codec import MAX_COMMAND_BYTES, MAX_MESSAGE_BYTES
from protocol.codes import CODES
from tools.protocol_session import session

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "protocol.md"
WORDS = ROOT / "tools" / "protocol_page.md"

EVENTS = get_args(m.AnyEvent)

LETTERS = {r"^[A-Za-z0-9_-]+\Z": " of `A`-`Z` `a`-`z` `0`-`9` `_` `-`"}
"""What the patterns of texts say, in words."""


def page() -> str:
    """Return the page."""
    parts = {
        "subprotocol": m.SUBPROTOCOL,
        "command_bytes": str(MAX_COMMAND_BYTES),
        "message_bytes": str(MAX_MESSAGE_BYTES),
        "session": session(),
        "command": words(m.Command),
        "commands": sections(m.Command.__subclasses__(), leave_out="id"),
        "server_message": words(m.ServerMessage),
        "messages": sections(get_args(m.AnyServerMessage)),
        "events": sections(EVENTS),
        "parts": sections(m.Part.__subclasses__()),
        "codes": "\n".join(f"| `{code}` | {meaning} |" for code, meaning in CODES.items()),
    }
    return Template(WORDS.read_text("utf-8")).substitute(parts)


def words(kind: type) -> str:
    return cleandoc(kind.__doc__ or "")


def sections(kinds: Iterable[type[msgspec.Struct]], leave_out: str = "") -> str:
    return "\n\n".join("\n".join(section(kind, leave_out)) for kind in kinds)


def section(kind: type[msgspec.Struct], leave_out: str) -> Iterator[str]:
    """Yield the lines about a struct: its name, what it is for, its fields."""
    yield f"### {kind.__struct_config__.tag or kind.__name__}"
    yield ""
    yield words(kind)
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType), kind
    fields = [field for field in info.fields if field.name != leave_out]
    if fields:
        yield ""
        yield "| field | value | default |"
        yield "|---|---|---|"
    for field in fields:
        yield f"| `{field.name}` | {described(field.type)} | {default(field)} |"


def default(field: inspect.Field) -> str:
    if field.required:
        return "has to be there"
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    return "None" if value is None else f"`{msgspec.json.encode(value).decode()}`"


def described(kind: inspect.Type, several: bool = False) -> str:
    """Say in words what a value may be; `several` for what a list holds."""
    s = "s" if several else ""
    match kind:
        case inspect.Metadata(type=inner):
            return described(inner, several)
        case inspect.NoneType():
            return "None"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"integer{s}" + span(kind.ge, kind.le)
        case inspect.FloatType():
            return f"number{s}"
        case inspect.StrType():
            letters = LETTERS[kind.pattern] if kind.pattern else ""
            return f"text{s}" + span(kind.min_length, kind.max_length, " characters") + letters
        case inspect.UnionType(types=kinds) if {getattr(one, "cls", None) for one in kinds} == set(EVENTS):
            return "[events](#events)"
        case inspect.UnionType(types=kinds):
            return " or ".join(described(one, several) for one in kinds)
        case inspect.ListType(item_type=item):
            return f"list{s} of " + (f"at most {kind.max_length} " if kind.max_length else "") + described(item, True)
        case inspect.TupleType(item_types=items):
            return f"list{s} of exactly: " + ", ".join(described(item) for item in items)
        case inspect.DictType(key_type=key, value_type=value):
            return f"map{s} from {described(key, True)} to {described(value, True)}"
        case inspect.StructType(cls=struct):
            return f"[{struct.__name__}](#{struct.__name__.lower()})"
    raise AssertionError(f"no words for {kind}")


def span(low: int | None, high: int | None, unit: str = "") -> str:
    """Write the limits of a number or, with a unit, of a length."""
    if high is None:
        return "" if low is None else f" from {low}{unit}"
    top = "2^53" if high == m.MAX_ID else str(high)
    if low is None:
        return f" of at most {top}{unit}"
    if low == high:
        return f" of {top}{unit.removesuffix('s') if high == 1 else unit}"
    return f" of {low} to {top}{unit}" if unit else f" from {low} to {top}"


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: python -m tools.protocol_page [--check]", file=sys.stderr)
        return 2
    if arguments:
        if PAGE.exists() and PAGE.read_text("utf-8") == page():
            return 0
        print(f"{PAGE.relative_to(ROOT)} is out of date; run `python -m tools.protocol_page`.", file=sys.stderr)
        return 1
    PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
