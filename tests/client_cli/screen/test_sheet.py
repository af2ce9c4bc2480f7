"""The scoresheet of a table, and what is saved of it."""

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner
from textual.screen import Screen
from textual.widgets import Input, Static

from client_cli.finished import finished_deals
from client_cli.replay import replay
from client_cli.screen.browser import DealsScreen
from client_cli.screen.line import LineDialog
from client_cli.screen.question import Question
from client_cli.screen.sheet import SheetScreen
from client_cli.signs import SYMBOLS
from protocol import messages as m
from rules.registry import GAMES
from tests.client_cli.fakes import entry
from tests.client_cli.played import Playing
from tests.client_cli.screen.dialogs import after
from tests.client_cli.screen.stage import MONO, Stage, assert_golden

sheet = partial(after, SheetScreen)


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def save(stage: Stage, key: str, path: Path) -> None:
    """Save something in a file."""
    await stage.press(key)
    assert isinstance(stage.app.screen, LineDialog)
    stage.app.screen.query_one(Input).value = str(path)
    await stage.press("enter")


def others_file(folder: Path) -> Path:
    """Return a file that is there already."""
    file = folder / "deals.jsonl"
    file.write_text("mine")
    return file


def words(stage: Stage) -> str:
    """Return what is shown as words, however a dialog breaks them."""
    return " ".join(stage.shown().replace("│", " ").split())


async def until_told(stage: Stage, count: int = 1) -> list[str]:
    """Return what the person is told, when it is so much."""
    await stage.answered()
    assert len(stage.app.said) == count, stage.app.said
    return stage.app.said


# --- what it looks like


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_few_deals(tmp_path: Path, game: str, size: tuple[int, int]) -> None:
    async with sheet(Playing(game).play(4), tmp_path, size=size) as stage:
        assert_golden(f"sheet_{game}_{size[0]}x{size[1]}", stage.app)


@pytest.mark.parametrize(("game", "players"), [("bridge", 4), ("five_hundred", 3)])
async def test_ascii_and_no_colour(tmp_path: Path, game: str, players: int) -> None:
    async with sheet(Playing(game, players).play(2), tmp_path, config=MONO) as stage:
        assert stage.shown().isascii()
        assert_golden(f"sheet_ascii_{game}", stage.app)


async def test_the_last_rubber_comes_first_and_the_rest_by_keys(tmp_path: Path) -> None:
    playing = Playing("vint")
    while playing.view.rubber < 2 or playing.view.stage == "playing":
        playing.play()
    async with sheet(playing, tmp_path) as stage:
        assert "Rubber 2" in stage.shown()
        assert "Ledger" not in stage.shown()
        await stage.press("end")
        assert "Rubber 2" not in stage.shown()
        assert "Ledger" in stage.shown()
        await stage.press("home")
        assert "Rubber 2" in stage.shown()


async def test_before_the_first_deal_there_is_nothing(tmp_path: Path) -> None:
    async with sheet(Playing("vint"), tmp_path) as stage:
        assert "Nothing has been played yet." in stage.shown()
        await stage.press("s")
        assert await until_told(stage) == ["There is no deal to be saved yet."]


async def test_a_deal_that_ends_is_entered(tmp_path: Path) -> None:
    playing = Playing("auction_bridge").play()
    async with sheet(playing, tmp_path) as stage:
        told = len(playing.heard)
        playing.play()
        assert "\n    2  " not in stage.shown()
        await stage.tell(*playing.heard[told:])
        assert "\n    2  " in stage.shown()


async def test_deals_can_be_looked_through(tmp_path: Path) -> None:
    async with sheet(Playing("auction_bridge").play(2), tmp_path) as stage:
        await stage.press("v")
        assert isinstance(stage.app.screen, DealsScreen)
        await stage.press("down", "enter")
        assert "deal 2" in stage.shown()
        await stage.press("q", "q")
        assert isinstance(stage.app.screen, SheetScreen)
        await stage.press("escape")
        assert not isinstance(stage.app.screen, SheetScreen)


# --- what is not known


