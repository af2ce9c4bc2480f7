"""The embedded store: started, shared, left behind, taken over, stopped; and what is said when it cannot be."""

import asyncio
import contextlib
import errno
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from server import embedded, store_program
from server.embedded import LOOK_AFTER_IT_S, EmbeddedStore
from server.redis_store import RedisStore
from server.store import START, NewEntry
from server.store_program import EmbeddedStoreError, Health, find_program, health, process_id, socket_for
from tests.stores import KINDS, PATIENT, WITHIN_S, program_of

DAY_S = 86_400

CRASHER = """
import asyncio, sys
from pathlib import Path
from server.embedded import EmbeddedStore

async def main() -> None:
    await EmbeddedStore.start(Path(sys.argv[1]), program=Path(sys.argv[2]))
    print("started", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture(params=KINDS)
def program(request: pytest.FixtureRequest) -> Path:
    return program_of(request.param)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder. Whatever a failed test left running in it is ended."""
    folder = tmp_path / "data"
    yield folder
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if Path(process.cwd()).is_relative_to(folder):
                process.kill()


async def pid_of(store: EmbeddedStore) -> int:
    pid = await process_id(socket_for(store.folder))
    assert pid is not None, "the store does not answer"
    return pid


async def write(store: EmbeddedStore, id: str) -> None:
    client = await RedisStore.connect(store.url, PATIENT)
    heads = await client.heads(["T"])
    await client.append("T", heads[0] or START, [NewEntry(id, b"")], DAY_S)
    await client.close()


async def ids_in(store: EmbeddedStore) -> list[str]:
    client = await RedisStore.connect(store.url, PATIENT)
    entries = await client.read("T")
    await client.close()
    return [entry.id for entry in entries]


