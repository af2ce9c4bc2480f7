"""A list to choose from; what is highlighted has a mark before it, besides its colour."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.scrollbar import ScrollBarRender
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

MARK_WIDTH = 2


@dataclass(frozen=True, slots=True)
class Row:
    """A row of one or more lines. Without a key it is a heading, which cannot be chosen."""

    key: str | None
    lines: tuple[Content, ...]


class Rows(OptionList):
    """Rows to choose from, which may change while one of them is highlighted."""

    DEFAULT_CSS = """
    Rows, Rows:focus {
        border: none;
        padding: 0;
        background: transparent;
        background-tint: transparent;
        scrollbar-size-vertical: 1;
        & > .option-list--option-disabled { color: $text-muted; }
        & > .option-list--option-hover { background: $primary 15%; }
        & > .option-list--option-highlighted { color: $foreground; background: $primary 20%; text-style: none; }
    }
    Rows:focus > .option-list--option-highlighted {
        color: $foreground;
        background: $primary 35%;
        text-style: bold;
    }
    """

    def __init__(self, mark: str, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._mark = mark.ljust(MARK_WIDTH)
        self._rows: list[Row] = []
        self._marked: int | None = None

    def on_mount(self) -> None:
        whole_cells(self)

    def on_resize(self) -> None:
        self.call_after_refresh(self.scroll_to_highlight)

    @property
    def chosen(self) -> str | None:
        """The key of the row that is highlighted."""
        return None if self.highlighted is None else self._rows[self.highlighted].key

    def show(self, rows: Sequence[Row], highlight: str | None = None) -> None:
        """Show these rows; the highlighted one stays so if it is still there and no other is given."""
        before, wanted, place = self._rows, highlight or self.chosen, self.highlighted or 0
        self._rows = list(rows)
        if [row.key for row in before] == [row.key for row in rows]:
            for number, (old, new) in enumerate(zip(before, rows, strict=True)):
                if old != new:
                    self._draw(number)
        else:
            self._marked = None
            self.set_options(Option(self._text(number), disabled=row.key is None) for number, row in enumerate(rows))
        self.highlighted = self._place_of(wanted, place)

    def _place_of(self, key: str | None, otherwise: int) -> int | None:
        places = [place for place, row in enumerate(self._rows) if row.key is not None]
        with_key = [place for place in places if self._rows[place].key == key]
        return min(with_key or places, key=lambda place: abs(place - otherwise), default=None)

    def watch_highlighted(self, highlighted: int | None) -> None:
        before, self._marked = self._marked, highlighted
        for place in (before, highlighted):
            if place is not None:
                self._draw(place)
        super().watch_highlighted(highlighted)

    def _draw(self, place: int) -> None:
        self.replace_option_prompt_at_index(place, self._text(place))

    def _text(self, place: int) -> Content:
        first, *others = self._rows[place].lines
        indent = " " * MARK_WIDTH
        mark = self._mark if place == self._marked else indent
        return Content("\n").join([Content(mark) + first, *(Content(indent) + line for line in others)])


def packed(pieces: Iterable[Content], width: int, gap: int = 2) -> list[Content]:
    """Put pieces on as few lines of this width as they need, none of them broken but one that is too wide by itself."""
    lines: list[list[Content]] = []
    used = width
    for piece in pieces:
        if not lines or used + gap + piece.cell_length > width:
            lines.append([])
            used = -gap
        lines[-1].append(piece)
        used += gap + piece.cell_length
    return [Content(" " * gap).join(line) for line in lines]


class _WholeCells(ScrollBarRender):
    VERTICAL_BARS = [" "]  # noqa: RUF012  # as its base has it
    HORIZONTAL_BARS = [" "]  # noqa: RUF012  # likewise


def whole_cells(widget: Widget) -> None:
    """Draw the scroll bar of a widget in whole cells, which needs no sign outside ASCII."""
    widget.vertical_scrollbar.renderer = _WholeCells  # type: ignore[misc]  # it takes the class, and is typed as one of it
