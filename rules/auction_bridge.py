"""Auction bridge with royal spades, 1912-1914, in the order of its laws.

Sources: R. F. Foster, *Foster's Complete Hoyle* (1914) with the American laws it reprints (Whist Club of New York,
November 1913), cited as "Foster" and "Law n"; M. C. Work, *Auction of To-day* (1913), "Work"; the Portland-Bath laws of
1908, "1908 Law n". D1 to D9 are decisions of ours where these are silent or at odds, listed in
docs/rules/auction_bridge.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rules import partners, tricks
from rules.actions import Action, Choose, Play
from rules.auction import NO_CALLS, Auction, called, first_to_name
from rules.calls import Bid, Call, Declaration, Denomination, Word
from rules.cards import PACK_52, Card, Cards
from rules.errors import BadOption, IllegalAction
from rules.events import AuctionEnded, CallMade, Contract, DealScored, Event
from rules.facts import (
    BadFact,
    Fact,
    Given,
    needed,
    plain,
    read_call,
    read_seat,
    read_side,
    refuse_given,
    refuse_unknown,
)
from rules.game import Family, Tables
from rules.honours import aces_words, honours_of, honours_table, score_chicane, score_honours, void_hands
from rules.options import Option, Options
from rules.partners import ALL_TRICKS
from rules.rubber_facts import BY, HONOURS, STANDING, VOID, count_honours, read_standing, read_tricks, read_void
from rules.scoresheet import Line, Result, RubberStanding, Standing, score_rubber
from rules.seats import FOUR_SEATS, PARTNERSHIPS, Seat, partner, side_of
from rules.tricks import Tricks
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

# For a doubled contract and each trick over it, 25 times the doubling; for each trick short, 50 times (Laws 46 to 53).
BONUS = 25
UNDERTRICK = 50

ONE_SPADE = Bid(1, Denomination.SPADES)
ONE_SPADE_LIMIT = 100
"""The most that the dealer's own one spade costs (Law 48)."""

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


FACTS = (
    Fact("contract", "The last bid, with X or XX behind it if it was doubled or redoubled.", "3HX", needed=True),
    BY,
    Fact("tricks", "How many tricks that side won, or NS=10.", "10", needed=True),
    HONOURS,
    VOID,
    Fact("dealer", "Who dealt.", "S"),
    *STANDING,
)


