"""A table's whole state as a value: what a checkpoint keeps, and how a table is made from it again.

A deal in progress is kept as a record is: its seed and its actions, which are played again by the laws.
"""

from hashlib import sha256

import msgspec
from msgspec import Struct

from rules.game import AnyGame
from rules.scoresheet import Standing
from rules.shuffle import shuffled
from server import entries as d
from server.store import Head
from server.table import Chair, Deal, Member, SeatCode, Table, action_of, deed_of


class ChairPart(Struct, array_like=True):
    owner: str | None
    bot: bool
    agreed: bool


class MemberPart(Struct, array_like=True):
    """Somebody at the table, with the commands that are remembered and their entries."""

    player: str
    name: str
    process: str
    connection: str | None
    away_since: float | None
    answers: list[tuple[int, int]]
    last_command: int


class DealPart(Struct, array_like=True):
    number: int
    begun: int
    seed: bytes
    dealer: int
    before: dict[str, list[int]]
    actions: list[d.Act]
    held: list[tuple[str, int]]
    acted: float


class CodePart(Struct, array_like=True):
    seat: int
    hash: str
    until: float


class Snapshot(Struct, array_like=True):
    """All that a table is; lists are in the order in which the table keeps them.

    `standing` is there where it does not follow from the deal. What has been added later stands at the end and has a
    default, an empty one.
    """

    opened: d.TableOpened
    chairs: list[ChairPart]
    members: list[MemberPart]
    departed: list[MemberPart]
    standing: dict[str, list[int]] | None
    ledger: list[tuple[str, int]]
    rubber: int
    deals: int
    pivot: int
    dealer: int | None
    deal: DealPart | None
    ended: bool
    codes: list[CodePart] = []


_REQUIRED = sum(field.required for field in msgspec.structs.fields(Snapshot))

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Snapshot).decode


def take(table: Table) -> d.Checkpoint:
    """Return the checkpoint of a table as it is now. The same entries give the same bytes in any process."""
    parts = list(msgspec.structs.astuple(_snapshot(table)))
    while len(parts) > _REQUIRED and not parts[-1]:
        del parts[-1]  # so that it is what a server would have written that does not know of this yet
    state = _encode(parts)
    return d.Checkpoint(state, sha256(state).hexdigest())


def restored(id: str, number: int, checkpoint: d.Checkpoint) -> Table:
    """Return the table as it was before entry `number`, the checkpoint. Raises UnknownEntry."""
    try:
        return _restored(id, number, _decode(checkpoint.state))
    except (msgspec.MsgspecError, ValueError, LookupError) as error:
        raise d.UnknownEntry(f"The table's checkpoint cannot be read: {error}.") from None


def _snapshot(table: Table) -> Snapshot:
    return Snapshot(
        table.opened,
        [ChairPart(chair.owner, chair.bot, chair.agreed) for chair in table.chairs],
        _member_parts(table.members),
        _member_parts(table.departed),
        None if table.deal is not None else _columns(table.standing),
        list(table.ledger.items()),
        table.rubber,
        table.deals,
        table.pivot,
        table.dealer,
        None if table.deal is None else _deal_part(table.deal),
        table.ended,
        [
            CodePart(seat, chair.code.hash, chair.code.until)
            for seat, chair in enumerate(table.chairs)
            if chair.code is not None
        ],
    )


def _member_parts(members: dict[str, Member]) -> list[MemberPart]:
    return [
        MemberPart(
            player,
            member.name,
            member.process,
            member.connection,
            member.away_since,
            list(member.answers.items()),
            member.last_command,
        )
        for player, member in members.items()
    ]


def _members(parts: list[MemberPart]) -> dict[str, Member]:
    return {
        part.player: Member(
            part.name, part.process, part.connection, part.away_since, dict(part.answers), part.last_command
        )
        for part in parts
    }


def _deal_part(deal: Deal) -> DealPart:
    return DealPart(
        deal.number,
        deal.begun,
        deal.seed,
        deal.state.dealer,
        _columns(deal.before),
        [deed_of(action) for action in deal.actions],
        list(deal.held.items()),
        deal.acted,
    )


def _restored(id: str, number: int, kept: Snapshot) -> Table:
    table = Table(id)
    table.begin(kept.opened)
    table.chairs = [Chair(chair.owner, chair.bot, chair.agreed) for chair in kept.chairs]
    for code in kept.codes:
        table.chairs[code.seat].code = SeatCode(code.hash, code.until)
    table.members, table.departed = _members(kept.members), _members(kept.departed)
    table.ledger = dict(kept.ledger)
    table.rubber, table.deals, table.pivot, table.dealer = kept.rubber, kept.deals, kept.pivot, kept.dealer
    table.ended = kept.ended
    if kept.standing is not None:
        table.standing = _standing(table.game, kept.standing)
    if kept.deal is not None:
        table.deal = _restored_deal(table, kept.deal)
        result = table.deal.state.result
        table.standing = table.deal.before if result is None else result.standing
    table.head = Head(number - 1, "")
    return table


def _restored_deal(table: Table, kept: DealPart) -> Deal:
    before = _standing(table.game, kept.before)
    state, _ = table.game.deal(kept.dealer, shuffled(table.game.deck, kept.seed), before)
    deal = Deal(kept.number, kept.begun, kept.seed, before, state, dict(kept.held), kept.acted)
    for deed in kept.actions:
        action = action_of(deed)
        deal.state, _ = table.game.apply(deal.state, action)
        deal.actions.append(action)
    return deal


def _columns(standing: Standing) -> dict[str, list[int]]:
    return {name: list(column) for name, column in standing.columns.items()}


def _standing(game: AnyGame, columns: dict[str, list[int]]) -> Standing:
    return game.standing({name: tuple(column) for name, column in columns.items()})
