"""The dialog that makes a table: a game, its players, every option with what it is about."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import OptionList, Static

from client_cli.screen.desk import Desk
from client_cli.screen.dialog import BACK, HELP, Dialog
from client_cli.screen.draft import NEW, Draft, Entry
from client_cli.screen.keyline import KeyLine
from client_cli.screen.marks import clean, marks_of
from client_cli.screen.rows import MARK_WIDTH, Row, Rows, packed
from client_cli.signs import LETTERS, Signs
from protocol import messages as m
from rules.options import Value

WIDTH = 78
_NAMES = 26  # cells for the names of what can be chosen
_VALUES = WIDTH - 4 - MARK_WIDTH - 1 - _NAMES  # cells for their values, between frame and scroll bar
_MOST_DIGITS = 6


class Form(Rows):
    """What can be chosen, a row for each: left and right choose among its values, digits type a number."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.make", "Make it", id="make"),
        Binding("right,space", "turn(1)", "Next value", id="next-value"),
        Binding("left", "turn(-1)", "Value before", id="value-before"),
    ]

    class Changed(Message):
        """There is another draft."""

    def __init__(self, draft: Draft, signs: Signs) -> None:
        super().__init__(marks_of(signs).turn)
        self.draft = draft
        self._dots = ("(*) ", "( ) ") if signs is LETTERS else ("● ", "○ ")
        self._entries: dict[str, Entry] = {}
        self._typed = ""

    def on_mount(self) -> None:
        self.take(self.draft)

    @property
    def entry(self) -> Entry:
        """What the highlighted row is about."""
        return self._entries[self.chosen or "game"]

    def take(self, draft: Draft) -> None:
        """Show a draft."""
        self.draft = draft
        self._entries = {entry.name: entry for entry in draft.entries()}
        self.show([self._row(entry) for entry in self._entries.values()])
        self.post_message(self.Changed())

    # --- choosing

    def action_turn(self, step: int) -> None:
        """Choose the next value, or the one before."""
        entry = self.entry
        if entry.now in entry.values:
            place = (entry.values.index(entry.now) + step) % len(entry.values)
        else:
            place = 0 if step > 0 else -1
        self._typed = ""
        self._choose(entry.values[place])

    def on_key(self, event: events.Key) -> None:
        if self.entry.numbers is None:
            return
        if event.character is not None and event.character in "0123456789":
            self._type((self._typed + event.character)[:_MOST_DIGITS])
        elif event.key == "backspace":
            self._type(self._typed[:-1])

    def _type(self, digits: str) -> None:
        self._choose(int(digits) if digits else self.entry.default)
        self._typed = digits

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._typed = ""
        self.post_message(self.Changed())

    def on_click(self, event: events.Click) -> None:
        """Choose the value that was clicked; a click beside the values only highlights the row."""
        place, value = event.style.meta.get("option"), event.style.meta.get("value")
        if place is None:
            return
        self.highlighted = place
        if value is not None:
            self._typed = ""
            self._choose(self.entry.values[value])

    def _choose(self, value: Value) -> None:
        self.take(self.draft.choose(self.entry.name, value))

    # --- how it looks

    def _row(self, entry: Entry) -> Row:
        differs = entry.now != entry.default
        name = f"{'*' if differs and entry.name != 'game' else ' '}{entry.name}".ljust(_NAMES)
        first, *others = packed(self._pieces(entry), _VALUES)
        indent = " " * _NAMES
        return Row(
            entry.name,
            (
                Content.styled(name, "bold" if differs else "") + first,
                *(Content(indent) + line for line in others),
            ),
        )

    def _pieces(self, entry: Entry) -> list[Content]:
        pieces = [
            self._piece(text, value == entry.now).stylize(Style.from_meta({"value": place}))
            for place, (value, text) in enumerate(zip(entry.values, entry.texts, strict=True))
        ]
        if entry.numbers is not None:
            typed, span = entry.now not in entry.values, f"{entry.numbers[0]} to {entry.numbers[-1]}"
            pieces.append(self._piece(str(entry.now) if typed else "a number", typed) + Content(f" ({span})"))
        return pieces

    def _piece(self, text: str, on: bool) -> Content:
        return Content.styled(self._dots[not on] + text, "bold $accent" if on else "")


class CreateDialog(Dialog[m.CreateTable | None]):
    """A form for a new table; with a draft for oneself alone, for a game against bots."""

    BINDINGS: ClassVar[list[BindingType]] = [BACK, HELP]
    HELP = (
        "Up and Down go from row to row, Left and Right choose a value, and digits type a number. With the mouse, "
        "click on a value. A star is before what is not as usual. What the row is about stands below."
    )
    DEFAULT_CSS = f"""
    CreateDialog {{
        & > #box {{ width: {WIDTH}; height: 100%; max-height: 40; }}
        Form {{ height: 1fr; scrollbar-gutter: stable; }}
        #words {{ height: 4; border-top: solid $primary; padding: 0 1; }}
        &.-ascii #words {{ border-top: ascii $primary; }}
        #refusal {{ height: 2; padding: 0 1; color: $error; text-style: bold; }}
    }}
    """

    def __init__(self, desk: Desk, draft: Draft = NEW) -> None:
        super().__init__()
        self._signs = desk.signs
        self._form = Form(draft, desk.signs)

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            box.border_title = "Play against bots" if self._form.draft.alone else "A new table"
            yield self._form
            yield Static(id="words", markup=False)
            yield Static(id="refusal", markup=False)
        yield KeyLine()

    def on_form_changed(self) -> None:
        entry = self._form.entry
        usual = "" if entry.name == "game" else f" Usually {entry.default_text}."
        self.query_one("#words", Static).update(clean(entry.words + usual, self._signs))
        self.query_one("#refusal", Static).update(clean(self._form.draft.refusal() or "", self._signs))

    def action_make(self) -> None:
        """End with the command, unless the rules refuse the table: the sentence that says so is shown already."""
        if self._form.draft.refusal() is None:
            self.dismiss(self._form.draft.command())
        else:
            self.app.bell()
