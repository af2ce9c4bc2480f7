"""The screen of a table: whose turn it is, what is heard, what is lost and comes back, and what there is to look at."""

from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from client_cli.config import Config, Theme
from client_cli.screen.deal_over import DealDialog
from client_cli.screen.sheet import SheetScreen
from client_cli.screen.sight import SEEN_S
from client_cli.screen.table import TableScreen
from client_cli.screen.talk import Talk
from protocol import messages as m
from rules.cards import parse_hand
from tests.client_cli.screen.dialogs import HandClock
from tests.client_cli.screen.situations import Situation, chooses_card, done, goes_on, make_table, my_turn
from tests.client_cli.screen.stage import MONO, Stage, shown, staged

BY_HAND = Config(theme="dark", bell=False, autoplay=False)
ASKS = Config(theme="dark", bell=False, confirm=True)


def begun(game: str = "auction_bridge", *calls: str) -> Situation:
    """Return a table where Ann is the dealer, after these calls."""
    situation = Situation(game)
    situation.begin()
    situation.do(*calls)
    return situation


# --- the turn


async def test_the_own_turn_is_told_by_a_mark_and_by_words(tmp_path: Path) -> None:
    situation = begun()
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert "▶ S Ann (you) · your turn 0:00" in stage.shown() and "▶ YOUR TURN  Your call" in stage.shown()
        situation.do("1N")
        await goes_on(stage, situation)
        assert "▶ W bot" in stage.shown() and "calls 0:00" in stage.shown()
        assert "S Ann (you) · dealer" in stage.shown() and "YOUR TURN" not in stage.shown()


@pytest.mark.parametrize("theme", get_args(Theme))
async def test_the_seat_to_act_is_reversed_in_every_theme(tmp_path: Path, theme: Theme) -> None:
    situation = begun()
    async with staged(make_table, tmp_path, situation.view, config=Config(theme=theme, bell=False)) as stage:
        own = stage.style_of("S Ann")
        assert own.reverse and own.bold
        assert not stage.style_of("N bot").reverse


async def test_in_ascii_nothing_else_is_drawn(tmp_path: Path) -> None:
    for situation in (begun(), begun("bridge"), begun("auction_bridge", "1N", "P", "P", "P"), Situation("vint")):
        situation.join("Zoë")
        async with staged(make_table, tmp_path, situation.view, config=MONO) as stage:
            await stage.press("right")
            await stage.tell(m.Said("z", "Zoë", "Grüße", 1.0))
            assert stage.shown().isascii(), stage.shown()
            for key in ("W", "O", "Q", "slash"):
                await stage.press(key)
                assert stage.shown().isascii(), stage.shown()
                await stage.press("escape")


async def test_minutes_go_by(tmp_path: Path) -> None:
    situation, clock = begun(), HandClock()
    async with staged(partial(TableScreen, now=clock), tmp_path, situation.view) as stage:
        clock.seconds += 65.0
        await stage.tell(m.Said("b", "Bob", "Hm?", 1.0))
        assert "your turn 1:05" in stage.shown()
        situation.do("1N")
        await goes_on(stage, situation)
        assert "calls 0:00" in stage.shown()


# --- cards


async def test_the_hand_is_held_by_suit_trumps_first(tmp_path: Path) -> None:
    situation = begun("auction_bridge", "1D", "P", "P", "P")
    situation.until(my_turn)
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert order_of_suits(stage) == "♦♠♥♣"
    async with staged(make_table, tmp_path, begun().view) as stage:
        assert order_of_suits(stage) == "♠♥♦♣"


async def test_dummy_lies_open_in_its_place_and_the_others_have_so_many_cards(tmp_path: Path) -> None:
    situation = begun("auction_bridge", "1N", "P", "P", "P")
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert "13 cards" in stage.shown()
        situation.play(1)
        await goes_on(stage, situation)
        lines = stage.shown().splitlines()
        dummy = parse_hand(situation.view.deal.hands["N"]) if situation.view.deal is not None else ()
        ranks = sum(len(line[:52].split()) - 1 for line in lines[2:6])
        assert "dummy" in lines[1] and ranks == len(dummy) == 13
        assert "12 cards" in stage.shown()


async def test_a_trick_stays_until_the_next_is_led(tmp_path: Path) -> None:
    situation = begun("auction_bridge", "1N", "P", "P", "P")
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert "W leads" in stage.shown()
        situation.play(1)
        await goes_on(stage, situation)
        assert "W led" in stage.shown() and "╔════╗" in stage.shown()
        situation.play(3)
        await goes_on(stage, situation)
        assert "won" in stage.shown() and stage.shown().count("╰────╯") == 3
        await stage.press("l")
        assert "The last trick: W " in stage.shown()
        await stage.press("escape")
        situation.play(1)
        await goes_on(stage, situation)
        assert "won" not in stage.shown() and stage.shown().count("╚════╝") == 1


