"""Auction bridge with royal spades, 1912-1914, in the order of its laws.

Sources: R. F. Foster, *Foster's Complete Hoyle* (1914) with the American laws it reprints (Whist Club of New York,
November 1913), cited as "Foster" and "Law n"; M. C. Work, *Auction of To-day* (1913), "Work"; the Portland-Bath laws of
1908, "1908 Law n". D1 to D9 are decisions of ours where these are silent or at odds, listed in
docs/rules/auction_bridge.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rules import tricks
from rules.actions import PLAYS, Action, Choose, Play
from rules.auction import NO_CALLS, Auction, called, first_to_name
from rules.calls import Bid, Call, Declaration, Denomination, Word
from rules.cards import PACK_52, Card, Cards, in_order
from rules.errors import BadOption, IllegalAction
from rules.events import (
    AuctionEnded,
    CallMade,
    CardPlayed,
    CardsDealt,
    Contract,
    DealScored,
    Event,
    HandExposed,
    TrickWon,
)
from rules.game import Family
from rules.honours import PARTNERS_ACES, PARTNERS_HONOURS, aces, split, trump_honours, void_hands
from rules.options import Option, Options
from rules.scoresheet import Line, Result, RubberStanding, Standing, score_rubber
from rules.seats import FOUR_SEATS, PARTNERSHIPS, Seat, partner, side_of
from rules.tricks import PLAIN_ORDERS, Tricks
from rules.view import View

GAME_POINTS = 30
RUBBER_POINTS = 250

# The value of one odd trick, in the order in which bids of equal value and level rank (Foster, table of values).
RATES_1912 = {
    Denomination.SPADES: 2,
    Denomination.CLUBS: 6,
    Denomination.DIAMONDS: 7,
    Denomination.HEARTS: 8,
    Denomination.ROYALS: 9,
    Denomination.NULLOS: 10,
    Denomination.NO_TRUMPS: 10,
}
# 1908 Law 45; the *Encyclopaedia Britannica* of 1911 has the same count.
RATES_1908 = {
    Denomination.SPADES: 2,
    Denomination.CLUBS: 4,
    Denomination.DIAMONDS: 6,
    Denomination.HEARTS: 8,
    Denomination.NO_TRUMPS: 12,
}

# Tricks won by one side -> points above the line (Law 8; "english": Foster's note on the English rule).
SLAMS = {
    "american": {12: 20, 13: 40},
    "english": {12: 50, 13: 100},
}

OPTIONS = (
    Option("first_dealer", ("random", "cut", "fixed"), "Who deals first: drawn, by cutting for seats, or North."),
    Option(
        "one_spade_limit",
        ("unless_redoubled", "always", "off"),
        "Whether losing the dealer's own one spade, never overcalled, costs at most 100.",
    ),
    Option("failed_seven_little_slam", (True, False), "Whether a bid of seven that wins twelve tricks scores 20."),
    Option("slams", ("american", "english"), "Little and grand slam: 20 and 40, or 50 and 100."),
    Option(
        "dealer_may_pass",
        (False, True),
        "The English form: anyone may pass, spades are always royals, and four passes end the deal.",
    ),
    Option(
        "chicane", ("off", "1912", "1908"), "What a side scores for a hand void of trumps, by the laws of that year."
    ),
    Option("nullos", ("off", "on"), "Whether one may bid to lose tricks: 10 each, just below no trump."),
    Option("count", ("1912", "1908"), "Values of a trick: 2 6 7 8 9 10, or 2 4 6 8 and no trump 12 without royals."),
    Option("timed_finish", ("off", 125), "Points for a game won when play stops at a fixed time.", record_only=(125,)),
    Option("hide_auction_during_play", (False, True), "Whether the calls are out of sight once play begins (Law 51)."),
    Option("claims", ("off", "agreed"), "Whether tricks may be claimed by agreement.", record_only=("agreed",)),
)


@dataclass(frozen=True, slots=True)
class AuctionBridgeState:
    """A deal of auction bridge; `hands` are the cards as dealt, `tricks` is there from the end of the auction."""

    dealer: Seat
    standing: RubberStanding
    hands: tuple[Cards, ...]
    auction: Auction = NO_CALLS
    contract: Contract | None = None
    tricks: Tricks | None = None
    result: Result | None = None

    @property
    def phase(self) -> str:
        if self.result is not None:
            return "over"
        return "auction" if self.tricks is None else "play"

    @property
    def hand_to_play(self) -> Seat | None:
        return None if self.result is not None or self.tricks is None else self.tricks.next_hand

    @property
    def to_act(self) -> Seat | None:
        if self.result is not None:
            return None
        if self.tricks is None or self.contract is None:
            return FOUR_SEATS.left(self.dealer, len(self.auction.calls))
        return _chooser(self.contract, self.tricks.next_hand)


Step = tuple[AuctionBridgeState, tuple[Event, ...]]


@dataclass(frozen=True)
class AuctionBridge:
    """Auction bridge with its options."""

    options: Options

    name = "auction_bridge"
    seats = FOUR_SEATS
    sides = PARTNERSHIPS
    accounts = ("below", "above")
    deck = PACK_52

    # --- deal

    def places(self, dealer: Seat) -> Sequence[Seat]:
        """Thirteen cards each, one at a time, from the dealer's left."""
        return [FOUR_SEATS.left(dealer, 1 + i) for i in range(len(PACK_52))]

    def fresh(self) -> RubberStanding:
        return RubberStanding()

    def standing(self, columns: Mapping[str, tuple[int, ...]]) -> RubberStanding:
        standing = RubberStanding(**columns)
        if not all(0 <= below < GAME_POINTS for below in standing.below):
            raise ValueError(f"a part score is between 0 and {GAME_POINTS - 1}")
        if not all(0 <= games < 2 for games in standing.games):
            raise ValueError("a side that has won two games has ended the rubber")
        if not all(above >= 0 for above in standing.above):
            raise ValueError("nothing is ever taken off a score above the line")
        return standing

    def deal(self, dealer: Seat, cards: Sequence[Card], standing: Standing) -> Step:
        assert isinstance(standing, RubberStanding), standing
        piles: tuple[list[Card], ...] = ([], [], [], [])
        for card, place in zip(cards, self.places(dealer), strict=True):
            piles[place].append(card)
        hands = tuple(map(in_order, piles))
        dealt = CardsDealt(dealer, hands, tuple(map(len, hands)), widow=None, widow_count=0)
        return AuctionBridgeState(dealer, standing, hands), (dealt,)

    # --- auction

    @cached_property
    def rates(self) -> Mapping[Denomination, int]:
        """The value of one odd trick of every denomination that may be bid, in points."""
        rates = dict(RATES_1908 if self.options["count"] == "1908" else RATES_1912)
        if self.options["nullos"] == "off":
            rates.pop(Denomination.NULLOS, None)
        if self.options["dealer_may_pass"]:
            del rates[Denomination.SPADES]
        return rates

    @cached_property
    def ladder(self) -> tuple[Bid, ...]:
        """All bids, lowest first: by value, then by level (D4), then as the rates are listed."""
        bids = [Bid(level, denomination) for level in range(1, 8) for denomination in self.rates]
        return tuple(sorted(bids, key=lambda bid: (bid.level * self.rates[bid.denomination], bid.level)))

    @cached_property
    def rungs(self) -> Mapping[Bid, int]:
        """The place of every bid in the ladder."""
        return {bid: rung for rung, bid in enumerate(self.ladder)}

    def legal_actions(self, state: AuctionBridgeState) -> Sequence[Action | Choose]:
        if state.result is not None:
            return ()
        if state.tricks is None or state.contract is None:
            return self._legal_calls(state)
        hand = state.tricks.hands[state.tricks.next_hand]
        order = PLAIN_ORDERS[state.contract.trumps]
        return [PLAYS[card] for card in tricks.playable(hand, state.tricks.trick.led, order)]

    def _legal_calls(self, state: AuctionBridgeState) -> list[Action | Choose]:
        lowest = 0 if state.auction.bid is None else self.rungs[state.auction.bid] + 1
        words = [word for word in (Word.PASS, Word.DOUBLE, Word.REDOUBLE) if self._refusal(state, word) is None]
        return [*words, *self.ladder[lowest:]]

    def _refusal(self, state: AuctionBridgeState, call: Call) -> IllegalAction | None:
        """Say why the seat to act may not make a call (Laws 42 to 55)."""
        match call:
            case Bid():
                return self._refusal_of_bid(state.auction, call)
            case Word.PASS:
                if state.auction.calls or self.options["dealer_may_pass"]:
                    return None
                return IllegalAction("auction.must_bid", "The dealer must open with a bid; one spade promises nothing.")
            case Word.DOUBLE:
                return _refusal_of_double(state)
            case Word.REDOUBLE:
                return _refusal_of_redouble(state)
            case _:
                return IllegalAction("auction.no_such_call", f"There is no call {call} in auction bridge.")

    def _refusal_of_bid(self, auction: Auction, bid: Bid) -> IllegalAction | None:
        if bid not in self.rungs:
            return IllegalAction("auction.no_such_bid", f"There is no bid {bid} at this table.")
        if auction.bid is not None and self.rungs[bid] <= self.rungs[auction.bid]:
            return IllegalAction(
                "auction.insufficient_bid",
                f"{bid} is worth {bid.level * self.rates[bid.denomination]} and does not outrank {auction.bid}, "
                f"worth {auction.bid.level * self.rates[auction.bid.denomination]}.",
            )
        return None

    def apply(self, state: AuctionBridgeState, action: Action) -> Step:
        if state.result is not None:
            raise IllegalAction("deal.over", "The deal is over.")
        match action:
            case Play():
                return self._play(state, action)
            case Word() | Bid() | Declaration():
                return self._call(state, action)
            case _:
                raise IllegalAction(
                    "action.not_due", "There is no widow, partner or joker to choose in auction bridge."
                )

    def _call(self, state: AuctionBridgeState, call: Call) -> Step:
        if state.tricks is not None:
            raise IllegalAction("auction.over", "The auction is over.")
        refusal = self._refusal(state, call)
        if refusal is not None:
            raise refusal
        seat = FOUR_SEATS.left(state.dealer, len(state.auction.calls))
        auction = called(state.auction, seat, call)
        state = replace(state, auction=auction)
        made = CallMade(seat, call)
        if auction.bid is not None and auction.passes == 3:
            contract = _contract(auction)
            play = tricks.begin(state.hands, contract.leader, tuple(FOUR_SEATS))
            return replace(state, contract=contract, tricks=play), (made, AuctionEnded(contract))
        if auction.bid is None and auction.passes == 4:
            # D6: four opening passes, only with `dealer_may_pass`: no score, the deal passes to the left.
            return _ended(state, (), (made, AuctionEnded(None)))
        return state, (made,)

    # --- play

    def _play(self, state: AuctionBridgeState, action: Play) -> Step:
        before, contract, card = state.tricks, state.contract, action.card
        if before is None or contract is None:
            raise IllegalAction("play.not_yet", "No card may be played before the auction is over.")
        hand, order = before.next_hand, PLAIN_ORDERS[contract.trumps]
        tricks.refuse_unplayable(before.hands[hand], card, before.trick.led, order)
        if action.suit is not None:
            raise IllegalAction("play.no_suit_to_name", "Only a joker names a suit.")
        play = tricks.played(before, card, order)
        events: list[Event] = [CardPlayed(hand, _chooser(contract, hand), card)]
        if contract.dummy is not None and not before.complete and not before.trick.plays:
            events.append(HandExposed(contract.dummy, play.hands[contract.dummy]))
        if not play.trick.plays:
            events.append(TrickWon(play.winners[-1], len(play.complete)))
        # Spelt out, because `replace` costs more than all the rest of a play.
        state = AuctionBridgeState(state.dealer, state.standing, state.hands, state.auction, contract, play)
        if len(play.complete) < 13:
            return state, tuple(events)
        return _ended(state, self.score(state), tuple(events))

    # --- score

    def score(self, state: AuctionBridgeState) -> tuple[Line, ...]:
        """Return what the two sides score for a deal that has been played out, in points."""
        contract, play = state.contract, state.tricks
        assert contract is not None and play is not None, "a deal that was not played has no score"
        won = sum(
            contract.declarer is not None and side_of(seat) == side_of(contract.declarer) for seat in play.winners
        )
        if _bid(contract).denomination is Denomination.NULLOS:
            return self._tricks(state, contract, 13 - won)  # D7: no honours, no slams
        return (
            *self._tricks(state, contract, won),
            *self._slams(contract, won),
            *self._honours(state.hands, _bid(contract).denomination),
        )

    def _tricks(self, state: AuctionBridgeState, contract: Contract, won: int) -> tuple[Line, ...]:
        """Score the contract; `won` are the tricks that count for it: declarer's, in nullos the adversaries'.

        Source: Foster, table of values and "Penalties"; Laws 46 to 53.
        """
        bid, doubling = _bid(contract), contract.doubling
        assert contract.declarer is not None
        side, rate = side_of(contract.declarer), self.rates[bid.denomination]
        short = bid.level + 6 - won
        if short > 0:
            return (self._undertricks(state.auction, contract, short),)
        words = f"{won - 6} × {rate}" + (f" × {doubling}" if doubling > 1 else "")
        made = Line(side, "below", (won - 6) * rate * doubling, "tricks", f"tricks {words}")
        if doubling == 1:
            return (made,)
        each = 25 * doubling
        bonus = [Line(side, "above", each, "contract", f"doubled contract made {each}")]
        if short < 0:
            bonus.append(Line(side, "above", -short * each, "overtricks", f"overtricks {-short} × {each}"))
        return (made, *bonus)

    def _undertricks(self, auction: Auction, contract: Contract, short: int) -> Line:
        assert contract.declarer is not None
        each = 50 * contract.doubling
        points, words = short * each, f"undertricks {short} × {each}"
        if points > 100 and self._one_spade_limit(auction, contract):
            points, words = 100, f"{words}, at most 100 for the dealer's one spade"
        return Line(1 - side_of(contract.declarer), "above", points, "undertricks", words)

    def _one_spade_limit(self, auction: Auction, contract: Contract) -> bool:
        """Say whether the loss is limited: the dealer's own one spade, never overcalled (Law 48; D2)."""
        bids = [call for _, call in auction.calls if isinstance(call, Bid)]
        if bids != [Bid(1, Denomination.SPADES)]:
            return False
        limit = self.options["one_spade_limit"]
        return limit == "always" or (limit == "unless_redoubled" and contract.doubling < 4)

    def _slams(self, contract: Contract, won: int) -> tuple[Line, ...]:
        """Score twelve or thirteen tricks of either side (Law 8)."""
        assert contract.declarer is not None
        declaring = side_of(contract.declarer)
        if won == 12 and _bid(contract).level == 7 and not self.options["failed_seven_little_slam"]:
            return ()  # D1: the strict reading, by which a declarer who fails scores nothing but honours
        values = SLAMS[str(self.options["slams"])]
        return tuple(
            Line(side, "above", values[taken], "slam", f"{'grand' if taken == 13 else 'little'} slam {values[taken]}")
            for side, taken in ((declaring, won), (1 - declaring, 13 - won))
            if taken in values
        )

    def _honours(self, hands: Sequence[Cards], denomination: Denomination) -> tuple[Line, ...]:
        """Score honours as dealt, whoever declared and whether made or failed (Foster, table of honour values)."""
        trumps = denomination.trumps
        if trumps is None:
            held = aces(hands)
            points = {side: PARTNERS_ACES.get(split(held[side], held[side + 2]), 0) for side in (0, 1)}
            return tuple(
                Line(side, "above", value, "honours", f"aces {value}") for side, value in points.items() if value
            )
        held, rate = trump_honours(hands, trumps), self.rates[denomination]
        factors = {side: PARTNERS_HONOURS.get(split(held[side], held[side + 2]), 0) for side in (0, 1)}
        honours = [
            Line(side, "above", factor * rate, "honours", f"honours {factor} × {rate}")
            for side, factor in factors.items()
            if factor
        ]
        return (*honours, *self._chicane(void_hands(hands, trumps), rate, honours))

    def _chicane(self, void: Sequence[bool], rate: int, honours: Sequence[Line]) -> tuple[Line, ...]:
        """Score hands without a trump: 1908 each for its own side; 1912 (Law 9) on the honours of either side."""
        law = self.options["chicane"]
        voids = {side: void[side] + void[side + 2] for side in (0, 1) if void[side] or void[side + 2]}
        if law == "off" or not voids:
            return ()
        if law == "1908":
            return tuple(
                Line(side, "above", 2 * rate * count, "chicane", f"chicane {count} × {2 * rate}")
                for side, count in voids.items()
            )
        (scorer,) = (line.side for line in honours)  # five honours cannot tie: one side always holds three
        return tuple(
            Line(scorer, "above", 2 * rate * count * (1 if side == scorer else -1), "chicane", "chicane on honours")
            for side, count in voids.items()
        )

    # --- view

    def view(self, state: AuctionBridgeState, seat: Seat | None) -> View:
        play, contract = state.tricks, state.contract
        held = state.hands if play is None else play.hands
        led = play is not None and bool(play.trick.plays or play.complete)
        exposed = (contract.dummy,) if led and contract is not None and contract.dummy is not None else ()
        hidden = self.options["hide_auction_during_play"] and state.phase == "play"
        between_tricks = play is not None and bool(play.complete) and not play.trick.plays
        return View(
            seat=seat,
            dealer=state.dealer,
            phase=state.phase,
            to_act=state.to_act,
            hand_to_play=state.hand_to_play,
            hands=tuple(hand if place == seat or place in exposed else None for place, hand in enumerate(held)),
            counts=tuple(map(len, held)),
            calls=() if hidden else state.auction.calls,
            contract=contract,
            trick=play.trick if play is not None else None,
            last_trick=play.complete[-1] if play is not None and between_tricks else None,
            tricks_won=tuple(play.winners.count(place) if play is not None else 0 for place in FOUR_SEATS),
            exposed=exposed,
            dealt=state.hands if state.result is not None else None,
            result=state.result,
        )


