"""What lies in the middle of the table: the cards of a trick, or the last call of each seat, each before its seat."""

from collections.abc import Mapping
from dataclasses import dataclass

from textual.content import Content

from client_cli.draw import call_text
from client_cli.screen.canvas import Canvas
from client_cli.screen.cards import card_content, hued
from client_cli.screen.look import Look
from client_cli.screen.marks import marks_of
from client_cli.screen.ring import CELLS, places_of
from client_cli.screen.room import Room
from protocol import messages as m
from rules.cards import parse_card


@dataclass(frozen=True, slots=True)
class _Lying:
    """What lies before a seat: its face, whether it was led, whether it has won the trick."""

    face: Content
    led: bool = False
    won: bool = False


def card_size(room: Room) -> tuple[int, int]:
    """Return how wide and how high a card on the table is."""
    return (10, 5) if room.wide and room.tall else (6, 3)


def trick_width(room: Room) -> int:
    """Return how wide the cards of a trick are together."""
    return 3 * (card_size(room)[0] + 1)


def trick(look: Look, deal: m.DealPart) -> Content:
    """Draw the trick on the table or, until the next one is led, the one before, with who led and who won it."""
    now = deal.trick
    assert now is not None, "a trick is being played"
    if now.plays or deal.last_trick is None:
        return _spread(look, _cards(look, now, None), f"{now.leader} {'led' if now.plays else 'leads'}")
    return _spread(look, _cards(look, deal.last_trick, now.leader), f"{now.leader} won")


def _cards(look: Look, shown: m.TrickPart, winner: str | None) -> dict[str, _Lying]:
    return {
        play.seat: _Lying(
            card_content(parse_card(play.card), look.signs), led=play.seat == shown.leader, won=play.seat == winner
        )
        for play in shown.plays
    }


def calls(look: Look, deal: m.DealPart) -> Content:
    """Draw the last call of each seat."""
    last = {made.seat: _Lying(hued(_short(call_text(made.call, look.signs)), look.signs)) for made in deal.calls}
    return _spread(look, last, "calls" if last else "no call")


def _short(call: str) -> str:
    return {"open misere": "om", "misere": "mis", "leave it": "left"}.get(call, call)


def _spread(look: Look, lying: Mapping[str, _Lying], middle: str) -> Content:
    width, height = card_size(look.room)
    canvas, places = Canvas(trick_width(look.room), 3 * height), places_of(look.view)
    canvas.put((trick_width(look.room) - len(middle)) // 2, 3 * height // 2, middle, "$foreground 70%")
    for seat, card in lying.items():
        column, row = CELLS[places[seat]]
        _put(canvas, column * (width + 1), row * height, card, look)
    return canvas.content()


def _put(canvas: Canvas, column: int, row: int, card: _Lying, look: Look) -> None:
    """Draw a card: one that was led has a double frame, one that has won is reversed."""
    width, height = card_size(look.room)
    marks = marks_of(look.signs)
    frame, edge = (marks.frame_led, "bold") if card.led else (marks.frame, "$foreground 45%")
    inner = width - 2
    canvas.put(column, row, frame.upper_left + frame.across * inner + frame.upper_right, edge, "on $surface")
    for line in range(1, height - 1):
        canvas.put(column, row + line, frame.down + " " * inner + frame.down, edge, "on $surface")
    canvas.put(
        column, row + height - 1, frame.lower_left + frame.across * inner + frame.lower_right, edge, "on $surface"
    )
    hue = [span.style for span in card.face.spans[:1]]
    canvas.put(
        column + 1, row + height // 2, card.face.plain.center(inner), "on $surface", *hue, *["reverse"] * card.won
    )
