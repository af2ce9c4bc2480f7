"""Five Hundred: presets, contradictions, and every value of every option that changes an action, a score or a view."""

from typing import Any

import pytest

from rules.actions import Discard
from rules.calls import parse_call
from rules.errors import BadOption
from rules.five_hundred import FIVE_HUNDRED
from rules.five_hundred_options import PRESETS
from rules.five_hundred_score import Reckoning
from rules.options import read_options
from tests.rules.five_hundred_deals import (
    PLAYERS,
    all_passed,
    before_trick,
    bid_by,
    bids,
    called,
    cards,
    dealt,
    discarded,
    five_hundred,
    led_already,
    legal_texts,
    order_of,
    played_out,
    renounced,
    winning_card,
)

# Every option with all its values, and the default in every preset (docs/rules/five_hundred.md, section 9).
ALL_VALUES: dict[str, tuple[object, ...]] = {
    "deal": ("hoyle", "3w1-4w1-3w1", "3-w3-4-3", "45", "3-4-3"),
    "first_dealer": ("random", "cut"),
    "auction": ("continuing", "single_round"),
    "lone_bidder_may_raise": (False, True),
    "all_pass": ("no_trump_play", "redeal"),
    "misere": ("off", "on"),
    "misere_rank": ("below_8S", "between_8S_8C"),
    "misere_needs_seven": (True, False),
    "open_misere": ("off", "on"),
    "open_misere_rank": ("between_10D_10H", "top"),
    "open_misere_expose": ("after_first_trick", "before_first_lead"),
    "misere_force_joker": (True, False),
    "misere_stop_on_loss": (True, False),
    "misere_defenders_score": (False, True),
    "nt_joker": ("hoyle", "modern", "free"),
    "nt_joker_follow": ("void_only", "anytime"),
    "joker_prenomination": ("off", "on"),
    "slam_250": ("on", "off"),
    "target": (500,),
    "win_requires_contract": (False, True),
    "back_door": ("none", -500),
    "defender_cap_490": ("off", "on"),
    "inkle": ("off", "on"),
}

DEFAULTS: dict[str, tuple[object, ...]] = {
    # hoyle3, hoyle2, aus4, us_official4, five, aus6
    "pack": (33, 33, 43, 43, 53, 63),
    "deal": ("hoyle", "hoyle", "3w1-4w1-3w1", "3-w3-4-3", "3w1-4w1-3w1", "3w1-4w1-3w1"),
    "first_dealer": ("random",) * 6,
    "auction": ("continuing", "continuing", "continuing", "single_round", "continuing", "continuing"),
    "lone_bidder_may_raise": (False,) * 6,
    "all_pass": ("no_trump_play", "no_trump_play", "redeal", "redeal", "redeal", "redeal"),
    "misere": ("off", "off", "on", "off", "off", "on"),
    "misere_rank": ("below_8S",) * 6,
    "misere_needs_seven": (True,) * 6,
    "open_misere": ("off", "off", "on", "off", "off", "on"),
    "open_misere_rank": ("between_10D_10H",) * 6,
    "open_misere_expose": ("after_first_trick",) * 6,
    "misere_force_joker": (True,) * 6,
    "misere_stop_on_loss": (True,) * 6,
    "misere_defenders_score": (False,) * 6,
    "nt_joker": ("hoyle", "hoyle", "modern", "free", "modern", "modern"),
    "nt_joker_follow": ("void_only",) * 6,
    "joker_prenomination": ("off", "off", "on", "off", "on", "on"),
    "slam_250": ("on",) * 6,
    "target": (500,) * 6,
    "win_requires_contract": (False, False, True, False, False, True),
    "back_door": ("none", -500, -500, -500, "none", -500),
    "defender_cap_490": ("off",) * 6,
    "inkle": ("off",) * 6,
}

FIXED = {
    "five": [name for name in ALL_VALUES if "misere" in name] + ["back_door"],
    "hoyle3": ["back_door"],
}

