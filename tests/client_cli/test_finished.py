"""Deals that are over, told from what was heard of them and from the server's records; also what is not known."""

import json
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

import pytest
from msgspec import structs

from client_cli.diagram import trick_lines
from client_cli.finished import Finished, finished_deal, finished_deals, heard_deal, kept_deal
from client_cli.model import Model
from client_cli.notes import Notes
from client_cli.signs import SYMBOLS
from protocol import messages as m
from rules.record import replay
from rules.registry import GAMES
from tests.client_cli.played import Playing

TABLES = [
    ("vint", 4),
    ("bridge", 4),
    ("auction_bridge", 4),
    *(("five_hundred", players) for players in (2, 3, 4, 5, 6)),
]


class Listener:
    """A client that is told of a table."""

    def __init__(self, first: m.TableView) -> None:
        self.notes, self._model = Notes(), Model()
        self.see(first)

    @property
    def view(self) -> m.TableView:
        assert self._model.view is not None
        return self._model.view

    def see(self, view: m.TableView) -> None:
        """Be shown a view."""
        self._model.replace(deepcopy(view))
        self.notes.viewed(self.view)

    def hear(self, entries: Iterable[m.Entry]) -> "Listener":
        for entry in entries:
            self._model.fold(deepcopy(entry))
            self.notes.told(entry, self.view)
        return self

    def deal(self, number: int) -> Finished:
        deal = finished_deal(number, self.notes, self.view)
        assert deal is not None
        return deal


def heard(playing: Playing) -> Listener:
    return Listener(playing.first).hear(playing.heard)


def same_deal(record: Any) -> dict[str, Any]:
    """Return what a record says of the deal, without who sat there, and whatever the order of cards that lie aside."""
    aside = {key: sorted(record[key]) for key in ("widow", "discard") if key in record}
    return {key: value for key, value in record.items() if key != "table"} | aside


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_deal_heard_whole_is_checked_and_written_as_the_server_writes_it(game: str, players: int) -> None:
    playing = Playing(game, players).play(3)
    listener = heard(playing)
    deals = finished_deals(listener.notes, listener.view)
    assert [deal.number for deal in deals] == [1, 2, 3]
    for deal in deals:
        record, kept = deal.record, json.loads(playing.records[deal.number])
        assert deal.verdict.right, deal.verdict
        assert record is not None
        assert same_deal(record) == same_deal(kept)
        assert {sat["seat"]: sat["name"] for sat in kept["table"]["sat"]} == deal.names
        assert replay(record) == record


@pytest.mark.parametrize("hidden", [True, False])
def test_calls_that_the_laws_hide_are_known_in_the_end(hidden: bool) -> None:
    playing = Playing("auction_bridge", hide_auction_during_play=hidden).play()
    assert heard(playing).deal(1).record is not None


# --- what was missed


def parted(playing: Playing, calls: int) -> tuple[m.TableView, int]:
    """Play until so many actions have been, and return the view then, and how much had been told before."""
    playing.begin()
    for _ in range(calls):
        assert playing.act()
    view, told = playing.view, len(playing.heard)
    while playing.act():
        pass
    return view, told


def actions_until(playing: Playing, tricks: int, cards: int = 0) -> int:
    """Return after how many actions so many tricks are complete, and so many more cards have been played."""
    playing.begin()
    count = 0
    while (deal := playing.view.deal) is not None and deal.score is None:
        on_table = len(deal.trick.plays) if deal.trick is not None else 0
        if deal.contract is not None and (sum(deal.tricks_won.values()), on_table) == (tricks, cards):
            return count
        assert playing.act()
        count += 1
    raise AssertionError("the deal was over before")


def test_who_comes_during_the_calls_misses_nothing() -> None:
    playing = Playing("auction_bridge")
    view, told = parted(playing, 2)
    assert view.deal is not None and view.deal.contract is None
    listener = Listener(view).hear(playing.heard[told:])
    assert same_deal(listener.deal(1).record) == same_deal(json.loads(playing.records[1]))


