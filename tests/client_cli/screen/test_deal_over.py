"""What is shown when a deal is over, and the way to the next one."""

import json
from functools import partial
from pathlib import Path

import pytest
from msgspec import structs

from client_cli.screen.deal_over import DealDialog, what_next
from client_cli.screen.sheet import SheetScreen
from client_cli.screen.sight import SEEN_S, Sight
from client_cli.screen.step_through import StepsScreen
from protocol import messages as m
from tests.client_cli.fakes import entry
from tests.client_cli.played import Playing
from tests.client_cli.screen.dialogs import HandClock, after
from tests.client_cli.screen.stage import MONO, Stage, assert_golden, settled

WIDE = (120, 40)
shown_after = partial(after, DealDialog)


def is_open(stage: Stage) -> bool:
    return isinstance(stage.app.screen, DealDialog)


# --- what it looks like


@pytest.mark.parametrize(
    ("game", "players"),
    [("vint", 4), ("bridge", 4), ("auction_bridge", 4), ("five_hundred", 4), ("five_hundred", 3), ("five_hundred", 6)],
)
async def test_each_part_of_a_deal(tmp_path: Path, game: str, players: int) -> None:
    async with shown_after(Playing(game, players).play(), tmp_path) as stage:
        for key, part in (("1", "deal"), ("2", "play"), ("3", "score")):
            await stage.press(key)
            assert_golden(f"deal_{game}_{players}_{part}_80x24", stage.app)


@pytest.mark.parametrize("game", ["vint", "bridge", "auction_bridge", "five_hundred"])
async def test_all_at_once_where_there_is_room(tmp_path: Path, game: str) -> None:
    async with shown_after(Playing(game).play(), tmp_path, size=WIDE) as stage:
        assert_golden(f"deal_{game}_120x40", stage.app)
        for part in ("Auction", "Play", "Score"):
            assert part in stage.shown()


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_ascii_and_no_colour(tmp_path: Path, size: tuple[int, int]) -> None:
    playing = Playing("five_hundred")
    assert playing.told.ask("bob", m.SetName(1, "Бób"))
    async with shown_after(playing.play(), tmp_path, size=size, config=MONO) as stage:
        assert stage.shown().isascii()
        assert_golden(f"deal_ascii_{size[0]}x{size[1]}", stage.app)
        for key in "23":
            await stage.press(key)
            assert stage.shown().isascii()


async def test_names_are_no_markup(tmp_path: Path) -> None:
    playing = Playing("auction_bridge")
    assert playing.told.ask("cis", m.SetName(1, "[red]C[/]"))
    async with shown_after(playing.play(), tmp_path) as stage:
        assert "S [red]C[/]" in stage.shown()


async def test_another_size_shows_more(tmp_path: Path) -> None:
    async with shown_after(Playing("auction_bridge").play(), tmp_path) as stage:
        await stage.press("3")
        assert "Auction" not in stage.shown()
        await stage.pilot.resize_terminal(*WIDE)
        await settled(stage.app)
        assert "Auction" in stage.shown()
        assert "3 Score" not in stage.shown()
        await stage.pilot.resize_terminal(80, 24)
        await settled(stage.app)
        assert "Auction" not in stage.shown()
        assert "[3 Score]" in stage.shown()


# --- from part to part


async def test_parts_are_turned_by_arrows_and_by_mouse(tmp_path: Path) -> None:
    async with shown_after(Playing("auction_bridge").play(), tmp_path) as stage:
        assert "[1 Deal]" in stage.shown()
        for key, part in (("right", "[2 Play]"), ("right", "[3 Score]"), ("right", "[1 Deal]"), ("left", "[3 Score]")):
            await stage.press(key)
            assert part in stage.shown()
        await stage.click("2 Play")
        assert "[2 Play]" in stage.shown()
        await stage.press("v")
        assert isinstance(stage.app.screen, StepsScreen)
        await stage.press("q", "s")
        assert isinstance(stage.app.screen, SheetScreen)
        await stage.press("escape")
        assert is_open(stage)


