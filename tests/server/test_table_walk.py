"""The table under any order of things: random walks never break it, and its log gives the same table everywhere."""

import base64
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from protocol import messages as m
from protocol.codec import encode
from rules import registry
from rules.cards import PACK_52
from server import entries as d
from server.decide import Asked, BotDue, Looking, Refusal, Repeated, Shuffled, WentBack, seat_code_hash
from server.render import table_view
from server.table import Table
from tests.server.rig import PLAYERS, Rig, cards_in, digest, hands_held, hidden_from, refold, turn_command

PEOPLE = (*PLAYERS, "eve", "fay")
GAMES = [(family.name, players) for family in registry.GAMES.values() for players in family.players]


def dealers(name: str, players: int) -> list[str]:
    """Return the ways to settle who deals first."""
    options = {option.name: option for option in registry.family(name).options(players, {})}
    return [str(value) for value in options["first_dealer"].values]


people = st.sampled_from(PEOPLE)
seats = st.integers(0, 5)
seeds = st.integers(0, 2**32)


class Walk(RuleBasedStateMachine):
    """Six people who do whatever they like at a table of four."""

    def __init__(self) -> None:
        super().__init__()
        self.rig = Rig()
        self.connections = 0
        self.accepted: dict[tuple[str, int], tuple[m.Command, int]] = {}
        self.codes: list[str] = []
        self.used: set[str] = set()
        self.seed = 0

    @initialize(opening=st.sampled_from([(game, dealer) for game in GAMES for dealer in dealers(*game)]))
    def open(self, opening: tuple[tuple[str, int], str]) -> None:
        game, dealer = opening
        self.rig = Rig({"first_dealer": dealer}, None, *game)

    @property
    def names(self) -> tuple[str, ...]:
        return self.table.game.seats.names

    @property
    def table(self) -> Table:
        return self.rig.table

    def ask(self, player: str, command: m.Command) -> None:
        before = self.table.head.number
        decision = self.rig.ask(player, command)
        after = self.table.head.number
        if isinstance(decision, Refusal):
            assert after == before and "." in decision.code and decision.message.endswith(".")
        elif isinstance(decision, Repeated):
            assert after == before and decision.number == self.table.members[player].answers[command.id]
        else:
            assert after == before + 1
            if not isinstance(command, m.LeaveTable):
                self.accepted[player, command.id] = command, after

    @rule(player=people)
    def arrive(self, player: str) -> None:
        self.connections += 1
        self.rig.arrive(player, str(self.connections), f"process{self.connections % 3}")

    @rule(player=people)
    def drop(self, player: str) -> None:
        member = self.table.members.get(player)
        if member is not None and member.connection is not None:
            self.rig.drop(player, member.connection.partition("-")[2])

    @rule(player=people, seat=seats)
    def take_seat(self, player: str, seat: int) -> None:
        self.ask(player, m.TakeSeat(self.rig.next_id(player), self.names[seat % len(self.names)]))

    @rule(player=people, seat=seats, kind=st.sampled_from([m.SeatBot, m.RemoveBot]))
    def bots(self, player: str, seat: int, kind: type[m.SeatBot | m.RemoveBot]) -> None:
        self.ask(player, kind(self.rig.next_id(player), self.names[seat % len(self.names)]))

    @rule(player=people, kind=st.sampled_from([m.LeaveSeat, m.LeaveTable]))
    def leave(self, player: str, kind: type[m.LeaveSeat | m.LeaveTable]) -> None:
        self.ask(player, kind(self.rig.next_id(player)))

    @rule(player=people)
    def make_seat_code(self, player: str) -> None:
        code = f"code-{len(self.codes)}"
        asked = Asked(player, m.MakeSeatCode(self.rig.next_id(player)), seat_code_hash("t", code))
        if not isinstance(self.rig.give(asked), Refusal):
            self.codes.append(code)

    @precondition(lambda self: self.codes)
    @rule(player=people, back=st.integers(0, 2))
    def come_by_a_seat_code(self, player: str, back: int) -> None:
        code = self.codes[-1 - back % len(self.codes)]
        had, ledger = self.table.seat_of(player), sum(self.table.ledger.values())
        self.connections += 1
        decision = self.rig.arrive(player, str(self.connections), seat_code=code)
        if isinstance(decision, Refusal):
            return
        assert not isinstance(decision, Repeated) and self.table.present(player)
        if any(isinstance(one.deed, d.SeatMoved) for one in decision):
            assert code not in self.used and sum(self.table.ledger.values()) == ledger
            self.used.add(code)
        else:
            assert self.table.seat_of(player) == had is not None

    @rule()
    def fill_up(self) -> None:
        for seat, player in enumerate(PEOPLE[: len(self.names)]):
            if player not in self.table.members:
                self.arrive(player)
            if self.table.seat_of(player) is None:
                self.take_seat(player, seat)
        for player in PEOPLE:
            self.ask(player, m.Ready(self.rig.next_id(player), self.table.deals + 1))

    @rule()
    def deal(self) -> None:
        self.seed += 1
        self.rig.give(Shuffled(self.seed.to_bytes(32, "big")))

    @precondition(lambda self: self.table.stage == "playing")
    @rule(seed=seeds, times=st.integers(1, 30))
    def act(self, seed: int, times: int) -> None:
        rng = Random(seed)
        for _ in range(times):
            if self.table.stage != "playing" or self.table.deal is None:
                return
            seat = self.table.deal.state.to_act
            assert seat is not None
            player = self.table.chairs[seat].owner or rng.choice(PEOPLE)
            self.ask(player, turn_command(self.table, self.rig.next_id(player), rng))
            self.rig.give(BotDue(self.table.turn))

    @rule(player=people, id=st.integers(1, 2**53), deal=st.integers(1, 3), index=st.integers(0, 60), seed=seeds)
    def act_wrongly(self, player: str, id: int, deal: int, index: int, seed: int) -> None:
        wild = id if self.rig.next_id(player) > id else self.rig.next_id(player)
        text = str(Random(seed).choice(PACK_52))
        self.ask(player, m.PlayCard(wild, deal, index, text))
        self.ask(player, m.MakeCall(self.rig.next_id(player), deal, index, text[::-1]))

    @precondition(lambda self: self.accepted)
    @rule(seed=seeds)
    def repeat(self, seed: int) -> None:
        (player, _), (command, number) = Random(seed).choice(list(self.accepted.items()))
        before = digest(self.table)
        decision = self.rig.ask(player, command)
        if isinstance(decision, Repeated):
            assert digest(self.table) == before
        elif not isinstance(decision, Refusal):
            # Only for who has gone away in between: the table has forgotten him.
            assert player in self.departed(number), (player, command)

    def departed(self, number: int) -> set[str]:
        later = [d.decode(stored.data).deed for stored in self.rig.log[number:]]
        return {deed.player for deed in later if isinstance(deed, d.Left | d.Dropped)}

    @rule(seconds=st.sampled_from([1.0, 59.0, 61.0]))
    def wait(self, seconds: float) -> None:
        self.rig.now += seconds

    @rule(player=people)
    def rename(self, player: str) -> None:
        self.ask(player, m.SetName(self.rig.next_id(player), "Somebody"))

    @rule(player=people, id=st.integers(1, 2**53))
    def end(self, player: str, id: int) -> None:
        if id % 8 == 0:
            self.ask(player, m.EndTable(self.rig.next_id(player)))

    @rule()
    def go_back(self) -> None:
        deal = self.table.deal
        self.rig.give(WentBack(None if deal is None else deal.seed))
        self.rig.give(Looking())

    @rule()
    def reload(self) -> None:
        fresh = refold("t", self.rig.log)
        assert digest(fresh) == digest(self.table)
        self.rig.table = fresh

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        deal, game = self.table.deal, self.table.game
        if deal is None or self.table.stage != "playing":
            return
        held = [card for hand in hands_held(self.table) for card in hand]
        assert len(held) == len(set(held)) and set(held) <= set(game.deck)
        view = game.view(deal.state, None)
        tricks = sum(view.tricks_won) * len(self.names) + (0 if view.trick is None else len(view.trick.plays))
        if len(game.deck) == 52:
            assert len(held) + tricks == 52
            assert max(map(len, hands_held(self.table))) <= 13

    @invariant()
    def seats_have_one_owner_who_is_a_member(self) -> None:
        owners = [chair.owner for chair in self.table.chairs if chair.owner is not None]
        assert len(owners) == len(set(owners)) and set(owners) <= set(self.table.members)
        for member in self.table.members.values():
            assert (member.connection is None) == (member.away_since is not None)
        for player in set(self.table.members) - set(owners):
            present = self.table.present(player)
            assert present or self.table.members[player].away_since is not None

    @invariant()
    def a_present_player_plays_for_himself(self) -> None:
        assert not any(chair.bot and self.table.present(chair.owner) for chair in self.table.chairs)
        assert not all(chair.bot for chair in self.table.chairs), "somebody who sits is no bot"

    @invariant()
    def what_is_shown_hides_the_other_hands(self) -> None:
        for player in PEOPLE:
            seat = self.table.seat_of(player)
            assert not cards_in(encode(table_view(self.table, player))) & hidden_from(self.table, seat)

    def teardown(self) -> None:
        assert digest(refold("t", self.rig.log)) == digest(self.table)