@dataclass(frozen=True, slots=True)
class Played:
    """What the score of a deal depends on.

    `won` are the tricks of the declarer's side; `honours` (of trumps, at no trump aces) and `void` (of trumps) are of
    the hands as dealt, by seat.
    """

    bid: Bid
    doubling: int
    side: int
    won: int
    honours: tuple[int, ...]
    void: tuple[bool, ...]


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
        return partners.chooser(self.contract, self.tricks.next_hand)


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
        return partners.places(dealer)

    def fresh(self) -> RubberStanding:
        return RubberStanding()

    def standing(self, columns: Mapping[str, tuple[int, ...]]) -> RubberStanding:
        return partners.rubber_standing(columns, GAME_POINTS)

    def deal(self, dealer: Seat, cards: Sequence[Card], standing: Standing) -> Step:
        assert isinstance(standing, RubberStanding), standing
        hands, dealt = partners.dealt(dealer, cards)
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
        return partners.legal_plays(state.contract, state.tricks)

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
        contract = state.contract
        play, events = partners.card_played(contract, state.tricks, action)
        # Spelt out, because `replace` costs more than all the rest of a play.
        state = AuctionBridgeState(state.dealer, state.standing, state.hands, state.auction, contract, play)
        return (state, events) if len(play.complete) < ALL_TRICKS else _ended(state, self.score(state), events)

    # --- score

    def score(self, state: AuctionBridgeState) -> tuple[Line, ...]:
        """Return what the two sides score for a deal that has been played out, in points."""
        contract, play = state.contract, state.tricks
        assert contract is not None and play is not None, "a deal that was not played has no score"
        assert contract.declarer is not None
        side = side_of(contract.declarer)
        played = Played(
            bid=_bid(contract),
            doubling=contract.doubling,
            side=side,
            won=sum(side_of(seat) == side for seat in play.winners),
            honours=honours_of(state.hands, contract.trumps),
            void=void_hands(state.hands, contract.trumps),
        )
        return self.lines(played)

    def lines(self, played: Played) -> tuple[Line, ...]:
        """Return what the two sides score for what has been played, in points."""
        if played.bid.denomination is Denomination.NULLOS:
            return self._tricks(played, 13 - played.won)  # D7: no honours, no slams
        return (*self._tricks(played, played.won), *self._slams(played), *self._honours(played))

    def _tricks(self, played: Played, won: int) -> tuple[Line, ...]:
        """Score the contract; `won` are the tricks that count for it: declarer's, in nullos the adversaries'.

        Source: Foster, table of values and "Penalties"; Laws 46 to 53.
        """
        bid, doubling, side = played.bid, played.doubling, played.side
        rate = self.rates[bid.denomination]
        short = bid.level + 6 - won
        if short > 0:
            return (self._undertricks(played, short),)
        words = f"{won - 6} × {rate}" + (f" × {doubling}" if doubling > 1 else "")
        made = Line(side, "below", (won - 6) * rate * doubling, "tricks", f"tricks {words}")
        if doubling == 1:
            return (made,)
        each = BONUS * doubling
        bonus = [Line(side, "above", each, "contract", f"doubled contract made {each}")]
        if short < 0:
            bonus.append(Line(side, "above", -short * each, "overtricks", f"overtricks {-short} × {each}"))
        return (made, *bonus)

    def _undertricks(self, played: Played, short: int) -> Line:
        each = UNDERTRICK * played.doubling
        points, words = short * each, f"undertricks {short} × {each}"
        if points > ONE_SPADE_LIMIT and self._one_spade_limit(played):
            points, words = ONE_SPADE_LIMIT, f"{words}, at most {ONE_SPADE_LIMIT} for the dealer's one spade"
        return Line(1 - played.side, "above", points, "undertricks", words)

    def _one_spade_limit(self, played: Played) -> bool:
        """Say whether the loss is limited (Law 48; D2): one spade outranks no bid, so it is the dealer's own call."""
        limit = self.options["one_spade_limit"]
        return played.bid == ONE_SPADE and (limit == "always" or (limit == "unless_redoubled" and played.doubling < 4))

    def _slams(self, played: Played) -> tuple[Line, ...]:
        """Score twelve or thirteen tricks of either side (Law 8)."""
        if played.won == 12 and played.bid.level == 7 and not self.options["failed_seven_little_slam"]:
            return ()  # D1: the strict reading, by which a declarer who fails scores nothing but honours
        values = SLAMS[str(self.options["slams"])]
        return tuple(
            Line(side, "above", values[taken], "slam", f"{'grand' if taken == 13 else 'little'} slam {values[taken]}")
            for side, taken in ((played.side, played.won), (1 - played.side, 13 - played.won))
            if taken in values
        )

    def _honours(self, played: Played) -> tuple[Line, ...]:
        """Score honours as dealt, and hands without a trump: 1908 for their own side; 1912 on the honours (Law 9)."""
        denomination = played.bid.denomination
        trumps, rate = denomination.trumps, self.rates[denomination]
        honours = score_honours(played.honours, trumps, rate)
        match self.options["chicane"]:
            case "1908" if trumps is not None:
                return (*honours, *score_chicane(played.void, rate))
            case "1912" if trumps is not None:
                (scorer,) = (line.side for line in honours)  # five honours cannot tie: one side always holds three
                return (*honours, *score_chicane(played.void, rate, scorer))
            case _:
                return honours

    def score_facts(self, given: Given) -> Result:
        """Score a deal from what is told of it. Raises BadFact."""
        refuse_unknown(given, FACTS)
        before = read_standing(given, self.standing)
        dealer = read_seat("dealer", given.get("dealer", "N"), FOUR_SEATS)
        call, doubling = read_call("contract", needed(given, "contract"))
        if call is Word.PASS and self.options["dealer_may_pass"]:
            refuse_given(given, {*given} - {"contract", "dealer", "part", "games", "above"}, "nobody has bid")
            return _result((), before, dealer)
        if not isinstance(call, Bid) or call not in self.rungs:
            raise BadFact(f"There is no bid {call} at this table; the bids are: {' '.join(map(str, self.ladder))}.")
        return _result(self.lines(self._told(given, call, doubling)), before, dealer)

    def _told(self, given: Given, bid: Bid, doubling: int) -> Played:
        side = read_side("by", needed(given, "by"), FOUR_SEATS, PARTNERSHIPS)
        if bid == ONE_SPADE and "dealer" in given and plain(given["dealer"]) not in plain(given["by"]):
            # N is in NS, and is N.
            raise BadFact("One spade is never bid over another call: it is the dealer's own, who did not play it here.")
        won, trumps = read_tricks(given, side)[side], bid.denomination.trumps
        if bid.denomination is Denomination.NULLOS:
            refuse_given(given, ("honours", "void"), "nullos have no honours")
            return Played(bid, doubling, side, won, (0,) * 4, (False,) * 4)
        void = read_void(given, trumps, scored=self.options["chicane"] != "off")
        return Played(bid, doubling, side, won, count_honours(given, trumps), void)

    # --- view

    def view(self, state: AuctionBridgeState, seat: Seat | None) -> View:
        hidden = bool(self.options["hide_auction_during_play"]) and state.phase == "play"
        return partners.view(state, seat, hide_calls=hidden)


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


