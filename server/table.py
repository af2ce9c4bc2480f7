"""One table as pure state: folding the entries of its log, in order, is the only way to change it.

No clock, no I/O, no randomness: the same entries give the same table in any process. `server.decide` says what may be
appended; `server.tables` drives both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol import messages as m
from rules import registry
from rules.actions import Action, CallPartners, Discard, NameJoker, Play, parse_play
from rules.calls import parse_call
from rules.cards import Suit, parse_card
from rules.errors import BadOption
from rules.events import Event
from rules.game import AnyGame, State
from rules.options import Options, differing
from rules.scoresheet import Standing
from rules.seats import Seat
from rules.session import after_rubber, first_dealer, settle, totals
from rules.shuffle import shuffled
from server import entries as d
from server.entries import Entry, UnknownEntry
from server.store import START, Head

CHECKPOINT_EVERY = 200
"""At most about so many entries follow a checkpoint before there is another."""

DEPARTED_KEPT = 64
"""Of so many players who are no longer at the table are the commands remembered."""

ANSWERS_KEPT = 64
"""So many accepted commands of each player are remembered, to answer a repeated one as before."""

Happening = Event | m.ServerMessage
"""What a fold reports: an event of the deal, still with its hidden cards, or one of the table, for all to see."""


@dataclass(frozen=True, slots=True)
class SeatCode:
    """What is kept of a seat code: a hash, and the store's time until which it is good."""

    hash: str
    until: float


@dataclass(slots=True)
class Chair:
    """A seat: who owns it, whether a bot plays it, whether its player has agreed to go on.

    `code` is the last that was made for this player, or the one by which the seat came to him.
    """

    owner: str | None = None
    bot: bool = False
    agreed: bool = False
    code: SeatCode | None = None

    @property
    def free(self) -> bool:
        return self.owner is None and not self.bot


@dataclass(slots=True)
class Member:
    """Somebody at the table. `connection` is None while he is away, since the store's time `away_since`."""

    name: str
    process: str
    connection: str | None
    away_since: float | None = None
    answers: dict[int, int] = field(default_factory=dict)
    last_command: int = 0


@dataclass(slots=True)
class Deal:
    """A deal from its shuffle to its score. `begun` is the number of its first entry; `before` is the standing that it
    inherits; `held` says which seat a player has seen; the last of its `actions` was at the time `acted`."""

    number: int
    begun: int
    seed: bytes
    before: Standing
    state: State
    held: dict[str, Seat]
    acted: float
    actions: list[Action] = field(default_factory=list)

    @property
    def index(self) -> int:
        """How many actions there have been: what the next one names as its turn."""
        return len(self.actions)

    def departs_from(self, other: "Deal") -> bool:
        """Say whether both are the same deal, and this one does not go on where the other stands."""
        return self.seed == other.seed and self.actions[: other.index] != other.actions


