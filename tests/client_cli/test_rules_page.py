"""`biritch rules`: every page with every option, filled in from the game, at 80 columns."""

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from itertools import pairwise

import pytest
from click.testing import CliRunner, Result

from client_cli import rules_page
from client_cli.main import cli
from client_cli.option_text import option_lines
from client_cli.rules_page import page_lines
from client_cli.words import read_card
from rules.errors import BadOption
from rules.game import AnyGame
from rules.options import Option, Value
from rules.registry import GAMES, make_game


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["rules", *arguments])


def each_choice() -> Iterator[tuple[str, int, dict[str, Value]]]:
    """Every game, for each number of players, with each value of each option on its own."""
    for name, family in GAMES.items():
        for players in family.players:
            yield name, players, {}
            for option in family.options(players, {}):
                for value in option.values[1:]:
                    yield name, players, {option.name: value}


def games() -> Iterator[AnyGame]:
    for name, players, options in each_choice():
        try:
            yield make_game(name, players, options)
        except BadOption:
            continue  # contradicts the default of another


def test_every_page_is_filled_in_and_fits_a_terminal() -> None:
    for game in games():
        lines = page_lines(game)
        assert max(map(len, lines)) <= 80, game
        assert len(lines) <= 145, game
        assert not [line for line in lines if re.search(r"[{}\[\]]|(?<!\d)\.\.|[,;] ?\.", line)], game
        assert all(line or following for line, following in pairwise(lines)), game


@pytest.mark.parametrize("name", GAMES)
def test_every_page_is_plain_text(name: str) -> None:
    assert resources.files("rules").joinpath("pages", f"{name}.md").read_text("utf-8").isascii()


@pytest.mark.parametrize("name", GAMES)
def test_the_page_shows_every_call_and_option(name: str) -> None:
    family = GAMES[name]
    for players in family.players:
        game = make_game(name, players, {})
        text = run(name, "--players", str(players)).stdout
        tables = family.tables(game)
        ladder = tables.get("ladder", "")
        assert " ".join(str(ladder).split()) in " ".join(text.split())
        for option in family.options(players, {}):
            assert (f"\n  {option.name} = " in text) == (
                len(option.values) - len(option.record_only) > 1 or bool(option.numbers)
            )


def test_what_is_printed_follows_the_house_rules() -> None:
    text = run("auction_bridge", "--option", "nullos=on", "--option", "slams=english").stdout
    assert "1Z" in text and "(little slam) 50" in " ".join(text.split())
    assert "1Z" not in run("auction_bridge").stdout
    assert "R for royals" not in run("auction_bridge", "--option", "count=1908").stdout
    assert "  slams = english; or american (default)\n" in text
    three, four = run("five_hundred", "--players", "3").stdout, run("five_hundred").stdout
    assert "33 cards" in three and "misere, undertakes" not in three
    assert "43 cards" in four and "M 8S" in four
    assert "M 8C" in run("five_hundred", "--option", "misere_rank=between_8S_8C").stdout
    assert "come to 700 points" in " ".join(run("five_hundred", "--option", "target=700").stdout.split())
    assert "each of the others once" in run("five_hundred", "--option", "preset=us_official4").stdout
    assert "royals" in run("bridge", "--option", "royal_spades=9").stdout
    assert "Coronets" not in run("vint", "--option", "coronets=false").stdout


def said(*arguments: str) -> str:
    """Return a page as one line."""
    return " ".join(run(*arguments).stdout.split())


def test_five_hundred_for_six_tells_of_its_long_suits() -> None:
    page = said("five_hundred", "--players", "6")
    assert "13, 12 and 11 rank below the jack and above the 10" in page
    assert "HR for 13, HW for 12, HE for 11" in page
    assert "JK HJ DJ HA HK HQ H13 H12 H11 H10 H9" in page
    assert "H13" not in said("five_hundred")
    typed = {read_card(text) for text in ("H13", "HR", "H12", "HW", "H11", "HE", "H10")}
    assert typed == {"HR", "HW", "HE", "HT"}


@pytest.mark.parametrize("players", GAMES["five_hundred"].players)
def test_partners_are_called_only_by_five(players: int) -> None:
    won = said("five_hundred", "--players", str(players), "--option", "win_requires_contract=false")
    assert ("a partner whom he called" in won) == (players == 5)
    assert ("the bidder's side, or, where nobody has bid," in won) == (players in (4, 6))
    assert ("of several the bidder, else who came there first" in won) == (players in (2, 3))


def test_the_last_trick_is_told_of_where_a_joker_leads_it_without_a_name() -> None:
    last = "except to the last trick, to which it is always led without a name"
    assert last in said("five_hundred")
    two_jokers = said("five_hundred", "--option", "pack=46", "--option", "nt_joker=modern")
    assert last not in two_jokers and "a hand that holds nothing but jokers" in two_jokers
    for rule in ("hoyle", "free"):
        page = said("five_hundred", "--option", f"nt_joker={rule}")
        assert "last trick" not in page and "When all four have been led" not in page


def test_a_misere_is_over_when_the_bidder_wins_a_trick() -> None:
    assert "A misere is over, and lost, as soon as the bidder wins a trick." in said("five_hundred")
    assert "as soon as" not in said("five_hundred", "--option", "misere_stop_on_loss=false").partition("OPTIONS")[0]


def test_options_of_vint_say_with_which_they_go() -> None:
    page = said("vint")
    assert "goes with session one_rubber only" in page
    assert "the highest only with first_dealer cut" in page
    for options in (("match=single_game", "session=three_rubbers"), ("draw=highest_deals", "first_dealer=random")):
        assert run("vint", *(word for option in options for word in ("--option", option))).exit_code == 2


def test_the_list_of_games() -> None:
    done = run()
    assert done.exit_code == 0
    names = [line.split()[0] for line in done.stdout.splitlines()[1 : 1 + len(GAMES)]]
    assert names == list(GAMES)
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("whist",), "The games are: vint, bridge, auction_bridge, five_hundred."),
        (("vint", "--option", "colour=red"), "There is no option 'colour'. The options are: session, coronets,"),
        (("vint", "--option", "coronets=perhaps"), "It can be: true, false."),
        (("vint", "--option", "coronets"), "An option is given as name=value"),
        (("vint", "--players", "3"), "Vint is not for 3 players. It is for: 4."),
        (("five_hundred", "--players", "1"), "Five Hundred is not for 1 player. It is for: 2, 3, 4, 5, 6."),
        (("bridge", "--option", "chicane=off", "--option", "chicane=add"), "is given twice, as off and as add"),
        (("auction_bridge", "--option", "count=1908", "--option", "nullos=on"), "nullos go with count 1912 only"),
        (("--players", "3"), "Name a game"),
    ],
)
def test_what_is_not_there_gets_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert sentence in " ".join(done.stderr.split())


def test_an_option_that_leaves_no_choice_is_not_listed() -> None:
    assert option_lines(Option("claims", ("off", "agreed"), "Words.", record_only=("agreed",)), "off") == []


def test_a_game_without_a_page_has_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    family = GAMES["vint"]
    monkeypatch.setitem(GAMES, "vint", replace(family, title="New Vint", summary="New.", tables=lambda game: {}))
    monkeypatch.setattr(rules_page, "page_file", lambda name: resources.files("rules").joinpath("none.md"))
    lines = page_lines(make_game("vint", 4, {}))
    assert lines[:5] == ["New Vint", "========", "", "New.", ""]
    assert "  coronets = true; or false" in lines
