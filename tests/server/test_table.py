"""The pure table: who may come, sit, stand up, be away, be played for by a bot, and end it."""

from random import Random

import pytest

from protocol import messages as m
from server import entries as d
from server.decide import AWAY_S, SPECTATORS, Arriving, BotDue, Refusal, Repeated, Shuffled, WentBack
from server.render import table_view
from tests.server.rig import PLAYERS, Rig, turn_command

SEED = bytes(32)


@pytest.fixture
def rig() -> Rig:
    return Rig()


# --- people and seats


def test_who_comes_is_a_spectator_until_a_seat_is_taken(rig: Rig) -> None:
    rig.arrive("ann")
    assert rig.table.seat_of("ann") is None
    assert [watcher.player for watcher in table_view(rig.table, "ann").spectators] == ["ann"]
    rig.must("ann", m.TakeSeat(1, "S"))
    view = table_view(rig.table, "ann")
    assert view.seat == "S" and view.spectators == [] and view.last_command == 1


def test_seats_that_cannot_be_had(rig: Rig) -> None:
    rig.sit("ann")
    rig.arrive("bob")
    assert rig.code("bob", m.TakeSeat(1, "N")) == "seat.taken"
    assert rig.code("bob", m.TakeSeat(1, "Q")) == "seat.unknown"
    assert rig.code("ann", m.TakeSeat(9, "N")) == "seat.taken"  # her own
    assert rig.code("zoe", m.TakeSeat(1, "E")) == "table.none_joined"
    rig.must("ann", m.TakeSeat(9, "E"))  # she moves
    assert [chair.owner for chair in rig.table.chairs] == [None, "ann", None, None]


@pytest.mark.parametrize(
    "command",
    [
        m.LeaveSeat(1),
        m.MakeSeatCode(1),
        m.SeatBot(1, "N"),
        m.RemoveBot(1, "N"),
        m.Ready(1, 1),
        m.Rematch(1, 1),
        m.EndTable(1),
        m.MakeCall(1, 1, 0, "1S"),
        m.PlayCard(1, 1, 0, "SA"),
        m.DiscardCards(1, 1, 0, []),
        m.NameJoker(1, 1, 0),
        m.CallPartners(1, 1, 0, []),
    ],
    ids=lambda command: type(command).__name__,
)
def test_what_is_for_those_who_sit(rig: Rig, command: m.Command) -> None:
    rig.arrive("ann")
    assert rig.code("ann", command) == "seat.none"


def test_bots_are_seated_and_sent_away(rig: Rig) -> None:
    rig.sit("ann", "bob")
    rig.must("ann", m.SeatBot(9, "S"))
    assert rig.code("ann", m.SeatBot(10, "S")) == "seat.taken"
    assert rig.code("ann", m.SeatBot(10, "E")) == "seat.player_present"
    assert rig.code("ann", m.SeatBot(10, "N")) == "seat.player_present"
    assert rig.code("ann", m.RemoveBot(10, "E")) == "seat.not_a_bot"
    rig.must("ann", m.RemoveBot(10, "S"))
    assert rig.table.chairs[2].free
    rig.must("ann", m.SeatBot(11, "S"))
    rig.arrive("cid")
    rig.must("cid", m.TakeSeat(1, "S"))  # in place of a bot
    assert rig.table.chairs[2].owner == "cid" and not rig.table.chairs[2].bot


def test_all_players_agree_before_a_deal_begins(rig: Rig) -> None:
    rig.sit("ann", "bob", "cid")
    assert rig.code("ann", m.Ready(9, 2)) == "ready.wrong_deal"
    assert rig.code("ann", m.Rematch(9, 1)) == "rematch.not_over"
    for player in ("ann", "bob", "cid"):
        rig.must(player, m.Ready(10, 1))
    assert rig.code("ann", m.Ready(11, 1)) == "ready.already"
    assert rig.give(Shuffled(SEED)) == (), "a seat is free"
    rig.must("ann", m.SeatBot(11, "W"))
    assert rig.give(Shuffled(SEED)) != ()
    assert rig.give(Shuffled(SEED)) == (), "it has begun"
    assert rig.table.stage == "playing" and rig.table.deals == 1
    assert rig.code("ann", m.Ready(12, 2)) == "ready.wrong_deal"
    assert not any(chair.agreed for chair in rig.table.chairs)


def test_who_leaves_frees_his_seat(rig: Rig) -> None:
    rig.playing()
    rig.must("bob", m.LeaveTable(rig.next_id("bob")))
    assert rig.table.chairs[1].free and "bob" not in rig.table.members
    assert rig.table.stage == "playing"
    rig.must("ann", m.SeatBot(9, "E"))
    assert rig.code("bob", m.LeaveSeat(9)) == "table.none_joined"


