"""What comes on a subscription, heard in batches.

To wake a process costs it more than to fold an entry: where wake-ups come thick, those of a few milliseconds are taken
together. One that comes after a rest is taken at once, so a single table waits for nothing.
"""

import asyncio
from collections.abc import Callable

import hiredis
from redis.exceptions import InvalidResponse, ResponseError

from server.redis_link import Link, Reply, transport_of


class Ear(asyncio.Protocol):
    """Take a connection over and hand on each message that comes; raising there ends it.

    After a batch nothing is read for `gather_s` seconds; what comes meanwhile waits in the socket.
    """

    def __init__(self, link: Link, take: Callable[[Reply], None], gather_s: float) -> None:
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = self._loop.create_future()
        """Why no more will come, as an exception."""
        self._take, self._gather_s = take, gather_s
        self._reader = hiredis.Reader(protocolError=InvalidResponse, replyError=ResponseError, notEnoughData=self)
        self._transport = transport_of(link)
        self._transport.set_protocol(self)

    def data_received(self, data: bytes) -> None:
        try:
            self._reader.feed(data)
            while (message := self._reader.gets()) is not self:
                self._take(message)
        except Exception as error:
            self._end(error)
            self._transport.abort()
        else:
            self._transport.pause_reading()
            self._loop.call_later(self._gather_s, self._transport.resume_reading)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc or ConnectionError("the connection was closed"))

    def _end(self, why: Exception) -> None:
        if not self.ended.done():
            self.ended.set_exception(why)
            self.ended.exception()  # whether or not somebody still waits for it
