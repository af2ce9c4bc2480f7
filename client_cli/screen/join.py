"""Coming to a table by what a friend has sent: its link, or its code at a server where one is already."""

import re

from client_cli.address import Address, BadAddress, parse_address
from client_cli.screen.field import Wrong
from client_cli.screen.line import LineDialog

_COMMAND = "biritch join "
"""What is before a link where one is told to friends; it may be pasted with it."""

_CODE = re.compile(r"([A-Za-z0-9_-]{1,32})(?::(\S{1,32}))?")


def read_link(text: str) -> Address:
    """Read the address of a server, or a link to a table there. Raises Wrong."""
    try:
        return parse_address(text.strip().removeprefix(_COMMAND))
    except BadAddress as error:
        raise Wrong(str(error)) from None


def read_invitation(text: str, url: str) -> Address:
    """Read what leads to a table: a link, or the code of one at the server with this URL. Raises Wrong."""
    typed = text.strip().removeprefix(_COMMAND).strip()
    if "#" in typed:
        return _with_table(read_link(url + typed if typed.startswith("#") else typed))
    code = _CODE.fullmatch(typed)
    if code is None or "://" in typed:
        raise Wrong("Give a link with a # in it, or what stands behind the #: TABLE or TABLE:CODE.")
    return Address(url, code[1], code[2])


def _with_table(address: Address) -> Address:
    code = f"{address.table}:{address.invitation}" if address.invitation else str(address.table or "")
    if _CODE.fullmatch(code) is None:
        raise Wrong("This link leads to no table: behind the # there should be TABLE or TABLE:CODE.")
    return address


def join_dialog(url: str) -> LineDialog[Address]:
    """Return the dialog that asks for a link or a code, at the server with this URL."""
    words = "The link that a friend has sent you, or the code of a table here."
    return LineDialog("Join a table", words, lambda text: read_invitation(text, url))