def test_a_spectator_whose_connection_is_lost_is_gone(rig: Rig) -> None:
    rig.arrive("ann")
    rig.arrive("bob")
    rig.drop("bob")
    assert "bob" not in rig.table.members
    assert rig.drop("bob") == ()


def test_the_loss_of_a_connection_that_has_been_replaced_is_none(rig: Rig) -> None:
    rig.sit("ann")
    rig.arrive("ann", "2", "q")
    assert rig.drop("ann", "1") == ()
    assert rig.table.present("ann") and rig.table.processes() == {"q"}
    assert rig.drop("ann", "2") != ()
    assert not rig.table.present("ann") and rig.table.seat_of("ann") == 0


def test_nobody_sees_two_hands_of_a_deal(rig: Rig) -> None:
    rig.playing()
    rig.must("ann", m.LeaveSeat(9))
    rig.must("bob", m.LeaveSeat(9))
    assert rig.code("ann", m.TakeSeat(10, "E")) == "seat.saw_another_hand"
    rig.arrive("eve")
    rig.must("eve", m.TakeSeat(1, "E"))
    assert rig.code("eve", m.TakeSeat(2, "N")) == "seat.saw_another_hand"
    rig.must("ann", m.LeaveTable(10))
    rig.arrive("ann", "2")
    assert rig.code("ann", m.TakeSeat(11, "E")) == "seat.taken"
    rig.must("eve", m.LeaveSeat(2))
    assert rig.code("ann", m.TakeSeat(11, "E")) == "seat.saw_another_hand", "to go away and come back does not help"
    assert rig.code("eve", m.TakeSeat(3, "N")) == "seat.saw_another_hand"
    rig.must("ann", m.TakeSeat(11, "N"))
    rig.must("eve", m.TakeSeat(3, "E"))
    rig.play_deal(Random(1))
    rig.must("ann", m.LeaveSeat(rig.next_id("ann")))
    rig.must("eve", m.TakeSeat(rig.next_id("eve"), "N"))


def test_a_table_has_so_many_spectators_at_most(rig: Rig) -> None:
    rig.sit(*PLAYERS)
    for number in range(SPECTATORS):
        assert not isinstance(rig.arrive(f"watcher{number}"), Refusal)
    refused = rig.arrive("one-more")
    assert isinstance(refused, Refusal) and refused.code == "table.full"
    rig.drop("ann")
    assert not isinstance(rig.arrive("ann", "2"), Refusal), "a player comes back to a full table"


def test_a_private_table_needs_its_code() -> None:
    rig = Rig(invitation="sesame")
    for wrong in (None, "", "Sesame"):
        refused = rig.arrive("bob", invitation=wrong)
        assert isinstance(refused, Refusal) and refused.code == "table.private"
    rig.arrive("bob", invitation="sesame")
    rig.must("bob", m.TakeSeat(1, "N"))
    rig.drop("bob")
    assert not isinstance(rig.arrive("bob", "2"), Refusal), "who has a seat needs no code"
    rig.must("bob", m.LeaveTable(2))
    assert isinstance(rig.arrive("bob", "3"), Refusal)
    assert "sesame" not in repr(rig.log), "only a hash of the code is kept"


def test_names_change(rig: Rig) -> None:
    rig.sit("ann")
    rig.must("ann", m.SetName(9, "Anne"))
    assert rig.table.members["ann"].name == "Anne"
    rig.give(Arriving("ann", "Annie", "p", "ann-2"))
    assert rig.table.members["ann"].name == "Annie"


# --- absence


def test_a_bot_may_play_for_a_player_who_is_long_away(rig: Rig) -> None:
    rig.playing()
    rig.drop("bob")
    since = rig.now
    for now in (since, since + AWAY_S):
        rig.now = now
        assert rig.code("ann", m.SeatBot(9, "E")) == "seat.player_present"
        assert rig.code("ann", m.EndTable(9)) == "table.not_now"
    rig.now = since + AWAY_S + 0.001
    rig.must("ann", m.SeatBot(9, "E"))
    assert rig.code("ann", m.RemoveBot(10, "E")) == "seat.not_a_bot"
    rig.arrive("eve")
    assert rig.code("eve", m.TakeSeat(1, "E")) == "seat.taken"
    part = rig.table.seat_parts()[1]
    assert (part.player, part.bot, part.connected, part.away_since) == ("bob", True, False, since)
    rig.arrive("bob", "2")
    assert not rig.table.chairs[1].bot, "the owner takes his seat back at once"
    assert rig.table.seat_parts()[1].away_since is None


