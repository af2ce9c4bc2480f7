"""Vint in the form that R. F. Foster describes, in the order of its laws.

Source: R. F. Foster, *Foster's Complete Hoyle* (Project Gutenberg 53881), the chapter "Vint", "Foster"; where it sends
the reader on, the laws of Auction and Bridge printed in the same book. Options and choices of ours, where he is silent,
are listed in docs/rules/vint.md; its sections are cited as "§".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rules import partners, tricks
from rules.actions import Action, Choose, Play
from rules.auction import NO_CALLS, Auction, called
from rules.calls import Bid, Call, Declaration, Denomination, Word
from rules.cards import PACK_52, Card, Cards, Rank, in_order
from rules.errors import BadOption, IllegalAction
from rules.events import AuctionEnded, CallMade, Contract, DealScored, Event
from rules.facts import BadFact, Fact, Given, needed, read_call, read_seat, read_side, refuse_given, refuse_unknown
from rules.game import Family, Tables
from rules.honours import aces, trump_honours
from rules.options import Option, Options
from rules.partners import ALL_TRICKS
from rules.rubber_facts import BY, STANDING, missing, read_honours, read_runs, read_standing, read_tricks, read_winners
from rules.scoresheet import Line, Result, RubberStanding, Standing, score_rubber
from rules.seats import FOUR_SEATS, PARTNERSHIPS, Seat, partner, side_of
from rules.tricks import Tricks
from rules.view import View

GAME_POINTS = 500
GAME_BONUS = 1000
RUBBER_POINTS = 2000

# Low to high among bids of one level (§3).
DENOMINATIONS = (
    Denomination.SPADES,
    Denomination.CLUBS,
    Denomination.DIAMONDS,
    Denomination.HEARTS,
    Denomination.NO_TRUMPS,
)

# All values follow from the level that was bid (§5.1): so many points for each level.
TRICK = 10
SUIT_HONOUR = 10 * TRICK  # each honour is worth ten tricks
NO_TRUMP_ACE = 25 * TRICK  # and each ace at no trump twenty-five
UNDERTRICK = 100 * TRICK

# Tricks won by one side -> points; and what a bid of so many adds where it is made (§5.4).
SLAMS = {12: 1000, 13: 2000}
SLAMS_BID = {6: 5000, 7: 10000}
SLAM_NAMES = {6: "little slam", 12: "little slam", 7: "grand slam", 13: "grand slam"}

# A coronet of three cards, and as much again for each further one; twice that in trumps and at no trump (§5.6).
CORONET = 500

# Passes in a row that end the auction; as many without a bid, but no fewer than four, end the deal.
PASSES = {"three_passes": 3, "eight_passes": 8, "twelve_passes": 12}

OPTIONS = (
    Option("session", ("one_rubber", "three_rubbers"), "One rubber, or three in which the partners change."),
    Option("coronets", (True, False), "Whether runs of three cards and three aces in one hand score."),
    Option(
        "auction_end",
        ("three_passes", "eight_passes", "twelve_passes"),
        "How many passes in a row end the auction; with eight or twelve one may raise one's own bid meanwhile.",
    ),
    Option("all_pass", ("next_dealer", "same_dealer"), "Who deals after a deal that all have passed."),
    Option(
        "split_majority",
        ("offset", "separate"),
        "Trump honours and aces with different sides: only the difference counts, or each is paid by itself.",
    ),
    Option(
        "tied_aces_lost",
        ("offset", "difference"),
        "Aces two and two, and the odd trick lost by the side with most trump honours: they are offset by the two aces "
        "or by the other side's trump honours.",
    ),
    Option("failed_slam", (False, True), "Whether a bid of six or seven that fails gives the slam to the adversaries."),
    Option(
        "match",
        ("rubber", "single_game"),
        "Best of three games, or one game without points for a rubber, which goes with session one_rubber only.",
    ),
    Option("first_dealer", ("random", "cut", "fixed"), "Who deals first: drawn, by cutting for seats, or North."),
    Option(
        "draw",
        ("lowest_deals", "highest_deals"),
        "Whether the lowest or the highest card cut deals first; the highest only with first_dealer cut.",
    ),
)


FACTS = (
    Fact("contract", "The last bid; pass if nobody bid, and nothing else.", "3D", needed=True),
    replace(BY, words="Who made it: a seat, or NS or EW."),
    Fact("tricks", "How many tricks a side won.", "NS=9", needed=True),
    Fact("tricks-in-order", "Instead: who won each of them. Only where both sides come to game.", "NNSEWWSNSNNEE"),
    Fact("honours", "Who was dealt which of A K Q J 10 of trumps; not at no trump.", "N=AK,E=10,S=QJ", needed=True),
    Fact("aces", "Who was dealt which aces, by their suits.", "N=S,D,E=H,S=C", needed=True),
    Fact("coronets", "Sequences of three or more in one hand: the suit, then the ranks.", "S=SAKQ,W=H9876"),
    Fact("dealer", "Who dealt.", "S"),
    *STANDING,
)


@dataclass(frozen=True, slots=True)
class Played:
    """What the score of a deal depends on.

    `side` is the bidder's; `takers` are the sides that won the tricks, in order; `hands` are as dealt, or of them at
    least what scores: trump honours, aces and sequences.
    """

    bid: Bid
    side: int
    takers: tuple[int, ...]
    hands: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class VintState:
    """A deal of Vint; `hands` are the cards as dealt, `tricks` is there from the end of the auction."""

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
        if self.tricks is None:
            return FOUR_SEATS.left(self.dealer, len(self.auction.calls))
        return self.tricks.next_hand


Step = tuple[VintState, tuple[Event, ...]]


@dataclass(frozen=True)
class Vint:
    """Vint with its options."""

    options: Options

    name = "vint"
    seats = FOUR_SEATS
    sides = PARTNERSHIPS
    accounts = ("below", "above")
    deck = PACK_52

    # --- deal

    def places(self, dealer: Seat) -> Sequence[Seat]:
        return partners.places(dealer)

    def fresh(self) -> RubberStanding:
        return RubberStanding()

    @cached_property
    def games_to_win(self) -> int:
        return 1 if self.options["match"] == "single_game" else 2

    def standing(self, columns: Mapping[str, tuple[int, ...]]) -> RubberStanding:
        return partners.rubber_standing(columns, GAME_POINTS, self.games_to_win)

    def deal(self, dealer: Seat, cards: Sequence[Card], standing: Standing) -> Step:
        assert isinstance(standing, RubberStanding), standing
        hands, dealt = partners.dealt(dealer, cards)
        return VintState(dealer, standing, hands), (dealt,)

    # --- auction

    def legal_actions(self, state: VintState) -> Sequence[Action | Choose]:
        if state.result is not None:
            return ()
        if state.tricks is None or state.contract is None:
            lowest = 0 if state.auction.bid is None else RUNGS[state.auction.bid] + 1
            return [Word.PASS, *LADDER[lowest:]]
        return partners.legal_plays(state.contract, state.tricks)

    def apply(self, state: VintState, action: Action) -> Step:
        if state.result is not None:
            raise IllegalAction("deal.over", "The deal is over.")
        match action:
            case Play():
                return self._play(state, action)
            case Word() | Bid() | Declaration():
                return self._call(state, action)
            case _:
                raise IllegalAction("action.not_due", "There is no widow, partner or joker to choose in Vint.")

    def _call(self, state: VintState, call: Call) -> Step:
        if state.tricks is not None:
            raise IllegalAction("auction.over", "The auction is over.")
        _refuse_illegal(state.auction, call)
        seat = FOUR_SEATS.left(state.dealer, len(state.auction.calls))
        auction = called(state.auction, seat, call)
        state = replace(state, auction=auction)
        made = CallMade(seat, call)
        # With three passes the turn never comes back to the highest bidder: nobody raises his own bid (Foster).
        passes = PASSES[str(self.options["auction_end"])]
        if auction.bid is not None and auction.passes == passes:
            contract = _contract(auction)
            play = tricks.begin(state.hands, contract.leader, tuple(FOUR_SEATS))
            return replace(state, contract=contract, tricks=play), (made, AuctionEnded(contract))
        if auction.bid is None and auction.passes == max(4, passes):
            # Source silent on a deal that all have passed: we score nothing, coronets neither.
            return self._ended(state, (), (made, AuctionEnded(None)))
        return state, (made,)

    # --- play

    def _play(self, state: VintState, action: Play) -> Step:
        contract = state.contract
        play, events = partners.card_played(contract, state.tricks, action)
        # Spelt out, because `replace` costs more than all the rest of a play.
        state = VintState(state.dealer, state.standing, state.hands, state.auction, contract, play)
        # All tricks are played, even after a game is decided (Foster).
        return (state, events) if len(play.complete) < ALL_TRICKS else self._ended(state, self.score(state), events)

    # --- score

    def score(self, state: VintState) -> tuple[Line, ...]:
        """Return what the two sides score for a deal that has been played out, in points, the game included."""
        return self.lines(_played(state), state.standing)

    def lines(self, played: Played, before: RubberStanding) -> tuple[Line, ...]:
        """Return what the two sides score for what has been played, in points, the game included."""
        bid, side, hands = played.bid, played.side, played.hands
        won = [played.takers.count(each) for each in (0, 1)]
        return (
            *_tricks(bid, won),
            *_undertricks(bid, side, won),
            *self._slams(bid, side, won),
            *self._honours(hands, bid, won),
            *(coronets(hands, bid.denomination) if self.options["coronets"] else ()),
            *_game(_first_to_game(played, before)),
        )

    def _slams(self, bid: Bid, side: int, won: Sequence[int]) -> tuple[Line, ...]:
        """Score twelve or thirteen tricks of either side, and a slam that was bid (§5.4)."""
        lines = [
            Line(each, "above", SLAMS[taken], "slam", f"{SLAM_NAMES[taken]} {SLAMS[taken]}")
            for each, taken in enumerate(won)
            if taken in SLAMS
        ]
        if bid.level in SLAMS_BID:
            value, name = SLAMS_BID[bid.level], SLAM_NAMES[bid.level]
            if won[side] >= bid.level + 6:
                lines.append(Line(side, "above", value, "slam_bid", f"{name} bid and made {value}"))
            elif self.options["failed_slam"]:
                lines.append(Line(1 - side, "above", value, "failed_slam", f"{name} bid and lost {value}"))
        return tuple(lines)

    def _honours(self, hands: Sequence[Cards], bid: Bid, won: Sequence[int]) -> tuple[Line, ...]:
        """Score honours and aces as dealt, whoever bid and whether made or failed (§5.5)."""
        held = _by_side(aces(hands))
        trumps = bid.denomination.trumps
        if trumps is None:
            each = NO_TRUMP_ACE * bid.level
            return tuple(
                Line(side, "above", count * each, "honours", f"aces {count} × {each}")
                for side, count in enumerate(held)
                if count > 2
            )
        each = SUIT_HONOUR * bid.level
        return tuple(
            Line(side, "above", count * each, "honours", f"{words} × {each}")
            for side, count, words in self._counted(_by_side(trump_honours(hands, trumps)), held, won)
        )

    def _counted(
        self, honours: Sequence[int], aces: Sequence[int], won: Sequence[int]
    ) -> Sequence[tuple[int, int, str]]:
        """Return who scores how many honours under a trump suit, with the sum in words."""
        most = 0 if honours[0] > honours[1] else 1  # five cannot tie
        tied = aces[0] == aces[1]
        # Tied aces go to the side with most tricks (Foster).
        rich = 0 if (won[0] > won[1] if tied else aces[0] > aces[1]) else 1
        trumps, counted = honours[most], aces[rich]
        if self.options["split_majority"] == "separate":
            return ((most, trumps, f"trump honours {trumps}"), (rich, counted, f"aces {counted}"))
        if most == rich:
            return ((most, trumps + counted, f"honours ({trumps} of trumps and {counted} aces)"),)
        if tied and self.options["tied_aces_lost"] == "difference":
            fewer = honours[rich]
            return ((most, trumps - fewer, f"honours ({trumps} of trumps less {fewer})"),)
        if trumps > counted:
            return ((most, trumps - counted, f"honours ({trumps} of trumps less {counted} aces)"),)
        if counted > trumps:
            return ((rich, counted - trumps, f"honours ({counted} aces less {trumps} of trumps)"),)
        return ()

    # --- game and rubber

    def _ended(self, state: VintState, lines: tuple[Line, ...], events: tuple[Event, ...]) -> Step:
        won_game = None if state.contract is None else _first_to_game(_played(state), state.standing)
        passed_out = state.contract is None
        result = self._result(lines, state.standing, state.dealer, won_game, passed_out=passed_out)
        scored = DealScored(state.hands, widow=None, discard=None, result=result)
        return replace(state, result=result), (*events, scored)

    def _result(
        self,
        lines: tuple[Line, ...],
        before: RubberStanding,
        dealer: Seat,
        won_game: int | None,
        *,
        passed_out: bool,
    ) -> Result:
        stays = passed_out and self.options["all_pass"] == "same_dealer"
        return score_rubber(
            lines,
            before,
            dealer if stays else FOUR_SEATS.left(dealer),
            GAME_POINTS,
            0 if self.games_to_win == 1 else RUBBER_POINTS,
            won_game=won_game,
            games_to_win=self.games_to_win,
        )

    # --- a deal with real cards

    def score_facts(self, given: Given) -> Result:
        """Score a deal from what is told of it. Raises BadFact."""
        refuse_unknown(given, FACTS)
        before = read_standing(given, self.standing)
        dealer = read_seat("dealer", given.get("dealer", "N"), FOUR_SEATS)
        call, doubling = read_call("contract", needed(given, "contract"))
        if call is Word.PASS:
            refuse_given(given, {*given} - {"contract", "dealer", "part", "games", "above"}, "nobody has bid")
            return self._result((), before, dealer, None, passed_out=True)
        if not isinstance(call, Bid) or call not in RUNGS or doubling > 1:
            raise BadFact(f"--contract {given['contract']!r} is no bid of Vint: 1S to 7N, and nothing is doubled.")
        side = read_side("by", needed(given, "by"), FOUR_SEATS, PARTNERSHIPS)
        played = Played(call, side, _takers_told(given, call, before), self._hands_told(given, call.denomination))
        lines = self.lines(played, before)
        return self._result(lines, before, dealer, _first_to_game(played, before), passed_out=False)

    def _hands_told(self, given: Given, denomination: Denomination) -> tuple[Cards, ...]:
        """Read the cards that score, of each hand: honours, aces and, where they count, sequences."""
        trumps = denomination.trumps
        if trumps is None:
            refuse_given(given, ("honours",), "at no trump the aces alone count")
        if not self.options["coronets"]:
            refuse_given(given, ("coronets",), "coronets are not played")
        classes = {"aces": None} if trumps is None else {"honours": trumps, "aces": None}
        held = read_runs(given)
        for name, suit in classes.items():
            _add(held, read_honours(given, suit, name) if name in given else {})
        for name, suit in classes.items():
            if rest := missing(held, suit):
                raise BadFact(f"--{name} is not complete: nobody is said to hold {rest}.")
        hands = tuple(in_order(card for card, holder in held.items() if holder == seat) for seat in FOUR_SEATS)
        if max(map(len, hands)) > ALL_TRICKS:
            raise BadFact(f"A hand has {ALL_TRICKS} cards, and one is said to have more.")
        return hands

    # --- view

    def view(self, state: VintState, seat: Seat | None) -> View:
        return partners.view(state, seat)


LADDER = tuple(Bid(level, denomination) for level in range(1, 8) for denomination in DENOMINATIONS)
"""All bids, lowest first: by level, then by denomination."""

RUNGS = {bid: rung for rung, bid in enumerate(LADDER)}


def _refuse_illegal(auction: Auction, call: Call) -> None:
    """Raise IllegalAction if a call may not be made (§3); a pass always may, and there is no double."""
    if call is Word.PASS:
        return
    if not isinstance(call, Bid):
        raise IllegalAction("auction.no_such_call", f"There is no call {call} in Vint.")
    if call not in RUNGS:
        raise IllegalAction("auction.no_such_bid", f"There is no bid {call} in Vint.")
    if auction.bid is not None and RUNGS[call] <= RUNGS[auction.bid]:
        raise IllegalAction("auction.insufficient_bid", f"{call} does not outrank {auction.bid}.")


def _contract(auction: Auction) -> Contract:
    """Name the bidder, who made the last bid, whoever first named that suit; nobody is dummy."""
    assert auction.bid is not None and auction.bidder is not None, "passes that end the auction follow a bid"
    trumps = auction.bid.denomination.trumps
    bidder = auction.bidder
    return Contract(auction.bid, 1, bidder, None, (partner(bidder),), trumps, FOUR_SEATS.left(bidder))


def _bid(contract: Contract) -> Bid:
    assert isinstance(contract.call, Bid), contract
    return contract.call


def _bidder(contract: Contract) -> Seat:
    assert contract.declarer is not None, contract
    return contract.declarer


def _by_side(held: Sequence[int]) -> tuple[int, int]:
    """Add up what the hands of each side hold."""
    return (held[0] + held[2], held[1] + held[3])


def _tricks(bid: Bid, won: Sequence[int]) -> tuple[Line, ...]:
    """Score every trick of either side below the line, made or failed (§5.2)."""
    value = TRICK * bid.level
    return tuple(
        Line(side, "below", taken * value, "tricks", f"tricks {taken} × {value}")
        for side, taken in enumerate(won)
        if taken
    )


def _undertricks(bid: Bid, side: int, won: Sequence[int]) -> tuple[Line, ...]:
    """Score the tricks that the bidder's side is short for the adversaries; it loses nothing itself (§5.3)."""
    short, each = bid.level + 6 - won[side], UNDERTRICK * bid.level
    return (Line(1 - side, "above", short * each, "undertricks", f"undertricks {short} × {each}"),) if short > 0 else ()


