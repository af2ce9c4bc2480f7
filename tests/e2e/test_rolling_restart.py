"""Two server processes are restarted one after the other while fifty tables play, and no player loses anything.

Each table has a deal in progress from before the first restart until after the second: nobody plays the last cards of a
deal before that. The players are in this process, every other one at either server.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from client_cli.house_rules import Chosen
from protocol import messages as m
from rules.registry import GAMES
from server import entries as d
from server.embedded import EmbeddedStore
from server.redis_store import RedisStore
from server.store import StoredEntry
from server.table import Table
from tests.e2e.mover import Mover
from tests.e2e.processes import ServerProcess

WHOLE_S = 240.0
"""So long may all of it take on a very busy machine."""

TABLES = 50
AT_ONCE = 10
LAST_CARDS = 2
KINDS = [Chosen(name, players=players) for name, family in GAMES.items() for players in family.players]


class Seated:
    """A table and its players."""

    def __init__(self, chosen: Chosen, players: Sequence[Mover]) -> None:
        self.chosen, self.players = chosen, players

    @property
    def id(self) -> str:
        return self.players[0].made

    @property
    def playing(self) -> bool:
        return all(player.view.stage == "playing" for player in self.players)

    async def sit_down(self) -> None:
        first = self.players[0]
        for player in self.players:
            assert await player.link.up() is None
        assert isinstance(await first.link.ask(m.CreateTable(0, self.chosen.game, self.chosen.players)), m.Accepted)
        for place, player in enumerate(self.players):
            assert isinstance(await player.link.ask(m.JoinTable(0, self.id)), m.Accepted)
            await player.ask(m.TakeSeat(0, player.view.seats[place].seat))


class Rolling:
    """The tables, and how far the restart of the servers is: `over` when both have been."""

    def __init__(self, urls: Sequence[str]) -> None:
        self.over = False
        self._news = asyncio.Event()
        self.tables = [self._table(KINDS[number % len(KINDS)], urls) for number in range(TABLES)]

    def _table(self, chosen: Chosen, urls: Sequence[str]) -> Seated:
        return Seated(chosen, [Mover(urls[:: 1 if seat % 2 else -1], self._news.set) for seat in range(chosen.seats)])

    @property
    def players(self) -> list[Mover]:
        return [player for table in self.tables for player in table.players]

    async def sit_down(self) -> None:
        """Fill the tables, some at a time."""
        places = asyncio.Semaphore(AT_ONCE)

        async def fill(table: Seated) -> None:
            async with places:
                await table.sit_down()

        await asyncio.gather(*map(fill, self.tables))

    async def play(self) -> None:
        """Play until the restart is over and then the deal to its end."""
        await asyncio.gather(*(player.play(self._may_act, self._done) for player in self.players))

    def _may_act(self, view: m.TableView) -> bool:
        cards = max(view.deal.counts.values()) if view.deal is not None and view.stage == "playing" else None
        return self.over or cards is None or cards > LAST_CARDS

    def _done(self, view: m.TableView) -> bool:
        return self.over and view.stage in ("scored", "over")

    async def restart(self, server: ServerProcess) -> None:
        """Restart a server in the middle of all deals; return when whoever was there is at his table again."""
        await self._until(lambda: all(table.playing for table in self.tables))
        there = {player: player.returns for player in self.players if player.url == server.url}
        assert there
        assert await server.stop() == 0
        await server.start()
        await self._until(lambda: all(player.returns > before for player, before in there.items()))

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self._news.clear()
            await self._news.wait()

    def end(self) -> None:
        """Let the deals come to their end."""
        self.over = True
        for player in self.players:
            player.look_again()


@asynccontextmanager
async def two_servers(folder: Path) -> AsyncIterator[list[ServerProcess]]:
    """Run two on one store."""
    servers = [ServerProcess(folder), ServerProcess(folder)]
    await servers[0].start()
    try:
        await servers[1].start()
        yield servers
    finally:
        assert [await server.stop() for server in servers] == [0, 0]


@asynccontextmanager
async def connected(players: Sequence[Mover]) -> AsyncIterator[None]:
    """Keep the players connected; none of their links may end before."""
    links = [asyncio.create_task(player.link.run()) for player in players]
    try:
        yield
        assert not any(link.done() for link in links)
    finally:
        for player in players:
            await player.link.close()
        await asyncio.gather(*links)


async def logs_of(folder: Path, tables: Sequence[Seated]) -> list[list[StoredEntry]]:
    """Read the logs from the store that the servers use."""
    async with await EmbeddedStore.start(folder) as embedded:
        store = await RedisStore.connect(embedded.url)
        try:
            return [await store.read(table.id) for table in tables]
        finally:
            await store.close()


async def test_a_rolling_restart_interrupts_no_deal(tmp_path: Path) -> None:
    async with asyncio.timeout(WHOLE_S), two_servers(tmp_path / "data") as servers:
        rolling = Rolling([server.url for server in servers])
        async with connected(rolling.players):
            await rolling.sit_down()
            playing = asyncio.create_task(rolling.play())
            for server in servers:
                await rolling.restart(server)
            rolling.end()
            await playing
            logs = await logs_of(tmp_path / "data", rolling.tables)
    for table, log in zip(rolling.tables, logs, strict=True):
        check_log(table, log)
        for player in table.players:
            check_player(player, log)


def check_log(table: Seated, log: Sequence[StoredEntry]) -> None:
    """Every deal went on to its score, and all have kept their seats."""
    folded = Table(table.id)
    for stored in log:
        entry = d.decode(stored.data)
        match entry.deed:
            case d.DealBegun():
                assert folded.deal is None or folded.deal_over, f"{table.id}: dealt anew at {stored.number}"
            case d.Voided() | d.Left() | d.StoodUp() | d.BotSeated() | d.Ended():
                raise AssertionError(f"{table.id}: {entry.deed} at {stored.number}")
        folded.fold(stored.number, stored.id, stored.time, entry)
    players = {player.link.player for player in table.players}
    assert folded.stage in ("scored", "over")
    assert {chair.owner for chair in folded.chairs} == players
    assert all(map(folded.present, players))


def check_player(player: Mover, log: Sequence[StoredEntry]) -> None:
    """No command was refused, lost or done twice, and whatever happened since he came was told in its order, once."""
    assert player.others == []
    entries = [(stored.number, d.decode(stored.data)) for stored in log]
    done = [(entry.command, number) for number, entry in entries if entry.by == player.link.player and entry.command]
    assert sorted(done) == sorted(player.accepted.items())
    assert player.views == 1
    assert player.numbers == list(range(player.numbers[0], player.numbers[-1] + 1))
