"""What may be appended to a table's log: the pure half of the table that says yes or no and changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import inf

from bots import simple
from protocol import messages as m
from protocol.translate import Acting, parse_action
from rules.errors import IllegalAction
from rules.seats import Seat
from server import entries as d
from server.entries import Entry, entry
from server.snapshot import take
from server.table import Table, deed_of

AWAY_S = 60.0
"""After so long the others need not wait for a player."""

SEAT_CODE_S = 600.0
"""So long a seat code is good."""

SPECTATORS = 64
"""At most so many watch a table from all servers together."""

BOT, CLOCK = "bot", "clock"


@dataclass(frozen=True, slots=True)
class Asked:
    """A player at the table has sent a command. `seat_code` is the hash of a fresh one, for `make_seat_code`."""

    player: str
    command: m.Command
    seat_code: str = ""


@dataclass(frozen=True, slots=True)
class Arriving:
    """A player comes to the table by a connection of this process, `opened` at that time of the store."""

    player: str
    name: str
    process: str
    connection: str
    invitation: str | None = None
    seat_code: str | None = None
    opened: float = inf


@dataclass(frozen=True, slots=True)
class Losing:
    """A connection is gone."""

    player: str
    connection: str
    reason: str


@dataclass(frozen=True, slots=True)
class Staying:
    """A player is here by a connection of this process, but the log says that he is not: it has lost that, or another
    process took this one for dead."""

    player: str
    name: str
    process: str
    connection: str


@dataclass(frozen=True, slots=True)
class BotDue:
    """It is a bot's turn: at this moment of the deals, or whenever it is."""

    turn: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A fresh seed for the deal that is due."""

    seed: bytes


@dataclass(frozen=True, slots=True)
class WentBack:
    """The log has lost entries that players may have seen, about the deal of this seed or of any."""

    seed: bytes | None = None


@dataclass(frozen=True, slots=True)
class CheckpointDue:
    """The state is to be kept."""


@dataclass(frozen=True, slots=True)
class Looking:
    """Nothing has come in, but the table is to see to what is due."""


Input = Asked | Arriving | Losing | Staying | BotDue | Shuffled | WentBack | Looking | CheckpointDue


@dataclass(frozen=True, slots=True)
class Refusal:
    """Nothing is appended; `code` is stable, `message` a sentence for people."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """The command was accepted before, as this entry."""

    number: int


Decision = Sequence[Entry] | Refusal | Repeated
"""The entries to be appended together; none where there is nothing left to do."""


class _Refused(Exception):
    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.refusal = Refusal(code, message)


def decide(table: Table, given: Input, now: float) -> Decision:
    """Decide about an input at the store's time `now`, in seconds. Changes nothing."""
    try:
        match given:
            case Asked():
                return _asked(table, given, now)
            case Arriving():
                return _arriving(table, given, now)
            case Losing(player=player, connection=connection, reason=reason):
                member = table.members.get(player)
                if member is None or member.connection != connection:
                    return ()  # a newer connection has taken over, or the player has left
                return (entry(CLOCK, d.Dropped(player, connection, reason)),)
            case Staying(player=player, name=name, process=process, connection=connection):
                if table.ended or table.present(player):
                    return ()
                return (entry(CLOCK, d.Arrived(player, name, process, connection)),)
            case BotDue(turn=turn):
                due = bot_to_act(table) is not None and turn in (None, table.turn)
                return (entry(BOT, _bot_deed(table)),) if due else ()
            case CheckpointDue():
                return (entry(CLOCK, take(table)),) if table.checkpoint_due else ()
            case Looking():
                return ()
            case WentBack(seed=seed):
                deal = table.deal if table.stage == "playing" else None
                return (entry(CLOCK, d.Voided()),) if deal is not None and seed in (None, deal.seed) else ()
            case Shuffled(seed=seed):
                return (entry(CLOCK, d.DealBegun(seed)),) if table.all_agreed else ()
    except _Refused as refused:
        return refused.refusal
    except IllegalAction as illegal:
        return Refusal(illegal.code, illegal.message)


def depends_on_time(given: Input) -> bool:
    """Say whether the time may matter to what is decided: then it is to be the store's own, asked for just now."""
    match given:
        case Asked(command=m.SeatBot() | m.EndTable() | m.MakeSeatCode()):
            return True
        case Arriving(seat_code=code):
            return code is not None
    return False


