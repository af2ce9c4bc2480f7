"""What a bot does between calls and play: whom it takes as partners, which cards it lays away, and its joker's suit."""

from collections.abc import Sequence

from bots.play import LOSING
from bots.ranks import KING, Ranks, ranks_of
from rules.actions import CallPartners, Choose, Discard, NameJoker
from rules.calls import Word
from rules.cards import Card, Suit
from rules.seats import Seat
from rules.view import View


def choose_partners(view: View, offered: Sequence[CallPartners]) -> CallPartners:
    """Take as many as may be taken: those who have bid, the last first, then who sits nearest to the left."""
    seat = view.seat or 0
    last_bid = {caller: place for place, (caller, call) in enumerate(view.calls, 1) if call is not Word.PASS}

    def worth(other: Seat) -> tuple[int, int]:
        return last_bid.get(other, 0), -((other - seat) % len(view.counts))

    return max(offered, key=lambda choice: (len(choice.seats), sorted(map(worth, choice.seats), reverse=True)))


def choose_suit(offered: Sequence[NameJoker]) -> NameJoker:
    """Name no suit if one may do so: a joker of none takes a trick in whatever suit the hand is void of."""
    return next((choice for choice in offered if choice.suit is None), offered[0])


def choose_discard(view: View, choice: Choose) -> Discard:
    """Lay away what makes no trick: of the shortest suits first, so that the hand becomes void of them."""
    ranks = ranks_of(view)
    if view.contract is not None and view.contract.call in LOSING:
        high = sorted(choice.cards, key=ranks.height, reverse=True)
        return Discard(tuple(high[: choice.count]))
    return Discard(tuple(least_useful(choice.cards, ranks)[: choice.count]))


def least_useful(cards: Sequence[Card], ranks: Ranks) -> list[Card]:
    """Return cards in the order in which they are laid away from a hand that has bid."""
    suits = {suit: ranks.of_suit(cards, suit) for suit in (*Suit, None)}

    def use(card: Card) -> tuple[int, int, int]:
        suit = ranks.suit(card)
        held = suits[suit]
        if suit is None or suit is ranks.trumps:
            return 3, 0, ranks.height(card)
        if ranks.above(card) == 0:
            return 2, 0, 0
        # Without trumps a long suit is what makes tricks; a king is worth its guard.
        guards = ranks.above(held[0]) == KING and card in held[:2] and len(held) > 1
        return int(guards), len(held), ranks.height(card)

    return sorted(cards, key=use)
