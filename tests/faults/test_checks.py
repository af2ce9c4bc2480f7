"""The checks of the fault test against made-up runs: each finds what it is there for, and nothing else."""

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec import structs

from protocol import messages as m
from protocol.codec import encode
from rules.cards import parse_hand
from server import entries as d
from server.decide import AWAY_S, BOT, CLOCK, WentBack
from server.entries import entry
from server.records import record_of
from server.render import table_view
from server.snapshot import take
from server.store import StoredEntry
from server.table import Table, deed_of
from tests.faults.commands import check_commands
from tests.faults.deals import Deals
from tests.faults.history import Era
from tests.faults.logs import Agreement, Secrets, errors
from tests.faults.notes import Finding, Notes, World
from tests.faults.order import check_end, check_rewinds, place
from tests.faults.refusals import Refusals
from tests.faults.walk import Walk
from tests.server.rig import PLAYERS, Rig, choose

ASKED = m.SetName(50, "Ann Other")


def kinds(findings: Iterable[Finding]) -> list[str]:
    return [finding.kind for finding in findings]


def era(log: Iterable[StoredEntry], *talk: str) -> Era:
    return Era(tuple(log), Counter(talk))


def notes(world: World | None = None, player: str = "ann") -> Notes:
    return Notes(player, world or World())


def shown(notes: Notes, rig: Rig) -> None:
    notes.hears(encode(table_view(rig.table, notes.player)))


def told(notes: Notes, *log: StoredEntry) -> None:
    for one in log:
        notes.hears(encode(m.Entry(one.number, one.id, one.time, [])))


def renamed(rig: Rig, command: m.SetName = ASKED) -> int:
    """Let the log have a command, and return its number."""
    rig.append(entry("ann", d.Renamed("ann", command.name), command.id))
    return len(rig.log)


def sat_down() -> Rig:
    """Return a table at which four sit, nobody knows by which commands."""
    rig = Rig()
    for seat, player in enumerate(PLAYERS):
        rig.arrive(player)
        rig.append(entry(player, d.SatDown(player, seat)))
    return rig


# --- commands


def test_an_answer_to_a_hello_is_none_to_an_older_command_of_the_same_number() -> None:
    """A client that comes afresh counts from 1 again."""
    ann = notes()
    ann.sends(m.TakeSeat(3, "N"))
    ann.hears(encode(m.Accepted(3, 5)))
    ann.sends(m.Hello(3))
    ann.hears(encode(m.Accepted(3)))
    (seat,) = ann.sent
    assert [number for number, _ in seat.accepted] == [5]


def answered(*answers: m.Accepted | m.Rejected, command: m.Command = ASKED, world: World | None = None) -> Notes:
    """Return the notes of one who has sent a command once for each answer."""
    made = notes(world)
    for answer in answers:
        made.sends(command)
        made.hears(encode(answer))
    return made


def test_what_was_accepted_has_to_be_in_the_log_as_it_was_sent() -> None:
    rig = sat_down()
    number = renamed(rig)
    sound, wrong = era(rig.log), sat_down()
    renamed(wrong, m.SetName(ASKED.id, "Somebody"))
    accepted = answered(m.Accepted(ASKED.id, number), m.Accepted(ASKED.id, number)).sent
    assert kinds(check_commands("t", [sound], accepted)) == []
    assert kinds(check_commands("t", [era(rig.log[:-1])], accepted)) == ["lost"] * 2
    assert kinds(check_commands("t", [era(wrong.log)], accepted)) == ["lost"] * 2
    elsewhere = answered(m.Accepted(ASKED.id, number - 1)).sent
    assert kinds(check_commands("t", [sound], elsewhere)) == ["lost"]


def test_what_is_in_a_log_twice_is_doubled() -> None:
    rig = sat_down()
    renamed(rig)
    renamed(rig)
    assert kinds(check_commands("t", [era(rig.log, "hello", "hello")], [])) == ["doubled"] * 2


def test_what_was_accepted_in_an_era_may_be_lost_with_it_but_not_before() -> None:
    rig, world = sat_down(), World()
    before = era(rig.log)
    number = renamed(rig)
    accepted = answered(m.Accepted(ASKED.id, number), world=world).sent
    assert kinds(check_commands("t", [era(rig.log), before], accepted)) == []
    assert kinds(check_commands("t", [before, era(rig.log)], accepted)) == ["lost"]


