"""`biritch replay`: output, complaints and exit status, on files, on standard input and on what breaks."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client_cli.record_lines import MAX_LINE_BYTES, MAX_MESSAGE
from client_cli.replay import replay

GOLDEN = Path(__file__).parent.parent / "golden"
EXAMPLES = GOLDEN / "auction_bridge.jsonl"
RECORDS: list[dict[str, Any]] = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]
RESULTS = ("score", "after", "over", "winner")


def run(*arguments: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(replay, arguments, input=given)


def line(record: dict[str, Any]) -> str:
    return json.dumps(record) + "\n"


def bare(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key not in RESULTS}


def wrong_play() -> dict[str, Any]:
    """The first example with an illegal card in the fourth place."""
    record = json.loads(json.dumps(RECORDS[0]))
    record["plays"][3] = "DQ"
    return dict(record)


def test_json_fills_the_results_in() -> None:
    done = run("--json", "-", given="".join(line(bare(record)) for record in RECORDS))
    assert done.exit_code == 0
    assert done.stderr == ""
    assert [json.loads(text) for text in done.stdout.splitlines()] == RECORDS


def test_a_deal_in_a_few_lines() -> None:
    done = run("-", given=line(RECORDS[19]))
    assert done.exit_code == 0
    assert done.stdout == (GOLDEN / "replay_summary.txt").read_text("utf-8")


def test_a_deal_not_finished_and_one_not_played() -> None:
    done = run("-", given=line(RECORDS[-1]) + line(RECORDS[25]))
    assert done.exit_code == 0
    unfinished, passed_out, *_ = done.stdout.splitlines()
    assert unfinished == "auction-part: not finished, 4 calls and 10 cards"
    assert passed_out == "auction-026: not played"


def test_full_and_ascii() -> None:
    full = run("--full", "-", given=line(RECORDS[3])).stdout
    assert full.startswith("auction-004: 1♠ XX by S, tricks 4 to 9\n\n")
    assert "3. E ♥4" in full
    letters = run("--full", "--ascii", "-", given=line(RECORDS[3])).stdout
    assert letters.isascii()
    assert "3. E H4" in letters
    assert run("--full", "--json", "-").exit_code == 2


def test_a_call_has_one_form_in_a_deal_and_in_its_score() -> None:
    """Six spades and seven no-trumps made in Five Hundred, a misère lost, a coronet in Vint."""
    deals = {
        record["id"]: line(record)
        for name in ("five_hundred", "vint")
        for record in map(json.loads, (GOLDEN / f"{name}.jsonl").read_text("utf-8").splitlines())
    }
    assert "6♠ made 40" in run("-", given=deals["500-001"]).stdout
    assert "6S made 40" in run("--ascii", "-", given=deals["500-001"]).stdout
    everything = run("-", given="".join(deals.values())).stdout
    assert "7NT made 220" in everything and "open misere lost -500" in everything
    assert re.search(r"coronet of [NESW], [♠♥♦♣]A [♠♥♦♣]K", everything)
    assert not re.search(r"\b([1-9]|10)[SHDCRN]\b|\b[SHDC][2-9TJQKA]\b|\bO?M (made|lost)", everything)


def test_who_has_won_is_said_in_both_forms() -> None:
    (last,) = (line(record) for record in RECORDS if record["id"] == "auction-rubber1-07")
    for form in ([], ["--full"]):
        assert "over, won by " in run(*form, "-", given=last).stdout
        assert "over" not in run(*form, "-", given=line(RECORDS[1])).stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b'{"a": "\xff"}', "The line is no text in UTF-8: byte 8 is wrong."),
        (b'{"a": ' + b"9" * 5000 + b"}", "The line is no JSON: a number has more than 4000 digits."),
        (b"[" * 100_000, "The line is nested too deeply."),
        (b'{"a": NaN}', "The line is no JSON: NaN is no number."),
    ],
)
def test_what_is_wrong_with_a_line_is_said_to_people(text: bytes, sentence: str) -> None:
    assert run("-", given=text).stderr == f"-:1: {sentence}\n"


def test_symbols_only_where_they_can_be_written() -> None:
    done = CliRunner(charset="ascii").invoke(replay, ["-"], input=line(RECORDS[3] | {"id": "сдача"}))
    assert done.exit_code == 0
    assert done.stdout.startswith(r"\u0441\u0434\u0430\u0447\u0430: 1S XX by S")


def test_a_wrong_record_is_named_and_the_others_are_done(tmp_path: Path) -> None:
    file = tmp_path / "deals.jsonl"
    file.write_text(line(RECORDS[1]) + "\n  \n" + line(wrong_play()) + line(RECORDS[2]))
    done = run(str(file))
    assert done.exit_code == 1
    (complaint,) = done.stderr.splitlines()
    assert complaint.startswith(f"{file}:4: auction-001: plays[3] DQ: DQ does not follow suit")
    assert "auction-001" not in done.stdout
    assert [text.split(":")[0] for text in done.stdout.splitlines() if text.startswith("auction")] == [
        "auction-002",
        "auction-003",
    ]


def test_a_wrong_record_in_json(tmp_path: Path) -> None:
    done = run("--json", "-", given=line(wrong_play()) + line(RECORDS[2]))
    assert done.exit_code == 1
    wrong, right = map(json.loads, done.stdout.splitlines())
    error = wrong.pop("error")
    assert wrong == {"id": "auction-001"}
    assert list(error) == ["code", "message", "list", "index"]
    assert (error["code"], error["list"], error["index"]) == ("play.revoke", "plays", 3)
    assert right == RECORDS[2]
    assert done.stderr.startswith("-:1: auction-001: plays[3] DQ: ")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"{", "bad_record"),
        (b"[]", "bad_record"),
        (b"null", "bad_record"),
        (b'{"a": NaN}', "bad_record"),
        (b'{"a": "\xff"}', "bad_record"),
        (b'{"a": ' + b"9" * 5000 + b"}", "bad_record"),
        (b"[" * 100_000, "bad_record"),
        (b'{"a": ' * 5_000 + b"1" + b"}" * 5_000, "bad_record"),
        (b"\x00", "bad_record"),
        (b"x" * (2 * MAX_LINE_BYTES + 9), "bad_record"),
        (line(RECORDS[0] | {"score": {}}).encode(), "score_differs"),
    ],
)
def test_a_line_that_is_no_record(text: bytes, code: str) -> None:
    done = run("--json", "-", given=text + b"\n" + line(RECORDS[2]).encode())
    assert done.exit_code == 1
    wrong, right = map(json.loads, done.stdout.splitlines())
    assert wrong["error"] | {"message": ""} == {"code": code, "message": "", "list": None, "index": None}
    assert right == RECORDS[2]
    assert done.stderr.startswith("-:1: ")
    assert len(done.stderr) < MAX_MESSAGE + 10


def test_the_longest_line_and_one_byte_more() -> None:
    whole = line(RECORDS[2]).rstrip("\n").encode()
    longest = whole + b" " * (MAX_LINE_BYTES - len(whole))
    assert run("-", given=longest).exit_code == 0
    assert run("-", given=longest + b"\n").exit_code == 0
    assert run("-", given=longest + b" ").exit_code == 1
    assert run("-", given=longest + b" \n").exit_code == 1


def test_other_line_ends_a_byte_order_mark_and_no_end() -> None:
    given = b"\xef\xbb\xbf" + line(RECORDS[1]).replace("\n", "\r\n").encode() + line(RECORDS[2]).rstrip().encode()
    done = run("--json", "-", given=given)
    assert [json.loads(text) for text in done.stdout.splitlines()] == RECORDS[1:3]


def test_names_are_kept_and_do_nothing_to_a_terminal() -> None:
    record = RECORDS[2] | {"id": "\x1b[2J\ud800", "names": {"N": "Ольга \ud800"}}
    assert json.loads(run("--json", "-", given=line(record)).stdout) == record
    shown = run("-", given=line(record)).stdout
    assert shown.startswith(r"\x1b[2J\ud800: ")


def test_no_file_is_a_usage_error() -> None:
    done = run()
    assert done.exit_code == 2
    assert done.stdout == ""


def test_a_file_that_cannot_be_read_and_one_that_can(tmp_path: Path) -> None:
    done = run("--json", str(tmp_path / "none"), str(tmp_path), "nul\0l", str(EXAMPLES))
    assert done.exit_code == 1
    assert len(done.stdout.splitlines()) == len(RECORDS)
    missing, folder, impossible = done.stderr.splitlines()
    assert missing.endswith("none: No such file or directory")
    assert folder.endswith("Is a directory")
    assert impossible.startswith(r"nul\x00l: ")


def many(count: int) -> Iterator[str]:
    return (line(RECORDS[number % len(RECORDS)]) for number in range(count))


def peak_bytes(file: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the greatest memory in use while a file is replayed, its output going nowhere."""
    with monkeypatch.context() as patch, open(os.devnull, "w") as nowhere:
        patch.setattr(sys, "stdout", nowhere)
        tracemalloc.start()
        try:
            replay.main(["--json", str(file)], standalone_mode=False)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def test_memory_does_not_grow_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few, lots = tmp_path / "few", tmp_path / "lots"
    few.write_text("".join(many(20)))
    lots.write_text("".join(many(400)))
    assert lots.stat().st_size > 350_000
    peak_bytes(few, monkeypatch)  # what is made once and kept is not counted
    # Python keeps some thousands of freed tuples for later use; the lines of the file alone would be more.
    assert peak_bytes(lots, monkeypatch) < peak_bytes(few, monkeypatch) + 350_000


