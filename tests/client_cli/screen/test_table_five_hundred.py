"""What Five Hundred alone asks for: cards to lay away, partners to call, the joker's suit, what a joker is led as."""

from pathlib import Path

import pytest

from client_cli.config import Config
from client_cli.screen.talk import Talk
from protocol import messages as m
from tests.client_cli.screen.situations import Situation, done, legal, make_table, won_auction
from tests.client_cli.screen.stage import Stage, staged
from tests.client_cli.screen.test_table_cards import click, keys

ASKS = Config(theme="dark", bell=False, confirm=True)


# --- the widow


async def test_cards_are_laid_away_by_space_and_enter_when_there_are_enough(tmp_path: Path) -> None:
    situation = won_auction("7H", players=3)
    assert legal(situation.view).discard is not None
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("right", "space", "right", "space")
        assert "2 of 3 chosen" in stage.shown() and "Lay away 3 cards: 1 more" in stage.shown()
        await stage.press("enter")
        assert stage.wire.quiet
        await stage.press("space", "right", "space", "right", "space")  # one is taken back
        assert "Enter lays these cards away" in stage.shown()
        await stage.press("right", "space")  # a fourth is not taken
        await stage.press("enter")
        command = await done(stage, situation, m.DiscardCards)
        assert len(set(command.cards)) == 3
        assert "lead" in stage.shown()
        told = "\n".join(line.plain for line in stage.app.screen.query_one(Talk).lines)
        assert "1 lays away 3 cards" in told  # and not which, since nobody may look at them again


@pytest.mark.parametrize("by", ["letters", "click"])
async def test_cards_are_laid_away_by_letters_or_clicks(tmp_path: Path, by: str) -> None:
    situation = won_auction("7H", players=3)
    discard = legal(situation.view).discard
    assert discard is not None
    wanted = [card for card in discard[1] if card != "JK"][-3:]
    async with staged(make_table, tmp_path, situation.view, config=ASKS) as stage:
        for card in wanted:
            await (stage.press(*keys(card)) if by == "letters" else click(stage, card))
        await stage.press("enter")
        assert "Enter again does it" in stage.shown() and stage.wire.quiet
        await stage.press("enter")
        assert sorted((await done(stage, situation, m.DiscardCards)).cards) == sorted(wanted)


async def test_what_the_widow_was_is_shown_to_whom_it_came(tmp_path: Path) -> None:
    situation = won_auction("7H", players=4)
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert "The widow was" in stage.shown()


# --- partners


@pytest.mark.parametrize(
    ("by", "seats"), [(["down", "down", "enter"], ["2"]), (["2", "enter"], ["2"]), (["2", "3"], ["2", "3"])]
)
async def test_partners_are_called(tmp_path: Path, by: list[str], seats: list[str]) -> None:
    situation = won_auction("8H", players=5)
    assert legal(situation.view).partners[:2] == [[], ["2"]]
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert "Who plays with you?" in stage.shown() and "nobody" in stage.shown()
        await stage.press(*by)
        assert (await done(stage, situation, m.CallPartners)).seats == seats


async def test_partners_are_called_by_a_click(tmp_path: Path) -> None:
    situation = won_auction("8H", players=5)
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.click("3 and 5")
        assert (await done(stage, situation, m.CallPartners)).seats == ["3", "5"]


async def test_nobody_is_called_by_its_letter(tmp_path: Path) -> None:
    situation = won_auction("8H", players=5)
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("n")
        assert (await done(stage, situation, m.CallPartners)).seats == []


# --- the joker


def with_a_joker(players: int) -> Situation:
    """Return a table where Ann plays without trumps, holds the joker, and has laid away other cards."""
    situation = won_auction("10N", players=players, joker=True)
    discard = legal(situation.view).discard
    assert discard is not None
    turn = situation.view.turn
    assert turn is not None
    cards = [card for card in discard[1] if card != "JK"][: discard[0]]
    situation.ask(m.DiscardCards(0, turn.deal, turn.index, cards))
    return situation


@pytest.mark.parametrize(
    ("by", "suit"), [(["h"], "H"), (["n"], None), (["down", "down", "enter"], "S"), (["click"], "D")]
)
async def test_the_jokers_suit_is_named(tmp_path: Path, by: list[str], suit: str | None) -> None:
    situation = with_a_joker(players=4)
    assert legal(situation.view).jokers == [None, "S", "C", "D", "H"]
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert "Name the joker's suit" in stage.shown()
        await (stage.click("♦ diamonds") if by == ["click"] else stage.press(*by))
        assert (await done(stage, situation, m.NameJoker)).suit == suit


@pytest.mark.parametrize(
    "by", [["j", "k", "h"], ["j", "k", "up", "enter"], ["left", "enter", "up", "enter"], ["click"]]
)
async def test_a_joker_is_led_as_a_suit(tmp_path: Path, by: list[str]) -> None:
    situation = with_a_joker(players=3)
    assert {"JK:S", "JK:H"} < set(legal(situation.view).cards)
    async with staged(make_table, tmp_path, situation.view) as stage:
        if by == ["click"]:
            await stage.click("JK")
            assert asks_for_suit(stage)
            await stage.click("♥ hearts")
        else:
            await stage.press(*by[:2])
            assert asks_for_suit(stage)
            await stage.press(*by[2:])
        assert (await done(stage, situation, m.PlayCard)).card == "JK:H"


async def test_one_can_think_better_of_the_joker(tmp_path: Path) -> None:
    situation = with_a_joker(players=3)
    async with staged(make_table, tmp_path, situation.view, config=ASKS) as stage:
        await stage.press("j", "k", "escape")
        assert not asks_for_suit(stage)
        await stage.press("j", "k", "s")
        assert "Lead JK as ♠? Enter again does it" in stage.shown() and stage.wire.quiet
        await stage.press("enter")
        assert (await done(stage, situation, m.PlayCard)).card == "JK:S"


def asks_for_suit(stage: Stage) -> bool:
    return "JK as which suit?" in stage.shown()
