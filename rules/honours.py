"""Counting honours in the cards as dealt, and what partners score for them in Bridge and auction bridge."""

from collections.abc import Mapping, Sequence

from rules.cards import Card, Cards, Rank, Suit
from rules.scoresheet import Line

HONOUR_RANKS = (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN)


def trump_honours(hands: Sequence[Cards], suit: Suit) -> tuple[int, ...]:
    """Return how many of A K Q J 10 of a suit each hand was dealt."""
    honours = {Card(suit, rank) for rank in HONOUR_RANKS}
    return tuple(sum(card in honours for card in hand) for hand in hands)


def aces(hands: Sequence[Cards]) -> tuple[int, ...]:
    """Return how many aces each hand was dealt."""
    return tuple(sum(card.rank is Rank.ACE for card in hand) for hand in hands)


def void_hands(hands: Sequence[Cards], trumps: Suit | None) -> tuple[bool, ...]:
    """Say of each hand whether it was dealt no trump where there are trumps (chicane)."""
    return tuple(trumps is not None and all(card.suit is not trumps for card in hand) for hand in hands)


def honours_of(hands: Sequence[Cards], trumps: Suit | None) -> tuple[int, ...]:
    """Return how many honours each hand was dealt: of trumps, at no trump aces."""
    return aces(hands) if trumps is None else trump_honours(hands, trumps)


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


def score_honours(held: Sequence[int], trumps: Suit | None, rate: int) -> tuple[Line, ...]:
    """Score the honours of both sides at a table of four, at no trump the aces; `rate` is the value of a trick.

    `held` is how many each hand was dealt; whoever declared, and however the tricks fell. Source: Foster, table of
    honour values; the 1905 code has the same.
    """
    lines = []
    for side in (0, 1):
        between = split(held[side], held[side + 2])
        if trumps is None and between in PARTNERS_ACES:
            value = PARTNERS_ACES[between]
            lines.append(Line(side, "above", value, "honours", f"aces {value}"))
        if trumps is not None and between in PARTNERS_HONOURS:
            factor = PARTNERS_HONOURS[between]
            lines.append(Line(side, "above", factor * rate, "honours", f"honours {factor} × {rate}"))
    return tuple(lines)


def score_chicane(void: Sequence[bool], rate: int, scorer: int | None = None) -> tuple[Line, ...]:
    """Score the hands dealt without a trump, by seat, as much as simple honours each.

    For their own side; or, by the American laws, on the honours of the side that scores them, adding to its own and
    taking off them what the other side is void.
    """
    lines = []
    for side in (0, 1):
        count = void[side] + void[side + 2]
        if count and scorer is None:
            lines.append(Line(side, "above", 2 * rate * count, "chicane", f"chicane {count} × {2 * rate}"))
        if count and scorer is not None:
            change = 2 * rate * count * (1 if side == scorer else -1)
            lines.append(Line(scorer, "above", change, "chicane", "chicane on honours"))
    return tuple(lines)


def honours_table(rates: Mapping[str, int]) -> list[list[str]]:
    """Set out what honours of trumps score, for the value of a trick in each denomination by name."""
    names = {(2, 1): "3 honours", (2, 2): "4", (4, 0): "4 in one hand", (3, 2): "5", (4, 1): "5, 4 in one hand"}
    names[5, 0] = "5 in one hand"
    rows = [[name, *(str(PARTNERS_HONOURS[held] * rate) for rate in rates.values())] for held, name in names.items()]
    return [["", *rates], *rows]


def aces_words() -> str:
    """Say what aces score at no trump."""
    return f"three {PARTNERS_ACES[2, 1]}, four {PARTNERS_ACES[2, 2]}, four in one hand {PARTNERS_ACES[4, 0]}"
