"""Facts of a deal of thirteen tricks between two partnerships, as Vint, Bridge and auction bridge ask for them."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from rules.cards import Card, Rank, Suit
from rules.facts import (
    BadFact,
    Fact,
    Given,
    needed,
    read_cards,
    read_column,
    read_numbers,
    read_order,
    read_parts,
    read_seat,
)
from rules.honours import HONOUR_RANKS
from rules.partners import ALL_TRICKS
from rules.seats import FOUR_SEATS, PARTNERSHIPS, Seat, side_of

T = TypeVar("T")

BY = Fact("by", "Who played it: a seat, or NS or EW.", "S", needed=True)
HONOURS = Fact(
    "honours",
    "Who was dealt which of A K Q J 10 of trumps; at no trump, the aces by their suits (N=S,H). If the cards of one "
    "side alone are told, the other side has the rest.",
    "S=AQ,N=K",
    needed=True,
)
VOID = Fact("void", "The hands that were dealt no trump at all.", "E")
STANDING = (
    Fact("part", "Points below the line in this game before the deal.", "NS=24,EW=0"),
    Fact("games", "Games won in this rubber before the deal.", "NS=1,EW=0"),
    Fact("above", "All other points of the rubber before the deal.", "NS=126,EW=640"),
)


def read_standing(given: Given, standing: Callable[[Mapping[str, tuple[int, ...]]], T]) -> T:
    """Read the rubber so far; `standing` makes it of its columns. Raises BadFact."""
    names = {"below": "part", "above": "above", "games": "games"}
    columns = {column: read_column(given, name, PARTNERSHIPS) for column, name in names.items()}
    try:
        return standing(columns)
    except ValueError as error:
        raise BadFact(f"No deal begins like this: {error}.") from None


# --- tricks


def read_tricks(given: Given, own: int | None = None) -> tuple[int, int]:
    """Read how many tricks each side won; a bare number is of the side `own`, if there is one. Raises BadFact."""
    text = needed(given, "tricks")
    if own is not None and text.isascii() and text.isdecimal():
        text = f"{PARTNERSHIPS[own].name}={text}"
    won = read_numbers("tricks", text, PARTNERSHIPS)
    if not won:
        raise BadFact("--tricks names no side: write it like --tricks NS=9.")
    (side, count), *_ = won.items()
    won.setdefault(1 - side, ALL_TRICKS - count)
    if min(won.values()) < 0 or sum(won.values()) != ALL_TRICKS:
        raise BadFact(
            f"--tricks {text}: the tricks of both sides are {ALL_TRICKS} in all, and neither has fewer than 0."
        )
    return won[0], won[1]


def read_winners(given: Given) -> tuple[Seat, ...]:
    """Read who won each of thirteen tricks, in order. Raises BadFact."""
    winners = read_order("tricks-in-order", given["tricks-in-order"], FOUR_SEATS, ALL_TRICKS)
    if len(winners) != ALL_TRICKS:
        raise BadFact(f"--tricks-in-order tells of {len(winners)} tricks, and a deal has {ALL_TRICKS}.")
    if "tricks" in given:
        told, counted = read_tricks(given), sum(side_of(seat) == 0 for seat in winners)
        if told[0] != counted:
            raise BadFact(f"--tricks gives NS {told[0]} and --tricks-in-order {counted}.")
    return winners


# --- honours


def counting(trumps: Suit | None) -> tuple[Card, ...]:
    """Return the cards that are honours: five trumps, at no trump the aces."""
    if trumps is None:
        return tuple(Card(suit, Rank.ACE) for suit in Suit)
    return tuple(Card(trumps, rank) for rank in HONOUR_RANKS)


def read_honours(given: Given, trumps: Suit | None, name: str = "honours") -> dict[Card, Seat]:
    """Read who was dealt which honours, as far as they are named. Raises BadFact."""
    kind = "the aces of S H D C" if trumps is None else f"A K Q J 10 of {trumps.name.lower()}"
    held = read_cards(name, needed(given, name, f"tell who was dealt {kind}"), FOUR_SEATS, trumps)
    strange = next((card for card in held if card not in counting(trumps)), None)
    if strange is not None:
        raise BadFact(f"--{name} names {strange}, which is no honour; they are {kind}.")
    return held


def missing(held: Mapping[Card, Seat], trumps: Suit | None) -> str:
    """List the honours that nobody has been said to hold."""
    return " ".join(str(card) for card in counting(trumps) if card not in held)


def count_honours(given: Given, trumps: Suit | None) -> tuple[int, ...]:
    """Read how many honours each hand was dealt. Raises BadFact if it is not clear who has them all.

    What is not named is with the other side, if one side alone is named: at most three, whose points are the same
    however they lie in its two hands.
    """
    held = read_honours(given, trumps)
    counts = [sum(seat == holder for holder in held.values()) for seat in FOUR_SEATS]
    rest = missing(held, trumps)
    if not rest:
        return tuple(counts)
    sides = {side_of(seat) for seat in held.values()}
    if len(sides) != 1 or len(rest.split()) > 3:
        raise BadFact(f"--honours is not complete: nobody is said to hold {rest}.")
    counts[1 - sides.pop()] += len(rest.split())
    return tuple(counts)


def read_void(given: Given, trumps: Suit | None, *, scored: bool) -> tuple[bool, ...]:
    """Say of each hand whether it was dealt no trump. Raises BadFact if honours contradict it."""
    text = given.get("void", "")
    if not text:
        return (False,) * len(FOUR_SEATS)
    if trumps is None or not scored:
        why = "there are no trumps" if trumps is None else "by these house rules a hand without trumps scores nothing"
        raise BadFact(f"--void has no place here: {why}.")
    void = {read_seat("void", part, FOUR_SEATS) for part in filter(None, text.split(","))}
    held = read_honours(given, trumps)
    for seat in sorted(void.intersection(held.values())):
        raise BadFact(f"{FOUR_SEATS.name(seat)} cannot be void of trumps and hold honours of trumps.")
    rest = missing(held, trumps)
    if rest and any({*side.seats} <= void for side in PARTNERSHIPS):
        raise BadFact(f"--honours is not complete: nobody is left to hold {rest}.")
    if len(void) == len(FOUR_SEATS):
        raise BadFact("Not all four hands can be void of trumps.")
    return tuple(seat in void for seat in FOUR_SEATS)


def read_runs(given: Given) -> dict[Card, Seat]:
    """Read the sequences that hands were dealt: `S=SAKQ,W=H987`, the suit before the ranks. Raises BadFact."""
    held: dict[Card, Seat] = {}
    for who, what in read_parts("coronets", _separated(given.get("coronets", ""))):
        suit, ranks = what[:1], what[1:]
        if suit not in tuple(Suit) or not ranks:
            raise BadFact(f"--coronets {who}={what}: write the suit, then the ranks, like {who}=SAKQ.")
        places = sorted(_HIGH.index(rank) for rank in ranks.replace("10", "T") if rank in _HIGH)
        if len(places) < 3 or places != list(range(places[0], places[0] + len(places))):
            raise BadFact(f"--coronets {who}={what} is no sequence of three or more cards.")
        for card, seat in read_cards("coronets", f"{who}={ranks}", FOUR_SEATS, Suit(suit)).items():
            if held.setdefault(card, seat) != seat:
                raise BadFact(f"--coronets names {card} twice.")
    return held


_HIGH = "AKQJT98765432"


def _separated(text: str) -> str:
    """Repeat the hand before a further sequence of its own: `S=SAKQ,HAKQ`."""
    parts, who = [], ""
    for part in filter(None, text.split(",")):
        head, equals, _ = part.partition("=")
        who = head if equals else who
        parts.append(part if equals or not who else f"{who}={part}")
    return ",".join(parts)
