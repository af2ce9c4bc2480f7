"""Make `.venv/` from a lock, or see at once that it is right already: `python3 tools/setup.py base|server|dev`.

Needs nothing but Python's own library. It is parsed by older Pythons too, so that they can be told which one is needed.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import subprocess
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - pip cannot refuse for us: it has not been asked yet
    sys.exit(f"biritch needs Python 3.11 or later; {sys.executable} is {sys.version.split()[0]}.")

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Each environment and those that hold all of it.
HOLDERS = {"base": ("base", "server", "dev"), "server": ("server", "dev"), "dev": ("dev",)}


class SetupError(Exception):
    """The environment cannot be made; the text says why."""


class Environment:
    """The environment of one checkout. Its stamp names the lock it was made from, and is there while it is whole."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.python = self.folder / "bin" / "python"
        self.stamp = self.folder / "biritch.stamp"

    def digest(self, name: str) -> str:
        """Return a digest of all that an environment made from this lock depends on."""
        parts = [name, str(self.root), sys.version, sys.base_prefix]
        files = [self.root / "locks" / f"{name}.txt", self.root / "pyproject.toml", Path(__file__)]
        blob = b"\0".join([*(part.encode() for part in parts), *(file.read_bytes() for file in files)])
        return hashlib.sha256(blob).hexdigest()

    def made_from(self) -> str | None:
        """Return the lock that the environment was made from, or None unless it is whole and of today."""
        if not self.python.exists() or not self.stamp.exists():
            return None
        name, _, digest = self.stamp.read_text().partition(" ")
        return name if name in HOLDERS and digest == self.digest(name) else None

    def ensure(self, name: str) -> None:
        """Make the environment hold what this lock names: nothing to do, a smaller one to grow, or a new one."""
        have = self.made_from()
        if have in HOLDERS[name]:
            return
        digest = self.digest(name)
        self.stamp.unlink(missing_ok=True)
        if have is None:
            self._create()
        self._install(name)
        # Last, and in one move: a run that was interrupted leaves no stamp, and the next one starts afresh.
        unfinished = self.stamp.with_suffix(".new")
        unfinished.write_text(f"{name} {digest}")
        unfinished.replace(self.stamp)

    def _create(self) -> None:
        for module in ("venv", "ensurepip"):
            if importlib.util.find_spec(module) is None:
                raise SetupError(f"this Python has no {module} module (Debian and Ubuntu: apt install python3-venv).")
        say(f"making .venv with Python {sys.version.split()[0]}")
        import venv

        try:
            venv.EnvBuilder(clear=True, symlinks=True, with_pip=True).create(self.folder)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise SetupError(f"{self.folder} cannot be made: {error}") from error

    def _install(self, name: str) -> None:
        say(f"installing the packages of locks/{name}.txt")
        self._pip("--require-hashes", "-r", f"locks/{name}.txt")
        say("installing biritch itself")
        self._pip("--no-deps", "--no-build-isolation", "-e", ".")

    def _pip(self, *arguments: str) -> None:
        """Run `pip install`; its output is shown only if it fails."""
        command = [str(self.python), "-m", "pip", "install", *arguments]
        done = subprocess.run(
            command, cwd=self.root, env=pip_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode != 0:
            sys.stderr.buffer.write(done.stdout)
            raise SetupError(f"pip failed with status {done.returncode}; its output is above.")


def pip_environment() -> dict[str, str]:
    """Return our environment without what would make pip install elsewhere or ask a question."""
    unwanted = ("PYTHONHOME", "PYTHONPATH", "PIP_PREFIX", "PIP_ROOT", "PIP_TARGET")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "PIP_USER": "0"}


def say(sentence: str) -> None:
    print(f"biritch: {sentence}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep a second set-up of the same checkout waiting until this one is done."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up of this folder")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in HOLDERS:
        say("usage: python3 tools/setup.py base|server|dev")
        return 2
    try:
        with alone_in(ROOT):
            Environment(ROOT).ensure(arguments[0])
    except SetupError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("interrupted; the next run starts afresh.")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
