"""What is typed and what it means."""

import re
import shlex

import pytest
from click.testing import CliRunner
from msgspec import structs

from client_cli.blocks import show
from client_cli.main import cli
from client_cli.verbs import _SHOWS, _VERBS, HELP, Meaning, Quit, Show, Wait, Wrong, read_line
from client_cli.words import read_call, read_card, read_seat, read_suit
from protocol import messages as m
from tests.client_cli.views import AUCTION, GATHERING, PLAY


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *[(text, "HK") for text in ("HK", "hk", "KH", "kh", "K♥", "♥K", "k♡", " h k ", "H-K")],
        *[(text, "HT") for text in ("10h", "h10", "HT", "th", "♥10", "10♥️")],
        *[("2c", "C2"), ("c2", "C2"), ("12S", "SW"), ("jk", "JK"), ("joker", "JK"), ("jk:h", "JK:H"), ("JK:♠", "JK:S")],
        *[(text, None) for text in ("", "h", "1h", "hh", "14s", "jk:x", "hk:s", "king", "2nt")],
    ],
)
def test_cards(text: str, card: str | None) -> None:
    assert read_card(text) == card


@pytest.mark.parametrize(
    ("text", "call"),
    [
        *[(text, "2R") for text in ("2R", "2r", "2 royals", "2 Royal")],
        *[(text, "3H") for text in ("3h", "3♥", "3 hearts", "3-heart")],
        *[(text, "1N") for text in ("1n", "1nt", "1NT", "1 no-trumps", "1 no trump")],
        *[("10h", "10H"), ("2z", "2Z"), ("h", "H"), ("leave", "L"), ("om", "OM"), ("misère", "M")],
        *[(text, "P") for text in ("p", "pass", "PASS")],
        *[(text, "X") for text in ("x", "double", "dbl")],
        *[(text, "XX") for text in ("xx", "redouble")],
        *[(text, None) for text in ("", "2", "hk", "0h", "11h", "2q", "pass now")],
    ],
)
def test_calls(text: str, call: str | None) -> None:
    assert read_call(text) == call


def test_suits_and_seats() -> None:
    assert [read_suit(text) for text in ("h", "♣", "Spades", "x")] == ["H", "C", "S", None]
    assert [read_seat(text, "NESW") for text in ("n", "West", "3", "x")] == ["N", "W", None, None]
    assert read_seat("3", ("1", "2", "3")) == "3"


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("2r", m.MakeCall(0, 7, 2, "2R")),
        ("bid 2r", m.MakeCall(0, 7, 2, "2R")),
        ("BID 2 royals", m.MakeCall(0, 7, 2, "2R")),
        ("3h", m.MakeCall(0, 7, 2, "3H")),
        ("p", m.MakeCall(0, 7, 2, "P")),
        ("pass", m.MakeCall(0, 7, 2, "P")),
        ("x", m.MakeCall(0, 7, 2, "X")),
        ("double", m.MakeCall(0, 7, 2, "X")),
        ("xx", m.MakeCall(0, 7, 2, "XX")),
        ("redouble", m.MakeCall(0, 7, 2, "XX")),
        ("HK", m.PlayCard(0, 7, 2, "HK")),  # for the server to refuse, which knows why
    ],
)
def test_in_the_auction(line: str, meaning: Meaning) -> None:
    assert read_line(line, AUCTION) == meaning


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("3h", m.PlayCard(0, 7, 9, "H3")),
        ("play kh", m.PlayCard(0, 7, 9, "HK")),
        ("10h", m.PlayCard(0, 7, 9, "HT")),
        ("2nt", m.MakeCall(0, 7, 9, "2N")),
        ("discard c7, 8d C9", m.DiscardCards(0, 7, 9, ["C7", "D8", "C9"])),
        ("partners e", m.CallPartners(0, 7, 9, ["E"])),
        ("partners none", m.CallPartners(0, 7, 9, [])),
        ("joker h", m.NameJoker(0, 7, 9, "H")),
        ("joker none", m.NameJoker(0, 7, 9, None)),
    ],
)
def test_in_the_play(line: str, meaning: Meaning) -> None:
    assert read_line(line, PLAY) == meaning


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("sit n", m.TakeSeat(0, "N")),
        ("sit North", m.TakeSeat(0, "N")),
        ("stand", m.LeaveSeat(0)),
        ("bot E", m.SeatBot(0, "E")),
        ("nobot w", m.RemoveBot(0, "W")),
        ("ready", m.Ready(0, 1)),
        ("rematch", Wrong("A rematch is for a rubber that is over.")),
        ("end", m.EndTable(0)),
        ("leave table", m.LeaveTable(0)),
        ("Leave  TABLE", m.LeaveTable(0)),
        ("name  Ann Lee", m.SetName(0, "Ann Lee")),
        ("say Hello,  all", m.Say(0, "Hello,  all")),
        ("chat hello", m.Say(0, "hello")),
        ("hand", Show("hand")),
        ("WHO", Show("who")),
        ("rules", Show("rules")),
        ("?", Show("help")),
        ("quit", Quit()),
        ("wait turn", Wait("turn")),
        ("wait", Wrong("Say what to wait for: wait turn, wait deal or wait over.")),
        ("sit x", Wrong("Name a seat, such as: sit W; the seats are N, E, S, W.")),
        ("2r", Wrong("No deal is being played.")),
        ("redy", Wrong("There is no 'redy' here. Did you mean 'ready'?")),
        ("zzzz", Wrong("There is no 'zzzz' here. `help` lists what there is.")),
        ("bid", Wrong("'' is no call; calls are such as 2R, 3H, 1NT, pass, x, xx.")),
        ("play 1h", Wrong("'1h' is no card; cards are such as HK, KH, 10S.")),
    ],
)
def test_at_the_table(line: str, meaning: Meaning) -> None:
    assert read_line(line, GATHERING) == meaning