class Table:
    """The state of a table as of entry `head`, at the store's time `time`."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.head = START
        self.time = 0.0
        self.opened: d.TableOpened
        self.game: AnyGame
        self.invitation: str | None = None
        self.chairs: list[Chair] = []
        self.members: dict[str, Member] = {}
        self.departed: dict[str, Member] = {}
        self.standing: Standing
        self.ledger: dict[str, int] = {}
        self.rubber = 0
        self.deals = 0
        self.pivot: Seat = 0  # dealt first in the session
        self.dealer: Seat | None = None  # of the next deal; None where a rubber begins with it
        self.deal: Deal | None = None
        self.ended = False
        self.checkpoint = 0  # the number of the last one
        self.checkpoint_deal = 0  # the last deal that was not in progress then
        self._step: tuple[State, Action, tuple[State, tuple[Event, ...]]] | None = None

    # --- questions

    @property
    def stage(self) -> str:
        """`gathering`, `playing`, `scored`, `over` or `ended`. A deal that was void counts as over without a score."""
        if self.ended:
            return "ended"
        if self.deal is None:
            return "scored" if self.rubber else "gathering"
        result = self.deal.state.result
        if result is None:
            return "playing"
        return "over" if result.over else "scored"

    @property
    def turn(self) -> tuple[int, int] | None:
        """Deal and index of the turn, as commands name it."""
        return None if self.deal is None else (self.deal.number, self.deal.index)

    @property
    def options(self) -> Options:
        """The options that differ from their defaults."""
        family = registry.family(self.game.name)
        return differing(family.options(len(self.game.seats), self.game.options), self.game.options)

    def seat_of(self, player: str) -> Seat | None:
        """Return the seat that a player owns."""
        return next((seat for seat, chair in enumerate(self.chairs) if chair.owner == player), None)

    def present(self, player: str | None) -> bool:
        """Say whether a player has a connection now."""
        return player in self.members and self.members[player].connection is not None

    def processes(self) -> set[str]:
        """Return the processes by which anybody is connected."""
        return {member.process for member in self.members.values() if member.connection is not None}

    @property
    def all_agreed(self) -> bool:
        """Whether the next deal is to begin: all seats are taken and all players have agreed."""
        return self.stage in ("gathering", "scored", "over") and all(
            chair.bot or (chair.owner is not None and chair.agreed) for chair in self.chairs
        )

    @property
    def checkpoint_due(self) -> bool:
        """Whether the state is to be kept: a deal is over, or much has happened since it was."""
        return self.closes_deal or (not self.ended and self.head.number - self.checkpoint >= CHECKPOINT_EVERY)

    @property
    def closes_deal(self) -> bool:
        """Whether the next checkpoint is the one of a deal that is over."""
        return self.deal_over and self.deals > self.checkpoint_deal

    @property
    def deal_over(self) -> bool:
        """Whether the last deal has been scored, or passed out."""
        return self.deal is not None and self.deal.state.result is not None

    def step(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        """Apply an action by the laws. Raises IllegalAction.

        What was found legal before an append is not worked out again when it is folded.
        """
        if self._step is not None and self._step[0] is state and self._step[1] == action:
            return self._step[2]
        done = self.game.apply(state, action)
        self._step = (state, action, done)
        return done

    # --- fold

    def fold(self, number: int, id: str, time: float, entry: Entry) -> Sequence[Happening]:
        """Change the state by the next entry of the log and return what has happened. Raises UnknownEntry."""
        if number != self.head.number + 1 or (number == 1) != isinstance(entry.deed, d.TableOpened):
            raise UnknownEntry(f"The table's log is not whole: entry {number} does not follow {self.head.number}.")
        self.time = time
        happened = self._fold(entry)
        self.head = Head(number, id)
        member = self.members.get(entry.by) or self.departed.get(entry.by)
        if entry.command and member is not None:
            member.answers[entry.command] = number
            member.last_command = max(member.last_command, entry.command)
            if len(member.answers) > ANSWERS_KEPT:
                del member.answers[next(iter(member.answers))]
        return happened

    def _fold(self, entry: Entry) -> Sequence[Happening]:
        match entry.deed:
            case d.Called() | d.Played() | d.Discarded() | d.PartnersCalled() | d.JokerNamed() as deed:
                return self._acted(action_of(deed))
            case d.DealBegun(seed=seed):
                return self._deal_begun(seed)
            case d.Voided():
                return self._voided()
            case d.Agreed(seat=seat):
                self.chairs[seat].agreed = True
                return (m.SeatReady(self.game.seats.name(seat)),)
            case d.Arrived() as deed:
                return self._arrived(deed)
            case d.Dropped() as deed:
                return self._dropped(deed)
            case d.Left(player=player):
                return (*self._stood_up(player), *self._left(player))
            case d.Renamed(player=player, name=name):
                self.members[player].name = name
                return (m.PlayerNamed(player, name),)
            case d.SatDown(player=player, seat=seat):
                return self._sat_down(player, seat)
            case d.StoodUp(player=player):
                return self._stood_up(player)
            case d.SeatCodeMade(seat=seat, hash=hash, until=until):
                self.chairs[seat].code = SeatCode(hash, until)
                return ()
            case d.SeatMoved(former=former, player=player):
                return self._seat_moved(former, player)
            case d.BotSeated(seat=seat):
                self.chairs[seat].bot = True
                return (m.BotSeated(self.game.seats.name(seat)),)
            case d.BotRemoved(seat=seat):
                self.chairs[seat] = Chair()
                return (m.SeatLeft(self.game.seats.name(seat)),)
            case d.Resumed():
                return self._resumed()
            case d.Checkpoint():
                self.checkpoint = self.head.number + 1
                self.checkpoint_deal = self.deals - (self.stage == "playing")
                return ()
            case d.Ended(reason=reason):
                self.ended = True
                return (m.TableEnded(reason),)
            case d.TableOpened() as deed:
                self.begin(deed)
                return (m.TableOpened(deed.game),)

    def begin(self, deed: d.TableOpened) -> None:
        """Take over what the table was made as. Raises UnknownEntry if this server does not know it."""
        if deed.rules != registry.VERSION:
            raise UnknownEntry(
                f"The table is played by version {deed.rules} of the rules; this server knows {registry.VERSION}."
            )
        try:
            self.game = registry.make_game(deed.game, deed.players, deed.options)
        except BadOption as error:
            raise UnknownEntry(f"The table plays what this server does not know: {error}") from None
        self.opened, self.invitation = deed, deed.invitation
        self.chairs = [Chair() for _ in self.game.seats]
        self.standing = self.game.fresh()

    # --- people

    def _arrived(self, deed: d.Arrived) -> Sequence[Happening]:
        member = self.members.get(deed.player)
        if member is None:
            joined = Member(deed.name, deed.process, deed.connection)
            former = self.departed.pop(deed.player, None)
            if former is not None:
                joined.answers, joined.last_command = former.answers, former.last_command
            self.members[deed.player] = joined
            return (m.PlayerJoined(deed.player, deed.name),)
        seat = self.seat_of(deed.player)
        gone: tuple[Happening, ...] = ()
        if member.connection not in (None, deed.connection):
            gone = (m.PlayerDropped(deed.player, "replaced", self.time, self._seat_name(seat)),)
        member.process, member.connection, member.away_since = deed.process, deed.connection, None
        if seat is not None:
            self.chairs[seat].bot = False
        there = m.PlayerConnected(deed.player, self._seat_name(seat))
        return (*gone, *self._renamed(deed.player, deed.name), there)

    def _resumed(self) -> Sequence[Happening]:
        for member in self.members.values():
            member.away_since = self.time
        return (m.TableResumed(self.time),)

    def _renamed(self, player: str, name: str) -> Sequence[Happening]:
        if self.members[player].name == name:
            return ()
        self.members[player].name = name
        return (m.PlayerNamed(player, name),)

    def _dropped(self, deed: d.Dropped) -> Sequence[Happening]:
        member = self.members[deed.player]
        seat = self.seat_of(deed.player)
        if seat is None:
            return self._left(deed.player)
        member.connection, member.away_since = None, self.time
        return (m.PlayerDropped(deed.player, deed.reason, self.time, self._seat_name(seat)),)

    def _left(self, player: str) -> Sequence[Happening]:
        self._departs(player)
        return (m.PlayerLeft(player),)

    def _departs(self, player: str) -> None:
        self.departed[player] = self.members.pop(player)
        if len(self.departed) > DEPARTED_KEPT:
            del self.departed[next(iter(self.departed))]

    def _sat_down(self, player: str, seat: Seat) -> Sequence[Happening]:
        left = self._stood_up(player)
        self.chairs[seat] = Chair(owner=player)
        if self.stage == "playing" and self.deal is not None:
            self.deal.held[player] = seat
        return (*left, m.SeatTaken(self.game.seats.name(seat), player, self.members[player].name))

    def _seat_moved(self, former: str, player: str) -> Sequence[Happening]:
        """Give a player's seat to another as it is, and what he has won with it."""
        left, seat = self._stood_up(player), self.seat_of(former)
        assert seat is not None, "a code is one of a seat's player"
        chair = self.chairs[seat]
        # The code is of no more use, but whoever has come by it may say it again.
        code = None if chair.code is None else SeatCode(chair.code.hash, 0.0)
        self.chairs[seat] = Chair(player, agreed=chair.agreed, code=code)
        if self.stage == "playing" and self.deal is not None:
            self.deal.held[player] = seat
        if former in self.ledger:
            self.ledger[player] = self.ledger.get(player, 0) + self.ledger.pop(former)
        self._departs(former)
        name = self.game.seats.name(seat)
        ready = (m.SeatReady(name),) if chair.agreed else ()
        return (*left, m.SeatTaken(name, player, self.members[player].name, former), *ready)

    def _stood_up(self, player: str) -> Sequence[Happening]:
        seat = self.seat_of(player)
        if seat is None:
            return ()
        self.chairs[seat] = Chair()
        return (m.SeatLeft(self.game.seats.name(seat)),)

    def _seat_name(self, seat: Seat | None) -> str | None:
        return None if seat is None else self.game.seats.name(seat)

    # --- deals

    def _deal_begun(self, seed: bytes) -> Sequence[Happening]:
        happened: list[Happening] = []
        dealer = self.dealer
        if dealer is None:
            dealer = self._rubber_begun(seed)
            happened.append(m.RubberBegun(self.rubber, self.seat_parts()))
        self.deals += 1
        state, events = self.game.deal(dealer, shuffled(self.game.deck, seed), self.standing)
        held = {chair.owner: seat for seat, chair in enumerate(self.chairs) if chair.owner is not None}
        self.deal = Deal(self.deals, self.head.number + 1, seed, self.standing, state, held, self.time)
        self.dealer = dealer
        for chair in self.chairs:
            chair.agreed = False
        return (*happened, *events)

    def _rubber_begun(self, seed: bytes) -> Seat:
        """Clear the sheet, move the players as the session or the draw says, and return who deals."""
        following = None
        if self.deal is not None and self.deal.state.result is not None:
            following = after_rubber(self.game, self.rubber, self.pivot, self.deal.state.result.next_dealer)
        moved, dealer = following or first_dealer(self.game, seed)
        if following is None:
            self.pivot = dealer
        self.rubber += 1
        self.standing = self.game.fresh()
        chairs = dict(zip(moved, self.chairs, strict=True))
        self.chairs = [chairs[seat] for seat in self.game.seats]
        return dealer

    def _voided(self) -> Sequence[Happening]:
        """Take the deal in progress back; it is dealt anew by the same dealer without asking anybody."""
        assert self.deal is not None, "a deal is void while it is played"
        self.deal = None
        for chair in self.chairs:
            chair.agreed = True
        return (m.DealVoided(self.deals),)

    def _acted(self, action: Action) -> Sequence[Happening]:
        deal = self.deal
        assert deal is not None, "an action belongs to a deal"
        deal.state, events = self.step(deal.state, action)
        self._step = None
        deal.actions.append(action)
        deal.acted = self.time
        result = deal.state.result
        if result is None:
            return events
        self.standing = result.standing
        self.dealer = None if result.over else result.next_dealer
        if not result.over:
            return events
        self.ledger = settle(self.ledger, self.game, result.standing, [chair.owner for chair in self.chairs])
        sides = [side.name for side in self.game.sides]
        points = dict(zip(sides, totals(self.game, result.standing), strict=True))
        winner = None if result.winner is None else sides[result.winner]
        return (*events, m.RubberScored(self.rubber, winner, points, dict(self.ledger)))

    # --- parts of messages that are the same for all

    def seat_parts(self) -> list[m.SeatPart]:
        """Return who sits where."""
        return [self._seat_part(seat, chair) for seat, chair in enumerate(self.chairs)]

    def _seat_part(self, seat: Seat, chair: Chair) -> m.SeatPart:
        owner = self.members.get(chair.owner) if chair.owner is not None else None
        return m.SeatPart(
            seat=self.game.seats.name(seat),
            player=chair.owner,
            name=owner.name if owner is not None else "",
            bot=chair.bot,
            connected=owner is not None and owner.connection is not None,
            away_since=owner.away_since if owner is not None else None,
            ready=chair.agreed,
        )


def action_of(deed: d.Act) -> Action:
    """Return what a deed did in the words of the rules."""
    match deed:
        case d.Called(call=call):
            return parse_call(call)
        case d.Played(card=card):
            return parse_play(card)
        case d.Discarded(cards=cards):
            return Discard(tuple(parse_card(card) for card in cards))
        case d.PartnersCalled(seats=seats):
            return CallPartners(tuple(seats))
        case d.JokerNamed(suit=suit):
            return NameJoker(None if suit is None else Suit(suit))


def deed_of(action: Action) -> d.Act:
    """Return the deed by which the log keeps an action."""
    match action:
        case Play():
            return d.Played(str(action))
        case Discard(cards=cards):
            return d.Discarded([str(card) for card in cards])
        case CallPartners(seats=seats):
            return d.PartnersCalled(list(seats))
        case NameJoker(suit=suit):
            return d.JokerNamed(suit)
        case _:
            return d.Called(str(action))