async def test_who_watches_sees_no_hand_and_may_do_nothing_in_the_deal(tmp_path: Path) -> None:
    situation = begun("auction_bridge")
    situation.join("bob")
    view = situation.told.fresh("bob")
    async with staged(make_table, tmp_path, view) as stage:
        assert "You watch" in stage.shown() and "S Ann" in stage.shown() and "YOUR TURN" not in stage.shown()
        await stage.press("right", "enter", "1", "n", "p")
        assert stage.wire.quiet


# --- what is heard


async def test_talk(tmp_path: Path) -> None:
    situation = begun()
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.tell(m.Said("b", "Bob [b]", "Hello [red]all[/red]", 1.0, "E"))
        assert "Bob [b] (E): Hello" in stage.shown() and "[red]all[/red]" in stage.shown()
        await stage.press("c", *"hi", "space", *"qs")
        await stage.press("enter")
        command = await stage.asked(m.Say)
        assert command.text == "hi qs"
        await stage.accept(command)
        await stage.press("c", "x", "escape", "w")
        assert stage.wire.quiet and "Seats" in stage.shown()


async def test_talk_goes_back_by_pages(tmp_path: Path) -> None:
    situation = begun()
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.tell(*(m.Said("b", "Bob", f"line{number}", float(number)) for number in range(1, 31)))
        assert "line30" in stage.shown() and "line10\n" not in stage.shown()
        await stage.press("pageup")
        assert "line30" not in stage.shown()
        shown = stage.shown()
        await stage.tell(m.Said("b", "Bob", "line31", 31.0))
        assert stage.shown() == shown
        await stage.press("pageup", "pageup", "pageup")
        assert "line1\n" in stage.shown()
        await stage.press(*["pagedown"] * 4)
        assert "line31" in stage.shown()


async def test_what_happens_is_told_but_not_what_lies_on_the_table(tmp_path: Path) -> None:
    situation = begun("auction_bridge", "1N", "P", "P")
    async with staged(make_table, tmp_path, situation.view) as stage:
        situation.join("cis")
        situation.do("P")
        situation.play(4)
        await goes_on(stage, situation)
        assert "Cis has come" in told(stage) and "The contract is 1NT by S" in told(stage)
        assert not {"plays", "passes", "Trick"} & set(told(stage).split())


async def test_the_deal_is_shown_when_it_is_over(tmp_path: Path) -> None:
    situation, clock = begun("auction_bridge", "1N", "P", "P", "P"), HandClock()
    situation.play(51)
    async with staged(partial(TableScreen, now=clock), tmp_path, situation.view) as stage:
        situation.play(1)
        await goes_on(stage, situation)
        assert isinstance(stage.app.screen, DealDialog)
        clock.seconds += SEEN_S
        await stage.press("escape")
        assert "Next deal?" in stage.shown() and "Deal 1 is over." in stage.shown()
        await stage.press("d")
        assert isinstance(stage.app.screen, DealDialog)


async def test_the_key_of_the_last_card_pressed_again_does_not_agree_to_the_next_deal(tmp_path: Path) -> None:
    situation, clock = begun("auction_bridge", "1N", "P", "P", "P"), HandClock()
    situation.until(plays_last_card)
    async with staged(partial(TableScreen, now=clock), tmp_path, situation.view, config=BY_HAND) as stage:
        await stage.press("right", "enter")
        await done(stage, situation, m.PlayCard)
        while situation.act():
            pass
        await goes_on(stage, situation)
        await stage.reject(await stage.asked(m.GetRecords), "No.")
        await stage.press("enter", "escape")
        assert isinstance(stage.app.screen, DealDialog)
        assert stage.wire.quiet
        clock.seconds += SEEN_S
        await stage.press("enter")
        await stage.asked(m.Ready)


# --- what is lost


async def test_a_lost_connection_shows_at_once_and_nothing_is_sent_later(tmp_path: Path) -> None:
    situation = begun()
    situation.until(chooses_card)
    async with staged(make_table, tmp_path, situation.view, config=ASKS) as stage:
        await stage.press("right", "enter")
        assert "Enter again" in stage.shown()
        await stage.drop()
        assert "✖ The connection is lost; trying again ..." in stage.shown().splitlines()[0]
        assert "YOUR TURN" not in stage.shown() and "Nothing can be sent now." in stage.shown()
        await stage.press("enter", "right", "enter", "enter", "h", "a", "r")
        await stage.come_back()
        assert "connection is lost" not in stage.shown()
        assert "YOUR TURN  Play a card:" in stage.shown() and stage.wire.quiet
        await stage.press("enter")
        assert stage.wire.quiet
        await stage.press("right", "enter", "enter")
        await done(stage, situation, m.PlayCard)


