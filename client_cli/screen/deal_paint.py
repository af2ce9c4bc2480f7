"""A deal as coloured text: its auction, tricks and score. Nothing is told by colour alone."""

from collections.abc import Iterable
from textwrap import wrap
from typing import Literal

from textual.content import Content
from textual.style import Style

from client_cli.diagram import PlayedTrick, call_words, contract_words, score_words
from client_cli.screen.cards import card_content, hued, suit_style
from client_cli.screen.theme import MUTED
from client_cli.signs import LETTERS, Signs
from client_cli.steps import Picture
from rules.calls import Bid, Call, Declaration, Word
from rules.cards import Card, Suit

BLANK = Content("")

Part = Literal["deal", "play", "score"]
PARTS: tuple[Part, ...] = ("deal", "play", "score")
"""What is shown of a deal where there is no room for all: hands and auction, hands and tricks, or the score."""


# --- single things


def card_ink(card: Card, named: Suit | None, signs: Signs, colon: str = ":") -> Content:
    """Write a card, and the suit that a joker is led as."""
    content = card_content(card, signs)
    return content if named is None else content + Content.styled(f"{colon}{signs.suits[named]}", suit_style(named))


def call_ink(call: Call, signs: Signs) -> Content:
    """Write a call."""
    text = call_words(call, signs)
    match call:
        case Bid(denomination=named) | Declaration(denomination=named):
            return Content.styled(text, suit_style(named.trumps) if named.trumps is not None else "bold")
        case Word.PASS:
            return Content.styled(text, MUTED)
        case _:
            return Content.styled(text, "bold $warning")


def cell(content: Content, width: int) -> Content:
    """Return what fits into so many columns, filled up with blanks."""
    return content.truncate(width, pad=True)


def heading(text: str) -> Content:
    """Write the title of a part."""
    return Content.styled(text, "bold $accent")


def lines(rows: Iterable[Content]) -> Content:
    """Put rows under each other, without the blanks at their ends."""
    return Content("\n").join(row.rstrip() for row in rows)


# --- auction and play


def auction_ink(picture: Picture, signs: Signs) -> Content:
    """Set out the auction in a column for each seat, the first to call on the left, and what was settled by it."""
    seats = picture.game.seats
    first = picture.calls[0][0] if picture.calls else seats.left(picture.dealer)
    order = [seats.left(first, steps) for steps in range(len(seats))]
    inks = [(order.index(seat), call_ink(call, signs)) for seat, call in picture.calls]
    least = 5 if len(seats) <= 4 else 4
    longest = [
        max((ink.cell_length for place, ink in inks if place == column), default=0) for column in range(len(order))
    ]
    rows: list[list[Content]] = [[Content.styled(seats.name(seat), "bold $accent") for seat in order]]
    last = len(order)
    for column, ink in inks:
        if column <= last:
            rows.append([BLANK] * len(order))
        rows[-1][column], last = ink, column
    table = [
        BLANK.join(cell(each, max(least, wide) + 1) for each, wide in zip(row, longest, strict=True)) for row in rows
    ]
    if not picture.calls:
        table = [Content.styled("The calls are not known." if picture.called else "No call yet.", MUTED)]
    return lines([heading("Auction"), *table, *_settled(picture, signs)])


def _settled(picture: Picture, signs: Signs) -> list[Content]:
    if not picture.called:
        return []
    names = picture.game.seats.name
    rows = [BLANK, Content.styled(contract_words(picture.game.seats, picture.contract, signs), "bold")]
    if picture.partners:
        rows.append(Content(f"with {' and '.join(map(names, picture.partners))}"))
    if picture.joker is not None:
        suit = picture.joker.suit
        rows.append(Content(f"the joker's suit: {signs.suits[suit] if suit else 'none'}"))
    return rows