def test_a_letter_is_the_call_that_is_legal_now() -> None:
    turn = m.Turn(7, 0, "S", None, m.Legal(calls=["H", "L"]))
    view = structs.replace(AUCTION, turn=turn)
    assert read_line("h", view) == m.MakeCall(0, 7, 0, "H")
    assert read_line("leave", view) == m.MakeCall(0, 7, 0, "L")
    assert read_line("h", AUCTION) == Show("hand")


@pytest.mark.parametrize("view", [GATHERING, AUCTION, PLAY])
@pytest.mark.parametrize("line", ["leave", "LEAVE", "leave it", "leave tabel"])
def test_a_call_that_comes_too_early_or_too_late_gives_up_no_seat(line: str, view: m.TableView) -> None:
    sentence = "To leave the table for good type `leave table`; `quit` keeps your seat."
    assert read_line(line, view) == Wrong(sentence)


def test_a_rematch_is_for_the_rubber_that_is_over() -> None:
    over = structs.replace(GATHERING, stage="over", rubber=2)
    assert read_line("rematch", over) == m.Rematch(0, 2)
    game = structs.replace(AUCTION, standing={"scores": {"NS": 0, "EW": 0}})
    assert read_line("rematch", game) == Wrong("A rematch is for a game that is over.")


def test_help_lists_every_verb_in_lines_that_fit_a_terminal() -> None:
    words = re.findall(r"[a-z]+", "\n".join(HELP))
    assert {*_SHOWS, *_VERBS, "chat", "quit", "wait"} - {"double", "redouble"} <= set(words)
    assert max(map(len, HELP)) < 80


def test_how_to_read_the_rules_of_the_table_is_told_as_a_command() -> None:
    view = structs.replace(GATHERING, options={"slams": "english", "dealer_may_pass": True})
    _, line = show("rules", view)
    program, *arguments = shlex.split(line)
    assert program == "biritch"
    page = CliRunner().invoke(cli, arguments).stdout
    assert page.startswith("Royal auction bridge") and "slams = english" in page and "dealer_may_pass = true" in page


def test_without_a_table() -> None:
    assert read_line("sit N", None) == Wrong("You are at no table.")
    assert read_line("quit", None) == Quit()
