"""What all dialogs have in common."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

from client_cli.screen.dialog import Dialog
from client_cli.screen.line import LineDialog
from client_cli.screen.offer import Choice, Offer, Row
from client_cli.screen.offer_dialog import OfferDialog
from client_cli.screen.question import Question
from client_cli.signs import SYMBOLS
from tests.client_cli.screen.dialogs import empty_stage, opened

LEAVE = Choice("Leave", "leave", ("l",))


@pytest.mark.parametrize(
    ("dialog", "key", "result"),
    [
        (lambda: OfferDialog(Offer("Go?", (Row((LEAVE,)),)), [], SYMBOLS), "l", LEAVE),
        (lambda: LineDialog("Name", "Which?", str, value="Ann"), "enter", "Ann"),
        (lambda: Question("Go?"), "y", True),
        (lambda: Question("Go?"), "escape", False),
    ],
)
async def test_a_key_pressed_twice_ends_the_dialog_alone(
    tmp_path: Path, dialog: Callable[[], Dialog[Any]], key: str, result: object
) -> None:
    async with empty_stage(tmp_path) as stage:
        beneath: Screen[None] = Screen()
        await stage.app.push_screen(beneath)
        results = await opened(stage, dialog())
        await stage.press_at_once(key, key)
        assert results == [result]
        assert stage.app.screen is beneath
