"""Seats around a table and the sides that score together."""

from collections.abc import Iterator
from dataclasses import dataclass

Seat = int
"""A place at the table: 0 to n-1, clockwise."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of one table by name, clockwise: left is the next one."""

    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Seat]:
        return iter(range(len(self.names)))

    def left(self, seat: Seat, steps: int = 1) -> Seat:
        """Return the seat so many steps clockwise."""
        return (seat + steps) % len(self.names)

    def name(self, seat: Seat) -> str:
        """Write a seat."""
        return self.names[seat]

    def parse(self, text: str) -> Seat:
        """Read a seat. Raises ValueError if the table has none of this name."""
        if text not in self.names:
            raise ValueError(f"{text!r} is no seat of this table: {', '.join(self.names)}")
        return self.names.index(text)


@dataclass(frozen=True, slots=True)
class Side:
    """Those who score together: partners, or one seat alone."""

    name: str
    seats: tuple[Seat, ...]


FOUR_SEATS = Seats(("N", "E", "S", "W"))
PARTNERSHIPS = (Side("NS", (0, 2)), Side("EW", (1, 3)))


def partner(seat: Seat) -> Seat:
    """Return the seat opposite, at a table of four."""
    return (seat + 2) % 4


def side_of(seat: Seat) -> int:
    """Return the index in `PARTNERSHIPS` of a seat's side, at a table of four."""
    return seat % 2
