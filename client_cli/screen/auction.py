"""The auction as it is written down: a column for each seat; and what has come of it."""

from textual.content import Content

from client_cli.draw import call_text, contract_in, side_label
from client_cli.screen.cards import hued
from client_cli.screen.marks import marks_of
from client_cli.signs import Signs
from protocol import messages as m

_NARROW = 5
_SHORT = {"misere": "mis", "open misere": "om", "leave it": "leave"}


def auction(view: m.TableView, deal: m.DealPart, signs: Signs, width: int, most_rows: int) -> Content:
    """Set out the calls by seat, the first to call on the left; where there are too many rows, the last ones."""
    seats = [part.seat for part in view.seats]
    first = seats.index(deal.calls[0].seat if deal.calls else deal.dealer)
    order = [*seats[first:], *seats[:first]]
    cell = min(7, width // len(order))
    rows = _rows(deal, order, view.turn if deal.contract is None and view.stage == "playing" else None, signs)
    lines = [_line(row, cell, signs) for row in rows]
    heading = Content.assemble(*((seat.ljust(cell), "bold" if seat == view.seat else "dim") for seat in order))
    return Content("\n").join([heading, *lines[-most_rows:]])


def _rows(deal: m.DealPart, order: list[str], turn: m.Turn | None, signs: Signs) -> list[list[str]]:
    """Return the calls in rows; who was skipped leaves a gap, and a mark stands where the next call comes."""
    made = [(call.seat, call_text(call.call, signs)) for call in deal.calls]
    rows: list[list[str]] = []
    last = len(order)
    for seat, text in [*made, *([(turn.seat, marks_of(signs).turn)] if turn is not None else [])]:
        column = order.index(seat)
        if column <= last:
            rows.append([""] * len(order))
        rows[-1][column], last = text, column
    return rows


def _line(row: list[str], cell: int, signs: Signs) -> Content:
    short = {**_SHORT, "pass": signs.void} if cell <= _NARROW else _SHORT
    texts = [short.get(text, text) if cell <= _NARROW or len(text) >= cell else text for text in row]
    return hued("".join(text.ljust(cell) for text in texts).rstrip(), signs)


def contract(view: m.TableView, deal: m.DealPart, signs: Signs) -> Content:
    """Say what is played, and how many tricks each side has; nothing while that is open."""
    if deal.contract is None:
        return Content("")
    won = {side: sum(deal.tricks_won[seat] for seat in seats) for side, seats in view.sides.items()}
    tricks = "  ".join(f"{side_label(side)} {number}" for side, number in won.items())
    what = hued(contract_in(view, deal.contract, signs), signs).stylize("bold")
    return Content("\n").join([what, Content(f"Tricks  {tricks}")])
