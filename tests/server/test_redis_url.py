"""What the URL of a store may say, and what is shown of it."""

from typing import Any, cast

import pytest
import redis.asyncio.connection as redis_connection

from server.redis_link import Timing
from server.redis_url import Kind, place_of, shown
from server.store import StoreUnavailable


def options(link: object) -> tuple[type, str, int, Any, Any, Any]:
    found = cast(redis_connection.Connection, link)
    return type(found), found.host, int(found.port), found.db, found.username, found.password


PLAIN, TLS = redis_connection.Connection, redis_connection.SSLConnection


def test_the_nodes_of_a_cluster() -> None:
    place = place_of("redis+cluster://me:p%40ss@one:7000,[::1]:7001,two", Timing())
    assert place.kind is Kind.CLUSTER
    assert place.addresses == (("one", 7000), ("::1", 7001), ("two", 6379))
    assert options(place.link_to(("other", 7005))) == (PLAIN, "other", 7005, 0, "me", "p@ss")


def test_sentinels_have_a_login_of_their_own() -> None:
    url = "redis+sentinel://me:pass@one,two:26380/tables/3?sentinel_username=guard&sentinel_password=w%2Frd"
    place = place_of(url, Timing())
    assert place.kind is Kind.SENTINEL
    assert (place.addresses, place.service) == ((("one", 26379), ("two", 26380)), "tables")
    assert options(place.link_to(("other", 7005))) == (PLAIN, "other", 7005, 3, "me", "pass")
    assert place.sentinel_link_to is not None
    assert options(place.sentinel_link_to(("one", 26379))) == (PLAIN, "one", 26379, 0, "guard", "w/rd")


def test_tls_is_for_all_connections() -> None:
    sentinels = place_of("rediss+sentinel://:pass@one/tables?ssl_ca_certs=/ca.pem", Timing())
    assert sentinels.sentinel_link_to is not None
    assert options(sentinels.sentinel_link_to(("one", 1)))[0] is TLS
    assert options(sentinels.link_to(("two", 2))) == (TLS, "two", 2, 0, None, "pass")
    assert options(place_of("rediss+cluster://one", Timing()).link_to(("two", 2)))[0] is TLS


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("redis+other://:hidden@host", "must begin with redis://"),
        ("redis+sentinel://:hidden@host", "is not understood: redis+sentinel://host "),
        ("redis+sentinel://:hidden@host/tables/hidden", "is not understood"),
        ("redis+sentinel://:hidden@host,/tables", "is not understood: a URL that is malformed"),
        ("redis+sentinel://:hidden@host/tables?hidden=1", "is not understood: redis+sentinel://host/tables "),
        ("redis+cluster://:hidden@host/2", "is not understood: redis+cluster://host/2 "),
        ("redis+cluster://:hidden@host:port", "is not understood: a URL that is malformed"),
        ("redis+cluster://", "is not understood: a URL that is malformed"),
        ("redis://:p@hidden/w:secret@localhost:1/0", "In a user or password, @ / : % are written %40 %2F %3A %25"),
        ("redis://:hidden@host/zero", "what follows the host is no number of a database"),
        ("redis://:hidden@host?colour=hidden", "redis://host (an option is unknown, or its value is wrong)"),
    ],
)
def test_what_is_not_understood_is_named_without_its_password(url: str, said: str) -> None:
    with pytest.raises(StoreUnavailable) as raised:
        place_of(url, Timing())
    assert said in str(raised.value)
    assert "hidden" not in str(raised.value).replace("tables/hidden", "")
    assert raised.value.__cause__ is None


def test_a_url_is_shown_without_secrets() -> None:
    assert shown("redis://user:pass@[::1]:7000/3?ssl=no") == "redis://[::1]:7000/3"
    assert shown("rediss://:p@ss@host") == "rediss://host"
    assert shown("redis+cluster://:p@ss@one:1,[::1],two:3?x=pass") == "redis+cluster://one:1,[::1],two:3"
    assert shown("rediss+sentinel://u:pass@one:1,two/tables/0?sentinel_password=pass") == (
        "rediss+sentinel://one:1,two/tables/0"
    )
    assert shown("redis://:12/pass@host") == "a URL that is malformed"
    assert shown("redis+cluster://:12/pass@host:1") == "a URL that is malformed"
