"""Five Hundred for two to six, in the order of its laws.

Sources: *Hoyle's Games Modernized*, chapter Five Hundred, which speaks of three players and is the default for two and
three; modern Australian rules for four and six; what is otherwise in use as options. Where these are silent or at odds,
docs/rules/five_hundred.md says what is played here, and "section n" is one of that page.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from rules import five_hundred_play as plays
from rules import tricks
from rules.actions import Action, CallPartners, Choose, Discard, NameJoker, Play
from rules.auction import NO_CALLS, Auction, called
from rules.calls import Bid, Call, Declaration, Word
from rules.cards import JOKER, Card, Cards, Suit, in_order
from rules.errors import IllegalAction
from rules.events import (
    AuctionEnded,
    CallMade,
    CardPlayed,
    CardsDealt,
    CardsDiscarded,
    Contract,
    DealScored,
    Event,
    HandExposed,
    JokerNamed,
    PartnersCalled,
    TrickWon,
    WidowTaken,
)
from rules.facts import BadFact, Given, read_column, refuse_unknown
from rules.five_hundred_cards import BIDDING_ORDER, ORDERS, PACKS, FiveHundredOrder, rank_in_cut
from rules.five_hundred_options import DEALS, hands_dealt, options_for, refuse_contradictory
from rules.five_hundred_score import ACCOUNT, MISERES, STRAINS, TRICKS, Reckoning, ScoreStanding
from rules.five_hundred_words import FACTS, read_reckoning, tables
from rules.game import Family, Place
from rules.options import Options
from rules.scoresheet import Result, Standing
from rules.seats import FOUR_SEATS, PARTNERSHIPS, Seat, Seats, Side
from rules.tricks import Trick, Tricks
from rules.view import View


@dataclass(frozen=True, slots=True)
class FiveHundredState:
    """A deal of Five Hundred; `hands` and `widow` are as dealt.

    The dead hand of two players is nowhere in it, nor is the discard, once it is made. `tricks` is there from the
    discard on; `joker_suit` is the suit that the bidder has named for his joker before the play.
    """

    dealer: Seat
    standing: ScoreStanding
    hands: tuple[Cards, ...]
    widow: Cards
    phase: str
    to_act: Seat | None
    auction: Auction = NO_CALLS
    contract: Contract | None = None
    joker_suit: Suit | None = None
    tricks: Tricks | None = None
    result: Result | None = None

    @property
    def hand_to_play(self) -> Seat | None:
        return self.to_act if self.phase == "play" else None

    @property
    def order(self) -> FiveHundredOrder:
        """How the cards rank in this deal."""
        return ORDERS[None if self.contract is None else self.contract.trumps, self.joker_suit]

    @property
    def misere(self) -> bool:
        return self.contract is not None and self.contract.call in MISERES


Step = tuple[FiveHundredState, tuple[Event, ...]]


@dataclass(frozen=True)
class FiveHundred:
    """Five Hundred with its number of players and its options."""

    players: int
    options: Options

    name = "five_hundred"
    accounts = (ACCOUNT,)

    @cached_property
    def seats(self) -> Seats:
        return FOUR_SEATS if self.players == 4 else Seats(tuple(map(str, range(1, self.players + 1))))

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """Partnerships with four and six; with five too each has a score of his own (section 1)."""
        if self.players == 4:
            return PARTNERSHIPS
        if self.players == 6:
            return Side("135", (0, 2, 4)), Side("246", (1, 3, 5))
        return tuple(Side(self.seats.name(seat), (seat,)) for seat in self.seats)

    def side_of(self, seat: Seat) -> int:
        """Return the index in `sides` of a seat's side."""
        return seat % len(self.sides)

    # --- deal

    @cached_property
    def deck(self) -> Cards:
        return PACKS[int(self.options["pack"])]

    def places(self, dealer: Seat) -> Sequence[Place]:
        return self._places[dealer]

    @cached_property
    def _places(self) -> tuple[tuple[Place, ...], ...]:
        return tuple(map(self._places_from, self.seats))

    def _places_from(self, dealer: Seat) -> tuple[Place, ...]:
        """Deal by the option `deal`, from the dealer's left; with two players the hand there is dead (section 2)."""
        dead: list[Place] = ["dead"] if hands_dealt(self.players, len(self.deck)) > self.players else []
        hands = [*dead, *(self.seats.left(dealer, 1 + step) for step in range(self.players))]
        widow: list[Place] = ["widow"]
        places: list[Place] = []
        for part in DEALS[str(self.options["deal"])].split():
            if part.startswith("w"):
                places += widow * int(part[1:])
            else:
                places += [hand for hand in hands for _ in range(int(part))]
        return (*places, *widow * (len(self.deck) - len(places)))

    def fresh(self) -> ScoreStanding:
        return ScoreStanding((0,) * len(self.sides))

    def standing(self, columns: Mapping[str, tuple[int, ...]]) -> ScoreStanding:
        standing = ScoreStanding(**columns)
        target, back_door = int(self.options["target"]), self.options["back_door"]
        if not self.options["win_requires_contract"] and max(standing.scores) >= target:
            raise ValueError(f"a side that has come to {target} has ended the game")
        if isinstance(back_door, int) and min(standing.scores) <= back_door:
            raise ValueError(f"a side that has sunk to {back_door} has ended the game")
        return standing

    def deal(self, dealer: Seat, cards: Sequence[Card], standing: Standing) -> Step:
        assert isinstance(standing, ScoreStanding), standing
        piles: dict[Place, list[Card]] = {}
        for card, place in zip(cards, self.places(dealer), strict=True):
            piles.setdefault(place, []).append(card)
        hands = tuple(in_order(piles[seat]) for seat in self.seats)
        widow = in_order(piles["widow"])
        dealt = CardsDealt(dealer, hands, tuple(map(len, hands)), widow, len(widow))
        eldest = self.seats.left(dealer)
        return FiveHundredState(dealer, standing, hands, widow, "auction", eldest), (dealt,)

    # --- auction

    @cached_property
    def ladder(self) -> tuple[Call, ...]:
        """All bids and misères of this table, lowest first (section 4)."""
        rungs: list[Call] = [Bid(level, strain) for level in range(6, 11) for strain in STRAINS]
        if self.options["misere"] == "on":
            eight_spades = rungs.index(Bid(8, STRAINS[0]))
            rungs.insert(eight_spades + (self.options["misere_rank"] == "between_8S_8C"), Word.MISERE)
        if self.options["open_misere"] == "on":
            top = self.options["open_misere_rank"] == "top"
            rungs.insert(len(rungs) if top else rungs.index(Bid(10, STRAINS[3])), Word.OPEN_MISERE)
        return tuple(rungs)

    @cached_property
    def rungs(self) -> Mapping[Call, int]:
        """The place of every bid and misère in the ladder."""
        return {call: rung for rung, call in enumerate(self.ladder)}

    @cached_property
    def conditional(self) -> tuple[Call, ...]:
        """The calls of this table that are not legal at every time, even if they are high enough."""
        sixes = self.ladder[: len(STRAINS)] if self.options["inkle"] == "on" else ()
        return (*sixes, Word.MISERE) if Word.MISERE in self.rungs else sixes

    def legal_actions(self, state: FiveHundredState) -> Sequence[Action | Choose]:
        match state.phase:
            case "play":
                assert state.tricks is not None and state.contract is not None, "play has begun"
                return plays.legal_plays(state.tricks, state.order, self.options, state.contract.call)
            case "auction":
                return self._legal_calls(state.auction)
            case "partners":
                return list(self._partners(state))
            case "exchange":
                return [Choose(len(state.widow), _hands(state)[_bidder(state)])]
            case "joker":
                return [NameJoker(suit) for suit in _joker_suits(state)]
            case _:
                return ()

    def apply(self, state: FiveHundredState, action: Action) -> Step:
        if state.result is not None:
            raise IllegalAction("deal.over", "The deal is over.")
        match action:
            case Play():
                return self._play(state, action)
            case Word() | Bid() | Declaration():
                return self._call(state, action)
            case CallPartners():
                return self._call_partners(state, action)
            case Discard():
                return self._discard(state, action)
            case NameJoker():
                return self._name_joker(state, action)

    def _legal_calls(self, auction: Auction) -> list[Action | Choose]:
        bids = _bids(auction)
        higher = self.ladder[self.rungs[bids[-1][1]] + 1 if bids else 0 :]
        barred = [call for call in self.conditional if self._barred(auction, call)]
        return [Word.PASS, *(call for call in higher if call not in barred)] if barred else [Word.PASS, *higher]

    def _refuse_call(self, auction: Auction, call: Call) -> None:
        """Raise IllegalAction if the seat to call may not make a call."""
        if call is Word.PASS:
            return
        if call not in self.rungs:
            if isinstance(call, Bid):
                raise IllegalAction("auction.no_such_bid", f"There is no bid {call} at this table.")
            raise IllegalAction("auction.no_such_call", f"There is no call {call} at this table.")
        bids = _bids(auction)
        if bids and self.rungs[call] <= self.rungs[bids[-1][1]]:
            raise IllegalAction("auction.insufficient_bid", f"{call} does not outrank {bids[-1][1]}.")
        barred = self._barred(auction, call)
        if barred is not None:
            raise barred

    def _barred(self, auction: Auction, call: Call) -> IllegalAction | None:
        """Say why a bid or misère that is high enough may not be made now."""
        if call is Word.MISERE and self.options["misere_needs_seven"]:
            if not any(isinstance(bid, Bid) and bid.level == 7 for _, bid in auction.calls):
                return IllegalAction("auction.misere_needs_seven", "Misère may be bid once somebody has bid seven.")
        elif isinstance(call, Bid) and call.level == 6 and self.options["inkle"] == "on" and len(auction.calls) >= 2:
            return IllegalAction("auction.six_too_late", "Only the first two callers may bid six.")
        return None

    def _next_caller(self, auction: Auction) -> Seat | None:
        """Return who calls next, None when the auction is over; somebody has called (section 4, "Procedure")."""
        bids = _bids(auction)
        last = auction.calls[-1][0]
        if bids and bids[-1][1] == self.ladder[-1]:
            return None  # nobody could call higher
        if self.options["auction"] == "single_round":
            return self.seats.left(last) if len(auction.calls) < self.players else None
        passed = {seat for seat, call in auction.calls if call is Word.PASS}
        if bids and len(passed - {bids[-1][0]}) == self.players - 1:
            bidder = bids[-1][0]
            # His one further call is over if he has passed, or bid over himself, which nobody does in his turn.
            over = bidder in passed or (len(bids) > 1 and bids[-2][0] == bidder)
            return bidder if self.options["lone_bidder_may_raise"] and not over else None
        turns = (self.seats.left(last, step) for step in range(1, self.players + 1))
        return next((seat for seat in turns if seat not in passed), None)

    def _call(self, state: FiveHundredState, call: Call) -> Step:
        seat = state.to_act
        if state.phase != "auction" or seat is None:
            raise IllegalAction("auction.over", "The auction is over.")
        self._refuse_call(state.auction, call)
        auction = called(state.auction, seat, call)
        state = replace(state, auction=auction, to_act=self._next_caller(auction))
        made = CallMade(seat, call)
        return (state, (made,)) if state.to_act is not None else self._after_auction(state, made)

    def _after_auction(self, state: FiveHundredState, made: CallMade) -> Step:
        bids = _bids(state.auction)
        if self.options["inkle"] == "on" and not any(_is_more_than_six(call) for _, call in bids):
            return self._thrown_in(state, made, state.dealer)
        if not bids and self.options["all_pass"] == "redeal":
            return self._thrown_in(state, made, self.seats.left(state.dealer))
        if not bids:
            return self._played_without_a_bidder(state, made)
        bidder, call = bids[-1]
        partners = tuple(seat for seat in self.sides[self.side_of(bidder)].seats if seat != bidder)
        trumps = call.denomination.trumps if isinstance(call, Bid) else None
        contract = Contract(call, 1, bidder, None, partners, trumps, leader=bidder)
        state = replace(state, to_act=bidder, contract=contract)
        if self.players == 5:
            return replace(state, phase="partners"), (made, AuctionEnded(contract))
        return _with_widow(state, made, AuctionEnded(contract))

    def _played_without_a_bidder(self, state: FiveHundredState, made: CallMade) -> Step:
        """Begin the play without trumps and without the widow, after all have passed (section 4, "All pass")."""
        eldest = self.seats.left(state.dealer)
        contract = Contract(None, 1, None, None, (), trumps=None, leader=eldest)
        play = tricks.begin(state.hands, eldest, tuple(self.seats))
        state = replace(state, phase="play", to_act=eldest, contract=contract, tricks=play)
        return state, (made, AuctionEnded(contract))

    def _thrown_in(self, state: FiveHundredState, made: CallMade, next_dealer: Seat) -> Step:
        """End a deal that is not played: no score, and the cards are not shown."""
        result = Result((), state.standing, next_dealer, over=False, winner=None)
        state = replace(state, phase="over", result=result)
        return state, (made, AuctionEnded(None), DealScored((None,) * self.players, None, None, result))

    # --- partners, widow and joker

    def _partners(self, state: FiveHundredState) -> Iterator[CallPartners]:
        """Nobody, one other player, or two by a bid of eight or more (section 7)."""
        bidder = _bidder(state)
        others = [self.seats.left(bidder, step) for step in range(1, self.players)]
        call = state.contract.call if state.contract is not None else None
        most = 2 if isinstance(call, Bid) and call.level >= 8 else 1
        for number in range(most + 1):
            yield from map(CallPartners, combinations(others, number))

    def _call_partners(self, state: FiveHundredState, action: CallPartners) -> Step:
        if state.phase != "partners" or state.contract is None:
            raise IllegalAction("action.not_due", "No partners are to be called now.")
        choices = {frozenset(choice.seats): choice for choice in self._partners(state)}
        choice = choices.get(frozenset(action.seats))
        if choice is None or len(action.seats) != len(choice.seats):
            raise IllegalAction("partners.not_allowed", "Call one other player, two by eight or more, or nobody.")
        state = replace(state, contract=replace(state.contract, partners=choice.seats))
        return _with_widow(state, PartnersCalled(_bidder(state), choice.seats))

    def _discard(self, state: FiveHundredState, action: Discard) -> Step:
        if state.phase != "exchange":
            raise IllegalAction("action.not_due", "No cards are to be laid away now.")
        bidder, hands, cards = _bidder(state), list(_hands(state)), action.cards
        if len(cards) != len(state.widow):
            message = f"{len(state.widow)} cards are to be laid away, and not {len(cards)}."
            raise IllegalAction("discard.wrong_count", message)
        if len(set(cards)) != len(cards) or not set(cards).issubset(hands[bidder]):
            raise IllegalAction("discard.not_held", "Only cards of one's own hand are laid away, each once.")
        hands[bidder] = tuple(card for card in hands[bidder] if card not in cards)
        sits_out = state.contract.partners if state.misere and state.contract is not None else ()
        live = tuple(seat for seat in self.seats if seat not in sits_out)
        state = replace(state, tricks=tricks.begin(tuple(hands), bidder, live))
        discarded = CardsDiscarded(bidder, cards, len(cards))
        without_trumps = state.contract is not None and state.contract.trumps is None
        if self.options["joker_prenomination"] == "on" and without_trumps and JOKER in self.deck:
            # Asked whether he holds it or not: to ask only who does would tell the others where the joker is.
            return replace(state, phase="joker"), (discarded,)
        return self._play_begun(state, discarded)

    def _name_joker(self, state: FiveHundredState, action: NameJoker) -> Step:
        if state.phase != "joker":
            raise IllegalAction("action.not_due", "No suit of the joker is to be named now.")
        if action.suit not in _joker_suits(state):
            raise IllegalAction("joker.not_held", "Only who holds the joker names a suit for it.")
        state = replace(state, joker_suit=action.suit)
        return self._play_begun(state, JokerNamed(_bidder(state), action.suit))

    def _play_begun(self, state: FiveHundredState, event: Event) -> Step:
        state = replace(state, phase="play")
        exposed = [HandExposed(seat, _hands(state)[seat]) for seat in self._exposed(state)]
        return state, (event, *exposed)

    def _exposed(self, state: FiveHundredState) -> tuple[Seat, ...]:
        """Return whose hand lies open: the bidder's in an open misère, from the end of the first trick or before it."""
        play, contract = state.tricks, state.contract
        if play is None or contract is None or contract.call is not Word.OPEN_MISERE or state.phase == "joker":
            return ()
        from_the_first = self.options["open_misere_expose"] == "before_first_lead"
        return (contract.leader,) if from_the_first or play.complete else ()

    # --- play

    def _play(self, state: FiveHundredState, action: Play) -> Step:
        before, contract, card = state.tricks, state.contract, action.card
        if state.phase != "play" or before is None or contract is None:
            raise IllegalAction("play.not_yet", "No card may be played yet.")
        order, seat = state.order, before.next_hand
        plays.refuse(before, action, order, self.options, contract.call)
        if len(before.trick.plays) + 1 == len(before.live):
            order = plays.order_for_winner(before, card, order, self.options)
        play = tricks.played(before, card, order, action.suit)
        # Spelt out, because `replace` costs more than all the rest of a play.
        state = FiveHundredState(
            state.dealer,
            state.standing,
            state.hands,
            state.widow,
            "play",
            play.next_hand,
            state.auction,
            contract,
            state.joker_suit,
            play,
        )
        led = None if before.trick.plays or play.trick.led in (card.suit, action.suit) else play.trick.led
        made = CardPlayed(seat, seat, card, action.suit, led)
        return (state, (made,)) if play.trick.plays else self._trick_won(state, play, made)

    def _trick_won(self, state: FiveHundredState, play: Tricks, made: CardPlayed) -> Step:
        taker, number = play.winners[-1], len(play.complete)
        events: list[Event] = [made, TrickWon(taker, number)]
        if number == 1 and self.options["open_misere_expose"] == "after_first_trick":
            events += [HandExposed(seat, play.hands[seat]) for seat in self._exposed(state)]
        assert state.contract is not None, "a contract is played"
        lost = state.misere and taker == state.contract.declarer and self.options["misere_stop_on_loss"]
        return self._ended(state, play, events) if number == TRICKS or lost else (state, tuple(events))

    # --- score

    def _ended(self, state: FiveHundredState, play: Tricks, events: Sequence[Event]) -> Step:
        result = self._result(self.reckoning(state, play.winners), state.dealer)
        state = replace(state, phase="over", to_act=None, result=result)
        return state, (*events, DealScored(_shown(state), None, None, result))

    def _result(self, reckoning: Reckoning, dealer: Seat) -> Result:
        winner, standing = reckoning.winner, ScoreStanding(reckoning.after)
        return Result(reckoning.lines, standing, self.seats.left(dealer), winner is not None, winner)

    def score_facts(self, given: Given) -> Result:
        """Score a deal from what is told of it. Raises BadFact."""
        refuse_unknown(given, FACTS)
        scores = read_column(given, "before", self.sides)
        try:
            self.standing({ACCOUNT: scores})
        except ValueError as error:
            raise BadFact(f"No deal begins like this: {error}.") from None
        reckoning = read_reckoning(given, self.options, self.seats, self.sides, self.ladder, scores)
        return self._result(reckoning, dealer=0)

    def reckoning(self, state: FiveHundredState, winners: Sequence[Seat]) -> Reckoning:
        """Return what the score of a deal depends on, when these seats have won its tricks."""
        contract = state.contract
        assert contract is not None, "a deal that is not played has no score"
        bidding = () if contract.declarer is None else (contract.declarer, *contract.partners)
        sides = tuple(dict.fromkeys(map(self.side_of, bidding)))
        takers = tuple(map(self.side_of, winners))
        return Reckoning(self.options, contract.call, sides, takers, state.standing.scores)

    # --- view

    def view(self, state: FiveHundredState, seat: Seat | None) -> View:
        play, contract, exposed = state.tricks, state.contract, self._exposed(state)
        held = _hands(state)
        between_tricks = play is not None and bool(play.complete) and not play.trick.plays
        return View(
            seat=seat,
            dealer=state.dealer,
            phase=state.phase,
            to_act=state.to_act,
            hand_to_play=state.hand_to_play,
            hands=tuple(hand if place == seat or place in exposed else None for place, hand in enumerate(held)),
            counts=tuple(map(len, held)),
            calls=state.auction.calls,
            contract=contract,
            trick=play.trick if play is not None else None if contract is None else Trick(contract.leader),
            last_trick=play.complete[-1] if play is not None and between_tricks else None,
            tricks_won=tuple(play.winners.count(place) if play is not None else 0 for place in self.seats),
            exposed=exposed,
            # Section 2: the bidder alone sees the widow, and afterwards not even he what he has laid away.
            widow=state.widow if state.phase == "exchange" and seat == state.to_act else None,
            widow_count=0 if _widow_is_taken(state) else len(state.widow),
            dealt=_shown(state) if state.result is not None else None,
            result=state.result,
        )


