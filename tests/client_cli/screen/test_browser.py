"""The replay browser: the list of deals, and each of them card by card."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from client_cli.config import Config
from client_cli.screen.browser import BrowserApp, DealsScreen
from client_cli.screen.deal_hands import hands_ink
from client_cli.screen.deal_paint import auction_ink, play_ink, score_ink
from client_cli.screen.deal_view import COMPASS_WIDTH, LIST_WIDTH
from client_cli.screen.help import HelpDialog
from client_cli.screen.step_through import StepsScreen
from client_cli.shelf import FileDeals
from client_cli.signs import LETTERS, SYMBOLS
from client_cli.steps import Steps
from rules.replay import play_again
from tests.client_cli.screen.stage import MONO, assert_golden, settled, shown

RECORDS = Path(__file__).parents[2] / "golden"
DARK = Config(theme="dark", bell=False)
GAMES = ("vint", "bridge", "auction_bridge", "five_hundred", "five_hundred_2_5_6")


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text("utf-8").splitlines()]


def written(path: Path, *lines: object) -> str:
    """Write lines in a file: records, or texts as they are."""
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return str(path)


@dataclass(slots=True)
class Browsing:
    """The browser, and a person's hands."""

    app: BrowserApp
    pilot: Pilot[int]
    deals: FileDeals

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            if not self.over:
                await settled(self.app)

    @property
    def over(self) -> bool:
        """Whether the program has come to its end."""
        return self.app.return_code is not None

    async def click(self, text: str) -> None:
        """Click where a text is shown first."""
        row, line = next((row, line) for row, line in enumerate(self.shown().splitlines()) if text in line)
        await self.pilot.click(offset=(line.index(text), row))
        await settled(self.app)

    def shown(self) -> str:
        return shown(self.app)

    @property
    def title(self) -> str:
        return self.shown().splitlines()[0]


def joined(browser: Browsing) -> str:
    """Return what is shown as words, wherever a line is broken."""
    return " ".join(browser.shown().split())


@asynccontextmanager
async def browsing(*files: str, size: tuple[int, int] = (80, 24), config: Config = DARK) -> AsyncIterator[Browsing]:
    deals = FileDeals(files)
    app = BrowserApp(deals, config)
    async with app.run_test(size=size) as pilot:
        await settled(app)
        yield Browsing(app, pilot, deals)


def golden(name: str) -> str:
    return str(RECORDS / f"{name}.jsonl")


