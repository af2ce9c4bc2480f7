"""The locks hold what pyproject.toml asks for. Offline: whether something newer exists is no matter of this test."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAMES = ("base", "server", "dev")

HASH = r"    --hash=sha256:[0-9a-f]{64}"
LOCK = re.compile(rf"(?:#.*\n)*(?:[\w.-]+==[^\\\n]+ \\\n(?:{HASH} \\\n)*{HASH}\n)+")


def lock_text(name: str) -> str:
    return (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8")


def pins(name: str) -> dict[str, Version]:
    return {
        found[1]: Version(found[2]) for found in re.finditer(r"^([\w.-]+)==([^\s;]+)", lock_text(name), re.MULTILINE)
    }


def group(name: str) -> Iterator[str]:
    for entry in PROJECT["dependency-groups"][name]:
        if isinstance(entry, str):
            yield entry
        else:
            yield from group(entry["include-group"])


def asked_for(name: str) -> list[Requirement]:
    project = PROJECT["project"]
    lines = [
        *project["dependencies"],
        *PROJECT["build-system"]["requires"],
        *group("dev" if name == "dev" else "build"),
    ]
    if name != "base":
        lines += project["optional-dependencies"]["server"]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("name", NAMES)
def test_lock_holds_what_the_project_asks_for(name: str) -> None:
    pinned = pins(name)
    wanting = [str(r) for r in asked_for(name) if r.name not in pinned or pinned[r.name] not in r.specifier]
    assert wanting == [], "run python -m tools.lock"


@pytest.mark.parametrize("name", NAMES)
def test_every_pin_has_a_hash_and_nothing_names_a_place(name: str) -> None:
    assert LOCK.fullmatch(lock_text(name))
    assert not re.search(r"://|--index|--extra-index|--find-links|file:| @ ", lock_text(name))


@pytest.mark.parametrize(("smaller", "larger"), [("base", "server"), ("server", "dev")])
def test_a_larger_lock_holds_the_smaller_one(smaller: str, larger: str) -> None:
    assert pins(smaller).items() <= pins(larger).items()
