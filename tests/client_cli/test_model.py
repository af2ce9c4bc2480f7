"""The client's model against the server's own view, after every entry and for everybody at the table."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from protocol import messages as m
from rules.registry import GAMES
from tests.client_cli.tables import Told

PLAYERS = ("ann", "bob", "cis", "dan")
SEATS = ("N", "E", "S", "W")


def comparable(view: m.TableView | None) -> m.TableView:
    assert view is not None
    watchers = sorted(view.spectators, key=lambda part: part.player)
    return structs.replace(view, spectators=watchers, last_command=0)


def check(told: Told) -> None:
    for player, model in told.models.items():
        assert comparable(model.view) == comparable(told.fresh(player)), player


def seated(game: str, **options: str | int | bool) -> Told:
    """Return a table with four players in their seats, and somebody who watches."""
    told = Told(game, 4, **options)
    for player in (*PLAYERS, "eve"):
        told.arrive(player)
    for player, seat in zip(PLAYERS, SEATS, strict=True):
        assert told.ask(player, m.TakeSeat(1, seat))
    return told


def play_deal(told: Told, random: Random) -> None:
    for player in PLAYERS:
        told.ask(player, m.Ready(1, told.table.deals + 1))
        told.ask(player, m.Rematch(1, max(1, told.table.rubber)))
        check(told)
    assert told.begin_deal(random.randbytes(32))
    check(told)
    while told.act(random):
        check(told)
    assert told.table.stage in ("scored", "over")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_rubber_is_folded_as_the_server_sees_it(game: str, seed: int) -> None:
    random, told = Random(seed), seated(game)
    for _ in range(2):
        play_deal(told, random)


@pytest.mark.parametrize(
    "options",
    [{"hide_auction_during_play": True}, {"dealer_may_pass": True}, {"first_dealer": "cut"}, {"nullos": "on"}],
    ids=str,
)
def test_options_that_change_what_is_told(options: dict[str, str | int | bool]) -> None:
    told = seated("auction_bridge", **options)
    for seed in range(3):
        play_deal(told, Random(seed))


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_people_come_and_go(seed: int) -> None:
    random, told = Random(seed), seated("auction_bridge")
    for _ in range(300):
        disturb(told, random)
        check(told)


def test_a_seat_that_moves_takes_its_points_along() -> None:
    random, told = Random(1), seated("five_hundred")
    while not told.table.ledger:
        play_deal(told, random)
    assert told.move_seat("bob", "fay")
    check(told)
    view = told.models["ann"].view
    assert view is not None and set(view.ledger) == {"ann", "cis", "dan", "fay"} and "bob" not in told.models


def disturb(told: Told, random: Random) -> None:
    """Let anything at all happen that may; mostly the game goes on."""
    player, seat = random.choice((*PLAYERS, "eve")), random.choice(SEATS)
    deal = told.table.deals + 1
    match random.randrange(16):
        case 0 if player in told.models:
            told.drop(player)
        case 1 | 2 if player not in told.models:
            told.arrive(player)
        case 3 | 4:
            told.ask(player, m.TakeSeat(1, seat))
        case 5:
            told.ask(player, random.choice([m.LeaveSeat(1), m.LeaveTable(1), m.SetName(1, f"x{seat}")]))
        case 6 | 7:
            told.ask(player, m.SeatBot(1, seat))
        case 8:
            told.ask(player, m.RemoveBot(1, seat))
        case 9 if random.randrange(10) == 0:
            told.void()
        case 10 if random.randrange(5) == 0:
            told.move_seat(player, random.choice((*PLAYERS, "eve", "fay")))
        case _:
            if not told.act(random):
                for each in PLAYERS:
                    told.ask(each, m.Ready(1, deal)) or told.ask(each, m.Rematch(1, max(1, told.table.rubber)))
                told.begin_deal(random.randbytes(32))
