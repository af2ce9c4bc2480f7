"""What a bot bids where ten tricks are played for, with a widow to come: the bid that should score most, or a pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import erf, sqrt

from bots.ranks import KING, QUEEN, bower_ranks
from rules.calls import Bid, Call, Denomination, Word
from rules.cards import Card, Cards, Suit
from rules.five_hundred_score import VALUES
from rules.seats import Seat
from rules.view import View

# Tricks that the side of the bidder wins when bots play: fitted to a few thousand of their deals, by number of players.
# With trumps, from: nothing, each trump, the joker, right bower, left bower and ace of trumps, each side ace, guarded
# side king, and side suit of one card or none.
WITH_TRUMPS: Mapping[int, tuple[float, ...]] = {
    2: (2.7, 0.6, 0.8, 0.8, 0.6, 0.1, 0.5, 0.1, 0.2),
    3: (-0.6, 0.9, 1.0, 0.7, 0.6, 0.3, 0.8, 0.3, 0.5),
    4: (3.2, 0.5, 0.9, 0.4, 0.2, 0.3, 0.5, 0.2, 0.1),
    5: (0.8, 0.8, 1.2, 0.7, 0.4, 0.0, 0.7, 0.4, 0.0),
    6: (3.0, 0.5, 0.9, 0.5, 0.2, 0.2, 0.3, 0.4, 0.3),
}

# Without, from: nothing, each joker, ace, guarded king and twice guarded queen, each card of the longest suit.
WITHOUT_TRUMPS: Mapping[int, tuple[float, ...]] = {
    2: (0.4, 2.1, 0.7, 0.5, 0.5, 0.6),
    3: (-0.7, 2.2, 1.1, 0.6, 0.4, 0.3),
    4: (2.5, 1.3, 0.8, 0.6, 0.3, 0.2),
    5: (1.6, 1.2, 0.8, 0.5, 0.3, 0.2),
    6: (2.9, 1.2, 0.9, 0.7, 0.1, 0.1),
}

# By how many tricks deals differ from what is expected, as a standard deviation.
SPREAD_WITH_TRUMPS, SPREAD_WITHOUT = 1.5, 1.7

# What the calls of others add to the tricks of the own side.
PARTNER_NAMED_IT, PARTNER_BID, PARTNER_PASSED = 0.8, 0.4, -0.3
ADVERSARY_NAMED_IT, ADVERSARY_BID = -1.0, -0.3


def choose_bid(view: View, legal: Sequence[Call], least: Call) -> Call:
    """Return the legal bid that may be expected to score most, or `least` if all of them would lose."""
    if view.seat is None or (hand := view.hands[view.seat]) is None or len(view.counts) not in WITH_TRUMPS:
        return least
    hopes = Hopes(view.seat, hand, len(view.counts), view.calls)
    bids = [call for call in legal if isinstance(call, Bid)]
    if not bids:
        return least
    best = max(bids, key=hopes.gain)
    return best if hopes.gain(best) > hopes.at_stake else least


@dataclass(frozen=True)
class Hopes:
    """A hand in its auction, and what may be made of it."""

    seat: Seat
    hand: Cards
    players: int
    calls: tuple[tuple[Seat, Call], ...]

    @cached_property
    def partners(self) -> frozenset[Seat]:
        """Who score with this seat whoever bids: every other seat at a table of four or six."""
        if self.players not in (4, 6):
            return frozenset()
        return frozenset(range(self.seat % 2, self.players, 2)) - {self.seat}

    @property
    def at_stake(self) -> float:
        """What a bid must gain at least: the whole of partner's, where he holds the highest and might have made it."""
        bids = [(seat, call) for seat, call in self.calls if call is not Word.PASS]
        if not bids or bids[-1][0] not in self.partners:
            return 0.0
        return float(VALUES[bids[-1][1]])

    def gain(self, bid: Bid) -> float:
        """Return what a bid may be expected to score, in points."""
        spread = SPREAD_WITHOUT if bid.denomination.trumps is None else SPREAD_WITH_TRUMPS
        made = 0.5 + 0.5 * erf((self.tricks(bid.denomination) - bid.level + 0.5) / spread / sqrt(2))
        return VALUES[bid] * (2 * made - 1)

    def tricks(self, denomination: Denomination) -> float:
        """Return how many tricks the own side may expect to win in a denomination."""
        trumps = denomination.trumps
        facts = self._without_trumps() if trumps is None else self._with(trumps)
        weights = (WITHOUT_TRUMPS if trumps is None else WITH_TRUMPS)[self.players]
        return sum(map(float.__mul__, weights, facts)) + self._heard(denomination)

    def _with(self, trumps: Suit) -> tuple[float, ...]:
        """Count what the table with trumps lists."""
        ranks = bower_ranks(self.players, trumps)
        held = ranks.of_suit(self.hand, trumps)
        high = {ranks.above(card) for card in held}
        sides = [ranks.of_suit(self.hand, suit) for suit in Suit if suit is not trumps]
        return (
            1.0,
            float(len(held)),
            *(float(place in high) for place in range(4)),
            float(sum(ranks.above(card) == 0 for suit in sides for card in suit)),
            float(sum(_guarded(suit, KING, [ranks.above(card) for card in suit]) for suit in sides)),
            float(sum(len(suit) <= 1 for suit in sides)),
        )

    def _without_trumps(self) -> tuple[float, ...]:
        """Count what the table without trumps lists."""
        ranks = bower_ranks(self.players, None)
        suits = [ranks.of_suit(self.hand, suit) for suit in Suit]
        places = [[ranks.above(card) for card in suit] for suit in suits]
        return (
            1.0,
            float(sum(card.suit is None for card in self.hand)),
            float(sum(0 in high for high in places)),
            *(float(sum(map(_guarded, suits, [honour] * 4, places))) for honour in (KING, QUEEN)),
            float(max(map(len, suits))),
        )

    def _heard(self, denomination: Denomination) -> float:
        """Return what the calls of the others make of it; each seat counts once."""
        named: dict[Seat, set[Denomination]] = {}
        for seat, call in self.calls:
            if seat != self.seat:
                bid = {call.denomination} if isinstance(call, Bid) else set()
                named[seat] = named.get(seat, set()) | bid
        return sum(_told(seat in self.partners, bids, denomination) for seat, bids in named.items())


def _guarded(suit: Sequence[Card], honour: int, places: Sequence[int]) -> bool:
    """Say whether a suit has this honour with as many cards beside it as stand above it."""
    return honour in places and len(suit) > honour


def _told(partner: bool, named: set[Denomination], denomination: Denomination) -> float:
    """Return what the calls of one seat, partner or adversary, say about a denomination."""
    if not named:
        return PARTNER_PASSED if partner else 0.0
    if denomination in named:
        return PARTNER_NAMED_IT if partner else ADVERSARY_NAMED_IT
    return PARTNER_BID if partner else ADVERSARY_BID
