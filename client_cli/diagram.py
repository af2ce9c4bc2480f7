"""A deal as lines of text for people: hands as a compass, auction by seat, tricks with their winners, the score.

Pure functions from values of the rules to lines, without colour. `suits` says how suits are written.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from client_cli.signs import SYMBOLS, Signs
from rules.calls import Bid, Call, Declaration, Denomination, Word, parse_call
from rules.cards import RANK_LETTERS, Card, Cards, Rank, Suit, in_order, parse_card
from rules.events import (
    AuctionEnded,
    CallMade,
    CardPlayed,
    CardsDealt,
    CardsDiscarded,
    Contract,
    DealScored,
    Event,
    JokerNamed,
    PartnersCalled,
    TrickWon,
)
from rules.game import AnyGame
from rules.scoresheet import Line, Standing
from rules.seats import Seat, Seats, Side
from rules.tricks import PLAIN_ORDERS, CardOrder

_RANKS = {Rank.TEN: "10", Rank.ELEVEN: "11", Rank.TWELVE: "12", Rank.THIRTEEN: "13"}
_RANKS |= {Rank(Rank.ACE - place): letter for place, letter in enumerate(RANK_LETTERS) if letter not in "RWET"}
_WORDS = {
    Word.PASS: "pass",
    Word.DOUBLE: "X",
    Word.REDOUBLE: "XX",
    Word.MISERE: "misere",
    Word.OPEN_MISERE: "open misere",
    Word.LEAVE: "leave it",
}
_DENOMINATIONS = {Denomination.ROYALS: "R", Denomination.NULLOS: " nullos", Denomination.NO_TRUMPS: "NT"}
_DOUBLINGS = {1: "", 2: " X", 4: " XX"}
# In the sum of a score line calls and cards have their text forms, which are no words of any sum.
_CALL = re.compile(r"\b(?:10|[1-9])[SCDHRZN]\b|\bO?M\b")
_CARD = re.compile(rf"\b[SCDH][{RANK_LETTERS}]\b")
_HAND_WIDTH = 20


# --- single things


def card_words(card: Card, suits: Signs = SYMBOLS) -> str:
    """Write a card: its suit, then its rank."""
    return str(card) if card.suit is None else suits.suits[card.suit] + _RANKS[card.rank]


def call_words(call: Call, suits: Signs = SYMBOLS) -> str:
    """Write a call."""
    match call:
        case Bid(level=level, denomination=named):
            return f"{level}{_denomination(named, suits)}"
        case Declaration(denomination=named):
            return _denomination(named, suits).strip()
        case _:
            return _WORDS[call]


def _denomination(named: Denomination, suits: Signs) -> str:
    if named in _DENOMINATIONS:
        return _DENOMINATIONS[named]
    assert named.trumps is not None, "only the words above have no trumps"
    return suits.suits[named.trumps]


def contract_words(seats: Seats, contract: Contract | None, suits: Signs = SYMBOLS) -> str:
    """Write what is played and by whom, such as `4♥ X by S`."""
    if contract is None:
        return "not played"
    if contract.call is None or contract.declarer is None:
        return "played without a bid"
    doubled = _DOUBLINGS.get(contract.doubling, f" {suits.times} {contract.doubling}")
    return f"{call_words(contract.call, suits)}{doubled} by {seats.name(contract.declarer)}"


def score_words(words: str, suits: Signs = SYMBOLS) -> str:
    """Write the sum of a score line, with the calls and cards in it as they are written elsewhere."""
    written = _CALL.sub(lambda found: call_words(parse_call(found[0]), suits), words.replace("×", suits.times))
    return _CARD.sub(lambda found: card_words(parse_card(found[0]), suits), written)


# --- hands


def suit_lines(hand: Cards, suits: Signs = SYMBOLS, order: CardOrder = PLAIN_ORDERS[None]) -> list[str]:
    """Write a hand as a line for each suit, and one for jokers that belong to none; bowers stand among the trumps."""
    held = sorted(in_order(hand), key=order.height, reverse=True)
    lines = []
    for suit in Suit:
        cards = [card for card in held if order.suit(card) is suit]
        texts = [_RANKS[card.rank] if card.suit is suit else card_words(card, suits) for card in cards]
        lines.append(f"{suits.suits[suit]} {' '.join(texts) or suits.void}")
    jokers = " ".join(str(card) for card in held if order.suit(card) is None)
    return [*lines, jokers] if jokers else lines


def hands_lines(
    seats: Seats, hands: Sequence[Cards | None], dealer: Seat | None = None, suits: Signs = SYMBOLS
) -> list[str]:
    """Draw all hands, of four as a compass, else one to a line; a hidden hand is empty."""
    titles = [f"{seats.name(seat)} (dealer)" if seat == dealer else seats.name(seat) for seat in seats]
    blocks = [
        [title] if hand is None else [title, *suit_lines(hand, suits)]
        for title, hand in zip(titles, hands, strict=True)
    ]
    if len(blocks) != 4:
        return [f"{title:12}{'  '.join(lines)}".rstrip() for title, *lines in blocks]
    north, east, south, west = blocks
    between = [f"{left:{2 * _HAND_WIDTH}}{right}".rstrip() for left, right in _side_by_side(west, east)]
    indent = " " * _HAND_WIDTH
    return [*(indent + line for line in north), *between, *(indent + line for line in south)]


def _side_by_side(left: Sequence[str], right: Sequence[str]) -> list[tuple[str, str]]:
    rows = range(max(len(left), len(right)))
    return [("".join(left[row : row + 1]), "".join(right[row : row + 1])) for row in rows]


# --- auction and play


def auction_lines(seats: Seats, calls: Sequence[tuple[Seat, Call]], suits: Signs = SYMBOLS) -> list[str]:
    """Set out an auction in a column for each seat, the first to call on the left; who was skipped leaves a gap."""
    if not calls:
        return []
    first = calls[0][0]
    order = [seats.left(first, steps) for steps in range(len(seats))]
    rows: list[list[str]] = [[seats.name(seat) for seat in order]]
    last = len(order)
    for seat, call in calls:
        column = order.index(seat)
        if column <= last:
            rows.append([""] * len(order))
        rows[-1][column] = call_words(call, suits)
        last = column
    return _table(rows)


@dataclass(slots=True)
class PlayedTrick:
    """A trick as it came out: who played what, and a joker's named suit; the winner once it is complete.

    One that was not heard has no plays.
    """

    plays: list[tuple[Seat, Card, Suit | None]]
    winner: Seat | None = None


def tricks_of(events: Iterable[Event]) -> list[PlayedTrick]:
    """Collect the tricks of a deal from its events, in order; the last may be incomplete."""
    tricks: list[PlayedTrick] = []
    for event in events:
        match event:
            case CardPlayed(seat=seat, card=card, suit=suit):
                if not tricks or tricks[-1].winner is not None:
                    tricks.append(PlayedTrick([]))
                tricks[-1].plays.append((seat, card, suit))
            case TrickWon(seat=seat, number=number):
                tricks[-1].winner = seat
                tricks[-1:-1] = [PlayedTrick([]) for _ in range(number - len(tricks))]
    return tricks


def trick_lines(seats: Seats, tricks: Sequence[PlayedTrick], suits: Signs = SYMBOLS) -> list[str]:
    """Write each trick in the order of play, leader first, and who won it."""
    lines = []
    for number, trick in enumerate(tricks, 1):
        plays = [f"{seats.name(seat)} {_play_words(card, suit, suits):4}" for seat, card, suit in trick.plays]
        if not plays:
            plays = ["not known"]
        won = "" if trick.winner is None else f" {seats.name(trick.winner)} wins"
        lines.append(f"{number:2}. {' '.join(plays)}{won}".rstrip())
    return lines


def _play_words(card: Card, suit: Suit | None, suits: Signs) -> str:
    return card_words(card, suits) + (f" as {suits.suits[suit]}" if suit else "")


# --- score


def score_lines(sides: Sequence[Side], lines: Sequence[Line], suits: Signs = SYMBOLS) -> list[str]:
    """Write what a deal scores, line by line: side, account, points and how they come about."""
    rows = [
        [sides[line.side].name, line.account, f"{line.points:>5}", score_words(line.words, suits)] for line in lines
    ]
    return _table(rows) or ["no score"]


def sheet_lines(game: AnyGame, standing: Standing) -> list[str]:
    """Set out a standing: a row for each of its columns, and the total if there are several accounts."""
    columns = standing.columns
    rows = [["", *(f"{side.name:>6}" for side in game.sides)]]
    rows += [[name, *(f"{number:6}" for number in numbers)] for name, numbers in columns.items()]
    accounts = [columns[account] for account in game.accounts if account in columns]
    if len(accounts) > 1:
        rows.append(["total", *(f"{sum(numbers):6}" for numbers in zip(*accounts, strict=True))])
    return _table(rows)


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Set rows of equal length in columns, two spaces apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


# --- a whole deal


def deal_lines(game: AnyGame, events: Sequence[Event], suits: Signs = SYMBOLS) -> list[str]:
    """Write a deal from its events, as far as it has gone and as far as they show it."""
    calls = [(event.seat, event.call) for event in events if isinstance(event, CallMade)]
    parts = [
        _dealt_lines(game.seats, events, suits),
        auction_lines(game.seats, calls, suits),
        _settled_lines(game.seats, events, suits),
        trick_lines(game.seats, tricks_of(events), suits),
    ]
    for event in events:
        if isinstance(event, DealScored):
            parts += [score_lines(game.sides, event.result.lines, suits), sheet_lines(game, event.result.standing)]
    return [line for part in parts if part for line in ("", *part)][1:]


def _dealt_lines(seats: Seats, events: Iterable[Event], suits: Signs) -> list[str]:
    for event in events:
        if isinstance(event, CardsDealt):
            widow = [f"widow: {_cards_words(event.widow, suits)}"] if event.widow else []
            return [*hands_lines(seats, event.hands, event.dealer, suits), *widow]
    return []


def _settled_lines(seats: Seats, events: Iterable[Event], suits: Signs) -> list[str]:
    """Say what stood between the calls and the first lead."""
    lines = []
    for event in events:
        match event:
            case AuctionEnded(contract=contract):
                lines.append(contract_words(seats, contract, suits))
            case PartnersCalled(partners=partners):
                lines.append(f"partners called: {', '.join(map(seats.name, partners)) or 'nobody'}")
            case CardsDiscarded(cards=cards) if cards is not None:
                lines.append(f"laid away: {_cards_words(cards, suits)}")
            case JokerNamed(suit=suit):
                lines.append(f"the joker's suit: {suits.suits[suit] if suit else 'none'}")
    return lines


def _cards_words(cards: Iterable[Card], suits: Signs) -> str:
    return " ".join(card_words(card, suits) for card in cards)
