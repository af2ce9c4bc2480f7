"""One connection: its frames to commands, its player, and the answers back."""

import asyncio
import logging
import re
from base64 import urlsafe_b64encode
from collections import deque
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from secrets import choice, token_urlsafe
from typing import Any, Final

from protocol import messages as m
from protocol.codec import decode_command, encode
from protocol.errors import BadCommand, ProtocolError
from server.decide import Arriving, Asked, Refusal, seat_code_hash
from server.http import traced
from server.metrics import ACCEPTED, REJECTED
from server.open_table import OVERTAKEN, Answer, Job, OpenTable
from server.records import page
from server.render import said_frame
from server.store import Greeting, StoreError
from server.tables import ID_LETTERS, UNKNOWN, Tables
from server.transport import Connection

_log = logging.getLogger("biritch.sessions")

CLOSE_BAD_FRAME: Final = 1007
CLOSE_RESTARTING: Final = 1012
CLOSE_REPLACED: Final = 4001
GONE_AWAY: Final = (1000, 1001)
"""A client that ends closes with one of these; the server never does."""

WAITING: Final = 32
"""So many commands of a connection wait behind one that asks the store, at most."""

SAID_AGAIN: Final = 20
"""So many of the last lines of chat does somebody hear who comes to a table."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}\Z")


def player_of(token: str) -> str:
    """Return a player's public id: what is kept of a token, and no way back to it."""
    return urlsafe_b64encode(sha256(f"biritch player {token}".encode()).digest()[:12]).decode()


