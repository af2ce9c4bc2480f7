"""The scoresheet as on paper: nothing is lost on it, also where deals are not known."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

from client_cli.finished import Finished, finished_deals, kept_deal
from client_cli.notes import Notes
from client_cli.paper import Paper, paper_of, sheet_blocks, sheet_lines
from client_cli.signs import LETTERS, SYMBOLS
from protocol import messages as m
from rules.session import totals
from tests.client_cli.played import Playing

GOLDEN = Path(__file__).parent.parent / "golden"
PLAIN = ("vint", "bridge", "auction_bridge")


def a_rubber(game: str) -> list[Finished]:
    """Return the deals of a whole rubber, which lie in a file."""
    deals: list[Finished] = []
    before = {column: {"NS": 0, "EW": 0} for column in ("below", "above", "games")}
    for line in (GOLDEN / f"{game}.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        if "-rubber1-" in record["id"]:
            table = {"deal": len(deals) + 1, "rubber": 1, "sat": []}
            deal = kept_deal({"before": before, **record, "seed": "00" * 32, "table": table})
            assert deal is not None
            deals.append(deal)
    assert deals[-1].result.over
    return deals


def deals_of(playing: Playing) -> list[Finished]:
    """Return the deals that were played at a table."""
    notes = Notes()
    notes.viewed(playing.view)
    notes.keep(m.DealRecords("t", list(playing.records.values()), len(playing.records)))
    return finished_deals(notes, playing.view)


def on_paper(paper: Paper, side: int) -> int:
    """Add up what stands on the paper for a side."""
    entries = itertools.chain(paper.above, *paper.below)
    return sum(entry.points for entry in entries if entry.side == side)


@pytest.mark.parametrize("game", PLAIN)
def test_what_stands_on_the_paper_adds_up(game: str) -> None:
    deals = a_rubber(game)
    paper, last = paper_of(deals), deals[-1]
    assert tuple(on_paper(paper, side) for side in range(2)) == totals(last.game, last.result.standing)
    games = last.result.standing.columns["games"]
    assert len(paper.below) == sum(games) + 1, "a line is drawn under every game"
    assert all(entry.deal is not None for entry in paper.above)


@pytest.mark.parametrize("game", PLAIN)
def test_it_adds_up_without_some_of_the_deals(game: str) -> None:
    deals = a_rubber(game)
    last = deals[-1]
    for missing in range(len(deals) - 1):
        for known in (deals[missing + 1 :], [*deals[:missing], *deals[missing + 1 :]]):
            paper = paper_of(known)
            assert tuple(on_paper(paper, side) for side in range(2)) == totals(last.game, last.result.standing)
            words = {entry.words for entry in itertools.chain(paper.above, *paper.below) if entry.deal is None}
            assert words <= {"brought forward"}


@pytest.mark.parametrize("game", PLAIN)
def test_it_adds_up_where_nobody_has_told_the_standing_before(game: str) -> None:
    deals = a_rubber(game)
    for place in range(len(deals)):
        known = [replace(deals[place], before=None), *deals[place + 1 :]]
        paper, last = paper_of(known), deals[-1]
        assert tuple(on_paper(paper, side) for side in range(2)) == totals(last.game, last.result.standing)


def test_each_reason_stands_with_its_deal() -> None:
    deals = a_rubber("auction_bridge")
    lines = sheet_lines(deals, 100, SYMBOLS)
    for deal in deals:
        for line in deal.result.lines:
            side = line.side
            assert any(
                f"{line.points:6}{deal.number:4}  {line.words}" in text.split("│")[side]
                for text in lines
                if "│" in text
            ), line


def test_above_the_line_what_came_first_stands_lowest() -> None:
    deals = a_rubber("auction_bridge")
    lines = sheet_lines(deals, 100, LETTERS)
    middle = next(place for place, line in enumerate(lines) if line.startswith("==="))
    for side in range(2):
        cells = [line.split("|")[side] for line in lines[1:middle]]
        numbers = [int(cell.split()[1]) for cell in cells if cell.strip()]
        assert numbers == sorted(numbers, reverse=True)
    assert "".join(lines).isascii()


def test_long_reasons_are_broken_and_keep_their_order() -> None:
    deals = a_rubber("auction_bridge")
    narrow = sheet_lines(deals, 50, SYMBOLS)
    assert max(map(len, narrow)) <= 50
    bonus = next(place for place, line in enumerate(narrow) if "doubled" in line or "undertricks" in line)
    assert narrow[bonus]


def test_one_account_is_a_row_for_each_deal_with_the_totals() -> None:
    deals = deals_of(Playing("five_hundred", 3).play(3))
    lines = sheet_lines(deals, 76, SYMBOLS)
    assert lines[0].split() == ["deal", "1", "2", "3"]
    rows = [line.split() for line in lines if line[:4].strip().isdecimal()]
    assert [int(row[0]) for row in rows] == [1, 2, 3]
    assert [int(number) for number in rows[-1][2::2]] == list(deals[-1].result.standing.columns["scores"])
    for side in range(3):
        assert sum(int(row[1 + 2 * side]) for row in rows) == int(rows[-1][2 + 2 * side])


def test_totals_are_brought_forward_where_a_deal_is_not_known() -> None:
    deals = deals_of(Playing("five_hundred").play(2))
    lines = sheet_lines(deals[1:], 76, SYMBOLS)
    assert lines[1].split()[-2:] == ["brought", "forward"]
    assert [int(number) for number in lines[1].split()[:2]] == list(deals[0].result.standing.columns["scores"])


def test_rubbers_come_one_after_the_other_and_the_ledger_last() -> None:
    playing = Playing("vint")
    while playing.view.rubber < 2 or playing.view.stage == "playing":
        playing.play()
    blocks = sheet_blocks(deals_of(playing), playing.view, 76, SYMBOLS)
    titles = [title for title, _ in blocks]
    assert titles[0].startswith("Rubber 1, won by ")
    assert titles[2].startswith("Rubber 2")
    assert titles[-1] == "Ledger"
    assert len(blocks[-1][1]) == 4
