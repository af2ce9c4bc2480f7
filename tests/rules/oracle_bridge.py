"""A second, slow reading of the laws of straight bridge, for comparison with the real one.

Written from the rules' text alone, on the texts of a deal record, with nothing of `rules`: everything is worked out
anew from the whole list of calls and plays at every question.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.rules.oracle_auction_bridge import cards, follow_play, legal_plays, seat_after

Record = Mapping[str, Any]
Options = Mapping[str, object]

SIDES = ("NS", "EW")
VALUES = {"S": 2, "C": 4, "D": 6, "H": 8, "N": 12}


def values(options: Options) -> dict[str, int]:
    royals = options.get("royal_spades")
    return {**VALUES, "R": royals} if isinstance(royals, int) else VALUES


def climb(options: Options, declared: str) -> list[int]:
    """4.2 and the option: the value of a trick undoubled, after one doubling, after two, as far as it may go."""
    limit = options.get("doubling_limit", "cap_100")
    steps = [values(options)[declared]]
    while True:
        value = steps[-1]
        if limit == "cap_100":
            if value == 100:
                return steps
            steps.append(min(2 * value, 100))
        elif limit == "not_over_100":
            if 2 * value > 100:
                return steps
            steps.append(2 * value)
        else:
            if value > {"stop_after_100": 100, "stop_after_200": 200}.get(str(limit), 10**9):
                return steps
            steps.append(2 * value)


def declared(dealer: str, calls: Sequence[str]) -> tuple[str, str] | None:
    """3: who named the trumps, and which."""
    if not calls or list(calls) == ["L"]:
        return None
    return (seat_after(dealer, 2), calls[1]) if calls[0] == "L" else (dealer, calls[0])


def speakers(dealer: str, calls: Sequence[str]) -> list[str]:
    """4.1: who has made each call, and at the end who is to speak, if there is anything left to say."""
    made = declared(dealer, calls)
    if made is None:
        return [dealer, seat_after(dealer, 2)][: len(calls) + 1]
    spoken = [dealer] if calls[0] != "L" else [dealer, seat_after(dealer, 2)]
    # The first right of each side: eldest hand of the adversaries, the maker of the declaration of the dealer's side.
    first_right = [seat_after(dealer, 1), made[0]]
    speaking, turn = 0, first_right[0]
    for call in calls[len(spoken) :]:
        spoken.append(turn)
        if call == "X":
            first_right[speaking] = turn
            speaking = 1 - speaking
            turn = first_right[speaking]
        else:
            turn = seat_after(turn, 2)
    return [*spoken, turn]


def doubling_over(options: Options, dealer: str, calls: Sequence[str]) -> bool:
    made = declared(dealer, calls)
    if made is None:
        return False
    return list(calls[-2:]) == ["P", "P"] or calls.count("X") == len(climb(options, made[1])) - 1


def is_played(record: Record, calls: Sequence[str]) -> bool:
    made = declared(record["dealer"], calls)
    below = record["before"]["below"].values()
    convention = record["options"].get("spade_convention", "off") != "off"
    return not (convention and made is not None and made[1] == "S" and "X" not in calls and all(b < 20 for b in below))


def trump(denomination: str) -> str:
    return {"R": "S", "N": ""}.get(denomination, denomination)


def legal(record: Record, done: int) -> set[str]:
    """What may be done after so many calls and cards of a record."""
    options, dealer = record["options"], record["dealer"]
    calls, plays = record["calls"][:done], record["plays"][: max(0, done - len(record["calls"]))]
    if not doubling_over(options, dealer, calls):
        if declared(dealer, calls) is not None:
            return {"P", "X"}
        return set(values(options)) | (set() if calls else {"L"})
    made = declared(dealer, calls)
    if made is None or not is_played(record, calls) or len(plays) == 52:
        return set()
    hands = {seat: cards(hand) for seat, hand in record["hands"].items()}
    return legal_plays(hands, seat_after(dealer, 1), trump(made[1]), plays)


def to_speak(record: Record, done: int) -> str:
    """Who is to declare or to speak about doubling after so many calls."""
    return speakers(record["dealer"], record["calls"][:done])[-1]


def end(record: Record) -> tuple[dict[str, dict[str, int]], str | None, str]:
    """Return the sheet after a deal that has been finished, who has won the rubber, and who deals next."""
    before = record["before"]
    below, above = score(record)
    below = {side: below[side] + before["below"][side] for side in SIDES}
    above = {side: above[side] + before["above"][side] for side in SIDES}
    games, rubber = dict(before["games"]), None
    for side in SIDES:
        if below[side] >= 30:
            games[side] += 1
            above = {each: above[each] + below[each] for each in SIDES}
            below = dict.fromkeys(SIDES, 0)
            if games[side] == 2:
                rubber = side
                above[side] += 100
    return {"below": below, "above": above, "games": games}, rubber, seat_after(record["dealer"], 1)


def score(record: Record) -> tuple[dict[str, int], dict[str, int]]:
    """6.5, and the options."""
    options, dealer, calls = record["options"], record["dealer"], record["calls"]
    below, above = dict.fromkeys(SIDES, 0), dict.fromkeys(SIDES, 0)
    made = declared(dealer, calls)
    assert made is not None
    if not is_played(record, calls):
        side = "NS" if dealer in "NS" else "EW"
        below[side] = 2
        above[side] = 4 if options["spade_convention"] == "two_and_four" else 0
        return below, above
    winners, _ = follow_play(seat_after(dealer, 1), trump(made[1]), record["plays"])
    value = climb(options, made[1])[calls.count("X")]
    hands = {seat: cards(hand) for seat, hand in record["hands"].items()}
    held = honours(options, made[1], hands)
    for side in SIDES:
        taken = sum(seat in side for seat in winners)
        below[side] = max(0, taken - 6) * value
        above[side] = {12: 20, 13: 40}.get(taken, 0) + held[side]
    return below, above


def honours(options: Options, denomination: str, hands: Mapping[str, set[str]]) -> dict[str, int]:
    """6.2, 6.3 and the option `chicane`."""
    suit, rate = trump(denomination), values(options)[denomination]
    points = dict.fromkeys(SIDES, 0)
    if not suit:
        for side in SIDES:
            held = sorted(sum(each + "A" in hands[seat] for each in "SHDC") for seat in side)
            points[side] = {3: 30, 4: 100 if held == [0, 4] else 40}.get(sum(held), 0)
        return points
    for side in SIDES:
        held = sorted(sum(suit + rank in hands[seat] for rank in "AKQJT") for seat in side)
        jointly = {3: 2, 4: 4, 5: 5}.get(sum(held), 0)
        points[side] = rate * (jointly + (held[1] if held[1] >= 4 else 0))
    void = {side: sum(not any(card[0] == suit for card in hands[seat]) for seat in side) for side in SIDES}
    scoring = [side for side in SIDES if points[side]]
    for side in SIDES:
        match options.get("chicane", "add"), void[side]:
            case "add", count:
                points[side] += 2 * rate * count
            case "american", 1:
                points[scoring[0]] += 2 * rate if side in scoring else -2 * rate
            case "american", 2:
                points[scoring[0]] -= 4 * rate
    return points
