"""After a deal: all of it on one screen, its score explained, whether it was fair, and the way to the next one."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen

from client_cli.draw import unit_of
from client_cli.finished import Finished, Verdict, finished_deal
from client_cli.news import News
from client_cli.screen.deal_paint import PARTS, Part, cell, tabs_ink
from client_cli.screen.deal_view import DealView
from client_cli.screen.desk import Desk
from client_cli.screen.keyline import KeyLine
from client_cli.screen.marks import clean
from client_cli.screen.pane import Pane
from client_cli.screen.seating import agreement
from client_cli.screen.sight import Sight
from client_cli.screen.theme import MUTED
from client_cli.shelf import Browsed, FewDeals
from client_cli.signs import LETTERS
from protocol import messages as m

_LOOKS = frozenset({"part", "turn", "scroll"})
"""Actions that only look at the deal."""


class DealDialog(Screen[None]):
    """The deal that has just been scored. It goes away by itself when the next one begins.

    With a `sight` it has come by itself, too: the key that played the last card, pressed once more, does not agree to
    the next deal.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,r", "go_on", "Go on", id="go-on"),
        Binding("1", "part('deal')", "Deal", id="part-deal", show=False),
        Binding("2", "part('play')", "Play", id="part-play", show=False),
        Binding("3", "part('score')", "Score", id="part-score", show=False),
        Binding("right,tab", "turn(1)", "Next part", id="next-part", show=False),
        Binding("left,shift+tab", "turn(-1)", "Part before", id="part-before", show=False),
        Binding("down,pagedown", "scroll(1)", "Down", id="down", show=False),
        Binding("up,pageup", "scroll(-1)", "Up", id="up", show=False),
        Binding("v", "step_through", "Step through", id="step-through"),
        Binding("s", "sheet", "Scoresheet", id="sheet"),
        Binding("escape", "dismiss", "Close", id="back"),
    ]
    HELP = (
        "Enter agrees to the next deal, which begins when all have agreed; Esc closes this and agrees to nothing.\n"
        "A deal is checked by dealing the cards once more from the seed that is told at its end, and by playing it "
        "again by the laws that this program knows."
    )
    DEFAULT_CSS = """
    DealDialog {
        & > #title { height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; }
        & > DealView { height: 1fr; padding-top: 1; }
        & > #verdict, & > #next { height: auto; padding: 0 1; }
        & > #verdict.-wrong { color: $error; text-style: bold; }
        & > #next { text-style: bold; color: $accent; }
    }
    """

    def __init__(self, desk: Desk, sight: Sight | None = None) -> None:
        super().__init__()
        self._desk, self._sight = desk, sight
        view = desk.view
        self._number = view.deal.number if view is not None and view.deal is not None else 0
        self._deal: Finished | None = None
        self._agreeing = False
        self._shown = DealView(desk.signs)

    def compose(self) -> ComposeResult:
        yield Pane(id="title")
        yield self._shown
        yield Pane(id="verdict")
        yield Pane(id="next")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#title", Pane).auto_links = False  # the parts look like keys
        self._show_deal()
        if self._sight is not None:
            self._sight.begin(self)
        if self._deal is None or self._deal.verdict.right is None:
            self.run_worker(self._fetch())

    def on_resize(self) -> None:
        self._show_title()

    def on_screen_resume(self) -> None:
        self._close_if_past()

    # --- what is heard

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        """Take what was heard."""
        self._show_next()
        self._close_if_past()

    async def _fetch(self) -> None:
        """Fill in from the server's record what was not heard."""
        view = self._desk.view
        if (
            view is not None
            and self._desk.online
            and await self._desk.ask(m.GetRecords(0, view.table, self._number - 1))
        ):
            self._show_deal()

    def _close_if_past(self) -> None:
        view = self._desk.view
        past = view is None or view.deal is None or view.deal.number != self._number
        if past and self.app.screen is self:  # else when it is again
            self.dismiss()

    # --- what is shown

    def _show_deal(self) -> None:
        view, visit = self._desk.view, self._desk.visit
        if view is None or visit is None:
            return
        deal = self._deal = finished_deal(self._number, visit.notes, view)
        if deal is not None:
            self._shown.show(deal.picture, deal.names)
            self._show_verdict(deal.verdict, deal.seed)
        else:
            self._show_verdict(Verdict(None, "This program does not know this game, and cannot show the deal."), None)
        self._show_title()
        self._show_next()

    def _show_title(self) -> None:
        view, width = self._desk.view, self.size.width - 2
        if view is None:
            return
        left = Content.assemble(
            (f"Deal {self._number}", "bold $accent"),
            f"   {clean(view.title, self._desk.signs)}, {unit_of(view)} {view.rubber}",
        )
        right = Content("") if self._shown.shows_all else tabs_ink(self._shown.part)
        self.query_one("#title", Pane).show(cell(left, width - right.cell_length) + right)

    def _show_verdict(self, verdict: Verdict, seed: str | None) -> None:
        plain = self._desk.signs is LETTERS
        marks = {True: "OK" if plain else "✓", False: "!!" if plain else "✗", None: "?"}
        loud = "DIFFERS: " if verdict.right is False else ""
        rows = [Content(f"{marks[verdict.right]} {loud}{verdict.sentence}")]
        if seed is not None:
            rows.append(Content.styled(f"seed {seed}", MUTED))
        shown = self.query_one("#verdict", Pane)
        shown.set_class(verdict.right is False, "-wrong")
        shown.show(Content("\n").join(rows))

    def _show_next(self) -> None:
        view = self._desk.view
        if view is not None:
            self.query_one("#next", Pane).show(Content(clean(what_next(view), self._desk.signs)))

    # --- what is done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let nothing be answered or left before it can have been seen."""
        return action in _LOOKS or self._sight is None or self._sight.seen

    def action_part(self, part: Part) -> None:
        self._shown.part = part
        self._show_title()

    def action_turn(self, by: int) -> None:
        self.action_part(PARTS[(PARTS.index(self._shown.part) + by) % len(PARTS)])

    def action_scroll(self, by: int) -> None:
        self._shown.scroll_to(y=self._shown.scroll_y + by * self._shown.size.height // 2, animate=False, immediate=True)

    def action_go_on(self) -> None:
        view = self._desk.view
        agree = None if view is None else agreement(view)
        if agree is not None and agree.command is not None and not self._agreeing:
            self._agreeing = True
            self.run_worker(self._agree(agree.command))

    async def _agree(self, command: m.Command) -> None:
        try:
            await self._desk.ask(command)
        finally:
            self._agreeing = False

    def action_step_through(self) -> None:
        from client_cli.screen.step_through import StepsScreen

        if self._deal is not None and self._deal.replayed is not None:
            deal = Browsed("", f"Deal {self._number}", self._deal.names, self._deal.replayed)
            self.app.push_screen(StepsScreen(FewDeals([deal]), 0, self._desk.signs))
        else:
            self._desk.say("Not all of this deal is known here, so that it cannot be stepped through.")

    def action_sheet(self) -> None:
        from client_cli.screen.sheet import SheetScreen

        self.app.push_screen(SheetScreen(self._desk))


def what_next(view: m.TableView) -> str:
    """Say in a sentence what the next deal waits for."""
    unit = unit_of(view)
    own = next((part for part in view.seats if part.seat == view.seat), None)
    free = [part.seat for part in view.seats if part.player is None and not part.bot]
    slow = [part.name for part in view.seats if part.player is not None and not part.bot and not part.ready]
    if view.stage == "ended":
        return "The table is closed."
    if own is not None and not own.ready:
        another = f"Enter agrees to another {unit}; s shows the whole scoresheet."
        return another if view.stage == "over" else "Enter agrees to the next deal."
    if free:
        return f"Free seats: {', '.join(free)}. The next deal waits."
    watching = "You have agreed. " if own is not None else ""
    return f"{watching}Waiting for {', '.join(slow)}." if slow else f"{watching}The next deal is coming."
