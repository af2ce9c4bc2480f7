"""What is being chosen, and what is typed for it."""

import pytest

from client_cli.screen.offer import Choice, Offer, Row
from client_cli.screen.pick import Pick


def picking(*rows: tuple[str | None, ...], lay_away: int = 0) -> Pick:
    """Return a pick among choices that are written with a slash between what may be typed for each."""
    choices = [tuple(each and Choice(each, each, tuple(each.split("/")), card=each) for each in row) for row in rows]
    pick = Pick()
    pick.begin(Offer("", tuple(Row(tuple(each or None for each in row)) for row in choices), lay_away))
    return pick


def chosen(pick: Pick) -> str | None:
    return None if pick.choice is None else pick.choice.label


@pytest.mark.parametrize(
    ("typed", "at", "meant"),
    [
        ("", None, None),
        ("h", "hk/kh", None),
        ("hk", "hk/kh", "hk/kh"),
        ("kh", "hk/kh", "hk/kh"),
        ("k", "hk/kh", None),
        ("1", "h10/ht/10h/th", None),
        ("10h", "h10/ht/10h/th", "h10/ht/10h/th"),
        ("ht", "h10/ht/10h/th", "h10/ht/10h/th"),
        ("h1", "h10/ht/10h/th", None),
        ("j", "jk", None),
        ("hs", "s7/7s", None),  # another suit begins anew
        ("hs7", "s7/7s", "s7/7s"),
    ],
)
def test_what_is_typed(typed: str, at: str | None, meant: str | None) -> None:
    pick = picking(("hk/kh", "h10/ht/10h/th", "h11/11h"), ("s7/7s",), ("jk",))
    for sign in typed:
        assert pick.type(sign)
    assert chosen(pick) == at and (None if pick.meant is None else pick.meant.label) == meant


def test_what_could_become_something_else_is_not_yet_meant() -> None:
    pick = picking(("2",), ("23",), ("3",))
    assert pick.type("2") and pick.meant is None
    assert pick.type("3") and pick.meant is not None and pick.meant.label == "23"


def test_what_nothing_begins_with_is_not_taken() -> None:
    pick = picking(("hk",))
    assert not pick.type("s") and pick.typed == ""
    assert pick.type("h") and not pick.type("x") and pick.typed == "h"


def test_arrows_go_round_and_to_the_nearest() -> None:
    pick = picking(("a", "b", "c"), (None, None, "d"), ("e",))
    pick.along(-1)
    assert chosen(pick) == "e"
    pick.along(1)
    assert chosen(pick) == "a"
    pick.across(1)
    assert chosen(pick) == "d"
    pick.across(-1)
    assert chosen(pick) == "c"
    pick.across(-1)
    assert chosen(pick) == "e"


def test_nothing_is_chosen_among_nothing() -> None:
    pick = Pick()
    pick.along(1)
    pick.across(1)
    assert pick.choice is None and not pick.type("a") and pick.meant is None


def test_no_more_cards_are_laid_away_than_asked_for() -> None:
    pick = picking(("a", "b", "c"), lay_away=2)
    for card in ("a", "b", "c"):
        pick.lay(card)
    assert pick.laid == ["a", "b"]
    pick.lay("a")
    assert pick.laid == ["b"]


def test_what_is_half_done_is_taken_back_bit_by_bit_or_at_once() -> None:
    further = Choice("jk", "play", ("jk",), card="JK", further=(Choice("h", "lead", ("h",)),))
    pick = Pick()
    pick.begin(Offer("", (Row((further,)),)))
    pick.open(further)
    pick.along(1)
    pick.armed = pick.choice
    assert chosen(pick) == "h"
    pick.step_back()
    assert pick.armed is None and chosen(pick) == "h"
    pick.step_back()
    assert pick.choice is None
    pick.along(1)
    assert chosen(pick) == "jk"
    pick.open(further)
    pick.clear()
    pick.along(1)
    assert chosen(pick) == "jk"