def test_what_was_refused_may_not_be_done_later() -> None:
    rig, refusal = sat_down(), m.Rejected(ASKED.id, "store.unavailable", "", 1)
    before = era(rig.log)
    renamed(rig)
    refused, twice = answered(refusal), answered(refusal)
    twice.sends(ASKED)  # and what became of that nobody knows
    assert kinds(check_commands("t", [before], refused.sent)) == []
    assert kinds(check_commands("t", [era(rig.log)], refused.sent)) == ["half_applied"]
    assert kinds(check_commands("t", [before, era(rig.log)], refused.sent)) == ["half_applied"]
    assert kinds(check_commands("t", [era(rig.log)], twice.sent)) == []


def test_what_the_store_lost_may_have_been_done_before_it_was_refused() -> None:
    rig = sat_down()
    before = era(rig.log)
    renamed(rig)
    refused = answered(m.Rejected(ASKED.id, "turn.stale", "", 1), world=World(era=1)).sent
    assert kinds(check_commands("t", [era(rig.log), before], refused)) == []
    assert kinds(check_commands("t", [before, era(rig.log)], refused)) == ["half_applied"]


def test_talk_that_was_accepted_is_said_and_what_was_refused_is_not() -> None:
    talk, rig = m.Say(51, "well played"), sat_down()
    accepted = answered(m.Accepted(talk.id, 0), command=talk).sent
    refused = answered(m.Rejected(talk.id, "store.unavailable", "", 0), command=talk).sent
    silent, said = [era(rig.log)], [era(rig.log, talk.text)]
    assert kinds(check_commands("t", said, accepted)) == kinds(check_commands("t", silent, refused)) == []
    assert kinds(check_commands("t", silent, accepted)) == ["lost"]
    assert kinds(check_commands("t", said, refused)) == ["half_applied"]


# --- refusals


def test_a_refusal_has_to_be_just_at_the_entry_that_it_names() -> None:
    rig = sat_down()
    history = [era(rig.log)]
    just = m.Rejected(60, "seat.taken", "", len(rig.log))
    cases = [
        (m.TakeSeat(60, "N"), just, []),
        (m.TakeSeat(60, "N"), replaced(just, code="seat.none"), ["refused_wrongly"]),
        (m.TakeSeat(60, "N"), replaced(just, number=1), ["refused_wrongly"]),
        (m.SetName(60, "Anna"), just, ["refused_wrongly"]),
        (m.SetName(60, "Anna"), replaced(just, code="store.unavailable"), []),
    ]
    for command, refusal, found in cases:
        refusals = Refusals("t", history, answered(refusal, command=command).sent)
        Walk("t", history, 0, [], []).go(refusals, Secrets())
        assert kinds(refusals.unjust()) == found, (command, refusal)


def replaced(refusal: m.Rejected, *, code: str | None = None, number: int | None = None) -> m.Rejected:
    return m.Rejected(refusal.id, code or refusal.code, "", refusal.number if number is None else number)


def test_nobody_may_refuse_who_knows_less_than_the_client_had_seen() -> None:
    rig, world = sat_down(), World()
    one = notes(world)
    one.connects()
    shown(one, rig)
    one.sends(m.TakeSeat(60, "N"))
    one.hears(encode(m.Rejected(60, "seat.taken", "", len(rig.log) - 1)))
    history = [era(rig.log)]
    refusals = Refusals("t", history, one.sent)
    Walk("t", history, 0, [], []).go(refusals, Secrets())
    assert kinds(refusals.unjust()) == ["refused_wrongly"]


# --- order, and rewinds


def test_what_was_told_is_a_piece_of_the_log() -> None:
    rig = sat_down()
    one = notes()
    one.connects()
    shown(one, rig)
    renamed(rig)
    told(one, rig.log[-1])
    other = sat_down()
    other.append(entry("bob", d.Renamed("bob", "Bobby"), 50))
    placed, misfits = place("t", [era(rig.log)], one.stretches)
    assert (placed, misfits) == ([one.stretches], [])
    strange = [structs.replace(stored, id=f"other-{stored.id}") for stored in other.log]
    assert kinds(place("t", [era(strange)], one.stretches)[1]) == ["order"]
    assert kinds(check_end("t", [era(rig.log)], [one])) == []
    assert kinds(check_end("t", [era([*rig.log, strange[-1]])], [one])) == ["behind"]


def test_a_gap_and_a_view_out_of_order_are_noted_at_once() -> None:
    rig, world = sat_down(), World()
    one = notes(world)
    one.connects()
    shown(one, rig)
    renamed(rig)
    shown(one, rig)
    assert kinds(world.findings) == ["order"]
    renamed(rig, m.SetName(51, "Anna"))
    renamed(rig, m.SetName(52, "Anne"))
    told(one, rig.log[-1])
    assert kinds(world.findings) == ["order"] * 2


