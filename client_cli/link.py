"""One player's connection to a server, which comes back by itself and resumes its table.

Whatever the server says is handed to `heard` in its order, entries of the table without gap or repetition. A command is
sent when it is asked for or not at all: what could not be sent when it was typed is not sent later.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn, get_args

from msgspec import structs

from client_cli.news import Answer, Dropped, Ended, Forgotten, News, Returned, Unknown
from client_cli.pace import STEADY_S, Pace
from client_cli.wire import Closed, Connector, Unreachable, Wire
from protocol import messages as m
from protocol.codec import decode_message, encode
from protocol.errors import ProtocolError
from protocol.translate import Acting

REPLACED = 4001
SERVICE_RESTART = 1012
_OUR_FAULT = {1002, 1003, 1007, 1008, 1009, 1010}
"""Close codes by which a server complains of what we sent: a new connection would end the same way."""

PASSING = {"store.unavailable", "server.busy", "server.failed", "server.stopping", "table.rewound"}
"""Refusals that say nothing of the table itself."""

_NAMES_ITS_MOMENT = (*get_args(Acting), m.Ready, m.Rematch)

_CLOSED = Ended("The connection was closed.", 0)


class Offline(Exception):
    """A command was not sent, since there is no connection."""


class _Stop(Exception):
    def __init__(self, reason: str, code: int) -> None:
        self.ended = Ended(reason, code)


@dataclass(slots=True)
class _Pending:
    command: m.Command
    answer: asyncio.Future[Answer]
    repeated: bool = False


@dataclass(slots=True)
class _Position:
    """How far the table is known; `number` is None from a rewinding until the view that follows."""

    table: str
    invitation: str | None
    number: int | None = 0
    entry: str = ""


class Link:
    """A player's connection. `run` keeps it up; `ask` sends a command and returns the answer."""

    def __init__(
        self,
        connect: Connector,
        heard: Callable[[m.ServerMessage | News], None],
        *,
        token: str | None = None,
        name: str | None = None,
        client: str = "biritch",
        pace: Pace | None = None,
    ) -> None:
        self.token, self.name = token, name
        self.player = ""
        self._connect, self._heard = connect, heard
        self._client = client
        self._pace = pace if pace is not None else Pace()
        self._wire: Wire | None = None  # set while commands may be sent
        self._last_id = 0
        self._heard_until = 0.0
        self._position: _Position | None = None
        self._gap = self._greeted = False
        self._closing = False
        self._running: asyncio.Task[NoReturn] | None = None
        self._pending: dict[int, _Pending] = {}
        self._up: asyncio.Future[Ended | None] = asyncio.get_running_loop().create_future()

    # --- for those who use it

    @property
    def online(self) -> bool:
        """Whether a command would be sent now."""
        return self._wire is not None

    @property
    def table(self) -> str | None:
        """The table to which the link returns."""
        return None if self._position is None else self._position.table

    @property
    def invitation(self) -> str | None:
        """The code by which that table was joined."""
        return None if self._position is None else self._position.invitation

    async def up(self) -> Ended | None:
        """Wait for the first connection; return why there is none if it cannot be had."""
        return await asyncio.shield(self._up)

    async def ask(self, command: m.Command) -> Answer:
        """Send a command, whose id is given here, and return the answer. Raises Offline, having sent nothing."""
        wire = self._wire
        if wire is None:
            raise Offline
        command = self._numbered(command)
        pending = _Pending(command, asyncio.get_running_loop().create_future())
        self._pending[command.id] = pending
        with suppress(Closed):
            # The loop that reads sees it too, and what became of the command is asked after the return.
            await wire.send(encode(command))
        return await pending.answer

    async def run(self) -> Ended:
        """Keep up the connection until it cannot be had or is not wanted any more."""
        try:
            ended = await self._until_ended()
        finally:
            self._wire = None
            for pending in self._take_pending():
                pending.answer.set_result(Unknown(pending.command.id))
        if not self._up.done():
            self._up.set_result(ended)
        return ended

    async def close(self) -> None:
        """End the connection for good, or whatever is under way to have one; return when nothing is left of it."""
        self._closing = True
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait([self._running])

    async def _until_ended(self) -> Ended:
        if self._closing:
            return _CLOSED
        # A task of its own, for `close` to cancel: what is waited for may be a pause, a handshake or an answer.
        self._running = asyncio.create_task(self._run())
        try:
            await self._running
        except _Stop as stop:
            return stop.ended
        except asyncio.CancelledError:
            if not self._closing:
                raise
            return _CLOSED

    # --- connections, one after the other

    async def _run(self) -> NoReturn:
        """Go on until there is to be no more connection. Raises _Stop."""
        lost_at = self._pace.now()
        while True:
            if delay := self._pace.delay():
                await self._pace.sleep(delay)
            try:
                wire = await self._connect()
            except Unreachable as error:
                self._refuse_to_wait(str(error), lost_at, lasting=error.lasting)
                continue
            began = self._pace.now()
            self._greeted = False
            closed = await self._converse(wire)
            if self._greeted:
                lost_at = self._pace.now()
            if self._pace.now() - began >= STEADY_S:
                self._pace.tries = 0
            self._judge(closed)

    def _refuse_to_wait(self, reason: str, lost_at: float, *, lasting: bool) -> None:
        """Stop where waiting is of no use: at the very first try, or when it has lasted too long."""
        give_up_s = self._pace.give_up_s
        if not self._up.done() or lasting or (give_up_s is not None and self._pace.now() - lost_at > give_up_s):
            raise _Stop(reason, 3)

    def _judge(self, closed: Closed) -> None:
        """Go on after a connection that broke; stop after one that the server meant to end."""
        code, reason = closed.code, closed.reason
        if code == REPLACED:
            raise _Stop("You have come from somewhere else; this client stops here.", 3)
        if code is not None and (code in _OUR_FAULT or code >= 4000):
            raise _Stop(f"The server has closed the connection: {reason or code}.", 1)
        if not self._up.done():
            raise _Stop(f"The server has closed the connection: {reason or code or 'no reason given'}.", 3)

    async def _converse(self, wire: Wire) -> Closed:
        """Use a connection until it ends, and return how."""
        moving = False
        try:
            await self._greet(wire)
            self._greeted = True
            while not (moving and not self._pending):
                moving |= isinstance(self._take(await wire.receive()), m.Moving)
                if self._gap:
                    await self._rejoin(wire)
            raise Closed(SERVICE_RESTART, "the server is about to stop")
        except Closed as closed:
            if self._greeted:
                self._heard(Dropped(closed.reason))
            return closed
        except ProtocolError as error:
            raise _Stop(f"The server is not understood: {error}", 1) from None
        finally:
            self._wire = None
            await wire.close()

    # --- the beginning of a connection

    async def _greet(self, wire: Wire) -> None:
        answer = await self._exchange(wire, m.Hello(0, self.token, self.name, self._client))
        if isinstance(answer, m.Rejected) and self.token is not None and "token" in answer.code:
            self._heard(Forgotten(answer.message))
            self.token, self._position = None, None
            answer = await self._exchange(wire, m.Hello(0, None, self.name, self._client))
        if isinstance(answer, m.Rejected):
            raise _Stop(answer.message, 1)
        if self._position is not None:
            await self._rejoin(wire)
        await self._settle(wire)
        self._wire = wire
        if self._up.done():
            self._heard(Returned())
        else:
            self._up.set_result(None)

    async def _rejoin(self, wire: Wire) -> None:
        """Come back to the table and get what was missed."""
        self._gap = False
        position = self._position
        assert position is not None, "only who is at a table comes back to it"
        join = m.JoinTable(
            0, position.table, position.invitation, position.number or 0, position.entry, self._heard_until
        )
        answer = await self._exchange(wire, join)
        self._gap = False  # what came before the answer was from before the join
        if isinstance(answer, m.Rejected):
            if answer.code in PASSING:
                raise Closed(None, answer.message)  # the table is still there; it is tried again by a new connection
            self._position = None
            self._heard(Forgotten(answer.message))

    async def _settle(self, wire: Wire) -> None:
        """Find out what became of the commands that were under way when the last connection broke.

        One that names its moment is sent again under the same id, once. The server does an id once only and answers a
        repetition as it did the first time; and should the first have been lost, the turn that it names is still the
        one to be answered, or it is refused. Anything else, such as talk, is left unknown: it might be said twice.
        """
        for pending in self._take_pending():
            command = pending.command
            if self._position is None or pending.repeated or not isinstance(command, _NAMES_ITS_MOMENT):
                pending.answer.set_result(Unknown(command.id))
                continue
            pending.repeated = True
            self._pending[command.id] = pending
            await wire.send(encode(command))

    def _take_pending(self) -> list[_Pending]:
        pending = [each for each in self._pending.values() if not each.answer.done()]
        self._pending.clear()
        return pending

    async def _exchange(self, wire: Wire, command: m.Command) -> m.Accepted | m.Rejected:
        command = self._numbered(command)
        await wire.send(encode(command))
        while True:
            message = self._take(await wire.receive())
            if isinstance(message, m.Accepted | m.Rejected) and message.id == command.id:
                return message

    def _numbered(self, command: m.Command) -> m.Command:
        self._last_id += 1
        return structs.replace(command, id=self._last_id)

    # --- what the server says

    def _take(self, frame: bytes) -> m.ServerMessage | None:
        message = decode_message(frame)
        match message:
            case m.Welcome(player=player, name=name, token=token):
                self.player, self.name, self.token = player, name, token or self.token
            case m.Said(time=time):
                if time <= self._heard_until:
                    return message  # it came by itself, and again with what was said before
                self._heard_until = time
            case m.TableView():
                self._viewed(message)
            case m.Entry():
                if not self._follows(message):
                    return message
            case m.Rewound() if self._position is not None:
                self._position.number = None
            case m.Accepted() | m.Rejected():
                self._answered(message)
        if message is not None:
            self._heard(message)
        return message

    def _viewed(self, view: m.TableView) -> None:
        known = self._position
        same = known is not None and known.table == view.table
        invitation = known.invitation if known is not None and same else None
        self._heard_until = self._heard_until if same else 0.0
        self._position = _Position(view.table, invitation, view.number, view.entry)
        self._last_id = max(self._last_id, view.last_command)

    def _follows(self, entry: m.Entry) -> bool:
        """Say whether this is the next entry, and take note of it; one from further on means that some are missing."""
        position = self._position
        if position is None or position.number is None or entry.number <= position.number:
            return False
        if entry.number > position.number + 1:
            self._gap = True
            return False
        position.number, position.entry = entry.number, entry.entry
        return True

    def _answered(self, answer: m.Accepted | m.Rejected) -> None:
        pending = self._pending.pop(answer.id, None)
        if pending is None:
            return
        if isinstance(answer, m.Accepted):
            match pending.command:
                case m.JoinTable(invitation=invitation) if self._position is not None and invitation is not None:
                    self._position.invitation = invitation
                case m.SetName(name=name):
                    self.name = name
                case m.LeaveTable():
                    self._position = None
        if not pending.answer.done():
            pending.answer.set_result(answer)
