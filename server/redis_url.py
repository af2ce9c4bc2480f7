"""The URL of a store: one server, the master that a group of Sentinels names, or the nodes of a Cluster.

    redis://[USER:PASSWORD@]HOST[:PORT][/DB]                              rediss:// for TLS; unix:///PATH
    redis+sentinel://[USER:PASSWORD@]HOST[:PORT],HOST[:PORT]/SERVICE[/DB]  rediss+sentinel://
    redis+cluster://[USER:PASSWORD@]HOST[:PORT],HOST[:PORT]                rediss+cluster://

The options of redis-py's connections, as `ssl_ca_certs`, may follow; the login of the Sentinels is `sentinel_username`
and `sentinel_password`. Nothing that is raised or shown here quotes a user, a password or an option.
"""

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

import redis.asyncio.connection as redis_connection
from redis.exceptions import RedisError

from server.redis_link import Address, Link, Timing
from server.store import StoreUnavailable

MALFORMED = "a URL that is malformed"
_LOGIN = ("username", "password")


class Kind(enum.Enum):
    ONE = ""
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


SCHEMES = {
    "redis": Kind.ONE,
    "rediss": Kind.ONE,
    "unix": Kind.ONE,
    "redis+sentinel": Kind.SENTINEL,
    "rediss+sentinel": Kind.SENTINEL,
    "redis+cluster": Kind.CLUSTER,
    "rediss+cluster": Kind.CLUSTER,
}
_DEFAULT_PORT = {Kind.ONE: 6379, Kind.SENTINEL: 26379, Kind.CLUSTER: 6379}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store is. The links are new and not yet opened; `addresses` are the Sentinels, or some cluster nodes."""

    kind: Kind
    link: Callable[[], Link]
    link_to: Callable[[Address], Link]
    addresses: tuple[Address, ...] = ()
    service: str = ""
    sentinel_link_to: Callable[[Address], Link] | None = None


def place_of(url: str, timing: Timing) -> Place:
    """Read a URL; raise StoreUnavailable, with a sentence that shows no secret, if it is not understood."""
    scheme = url.partition("://")[0].lower() if "://" in url else ""
    if scheme not in SCHEMES:
        raise StoreUnavailable(
            "The store's URL must begin with redis://, rediss:// or unix://, or with redis+sentinel:// or"
            " redis+cluster:// (rediss+... for TLS)."
        )
    name = shown(url)
    if name == MALFORMED:
        why = "is one of its hosts or ports wrong? In a user or password, @ / : % are written %40 %2F %3A %25"
        raise StoreUnavailable(f"The store's URL is not understood: {name} ({why}).")
    try:
        return _place(url, timing)
    except _Wrong as error:
        raise StoreUnavailable(f"The store's URL is not understood: {name} ({error}).") from None
    except (ValueError, TypeError, RedisError):
        # The error may quote any part of the URL, so it is not passed on.
        why = "an option is unknown, or its value is wrong"
        raise StoreUnavailable(f"The store's URL is not understood: {name} ({why}).") from None


class _Wrong(Exception):
    """What is wrong with a URL, in words that quote nothing of it."""


def _place(url: str, timing: Timing) -> Place:
    parts = _split(url)
    if SCHEMES[parts.scheme] is Kind.SENTINEL:
        return _sentinels(parts, timing)
    if SCHEMES[parts.scheme] is Kind.CLUSTER:
        return _cluster(parts, timing)
    database = parts.path.strip("/")
    if parts.scheme != "unix" and database and not database.isdecimal():
        raise _Wrong("what follows the host is no number of a database")
    link_to = _linker(url, timing)
    return Place(Kind.ONE, lambda: link_to(None), link_to)


def shown(url: str) -> str:
    """Return a URL as it may be printed: without user, password and options."""
    try:
        parts = _split(url)
        kind = SCHEMES[parts.scheme]
        if parts.scheme == "unix":
            return f"unix://{parts.path}"
        hosts = [_host_and_port(host) for host in _hosts(parts, kind)]
    except (ValueError, KeyError):
        return MALFORMED
    if not all(host for host, _ in hosts) or "@" in parts.path:
        return MALFORMED  # a password that was not quoted may have come to stand anywhere
    return f"{parts.scheme}://{','.join(named(host, port) for host, port in hosts)}{parts.path}"


def _split(url: str) -> SplitResult:
    """Take a URL apart as `urlsplit` does, which in newer Pythons refuses an IPv6 address that is not the only host."""
    scheme, _, rest = url.partition("://")
    rest, _, fragment = rest.partition("#")
    rest, _, query = rest.partition("?")
    netloc, slash, path = rest.partition("/")
    return SplitResult(scheme.lower(), netloc, slash + path, query, fragment)


def named(host: str, port: int | None) -> str:
    host = f"[{host}]" if ":" in host else host
    return f"{host}:{port}" if port else host


def _sentinels(parts: SplitResult, timing: Timing) -> Place:
    service, _, database = parts.path.strip("/").partition("/")
    if not service or (database and not database.isdecimal()):
        raise _Wrong("after the hosts comes the name of the service, and perhaps the number of a database")
    query = parse_qsl(parts.query, keep_blank_values=True)
    logins = {f"sentinel_{name}": name for name in _LOGIN}
    own = [(name, value) for name, value in query if name not in logins]
    # The Sentinels are reached as the master is (TLS and all), but have a login of their own, and no databases.
    theirs = [(name, value) for name, value in own if name not in (*_LOGIN, "db")]
    theirs += [(logins[name], value) for name, value in query if name in logins]
    login, at, _ = parts.netloc.rpartition("@")
    link_to = _linker(_single(parts, login + at, f"/{database or 0}", own), timing)
    sentinel_link_to = _linker(_single(parts, "", "", theirs), timing)
    return Place(Kind.SENTINEL, lambda: link_to(None), link_to, _addresses(parts), unquote(service), sentinel_link_to)


def _cluster(parts: SplitResult, timing: Timing) -> Place:
    if parts.path not in ("", "/", "/0"):
        raise _Wrong("a Cluster has no numbered databases")
    login, at, _ = parts.netloc.rpartition("@")
    link_to = _linker(_single(parts, login + at, "", parse_qsl(parts.query)), timing)
    addresses = _addresses(parts)
    return Place(Kind.CLUSTER, lambda: link_to(addresses[0]), link_to, addresses)


def _single(parts: SplitResult, login: str, path: str, query: list[tuple[str, str]]) -> str:
    """Return the URL of one server with the same login and options: redis-py reads those."""
    return f"{parts.scheme.partition('+')[0]}://{login}host{path}?{urlencode(query)}"


def _linker(url: str, timing: Timing) -> Callable[[Address | None], Link]:
    options = dict(redis_connection.parse_url(url))
    kind = cast(Callable[..., Link], options.pop("connection_class", redis_connection.Connection))
    options |= {
        # RESP2 gives the same shapes from every server, and published messages in the line of replies.
        "protocol": 2,
        # Timeouts are set here around whole pipelines, which is cheaper than one for each reply.
        "socket_timeout": None,
        "socket_connect_timeout": timing.connect_s,
        "client_name": "biritch",
        "retry": None,
    }
    kind(**options)  # an option that is unknown is found now

    def link_to(address: Address | None) -> Link:
        there: dict[str, Any] = {} if address is None else {"host": address[0], "port": address[1]}
        return kind(**(options | there))

    return link_to


def _addresses(parts: SplitResult) -> tuple[Address, ...]:
    kind = SCHEMES[parts.scheme]
    return tuple((host, port or _DEFAULT_PORT[kind]) for host, port in map(_host_and_port, _hosts(parts, kind)))


def _hosts(parts: SplitResult, kind: Kind) -> list[str]:
    hosts = parts.netloc.rpartition("@")[2]
    return [hosts] if kind is Kind.ONE else hosts.split(",")


def _host_and_port(text: str) -> tuple[str, int | None]:
    parts = urlsplit(f"//{text}")
    return parts.hostname or "", parts.port
