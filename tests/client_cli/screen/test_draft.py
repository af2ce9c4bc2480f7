"""A table that is being thought out."""

import pytest

from client_cli.house_rules import DEFAULT, Chosen
from client_cli.screen.draft import NEW, Draft, Entry
from protocol import messages as m
from rules.errors import BadOption
from rules.options import Option, Value
from rules.registry import GAMES, make_game

TABLES = [(game, players) for game, family in GAMES.items() for players in family.players]


def entry(draft: Draft, name: str) -> Entry:
    return next(entry for entry in draft.entries() if entry.name == name)


def names(draft: Draft) -> list[str]:
    return [entry.name for entry in draft.entries()]


def draft_of(game: str, players: int) -> Draft:
    draft = NEW.choose("game", game)
    return draft.choose("players", players) if len(GAMES[game].players) > 1 else draft


def options_of(game: str, players: int) -> tuple[Option, ...]:
    return GAMES[game].options(players, {})


def refusal_of(chosen: Chosen) -> str | None:
    try:
        make_game(chosen.game, chosen.seats, chosen.options)
    except BadOption as error:
        return error.message
    return None


def test_a_new_draft_is_the_usual_game() -> None:
    assert NEW.command() == m.CreateTable(0, DEFAULT)
    assert NEW.refusal() is None


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_option_that_leaves_a_choice_can_be_chosen(game: str, players: int) -> None:
    draft = draft_of(game, players)
    choosable = {
        option.name: tuple(value for value in option.values if value not in option.record_only)
        for option in options_of(game, players)
    }
    shown = {each.name: each for each in draft.entries() if each.name not in ("game", "players", "table")}
    assert {name: each.values for name, each in shown.items()} == {
        option.name: choosable[option.name]
        for option in options_of(game, players)
        if len(choosable[option.name]) > 1 or option.numbers is not None
    }
    for option in options_of(game, players):
        if option.name in shown:
            each = shown[option.name]
            assert (each.now, each.default, each.words) == (option.default, option.default, option.words)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_value_goes_into_the_command_if_it_differs(game: str, players: int) -> None:
    draft = draft_of(game, players)
    for option in draft.entries()[1:]:
        for value in option.values:
            command = draft.choose(option.name, value).command()
            assert command.game == game
            match option.name:
                case "players":
                    assert command.players == (None if value == draft_of(game, 4).chosen.seats else value)
                case "table":
                    assert command.private == (value == "private")
                case name:
                    assert command.options == ({} if value == option.default else {name: value})


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_draft_is_refused_as_the_rules_refuse_it(game: str, players: int) -> None:
    draft = draft_of(game, players)
    for first in draft.entries()[1:]:
        for value in first.values:
            changed = draft.choose(first.name, value)
            assert changed.refusal() == refusal_of(changed.chosen)


def test_options_that_contradict_each_other_are_refused() -> None:
    draft = NEW.choose("game", "five_hundred").choose("inkle", "on")
    assert draft.refusal() == "inkle is for an auction of a single_round, and auction is continuing."
    assert draft.choose("auction", "single_round").refusal() is None


def test_a_preset_moves_the_defaults_of_the_rest() -> None:
    draft = NEW.choose("game", "five_hundred").choose("preset", "us_official4")
    assert draft.command().options == {"preset": "us_official4"}
    assert entry(draft, "auction").now == entry(draft, "auction").default == "single_round"
    # What was chosen and is now the default is no difference any more.
    by_hand = NEW.choose("game", "five_hundred").choose("auction", "single_round")
    assert by_hand.choose("preset", "us_official4").command().options == {"preset": "us_official4"}


def test_what_is_not_offered_to_so_many_players_is_taken_back() -> None:
    draft = NEW.choose("game", "five_hundred").choose("preset", "us_official4").choose("pack", 45)
    assert draft.choose("slam_250", "off").choose("players", 3).command() == m.CreateTable(
        0, "five_hundred", 3, {"slam_250": "off"}
    )


def test_another_game_begins_anew_but_stays_private() -> None:
    draft = NEW.choose("table", "private").choose("nullos", "on").choose("game", "vint")
    assert draft.command() == m.CreateTable(0, "vint", None, {}, True)


@pytest.mark.parametrize(("number", "refused"), [(1000, False), (10, False), (5, True), (20_000, True)])
def test_a_number_is_kept_as_it_is_typed(number: Value, refused: bool) -> None:
    draft = NEW.choose("game", "five_hundred").choose("target", number)
    assert draft.command().options == {"target": number}
    assert (draft.refusal() is not None) == refused
    assert draft.choose("misere", "off").command().options == {"target": number, "misere": "off"}


def test_a_table_of_ones_own_is_for_nobody_else_to_see() -> None:
    assert "table" in names(NEW)
    assert "table" not in names(Draft(Chosen(DEFAULT), alone=True))