def _refusal_of_double(state: AuctionBridgeState) -> IllegalAction | None:
    auction = state.auction
    if auction.bid is None or auction.bidder is None:
        return IllegalAction("auction.nothing_to_double", "There is no bid to double.")
    if auction.doubling > 1:
        return IllegalAction("auction.already_doubled", "A bid is doubled once only.")
    if state.to_act in (auction.bidder, partner(auction.bidder)):
        return IllegalAction("auction.own_bid", "You may not double your own side's bid.")
    return None


def _refusal_of_redouble(state: AuctionBridgeState) -> IllegalAction | None:
    auction = state.auction
    if auction.doubling == 1 or auction.bidder is None:
        return IllegalAction("auction.not_doubled", "There is no double to redouble.")
    if auction.doubling > 2:
        return IllegalAction("auction.already_redoubled", "A bid is redoubled once only.")
    if state.to_act not in (auction.bidder, partner(auction.bidder)):
        return IllegalAction("auction.own_double", "You may not redouble your own side's double.")
    return None


def _chooser(contract: Contract, hand: Seat) -> Seat:
    """Return who decides what a hand plays: the declarer for dummy, else its own seat."""
    if hand == contract.dummy and contract.declarer is not None:
        return contract.declarer
    return hand


def _bid(contract: Contract) -> Bid:
    assert isinstance(contract.call, Bid), contract
    return contract.call


