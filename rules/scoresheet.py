"""Scores as lines with their reasons, and the running sheet of a rubber."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.seats import Seat, Side


class Standing(Protocol):
    """What a deal inherits, such as part scores, games won, totals."""

    @property
    def columns(self) -> Mapping[str, tuple[int, ...]]:
        """Each column by name, with one number for every side in their order."""
        ...


@dataclass(frozen=True, slots=True)
class Line:
    """One entry on the sheet: points of a side in one account, a stable reason and the sum in words."""

    side: int
    account: str
    points: int
    reason: str
    words: str


@dataclass(frozen=True, slots=True)
class Result:
    """A scored deal: its lines, the standing for the next deal, who deals it, and whether the rubber or game is over.

    `winner` is the side that has won the rubber or game, even if it has fewer points; None while it goes on.
    """

    lines: tuple[Line, ...]
    standing: Standing
    next_dealer: Seat
    over: bool
    winner: int | None


@dataclass(frozen=True, slots=True)
class RubberStanding:
    """A rubber so far, by side: points below the line in the game being played, all other points, games won.

    `above` includes the trick points of games already finished, so `below + above` is a side's running total.
    """

    below: tuple[int, ...] = (0, 0)
    above: tuple[int, ...] = (0, 0)
    games: tuple[int, ...] = (0, 0)

    @property
    def columns(self) -> Mapping[str, tuple[int, ...]]:
        return {"below": self.below, "above": self.above, "games": self.games}


def points(lines: Iterable[Line], side: int, account: str) -> int:
    """Return the sum of a side's lines in one account."""
    return sum(line.points for line in lines if line.side == side and line.account == account)


def score_rubber(
    lines: Sequence[Line],
    before: RubberStanding,
    next_dealer: Seat,
    game_points: int,
    rubber_points: int,
    *,
    won_game: int | None = None,
    games_to_win: int = 2,
) -> Result:
    """Enter a deal on the sheet of a rubber: best of three games of so many points below the line, two sides.

    Adds the line for the rubber, if it has points. When a game ends, what is below the line moves above it for both
    sides. `won_game` is for a law by which both sides may reach the game in one deal: the side that was first to.
    Source: Law 4, 10 (Whist Club of New York, 1913); the 1905 code has the same.
    """
    sides = range(len(before.below))
    below = tuple(before.below[side] + points(lines, side, "below") for side in sides)
    above = tuple(before.above[side] + points(lines, side, "above") for side in sides)
    if won_game is None:
        won_game = next((side for side in sides if below[side] >= game_points), None)
    if won_game is None:
        return Result(tuple(lines), RubberStanding(below, above, before.games), next_dealer, over=False, winner=None)
    games = tuple(before.games[side] + (side == won_game) for side in sides)
    over = games[won_game] == games_to_win
    bonus: tuple[Line, ...] = ()
    if over and rubber_points:
        bonus = (Line(won_game, "above", rubber_points, "rubber", f"rubber {rubber_points}"),)
    above = tuple(above[side] + below[side] + points(bonus, side, "above") for side in sides)
    standing = RubberStanding((0,) * len(below), above, games)
    return Result((*lines, *bonus), standing, next_dealer, over, winner=won_game if over else None)


SideNumbers = dict[str, dict[str, int]]


def standing_numbers(standing: Standing, sides: Sequence[Side]) -> SideNumbers:
    """Write a standing as records and messages do: for each column, the number of each side by name."""
    names = [side.name for side in sides]
    return {column: dict(zip(names, numbers, strict=True)) for column, numbers in standing.columns.items()}


def score_numbers(lines: Iterable[Line], sides: Sequence[Side], accounts: Sequence[str]) -> SideNumbers:
    """Write what a deal added: for each side by name, the points in each account."""
    lines = tuple(lines)
    return {
        side.name: {account: points(lines, place, account) for account in accounts} for place, side in enumerate(sides)
    }
