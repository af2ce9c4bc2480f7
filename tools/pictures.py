"""Draw the pictures of the README, `docs/pictures/*.svg`, from fixed seeds: `python -m tools.pictures [--check]`.

They are what the tests' stage shows: the client's own screens, at tables that the server's own code has dealt.
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from client_cli.config import Config
from client_cli.screen.sheet import SheetScreen
from client_cli.screen.tables import TablesScreen
from protocol import messages as m
from tests.client_cli.screen.dialogs import an_empty_screen
from tests.client_cli.screen.situations import Situation, chooses_dummys_card, make_table, won_auction
from tests.client_cli.screen.stage import Stage, settled, staged

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"

SIZE = (84, 26)
CONFIG = Config(theme="dark", bell=False)
_FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""Where fonts would be fetched from: a picture is whole without asking anybody."""


def seat(name: str, person: str | None = None, *, bot: bool = False) -> m.SeatPart:
    return m.SeatPart(name, None if person is None else person.lower(), person or "", bot=bot, connected=bool(person))


CARDS = [
    m.TableCard(
        "kx4mzq8rvp2d",
        "vint",
        "Vint",
        4,
        {},
        [seat("N", "Olga"), seat("E", "Boris"), seat("S"), seat("W", "Vera")],
        "gathering",
    ),
    m.TableCard(
        "h7yw3cfn9bta",
        "five_hundred",
        "Five Hundred",
        3,
        {"misere": "on"},
        [seat("1", "Mabel"), seat("2"), seat("3", bot=True)],
        "gathering",
    ),
    m.TableCard(
        "q2npd6se5kxm",
        "auction_bridge",
        "Royal auction bridge",
        4,
        {"slams": "english"},
        [seat("N", "Ethel"), seat("E", "Harold"), seat("S", "Winifred"), seat("W", bot=True)],
        "playing",
    ),
]


@asynccontextmanager
async def lobby(folder: Path) -> AsyncIterator[Stage]:
    async with staged(TablesScreen, folder, size=SIZE, config=CONFIG) as stage:
        asked = await stage.asked(m.ListTables)
        await stage.accept(asked, m.TableList(CARDS))
        yield stage


@asynccontextmanager
async def table(folder: Path, situation: Situation, *keys: str) -> AsyncIterator[Stage]:
    async with staged(make_table, folder, situation.view, size=SIZE, config=CONFIG) as stage:
        await stage.press(*keys)
        yield stage


@asynccontextmanager
async def sheet(folder: Path) -> AsyncIterator[Stage]:
    situation = Situation("auction_bridge")
    first = situation.view
    situation.until(lambda view: view.stage == "over")
    async with staged(an_empty_screen, folder, first, size=SIZE, config=CONFIG) as stage:
        await stage.tell(*situation.since(first))
        await stage.app.push_screen(SheetScreen(stage.desk))
        await settled(stage.app)
        yield stage


def auction() -> Situation:
    situation = Situation("auction_bridge")
    situation.join("bob", "E")
    situation.join("cis", "N")
    situation.begin()
    situation.do("1S", "1D", "P", "1R", "P", "2C", "P", "2H")
    return situation


def dummy() -> Situation:
    situation = Situation("auction_bridge")
    situation.begin()
    situation.do("2H", "X", "P", "P", "P")
    situation.play(5)
    while not chooses_dummys_card(situation.view):
        situation.play()
    return situation


ALL: dict[str, tuple[str, Callable[[Path], AbstractAsyncContextManager[Stage]]]] = {
    "lobby": ("The tables of a server", lobby),
    "auction": ("An auction", lambda folder: table(folder, auction(), "down", "down", "right", "right")),
    "dummy": ("Play with dummy", lambda folder: table(folder, dummy(), "right", "right")),
    "exchange": (
        "Five Hundred: the widow",
        lambda folder: table(folder, won_auction("7H", players=3), "right", "space", "left", "space"),
    ),
    "scoresheet": ("A scoresheet", sheet),
}
"""The pictures: their titles, and what is to be seen on them."""


async def draw(name: str) -> str:
    """Return a picture as SVG."""
    title, show = ALL[name]
    with tempfile.TemporaryDirectory() as folder:
        async with show(Path(folder)) as stage:
            return _FONT_FACE.sub("", stage.app.export_screenshot(title=title))


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print("usage: python -m tools.pictures [--check]", file=sys.stderr)
        return 2
    wrong = []
    for name in ALL:
        path, picture = PICTURES / f"{name}.svg", asyncio.run(draw(name))
        if arguments and (not path.is_file() or path.read_text("utf-8") != picture):
            wrong.append(path.name)
        elif not arguments:
            PICTURES.mkdir(parents=True, exist_ok=True)
            path.write_text(picture, encoding="utf-8")
    if wrong:
        print(f"{', '.join(wrong)}: not what the client shows; run python -m tools.pictures", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
