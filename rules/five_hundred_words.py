"""Five Hundred in words: what is told of a deal with real cards, and what the page of rules prints from data."""

from collections.abc import Sequence

from rules.calls import Bid, Call, Word
from rules.cards import Card, Cards, Suit
from rules.facts import (
    BadFact,
    Fact,
    Given,
    needed,
    read_call,
    read_numbers,
    read_order,
    read_seat,
    read_side,
    refuse_given,
)
from rules.five_hundred_cards import BIDDING_ORDER, ORDERS
from rules.five_hundred_score import CAP, MISERES, SLAM_POINTS, STRAINS, TRICK_POINTS, TRICKS, VALUES, Reckoning
from rules.game import Tables
from rules.options import Options
from rules.seats import Seats, Side

FACTS = (
    Fact("bid", "A bid, misere, open misere, or pass if all passed and it was played so.", "7D", needed=True),
    Fact("by", "Who made it: a seat or a side.", "NS", needed=True),
    Fact("partners", "With five players: whom the bidder called.", "3,5"),
    Fact("tricks", "How many tricks each side won; of two sides, one is enough.", "NS=8", needed=True),
    Fact("tricks-in-order", "Instead: who won each; only where it matters who was first to 500.", "1123312112"),
    Fact("before", "The scores before the deal.", "NS=120,EW=-40"),
)


def read_reckoning(
    given: Given, options: Options, seats: Seats, sides: Sequence[Side], ladder: Sequence[Call], before: tuple[int, ...]
) -> Reckoning:
    """Read what the score of a deal depends on. Raises BadFact."""
    call, doubling = read_call("bid", needed(given, "bid"))
    if call is Word.PASS:
        if options["all_pass"] != "no_trump_play":
            raise BadFact("By these house rules a deal that all have passed is not played, and scores nothing.")
        refuse_given(given, ("by", "partners"), "nobody has bid")
        bidding: tuple[int, ...] = ()
    elif call not in ladder or doubling > 1:
        raise BadFact(f"There is no bid {given['bid']!r} at this table; the bids are: {' '.join(map(str, ladder))}.")
    else:
        side = read_side("by", needed(given, "by"), seats, sides)
        bidding = tuple(dict.fromkeys((side, *_partners_told(given, call, side, seats))))
    contract = None if call is Word.PASS else call
    if "tricks-in-order" in given:
        taken = read_order("tricks-in-order", given["tricks-in-order"], seats, TRICKS)
        takers = tuple(seat % len(sides) for seat in taken)
        _refuse_count(options, contract, bidding, [takers.count(side) for side in range(len(sides))])
        return Reckoning(options, contract, bidding, takers, before)
    won = _tricks_told(given, options, contract, bidding, sides)
    orders = [_with_first(first, won) for first in range(len(sides))]
    reckonings = [Reckoning(options, contract, bidding, order, before) for order in orders]
    if len({reckoning.winner for reckoning in reckonings}) > 1:
        raise BadFact(
            f"More than one comes to {options['target']} by tricks, and the first to be there wins the game: "
            "tell who won each trick, by --tricks-in-order."
        )
    return reckonings[0]


def _with_first(first: int, won: Sequence[int]) -> tuple[int, ...]:
    order = sorted(range(len(won)), key=lambda side: side != first)
    return tuple(side for side in order for _ in range(won[side]))


def _partners_told(given: Given, call: Call, side: int, seats: Seats) -> tuple[int, ...]:
    """Read the partners called by one of five, clockwise from him."""
    if len(seats) != 5:
        refuse_given(given, ("partners",), "partners are called by five players only")
        return ()
    named = {read_seat("partners", part, seats) for part in filter(None, given.get("partners", "").split(","))}
    most = 2 if isinstance(call, Bid) and call.level >= 8 else 1
    if side in named or len(named) > most:
        raise BadFact(f"--partners: with {call} the bidder calls at most {most} of the others.")
    return tuple(sorted(named, key=lambda seat: (seat - side) % len(seats)))


