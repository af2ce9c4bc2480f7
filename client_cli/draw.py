"""Cards, calls, tricks and the own turn as text, from the view alone; without colour, which is the console's."""

from collections.abc import Iterable, Sequence

from bots.ranks import ranks_of
from client_cli.diagram import call_words, card_words, suit_lines
from client_cli.signs import LETTERS, SYMBOLS, Signs
from protocol import messages as m
from protocol.translate import parse_view
from rules.actions import parse_play
from rules.calls import Bid, Call, Declaration, Denomination, Word, parse_call
from rules.cards import parse_card, parse_hand
from rules.seats import Seats, Side
from rules.tricks import PLAIN_ORDERS, CardOrder

DOUBLINGS = {1: "", 2: ", doubled", 4: ", redoubled"}


def seats_of(view: m.TableView) -> Seats:
    """Return the seats of a table as the rules have them."""
    return Seats(tuple(part.seat for part in view.seats))


def sides_of(view: m.TableView) -> list[Side]:
    """Return the sides of a table as the rules have them."""
    seats = seats_of(view)
    return [Side(name, tuple(map(seats.parse, members))) for name, members in view.sides.items()]


def names_of(view: m.TableView) -> dict[str, str]:
    """Return the names of all who are at the table, by player."""
    seated = {part.player: part.name for part in view.seats if part.player is not None}
    return seated | {part.player: part.name for part in view.spectators}


# --- single things


def card_text(card: str, signs: Signs = SYMBOLS) -> str:
    """Write a card of a message, with the suit that a joker names."""
    play = parse_play(card)
    return card_words(play.card, signs) + (f" as {signs.suits[play.suit]}" if play.suit else "")


def call_text(call: str, signs: Signs = SYMBOLS) -> str:
    """Write a call of a message."""
    return call_words(parse_call(call), signs)


def hand_line(hand: str, signs: Signs = SYMBOLS, order: CardOrder = PLAIN_ORDERS[None]) -> str:
    """Write a hand of a message on one line, as the cards rank."""
    return "  ".join(suit_lines(parse_hand(hand), signs, order))


def cards_line(cards: str, signs: Signs = SYMBOLS) -> str:
    """Write a few cards of a message, which are no hand."""
    return " ".join(card_words(card, signs) for card in parse_hand(cards))


def order_in(view: m.TableView) -> CardOrder:
    """Return how the cards rank in the deal, with bowers where there are any; as printed while there are no trumps."""
    deal = view.deal
    if deal is None or deal.contract is None or deal.contract.trumps is None:
        return PLAIN_ORDERS[None]
    return ranks_of(parse_view(deal, view.turn, view.seat, seats_of(view))).order


def side_label(side: str) -> str:
    """Write a side before a number: with a colon where its name is a number too."""
    return f"{side}:" if side.isdecimal() else side


def unit_of(view: m.TableView) -> str:
    """Return what is played for: a rubber where games are counted, else a game."""
    return "rubber" if "games" in view.standing else "game"


def contract_text(contract: m.ContractPart, signs: Signs = SYMBOLS) -> str:
    """Write what is played and by whom."""
    if contract.call is None:
        return "no bid"
    return f"{call_text(contract.call, signs)} by {contract.declarer}{_doubled(contract.doubling)}"


def contract_in(view: m.TableView, contract: m.ContractPart, signs: Signs = SYMBOLS) -> str:
    """Write what is played and by whom, and with whom if he has called partners of another side."""
    called = called_partners(view, contract)
    return contract_text(contract, signs) + (f" with {' and '.join(called)}" if called else "")


def called_partners(view: m.TableView, contract: m.ContractPart) -> list[str]:
    """Return the seats that play with declarer though they are not of his side."""
    own = next((seats for seats in view.sides.values() if contract.declarer in seats), [])
    return [seat for seat in contract.partners if seat not in own]


def trick_text(trick: m.TrickPart, signs: Signs = SYMBOLS) -> str:
    """Write the cards of a trick, leader first."""
    return ", ".join(f"{play.seat} {card_text(play.card, signs)}" for play in trick.plays)


def seat_text(part: m.SeatPart) -> str:
    """Say who sits in a seat."""
    if part.bot:
        return f"bot for {part.name}" if part.player is not None else "bot"
    if part.player is None:
        return "free"
    return part.name if part.connected else f"{part.name}, away"


# --- the turn


