"""Helpers for tests of the pure table: a fake clock, players by script, and a search for cards that a frame names.

Whatever is decided here is checked to change nothing, and whatever is folded is kept, to be folded again.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from random import Random

import msgpack

from bots import simple
from protocol import messages as m
from protocol.translate import command_for
from rules import registry
from rules.actions import Action, Choose, Discard
from rules.calls import Word
from rules.cards import ALL_CARDS, Card, parse_hand
from rules.seats import Seat
from server import entries as d
from server.decide import (
    Arriving,
    Asked,
    Decision,
    Input,
    Losing,
    Refusal,
    Repeated,
    Shuffled,
    decide,
    invitation_hash,
    seat_code_hash,
)
from server.entries import entry
from server.store import StoredEntry
from server.table import Table

PLAYERS = ("ann", "bob", "cid", "dan")
SEATS = ("N", "E", "S", "W")


# --- the state of a table, in full


def digest(table: Table) -> str:
    """Return a digest of all that a table is, in the order in which it is kept.

    What the table has worked out in advance is no part of that.
    """
    parts = {name: value for name, value in vars(table).items() if name not in ("_step", "game")}
    game = table.game.name, dict(table.game.options)
    return sha256(repr((parts, game)).encode()).hexdigest()


def refold(table: str, log: Sequence[StoredEntry]) -> Table:
    """Fold a log anew, as another process would."""
    fresh = Table(table)
    for one in log:
        fresh.fold(one.number, one.id, one.time, d.decode(one.data))
    return fresh


def hands_held(table: Table) -> list[tuple[Card, ...]]:
    """Return the cards that each seat holds now."""
    assert table.deal is not None
    hands = [table.game.view(table.deal.state, seat).hands[seat] for seat in table.game.seats]
    return [hand if hand is not None else () for hand in hands]


def hidden_from(table: Table, seat: Seat | None) -> set[str]:
    """Return the cards, as texts, that a seat may not know now: what others hold or have laid away.

    Dummy's hand is open after the first lead, and that of an open misere when the laws say so.
    """
    if table.deal is None or table.stage != "playing":
        return set()
    state, game = table.deal.state, table.game
    view = game.view(state, None)
    led = view.last_trick is not None or (view.trick is not None and bool(view.trick.plays))
    visible = {seat}
    if view.contract is not None and led:
        visible.add(view.contract.dummy)
    if view.contract is not None and view.contract.call is Word.OPEN_MISERE:
        visible |= set(view.exposed)
    laid_away = [game.view(state, place).discard or () for place in game.seats]
    hands = [(*hand, *laid_away[place]) for place, hand in enumerate(hands_held(table)) if place not in visible]
    return {str(card) for hand in hands for card in hand}


_CARD_TEXTS = {str(card) for card in ALL_CARDS}


def cards_in(frame: bytes) -> set[str]:
    """Return every card that a frame names, in whatever part of it."""
    found: set[str] = set()

    def search(value: object) -> None:
        if isinstance(value, dict):
            search(list(value.items()))
        elif isinstance(value, list | tuple):
            for item in value:
                search(item)
        elif isinstance(value, str) and value in _CARD_TEXTS:
            found.add(value)
        elif isinstance(value, str) and value.count(".") == 3:
            with suppress(ValueError):
                found.update(str(card) for card in parse_hand(value))

    search(msgpack.unpackb(frame))
    return found


# --- players by script


def choose(table: Table, rng: Random) -> Action:
    """Return any legal action of the seat to act."""
    assert table.deal is not None
    action = rng.choice(list(table.game.legal_actions(table.deal.state)))
    return Discard(tuple(rng.sample(action.cards, action.count))) if isinstance(action, Choose) else action


def turn_command(table: Table, id: int, rng: Random) -> m.Command:
    """Return a command that answers the turn in a legal way."""
    assert table.deal is not None
    return command_for(choose(table, rng), id, table.deal.number, table.deal.index, table.game.seats)


def to_act(table: Table) -> str | None:
    """Return the player whose turn it is; None for a bot or a free seat."""
    assert table.deal is not None and table.deal.state.to_act is not None
    chair = table.chairs[table.deal.state.to_act]
    return None if chair.bot else chair.owner


class Rig:
    """A pure table, its log and a clock. `ids` counts the commands of each player."""

    def __init__(
        self,
        options: Mapping[str, str | int | bool] | None = None,
        invitation: str | None = None,
        game: str = "auction_bridge",
        players: int = 4,
    ) -> None:
        self.table = Table("t")
        self.log: list[StoredEntry] = []
        self.now = 1000.0
        self.ids: Counter[str] = Counter()
        self.seeds = 0
        code = None if invitation is None else invitation_hash("t", invitation)
        opened = d.TableOpened(game, players, dict(options or {}), registry.VERSION, code)
        self.append(entry("ann", opened))

    def append(self, one: d.Entry) -> None:
        number = len(self.log) + 1
        stored = StoredEntry(number, f"entry-{number:07d}", self.now, d.encode(one))
        self.log.append(stored)
        self.table.fold(stored.number, stored.id, stored.time, d.decode(stored.data))

    def give(self, given: Input) -> Decision:
        """Decide, check that this changed nothing, and fold what was decided."""
        before = digest(self.table)
        decision = decide(self.table, given, self.now)
        assert digest(self.table) == before, f"to decide about {given} has changed the table"
        if not isinstance(decision, Refusal | Repeated):
            for one in decision:
                self.append(one)
        return decision

    def next_id(self, player: str) -> int:
        member = self.table.members.get(player)
        self.ids[player] = max(self.ids[player], 0 if member is None else member.last_command) + 1
        return self.ids[player]

    def ask(self, player: str, command: m.Command) -> Decision:
        return self.give(Asked(player, command))

    def make_seat_code(self, player: str, code: str) -> None:
        """Let a player make a seat code, which chance would have made in a server."""
        made = self.give(Asked(player, m.MakeSeatCode(self.next_id(player)), seat_code_hash("t", code)))
        assert not isinstance(made, Refusal | Repeated), made

    def code(self, player: str, command: m.Command) -> str:
        """Return why a command is refused."""
        decision = self.ask(player, command)
        assert isinstance(decision, Refusal), f"{command} was not refused: {decision}"
        return decision.code

    def must(self, player: str, command: m.Command) -> None:
        decision = self.ask(player, command)
        assert not isinstance(decision, Refusal | Repeated) and len(decision) == 1, decision

    def arrive(
        self,
        player: str,
        connection: str = "1",
        process: str = "p",
        invitation: str | None = None,
        seat_code: str | None = None,
    ) -> Decision:
        return self.give(Arriving(player, player.title(), process, f"{player}-{connection}", invitation, seat_code))

    def drop(self, player: str, connection: str = "1") -> Decision:
        return self.give(Losing(player, f"{player}-{connection}", "lost"))

    def sit(self, *players: str) -> None:
        """Let players come and sit down, from North on."""
        for player, seat in zip(players, self.table.game.seats.names, strict=False):
            self.arrive(player)
            self.must(player, m.TakeSeat(self.next_id(player), seat))

    def agree(self) -> None:
        """Let all players agree to go on, and deal."""
        for chair in tuple(self.table.chairs):
            if chair.owner is not None and not chair.bot and not chair.agreed:
                id = self.next_id(chair.owner)
                over = self.table.stage == "over"
                again = m.Rematch(id, self.table.rubber) if over else m.Ready(id, self.table.deals + 1)
                self.must(chair.owner, again)
        self.seeds += 1
        assert self.give(Shuffled(self.seeds.to_bytes(32, "big"))), "the deal does not begin"

    def playing(self, *players: str) -> "Rig":
        self.sit(*(players or PLAYERS))
        self.agree()
        return self

    def act(self, rng: Random) -> None:
        """Let the player whose turn it is do something legal."""
        player = to_act(self.table)
        assert player is not None
        self.must(player, turn_command(self.table, self.next_id(player), rng))

    def play_deal(self, rng: Random) -> None:
        while self.table.stage == "playing":
            self.act(rng)

    def play_sanely(self) -> None:
        """Play the deal as bots would: at random no rubber comes to an end."""
        while self.table.stage == "playing":
            player, deal, game = to_act(self.table), self.table.deal, self.table.game
            assert player is not None and deal is not None and deal.state.to_act is not None
            action = simple.choose(game.view(deal.state, deal.state.to_act), game.legal_actions(deal.state))
            self.must(player, command_for(action, self.next_id(player), deal.number, deal.index, game.seats))

    def acting(self) -> str:
        player = to_act(self.table)
        assert player is not None
        return player
