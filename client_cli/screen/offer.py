"""What may be done at one moment, as choices: each has its command, its words, and what may be typed for it.

They are what the view lists. Rows say how the choices lie, which is how the arrow keys go from one to another.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from client_cli.diagram import call_words
from client_cli.draw import card_text, order_in
from client_cli.screen.cards import grouped
from client_cli.signs import Signs
from protocol import messages as m
from rules.calls import Bid, Call, Declaration, Denomination, Word, parse_call
from rules.cards import Suit, parse_card, parse_hand

Place = tuple[int, int]
"""A row and a place in it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose. `words` say it in a sentence, `label` in a cell.

    Without a command it leads to `further` choices or, where several cards are laid away at once, is one of them.
    """

    label: str
    words: str
    spellings: tuple[str, ...] = ()
    command: m.Command | None = None
    card: str | None = None
    further: tuple["Choice", ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """Choices beside each other, with a heading; None where there is a gap. Those of `aligned` rows form columns."""

    choices: tuple[Choice | None, ...]
    heading: str = ""
    aligned: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """What may be done. `lay_away` is the number of cards to choose together, 0 where one choice is enough."""

    title: str
    rows: tuple[Row, ...]
    lay_away: int = 0

    def items(self) -> Iterator[tuple[Place, Choice]]:
        """Yield every choice with its place, row by row."""
        for number, row in enumerate(self.rows):
            for place, choice in enumerate(row.choices):
                if choice is not None:
                    yield (number, place), choice

    @property
    def of_cards(self) -> bool:
        """Whether it is a card, or are cards, that are to be chosen."""
        return any(choice.card is not None for _, choice in self.items())


def offer_of(view: m.TableView, signs: Signs) -> Offer | None:
    """Return what the person who sees this view may do now in the deal; None if it is not his turn."""
    turn = view.turn
    if turn is None or turn.legal is None or view.deal is None:
        return None
    legal = turn.legal
    if legal.calls:
        return _calls(turn, legal.calls, signs)
    if legal.cards:
        return _cards(view, turn, legal.cards, signs)
    if legal.discard is not None:
        return _discard(view, *legal.discard, signs)
    if legal.partners:
        return _partners(view, turn, legal.partners)
    return _jokers(turn, legal.jokers, signs) if legal.jokers else None


# --- calls

_SPOKEN = {
    Word.PASS: ("Pass", "pass", ("p",)),
    Word.DOUBLE: ("Double", "double", ("d", "x")),
    Word.REDOUBLE: ("Redouble", "redouble", ("r", "x", "xx")),
    Word.MISERE: ("Misere", "bid misere", ("m",)),
    Word.OPEN_MISERE: ("Open misere", "bid open misere", ("o", "om")),
    Word.LEAVE: ("Leave it", "leave it to your partner", ("l",)),
}
_NAMED = {
    Denomination.ROYALS: "royals",
    Denomination.NULLOS: "nullos",
    Denomination.NO_TRUMPS: "no-trumps",
}
_SUIT_NAMES = {Suit.SPADES: "spades", Suit.HEARTS: "hearts", Suit.DIAMONDS: "diamonds", Suit.CLUBS: "clubs"}


def _calls(turn: m.Turn, texts: Sequence[str], signs: Signs) -> Offer:
    """Lay out calls as in a bidding box: a row for the words, a row for each level, a column for each denomination."""
    choices = {(call := parse_call(text)): _call(turn, call, signs) for text in texts}
    words = tuple(choices[call] for call in choices if isinstance(call, Word))
    named = tuple(choices[call] for call in choices if isinstance(call, Declaration))
    bids = [call for call in choices if isinstance(call, Bid)]
    levels = sorted({bid.level for bid in bids})
    # The highest level is the last of which something is lost, so it shows how the denominations rank.
    ranked = [bid.denomination for bid in bids if bid.level == levels[-1]]
    columns = [*dict.fromkeys(bid.denomination for bid in bids if bid.denomination not in ranked), *ranked]
    grid = (Row(tuple(choices.get(Bid(level, column)) for column in columns), aligned=True) for level in levels)
    rows = [Row(words)] * bool(words) + [Row((choice,)) for choice in named] + list(grid)
    return Offer(_title(bids, named), tuple(rows))


def _title(bids: Sequence[Bid], named: Sequence[Choice]) -> str:
    return "Declare trumps" if named else "Your call" if bids else "Double?"


def _call(turn: m.Turn, call: Call, signs: Signs) -> Choice:
    command = m.MakeCall(0, turn.deal, turn.index, str(call))
    match call:
        case Bid(level=level, denomination=named):
            label = f"{level}Z" if named is Denomination.NULLOS else call_words(call, signs)
            return Choice(label, f"bid {call_words(call, signs)}", (str(call).lower(),), command)
        case Declaration(denomination=named):
            name = _named(named)
            sign = "" if named.trumps is None else f"{signs.suits[named.trumps]} "
            return Choice(f"{sign}{name}", f"declare {name}", (str(named).lower(),), command)
        case _:
            return Choice(*_SPOKEN[call], command)


def _named(denomination: Denomination) -> str:
    if denomination in _NAMED:
        return _NAMED[denomination]
    assert denomination.trumps is not None, "only the words above have no trumps"
    return _SUIT_NAMES[denomination.trumps]


# --- cards

_RANK_KEYS = {"T": ("10", "t"), "E": ("11",), "W": ("12",), "R": ("13",)}


def _cards(view: m.TableView, turn: m.Turn, texts: Sequence[str], signs: Signs) -> Offer:
    hand = turn.hand or turn.seat
    plays: dict[str, list[str]] = {}
    for text in texts:
        plays.setdefault(text.partition(":")[0], []).append(text)
    source = "" if hand == view.seat else f" from dummy ({hand})"

    def choice(card: str) -> Choice:
        further = tuple(_led_as(turn, text, signs) for text in plays[card]) if len(plays[card]) > 1 else ()
        command = None if further else m.PlayCard(0, turn.deal, turn.index, plays[card][0])
        shown = card_text(plays[card][0] if not further else card, signs)
        return Choice(shown, f"play {shown}{source}", _keys(card), command, card, further)

    return Offer(f"Play a card{source}", _in_hand(view, hand, plays, choice))


def _led_as(turn: m.Turn, text: str, signs: Signs) -> Choice:
    command = m.PlayCard(0, turn.deal, turn.index, text)
    _, _, suit = text.partition(":")
    return _of_suit(suit or None, f"lead {card_text(text, signs)}", command, signs)


def _discard(view: m.TableView, count: int, cards: Sequence[str], signs: Signs) -> Offer:
    assert view.seat is not None, "only who has a hand lays cards away"

    def choice(card: str) -> Choice:
        return Choice(card_text(card, signs), f"lay away {card_text(card, signs)}", _keys(card), card=card)

    return Offer(f"Lay away {count} cards", _in_hand(view, view.seat, cards, choice), lay_away=count)


def _in_hand(view: m.TableView, hand: str, cards: Iterable[str], choice: Callable[[str], Choice]) -> tuple[Row, ...]:
    """Lay out cards as they are held, a row for each suit."""
    assert view.deal is not None, "cards are held in a deal"
    may = set(cards)
    held = parse_hand(view.deal.hands[hand]) if hand in view.deal.hands else map(parse_card, may)
    rows = ([str(card) for card in group if str(card) in may] for group in grouped(held, order_in(view)))
    return tuple(Row(tuple(map(choice, row))) for row in rows if row)


def _keys(card: str) -> tuple[str, ...]:
    """Return what may be typed for a card: suit and rank in either order."""
    if card in ("JK", "JL"):
        return (card.lower(),)
    suit, ranks = card[0].lower(), _RANK_KEYS.get(card[1], (card[1].lower(),))
    return tuple(f"{suit}{rank}" for rank in ranks) + tuple(f"{rank}{suit}" for rank in ranks)


# --- what Five Hundred alone has


def _partners(view: m.TableView, turn: m.Turn, choices: Sequence[Sequence[str]]) -> Offer:
    names = {part.seat: part.name for part in view.seats}

    def choice(seats: Sequence[str]) -> Choice:
        command = m.CallPartners(0, turn.deal, turn.index, list(seats))
        label = " and ".join(f"{seat} {names[seat]}".strip() for seat in seats) or "nobody"
        words = f"play with {' and '.join(seats)}" if seats else "play with nobody"
        return Choice(label, words, ("".join(seats).lower() or "n",), command)

    return Offer("Who plays with you?", tuple(Row((choice(seats),)) for seats in choices))


def _jokers(turn: m.Turn, suits: Sequence[str | None], signs: Signs) -> Offer:
    def choice(suit: str | None) -> Choice:
        words = f"put the joker in {_SUIT_NAMES[Suit(suit)]}" if suit else "name no suit for the joker"
        return _of_suit(suit, words, m.NameJoker(0, turn.deal, turn.index, suit), signs)

    return Offer("Name the joker's suit", tuple(Row((choice(suit),)) for suit in suits))


def _of_suit(suit: str | None, words: str, command: m.Command, signs: Signs) -> Choice:
    if suit is None:
        return Choice("no suit", words, ("n",), command)
    return Choice(f"{signs.suits[Suit(suit)]} {_SUIT_NAMES[Suit(suit)]}", words, (suit.lower(),), command)


def further_offer(choice: Choice) -> Offer:
    """Return what there is to choose after a choice that leads further."""
    return Offer(f"{choice.label} as which suit?", tuple(Row((each,)) for each in choice.further))
