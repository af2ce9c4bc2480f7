"""What each connection is told: the view of a table and its entries, from one seat."""

from collections.abc import Sequence

import msgspec

from protocol import messages as m
from protocol.codec import decode_message, encode
from protocol.translate import deal_part, event_message, legal_part
from rules.registry import family
from rules.scoresheet import standing_numbers
from rules.seats import Seat
from rules.view import depends_on_seat, redact
from server.store import Said, StoredEntry
from server.table import Happening, Table


class Folded(msgspec.Struct, frozen=True):
    """An entry after its fold: what is needed to tell anybody of it, now or later."""

    number: int
    id: str
    time: float
    deal: int
    seed: bytes
    happened: Sequence[Happening]
    secret: bool
    """Whether it reads differently from different seats."""
    turn: m.Turn | None
    """Whose turn it was after it, as those who are not to act are told."""


def folded(table: Table, stored: StoredEntry, happened: Sequence[Happening]) -> Folded:
    """Keep what has happened by the entry that the table has folded last."""
    deal, seed = (0, b"") if table.deal is None else (table.deal.number, table.deal.seed)
    secret = any(not isinstance(event, m.ServerMessage) and depends_on_seat(event) for event in happened)
    return Folded(stored.number, stored.id, stored.time, deal, seed, happened, secret, turn(table, None))


def entry_frame(table: Table, what: Folded, seat: Seat | None, turn: m.Turn | None) -> bytes:
    """Return the frame that tells a seat, None for a spectator, of an entry."""
    events = [
        event
        if isinstance(event, m.ServerMessage)
        else event_message(redact(event, seat), table.game, what.deal, what.seed)
        for event in what.happened
    ]
    return encode(m.Entry(what.number, what.id, what.time, events, turn))  # type: ignore[arg-type]  # all are events


class Telling:
    """Frames of one entry for many connections: encoded once for all who may see the same."""

    def __init__(self, table: Table, what: Folded) -> None:
        self._table, self._what = table, what
        self._acting = None if table.deal is None or table.stage != "playing" else table.deal.state.to_act
        self._frames: dict[Seat | None, bytes] = {}

    def frame(self, seat: Seat | None) -> bytes:
        """Return the frame for a seat, None for a spectator."""
        acts = seat is not None and seat == self._acting
        key = seat if self._what.secret or acts else None
        if key not in self._frames:
            whose = turn(self._table, seat) if acts else self._what.turn
            self._frames[key] = entry_frame(self._table, self._what, key, whose)
        return self._frames[key]


def turn(table: Table, seat: Seat | None) -> m.Turn | None:
    """Return whose turn it is, with what he may do for the seat to act alone."""
    deal = table.deal
    if table.stage != "playing" or deal is None or deal.state.to_act is None:
        return None
    acting, hand, seats = deal.state.to_act, deal.state.hand_to_play, table.game.seats
    legal = None
    if acting == seat and not table.chairs[acting].bot:
        legal = legal_part(table.game.legal_actions(deal.state), seats)
    played = None if hand is None else seats.name(hand)
    return m.Turn(deal.number, deal.index, seats.name(acting), played, legal, deal.state.phase)


def table_view(table: Table, player: str) -> m.TableView:
    """Return all that a player may know of the table."""
    game, seat, member = table.game, table.seat_of(player), table.members.get(player)
    deal = table.deal
    return m.TableView(
        table=table.id,
        number=table.head.number,
        entry=table.head.id,
        game=game.name,
        title=family(game.name).title,
        options=dict(table.options),
        seats=table.seat_parts(),
        sides={side.name: [game.seats.name(place) for place in side.seats] for side in game.sides},
        spectators=[
            m.SpectatorPart(other, watcher.name)
            for other, watcher in table.members.items()
            if table.seat_of(other) is None
        ],
        player=player,
        seat=None if seat is None else game.seats.name(seat),
        stage=table.stage,
        rubber=table.rubber,
        next_deal=table.deals + 1,
        standing=standing_numbers(table.standing, game.sides),
        ledger=dict(table.ledger),
        deal=None if deal is None else deal_part(game.view(deal.state, seat), game, deal.number),
        turn=turn(table, seat),
        last_command=0 if member is None else member.last_command,
    )


def said_frame(said: Said) -> bytes:
    """Return the frame of a line of chat. Its time is the store's, by which a client that returns says what it has."""
    message = decode_message(said.data)
    assert isinstance(message, m.Said), "the chat holds nothing else"
    message.time = said.time
    return encode(message)


def table_card(table: Table) -> m.TableCard:
    """Return how a public table is listed."""
    game = table.game
    title = family(game.name).title
    return m.TableCard(
        table.id, game.name, title, len(game.seats), dict(table.options), table.seat_parts(), table.stage
    )


card_bytes = msgspec.msgpack.Encoder().encode
_parse_card = msgspec.msgpack.Decoder(m.TableCard).decode


def parse_card(data: bytes) -> m.TableCard | None:
    """Read how a table is listed; None for what another version of the server has written."""
    try:
        return _parse_card(data)
    except msgspec.MsgspecError:
        return None