def crasher(folder: Path, program: Path) -> subprocess.Popen[bytes]:
    """A server that starts the store and then waits to be killed."""
    return subprocess.Popen(
        [sys.executable, "-c", CRASHER, str(folder), str(program)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONPATH": "."},
    )


def gone(pid: int) -> bool:
    """Whether a process has ended and left nothing, or is a defunct child of somebody else's."""
    try:
        process = psutil.Process(pid)
        return process.status() == psutil.STATUS_ZOMBIE and process.ppid() != os.getpid()
    except psutil.NoSuchProcess:
        return True


def wait_until_gone(pid: int) -> None:
    deadline = time.monotonic() + WITHIN_S
    while not gone(pid):
        assert time.monotonic() < deadline, f"process {pid} does not end"
        time.sleep(0.01)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_what_was_written_is_there_at_the_next_start(folder: Path, program: Path) -> None:
    for turn in ("a", "b", "c"):
        async with await EmbeddedStore.start(folder, program=program) as store:
            await write(store, turn)
            pid = await pid_of(store)
        assert gone(pid)
        assert await health(socket_for(folder)) is Health.ABSENT
    async with await EmbeddedStore.start(folder, program=program) as store:
        assert await ids_in(store) == ["a", "b", "c"]


async def test_it_is_a_group_of_its_own_and_for_our_eyes_only(folder: Path, program: Path) -> None:
    async with await EmbeddedStore.start(folder, program=program) as store:
        assert os.getpgid(await pid_of(store)) != os.getpgid(0)
        await write(store, "a")
        assert mode_of(folder) == 0o700
        files = files_in(folder)
        assert any("aof" in path.name for path in files)
        assert [path for path in files if mode_of(path) & 0o077] == []


async def test_the_last_to_leave_stops_it(folder: Path, program: Path) -> None:
    one = await EmbeddedStore.start(folder, program=program)
    other = await EmbeddedStore.start(folder, program=program)
    pid = await pid_of(one)
    assert one.url == other.url
    await one.stop()
    await one.stop()
    assert await pid_of(other) == pid
    await other.stop()
    assert gone(pid)


async def test_many_who_come_at_once_share_one(folder: Path, program: Path) -> None:
    stores = await asyncio.gather(*(EmbeddedStore.start(folder, program=program) for _ in range(5)))
    pids = {await pid_of(store) for store in stores}
    assert len(pids) == 1
    await asyncio.gather(*(store.stop() for store in stores))
    assert gone(pids.pop())


async def test_one_left_by_a_killed_server_is_taken_over(folder: Path, program: Path) -> None:
    server = crasher(folder, program)
    with server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"started\n"
        first = await EmbeddedStore.start(folder, program=program)
        pid = await pid_of(first)
        await write(first, "a")
        await first.stop()  # the other still uses it
        server.kill()
    async with await EmbeddedStore.start(folder, program=program) as store:
        assert await pid_of(store) == pid
        assert await ids_in(store) == ["a"]
    wait_until_gone(pid)


async def test_one_that_crashed_is_started_again_on_its_data(folder: Path, program: Path) -> None:
    async with await EmbeddedStore.start(folder, program=program) as store:
        await write(store, "a")
        pid = await pid_of(store)
        os.kill(pid, signal.SIGKILL)
        wait_until_gone(pid)
        async with await EmbeddedStore.start(folder, program=program) as again:
            assert await ids_in(again) == ["a"]
            pid = await pid_of(again)
        assert not gone(pid)
    assert gone(pid)


def no_room(path: Path) -> int:
    raise OSError(errno.ENOSPC, "No space left on device", str(path))


async def test_one_that_crashes_is_brought_back_by_those_who_use_it(
    folder: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: asyncio.Queue[None] = asyncio.Queue()
    looks: asyncio.Queue[None] = asyncio.Queue()

    async def sleep(seconds: float) -> None:
        """Let the keepers rest until the test sends them to look."""
        if seconds != LOOK_AFTER_IT_S:
            return await asyncio.sleep(seconds)
        rests.put_nowait(None)
        await looks.get()

    async def let_both_look() -> None:
        async with asyncio.timeout(WITHIN_S):
            for turn in (looks.put, looks.put, lambda _: rests.get(), lambda _: rests.get()):
                await turn(None)

    one = await EmbeddedStore.start(folder, program=program, sleep=sleep)
    async with one, await EmbeddedStore.start(folder, program=program, sleep=sleep):
        await rests.get()
        await rests.get()
        await write(one, "a")
        pid = await pid_of(one)
        await let_both_look()
        assert await pid_of(one) == pid, "one that runs is left alone"
        os.kill(pid, signal.SIGKILL)
        wait_until_gone(pid)
        with monkeypatch.context() as full:
            full.setattr(embedded, "_opened", no_room)
            await let_both_look()
            assert await health(socket_for(folder)) is Health.ABSENT
        await let_both_look()
        assert await ids_in(one) == ["a"]
        again = await pid_of(one)
    assert gone(again)


async def test_a_long_folder_name_gets_a_short_socket(folder: Path, program: Path) -> None:
    long = folder / ("a long name " * 10) / 'with "quotes" and spaces'
    async with await EmbeddedStore.start(long, program=program) as store:
        await write(store, "a")
        socket = socket_for(store.folder)
        assert len(os.fsencode(socket)) <= store_program.LONGEST_SOCKET_PATH
        assert mode_of(socket.parent) == 0o700
        # The same name next time, or a store that was left behind would not be found.
        assert socket_for(store.folder) == socket
    socket.parent.rmdir()


def test_a_short_folder_of_somebody_else_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/tmp")
    long = tmp_path / ("x" * 120)
    short = socket_for(long).parent
    short.chmod(0o755)
    with pytest.raises(EmbeddedStoreError, match="not a folder of ours alone"):
        socket_for(long)
    short.rmdir()
    short.symlink_to(tmp_path)
    with pytest.raises(EmbeddedStoreError, match="not a folder of ours alone"):
        socket_for(long)
    short.unlink()


async def test_a_program_that_ends_at_once_has_its_last_words_told(folder: Path, tmp_path: Path) -> None:
    broken = script(tmp_path, "echo I cannot do this; exit 3")
    with pytest.raises(EmbeddedStoreError, match=r"ended at once\. Its last words: I cannot do this"):
        await EmbeddedStore.start(folder, program=broken)
    for pid in list(embedded._children):
        wait_until_gone(pid)


async def test_a_program_that_never_answers_is_given_up_and_ended(folder: Path, tmp_path: Path) -> None:
    hanging = script(tmp_path, "exec sleep 1000")
    with pytest.raises(EmbeddedStoreError, match="is not ready in time: nobody listens"):
        await EmbeddedStore.start(folder, program=hanging, start_s=0.1)
    for pid in list(embedded._children):
        wait_until_gone(pid)


async def test_a_store_that_hangs_is_neither_used_nor_started_twice(folder: Path, program: Path) -> None:
    async with await EmbeddedStore.start(folder, program=program) as store:
        pid = await pid_of(store)
        os.kill(pid, signal.SIGSTOP)
        monotonic = time.monotonic()
        with pytest.raises(EmbeddedStoreError, match="somebody listens, but does not answer"):
            await EmbeddedStore.start(folder, program=program, start_s=0.1)
        assert time.monotonic() - monotonic < WITHIN_S
        os.kill(pid, signal.SIGCONT)
        assert await pid_of(store) == pid


async def test_spoilt_data_is_told(folder: Path, program: Path) -> None:
    async with await EmbeddedStore.start(folder, program=program) as store:
        await write(store, "a")
    (manifest,) = [path for path in files_in(folder) if path.suffix == ".manifest"]
    manifest.write_text("spoilt\n")
    with pytest.raises(EmbeddedStoreError, match="ended at once"):
        await EmbeddedStore.start(folder, program=program)


async def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedStoreError, match="cannot be used"):
        await EmbeddedStore.start(tmp_path / "file" / "data", program=Path("/bin/true"))


async def test_a_program_that_cannot_be_run_is_told(folder: Path, tmp_path: Path) -> None:
    bad = tmp_path / "program"
    bad.write_bytes(b"\x7fELF, but not really")
    bad.chmod(0o700)
    with pytest.raises(EmbeddedStoreError, match="cannot be started"):
        await EmbeddedStore.start(folder, program=bad)


def test_the_program_is_looked_for_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(store_program.PROGRAM_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(store_program, "wheel_program", lambda: None)
    with pytest.raises(EmbeddedStoreError, match="--store or BIRITCH_STORE"):
        find_program()
    for name in ("redis-server", "valkey-server"):
        path = script(tmp_path, "", name)
        assert find_program() == path
    monkeypatch.setattr(store_program, "wheel_program", lambda: tmp_path / "wheel")
    assert find_program() == tmp_path / "wheel"
    monkeypatch.setenv(store_program.PROGRAM_VARIABLE, str(tmp_path / "redis-server"))
    assert find_program() == tmp_path / "redis-server"
    assert find_program(tmp_path / "valkey-server") == tmp_path / "valkey-server"
    with pytest.raises(EmbeddedStoreError, match="is not there"):
        find_program(tmp_path / "none")


def test_windows_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(EmbeddedStoreError, match="WSL"):
        find_program()


def script(folder: Path, text: str, name: str = "program") -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return path
