"""Rubbers in a row: who deals first, who sits where, and the ledger of the players."""

from collections.abc import Mapping, Sequence

from rules.cards import PACK_52, Rank, Suit
from rules.game import AnyGame
from rules.scoresheet import Standing
from rules.seats import Seat
from rules.shuffle import drawn, shuffled

# In the draw only: the ace is low, and of equal ranks hearts are lowest (Law 14 and 19).
_CUT_SUITS = (Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES)


def first_dealer(game: AnyGame, seed: bytes) -> tuple[tuple[Seat, ...], Seat]:
    """Settle who sits where and who deals first in a rubber or game, by the option `first_dealer`.

    Returns the new seat for each old one, as the players move, and the dealer's new seat. `random` and `fixed` move
    nobody. `cut` draws a card for each player: at a table of four the two lowest are partners against the two
    highest; the lowest keeps his seat and deals.
    """
    seats = tuple(game.seats)
    match game.options["first_dealer"]:
        case "fixed":
            return seats, 0
        case "random":
            return seats, drawn(len(seats), seed)
        case _:
            return _cut(seats, seed)


def _cut(seats: tuple[Seat, ...], seed: bytes) -> tuple[tuple[Seat, ...], Seat]:
    cards = shuffled(PACK_52, seed)[: len(seats)]
    low_to_high = sorted(
        seats,
        key=lambda seat: (
            1 if cards[seat].rank is Rank.ACE else cards[seat].rank,
            _CUT_SUITS.index(cards[seat].suit or Suit.SPADES),
        ),
    )
    dealer = low_to_high[0]
    if len(seats) != 4:
        return seats, dealer
    opposite = (dealer + 2) % 4
    # The second lowest comes opposite; the other two keep their order, clockwise from the dealer.
    others = sorted(low_to_high[2:], key=lambda seat: (seat - dealer) % 4)
    moved = {dealer: dealer, low_to_high[1]: opposite, others[0]: (dealer + 1) % 4, others[1]: (dealer + 3) % 4}
    return tuple(moved[seat] for seat in seats), dealer


def totals(game: AnyGame, standing: Standing) -> tuple[int, ...]:
    """Return each side's final total: all its points, bonuses included, in the order of the sides."""
    columns = [standing.columns[name] for name in standing.columns if name != "games"]
    return tuple(sum(column[side] for column in columns) for side in range(len(game.sides)))


def settle(
    ledger: Mapping[str, int], game: AnyGame, standing: Standing, players: Sequence[str | None]
) -> dict[str, int]:
    """Return the ledger after a rubber: each player adds his side's lead over every other side, or what it is behind.

    `players` are those in the seats, None for a bot. Of two sides, both players of one add the difference of the totals
    that both of the other subtract.
    """
    points = totals(game, standing)
    settled = dict(ledger)
    for side, own in enumerate(points):
        lead = sum(own - other for other in points)
        for player in (players[seat] for seat in game.sides[side].seats):
            if player is not None:
                settled[player] = settled.get(player, 0) + lead
    return settled
