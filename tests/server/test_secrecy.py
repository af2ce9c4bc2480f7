"""No connection is ever told of a card that its seat may not know. The guests search every frame that they get."""

from random import Random

import pytest

from protocol import messages as m
from rules.registry import GAMES
from server.decide import Refusal
from tests.server.house import FakeGuest, House, some_turns, until
from tests.server.memory_store import MemoryWorld
from tests.server.rig import PLAYERS, SEATS, cards_in, hands_held, hidden_from, to_act

FOUR_HANDED = [family.name for family in GAMES.values() if 4 in family.players]


async def four_and_watchers(game: str = "auction_bridge") -> tuple[House, House, list[FakeGuest]]:
    world = MemoryWorld()
    house, other = await House.start(world, "p1", game=game), await House.start(world, "p2")
    watchers = [await house.guest("eve"), await other.guest("fay")]
    return house, other, [*await house.four(), *watchers]


def seeds_in(guest: FakeGuest, seed: bytes) -> bool:
    return any(seed in frame or seed.hex().encode() in frame for frame in guest.frames)


@pytest.mark.parametrize("game", FOUR_HANDED)
@pytest.mark.parametrize("seed", range(4))
async def test_in_a_whole_deal_nobody_is_told_of_a_hidden_card(game: str, seed: int) -> None:
    house, other, guests = await four_and_watchers(game)
    rng = Random(seed)
    deal = house.table.deal
    assert deal is not None
    while house.table.stage == "playing":
        await house.act(rng)
        if house.table.stage == "playing":
            assert not any(seeds_in(guest, deal.seed) for guest in guests), "nor of the seed that tells them all"
    await until(lambda: other.table.head == house.table.head)
    assert all(seeds_in(guest, deal.seed) for guest in guests), "it is told afterwards"
    await house.close()
    await other.close()


async def test_each_player_is_told_of_his_own_hand_and_a_spectator_of_none() -> None:
    house, other, guests = await four_and_watchers()
    await until(lambda: other.table.head == house.table.head)
    hands = hands_held(house.table)
    for guest in guests:
        seat = house.table.seat_of(guest.player)
        known = set().union(*map(cards_in, guest.frames))
        assert known == (set() if seat is None else {str(card) for card in hands[seat]})
    await house.close()
    await other.close()


async def test_only_the_seat_to_act_is_told_what_it_may_do() -> None:
    house, other, guests = await four_and_watchers()
    rng = Random(7)
    for _ in range(30):
        actor = to_act(house.table)
        for guest in guests:
            if guest.player not in ("fay",):
                turn = guest.told(m.Entry)[-1].turn
                assert turn is not None and (turn.legal is not None) == (guest.player == actor)
        await house.act(rng)
    await house.close()
    await other.close()


@pytest.mark.parametrize("game", FOUR_HANDED)
async def test_who_comes_back_is_told_no_more_than_before(game: str) -> None:
    house, other, guests = await four_and_watchers(game)
    rng = Random(8)
    begun = next(one for one in guests[0].told(m.Entry) if any(isinstance(event, m.CardsDealt) for event in one.events))
    while house.table.stage == "playing":
        for place in (house, other):
            await until(lambda: other.table.head == house.table.head)
            for player in (*PLAYERS, "eve"):
                if rng.random() < 0.2:
                    has = rng.choice([(0, ""), (begun.number - 1, ""), (begun.number, begun.entry)])
                    await place.guest(player, has)
        await until(lambda: other.table.head == house.table.head)
        await house.act(rng)
    await house.close()
    await other.close()


async def test_who_sits_down_in_mid_deal_sees_that_hand_and_no_other() -> None:
    house, other, guests = await four_and_watchers()
    eve = next(guest for guest in guests if guest.player == "eve")
    rng = Random(9)
    for _ in range(12):
        await house.act(rng)
    await house.ask("bob", m.LeaveSeat(house.next_id("bob")))
    bob = next(guest for guest in guests if guest.player == "bob")
    assert bob.told(m.TableView)[-1].seat is None
    assert not cards_in(bob.frames[-1]) & hidden_from(house.table, None), "he is shown a spectator's view"
    await house.ask("eve", m.TakeSeat(house.next_id("eve"), "E"))
    view = eve.told(m.TableView)[-1]
    assert view.seat == "E" and view.deal is not None and "E" in view.deal.hands
    for seat in ("N", "S", "W"):
        refused = await house.ask("bob", m.TakeSeat(house.next_id("bob"), seat))
        assert isinstance(refused, Refusal)
    while house.table.stage == "playing":
        await house.act(rng)
    await house.close()
    await other.close()


async def test_a_bots_hand_is_shown_to_nobody() -> None:
    world = MemoryWorld()
    house = await House.start(world)
    await house.guest("eve")
    await house.guest("ann")
    await house.ask("ann", m.TakeSeat(1, "N"))
    for seat in SEATS[1:]:
        await house.ask("ann", m.SeatBot(house.next_id("ann"), seat))
    await house.agree()
    rng = Random(10)
    while house.table.stage == "playing":
        await until(lambda: house.table.stage != "playing" or to_act(house.table) == "ann")
        if house.table.stage == "playing":
            await house.act(rng)
            await house.guest("fay")
    await house.close()


async def test_an_owner_who_comes_back_to_a_bots_turn_is_told_what_he_may_do() -> None:
    world = MemoryWorld()
    house = await House.start(world)
    guests = await house.four()
    actor = to_act(house.table)
    gone = next(guest for guest in guests if guest.player == actor)
    house.store.away = True  # so that the bot cannot act before he is back
    house.open.dismiss(gone)
    await some_turns()
    house.store.away = False
    back = await house.guest(gone.player)
    turn = back.told(m.TableView)[-1].turn
    assert turn is not None and turn.legal is not None
    await house.close()


async def test_after_the_log_went_back_nobody_is_told_of_a_hidden_card() -> None:
    house, other, _ = await four_and_watchers()
    rng = Random(11)
    for _ in range(12):
        await house.act(rng)
    house.world.cut("t", len(house.world.logs["t"]) - 7)
    deals = house.table.deals
    house.world.tell_all_to_look_again()
    await until(lambda: house.table.deals > deals and house.table.stage == "playing")
    for _ in range(12):
        await house.act(rng)
    await until(lambda: other.table.head == house.table.head)
    await house.close()
    await other.close()


def test_the_search_finds_cards_wherever_they_are() -> None:
    from protocol.codec import encode

    deal = m.DealScored(1, {"N": "AK..T.2"}, m.ScorePart({}, [], {}, "N", False, None), "", "..J.", None)
    frame = encode(m.Entry(1, "x", 0.0, [m.CardPlayed("N", "N", "HQ"), deal]))
    assert cards_in(frame) == {"SA", "SK", "DT", "C2", "DJ", "HQ"}
    legal = m.Turn(1, 0, "N", "N", m.Legal([], ["D9"], (1, ["C8"]), [], []))
    assert cards_in(encode(m.Entry(1, "x", 0.0, [], legal))) == {"D9", "C8"}
