"""What is due at a table: questions about it that change nothing, asked by a process that has it open."""

from collections.abc import Callable, Mapping

from server.decide import BotDue, CheckpointDue, Input, Losing, Shuffled, Staying, bot_to_act
from server.guest import Guest
from server.table import Table


def next_due(table: Table, now: float, bot_s: float, fresh_seed: Callable[[], bytes]) -> tuple[Input, float] | None:
    """Return what the clock or a bot has to do next, and in how many seconds; a bot takes `bot_s` to act."""
    if table.checkpoint_due:
        return CheckpointDue(), 0.0
    if table.all_agreed:
        return Shuffled(fresh_seed()), 0.0
    if table.deal is not None and bot_to_act(table) is not None:
        # No longer than it takes, where a clock went back: the store's, or ours by which we carry it on.
        return BotDue(table.turn), min(bot_s, max(0.0, table.deal.acted + bot_s - now))
    return None


def untrue(table: Table, process: str, guests: Mapping[str, Guest]) -> Losing | Staying | None:
    """Find what the log says of a process's connections and is not, or no longer, so; `guests` are those it has."""
    for player, member in table.members.items():
        if member.connection is not None and member.process == process:
            guest = guests.get(player)
            if guest is None or guest.connection != member.connection:
                return Losing(player, member.connection, "lost")
    for player, guest in guests.items():
        if not table.ended and not table.present(player):
            return Staying(player, guest.name, process, guest.connection)
    return None


def superseded(table: Table, former: Table, process: str, guest: Guest) -> bool:
    """Say whether a guest has come by another connection, or gone for good, between `former` and now.

    The entries between are lost to the process. If they took the process for dead, its guest is one all the same.
    """
    member = table.members.get(guest.player)
    if member is not None:
        lost_here = member.connection is None and member.process == process
        return member.connection != guest.connection and not lost_here
    departed = table.departed.get(guest.player)
    if departed is None:
        return False  # the log has never heard of him, or so long ago that nobody can tell
    # Only a spectator departs by the loss of his connection. Who sat has left, or moved his seat to another device.
    return departed.connection != guest.connection or former.seat_of(guest.player) is not None


def rank(table: Table, process: str) -> int:
    """Say how many processes with players at the table are to try before this one."""
    return sum(other < process for other in table.processes())