async def test_earlier_deals_are_asked_for_page_by_page(tmp_path: Path) -> None:
    playing = Playing("auction_bridge").play(3)
    first, told = playing.view, len(playing.heard)
    playing.play()
    async with sheet(playing, tmp_path, first=first, told=told) as stage:
        assert "Not all is known of deals 1, 2, 3." in stage.shown()
        assert "brought forward" in stage.shown()
        asked = await stage.asked(m.GetRecords)
        assert asked.after == 0
        heard = len(stage.app.ear)
        stage.wire.say(m.DealRecords("t", [playing.records[1], playing.records[2]], 2, more=True), m.Accepted(asked.id))
        asked = await stage.asked(m.GetRecords)
        assert asked.after == 2
        await stage.accept(asked, m.DealRecords("t", [playing.records[3]], 3))
        assert len(stage.app.ear) > heard
        assert "Not all is known" not in stage.shown()
        assert "brought forward" not in stage.shown()
    async with sheet(playing, tmp_path / "again") as whole:
        expected = whole.shown()
    assert expected.count("\n") == 24


async def test_without_records_there_is_the_standing(tmp_path: Path) -> None:
    playing = Playing("auction_bridge").play(3)
    view = playing.view
    view.deal = None
    async with sheet(playing, tmp_path, first=view, told=len(playing.heard)) as stage:
        await stage.reject(await stage.asked(m.GetRecords), "There is no such table.")
        assert "Not all is known of deals 1, 2, 3." in stage.shown()
        for numbers in view.standing.values():
            assert all(str(number) in stage.shown() for number in numbers.values())


async def test_a_void_deal_is_not_asked_for(tmp_path: Path) -> None:
    playing = Playing("auction_bridge")
    playing.begin()
    playing.told.void()
    playing.play()
    async with sheet(playing, tmp_path) as stage:
        assert stage.wire.quiet
        assert "Not all is known" not in stage.shown()


# --- saving


@pytest.mark.parametrize(("game", "players"), [*((game, 4) for game in GAMES), ("five_hundred", 5)])
async def test_saved_deals_replay_to_the_same_score(tmp_path: Path, game: str, players: int) -> None:
    playing, file = Playing(game, players).play(3), tmp_path / "deals.jsonl"
    async with sheet(playing, tmp_path / "state") as stage:
        await save(stage, "s", file)
        assert await until_told(stage) == [f"Saved in {file}"]
    replayed = CliRunner().invoke(replay, ["--json", str(file)])
    assert replayed.exit_code == 0, replayed.stderr
    for line, kept in zip(replayed.stdout.splitlines(), playing.records.values(), strict=True):
        record, expected = json.loads(line), json.loads(kept)
        for key in ("score", "after", "over", "winner", "seed", "id"):
            assert record[key] == expected[key]


async def test_the_text_holds_every_deal_and_the_sheet(tmp_path: Path) -> None:
    playing, file = Playing("auction_bridge").play(2), tmp_path / "sheet.txt"
    async with sheet(playing, tmp_path / "state") as stage:
        await save(stage, "t", file)
        assert await until_told(stage) == [f"Saved in {file}"]
        assert stage.desk.visit is not None and stage.desk.view is not None
        deals = finished_deals(stage.desk.visit.notes, stage.desk.view)
    text = file.read_text("utf-8")
    for deal in deals:
        assert "\n".join(deal.lines(SYMBOLS)) in text
    assert text.index("Deal 2\n") < text.index("\nRubber 1\nNS  Ann, Cis")


async def test_a_name_is_offered_in_the_folder_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with sheet(Playing("auction_bridge").play(), tmp_path / "state") as stage:
        await stage.press("s", "enter")
        assert await until_told(stage) == [f"Saved in {tmp_path / 'biritch-t.jsonl'}"]
        await stage.press("t", "enter")
        assert (await until_told(stage, 2))[-1] == f"Saved in {tmp_path / 'biritch-t.txt'}"
        await stage.press("s", "ctrl+u", "m", "y", "enter")
        assert (await until_told(stage, 3))[-1] == f"Saved in {tmp_path / 'my'}"
    assert files(tmp_path) == ["biritch-t.jsonl", "biritch-t.txt", "my", "state"]


async def test_a_file_that_is_there_is_lost_by_a_yes(tmp_path: Path) -> None:
    file = others_file(tmp_path)
    async with sheet(Playing("auction_bridge").play(), tmp_path / "state") as stage:
        await save(stage, "s", file)
        assert isinstance(stage.app.screen, Question)
        assert str(stage.app.screen.query(Static).first().content) == f"{file} is there already. Write over it?"
        assert file.read_text() == "mine"
        await stage.press("y")
        assert isinstance(stage.app.screen, SheetScreen)
        assert stage.app.said == [f"Saved in {file}"]
    assert json.loads(file.read_text())["game"] == "auction_bridge"


