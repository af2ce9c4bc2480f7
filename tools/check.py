"""The one command, the same as CI's: format, lint, types, generated pages, tests. Stops at the first that fails.

`python -m tools.check [ARGUMENTS OF PYTEST]`
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Modules that write a file of this repository; with --check they only compare, and fail if it is out of date.
GENERATORS = ("tools.protocol_page", "tools.pictures")

PARALLEL = ("-n", "2")
"""Many tests wait for programs that they have started; two at a time need little more than half as long."""

QUICK = (
    ("format", ("ruff", "format", "--check", "--quiet", ".")),
    ("lint", ("ruff", "check", "--quiet", ".")),
    ("types", ("mypy",)),
    *((generator, (generator, "--check")) for generator in GENERATORS),
)


def run(module: str, *arguments: str, quiet: bool) -> int:
    """Run a module with this interpreter; if quiet, show its output only when it fails."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=quiet, text=True, check=False)
    if quiet and done.returncode != 0:
        print(done.stdout, done.stderr, sep="", flush=True)
    return done.returncode


def main(arguments: list[str]) -> int:
    for name, command in QUICK:
        print(f"check: {name}", flush=True)
        if run(*command, quiet=True) != 0:
            print(f"check: {name} failed", flush=True)
            return 1
    print("check: tests", flush=True)
    return run("pytest", *PARALLEL, *arguments, quiet=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
