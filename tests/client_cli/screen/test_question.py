"""A question that is answered by yes or no."""

from pathlib import Path

import pytest

from client_cli.screen.question import Question
from tests.client_cli.screen.dialogs import ASCII, empty_stage, opened
from tests.client_cli.screen.stage import assert_golden


@pytest.mark.parametrize(("key", "answer"), [("y", True), ("enter", False), ("n", False), ("escape", False)])
async def test_a_key_answers(tmp_path: Path, key: str, answer: bool) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, Question("End the table?"))
        await stage.press("x", key)
        assert results == [answer]


@pytest.mark.parametrize(("button", "answer"), [("[ Y Yes ]", True), ("[ N No ]", False)])
async def test_a_click_answers(tmp_path: Path, button: str, answer: bool) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, Question("End the table?"))
        await stage.click(button)
        assert results == [answer]


async def test_the_question_is_shown_as_it_is(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        await opened(stage, Question("Send [red]x[/] \x1b[31maway?"))
        assert "Send [red]x[/] ?[31maway?" in stage.shown()


async def test_it_looks_like_this(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        await opened(stage, Question("Bid 7NT?"))
        assert_golden("lobby_question", stage.app)


async def test_it_needs_ascii_alone(tmp_path: Path) -> None:
    async with empty_stage(tmp_path, config=ASCII) as stage:
        await opened(stage, Question("Bid 7NT?"))
        assert stage.shown().isascii()
        assert_golden("lobby_question_ascii", stage.app)


async def test_its_keys_are_listed(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, Question("Bid 7NT?"))
        await stage.press("?")
        assert "N, Enter, Esc  No" in stage.shown()
        await stage.press("escape")
        assert results == []
