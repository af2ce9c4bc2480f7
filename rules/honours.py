"""Counting honours in the cards as dealt, and what partners hold between them."""

from collections.abc import Sequence

from rules.cards import Card, Cards, Rank, Suit

HONOUR_RANKS = (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN)


def trump_honours(hands: Sequence[Cards], suit: Suit) -> tuple[int, ...]:
    """Return how many of A K Q J 10 of a suit each hand was dealt."""
    honours = {Card(suit, rank) for rank in HONOUR_RANKS}
    return tuple(sum(card in honours for card in hand) for hand in hands)


def aces(hands: Sequence[Cards]) -> tuple[int, ...]:
    """Return how many aces each hand was dealt."""
    return tuple(sum(card.rank is Rank.ACE for card in hand) for hand in hands)


def void_hands(hands: Sequence[Cards], suit: Suit) -> tuple[bool, ...]:
    """Say of each hand whether it was dealt no card of a suit (chicane)."""
    return tuple(all(card.suit is not suit for card in hand) for hand in hands)


# Larger and smaller number of trump honours in two partners' hands -> multiple of the value of one trick.
# Source: Foster, table of honour values; the 1905 code has the same multiples.
PARTNERS_HONOURS = {
    (3, 0): 2,
    (2, 1): 2,
    (3, 1): 4,
    (2, 2): 4,
    (4, 0): 8,
    (3, 2): 5,
    (4, 1): 9,
    (5, 0): 10,
}

# Larger and smaller number of aces in two partners' hands at no trump -> points. Not multiples of a trick.
PARTNERS_ACES = {
    (3, 0): 30,
    (2, 1): 30,
    (3, 1): 40,
    (2, 2): 40,
    (4, 0): 100,
}


def split(one: int, other: int) -> tuple[int, int]:
    """Return two partners' holdings, the larger first, as the tables above are keyed."""
    return (max(one, other), min(one, other))
