"""The texts of the messages say what the values of the rules say, in both directions, over whole deals."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from protocol import messages as m
from protocol.codec import decode_command, decode_message, encode
from protocol.translate import (
    command_for,
    deal_part,
    event_message,
    legal_part,
    parse_action,
    parse_legal,
    parse_view,
    score_part,
)
from rules.actions import Action, CallPartners, Choose, Discard, NameJoker, Play
from rules.calls import Bid, Denomination, Word
from rules.cards import JOKER, Suit, parse_hand
from rules.events import Event, WidowTaken
from rules.game import AnyGame
from rules.registry import GAMES, make_game
from rules.seats import FOUR_SEATS
from rules.shuffle import shuffled
from rules.view import View, redact

SEED = bytes(range(32))


def deals(game: AnyGame, seed: int) -> Iterator[tuple[Any, tuple[Event, ...], Action | None]]:
    """Yield each state of a deal played by lot, the events that led to it, and what is done next."""
    random = Random(seed)
    state, events = game.deal(seed % len(game.seats), shuffled(game.deck, random.randbytes(32)), game.fresh())
    while legal := game.legal_actions(state):
        drawn = random.choice(legal)
        action = Discard(drawn.cards[: drawn.count]) if isinstance(drawn, Choose) else drawn
        yield state, events, action
        state, events = game.apply(state, action)
    yield state, events, None


def games() -> Iterator[AnyGame]:
    for name, family in GAMES.items():
        for players in family.players:
            yield make_game(name, players, {})


every_game = pytest.mark.parametrize("game", list(games()), ids=lambda game: f"{game.name}-{len(game.seats)}")


@every_game
def test_actions_come_back_as_they_were(game: AnyGame) -> None:
    for seed in range(20):
        for _, _, action in deals(game, seed):
            if action is not None:
                command = decode_command(encode(command_for(action, 7, 3, 11, game.seats)))
                assert isinstance(command, m.MakeCall | m.PlayCard | m.DiscardCards | m.CallPartners | m.NameJoker)
                assert (command.id, command.deal, command.index) == (7, 3, 11)
                assert parse_action(command, game.seats) == action, seed


@every_game
def test_what_is_legal_comes_back_as_it_was(game: AnyGame) -> None:
    for seed in range(20):
        for state, _, _ in deals(game, seed):
            legal = game.legal_actions(state)
            assert parse_legal(legal_part(legal, game.seats), game.seats) == list(legal), seed


@every_game
def test_views_come_back_as_they_were(game: AnyGame) -> None:
    for seed in range(20):
        for state, _, _ in deals(game, seed):
            for seat in (*game.seats, None):
                view = game.view(state, seat)
                assert parsed(deal_part(view, game, 5), view, game) == replace(view, result=None), seed


def parsed(part: m.DealPart, view: View, game: AnyGame) -> View:
    """Read a view as a client has it: in a `table_view`, after a trip over the wire."""
    seats = game.seats
    seat = None if view.seat is None else seats.name(view.seat)
    turn = None
    if view.to_act is not None:
        hand = None if view.hand_to_play is None else seats.name(view.hand_to_play)
        turn = m.Turn(5, 0, seats.name(view.to_act), hand)
    message = decode_message(encode(table_view(part, turn, seat)))
    assert isinstance(message, m.TableView) and message.deal is not None
    return parse_view(message.deal, message.turn, message.seat, seats)


def table_view(deal: m.DealPart, turn: m.Turn | None, seat: str | None) -> m.TableView:
    return m.TableView(
        table="t",
        number=9,
        entry="e",
        game="g",
        title="G",
        options={},
        seats=[],
        sides={},
        spectators=[],
        player="p",
        seat=seat,
        stage="playing",
        rubber=1,
        next_deal=6,
        standing={},
        ledger={},
        deal=deal,
        turn=turn,
    )


@every_game
def test_every_event_has_its_message(game: AnyGame) -> None:
    """All that a seat may know of an event is in its message, and nothing of what is hidden."""
    for seed in range(10):
        for _, events, _ in deals(game, seed):
            for seat in (*game.seats, None):
                messages = [event_message(redact(event, seat), game, 5, SEED) for event in events]
                entry = m.Entry(9, "e", 0.0, messages)
                assert decode_message(encode(entry)) == entry
                assert [type(message).__name__ for message in messages] == [type(event).__name__ for event in events]
                for message in messages:
                    if isinstance(message, m.CardsDealt):
                        assert list(message.hands) == ([] if seat is None else [game.seats.name(seat)])


@every_game
def test_the_score_says_what_the_result_says(game: AnyGame) -> None:
    for seed in range(10):
        *_, (state, _, _) = deals(game, seed)
        part = score_part(state.result, game)
        for side in game.sides:
            for account in game.accounts:
                lines = [line.points for line in part.lines if (line.side, line.account) == (side.name, account)]
                assert part.score[side.name][account] == sum(lines)
        assert part.next_dealer == game.seats.name(state.result.next_dealer)
        assert part.over is state.result.over


def test_actions_that_some_games_have() -> None:
    cards = parse_hand("A9..T.8+JK")
    actions: list[Action | Choose] = [
        *Word,
        Bid(10, Denomination.HEARTS),
        Play(JOKER, Suit.HEARTS),
        Choose(3, cards),
        CallPartners(()),
        CallPartners((1, 3)),
        NameJoker(None),
        NameJoker(Suit.SPADES),
    ]
    assert parse_legal(legal_part(actions, FOUR_SEATS), FOUR_SEATS) == actions
    for action in (*actions, Discard(cards)):
        if not isinstance(action, Choose):
            assert parse_action(command_for(action, 1, 1, 0, FOUR_SEATS), FOUR_SEATS) == action


def test_texts_that_are_nothing_are_refused() -> None:
    commands = (
        m.MakeCall(1, 1, 0, "8?"),
        m.PlayCard(1, 1, 0, "S1"),
        m.PlayCard(1, 1, 0, "SA:H"),
        m.DiscardCards(1, 1, 0, ["SA", "XX"]),
        m.CallPartners(1, 1, 0, ["N", "Q"]),
        m.NameJoker(1, 1, 0, "R"),
    )
    for command in commands:
        with pytest.raises(ValueError):
            parse_action(command, FOUR_SEATS)


def test_a_widow_taken_is_for_its_taker_alone() -> None:
    game = make_game("auction_bridge", 4, {})
    taken = WidowTaken(1, parse_hand("A.K.Q."), 3)
    assert event_message(redact(taken, 1), game, 1, SEED) == m.WidowTaken("E", 3, "A.K.Q.")
    assert event_message(redact(taken, 0), game, 1, SEED) == m.WidowTaken("E", 3)
