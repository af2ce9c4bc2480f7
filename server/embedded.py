"""The embedded store: a Valkey or Redis of our own, on a unix socket in the data folder, in its own process group.

Server processes on one machine that name the same folder share one store program. Each holds a shared lock while it
lives, which the system takes back even from a process that is killed; the last to leave stops the program. So the
store outlives a server that crashed, and the next one to come uses it and takes over the duty to stop it. A program
that has crashed is started again by whoever of its users finds it gone first.
"""

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from types import TracebackType

from server.store_program import (
    EmbeddedStoreError,
    Health,
    ask,
    config_text,
    find_program,
    health,
    prepare_folder,
    process_id,
    socket_for,
    socket_url,
)

if sys.platform != "win32":
    import fcntl

LOOK_AGAIN_S = 0.02
LOOK_AFTER_IT_S = 1.0
LONGEST_LOG = 1_000_000
START_S = 60.0
STOP_S = 10.0

log = logging.getLogger(__name__)

_children: dict[int, subprocess.Popen[bytes]] = {}
"""The programs that this process started and that still run."""


class EmbeddedStore:
    """A running store program that this process uses. `async with await EmbeddedStore.start(folder) as store: ...`"""

    def __init__(
        self,
        folder: Path,
        socket: Path,
        users: int,
        launch: Callable[[], subprocess.Popen[bytes]],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self.folder = folder
        self.url = socket_url(socket)
        self._socket = socket
        self._users: int | None = users
        self._launch = launch
        self._sleep = sleep
        self._keeper = asyncio.create_task(self._keep(), name="store keeper")

    @classmethod
    async def start(
        cls,
        folder: Path,
        *,
        program: Path | None = None,
        appendfsync: str = "always",
        start_s: float = START_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> "EmbeddedStore":
        """Start the store of a folder, or use the one that runs; return when it answers and has read its data."""
        found = find_program(program)
        folder = prepare_folder(folder)
        socket = socket_for(folder)
        launch = partial(_launch, found, folder, config_text(folder, socket, appendfsync))
        deadline = time.monotonic() + start_s
        async with _door(folder, deadline, sleep):
            users = _opened(folder / "store.users")
            try:
                fcntl.flock(users, fcntl.LOCK_SH | fcntl.LOCK_NB)
                await _ready(folder, socket, launch, deadline, sleep)
            except BaseException:
                os.close(users)
                raise
        return cls(folder, socket, users, launch, sleep)

    async def stop(self) -> None:
        """Leave the store. The last to leave stops the program, and returns when it has ended."""
        if self._users is None:
            return
        users, self._users = self._users, None
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)
        try:
            async with _door(self.folder, time.monotonic() + STOP_S, self._sleep):
                if _is_alone(users):
                    await _end(self._socket, self._sleep)
        except EmbeddedStoreError as error:
            log.warning("the store was not stopped: %s", error)
        finally:
            os.close(users)

    async def _keep(self) -> None:
        """Start the program again when it has ended, and again where that fails, as long as this process uses it."""
        while True:
            await self._sleep(LOOK_AFTER_IT_S)
            try:
                if await health(self._socket) is not Health.ABSENT:
                    continue
                deadline = time.monotonic() + START_S
                async with _door(self.folder, deadline, self._sleep):
                    await _ready(self.folder, self._socket, self._launch, deadline, self._sleep)
            except (EmbeddedStoreError, OSError) as error:  # a full disk, too, may have room again
                log.error("the store has ended and does not come back: %s", error)
            else:
                log.warning("the store had ended; it is there again")

    async def __aenter__(self) -> "EmbeddedStore":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()


@contextlib.asynccontextmanager
async def _door(folder: Path, deadline: float, sleep: Callable[[float], Awaitable[None]]) -> AsyncIterator[None]:
    """Come or go one at a time, or two would start two programs on the same files."""
    door = _opened(folder / "store.lock")
    try:
        while True:
            try:
                fcntl.flock(door, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise EmbeddedStoreError(f"Another process is still busy starting the store of {folder}.") from None
                await sleep(LOOK_AGAIN_S)
        yield
    finally:
        os.close(door)


def _opened(path: Path) -> int:
    return _private(str(path), os.O_RDWR | os.O_CREAT)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _is_alone(users: int) -> bool:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _ready(
    folder: Path,
    socket: Path,
    launch: Callable[[], subprocess.Popen[bytes]],
    deadline: float,
    sleep: Callable[[float], Awaitable[None]],
) -> None:
    """Return when a store answers, launching one if nobody listens."""
    child: subprocess.Popen[bytes] | None = None
    try:
        while (state := await health(socket)) is not Health.READY:
            if child is None and state is Health.ABSENT:
                child = launch()
            if child is not None and child.poll() is not None:
                raise EmbeddedStoreError(f"The store program ended at once. Its last words: {_last_words(folder)}")
            if time.monotonic() > deadline:
                raise EmbeddedStoreError(
                    f"The store of {folder} is not ready in time: {state.value}. Its last words: {_last_words(folder)}"
                )
            await sleep(LOOK_AGAIN_S)
    except BaseException:
        if child is not None:
            child.kill()
        raise


def _launch(program: Path, folder: Path, config: str) -> subprocess.Popen[bytes]:
    config_path, log_path = folder / "store.conf", folder / "store.log"
    with open(config_path, "w", opener=_private) as lines:
        lines.write(config)
    with contextlib.suppress(FileNotFoundError):
        if log_path.stat().st_size > LONGEST_LOG:
            log_path.replace(folder / "store.log.1")
    try:
        with open(log_path, "ab", opener=_private) as output:
            child = subprocess.Popen(
                [str(program), str(config_path)],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # else Ctrl-C would end the store together with the server, or before it
                umask=0o077,
            )
    except OSError as error:
        raise EmbeddedStoreError(f"The store program {program} cannot be started: {error.strerror}.") from error
    _children[child.pid] = child
    # Whoever stops it, and whenever: it is waited for, so it never stays behind as a defunct process.
    threading.Thread(target=_reap, args=(child,), name=f"store {child.pid}", daemon=True).start()
    log.info("started the store %s (process %d) in %s", program, child.pid, folder)
    return child


def _reap(child: subprocess.Popen[bytes]) -> None:
    child.wait()
    _children.pop(child.pid, None)


async def _end(socket: Path, sleep: Callable[[float], Awaitable[None]]) -> None:
    """End the program that listens on our socket, and return when it has ended."""
    pid = await process_id(socket)
    if pid is None:
        log.warning("the store on %s does not answer, so it is not stopped", socket)
        return
    child = _children.get(pid)
    # Not a signal: the number may mean another process here, if the store was started in another container.
    await ask(socket, "SHUTDOWN")
    deadline = time.monotonic() + STOP_S
    while child.poll() is None if child is not None else await health(socket) is not Health.ABSENT:
        if time.monotonic() > deadline:
            log.warning("the store (process %d) has not ended yet", pid)
            return
        await sleep(LOOK_AGAIN_S)


def _last_words(folder: Path) -> str:
    try:
        with (folder / "store.log").open("rb") as lines:
            lines.seek(max(0, os.fstat(lines.fileno()).st_size - 2000))
            return " / ".join(lines.read().decode(errors="replace").strip().splitlines()[-5:])
    except OSError:
        return "(none)"
