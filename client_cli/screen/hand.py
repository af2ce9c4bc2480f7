"""A hand as it is held: one's own as a fan of cards, one that lies open as a line for each suit.

A card that may not be played stands lower and is dim, the chosen one stands higher, and under the cursor is a mark: so
each can be told from the others without colour.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.style import Style

from client_cli.diagram import card_words
from client_cli.draw import order_in
from client_cli.screen.canvas import Canvas
from client_cli.screen.cards import grouped, suit_style
from client_cli.screen.marks import marks_of
from client_cli.screen.offer import Place
from client_cli.screen.pick import Pick
from client_cli.screen.room import WIDE
from client_cli.signs import Signs
from protocol import messages as m
from rules.cards import Card, Suit, parse_hand
from rules.tricks import CardOrder

HIGH, LEVEL, LOW = 0, 1, 2
"""The row where a card begins: chosen, as usual, not to be played now."""
_FRAME = "$foreground 45%"
_PAPER = "on $surface"


@dataclass(frozen=True, slots=True)
class Held:
    """A card in a hand: how high it stands, where it is among what is offered, whether the cursor is on it."""

    card: Card
    top: int = LEVEL
    at: Place | None = None
    cursor: bool = False


def held_in(view: m.TableView, hand: str, pick: Pick, sent: str | None = None) -> list[list[Held]]:
    """Return a visible hand by suit, by what is being chosen from it; `sent` is a card that is on its way."""
    assert view.deal is not None, "hands are held in a deal"
    offered = {} if pick.offer is None else {choice.card: at for at, choice in pick.offer.items() if choice.card}
    groups = grouped(parse_hand(view.deal.hands[hand]), order_in(view))
    if not any(str(card) in offered for group in groups for card in group):
        offered = {}
    return [[_held(card, offered, pick, sent) for card in group] for group in groups]


def _held(card: Card, offered: Mapping[str, Place], pick: Pick, sent: str | None) -> Held:
    text = str(card)
    at = offered.get(text)
    cursor = at is not None and at == pick.at
    if text == sent or text in pick.laid or (cursor and not (pick.offer and pick.offer.lay_away)):
        return Held(card, HIGH, at, cursor)
    return Held(card, LOW if offered and at is None else LEVEL, at, cursor)


def _clicked(held: Held) -> list[Style]:
    return [] if held.at is None else [Style.from_meta({"at": held.at})]


# --- one's own


def fan(groups: Sequence[Sequence[Held]], width: int, height: int, signs: Signs) -> Content:
    """Draw a hand as cards that lie over each other, each suit apart, in the middle of so many cells."""
    number = sum(map(len, groups))
    pitch = max(4, min(8 if width >= WIDE else 6, (width - 2 * len(groups)) // max(1, number)))
    used = number * pitch + 2 * len(groups) - 1
    canvas = Canvas(width, height)
    column = max(0, (width - used) // 2)
    for group in groups:
        for place, held in enumerate(group):
            before = group[place - 1].top if place else None
            _put_card(canvas, column, held, before, pitch, height, signs)
            column += pitch
        _put_edge(canvas, column, group[-1].top, height, signs)
        column += 2
    return canvas.content()


def _put_card(
    canvas: Canvas, column: int, held: Held, before: int | None, pitch: int, height: int, signs: Signs
) -> None:
    """Draw a card but for its right edge, which the next one covers, over the card before."""
    frame = marks_of(signs).frame
    clicked = _clicked(held)
    for row in range(height):
        if row < held.top:
            if before is not None and row >= before:
                canvas.put(column, row, frame.upper_right if row == before else frame.down, _FRAME, _PAPER)
            continue
        edge = frame.down
        if row == held.top:
            edge = frame.upper_left if before is None or before >= held.top else frame.tee_right
        elif row == before:
            edge = frame.tee_left
        inside = frame.across if row == held.top else " "
        canvas.put(column, row, edge + inside * (pitch - 1), _FRAME, _PAPER, *clicked)
    face = card_words(held.card, signs).ljust(3)
    weight = "dim" if held.top == LOW else "bold reverse" if held.cursor else "bold"
    canvas.put(column + 1, held.top + 1, face, _PAPER, suit_style(held.card.suit), weight, *clicked)
    if held.cursor:
        canvas.put(column + 2, height - 1, marks_of(signs).up, _PAPER, "bold $accent", *clicked)


def _put_edge(canvas: Canvas, column: int, top: int, height: int, signs: Signs) -> None:
    frame = marks_of(signs).frame
    for row in range(top, height):
        canvas.put(column, row, frame.upper_right if row == top else frame.down, _FRAME, _PAPER)


# --- one that lies open


def open_lines(groups: Sequence[Sequence[Held]], order: CardOrder, width: int, signs: Signs) -> list[Content]:
    """Write a hand with a line for each suit, also for one that it does not hold; the cursor is in brackets."""
    by_suit = {order.suit(group[0].card): group for group in groups}
    suits = sorted(Suit, key=lambda suit: suit is not order.trumps)
    lines = [_suit_line(suit, by_suit.get(suit, ()), width, signs) for suit in suits]
    if None in by_suit:
        lines.append(_suit_line(None, by_suit[None], width, signs))
    return lines


def _suit_line(suit: Suit | None, group: Sequence[Held], width: int, signs: Signs) -> Content:
    sign = " " if suit is None else signs.suits[suit]
    texts = [_rank_text(held.card, suit, signs) for held in group]
    gap = 1 if 2 + sum(map(len, texts)) + len(texts) <= width else 0
    canvas = Canvas(width, 1)
    canvas.put(0, 0, sign, suit_style(suit))
    column = 2
    for held, text in zip(group, texts, strict=True):
        look = ["dim" if held.top == LOW else "bold", suit_style(held.card.suit), *_clicked(held)]
        if held.cursor or held.top == HIGH:
            canvas.put(column - 1, 0, f"[{text}]", *look, "reverse")
        else:
            canvas.put(column, 0, text, *look)
        column += len(text) + gap
    if not group:
        canvas.put(column, 0, signs.void, "dim")
    return canvas.content()


def _rank_text(card: Card, suit: Suit | None, signs: Signs) -> str:
    words = card_words(card, signs)
    return words[1:] if card.suit is not None and card.suit is suit else words
