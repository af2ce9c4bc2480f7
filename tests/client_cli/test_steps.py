"""Deals step by step: whatever step is shown, every card is in one place."""

import json
from pathlib import Path
from typing import Any

import pytest

from client_cli.steps import Picture, Steps
from rules.events import AuctionEnded, CardsDealt, TrickWon
from rules.replay import Replayed, play_again
from rules.tricks import PLAIN_ORDERS

GOLDEN = Path(__file__).parent.parent / "golden"
FILES = ("vint", "bridge", "auction_bridge", "five_hundred", "five_hundred_2_5_6")


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines()]


def steps_of(replayed: Replayed) -> Steps:
    return Steps(replayed.game, replayed.events)


def cards_of(picture: Picture) -> list[str]:
    """List the cards in the hands, in the tricks, and aside; the widow lies apart until somebody has taken it up."""
    held = [card for hand in picture.hands for card in hand or ()]
    played = [card for trick in picture.tricks for _, card, _ in trick.plays]
    away = [*(picture.laid_away or ())]
    return sorted(map(str, (*held, *played, *away)))


@pytest.mark.parametrize("name", FILES)
def test_no_card_is_lost_or_doubled_on_the_way(name: str) -> None:
    for record in records(name):
        replayed = play_again(record)
        steps = steps_of(replayed)
        dealt = replayed.events[0]
        assert isinstance(dealt, CardsDealt)
        in_hands = sorted(str(card) for hand in dealt.hands for card in hand or ())
        with_widow = sorted([*in_hands, *map(str, dealt.widow or ())])
        for step in range(steps.last + 1):
            assert cards_of(steps.picture(step)) in (in_hands, with_widow), (record["id"], step)


@pytest.mark.parametrize("name", FILES)
def test_every_action_is_a_step(name: str) -> None:
    for record in records(name):
        steps = steps_of(play_again(record))
        partners, discard = record.get("called_partners"), record.get("discard")
        least = len(record["calls"]) + len(record["plays"]) + bool(partners) + bool(discard)
        # To call nobody and to name no suit are decisions too.
        assert least <= steps.last <= least + 2
        first, last = steps.picture(0), steps.picture(steps.last)
        assert (first.calls, first.tricks, first.called) == ((), (), False)
        assert [str(call) for _, call in last.calls] == record["calls"]
        assert (last.result is not None) == ("score" in record)


@pytest.mark.parametrize("name", FILES)
def test_tricks_are_gone_through_one_after_the_other(name: str) -> None:
    for record in records(name):
        replayed = play_again(record)
        steps, step = steps_of(replayed), 0
        ends = sum(isinstance(event, AuctionEnded | TrickWon) for event in replayed.events)
        stops: list[int] = []
        while step != steps.last:
            assert steps.trick_before(steps.trick_after(step)) in (step, *stops)
            step = steps.trick_after(step)
            stops.append(step)
        # A deal that was passed out ends with its calls; one that was broken off, in the middle of a trick.
        assert len(stops) - ends in (0, 1)
        assert all(steps.picture(stop).called for stop in stops[:ends])
        assert steps.trick_before(0) == 0
        assert steps.trick_after(steps.last) == steps.last


def test_tricks_are_counted_as_they_are_won() -> None:
    replayed = play_again(records("auction_bridge")[23])
    steps = steps_of(replayed)
    stop = steps.trick_after(steps.trick_after(0))
    assert [trick.winner for trick in steps.picture(stop).tricks] == [1]
    assert steps.picture(stop).tricks_won == (0, 1, 0, 0)
    assert steps.picture(stop - 1).tricks_won == (0, 0, 0, 0)


def test_bowers_rank_among_trumps_only_with_their_own_pack() -> None:
    bowers = play_again(records("five_hundred")[0])
    picture = steps_of(bowers).picture(len(records("five_hundred")[0]["calls"]))
    assert picture.order.suit(next(card for card in bowers.game.deck if str(card) == "CJ")) == "S"
    plain = play_again(records("vint")[0])
    last = steps_of(plain).picture(steps_of(plain).last)
    assert last.order in PLAIN_ORDERS.values()