async def test_what_happened_meanwhile_is_in_place(tmp_path: Path) -> None:
    situation = begun()
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("1")
        await stage.drop()
        situation.do("1N", "P")  # from another device
        await stage.come_back(*situation.since(stage.desk.view))
        assert "▶ N bot" in stage.shown() and "1NT" in stage.shown() and "typed" not in stage.shown()


async def test_talk_that_cannot_be_sent_stays_in_the_line(tmp_path: Path) -> None:
    async with staged(make_table, tmp_path, begun().view) as stage:
        await stage.press("c", *"hello")
        await stage.drop()
        await stage.press("enter")
        assert stage.app.said == ["There is no connection; this was not sent."] and "hello" in stage.shown()
        await stage.come_back()
        assert stage.wire.quiet
        await stage.press("enter")
        assert (await stage.asked(m.Say)).text == "hello"


async def test_a_store_that_went_back_is_told_and_takes_back_what_was_half_done(tmp_path: Path) -> None:
    situation = begun()
    situation.until(chooses_card)
    view = situation.view
    async with staged(make_table, tmp_path, view, config=ASKS) as stage:
        await stage.press("right", "enter")
        assert "Enter again" in stage.shown()
        await stage.tell(m.Rewound(view.number))
        assert "YOUR TURN" not in stage.shown()
        await stage.press("right", "enter", "enter")
        await stage.tell(view)
        assert "store went back" in told(stage)
        assert "Enter again" not in stage.shown() and "YOUR TURN" in stage.shown()
        await stage.press("enter")
        assert stage.wire.quiet


# --- to look at


async def test_score_seats_options_and_help(tmp_path: Path) -> None:
    async with staged(make_table, tmp_path, begun().view) as stage:
        for key, words in (("l", "The last trick"), ("w", "S  Ann (you)"), ("o", "all options at their defaults")):
            await stage.press(key)
            assert words in stage.shown() and len(stage.app.screen_stack) == 3
            await stage.press("escape")
        await stage.press("?")
        assert "Last trick" in stage.shown()
        await stage.press(*["down"] * 9)
        assert "is not shown" in stage.shown()


async def test_options_are_told_with_their_words_and_scroll(tmp_path: Path) -> None:
    async with staged(make_table, tmp_path, begun().view) as stage:
        await stage.press("o")
        assert "first_dealer = random; or cut, fixed" in stage.shown()
        assert "hide_auction_during_play" not in stage.shown()
        await stage.press(*["down"] * 4)
        assert "hide_auction_during_play = false; or true" in stage.shown()
        await stage.press("enter")
        assert "hide_auction_during_play" not in stage.shown()


async def test_the_scoresheet(tmp_path: Path) -> None:
    async with staged(make_table, tmp_path, begun().view) as stage:
        await stage.press("s")
        assert isinstance(stage.app.screen, SheetScreen)


async def test_keys_can_be_other_ones(tmp_path: Path) -> None:
    config = Config(theme="dark", bell=False, keys={"seats": "f2", "right": "tab"})
    async with staged(make_table, tmp_path, begun().view, config=config) as stage:
        await stage.press("w")
        assert len(stage.app.screen_stack) == 2
        await stage.press("f2")
        assert len(stage.app.screen_stack) == 3
        await stage.press("escape", "tab")
        assert "[1♠]" in stage.shown()


@pytest.mark.parametrize("size", [(79, 24), (80, 23), (30, 5)])
async def test_a_terminal_that_is_too_small_says_so_and_comes_back(tmp_path: Path, size: tuple[int, int]) -> None:
    situation = begun()
    situation.until(chooses_card)
    async with staged(make_table, tmp_path, situation.view, size=size) as stage:
        assert f"at least 80 by 24; it is {size[0]} by {size[1]}." in " ".join(stage.shown().split())
        assert "Ann" not in stage.shown()
        await stage.press("right", "enter")
        assert stage.wire.quiet
        await stage.pilot.resize_terminal(80, 24)
        await stage.press("right")
        assert "YOUR TURN" in stage.shown() and "at least" not in stage.shown()


def plays_last_card(view: m.TableView) -> bool:
    """Say whether Ann has to play her last card, or dummy's."""
    return my_turn(view) and view.deal is not None and view.deal.counts["S"] == 1


def told(stage: Stage) -> str:
    """Return what has been written down, of which only the last lines are shown."""
    return "\n".join(line.plain for line in stage.app.screen.query_one(Talk).lines)


def order_of_suits(stage: Stage) -> str:
    """Return the suits of the own hand from left to right."""
    hand = "".join(shown(stage.app).splitlines()[18:22])
    return "".join(dict.fromkeys(sign for sign in hand if sign in "♠♥♦♣"))
