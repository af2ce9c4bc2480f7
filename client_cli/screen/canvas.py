"""A sheet of cells on which texts are put in any order, later ones over earlier ones."""

from itertools import groupby
from operator import itemgetter

from textual.content import Content, Span
from textual.style import Style

Look = tuple[str | Style, ...]


class Canvas:
    """Cells, each with a sign and its styles; `content` is what they make together."""

    def __init__(self, width: int, height: int) -> None:
        self._rows: list[list[tuple[str, Look]]] = [[(" ", ())] * width for _ in range(height)]

    def put(self, column: int, row: int, text: str, *look: str | Style) -> None:
        """Put a text; what would be outside is left out."""
        if not 0 <= row < len(self._rows):
            return
        cells = self._rows[row]
        for place, sign in enumerate(text, column):
            if 0 <= place < len(cells):
                cells[place] = (sign, look)

    def lay(self, column: int, row: int, content: Content, *look: str | Style) -> None:
        """Put a line that has styles of its own."""
        for place, sign in enumerate(content.plain):
            own = (span.style for span in content.spans if span.start <= place < span.end)
            self.put(column + place, row, sign, *own, *look)

    def content(self) -> Content:
        """Return the lines."""
        texts: list[str] = []
        spans: list[Span] = []
        at = 0
        for number, row in enumerate(self._rows):
            if number:
                texts.append("\n")
                at += 1
            for look, run in groupby(row, key=itemgetter(1)):
                text = "".join(sign for sign, _ in run)
                texts.append(text)
                spans += [Span(at, at + len(text), style) for style in look]
                at += len(text)
        return Content("".join(texts), spans)
