"""The tables of a run: every game that there is, some with bots, each with its players at its seats."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random

from protocol import messages as m
from rules.registry import GAMES
from tests.faults.notes import World
from tests.faults.player import Player

LOOK_S = 0.02


class Seated:
    """A table with its players; the other seats are played by bots."""

    def __init__(self, number: int, game: str, seats: int, players: Sequence[Player]) -> None:
        self.number, self.game, self.seats, self.players = number, game, seats, players

    @property
    def id(self) -> str:
        return self.players[0].notes.table

    async def sit_down(self) -> None:
        """Make the table and take the seats, before there is any trouble."""
        first = self.players[0]
        await ask(first, m.CreateTable(0, self.game, self.seats))
        for player in self.players:
            await player.client.join(self.id)
        await until(lambda: all(player.view is not None and player.there for player in self.players))
        assert first.view is not None
        names = [part.seat for part in first.view.seats]
        for seat, player in zip(names, self.players, strict=False):
            await ask(player, m.TakeSeat(0, seat))
        for seat in names[len(self.players) :]:
            await ask(first, m.SeatBot(0, seat))


def seated(number: int, urls: Callable[[], Sequence[str]], world: World, rng: Random) -> Seated:
    """Return the n-th table of a run, not yet made."""
    family = list(GAMES.values())[number % len(GAMES)]
    seats = rng.choice(family.players)
    humans = rng.randrange(1, seats) if number % 3 == 2 else seats
    players = [
        Player(
            f"P{number}-{place}",
            urls,
            world,
            Random(rng.getrandbits(64)),
            linked=(number + place) % 3 == 0,
            ends=number % 9 == 4,
        )
        for place in range(humans)
    ]
    return Seated(number, family.name, seats, players)


async def ask(player: Player, command: m.Command) -> None:
    answer = await player.do(command)
    assert isinstance(answer, m.Accepted), f"{player.name} asked for {command}: {answer}"


async def until(condition: Callable[[], bool], within_s: float = 30.0) -> None:
    """Wait until something is so. Raises TimeoutError."""
    for _ in range(int(within_s / LOOK_S)):
        if condition():
            return
        await asyncio.sleep(LOOK_S)
    raise TimeoutError