# --- the next deal


@pytest.mark.parametrize("key", ["enter", "space", "r"])
async def test_a_key_agrees_to_the_next_deal_and_it_takes_the_place(tmp_path: Path, key: str) -> None:
    playing = Playing("auction_bridge").play()
    async with shown_after(playing, tmp_path) as stage:
        assert "Enter agrees to the next deal." in stage.shown()
        await stage.press(key)
        ready = await stage.asked(m.Ready)
        assert ready.deal == 2
        last = playing.heard[-1].number
        await stage.accept(ready, entry(last + 1, m.SeatReady("N")))
        assert "You have agreed. Waiting for Bob, Cis, Dan." in stage.shown()
        await stage.press(key)
        assert stage.wire.quiet
        await stage.tell(entry(last + 2, m.SeatReady("E")))
        assert "Waiting for Cis, Dan." in stage.shown()
        await stage.tell(entry(last + 3, m.CardsDealt(2, "S", {"N": "AKQJT98765432..."}, dict.fromkeys("NESW", 13))))
        assert not is_open(stage)


async def test_a_key_pressed_twice_agrees_once(tmp_path: Path) -> None:
    async with shown_after(Playing("auction_bridge").play(), tmp_path) as stage:
        await stage.press("enter", "enter", "r")
        ready = await stage.asked(m.Ready)
        assert stage.wire.quiet
        await stage.reject(ready, "Not now.")
        assert stage.app.said == ["Not now."]
        await stage.press("enter")
        await stage.accept(await stage.asked(m.Ready))


@pytest.mark.parametrize("key", ["enter", "space", "r", "escape", "s", "v"])
async def test_one_that_came_by_itself_takes_no_key_before_it_can_have_been_seen(tmp_path: Path, key: str) -> None:
    clock = HandClock()
    playing = Playing("auction_bridge").play()
    async with after(lambda desk: DealDialog(desk, Sight(clock)), playing, tmp_path) as stage:
        clock.seconds += SEEN_S - 0.01
        await stage.press(key)
        assert is_open(stage) and stage.wire.quiet
        assert "Enter Go on" not in stage.shown()
        await stage.press("2")
        assert "[2 Play]" in stage.shown()
        clock.seconds += 0.02
        stage.app.screen.refresh_bindings()  # by which a timer tells it that so much has passed
        await settled(stage.app)
        assert "Enter Go on" in stage.shown()
        await stage.press("enter")
        await stage.accept(await stage.asked(m.Ready))
        await stage.press("escape")
        assert not is_open(stage)


async def test_esc_closes_and_agrees_to_nothing(tmp_path: Path) -> None:
    async with shown_after(Playing("auction_bridge").play(), tmp_path) as stage:
        await stage.press("escape")
        assert not is_open(stage)
        assert stage.wire.quiet


async def test_after_a_rubber_a_key_agrees_to_another(tmp_path: Path) -> None:
    playing = Playing("five_hundred").play()
    while playing.view.stage != "over":
        playing.play()
    async with shown_after(playing, tmp_path) as stage:
        assert "Enter agrees to another game; s shows the whole scoresheet." in stage.shown()
        await stage.press("enter")
        rematch = await stage.asked(m.Rematch)
        assert rematch.rubber == playing.view.rubber
        await stage.accept(rematch)


async def test_who_watches_agrees_to_nothing(tmp_path: Path) -> None:
    playing = Playing("auction_bridge")
    playing.told.arrive("eve")
    first = playing.told.fresh("eve")
    playing.play()
    async with shown_after(playing, tmp_path, first=first, told=1) as stage:
        assert "Waiting for Ann, Bob, Cis, Dan." in stage.shown()
        await stage.press("enter")
        assert stage.wire.quiet


async def test_without_a_connection_nothing_is_agreed_to_later(tmp_path: Path) -> None:
    async with shown_after(Playing("auction_bridge").play(), tmp_path) as stage:
        await stage.drop()
        await stage.press("enter")
        await stage.answered()
        assert stage.app.said == ["There is no connection; this was not sent."]
        await stage.come_back()
        assert stage.wire.quiet
        assert is_open(stage)


