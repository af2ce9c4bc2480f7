"""Every game can be played by typing: what bots do at a table, written as a person would, means the same command."""

from random import Random

import pytest

from bots.simple import choose
from client_cli.draw import card_text, legal_lines, turn_lines
from client_cli.signs import LETTERS
from client_cli.verbs import read_line
from protocol import messages as m
from protocol.translate import command_for, parse_legal, parse_view
from rules.actions import Action, CallPartners, Choose, Discard, NameJoker, Play
from rules.registry import GAMES
from rules.seats import Seats
from tests.client_cli.tables import Told

TABLES = [(name, players) for name, family in GAMES.items() for players in family.players]


def seated(game: str, players: int) -> Told:
    """Return a table with a player in each seat."""
    told = Told(game, players)
    for place, seat in enumerate(told.table.game.seats.names):
        told.arrive(f"player{place}")
        assert told.ask(f"player{place}", m.TakeSeat(1, seat))
    return told


def typed(action: Action, seats: Seats) -> str:
    """Write an action as a person types it."""
    match action:
        case Play(card=card, suit=suit):
            return card_text(str(card), LETTERS).lower() + (f":{suit}" if suit else "")
        case Discard(cards=cards):
            return f"discard {' '.join(card_text(str(card), LETTERS) for card in cards)}"
        case CallPartners(seats=partners):
            return f"partners {' '.join(map(seats.name, partners)) or 'none'}"
        case NameJoker(suit=suit):
            return f"joker {suit or 'none'}"
        case call:
            return str(call).lower()


def drawn(view: m.TableView, turn: m.Turn, legal: m.Legal, seats: Seats, random: Random) -> Action:
    """Return what a bot does, or now and then anything else that is legal."""
    assert view.deal is not None
    offered = parse_legal(legal, seats)
    other = random.choice(offered[:6])
    if random.random() < 0.15 and not isinstance(other, Choose):
        return other
    return choose(parse_view(view.deal, turn, view.seat, seats), offered)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_every_game_can_be_typed(game: str, players: int) -> None:
    told, random = seated(game, players), Random(players)
    seats = told.table.game.seats
    for deal in range(1, 4):
        for player in told.models:
            told.ask(player, m.Ready(1, deal))
        assert told.begin_deal(random.randbytes(32))
        while told.table.stage == "playing":
            ((player, view, turn),) = turns(told)
            assert turn.legal is not None
            assert legal_lines(view) and turn_lines(view)[0].startswith(">> Your turn")
            action = drawn(view, turn, turn.legal, seats, random)
            meaning = read_line(typed(action, seats), view)
            assert meaning == command_for(action, 0, turn.deal, turn.index, seats), typed(action, seats)
            assert isinstance(meaning, m.Command)
            assert told.ask(player, meaning)
        if told.table.stage == "over":
            return


def turns(told: Told) -> list[tuple[str, m.TableView, m.Turn]]:
    """Return whose turn it is, as each player's own client sees it."""
    seen = [(player, model.view) for player, model in told.models.items() if model.view is not None]
    return [(player, view, view.turn) for player, view in seen if view.turn is not None and view.turn.legal is not None]
