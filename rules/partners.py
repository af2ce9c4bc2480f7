"""Two partnerships of two with the pack of 52, as Vint, Bridge and auction bridge have them: deal, play and view."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from rules import tricks
from rules.actions import PLAYS, Play
from rules.auction import Auction
from rules.cards import PACK_52, Card, Cards, in_order
from rules.errors import IllegalAction
from rules.events import CardPlayed, CardsDealt, Contract, Event, HandExposed, TrickWon
from rules.scoresheet import Result, RubberStanding
from rules.seats import FOUR_SEATS, Seat
from rules.tricks import PLAIN_ORDERS, Tricks
from rules.view import View

ALL_TRICKS = 13


class PartnersState(Protocol):
    """What the states of these games have in common; `hands` are the cards as dealt."""

    @property
    def dealer(self) -> Seat: ...
    @property
    def hands(self) -> tuple[Cards, ...]: ...
    @property
    def auction(self) -> Auction: ...
    @property
    def contract(self) -> Contract | None: ...
    @property
    def tricks(self) -> Tricks | None: ...
    @property
    def result(self) -> Result | None: ...
    @property
    def phase(self) -> str: ...
    @property
    def to_act(self) -> Seat | None: ...
    @property
    def hand_to_play(self) -> Seat | None: ...


def places(dealer: Seat) -> Sequence[Seat]:
    """Return where the cards go: thirteen each, one at a time, from the dealer's left."""
    return [FOUR_SEATS.left(dealer, 1 + i) for i in range(len(PACK_52))]


def dealt(dealer: Seat, cards: Sequence[Card]) -> tuple[tuple[Cards, ...], CardsDealt]:
    """Deal the shuffled pack: the hands by seat, and the event."""
    piles: tuple[list[Card], ...] = ([], [], [], [])
    for card, place in zip(cards, places(dealer), strict=True):
        piles[place].append(card)
    hands = tuple(map(in_order, piles))
    return hands, CardsDealt(dealer, hands, tuple(map(len, hands)), widow=None, widow_count=0)


def rubber_standing(columns: Mapping[str, tuple[int, ...]], game_points: int, games_to_win: int = 2) -> RubberStanding:
    """Return the standing that has these columns. Raises ValueError if no deal of a rubber can begin with it."""
    standing = RubberStanding(**columns)
    if not all(0 <= below < game_points for below in standing.below):
        raise ValueError(f"a part score is between 0 and {game_points - 1}")
    if not all(0 <= games < games_to_win for games in standing.games):
        raise ValueError(f"a side that has won {games_to_win} games has ended the rubber")
    if not all(above >= 0 for above in standing.above):
        raise ValueError("nothing is ever taken off a score above the line")
    return standing


# --- play


def chooser(contract: Contract, hand: Seat) -> Seat:
    """Return who decides what a hand plays: the declarer for dummy, else its own seat."""
    if hand == contract.dummy and contract.declarer is not None:
        return contract.declarer
    return hand


def legal_plays(contract: Contract, play: Tricks) -> list[Play]:
    """List the plays of the hand to play, in the order in which it is held."""
    hand = play.hands[play.next_hand]
    return [PLAYS[card] for card in tricks.playable(hand, play.trick.led, PLAIN_ORDERS[contract.trumps])]


def card_played(contract: Contract | None, before: Tricks | None, action: Play) -> tuple[Tricks, tuple[Event, ...]]:
    """Return the play after one more card, and what has happened. Raises IllegalAction.

    Dummy, where there is one, is shown after the first lead. Contract and tricks are None before the play.
    """
    if before is None or contract is None:
        raise IllegalAction("play.not_yet", "No card may be played before the auction is over.")
    hand, card, order = before.next_hand, action.card, PLAIN_ORDERS[contract.trumps]
    tricks.refuse_unplayable(before.hands[hand], card, before.trick.led, order)
    if action.suit is not None:
        raise IllegalAction("play.no_suit_to_name", "Only a joker names a suit.")
    play = tricks.played(before, card, order)
    events: list[Event] = [CardPlayed(hand, chooser(contract, hand), card)]
    if contract.dummy is not None and not before.complete and not before.trick.plays:
        events.append(HandExposed(contract.dummy, play.hands[contract.dummy]))
    if not play.trick.plays:
        events.append(TrickWon(play.winners[-1], len(play.complete)))
    return play, tuple(events)


# --- view


def view(state: PartnersState, seat: Seat | None, *, hide_calls: bool = False) -> View:
    """Return what a seat may know: its own cards, dummy's after the first lead, the last trick until the next lead."""
    play, contract = state.tricks, state.contract
    held = state.hands if play is None else play.hands
    led = play is not None and bool(play.trick.plays or play.complete)
    exposed = (contract.dummy,) if led and contract is not None and contract.dummy is not None else ()
    between_tricks = play is not None and bool(play.complete) and not play.trick.plays
    return View(
        seat=seat,
        dealer=state.dealer,
        phase=state.phase,
        to_act=state.to_act,
        hand_to_play=state.hand_to_play,
        hands=tuple(hand if place == seat or place in exposed else None for place, hand in enumerate(held)),
        counts=tuple(map(len, held)),
        calls=() if hide_calls else state.auction.calls,
        contract=contract,
        trick=play.trick if play is not None else None,
        last_trick=play.complete[-1] if play is not None and between_tricks else None,
        tricks_won=tuple(play.winners.count(place) if play is not None else 0 for place in FOUR_SEATS),
        exposed=exposed,
        dealt=state.hands if state.result is not None else None,
        result=state.result,
    )
