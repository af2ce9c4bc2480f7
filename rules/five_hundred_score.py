"""What a deal of Five Hundred scores, and who has won the game with it.

Source: *Hoyle's Games Modernized*, chapter Five Hundred; docs/rules/five_hundred.md, sections 7 and 8.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rules.calls import Bid, Call, Denomination, Word
from rules.options import Options
from rules.scoresheet import Line

ACCOUNT = "scores"

STRAINS = (
    Denomination.SPADES,
    Denomination.CLUBS,
    Denomination.DIAMONDS,
    Denomination.HEARTS,
    Denomination.NO_TRUMPS,
)
"""What a bid names, low to high."""

# The Avondale schedule: tricks bid -> spades, clubs, diamonds, hearts, no trumps.
_SCHEDULE = {
    6: (40, 60, 80, 100, 120),
    7: (140, 160, 180, 200, 220),
    8: (240, 260, 280, 300, 320),
    9: (340, 360, 380, 400, 420),
    10: (440, 460, 480, 500, 520),
}

VALUES: Mapping[Call, int] = {
    **{Bid(level, strain): row[place] for level, row in _SCHEDULE.items() for place, strain in enumerate(STRAINS)},
    Word.MISERE: 250,
    Word.OPEN_MISERE: 500,
}
"""What each call is worth as a contract, in points."""

TRICKS = 10
TRICK_POINTS = 10
SLAM_POINTS = 250
CAP = 490

MISERES = (Word.MISERE, Word.OPEN_MISERE)


@dataclass(frozen=True, slots=True)
class ScoreStanding:
    """A game so far: the total of each side, which may be below nought."""

    scores: tuple[int, ...]

    @property
    def columns(self) -> Mapping[str, tuple[int, ...]]:
        return {"scores": self.scores}


@dataclass(frozen=True)
class Reckoning:
    """What the score of a deal depends on.

    `bidding` are the sides that share the contract, the bidder's first, then those of the partners he has called,
    clockwise; nobody where all passed. `takers` are the sides that won the tricks, in order; `before` the totals.
    """

    options: Options
    contract: Call | None
    bidding: tuple[int, ...]
    takers: Sequence[int]
    before: tuple[int, ...]

    @cached_property
    def made(self) -> bool:
        """Whether the contract is made. A misère is, if its side takes no trick: the bidder's partners sit out."""
        won = sum(taker in self.bidding for taker in self.takers)
        if isinstance(self.contract, Bid):
            return won >= self.contract.level
        return self.contract in MISERES and won == 0

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The score of the deal, in points."""
        return (*(line for side in self.bidding for line in self._contract(side)), *self._tricks())

    def _contract(self, side: int) -> list[Line]:
        call = self.contract
        assert call is not None, "a side has the contract"
        value = VALUES[call]
        if not self.made:
            return [Line(side, ACCOUNT, -value, "lost", f"{call} lost {-value}")]
        lines = [Line(side, ACCOUNT, value, "contract", f"{call} made {value}")]
        all_ten = isinstance(call, Bid) and sum(taker in self.bidding for taker in self.takers) == TRICKS
        if all_ten and value < SLAM_POINTS and self.options["slam_250"] == "on":
            rest = SLAM_POINTS - value
            lines.append(Line(side, ACCOUNT, rest, "slam", f"all ten tricks {rest} to make {SLAM_POINTS}"))
        return lines

    def _tricks(self) -> list[Line]:
        """Score ten for each trick of those who have not bid; where nobody has, of all."""
        if self.contract in MISERES and not self.options["misere_defenders_score"]:
            return []
        won = {side: self.takers.count(side) for side in range(len(self.before)) if side not in self.bidding}
        return [self._for_tricks(side, count) for side, count in won.items() if count]

    def _for_tricks(self, side: int, count: int) -> Line:
        points, words = count * TRICK_POINTS, f"tricks {count} × {TRICK_POINTS}"
        if self.options["defender_cap_490"] == "on" and self.before[side] + points > CAP:
            points, words = max(0, CAP - self.before[side]), f"{words}, to no more than {CAP}"
        return Line(side, ACCOUNT, points, "tricks", words)

    # --- the end of the game

    @cached_property
    def after(self) -> tuple[int, ...]:
        """The totals with this deal."""
        totals = list(self.before)
        for line in self.lines:
            totals[line.side] += line.points
        return tuple(totals)

    @property
    def winner(self) -> int | None:
        """The side that has won the game, None while it goes on: first by the target, then by the back door."""
        target = int(self.options["target"])
        able: Sequence[int] = range(len(self.before))
        if self.options["win_requires_contract"]:
            able = self.bidding if self.made else ()
        there = [side for side in able if self.after[side] >= target]
        return self._first(there, target) if there else self._by_the_back_door()

    def _first(self, there: Sequence[int], target: int) -> int:
        """Return who wins of those at the target: the bidder, else a partner of his, else who was there first."""
        # Two partners: the higher total, then the nearer clockwise from the bidder (max keeps the first of equals).
        bidding = [side for side in self.bidding if side in there]
        if bidding:
            return bidding[0] if bidding[0] == self.bidding[0] else max(bidding, key=lambda side: self.after[side])
        totals = list(self.before)
        for side in self.takers:
            totals[side] += TRICK_POINTS
            if side in there and totals[side] >= target:
                return side
        raise AssertionError(f"none of {there} has come to {target} by tricks")

    def _by_the_back_door(self) -> int | None:
        """Return the other of two sides where one has sunk to the limit."""
        limit = self.options["back_door"]
        if not isinstance(limit, int):
            return None
        return next((1 - side for side, total in enumerate(self.after) if total <= limit), None)
