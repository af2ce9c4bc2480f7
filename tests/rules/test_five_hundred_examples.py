"""Every worked example of the rules of Five Hundred: scores S, auctions A, legal plays P, winners W, ranking R."""

import re
from math import comb
from typing import Any

import pytest

from rules.cards import JOKER, Suit, parse_card
from rules.five_hundred_cards import ORDERS, PACKS
from tests.rules.five_hundred_deals import (
    PLAYERS,
    all_passed,
    bid_by,
    bids,
    called,
    dealt,
    discarded,
    five_hundred,
    led_already,
    legal_texts,
    renounced,
    winning_card,
)

# Preset | totals before | seat that bids (0 is the first named), call, called partners | tricks of each side, or of
# each player with five; or the seats that won the tricks in order | totals after | side that has won.
SCORES = """
S01 | hoyle3 | 0 0 0        | 0 6S      | 6 3 1      | 40 30 10     |
S02 | hoyle3 | 0 0 0        | 0 8D      | 9 1 0      | 280 10 0     |
S03 | hoyle3 | 0 0 0        | 1 7N      | 0 10 0     | 0 250 0      |
S04 | hoyle3 | 0 0 0        | 2 8S      | 0 0 10     | 0 0 250      |
S05 | hoyle3 | 0 0 0        | 0 8C      | 10 0 0     | 260 0 0      |
S06 | hoyle3 | 0 0 120      | 0 9N      | 10 0 0     | 420 0 120    |
S07 | hoyle3 | 120 90 -60   | 1 9H      | 1 8 1      | 130 -310 -50 |
S08 | hoyle3 | 320 150 200  | 0 7H      | 6 3 1      | 120 180 210  |
S09 | hoyle3 | 0 0 0        | 2 10N     | 0 0 10     | 0 0 520      | 2
S10 | hoyle3 | 0 0 0        | 0 10H     | 10 0 0     | 500 0 0      | 0
S11 | hoyle3 | 390 490 460  | 0 7S      | 7 2 1      | 530 510 470  | 0
S12 | hoyle3 | 370 490 200  | 0 7S      | 7 3 0      | 510 520 200  | 0
S13 | hoyle3 | 400 470 0    | 0 6D      | 6 4 0      | 480 510 0    | 1
S14 | hoyle3 | 300 480 490  | 0 8C      | AABCABCABA | 40 510 510   | 2
S15 | hoyle3 | 300 480 490  | 0 8C      | BBBCAAAAAC | 40 510 510   | 1
S16 | hoyle3 | 300 480 490  | 0 8C      | BBCCBAAAAA | 40 510 510   | 1
S17 | hoyle3 | 300 490 100  | 2 6H      | 2 1 7      | 320 500 200  | 1
S18 | hoyle3 | -420 100 60  | 0 8N      | 7 2 1      | -740 120 70  |
S19 | hoyle3 | -300 0 0     | 0 9N      | 10 0 0     | 120 0 0      |
S20 | hoyle3 | 0 0 0        |           | 4 3 3      | 40 30 30     |
S21 | hoyle3 | 0 0 0        |           | 10 0 0     | 100 0 0      |
S22 | hoyle3 | 470 480 460  |           | CCCAACBACB | 500 500 510  | 2
S45 | hoyle2 | 0 0          | 1 7C      | 3 7        | 30 160       |
S46 | hoyle2 | 100 -300     | 1 8S      | 5 5        | 150 -540     | 0
S23 | aus4   | 0 0          | 0 7S      | 7 3        | 140 30       |
S24 | aus4   | 0 0          | 0 7S      | 6 4        | -140 40      |
S25 | aus4   | 0 0          | 0 6S      | 10 0       | 250 0        |
S26 | aus4   | 0 0          | 0 8H      | 10 0       | 300 0        |
S27 | aus4   | 0 0          | 0 10N     | 3 7        | -520 70      | 1
S28 | aus4   | 100 120      | 1 9D      | 1 9        | 110 500      | 1
S29 | aus4   | 460 180      | 1 8S      | 5 5        | 510 -60      |
S30 | aus4   | 510 -60      | 0 6S      | 6 4        | 550 -20      | 0
S31 | aus4   | 510 300      | 1 7H      | 2 8        | 530 500      | 1
S32 | aus4   | -240 200     | 0 8C      | 7 3        | -500 230     | 1
S33 | aus4   | -230 200     | 0 8C      | 7 3        | -490 230     |
S34 | aus4   | 510 0        | 0 8N      | 7 3        | 190 30       |
S35 | aus4   | 260 70       | 0 7C      | 10 0       | 510 70       | 0
S36 | aus4   | 250 0        | 0 M       | 0 10       | 500 0        | 0
S37 | aus4   | 100 90       | 0 M       | 1 3        | -150 90      |
S38 | aus4   | 0 0          | 0 OM      | 0 10       | 500 0        | 0
S39 | aus4   | 0 0          | 0 OM      | 1 0        | -500 0       | 1
S40 | us_official4 | 460 180 | 1 8S     | 5 5        | 510 -60      | 0
S41 | us_official4 | 480 300 | 1 7H     | 2 8        | 500 500      | 1
S42 | aus6   | 0 0          | 0 9H      | 9 1        | 400 10       |
S43 | five   | 0 0 0 0 0    | 0 7D 2    | 5 1 2 2 0  | 180 10 180 20 0 |
S44 | five   | 0 0 0 0 0    | 0 8S 1 3  | 4 2 2 1 1  | -240 -240 20 -240 10 |
"""


