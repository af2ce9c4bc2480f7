"""A list to choose from."""

import pytest
from textual.app import App, ComposeResult
from textual.content import Content

from client_cli.screen.rows import Row, Rows, packed
from tests.client_cli.screen.stage import settled, shown


def rows(*keys: str | None) -> list[Row]:
    return [Row(key, (Content(f"row {key}"),)) for key in keys]


class ListApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.rows = Rows(">")

    def compose(self) -> ComposeResult:
        yield self.rows


async def test_a_mark_goes_with_the_highlight_and_headings_are_left_out() -> None:
    app = ListApp()
    async with app.run_test(size=(20, 6)) as pilot:
        app.rows.show(rows("a", None, "b"))
        await settled(app)
        assert shown(app).splitlines()[:3] == ["> row a", "  row None", "  row b"]
        await pilot.press("down")
        await settled(app)
        assert shown(app).splitlines()[:3] == ["  row a", "  row None", "> row b"]


@pytest.mark.parametrize(
    ("before", "highlight", "after", "then"),
    [
        ("abc", "b", "xabc", "b"),  # it has moved
        ("abc", "b", "cab", "b"),
        ("abc", "b", "acd", "c"),  # it has gone: what is in its place
        ("abc", "c", "ab", "b"),
        ("abc", "b", "", None),
        ("", None, "ab", "a"),
    ],
)
async def test_the_highlight_stays_on_its_row(before: str, highlight: str | None, after: str, then: str | None) -> None:
    app = ListApp()
    async with app.run_test(size=(20, 6)):
        app.rows.show(rows(*before), highlight)
        assert app.rows.chosen == highlight
        app.rows.show(rows(*after))
        await settled(app)
        assert app.rows.chosen == then
        assert [line for line in shown(app).splitlines() if line.startswith(">")] == [f"> row {then}"] * (
            then is not None
        )


async def test_a_row_that_changes_is_drawn_anew_where_it_is() -> None:
    app = ListApp()
    async with app.run_test(size=(20, 3)) as pilot:
        app.rows.show(rows(*"abcdefgh"))
        await pilot.press("end")
        app.rows.show([*rows(*"abcdef"), Row("g", (Content("changed"),)), *rows("h")])
        await settled(app)
        assert shown(app).splitlines() == ["  row f", "  changed", "> row h"]


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (9, ["aa  bbb", "cccc"]),
        (13, ["aa  bbb  cccc"]),
        (3, ["aa", "bbb", "cccc"]),
    ],
)
def test_pieces_are_packed(width: int, lines: list[str]) -> None:
    assert [line.plain for line in packed(map(Content, ("aa", "bbb", "cccc")), width)] == lines
    assert packed([], width) == []
