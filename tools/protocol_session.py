"""The short session on the page for authors of clients: one deal's beginning, really dealt, encoded and decoded."""

import json
import re
from collections.abc import Iterator
from textwrap import wrap

from msgpack import unpackb

from protocol import messages as m
from protocol.codec import encode
from protocol.translate import event_message, legal_part
from rules.auction_bridge import AUCTION_BRIDGE
from rules.calls import parse_call
from rules.game import AnyGame, State
from rules.registry import make_game
from rules.shuffle import shuffled
from rules.view import redact

WIDTH = 116

TABLE, TOKEN, PLAYER, NAME = "hx4kq2vn7wtb", "kq3v9cZ0T1rJwXyB5mDfHnLsPa7uEiG2oR8tYbVxK4M", "Vd0mPz1CwQk3b9Ra", "Ada"
SEAT, SEED, NOW = 2, bytes(31) + b"\x08", 1_790_000_000.0

Message = m.Command | m.ServerMessage


def session() -> str:
    """Write the session, one line or block for each message; a line without one marks what is left out."""
    return "\n".join(said if isinstance(said, str) else shown(said) for said in _lines())


def shown(message: Message) -> str:
    """Write the map that a message is on the wire, long ones over several lines."""
    line = json.dumps(unpackb(encode(message)), ensure_ascii=False)
    # No line ends inside a text, nor between a key and its value.
    whole = _UNBROKEN.sub(lambda text: text[0].replace(" ", "\0"), line)
    arrow = "> " if isinstance(message, m.Command) else "< "
    lines = wrap(whole, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return arrow + "\n".join(lines).replace("\0", " ")


_UNBROKEN = re.compile(r'"(?:[^"\\]|\\.)*"(: )?')


def _lines() -> Iterator[Message | str]:
    yield m.Hello(1, name=NAME, client="example 1.0")
    yield _welcome(TOKEN)
    yield m.Accepted(1)
    yield m.CreateTable(2, "auction_bridge")
    yield m.TableMade(TABLE)
    yield m.Accepted(2, 1)
    yield m.JoinTable(3, TABLE)
    yield _view()
    yield m.Accepted(3, 2)
    yield m.TakeSeat(4, "S")
    yield _entry(3, m.SeatTaken("S", PLAYER, NAME))
    yield m.Accepted(4, 3)
    yield m.SeatBot(5, "W")
    yield _entry(4, m.BotSeated("W"))
    yield m.Accepted(5, 4)
    yield "  ... and so for N and E"
    yield from _deal(make_game(AUCTION_BRIDGE.name, 4, {}))


def _deal(game: AnyGame) -> Iterator[Message | str]:
    """The first deal: the dealer sits here; he bids, and comes back after a break."""
    state, dealt = game.deal(SEAT, shuffled(game.deck, SEED), game.fresh())
    bots = {seat: m.SeatPart(seat, bot=True, ready=True) for seat in "NEW"}
    own = m.SeatPart("S", PLAYER, NAME, connected=True, ready=True)
    events = [event_message(redact(event, SEAT), game, 1, SEED) for event in dealt]
    yield m.Ready(8, 1)
    yield _entry(7, m.SeatReady("S"))
    begun = m.RubberBegun(1, [bots["N"], bots["E"], own, bots["W"]])
    yield _entry(8, begun, *events, turn=_turn(game, state, 0))
    yield m.Accepted(8, 7)
    yield m.MakeCall(9, 1, 0, "1S")
    state, called = _called(game, state, "1S", 9)
    yield called
    yield m.Accepted(9, 9)
    yield "  ... here the connection breaks; on a new one:"
    yield m.Hello(10, TOKEN, NAME, "example 1.0")
    yield _welcome(None)
    yield m.Accepted(10)
    yield m.JoinTable(11, TABLE, number=9, entry=_id(9))
    for number, call in enumerate(("1R", "P", "P"), 10):
        state, called = _called(game, state, call, number)
        called.turn = None  # of what was missed, the last entry alone says whose turn it is
        yield called
    yield _entry(13, m.PlayerDropped(PLAYER, "lost", NOW + 39, "S"))
    yield _entry(14, m.PlayerConnected(PLAYER, "S"), turn=_turn(game, state, 4))
    yield m.Accepted(11, 14)
    yield m.MakeCall(12, 1, 0, "1N")
    yield m.Rejected(12, "turn.stale", "That answers another turn; it is turn 4 of deal 1 now.", 14)


def _called(game: AnyGame, state: State, call: str, number: int) -> tuple[State, m.Entry]:
    state, events = game.apply(state, parse_call(call))
    said = [event_message(redact(event, SEAT), game, 1, SEED) for event in events]
    return state, _entry(number, *said, turn=_turn(game, state, number - 8))


def _turn(game: AnyGame, state: State, index: int) -> m.Turn:
    assert state.to_act is not None, "the deal is not over"
    legal = legal_part(game.legal_actions(state), game.seats) if state.to_act == SEAT else None
    return m.Turn(1, index, game.seats.name(state.to_act), legal=legal)


def _entry(number: int, *events: m.ServerMessage, turn: m.Turn | None = None) -> m.Entry:
    return m.Entry(number, _id(number), NOW + 3 * number, list(events), turn)  # type: ignore[arg-type]  # all are events


def _id(number: int) -> str:
    return f"q0Zb7Yt{number:05d}"


def _welcome(token: str | None) -> m.Welcome:
    return m.Welcome(PLAYER, NAME, "biritch", NOW, token)


def _view() -> m.TableView:
    return m.TableView(
        table=TABLE,
        number=2,
        entry=_id(2),
        game=AUCTION_BRIDGE.name,
        title=AUCTION_BRIDGE.title,
        options={},
        seats=[m.SeatPart(seat) for seat in "NESW"],
        sides={"NS": ["N", "S"], "EW": ["E", "W"]},
        spectators=[m.SpectatorPart(PLAYER, NAME)],
        player=PLAYER,
        seat=None,
        stage="gathering",
        rubber=0,
        next_deal=1,
        standing={"below": {"NS": 0, "EW": 0}, "above": {"NS": 0, "EW": 0}, "games": {"NS": 0, "EW": 0}},
        ledger={},
    )