def rows(table: str) -> list[Any]:
    split = [re.split(r"\s*\|\s*", line) for line in table.strip().splitlines()]
    return [pytest.param(*row[1:], id=row[0]) for row in split]


def seats_that_won(text: str) -> list[int]:
    """Read who won the tricks, in order or by count."""
    if text.isalpha():
        return ["ABC".index(name) for name in text]
    return [seat for seat, count in enumerate(map(int, text.split())) for _ in range(count)]


@pytest.mark.parametrize(("preset", "before", "bid", "tricks", "after", "winner"), rows(SCORES))
def test_score(preset: str, before: str, bid: str, tricks: str, after: str, winner: str) -> None:
    game, scores = five_hundred(preset), list(map(int, before.split()))
    if bid:
        seat, call, *partners = bid.split()
        state = bid_by(game, int(seat), call, scores)
        state = discarded(game, state, tuple(map(int, partners)))
    else:
        state = all_passed(game, scores)
    reckoning = game.reckoning(state, seats_that_won(tricks))
    assert list(reckoning.after) == list(map(int, after.split()))
    assert reckoning.winner == (int(winner) if winner else None)
    added = [now - then for now, then in zip(reckoning.after, scores, strict=True)]
    assert added == [sum(line.points for line in reckoning.lines if line.side == side) for side in range(len(scores))]


def test_all_pass_under_aus4_scores_nothing_and_the_deal_passes() -> None:
    state = all_passed(five_hundred("aus4"), (120, -40))
    assert (state.phase, state.result.lines, state.result.standing.scores) == ("over", (), (120, -40))
    assert (state.result.next_dealer, state.result.over) == (1, False)


# --- 11.5


@pytest.mark.parametrize(
    ("preset", "calls", "number", "legal", "illegal"),
    [
        pytest.param("hoyle3", "P 7C", 18, "7D 7H 7N 8S 10N", "7S 7C", id="A01"),
        pytest.param("hoyle3", "7N", 15, "8S", "7H 7N", id="A02"),
        pytest.param("hoyle3", "6N", 20, "7S", "6N 6H", id="A03"),
        pytest.param("aus4", "7S", 21, "M OM", "7S", id="A08 after a seven"),
        pytest.param("aus4", "6N", 21, "OM 7S", "M", id="A08 before a seven"),
        pytest.param("aus4", "7S M", 16, "8S", "7N M", id="A09"),
        pytest.param("aus4", "7S 8S", 15, "OM 8C", "M", id="A10"),
        pytest.param("aus4", "OM", 2, "10H 10N", "10D OM", id="A11"),
        pytest.param("hoyle3", "", 25, "6S 10N", "M OM", id="A14 hoyle3"),
        pytest.param("aus4", "", 26, "6S OM", "M", id="A14 aus4"),
    ],
)
def test_legal_bids(preset: str, calls: str, number: int, legal: str, illegal: str) -> None:
    game = five_hundred(preset)
    found = bids(game.legal_actions(called(game, dealt(game), calls)))
    assert len(found) == number
    assert found.issuperset(legal.split())
    assert found.isdisjoint(illegal.split())