PACKS_OF = {
    "hoyle2": (33, 24),
    "hoyle3": (33,),
    "aus4": (43, 42, 45, 46),
    "us_official4": (43, 42, 45, 46),
    "five": (53,),
    "aus6": (63,),
}


@pytest.mark.parametrize("preset", PLAYERS)
def test_presets(preset: str) -> None:
    place = ["hoyle3", "hoyle2", "aus4", "us_official4", "five", "aus6"].index(preset)
    options = {option.name: option for option in FIVE_HUNDRED.options(PLAYERS[preset], {"preset": preset})}
    assert {name: option.default for name, option in options.items() if name != "preset"} == {
        name: values[place] for name, values in DEFAULTS.items()
    }
    assert options["pack"].values == PACKS_OF[preset]
    for name, values in ALL_VALUES.items():
        offered = values[:1] if name in FIXED.get(preset, []) else values
        assert set(options[name].values) == set(offered), name


def test_the_preset_follows_the_number_of_players() -> None:
    assert dict(PRESETS) == PLAYERS
    for players, presets in {2: "hoyle2", 3: "hoyle3", 4: "aus4 us_official4", 5: "five", 6: "aus6"}.items():
        option = FIVE_HUNDRED.options(players, {})[0]
        assert (option.name, option.values) == ("preset", tuple(presets.split()))


@pytest.mark.parametrize(
    ("pack", "deal", "prenomination"), [(45, "45", "on"), (42, "3-4-3", "on"), (46, "3-4-3", "off"), (43, None, "on")]
)
def test_some_defaults_follow_the_pack(pack: int, deal: str | None, prenomination: str) -> None:
    options = five_hundred("aus4", pack=pack).options
    assert options["deal"] == (deal or "3w1-4w1-3w1")
    assert options["joker_prenomination"] == prenomination


@pytest.mark.parametrize(
    ("preset", "options", "code"),
    [
        ("hoyle3", {"pack": 43}, "options.bad_value"),
        ("hoyle3", {"back_door": -500}, "options.bad_value"),
        ("five", {"back_door": -500}, "options.bad_value"),
        ("five", {"misere": "on"}, "options.bad_value"),
        ("five", {"misere_rank": "between_8S_8C"}, "options.bad_value"),
        ("aus4", {"target": 0}, "options.bad_value"),
        ("aus4", {"target": True}, "options.bad_value"),
        ("aus4", {"back_door": -400}, "options.bad_value"),
        ("aus4", {"kitty": 3}, "options.unknown"),
        ("aus4", {"inkle": "on"}, "options.contradictory"),
        ("us_official4", {"lone_bidder_may_raise": True}, "options.contradictory"),
        ("aus4", {"auction": "single_round", "lone_bidder_may_raise": True}, "options.contradictory"),
        ("aus4", {"pack": 46, "nt_joker": "hoyle"}, "options.contradictory"),
        ("aus4", {"pack": 46, "joker_prenomination": "on"}, "options.contradictory"),
        ("aus4", {"pack": 45, "deal": "hoyle"}, "options.contradictory"),
        ("aus4", {"pack": 45, "deal": "3w1-4w1-3w1"}, "options.contradictory"),
        ("aus4", {"pack": 42, "deal": "3-w3-4-3"}, "options.contradictory"),
        ("aus4", {"deal": "45"}, "options.contradictory"),
    ],
)
def test_refused_options(preset: str, options: dict[str, object], code: str) -> None:
    with pytest.raises(BadOption) as refused:
        five_hundred(preset, **options)
    assert refused.value.code == code
    assert refused.value.message.endswith(".")
    if code == "options.contradictory":
        assert all(name in refused.value.message for name in list(options)[-1:])


def test_a_preset_for_another_number_of_players_is_refused() -> None:
    given = {"preset": "hoyle3"}
    with pytest.raises(BadOption, match="aus4, us_official4"):
        read_options(FIVE_HUNDRED.options(4, given), given)


# --- auction