def _tricks_told(
    given: Given, options: Options, contract: Call | None, bidding: Sequence[int], sides: Sequence[Side]
) -> list[int]:
    numbers = read_numbers("tricks", needed(given, "tricks"), sides)
    unnamed = [side for side in range(len(sides)) if side not in numbers]
    if len(unnamed) == 1 and not _may_be_cut_short(options, contract, [numbers.get(side, 0) for side in bidding]):
        numbers[unnamed[0]] = TRICKS - sum(numbers.values())
    won = [numbers.get(side, 0) for side in range(len(sides))]
    if min(won) < 0:
        raise BadFact(f"--tricks {given['tricks']}: there are {TRICKS} tricks, and nobody wins fewer than 0.")
    _refuse_count(options, contract, bidding, won)
    if sum(won) < TRICKS and unnamed and options["misere_defenders_score"]:
        raise BadFact("--tricks: tell the tricks of the others too, for they count in a misere.")
    return won


def _may_be_cut_short(options: Options, contract: Call | None, own: Sequence[int]) -> bool:
    """Say whether this is a misère that has ended as the bidder won a trick."""
    return contract in MISERES and bool(options["misere_stop_on_loss"]) and sum(own) > 0


def _refuse_count(options: Options, contract: Call | None, bidding: Sequence[int], won: Sequence[int]) -> None:
    own = [won[side] for side in bidding]
    if _may_be_cut_short(options, contract, own):
        if sum(own) > 1 or sum(won) > TRICKS:
            raise BadFact("A misere ends as soon as the bidder wins a trick: he has won 1, and all at most 10.")
    elif sum(won) != TRICKS:
        raise BadFact(f"The tricks told are {sum(won)} in all, and there are {TRICKS}.")


# --- the page


def tables(options: Options, seats: Seats, sides: Sequence[Side], ladder: Sequence[Call], deck: Cards) -> Tables:
    """Return what the page of rules prints from the data."""
    levels = sorted({bid.level for bid in VALUES if isinstance(bid, Bid)})
    names = {strain: strain.name.lower().replace("_", " ") for strain in STRAINS}
    suits = {suit: [str(card)[1] for card in deck if card.suit is suit] for suit in Suit}
    return {
        "ladder": " ".join(map(str, ladder)),
        "values": [
            ["", *map(str, levels)],
            *([names[strain], *(str(VALUES[Bid(level, strain)]) for level in levels)] for strain in STRAINS),
        ],
        "misere_value": str(VALUES[Word.MISERE]),
        "open_misere_value": str(VALUES[Word.OPEN_MISERE]),
        "trick": str(TRICK_POINTS),
        "all_ten": str(SLAM_POINTS),
        "cap": str(CAP),
        "cards": str(len(deck)),
        "jokers": ", ".join(str(card) for card in deck if card.suit is None) or "none",
        "suits": [
            [suit.name.lower(), " ".join(_RANKS.get(rank, rank) for rank in ranks)] for suit, ranks in suits.items()
        ],
        "trumps": " ".join(_written(card) for card in _ranked(deck, BIDDING_ORDER[-1])),
        "seats": ", ".join(seats.names),
        "sides": ", ".join(side.name for side in sides),
    }


_RANKS = {"T": "10", "E": "11", "W": "12", "R": "13"}


def _ranked(deck: Cards, trumps: Suit) -> list[Card]:
    """List the trumps of a contract in a suit, high to low."""
    order = ORDERS[trumps, None]
    return sorted((card for card in deck if order.suit(card) is trumps), key=order.height, reverse=True)


def _written(card: Card) -> str:
    """Write a card as it may be typed, with the numbers that the list of the pack has too."""
    return str(card) if card.suit is None else f"{card.suit}{_RANKS.get(str(card)[1], str(card)[1])}"
