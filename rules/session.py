"""Rubbers in a row: who deals first, who sits where, and the ledger of the players."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from rules.cards import PACK_52, Card, Rank, Suit
from rules.game import AnyGame
from rules.options import Options
from rules.registry import family
from rules.scoresheet import Standing
from rules.seats import Seat
from rules.shuffle import drawn, shuffled

# In the draw only: the ace is low, and of equal ranks hearts are lowest (Law 14 and 19).
_CUT_SUITS = (Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES)


def first_dealer(game: AnyGame, seed: bytes) -> tuple[tuple[Seat, ...], Seat]:
    """Settle who sits where and who deals first in a rubber or game, by the option `first_dealer`.

    Returns the new seat for each old one, as the players move, and the dealer's new seat. `random` and `fixed` move
    nobody. `cut` draws a card for each player: at a table of four the two lowest are partners against the two
    highest; the lowest keeps his seat and deals, or the highest by the option `draw`. Cards of one rank count by their
    suits; where the laws cut again instead, as Bridge's do, the chances are the same, and nobody sees the cards. In a
    game that ranks the cut by itself (`Family.rank_in_cut`) the lowest card deals and nobody moves.
    """
    seats = tuple(game.seats)
    match game.options["first_dealer"]:
        case "fixed":
            return seats, 0
        case "random":
            return seats, drawn(len(seats), seed)
        case _:
            rank = family(game.name).rank_in_cut
            if rank is not None:
                return seats, _lowest(game, rank, seed)
            cards = shuffled(PACK_52, seed)[: len(seats)]
            return cut(cards, highest_deals=game.options.get("draw") == "highest_deals")


def _lowest(game: AnyGame, rank: Callable[[Card], int], seed: bytes) -> Seat:
    """Draw a card of the game's own pack for each player; the lowest draw again, from the whole pack, while equal."""
    tied = tuple(game.seats)
    while len(tied) > 1:
        drawn_by = {seat: rank(card) for seat, card in zip(tied, shuffled(game.deck, seed), strict=False)}
        tied = tuple(seat for seat in tied if drawn_by[seat] == min(drawn_by.values()))
        seed = sha256(seed).digest()
    return tied[0]


def cut(cards: Sequence[Card], *, highest_deals: bool = False) -> tuple[tuple[Seat, ...], Seat]:
    """Settle the same by the cards that the seats have drawn."""
    seats = tuple(range(len(cards)))
    first_to_last = sorted(
        seats,
        key=lambda seat: (
            1 if cards[seat].rank is Rank.ACE else cards[seat].rank,
            _CUT_SUITS.index(cards[seat].suit or Suit.SPADES),
        ),
        reverse=highest_deals,
    )
    dealer = first_to_last[0]
    if len(seats) != 4:
        return seats, dealer
    opposite = (dealer + 2) % 4
    # The second comes opposite; the other two keep their order, clockwise from the dealer.
    others = sorted(first_to_last[2:], key=lambda seat: (seat - dealer) % 4)
    moved = {dealer: dealer, first_to_last[1]: opposite, others[0]: (dealer + 1) % 4, others[1]: (dealer + 3) % 4}
    return tuple(moved[seat] for seat in seats), dealer


RUBBERS = {"one_rubber": 1, "three_rubbers": 3}
"""How many rubbers make a session, by the option `session`."""


def rubbers_of(options: Options) -> int:
    """Return how many rubbers make a session by these options, as a game or a table tells them.

    A table leaves out those at their default; one of a later server may tell of a session that is not known here, which
    counts as one rubber.
    """
    return RUBBERS.get(str(options.get("session")), 1)


def session_goes_on(game: AnyGame, rubber: int) -> bool:
    """Say whether a session goes on after a rubber; `rubber` counts from 1 over all sessions of a table."""
    return rubber % rubbers_of(game.options) != 0


def after_rubber(game: AnyGame, rubber: int, pivot: Seat, next_dealer: Seat) -> tuple[tuple[Seat, ...], Seat] | None:
    """Settle who sits where and who deals first in the next rubber of a session; None if the session is over.

    `rubber` is the number of the one that is over, counted from 1 over all sessions of the table; `pivot` is the seat
    whose player dealt first in the session; `next_dealer` is that of the rubber's last result, for the deal simply goes
    on. Returns the new seat for each old one, as the players move, and the seat that deals, whoever now sits there.

    The pivot keeps his seat; the player on his left goes to his right, the one on his right goes opposite, the one
    opposite to his left: in three rubbers each has each of the others as partner (Foster, Pivot Bridge).
    """
    if not session_goes_on(game, rubber):
        return None
    assert len(game.seats) == 4, "partners change at a table of four"
    moved = {pivot: pivot}
    for steps, to in ((1, 3), (2, 1), (3, 2)):
        moved[game.seats.left(pivot, steps)] = game.seats.left(pivot, to)
    return tuple(moved[seat] for seat in game.seats), next_dealer


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
