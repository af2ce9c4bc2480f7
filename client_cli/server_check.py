"""What can be found out about a server by going there: for `biritch doctor`, and within a few seconds."""

import asyncio
import ssl
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median

from client_cli.address import Address
from client_cli.finding import Finding
from client_cli.wire import Closed, Unreachable, WebSocketWire, connector
from protocol import messages as m
from protocol.codec import decode_message, encode
from protocol.errors import ProtocolError

LIMIT_S = 10.0
"""Each step takes no longer: to connect, to be welcomed, to ping."""

PINGS = 5
SLOW_S = 0.5
CLOCK_S = 5.0
CERTIFICATE_DAYS = 14


async def look_at_server(address: Address, authority: Path | None, answer_s: float = LIMIT_S) -> list[Finding]:
    """Connect as the client does and say what was found. The subject `server` is wrong if it cannot be reached."""
    try:
        async with asyncio.timeout(LIMIT_S):
            wire = await connector(address, authority)()
    except Unreachable as error:
        return [
            Finding("server", "wrong", str(error), "Check the address, and that a server of this version runs there.")
        ]
    except TimeoutError:
        return [Finding("server", "wrong", f"{address.url} does not answer.", "Check the network.")]
    except ssl.SSLError as error:
        return [Finding("server", "wrong", f"{authority} holds no certificates: {error.reason}.")]
    found = [
        Finding("server", "ok", f"{address.url} can be reached and speaks {m.SUBPROTOCOL}."),
        _security(address, wire.tls, time.time()),
    ]
    try:
        return found + await _talk(wire, answer_s)
    except (Closed, ProtocolError, TimeoutError) as error:
        words = f"It stopped answering: {str(error) or 'nothing came'}."
        return [*found, Finding("hello", "wrong", words, "Look into the log of the server.")]
    finally:
        await wire.close()


async def _talk(wire: WebSocketWire, answer_s: float) -> list[Finding]:
    async with asyncio.timeout(answer_s):
        began = time.time()
        welcome = await _hello(wire)
        between = (began + time.time()) / 2
    async with asyncio.timeout(answer_s):
        latency_s = median([await wire.round_trip_s() for _ in range(PINGS)])
    if isinstance(welcome, m.Rejected):
        return [Finding("hello", "wrong", welcome.message, "Try again; if it stays so, ask who runs the server.")]
    return [_version(welcome.server), _latency(latency_s), _clock(welcome.now - between)]


async def _hello(wire: WebSocketWire) -> m.Welcome | m.Rejected:
    """Come as somebody new, which leaves no trace there: who plays meanwhile is not replaced."""
    await wire.send(encode(m.Hello(1, client="biritch doctor")))
    while True:
        message = decode_message(await wire.receive())
        if isinstance(message, m.Welcome | m.Rejected):
            return message


def _security(address: Address, tls: ssl.SSLObject | None, now: float) -> Finding:
    if tls is None:
        if address.loopback:
            return Finding("tls", "ok", "None, and none is needed: the server is on this machine.")
        advice = "Use a wss:// address if the server has one."
        return Finding("tls", "note", "None: whoever is on the way can read your cards.", advice)
    certificate = tls.getpeercert() or {}
    left = int((ssl.cert_time_to_seconds(str(certificate["notAfter"])) - now) / 86400)
    words = f"{tls.version()}; the certificate is trusted, and good for {left} more days."
    if left < CERTIFICATE_DAYS:
        return Finding("tls", "note", words, "Tell who runs the server.")
    return Finding("tls", "ok", words)


def _version(server: str) -> Finding:
    own = f"biritch {version('biritch')}"
    if server == own:
        return Finding("version", "ok", f"The server is {server}, as this client is.")
    return Finding("version", "note", f"The server is {server}, this client {own}.", "Bring both up to date.")


def _latency(latency_s: float) -> Finding:
    words = f"{latency_s * 1000:.1f} ms there and back, the median of {PINGS} pings."
    if latency_s < SLOW_S:
        return Finding("latency", "ok", words)
    return Finding("latency", "note", words, "It will do, but every card takes that long.")


def _clock(ahead_s: float) -> Finding:
    """Say how far the server's clock is ahead of this machine's."""
    if abs(ahead_s) < CLOCK_S:
        return Finding("clock", "ok", "This machine's clock agrees with the server's.")
    words = (
        f"The server's clock is {abs(ahead_s):.0f} seconds {'ahead of' if ahead_s > 0 else 'behind'} this machine's."
    )
    return Finding("clock", "note", words, "Set this machine's clock by the network.")
