"""Write `locks/*.txt` from pyproject.toml: `python -m tools.lock [--upgrade]`.

The locks hold for every supported Python on Linux and macOS. Without --upgrade, what is locked already stays as it is.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = "3.11"

# `dev` first: the smaller locks take its versions, so that one environment can grow into the next.
LOCKS = {
    "dev": ("--extra", "server", "--group", "dev"),
    "server": ("--extra", "server", "--group", "build", "--constraint", "locks/dev.txt"),
    "base": ("--group", "build", "--constraint", "locks/dev.txt"),
}


def environment() -> dict[str, str]:
    """Return our environment without this machine's settings for package tools: they must not reach a lock."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "PIP_"))}


def compile_lock(name: str, *options: str) -> None:
    command = [sys.executable, "-m", "uv", "--no-config", "--quiet", "pip", "compile", "pyproject.toml"]
    command += ["--universal", "--python-version", OLDEST_PYTHON, "--generate-hashes", "--no-annotate"]
    command += ["--custom-compile-command", "python -m tools.lock", "--output-file", f"locks/{name}.txt"]
    subprocess.run([*command, *LOCKS[name], *options], cwd=ROOT, env=environment(), check=True)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--upgrade"]):
        print("usage: python -m tools.lock [--upgrade]", file=sys.stderr)
        return 2
    for name in LOCKS:
        compile_lock(name, *arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
