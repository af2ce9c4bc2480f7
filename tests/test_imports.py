"""The order of the packages: each may import those below it and no other."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

ALLOWED = {
    "rules": frozenset[str](),
    "protocol": frozenset({"rules"}),
    "bots": frozenset({"rules"}),
    "server": frozenset({"rules", "protocol", "bots"}),
    "client_cli": frozenset({"rules", "protocol", "bots"}),
}
OURS = frozenset(ALLOWED) | {"tests", "bench", "tools"}

# The laws know no clock, no chance and no outside world; they hold for whoever calls them, in whatever loop.
IMPURE = frozenset(
    {"asyncio", "concurrent", "contextvars", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib"}
    | {"queue", "random", "secrets", "select", "selectors", "shutil", "signal", "socket", "ssl", "subprocess", "sys"}
    | {"tempfile", "threading", "time", "urllib", "uuid", "zoneinfo"}
)
FORBIDDEN_LIBRARY = {"rules": IMPURE, "protocol": frozenset({"asyncio"})}


def package_of(file: Path, root: Path) -> list[str]:
    return list(file.relative_to(root).parent.parts)


def called_by_name(node: ast.Call) -> str | None:
    """Return the module that `import_module("x")` or `__import__("x")` names, if it names one outright."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    argument = node.args[0] if node.args else None
    if name in {"import_module", "__import__"} and isinstance(argument, ast.Constant):
        return str(argument.value)
    return None


def imported_modules(tree: ast.AST, package: list[str]) -> Iterator[tuple[int, str]]:
    """Yield line and full name of every module imported, wherever in the file it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package[: len(package) + 1 - node.level] if node.level else []
            yield node.lineno, ".".join([*parents, *filter(None, [node.module])])
        elif isinstance(node, ast.Call) and (name := called_by_name(node)):
            yield node.lineno, name


def is_violation(package: str, module: str) -> bool:
    top = module.partition(".")[0]
    if top in OURS:
        return top != package and top not in ALLOWED[package]
    if top in FORBIDDEN_LIBRARY.get(package, ()):
        return True
    return package == "rules" and top not in sys.stdlib_module_names


def violations(root: Path) -> list[str]:
    """Return `file:line imports module` for each import that breaks the order below this root."""
    found = []
    for package in ALLOWED:
        for file in sorted((root / package).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
            for line, module in imported_modules(tree, package_of(file, root)):
                if is_violation(package, module):
                    found.append(f"{file.relative_to(root)}:{line} imports {module}")
    return found


def test_imports_point_up_the_list_only() -> None:
    assert violations(ROOT) == []


@pytest.mark.parametrize(
    ("package", "source", "module"),
    [
        ("rules", "import protocol.messages", "protocol.messages"),
        ("rules", "def f() -> None:\n    from random import choice", "random"),
        ("rules", "import msgspec", "msgspec"),
        ("protocol", "from asyncio import sleep", "asyncio"),
        ("protocol", "import bots", "bots"),
        ("bots", "from protocol import messages", "protocol"),
        ("server", "if True:\n    import client_cli.main as main", "client_cli.main"),
        ("server", "import importlib\nimportlib.import_module('tests.fakes')", "tests.fakes"),
        ("client_cli", "from server.table import Table", "server.table"),
        ("client_cli", "__import__('server')", "server"),
    ],
)
def test_a_wrong_import_is_found(tmp_path: Path, package: str, source: str, module: str) -> None:
    folder = tmp_path / package / "deep"
    folder.mkdir(parents=True)
    (folder / "wrong.py").write_text(source)
    assert violations(tmp_path) == [f"{package}/deep/wrong.py:{source.count(chr(10)) + 1} imports {module}"]


def test_right_imports_are_let_through(tmp_path: Path) -> None:
    files = {
        "rules/a.py": "import enum\nfrom . import b\nfrom .b import c\nfrom rules.b import d",
        "rules/deep/a.py": "from .. import b\nfrom ..b import c",
        "protocol/a.py": "import msgspec\nfrom rules.cards import Card",
        "bots/a.py": "import random\nfrom rules import game",
        "server/a.py": "import asyncio\nimport bots, protocol, rules\nfrom .table import Table",
        "client_cli/a.py": "import asyncio, time\nimport bots, protocol, rules",
    }
    for name, source in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source)
    assert violations(tmp_path) == []