def test_a01_and_a11_list_nothing_else() -> None:
    game = five_hundred("hoyle3")
    higher = {f"{level}{strain}" for level in (8, 9, 10) for strain in "SCDHN"}
    assert bids(game.legal_actions(called(game, dealt(game), "P 7C"))) == {"7D", "7H", "7N"} | higher
    game = five_hundred("aus4")
    assert bids(game.legal_actions(called(game, dealt(game), "OM"))) == {"10H", "10N"}


@pytest.mark.parametrize(
    ("preset", "calls", "bidder", "contract"),
    [
        pytest.param("hoyle3", "6S P 6D P", 2, "6D", id="A04"),
        pytest.param("hoyle3", "6H P P", 0, "6H", id="A05"),
        pytest.param("hoyle3", "P P 7S", 2, "7S", id="A06"),
        pytest.param("us_official4", "6S 7C P 7H", 3, "7H", id="A15"),
        *[pytest.param(preset, "10N", 0, "10N", id=f"A12 {preset}") for preset in PLAYERS],
    ],
)
def test_auction_that_ends(preset: str, calls: str, bidder: int, contract: str) -> None:
    """Seat 0 is eldest."""
    game = five_hundred(preset)
    state = called(game, dealt(game, dealer=game.players - 1), calls)
    assert state.phase == ("partners" if preset == "five" else "exchange")
    assert (state.contract.declarer, str(state.contract.call)) == (bidder, contract)
    assert state.to_act == state.contract.leader == bidder


def test_a07() -> None:
    game = five_hundred("hoyle3")
    state = called(game, dealt(game, dealer=2), "P P P")
    assert (state.phase, state.to_act, state.contract.trumps) == ("play", 0, None)
    assert (state.contract.declarer, game.view(state, 0).widow_count) == (None, 3)


def test_a13() -> None:
    game = five_hundred("aus4", misere_rank="between_8S_8C")
    found = bids(game.legal_actions(called(game, dealt(game), "7S M")))
    assert len(found) == 15
    assert "8S" not in found and "8C" in found


# --- 11.6 and 11.7; the joker is JK, and JK:H the joker led as hearts


@pytest.mark.parametrize(
    ("contract", "nt_joker", "hand", "led", "state", "legal"),
    [
        pytest.param("hearts", "modern", "JD 7D AS", "QH", {}, "JD", id="P01"),
        pytest.param("hearts", "modern", "JD AS 9S", "AD", {}, "JD AS 9S", id="P02"),
        pytest.param("hearts", "modern", "9H AD KD", "JD", {}, "9H", id="P03"),
        pytest.param("clubs", "modern", "JK AS KD", "7C", {}, "JK", id="P04"),
        pytest.param("clubs", "modern", "JK AS 8D JC", "KD", {}, "8D", id="P05"),
        pytest.param("spades", "modern", "JK JC AH", "", {}, "JK JC AH", id="P06"),
        pytest.param("no-trumps", "hoyle", "JK QC 7D", "", {"renounced": "S"}, "JK:C JK:D JK:H QC 7D", id="P07"),
        pytest.param("no-trumps", "hoyle", "JK 9C AH", "KC", {}, "9C", id="P08"),
        pytest.param("no-trumps", "hoyle", "JK 8D AH", "KC", {}, "JK 8D AH", id="P09"),
        pytest.param("no-trumps", "hoyle", "9H KS 7S", "JK:H", {}, "9H", id="P10"),
        pytest.param("no-trumps", "modern", "JK QC 7D", "", {"led": "SH"}, "JK:C JK:D QC 7D", id="P11"),
        pytest.param("no-trumps", "modern", "JK QC 7D", "", {"led": "SCDH"}, "QC 7D", id="P12"),
        pytest.param("no-trumps", "modern", "JK", "", {"led": "SCDH"}, "JK", id="P13"),
        pytest.param("misère", "modern", "JK 5D 4H", "KC", {}, "JK", id="P14"),
        pytest.param("no-trumps", "modern", "JK 5D KS", "9H", {"named": "H"}, "JK", id="P15"),
        pytest.param("misère", "modern", "JK 5D 9D", "KC", {"named": "H"}, "JK 5D 9D", id="P16"),
    ],
)
def test_legal_plays(contract: str, nt_joker: str, hand: str, led: str, state: dict[str, str], legal: str) -> None:
    earlier = renounced(state.get("renounced", "")) + led_already(state.get("led", ""))
    found = legal_texts(contract, nt_joker, ours(hand), ours(led), earlier, state.get("named", ""))
    assert found == set(ours(legal).split())


