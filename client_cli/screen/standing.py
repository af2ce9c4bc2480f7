"""The score so far, as it stands on paper: above the line, the line, below it."""

from textual.content import Content

from client_cli.draw import unit_of
from client_cli.screen.marks import clean, cut, marks_of
from client_cli.signs import Signs
from protocol import messages as m

_PAPER = ("above", "below")


def standing_title(view: m.TableView) -> str:
    """Name what is played for, and which one it is."""
    return f"{unit_of(view).title()} {view.rubber}"


def standing(view: m.TableView, signs: Signs, width: int) -> Content:
    """Set out the score: with sides beside each other where there is a line, else a row for each side."""
    if all(column in view.standing for column in _PAPER):
        return _on_paper(view, signs, width)
    lines = [
        _row(
            _side(view, side, signs, width - 7 * len(view.standing)),
            [numbers[side] for numbers in view.standing.values()],
            width,
        )
        for side in view.sides
    ]
    return Content("\n").join(lines)


def _on_paper(view: m.TableView, signs: Signs, width: int) -> Content:
    sides = list(view.sides)
    heading = Content(" " * (width - 7 * len(sides)) + "".join(f"{side:>7}" for side in sides)).stylize("bold")
    line = Content.styled(marks_of(signs).rule * width, "bold")
    others = [column for column in view.standing if column not in _PAPER]

    def row(column: str) -> Content:
        return _row(column, [view.standing[column][side] for side in sides], width)

    return Content("\n").join([heading, row("above"), line, row("below"), *map(row, others)])


def _row(title: str, numbers: list[int], width: int) -> Content:
    text = "".join(f"{number:>7}" for number in numbers)
    return Content(title.ljust(width - len(text)) + text)


def _side(view: m.TableView, side: str, signs: Signs, width: int) -> str:
    """Name a side, and who it is where it is one player alone."""
    seats = view.sides[side]
    names = [clean(part.name, signs) for part in view.seats if part.seat in seats and part.name]
    own = f"{side} (you)" if view.seat in seats else side
    return own if len(seats) > 1 or view.seat in seats or not names else cut(f"{side} {names[0]}", width, signs)
