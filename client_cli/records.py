"""`biritch records`: print the records of a table's finished deals as a server keeps them, for `biritch replay`."""

import asyncio
import json
import ssl
import sys
from pathlib import Path

import click

from client_cli.choices import CA, PROFILE
from client_cli.commands import read_address, read_table
from client_cli.ending import run_to_end
from client_cli.link import Link, Offline
from client_cli.news import News
from client_cli.pace import Pace
from client_cli.place import REFUSED
from client_cli.state import Memory, state_folder
from client_cli.wire import Connector, connector
from protocol import messages as m

GIVE_UP_S = 10.0
"""A connection that is lost is tried for so long."""


@click.command()
@click.argument("url")
@click.argument("table", required=False)
@PROFILE
@CA
def records(url: str, table: str | None, profile: str, ca: Path | None) -> None:
    """Print the finished deals of TABLE at the server URL, one JSON object a line.

    Without TABLE: the one that URL, a link, names, else the one where you were last. Anyone may read those of a public
    table; of a private one, who sat there, and then another client of yours at that server stops. In a pipe,
    `biritch replay -` plays them again and checks their scores.
    """
    address = read_address(url)
    memory = Memory(state_folder(), address.url, profile)
    table = read_table(address.table if table is None else table) or memory.now.table
    if table is None:
        raise click.UsageError("Name a table: you have been at none there.")
    try:
        connect = connector(address, ca)
    except ssl.SSLError as error:
        raise click.UsageError(f"{ca} holds no certificates: {error.reason}.") from None
    sys.exit(run_to_end(print_records(connect, table, memory.now.token)))


async def print_records(connect: Connector, table: str, token: str | None, pace: Pace | None = None) -> int:
    """Print all records of a table, read as nobody in particular if that will do; return the exit status."""
    came_to = await _Reader(connect, table, None, pace).read()
    if isinstance(came_to, m.Rejected) and came_to.code == "table.unknown" and token is not None:
        # To come as oneself takes the connection away from a client that plays, so that is tried last.
        came_to = await _Reader(connect, table, token, pace).read()
    if isinstance(came_to, m.Rejected):
        click.echo(came_to.message, err=True)
        return REFUSED
    return came_to


class _Reader:
    """Who reads the records of a table."""

    def __init__(self, connect: Connector, table: str, token: str | None, pace: Pace | None) -> None:
        self._table = table
        self._link = Link(connect, self._heard, token=token, pace=pace or Pace(give_up_s=GIVE_UP_S))
        self._page: m.DealRecords | None = None

    def _heard(self, message: m.ServerMessage | News) -> None:
        if isinstance(message, m.DealRecords):
            self._page = message

    async def read(self) -> int | m.Rejected:
        """Connect and print; return the exit status, or what the server has against it."""
        running = asyncio.create_task(self._link.run())
        try:
            ended = await self._link.up()
            if ended is None:
                try:
                    return await self._print_pages()
                except Offline:
                    ended = await running
            click.echo(ended.reason, err=True)
            return ended.code
        finally:
            await self._link.close()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def _print_pages(self) -> int | m.Rejected:
        after, more = 0, True
        while more:
            answer = await self._link.ask(m.GetRecords(0, self._table, after))
            if isinstance(answer, m.Rejected):
                return answer
            if isinstance(answer, m.Accepted):
                assert self._page is not None, "`deal_records` comes before the answer"
                for record in self._page.records:
                    click.echo(_line(record))
                after, more = self._page.last, self._page.more
            # Else the connection broke meanwhile, and is back: the page is asked for once more.
        return 0


def _line(record: str) -> str:
    """Return a record as one line that no terminal minds, whatever the server has made of it."""
    return json.dumps(json.loads(record))
