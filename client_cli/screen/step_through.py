"""A deal card by card, with all hands open."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import MouseScrollDown, MouseScrollUp
from textual.screen import Screen

from client_cli.draw import side_label
from client_cli.screen.deal_paint import Part, cell, tabs_ink
from client_cli.screen.deal_view import DealView
from client_cli.screen.keyline import KeyLine
from client_cli.screen.marks import clean
from client_cli.screen.pane import Pane
from client_cli.screen.theme import MUTED
from client_cli.shelf import Browsed, Shelf
from client_cli.signs import Signs
from client_cli.steps import Picture, Steps
from rules.registry import family


class StepsScreen(Screen[int]):
    """A deal, card by card. Ends with the place of the deal that was shown last."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,l", "step(1)", "Next card", id="card-on"),
        Binding("left,backspace,h", "step(-1)", "Back", id="card-back"),
        Binding("down,j", "trick(1)", "Next trick", id="trick-on"),
        Binding("up,k", "trick(-1)", "Trick before", id="trick-back", show=False),
        Binding("home,g", "to_start", "Start of the deal", id="deal-start", show=False),
        Binding("end,G", "to_end", "End of the deal", id="deal-end", show=False),
        Binding("n,pagedown", "deal(1)", "Next deal", id="deal-on"),
        Binding("p,pageup", "deal(-1)", "Deal before", id="deal-back", show=False),
        Binding("1", "part('deal')", "Hands and auction", id="part-deal", show=False),
        Binding("2", "part('play')", "Hands and play", id="part-play", show=False),
        Binding("3", "part('score')", "Score", id="part-score", show=False),
        Binding("q,escape", "back", "Close", id="back"),
    ]
    HELP = (
        "The hands hold what has not been played yet; at the end they are shown as dealt. In the middle lie the last "
        "calls or the trick: its winner's card is in brackets. In the list of tricks a mark stands before the card "
        "that was led, and the card that won is underlined."
    )
    DEFAULT_CSS = """
    StepsScreen {
        & > #title { height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; }
        & > #step { height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; }
        & > DealView { height: 1fr; padding-top: 1; }
        & > #wrong { height: auto; padding: 1 2; color: $error; text-style: bold; display: none; }
        &.-wrong > #wrong { display: block; height: 1fr; }
        &.-wrong > DealView { display: none; }
    }
    """

    def __init__(self, shelf: Shelf, place: int, signs: Signs) -> None:
        super().__init__()
        self._shelf, self._place, self._signs = shelf, place, signs
        self._steps: Steps | None = None
        self._step = 0
        self._view = DealView(signs)

    def compose(self) -> ComposeResult:
        yield Pane(id="title")
        yield self._view
        yield Pane(id="wrong")
        yield Pane(id="step")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#title", Pane).auto_links = False  # the parts look like keys
        self._open(self._place)

    def on_resize(self) -> None:
        self._show_title()

    @property
    def _deal(self) -> Browsed:
        return self._shelf[self._place]

    # --- what is shown

    def _open(self, place: int) -> None:
        self._place, deal = place, self._shelf[place]
        self._steps = None if deal.replayed is None else Steps(deal.replayed.game, deal.replayed.events)
        self.set_class(deal.replayed is None, "-wrong")
        self.query_one("#wrong", Pane).show(Content(clean(deal.wrong, self._signs)))
        self._go_to(0)

    def _go_to(self, step: int) -> None:
        """Show a step, and of the deal what fits it best."""
        self._step = step
        if self._steps is not None:
            picture = self._steps.picture(step)
            part: Part = "score" if picture.result is not None else "play" if picture.called else "deal"
            if part != self._view.part:
                self._view.part = part
            self._view.show(picture, self._deal.names)
            self.query_one("#step", Pane).show(self._step_ink(picture, self._steps.last))
        else:
            self.query_one("#step", Pane).show(Content(""))
        self._show_title()

    def _show_title(self) -> None:
        deal, known = self._deal, len(self._shelf)
        left = Content.styled(clean(deal.id or deal.where, self._signs), "bold $accent")
        if deal.replayed is not None:
            left += Content(f"   {family(deal.replayed.game.name).title}")
        right = Content("") if self._view.shows_all or self._steps is None else tabs_ink(self._view.part)
        right += Content(f"  {self._place + 1} of {known}" + ("" if self._shelf.complete else "+"))
        width = self.size.width - 2 - right.cell_length
        self.query_one("#title", Pane).show(cell(left, width) + right)

    def _step_ink(self, picture: Picture, last: int) -> Content:
        """Say where in the deal this is, and who has won how many tricks."""
        ink = Content.styled(f"Step {self._step} of {last}", "bold")
        if not picture.called:
            return ink + Content(f"   {len(picture.calls)} calls" if picture.calls else "   the cards are dealt")
        if picture.contract is None:
            return ink + Content("   the deal is not played")
        won = picture.tricks_won
        sides = "   ".join(
            f"{side_label(side.name)} {sum(won[seat] for seat in side.seats)}" for side in picture.game.sides
        )
        ink += Content(f"   trick {len(picture.tricks)}" if picture.tricks else "   the calls are over")
        if picture.tricks and (winner := picture.tricks[-1].winner) is not None:
            ink += Content(f", won by {picture.game.seats.name(winner)}")
        return ink + Content.styled(f"   tricks won: {sides}", MUTED)

    # --- what is done

    def action_step(self, by: int) -> None:
        if self._steps is not None:
            self._go_to(max(0, min(self._step + by, self._steps.last)))

    def action_trick(self, by: int) -> None:
        if self._steps is not None:
            find = self._steps.trick_after if by > 0 else self._steps.trick_before
            self._go_to(find(self._step))

    def action_to_start(self) -> None:
        self.action_step(-self._step)

    def action_to_end(self) -> None:
        if self._steps is not None:
            self._go_to(self._steps.last)

    def action_deal(self, by: int) -> None:
        self._shelf.reach(self._place + by + 1)
        if 0 <= self._place + by < len(self._shelf):
            self._open(self._place + by)

    def action_part(self, part: Part) -> None:
        self._view.part = part
        self._show_title()

    def action_back(self) -> None:
        self.dismiss(self._place)

    def on_mouse_scroll_down(self, event: MouseScrollDown) -> None:
        self.action_step(1)

    def on_mouse_scroll_up(self, event: MouseScrollUp) -> None:
        self.action_step(-1)
