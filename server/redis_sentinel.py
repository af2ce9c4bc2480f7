"""A connection to the master of a service, wherever it is now: the Sentinels are asked each time it is opened."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from redis.exceptions import ResponseError

from server.redis_link import Address, Link, Reply, Timing, ask, ask_once, drop, most_answers, read_info


@dataclass(frozen=True, slots=True)
class _Named:
    """What a Sentinel says: the later the epoch, the newer the fail-over that it knows of."""

    epoch: int
    address: Address


class Sentinels:
    """Where the master of a service is, by the newest word of most of the Sentinels."""

    def __init__(
        self, addresses: Sequence[Address], service: str, link_to: Callable[[Address], Link], timing: Timing
    ) -> None:
        self._addresses = addresses
        self._service = service
        self._link_to = link_to
        self._timing = timing

    async def master(self) -> Address:
        """Return the master's address; raise ConnectionError, with the reason, if none of the Sentinels knows one."""
        # Half of the time, so that the other half is left for the master itself.
        asked = (self._asked(address) for address in self._addresses)
        answers, errors = await most_answers(asked, self._timing.connect_s / 2)
        if not answers:
            raise ConnectionError(f"no Sentinel names a master {self._service}: {_reason(errors)}")
        return max(answers, key=lambda answer: answer.epoch).address

    async def _asked(self, address: Address) -> _Named:
        (reply,) = await ask_once(self._link_to(address), [("SENTINEL", "MASTER", self._service)], self._timing)
        facts = dict(zip(reply[::2], reply[1::2], strict=False))
        return _Named(int(facts[b"config-epoch"]), (facts[b"ip"].decode(), int(facts[b"port"])))


class MasterLink:
    """A `Link` to the master. A server that says it is a replica, as one does that was demoted, is not taken for it."""

    def __init__(self, sentinels: Sentinels, link_to: Callable[[Address], Link]) -> None:
        self._sentinels = sentinels
        self._link_to = link_to
        self._link: Link | None = None

    @property
    def is_connected(self) -> bool:
        return self._link is not None and self._link.is_connected

    @property
    def _writer(self) -> asyncio.StreamWriter | None:
        return None if self._link is None else self._link._writer

    async def connect(self) -> None:
        if self.is_connected:
            return
        address = await self._sentinels.master()
        link = self._link_to(address)
        try:
            await link.connect()
            (info,) = await ask(link, [("INFO", "replication")])
            if (role := read_info(info).get("role")) != "master":
                raise ConnectionError(f"the server that the Sentinels name says it is a {role}")
        except BaseException:
            await drop(link)
            raise
        self._link = link

    async def can_read(self) -> bool:
        return await self._opened.can_read()

    async def send_packed_command(self, command: Iterable[bytes], check_health: bool = True) -> None:
        await self._opened.send_packed_command(command, check_health)

    # ASYNC109: the parameter is redis-py's.
    async def read_response(self, *, timeout: float, disconnect_on_error: bool) -> Reply:  # noqa: ASYNC109
        return await self._opened.read_response(timeout=timeout, disconnect_on_error=disconnect_on_error)

    async def disconnect(self, nowait: bool = False) -> None:
        if self._link is not None:
            await self._link.disconnect(nowait)

    @property
    def _opened(self) -> Link:
        if self._link is None:
            raise ConnectionError("the connection is not open")
        return self._link


def _reason(errors: Sequence[Exception]) -> str:
    for error in errors:
        if isinstance(error, ResponseError) and "unknown command" in str(error).lower():
            return "the server asked is no Sentinel; if it is the store itself, its URL begins with redis://"
    return "; ".join(sorted({f"{type(error).__name__}: {error}" for error in errors})) or "none is given"
