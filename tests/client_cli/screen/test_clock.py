"""Minutes and seconds of a turn, and of who is away."""

import pytest

from client_cli.screen.clock import Clock, minutes
from protocol import messages as m
from tests.client_cli.fakes import entry


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1.0, "0:00"), (0.9, "0:00"), (59.9, "0:59"), (65.0, "1:05"), (3599.0, "59:59"), (3723.0, "1:02:03")],
)
def test_minutes(seconds: float, text: str) -> None:
    assert minutes(seconds) == text


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_a_turn_starts_from_nought() -> None:
    watch = Watch()
    clock = Clock(watch)
    clock.turn(m.Turn(1, 0, "S"))
    watch.seconds += 7
    clock.turn(m.Turn(1, 0, "S"))  # the same one
    assert clock.thinking() == "0:07"
    clock.turn(m.Turn(1, 1, "W"))
    assert clock.thinking() == "0:00"


def test_who_is_away_is_so_by_the_stores_clock() -> None:
    watch = Watch()
    clock = Clock(watch)
    clock.hear(m.Welcome("a", "Ann", "test", 50.0))
    watch.seconds += 10
    assert clock.away(45.0) == "0:15"
    clock.hear(entry(40))  # what is told late does not set the clock back
    assert clock.away(45.0) == "0:15"


def test_without_the_stores_clock_it_begins_when_it_is_first_seen() -> None:
    watch = Watch()
    clock = Clock(watch)
    assert clock.away(45.0) == "0:00"
    watch.seconds += 61
    assert clock.away(45.0) == "1:01"
