"""How suits and the few other signs are written."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.cards import Suit


@dataclass(frozen=True, slots=True)
class Signs:
    """How suits and the few other signs are written."""

    suits: Mapping[Suit, str]
    times: str
    void: str


SYMBOLS = Signs({Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}, "×", "–")
LETTERS = Signs({suit: str(suit) for suit in Suit}, "x", "-")
