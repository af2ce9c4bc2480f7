"""Messages of a subscription are taken in batches; a fake transport stands for the socket."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
from redis.exceptions import InvalidResponse, ResponseError

from server.redis_ear import Ear
from server.redis_link import Link, Reply

GATHER_S = 0.01


class FakeSocket(asyncio.Transport):
    """Notes what is asked of it, and is a link and its writer as well."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    @property
    def _writer(self) -> Any:
        return self

    @property
    def transport(self) -> asyncio.Transport:
        return self

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.asked.append("set")

    def pause_reading(self) -> None:
        self.asked.append("pause")

    def resume_reading(self) -> None:
        self.asked.append("resume")

    def abort(self) -> None:
        self.asked.append("abort")


class Clock:
    """Stands for `call_later` of the loop: what is to come, and in how many seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.due: list[tuple[float, Callable[[], None]]] = []
        monkeypatch.setattr(asyncio.get_running_loop(), "call_later", lambda s, what: self.due.append((s, what)))


@pytest.fixture
async def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def listening(take: Callable[[Reply], None]) -> tuple[Ear, FakeSocket]:
    socket = FakeSocket()
    return Ear(cast(Link, socket), take, GATHER_S), socket


async def test_a_batch_is_taken_at_once_and_the_next_after_a_while(clock: Clock) -> None:
    heard: list[Reply] = []
    ear, socket = listening(heard.append)
    ear.data_received(b"*2\r\n$1\r\na\r\n:1\r\n*1\r\n$1\r\nb\r\n*1\r\n$1")
    assert heard == [[b"a", 1], [b"b"]]
    assert socket.asked == ["set", "pause"]
    ((wait_s, resume),) = clock.due
    assert wait_s == GATHER_S
    resume()
    assert socket.asked == ["set", "pause", "resume"]
    ear.data_received(b"\r\nc\r\n")  # the rest of one that came in two parts
    assert heard[2:] == [[b"c"]]
    assert not ear.ended.done()


async def test_an_error_of_the_server_is_handed_on(clock: Clock) -> None:
    heard: list[Reply] = []
    ear, _ = listening(heard.append)
    ear.data_received(b"-MOVED 7 127.0.0.1:7001\r\n")
    (error,) = heard
    assert isinstance(error, ResponseError)
    assert str(error) == "MOVED 7 127.0.0.1:7001"


async def test_raising_ends_it(clock: Clock) -> None:
    def take(message: Reply) -> None:
        raise ResponseError("no")

    ear, socket = listening(take)
    ear.data_received(b":1\r\n:2\r\n")
    with pytest.raises(ResponseError, match="no"):
        await ear.ended
    assert socket.asked == ["set", "abort"]
    assert clock.due == []
    ear.connection_lost(None)  # as the transport says then; the first reason stands
    assert isinstance(ear.ended.exception(), ResponseError)


async def test_what_is_no_reply_ends_it(clock: Clock) -> None:
    ear, socket = listening(lambda message: None)
    ear.data_received(b"HTTP/1.1 400\r\n")
    with pytest.raises(InvalidResponse):
        await ear.ended
    assert socket.asked[-1] == "abort"


@pytest.mark.parametrize("why", [None, ConnectionResetError("reset")])
async def test_a_lost_connection_ends_it(why: Exception | None, clock: Clock) -> None:
    ear, _ = listening(lambda message: None)
    ear.connection_lost(why)
    with pytest.raises(ConnectionError):
        await ear.ended
