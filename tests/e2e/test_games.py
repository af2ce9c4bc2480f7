"""Every game at every size of table, played to its end by clients at a server process on a real store.

All tables are played side by side on one server. The robots are in this process, each with a connection, a token and a
seat of its own.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from client_cli.house_rules import Chosen
from client_cli.robots import MOST_DEALS, Robot, play_session
from protocol import messages as m
from rules.registry import GAMES
from rules.scoresheet import standing_numbers
from server import entries as d
from server.render import table_view
from tests.e2e.processes import ENDING_S, ServerProcess, fold

TABLES = [Chosen(name, players=players) for name, family in GAMES.items() for players in family.players]


@dataclass(slots=True)
class Played:
    """What is left of a table: the last view of each client, and how many entries each has been told."""

    table: str
    views: list[m.TableView]
    heard: list[list[int]]


@asynccontextmanager
async def robots_at(url: str, number: int, heard: list[list[int]]) -> AsyncIterator[list[Robot]]:
    """Connect so many robots, which note the numbers of the entries that they hear."""

    def robot(place: int) -> Robot:
        heard.append([])
        return Robot(url, f"Robot {place}", lambda entry, view: heard[place].append(entry.number))

    robots = [robot(place) for place in range(number)]
    links = [asyncio.create_task(one.link.run()) for one in robots]
    try:
        yield robots
    finally:
        for one in robots:
            await one.link.close()
        await asyncio.gather(*links)


async def played(url: str, chosen: Chosen) -> Played:
    """Play a table to its end."""
    heard: list[list[int]] = []
    async with robots_at(url, chosen.seats, heard) as robots:
        await play_session(robots, chosen)
        return Played(robots[0].view.table, [robot.view for robot in robots], heard)


async def test_every_game_is_played_to_its_end(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data")
    await server.start()
    try:
        async with asyncio.timeout(ENDING_S):
            tables = await asyncio.gather(*(played(server.url, chosen) for chosen in TABLES))
    finally:
        assert await server.stop() == 0
    for chosen, end in zip(TABLES, tables, strict=True):
        await hold_against_log(server, chosen, end)


async def hold_against_log(server: ServerProcess, chosen: Chosen, end: Played) -> None:
    """What the clients were told is what the log folds to, by the laws of this very process."""
    log = await server.log(end.table)
    table = fold(end.table, log)
    assert (table.stage, table.game.name, len(table.chairs)) == ("over", chosen.game, chosen.seats), end.table
    assert table.deals <= MOST_DEALS
    assert table_view(table, "nobody") == table_view(fold(end.table, log), "nobody")
    for view, numbers in zip(end.views, end.heard, strict=True):
        assert view.stage == "over"
        assert view.standing == standing_numbers(table.standing, table.game.sides)
        assert view.ledger == table.ledger
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    doers = {entry.by for entry in (d.decode(stored.data) for stored in log) if isinstance(entry.deed, d.Played)}
    assert doers <= {view.player for view in end.views}  # no bot of the server's has played a card