_PLACES = {card: place for place, card in enumerate(PACK_52)}


def runs(hand: Cards) -> list[Cards]:
    """Return the longest unbroken sequences of three or more cards of one suit in a hand; the ace is high only."""
    found: list[list[Card]] = []
    for card in hand:
        last = found[-1][-1] if found else None
        if last is not None and card.suit is last.suit and _PLACES[card] == _PLACES[last] + 1:
            found[-1].append(card)
        else:
            found.append([card])
    return [tuple(run) for run in found if len(run) > 2]


def coronets(hands: Sequence[Cards], denomination: Denomination) -> tuple[Line, ...]:
    """Score every player's coronets for his side; nothing is compared or offset (§5.6)."""
    trumps = denomination.trumps
    lines = []
    for seat, hand in enumerate(hands):
        held = [(run, trumps is None or run[0].suit is trumps) for run in runs(hand)]
        of_aces = tuple(card for card in hand if card.rank is Rank.ACE)
        if len(of_aces) > 2:
            # Three aces under a trump suit are single, even with the ace of trumps among them (Foster's price).
            held.append((of_aces, trumps is None))
        for cards, doubled in held:
            value = CORONET * (len(cards) - 2) * (2 if doubled else 1)
            words = f"coronet of {FOUR_SEATS.name(seat)}, {' '.join(map(str, cards))}: {value}"
            lines.append(Line(side_of(seat), "above", value, "coronet", words))
    return tuple(lines)


