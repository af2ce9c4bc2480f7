"""The packs of Five Hundred, and how their cards rank: bowers, jokers, and the cards of the longest pack.

Source: *Hoyle's Games Modernized*, chapter Five Hundred; docs/rules/five_hundred.md, sections 1 to 3.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules.cards import ALL_CARDS, JOKER, SECOND_JOKER, Card, Cards, Rank, Suit

_LONG = {
    *(Card(suit, rank) for suit in Suit for rank in (Rank.ELEVEN, Rank.TWELVE)),
    Card(Suit.HEARTS, Rank.THIRTEEN),
    Card(Suit.DIAMONDS, Rank.THIRTEEN),
}

# Size: lowest black and lowest red card, what else there is besides ace to that card.
_COMPOSITION: Mapping[int, tuple[Rank, Rank, set[Card]]] = {
    24: (Rank.NINE, Rank.NINE, set()),
    33: (Rank.SEVEN, Rank.SEVEN, {JOKER}),
    42: (Rank.FIVE, Rank.FOUR, set()),
    43: (Rank.FIVE, Rank.FOUR, {JOKER}),
    45: (Rank.FOUR, Rank.FOUR, {JOKER}),
    46: (Rank.FOUR, Rank.FOUR, {JOKER, SECOND_JOKER}),
    53: (Rank.TWO, Rank.TWO, {JOKER}),
    63: (Rank.TWO, Rank.TWO, {JOKER, *_LONG}),
}


def _pack(lowest_black: Rank, lowest_red: Rank, more: set[Card]) -> Cards:
    lowest = {Suit.SPADES: lowest_black, Suit.CLUBS: lowest_black, Suit.HEARTS: lowest_red, Suit.DIAMONDS: lowest_red}
    extra = {Rank.ELEVEN, Rank.TWELVE, Rank.THIRTEEN}
    return tuple(
        card
        for card in ALL_CARDS
        if card in more or (card.suit is not None and card.rank >= lowest[card.suit] and card.rank not in extra)
    )


PACKS: Mapping[int, Cards] = {size: _pack(*parts) for size, parts in _COMPOSITION.items()}
"""The cards of each pack by its size, as a hand is ordered."""

SAME_COLOUR = {
    Suit.SPADES: Suit.CLUBS,
    Suit.CLUBS: Suit.SPADES,
    Suit.DIAMONDS: Suit.HEARTS,
    Suit.HEARTS: Suit.DIAMONDS,
}

BIDDING_ORDER = (Suit.SPADES, Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS)
"""The suits from low to high, as they are bid and as a joker's choices are listed."""


@dataclass(frozen=True, slots=True)
class FiveHundredOrder:
    """To which suit each card belongs in a deal, and how high it stands there.

    With trumps, jokers and bowers are trumps in every respect. Without, a joker belongs to the suit that it was named
    before the play, or else to none: it is then `lone`. `suit` and `height` look a card up in a table, for they are
    asked many times in every trick.
    """

    trumps: Suit | None
    suit: Callable[[Card], Suit | None]
    height: Callable[[Card], int]
    lone: bool


def _order(trumps: Suit | None, joker_suit: Suit | None) -> FiveHundredOrder:
    suits = {card: card.suit or trumps or joker_suit for card in ALL_CARDS}
    heights = {card: 3 * card.rank for card in ALL_CARDS}  # leaves room for two bowers between ace and jokers
    if trumps is not None:
        right, left = Card(trumps, Rank.JACK), Card(SAME_COLOUR[trumps], Rank.JACK)
        suits[left] = trumps
        heights[right], heights[left] = 3 * Rank.ACE + 2, 3 * Rank.ACE + 1
    return FiveHundredOrder(trumps, suits.__getitem__, heights.__getitem__, lone=suits[JOKER] is None)


ORDERS: Mapping[tuple[Suit | None, Suit | None], FiveHundredOrder] = {
    (trumps, joker_suit): _order(trumps, joker_suit)
    for trumps in (*Suit, None)
    for joker_suit in (*Suit, None)
    if trumps is None or joker_suit is None
}
"""The order of the cards by the trumps and, without trumps, the suit of the joker."""


def rank_in_cut(card: Card) -> int:
    """Rank a card in the cut for the first deal, low to high: joker, ace, then the lowest spot card up to the king."""
    if card.suit is None:
        return 0
    return 1 if card.rank is Rank.ACE else card.rank
