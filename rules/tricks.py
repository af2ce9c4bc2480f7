"""Following suit, winning and collecting tricks, for any order of cards."""

from dataclasses import dataclass
from typing import Protocol

from rules.cards import Card, Cards, Suit
from rules.errors import IllegalAction
from rules.seats import Seat


class CardOrder(Protocol):
    """What suit a card belongs to and how high it stands, given the trumps of the deal."""

    @property
    def trumps(self) -> Suit | None: ...

    def suit(self, card: Card) -> Suit | None:
        """Return the suit to which a card belongs in this deal; None for a joker that belongs to none."""
        ...

    def height(self, card: Card) -> int:
        """Return a number that is greater for the higher of two cards of one suit."""
        ...


@dataclass(frozen=True, slots=True)
class PlainOrder:
    """Ace high in every suit, as printed on the cards: Vint, Bridge, auction bridge."""

    trumps: Suit | None

    def suit(self, card: Card) -> Suit | None:
        return card.suit

    def height(self, card: Card) -> int:
        return card.rank


PLAIN_ORDERS = {trumps: PlainOrder(trumps) for trumps in (*Suit, None)}


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick: the suit led, and the plays in order, leader first.

    The suit is kept apart from the first card because a joker may be led as any suit.
    """

    leader: Seat
    led: Suit | None = None
    plays: tuple[tuple[Seat, Card], ...] = ()


@dataclass(frozen=True, slots=True)
class Tricks:
    """The play of a deal so far.

    `hands` are the cards still held, by seat; `live` the seats that play, clockwise; `next_hand` is where the next card
    comes from; `trick` is the one on the table, `complete` those before it, in order, with their `winners` beside them.
    """

    hands: tuple[Cards, ...]
    live: tuple[Seat, ...]
    next_hand: Seat
    trick: Trick
    complete: tuple[Trick, ...] = ()
    winners: tuple[Seat, ...] = ()


def begin(hands: tuple[Cards, ...], leader: Seat, live: tuple[Seat, ...]) -> Tricks:
    """Return the play before the first lead."""
    return Tricks(hands, live, leader, Trick(leader))


def playable(hand: Cards, led: Suit | None, order: CardOrder) -> Cards:
    """Return the cards of a hand that may be played: those of the suit led, or all if there are none."""
    if led is None:
        return hand
    suit = order.suit
    return tuple([card for card in hand if suit(card) is led]) or hand


def refuse_unplayable(hand: Cards, card: Card, led: Suit | None, order: CardOrder) -> None:
    """Raise IllegalAction if a card is not in the hand, or would be a revoke."""
    if card not in hand:
        raise IllegalAction("play.not_held", f"The hand to play does not hold {card}.")
    if led is None or order.suit(card) is led:
        return
    if card not in playable(hand, led, order):
        raise IllegalAction("play.revoke", f"{card} does not follow suit, and the hand holds a card of the suit led.")


def winner(trick: Trick, order: CardOrder) -> Seat:
    """Return the seat that takes a complete trick: the highest trump wins, else the highest card of the suit led."""
    best_seat, best = trick.plays[0]
    best_suit = trick.led
    for seat, card in trick.plays[1:]:
        suit = order.suit(card)
        if suit is best_suit:
            if order.height(card) > order.height(best):
                best_seat, best = seat, card
        elif suit is not None and suit is order.trumps:
            best_seat, best, best_suit = seat, card, suit
    return best_seat


def played(tricks: Tricks, card: Card, order: CardOrder, suit: Suit | None = None) -> Tricks:
    """Return the play after one more card, which the game has found legal; a full trick is collected.

    `suit` is the suit that a joker is led as.
    """
    seat, live, trick = tricks.next_hand, tricks.live, tricks.trick
    hand = tricks.hands[seat]
    place = hand.index(card)
    hands = (*tricks.hands[:seat], hand[:place] + hand[place + 1 :], *tricks.hands[seat + 1 :])
    led = trick.led if trick.plays else (suit or order.suit(card))
    trick = Trick(trick.leader, led, (*trick.plays, (seat, card)))
    if len(trick.plays) < len(live):
        following = live[(live.index(seat) + 1) % len(live)]
        return Tricks(hands, live, following, trick, tricks.complete, tricks.winners)
    taker = winner(trick, order)
    return Tricks(hands, live, taker, Trick(taker), (*tricks.complete, trick), (*tricks.winners, taker))
