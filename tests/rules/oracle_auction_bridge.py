"""A second, slow reading of the laws of royal auction bridge, for comparison with the real one.

Written from the rules' text alone, on the texts of a deal record, with nothing of `rules`: everything is worked out
anew from the whole list of calls and plays at every question.
"""

from collections.abc import Mapping, Sequence
from typing import Any

SEATS = "NESW"
RANKS = "23456789TJQKA"
RATE = {"S": 2, "C": 6, "D": 7, "H": 8, "R": 9, "N": 10}
RATE_1908 = {"S": 2, "C": 4, "D": 6, "H": 8, "N": 12}

Options = Mapping[str, object]


def rates(options: Options) -> dict[str, int]:
    table = dict(RATE_1908 if options.get("count") == "1908" else RATE)
    if options.get("nullos") == "on":
        table["Z"] = 10
    if options.get("dealer_may_pass"):
        del table["S"]
    return table


def outranks(options: Options, bid: str, last: str) -> bool:
    """3.2: higher value; or equal value and more tricks. Nullos stand just below no trump of the same number."""
    table = rates(options)
    value, last_value = int(bid[0]) * table[bid[1]], int(last[0]) * table[last[1]]
    if value != last_value:
        return value > last_value
    if bid[0] != last[0]:
        return bid[0] > last[0]
    return (last[1], bid[1]) == ("Z", "N")


def seat_after(dealer: str, steps: int) -> str:
    return SEATS[(SEATS.index(dealer) + steps) % 4]


def partners(one: str, other: str) -> bool:
    return {one, other} in ({"N", "S"}, {"E", "W"})


def auction_over(calls: Sequence[str]) -> bool:
    if any(call not in ("P", "X", "XX") for call in calls):
        return list(calls[-3:]) == ["P"] * 3
    return len(calls) == 4


def legal_calls(options: Options, dealer: str, calls: Sequence[str]) -> set[str]:
    """3.3, the table of legal calls."""
    me = seat_after(dealer, len(calls))
    bids = [(place, call) for place, call in enumerate(calls) if call[0].isdigit()]
    every = {f"{level}{name}" for level in range(1, 8) for name in rates(options)}
    if not bids:
        return every | ({"P"} if calls or options.get("dealer_may_pass") else set())
    place, last = bids[-1]
    legal = {"P"} | {bid for bid in every if outranks(options, bid, last)}
    since = [call for call in calls[place:] if call in ("X", "XX")]
    mine = me == seat_after(dealer, place) or partners(me, seat_after(dealer, place))
    if since == [] and not mine:
        legal.add("X")
    if since == ["X"] and mine:
        legal.add("XX")
    return legal


def contract(dealer: str, calls: Sequence[str]) -> tuple[str, int, str] | None:
    """3.4: the last bid, how often it counts, and who named its denomination first on that side."""
    bids = [(seat_after(dealer, place), call) for place, call in enumerate(calls) if call[0].isdigit()]
    if not bids:
        return None
    last_seat, last = bids[-1]
    tail = calls[len(calls) - list(reversed(calls)).index(last) :]
    times = 2 ** sum(call in ("X", "XX") for call in tail)
    side = [seat for seat in SEATS if seat == last_seat or partners(seat, last_seat)]
    declarer = next(seat for seat, bid in bids if seat in side and bid[1] == last[1])
    return last, times, declarer


def trump(bid: str) -> str:
    return {"R": "S", "N": "", "Z": ""}.get(bid[1], bid[1])


