"""Cards and hands and their one text form."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cards import (
    ALL_CARDS,
    JOKER,
    PACK_52,
    SECOND_JOKER,
    Card,
    Rank,
    Suit,
    hand_text,
    in_order,
    parse_card,
    parse_hand,
)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("SA", Card(Suit.SPADES, Rank.ACE)),
        ("HT", Card(Suit.HEARTS, Rank.TEN)),
        ("D2", Card(Suit.DIAMONDS, Rank.TWO)),
        ("CJ", Card(Suit.CLUBS, Rank.JACK)),
        ("DE", Card(Suit.DIAMONDS, Rank.ELEVEN)),
        ("SW", Card(Suit.SPADES, Rank.TWELVE)),
        ("HR", Card(Suit.HEARTS, Rank.THIRTEEN)),
        ("JK", JOKER),
        ("JL", SECOND_JOKER),
    ],
)
def test_card_text(text: str, card: Card) -> None:
    assert parse_card(text) == card
    assert str(card) == text


def test_every_card_has_its_own_text() -> None:
    assert len({str(card) for card in ALL_CARDS}) == len(ALL_CARDS) == 4 * 16 + 2
    assert all(parse_card(str(card)) == card for card in ALL_CARDS)


@pytest.mark.parametrize("text", ["", "S", "A", "AS", "S10", "S1", "sa", "SA ", "XA", "JK:H", "JM", "♠A", "SAA"])
def test_no_card(text: str) -> None:
    with pytest.raises(ValueError):
        parse_card(text)


def test_ranks_of_the_widest_pack() -> None:
    low_to_high = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "E", "W", "R", "J", "Q", "K", "A"]
    assert [str(Card(Suit.SPADES, rank))[1] for rank in sorted(Rank) if rank <= Rank.ACE] == low_to_high
    assert JOKER.rank > SECOND_JOKER.rank > Rank.ACE


def test_pack_of_52() -> None:
    assert len(set(PACK_52)) == len(PACK_52) == 52
    assert [str(card) for card in PACK_52[:14]] == [*(f"S{rank}" for rank in "AKQJT98765432"), "HA"]


@pytest.mark.parametrize(
    "text", ["AK2.T98.QJ3.7654", "AKQJT98765432...", "...", "AJ9..KT7.A98+JK", "A..9.8+JK+JL", "AKQJRWET9...+JL"]
)
def test_hand_text(text: str) -> None:
    assert hand_text(parse_hand(text)) == text


def test_a_hand_is_read_in_any_order_and_held_in_one() -> None:
    assert parse_hand("2KA.8T9.3QJ.4567") == parse_hand("AK2.T98.QJ3.7654")
    assert [str(card) for card in parse_hand("2A..9.8+JL+JK")] == ["SA", "S2", "D9", "C8", "JK", "JL"]


@pytest.mark.parametrize(
    "text",
    ["", "AKQ", "A.K.Q", "A.K.Q.J.T", "AA...", "1...", "a...", "A...+", "A...+JM", "A...+JK+JK", "X+..."],
)
def test_no_hand(text: str) -> None:
    with pytest.raises(ValueError):
        parse_hand(text)


@given(st.sets(st.sampled_from(ALL_CARDS)), st.randoms())
def test_hands_survive_their_text(cards: set[Card], random: Random) -> None:
    shuffled = sorted(cards, key=str)
    random.shuffle(shuffled)
    assert parse_hand(hand_text(shuffled)) == in_order(cards)


@given(st.text("AKQJTEWR98765432.+JKLSHDC ", max_size=30))
def test_any_text_is_a_hand_or_refused(text: str) -> None:
    try:
        hand = parse_hand(text)
    except ValueError:
        return
    assert parse_hand(hand_text(hand)) == hand