def _played(state: VintState) -> Played:
    assert state.contract is not None and state.tricks is not None, "a deal that was not played has no score"
    bidder = _bidder(state.contract)
    return Played(_bid(state.contract), side_of(bidder), tuple(map(side_of, state.tricks.winners)), state.hands)


def _first_to_game(played: Played, before: RubberStanding) -> int | None:
    """Return the side that was first to stand at the game, trick by trick: a deal ends at most one game (§6.1)."""
    below = list(before.below)
    for side in played.takers:
        below[side] += TRICK * played.bid.level
        if below[side] >= GAME_POINTS:
            return side
    return None


def _takers_told(given: Given, bid: Bid, before: RubberStanding) -> tuple[int, ...]:
    """Read which side won each trick, in order; where that changes nothing, any order will do."""
    if "tricks-in-order" in given:
        return tuple(map(side_of, read_winners(given)))
    won = read_tricks(given)
    orders = [(first,) * won[first] + (1 - first,) * won[1 - first] for first in (0, 1)]
    firsts = {_first_to_game(Played(bid, 0, order, ()), before) for order in orders}
    if len(firsts) > 1:
        raise BadFact(
            f"Both sides come to {GAME_POINTS} in this deal, and the first to be there wins the game: "
            "tell who won each trick, by --tricks-in-order NNSEW..."
        )
    return orders[0]