@pytest.mark.parametrize("no", ["n", "escape", "enter"])
async def test_without_a_yes_it_stays_and_another_name_may_be_given(tmp_path: Path, no: str) -> None:
    file = others_file(tmp_path)
    async with sheet(Playing("auction_bridge").play(), tmp_path / "state") as stage:
        await save(stage, "s", file)
        await stage.press(no)
        assert isinstance(stage.app.screen, LineDialog)
        assert stage.app.said == []
        await stage.press("end", "2", "enter")
        assert stage.app.said == [f"Saved in {file}2"]
    assert file.read_text() == "mine"


async def test_no_key_can_come_to_the_sheet_between_a_name_and_the_question(tmp_path: Path) -> None:
    on_top: list[Screen[object]] = []
    async with sheet(Playing("auction_bridge").play(), tmp_path / "state") as stage:
        stage.app.screen_change_signal.subscribe(stage.app, on_top.append, immediate=True)
        await save(stage, "s", others_file(tmp_path))
    assert [type(screen) for screen in on_top[:2]] == [LineDialog, Question]


async def test_enter_pressed_twice_asks_once_and_loses_nothing(tmp_path: Path) -> None:
    file = others_file(tmp_path)
    async with sheet(Playing("auction_bridge").play(), tmp_path / "state") as stage:
        await save(stage, "s", tmp_path)  # the dialog stays, since that is a folder
        stage.app.screen.query_one(Input).value = str(file)
        await stage.press_at_once("enter", "enter")
        on_top = [type(screen) for screen in stage.app.screen_stack[-2:]]
        assert on_top in ([LineDialog, Question], [SheetScreen, LineDialog])  # the other Enter may have been a no to it
        assert stage.app.said == []
    assert file.read_text() == "mine"


async def test_a_file_that_comes_meanwhile_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = others_file(tmp_path)
    monkeypatch.setattr(Path, "exists", lambda path: False)  # as it was when it was looked at
    async with sheet(Playing("auction_bridge").play(), tmp_path / "state") as stage:
        await save(stage, "s", file)
        assert stage.app.said == [f"{file} cannot be written: File exists."]
    assert file.read_text() == "mine"


async def test_esc_saves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with sheet(Playing("auction_bridge").play(), tmp_path / "state") as stage:
        await stage.press("s", "escape")
        assert isinstance(stage.app.screen, SheetScreen)
        assert await until_told(stage, 0) == []
    assert files(tmp_path) == ["state"]


async def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    async with sheet(Playing("auction_bridge").play(), tmp_path / "state") as stage:
        await save(stage, "s", tmp_path)
        assert "That is a folder." in words(stage)
        for text in ("~nobody-of-that-name/deals", " "):
            stage.app.screen.query_one(Input).value = text
            await stage.press("enter")
            assert isinstance(stage.app.screen, LineDialog)
        await stage.press("escape")
        missing = tmp_path / "none" / "deals.jsonl"
        await save(stage, "s", missing)
        assert await until_told(stage) == [f"{missing} cannot be written: No such file or directory."]


async def test_what_is_not_known_whole_is_left_out_and_said(tmp_path: Path) -> None:
    playing, file = Playing("auction_bridge").play(), tmp_path / "deals.jsonl"
    first, told = playing.view, len(playing.heard)
    playing.play()
    async with sheet(playing, tmp_path / "state", first=first, told=told) as stage:
        await stage.reject(await stage.asked(m.GetRecords), "No.")
        await save(stage, "s", file)
        told_then = await until_told(stage, 2)
        assert told_then == ["No.", f"Saved in {file}\nNot all is known of deal 1."]
    (line,) = file.read_text().splitlines()
    assert json.loads(line)["id"] == "t-2"


async def test_it_is_at_home_in_a_rubber_that_goes_on(tmp_path: Path) -> None:
    playing = Playing("auction_bridge").play()
    playing.begin()
    async with sheet(playing, tmp_path) as stage:
        await stage.tell(entry(playing.heard[-1].number + 1))
        assert "\n    1  " in stage.shown()
        assert stage.wire.quiet
