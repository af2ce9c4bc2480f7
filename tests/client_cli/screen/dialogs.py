"""Dialogs, and screens that tell of what has been played, on a stage with nothing beneath."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.screen import Screen

from client_cli.config import Config
from client_cli.screen.desk import Desk
from client_cli.screen.dialog import Dialog
from protocol import messages as m
from tests.client_cli.played import Playing
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


@asynccontextmanager
async def after(
    make: Callable[[Desk], Screen[None]],
    playing: Playing,
    folder: Path,
    *,
    first: m.TableView | None = None,
    told: int = 0,
    size: tuple[int, int] = (80, 24),
    config: Config = CONFIG,
) -> AsyncIterator[Stage]:
    """Show a screen to ann after what was played; she came when the table was as in `first` and so much was told."""
    async with staged(an_empty_screen, folder, first or playing.first, size=size, config=config) as stage:
        if playing.heard[told:]:
            await stage.tell(*playing.heard[told:])
        await stage.app.push_screen(make(stage.desk))
        await settled(stage.app)
        yield stage


class HandClock:
    """A clock that a test sets by hand, in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds
