"""The HTTP side of the port: plain answers (health, metrics) and the door to the WebSocket."""

import http
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.utils import formatdate

from websockets.datastructures import Headers
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Origin, Subprotocol

_log = logging.getLogger("biritch.transport")

# The library writes the contents of frames to its log at DEBUG: never here, whatever the level of the others.
_library_log = logging.getLogger("biritch.transport.library")
_library_log.setLevel(logging.WARNING)

MAX_REQUEST = 16 * 1024
"""Bytes of a request line with all its headers; the library alone would take a megabyte."""

# What the library drops without a word: not HTTP, or a request with a body.
_BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The answer to a plain GET or HEAD; the body is left out of the latter."""

    status: int
    content_type: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Door:
    """Whom a listener lets in, and what it answers to other requests.

    `origins` are the browser origins allowed besides none at all; `refusal` says why a client at this address cannot
    be let in now, or None.
    """

    path: str
    subprotocol: str
    origins: Sequence[str]
    max_message: int
    answer: Callable[[str], HttpAnswer | None]
    refusal: Callable[[str], str | None]

    def connecting(self) -> ServerProtocol:
        """Return the library's state machine for a connection that has said nothing yet."""
        return ServerProtocol(
            origins=[None, *map(Origin, self.origins)],
            subprotocols=[Subprotocol(self.subprotocol)],
            # A plain function, since the library binds it to its own object.
            select_subprotocol=lambda _, offered: self._chosen(offered),
            max_size=self.max_message,
            logger=_library_log,
        )

    def connected(self) -> ServerProtocol:
        """Return the library's state machine for a connection whose handshake is done."""
        return ServerProtocol(state=State.OPEN, max_size=self.max_message, logger=_library_log)

    def response(self, protocol: ServerProtocol, request: Request, host: str) -> Response:
        path = request.path.partition("?")[0]
        if not _wants_websocket(request):
            return self._plain(protocol, request, path)
        if path != self.path:
            return protocol.reject(404, f"The WebSocket is at {self.path}\n")
        if why := self.refusal(host):
            response = protocol.reject(503, f"{why}\n")
            response.headers["Retry-After"] = "5"
            return response
        return protocol.accept(request)

    def _plain(self, protocol: ServerProtocol, request: Request, path: str) -> Response:
        if request.method not in ("GET", "HEAD"):
            response = protocol.reject(405, "Only GET and HEAD are answered here\n")
            response.headers["Allow"] = "GET, HEAD"
            return response
        answer = self._page(path)
        if answer is None and path == self.path and request.method == "GET":
            return protocol.accept(request)  # which explains that an upgrade is wanted here
        return _rendered(answer or _NOT_FOUND, with_body=request.method == "GET")

    def _page(self, path: str) -> HttpAnswer | None:
        try:
            return self.answer(path)
        except Exception as error:
            _log.error("no answer to GET %s: %s", ascii(path)[:80], traced(error))
            return _FAILED

    def _chosen(self, offered: Sequence[Subprotocol]) -> Subprotocol:
        wanted = Subprotocol(self.subprotocol)
        if wanted not in offered:
            raise NegotiationError(f"offer the subprotocol {wanted} in Sec-WebSocket-Protocol")
        return wanted


@dataclass(frozen=True, slots=True)
class Reply:
    """What to send in answer to a request, and whether the WebSocket is open after it."""

    data: bytes
    accepted: bool


class Handshake:
    """One client's request while it comes in."""

    __slots__ = ("_door", "_host", "_protocol", "_room")

    def __init__(self, door: Door, host: str) -> None:
        self._door = door
        self._host = host
        self._protocol = door.connecting()
        self._room = MAX_REQUEST

    def receive(self, data: bytes) -> Reply | None:
        """Return the reply once the request is complete or wrong, else None."""
        self._room -= len(data)
        self._protocol.receive_data(data)
        events = self._protocol.events_received()
        if self._protocol.handshake_exc is not None:
            return Reply(b"".join(self._protocol.data_to_send()) or _BAD_REQUEST, accepted=False)
        if not events:
            return None if self._room > 0 else self._reply(self._protocol.reject(431, "Too many headers\n"))
        if len(events) > 1:
            # RFC 6455, 4.1: the client waits for the answer; what it sent ahead cannot have been meant for us.
            return Reply(_BAD_REQUEST, accepted=False)
        request = events[0]
        assert isinstance(request, Request), "a handshake begins with a request"
        return self._reply(self._door.response(self._protocol, request, self._host))

    def _reply(self, response: Response) -> Reply:
        self._protocol.send_response(response)
        return Reply(b"".join(self._protocol.data_to_send()), accepted=response.status_code == 101)


def traced(error: BaseException) -> str:
    """Return where an exception came from and its type, in one line and without its values, which may be cards."""
    steps: list[str] = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        steps.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return f"{type(error).__name__} in {' > '.join(steps[-4:])}"


def _wants_websocket(request: Request) -> bool:
    return any("websocket" in value.lower() for value in request.headers.get_all("Upgrade"))


def _rendered(answer: HttpAnswer, *, with_body: bool) -> Response:
    headers = Headers()
    headers["Date"] = formatdate(usegmt=True)
    headers["Connection"] = "close"
    headers["Content-Type"] = answer.content_type
    headers["Content-Length"] = str(len(answer.body))
    headers["Cache-Control"] = "no-store"
    headers["X-Content-Type-Options"] = "nosniff"
    phrase = http.HTTPStatus(answer.status).phrase
    return Response(answer.status, phrase, headers, answer.body if with_body else b"")


_TEXT = "text/plain; charset=utf-8"
_NOT_FOUND = HttpAnswer(404, _TEXT, b"Nothing here\n")
_FAILED = HttpAnswer(500, _TEXT, b"The server failed to answer; its log says more\n")