def test_auction_single_round() -> None:
    game = five_hundred("hoyle3", auction="single_round")
    state = called(game, dealt(game), "6S P")
    assert state.to_act == 0
    state = called(game, state, "7S")
    assert (state.phase, state.contract.declarer) == ("exchange", 0)
    assert called(game, dealt(game), "P P P").phase == "play"
    assert called(game, dealt(game), "6S 6C P").contract.declarer == 2


@pytest.mark.parametrize(("calls", "raised"), [("6S P P", "8H"), ("6S P P", None), ("P P 7S", "7C"), ("P P 7S", None)])
def test_lone_bidder_may_raise(calls: str, raised: str | None) -> None:
    game = five_hundred("hoyle3", lone_bidder_may_raise=True)
    state = called(game, dealt(game), calls)
    bidder = 1 if calls.startswith("6S") else 0
    assert (state.phase, state.to_act) == ("auction", bidder)
    state = called(game, state, raised or "P")
    assert (state.phase, state.contract.declarer) == ("exchange", bidder), "once only"
    assert str(state.contract.call) == (raised or calls.strip(" P"))


def test_the_top_of_the_ladder_is_not_raised() -> None:
    game = five_hundred("hoyle3", lone_bidder_may_raise=True)
    assert called(game, dealt(game), "P P 10N").phase == "exchange"


@pytest.mark.parametrize("preset", PLAYERS)
@pytest.mark.parametrize("all_pass", ["no_trump_play", "redeal"])
def test_all_pass(preset: str, all_pass: str) -> None:
    game = five_hundred(preset, all_pass=all_pass)
    state = all_passed(game)
    if all_pass == "redeal":
        assert (state.phase, state.result.lines, state.result.next_dealer) == ("over", (), 1)
        return
    assert (state.phase, state.to_act, state.contract.call) == ("play", 1, None)
    state = played_out(game, state)
    scores = state.result.standing.scores
    assert sum(scores) == 100
    assert state.result.winner is None


def test_misere_off_and_on() -> None:
    for preset in ("hoyle3", "hoyle2", "aus4", "aus6"):
        off, on = (five_hundred(preset, misere=value, open_misere=value) for value in ("off", "on"))
        assert (len(off.ladder), len(on.ladder)) == (25, 27)
    game = five_hundred("hoyle3", misere="on", open_misere="on")
    assert {"M", "OM"} <= bids(game.legal_actions(called(game, dealt(game), "7S")))


@pytest.mark.parametrize(
    ("options", "below", "above"),
    [
        ({}, "7N", "8S"),
        ({"misere_rank": "below_8S"}, "7N", "8S"),
        ({"misere_rank": "between_8S_8C"}, "8S", "8C"),
    ],
)
def test_misere_rank(options: dict[str, object], below: str, above: str) -> None:
    rungs = list(map(str, five_hundred("aus4", **options).ladder))
    place = rungs.index("M")
    assert (rungs[place - 1], rungs[place + 1]) == (below, above)


def test_misere_over_eight_spades_needs_a_seven_too() -> None:
    game = five_hundred("aus4", misere_rank="between_8S_8C")
    assert "M" in bids(game.legal_actions(called(game, dealt(game), "7S 8S")))
    assert "M" not in bids(game.legal_actions(called(game, dealt(game), "8S")))


def test_misere_needs_seven() -> None:
    game = five_hundred("aus4", misere_needs_seven=False)
    assert "M" in bids(game.legal_actions(dealt(game)))
    assert "M" in bids(game.legal_actions(called(game, dealt(game), "6H")))
    assert "M" not in bids(game.legal_actions(called(game, dealt(game), "8S")))


def test_open_misere_rank() -> None:
    game = five_hundred("aus4", open_misere_rank="top")
    assert list(map(str, game.ladder))[-2:] == ["10N", "OM"]
    state = called(game, dealt(game), "10N")
    assert (state.phase, bids(game.legal_actions(state))) == ("auction", {"OM"}), "ten no-trumps can be outbid now"
    assert called(game, state, "OM").phase == "exchange"