def bot_to_act(table: Table) -> Seat | None:
    """Return the seat to act if a bot plays it. Bots wait while nobody is there."""
    if table.stage != "playing" or table.deal is None:
        return None
    seat = table.deal.state.to_act
    if seat is None or not table.chairs[seat].bot or not any(map(table.present, table.members)):
        return None
    return seat


def invitation_hash(table: str, invitation: str) -> str:
    """Return what a table's log keeps of its invitation code."""
    return sha256(f"{table}/{invitation}".encode()).hexdigest()


def seat_code_hash(table: str, code: str) -> str:
    """Return what a table's log keeps of a seat code, in whatever way it was typed."""
    return sha256(f"{table}/seat/{code.replace('-', '').lower()}".encode()).hexdigest()


def _arriving(table: Table, given: Arriving, now: float) -> Decision:
    moved = () if given.seat_code is None else _seat_moved(table, given, given.seat_code, now)
    if given.player not in table.members and not moved:
        if table.ended:
            raise _Refused("table.closed", "The table is closed.")
        code = given.invitation
        if table.invitation is not None and (code is None or invitation_hash(table.id, code) != table.invitation):
            raise _Refused("table.private", "The table is private: it needs its invitation code.")
        if len(table.members) >= SPECTATORS + len(table.chairs):
            raise _Refused("table.full", f"The table has {SPECTATORS} spectators already.")
    member = table.members.get(given.player)
    if member is not None and (member.connection, member.name) == (given.connection, given.name):
        return moved
    arrived = entry(given.player, d.Arrived(given.player, given.name, given.process, given.connection))
    if table.members and not any(map(table.present, table.members)):
        # Whoever was away while the service was, or while nobody played, has lost nothing by that.
        return (entry(CLOCK, d.Resumed()), arrived, *moved)
    return (arrived, *moved)


def _seat_moved(table: Table, given: Arriving, code: str, now: float) -> tuple[Entry, ...]:
    """Return the entry by which a seat code moves a seat; none where it is the player's own already."""
    if table.ended:
        raise _Refused("table.closed", "The table is closed.")
    hash = seat_code_hash(table.id, code)
    for seat, chair in enumerate(table.chairs):
        if chair.owner is None or chair.code is None or chair.code.hash != hash:
            continue
        if chair.owner == given.player:
            return ()
        if now <= chair.code.until:
            _refuse_a_second_hand(table, given.player, seat)
            return (entry(given.player, d.SeatMoved(chair.owner, given.player)),)
    raise _Refused("seat.bad_code", "The seat code is mistyped, has been used, or is too old; ask for a new one.")


def _asked(table: Table, given: Asked, now: float) -> Decision:
    player, command = given.player, given.command
    member = table.members.get(player)
    known = member or table.departed.get(player)
    if known is not None and command.id in known.answers:
        return Repeated(known.answers[command.id])
    if member is None:
        raise _Refused("table.none_joined", "Join a table first.")
    if command.id <= member.last_command:
        raise _Refused("command.stale_id", f"The id must be greater than {member.last_command}, the last one accepted.")
    if table.ended and not isinstance(command, m.LeaveTable):
        raise _Refused("table.closed", "The table is closed.")
    return (entry(player, _deed(table, given, now), command.id),)


def _deed(table: Table, given: Asked, now: float) -> d.Deed:
    player = given.player
    match given.command:
        case m.MakeCall() | m.PlayCard() | m.DiscardCards() | m.CallPartners() | m.NameJoker():
            return _act(table, player, given.command)
        case m.Ready(deal=deal):
            return _ready(table, player, deal)
        case m.Rematch(rubber=rubber):
            return _rematch(table, player, rubber)
        case m.TakeSeat(seat=name):
            return _take_seat(table, player, _seat(table, name))
        case m.LeaveSeat():
            _own_seat(table, player)
            return d.StoodUp(player)
        case m.LeaveTable():
            return d.Left(player)
        case m.MakeSeatCode():
            return d.SeatCodeMade(_own_seat(table, player), given.seat_code, now + SEAT_CODE_S)
        case m.SeatBot(seat=name):
            _own_seat(table, player)
            return _seat_bot(table, _seat(table, name), now)
        case m.RemoveBot(seat=name):
            _own_seat(table, player)
            seat = _seat(table, name)
            if not table.chairs[seat].bot or table.chairs[seat].owner is not None:
                raise _Refused("seat.not_a_bot", f"Seat {name} has no bot that could be sent away.")
            return d.BotRemoved(seat)
        case m.SetName(name=name):
            return d.Renamed(player, name)
        case m.EndTable():
            _own_seat(table, player)
            return _end(table, player, now)
        case _:
            raise AssertionError(f"{given.command} is not for a table")


