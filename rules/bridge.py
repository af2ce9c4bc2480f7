"""Bridge without bidding, "straight bridge", by the code of 1905, in the order of its laws.

Sources: *Encyclopaedia Britannica*, 11th ed. (1911), vol. 4, "Bridge", cited as "EB"; the code it summarises, "The Laws
of Bridge (1904)", in force January 1905, printed in *Hoyle's Games Modernized*, cited as "Law n"; for options J. B.
Elwell, *Bridge* (1906), and R. F. Foster, *Foster's Complete Hoyle*. E1 to E7 are decisions of ours where these are
silent or at odds, listed in docs/rules/bridge.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

from rules import partners, tricks
from rules.actions import Action, Choose, Play
from rules.auction import NO_CALLS, Auction, called
from rules.calls import Bid, Call, Declaration, Denomination, Word
from rules.cards import PACK_52, Card, Cards
from rules.errors import IllegalAction
from rules.events import AuctionEnded, CallMade, Contract, DealScored, Event
from rules.facts import BadFact, Fact, Given, needed, read_call, read_seat, refuse_given, refuse_unknown
from rules.game import Family, Tables
from rules.honours import aces_words, honours_of, honours_table, score_chicane, score_honours, void_hands
from rules.options import Option, Options
from rules.partners import ALL_TRICKS
from rules.rubber_facts import HONOURS, STANDING, VOID, count_honours, read_standing, read_tricks, read_void
from rules.scoresheet import Line, Result, RubberStanding, Standing, score_rubber
from rules.seats import FOUR_SEATS, PARTNERSHIPS, Seat, partner, side_of
from rules.tricks import Tricks
from rules.view import View

GAME_POINTS = 30
RUBBER_POINTS = 100

# The value of each trick above six, undoubled, in the order in which they are listed (EB).
RATES = {
    Denomination.SPADES: 2,
    Denomination.CLUBS: 4,
    Denomination.DIAMONDS: 6,
    Denomination.HEARTS: 8,
    Denomination.NO_TRUMPS: 12,
}

# Tricks won by one side -> points above the line.
SLAMS = {12: 20, 13: 40}

CAP = 100
"""The worth to which a trick may be doubled (E1)."""

STOPS_AFTER = {"stop_after_100": 100, "stop_after_200": 200, "none": 1_000_000_000}
"""The worth of a trick above which nobody may double. `none` ends all the same before numbers grow without end (E7)."""

# `spade_convention`: what undoubled spades score for the dealer's side where they are not played, and with what below
# the line either side still has them played (Elwell; the honours: Foster).
UNPLAYED_SPADES = 2
UNPLAYED_HONOURS = 4
SPADES_PLAYED_FROM = 20

OPTIONS = (
    Option(
        "doubling_limit",
        ("cap_100", "not_over_100", "stop_after_100", "stop_after_200", "none"),
        "How far a trick may be doubled: the last doubling to just 100, none above 100, until above 100 or 200, or on.",
    ),
    Option(
        "chicane",
        ("add", "american", "off"),
        "Whether a hand without trumps scores for its side, on the honours of either side, or not at all.",
    ),
    Option(
        "spade_convention",
        ("off", "two", "two_and_four"),
        "Whether undoubled spades below 20 points score 2, or 2 and 4 for honours, without being played.",
    ),
    Option("royal_spades", ("off", 10, 9), "Whether spades may also be declared as royals, at this value."),
    Option("first_dealer", ("random", "cut", "fixed"), "Who deals first: drawn, by cutting for seats, or North."),
    Option(
        "unfinished_rubber",
        ("void", "as_it_stands"),
        "What a rubber that is not finished counts: nothing, or its points so far.",
        record_only=("as_it_stands",),
    ),
    Option("claims", ("off", "agreed"), "Whether tricks may be claimed by agreement.", record_only=("agreed",)),
)


FACTS = (
    Fact("declaration", "What was declared: S, C, D, H or N for no trump.", "H", needed=True),
    Fact("doubled", "How many times it was doubled in all.", "2"),
    Fact("tricks", "How many tricks a side won.", "NS=9", needed=True),
    HONOURS,
    VOID,
    Fact("dealer", "Who dealt.", "S"),
    *STANDING,
)


@dataclass(frozen=True, slots=True)
class Played:
    """What the score of a deal depends on.

    `won` are the tricks of each side; `honours` (of trumps, at no trump aces) and `void` (of trumps) are of the hands
    as dealt, by seat.
    """

    denomination: Denomination
    doubling: int
    won: tuple[int, ...]
    honours: tuple[int, ...]
    void: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class BridgeState:
    """A deal of bridge; `hands` are the cards as dealt, `tricks` is there from the end of the doubling.

    In `auction` stand the declaration and what follows it: there are no bids.
    """

    dealer: Seat
    standing: RubberStanding
    hands: tuple[Cards, ...]
    auction: Auction = NO_CALLS
    contract: Contract | None = None
    tricks: Tricks | None = None
    result: Result | None = None

    @property
    def phase(self) -> str:
        """`dealer_declares`, `partner_declares`, `doubling`, `play` or `over`."""
        if self.result is not None:
            return "over"
        if self.tricks is not None:
            return "play"
        if not self.auction.calls:
            return "dealer_declares"
        return "partner_declares" if _declared(self.auction) is None else "doubling"

    @property
    def hand_to_play(self) -> Seat | None:
        return None if self.result is not None or self.tricks is None else self.tricks.next_hand

    @property
    def to_act(self) -> Seat | None:
        if self.result is not None:
            return None
        if self.tricks is not None and self.contract is not None:
            return partners.chooser(self.contract, self.tricks.next_hand)
        if not self.auction.calls:
            return self.dealer
        return _speaker(self.dealer, self.auction)


Step = tuple[BridgeState, tuple[Event, ...]]


@dataclass(frozen=True)
class Bridge:
    """Bridge with its options."""

    options: Options

    name = "bridge"
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
        return BridgeState(dealer, standing, hands), (dealt,)

    # --- declaration and doubling

    @cached_property
    def rates(self) -> Mapping[Denomination, int]:
        """The value of one odd trick of every denomination that may be declared, in points, lowest first."""
        royals = self.options["royal_spades"]
        rates = dict(RATES) if royals == "off" else {**RATES, Denomination.ROYALS: int(royals)}
        return dict(sorted(rates.items(), key=lambda rate: rate[1]))

    @cached_property
    def declarations(self) -> tuple[Declaration, ...]:
        return tuple(map(Declaration, self.rates))

    def legal_actions(self, state: BridgeState) -> Sequence[Action | Choose]:
        if state.tricks is not None and state.contract is not None:
            return () if state.result is not None else partners.legal_plays(state.contract, state.tricks)
        match state.phase:
            case "dealer_declares":
                return [Word.LEAVE, *self.declarations]
            case "partner_declares":
                return self.declarations
            case "doubling":
                return (Word.PASS, Word.DOUBLE)
            case _:
                return ()

    def apply(self, state: BridgeState, action: Action) -> Step:
        if state.result is not None:
            raise IllegalAction("deal.over", "The deal is over.")
        match action:
            case Play():
                return self._play(state, action)
            case Word() | Bid() | Declaration():
                return self._call(state, action)
            case _:
                raise IllegalAction("action.not_due", "There is no widow, partner or joker to choose in bridge.")

    def _refuse_illegal(self, state: BridgeState, call: Call) -> None:
        """Raise IllegalAction if the seat to act may not make a call (Laws 47 to 60)."""
        doubling = state.phase == "doubling"
        match call:
            case Word.LEAVE if state.auction.calls:
                raise IllegalAction("declaration.not_left", "The declaration is left once, by the dealer, before it.")
            case Declaration() if doubling:
                raise IllegalAction("declaration.made", "The declaration has been made, and it is final.")
            case Declaration() if call not in self.declarations:
                raise IllegalAction("declaration.unknown", f"There is no declaration {call} at this table.")
            case Word.PASS | Word.DOUBLE if not doubling:
                raise IllegalAction("declaration.due", "First the declaration is to be made.")
            case Word.LEAVE | Declaration() | Word.PASS | Word.DOUBLE:
                return
            case _:
                raise IllegalAction("auction.no_such_call", f"There is no call {call} in bridge; to redouble is X too.")

    def _call(self, state: BridgeState, call: Call) -> Step:
        if state.tricks is not None:
            raise IllegalAction("auction.over", "The declaration and the doubling are over.")
        self._refuse_illegal(state, call)
        seat = state.to_act
        assert seat is not None, "somebody speaks until the deal is over"
        auction = called(state.auction, seat, call)
        state = replace(state, auction=auction)
        made = CallMade(seat, call)
        declared = _declared(auction)
        if declared is None or (auction.passes < 2 and self._may_double(declared, auction.doubling)):
            return state, (made,)
        if self._is_not_played(state.standing, declared, auction.doubling):
            return _ended(state, self._unplayed(side_of(state.dealer)), (made, AuctionEnded(None)))
        contract = _contract(state.dealer, declared, auction.doubling)
        play = tricks.begin(state.hands, contract.leader, tuple(FOUR_SEATS))
        return replace(state, contract=contract, tricks=play), (made, AuctionEnded(contract))

    def trick_value(self, denomination: Denomination, doubling: int) -> int:
        """Return the worth of each trick above six, as doubled (E1)."""
        value = self.rates[denomination] * doubling
        return min(value, CAP) if self.options["doubling_limit"] == "cap_100" else value

    def most_doublings(self, denomination: Denomination) -> int:
        """Return how many times a declaration may be doubled in all."""
        return next(times for times in count() if not self._may_double(denomination, 2**times))

    def _may_double(self, denomination: Denomination, doubling: int) -> bool:
        """Say whether a trick may be doubled once more; if not, nobody is asked any more."""
        value = self.trick_value(denomination, doubling)
        match str(self.options["doubling_limit"]):
            case "cap_100":
                return value < CAP
            case "not_over_100":
                return 2 * value <= CAP
            case limit:
                return value <= STOPS_AFTER[limit]

    def _is_not_played(self, before: RubberStanding, denomination: Denomination, doubling: int) -> bool:
        """Say whether these are undoubled spades that the option `spade_convention` has not played."""
        return (
            self.options["spade_convention"] != "off"
            and denomination is Denomination.SPADES
            and doubling == 1
            and max(before.below) < SPADES_PLAYED_FROM
        )

    def _unplayed(self, side: int) -> tuple[Line, ...]:
        spades = Line(side, "below", UNPLAYED_SPADES, "spades", f"spades not played {UNPLAYED_SPADES}")
        if self.options["spade_convention"] == "two":
            return (spades,)
        return (spades, Line(side, "above", UNPLAYED_HONOURS, "honours", f"honours not counted {UNPLAYED_HONOURS}"))

    # --- play

    def _play(self, state: BridgeState, action: Play) -> Step:
        contract = state.contract
        play, events = partners.card_played(contract, state.tricks, action)
        # Spelt out, because `replace` costs more than all the rest of a play.
        state = BridgeState(state.dealer, state.standing, state.hands, state.auction, contract, play)
        return (state, events) if len(play.complete) < ALL_TRICKS else _ended(state, self.score(state), events)

    # --- score

    def score(self, state: BridgeState) -> tuple[Line, ...]:
        """Return what the two sides score for a deal that has been played out, in points."""
        contract, play = state.contract, state.tricks
        assert contract is not None and play is not None, "a deal that was not played has no score"
        played = Played(
            denomination=_denomination(contract),
            doubling=contract.doubling,
            won=tuple(sum(side_of(seat) == side for seat in play.winners) for side in (0, 1)),
            honours=honours_of(state.hands, contract.trumps),
            void=void_hands(state.hands, contract.trumps),
        )
        return self.lines(played)

    def lines(self, played: Played) -> tuple[Line, ...]:
        """Return what the two sides score for what has been played, in points."""
        side = 0 if played.won[0] > played.won[1] else 1
        return (
            self._tricks(played, side, played.won[side] - 6),
            *_slams(side, played.won[side]),
            *self._honours(played),
        )

    def _tricks(self, played: Played, side: int, odd: int) -> Line:
        """Score the tricks above six, to whichever side has won them (EB; Law 4)."""
        denomination, doubling = played.denomination, played.doubling
        rate, value = self.rates[denomination], self.trick_value(denomination, doubling)
        words = f"tricks {odd} × {value}"
        if doubling > 1:
            capped = f", at most {CAP}" if value < rate * doubling else ""
            words += f" ({rate} × {doubling}{capped})"
        return Line(side, "below", odd * value, "tricks", words)

    def _honours(self, played: Played) -> tuple[Line, ...]:
        """Score honours and chicane at the undoubled value (EB; Law 8). At no trump there is no chicane (E3)."""
        trumps, rate = played.denomination.trumps, self.rates[played.denomination]
        honours = score_honours(played.honours, trumps, rate)
        match self.options["chicane"]:
            case "add" if trumps is not None:
                return (*honours, *score_chicane(played.void, rate))
            case "american" if trumps is not None:
                (scorer,) = (line.side for line in honours)  # five honours cannot tie: one side always holds three
                return (*honours, *score_chicane(played.void, rate, scorer))
            case _:
                return honours

    def score_facts(self, given: Given) -> Result:
        """Score a deal from what is told of it. Raises BadFact."""
        refuse_unknown(given, FACTS)
        before = read_standing(given, self.standing)
        dealer = read_seat("dealer", given.get("dealer", "N"), FOUR_SEATS)
        call, _ = read_call("declaration", needed(given, "declaration"))
        if call not in self.declarations or not isinstance(call, Declaration):
            allowed = ", ".join(map(str, self.declarations))
            raise BadFact(f"There is no declaration {call} at this table; the declarations are: {allowed}.")
        doubling = self._doubling_told(given, call.denomination)
        if self._is_not_played(before, call.denomination, doubling):
            refuse_given(given, ("tricks", "honours", "void"), "undoubled spades are not played")
            needed(given, "dealer", "spades that are not played score for his side")
            return _result(self._unplayed(side_of(dealer)), before, dealer)
        trumps = call.denomination.trumps
        void = read_void(given, trumps, scored=self.options["chicane"] != "off")
        played = Played(call.denomination, doubling, read_tricks(given), count_honours(given, trumps), void)
        return _result(self.lines(played), before, dealer)

    def _doubling_told(self, given: Given, denomination: Denomination) -> int:
        text = given.get("doubled", "0")
        times = int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else -1
        most = self.most_doublings(denomination)
        if not 0 <= times <= most:
            raise BadFact(f"--doubled {text!r}: {denomination} can be doubled up to {most} times at this table.")
        return int(2**times)

    # --- view

    def view(self, state: BridgeState, seat: Seat | None) -> View:
        return partners.view(state, seat)


def _declaration(auction: Auction) -> tuple[Seat, Denomination] | None:
    """Return who has named trumps, and which: the dealer, or his partner to whom he left it."""
    for seat, call in auction.calls[:2]:
        if isinstance(call, Declaration):
            return seat, call.denomination
    return None


def _declared(auction: Auction) -> Denomination | None:
    made = _declaration(auction)
    return None if made is None else made[1]


def _speaker(dealer: Seat, auction: Auction) -> Seat:
    """Return who speaks once the dealer has (Laws 54 to 60).

    The two sides double in turn, the adversaries first. On each side first that member who last doubled; before that
    the eldest hand, or the maker of the declaration; if he passes, his partner.
    """
    made = _declaration(auction)
    if made is None:
        return partner(dealer)
    doublers = [seat for seat, call in auction.calls if call is Word.DOUBLE]
    side = side_of(dealer + 1 + len(doublers))
    first = FOUR_SEATS.left(dealer) if side != side_of(dealer) else made[0]
    first = next((seat for seat in reversed(doublers) if side_of(seat) == side), first)
    return partner(first) if auction.passes else first


def _contract(dealer: Seat, denomination: Denomination, doubling: int) -> Contract:
    """Name what is played: the dealer plays both hands, whoever made the declaration."""
    dummy, leader = partner(dealer), FOUR_SEATS.left(dealer)
    return Contract(Declaration(denomination), doubling, dealer, dummy, (dummy,), denomination.trumps, leader)


def _denomination(contract: Contract) -> Denomination:
    assert isinstance(contract.call, Declaration), contract
    return contract.call.denomination


def _slams(side: int, won: int) -> tuple[Line, ...]:
    """Score twelve or thirteen tricks, of either side, declared or not; never doubled."""
    if won not in SLAMS:
        return ()
    return (Line(side, "above", SLAMS[won], "slam", f"{'grand' if won == 13 else 'little'} slam {SLAMS[won]}"),)


def _result(lines: tuple[Line, ...], before: RubberStanding, dealer: Seat) -> Result:
    return score_rubber(lines, before, FOUR_SEATS.left(dealer), GAME_POINTS, RUBBER_POINTS)


def _ended(state: BridgeState, lines: tuple[Line, ...], events: tuple[Event, ...]) -> Step:
    result = _result(lines, state.standing, state.dealer)
    scored = DealScored(state.hands, widow=None, discard=None, result=result)
    return replace(state, result=result), (*events, scored)


def _tables(game: Bridge) -> Tables:
    names = {denomination: denomination.name.lower().replace("_", " ") for denomination in game.rates}
    suits = {names[each]: rate for each, rate in game.rates.items() if each.trumps is not None}
    most = {each: game.most_doublings(each) for each in names}
    values = {
        each: [str(game.trick_value(each, 2**times)) if times <= most[each] else "" for times in range(7)]
        for each in names
    }
    return {
        "declarations": ", ".join(f"{each} {name}" for each, name in names.items()),
        "rates": [
            ["doubled", "not", "once", "twice", "3 times", "4 times", "5 times", "6 times"],
            *([names[each], *row] for each, row in values.items()),
        ],
        "honours": honours_table(suits),
        "aces": aces_words(),
        "void": ", ".join(f"{name} {2 * rate}" for name, rate in suits.items()),
        "little": str(SLAMS[12]),
        "grand": str(SLAMS[13]),
        "cap": str(CAP),
        "game": str(GAME_POINTS),
        "rubber": str(RUBBER_POINTS),
        "unplayed": str(UNPLAYED_SPADES),
        "unplayed_honours": str(UNPLAYED_HONOURS),
        "played_from": str(SPADES_PLAYED_FROM),
    }


BRIDGE = Family(
    "bridge",
    "Bridge",
    (4,),
    lambda players, given: OPTIONS,
    lambda players, options: Bridge(options),
    summary="No auction: the dealer's side declares, anybody may double.",
    tables=_tables,
    facts=FACTS,
    score_facts=Bridge.score_facts,
)