def _bids(auction: Auction) -> list[tuple[Seat, Call]]:
    """Return the bids and misères so far, each higher than the one before."""
    return [made for made in auction.calls if made[1] is not Word.PASS]


def _is_more_than_six(call: Call) -> bool:
    return not isinstance(call, Bid) or call.level > 6


def _bidder(state: FiveHundredState) -> Seat:
    assert state.contract is not None and state.contract.declarer is not None, "somebody has bid"
    return state.contract.declarer


def _hands(state: FiveHundredState) -> tuple[Cards, ...]:
    """Return the cards that each seat holds now."""
    if state.tricks is not None:
        return state.tricks.hands
    if state.phase != "exchange":
        return state.hands
    bidder = _bidder(state)
    return tuple(in_order((*hand, *state.widow)) if seat == bidder else hand for seat, hand in enumerate(state.hands))


def _joker_suits(state: FiveHundredState) -> tuple[Suit | None, ...]:
    """Return what the bidder may say of his joker: a suit, or that he names none; without it only that."""
    return (None, *BIDDING_ORDER) if JOKER in _hands(state)[_bidder(state)] else (None,)


def _with_widow(state: FiveHundredState, *events: Event) -> Step:
    """Let the bidder take up the widow."""
    taken = WidowTaken(_bidder(state), state.widow, len(state.widow))
    return replace(state, phase="exchange"), (*events, taken)


