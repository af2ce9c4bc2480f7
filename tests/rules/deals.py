"""Deals made to order for the tests: from hands as text, or with given honours and a given number of tricks."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from rules.actions import Action, Choose, Play, parse_play
from rules.calls import Bid, parse_call
from rules.cards import PACK_52, Card, Cards, Rank, Suit, hand_text, in_order, parse_hand
from rules.game import AnyGame, State
from rules.registry import make_game
from rules.scoresheet import Standing
from rules.seats import side_of
from rules.tricks import PLAIN_ORDERS, winner

GOLDEN = Path(__file__).parent.parent / "golden"

Hands = Mapping[str, str]


def golden_records(name: str) -> list[dict[str, Any]]:
    """Return the records of a file of examples."""
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


def auction_bridge(**options: object) -> AnyGame:
    """Return auction bridge with these options."""
    return make_game("auction_bridge", 4, options)


def bridge(**options: object) -> AnyGame:
    """Return straight bridge with these options."""
    return make_game("bridge", 4, options)


def vint(**options: object) -> AnyGame:
    """Return Vint with these options."""
    return make_game("vint", 4, options)


def begun(game: AnyGame, dealer: str, hands: Hands, before: Standing | None = None) -> Any:
    """Deal these hands of a game without a widow."""
    held = {game.seats.parse(name): iter(parse_hand(text)) for name, text in hands.items()}
    seat = game.seats.parse(dealer)
    deck = tuple(next(held[place]) for place in game.places(seat) if isinstance(place, int))
    assert in_order(deck) == in_order(game.deck), "the hands are the deck"
    return game.deal(seat, deck, before or game.fresh())[0]


def after_calls(game: AnyGame, state: Any, calls: str) -> Any:
    """Make calls, written with spaces between."""
    for call in calls.split():
        state, _ = game.apply(state, parse_call(call))
    return state


def after_plays(game: AnyGame, state: Any, plays: Sequence[str]) -> Any:
    """Play cards."""
    for card in plays:
        state, _ = game.apply(state, parse_play(card))
    return state


def texts(actions: Iterable[Action | Choose]) -> set[str]:
    """Write calls and plays."""
    return {str(action) for action in actions}


def hands_with(honours: Mapping[str, Cards], random: Random) -> Hands:
    """Deal at random the cards that no hand has been given."""
    given = {card for held in honours.values() for card in held}
    rest = [card for card in PACK_52 if card not in given]
    random.shuffle(rest)
    hands = {}
    for name in "NESW":
        held = honours.get(name, ())
        wanted = 13 - len(held)
        hands[name] = hand_text((*held, *rest[:wanted]))
        rest = rest[wanted:]
    return hands


def played_for(game: AnyGame, state: Any, tricks: int) -> Any:
    """Play out a deal, all four trying to give the declarer's side so many tricks, which may fail."""
    declarer = state.contract.declarer
    while state.result is None:
        play = state.tricks
        won = sum(side_of(seat) == side_of(declarer) for seat in play.winners)
        taking = (side_of(play.next_hand) == side_of(declarer)) is (won < tricks)
        if taking and play.trick.plays:
            taking = side_of(winner(play.trick, PLAIN_ORDERS[state.contract.trumps])) != side_of(play.next_hand)
        legal = [action for action in game.legal_actions(state) if isinstance(action, Play)]
        trumps = state.contract.trumps
        ranked = sorted(legal, key=lambda action: (action.card.suit is trumps, action.card.rank))
        state, _ = game.apply(state, ranked[-1] if taking else ranked[0])
    return state


def finished_with(
    game: AnyGame, dealer: str, calls: str, honours: Mapping[str, Cards], tricks: int, before: Standing | None = None
) -> Any:
    """Return a deal, called and played to its end, with these honours and tricks of the declarer's side."""
    return finished(game, dealer, calls, lambda random: hands_with(honours, random), tricks, before)


def finished(
    game: AnyGame,
    dealer: str,
    calls: str,
    deal: Callable[[Random], Hands],
    tricks: int,
    before: Standing | None = None,
) -> Any:
    """Return the first of such deals, called and played to its end, with these tricks of the declarer's side."""
    for seed in range(2000):
        state = begun(game, dealer, deal(Random(seed)), before)
        state = played_for(game, after_calls(game, state, calls), tricks)
        won = sum(side_of(seat) == side_of(state.contract.declarer) for seat in state.tricks.winners)
        if won == tricks:
            return state
    raise AssertionError(f"no deal found with {tricks} tricks for {calls}")


def honour_cards(text: str, suit: Suit | None) -> dict[str, Cards]:
    """Read who holds which honours, `N:AQ E:K S:- W:JT`; at no trump the suits of the aces, `N:SH E:D S:- W:C`."""
    ranks = {"A": Rank.ACE, "K": Rank.KING, "Q": Rank.QUEEN, "J": Rank.JACK, "T": Rank.TEN}
    held = {}
    for part in text.split():
        name, signs = part.split(":")
        cards = [Card(Suit(sign), Rank.ACE) if suit is None else Card(suit, ranks[sign]) for sign in signs.strip("-")]
        held[name] = tuple(cards)
    return held


def auction_for(dealer: str, declarer: str, bid: str, doubled: str = "") -> str:
    """Write the shortest auction to a contract: the dealer opens one spade where he is not the declarer."""
    turns = ("NESW".index(declarer) - "NESW".index(dealer)) % 4
    opening = ["1S", *["P"] * (turns - 1)] if turns else []
    doubles = {"": [], "X": ["X"], "XX": ["X", "XX"]}[doubled]
    return " ".join([*opening, bid, *doubles, "P", "P", "P"])


def bid_of(text: str) -> Bid:
    """Read a bid."""
    bid = parse_call(text)
    assert isinstance(bid, Bid)
    return bid


def points(state: State, side: int, account: str, *, rubber: bool = True) -> int:
    """Return what a side has scored in an account, with or without the points for the rubber."""
    assert state.result is not None
    return sum(
        line.points
        for line in state.result.lines
        if line.side == side and line.account == account and (rubber or line.reason != "rubber")
    )


def scored(state: Any) -> list[str]:
    """Write the lines of a deal's score."""
    return [f"{('NS', 'EW')[line.side]} {line.account} {line.points} {line.reason}" for line in state.result.lines]


def score_of(
    calls: str, tricks: int, held: str = "N:- E:AKQ S:JT W:-", dealer: str = "S", **options: object
) -> list[str]:
    """Play a deal out and write its score; by default EW hold three honours, or aces, of the trumps."""
    game = auction_bridge(**options)
    bid = next(bid_of(call) for call in reversed(calls.split()) if call[0].isdigit())
    if bid.denomination.trumps is None and held == "N:- E:AKQ S:JT W:-":
        held = "N:S E:H S:D W:C"
    return scored(finished_with(game, dealer, calls, honour_cards(held, bid.denomination.trumps), tricks))
