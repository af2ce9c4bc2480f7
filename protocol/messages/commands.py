"""Commands: what a client asks for. The server trusts none of it, so that all has limits here."""

from typing import Annotated

from msgspec import Meta, field

from protocol.messages.base import MAX_ID, Command, Id

Count = Annotated[int, Meta(ge=0, le=MAX_ID)]
TableId = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9_-]+\Z")]
EntryId = Annotated[str, Meta(max_length=32)]
SeatName = Annotated[str, Meta(min_length=1, max_length=2)]
CardText = Annotated[str, Meta(min_length=2, max_length=4)]
CallText = Annotated[str, Meta(min_length=1, max_length=3)]
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Options = dict[Annotated[str, Meta(max_length=32)], Annotated[str, Meta(max_length=32)] | bool | int]


class Hello(Command):
    """Say who is there; the first command of every connection.

    `token` is the one an earlier `welcome` gave; without it the server makes a new player. `name` is what others see.
    """

    token: Annotated[str, Meta(max_length=64)] | None = None
    name: Name | None = None
    client: Annotated[str, Meta(max_length=48)] = ""


class ListTables(Command):
    """Ask for the public tables; `table_list` comes before the answer."""


class CreateTable(Command):
    """Make a table; `table_made` comes before the answer.

    `players` is the number of seats, None for the game's usual one; `options` lists what differs from the defaults; a
    private table is not listed and needs its invitation code.
    """

    game: Annotated[str, Meta(max_length=32)]
    players: Annotated[int, Meta(ge=2, le=6)] | None = None
    options: Options = field(default_factory=dict)
    private: bool = False


class JoinTable(Command):
    """Come to a table, as a spectator until a seat is taken, or back to it after a lost connection.

    `number` and `entry` name the last entry that the client has: what it missed follows, or else a whole `table_view`,
    before the answer. What was said after `heard`, the time of the last `said` that it has, follows too. A connection
    is at one table at a time. With a `seat_code` one comes to the seat of the player who asked for it; that player is
    at the table no longer, and his connection is closed as replaced.
    """

    table: TableId
    invitation: Annotated[str, Meta(max_length=32)] | None = None
    number: Count = 0
    entry: EntryId = ""
    heard: float = 0.0
    seat_code: Annotated[str, Meta(max_length=32)] | None = None


class GetRecords(Command):
    """Ask for the records of a table's finished deals after number `after`; `deal_records` comes before the answer.

    Who sat there during one may ask for all, also when the table is long gone, and who is at the table now; for those
    of a public table anyone may. For everybody else there is no such table.
    """

    table: TableId
    after: Count = 0


class LeaveTable(Command):
    """Go away from the table; a seat that one had is free again."""


class SetName(Command):
    """Change the name that others see."""

    name: Name


class TakeSeat(Command):
    """Sit down in a free seat, also in place of a bot that nobody owns; an own earlier seat is left."""

    seat: SeatName


class LeaveSeat(Command):
    """Stand up and watch."""


class MakeSeatCode(Command):
    """Ask for a code that moves the own seat to another device; `seat_code` comes before the answer.

    It is good for one use within ten minutes, and no longer when another has been made. A command sent again gets its
    first answer, but no code.
    """


class SeatBot(Command):
    """Put a bot in a free seat, or in the seat of a player who has been away for more than 60 seconds."""

    seat: SeatName


class RemoveBot(Command):
    """Send away a bot that is in no player's seat."""

    seat: SeatName


class Ready(Command):
    """Agree that deal number `deal` begins; it does when all seats are taken and all players have agreed."""

    deal: Id


class MakeCall(Command):
    """Call. `deal` and `index` are those of the turn that is answered."""

    deal: Id
    index: Count
    call: CallText


class PlayCard(Command):
    """Play a card from the hand to play: one's own or, for declarer, dummy's. A joker may name a suit, `JK:H`."""

    deal: Id
    index: Count
    card: CardText


class DiscardCards(Command):
    """Lay cards away for the widow."""

    deal: Id
    index: Count
    cards: Annotated[list[CardText], Meta(max_length=8)]


class CallPartners(Command):
    """Name the seats that play with the bidder, perhaps none."""

    deal: Id
    index: Count
    seats: Annotated[list[SeatName], Meta(max_length=4)]


class NameJoker(Command):
    """Say which suit the joker belongs to, or None."""

    deal: Id
    index: Count
    suit: Annotated[str, Meta(min_length=1, max_length=1)] | None = None


class Rematch(Command):
    """Agree to another rubber or game after number `rubber`; it begins when all players have agreed."""

    rubber: Id


class EndTable(Command):
    """End the table for all.

    That is possible after a rubber, when a player has left one or has been away for more than 60 seconds, and when no
    other player has a seat.
    """


class Say(Command):
    """Say something to all at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=400)]