def _widow_is_taken(state: FiveHundredState) -> bool:
    in_hand = state.phase == "exchange" or state.tricks is not None
    return in_hand and state.contract is not None and state.contract.declarer is not None


def _shown(state: FiveHundredState) -> tuple[Cards | None, ...]:
    """Return the hands as dealt that may be seen after the deal: not those that would tell the widow or the discard.

    Section 2: of the widow only the bidder knows, of the discard nobody. So the bidder's hand stays hidden, a hand that
    sat out a misère, and all that are thrown in.
    """
    if state.tricks is None or state.contract is None:
        return (None,) * len(state.hands)
    hidden = {state.contract.declarer} | ({*state.contract.partners} if state.misere else set())
    return tuple(None if seat in hidden else hand for seat, hand in enumerate(state.hands))


def _make(players: int, options: Options) -> FiveHundred:
    refuse_contradictory(players, options)
    return FiveHundred(players, options)


FIVE_HUNDRED = Family(
    "five_hundred",
    "Five Hundred",
    (4, 3, 2, 5, 6),
    options_for,
    _make,
    rank_in_cut,
    summary="Ten tricks with bowers, joker and widow, to 500 points.",
    tables=lambda game: tables(game.options, game.seats, game.sides, game.ladder, game.deck),
    facts=FACTS,
    score_facts=FiveHundred.score_facts,
)