def _add(held: dict[Card, Seat], told: Mapping[Card, Seat]) -> None:
    for card, seat in told.items():
        if held.setdefault(card, seat) != seat:
            raise BadFact(f"{card} is said to be with {FOUR_SEATS.name(held[card])} and with {FOUR_SEATS.name(seat)}.")


def _game(winner: int | None) -> tuple[Line, ...]:
    return () if winner is None else (Line(winner, "above", GAME_BONUS, "game", f"game {GAME_BONUS}"),)


def _make(players: int, options: Options) -> Vint:
    if options["match"] == "single_game" and options["session"] != "one_rubber":
        raise BadOption("options.contradictory", "match single_game goes with session one_rubber only.")
    if options["draw"] == "highest_deals" and options["first_dealer"] != "cut":
        raise BadOption("options.contradictory", "draw highest_deals goes with first_dealer cut only.")
    return Vint(options)


def _tables(game: Vint) -> Tables:
    levels = range(1, 8)
    values = {"each trick": TRICK, "each honour": SUIT_HONOUR, "each ace, no trump": NO_TRUMP_ACE}
    values["each trick short"] = UNDERTRICK
    return {
        "ladder": " ".join(map(str, LADDER)),
        "values": [
            ["", *(f"bid of {level}" if level == 1 else str(level) for level in levels)],
            *([name, *(str(value * level) for level in levels)] for name, value in values.items()),
        ],
        "coronet_values": [
            ["cards", "3", "4", "5", "6", "7"],
            *([name, *(str(CORONET * factor * more) for more in range(1, 6))] for name, factor in _CORONETS.items()),
        ],
        "trick": str(TRICK),
        "little": str(SLAMS[12]),
        "grand": str(SLAMS[13]),
        "little_bid": str(SLAMS_BID[6]),
        "grand_bid": str(SLAMS_BID[7]),
        "game": str(GAME_POINTS),
        "game_bonus": str(GAME_BONUS),
        "rubber": str(RUBBER_POINTS),
        "passes": str(PASSES[str(game.options["auction_end"])]),
    }


_CORONETS = {"of a plain suit": 1, "of trumps, or at no trump": 2}

VINT = Family(
    "vint",
    "Vint",
    (4,),
    lambda players, given: OPTIONS,
    _make,
    summary="An auction without dummy; either side scores every trick.",
    tables=_tables,
    facts=FACTS,
    score_facts=Vint.score_facts,
)