def turn_lines(view: m.TableView, signs: Signs = SYMBOLS) -> list[str]:
    """Say, if it is this client's turn, so in one line with all it needs, then what may be done."""
    turn, deal = view.turn, view.deal
    if turn is None or deal is None or turn.legal is None:
        return []
    hand = turn.hand or turn.seat
    held = hand_line(deal.hands[hand], signs, order_in(view)) if hand in deal.hands else "hidden"
    whose = "" if hand == view.seat else f" from dummy ({hand})"
    return [
        f">> Your turn{whose}: {_moment(view, deal, turn, signs)} | {held}",
        *(f"   {line}" for line in legal_lines(view, signs)),
    ]


def _moment(view: m.TableView, deal: m.DealPart, turn: m.Turn, signs: Signs) -> str:
    if deal.contract is None or deal.trick is None:
        return _said_so_far(deal, turn, signs)
    if turn.legal is not None and not turn.legal.cards:
        return contract_in(view, deal.contract, signs)  # something is to be settled before the play
    number = sum(deal.tricks_won.values()) + 1
    cards = trick_text(deal.trick, signs) or "you lead"
    return f"{contract_in(view, deal.contract, signs)}; trick {number}: {cards}"


def _said_so_far(deal: m.DealPart, turn: m.Turn, signs: Signs) -> str:
    """Say what the highest bid is, or the declaration, and how it has been doubled."""
    declares = turn.legal is not None and any(isinstance(parse_call(call), Declaration) for call in turn.legal.calls)
    named = [made for made in deal.calls if made.call not in ("P", "X", "XX")]
    if declares:
        return f"{named[-1].seat} leaves the declaration to you" if named else "you declare trumps"
    if not named:
        return "no bid yet"
    # Doublings before a bid are gone with it, in the games that have both.
    since = deal.calls[deal.calls.index(named[-1]) :]
    doubling = 2 ** sum(made.call in ("X", "XX") for made in since)
    what = "declared" if isinstance(parse_call(named[-1].call), Declaration) else "last bid"
    return f"{what} {call_text(named[-1].call, signs)} by {named[-1].seat}{_doubled(doubling)}"


def _doubled(doubling: int) -> str:
    return DOUBLINGS.get(doubling, f", doubled to {doubling} times")


def legal_lines(view: m.TableView, signs: Signs = SYMBOLS) -> list[str]:
    """Say compactly what may be done now; of the bids, the lowest in each denomination."""
    turn, deal = view.turn, view.deal
    if turn is None or deal is None or turn.legal is None:
        return []
    legal, lines = turn.legal, []
    if legal.calls:
        lines.append(f"you may call: {', '.join(_lowest(map(parse_call, legal.calls), signs))}")
    if legal.cards:
        lines.append(f"you may play: {_cards(legal.cards, deal.counts[turn.hand or turn.seat], signs)}")
    if legal.discard is not None:
        count, cards = legal.discard
        low = sorted(map(parse_card, cards), key=lambda card: card.rank)[:count]
        lines.append(f"lay away {count} cards, such as: discard {' '.join(card_words(card, LETTERS) for card in low)}")
    if legal.partners:
        choices = ", ".join(" ".join(names) or "none" for names in legal.partners)
        lines.append(f"say who plays with you, such as: partners {' '.join(legal.partners[-1])}; one of: {choices}")
    if legal.jokers:
        names = ", ".join(f"joker {suit or 'none'}" for suit in legal.jokers)
        lines.append(f"name the joker's suit: {names}")
    return lines


_SPOKEN = {
    Word.PASS: "pass",
    Word.DOUBLE: "double",
    Word.REDOUBLE: "redouble",
    Word.MISERE: "misere",
    Word.OPEN_MISERE: "open misere",
    Word.LEAVE: "leave",
}


def _lowest(calls: Iterable[Call], signs: Signs) -> list[str]:
    """List the words and, of the bids, the lowest of each denomination, with a plus where higher ones are legal too."""
    words: list[str] = []
    levels: dict[Denomination, list[int]] = {}
    for call in calls:
        match call:
            case Bid(level=level, denomination=denomination):
                levels.setdefault(denomination, []).append(level)
            case Word():
                words.append(_SPOKEN[call])
            case _:
                words.append(call_words(call, signs))
    bids = (
        call_words(Bid(min(some), denomination), signs) + ("+" if len(some) > 1 else "")
        for denomination, some in levels.items()
    )
    return [*words, *bids]


def _cards(cards: Sequence[str], held: int, signs: Signs) -> str:
    if len(cards) == held > 1:
        return "any card"
    return " ".join(_to_type(card, signs) for card in cards)


def _to_type(card: str, signs: Signs) -> str:
    """Write a card as it is typed: a joker that names a suit with a colon."""
    play = parse_play(card)
    return card_words(play.card, signs) + (f":{signs.suits[play.suit]}" if play.suit else "")
