"""A dialog that ends with one of a few choices."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from client_cli.screen.box import box
from client_cli.screen.dialog import BACK, HELP, Dialog
from client_cli.screen.keyline import KeyLine
from client_cli.screen.marks import clean
from client_cli.screen.offer import Choice, Offer
from client_cli.screen.pane import Pane
from client_cli.screen.pick import Pick
from client_cli.screen.question import end_if_sure
from client_cli.signs import Signs

_WIDTH = 44


class OfferDialog(Dialog[Choice | None]):
    """Choices under a few words, by arrows and Enter, by the letter that is underlined, or by a click.

    `doubt` may have a question about a choice, which is asked first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Choose", id="choose"),
        Binding("left", "along(-1)", "Choice before", show=False, id="left"),
        Binding("right", "along(1)", "Next choice", show=False, id="right"),
        Binding("up", "across(-1)", "Row above", show=False, id="up"),
        Binding("down", "across(1)", "Row below", show=False, id="down"),
        BACK,
        HELP,
    ]
    DEFAULT_CSS = f"""
    OfferDialog > #box {{ width: {_WIDTH + 4}; }}
    OfferDialog #words {{ margin-bottom: 1; }}
    OfferDialog #choices {{ text-wrap: nowrap; }}
    """

    def __init__(
        self,
        offer: Offer,
        words: Sequence[str],
        signs: Signs,
        doubt: Callable[[Choice], str | None] = lambda choice: None,
    ) -> None:
        super().__init__()
        self._pick, self._signs, self._doubt = Pick(), signs, doubt
        self._pick.begin(offer)
        self._words = Content("\n".join(clean(line, signs) for line in words))
        self._choices = Pane("choices")

    def compose(self) -> ComposeResult:
        assert self._pick.offer is not None, "there is something to choose"
        with Vertical(id="box") as frame:
            frame.border_title = self._pick.offer.title
            if self._words.plain:
                yield Static(self._words, id="words")
            yield self._choices
        yield KeyLine()

    def on_mount(self) -> None:
        first = next((choice for _, choice in self._pick.offer.items()), None) if self._pick.offer is not None else None
        if first is not None and first.command is None:
            self._pick.along(1)  # what changes nothing may be chosen by Enter at once
        self._draw()

    def _draw(self) -> None:
        assert self._pick.offer is not None, "there is something to choose"
        self._choices.show(box(self._pick.offer, self._pick.at, _WIDTH, self._signs))

    def action_along(self, step: int) -> None:
        self._pick.along(step)
        self._draw()

    def action_across(self, step: int) -> None:
        self._pick.across(step)
        self._draw()

    def action_choose(self) -> None:
        if self._pick.choice is not None:
            self._end(self._pick.choice)

    def _end(self, choice: Choice) -> None:
        end_if_sure(self, choice, self._doubt(choice))

    def on_key(self, event: events.Key) -> None:
        if event.character is not None and self._pick.type(event.character.lower()):
            event.stop()
            self._draw()
            if self._pick.meant is not None:
                self._end(self._pick.meant)

    def on_click(self, event: events.Click) -> None:
        at = event.style.meta.get("at")
        if at is not None:
            self._pick.at = (at[0], at[1])
            self.action_choose()
