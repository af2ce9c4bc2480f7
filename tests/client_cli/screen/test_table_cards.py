"""Choosing a card at the table: by arrows, by letters, by a click; one's own and dummy's; with and without asking."""

from pathlib import Path

import pytest
from textual.geometry import Region

from client_cli.config import Config
from client_cli.screen.pane import Pane
from protocol import messages as m
from rules.cards import parse_hand
from tests.client_cli.screen.situations import (
    Situation,
    chooses_card,
    chooses_dummys_card,
    done,
    goes_on,
    legal,
    make_table,
    my_turn,
)
from tests.client_cli.screen.stage import CONFIG, Stage, staged

ASKS = Config(theme="dark", bell=False, confirm=True)
BY_ITSELF = Config(theme="dark", bell=False, autoplay=True)


def with_a_card_to_choose() -> Situation:
    situation = Situation("auction_bridge")
    situation.begin()
    situation.until(chooses_card)
    return situation


def keys(card: str) -> list[str]:
    """Return what is typed for a card."""
    return [card[0].lower(), *card[1].lower().replace("t", "10")]


def sign(card: str) -> str:
    """Return how a card is shown."""
    suits = dict(zip("SHDC", "♠♥♦♣", strict=True))
    return suits[card[0]] + card[1].replace("T", "10")


async def test_arrows_go_over_what_may_be_played_and_enter_plays_it(tmp_path: Path) -> None:
    situation = with_a_card_to_choose()
    cards = legal(situation.view).cards
    async with staged(make_table, tmp_path, situation.view) as stage:
        seen = []
        for _ in range(len(cards) + 1):
            await stage.press("right")
            seen.append(prompt(stage))
        assert len(set(seen)) == len(cards) and seen[-1] == seen[0]
        await stage.press("left", "enter")
        played = await done(stage, situation, m.PlayCard)
        assert f"play {sign(played.card)}" in seen[-2]
        assert "YOUR TURN" not in stage.shown()


async def test_no_card_is_chosen_before_a_key_chooses_it(tmp_path: Path) -> None:
    situation = with_a_card_to_choose()
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("enter", "space", "escape", "backspace")
        assert stage.wire.quiet and "Play a card" in prompt(stage)


@pytest.mark.parametrize("backwards", [False, True])
async def test_suit_and_rank_are_typed_in_either_order(tmp_path: Path, backwards: bool) -> None:
    situation = with_a_card_to_choose()
    card = legal(situation.view).cards[-1]
    first, *rest = keys(card)
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press(*([*rest, first] if backwards else [first, *rest]))
        assert (await done(stage, situation, m.PlayCard)).card == card


async def test_half_a_card_is_shown_and_can_be_taken_back(tmp_path: Path) -> None:
    situation = with_a_card_to_choose()
    suit = legal(situation.view).cards[0][0].lower()
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press(suit)
        assert f"typed: {suit}" in prompt(stage)
        await stage.press("backspace")
        assert "typed" not in prompt(stage)
        await stage.press(suit, "escape")
        assert "typed" not in prompt(stage) and stage.wire.quiet


async def test_a_card_that_may_not_be_played_is_not_sent_and_its_letters_are_no_keys_of_the_table(
    tmp_path: Path,
) -> None:
    situation = with_a_card_to_choose()
    view = situation.view
    assert view.seat is not None and view.deal is not None
    held = {str(card) for card in parse_hand(view.deal.hands[view.seat])}
    async with staged(make_table, tmp_path, view) as stage:
        rooms = len(stage.app.screen_stack)
        for card in sorted(held - set(legal(view).cards)):
            await stage.press(*keys(card), "escape")
            await click(stage, card)
            assert stage.wire.quiet and len(stage.app.screen_stack) == rooms
        unknown = next(sign for sign in "shdc" if sign.upper() not in {card[0] for card in legal(view).cards})
        await stage.press(unknown)
        assert f"No card that may be played has '{unknown}'" in prompt(stage)
        await stage.press("W")
        assert len(stage.app.screen_stack) == rooms + 1


async def test_a_click_plays_a_card(tmp_path: Path) -> None:
    situation = with_a_card_to_choose()
    card = legal(situation.view).cards[0]
    async with staged(make_table, tmp_path, situation.view) as stage:
        await click(stage, card)
        assert (await done(stage, situation, m.PlayCard)).card == card


@pytest.mark.parametrize("by", ["arrows", "letters", "click"])
async def test_a_card_of_dummys(tmp_path: Path, by: str) -> None:
    situation = Situation("auction_bridge")
    situation.begin()
    situation.do("1N", "P", "P", "P")
    situation.until(chooses_dummys_card)
    cards = legal(situation.view).cards
    async with staged(make_table, tmp_path, situation.view) as stage:
        assert "from dummy (N)" in prompt(stage)
        assert "▶ N bot · next card · dummy" in stage.shown()
        if by == "arrows":
            await stage.press("left", "right")
            assert "[" in stage.shown()
            await stage.press("enter")
        elif by == "letters":
            await stage.press(*keys(cards[0]))
        else:
            await stage.click(sign(cards[0])[1:])
        assert (await done(stage, situation, m.PlayCard)).card == cards[0]