def follow_play(leader: str, trumps: str, plays: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the winner of every complete trick and whose hand played each card."""
    winners: list[str] = []
    by: list[str] = []
    for start in range(0, len(plays), 4):
        trick = plays[start : start + 4]
        by += [seat_after(leader, place) for place in range(len(trick))]
        if len(trick) == 4:
            contenders = [card for card in trick if card[0] == trumps] or [c for c in trick if c[0] == trick[0][0]]
            best = max(contenders, key=lambda card: RANKS.index(card[1]))
            leader = seat_after(leader, trick.index(best))
            winners.append(leader)
    return winners, by


def legal_plays(hands: Mapping[str, set[str]], leader: str, trumps: str, plays: Sequence[str]) -> set[str]:
    """5.2: follow suit if able, else anything."""
    winners, _ = follow_play(leader, trumps, plays)
    on_table = plays[len(winners) * 4 :]
    turn = seat_after(winners[-1] if winners else leader, len(on_table))
    left = hands[turn] - set(plays)
    return {card for card in left if on_table and card[0] == on_table[0][0]} or left


def cards(hand: str) -> set[str]:
    """Read a hand in the text form of a record."""
    return {suit + rank for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks}


def score(
    options: Options, dealer: str, hands: Mapping[str, str], calls: Sequence[str], plays: Sequence[str]
) -> dict[str, list[int]]:
    """6: below and above the line of each side, without the points for the rubber."""
    sheet = {"NS": [0, 0], "EW": [0, 0]}
    final = contract(dealer, calls)
    if final is None:
        return sheet
    bid, times, declarer = final
    own, other = ("NS", "EW") if declarer in "NS" else ("EW", "NS")
    winners, _ = follow_play(seat_after(declarer, 1), trump(bid), plays)
    won = sum(winner in own for winner in winners)
    level, rate = int(bid[0]), rates(options)[bid[1]]
    towards = 13 - won if bid[1] == "Z" else won
    over = towards - level - 6
    if over >= 0:
        sheet[own][0] = (towards - 6) * rate * times
        sheet[own][1] += {1: 0, 2: 50, 4: 100}[times] * (1 + over)
    else:
        loss = 50 * times * -over
        if bid == "1S" and [call for call in calls if call[0].isdigit()] == ["1S"] and calls[0] == "1S":
            limited = {"off": False, "always": True}.get(str(options.get("one_spade_limit")), times < 4)
            loss = min(loss, 100) if limited else loss
        sheet[other][1] += loss
    if bid[1] == "Z":
        return sheet
    slams = {12: 50, 13: 100} if options.get("slams") == "english" else {12: 20, 13: 40}
    strict = options.get("failed_seven_little_slam") is False and level == 7 and won == 12
    if not strict:
        sheet[own][1] += slams.get(won, 0)
    sheet[other][1] += slams.get(13 - won, 0)
    for side, points in honours(options, bid, rate, {seat: cards(hand) for seat, hand in hands.items()}).items():
        sheet[side][1] += points
    return sheet


def honours(options: Options, bid: str, rate: int, hands: Mapping[str, set[str]]) -> dict[str, int]:
    """6.3 and the option `chicane`."""
    trumps = trump(bid)
    points = {"NS": 0, "EW": 0}
    for side in points:
        if not trumps:
            one, other = sorted(sum(f"{suit}A" in hands[seat] for suit in "SHDC") for seat in side)
            points[side] = {3: 30, 4: 100 if other == 4 else 40}.get(one + other, 0)
            continue
        one, other = sorted(sum(trumps + rank in hands[seat] for rank in "AKQJT") for seat in side)
        multiple = {
            (0, 3): 2, (1, 2): 2, (1, 3): 4, (2, 2): 4, (0, 4): 8, (2, 3): 5, (1, 4): 9, (0, 5): 10,
        }.get((one, other), 0)  # fmt: skip
        points[side] = multiple * rate
    scorer = next((side for side in points if points[side]), None)
    void = {side: sum(all(card[0] != trumps for card in hands[seat]) for seat in side) for side in points}
    if trumps and options.get("chicane") == "1908":
        points = {side: points[side] + 2 * rate * void[side] for side in points}
    if trumps and options.get("chicane") == "1912" and scorer is not None:
        for side in void:
            points[scorer] += 2 * rate * void[side] * (1 if side == scorer else -1)
    return points


def after(
    before: Mapping[str, Mapping[str, int]], added: Mapping[str, list[int]]
) -> tuple[dict[str, dict[str, int]], str | None]:
    """7: the sheet for the next deal, and who has won the rubber."""
    below = {side: before["below"][side] + added[side][0] for side in added}
    above = {side: before["above"][side] + added[side][1] for side in added}
    games = dict(before["games"])
    rubber = None
    for side in added:
        if below[side] >= 30:
            games[side] += 1
            above = {each: above[each] + below[each] for each in added}
            below = dict.fromkeys(added, 0)
            if games[side] == 2:
                above[side] += 250
                rubber = side
            break
    return {"below": below, "above": above, "games": games}, rubber


def legal(record: Mapping[str, Any], done: int) -> set[str]:
    """What may be done after so many calls and cards of a record."""
    calls, plays = record["calls"][:done], record["plays"][: max(0, done - len(record["calls"]))]
    if not auction_over(calls):
        return legal_calls(record["options"], record["dealer"], calls)
    final = contract(record["dealer"], calls)
    if final is None or len(plays) == 52:
        return set()
    bid, _, declarer = final
    hands = {seat: cards(hand) for seat, hand in record["hands"].items()}
    return legal_plays(hands, seat_after(declarer, 1), trump(bid), plays)


def end(record: Mapping[str, Any]) -> tuple[dict[str, dict[str, int]], str | None, str]:
    """Return the sheet after a deal that has been finished, who has won the rubber, and who deals next."""
    added = score(record["options"], record["dealer"], record["hands"], record["calls"], record["plays"])
    sheet, winner = after(record["before"], added)
    return sheet, winner, seat_after(record["dealer"], 1)
