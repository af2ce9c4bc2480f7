"""How a visit begins at a server: with a new table, at one that is there, or with the list of tables alone."""

import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from client_cli.address import Address, link_to
from client_cli.link import PASSING, Offline
from client_cli.news import Unknown
from client_cli.place import NO_CONNECTION, REFUSED, WRONG_USE, Begin, NoPlace, Opening, Place
from client_cli.state import Memory, state_folder
from client_cli.visit import Visit
from client_cli.wire import connector
from protocol import messages as m
from rules.options import Value, value_text


async def ask(visit: Visit, command: m.Command) -> int | None:
    """Send a command at the beginning; return the status to end with if it was not accepted."""
    try:
        answer = await visit.ask(command)
    except Offline:
        visit.person.say("The connection is lost.")
        return NO_CONNECTION
    match answer:
        case m.Rejected(code=code, message=message):
            visit.person.say(message)
            return WRONG_USE if code.partition(".")[0] in ("options", "game") else REFUSED
        case Unknown():
            visit.person.say("The connection is lost.")
            return NO_CONNECTION
        case m.Accepted():
            return None


async def join(visit: Visit, table: str, invitation: str | None) -> int | None:
    """Go to a table; return the status to end with if that was refused."""
    return await ask(visit, m.JoinTable(0, table, invitation))


async def rejoin(visit: Visit, table: str, invitation: str | None) -> int | None:
    """Go back to a table if it is still there; return the status to end with if that cannot be known now."""
    try:
        answer = await visit.ask(m.JoinTable(0, table, invitation))
    except Offline:
        answer = Unknown(0)
    match answer:
        case m.Rejected(code=code, message=message) if code in PASSING:
            visit.person.say(message)
            return REFUSED
        case Unknown():
            visit.person.say("The connection is lost.")
            return NO_CONNECTION
        case _:
            return None


class Tables:
    """List the public tables and end."""

    async def __call__(self, visit: Visit) -> int | None:
        status = await ask(visit, m.ListTables(0))
        if status is not None:
            return status
        visit.person.say(*(card_line(card) for card in visit.tables) if visit.tables else ("There is no table.",))
        return 0


class Create:
    """Make a table, say where it is, and go there."""

    def __init__(
        self, url: str, game: str, options: Mapping[str, Value], players: int | None = None, private: bool = False
    ) -> None:
        self._url, self._private = url, private
        self._command = m.CreateTable(0, game, players, dict(options), private)

    async def __call__(self, visit: Visit) -> int | None:
        status = await ask(visit, self._command)
        if status is not None:
            return status
        made = visit.made
        assert made is not None, "`table_made` comes before the answer"
        visit.person.say(f"Your friends come with: biritch join {link_to(self._url, made.table, made.invitation)}")
        return await join(visit, made.table, made.invitation)


class Join:
    """Go to a table: the one named, else the one of last time, else the only public one with a free seat."""

    def __init__(self, table: str | None, invitation: str | None) -> None:
        self._table, self._invitation = table, invitation

    async def __call__(self, visit: Visit) -> int | None:
        if self._table is not None:
            return await join(visit, self._table, self._invitation)
        last = visit.memory.now
        if last.table is not None:
            status = await rejoin(visit, last.table, last.invitation)
            if status is not None:
                return status
            if visit.view is not None and visit.view.stage != "ended":
                return None
        return await self._join_only_one(visit)

    async def _join_only_one(self, visit: Visit) -> int | None:
        status = await ask(visit, m.ListTables(0))
        if status is not None:
            return status
        open_tables = [card for card in visit.tables if any(_free(part) for part in card.seats)]
        if len(open_tables) == 1:
            return await join(visit, open_tables[0].table, self._invitation)
        if not visit.tables:
            visit.person.say("There is no table here yet; `biritch create` makes one.")
        else:
            visit.person.say("Say which table to join:", *(card_line(card) for card in visit.tables))
        return REFUSED


def _free(part: m.SeatPart) -> bool:
    return part.player is None and not part.bot


def card_line(card: m.TableCard) -> str:
    """Write a table of the list on one line."""
    seats = " ".join(f"{part.seat}:{'free' if _free(part) else part.name or 'bot'}" for part in card.seats)
    options = "".join(f" {name}={value_text(value)}" for name, value in card.options.items())
    return f"{card.table}  {card.title}{options}  {seats}  {card.stage}"


def opening(
    address: Address,
    begin: Begin,
    *,
    profile: str = "default",
    name: str | None = None,
    authority: Path | None = None,
) -> Opening:
    """Return what opens somebody else's server."""

    @asynccontextmanager
    async def open_place() -> AsyncIterator[Place]:
        try:
            connect = connector(address, authority)
        except ssl.SSLError as error:
            raise NoPlace(f"{authority} holds no certificates: {error.reason}.", WRONG_USE) from None
        yield Place(connect, Memory(state_folder(), address.url, profile), begin, name)

    return open_place
