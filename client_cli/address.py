"""Where a server is and which table there: what a person types or is handed as a link."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

DEFAULT_PORT = 8765

_SCHEMES = {"ws": ("ws", 80), "wss": ("wss", 443), "http": ("ws", 80), "https": ("wss", 443)}


class BadAddress(Exception):
    """What was typed is no address of a server; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Address:
    """A server by its normal URL and, from a link, a table with its invitation code."""

    url: str
    table: str | None = None
    invitation: str | None = None

    @property
    def secure(self) -> bool:
        return self.url.startswith("wss:")

    @property
    def loopback(self) -> bool:
        """Whether it is a server on this machine."""
        return urlsplit(self.url).hostname in ("localhost", "127.0.0.1", "::1")


def parse_address(text: str) -> Address:
    """Read `host`, `host:port`, a ws or wss URL, or a link with `#TABLE` or `#TABLE:INVITATION`. Raises BadAddress."""
    typed, has_scheme = text.strip(), "://" in text
    parts = urlsplit(typed if has_scheme else f"ws://{typed}")
    try:
        host, given_port = parts.hostname, parts.port
    except ValueError as error:
        raise BadAddress(f"{text!r} is no address of a server: {error}.") from None
    if parts.scheme not in _SCHEMES or not host or any(sign.isspace() for sign in typed):
        raise BadAddress(
            f"{text!r} is no address of a server: give host:port, or a URL that begins with ws:// or wss://."
        )
    scheme, usual_port = _SCHEMES[parts.scheme]
    port = given_port if given_port is not None else usual_port if has_scheme else DEFAULT_PORT
    path = parts.path or "/"
    host = f"[{host}]" if ":" in host else host
    table, _, invitation = parts.fragment.partition(":")
    return Address(f"{scheme}://{host}:{port}{path}", table or None, invitation or None)


def is_table(text: str) -> bool:
    """Say whether a text can be the id of a table."""
    return re.fullmatch(r"[A-Za-z0-9_-]{1,32}", text) is not None


def is_invitation(text: str) -> bool:
    """Say whether a text can be the code of a private table."""
    return re.fullmatch(r"\S{1,32}", text) is not None


def link_to(url: str, table: str, invitation: str | None) -> str:
    """Write the link that one hands to friends."""
    return f"{url}#{table}" + (f":{invitation}" if invitation else "")
