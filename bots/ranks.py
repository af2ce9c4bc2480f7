"""How the cards of a deal rank as a bot sees them: effective suits, heights, and what stands above a card."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from rules.cards import PACK_52, SECOND_JOKER, Card, Cards, Suit
from rules.five_hundred_cards import ORDERS, PACKS
from rules.tricks import PLAIN_ORDERS, CardOrder
from rules.view import View

KING, QUEEN, JACK, TEN = 1, 2, 3, 4
"""How many cards stand above these in a plain suit; above an ace there is none."""


@dataclass(frozen=True)
class Ranks:
    """An order of cards, and the cards of each suit by it, high to low."""

    order: CardOrder
    ladders: Mapping[Suit | None, Cards]
    places: Mapping[Card, int]

    @property
    def trumps(self) -> Suit | None:
        return self.order.trumps

    def suit(self, card: Card) -> Suit | None:
        """Return the suit to which a card belongs, which is not always the printed one."""
        return self.order.suit(card)

    def height(self, card: Card) -> int:
        return self.order.height(card)

    def above(self, card: Card) -> int:
        """Return how many cards of its suit are higher: 0 for an ace, or for the joker among trumps."""
        return self.places[card]

    def ladder(self, card: Card) -> Cards:
        """Return all cards of a card's suit, high to low."""
        return self.ladders[self.order.suit(card)]

    def of_suit(self, cards: Iterable[Card], suit: Suit | None) -> list[Card]:
        """Return the cards of a suit, high to low."""
        return sorted((card for card in cards if self.order.suit(card) is suit), key=self.order.height, reverse=True)

    def lowest(self, cards: Iterable[Card]) -> Card:
        return min(cards, key=self.order.height)

    def highest(self, cards: Iterable[Card]) -> Card:
        return max(cards, key=self.order.height)

    def beats(self, card: Card, other: Card) -> bool:
        """Say whether a card is a higher one of the same suit."""
        return self.suit(card) is self.suit(other) and self.height(card) > self.height(other)

    def sequence(self, held: Cards | list[Card]) -> int:
        """Return how many cards of a suit, high to low, touch each other from the top."""
        length = 1
        while length < len(held) and self.above(held[length]) == self.above(held[length - 1]) + 1:
            length += 1
        return length


def plain_ranks(trumps: Suit | None) -> Ranks:
    """Return how the pack of 52 ranks, ace high in every suit."""
    return _plain(trumps)


def bower_ranks(players: int, trumps: Suit | None, joker_suit: Suit | None = None) -> Ranks:
    """Return how a pack with bowers and joker ranks; of its low cards there may be fewer than are counted here."""
    return _with_bowers(63 if players == 6 else 53, trumps, joker_suit)


@cache
def _plain(trumps: Suit | None) -> Ranks:
    return _ranks(PLAIN_ORDERS[trumps], PACK_52)


@cache
def _with_bowers(pack: int, trumps: Suit | None, joker_suit: Suit | None) -> Ranks:
    ranks = _ranks(ORDERS[trumps, joker_suit], PACKS[pack])
    # The second joker, which one small pack alone has, counts as good as the first.
    return Ranks(ranks.order, ranks.ladders, {**ranks.places, SECOND_JOKER: 0})


def _ranks(order: CardOrder, pack: Cards) -> Ranks:
    suits = (*Suit, None)
    by_height = sorted(pack, key=order.height, reverse=True)
    ladders = {suit: tuple(card for card in by_height if order.suit(card) is suit) for suit in suits}
    places = {card: place for ladder in ladders.values() for place, card in enumerate(ladder)}
    return Ranks(order, ladders, places)


def ranks_of(view: View) -> Ranks:
    """Return how the cards rank in the deal of a view: plainly where four hands hold the pack of 52 between them.

    A joker that belongs to no suit is the highest card of the suit led.
    """
    trumps = None if view.contract is None else view.contract.trumps
    if shares_whole_pack(view):
        return plain_ranks(trumps)
    led = view.trick.led if view.trick is not None and view.trick.plays and trumps is None else None
    return bower_ranks(len(view.counts), trumps, led)


def shares_whole_pack(view: View) -> bool:
    """Say whether four hands of thirteen are played, and not hands of ten beside a widow."""
    on_table = len(view.trick.plays) if view.trick is not None else 0
    return len(view.counts) == 4 and sum(view.counts) + 4 * sum(view.tricks_won) + on_table >= len(PACK_52)
