"""The programs under measurement: started, watched, stopped."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from bench.client import Address
from protocol.messages import SUBPROTOCOL

ROOT = Path(__file__).resolve().parent.parent
STOP_S = 15.0


class Program:
    """A running program and what it has used so far. Its children, such as a store, are counted apart."""

    def __init__(self, process: "subprocess.Popen[str]", address: Address) -> None:
        self.address = address
        self._process = psutil.Process(process.pid)

    @property
    def cpu_s(self) -> float:
        """Seconds of a processor, in user and system mode."""
        return _cpu_s(self._process)

    @property
    def children_cpu_s(self) -> float:
        return sum(map(_cpu_s, self._process.children(recursive=True)))

    @property
    def resident_kib(self) -> float:
        return float(self._process.memory_info().rss) / 1024


class Group:
    """Programs that do one job together, and what they have used so far, all in all."""

    def __init__(self, members: Sequence[Program]) -> None:
        self._members = members

    @property
    def addresses(self) -> list[Address]:
        return [one.address for one in self._members]

    @property
    def cpu_s(self) -> float:
        """Seconds of a processor, in user and system mode."""
        return sum(one.cpu_s for one in self._members)

    @property
    def children_cpu_s(self) -> float:
        return sum(one.children_cpu_s for one in self._members)

    @property
    def resident_kib(self) -> float:
        return sum(one.resident_kib for one in self._members)


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def servers(count: int, *options: str) -> Iterator[Group]:
    """Run servers that share an embedded store, with a data folder that goes away with them."""
    with TemporaryDirectory(prefix="biritch-bench-") as data, ExitStack() as stack:
        command = [sys.executable, "-m", "server.main", "--port", "0", "--data", data, *options]
        where = r"ws://([^:]+):(\d+)/"
        running = [stack.enter_context(_running(command, where, SUBPROTOCOL)) for _ in range(count)]
        yield Group(running)


@contextmanager
def relay() -> Iterator[Group]:
    """Run the bare relay."""
    with _running([sys.executable, "-m", "bench.relay", "--port", "0"], r"()(\d+)$", None) as program:
        yield Group([program])


@contextmanager
def _running(command: Sequence[str], where: str, subprotocol: str | None) -> Iterator[Program]:
    """Start a program that says on its first line where it listens. Raises RuntimeError if it does not."""
    with TemporaryDirectory(prefix="biritch-bench-log-") as folder, (Path(folder) / "log").open("w+") as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
        assert process.stdout is not None, "a pipe was asked for"
        with process.stdout as said:
            try:
                found = re.search(where, said.readline().strip())
                if found is None:
                    log.seek(0)
                    raise RuntimeError(f"{command[2]} did not start: {log.read()[-2000:]}")
                yield Program(process, Address(found[1] or "127.0.0.1", int(found[2]), subprotocol))
            finally:
                _stop(process)


def _stop(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
