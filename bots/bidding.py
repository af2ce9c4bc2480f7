"""What a bot calls: points and lengths of its own hand, and what the others have shown, make the tricks it expects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bots.ranks import shares_whole_pack
from bots.ten_tricks import choose_bid
from rules.calls import Bid, Call, Declaration, Denomination, Word
from rules.cards import Cards, Rank, Suit
from rules.seats import Seat, partner
from rules.view import View

POINTS = {Rank.ACE: 4, Rank.KING: 3, Rank.QUEEN: 2, Rank.JACK: 1}
PACK_POINTS = 40

# What a trick is roughly worth, to compare denominations. Where there are royals, spades as such promise nothing.
# Nullos are never bid.
WORTH = {
    Denomination.CLUBS: 6,
    Denomination.DIAMONDS: 7,
    Denomination.HEARTS: 8,
    Denomination.ROYALS: 9,
    Denomination.NO_TRUMPS: 10,
}

ODD_TRICK_ALONE = 5.0
"""Tricks of one hand with which a declaration is doubled: partner may be trusted with two or three more."""

WORTH_WITHOUT_ROYALS = {Denomination.SPADES: 6, **WORTH}

# Points that a call lets the others expect, on average.
SHOWN_BY_PASS = 7.0
SHOWN_BY_SPADES = 8.0
SHOWN_BY_BID = 13.0
SHOWN_BY_NO_TRUMPS = 15.0
SHOWN_BY_RAISE = 10.0


def choose_call(view: View, legal: Sequence[Call]) -> Call:
    """Return a legal call: a bid that should be made, seldom a double, else a pass; where one must bid, the least."""
    least = Word.PASS if Word.PASS in legal else legal[0]
    hand = None if view.seat is None else view.hands[view.seat]
    if not shares_whole_pack(view):
        return choose_bid(view, legal, least)
    if hand is None or view.seat is None:
        return least
    held = Held(view.seat, hand, view.calls, _worth(legal, view.calls))
    declarations = [call for call in legal if isinstance(call, Declaration)]
    if declarations:
        return _declared(held, declarations, may_leave=Word.LEAVE in legal)
    if Word.DOUBLE in legal and held.expects_to_beat_them:
        return Word.DOUBLE
    cheapest: dict[Denomination, Bid] = {}
    for call in legal:
        if isinstance(call, Bid) and call.denomination in held.worth:
            cheapest.setdefault(call.denomination, call)
    sound = [bid for bid in cheapest.values() if held.may_bid(bid)]
    if not sound:
        return least
    return max(sound, key=lambda bid: held.value(bid.denomination))


def _worth(legal: Sequence[Call], calls: Sequence[tuple[Seat, Call]]) -> Mapping[Denomination, int]:
    """Return what is bid in earnest: spades too in an auction that knows no royals."""
    bids = [call for call in (*legal, *(call for _, call in calls)) if isinstance(call, Bid)]
    royals = not bids or any(bid.denomination is Denomination.ROYALS for bid in bids)
    return WORTH if royals else WORTH_WITHOUT_ROYALS


def _declared(held: "Held", offered: Sequence[Declaration], *, may_leave: bool) -> Call:
    """Choose trumps without bidding for them: what is sound and pays best, else leave it, else the least bad."""
    offered = [call for call in offered if call.denomination is not Denomination.NULLOS]
    sound = [call for call in offered if call.denomination in WORTH and held.suits_hand(call.denomination)]
    if sound:
        return max(sound, key=lambda call: held.value(call.denomination))
    return Word.LEAVE if may_leave else max(offered, key=lambda call: held.tricks(call.denomination))


@dataclass(frozen=True)
class Held:
    """A hand in its auction."""

    seat: Seat
    hand: Cards
    calls: tuple[tuple[Seat, Call], ...]
    worth: Mapping[Denomination, int]

    @cached_property
    def points(self) -> int:
        return sum(POINTS.get(card.rank, 0) for card in self.hand)

    @cached_property
    def suits(self) -> dict[Suit, list[Rank]]:
        """The ranks of each suit, high to low."""
        return {suit: sorted((card.rank for card in self.hand if card.suit is suit), reverse=True) for suit in Suit}

    @cached_property
    def bids(self) -> list[tuple[Seat, Bid]]:
        return [(seat, call) for seat, call in self.calls if isinstance(call, Bid)]

    @cached_property
    def partner_named(self) -> frozenset[Denomination]:
        return frozenset(bid.denomination for seat, bid in self.bids if seat == partner(self.seat)) & self.worth.keys()

    @cached_property
    def adversaries_named(self) -> frozenset[Suit | None]:
        named = {bid.denomination for seat, bid in self.bids if seat not in self.side} & self.worth.keys()
        return frozenset(name.trumps for name in named) - {None}

    @property
    def side(self) -> tuple[Seat, Seat]:
        return (self.seat, partner(self.seat))

    def shown(self, seat: Seat) -> float | None:
        """Return the points that a seat may be expected to hold by its calls; None if it has not called."""
        own = [bid.denomination for bidder, bid in self.bids if bidder == seat]
        real = [name for name in own if name in self.worth]
        if real:
            earlier = [bid.denomination for bidder, bid in self.bids if bidder == partner(seat)]
            first = SHOWN_BY_RAISE if real[0] in earlier else SHOWN_BY_BID
            if Denomination.NO_TRUMPS in real and first == SHOWN_BY_BID:
                first = SHOWN_BY_NO_TRUMPS
            return first + len(real) - 1
        if own:
            return SHOWN_BY_SPADES
        return SHOWN_BY_PASS if any(caller == seat for caller, _ in self.calls) else None

    @cached_property
    def partner_points(self) -> float:
        """What partner may be expected to hold: what he has shown, else his share of the rest."""
        others = [self.shown(seat) for seat in range(4) if seat != self.seat]
        known = self.shown(partner(self.seat))
        left = PACK_POINTS - self.points
        if known is None:
            return max(0.0, left - sum(points or 0 for points in others)) / others.count(None)
        return min(known, left)

    def tricks(self, denomination: Denomination) -> float:
        """Return how many of thirteen tricks the own side may expect to win."""
        together = self.points + self.partner_points - PACK_POINTS / 2
        trumps = denomination.trumps
        if trumps is None:
            return 6.3 + together / 2.8
        length = len(self.suits[trumps])
        theirs = 4.7 if denomination in self.partner_named else (13 - length) / 3
        return 7.6 + together / 3 + 0.7 * (length + theirs - 7.67)

    def value(self, denomination: Denomination) -> float:
        return (self.tricks(denomination) - 6) * self.worth[denomination]

    def may_bid(self, bid: Bid) -> bool:
        """Say whether a bid is sound: it suits the hand, should be made, and is no needless raise over partner."""
        if self.tricks(bid.denomination) < 5.7 + 1.3 * bid.level or not self.suits_hand(bid.denomination):
            return False
        if not self.bids or self.bids[-1][0] not in self.side:
            return True
        return self._takes_out(bid)

    def suits_hand(self, denomination: Denomination) -> bool:
        trumps = denomination.trumps
        if trumps is None:
            named = self.adversaries_named
            stopped = [suit for suit, ranks in self.suits.items() if _stops(ranks)]
            return len(stopped) >= 3 and named <= set(stopped) and all(len(ranks) >= 2 for ranks in self.suits.values())
        ranks = self.suits[trumps]
        if denomination in self.partner_named:
            return len(ranks) >= 3
        return len(ranks) >= 5 and ranks[0] >= Rank.QUEEN and trumps not in self.adversaries_named

    def _takes_out(self, bid: Bid) -> bool:
        """Say whether to bid over what the own side has bid, which wins all its overtricks just as well."""
        bidder, standing = self.bids[-1]
        if bidder == self.seat or any(seat == self.seat for seat, _ in self.bids):
            return False
        if standing.denomination not in self.worth:
            return True
        return bid.level <= 2 and self.value(bid.denomination) > self.value(standing.denomination) + 6

    @property
    def expects_to_beat_them(self) -> bool:
        """Say whether the adversaries' contract should fail by two tricks or more; a bid of one is never doubled."""
        if not self.bids:
            return self._expects_the_odd_trick
        _, bid = self.bids[-1]
        own = self._defence(bid.denomination.trumps)
        helped = (self.shown(partner(self.seat)) or SHOWN_BY_PASS) / 9
        hopeful = own >= 2.5 and own + helped >= 8.5 - bid.level
        return bid.level > 1 and bid.denomination in self.worth and hopeful

    @property
    def _expects_the_odd_trick(self) -> bool:
        """Say whether the adversaries, who have declared without a level, should lose the odd trick and one more."""
        declared = [(seat, call) for seat, call in self.calls if isinstance(call, Declaration)]
        if not declared or declared[0][0] in self.side:
            return False
        return self._defence(declared[0][1].denomination.trumps) >= ODD_TRICK_ALONE

    def _defence(self, trumps: Suit | None) -> float:
        """Return the tricks of the hand against a contract with these trumps, of which small ones count by length."""
        small = 0.0 if trumps is None else 0.7 * max(0, len(self.suits[trumps]) - 3)
        return small + sum(_high_tricks(ranks) for ranks in self.suits.values())


def _stops(ranks: Sequence[Rank]) -> bool:
    """Say whether a suit stops the adversaries: the ace, or a lower honour with as many cards below it."""
    return bool(ranks) and ranks[0] >= Rank.JACK and len(ranks) > Rank.ACE - ranks[0]


def _high_tricks(ranks: Sequence[Rank]) -> float:
    """Return the tricks of a suit in defence: ace, king and queen with small cards beside them."""
    return sum(
        worth
        for rank, worth, length in ((Rank.ACE, 1.0, 1), (Rank.KING, 0.6, 2), (Rank.QUEEN, 0.25, 3))
        if rank in ranks and len(ranks) >= length
    )
