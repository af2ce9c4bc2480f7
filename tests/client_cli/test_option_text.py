"""What the options of a table are and mean, for who is about to sit down and for who asks."""

import pytest
from msgspec import structs

from client_cli.blocks import show
from client_cli.option_text import NARROW, table_option_lines
from client_cli.signs import SYMBOLS
from rules.registry import GAMES
from tests.client_cli.views import PLAY


@pytest.mark.parametrize(("game", "players"), [(name, count) for name, game in GAMES.items() for count in game.players])
def test_every_option_that_leaves_a_choice_is_told_with_its_words(game: str, players: int) -> None:
    lines = table_option_lines(game, players, {}, all_of_them=True)
    assert max(map(len, lines)) <= NARROW
    told = " ".join(" ".join(lines).split())
    for option in GAMES[game].options(players, {}):
        if len(option.values) - len(option.record_only) > 1 or option.numbers is not None:
            assert f"{option.name} = " in told
            assert option.words in told


def test_what_differs_is_told_alone_to_who_has_no_seat() -> None:
    assert table_option_lines("auction_bridge", 4, {}, all_of_them=False) == []
    differing = table_option_lines("auction_bridge", 4, {"nullos": "on"}, all_of_them=False)
    assert differing == [
        "  nullos = on; or off (default)",
        "    Whether one may bid to lose tricks: 10 each, just below no trump.",
    ]


def test_what_a_later_server_offers_is_told_as_it_came() -> None:
    assert "  colour = red" in table_option_lines("auction_bridge", 4, {"colour": "red"}, all_of_them=True)
    assert table_option_lines("whist", 4, {"colour": True}, all_of_them=True) == ["  colour = true"]


def test_options_are_shown_below_the_name_of_the_game() -> None:
    lines = show("options", structs.replace(PLAY, options={"nullos": "on"}), SYMBOLS)
    assert lines[0] == "Royal auction bridge, nullos=on"
    assert "  nullos = on; or off (default)" in lines