@pytest.mark.parametrize("cards", [0, 2])
def test_tricks_before_one_came_are_not_known(cards: int) -> None:
    actions = actions_until(Playing("auction_bridge"), 4, cards)
    playing = Playing("auction_bridge")
    view, told = parted(playing, actions)
    deal = Listener(view).hear(playing.heard[told:]).deal(1)
    whole = heard(playing).deal(1)
    assert (deal.record, deal.replayed, deal.verdict.right) == (None, None, None)
    assert "not all is known" in deal.verdict.sentence
    seen, lines = trick_lines(deal.game.seats, deal.picture.tricks), trick_lines(whole.game.seats, whole.picture.tricks)
    # The last trick before lies open until the next lead.
    known = 3 if cards == 0 else 4
    assert seen[:known] == [f"{number:2}. not known" for number in range(1, known + 1)]
    assert seen[known:] == lines[known:]
    assert (deal.picture.dealt, deal.picture.calls) == (whole.picture.dealt, whole.picture.calls)
    assert (deal.tricks_won, deal.result.lines) == (whole.tricks_won, whole.result.lines)
    assert dict(deal.result.standing.columns) == dict(whole.result.standing.columns)


def test_what_was_heard_before_a_gap_is_kept() -> None:
    actions = actions_until(Playing("auction_bridge"), 6)
    playing = Playing("auction_bridge")
    view, told = parted(playing, actions)
    deal_dealt = next(
        place for place, entry in enumerate(playing.heard) if any(isinstance(e, m.CardsDealt) for e in entry.events)
    )
    listener = Listener(playing.first).hear(playing.heard[: deal_dealt + 1])
    listener.see(view)
    deal = listener.hear(playing.heard[told:]).deal(1)
    assert deal.before is not None
    assert [bool(trick.plays) for trick in deal.picture.tricks] == [False] * 5 + [True] * 8
    assert deal.record is None


def test_a_view_at_the_number_where_one_is_loses_nothing() -> None:
    playing = Playing("auction_bridge")
    view, told = parted(playing, 30)
    listener = Listener(playing.first).hear(playing.heard[:told])
    listener.see(view)
    assert listener.hear(playing.heard[told:]).deal(1).record is not None


def test_who_comes_after_the_deal_knows_no_seed() -> None:
    playing = Playing("five_hundred").play()
    deal = Listener(playing.view).deal(1)
    assert (deal.seed, deal.record, deal.verdict.right) == (None, None, None)
    assert "this client came after the deal" in deal.verdict.sentence
    assert [bool(trick.plays) for trick in deal.picture.tricks] == [False] * 9 + [True]  # the last trick lies open
    assert sum(deal.tricks_won) == 10
    assert deal.result.lines == heard(playing).deal(1).result.lines


def test_the_record_of_the_server_fills_in_what_was_missed() -> None:
    playing = Playing("auction_bridge").play(2)
    listener = Listener(playing.view)
    listener.notes.keep(m.DealRecords("t", list(playing.records.values()), 2))
    assert [deal.number for deal in finished_deals(listener.notes, listener.view)] == [1, 2]
    for deal in finished_deals(listener.notes, listener.view):
        assert deal.verdict.right
        assert deal.lines(SYMBOLS) == heard(playing).deal(deal.number).lines(SYMBOLS)


def test_other_laws_and_no_records_are_left_out() -> None:
    playing = Playing("auction_bridge").play()
    record = json.loads(playing.records[1])
    wrong: dict[str, Any]
    for wrong in ({}, record | {"table": {}}, record | {"game": "whist"}, record | {"seed": 5}, record | {"score": {}}):
        assert kept_deal(wrong) is None
    notes = Notes()
    notes.keep(m.DealRecords("t", ["no JSON", "[]", "{}"], 3, more=True))
    assert (notes.records, notes.more) == ({}, 3)


# --- a store that went back


def test_deals_that_a_store_has_lost_are_forgotten() -> None:
    playing = Playing("auction_bridge").play()
    after_one = playing.view
    playing.play()
    listener = heard(playing)
    listener.notes.keep(m.DealRecords("t", list(playing.records.values()), 2))
    listener.see(after_one)
    assert list(listener.notes.deals) == list(listener.notes.records) == [1]
    assert listener.deal(1).record is not None


