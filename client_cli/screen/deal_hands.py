"""The hands of a deal as coloured text, by compass or in a list, with what lies between and beside them."""

from collections.abc import Mapping, Sequence

from textual.content import Content

from client_cli.diagram import card_words, contract_words
from client_cli.screen.cards import card_content, hued, suit_style
from client_cli.screen.deal_paint import BLANK, call_ink, card_ink, cell, lines
from client_cli.screen.marks import clean
from client_cli.screen.rows import packed
from client_cli.screen.theme import MUTED, SUIT_VARIABLES
from client_cli.signs import LETTERS, Signs
from client_cli.steps import Picture
from rules.cards import Card, Cards, Suit, in_order
from rules.seats import Seat


def hands_ink(picture: Picture, names: Mapping[str, str], width: int, signs: Signs) -> Content:
    """Draw all hands, as dealt when the deal is over, else as they are held: of four by compass, else in a list."""
    hands = picture.dealt if picture.result is not None else picture.hands
    draw = _compass if len(hands) == 4 else _list
    return lines(draw(picture, hands, names, width, signs))


def _compass(
    picture: Picture, hands: Sequence[Cards | None], names: Mapping[str, str], width: int, signs: Signs
) -> list[Content]:
    """Draw four hands around the table; what lies aside has the corners beside the lowest."""
    gap = _gap(picture, width // 3, signs)
    rows = [_suit_rows(hand, picture, gap, signs) for hand in hands]
    block = max(width // 3, *(row.cell_length + 1 for hand in rows for row in hand))
    blocks = [
        [_title(picture, seat, names, 2 * block if seat == 0 else block, signs), *rows[seat]]
        for seat in picture.game.seats
    ]
    north, east, south, west = blocks
    widow, away = ([BLANK, *_aside(title, cards, block - 1, signs)] for title, cards in _piles(picture))
    return [
        *(Content(" " * block) + row for row in north),
        *_side_by_side((west, _middle(picture, block, signs), east), block),
        *_side_by_side((widow, south, away), block),
    ]


def _list(
    picture: Picture, hands: Sequence[Cards | None], names: Mapping[str, str], width: int, signs: Signs
) -> list[Content]:
    on_table = _on_table(picture, signs)
    rows = []
    for seat in picture.game.seats:
        title = cell(_title(picture, seat, names, 24, signs), 26)
        rows.append(title + on_table.get(seat, BLANK))
        rows.append(_in_a_row(hands[seat], picture, width, signs))
    asides = [_aside(title, cards, width, signs) for title, cards in _piles(picture)]
    return [*rows, *(Content(" ").join(aside) for aside in ([], *asides) if any(asides))]


def _in_a_row(hand: Cards | None, picture: Picture, width: int, signs: Signs) -> Content:
    """Write a hand in one row, closer together where it is long."""
    for gap, between in ((" ", "  "), (" ", " "), ("", " ")):
        row = Content("  ") + Content(between).join(_suit_rows(hand, picture, gap, signs))
        if row.cell_length <= width:
            break
    return row


def _piles(picture: Picture) -> list[tuple[str, Cards | None]]:
    """Return what lies beside the hands: the widow, and what was laid away for it; None if that is not known."""
    declarer = None if picture.contract is None else picture.contract.declarer
    hidden = picture.result is not None and bool(picture.widow) and declarer is not None
    return [("widow", picture.widow or ()), ("laid away", picture.laid_away or (None if hidden else ()))]


def _aside(title: str, cards: Cards | None, width: int, signs: Signs) -> list[Content]:
    """Name what lies aside, and its cards in as many rows as they need; nothing if there are none."""
    if cards == ():
        return []
    pieces = [Content("not known")] if cards is None else [card_content(card, signs) for card in cards]
    return [Content.styled(title, MUTED), *packed(pieces, width, 1)]


def _title(picture: Picture, seat: Seat, names: Mapping[str, str], width: int, signs: Signs) -> Content:
    seat_name = picture.game.seats.name(seat)
    name = clean(names.get(seat_name, ""), signs)
    room = width - len(seat_name) - 2  # a blank before the name, and one behind all
    dealer = "" if seat != picture.dealer else " (dealer)" if len(name) + len(" (dealer)") <= room else " (D)"
    name = name[: max(0, room - len(dealer))].rstrip()
    return Content.assemble((seat_name, "bold $accent"), f" {name}" if name else "", (dealer, MUTED))


def _gap(picture: Picture, block: int, signs: Signs) -> str:
    """Return what parts the ranks of a suit: nothing where one of the hands as dealt would be too wide."""
    order = picture.order
    for hand in picture.dealt:
        for suit in Suit:
            texts = [_rank_words(card, suit, signs) for card in hand or () if order.suit(card) is suit]
            if len(signs.suits[suit]) + sum(len(text) + 1 for text in texts) >= block:
                return ""
    return " "


def _suit_rows(hand: Cards | None, picture: Picture, gap: str, signs: Signs) -> list[Content]:
    """Write a hand as a row for each suit; bowers stand among the trumps, a joker that has no suit in a row below."""
    if hand is None:
        return [Content.styled("not known", MUTED)]
    order = picture.order
    held = sorted(in_order(hand), key=order.height, reverse=True)
    rows = []
    for suit in Suit:
        ranks = Content(gap).join(_rank_ink(card, suit, signs) for card in held if order.suit(card) is suit)
        sign = (signs.suits[suit], suit_style(suit))
        rows.append(Content.assemble(sign, " ", ranks if ranks.plain else (signs.void, MUTED)))
    jokers = [card for card in held if order.suit(card) is None]
    return [*rows, Content(" ").join(card_content(card, signs) for card in jokers)] if jokers else rows


def _rank_ink(card: Card, suit: Suit, signs: Signs) -> Content:
    if card.suit is not suit:
        return card_content(card, signs)
    return Content.styled(_rank_words(card, suit, signs), f"${SUIT_VARIABLES[suit]}")


def _rank_words(card: Card, suit: Suit, signs: Signs) -> str:
    """Write the rank of a card; a bower or a joker, which only stands among the cards of the suit, as a whole."""
    words = card_words(card, signs)
    return words.removeprefix(signs.suits[suit]) if card.suit is suit else words


# --- the middle of the table


def _middle(picture: Picture, width: int, signs: Signs) -> list[Content]:
    """Draw a box with what lies between four hands: a trick, or the last calls; after the deal, what was played."""
    inner = width - 4
    if picture.result is not None:
        rows = [_centred(row, inner) for row in _played_rows(picture, signs)]
    else:
        north, east, south, west = (_on_table(picture, signs).get(seat, BLANK) for seat in range(4))
        between = max(1, inner - west.cell_length - east.cell_length)
        rows = [_centred(north, inner), cell(west + Content(" " * between) + east, inner), _centred(south, inner)]
    ends = ("+", "+", "+", "+", "-", "|") if signs is LETTERS else ("╭", "╮", "╰", "╯", "─", "│")
    top_left, top_right, bottom_left, bottom_right, across, down = ends
    wall = Content.styled(down, MUTED)
    return [
        Content.styled(f"{top_left}{across * inner}{top_right}", MUTED),
        *(Content.assemble(wall, row, wall) for row in rows),
        Content.styled(f"{bottom_left}{across * inner}{bottom_right}", MUTED),
    ]


def _played_rows(picture: Picture, signs: Signs) -> list[Content]:
    """Say in three short rows what was played, by whom, and how many tricks his side took."""
    contract = picture.contract
    if contract is None:
        return [BLANK, Content("not played"), BLANK]
    if contract.call is None or contract.declarer is None:
        return [BLANK, Content("no bid"), BLANK]
    what, _, by = contract_words(picture.game.seats, contract, signs).partition(" by ")
    own = sum(picture.tricks_won[seat] for seat in {contract.declarer, *contract.partners})
    return [hued(what, signs).stylize("bold"), Content(f"by {by}"), Content(_tricks(own))]


def _tricks(number: int) -> str:
    return "1 trick" if number == 1 else f"{number} tricks"


def _on_table(picture: Picture, signs: Signs) -> dict[Seat, Content]:
    """Return what each seat has put on the table: its card, the winner's in brackets, or its last call.

    Nothing when the deal is over.
    """
    if picture.result is not None:
        return {}
    if picture.tricks:
        trick = picture.tricks[-1]
        return {seat: _played(card, suit, seat == trick.winner, signs) for seat, card, suit in trick.plays}
    if picture.called:
        return {}
    return {seat: call_ink(call, signs) for seat, call in picture.calls}


def _played(card: Card, suit: Suit | None, won: bool, signs: Signs) -> Content:
    ink = card_ink(card, suit, signs)
    return Content.assemble(("[", "bold"), ink, ("]", "bold")) if won else Content.assemble(" ", ink, " ")


def _centred(content: Content, width: int) -> Content:
    left = max(0, (width - content.cell_length) // 2)
    return cell(Content(" " * left) + content, width)


def _side_by_side(blocks: Sequence[Sequence[Content]], width: int) -> list[Content]:
    height = max(map(len, blocks))
    return [
        BLANK.join(cell(block[row] if row < len(block) else BLANK, width) for block in blocks) for row in range(height)
    ]
