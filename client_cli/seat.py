"""Seat codes: `biritch seat code` prints one, and with it `biritch join URL --seat CODE` takes the seat elsewhere."""

import asyncio
import re
import shlex

import click

from client_cli.house_rules import Chosen
from client_cli.news import News
from client_cli.online import ask, rejoin
from client_cli.pace import Pace
from client_cli.place import REFUSED, Begin, NoPlace, Opening, Place
from client_cli.state import OWN_SERVER
from client_cli.visit import Visit
from protocol import messages as m

GIVE_UP_S = 10.0
"""A connection that is lost is tried for so long."""


class BadSeatCode(Exception):
    """What was typed is no seat code; the sentence says what one is."""


def parse_seat_code(text: str) -> tuple[str, str]:
    """Return the table and its code from the text that is handed on, `TABLE:CODE`. Raises BadSeatCode."""
    found = re.fullmatch(r"([A-Za-z0-9_-]{1,32}):([A-Za-z0-9-]{1,32})", text.strip())
    if found is None:
        raise BadSeatCode(f"{text!r} is no seat code: one is such as hx4kq2vn7wtb:km7q-2xvr-9tbc.")
    return found[1], found[2]


def handed_on(url: str, made: m.SeatCode, name: str | None) -> list[str]:
    """Return the lines that tell of a new seat code: what is to be typed on the other device."""
    if url == OWN_SERVER:
        return ["Your own server is for this device alone; nobody comes to it from another."]
    words = ["biritch", "join", url, "--seat", f"{made.table}:{made.code}", *(["--name", name] if name else [])]
    return ["On the other device, once and within ten minutes:", f"  {shlex.join(words)}"]


def take_seat(text: str) -> Begin:
    """Return what begins a visit in the seat of a code. Raises BadSeatCode."""
    table, code = parse_seat_code(text)

    async def begin(visit: Visit) -> int | None:
        return await ask(visit, m.JoinTable(0, table, seat_code=code))

    return begin


async def ask_for_code(opening: Opening) -> int:
    """Go to a server, print a code for the seat that one has there, and return the exit status."""
    try:
        async with opening() as place:
            return await _Asking().at(place)
    except NoPlace as error:
        click.echo(str(error), err=True)
        return error.status


async def have_seat(visit: Visit) -> int | None:
    """Go back to the table where one has a seat."""
    known = visit.memory.now
    status = None if known.table is None else await rejoin(visit, known.table, known.invitation)
    if status is None and (visit.view is None or visit.view.seat is None):
        visit.person.say("You have no seat there.")
        return REFUSED
    return status


class _Asking:
    """A person who wants nothing but a code."""

    def __init__(self) -> None:
        self._made: m.SeatCode | None = None

    def say(self, *lines: str) -> None:
        for line in lines:
            click.echo(line, err=True)

    def heard(self, message: m.ServerMessage | News, before: m.TableView | None) -> None:
        if isinstance(message, m.SeatCode):
            self._made = message

    async def choose_game(self) -> Chosen | None:
        return None

    async def at(self, place: Place) -> int:
        """Connect, ask, print; return the exit status."""
        visit = Visit(place.connect, self, place.memory, name=place.name, pace=Pace(give_up_s=GIVE_UP_S))
        link = asyncio.create_task(visit.run())
        try:
            ended = await visit.up()
            if ended is not None:
                self.say(ended.reason)
                return ended.code
            status = await place.begin(visit)
            return await self._ask(visit) if status is None else status
        finally:
            await visit.link.close()
            link.cancel()
            await asyncio.gather(link, return_exceptions=True)

    async def _ask(self, visit: Visit) -> int:
        status = await ask(visit, m.MakeSeatCode(0))
        if status is not None:
            return status
        assert self._made is not None, "`seat_code` comes before the answer"
        for line in handed_on(visit.memory.url, self._made, visit.link.name):
            click.echo(line)
        return 0
