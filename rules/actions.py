"""What a seat may do: a call, a card, and the phases that one game alone has."""

from dataclasses import dataclass
from typing import Literal

from rules.calls import Bid, Call, Declaration, Word
from rules.cards import ALL_CARDS, Card, Cards, Suit, parse_card
from rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card; `suit` is named only by a joker that leads a no-trump trick and must name one."""

    card: Card
    suit: Suit | None = None

    def __str__(self) -> str:
        return f"{self.card}:{self.suit}" if self.suit else str(self.card)


@dataclass(frozen=True, slots=True)
class Discard:
    """Five Hundred: lay cards away for the widow, in any order."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class CallPartners:
    """Five Hundred with five: the bidder names who plays with him, perhaps nobody."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class NameJoker:
    """Five Hundred: the bidder says, before the first lead, which suit his joker belongs to, or declines."""

    suit: Suit | None


Action = Call | Play | Discard | CallPartners | NameJoker


@dataclass(frozen=True, slots=True)
class Choose:
    """Stands for every `Discard` of so many of these cards: a discard has up to 8,008 of them."""

    count: int
    cards: Cards


RecordList = Literal["calls", "called_partners", "discard", "joker_suit", "plays"]


def record_list(action: Action) -> RecordList:
    """Return the list of a deal record in which an action is written."""
    match action:
        case Word() | Bid() | Declaration():
            return "calls"
        case Play():
            return "plays"
        case Discard():
            return "discard"
        case CallPartners():
            return "called_partners"
        case NameJoker():
            return "joker_suit"


PLAYS = {card: Play(card) for card in ALL_CARDS}
"""The play of every card without a named suit, made once: legal plays are listed at every turn."""


def parse_play(text: str) -> Play:
    """Read a card played, `SA` or, for a joker led with a named suit, `JK:H`. Raises ValueError."""
    card_text, colon, suit = text.partition(":")
    card = parse_card(card_text)
    if not colon:
        return PLAYS[card]
    if card.suit is not None or suit not in set(Suit):
        raise ValueError(f"{text!r} is no play: only a joker names a suit (S H D C)")
    return Play(card, Suit(suit))
