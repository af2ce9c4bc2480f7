"""Whether a screen that came by itself could be seen."""

from pathlib import Path

from client_cli.screen.choose import GameDialog
from client_cli.screen.sight import SEEN_S, Sight
from tests.client_cli.screen.dialogs import HandClock, empty_stage, opened


async def test_time_counts_from_when_it_is_drawn(tmp_path: Path) -> None:
    clock = HandClock()
    sight = Sight(clock)
    clock.seconds = 1000.0
    assert not sight.seen
    async with empty_stage(tmp_path) as stage:
        await opened(stage, GameDialog(stage.desk, sight))
        assert not sight.seen
        clock.seconds += SEEN_S - 0.01
        assert not sight.seen
        clock.seconds += 0.02
        assert sight.seen