def test_a_void_deal_is_no_deal() -> None:
    playing = Playing("auction_bridge")
    playing.begin()
    for _ in range(10):
        playing.act()
    playing.told.void()
    playing.play()
    listener = heard(playing)
    assert (list(listener.notes.deals), listener.notes.void) == ([2], {1})
    assert listener.deal(2).record is not None


def test_another_table_is_another_story() -> None:
    playing = Playing("auction_bridge").play()
    listener = heard(playing)
    listener.see(structs.replace(playing.first, table="u"))
    assert listener.notes.deals == {}


# --- what the laws never show


def misere(playing: Playing) -> bool:
    deal = playing.view.deal
    assert deal is not None
    return deal.contract is not None and deal.contract.call in ("M", "OM")


def misere_lost_at_once() -> Playing:
    """Return a table where a misère was stopped before all tricks were played."""
    for seed in range(200):
        playing = Playing("five_hundred", seed=seed, misere_stop_on_loss=True, misere_needs_seven=False).play()
        deal = playing.view.deal
        assert deal is not None
        stopped = misere(playing) and sum(deal.tricks_won.values()) < 10
        # Ann, who sits there, would have seen what she has laid away.
        if stopped and deal.contract is not None and deal.contract.declarer != "N":
            return playing
    raise AssertionError("no seed gives such a deal")


def test_cards_laid_away_are_not_known_where_the_play_stopped_early() -> None:
    playing = misere_lost_at_once()
    listener = heard(playing)
    deal = listener.deal(1)
    assert (deal.record, deal.verdict.right) == (None, None)
    assert deal.picture.laid_away is None
    assert len(deal.picture.widow or ()) == len(json.loads(playing.records[1])["widow"])
    listener.notes.keep(m.DealRecords("t", [playing.records[1]], 1))
    assert listener.deal(1).record is not None


# --- servers that cheat


def altered(entry: m.Entry, **changes: Any) -> m.Entry:
    events = [structs.replace(e, **changes) if isinstance(e, m.DealScored) else e for e in entry.events]
    return structs.replace(entry, events=events)


@pytest.mark.parametrize("game", GAMES)
def test_another_seed_is_found_out(game: str) -> None:
    playing = Playing(game).play()
    deal = Listener(playing.first).hear(altered(entry, seed="00" * 32) for entry in playing.heard).deal(1)
    assert deal.verdict.right is False
    assert "was not shuffled from its seed" in deal.verdict.sentence
    assert deal.record is None
    assert deal.result.lines == heard(playing).deal(1).result.lines


def test_another_score_is_found_out_and_shown_as_it_was_told() -> None:
    playing = Playing("auction_bridge").play()
    told = heard(playing).notes.deals[1].told
    assert told is not None
    gift = m.ScoreLine("NS", "above", 500, "gift", "gift 500")
    score = structs.replace(told.score, lines=[*told.score.lines, gift])
    deal = Listener(playing.first).hear(altered(entry, score=score) for entry in playing.heard).deal(1)
    assert deal.verdict.right is False
    assert "was not scored by the laws" in deal.verdict.sentence
    assert deal.result.lines[-1].words == "gift 500"


def test_a_record_of_other_cards_is_found_out() -> None:
    playing = Playing("auction_bridge").play(2)
    first, second = (json.loads(record) for record in playing.records.values())
    assert kept_deal(first | {"seed": second["seed"]}).verdict.right is False  # type: ignore[union-attr]
    noted = heard(playing).notes.deals[1]
    swapped = kept_deal(second, noted)
    assert swapped is not None
    assert swapped.verdict.right is False


def test_heard_deals_need_no_record() -> None:
    playing = Playing("auction_bridge").play()
    listener = heard(playing)
    wrong = json.loads(playing.records[1]) | {"seed": "00" * 32}
    listener.notes.keep(m.DealRecords("t", [json.dumps(wrong)], 1))
    assert listener.deal(1) == heard_deal(listener.notes.deals[1], listener.view)