def _contract(auction: Auction) -> Contract:
    """Name the declarer: the first of the side to bid the denomination (Law 46). Royals are not spades (D3)."""
    assert auction.bid is not None and auction.bidder is not None, "three passes follow a bid"
    side = (auction.bidder, partner(auction.bidder))
    declarer = first_to_name(auction, auction.bid.denomination, side)
    dummy = partner(declarer)
    trumps = auction.bid.denomination.trumps
    return Contract(auction.bid, auction.doubling, declarer, dummy, (dummy,), trumps, FOUR_SEATS.left(declarer))


def _ended(state: AuctionBridgeState, lines: tuple[Line, ...], events: tuple[Event, ...]) -> Step:
    result = score_rubber(lines, state.standing, FOUR_SEATS.left(state.dealer), GAME_POINTS, RUBBER_POINTS)
    scored = DealScored(state.hands, widow=None, discard=None, result=result)
    return replace(state, result=result), (*events, scored)


def _make(players: int, options: Options) -> AuctionBridge:
    if options["dealer_may_pass"] and options["count"] == "1908":
        raise BadOption("options.contradictory", "dealer_may_pass makes spades royals, which count 1908 does not have.")
    if options["nullos"] == "on" and options["count"] != "1912":
        raise BadOption("options.contradictory", "nullos go with count 1912 only.")
    return AuctionBridge(options)


AUCTION_BRIDGE = Family("auction_bridge", "Royal auction bridge", (4,), lambda players, given: OPTIONS, _make)
