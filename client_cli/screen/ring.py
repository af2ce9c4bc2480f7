"""Where the seats are shown: one's own below, the others clockwise around the table."""

from collections.abc import Mapping

from client_cli.draw import seats_of
from protocol import messages as m

CELLS = {
    "nw": (0, 0),
    "n": (1, 0),
    "ne": (2, 0),
    "w": (0, 1),
    "e": (2, 1),
    "sw": (0, 2),
    "s": (1, 2),
    "se": (2, 2),
}
"""Each place as column and row of three by three; the middle belongs to nobody."""

_CLOCKWISE = {
    2: ("s", "n"),
    3: ("s", "w", "e"),
    4: ("s", "w", "n", "e"),
    5: ("s", "w", "nw", "ne", "e"),
    6: ("s", "sw", "nw", "n", "ne", "se"),
}


def places_of(view: m.TableView) -> Mapping[str, str]:
    """Return the place of each seat; who watches sees four seats as on a map."""
    seats = seats_of(view)
    below = seats.parse(view.seat) if view.seat is not None else len(seats) // 2
    return {seats.name(seats.left(below, steps)): place for steps, place in enumerate(_CLOCKWISE[len(seats)])}
