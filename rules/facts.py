"""What people tell of a deal that they have played with real cards, so that it can be scored: its words, and reading.

A game lists its facts as data (`Family.facts`) and scores them (`Family.score_facts`); here is what such games share.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rules.calls import Call, Word, parse_call
from rules.cards import Card, Rank, Suit, parse_card
from rules.seats import Seat, Seats, Side

Given = Mapping[str, str]
"""The facts that are told, by name, as typed."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that may be told: its name, a sentence for people, an example of it; a switch is told without a value.

    `needed` marks what almost every deal has: the examples of these together are a deal. What is missing in a certain
    deal, or has no place in it, the game says by a sentence.
    """

    name: str
    words: str
    example: str = ""
    needed: bool = False

    @property
    def switch(self) -> bool:
        return not self.example


class BadFact(ValueError):
    """Refuse facts that are missing, that make no sense, or that contradict each other; a sentence for people."""


def refuse_unknown(given: Given, facts: Iterable[Fact]) -> None:
    """Raise BadFact for a fact that the game does not ask for."""
    names = [fact.name for fact in facts]
    for name in given:
        if name not in names:
            raise BadFact(f"There is no {name!r} to tell. What can be told: {', '.join(names)}.")


def needed(given: Given, name: str, why: str = "") -> str:
    """Return a fact. Raises BadFact if it has not been told."""
    if name not in given:
        raise BadFact(f"--{name} is missing{why and ': '}{why}.")
    return given[name]


def refuse_given(given: Given, names: Iterable[str], why: str) -> None:
    """Raise BadFact for facts that have no place in this deal."""
    for name in names:
        if name in given:
            raise BadFact(f"--{name} has no place here: {why}.")


# --- words as people type them

_SIGNS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "È": "E", " ": "", "-": ""}
_SPOKEN: Mapping[str, Call] = {"PASS": Word.PASS, "MISERE": Word.MISERE, "OPENMISERE": Word.OPEN_MISERE}


def plain(text: str) -> str:
    """Write in capitals what may have been typed small, with suit signs, spaces and dashes."""
    text = text.upper()
    for sign, letter in _SIGNS.items():
        text = text.replace(sign, letter)
    return text


def read_call(name: str, text: str) -> tuple[Call, int]:
    """Read a call with its doubling (1, 2, 4) behind it: `3HX`, `4 nt xx`, `10D`, `misere`. Raises BadFact."""
    typed = plain(text)
    stem = typed.rstrip("X")
    doubles = len(typed) - len(stem)
    stem = stem.removesuffix("T") if stem.endswith("NT") else stem
    try:
        call = _SPOKEN[stem] if stem in _SPOKEN else parse_call(stem)
    except ValueError:
        raise BadFact(f"--{name} {text!r} is no call: it is written like 2H, 3NT, 4SX or 6DXX.") from None
    if doubles > 2 or (doubles and isinstance(call, Word)):
        raise BadFact(f"--{name} {text!r} is no call: a bid is doubled (X) and redoubled (XX) once only.")
    return call, 2**doubles


def read_seat(name: str, text: str, seats: Seats) -> Seat:
    """Read a seat. Raises BadFact."""
    if plain(text) not in seats.names:
        raise BadFact(f"--{name} {text!r} is no seat; the seats are: {', '.join(seats.names)}.")
    return seats.parse(plain(text))


def read_side(name: str, text: str, seats: Seats, sides: Sequence[Side]) -> int:
    """Read a side by its own name or by that of one of its seats. Raises BadFact."""
    typed = plain(text)
    for place, side in enumerate(sides):
        if typed == side.name or typed in map(seats.name, side.seats):
            return place
    names = ", ".join(dict.fromkeys([*(side.name for side in sides), *seats.names]))
    raise BadFact(f"--{name} {text!r} is nobody here; it can be: {names}.")


def read_parts(name: str, text: str) -> list[tuple[str, str]]:
    """Read `N=S,H,E=D` as the pairs (N, SH), (E, D): what has no `=` belongs to the part before. Raises BadFact."""
    parts: list[tuple[str, str]] = []
    for part in filter(None, text.upper().replace(" ", "").replace(":", "=").split(",")):
        who, equals, what = part.partition("=")
        if equals:
            parts.append((who, what))
        elif parts:
            parts[-1] = (parts[-1][0], parts[-1][1] + part)
        else:
            raise BadFact(f"--{name} {text!r} does not say whose: write it like --{name} N=...,E=...")
    return parts


def read_numbers(name: str, text: str, sides: Sequence[Side]) -> dict[int, int]:
    """Read a number for some sides, such as `NS=120,EW=-40`. Raises BadFact."""
    names = [side.name for side in sides]
    numbers: dict[int, int] = {}
    for who, what in read_parts(name, text):
        if who not in names:
            raise BadFact(f"--{name} names {who!r}; the sides are: {', '.join(names)}.")
        if names.index(who) in numbers:
            raise BadFact(f"--{name} names {who} twice.")
        digits = what.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= 9):
            raise BadFact(f"--{name} {who}={what} is no number.")
        numbers[names.index(who)] = int(what)
    return numbers


def read_column(given: Given, name: str, sides: Sequence[Side]) -> tuple[int, ...]:
    """Read what each side has had before the deal; nothing, where it is not told. Raises BadFact."""
    numbers = read_numbers(name, given.get(name, ""), sides)
    return tuple(numbers.get(side, 0) for side in range(len(sides)))


def read_order(name: str, text: str, seats: Seats, total: int) -> tuple[Seat, ...]:
    """Read who won each trick, in order, such as `NNSEW...`; no more than so many. Raises BadFact."""
    typed = plain(text).replace(",", "")
    strange = next((letter for letter in typed if letter not in seats.names), None)
    if strange is not None:
        raise BadFact(f"--{name} names {strange!r}; the seats are: {', '.join(seats.names)}.")
    if len(typed) > total:
        raise BadFact(f"--{name} tells of {len(typed)} tricks, and a deal has {total}.")
    return tuple(map(seats.parse, typed))


# --- cards


def read_cards(name: str, text: str, seats: Seats, suit: Suit | None) -> dict[Card, Seat]:
    """Read who was dealt which cards: ranks of a suit, `S=AQ10`, or without one aces, `S=SH`. Raises BadFact."""
    held: dict[Card, Seat] = {}
    for who, what in read_parts(name, text):
        if who not in seats.names:
            raise BadFact(f"--{name} names {who!r}; the seats are: {', '.join(seats.names)}.")
        for card in _cards(name, what, suit):
            if card in held:
                raise BadFact(f"--{name} names {card} twice.")
            held[card] = seats.parse(who)
    return held


def _cards(name: str, what: str, suit: Suit | None) -> list[Card]:
    if what in ("", "-", "NONE"):
        return []
    signs = plain(what) if suit is None else what.replace("10", "T")
    try:
        return [Card(Suit(sign), Rank.ACE) if suit is None else parse_card(suit + sign) for sign in signs]
    except ValueError:
        meant = "suits of aces, such as SHD" if suit is None else "ranks, such as AK10"
        raise BadFact(f"--{name} {what!r} is not understood: after a seat stand {meant}.") from None
