"""Files of deal records: their lines, what a line says, and what is said of one that is wrong."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, NoReturn

from client_cli.diagram import contract_words
from client_cli.signs import Signs
from rules.errors import BadRecord
from rules.events import AuctionEnded, CallMade, CardPlayed, Contract
from rules.replay import Replayed
from rules.seats import Seats

MAX_LINE_BYTES = 2**20
"""The longest line that is read: some hundred times what a deal needs."""

MAX_MESSAGE = 300
"""Characters of a complaint: it may quote what a file holds."""

MAX_DIGITS = 4000
"""The longest number that is read."""

Record = dict[str, object]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file, counted from 1, and how many bytes it takes there.

    `content` is without what was too much to be kept.
    """

    number: int
    content: bytes
    size: int


class Unreadable(Exception):
    """A file that cannot be opened or read."""


@contextmanager
def open_file(name: str, offset: int | None = None) -> Iterator[BinaryIO]:
    """Open a file, at some byte of it if one is given, which a pipe does not have. Raises Unreadable."""
    try:
        file = open(name, "rb")  # noqa: SIM115  # closed below
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise Unreadable(_reason(error)) from error
    with file:
        try:
            if offset is not None:
                file.seek(offset)
        except OSError as error:
            raise Unreadable(_reason(error)) from error
        yield file


def lines_of(file: BinaryIO, number: int = 0) -> Iterator[Line]:
    """Read a file line by line from where it stands, so that its size does not matter. Raises Unreadable.

    `number` is that of the line before.
    """
    while content := _read(file, MAX_LINE_BYTES + 1):
        number += 1
        size, part = len(content), content
        while len(part) > MAX_LINE_BYTES and not part.endswith(b"\n"):
            part = _read(file, MAX_LINE_BYTES + 1)
            size += len(part)
        yield Line(number, content, size)


def _read(file: BinaryIO, limit: int) -> bytes:
    try:
        return file.readline(limit)
    except OSError as error:
        raise Unreadable(_reason(error)) from error


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def parse_line(line: Line) -> Record:
    """Read the JSON object of a line. Raises BadRecord."""
    if len(line.content.rstrip(b"\r\n")) > MAX_LINE_BYTES:
        raise BadRecord("bad_record", f"The line has more than {MAX_LINE_BYTES} bytes.")
    try:
        record = _DECODER.decode(line.content.decode("utf-8-sig").strip())
    except UnicodeDecodeError as error:
        raise BadRecord("bad_record", f"The line is no text in UTF-8: byte {error.start + 1} is wrong.") from None
    except RecursionError:
        raise BadRecord("bad_record", "The line is nested too deeply.") from None
    except ValueError as error:
        raise BadRecord("bad_record", f"The line is no JSON: {error}.") from None
    if not isinstance(record, dict):
        raise BadRecord("bad_record", "The line is no JSON object.")
    return record


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _whole_number(text: str) -> int:
    # Python itself refuses somewhat longer ones, with advice to programmers.
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a number has more than {MAX_DIGITS} digits")
    return int(text)


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_int=_whole_number)


def complaint(record: Record, error: BadRecord) -> str:
    """Say what is wrong with a record, and where in it."""
    identity = f"{record['id']}: " if "id" in record else ""
    if error.list is None:
        return f"{identity}{error.message}"
    items = record.get(error.list)
    action = "".join(f" {item}" for item in items[error.index :][:1]) if isinstance(items, list) else ""
    return f"{identity}{error.list}[{error.index}]{action}: {error.message}"


def shortened(text: str) -> str:
    """Return what has room of a complaint."""
    return text if len(text) <= MAX_MESSAGE else f"{text[:MAX_MESSAGE]}..."


def summary(replayed: Replayed, suits: Signs) -> str:
    """Say in a few words what was played, and how many tricks were won."""
    contracts = [event.contract for event in replayed.events if isinstance(event, AuctionEnded)]
    if replayed.state.result is None:
        calls = sum(isinstance(event, CallMade) for event in replayed.events)
        cards = sum(isinstance(event, CardPlayed) for event in replayed.events)
        return f"not finished, {calls} calls and {cards} cards"
    (contract,) = contracts
    return outcome(replayed.game.seats, contract, replayed.game.view(replayed.state, None).tricks_won, suits)


def outcome(seats: Seats, contract: Contract | None, won: Sequence[int], suits: Signs) -> str:
    """Say what was played, and how many tricks were won by the declarer's side and by the others."""
    text = contract_words(seats, contract, suits)
    if contract is None or contract.declarer is None:
        return text
    own = sum(won[seat] for seat in {contract.declarer, *contract.partners})
    return f"{text}, tricks {own} to {sum(won) - own}"
