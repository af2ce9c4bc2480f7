"""Denominations and calls, with their one text form."""

from dataclasses import dataclass
from enum import StrEnum

from rules.cards import Suit


class Denomination(StrEnum):
    """What a bid names. How the denominations rank is the game's own law."""

    SPADES = "S"
    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    ROYALS = "R"
    NULLOS = "Z"
    NO_TRUMPS = "N"

    @property
    def trumps(self) -> Suit | None:
        """The trump suit of a contract in this denomination: spades for royals, None without trumps."""
        return _TRUMPS[self]


_TRUMPS = {
    Denomination.SPADES: Suit.SPADES,
    Denomination.CLUBS: Suit.CLUBS,
    Denomination.DIAMONDS: Suit.DIAMONDS,
    Denomination.HEARTS: Suit.HEARTS,
    Denomination.ROYALS: Suit.SPADES,
    Denomination.NULLOS: None,
    Denomination.NO_TRUMPS: None,
}


class Word(StrEnum):
    """The calls that name neither a level nor a denomination."""

    PASS = "P"
    DOUBLE = "X"
    REDOUBLE = "XX"
    MISERE = "M"
    OPEN_MISERE = "OM"
    LEAVE = "L"
    """Bridge: the dealer leaves the declaration to his partner."""


@dataclass(frozen=True, slots=True)
class Bid:
    """A call naming a level and a denomination. The level counts odd tricks, in Five Hundred all tricks."""

    level: int
    denomination: Denomination

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}"


@dataclass(frozen=True, slots=True)
class Declaration:
    """Bridge: the choice of trumps, without a level."""

    denomination: Denomination

    def __str__(self) -> str:
        return str(self.denomination)


Call = Word | Bid | Declaration

_WORDS: dict[str, Call] = {str(word): word for word in Word}
_DECLARATIONS: dict[str, Call] = {str(name): Declaration(name) for name in Denomination}
_BIDS: dict[str, Call] = {f"{level}{name}": Bid(level, name) for level in range(1, 11) for name in Denomination}
_CALLS = _WORDS | _DECLARATIONS | _BIDS


def parse_call(text: str) -> Call:
    """Read a call such as `2R`, `10H`, `P`, `XX`, `OM` or, in Bridge, `H` and `L`. Raises ValueError."""
    try:
        return _CALLS[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is no call: a call is a level and a denomination (S C D H R N Z), P, X, XX, M, OM or L"
        ) from None
