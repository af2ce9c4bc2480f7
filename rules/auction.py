"""The auction as a sequence of calls, shared by every game that has one."""

from collections.abc import Container
from dataclasses import dataclass

from rules.calls import Bid, Call, Denomination, Word
from rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls so far, in order, each with its seat; and what they come to.

    `bid` is the highest bid and `bidder` who made it; `doubling` is 1, 2 or 4; `passes` counts the passes since
    anything else was called.
    """

    calls: tuple[tuple[Seat, Call], ...] = ()
    bid: Bid | None = None
    bidder: Seat | None = None
    doubling: int = 1
    passes: int = 0


NO_CALLS = Auction()


def called(auction: Auction, seat: Seat, call: Call) -> Auction:
    """Return the auction after one more call, which the game has found legal."""
    calls = (*auction.calls, (seat, call))
    match call:
        case Bid():
            return Auction(calls, call, seat)
        case Word.PASS:
            return Auction(calls, auction.bid, auction.bidder, auction.doubling, auction.passes + 1)
        case Word.DOUBLE | Word.REDOUBLE:
            return Auction(calls, auction.bid, auction.bidder, auction.doubling * 2)
        case _:
            return Auction(calls, auction.bid, auction.bidder, auction.doubling)


def first_to_name(auction: Auction, denomination: Denomination, seats: Container[Seat]) -> Seat:
    """Return who of these seats was first to bid a denomination. Raises ValueError if none did."""
    for seat, call in auction.calls:
        if seat in seats and isinstance(call, Bid) and call.denomination is denomination:
            return seat
    raise ValueError(f"nobody of {seats} has bid {denomination}")
