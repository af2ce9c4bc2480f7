"""Clocks that are wrong: the store's own time decides, and nobody waits for hours because a clock has gone back."""

from random import Random

import pytest

from protocol import messages as m
from server.decide import AWAY_S, Refusal, bot_to_act
from server.due import next_due
from tests.server.house import House, house, opened, until, world
from tests.server.memory_store import MemoryWorld
from tests.server.rig import Rig

__all__ = ["house", "opened", "world"]

HOURS_S = 5 * 3600.0


async def away(house: House, world: MemoryWorld) -> None:
    """Let Ann and Bob sit down, and Bob lose his connection."""
    await house.guest("ann")
    bob = await house.guest("bob")
    for player, seat in (("ann", "N"), ("bob", "E")):
        assert isinstance(await house.ask(player, m.TakeSeat(1, seat)), int)
    house.open.dismiss(bob)
    await house.open.leave(bob, "lost")
    await until(lambda: not house.table.present("bob"))


@pytest.mark.parametrize("ahead_s", [-HOURS_S, 0.0, HOURS_S])
async def test_how_long_a_player_is_away_the_store_says(house: House, world: MemoryWorld, ahead_s: float) -> None:
    await away(house, world)
    house.ahead_s = ahead_s
    world.seconds += AWAY_S
    refused = await house.ask("ann", m.SeatBot(2, "E"))
    assert isinstance(refused, Refusal) and refused.code == "seat.player_present"
    world.seconds += 1.0
    assert isinstance(await house.ask("ann", m.SeatBot(2, "E")), int)


async def test_what_depends_on_the_time_is_refused_while_the_store_is_away(house: House, world: MemoryWorld) -> None:
    await away(house, world)
    world.seconds += AWAY_S + 1.0
    house.store.away = True
    refused = await house.ask("ann", m.SeatBot(2, "E"))
    assert isinstance(refused, Refusal) and refused.code == "store.unavailable"
    house.store.away = False
    assert isinstance(await house.ask("ann", m.SeatBot(2, "E")), int)


def test_a_bot_is_not_late_where_a_clock_has_gone_back() -> None:
    rig, rng = Rig(), Random(1)
    rig.sit("ann")
    for seat in ("E", "S", "W"):
        rig.must("ann", m.SeatBot(rig.next_id("ann"), seat))
    rig.agree()
    while bot_to_act(rig.table) is None:
        rig.act(rng)
    acted = rig.table.time
    for now, wait_s in ((acted - HOURS_S, 0.8), (acted, 0.8), (acted + 0.5, 0.3), (acted + HOURS_S, 0.0)):
        due = next_due(rig.table, now, 0.8, lambda: bytes(32))
        assert due is not None and due[1] == pytest.approx(wait_s)
