"""Dialogs on a stage with nothing beneath."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.screen import Screen

from client_cli.config import Config
from client_cli.screen.desk import Desk
from client_cli.screen.dialog import Dialog
from tests.client_cli.screen.stage import CONFIG, Stage, settled, staged

ASCII = Config(theme="dark", ascii=True, bell=False)


def an_empty_screen(desk: Desk) -> Screen[None]:
    return Screen()


@asynccontextmanager
async def empty_stage(
    folder: Path, *, size: tuple[int, int] = (80, 24), config: Config = CONFIG
) -> AsyncIterator[Stage]:
    """A stage with nothing on it yet."""
    async with staged(an_empty_screen, folder, size=size, config=config) as stage:
        yield stage


async def opened(stage: Stage, dialog: Dialog[Any]) -> list[Any]:
    """Open a dialog; return the list in which its result will be, once it has one."""
    results: list[Any] = []
    await stage.app.push_screen(dialog, results.append)
    await settled(stage.app)
    return results
