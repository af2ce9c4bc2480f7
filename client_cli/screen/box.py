"""A box of choices in the middle of the table, such as a bidding box."""

from textual.content import Content
from textual.style import Style

from client_cli.screen.canvas import Canvas
from client_cli.screen.cards import hued
from client_cli.screen.offer import Choice, Offer, Place, Row
from client_cli.signs import Signs


def box(offer: Offer, at: Place | None, width: int, signs: Signs) -> Content:
    """Draw the choices of an offer in so many cells: the one under the cursor is in brackets, and reversed."""
    lines, starts = _lines(offer), _columns(offer, width)
    canvas = Canvas(width, lines[-1] + 1 if lines else 0)
    for number, row in enumerate(offer.rows):
        canvas.put(1, lines[number], row.heading, "$foreground 70%")
        columns = starts if row.aligned else _flowing(row)
        for place, choice in enumerate(row.choices):
            if choice is not None:
                cursor, clicked = (number, place) == at, Style.from_meta({"at": (number, place)})
                label = _cell(choice, cursor, signs)
                canvas.lay(columns[place] - 1, lines[number], label, *["bold reverse"] * cursor, clicked)
    return canvas.content()


def _lines(offer: Offer) -> list[int]:
    """Return the line of each row: the aligned ones stand apart from what is above them."""
    lines: list[int] = []
    for number, row in enumerate(offer.rows):
        apart = number > 0 and row.aligned and not offer.rows[number - 1].aligned
        lines.append((lines[-1] + 1 if lines else 0) + apart)
    return lines


def _columns(offer: Offer, width: int) -> list[int]:
    """Return where the columns of the aligned rows begin: as far apart as there is room, in the middle."""
    rows = [row.choices for row in offer.rows if row.aligned]
    if not rows:
        return []
    widths = [max(len(choice.label) if choice else 0 for choice in column) for column in zip(*rows, strict=True)]
    gap = max(1, min(3, (width - sum(widths)) // (len(widths) + 1)))
    column = max(1, (width - sum(widths) - gap * (len(widths) - 1)) // 2)
    return [column + sum(widths[:place]) + gap * place for place in range(len(widths))]


def _flowing(row: Row) -> list[int]:
    """Return where the choices of a row begin that is not aligned with others."""
    starts, column = [], len(row.heading) + 3 if row.heading else 1
    for choice in row.choices:
        starts.append(column)
        column += (len(choice.label) if choice is not None else 0) + 2
    return starts


def _cell(choice: Choice, cursor: bool, signs: Signs) -> Content:
    """Write a choice with a space or a bracket on either side of it; the letter to type is underlined."""
    if cursor:
        return Content(f"[{choice.label}]")
    label = hued(choice.label, signs)
    key = choice.spellings[0] if choice.spellings and len(choice.spellings[0]) == 1 else ""
    where = choice.label.lower().find(key) if key else -1
    if where >= 0:
        label = label.stylize("bold underline", where, where + 1)
    return Content.assemble(" ", label, " ")
