"""The plate of a seat: who sits there, what the seat is in this deal, and whether it has to act."""

from textual.content import Content

from client_cli.draw import called_partners
from client_cli.screen.clock import Clock
from client_cli.screen.marks import clean, cut, marks_of
from client_cli.screen.rows import packed
from client_cli.signs import Signs
from protocol import messages as m


def plate(
    view: m.TableView, part: m.SeatPart, clock: Clock, signs: Signs, width: int, *, stacked: bool
) -> list[Content]:
    """Write a plate, each thing on a line of its own or all on one line; the seat to act is marked and reversed."""
    marks, acts = marks_of(signs), view.turn is not None and view.turn.seat == part.seat
    mark = marks.turn if acts or _gives_next_card(view, part) else " "
    head = f"{mark} {part.seat} {who(part, view, signs)}".rstrip()
    notes = ([_what_it_does(view, clock)] if acts and view.turn is not None else []) + _notes(view, part, clock)
    if stacked:
        reverse = "bold reverse" if acts else "bold"
        told = [Content.styled(f"{cut(head, width - 1, signs)} ", reverse)]
        indent = max(0, min(2, width - max(map(len, notes), default=0)))
        lines = packed((Content(cut(note, width, signs)) for note in notes), width - indent)
        return told + [Content(" " * indent) + line for line in lines]
    dot = f" {marks.dot} "
    text = f"{cut(dot.join([head, *notes]), width - 2, signs)} "
    reversed_to = len(dot.join([head, *notes[:1]])) + 1 if acts else 0
    return [Content(text).stylize("bold", 0, len(head)).stylize("bold reverse", 0, reversed_to)]


def who(part: m.SeatPart, view: m.TableView, signs: Signs) -> str:
    """Say who sits in a seat."""
    if part.player is None:
        return "bot" if part.bot else "free"
    name = clean(part.name, signs)
    return f"{name} (you)" if part.seat == view.seat else name


def _gives_next_card(view: m.TableView, part: m.SeatPart) -> bool:
    """Say whether somebody else decides what comes from this hand, which lies open."""
    return view.turn is not None and view.turn.hand == part.seat != view.turn.seat


def _what_it_does(view: m.TableView, clock: Clock) -> str:
    turn, deal = view.turn, view.deal
    assert turn is not None, "somebody has to act"
    if turn.legal is not None:
        return f"your turn {clock.thinking()}"
    plays = deal is not None and deal.contract is not None and turn.hand is not None
    return f"{'plays' if plays else 'calls' if deal is None or deal.contract is None else 'decides'} {clock.thinking()}"


def _notes(view: m.TableView, part: m.SeatPart, clock: Clock) -> list[str]:
    """Say how a player is there, and what the seat is in the deal."""
    deal, notes = view.deal, ["next card"] if _gives_next_card(view, part) else []
    if part.player is not None and part.bot:
        notes.append("bot plays")
    if part.player is not None and not part.connected:
        notes.append("away" if part.away_since is None else f"away {clock.away(part.away_since)}")
    if view.stage != "playing" or deal is None:
        return notes + (
            [] if part.bot or part.player is None else ["ready"] if part.ready else ["here"] * part.connected
        )
    if deal.contract is not None and deal.contract.declarer == part.seat:
        notes.append("declarer")
    if deal.contract is not None and deal.contract.dummy == part.seat:
        notes.append("dummy")
    if deal.contract is not None and part.seat in called_partners(view, deal.contract):
        notes.append("partner")
    if deal.dealer == part.seat:
        notes.append("dealer")
    if part.seat != view.seat and part.seat not in deal.hands:
        number = deal.counts[part.seat]
        notes.append("1 card" if number == 1 else f"{number} cards")
    return notes
