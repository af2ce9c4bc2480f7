"""What a bot plays, by the old maxims: second hand low, third hand high, win cheaply, never beat partner's winner."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bots.ranks import JACK, KING, QUEEN, TEN, Ranks, ranks_of
from rules.actions import Play
from rules.calls import Bid, Denomination, Word
from rules.cards import Card, Cards, Suit
from rules.events import Contract
from rules.seats import Seat
from rules.tricks import Trick, winner
from rules.view import View

LOSING = {Word.MISERE, Word.OPEN_MISERE}


def choose_card(view: View, plays: Sequence[Play]) -> Play:
    """Return one of the cards that may be played from the hand to play."""
    contract, trick, hand = view.contract, view.trick, view.hand_to_play
    if len(plays) == 1 or contract is None or trick is None or hand is None:
        return plays[0]
    cards = tuple(dict.fromkeys(play.card for play in plays))
    seen = Seen(view, contract, trick, hand, cards, ranks_of(view))
    card = seen.ducked() if _to_lose(contract) else seen.followed() if trick.plays else seen.led()
    return next(play for play in plays if play.card == card)


def _to_lose(contract: Contract) -> bool:
    """Say whether tricks are what each side wants the other to have."""
    call = contract.call
    return call in LOSING or (isinstance(call, Bid) and call.denomination is Denomination.NULLOS)


@dataclass(frozen=True)
class Seen:
    """A trick as it stands before the hand to play adds one of `cards`."""

    view: View
    contract: Contract
    trick: Trick
    hand: Seat
    cards: Cards
    ranks: Ranks

    # --- who is who

    @cached_property
    def side(self) -> frozenset[Seat]:
        """Who play together with the hand."""
        everybody = frozenset(range(len(self.view.hands)))
        if self.contract.declarer is None:
            # Nobody has bid: at an even table of four or more every other seat plays with this one.
            return frozenset(seat for seat in everybody if self._every_other(seat)) | {self.hand}
        declarers = frozenset({self.contract.declarer, *self.contract.partners})
        return declarers if self.hand in declarers else everybody - declarers

    def _every_other(self, seat: Seat) -> bool:
        return len(self.view.hands) in (4, 6) and (seat - self.hand) % 2 == 0

    @cached_property
    def trumps(self) -> Suit | None:
        return self.contract.trumps

    @property
    def declares(self) -> bool:
        return self.contract.declarer in self.side

    @cached_property
    def to_come(self) -> list[Seat]:
        """Who still play to this trick after the hand."""
        seats = len(self.view.hands)
        played = {seat for seat, _ in self.trick.plays} | {self.hand}
        turns = [(self.hand + step) % seats for step in range(1, seats)]
        out = self.contract.partners if self.contract.call in LOSING else ()
        return [seat for seat in turns if seat not in played and seat not in out and self.view.counts[seat]]

    @cached_property
    def adversaries(self) -> list[Seat]:
        """Which of them are on the other side."""
        return [seat for seat in self.to_come if seat not in self.side]

    def visible(self, seat: Seat) -> Cards:
        return self.view.hands[seat] or ()

    def suit(self, cards: Iterable[Card], suit: Suit | None) -> list[Card]:
        """Return the cards of a suit, high to low."""
        return self.ranks.of_suit(cards, suit)

    def above(self, card: Card) -> int:
        return self.ranks.above(card)

    @cached_property
    def follows(self) -> bool:
        """Say whether the hand follows suit; it then can do nothing else."""
        return self.ranks.suit(self.cards[0]) is self.trick.led

    # --- following

    def wins(self, card: Card) -> bool:
        """Say whether a card would be the best of the trick so far."""
        plays = (*self.trick.plays, (self.hand, card))
        return winner(Trick(self.trick.leader, self.trick.led, plays), self.ranks.order) == self.hand

    @property
    def best(self) -> tuple[Seat, Card]:
        seat = winner(self.trick, self.ranks.order)
        return seat, dict(self.trick.plays)[seat]

    def followed(self) -> Card:
        """Play to a trick that another has led."""
        winners = [card for card in self.cards if self.wins(card)]
        if not winners or self._partner_has_it(winners):
            return self.discarded()
        if not self.follows:
            return self.ranks.lowest(winners)  # a ruff, as low as it can be
        if not self.adversaries:
            return self.ranks.lowest(winners)
        return self._second(winners) if len(self.trick.plays) == 1 else self._high_enough(winners)

    def _partner_has_it(self, winners: Sequence[Card]) -> bool:
        """Say whether partner's card is best and may be left alone."""
        seat, card = self.best
        if seat not in self.side:
            return False
        if not self.adversaries or self.ranks.suit(card) is not self.trick.led:
            return True
        if self.coming is not None:
            return not any(self.ranks.beats(held, card) for held in self.coming)
        if not self.follows:
            return self.above(card) <= QUEEN
        trusted = JACK if self.declares else KING  # declarer lets a queen or jack run
        return self.above(card) <= max(trusted, self._as_low_as(self.ranks.highest(winners)))

    @cached_property
    def coming(self) -> list[Card] | None:
        """The cards of the adversaries who still play, where all of them lie open."""
        hands = [hand for seat in self.adversaries if (hand := self.view.hands[seat]) is not None]
        return [card for hand in hands for card in hand] if len(hands) == len(self.adversaries) else None

    def _as_low_as(self, card: Card) -> int:
        """Return how many cards are above the lowest that is as good as a card: all cards between are in sight."""
        known = {held for hand in self.view.hands if hand is not None for held in hand}
        known |= {played for _, played in self.trick.plays}
        ladder, place = self.ranks.ladder(card), self.above(card)
        while place + 1 < len(ladder) and ladder[place + 1] in known:
            place += 1
        return place

    def _second(self, winners: Sequence[Card]) -> Card:
        """Play low as second hand, but cover an honour, and play the king from ace and king."""
        top = self.ranks.highest(winners)
        if self.above(self.trick.plays[0][1]) <= TEN and self.above(top) <= KING:
            return self.ranks.lowest(winners)
        king = self.ranks.ladder(top)[KING]
        return king if self.above(top) == 0 and king in winners else self.ranks.lowest(self.cards)

    def _high_enough(self, winners: Sequence[Card]) -> Card:
        """Play third hand high, but no higher than what is seen needs, and the lowest of a sequence."""
        if self.coming is not None:
            enough = [card for card in winners if not any(self.ranks.beats(held, card) for held in self.coming)]
            return self.ranks.lowest(enough or self.cards)
        top = self.ranks.highest(winners)
        lowest, queen = self._as_low_as(top), self.ranks.ladder(top)[QUEEN]
        if self.declares and lowest == 0 and queen in winners:
            return queen  # a finesse against the king
        return self.ranks.lowest(card for card in winners if self.above(card) <= lowest)

    def discarded(self) -> Card:
        """Play the least useful card: of the suit led the lowest, else a low one that guards nothing, no trump."""
        plain = [card for card in self.cards if self.ranks.suit(card) not in (self.trumps, None)]
        if not plain or self.follows:
            return self.ranks.lowest(self.cards)
        return min(plain, key=lambda card: (self._guards(card), self.ranks.height(card), -self._length(plain, card)))

    def _guards(self, card: Card) -> bool:
        """Say whether an honour would be bare, or less than guarded, without a card, or is itself one."""
        held = self.suit(self.cards, self.ranks.suit(card))
        top = self.above(held[0])
        return self.above(card) <= QUEEN or (KING <= top <= JACK and len(held) <= top + 1)

    def _length(self, cards: Iterable[Card], card: Card) -> int:
        return len(self.suit(cards, self.ranks.suit(card)))

    def ducked(self) -> Card:
        """Play so as not to win: the highest card that loses, else the highest if it wins anyway, else the lowest."""
        if not self.trick.plays:
            return self.ranks.lowest(self.cards)
        losers = [card for card in self.cards if not self.wins(card)]
        if losers:
            return self.ranks.highest(losers)
        return self.ranks.lowest(self.cards) if self.to_come else self.ranks.highest(self.cards)

    # --- leading

    def led(self) -> Card:
        return self._declarer_leads() if self.declares else self._defender_leads()

    def _declarer_leads(self) -> Card:
        """Draw trumps, cash what is high, then lead towards strength in the longest suit.

        A joker without trumps is kept: in a suit of which the hand is void it takes a trick that it need not lead for.
        """
        across = [card for seat in self.side - {self.hand} for card in self.visible(seat)]
        trumps = self.suit(self.cards, self.trumps) if self.trumps else []
        if trumps and self._draws(len(trumps) + len(self.suit(across, self.trumps))):
            return self._from_suit(trumps, self.suit(across, self.trumps))
        suits = [self.suit(self.cards, suit) for suit in Suit if suit is not self.trumps]
        suits = [suit for suit in suits if suit] or [trumps or list(self.cards)]
        return self._from_suit(
            *max(((suit, self.suit(across, self.ranks.suit(suit[0]))) for suit in suits), key=self._promise)
        )

    def _draws(self, held: int) -> bool:
        """Say whether to lead trumps: while the own side has four or more, and the last trump lead still drew one."""
        last = self.view.last_trick
        if last is not None and last.led is self.trumps:
            drawn = any(self.ranks.suit(card) is self.trumps for seat, card in last.plays if seat not in self.side)
            return drawn and held >= 3
        return held >= 4

    def _from_suit(self, own: list[Card], across: Sequence[Card]) -> Card:
        """Lead a suit: low towards partner's higher honour, else the ace or the top of a sequence, else low."""
        top = self.above(own[0])
        if across and self.above(across[0]) <= JACK and self.above(across[0]) < top:
            return own[0] if top <= TEN and len(own) <= 2 else own[-1]
        if top == 0 or (top <= TEN and self.ranks.sequence(own) >= 2):
            return own[0]
        # Who sees no partner's hand draws trumps with his high ones.
        return (
            own[0]
            if self.contract.dummy is None and top <= QUEEN and self.ranks.suit(own[0]) is self.trumps
            else own[-1]
        )

    def _defender_leads(self) -> Card:
        suits = [held for suit in Suit if suit is not self.trumps and (held := self.suit(self.cards, suit))]
        if not suits:
            return self.ranks.lowest(self.cards)
        return self._best_of(max(suits, key=self._appeal))

    def _appeal(self, held: list[Card]) -> float:
        """Return how much speaks for leading a suit."""
        suit, top, length = self.ranks.suit(held[0]), self.above(held[0]), len(held)
        named = {seat for seat, call in self.view.calls if isinstance(call, Bid) and _names(call, suit)}
        appeal = 3.0 * bool(named & (self.side - {self.hand})) - 2.0 * bool(named - self.side)
        if self.ranks.sequence(held) >= 2 and top <= QUEEN:
            appeal += 1.0 + self.ranks.sequence(held)
        elif self.trumps is not None and top <= KING:
            appeal -= 1.5  # an ace or king that catches nothing
        if self.trumps is None:
            appeal += 0.8 * length
        elif length == 1 and top > KING and self.suit(self.cards, self.trumps):
            appeal += 2.5
        last = self.view.last_trick
        appeal += 1.5 * (last is not None and last.led is suit and last.leader in self.side)
        return appeal + self._through_dummy(suit)

    def _through_dummy(self, suit: Suit | None) -> float:
        """Return what dummy's cards say: weakness is to be led up to, broken strength through."""
        dummy = self.contract.dummy
        if dummy is None or self.view.hands[dummy] is None:
            return 0.0
        held = self.suit(self.visible(dummy), suit)
        strength = sum(7 - self.above(card) for card in held if self.above(card) <= JACK) / 4
        if dummy == (self.hand + 1) % len(self.view.hands):
            return 1.0 if held and KING <= self.above(held[0]) <= JACK else 0.0
        return 1.5 - strength

    def _best_of(self, held: list[Card]) -> Card:
        """Lead the top of a sequence or of a short suit, the ace against trumps, else the fourth best or the lowest."""
        top = self.above(held[0])
        if self.ranks.sequence(held) >= 2 and top <= TEN:
            return held[0]
        if len(held) <= 2 or (top == 0 and self.trumps is not None):
            return held[0]
        return held[3] if len(held) > 3 else held[-1]

    def _promise(self, suit: tuple[Sequence[Card], Sequence[Card]]) -> float:
        """Return what leading a suit promises to the side that sees both hands: high cards, then length."""
        own, across = suit
        both = {*own, *across}
        ladder, high = self.ranks.ladder(own[0]), 0
        while high <= TEN and high < len(ladder) and ladder[high] in both:
            high += 1
        return 2.0 * min(high, max(len(own), len(across))) + 0.5 * len(both)


def _names(bid: Bid, suit: Suit | None) -> bool:
    """Say whether a bid promises a suit; one spade is what a dealer says who has nothing to say."""
    return bid.denomination.trumps is suit and bid != Bid(1, Denomination.SPADES)
