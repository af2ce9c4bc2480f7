"""The table itself: a plate for each seat around it, hands that lie open, and in the middle what is being done."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from client_cli.draw import cards_line, contract_in, order_in
from client_cli.screen.box import box
from client_cli.screen.cards import card_content, hued
from client_cli.screen.hand import held_in, open_lines
from client_cli.screen.look import Look
from client_cli.screen.pane import Pane
from client_cli.screen.plate import plate
from client_cli.screen.ring import places_of
from client_cli.screen.rows import packed
from client_cli.screen.trick import calls, trick, trick_width
from protocol import messages as m

_SHARES = {"w": 0.0, "e": 1.0}
"""How much of the room that a plate leaves is before it, on the left and on the right of the table."""
_ROWS = (("nw", "n", "ne"), ("w", "e"), ("sw", "s", "se"))


class Felt(Vertical):
    """Shows a table."""

    DEFAULT_CSS = """
    Felt {
        width: 1fr;
        background: $felt;
        & > Horizontal { height: auto; }
        & > #around { height: 1fr; }
        .plate { width: 1fr; text-wrap: nowrap; text-overflow: clip; }
        #around .plate { height: 100%; content-align: left middle; }
        #middle { height: 100%; align: center middle; }
        #lying { text-align: center; }
        #box {
            background: $surface;
            border: round $primary;
            border-title-color: $accent;
            border-title-style: bold;
            text-wrap: nowrap;
            text-overflow: clip;
        }
        &.-ascii #box { border: ascii $primary; }
    }
    """

    def __init__(self) -> None:
        super().__init__(id="felt")
        self._plates = {place: Pane(f"plate-{place}", "plate") for row in _ROWS for place in row}
        self._middle, self._lying, self._box = Vertical(id="middle"), Pane("lying"), Pane("box")

    def compose(self) -> ComposeResult:
        above, around, below = _ROWS
        with Horizontal():
            yield from (self._plates[place] for place in above)
        with Horizontal(id="around"):
            yield self._plates[around[0]]
            with self._middle:
                yield self._lying
                yield self._box
            yield self._plates[around[1]]
        with Horizontal():
            yield from (self._plates[place] for place in below)

    def on_mount(self) -> None:
        self.set_class(self.app.has_class("-ascii"), "-ascii")

    def show(self, look: Look) -> None:
        """Show the table as it is now."""
        middle = self._show_middle(look)
        self._middle.styles.width = middle
        used = {place: seat for seat, place in places_of(look.view).items()}
        for place, pane in self._plates.items():
            pane.display = place in used or place in _ROWS[1]
            if place in used:
                row = [each for each in _row_of(place) if each in used]
                wide = (look.room.felt - middle) // 2 if place in _ROWS[1] else look.room.felt // len(row)
                pane.show(_seat(look, used[place], place, wide, alone=len(row) == 1 and place not in _ROWS[1]))

    def _show_middle(self, look: Look) -> int:
        """Show what is in the middle; return how wide it is."""
        offer = look.pick.offer
        boxed = offer is not None and not offer.of_cards
        self._box.display, self._lying.display = boxed, not boxed
        if offer is not None and boxed:
            self._box.border_title = offer.title
            self._box.show(box(offer, look.pick.at, look.room.box - 2, look.signs))
            return look.room.box
        lying, width = _lying(look)
        self._lying.show(lying)
        return width


def _row_of(place: str) -> tuple[str, ...]:
    return next(row for row in _ROWS if place in row)


def _seat(look: Look, seat: str, place: str, width: int, *, alone: bool) -> Content:
    """Write the plate of a seat, and under it a hand that lies open; on one line if it is alone in its row."""
    part = next(part for part in look.view.seats if part.seat == seat)
    lines = plate(look.view, part, look.clock, look.signs, width, stacked=not alone)
    deal = look.view.deal
    hand: list[Content] = []
    if deal is not None and look.view.stage == "playing" and seat in deal.hands and place != "s":
        hand = _open_hand(look, seat, width, by_suit=alone or place in _ROWS[1])
    if alone:
        return Content("\n").join([*_moved(lines, width, 0.5), *_moved(hand, width, 0.5)])
    indent = max(0, min(2, width - 1 - max((line.cell_length for line in hand), default=0)))
    hand = [line.pad_left(indent) for line in hand]
    return Content("\n").join(_moved([*lines, *hand], width, _SHARES.get(place[-1], 0.5)))


def _open_hand(look: Look, seat: str, width: int, *, by_suit: bool) -> list[Content]:
    groups = held_in(look.view, seat, look.pick, look.sent)
    if by_suit:
        return [line.rstrip() for line in open_lines(groups, order_in(look.view), width, look.signs)]
    cards = [Content("").join(card_content(held.card, look.signs) for held in group) for group in groups]
    return packed(cards, width - 3, 1)


def _moved(lines: list[Content], width: int, share: float) -> list[Content]:
    """Put a block of lines to the right, with so much of the free room before it."""
    left = int(share * (width - 1 - max((line.cell_length for line in lines), default=0)))
    return [line.pad_left(max(0, left)) for line in lines]


# --- the middle


def _lying(look: Look) -> tuple[Content, int]:
    """Return what lies on the table, and how wide it is."""
    deal = look.view.deal
    if deal is None or look.view.stage != "playing":
        return Content(""), trick_width(look.room)
    if deal.contract is None:
        return calls(look, deal), trick_width(look.room)
    if look.view.turn is not None and look.view.turn.hand is None:
        return _settling(look, deal, deal.contract), look.room.box
    return trick(look, deal), trick_width(look.room)


def _settling(look: Look, deal: m.DealPart, contract: m.ContractPart) -> Content:
    """Say what is being settled between the calls and the first card."""
    offer, signs = look.pick.offer, look.signs
    lines = [hued(contract_in(look.view, contract, signs), signs).stylize("bold")]
    if deal.widow is not None:
        lines += [Content(""), Content("The widow was"), hued(cards_line(deal.widow, signs), signs)]
    if offer is not None and offer.lay_away:
        lines += [Content(""), Content(offer.title), Content(f"{len(look.pick.laid)} of {offer.lay_away} chosen")]
    return Content("\n").join(lines)
