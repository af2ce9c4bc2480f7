"""Deal records: one deal as one JSON object, in the text forms of cards and calls, written and checked.

Playing one again is `rules.replay`.
"""

from collections.abc import Iterable, Sequence

from rules.actions import Action, CallPartners, Discard, NameJoker, record_list
from rules.cards import Cards, hand_text
from rules.errors import BadRecord
from rules.game import AnyGame
from rules.options import differing
from rules.quotation import quoted
from rules.registry import family
from rules.replay import FORMAT, Record, Replayed, play_again
from rules.scoresheet import Result, Standing, score_numbers, standing_numbers
from rules.seats import Seat


def replay(record: Record) -> dict[str, object]:
    """Play a record again and return it with `score`, `after`, `over` and `winner`, where the deal has been finished.

    All other keys are kept, and the order of the keys. Raises BadRecord for the first illegal action, for a record that
    is malformed, and for one of those four keys that differs from what the laws give.
    """
    return filled(record, play_again(record))


def filled(record: Record, replayed: Replayed) -> dict[str, object]:
    """Return a record that has been played again with its four results checked and filled in. Raises BadRecord."""
    result = replayed.state.result
    results = {} if result is None else result_values(replayed.game, result)
    for name in ("score", "after", "over", "winner"):
        if name not in record:
            continue
        if name not in results:
            raise BadRecord("score_differs", f"The deal is not finished, but the record has `{name}`.")
        if not _same(record[name], results[name]):
            due, given = quoted(results[name]), quoted(record[name])
            raise BadRecord("score_differs", f"`{name}` is {due}, but the record has {given}.")
    return {**record, **results}


def result_values(game: AnyGame, result: Result) -> dict[str, object]:
    """Write what a deal has come to: `score`, `after`, `over` and `winner`, as a record has them."""
    score = score_numbers(result.lines, game.sides, game.accounts)
    only = game.accounts[0] if len(game.accounts) == 1 else None
    return {
        "score": score if only is None else {side: points[only] for side, points in score.items()},
        "after": standing_numbers(result.standing, game.sides),
        "over": result.over,
        "winner": None if result.winner is None else game.sides[result.winner].name,
    }


def _same(given: object, computed: object) -> bool:
    """Compare JSON values: neither `true` nor `1.0` is 1."""
    if isinstance(given, dict) and isinstance(computed, dict):
        return given.keys() == computed.keys() and all(_same(given[key], computed[key]) for key in computed)
    return type(given) is type(computed) and given == computed


def write(
    game: AnyGame,
    dealer: Seat,
    hands: Sequence[Cards],
    actions: Iterable[Action],
    before: Standing,
    result: Result | None,
    *,
    widow: Cards = (),
    dead: Cards = (),
) -> dict[str, object]:
    """Write the record of a deal: the hands as dealt, by seat, and what was done, in order, finished or not.

    `widow` is as dealt; `dead` is the hand that nobody plays, at a table of two.
    """
    places = set(game.places(dealer))
    options = differing(family(game.name).options(len(game.seats), game.options), game.options)
    texts = {game.seats.name(seat): hand_text(hand) for seat, hand in enumerate(hands)}
    if "dead" in places:
        texts["dead"] = hand_text(dead)
    record: dict[str, object] = {
        "format": FORMAT,
        "game": game.name,
        "options": options,
        "players": len(game.seats),
        "dealer": game.seats.name(dealer),
        "hands": texts,
    }
    lists = _action_lists(game, actions)
    if "widow" in places:
        record["widow"] = list(map(str, widow))
    else:
        lists = {"calls": lists["calls"], "plays": lists["plays"]}
    record |= lists
    record["before"] = standing_numbers(before, game.sides)
    return record if result is None else record | result_values(game, result)


def _action_lists(game: AnyGame, actions: Iterable[Action]) -> dict[str, object]:
    calls: list[str] = []
    plays: list[str] = []
    lists: dict[str, object] = {
        "calls": calls,
        "called_partners": [],
        "discard": [],
        "joker_suit": None,
        "plays": plays,
    }
    for action in actions:
        match action:
            case CallPartners():
                lists["called_partners"] = list(map(game.seats.name, action.seats))
            case Discard():
                lists["discard"] = list(map(str, action.cards))
            case NameJoker():
                lists["joker_suit"] = None if action.suit is None else str(action.suit)
            case _:
                (calls if record_list(action) == "calls" else plays).append(str(action))
    return lists