def ours(text: str) -> str:
    """Write cards as the rules print them, rank first, in the form of records."""
    return " ".join(card if card.startswith("JK") else card[::-1].replace("01", "T") for card in text.split())


@pytest.mark.parametrize(
    ("contract", "nt_joker", "trick", "state", "wins"),
    [
        pytest.param("spades", "modern", "AS JC KS", {}, "JC", id="W01"),
        pytest.param("spades", "modern", "JC JS AS JK", {}, "JK", id="W02"),
        pytest.param("spades", "modern", "AH 5S KH QH", {}, "5S", id="W03"),
        pytest.param("hearts", "modern", "AD JD KD", {}, "JD", id="W04"),
        pytest.param("no-trumps", "hoyle", "9H AH 7D", {}, "AH", id="W05"),
        pytest.param("no-trumps", "hoyle", "AC JK KC", {}, "JK", id="W06"),
        pytest.param("no-trumps", "hoyle", "9C JK 8C", {"renounced": "C"}, "9C", id="W07"),
        pytest.param("no-trumps", "hoyle", "9C JK AC", {"renounced": "D"}, "JK", id="W08"),
        pytest.param("no-trumps", "hoyle", "JK:D AD KD", {}, "JK", id="W09"),
        pytest.param("no-trumps", "modern", "9C JK AC 5C", {"renounced": "C"}, "JK", id="W10"),
        pytest.param("no-trumps", "modern", "9H JK AH 5H", {"named": "H"}, "JK", id="W11"),
        pytest.param("no-trumps", "modern", "5S JK 6S 4D", {"named": "H"}, "6S", id="W12"),
        pytest.param("diamonds", "modern", "JS QS AC JC", {}, "QS", id="W13"),
        pytest.param("no-trumps", "hoyle", "JD QD JH", {}, "QD", id="W14"),
    ],
)
def test_trick_winners(contract: str, nt_joker: str, trick: str, state: dict[str, str], wins: str) -> None:
    earlier = renounced(state.get("renounced", ""), seat=1)
    assert winning_card(contract, nt_joker, ours(trick), earlier, state.get("named", "")) == ours(wins)


# --- 11.8


def cards_of_suit(pack: int, trumps: Suit | None, suit: Suit) -> list[str]:
    """List the cards that belong to a suit, high to low."""
    order = ORDERS[trumps, None]
    held = [card for card in PACKS[pack] if order.suit(card) is suit]
    return [str(card) for card in sorted(held, key=order.height, reverse=True)]


def test_r01() -> None:
    for trumps, numbers in {
        Suit.HEARTS: {"H": 10, "D": 7, "S": 8, "C": 8},
        Suit.SPADES: {"S": 10, "C": 7, "H": 8, "D": 8},
    }.items():
        assert {suit.value: len(cards_of_suit(33, trumps, suit)) for suit in Suit} == numbers


def test_r02() -> None:
    assert " ".join(cards_of_suit(43, Suit.HEARTS, Suit.HEARTS)) == "JK HJ DJ HA HK HQ HT H9 H8 H7 H6 H5 H4"


def test_r03() -> None:
    """The odds of finding at least one more trump in a widow of three, of 23 cards that are not seen."""
    trumps = len(cards_of_suit(33, Suit.HEARTS, Suit.HEARTS))
    for held, (for_, against) in {4: (1091, 680), 5: (955, 816), 6: (802, 969)}.items():
        none = comb(23 - (trumps - held), 3)
        assert (comb(23, 3) - none) * against == none * for_


@pytest.mark.parametrize(
    ("trumps", "numbers"), [("S", (12, 9, 11, 11)), ("C", (12, 9, 11, 11)), ("H", (13, 10, 10, 10))]
)
def test_r04(trumps: str, numbers: tuple[int, ...]) -> None:
    partner = {"S": "C", "C": "S", "H": "D", "D": "H"}[trumps]
    suits = [trumps, partner, *(suit for suit in "SHDC" if suit not in (trumps, partner))]
    assert tuple(len(cards_of_suit(43, Suit(trumps), Suit(suit))) for suit in suits) == numbers
    assert sum(numbers) == len(PACKS[43])
    assert ORDERS[Suit(trumps), None].suit(JOKER) is Suit(trumps)
    assert ORDERS[Suit(trumps), None].suit(parse_card(f"{partner}J")) is Suit(trumps)