TestWalk = Walk.TestCase
TestWalk.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
)


def some_deals(options: dict[str, str | int | bool], game: tuple[str, int]) -> Rig:
    """Play some deals, half of them at random, until a rubber or game is over."""
    rig, rng = Rig(options, None, *game).playing(*PEOPLE[: game[1]]), Random(game[1])
    while rig.table.stage != "over" and rig.table.deals < 9:
        if rig.table.deals % 2:
            rig.play_sanely()
        else:
            rig.play_deal(rng)
        if rig.table.stage == "scored":
            rig.agree()
    return rig


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("dealer", ["random", "cut"])
def test_a_log_gives_the_same_table_however_often_it_is_loaded(game: tuple[str, int], dealer: str) -> None:
    rig = some_deals({"first_dealer": dealer}, game)
    table = Table("t")
    for one in rig.log:
        if one.number % 29 == 0:
            table = refold("t", rig.log[: one.number - 1])
        table.fold(one.number, one.id, one.time, d.decode(one.data))
    assert digest(table) == digest(rig.table)
    assert sum(table.ledger.values()) == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_log_gives_the_same_table_in_any_process(game: tuple[str, int]) -> None:
    rig = some_deals({"first_dealer": "cut"}, game)
    text = "\n".join(f"{one.number} {one.id} {one.time} {base64.b64encode(one.data).decode()}" for one in rig.log)
    program = Path(__file__).with_name("fold_log.py")
    digests = set()
    for hashing in ("0", "1"):
        done = subprocess.run(
            [sys.executable, str(program)],
            input=text,
            text=True,
            capture_output=True,
            check=True,
            cwd=program.parents[2],
            env={**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": str(program.parents[2])},
        )
        digests.add(done.stdout.strip())
    assert digests == {digest(rig.table)}
