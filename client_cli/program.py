"""A server of one's own, started as a program on a free port of this machine and stopped with the client."""

import asyncio
import importlib.util
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

START_S = 60.0
STOP_S = 15.0
READY = "Biritch serves "

_NEEDS = ("redis", "hiredis", "prometheus_client")
MISSING = (
    "A server of your own needs more packages: install biritch[server], "
    "or in a clone run `python3 tools/setup.py server`."
)


class NoServer(Exception):
    """The server did not start; the sentence says why."""


@dataclass(frozen=True, slots=True)
class OwnServer:
    """A server that runs; `log` is the file of its complaints."""

    url: str
    log: Path
    process: asyncio.subprocess.Process


@asynccontextmanager
async def own_server(data: Path) -> AsyncIterator[OwnServer]:
    """Start a server whose store is in this folder, an absolute path, and stop it at the end. Raises NoServer."""
    if not all(map(importlib.util.find_spec, _NEEDS)):
        raise NoServer(MISSING)
    log = _prepared(data)
    begun = log.stat().st_size
    process = await _started(data, log)
    try:
        yield OwnServer(await _ready(process, log, begun), log, process)
    finally:
        await asyncio.shield(_stop(process))


def _prepared(data: Path) -> Path:
    """Make the folder and return the file in which the server's complaints are kept. Raises NoServer."""
    log = made_folder(data) / "server.log"
    try:
        log.touch()
    except OSError as error:
        raise _unusable(data, error) from None
    return log


def made_folder(folder: Path) -> Path:
    """Make a folder for what is kept of a server of one's own, unless it is there. Raises NoServer."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(folder, error) from None
    return folder


def _unusable(folder: Path, error: OSError) -> NoServer:
    return NoServer(f"The folder {folder} cannot be used: {error.strerror}. With --data you name another.")


async def _started(data: Path, log: Path) -> asyncio.subprocess.Process:
    with open(log, "ab") as errors:  # noqa: ASYNC230  # on this machine, and nothing else runs yet
        return await asyncio.create_subprocess_exec(
            *_command(data),
            # Its end tells the server that the client is gone, however that came about.
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            cwd=Path(__file__).parent.parent,
            # Ctrl-C is for the client, which stops the server in its turn.
            start_new_session=True,
        )


def _command(data: Path) -> list[str]:
    script = Path(sys.executable).parent / "biritch-server"
    # Without the script, as in a checkout that is not installed, the module beside this package is run.
    program = [str(script)] if script.exists() else [sys.executable, "-m", "server.main"]
    return [*program, "--host", "127.0.0.1", "--port", "0", "--data", str(data), "--until-eof"]


async def _ready(process: asyncio.subprocess.Process, log: Path, begun: int) -> str:
    assert process.stdout is not None, "it was started with a pipe"
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), START_S)).decode().strip()
    except TimeoutError:
        raise NoServer(f"The server did not start within {START_S:.0f} seconds; see {log}.") from None
    if not line.startswith(READY):
        raise NoServer(f"The server did not start: {_last_words(log, begun) or line or f'see {log}'}")
    return line.removeprefix(READY)


def _last_words(log: Path, begun: int) -> str:
    """Return the last line that the server wrote since it was begun: its complaint."""
    lines = log.read_bytes()[begun:].decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


async def _stop(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), STOP_S)
        except TimeoutError:
            process.kill()
            await process.wait()
