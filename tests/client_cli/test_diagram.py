"""Deals as text for people."""

import json
from pathlib import Path

import pytest

from client_cli.diagram import (
    auction_lines,
    call_words,
    card_words,
    contract_words,
    deal_lines,
    hands_lines,
    sheet_lines,
)
from client_cli.signs import LETTERS, SYMBOLS
from rules.calls import Bid, Word, parse_call
from rules.cards import parse_card, parse_hand
from rules.events import Contract
from rules.registry import make_game
from rules.replay import play_again
from rules.scoresheet import RubberStanding
from rules.seats import FOUR_SEATS, Seats
from rules.view import redact

GOLDEN = Path(__file__).parent.parent / "golden"
RECORDS = {
    record["id"]: record
    for record in map(json.loads, (GOLDEN / "auction_bridge.jsonl").read_text("utf-8").splitlines())
}
THREE_SEATS = Seats(("1", "2", "3"))


@pytest.mark.parametrize(("identity", "suits"), [("auction-024", SYMBOLS), ("auction-rubber1-07", LETTERS)])
def test_a_whole_deal(identity: str, suits: object) -> None:
    """A deal as a player reads it: hands, auction, tricks, score and sheet."""
    replayed = play_again(RECORDS[identity])
    lines = deal_lines(replayed.game, replayed.events, SYMBOLS if suits is SYMBOLS else LETTERS)
    assert "\n".join(lines) + "\n" == (GOLDEN / f"{identity}.txt").read_text("utf-8")


def test_a_deal_as_one_seat_sees_it_while_it_goes_on() -> None:
    replayed = play_again(RECORDS["auction-part"])
    lines = deal_lines(replayed.game, [redact(event, 2) for event in replayed.events])
    assert lines[:10] == [
        " " * 20 + "N",
        "W" + " " * 39 + "E (dealer)",
        " " * 20 + "S",
        " " * 20 + "♠ A K 8",
        " " * 20 + "♥ Q J 3",
        " " * 20 + "♦ A J 7 6 4 2",
        " " * 20 + "♣ 10",
        "",
        "E   S     W     N",
        "1♠  pass  pass  pass",
    ]
    assert lines[-1] == " 3. W ♦K   N ♦10"


@pytest.mark.parametrize(
    ("text", "symbols", "letters"),
    [("SA", "♠A", "SA"), ("HT", "♥10", "H10"), ("DE", "♦11", "D11"), ("CR", "♣13", "C13"), ("JK", "JK", "JK")],
)
def test_cards(text: str, symbols: str, letters: str) -> None:
    assert card_words(parse_card(text)) == symbols
    assert card_words(parse_card(text), LETTERS) == letters


@pytest.mark.parametrize(
    ("text", "symbols", "letters"),
    [
        ("1S", "1♠", "1S"),
        ("3R", "3R", "3R"),
        ("2N", "2NT", "2NT"),
        ("2Z", "2 nullos", "2 nullos"),
        ("10H", "10♥", "10H"),
        ("P", "pass", "pass"),
        ("XX", "XX", "XX"),
        ("OM", "open misere", "open misere"),
        ("N", "NT", "NT"),
        ("Z", "nullos", "nullos"),
    ],
)
def test_calls(text: str, symbols: str, letters: str) -> None:
    assert call_words(parse_call(text)) == symbols
    assert call_words(parse_call(text), LETTERS) == letters


def test_contracts() -> None:
    bid = parse_call("4H")
    assert isinstance(bid, Bid)
    for doubling, words in [(1, "4♥ by S"), (2, "4♥ X by S"), (4, "4♥ XX by S"), (8, "4♥ × 8 by S")]:
        contract = Contract(bid, doubling, 2, 0, (0,), bid.denomination.trumps, 3)
        assert contract_words(FOUR_SEATS, contract) == words
    assert contract_words(FOUR_SEATS, None) == "not played"
    assert contract_words(THREE_SEATS, Contract(None, 1, None, None, (), None, 1)) == "played without a bid"


def test_an_auction_with_seats_that_are_skipped() -> None:
    """Who has passed in Five Hundred is not asked again: his column stays empty."""
    calls = [(1, "6S"), (2, "P"), (0, "6H"), (1, "7S"), (0, "7H"), (1, "P")]
    assert auction_lines(THREE_SEATS, [(seat, parse_call(call)) for seat, call in calls]) == [
        "2     3     1",
        "6♠    pass  6♥",
        "7♠          7♥",
        "pass",
    ]
    assert auction_lines(THREE_SEATS, []) == []


def test_three_hands_with_a_joker() -> None:
    hands = [parse_hand("AK..10.".replace("10", "T") + "+JK"), None, parse_hand("...")]
    assert hands_lines(THREE_SEATS, hands, 1) == [
        "1           ♠ A K  ♥ –  ♦ 10  ♣ –  JK",
        "2 (dealer)",
        "3           ♠ –  ♥ –  ♦ –  ♣ –",
    ]


def test_the_sheet() -> None:
    game = make_game("auction_bridge", 4, {})
    assert sheet_lines(game, RubberStanding((8, 0), (34, 492), (0, 1))) == [
        "           NS      EW",
        "below       8       0",
        "above      34     492",
        "games       0       1",
        "total      42     492",
    ]


def test_every_word_has_a_name() -> None:
    assert all(call_words(word) for word in Word)
