"""Which connection of a player came to a table last, as far as a process knows."""

from server.arrivals import ARRIVALS_KEPT, Arrivals


def test_the_last_arrival_counts() -> None:
    arrivals = Arrivals()
    arrivals.add("ann", "first", 5.0)
    assert arrivals.by_another("ann", "first") is None and arrivals.by_another("ann", "second") == 5.0
    arrivals.add("ann", "second", 7.0)
    assert arrivals.by_another("ann", "first") == 7.0 and arrivals.by_another("ann", "second") is None


def test_what_was_before_it_is_not_known_came_then_at_the_latest() -> None:
    assert Arrivals(3.0).by_another("ann", "first") == 3.0


def test_those_who_came_long_ago_are_forgotten() -> None:
    arrivals = Arrivals(3.0)
    arrivals.add("ann", "first", 4.0)
    arrivals.add("bob", "first", 4.0)
    arrivals.add("ann", "second", 5.0)
    for number in range(ARRIVALS_KEPT - 1):
        arrivals.add(f"p{number}", "c", 6.0)
    assert (arrivals.by_another("ann", "first"), arrivals.by_another("bob", "another")) == (5.0, 3.0)
