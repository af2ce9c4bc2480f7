"""Deals of Five Hundred made to order for the tests."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from rules import tricks
from rules.actions import Action, CallPartners, Choose, Discard, NameJoker, parse_play
from rules.calls import Word, parse_call
from rules.cards import Cards, Suit, parse_card
from rules.five_hundred import FiveHundred
from rules.five_hundred_cards import ORDERS
from rules.five_hundred_options import options_for, refuse_contradictory
from rules.five_hundred_play import legal_plays, order_for_winner
from rules.options import read_options
from rules.seats import Seat
from rules.shuffle import shuffled
from rules.tricks import Trick, Tricks

PLAYERS = {"hoyle2": 2, "hoyle3": 3, "aus4": 4, "us_official4": 4, "five": 5, "aus6": 6}

SUIT_NAMES = {"spades": Suit.SPADES, "clubs": Suit.CLUBS, "diamonds": Suit.DIAMONDS, "hearts": Suit.HEARTS}


def five_hundred(preset: str, **options: object) -> Any:
    """Return the game with a preset and further options."""
    players, given = PLAYERS[preset], {"preset": preset, **options}
    values = read_options(options_for(players, given), given)
    refuse_contradictory(players, values)
    return FiveHundred(players, values)


def dealt(game: FiveHundred, dealer: Seat = 0, scores: Sequence[int] | None = None, seed: int = 0) -> Any:
    """Deal at random."""
    before = game.fresh() if scores is None else game.standing({"scores": tuple(scores)})
    return game.deal(dealer, shuffled(game.deck, bytes([seed]) * 32), before)[0]


def with_cards(game: FiveHundred, held: Mapping[Seat | str, str], dealer: Seat = 0, seed: int = 0) -> Any:
    """Deal these cards to seats, `widow` or `dead`, the others at random."""
    places = game.places(dealer)
    given = {place: list(map(parse_card, cards.split())) for place, cards in held.items()}
    taken = {card for cards in given.values() for card in cards}
    rest = [card for card in shuffled(game.deck, bytes([seed]) * 32) if card not in taken]
    deck = [given[place].pop() if given.get(place) else rest.pop() for place in places]
    return game.deal(dealer, deck, game.fresh())[0]


def called(game: FiveHundred, state: Any, calls: str) -> Any:
    """Make calls, written with spaces between."""
    for call in calls.split():
        state, _ = game.apply(state, parse_call(call))
    return state


def bid_by(game: FiveHundred, bidder: Seat, call: str, scores: Sequence[int] | None = None) -> Any:
    """Return a deal just after an auction that gives the contract to a seat; misère after the seven of another."""
    before = call == "M"
    state = dealt(game, (bidder - 1 - before) % game.players, scores)
    calls = ["7S"] * before + [call]
    if call != str(game.ladder[-1]):
        calls += ["P"] * (game.players - 1)
    state = called(game, state, " ".join(calls))
    assert state.contract.declarer == bidder, "the contract is his"
    return state


def all_passed(game: FiveHundred, scores: Sequence[int] | None = None) -> Any:
    return called(game, dealt(game, 0, scores), " ".join(["P"] * game.players))


def discarded(game: FiveHundred, state: Any, partners: tuple[Seat, ...] = (), joker: Suit | None = None) -> Any:
    """Call partners, lay away the lowest cards and name the joker, as far as that is due."""
    if state.phase == "partners":
        state, _ = game.apply(state, CallPartners(partners))
    (choice,) = game.legal_actions(state)
    assert isinstance(choice, Choose)
    low = sorted(choice.cards, key=lambda card: (card.suit is None, card.rank))
    state, _ = game.apply(state, Discard(tuple(low[: choice.count])))
    return game.apply(state, NameJoker(joker))[0] if state.phase == "joker" else state


def played_out(game: FiveHundred, state: Any, seed: int = 0) -> Any:
    """Play a deal out by lot."""
    random = Random(seed)
    while state.result is None:
        action = random.choice(game.legal_actions(state))
        assert not isinstance(action, Choose)
        state, _ = game.apply(state, action)
    return state


def texts(actions: Sequence[Action | Choose]) -> set[str]:
    return {str(action) for action in actions}


def bids(actions: Sequence[Action | Choose]) -> set[str]:
    """Write the legal calls other than a pass."""
    assert Word.PASS in actions
    return texts(actions) - {"P"}


# --- the play by itself: seat 0 is the one that is asked, or the first to play


def cards(text: str) -> Cards:
    return tuple(map(parse_card, text.split()))


def order_of(contract: str, joker_suit: str = "") -> Any:
    """Return the order of the cards in a contract named in words."""
    return ORDERS[SUIT_NAMES.get(contract), Suit(joker_suit) if joker_suit else None]


def before_trick(hand: Cards, earlier: Sequence[Trick] = (), leader: Seat = 0, seats: int = 4) -> Tricks:
    """Return the play at the beginning of a trick; seat 0 has the hand, the others what they need."""
    hands = (hand, *((),) * (seats - 1))
    return Tricks(hands, tuple(range(seats)), leader, Trick(leader), tuple(earlier), tuple(t.leader for t in earlier))


def renounced(suits: str, seat: Seat = 0, seats: int = 4) -> list[Trick]:
    """Return earlier tricks in which a seat did not follow these suits, led by another."""
    others = {"S": "H", "H": "S", "D": "C", "C": "D"}
    leader = (seat + 1) % seats
    return [
        Trick(leader, Suit(suit), ((leader, parse_card(f"{suit}2")), (seat, parse_card(f"{others[suit]}3"))))
        for suit in suits
    ]


def led_already(suits: str) -> list[Trick]:
    """Return earlier tricks in which these suits were led, and seat 0 followed."""
    return [Trick(1, Suit(suit), ((1, parse_card(f"{suit}2")), (0, parse_card(f"{suit}3")))) for suit in suits]


def legal_texts(
    contract: str,
    nt_joker: str,
    hand: str,
    led: str = "",
    earlier: Sequence[Trick] = (),
    joker_suit: str = "",
    **opts: Any,
) -> set[str]:
    """Return what a hand may play; `led` is the card led by the player on its right, with the suit a joker names."""
    play, order = before_trick(cards(hand), earlier), order_of(contract, joker_suit)
    if led:
        card, _, name = led.partition(":")
        suit = Suit(name) if name else order.suit(parse_card(card))
        play = Tricks(play.hands, play.live, 0, Trick(3, suit, ((3, parse_card(card)),)), play.complete, play.winners)
    options = five_hundred("aus4", nt_joker=nt_joker, **opts).options
    return texts(legal_plays(play, order, options, Word.MISERE if contract == "misère" else None))


def winning_card(contract: str, nt_joker: str, trick: str, earlier: Sequence[Trick] = (), joker_suit: str = "") -> str:
    """Return which card of a trick wins; the first is led by seat 0, perhaps a joker with a suit."""
    plays = [parse_play(text) for text in trick.split()]
    hands = tuple((play.card,) for play in plays)
    options, order = five_hundred("aus4", nt_joker=nt_joker).options, order_of(contract, joker_suit)
    state = Tricks(hands, tuple(range(len(plays))), 0, Trick(0), tuple(earlier), tuple(t.leader for t in earlier))
    for play in plays:
        last = len(state.trick.plays) + 1 == len(plays)
        by = order_for_winner(state, play.card, order, options) if last else order
        state = tricks.played(state, play.card, by, play.suit)
    return str(plays[state.winners[-1]].card)
