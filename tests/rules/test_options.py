"""House rules as data, and the making of a game with them."""

import json

import pytest

from rules.errors import BadOption
from rules.options import Option, Value, differing, parse_value, read_options, refuse_record_only, value_text
from rules.registry import GAMES, family, make_game

SWITCH = Option("switch", (False, True), "Yes or no.")
WORD = Option("word", ("off", "1908", 125), "A word, a year or a number.", record_only=(125,))
COUNT = Option("count", (500,), "A number.", numbers=range(100, 1001))
KNOWN = (SWITCH, WORD, COUNT)
DEFAULTS: dict[str, Value] = {"switch": False, "word": "off", "count": 500}


def test_defaults_are_filled_in() -> None:
    assert read_options(KNOWN, {}) == DEFAULTS
    assert read_options(KNOWN, {"word": "1908", "count": 100}) == DEFAULTS | {"word": "1908", "count": 100}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("switch", 1),
        ("switch", 0),
        ("switch", "true"),
        ("switch", None),
        ("word", 1908),
        ("word", "125"),
        ("word", True),
        ("word", ["off"]),
        ("count", True),
        ("count", 99),
        ("count", 1001),
        ("count", 500.0),
        ("count", "500"),
    ],
)
def test_a_value_of_another_kind_is_none_of_its_values(name: str, value: object) -> None:
    with pytest.raises(BadOption) as refused:
        read_options(KNOWN, {name: value})
    assert refused.value.code == "options.bad_value"
    assert name in refused.value.message
    assert f"cannot be {json.dumps(value)}." in refused.value.message


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadOption, match="switch, word, count") as refused:
        read_options(KNOWN, {"other": True})
    assert refused.value.code == "options.unknown"


def test_values_for_records_alone_are_not_for_tables() -> None:
    refuse_record_only(KNOWN, DEFAULTS)
    with pytest.raises(BadOption, match="off, 1908") as refused:
        refuse_record_only(KNOWN, DEFAULTS | {"word": 125})
    assert refused.value.code == "options.not_at_tables"
    assert "125" in WORD.allowed()
    assert "125" not in WORD.allowed(at_table=True)


def test_differing() -> None:
    assert differing(KNOWN, DEFAULTS) == {}
    assert differing(KNOWN, DEFAULTS | {"switch": True}) == {"switch": True}


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (SWITCH, "true", True),
        (SWITCH, "false", False),
        (WORD, "1908", "1908"),
        (WORD, "125", 125),
        (COUNT, "300", 300),
    ],
)
def test_values_as_people_type_them(option: Option, text: str, value: object) -> None:
    read = parse_value(option, text)
    assert read == value
    assert type(read) is type(value)
    assert value_text(read) == text


@pytest.mark.parametrize("text", ["", "-", "--500", "5-0", "50", "1e3", "off", "٥٠٠", "9" * 5000])
def test_what_is_typed_wrong_is_a_bad_option(text: str) -> None:
    with pytest.raises(BadOption):
        parse_value(COUNT, text)


def test_unknown_games_and_numbers_of_players_are_refused() -> None:
    with pytest.raises(BadOption, match="auction_bridge") as refused:
        family("whist")
    assert refused.value.code == "game.unknown"
    with pytest.raises(BadOption, match="4") as refused:
        make_game("auction_bridge", 3, {})
    assert refused.value.code == "game.players"
    with pytest.raises(BadOption) as refused:
        make_game("five_hundred", 1, {})
    assert refused.value.message == "Five Hundred is not for 1 player. It is for: 2, 3, 4, 5, 6."


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_words_for_all_its_options(name: str) -> None:
    for players in GAMES[name].players:
        game = make_game(name, players, {})
        options = GAMES[name].options(players, {})
        assert game.name == name
        assert len(game.seats) == players
        assert list(game.options) == [option.name for option in options]
        assert len({option.name for option in options}) == len(options)
        for option in options:
            assert option.words.endswith(".")
            assert set(option.record_only) <= set(option.values)