def short(path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Go to the folder of records, so that the name of a file is the same everywhere."""
    monkeypatch.chdir(path)
    return f"{name}.jsonl"


# --- what it looks like


@pytest.mark.parametrize("name", GAMES)
async def test_a_deal_in_its_stages(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with browsing(short(RECORDS, name, monkeypatch)) as browser:
        assert_golden(f"browser_{name}_list", browser.app)
        await browser.press("down", "enter", "right")
        assert_golden(f"browser_{name}_calls", browser.app)
        await browser.press("down", "down", "down", "right", "right")
        assert_golden(f"browser_{name}_play", browser.app)
        await browser.press("end")
        assert_golden(f"browser_{name}_end", browser.app)


async def test_all_at_once_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async with browsing(short(RECORDS, "auction_bridge", monkeypatch), size=(120, 40)) as browser:
        assert_golden("browser_list_120x40", browser.app)
        await browser.press("enter", "down", "down", "down", "right")
        assert_golden("browser_deal_120x40", browser.app)
        await browser.press("end")
        for part in ("Auction", "Play", "Score"):
            assert part in browser.shown()


@pytest.mark.parametrize("name", GAMES)
async def test_ascii_and_no_colour(tmp_path: Path, name: str) -> None:
    named = records(name)[1] | {"id": "ëlan", "names": dict.fromkeys(records(name)[1]["hands"], "Žofie")}
    async with browsing(written(tmp_path / "deals", named), config=MONO) as browser:
        assert browser.shown().isascii()
        for key in ("enter", "right", "down", "right", "down", "end", "1", "2"):
            await browser.press(key)
            assert browser.shown().isascii()
        await browser.press("question_mark")
        assert isinstance(browser.app.screen, HelpDialog)
        assert browser.shown().isascii()


# --- the list


async def test_keys_and_mouse_go_through_the_list() -> None:
    async with browsing(golden("auction_bridge")) as browser:
        assert browser.title.endswith("1 of 22 or more")
        await browser.press("down", "down", "up")
        assert browser.title.endswith("2 of 22 or more")
        await browser.press("pagedown")
        assert browser.title.endswith("24 of 24 or more")
        assert "auction-024" in browser.shown()
        await browser.press("end")
        assert browser.title.endswith("42 of 42")
        await browser.press("down", "home", "up")
        assert browser.title.endswith("1 of 42")
        await browser.click("auction-003")
        assert isinstance(browser.app.screen, StepsScreen)
        assert "auction-003" in browser.title
        await browser.press("n", "n", "q")
        assert isinstance(browser.app.screen, DealsScreen)
        assert browser.title.endswith("5 of 42")


async def test_a_large_file_opens_without_being_read(tmp_path: Path) -> None:
    lines = (RECORDS / "auction_bridge.jsonl").read_text("utf-8").splitlines()
    file = written(tmp_path / "many", *(lines[place % len(lines)] for place in range(20_000)))
    async with browsing(file) as browser:
        assert browser.deals.lines_read <= 24
        await browser.press("down", "pagedown", "enter", "n")
        assert browser.deals.lines_read <= 72
        await browser.press("q", "end")
        await browser.app.workers.wait_for_complete()
        await settled(browser.app)
        assert browser.title.endswith("20000 of 20000")


async def test_an_empty_file(tmp_path: Path) -> None:
    async with browsing(written(tmp_path / "none", "", " ")) as browser:
        assert "There are no deals here." in browser.shown()
        await browser.press("down", "end", "enter", "pagedown", "home")
        assert isinstance(browser.app.screen, DealsScreen)
        await browser.press("q")
        assert browser.over


async def test_wrong_records_are_told_and_passed_by(tmp_path: Path) -> None:
    deal = records("auction_bridge")[0]
    revoke = deal | {"id": "bad", "plays": [*deal["plays"][:3], "DQ"]}
    file = written(tmp_path / "deals", deal, "{", revoke, deal | {"id": "last"})
    async with browsing(file, size=(120, 40)) as browser:
        assert browser.shown().count(f"✖ {file}:") == 2
        await browser.press("down", "enter")
        assert "2: The line is no JSON" in joined(browser)
        await browser.press("right", "down", "end", "home", "left", "up", "1")
        assert "2: The line is no JSON" in joined(browser)
        await browser.press("n")
        assert "DQ does not follow suit" in joined(browser)
        await browser.press("n")
        assert "Step 0 of" in browser.shown()
        assert "does not follow suit" not in browser.shown()
        await browser.press("n", "p", "p")
        assert "2: The line is no JSON" in joined(browser)


async def test_records_do_nothing_to_the_screen(tmp_path: Path) -> None:
    deal = records("auction_bridge")[0] | {"id": "[red]\x1b[2Jx[/]", "names": {"N": "[bold]Ann[/]"}}
    async with browsing(written(tmp_path / "deals", deal), size=(120, 40)) as browser:
        assert "[red]?[2Jx[/]" in browser.shown()
        await browser.press("enter")
        assert "[red]?[2Jx[/]" in browser.shown()
        assert "N [bold]Ann[/]" in browser.shown()


# --- a deal


def step_of(browser: Browsing) -> tuple[int, int]:
    """Return the number of the step that is shown, and of the last one."""
    line = next(line for line in browser.shown().splitlines() if line.startswith(" Step "))
    _, step, _, last, *_ = line.split()
    return int(step), int(last)


async def test_every_card_forward_and_back() -> None:
    record = records("auction_bridge")[23]
    async with browsing(golden("auction_bridge"), size=(120, 40)) as browser:
        await browser.press("end", *["up"] * (41 - 23), "enter")
        last = len(record["calls"]) + len(record["plays"])
        assert step_of(browser) == (0, last)
        for step in range(1, 10):
            await browser.press("right")
            assert step_of(browser) == (step, last)
        await browser.press("end", "right", "space")
        assert step_of(browser) == (last, last)
        await browser.press("left", "backspace")
        assert step_of(browser) == (last - 2, last)
        await browser.press("home", "left")
        assert step_of(browser) == (0, last)
        await browser.press("end")
        assert step_of(browser) == (last, last)


async def test_tricks_forward_and_back() -> None:
    record = records("auction_bridge")[3]
    calls = len(record["calls"])
    async with browsing(golden("auction_bridge")) as browser:
        await browser.press("down", "down", "down", "enter", "down")
        assert step_of(browser)[0] == calls
        await browser.press("down", "down")
        assert step_of(browser)[0] == calls + 8
        assert "trick 2, won by E" in browser.shown()
        assert "tricks won: NS 1   EW 1" in browser.shown()
        await browser.press("left", "up")
        assert step_of(browser)[0] == calls + 4
        assert "tricks won: NS 1   EW 0" in browser.shown()
        await browser.press("up", "up", "up")
        assert step_of(browser)[0] == 0


async def test_the_part_that_fits_and_the_one_that_is_wanted() -> None:
    async with browsing(golden("auction_bridge")) as browser:
        await browser.press("enter", "right")
        assert "[1 Deal]" in browser.shown()
        await browser.press("down", "right")
        assert "[2 Play]" in browser.shown()
        await browser.press("1")
        assert "Auction" in browser.shown()
        await browser.press("right")
        assert "[2 Play]" in browser.shown()
        await browser.click("3 Score")
        assert "The deal is not finished." in browser.shown()
        await browser.press("end")
        assert "[3 Score]" in browser.shown()
        assert "tricks" in browser.shown()


async def test_deals_one_after_the_other(tmp_path: Path) -> None:
    file = written(tmp_path / "deals", *records("vint")[:2], *records("five_hundred_2_5_6")[:1])
    async with browsing(file) as browser:
        await browser.press("enter")
        assert browser.title.split()[:2] == [records("vint")[0]["id"], "Vint"]
        await browser.press("p")
        assert browser.title.endswith("1 of 3")
        await browser.press("end", "n")
        assert step_of(browser)[0] == 0
        await browser.press("pagedown", "n")
        assert "Five Hundred" in browser.title
        assert browser.title.endswith("3 of 3")
        await browser.press("pageup", "q", "q")
        assert browser.over


async def test_a_deal_that_was_broken_off_or_not_played(tmp_path: Path) -> None:
    part, passed = records("auction_bridge")[-1], records("auction_bridge")[25]
    async with browsing(written(tmp_path / "deals", part, passed), size=(120, 40)) as browser:
        assert "not finished, 4 calls and 10 cards" in browser.shown()
        assert "not played" in browser.shown()
        await browser.press("enter", "end")
        assert step_of(browser) == (14, 14)
        assert "The deal is not finished." in browser.shown()
        await browser.press("n", "end")
        assert "No card was played." in browser.shown()
        assert "The deal scores nothing." in browser.shown()


async def test_names_stand_beside_the_seats(tmp_path: Path) -> None:
    deal = records("vint")[0]
    table = {"sat": [{"seat": "E", "name": "Bob"}]}
    async with browsing(written(tmp_path / "deals", deal | {"table": table})) as browser:
        await browser.press("enter")
        assert "E Bob" in browser.shown()


@pytest.mark.parametrize("name", GAMES)
def test_every_step_of_every_deal_can_be_drawn(name: str) -> None:
    """Drawn without a screen, beside each other on 80 columns: nothing is wider than its place."""
    for record in records(name):
        replayed = play_again(record)
        steps = Steps(replayed.game, replayed.events)
        left = COMPASS_WIDTH if len(replayed.game.seats) == 4 else LIST_WIDTH
        for step in {*range(0, steps.last, 9), steps.last}:
            picture = steps.picture(step)
            for signs in (SYMBOLS, LETTERS):
                right = 80 - left - 2
                parts = [auction_ink(picture, signs), play_ink(picture, signs), score_ink(picture, right, signs)]
                hands = hands_ink(picture, {}, left - 1, signs)
                for part, width in ((hands, left), *((part, right + 1) for part in parts)):
                    assert max(map(len, part.plain.split("\n"))) <= width, (record["id"], step, part.plain)
                    assert signs is SYMBOLS or part.plain.isascii()