async def test_it_goes_when_one_comes_back_to_it_too_late(tmp_path: Path) -> None:
    playing = Playing("auction_bridge").play()
    async with shown_after(playing, tmp_path) as stage:
        await stage.press("s")
        told = len(playing.heard)
        playing.begin()
        await stage.tell(*playing.heard[told:])
        assert isinstance(stage.app.screen, SheetScreen)
        await stage.press("escape")
        assert not is_open(stage)
        assert len(stage.app.screen_stack) == 2


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"stage": "ended"}, "The table is closed."),
        (
            {"seats": [m.SeatPart("N", "ann", "Ann", ready=True), m.SeatPart("E")]},
            "Free seats: E. The next deal waits.",
        ),
        (
            {"seats": [m.SeatPart("N", "ann", "Ann", ready=True), m.SeatPart("E", bot=True)]},
            "You have agreed. The next deal is coming.",
        ),
    ],
)
def test_what_the_next_deal_waits_for(changes: dict[str, object], sentence: str) -> None:
    assert what_next(structs.replace(Playing("auction_bridge").play().view, **changes)) == sentence


# --- the check, and what is not known


async def test_the_seed_is_checked(tmp_path: Path) -> None:
    playing = Playing("auction_bridge").play()
    async with shown_after(playing, tmp_path) as stage:
        assert "✓ Checked: the seed deals these cards, and the laws give this score." in stage.shown()
        assert f"seed {json.loads(playing.records[1])['seed']}" in stage.shown()


async def test_a_deal_that_differs_is_said_so(tmp_path: Path) -> None:
    playing = Playing("auction_bridge").play()
    for heard in playing.heard:
        for event in heard.events:
            if isinstance(event, m.DealScored):
                event.seed = "00" * 32
    async with shown_after(playing, tmp_path) as stage:
        assert "✗ DIFFERS: Deal 1 was not shuffled from its seed." in stage.shown()
        assert stage.wire.quiet
        await stage.press("v")
        assert "cannot be stepped through" in stage.app.said[0]


async def test_what_was_missed_is_asked_for(tmp_path: Path) -> None:
    playing = Playing("auction_bridge")
    playing.begin()
    while (deal := playing.view.deal) is not None and sum(deal.tricks_won.values()) < 5:
        playing.act()
    first, told = playing.view, len(playing.heard)
    while playing.act():
        pass
    async with shown_after(playing, tmp_path, first=first, told=told) as stage:
        asked = await stage.asked(m.GetRecords)
        assert (asked.table, asked.after) == ("t", 0)
        await stage.press("2")
        assert_golden("deal_missed_80x24", stage.app)
        assert stage.shown().count("not known") == 4
        assert "not all is known here" in stage.shown()
        await stage.accept(asked, m.DealRecords("t", [playing.records[1]], 1))
        assert "not known" not in stage.shown()
        assert "✓ Checked" in stage.shown()


async def test_where_there_is_no_record_what_is_known_stays(tmp_path: Path) -> None:
    playing = Playing("auction_bridge").play()
    async with shown_after(playing, tmp_path, first=playing.view, told=len(playing.heard)) as stage:
        await stage.reject(await stage.asked(m.GetRecords), "There is no such table.")
        assert "? Not checked: this client came after the deal" in stage.shown()
        await stage.press("2")
        assert stage.shown().count("not known") == 12


async def test_a_game_that_is_not_known_here(tmp_path: Path) -> None:
    view = structs.replace(Playing("auction_bridge").play().view, game="whist", title="Whist")
    async with shown_after(Playing("auction_bridge"), tmp_path, first=view) as stage:
        await stage.reject(await stage.asked(m.GetRecords), "No.")
        assert "This program does not know this game" in stage.shown()
        await stage.press("2", "v", "s")
        assert isinstance(stage.app.screen, SheetScreen)
        assert "Rubber 1" in stage.shown()