# --- seats


def _seat(table: Table, name: str) -> Seat:
    try:
        return table.game.seats.parse(name)
    except ValueError as error:
        raise _Refused("seat.unknown", f"{error}.") from None


def _own_seat(table: Table, player: str) -> Seat:
    seat = table.seat_of(player)
    if seat is None:
        raise _Refused("seat.none", "That is for those who sit at the table.")
    return seat


def _away(table: Table, player: str | None, now: float) -> bool:
    """Say whether a player who owns a seat has been away for so long that the others need not wait."""
    member = table.members.get(player) if player is not None else None
    return member is not None and member.away_since is not None and now - member.away_since > AWAY_S


def _take_seat(table: Table, player: str, seat: Seat) -> d.Deed:
    chair = table.chairs[seat]
    if chair.owner is not None:
        raise _Refused("seat.taken", f"Seat {table.game.seats.name(seat)} is taken.")
    _refuse_a_second_hand(table, player, seat)
    return d.SatDown(player, seat)


def _refuse_a_second_hand(table: Table, player: str, seat: Seat) -> None:
    if table.stage == "playing" and table.deal is not None and table.deal.held.get(player, seat) != seat:
        raise _Refused("seat.saw_another_hand", "You have seen another hand of this deal; wait until it is over.")


def _seat_bot(table: Table, seat: Seat, now: float) -> d.Deed:
    chair, name = table.chairs[seat], table.game.seats.name(seat)
    if chair.bot:
        raise _Refused("seat.taken", f"A bot sits in seat {name} already.")
    if chair.owner is not None and not _away(table, chair.owner, now):
        raise _Refused(
            "seat.player_present",
            f"The player of seat {name} is there, or has not been away for {AWAY_S:.0f} seconds.",
        )
    return d.BotSeated(seat)


def _end(table: Table, player: str, now: float) -> d.Deed:
    """End the table: after a rubber, when somebody is missing from one, or when no other player has a seat."""
    others = [chair for chair in table.chairs if chair.owner != player]
    alone = all(chair.owner is None or _away(table, chair.owner, now) for chair in others)
    missing = table.rubber > 0 and any(chair.free or _away(table, chair.owner, now) for chair in others)
    if table.stage != "over" and not alone and not missing:
        raise _Refused(
            "table.not_now",
            f"A table can be ended after a rubber, when a player has been away for {AWAY_S:.0f} seconds or has left, "
            "or when no other player has a seat.",
        )
    return d.Ended(f"ended by {table.members[player].name}")


# --- deals


def _ready(table: Table, player: str, deal: int) -> d.Deed:
    seat = _own_seat(table, player)
    if table.stage not in ("gathering", "scored") or deal != table.deals + 1:
        raise _Refused("ready.wrong_deal", f"Deal {deal} is not the one that is about to begin.")
    return _agree(table, seat)


def _rematch(table: Table, player: str, rubber: int) -> d.Deed:
    seat = _own_seat(table, player)
    if table.stage != "over" or rubber != table.rubber:
        raise _Refused("rematch.not_over", f"Rubber {rubber} is not the one that is just over.")
    return _agree(table, seat)


def _agree(table: Table, seat: Seat) -> d.Deed:
    if table.chairs[seat].agreed:
        raise _Refused("ready.already", "You have said so already; the others have not yet.")
    return d.Agreed(seat)


def _act(table: Table, player: str, command: Acting) -> d.Deed:
    seat, deal = _own_seat(table, player), table.deal
    if table.stage != "playing" or deal is None:
        raise _Refused("turn.none", "No deal is being played.")
    if (command.deal, command.index) != (deal.number, deal.index):
        raise _Refused("turn.stale", f"That answers another turn; it is turn {deal.index} of deal {deal.number} now.")
    if deal.state.to_act != seat:
        raise _Refused("turn.not_yours", "It is not your turn.")
    try:
        action = parse_action(command, table.game.seats)
    except ValueError as error:
        raise _Refused("command.bad_text", f"{error}.") from None
    table.step(deal.state, action)
    return deed_of(action)


def _bot_deed(table: Table) -> d.Deed:
    assert table.deal is not None, "a bot acts in a deal"
    state = table.deal.state
    view = table.game.view(state, state.to_act)
    action = simple.choose(view, table.game.legal_actions(state))
    table.step(state, action)
    return deed_of(action)
