"""The list of codes is complete, and lists nothing that is never said."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.codes import CODES

ROOT = Path(__file__).resolve().parent.parent.parent

PACKAGES = ("rules", "protocol", "server")

REFUSING = {"IllegalAction", "BadOption", "BadRecord", "BadCommand", "Rejection", "Refused", "_Refused", "Refusal"}

CODE = re.compile(r"[a-z_]+\.[a-z_]+")


def said_by(node: ast.AST, functions: dict[str, ast.FunctionDef]) -> Iterator[str]:
    """Yield the texts that an expression may be: a literal, either branch of a choice, what a function returns."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=other):
            yield from said_by(body, functions)
            yield from said_by(other, functions)
        case ast.Call(func=ast.Name(id=name)) if name in functions:
            for part in ast.walk(functions[name]):
                if isinstance(part, ast.Return) and part.value is not None:
                    yield from said_by(part.value, functions)


def codes_in(source: str) -> set[str]:
    """Return the code of every refusal in a module: the first argument that is a text."""
    tree = ast.parse(source)
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    codes: set[str] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in REFUSING:
            texts = next(filter(None, (list(said_by(argument, functions)) for argument in node.args)), [])
            codes.update(text for text in texts if CODE.fullmatch(text) or text in ("bad_record", "score_differs"))
    return codes


def codes_said() -> set[str]:
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    return set().union(*(codes_in(file.read_text("utf-8")) for file in files))


def test_every_code_is_listed() -> None:
    assert codes_said() - CODES.keys() == set()


def test_every_listed_code_is_said() -> None:
    assert CODES.keys() - codes_said() == set()


def test_every_code_has_a_sentence() -> None:
    assert [code for code, words in CODES.items() if not re.fullmatch(r"[A-Z].*\.", words)] == []


@pytest.mark.parametrize(
    ("source", "codes"),
    [
        ("raise IllegalAction('a.b', f'No {x}.')", {"a.b"}),
        ("raise errors.BadCommand(id, 'a.b', 'No.')", {"a.b"}),
        (
            "def f(x):\n    if x:\n        return 'a.b'\n    return 'a.c' if x else 'a.d'\nRefusal(f(1), 'No.')",
            {"a.b", "a.c", "a.d"},
        ),
        ("Refusal(code, 'See docs.html')", set()),
        ("log('a.b')", set()),
    ],
)
def test_codes_are_found(source: str, codes: set[str]) -> None:
    assert codes_in(source) == codes
