"""Suits, ranks, cards and hands, with their one text form."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import NamedTuple


class Suit(StrEnum):
    """The four suits in the order in which a hand is written."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


class Rank(IntEnum):
    """All ranks of the widest pack (63 cards), low to high; the jokers stand above every suit."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    ELEVEN = 11
    TWELVE = 12
    THIRTEEN = 13
    JACK = 14
    QUEEN = 15
    KING = 16
    ACE = 17
    SECOND_JOKER = 18
    JOKER = 19


class Card(NamedTuple):
    """One card; a joker has no suit.

    A tuple and not a dataclass: cards are compared and hashed in every trick, and a tuple does both in C.
    """

    suit: Suit | None
    rank: Rank

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"<{_TEXTS[self]}>"


Cards = tuple[Card, ...]

JOKER = Card(None, Rank.JOKER)
SECOND_JOKER = Card(None, Rank.SECOND_JOKER)

RANK_LETTERS = "AKQJRWET98765432"  # high to low, as a hand is written
_RANKS = {letter: Rank(Rank.ACE - place) for place, letter in enumerate(RANK_LETTERS)}
_CARDS = {f"{suit}{letter}": Card(suit, rank) for suit in Suit for letter, rank in _RANKS.items()}
_CARDS |= {"JK": JOKER, "JL": SECOND_JOKER}
_TEXTS = {card: text for text, card in _CARDS.items()}
_PLACES = {card: place for place, card in enumerate(_CARDS.values())}

ALL_CARDS: Cards = tuple(_CARDS.values())
"""Every card of every pack, in the order of a hand."""

PACK_52: Cards = tuple(card for card in ALL_CARDS if card.suit and not Rank.ELEVEN <= card.rank <= Rank.THIRTEEN)
"""The pack of whist and bridge, spades first, ace first."""


def parse_card(text: str) -> Card:
    """Read a card such as `SA`, `HT` or `JK`. Raises ValueError for anything else."""
    try:
        return _CARDS[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is no card: a card is a suit (S H D C) and a rank ({RANK_LETTERS}), or JK"
        ) from None


def in_order(cards: Iterable[Card]) -> Cards:
    """Return the cards as a hand is held: spades, hearts, diamonds, clubs, jokers; each suit high to low."""
    return tuple(sorted(cards, key=_PLACES.__getitem__))


def hand_text(cards: Iterable[Card]) -> str:
    """Write a hand: ranks high to low, spades to clubs between dots, each joker after a plus sign."""
    texts = [_TEXTS[card] for card in in_order(cards)]
    suits = ["".join(text[1] for text in texts if text[0] == suit and text not in ("JK", "JL")) for suit in Suit]
    return ".".join(suits) + "".join(f"+{joker}" for joker in ("JK", "JL") if joker in texts)


def parse_hand(text: str) -> Cards:
    """Read a hand such as `AK2.T98.QJ3.7654` or `A..9.8+JK`, in any order of ranks. Raises ValueError."""
    ranks, *jokers = text.split("+")
    suits = ranks.split(".")
    if len(suits) != len(Suit):
        raise ValueError(f"{text!r} is no hand: it needs four suits between dots")
    cards = [parse_card(suit + rank) for suit, held in zip(Suit, suits, strict=True) for rank in held]
    for joker in jokers:
        if joker not in ("JK", "JL"):
            raise ValueError(f"{text!r} is no hand: {joker!r} is no joker")
        cards.append(parse_card(joker))
    if len(set(cards)) != len(cards):
        raise ValueError(f"{text!r} is no hand: it holds a card twice")
    return in_order(cards)
