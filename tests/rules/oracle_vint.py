"""A second, slow reading of the laws of Vint, for comparison with the real one.

Written from the rules' text alone, on the texts of a deal record, with nothing of `rules`: everything is worked out
anew from the whole list of calls and plays at every question.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.rules.oracle_auction_bridge import cards, follow_play, legal_plays, seat_after

Record = Mapping[str, Any]

SIDES = ("NS", "EW")
ORDER = "SCDHN"
RANKS = "23456789TJQKA"


def rank(bid: str) -> int:
    """3: the number of a bid among the 35."""
    return 5 * (int(bid[0]) - 1) + ORDER.index(bid[1])


def ending(options: Mapping[str, object]) -> int:
    return {"eight_passes": 8, "twelve_passes": 12}.get(str(options.get("auction_end")), 3)


def auction_over(options: Mapping[str, object], calls: Sequence[str]) -> bool:
    needed = ending(options)
    if all(call == "P" for call in calls):
        return len(calls) == (4 if needed == 3 else needed)
    return list(calls[-needed:]) == ["P"] * needed


def legal_calls(calls: Sequence[str]) -> set[str]:
    bids = [call for call in calls if call != "P"]
    every = {f"{level}{name}" for level in range(1, 8) for name in ORDER}
    return {"P"} | {bid for bid in every if not bids or rank(bid) > rank(bids[-1])}


def last_bid(record: Record, calls: Sequence[str]) -> tuple[str, str] | None:
    """Return the bid and the bidder."""
    places = [place for place, call in enumerate(calls) if call != "P"]
    return (calls[places[-1]], seat_after(record["dealer"], places[-1])) if places else None


def trump(bid: str) -> str:
    return "" if bid[1] == "N" else bid[1]


def legal(record: Record, done: int) -> set[str]:
    """What may be done after so many calls and cards of a record."""
    calls, plays = record["calls"][:done], record["plays"][: max(0, done - len(record["calls"]))]
    if not auction_over(record["options"], calls):
        return legal_calls(calls)
    final = last_bid(record, calls)
    if final is None or len(plays) == 52:
        return set()
    bid, bidder = final
    hands = {seat: cards(hand) for seat, hand in record["hands"].items()}
    return legal_plays(hands, seat_after(bidder, 1), trump(bid), plays)


def end(record: Record) -> tuple[dict[str, dict[str, int]], str | None, str]:
    """Return the sheet after a deal that has been finished, who has won the rubber or single game, and who deals."""
    options, before = record["options"], record["before"]
    final = last_bid(record, record["calls"])
    if final is None:
        stays = options.get("all_pass") == "same_dealer"
        return before, None, record["dealer"] if stays else seat_after(record["dealer"], 1)
    bid, bidder = final
    winners, _ = follow_play(seat_after(bidder, 1), trump(bid), record["plays"])
    order = [next(side for side in SIDES if seat in side) for seat in winners]
    below, above, games = ({side: before[column][side] for side in SIDES} for column in ("below", "above", "games"))
    for side, added in scored_above(record, bid, bidder, order).items():
        above[side] += added
    game = None
    for side in order:
        below[side] += 10 * int(bid[0])
        if game is None and below[side] >= 500:
            game = side
    won = None
    if game is not None:
        games[game] += 1
        above = {side: above[side] + below[side] for side in SIDES}
        below = dict.fromkeys(SIDES, 0)
        above[game] += 1000
        single = options.get("match") == "single_game"
        won = game if single or games[game] == 2 else None
        if won and not single:
            above[game] += 2000
    return {"below": below, "above": above, "games": games}, won, seat_after(record["dealer"], 1)


def scored_above(record: Record, bid: str, bidder: str, order: Sequence[str]) -> dict[str, int]:
    """5.3 to 5.6: penalty, slams, honours, coronets."""
    options, level = record["options"], int(bid[0])
    hands = {seat: cards(hand) for seat, hand in record["hands"].items()}
    own, other = ("NS", "EW") if bidder in "NS" else ("EW", "NS")
    taken = {side: order.count(side) for side in SIDES}
    above = dict.fromkeys(SIDES, 0)
    short = 6 + level - taken[own]
    if short > 0:
        above[other] += short * 100 * 10 * level
    for side in SIDES:
        above[side] += {12: 1000, 13: 2000}.get(taken[side], 0)
    if level >= 6:
        prize = 5000 if level == 6 else 10000
        if short <= 0:
            above[own] += prize
        elif options.get("failed_slam") is True:
            above[other] += prize
    for side, points in honours(options, bid, hands, taken).items():
        above[side] += points
    if options.get("coronets") is not False:
        for seat, hand in hands.items():
            above["NS" if seat in "NS" else "EW"] += coronets(hand, trump(bid))
    return above


def honours(
    options: Mapping[str, object], bid: str, hands: Mapping[str, set[str]], taken: Mapping[str, int]
) -> dict[str, int]:
    """5.5, worked out from every possible answer to: who counts the trump honours, who the aces?"""
    value = 10 * int(bid[0])
    aces = {side: sum(suit + "A" in hands[seat] for seat in side for suit in "SHDC") for side in SIDES}
    points = dict.fromkeys(SIDES, 0)
    if bid[1] == "N":
        return {side: 25 * value * aces[side] if aces[side] >= 3 else 0 for side in SIDES}
    trumps = {side: sum(bid[1] + rank in hands[seat] for seat in side for rank in "AKQJT") for side in SIDES}
    major = next(side for side in SIDES if trumps[side] >= 3)
    rich = next((side for side in SIDES if aces[side] >= 3), None)
    tied = rich is None
    if rich is None:
        rich = next(side for side in SIDES if taken[side] >= 7)
    if options.get("split_majority") == "separate":
        points[major] += trumps[major] * 10 * value
        points[rich] += aces[rich] * 10 * value
        return points
    if tied and rich != major and options.get("tied_aces_lost") == "difference":
        points[major] = (trumps[major] - trumps[rich]) * 10 * value
        return points
    north_south = (trumps[major] if major == "NS" else -trumps[major]) + (aces[rich] if rich == "NS" else -aces[rich])
    points["NS" if north_south > 0 else "EW"] = abs(north_south) * 10 * value
    return points


def coronets(hand: set[str], trumps: str) -> int:
    """5.6, by the windows of three neighbouring ranks."""
    total = 0
    for suit in "SHDC":
        windows = sum(
            all(suit + rank in hand for rank in RANKS[lowest : lowest + 3]) for lowest in range(len(RANKS) - 2)
        )
        total += 500 * windows * (2 if trumps in ("", suit) else 1)
    aces = sum(suit + "A" in hand for suit in "SHDC")
    return total + {3: 500, 4: 1000}.get(aces, 0) * (1 if trumps else 2)
