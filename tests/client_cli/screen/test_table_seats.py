"""Before and between deals: seats, bots, the link for friends, agreeing to go on, and going away."""

from functools import partial
from pathlib import Path

from msgspec import structs

from client_cli.screen.offer_dialog import OfferDialog
from client_cli.screen.question import Question
from client_cli.screen.sight import SEEN_S
from client_cli.screen.table import TableScreen
from client_cli.screen.wishes import LeaveServer
from client_cli.state import OWN_SERVER, Memory
from protocol import messages as m
from tests.client_cli.fakes import entry
from tests.client_cli.screen.dialogs import HandClock
from tests.client_cli.screen.situations import Situation, done, goes_on, make_table
from tests.client_cli.screen.stage import URL, staged


async def test_who_sits_where_and_who_watches(tmp_path: Path) -> None:
    situation = Situation("auction_bridge", dealer_may_pass=True)
    situation.join("bob", "E")
    situation.join("cis")
    situation.ask(m.SeatBot(0, "N"))
    async with staged(make_table, tmp_path, situation.view) as stage:
        shown = stage.shown()
        assert "S Ann (you) · here" in shown and "N bot" in shown and "W free" in shown and "E Bob" in shown
        assert "Watching: Cis" in shown and "dealer_may_pass=" in shown
        situation.told.drop("bob")
        await goes_on(stage, situation)
        assert "away 0:00" in stage.shown()
        assert "Bob (E) has lost the" in stage.shown()


async def test_the_link_for_friends_is_shown_and_copied(tmp_path: Path) -> None:
    situation = Situation("vint")
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert f"{URL}#t" in stage.shown()
        await stage.press("y")
        assert stage.app.clipboard == f"{URL}#t"


async def test_there_is_no_link_to_a_server_of_ones_own(tmp_path: Path) -> None:
    situation = Situation("vint")
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert stage.desk.visit is not None
        stage.desk.visit.memory = Memory(tmp_path, OWN_SERVER)
        await stage.tell(situation.view)
        assert "#t" not in stage.shown() and "Copy link" not in stage.shown()


async def test_seats_are_taken_and_bots_put_in_by_arrows(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("down", "down", "enter")
        assert (await done(stage, situation, m.TakeSeat)).seat == "N"
        assert "N Ann (you)" in stage.shown()
        await stage.press("down", "down", "down", "enter")
        assert (await done(stage, situation, m.SeatBot)).seat == "E"
        assert "E bot" in stage.shown() and "Send bot from  E" in stage.shown()
        await stage.press("up", "enter")
        assert (await done(stage, situation, m.RemoveBot)).seat == "E"


async def test_seats_by_clicks_and_letters(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.click("Stand up")
        await done(stage, situation, m.LeaveSeat)
        assert "You watch." in stage.shown() and "Put a bot in" not in stage.shown()
        await stage.press("down", "enter")
        await done(stage, situation, m.TakeSeat)
        await stage.press("u")
        await done(stage, situation, m.LeaveSeat)


async def test_ready_by_its_key_by_enter_and_by_a_click(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    for seat in "NEW":
        situation.ask(m.SeatBot(0, seat))
    view = situation.view
    for way in ("r", "R", "enter", "click"):
        async with staged(make_table, tmp_path, view) as stage:
            await (stage.click("Ready") if way == "click" else stage.press(way))
            assert (await stage.asked(m.Ready)).deal == 1
    async with staged(make_table, tmp_path, view) as stage:
        await stage.press("r")
        await done(stage, situation, m.Ready)
        assert "S Ann (you) · ready" in stage.shown() and "R Ready" not in stage.shown()
        situation.begin()
        await goes_on(stage, situation)
        assert "YOUR TURN" in stage.shown()


async def test_a_bot_is_put_in_the_seat_of_who_is_away(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    situation.join("bob", "E")
    situation.begin()
    situation.told.drop("bob")
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("w")
        assert "E  Bob, away" in stage.shown()
        await stage.press("right", "enter")
        assert (await done(stage, situation, m.SeatBot)).seat == "E"
        assert "bot plays" in stage.shown()
        await stage.press("w")
        assert "Send bot from  N  W" in stage.shown()  # and not the one that plays for Bob


async def test_after_a_rubber_there_is_another(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    situation.begin()
    situation.until(lambda view: view.stage == "over")
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert "Another rubber?" in stage.shown()
        await stage.press("r")
        assert (await done(stage, situation, m.Rematch)).rubber == 1
        situation.told.begin_deal(bytes(32))
        await goes_on(stage, situation)
        assert "Rubber 2" in stage.shown()


async def test_ending_a_table_is_asked_first(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    situation.begin()
    situation.until(lambda view: view.stage == "over")
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("e", "n")
        assert stage.wire.quiet
        await stage.press("e", "y")
        await done(stage, situation, m.EndTable)
        assert "The table is closed" in stage.shown()


async def test_ending_a_table_is_asked_above_the_ways_to_go(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("q", "e")
        assert [type(screen) for screen in stage.app.screen_stack[-2:]] == [OfferDialog, Question]
        await stage.press("enter")
        assert isinstance(stage.app.screen, OfferDialog)
        assert stage.wire.quiet
        await stage.press("e", "y")
        await done(stage, situation, m.EndTable)
        assert "The table is closed" in stage.shown()


async def test_ways_to_go(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("q", "escape")
        assert stage.wire.quiet
        assert stage.app.wishes == []
        await stage.press("q", "g")
        assert stage.wire.quiet
        assert [type(wish) for wish in stage.app.wishes] == [LeaveServer]
        await stage.press("q", "enter")  # the first way is marked
        assert stage.wire.quiet
        assert [type(wish) for wish in stage.app.wishes] == [LeaveServer, LeaveServer]


async def test_a_seat_is_given_up_only_by_a_yes(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("q", "l")
        assert "Leave the table for good?" in stage.shown()
        await stage.press("enter", "escape")
        assert stage.wire.quiet
        await stage.press("q", "l", "y")
        await stage.asked(m.LeaveTable)


async def test_who_only_watches_leaves_at_once(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    view = structs.replace(situation.view, seat=None)
    async with staged(make_table, tmp_path, view) as stage:
        await stage.press("q", "l")
        await stage.asked(m.LeaveTable)


async def test_a_code_for_another_device(tmp_path: Path) -> None:
    situation, clock = Situation("auction_bridge"), HandClock()
    async with staged(partial(TableScreen, now=clock), tmp_path, situation.view) as stage:
        await stage.press("q", "m")
        command = await stage.asked(m.MakeSeatCode)
        number = situation.view.number + 1
        await stage.accept(command, entry(number), m.SeatCode("t", "km7q-2xvr-9tbc", 0.0))
        assert "--seat t:km7q-2xvr-9tbc" in stage.shown()
        await stage.press("enter", "escape")  # pressed before it could be seen
        assert "--seat t:km7q-2xvr-9tbc" in stage.shown()
        clock.seconds += SEEN_S
        await stage.press("enter")
        assert "--seat" not in stage.shown()