@pytest.mark.parametrize("by", ["arrows", "letters", "click"])
async def test_a_second_enter_or_click_where_that_is_set(tmp_path: Path, by: str) -> None:
    situation = with_a_card_to_choose()
    card = legal(situation.view).cards[0]
    async with staged(make_table, tmp_path, situation.view, config=ASKS) as stage:

        async def choose() -> None:
            if by == "arrows":
                await stage.press("right", "enter")
            elif by == "letters":
                await stage.press(*keys(card))
            else:
                await click(stage, card)

        await choose()
        assert "Enter again does it" in prompt(stage) and stage.wire.quiet
        await stage.press("escape")
        assert "Enter again" not in prompt(stage) and stage.wire.quiet
        await stage.press("escape", "escape")
        await choose()
        await (click(stage, card) if by == "click" else stage.press("enter"))
        await done(stage, situation, m.PlayCard)


async def test_a_card_that_waits_for_a_second_enter_does_not_outlive_its_turn(tmp_path: Path) -> None:
    situation = with_a_card_to_choose()
    async with staged(make_table, tmp_path, situation.view, config=ASKS) as stage:
        await stage.press("right", "enter")
        assert "Enter again" in prompt(stage)
        situation.play(1)  # from another device
        await goes_on(stage, situation)
        await stage.press("enter")
        situation.until(chooses_card)
        await goes_on(stage, situation)
        assert "Enter again" not in prompt(stage)
        await stage.press("enter")
        assert stage.wire.quiet


async def test_the_only_card_is_played_by_itself_where_that_is_set(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    situation.begin()
    situation.until(lambda view: len(legal(view).cards) == 1)
    (card,) = legal(situation.view).cards
    async with staged(make_table, tmp_path, situation.view, config=BY_ITSELF) as stage:
        assert (await done(stage, situation, m.PlayCard)).card == card
    async with staged(make_table, tmp_path, with_a_card_to_choose().view, config=BY_ITSELF) as stage:
        await stage.answered()
        assert stage.wire.quiet


async def test_nothing_else_can_be_chosen_while_a_card_is_on_its_way(tmp_path: Path) -> None:
    situation = with_a_card_to_choose()
    async with staged(make_table, tmp_path, situation.view) as stage:
        await stage.press("right", "enter")
        command = await stage.asked(m.PlayCard)
        assert f"play {sign(command.card)} ..." in prompt(stage)
        await stage.press("right", "enter", *keys(command.card))
        assert stage.wire.quiet
        await stage.reject(command, "Not that card.")
        assert stage.app.said == ["Not that card."]
        await stage.press("right", "enter")
        assert (await done(stage, situation, m.PlayCard)).card == command.card


async def test_a_key_is_drawn_at_once_and_waits_for_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    situation = with_a_card_to_choose()
    async with staged(make_table, tmp_path, situation.view) as stage:
        drawn: list[tuple[str | None, bool]] = []
        refresh = Pane.refresh

        def noting(pane: Pane, *regions: Region, layout: bool = False) -> Pane:
            drawn.append((pane.id, layout))
            return refresh(pane, *regions, layout=layout)

        monkeypatch.setattr(Pane, "refresh", noting)
        await stage.press("right")
        assert drawn == [("below", False), ("prompt", False)]
        assert stage.wire.quiet and not list(stage.app.workers)


async def test_the_own_turn_rings_once(tmp_path: Path) -> None:
    situation = Situation("auction_bridge")
    situation.begin()
    situation.until(lambda view: chooses_card(view))
    async with staged(make_table, tmp_path, situation.view, config=Config(theme="dark")) as stage:
        assert stage.app.bells == 1
        await stage.tell(situation.view)
        await stage.drop()
        await stage.come_back()
        assert "YOUR TURN" in prompt(stage) and stage.app.bells == 1
        situation.play(1)
        await goes_on(stage, situation)
        situation.until(my_turn)
        await goes_on(stage, situation)
        assert stage.app.bells == 2
        await stage.tell(m.Rewound(situation.view.number), situation.view)
        assert stage.app.bells == 3
    async with staged(make_table, tmp_path, situation.view, config=CONFIG) as stage:
        assert stage.app.bells == 0


async def click(stage: Stage, card: str) -> None:
    """Click on a card of the own hand."""
    shown = stage.shown().splitlines()
    above = sum(line.count(sign(card)) for line in shown[:18])
    await stage.click(sign(card), above)


def prompt(stage: Stage) -> str:
    """Return the line under the hand."""
    return stage.shown().splitlines()[-2]
