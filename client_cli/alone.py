"""Playing at a server of one's own: a person among bots, or bots alone that are watched."""

import fcntl
import os
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import click
from platformdirs import user_data_path

from client_cli.address import parse_address
from client_cli.console import Console
from client_cli.draw import unit_of
from client_cli.house_rules import Chosen
from client_cli.online import ask, rejoin
from client_cli.place import NoPlace, Opening, Place
from client_cli.program import NoServer, OwnServer, made_folder, own_server
from client_cli.robots import watch_session
from client_cli.state import OWN_SERVER, Memory
from client_cli.visit import Visit
from client_cli.wire import connector
from protocol import messages as m


async def watch_bots(games: Sequence[Chosen], data: Path | None) -> int:
    """Let bots play a session of each game and print it; return the exit status."""
    with ExitStack() as stack:
        # Nobody comes back to these rubbers, so that their store goes with them.
        folder = data or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="biritch-")))
        try:
            async with own_server(folder) as server:
                return await _watch_each(server.url, games)
        except NoServer as error:
            click.echo(str(error), err=True)
            return 3


async def _watch_each(url: str, games: Sequence[Chosen]) -> int:
    console, told = Console(), []
    for chosen in games:
        watched = await watch_session(url, chosen, console)
        if watched.status != 0:
            return watched.status
        told.append(f"{chosen.title} in {watched.deals} deals{'' if watched.is_over else ' (not over)'}")
        if len(games) > 1:
            console.say("", "")
    if len(games) > 1:
        console.say(f"Played and checked: {', '.join(told)}.")
    return 0


def opening(chosen: Chosen | None, data: Path | None, *, name: str | None, new: bool) -> Opening:
    """Return what opens a server of one's own. Without a game, the person is asked."""

    @asynccontextmanager
    async def open_place() -> AsyncIterator[Place]:
        folder = data or user_data_path("biritch", appauthor=False) / "play"
        try:
            with _own_memory(folder) as memory:
                async with own_server(folder) as server:
                    yield _place(server, memory, Begin(chosen, new), name)
        except NoServer as error:
            raise NoPlace(str(error)) from None

    return open_place


def _place(server: OwnServer, memory: Memory, begin: "Begin", name: str | None) -> Place:
    async def ended() -> str:
        await server.process.wait()
        return f"The server has ended by itself; see {server.log}"

    connect = connector(parse_address(server.url))
    return Place(connect, memory, begin, name or memory.now.name or _own_name(), ended, alone=True)


def _own_name() -> str:
    return (os.environ.get("USER") or os.environ.get("LOGNAME") or "Guest")[:24]


@contextmanager
def _own_memory(data: Path) -> Iterator[Memory]:
    """Hold a player of this folder for as long as the client runs: two clients at a time are two players.

    Raises NoServer if the folder cannot be made.
    """
    folder = made_folder(data / "players")
    number = 1
    while True:
        with open(folder / f"{number}.lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                number += 1
                continue
            yield Memory(folder, OWN_SERVER, str(number))
            return


class Begin:
    """Go on with the unfinished rubber, or sit down at a new table with bots and begin."""

    def __init__(self, chosen: Chosen | None, new: bool) -> None:
        self._chosen, self._new = chosen, new

    async def __call__(self, visit: Visit) -> int | None:
        table = visit.memory.now.table
        if table is not None and not self._new:
            status = await rejoin(visit, table, visit.memory.now.invitation)
            if status is not None:
                return status
        if self._new or table is None or not self._goes_on(visit):
            chosen = self._chosen or await visit.person.choose_game()
            if chosen is None:
                return 0
            status = await _make_table(visit, chosen)
            if status is not None:
                return status
        return await _sit_down(visit)

    def _goes_on(self, visit: Visit) -> bool:
        """Say whether the table where one is now is the unfinished one that is wanted."""
        view = visit.view
        if view is None or view.stage in ("over", "ended"):
            return False
        if self._chosen is not None and not _is_as_chosen(view, self._chosen):
            return False
        visit.person.say(f"Your unfinished {unit_of(view)} goes on; `biritch play --new` begins another.")
        return True


def _is_as_chosen(view: m.TableView, chosen: Chosen) -> bool:
    if view.game != chosen.game or len(view.seats) != (chosen.players or len(view.seats)):
        return False
    return not chosen.options or view.options == chosen.options


async def _make_table(visit: Visit, chosen: Chosen) -> int | None:
    """Make a private table and go there; return the status to end with if that was refused."""
    command = m.CreateTable(0, chosen.game, chosen.players, dict(chosen.options), private=True)
    status = await ask(visit, command)
    if status is not None:
        return status
    assert visit.made is not None, "`table_made` comes before the answer"
    return await ask(visit, m.JoinTable(0, visit.made.table, visit.made.invitation))


async def _sit_down(visit: Visit) -> int | None:
    """Take the seat, fill the others with bots, and say that the deal may begin."""
    view = visit.view
    assert view is not None, "the table has been joined"
    names = [part.seat for part in view.seats]
    if view.seat is None:
        status = await ask(visit, m.TakeSeat(0, "S" if "S" in names else names[-1]))
        if status is not None:
            return status
    for part in list(view.seats):
        if part.player is None and not part.bot and part.seat != (visit.view or view).seat:
            status = await ask(visit, m.SeatBot(0, part.seat))
            if status is not None:
                return status
    view = visit.view
    return await ask(visit, m.Ready(0, view.next_deal)) if view is not None and view.stage == "gathering" else None
