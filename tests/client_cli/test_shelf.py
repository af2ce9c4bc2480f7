"""Deals of files, found as they are asked for."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from client_cli.record_lines import MAX_LINE_BYTES
from client_cli.replay import replay
from client_cli.shelf import Browsed, FewDeals, FileDeals, names_in

GOLDEN = Path(__file__).parent.parent / "golden"
LINES = (GOLDEN / "auction_bridge.jsonl").read_text("utf-8").splitlines()


def written(path: Path, *lines: str) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def changed(line: str, **values: Any) -> str:
    return json.dumps(json.loads(line) | values)


def test_no_more_lines_are_read_than_are_asked_for(tmp_path: Path) -> None:
    deals = FileDeals([written(tmp_path / "many", *LINES * 500)])
    assert (len(deals), deals.lines_read, deals.complete) == (0, 0, False)
    deals.reach(30)
    deals.reach(20)
    assert (len(deals), deals.lines_read, deals.complete) == (30, 30, False)
    assert deals[29].id == json.loads(LINES[29])["id"]
    assert deals.lines_read == 30
    deals.reach(10**9)
    assert (len(deals), deals.lines_read, deals.complete) == (500 * len(LINES), 500 * len(LINES), True)
    assert deals[len(deals) - 1].id == json.loads(LINES[-1])["id"]


def test_files_follow_each_other_and_blank_lines_are_left_out(tmp_path: Path) -> None:
    one = written(tmp_path / "one", "", LINES[0], "  ", LINES[1])
    none = written(tmp_path / "none")
    two = written(tmp_path / "two", LINES[2])
    deals = FileDeals([one, none, two])
    deals.reach(2)
    assert not deals.complete
    deals.reach(9)
    assert [deals[place].where for place in range(len(deals))] == [f"{one}:2", f"{one}:4", f"{two}:1"]
    assert deals.complete
    assert all(deals[place].replayed is not None for place in range(3))


@pytest.mark.parametrize(
    "wrong",
    [
        "{",
        "[]",
        '{"id": "x", "format": "biritch-deal/1", "game": "whist"}',
        changed(LINES[0], plays=[*json.loads(LINES[0])["plays"][:3], "DQ"]),
        changed(LINES[0], score={}),
        "x" * (MAX_LINE_BYTES + 2),
        '"' + "y" * 2000,
    ],
)
def test_a_wrong_record_is_described_as_replay_does(tmp_path: Path, wrong: str) -> None:
    file = written(tmp_path / "deals", LINES[1], wrong, LINES[2])
    deals = FileDeals([file])
    deals.reach(9)
    assert [deals[place].replayed is None for place in range(3)] == [False, True, False]
    assert deals[1].wrong == CliRunner().invoke(replay, [file]).stderr.rstrip("\n")


def test_files_that_cannot_be_read_are_said_in_their_place(tmp_path: Path) -> None:
    file = written(tmp_path / "deals", LINES[1])
    deals = FileDeals([str(tmp_path / "none"), file, str(tmp_path)])
    deals.reach(9)
    assert [bool(deals[place].wrong) for place in range(3)] == [True, False, True]
    assert deals[0].wrong.endswith("none: No such file or directory")


def test_whether_any_file_can_be_read(tmp_path: Path) -> None:
    none, empty, file = str(tmp_path / "none"), written(tmp_path / "empty"), written(tmp_path / "deals", *LINES)
    assert not FileDeals([none, str(tmp_path)]).readable()
    assert FileDeals([empty]).readable()
    deals = FileDeals([none, none, file, file])
    assert deals.readable()
    assert deals.lines_read == 1


def test_a_file_that_has_changed_meanwhile_is_no_harm(tmp_path: Path) -> None:
    file = written(tmp_path / "deals", *LINES[:3])
    deals = FileDeals([file])
    deals.reach(3)
    written(tmp_path / "deals", LINES[0])
    assert deals[0].replayed is not None
    assert deals[2].wrong.startswith(f"{file}:3: The line is no JSON")
    (tmp_path / "deals").unlink()
    assert deals[1].wrong.endswith("No such file or directory")


def test_a_file_may_lie_under_another_name(tmp_path: Path) -> None:
    deals = FileDeals(["-"], {"-": written(tmp_path / "kept", LINES[0])})
    deals.reach(1)
    assert deals[0].where == "-:1"


def test_a_few_deals() -> None:
    deal = Browsed("here", "1", {})
    deals = FewDeals([deal])
    deals.reach(5)
    assert (len(deals), deals[0], deals.complete) == (1, deal, True)


@pytest.mark.parametrize(
    ("record", "names"),
    [
        ({"names": {"N": "Ann", "E": 5}}, {"N": "Ann"}),
        ({"table": {"sat": [{"seat": "S", "name": "Cis"}, 5, {"seat": 1}]}}, {"S": "Cis"}),
        ({"names": 5, "table": []}, {}),
        ({}, {}),
    ],
)
def test_names_are_taken_where_they_stand(record: dict[str, Any], names: dict[str, str]) -> None:
    assert names_in(record) == names