class Rewinding:
    """A log that loses its last entry in the second era, and one who has seen that entry."""

    def __init__(self) -> None:
        self.world = World()
        self.rig = sat_down()
        self.kept = tuple(self.rig.log)
        self.one = notes(self.world)
        self.one.connects()
        shown(self.one, self.rig)
        renamed(self.rig)
        told(self.one, self.rig.log[-1])
        self.history = [era(self.rig.log), era(self.kept)]
        self.world.era = 1

    def found(self) -> list[str]:
        self.one.comes_afresh(self.one_view)
        return kinds(check_rewinds("t", self.history, [self.one]))

    def see_what_is_left(self) -> None:
        shown(self.one, sat_down())

    @property
    def one_view(self) -> m.TableView:
        return table_view(self.rig.table, "ann")


def test_who_has_seen_what_was_lost_has_to_hear_of_it() -> None:
    assert Rewinding().found() == ["rewind"]
    connected = Rewinding()
    connected.one.hears(encode(m.Rewound(len(connected.kept))))
    connected.see_what_is_left()
    assert connected.found() == [] and connected.one.rewound == 1
    returned = Rewinding()
    returned.one.connects()
    returned.see_what_is_left()
    assert returned.found() == []


def test_a_silent_view_of_what_is_left_is_no_report() -> None:
    silent = Rewinding()
    silent.see_what_is_left()
    assert kinds(silent.world.findings) == ["order"]


def test_nobody_is_told_of_a_rewinding_that_was_none() -> None:
    alarmed = Rewinding()
    alarmed.history = [era(alarmed.rig.log), era(alarmed.rig.log)]
    alarmed.one.hears(encode(m.Rewound(len(alarmed.kept))))
    shown(alarmed.one, alarmed.rig)
    assert alarmed.found() == ["rewind"]


@pytest.mark.parametrize("void", [True, False])
def test_a_deal_in_progress_is_void_after_its_log_has_gone_back(void: bool) -> None:
    rig = Rig().playing()
    rig.act(Random(1))
    cut = len(rig.log)
    if void:
        rig.give(WentBack())
    else:
        rig.play_sanely()
    lost = structs.replace(rig.log[cut], id="lost")
    history = [era([*rig.log[:cut], lost]), era(rig.log)]
    one, view = notes(), table_view(rig.table, "ann")
    one.connects()
    one.hears(encode(structs.replace(view, number=lost.number, entry=lost.id)))
    one.hears(encode(m.Rewound(cut)))
    one.hears(encode(structs.replace(view, number=cut, entry=rig.log[cut - 1].id)))
    told(one, rig.log[cut])
    one.stretches[-1].era = 1
    walk = Walk("t", history, 1, [], [one])
    walk.go(Refusals("t", history, []), Secrets())
    assert ("played_on" in kinds(walk.findings)) is not void  # it takes many cards to play a deal


# --- what the log itself may not hold


def walked(rig: Rig, *notes: Notes) -> list[str]:
    history = [era(rig.log)]
    walk = Walk("t", history, 0, [stretch for one in notes for stretch in one.stretches], notes)
    walk.go(Refusals("t", history, []), Secrets())
    return kinds(walk.findings)


@pytest.mark.parametrize(("after_s", "found"), [(AWAY_S, ["accepted_wrongly"]), (AWAY_S + 0.001, [])])
def test_a_bot_may_not_sit_down_too_soon_for_one_who_is_away(after_s: float, found: list[str]) -> None:
    rig, one = sat_down(), notes()
    one.sends(m.SeatBot(50, "E"))
    rig.drop("bob")
    rig.now += after_s
    rig.append(entry("ann", d.BotSeated(1), 50))
    assert walked(rig, one) == found


def test_an_entry_that_nobody_has_asked_for_is_found() -> None:
    rig, one = sat_down(), notes()
    renamed(rig)
    assert walked(rig, one) == ["accepted_wrongly"]
    one.sends(ASKED)
    assert walked(rig, one) == []


@pytest.mark.parametrize(
    "wrong",
    [
        entry(CLOCK, d.DealBegun(bytes(32))),
        entry(CLOCK, d.Dropped("ann", "another", "lost")),
        entry(CLOCK, d.Checkpoint(b"", "0" * 64)),
    ],
)
def test_what_was_not_due_is_found(wrong: d.Entry) -> None:
    rig = sat_down()
    rig.append(wrong)
    assert walked(rig) == ["accepted_wrongly"]


