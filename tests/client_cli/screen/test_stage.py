"""The stage itself: when all that is under way counts as done."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.screen import Screen

from tests.client_cli.screen.dialogs import empty_stage
from tests.client_cli.screen.stage import settled

WITHIN_S = 10.0


class Covered(Screen[None]):
    """A screen that another one covers before it is drawn, so that what was to be done then is left undone."""

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        if self.app.screen is self:
            self.app.push_screen(Screen())
        return True


async def test_a_screen_that_is_covered_meanwhile_is_not_waited_for(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        await stage.app.push_screen(Covered())
        await asyncio.wait_for(settled(stage.app), WITHIN_S)
        assert stage.app.screen.is_running and not isinstance(stage.app.screen, Covered)