def test_inkle() -> None:
    game = five_hundred("us_official4", inkle="on")
    start = dealt(game)
    assert "6S" in bids(game.legal_actions(start))
    assert "6C" in bids(game.legal_actions(called(game, start, "6S")))
    third = bids(game.legal_actions(called(game, start, "P P")))
    assert not any(bid.startswith("6") for bid in third)
    assert "7S" in third
    for calls in ("6S P P P", "6S 6N P P", "P P P P"):
        state = called(game, start, calls)
        assert (state.phase, state.result.lines, state.result.next_dealer) == ("over", (), 0), "the same dealer"
    assert called(game, start, "6S P 7S P").phase == "exchange"


def test_inkle_counts_a_misere_as_more() -> None:
    game = five_hundred("us_official4", inkle="on", misere="on", misere_needs_seven=False)
    assert called(game, dealt(game), "6S M P P").phase == "exchange"


# --- jokers


@pytest.mark.parametrize(
    ("rule", "earlier", "legal"),
    [
        ("hoyle", {}, "JK:S JK:C JK:D JK:H CQ"),
        ("hoyle", {"renounced": "SD"}, "JK:C JK:H CQ"),
        ("hoyle", {"led": "SD"}, "JK:S JK:C JK:D JK:H CQ"),
        ("modern", {}, "JK:S JK:C JK:D JK:H CQ"),
        ("modern", {"led": "SD"}, "JK:C JK:H CQ"),
        ("free", {"led": "SCDH"}, "JK:S JK:C JK:D JK:H CQ"),
    ],
)
def test_nt_joker_leads(rule: str, earlier: dict[str, str], legal: str) -> None:
    tricks = renounced(earlier.get("renounced", "")) + led_already(earlier.get("led", ""))
    assert legal_texts("no-trumps", rule, "JK CQ", "", tricks) == set(legal.split())


@pytest.mark.parametrize(("rule", "wins"), [("hoyle", "C9"), ("modern", "JK"), ("free", "JK")])
def test_nt_joker_wins(rule: str, wins: str) -> None:
    assert winning_card("no-trumps", rule, "C9 JK C8", renounced("C", seat=1)) == wins


@pytest.mark.parametrize(
    ("follow", "contract", "named", "legal"),
    [
        ("void_only", "no-trumps", "", "C9"),
        ("anytime", "no-trumps", "", "C9 JK"),
        ("anytime", "misère", "", "C9 JK"),
        ("anytime", "no-trumps", "H", "C9"),
        ("anytime", "hearts", "", "C9"),
    ],
)
def test_nt_joker_follow(follow: str, contract: str, named: str, legal: str) -> None:
    found = legal_texts(contract, "modern", "C9 HA JK", "CK", joker_suit=named, nt_joker_follow=follow)
    assert found == set(legal.split())


@pytest.mark.parametrize(("force", "legal"), [(True, "JK"), (False, "D5 H4 JK")])
def test_misere_force_joker(force: bool, legal: str) -> None:
    assert legal_texts("misère", "modern", "D5 H4 JK", "CK", misere_force_joker=force) == set(legal.split())
    assert legal_texts("no-trumps", "modern", "D5 H4 JK", "CK", misere_force_joker=force) == {"D5", "H4", "JK"}


@pytest.mark.parametrize(("preset", "value"), [("hoyle3", "on"), ("aus4", "off"), ("five", "off")])
def test_joker_prenomination(preset: str, value: str) -> None:
    game = five_hundred(preset, joker_prenomination=value)
    state = bid_by(game, 0, "6N")
    if preset == "five":
        state, _ = game.apply(state, game.legal_actions(state)[0])
    (choice,) = game.legal_actions(state)
    state, _ = game.apply(state, Discard(choice.cards[: choice.count]))
    assert state.phase == ("joker" if value == "on" else "play")


