"""Deal records: examples, writing, and every kind of thing that can be wrong, at its place."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.actions import Action, CallPartners, Discard, NameJoker, Play
from rules.cards import parse_card, parse_hand
from rules.errors import BadRecord
from rules.events import CallMade, CardPlayed, CardsDealt, CardsDiscarded, JokerNamed, PartnersCalled
from rules.record import replay, write
from rules.registry import GAMES
from rules.replay import Replayed, play_again
from rules.seats import FOUR_SEATS
from tests.rules.deals import after_calls, auction_bridge, begun, golden_records

Record = dict[str, Any]

EXAMPLES = [record for name in (*GAMES, "five_hundred_2_5_6") for record in golden_records(f"{name}.jsonl")]
RESULTS = ("score", "after", "over", "winner")

every_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])


def example(number: str) -> Record:
    """Return an example of auction bridge to be changed."""
    return copy.deepcopy(next(record for record in EXAMPLES if record["id"] == f"auction-{number}"))


def refused(record: Record) -> tuple[str, str | None, int | None]:
    with pytest.raises(BadRecord) as error:
        replay(record)
    assert error.value.message.endswith(".")
    return error.value.code, error.value.list, error.value.index


def place(record: Record) -> tuple[str | None, int | None]:
    return refused(record)[1:]


def actions_of(again: Replayed) -> list[Action]:
    """Return what has been done in a deal."""
    actions: list[Action] = []
    for event in again.events:
        match event:
            case CallMade(call=call):
                actions.append(call)
            case PartnersCalled(partners=partners):
                actions.append(CallPartners(partners))
            case CardsDiscarded(cards=cards) if cards is not None:
                actions.append(Discard(cards))
            case JokerNamed(suit=suit):
                actions.append(NameJoker(suit))
            case CardPlayed(card=card, suit=suit):
                actions.append(Play(card, suit))
    return actions


@every_example
def test_example(example: Record) -> None:
    assert replay(example) == example


@every_example
def test_results_are_filled_in_and_all_else_is_kept(example: Record) -> None:
    bare = {key: value for key, value in example.items() if key not in RESULTS} | {"names": {"N": "Ольга"}}
    done = replay(bare)
    assert list(done) == [*bare, *(key for key in RESULTS if key in example)]
    assert done == bare | example
    assert not set(RESULTS).intersection(bare), "the record given is left as it was"


@every_example
def test_an_example_is_written_as_it_is(example: Record) -> None:
    again = play_again(example)
    dealt = again.events[0]
    assert isinstance(dealt, CardsDealt)
    hands = [hand for hand in dealt.hands if hand is not None]
    widow, dead = map(parse_card, example.get("widow", ())), parse_hand(example["hands"].get("dead", "..."))
    game, before, result = again.game, again.before, again.state.result
    written = write(game, dealt.dealer, hands, actions_of(again), before, result, widow=tuple(widow), dead=dead)
    assert written == {key: value for key, value in example.items() if key not in ("id", "comment")}
    assert json.loads(json.dumps(written)) == written


def test_a_fresh_rubber_may_leave_out_before_and_options() -> None:
    record = example("001")
    del record["before"], record["options"]
    assert replay(record) == record


def test_a_default_may_be_written_and_is_not_written_by_us() -> None:
    record = example("001")
    record["options"] = {"count": "1912", "claims": "off"}
    assert replay(record) == record
    again = play_again(record)
    assert write(again.game, 0, [()] * 4, [], again.before, None)["options"] == {}


def test_lists_of_another_game_may_be_empty() -> None:
    record = example("001") | {"widow": [], "called_partners": [], "discard": [], "joker_suit": None}
    assert replay(record) == record


def test_a_deal_begun_has_no_results() -> None:
    record = example("part")
    assert replay(record) == record
    results: dict[str, object] = {"score": None, "after": {}, "over": False, "winner": None}
    for key, value in results.items():
        assert refused(record | {key: value}) == ("score_differs", None, None)
    record["plays"] = []
    assert replay(record) == record
    record["calls"] = []
    assert replay(record) == record


# --- what is wrong with the record itself


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "biritch-deal/2"),
        ("format", None),
        ("game", "whist"),
        ("game", ["auction_bridge"]),
        ("players", 3),
        ("players", 4.0),
        ("players", "4"),
        ("players", None),
        ("players", True),
        ("dealer", "X"),
        ("dealer", 0),
        ("dealer", ["N"]),
        ("calls", "1S"),
        ("calls", None),
        ("calls", {"0": "1S"}),
        ("plays", 5),
        ("discard", None),
        ("called_partners", "N"),
        ("before", None),
        ("before", []),
        ("before", {}),
        ("before", {"below": {"NS": 0, "EW": 0}}),
    ],
)
def test_malformed(key: str, value: object) -> None:
    assert refused(example("001") | {key: value}) == ("bad_record", None, None)


@pytest.mark.parametrize("key", ["format", "game", "players", "dealer", "calls", "plays"])
def test_a_key_that_is_missing(key: str) -> None:
    record = example("001")
    del record[key]
    assert refused(record) == ("bad_record", None, None)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("below", {"NS": 30, "EW": 0}),
        ("below", {"NS": -1, "EW": 0}),
        ("below", {"NS": True, "EW": 0}),
        ("below", {"NS": 1.0, "EW": 0}),
        ("below", {"NS": "1", "EW": 0}),
        ("below", {"NS": 0}),
        ("below", {"NS": 0, "EW": 0, "N": 0}),
        ("below", [0, 0]),
        ("games", {"NS": 2, "EW": 0}),
        ("above", {"NS": -1, "EW": 0}),
        ("scores", {"NS": 0, "EW": 0}),
    ],
)
def test_an_impossible_standing(column: str, value: object) -> None:
    record = example("001")
    record["before"][column] = value
    assert refused(record) == ("bad_record", None, None)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("score", {"NS": {"below": 0, "above": 8}, "EW": {"below": 4, "above": 0}}),
        ("score", {"NS": {"below": 0, "above": 8}, "EW": {"below": 2}}),
        ("score", {"NS": {"below": False, "above": 8}, "EW": {"below": 2, "above": 0}}),
        ("score", {"NS": {"below": 0.0, "above": 8}, "EW": {"below": 2, "above": 0}}),
        ("score", None),
        ("after", {}),
        ("over", True),
        ("over", 0),
        ("winner", "EW"),
        ("winner", ""),
    ],
)
def test_a_result_that_differs(key: str, value: object) -> None:
    assert refused(example("001") | {key: value}) == ("score_differs", None, None)


def said(record: Record) -> str:
    with pytest.raises(BadRecord) as error:
        replay(record)
    return error.value.message


SEATS = '"N", "E", "S", "W"'
SCORE = '{"NS": {"below": 0, "above": 8}, "EW": {"below": 2, "above": 0}}'


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("format", None, '`format` is null; it can be: "biritch-deal/1".'),
        ("game", "whist", '`game` is "whist"; the games are: "vint", "bridge", "auction_bridge", "five_hundred".'),
        ("players", None, "`players` is null; Royal auction bridge is for: 4."),
        ("players", 4.0, "`players` is 4.0; Royal auction bridge is for: 4."),
        ("players", {"N": True}, '`players` is {"N": true}; Royal auction bridge is for: 4.'),
        ("dealer", False, f"`dealer` is false; the seats are: {SEATS}."),
        ("dealer", "Ю", f'`dealer` is "Ю"; the seats are: {SEATS}.'),
        ("score", 8, f"`score` is {SCORE}, but the record has 8."),
        ("score", {"NS": True}, f'`score` is {SCORE}, but the record has {{"NS": true}}.'),
        ("options", {"nullos": True}, "The option 'nullos' cannot be true. It can be: off, on."),
        ("options", {"slams": None}, "The option 'slams' cannot be null. It can be: american, english."),
        ("calls", [None], "null is no text."),
        ("winner", "EW", '`winner` is null, but the record has "EW".'),
        ("over", True, "`over` is false, but the record has true."),
    ],
)
def test_a_value_is_quoted_as_it_came(key: str, value: object, sentence: str) -> None:
    assert said(example("001") | {key: value}) == sentence


def test_a_key_that_is_missing_is_called_missing() -> None:
    def without(key: str) -> Record:
        return {name: value for name, value in example("001").items() if name != key}

    assert said(without("format")) == 'There is no `format`; it can be: "biritch-deal/1".'
    assert said(without("players")) == "There is no `players`; Royal auction bridge is for: 4."
    assert said(without("dealer")) == f"There is no `dealer`; the seats are: {SEATS}."
    five_hundred = next(record for record in EXAMPLES if record["game"] == "five_hundred") | {"players": 1}
    assert said(five_hundred) == "`players` is 1; Five Hundred is for: 2, 3, 4, 5, 6."


def test_a_value_nested_too_deeply_to_be_quoted_is_refused_all_the_same() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    assert said(example("001") | {"dealer": value}) == f"`dealer` is something nested deeply; the seats are: {SEATS}."


def test_who_was_to_act_is_named() -> None:
    assert said(example("001") | {"calls": ["1S", "8H"]}) == "There is no bid 8H at this table. It is S's turn."
    record = example("001")  # South leads against East, whose dummy is West
    record["plays"][0] = "S3"
    assert said(record) == "The hand to play does not hold S3. It is S's turn."
    record = example("001")
    record["plays"][1] = "SA"
    assert said(record) == "The hand to play does not hold SA. It is E's turn, from the hand of W."


# --- options, hands and widow


@pytest.mark.parametrize(
    "options",
    [
        {"unknown": True},
        {"nullos": True},
        {"nullos": "maybe"},
        {"dealer_may_pass": 1},
        {"count": 1908},
        {"slams": [20, 40]},
        {"nullos": "on", "count": "1908"},
        [],
        None,
        "nullos",
    ],
)
def test_wrong_options(options: object) -> None:
    assert place(example("001") | {"options": options}) == ("options", 0)


def change_hands(change: Callable[[dict[str, Any]], object]) -> Record:
    record = example("001")
    change(record["hands"])
    return record


@pytest.mark.parametrize(
    "change",
    [
        # N: QT975.K65.T.K764  E: J642.A974.Q9.J83  S: AK8.QJ3.AJ7642.T  W: 3.T82.K853.AQ952
        lambda hands: hands.pop("N"),
        lambda hands: hands.update(dead="..."),
        lambda hands: hands.update({"1": hands.pop("N")}),
        lambda hands: hands.update(N="QT975.K65.T.K76"),
        lambda hands: hands.update(N="QT975.K65.T.K7642"),
        lambda hands: hands.update(N="QT975.K65.T.K764", E="QT975.K65.T.K764"),
        lambda hands: hands.update(N="QT975.K65.T.K76J"),
        lambda hands: hands.update(N="QT975.K65.T.K776"),
        lambda hands: hands.update(N="QT975.K65.T.K76E"),
        lambda hands: hands.update(N="QT975.K65.T.K76+JK"),
        lambda hands: hands.update(N="qt975.K65.T.K764"),
        lambda hands: hands.update(N=""),
        lambda hands: hands.update(N=None),
        lambda hands: hands.update(N=["SA"]),
        lambda hands: hands.clear(),
    ],
)
def test_wrong_hands(change: Callable[[dict[str, Any]], object]) -> None:
    assert place(change_hands(change)) == ("hands", 0)


@pytest.mark.parametrize("hands", [None, [], "N", 4])
def test_hands_that_are_no_object(hands: object) -> None:
    assert place(example("001") | {"hands": hands}) == ("hands", 0)


def test_hands_in_any_order_of_ranks_are_the_same_hands() -> None:
    record = change_hands(lambda hands: hands.update(N="5T97Q.56K.T.64K7"))
    assert replay(record) == record


@pytest.mark.parametrize("widow", [["SA"], ["JK"], "SA", None, [1], {}])
def test_wrong_widow(widow: object) -> None:
    assert place(example("001") | {"widow": widow}) == ("widow", 0)


# --- calls and plays


@pytest.mark.parametrize(
    ("calls", "index"),
    [
        (["P"], 0),
        (["X"], 0),
        (["1S", "1S", "P", "P"], 1),
        (["1S", "1C", "3S", "2S"], 3),
        (["1S", "P", "X"], 2),
        (["1S", "X", "X"], 2),
        (["1S", "P", "P", "P", "P"], 4),
        (["1S", "P", "P", "P", "1C"], 4),
        (["1S", "8H"], 1),
        (["1S", "1Z"], 1),
        (["1S", "10H"], 1),
        (["1S", "M"], 1),
        (["1S", "L"], 1),
        (["1S", "H"], 1),
        (["1S", "pass"], 1),
        (["1S", ""], 1),
        (["1S", None], 1),
        (["1S", 1], 1),
        (["1S", ["P"]], 1),
    ],
)
def test_wrong_calls(calls: list[object], index: int) -> None:
    assert place(example("001") | {"calls": calls}) == ("calls", index)


@pytest.mark.parametrize(
    ("index", "card"),
    [
        (0, "S3"),  # in dummy, and South leads
        (1, "SA"),  # in South, and dummy plays
        (1, "H3"),  # has been played
        (1, "D3"),  # dummy holds a heart
        (2, "ST"),  # North holds a heart
        (17, "XX"),
        (17, "JK"),
        (17, "JK:H"),
        (17, "S10"),
        (17, ""),
        (17, None),
        (17, 17),
        (17, True),
        (51, "H3"),
    ],
)
def test_wrong_plays(index: int, card: object) -> None:
    record = example("001")
    record["plays"][index] = card
    assert place(record) == ("plays", index)


def test_the_first_of_several_wrong_actions_counts() -> None:
    record = example("001")
    record["plays"][20] = "S10"
    record["plays"][9] = "H3"
    assert place(record) == ("plays", 9)
    record["calls"][1] = "1S"
    assert place(record) == ("calls", 1)
    record["hands"]["N"] = ""
    assert place(record) == ("hands", 0)
    record["options"] = {"slams": "none"}
    assert place(record) == ("options", 0)


def test_plays_before_the_auction_is_over_are_wrong_at_the_first() -> None:
    record = example("001")
    del record["calls"][-1]
    assert place(record) == ("plays", 0)


def test_plays_after_a_deal_that_is_not_played_are_wrong_at_the_first() -> None:
    record = example("026")
    assert record["calls"] == ["P"] * 4
    record["plays"] = ["SA", "S2"]
    assert place(record) == ("plays", 0)


@every_example
def test_one_action_too_many_or_wrong_is_found_at_its_place(example: Record) -> None:
    if "score" in example:
        assert place(example | {"plays": [*example["plays"], "SA"]}) == ("plays", len(example["plays"]))
    if example["plays"]:
        assert place(example | {"calls": [*example["calls"], "P"]}) == ("calls", len(example["calls"]))
    for list_, wrong in (("calls", "1X"), ("plays", "S0")):
        for index in range(0, len(example[list_]), 5):
            items = [*example[list_][:index], wrong, *example[list_][index:]]
            assert place(example | {list_: items}) == (list_, index)
    for index in range(4, len(example["plays"]), 7):
        twice = [*example["plays"][:index], example["plays"][index - 4], *example["plays"][index:]]
        assert place(example | {"plays": twice}) == ("plays", index), "a card cannot be played again"


@every_example
@pytest.mark.parametrize(
    ("key", "value"), [("discard", ["SA"]), ("called_partners", ["N"]), ("joker_suit", "H"), ("joker_suit", 0)]
)
def test_a_list_that_is_never_due(example: Record, key: str, value: object) -> None:
    if example["game"] != "five_hundred":
        assert place(example | {key: value}) == (key, 0)


# --- anything at all


def json_values() -> st.SearchStrategy[Any]:
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
    leaves |= st.sampled_from(["P", "1S", "SA", "N", "NS", "AKQ...", "on", "1908"])
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))


KEYS = [key for key in EXAMPLES[0] if key not in ("id", "comment")]
INNER = ["N", "NS", "below", "games", "count", "dealer_may_pass", "dead"]


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=200)
@given(
    st.sampled_from(EXAMPLES),
    st.sampled_from([*KEYS, "widow", "discard", "called_partners", "joker_suit"]),
    st.sampled_from(INNER) | st.integers(0, 60) | st.none(),
    json_values(),
)
def test_a_broken_record_is_refused_and_never_breaks(
    example: Record, key: str, inner: str | int | None, value: object
) -> None:
    record = copy.deepcopy(example)
    held = record.get(key)
    if isinstance(held, dict) and isinstance(inner, str):
        held[inner] = value
    elif isinstance(held, list) and isinstance(inner, int):
        held[inner : inner + 1] = [value]
    else:
        record[key] = value
    try:
        done = replay(record)
    except BadRecord:
        return
    assert {key: done[key] for key in record} == record


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=50)
@given(st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), json_values()))
def test_any_object_is_refused(record: Record) -> None:
    with pytest.raises(BadRecord):
        replay(record)


def test_a_deal_written_while_it_goes_on() -> None:
    game = auction_bridge(nullos="on")
    example = EXAMPLES[0]
    state = after_calls(game, begun(game, "E", example["hands"]), "1S P")
    calls = [call for _, call in state.auction.calls]
    record = write(game, state.dealer, state.hands, calls, state.standing, state.result)
    assert record["options"] == {"nullos": "on"}
    assert record["dealer"] == FOUR_SEATS.name(state.dealer)
    assert record["calls"] == ["1S", "P"]
    assert record["plays"] == []
    assert not set(RESULTS).intersection(record)
    assert play_again(record).state == state