def test_a_line_without_end_is_not_read_whole(tmp_path: Path) -> None:
    wide = tmp_path / "wide"
    wide.write_bytes(b"x" * (40 * MAX_LINE_BYTES))
    tracemalloc.start()
    try:
        done = run(str(wide))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert done.exit_code == 1
    assert peak < 8 * MAX_LINE_BYTES


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    lots = tmp_path / "lots"
    lots.write_text("".join(many(400)))
    command = [sys.executable, "-c", "from client_cli.replay import replay; replay()", "--json", str(lots)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=GOLDEN.parent.parent) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="nothing here is always full")
@pytest.mark.parametrize("command", [["replay", str(EXAMPLES)], ["replay", "--json", str(EXAMPLES)], ["rules", "vint"]])
def test_a_full_disk_is_a_sentence(command: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "client_cli.main", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=GOLDEN.parent.parent,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "It cannot be written: No space left on device.\n")


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals of this kind here")
def test_progress_is_shown_on_a_terminal_that_the_output_does_not_go_to(tmp_path: Path) -> None:
    lots = tmp_path / "lots"
    lots.write_text("".join(many(100)) + line(wrong_play()))
    ours, theirs = os.openpty()
    command = [sys.executable, "-c", "from client_cli.replay import replay; replay()", str(lots)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, cwd=GOLDEN.parent.parent) as process:
        os.close(theirs)
        out, _ = process.communicate()
        shown = b""
        # At the end of a terminal Linux fails and macOS is empty.
        with contextlib.suppress(OSError):
            while part := os.read(ours, 65536):
                shown += part
        os.close(ours)
    assert process.returncode == 1
    assert b"100%" in shown
    assert b"\r\x1b[K" + f"{lots}:101: auction-001: plays[3]".encode() in shown
    assert b"%" not in out