class Sessions:
    """The connections of this process by player: a new one with the same token replaces the old one.

    Where the old one is at another process, that one hears of it by the store.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.stopping = False
        self._by_player: dict[str, Session] = {}
        self._all: set[Session] = set()
        self._working: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._all)

    def open(self, connection: Connection) -> "Session":
        """Begin a session."""
        session = Session(connection, self)
        self._all.add(session)
        return session

    def greeted(self, player: str, session: "Session") -> None:
        """Make a session the player's only one."""
        former = self._by_player.get(player)
        self._by_player[player] = session
        if former is not None:
            former.replaced()
        self._go_on(self._tell_others(session.greeting))

    def heard(self, greeting: Greeting) -> None:
        """Let a connection give way to a later one of its player, at whatever process."""
        session = self._by_player.get(greeting.player)
        if session is not None and session.greeting < greeting:
            session.replaced()

    async def _tell_others(self, greeting: Greeting) -> None:
        with suppress(StoreError):  # at a table the log says so as well
            await self.tables.store.greet(greeting)

    def closed(self, session: "Session") -> None:
        self._all.discard(session)
        if self._by_player.get(session.player) is session:
            del self._by_player[session.player]

    def depart(self, session: "Session", table: OpenTable, reason: str) -> None:
        """Tell a table that a guest's connection is gone, however many inputs wait there."""
        table.dismiss(session)
        self._go_on(table.leave(session, reason))

    def _go_on(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def departed(self, limit_s: float) -> None:
        """Return when the tables have been told of everyone who is gone, or after `limit_s`."""
        if self._working:
            await asyncio.wait(self._working, timeout=limit_s)

    def tell_all(self, message: m.ServerMessage) -> None:
        """Send a message to every connection."""
        frame = encode(message)
        for session in tuple(self._all):
            session.send(frame)


class Session:
    """A connection and, once it has said hello, its player; once it has joined a table, a guest there."""

    def __init__(self, connection: Connection, sessions: Sessions) -> None:
        self.player = ""
        self.name = ""
        self._named = False
        self.connection = token_urlsafe(6)
        self._opened = sessions.tables.clock.now()
        self._socket = connection
        self._sessions = sessions
        self._tables = sessions.tables
        self._table: OpenTable | None = None
        self._waiting: deque[m.Command] = deque()
        self._task: asyncio.Task[None] | None = None
        self._leaving = "lost"
        self._over = False

    @property
    def greeting(self) -> Greeting:
        """Return what other processes are told of it."""
        return Greeting(self._opened, self.connection, self.player)

    # --- as a guest of a table

    def send(self, frame: bytes) -> None:
        self._socket.send(frame)

    def replaced(self) -> None:
        self._leaving = "replaced"
        self._do_no_more()
        self._socket.close(CLOSE_REPLACED, "replaced by another connection of the same player")

    def left(self) -> None:
        self._table = None

    def cut_off(self) -> None:
        self._do_no_more()
        self._socket.close(CLOSE_RESTARTING, "this connection is no longer at the table; connect again")

    # --- as a receiver of frames

    def received(self, frame: bytes) -> None:
        try:
            command = decode_command(frame)
        except BadCommand as bad:
            self._reject(bad.id, Refusal(bad.code, bad.message))
        except ProtocolError as error:
            self._socket.close(CLOSE_BAD_FRAME, str(error))
        else:
            self._take(command)

    def closed(self, code: int | None, reason: str) -> None:
        if code in GONE_AWAY and self._leaving == "lost":
            self._leaving = "left"
        self._sessions.closed(self)
        self._do_no_more()
        self._depart()

    def _do_no_more(self) -> None:
        """Drop what waits: whoever has been replaced must not come to a table after the one who replaced him."""
        self._over = True
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    def _depart(self) -> None:
        """Tell the table that this connection is gone."""
        if self._table is not None:
            table, self._table = self._table, None
            lost_to_the_end = self._sessions.stopping and self._leaving == "lost"
            self._sessions.depart(self, table, "server_gone" if lost_to_the_end else self._leaving)

    def _take(self, command: m.Command) -> None:
        """Do a command now if it needs nothing but its table, else in its turn."""
        if self._task is None and not isinstance(command, _SLOW):
            self._do_at_table(command)
        elif len(self._waiting) >= WAITING:
            self._reject(command.id, Refusal("server.busy", "Too many commands wait already."))
        else:
            self._waiting.append(command)
            if self._task is None:
                self._task = asyncio.create_task(self._work())

    async def _work(self) -> None:
        try:
            while self._waiting:
                command = self._waiting.popleft()
                if isinstance(command, _SLOW):
                    await self._do_slowly(command)
                else:
                    self._do_at_table(command)
        finally:
            self._task = None

    def _do_at_table(self, command: m.Command) -> None:
        if not self.player:
            self._reject(command.id, Refusal("hello.expected", "Say hello first."))
        elif self._table is None:
            self._reject(command.id, Refusal("table.none_joined", "Join a table first."))
        elif isinstance(command, m.SetName) and not _printable(command.name):
            self._reject(command.id, _UNPRINTABLE)
        elif not self._table.put(self._job(self._table, command)):
            self._reject(command.id, Refusal("server.busy", "The table is busy; try again."))

    def _job(self, table: OpenTable, command: m.Command) -> Job:
        if not isinstance(command, m.MakeSeatCode):
            return Job(Asked(self.player, command), partial(self._answer_of_table, command))
        code = _fresh_seat_code()
        hash = seat_code_hash(table.table.id, code)
        return Job(Asked(self.player, command, hash), partial(self._seat_code_made, command.id, table, code, hash))

    async def _do_slowly(self, command: m.Command) -> None:
        try:
            answer = await self._slowly(command)
        except StoreError as error:
            _log.warning("a command was not done: %s", error)
            answer = Refusal("store.unavailable", "The store cannot be reached. Try again.")
        except Exception as error:
            _log.error("a command failed: %s", traced(error))
            answer = Refusal("server.failed", "The server failed at this; its log says more.")
        if answer is not None:
            self._answer(command.id, answer)
        if answer == OVERTAKEN:
            self.cut_off()

    async def _slowly(self, command: m.Command) -> Answer | None:
        """Do a command that asks the store. None if the table is to answer."""
        if isinstance(command, m.Hello):
            return self._hello(command)
        if not self.player:
            return Refusal("hello.expected", "Say hello first.")
        if self._sessions.stopping:
            return Refusal("server.stopping", "This server is about to stop; connect again.")
        match command:
            case m.ListTables():
                self.send(encode(m.TableList(await self._tables.listed())))
                return 0
            case m.CreateTable():
                return await self._create(command)
            case m.JoinTable():
                return await self._join(command)
            case m.GetRecords(table=table, after=after):
                return await self._tell_records(table, after)
            case m.Say(text=text):
                return await self._say(command.id, text)
        raise AssertionError(f"{command} is no slow command")

    # --- hello

    def _hello(self, command: m.Hello) -> Answer:
        if self.player:
            return Refusal("hello.repeated", "This connection has said hello already.")
        token = command.token or token_urlsafe(32)
        if not _TOKEN.match(token):
            return Refusal("hello.bad_token", "That is no token; leave it out to get a new one.")
        self._named = command.name is not None
        name = command.name or f"Player {player_of(token)[:4]}"
        if not _printable(name):
            return _UNPRINTABLE
        self.player, self.name = player_of(token), name
        self._sessions.greeted(self.player, self)
        now = self._tables.clock.now()
        self.send(encode(m.Welcome(self.player, name, _SERVER, now, None if command.token else token)))
        return 0

    # --- tables

    async def _create(self, command: m.CreateTable) -> Answer:
        made = await self._tables.make(self.player, command)
        if isinstance(made, Refusal):
            return made
        self.send(encode(m.TableMade(*made)))
        return 1

    async def _join(self, command: m.JoinTable) -> Answer | None:
        table = await self._tables.get(command.table)
        if isinstance(table, Refusal):
            return table
        known = table.table.members.get(self.player)
        if known is not None and not self._named:
            self.name = known.name
        joined: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        arriving = Arriving(
            self.player,
            self.name,
            self._tables.process,
            self.connection,
            command.invitation,
            command.seat_code,
            self._opened,
        )
        # From another seat the cards are others, so that what is known already does not help.
        has = (command.number, command.entry) if command.seat_code is None else (0, "")
        job = Job(arriving, partial(self._arrived, table, joined), self, has)
        if not table.put(job):
            table.unexpect()
            return Refusal("server.busy", "The table is busy; try again.")
        answer = await joined
        if isinstance(answer, Refusal):
            return answer
        await self._tell_what_was_said(command.table, command.heard)
        return answer

    def _arrived(self, table: OpenTable, joined: "asyncio.Future[Answer]", answer: Answer) -> None:
        """Be at this table and no other, from the moment that it tells this connection what happens there."""
        if not isinstance(answer, Refusal):
            if self._table is not table:
                self._depart()
            self._table = table
            if self._over:
                self._depart()
        if not joined.done():  # the connection may have gone meanwhile
            joined.set_result(answer)

    async def _tell_records(self, table: str, after: int) -> Answer:
        present = self._table is not None and self._table.table.id == table
        told = await page(self._tables.store, table, self.player, after, present=present)
        if told is None:
            return UNKNOWN  # who may not read them is not told either whether there are any
        self.send(encode(told))
        return 0

    # --- chat

    async def _say(self, id: int, text: str) -> Answer:
        if self._table is None:
            return Refusal("table.none_joined", "Join a table first.")
        if not _printable(text):
            return _UNPRINTABLE
        table = self._table.table
        seat, member = table.seat_of(self.player), table.members.get(self.player)
        name = self.name if member is None else member.name
        seat_name = None if seat is None else table.game.seats.name(seat)
        said = encode(m.Said(self.player, name, text, self._tables.clock.now(), seat_name))
        # A client that has lost count may use an id again for something else.
        key = f"{self.player}/{id}/{sha256(text.encode()).hexdigest()[:12]}"
        await self._tables.surely(lambda: self._tables.store.say(table.id, key, said, self._tables.keep.unfinished_s))
        return 0

    async def _tell_what_was_said(self, table: str, heard: float) -> None:
        with suppress(StoreError):  # the table itself is joined by now
            for said in await self._tables.store.said(table, SAID_AGAIN):
                if said.time > heard:
                    self.send(said_frame(said))

    # --- answers

    def _answer_of_table(self, command: m.Command, answer: Answer) -> None:
        if isinstance(command, m.SetName) and not isinstance(answer, Refusal):
            self.name = command.name
        self._answer(command.id, answer)

    def _seat_code_made(self, id: int, at: OpenTable, code: str, hash: str, answer: Answer) -> None:
        """Tell the code, if it is this command's: one that was sent again has made none."""
        table = at.table
        seat = table.seat_of(self.player)
        kept = None if seat is None else table.chairs[seat].code
        if kept is not None and kept.hash == hash:
            self.send(encode(m.SeatCode(table.id, code, kept.until)))
        self._answer(id, answer)

    def _answer(self, id: int, answer: Answer) -> None:
        if isinstance(answer, Refusal):
            self._reject(id, answer)
        else:
            ACCEPTED.inc()
            self.send(encode(m.Accepted(id, answer)))

    def _reject(self, id: int, refusal: Refusal) -> None:
        REJECTED.labels(refusal.code).inc()
        number = 0 if self._table is None else self._table.table.head.number
        self.send(encode(m.Rejected(id, refusal.code, refusal.message, number)))


_SLOW = (m.Hello, m.ListTables, m.CreateTable, m.JoinTable, m.GetRecords, m.Say)
_SERVER = "biritch " + version("biritch")
_UNPRINTABLE = Refusal("command.unprintable", "Names and texts are of printable characters, with no space at the ends.")


def _fresh_seat_code() -> str:
    """Make what a person can type within a few minutes and nobody can guess: 12 of 31 letters, some 59 bits."""
    return "-".join("".join(choice(ID_LETTERS) for _ in range(4)) for _ in range(3))


def _printable(text: str) -> bool:
    """Say whether a text can be shown on any terminal: no escape sequences, no line breaks."""
    return text.isprintable() and text == text.strip() and bool(text)