def test_two_jokers() -> None:
    """Pack 46: both lead with a name, the higher one wins, and a hand of jokers alone leads without one."""
    assert winning_card("no-trumps", "modern", "JL:H JK HA") == "JK"
    assert winning_card("no-trumps", "modern", "JK:H JL HA") == "JK"
    assert winning_card("no-trumps", "modern", "H9 JL HA") == "JL"
    assert winning_card("no-trumps", "modern", "JL JK HA") == "JK"
    assert winning_card("no-trumps", "modern", "JL CK HA") == "JL"
    assert winning_card("spades", "modern", "SJ JL JK") == "JK"
    assert legal_texts("no-trumps", "modern", "JK JL", "", led_already("S")) == {"JK", "JL"}
    assert legal_texts("no-trumps", "modern", "CA JK JL", "", led_already("SCD")) == {"CA", "JK:H", "JL:H"}
    assert legal_texts("misère", "modern", "CA JK JL", "HA") == {"JK", "JL"}


def test_a_joker_led_without_a_name_asks_for_no_suit() -> None:
    order = order_of("no-trumps")
    play = before_trick(cards("CA DK"))
    assert order.lone
    assert play.trick.led is None
    assert legal_texts("no-trumps", "modern", "CA DK", "JK") == {"CA", "DK"}


# --- misère


def reckoned(
    preset: str,
    call: str,
    bidding: tuple[int, ...],
    takers: str,
    before: tuple[int, ...] = (0, 0, 0, 0, 0),
    **opts: Any,
) -> Reckoning:
    game = five_hundred(preset, **opts)
    contract = parse_call(call) if call else None
    return Reckoning(game.options, contract, bidding, tuple(map(int, takers)), before[: len(game.sides)])


@pytest.mark.parametrize(("stop", "tricks"), [(True, 1), (False, 10)])
def test_misere_stop_on_loss(stop: bool, tricks: int) -> None:
    game = five_hundred("hoyle3", misere="on", open_misere="on", misere_stop_on_loss=stop)
    for seed in range(20):
        state = discarded(game, bid_by(game, 0, "OM"))
        state = played_out(game, state, seed)
        lost = 0 in state.tricks.winners
        if lost:
            first = state.tricks.winners.index(0) + 1
            assert len(state.tricks.complete) == (first if tricks == 1 else 10)
            assert state.result.standing.scores == (-500, 0, 0)
            return
    raise AssertionError("the bidder has always lost all tricks")


@pytest.mark.parametrize(
    ("score", "takers", "after"),
    [
        (False, "1112221112", (250, 0, 0)),
        (True, "1112221112", (250, 60, 40)),
        (False, "1220", (-250, 0, 0)),
        (True, "1220", (-250, 10, 20)),
    ],
)
def test_misere_defenders_score(score: bool, takers: str, after: tuple[int, ...]) -> None:
    reckoning = reckoned("hoyle3", "M", (0,), takers, misere="on", misere_defenders_score=score)
    assert reckoning.after == after


# --- score and the end of the game


@pytest.mark.parametrize(
    ("slam", "call", "points"),
    [
        ("on", "6S", 250),
        ("on", "8S", 250),
        ("on", "8C", 260),
        ("off", "6S", 40),
        ("off", "8S", 240),
        ("off", "8C", 260),
    ],
)
def test_slam_250(slam: str, call: str, points: int) -> None:
    assert reckoned("hoyle3", call, (0,), "0" * 10, slam_250=slam).after == (points, 0, 0)
    assert reckoned("hoyle3", call, (0,), "0" * 9 + "1", slam_250=slam).after[0] != 250


@pytest.mark.parametrize(
    ("target", "before", "winner"),
    [(500, (300, 0, 0), 0), (510, (300, 0, 0), None), (300, (100, 0, 0), 0), (300, (90, 0, 0), None)],
)
def test_target(target: int, before: tuple[int, ...], winner: int | None) -> None:
    assert reckoned("hoyle3", "7H", (0,), "0000000111", before, target=target).winner == winner


