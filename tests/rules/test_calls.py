"""Calls and plays and their one text form."""

import pytest

from rules.actions import CallPartners, Discard, NameJoker, Play, parse_play, record_list
from rules.calls import Bid, Declaration, Denomination, Word, parse_call
from rules.cards import JOKER, SECOND_JOKER, Card, Rank, Suit

SPADE_ACE = Card(Suit.SPADES, Rank.ACE)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("1S", Bid(1, Denomination.SPADES)),
        ("3R", Bid(3, Denomination.ROYALS)),
        ("7N", Bid(7, Denomination.NO_TRUMPS)),
        ("8D", Bid(8, Denomination.DIAMONDS)),
        ("10H", Bid(10, Denomination.HEARTS)),
        ("2Z", Bid(2, Denomination.NULLOS)),
        ("P", Word.PASS),
        ("X", Word.DOUBLE),
        ("XX", Word.REDOUBLE),
        ("M", Word.MISERE),
        ("OM", Word.OPEN_MISERE),
        ("L", Word.LEAVE),
        ("H", Declaration(Denomination.HEARTS)),
    ],
)
def test_call_text(text: str, call: Bid | Word | Declaration) -> None:
    assert parse_call(text) == call
    assert str(call) == text


@pytest.mark.parametrize("text", ["", "0S", "11S", "1", "S1", "1NT", "1s", "p", "pass", "XXX", " P", "1♠", "01S"])
def test_no_call(text: str) -> None:
    with pytest.raises(ValueError):
        parse_call(text)


@pytest.mark.parametrize(
    ("denomination", "trumps"),
    [("S", "S"), ("C", "C"), ("D", "D"), ("H", "H"), ("R", "S"), ("N", None), ("Z", None)],
)
def test_trumps_of_a_denomination(denomination: str, trumps: str | None) -> None:
    assert Denomination(denomination).trumps == trumps


@pytest.mark.parametrize(
    ("text", "play"),
    [
        ("SA", Play(SPADE_ACE)),
        ("JK", Play(JOKER)),
        ("JK:H", Play(JOKER, Suit.HEARTS)),
        ("JL:S", Play(SECOND_JOKER, Suit.SPADES)),
    ],
)
def test_play_text(text: str, play: Play) -> None:
    assert parse_play(text) == play
    assert str(play) == text


@pytest.mark.parametrize("text", ["", "SA:H", "JK:", "JK:N", "JK:HH", ":H", "JK:h", "S"])
def test_no_play(text: str) -> None:
    with pytest.raises(ValueError):
        parse_play(text)


def test_every_action_has_its_list_in_a_record() -> None:
    assert record_list(Word.PASS) == record_list(Bid(1, Denomination.CLUBS)) == "calls"
    assert record_list(Declaration(Denomination.CLUBS)) == "calls"
    assert record_list(Play(SPADE_ACE)) == "plays"
    assert record_list(Discard((SPADE_ACE,))) == "discard"
    assert record_list(CallPartners((1,))) == "called_partners"
    assert record_list(NameJoker(None)) == "joker_suit"
