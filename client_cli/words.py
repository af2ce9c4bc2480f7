"""How people type cards, calls, suits and seats, turned into the one text form that messages have.

Any case, suit before rank or after, `10` or `T`, suit signs or letters. None where a text is nothing of the kind; what
may be called or played now is for the server to say.
"""

import re
from collections.abc import Collection

from rules.cards import RANK_LETTERS

_SIGNS = {"♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D", "♣": "C", "♧": "C", "\ufe0f": "", "\ufe0e": ""}
_RANKS = {**{rank: rank for rank in RANK_LETTERS}, "10": "T", "11": "E", "12": "W", "13": "R"}
_SUITS = {
    **dict.fromkeys(("S", "SPADE", "SPADES"), "S"),
    **dict.fromkeys(("H", "HEART", "HEARTS"), "H"),
    **dict.fromkeys(("D", "DIAMOND", "DIAMONDS"), "D"),
    **dict.fromkeys(("C", "CLUB", "CLUBS"), "C"),
}
_DENOMINATIONS = {
    **_SUITS,
    **dict.fromkeys(("R", "ROYAL", "ROYALS"), "R"),
    **dict.fromkeys(("Z", "NULLO", "NULLOS"), "Z"),
    **dict.fromkeys(("N", "NT", "NOTRUMP", "NOTRUMPS"), "N"),
}
_WORDS = {
    **dict.fromkeys(("P", "PASS"), "P"),
    **dict.fromkeys(("X", "DBL", "DOUBLE"), "X"),
    **dict.fromkeys(("XX", "RDBL", "REDOUBLE"), "XX"),
    **dict.fromkeys(("M", "MISERE", "MISÈRE"), "M"),
    **dict.fromkeys(("OM", "OPENMISERE", "OPENMISÈRE"), "OM"),
    **dict.fromkeys(("L", "LEAVE", "LEAVEIT"), "L"),
}
_SEATS = {"NORTH": "N", "EAST": "E", "SOUTH": "S", "WEST": "W"}


def _plain(text: str) -> str:
    plain = text.upper()
    for sign, letter in _SIGNS.items():
        plain = plain.replace(sign, letter)
    return re.sub(r"[\s-]+", "", plain)


def read_suit(text: str) -> str | None:
    """Read a suit: `h`, `hearts`, `♥`."""
    return _SUITS.get(_plain(text))


def read_card(text: str) -> str | None:
    """Read a card: `hk`, `KH`, `K♥`, `10h`, `jk`, or `jk:h` for a joker that names a suit."""
    card, colon, named = _plain(text).partition(":")
    card = {"JOKER": "JK"}.get(card, card)
    if card in ("JK", "JL"):
        suit = _SUITS.get(named)
        return card if not colon else f"{card}:{suit}" if suit else None
    if colon:
        return None
    for suit, rank in ((card[:1], card[1:]), (card[-1:], card[:-1])):
        if suit in ("S", "H", "D", "C") and rank in _RANKS:
            return suit + _RANKS[rank]
    return None


def read_call(text: str) -> str | None:
    """Read a call: `2r`, `2 nt`, `3♥`, `10 hearts`, `x`, `pass`; without a level it is a declaration, or `leave`."""
    plain = _plain(text)
    if plain in _WORDS:
        return _WORDS[plain]
    found = re.fullmatch(r"(10|[1-9])?([A-ZÈ]+)", plain)
    if found is None or found[2] not in _DENOMINATIONS:
        return None
    return (found[1] or "") + _DENOMINATIONS[found[2]]


def read_seat(text: str, seats: Collection[str]) -> str | None:
    """Read the name of one of these seats: `n`, `north`, `3`."""
    plain = _plain(text)
    name = _SEATS.get(plain, plain)
    return name if name in seats else None