@pytest.mark.parametrize(
    ("preset", "required", "before", "winner"),
    [
        # Side 1 fails in 8S with five tricks of ten, side 0 has scored 50.
        ("aus4", True, (460, 180), None),
        ("aus4", False, (460, 180), 0),
        ("us_official4", True, (460, 180), None),
        ("hoyle3", False, (460, 180, 0), 0),
        ("hoyle3", True, (460, 180, 0), None),
    ],
)
def test_win_requires_contract(preset: str, required: bool, before: tuple[int, ...], winner: int | None) -> None:
    opts = {"win_requires_contract": required}
    assert reckoned(preset, "8S", (1,), "0101010101", before, **opts).winner == winner


def test_all_pass_play_never_ends_a_game_that_requires_a_contract() -> None:
    opts = {"all_pass": "no_trump_play"}
    assert reckoned("aus4", "", (), "0" * 10, (490, 0), **opts).winner is None
    assert reckoned("us_official4", "", (), "0" * 10, (490, 0), **opts).winner == 0


@pytest.mark.parametrize(
    ("preset", "back_door", "before", "winner"),
    [
        ("aus4", -500, (-240, 0), 1),
        ("aus4", -500, (-230, 0), None),
        ("aus4", "none", (-400, 0), None),
        ("hoyle2", -500, (-240, 0), 1),
        ("hoyle3", "none", (-400, 0, 0), None),
    ],
)
def test_back_door(preset: str, back_door: object, before: tuple[int, ...], winner: int | None) -> None:
    assert reckoned(preset, "8C", (0,), "0" * 7 + "1" * 3, before, back_door=back_door).winner == winner


@pytest.mark.parametrize(
    ("cap", "before", "after"),
    [
        ("off", 460, 510),
        ("on", 460, 490),
        ("on", 430, 480),
        ("on", 490, 490),
        ("on", 500, 500),
    ],
)
def test_defender_cap_490(cap: str, before: int, after: int) -> None:
    opts = {"defender_cap_490": cap}
    assert reckoned("aus4", "8S", (1,), "0101010101", (before, 0), **opts).after == (after, -240)
    passed = reckoned("aus4", "", (), "0101010101", (before, 0), all_pass="no_trump_play", **opts)
    assert passed.after == (after, 50)


@pytest.mark.parametrize(
    ("before", "bidding", "winner"),
    [
        # Players 0 and 2 make 7D; player 1 wins three tricks.
        ((0, 490, 400, 0, 0), (0, 2), 2),
        ((400, 490, 400, 0, 0), (0, 2), 0),
        ((0, 490, 300, 0, 0), (0, 2), 1),
        # Two partners are there: the higher total, then the nearer clockwise from the bidder.
        ((0, 490, 400, 450, 0), (0, 2, 3), 3),
        ((0, 490, 450, 450, 0), (0, 2, 3), 2),
        ((0, 490, 450, 450, 0), (0, 3, 2), 3),
    ],
)
def test_who_wins_of_five(before: tuple[int, ...], bidding: tuple[int, ...], winner: int) -> None:
    assert reckoned("five", "7D", bidding, "0000022111", before).winner == winner


def test_partners_of_five_are_ordered_from_the_bidder() -> None:
    game = five_hundred("five")
    state = discarded(game, bid_by(game, 3, "8S"), (1, 4))
    assert game.reckoning(state, ()).bidding == (3, 4, 1)


@pytest.mark.parametrize(
    ("preset", "scores"),
    [("hoyle3", (500, 0, 0)), ("us_official4", (500, 0)), ("aus4", (0, -500)), ("five", (0, 0, 500, 0, 0))],
)
def test_no_deal_begins_with_a_game_that_is_over(preset: str, scores: tuple[int, ...]) -> None:
    with pytest.raises(ValueError):
        five_hundred(preset).standing({"scores": scores})


def test_a_side_may_sit_above_the_target_where_a_contract_is_required() -> None:
    assert five_hundred("aus4").standing({"scores": (510, 0)}).scores == (510, 0)
    assert five_hundred("hoyle3").standing({"scores": (-900, 0, 0)}).scores == (-900, 0, 0)