def test_the_table_can_be_ended_when_a_player_is_long_away(rig: Rig) -> None:
    rig.playing()
    assert rig.code("ann", m.EndTable(9)) == "table.not_now"
    rig.drop("bob")
    rig.now += AWAY_S + 1
    rig.must("ann", m.EndTable(9))
    assert rig.table.stage == "ended"
    for command in (m.TakeSeat(10, "E"), m.Ready(10, 1), m.SetName(10, "x"), turn_command(rig.table, 10, Random(1))):
        assert rig.code("ann", command) == "table.closed"
    refused = rig.arrive("eve")
    assert isinstance(refused, Refusal) and refused.code == "table.closed"
    assert not isinstance(rig.arrive("bob", "2"), Refusal), "who sat there may see how it ended"
    assert rig.give(Shuffled(SEED)) == rig.give(BotDue()) == rig.give(WentBack()) == ()
    rig.must("ann", m.LeaveTable(10))


def test_a_table_can_be_ended_before_it_begins_by_who_sits_alone(rig: Rig) -> None:
    rig.sit("ann", "bob")
    rig.arrive("eve")
    assert rig.code("eve", m.EndTable(1)) == "seat.none"
    assert rig.code("bob", m.EndTable(9)) == "table.not_now"
    rig.drop("ann")
    rig.now += AWAY_S
    assert rig.code("bob", m.EndTable(9)) == "table.not_now", "she may come back to the table"
    rig.now += 0.001
    rig.must("bob", m.EndTable(9))


def test_a_broken_connection_ends_no_rubber_of_two_with_bots(rig: Rig) -> None:
    rig.sit("ann", "bob")
    for seat in "SW":
        rig.must("ann", m.SeatBot(rig.next_id("ann"), seat))
    rig.agree()
    rig.drop("bob")
    rig.now += 1
    assert rig.code("ann", m.EndTable(9)) == "table.not_now"


def test_what_was_accepted_is_remembered_of_who_has_gone(rig: Rig) -> None:
    rig.arrive("eve")
    rig.must("eve", m.TakeSeat(5, "N"))
    number = rig.table.head.number
    rig.must("eve", m.LeaveSeat(6))
    rig.drop("eve")
    assert "eve" not in rig.table.members
    assert rig.ask("eve", m.TakeSeat(5, "N")) == Repeated(number)
    rig.arrive("eve", "2")
    assert rig.ask("eve", m.TakeSeat(5, "N")) == Repeated(number)
    assert rig.ask("eve", m.LeaveSeat(6)) == Repeated(number + 1)
    assert rig.code("eve", m.TakeSeat(4, "N")) == "command.stale_id"


def test_who_plays_with_bots_alone_may_end_at_any_time(rig: Rig) -> None:
    rig.sit("ann")
    for seat in "ESW":
        rig.must("ann", m.SeatBot(rig.next_id("ann"), seat))
    rig.agree()
    rig.must("ann", m.EndTable(rig.next_id("ann")))


def test_bots_play_their_own_turns_and_wait_while_nobody_is_there(rig: Rig) -> None:
    rig.sit("ann")
    for seat in "ESW":
        rig.must("ann", m.SeatBot(rig.next_id("ann"), seat))
    rig.agree()
    rng = Random(2)
    while rig.table.stage == "playing":
        turn = rig.table.turn
        if not rig.give(BotDue(turn)):
            rig.act(rng)
        assert rig.give(BotDue(turn)) == (), "that turn is over"
    rig.agree()
    while rig.give(BotDue()):
        pass
    rig.act(rng)
    rig.drop("ann")
    assert rig.give(BotDue()) == ()
    rig.arrive("eve")
    assert rig.give(BotDue()) != (), "somebody watches"


def test_nobody_loses_by_a_clock_that_ran_while_nobody_was_there(rig: Rig) -> None:
    rig.playing()
    for player in PLAYERS:
        rig.drop(player)
        rig.now += AWAY_S
    decision = rig.arrive("ann", "2")
    assert not isinstance(decision, Refusal | Repeated)
    assert [type(one.deed) for one in decision] == [d.Resumed, d.Arrived]
    assert rig.code("ann", m.SeatBot(9, "E")) == "seat.player_present"
    rig.now += AWAY_S + 1
    rig.must("ann", m.SeatBot(9, "E"))
    assert len(rig.arrive("bob", "2")) == 1  # type: ignore[arg-type]  # an entry