def _result(lines: tuple[Line, ...], before: RubberStanding, dealer: Seat) -> Result:
    return score_rubber(lines, before, FOUR_SEATS.left(dealer), GAME_POINTS, RUBBER_POINTS)


def _ended(state: AuctionBridgeState, lines: tuple[Line, ...], events: tuple[Event, ...]) -> Step:
    result = _result(lines, state.standing, state.dealer)
    scored = DealScored(state.hands, widow=None, discard=None, result=result)
    return replace(state, result=result), (*events, scored)


def _make(players: int, options: Options) -> AuctionBridge:
    if options["dealer_may_pass"] and options["count"] == "1908":
        raise BadOption("options.contradictory", "dealer_may_pass makes spades royals, which count 1908 does not have.")
    if options["nullos"] == "on" and options["count"] != "1912":
        raise BadOption("options.contradictory", "nullos go with count 1912 only.")
    return AuctionBridge(options)


def _tables(game: AuctionBridge) -> Tables:
    names = {denomination: denomination.name.lower().replace("_", " ") for denomination in game.rates}
    suits = {names[each]: rate for each, rate in game.rates.items() if each.trumps is not None}
    slams = SLAMS[str(game.options["slams"])]
    return {
        "ladder": " ".join(map(str, game.ladder)),
        "lowest": str(game.ladder[0]),
        "rates": [["", *names.values()], ["a trick", *map(str, game.rates.values())]],
        "honours": honours_table(suits),
        "aces": aces_words(),
        "little": str(slams[12]),
        "grand": str(slams[13]),
        "doubling": [
            ["", "undoubled", "doubled", "redoubled"],
            ["each trick above six, made: its value times", "1", "2", "4"],
            ["for making it", "0", str(2 * BONUS), str(4 * BONUS)],
            ["each trick over the contract", "0", str(2 * BONUS), str(4 * BONUS)],
            ["each trick short, to the adversaries", *(str(UNDERTRICK * times) for times in (1, 2, 4))],
        ],
        "limit": str(ONE_SPADE_LIMIT),
        "game": str(GAME_POINTS),
        "rubber": str(RUBBER_POINTS),
    }


AUCTION_BRIDGE = Family(
    "auction_bridge",
    "Royal auction bridge",
    (4,),
    lambda players, given: OPTIONS,
    _make,
    summary="Bids outrank each other by value, from 1S to 7N.",
    tables=_tables,
    facts=FACTS,
    score_facts=AuctionBridge.score_facts,
)