def test_a_bot_that_acts_for_a_player_is_found() -> None:
    rig = Rig().playing()
    rig.append(entry(BOT, deed_of(choose(rig.table, Random(1)))))
    history = [era(rig.log[:-1]), era(rig.log)]  # of the second only what is new is judged
    walk = Walk("t", history, 1, [], [])
    walk.go(Refusals("t", history, []), Secrets())
    assert kinds(walk.findings) == ["accepted_wrongly"]


def test_a_frame_that_names_a_hidden_card_and_one_that_is_not_true_are_found() -> None:
    rig, one = Rig().playing(), notes(player="eve")
    rig.arrive("eve")
    one.connects()
    shown(one, rig)
    assert "leaked" not in walked(rig, one)
    leaking = notes(player="eve")
    leaking.connects()
    leaking.hears(encode(structs.replace(table_view(rig.table, "ann"), player="eve")))
    assert {"leaked", "view"} <= set(walked(rig, leaking))


def noted(rig: Rig, *, wrong: bool = False) -> tuple[Deals, list[str | None]]:
    """Fold the log of a deal, with a wrong result if that is asked for; return what was said to each entry."""
    table = Table("t")
    deals, said = Deals(table), list[str | None]()
    for stored in rig.log:
        one = d.decode(stored.data)
        table.fold(stored.number, stored.id, stored.time, one)
        if wrong and table.deal is not None and table.deal.state.result is not None:
            state: Any = table.deal.state
            table.deal.state = replace(state, result=replace(state.result, over=not state.result.over))
        said.append(deals.note(one.deed, Secrets()))
    return deals, said


@pytest.mark.parametrize("wrong", [False, True])
def test_a_score_that_is_not_what_the_laws_give_is_found(wrong: bool) -> None:
    rig = Rig().playing()
    rig.play_sanely()
    deals, said = noted(rig, wrong=wrong)
    assert deals.scored == 1 and (said[-1] is not None) is wrong and not any(said[:-1])


def test_each_deal_that_a_checkpoint_has_closed_has_its_record_and_no_other() -> None:
    rig = Rig().playing()
    rig.play_sanely()
    kept = record_of(rig.table, 0)
    assert kept is not None
    open_still, _ = noted(rig)
    rig.append(entry(CLOCK, take(rig.table)))
    closed, _ = noted(rig)
    none, one = dict[int, bytes](), {kept.deal: kept.data}
    assert list(open_still.compare(none)) == list(closed.compare(one)) == []
    record = json.loads(kept.data)
    another = {"dealer": "E" if record["dealer"] == "N" else "N"}
    for found in (
        open_still.compare(one),
        closed.compare(none),
        closed.compare({**one, 2: kept.data}),
        closed.compare({kept.deal: json.dumps(record | another).encode()}),
        closed.compare({kept.deal: json.dumps(record | {"seed": "00"}).encode()}),
    ):
        assert list(found)


# --- what the servers log


def comes_to(process: int, digest: str, entry: str = "id") -> str:
    return f"12:00 INFO biritch.faults: process {process} at t 7 {entry} comes to {digest}\n"


def test_processes_agree_on_a_checkpoint_or_are_found() -> None:
    agreement = Agreement()
    agreement.read(comes_to(1, "aa") + comes_to(1, "aa") + comes_to(2, "bb", "other") + comes_to(3, "cc", ""))
    assert agreement.agreed == 0 and kinds(agreement.findings()) == []
    agreement.read(comes_to(2, "aa"))
    assert agreement.agreed == 1 and kinds(agreement.findings()) == []
    agreement.read(comes_to(3, "ab"))
    assert agreement.agreed == 0 and kinds(agreement.findings()) == ["digest"]


def test_secrets_and_errors_in_a_log_are_found() -> None:
    secrets = Secrets()
    secrets.add(b"\x01" * 32, [parse_hand("AK2.T98.QJ3.7654")])
    for text in ("seed " + "01" * 32, "he holds AK2.T98.QJ3.7654", "he plays HT now"):
        assert kinds(secrets.search("a log", f"first\n{text}\nlast")) == ["leaked"], text
    assert kinds(secrets.search("a log", "table HT-x2 at ws://host/D4 entry:H2")) == []
    assert kinds(errors("a log", "12:00 ERROR biritch: no\n12:00 INFO biritch: yes")) == ["error"]
