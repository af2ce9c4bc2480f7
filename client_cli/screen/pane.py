"""A part of a screen that shows lines, and is drawn anew only when they have changed."""

from textual.content import Content
from textual.widget import Widget


class Pane(Widget):
    """Shows what it was given last."""

    DEFAULT_CSS = """
    Pane { height: auto; }
    """

    def __init__(self, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._content = Content("")

    def show(self, content: Content) -> None:
        """Show these lines; nothing else has to move unless this part grows or shrinks with them."""
        before, self._content = self._content, content
        if not before.is_same(content):
            height = self.styles.height
            grows = height is None or height.is_auto
            self.refresh(layout=grows and _extent(before) != _extent(content))

    def render(self) -> Content:
        return self._content


def _extent(content: Content) -> list[int]:
    return [line.cell_length for line in content.split("\n", allow_blank=True)]
