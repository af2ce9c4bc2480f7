"""Cards as they are drawn: suit and rank together, in the colour of the suit, sorted as they are held."""

import re
from collections.abc import Iterable

from textual.content import Content

from client_cli.diagram import card_words
from client_cli.screen.theme import SUIT_VARIABLES
from client_cli.signs import LETTERS, Signs
from rules.cards import Card, Suit, in_order
from rules.tricks import CardOrder

Groups = list[list[Card]]
"""The cards of a hand by suit."""

_SUIT_SIGNS = {"♠": Suit.SPADES, "♥": Suit.HEARTS, "♦": Suit.DIAMONDS, "♣": Suit.CLUBS}
_WITH_SIGN = re.compile(r"[♠♥♦♣](?:10|1[1-3]|[2-9AKQJ](?!\w))?")


def suit_style(suit: Suit | None) -> str:
    """Return the style of a suit; a joker that has none stands out as such."""
    return "bold $accent" if suit is None else f"bold ${SUIT_VARIABLES[suit]}"


def card_content(card: Card, signs: Signs) -> Content:
    """Write a card in the colour of its suit."""
    return Content.styled(card_words(card, signs), suit_style(card.suit))


def hued(text: str, signs: Signs) -> Content:
    """Return a text with its suit signs, and the ranks that follow them, in the colours of the suits."""
    content = Content(text)
    if signs is not LETTERS:
        for found in _WITH_SIGN.finditer(text):
            content = content.stylize(suit_style(_SUIT_SIGNS[found[0][0]]), *found.span())
    return content


def grouped(cards: Iterable[Card], order: CardOrder) -> Groups:
    """Sort a hand: trumps first, then the other suits as they are written, a joker without a suit last."""
    held = sorted(in_order(cards), key=order.height, reverse=True)
    suits = sorted((*Suit, None), key=lambda suit: suit is None or suit is not order.trumps)
    groups = [[card for card in held if order.suit(card) is suit] for suit in suits]
    return [group for group in groups if group]
