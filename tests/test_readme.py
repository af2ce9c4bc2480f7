"""The pages keep their word: what README.md and docs/*.md show as a session in a terminal is run and compared.

A fence marked `console` is an example: lines that begin with `$ ` are commands, the lines below each are what it
prints, and `...` stands for anything. Blocks marked `sh` or `text` are not run.
"""

import doctest
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(?P<mark>\w*)[^\n]*\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND_TIMEOUT_S = 120


class Fence(NamedTuple):
    line: int
    mark: str
    body: str


class Step(NamedTuple):
    command: str
    output: str


def fences(text: str) -> list[Fence]:
    return [Fence(text.count("\n", 0, f.start()) + 1, f["mark"], f["body"]) for f in FENCE.finditer(text)]


def steps(body: str) -> list[Step]:
    """Split an example into its commands, each with the output expected of it."""
    pieces = re.split(r"^\$ (.*)\n", body, flags=re.MULTILINE)
    assert not pieces[0].strip(), "an example begins with a line `$ command`"
    return [Step(command, output) for command, output in zip(pieces[1::2], pieces[2::2], strict=True)]


def difference(step: Step, output: str) -> str | None:
    """Return what differs between the output and the expected one, or None."""
    checker, flags = doctest.OutputChecker(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    if checker.check_output(step.output, output, flags):
        return None
    return checker.output_difference(doctest.Example("", step.output), output, flags)


def section(text: str, heading: str) -> str:
    found = re.search(rf"^## {heading}$\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"README.md has no heading ## {heading}"
    return found[1]


def command_line(heading: str) -> str:
    """Return the one command line that stands under this heading of the README."""
    (fence,) = fences(section((ROOT / "README.md").read_text(encoding="utf-8"), heading))
    assert fence.mark == "sh"
    (line,) = fence.body.splitlines()
    return line


@pytest.fixture
def environment() -> Iterator[dict[str, str]]:
    """A home of its own. Not below tmp_path: the path of a socket in it must stay short."""
    home = tempfile.mkdtemp(prefix="b-")
    homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"), home)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BIRITCH_", "XDG_"))}
    yield {**kept, **homes, "XDG_RUNTIME_DIR": home, "PATH": path, "NO_COLOR": "1", "COLUMNS": "80"}
    shutil.rmtree(home, ignore_errors=True)


def run(command: str, environment: dict[str, str]) -> tuple[int, str]:
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=COMMAND_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        pytest.fail(f"$ {command}\nran for more than {COMMAND_TIMEOUT_S} s; it had printed:\n{output}")
    return process.returncode, output


def examples() -> Iterator[object]:
    for page in PAGES:
        for fence in fences(page.read_text(encoding="utf-8")):
            if fence.mark == "console":
                yield pytest.param(fence.body, id=f"{page.relative_to(ROOT)}:{fence.line}")


@pytest.mark.parametrize("body", list(examples()))
def test_example(body: str, environment: dict[str, str]) -> None:
    for step in steps(body):
        status, output = run(step.command, environment)
        assert status == 0, f"$ {step.command}\nstatus {status}\n{output}"
        assert (wrong := difference(step, output)) is None, f"$ {step.command}\n{wrong}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_fence_says_what_it_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [fence for fence in fences(text) if not fence.mark] == []
    assert len(re.findall("^```", text, re.MULTILINE)) == 2 * len(fences(text))


@pytest.mark.parametrize("heading", ["Play", "Test"])
def test_set_up_is_one_line(heading: str) -> None:
    assert command_line(heading).startswith("python3 tools/setup.py ")


def test_set_up_comes_first() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[:2] == ["Play", "Test"]


def test_ci_runs_the_lines_of_the_readme() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == command_line("Test")
    assert f"play='{command_line('Play')}'" in lines


def test_an_example_is_split_into_steps() -> None:
    page = "# A\n\n```console\n$ echo a; echo b\na\nb\n$ true\n```\n\n```sh\nfalse\n```\n"
    example, shell = fences(page)
    assert (example.line, example.mark, shell.mark) == (3, "console", "sh")
    assert steps(example.body) == [Step("echo a; echo b", "a\nb\n"), Step("true", "")]


def test_dots_match_anything_and_nothing_else_does(environment: dict[str, str]) -> None:
    _, output = run("echo one two three; echo four", environment)
    assert difference(Step("", "one ... three\nfour\n"), output) is None
    assert difference(Step("", "...\n"), output) is None
    assert difference(Step("", "one two three\n"), output) is not None
    assert difference(Step("", "one ... five\n"), output) is not None


def test_a_command_has_this_python_and_a_home_of_its_own(environment: dict[str, str]) -> None:
    status, output = run('python -c "import sys; print(sys.prefix)"; echo "$HOME"; exit 3', environment)
    assert (status, output.splitlines()) == (3, [sys.prefix, environment["HOME"]])
