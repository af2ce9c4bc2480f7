"""The whole scoresheet of a table, and its deals saved in a file on request."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen

from client_cli.blocks import sheet_lines
from client_cli.finished import Finished, finished_deals
from client_cli.news import News
from client_cli.paper import sheet_blocks
from client_cli.screen.cards import hued
from client_cli.screen.deal_paint import heading
from client_cli.screen.desk import Desk
from client_cli.screen.field import Wrong
from client_cli.screen.keyline import KeyLine
from client_cli.screen.line import LineDialog
from client_cli.screen.marks import clean
from client_cli.screen.pane import Pane
from client_cli.screen.rows import whole_cells
from client_cli.screen.theme import MUTED
from client_cli.shelf import Browsed, FewDeals
from protocol import messages as m

_WIDEST = 110
TEXT_WIDTH = 100
"""So wide is the sheet in a file."""


class SheetScreen(Screen[None]):
    """The scoresheet of the rubbers or games of a table, the last one first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown,space", "page(1)", "More", id="page-down"),
        Binding("pageup", "page(-1)", "Page back", id="page-up", show=False),
        Binding("down,j", "line(1)", "Down", id="down", show=False),
        Binding("up,k", "line(-1)", "Up", id="up", show=False),
        Binding("home,g", "page(-1000)", "Start", id="first", show=False),
        Binding("end,G", "page(1000)", "End", id="last", show=False),
        Binding("s", "save_records", "Save the deals", id="save-records"),
        Binding("t", "save_text", "Save as text", id="save-text"),
        Binding("v", "look_through", "Look through", id="look-through"),
        Binding("escape,q", "dismiss", "Close", id="back"),
    ]
    HELP = (
        "Above the line what came first stands lowest, as on paper; a line is "
        "drawn under each game that is over. Before the reason for the points stands the number of the deal.\n"
        "Saved deals can be read by `biritch browse` and `biritch replay`."
    )
    DEFAULT_CSS = """
    SheetScreen {
        & > #title { height: 1; padding: 0 1; background: $panel; text-wrap: nowrap; }
        & > VerticalScroll { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
        & #sheet { height: auto; text-wrap: nowrap; }
    }
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._scroll = VerticalScroll(can_focus=False)
        self._deals: list[Finished] = []
        self._missing: list[int] = []

    def compose(self) -> ComposeResult:
        yield Pane(id="title")
        with self._scroll:
            yield Pane(id="sheet")
        yield KeyLine()

    def on_mount(self) -> None:
        whole_cells(self._scroll)
        self._learn()
        if self._missing:
            self._fetch()

    def on_resize(self) -> None:
        self._show()

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        """Take what was heard."""
        match message:
            case m.Entry(events=events) if any(isinstance(event, m.DealScored | m.RubberScored) for event in events):
                self._learn()
            case m.TableView() | m.DealRecords():
                self._learn()

    # --- what is known

    def _learn(self) -> None:
        """Look through what was heard; note which deals are over and not known whole."""
        visit, view = self._desk.visit, self._desk.view
        if visit is None or view is None:
            return
        self._deals = finished_deals(visit.notes, view)
        known = visit.notes.void | {deal.number for deal in self._deals if deal.record is not None}
        last = view.next_deal - (2 if view.stage == "playing" else 1)
        self._missing = [number for number in range(1, last + 1) if number not in known]
        self._show()

    @work(exclusive=True)
    async def _fetch(self) -> None:
        """Ask the server for its records, page by page, from before the first deal that is not known."""
        visit, view = self._desk.visit, self._desk.view
        after: int | None = self._missing[0] - 1
        while visit is not None and view is not None and after is not None and self._desk.online:
            if not await self._desk.ask(m.GetRecords(0, view.table, after)):
                return
            after = visit.notes.more

    # --- what is shown

    def _show(self) -> None:
        view, signs, deals = self._desk.view, self._desk.signs, self._deals
        if view is None:
            return
        width = min(self.size.width - 4, _WIDEST)
        title = Content.assemble(("Scoresheet", "bold $accent"), f"   {clean(view.title, signs)}")
        self.query_one("#title", Pane).show(title)
        rows: list[Content] = []
        if deals:
            last_first = sorted(deals, key=lambda deal: -deal.rubber)
            for name, lines in sheet_blocks(last_first, view, width, signs):
                rows += [heading(name), *(hued(clean(line, signs), signs) for line in lines), Content("")]
        else:
            rows += [hued(clean(line, signs), signs) for line in sheet_lines(view, signs)]
        if self._missing:
            rows += [Content.styled(_not_known(self._missing), MUTED)]
        self.query_one("#sheet", Pane).show(Content("\n").join(rows))

    # --- what is done

    def action_line(self, by: int) -> None:
        self._scroll.scroll_to(y=self._scroll.scroll_y + by, animate=False, immediate=True)

    def action_page(self, by: int) -> None:
        self.action_line(by * self._scroll.size.height)

    def action_look_through(self) -> None:
        from client_cli.screen.browser import DealsScreen

        deals = [
            Browsed(deal.outcome(self._desk.signs), f"deal {deal.number}", deal.names, deal.replayed)
            for deal in self._deals
            if deal.replayed is not None
        ]
        self.app.push_screen(DealsScreen(FewDeals(deals), self._desk.signs))

    def action_save_records(self) -> None:
        self._save(
            "deals", ".jsonl", lambda deals: "".join(f"{json.dumps(deal.record)}\n" for deal in deals if deal.record)
        )

    def action_save_text(self) -> None:
        self._save("sheet and deals", ".txt", self._text)

    def _text(self, deals: Sequence[Finished]) -> str:
        view, signs = self._desk.view, self._desk.signs
        assert view is not None, "deals belong to a table"
        lines = [line for deal in deals for line in (*deal.lines(signs), "")]
        for name, block in sheet_blocks(deals, view, TEXT_WIDTH, signs):
            lines += [name, *block, ""]
        return "".join(f"{line}\n" for line in lines)

    def _save(self, what: str, suffix: str, text_of: Callable[[Sequence[Finished]], str]) -> None:
        """Ask for a file, and before another one is lost, and write it."""
        view, deals = self._desk.view, self._deals
        if view is None or not deals:
            self._desk.say("There is no deal to be saved yet.")
            return

        def chosen(target: _Target | None) -> None:
            if target is not None:
                self._write(target, text_of(deals))

        name = f"biritch-{view.table}{suffix}"
        self.app.push_screen(LineDialog(f"Save the {what}", "File:", _target, value=name, doubt=_loss), chosen)

    def _write(self, target: "_Target", text: str) -> None:
        """Write a file, and say where it is, or why it is not."""
        try:
            with open(target.path, "w" if target.is_there else "x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            self._desk.say(f"{target.path} cannot be written: {error.strerror}.")
            return
        self._desk.say(f"Saved in {target.path}", *([_not_known(self._missing)] if self._missing else []))


@dataclass(frozen=True, slots=True)
class _Target:
    """Where a file is to be, and whether there is one already."""

    path: Path
    is_there: bool


def _loss(target: _Target) -> str | None:
    """Return what is to be asked before a file is lost."""
    return f"{target.path} is there already. Write over it?" if target.is_there else None


def _target(text: str) -> _Target:
    """Read where a file is to be. Raises Wrong."""
    if not text.strip():
        raise Wrong("Give the name of a file.")
    try:
        path = Path(text.strip()).expanduser().absolute()
        if path.is_dir():
            raise Wrong("That is a folder.")
        return _Target(path, path.exists())
    except (OSError, RuntimeError) as error:  # RuntimeError: no home of that user
        raise Wrong(f"That cannot be: {error}.") from None


def _not_known(deals: Sequence[int]) -> str:
    numbers = f"deal {deals[0]}" if len(deals) == 1 else f"deals {', '.join(map(str, deals))}"
    return f"Not all is known of {numbers}."