def play_ink(picture: Picture, signs: Signs) -> Content:
    """Set out the tricks in a column for each seat: a mark before the card that was led, the winner on the right."""
    seats, sides = picture.game.seats, picture.game.sides
    running = len(sides) == 2
    heads = [Content.styled(f" {seats.name(seat)}", "bold $accent") for seat in seats]
    head = Content("   ") + BLANK.join(cell(each, _width(picture)) for each in heads)
    head += Content.styled(f" won {sides[0].name:>3} {sides[1].name:>3}" if running else " won", MUTED)
    contract = hued(contract_words(seats, picture.contract, signs), signs) if picture.called else BLANK
    rows = [heading("Play") + Content("   ") + contract, head]
    won = [0] * len(sides)
    for number, trick in enumerate(picture.tricks, 1):
        if trick.winner is not None:
            won[next(place for place, side in enumerate(sides) if trick.winner in side.seats)] += 1
        row = Content.styled(f"{number:2} ", MUTED) + _trick_row(picture, trick, signs)
        if trick.winner is not None:
            row += Content.styled(f"  {seats.name(trick.winner)} ", "bold")
            known = all(each.plays for each in picture.tricks[:number])
            row += Content(f" {won[0]:3} {won[1]:3}" if running and known else "")
        rows.append(row)
    if not picture.tricks:
        rows.append(Content.styled("No card was played." if picture.result is not None else "No card yet.", MUTED))
    return lines(rows)


def _width(picture: Picture) -> int:
    """Return how wide the cards of a seat are set: closer where there are many seats."""
    return 5 if len(picture.game.seats) <= 4 else 4


def _trick_row(picture: Picture, trick: PlayedTrick, signs: Signs) -> Content:
    width = _width(picture)
    if not trick.plays:
        return cell(Content.styled(" not known", MUTED), width * len(picture.game.seats))
    mark = ">" if signs is LETTERS else "▸"
    colon = ":" if width == 5 else ""
    inks = {seat: card_ink(card, suit, signs, colon) for seat, card, suit in trick.plays}
    leader = trick.plays[0][0]
    row = []
    for seat in picture.game.seats:
        ink = inks.get(seat, BLANK)
        ink = ink.stylize("underline") if seat == trick.winner else ink
        row.append(cell(Content(mark if seat == leader else " ") + ink, width))
    return BLANK.join(row)


# --- score


def score_ink(picture: Picture, width: int, signs: Signs) -> Content:
    """Write what the deal scores, line by line, and how it stands afterwards."""
    result, sides = picture.result, picture.game.sides
    if result is None:
        return lines([heading("Score"), Content.styled("The deal is not finished.", MUTED)])
    labels = [f"{sides[line.side].name} {line.account}" for line in result.lines]
    wide = max(map(len, labels), default=0)
    rows = [heading("Score")]
    for label, line in zip(labels, result.lines, strict=True):
        head = Content.styled(f"{label:{wide}} {line.points:5}  ", "bold")
        first, *others = wrap(score_words(line.words, signs), max(12, width - head.cell_length)) or [""]
        rows.append(head + Content(first))
        rows += [Content(" " * head.cell_length + other) for other in others]
    if not result.lines:
        rows.append(Content.styled("The deal scores nothing.", MUTED))
    return lines([*rows, BLANK, *_standing(picture)])


def _standing(picture: Picture) -> list[Content]:
    result, game = picture.result, picture.game
    assert result is not None, "there is a standing after a deal"
    columns = dict(result.standing.columns)
    accounts = [columns[account] for account in game.accounts if account in columns]
    if len(accounts) > 1:
        columns["total"] = tuple(map(sum, zip(*accounts, strict=True)))
    names = [side.name for side in game.sides]
    if len(names) > 2:
        heads, table = (
            list(columns),
            [(name, [by[place] for by in columns.values()]) for place, name in enumerate(names)],
        )
    else:
        heads, table = names, [(name, list(by)) for name, by in columns.items()]
    rows = [heading("After it".ljust(9)) + Content.styled("".join(f"{head:>8}" for head in heads), "bold")]
    rows += [Content(f"{label:9}{''.join(f'{number:8}' for number in numbers)}") for label, numbers in table]
    if result.over:
        won = "" if result.winner is None else f", won by {game.sides[result.winner].name}"
        unit = "rubber" if "games" in columns else "game"
        rows += [BLANK, Content.styled(f"The {unit} is over{won}.", "bold")]
    return rows


# --- parts


def tabs_ink(shown: str) -> Content:
    """Name the parts that a screen shows by its `action_part`, each with its key; the one shown now in brackets."""
    tabs = []
    for number, part in enumerate(PARTS, 1):
        click = Style.from_meta({"@click": f"screen.part({part!r})"})
        text = f"{number} {part.title()}"
        if part == shown:
            tabs.append(Content.styled(f"[{text}]", Style(bold=True, reverse=True) + click))
        else:
            tabs.append(Content.styled(f" {text} ", click))
    return BLANK.join(tabs)
