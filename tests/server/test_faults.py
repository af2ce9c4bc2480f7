"""Several processes, players who do anything, a store that fails at random: each command has one true answer."""

from random import Random

import pytest

from protocol import messages as m
from server import entries as d
from server.decide import Refusal
from server.store import LookAgain
from tests.server.house import FakeGuest, House, some_turns, until
from tests.server.memory_store import Fault, MemoryWorld
from tests.server.rig import PLAYERS, SEATS, digest, refold, to_act, turn_command


def some_command(house: House, player: str, rng: Random) -> m.Command:
    """Return anything but to stand up: who owns no seat when his connection is lost is forgotten, and his commands."""
    id, table = house.next_id(player), house.table
    if table.stage == "playing" and rng.random() < 0.8:
        return turn_command(table, id, rng)
    return rng.choice(
        [
            m.TakeSeat(id, rng.choice(SEATS)),
            m.SetName(id, rng.choice(["A", "B"])),
            m.SeatBot(id, rng.choice(SEATS)),
            m.RemoveBot(id, rng.choice(SEATS)),
            *[m.Ready(id, table.deals + 1)] * 4,
        ]
    )


def trouble(house: House, rng: Random) -> None:
    """Let something happen to the store, or to what is heard of it."""
    match rng.randrange(12):
        case 0 | 1:
            house.store.faults.extend(rng.choices(list(Fault), k=rng.randrange(1, 4)))
        case 2:
            house.store.away = True
        case 6 | 7 | 8:
            house.store.away = False
        case 3:
            house.world.watchers["t"] = rng.sample(house.world.watchers["t"], len(house.world.watchers["t"]))
        case 4:
            house.open.wake(LookAgain())
        case 5:
            house.world.seconds += rng.choice([0.01, 70.0])


async def come_and_go(house: House, guests: dict[str, FakeGuest], rng: Random) -> None:
    player = rng.choice(PLAYERS)
    guest = guests.pop(player, None)
    if guest is not None:
        house.open.dismiss(guest)
        await house.open.leave(guest, "lost")
    guests[player], _ = house.arrive(player, rng.choice([(0, ""), (house.table.head.number, house.table.head.id)]))


def player_for(house: House, rng: Random) -> str:
    if house.table.stage == "playing" and rng.random() < 0.7:
        player = to_act(house.table)
        if player is not None:
            return player
    return rng.choice(PLAYERS)


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_fails_every_command_has_one_true_answer(seed: int) -> None:
    rng, world = Random(seed), MemoryWorld()
    houses = [await House.start(world, "p1"), await House.start(world, "p2")]
    guests: dict[str, dict[str, FakeGuest]] = {house.process: {} for house in houses}
    guests["p1"] = {guest.player: guest for guest in await houses[0].four()}
    for _ in range(250):
        house = rng.choice(houses)
        if rng.random() < 0.1:
            await come_and_go(house, guests[house.process], rng)
        if rng.random() < 0.15:
            trouble(house, rng)
        player = player_for(house, rng)
        command = some_command(house, player, rng)
        house.send(player, command)
        if rng.random() < 0.1:
            rng.choice(houses).send(player, command)
        await some_turns(rng.randrange(12))
    for house in houses:
        house.store.away = False
        house.store.faults.clear()
    await until(lambda: all(house.all_answered for house in houses))
    world.tell_all_to_look_again()
    await until(lambda: all(house.table.head == world.logs["t"][-1].head for house in houses))
    await some_turns(200)
    check(world, houses, seed)
    for house in houses:
        await house.close()


def check(world: MemoryWorld, houses: list[House], seed: int) -> None:
    log = [(stored.number, d.decode(stored.data)) for stored in world.logs["t"]]
    done = {(one.by, one.command): number for number, one in log if one.command}
    assert len(done) == sum(one.command > 0 for _, one in log), f"seed {seed}: a command was done twice"
    accepted = 0
    for house in houses:
        assert house.all_answered and {key: len(given) for key, given in house.answers.items()} == house.sent
        for (player, id), answers in house.answers.items():
            for answer in answers:
                if not isinstance(answer, Refusal):
                    accepted += 1
                    assert done.get((player, id)) == answer, f"seed {seed}: {player} {id} {answers}"
    assert accepted > 40, f"seed {seed}: {accepted} only"
    expected = digest(refold("t", world.logs["t"]))
    assert [digest(house.table) for house in houses] == [expected, expected], f"seed {seed}"
    for house in houses:
        for player, member in house.table.members.items():
            assert member.connection is None or house.table.present(player)
