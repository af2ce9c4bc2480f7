"""The public tables of a server."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar, get_args

import pytest
from msgspec import structs

from client_cli.address import Address
from client_cli.config import Config, Theme
from client_cli.screen.field import Wrong
from client_cli.screen.tables import TablesScreen, card_lines, read_name
from client_cli.screen.wishes import GoToServer, LeaveServer
from client_cli.signs import LETTERS, SYMBOLS
from client_cli.state import Memory, Remembered
from protocol import messages as m
from tests.client_cli.screen.dialogs import ASCII, an_empty_screen
from tests.client_cli.screen.stage import CONFIG, URL, Stage, assert_golden, settled, staged
from tests.client_cli.views import GATHERING

C = TypeVar("C", bound=m.Command)

NEVER_S = 3600.0

ANN = m.SeatPart("N", "a", "Ann", connected=True)
BOB = m.SeatPart("E", "b", "Bob", away_since=5.0)
RED = m.SeatPart("W", "r", "[red]x[/]", connected=True)
FREE, BOT = m.SeatPart("S"), m.SeatPart("S", bot=True)

CARDS = [
    m.TableCard(
        "tA",
        "auction_bridge",
        "Royal auction bridge",
        4,
        {"slams": "english", "nullos": "on", "dealer_may_pass": True},
        [ANN, BOB, FREE, m.SeatPart("W", bot=True)],
        "gathering",
    ),
    m.TableCard("tB", "vint", "Vint", 4, {}, [ANN, m.SeatPart("E", "b", "Bob", bot=True), BOT, RED], "scored"),
    m.TableCard(
        "tC",
        "five_hundred",
        "Five Hundred",
        6,
        {"target": 1000},
        [m.SeatPart(str(place), f"p{place}", f"A person with a name {place}", connected=True) for place in range(1, 7)],
        "playing",
    ),
]


@asynccontextmanager
async def at_tables(
    folder: Path,
    cards: Sequence[m.TableCard] | None = CARDS,
    *,
    size: tuple[int, int] = (80, 24),
    config: Config = CONFIG,
    every_s: float = NEVER_S,
) -> AsyncIterator[Stage]:
    """Show the tables of a server; with None it has not said yet which there are."""
    async with staged(lambda desk: TablesScreen(desk, every_s), folder, size=size, config=config) as stage:
        if cards is not None:
            await list_tables(stage, cards)
        yield stage


async def list_tables(stage: Stage, cards: Sequence[m.TableCard] = CARDS) -> None:
    """Let the server list the tables, for which it is asked."""
    await stage.accept(await stage.asked(m.ListTables), m.TableList(list(cards)))


async def answer(stage: Stage, *cards: m.TableCard) -> None:
    """The same where it asks all the time, so that there is always one more answer to wait for."""
    command = await stage.asked(m.ListTables)
    stage.wire.say(m.TableList(list(cards)), m.Accepted(command.id))


async def after_dialog(stage: Stage, kind: type[C]) -> C:
    """Return what a dialog has led to; the list, which is asked for again when it closes, is answered."""
    command, look = await stage.asked(kind), await stage.asked(m.ListTables)
    stage.wire.say(m.TableList(CARDS), m.Accepted(look.id))
    return command


def card(name: str) -> m.TableCard:
    return structs.replace(CARDS[1], table=name)


# --- the list


async def test_the_list_is_asked_for_at_once(tmp_path: Path) -> None:
    async with at_tables(tmp_path, None) as stage:
        assert "Looking for tables ..." in stage.shown()
        await list_tables(stage)
        assert "3 public tables, 1 with free seats" in stage.shown()


async def test_it_is_asked_for_again_by_a_key(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("r", "r")
        await list_tables(stage, [])
        assert "There is no public table yet" in stage.shown()
        assert stage.wire.quiet, "it was asked for twice at a time"


async def test_it_is_asked_for_again_and_again(tmp_path: Path) -> None:
    async with at_tables(tmp_path, None, every_s=0.001) as stage:
        await answer(stage, card("t1"))
        await answer(stage, card("t1"), card("t2"))
        await stage.asked(m.ListTables)  # the answers before have come, then
        await settled(stage.app)
        assert "t2" in stage.shown()


async def test_it_is_not_asked_for_while_a_dialog_is_open(tmp_path: Path) -> None:
    async with at_tables(tmp_path, None, every_s=0.001) as stage:
        await stage.press("j")
        while not stage.wire.quiet:
            await answer(stage)
            await settled(stage.app)
        for _ in range(5):
            tick = asyncio.Event()
            stage.app.set_timer(0.002, tick.set)
            await tick.wait()
        assert stage.wire.quiet
        await stage.press("escape")
        await answer(stage)


async def test_a_refusal_is_told_above_the_list_until_it_comes(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("r")
        await stage.reject(await stage.asked(m.ListTables), "The store cannot be reached.")
        assert "✖ The store cannot be reached." in stage.shown() and "tA" in stage.shown()
        assert stage.app.said == []
        await stage.press("r")
        await list_tables(stage)
        assert "The store" not in stage.shown()


async def test_a_long_list_scrolls(tmp_path: Path) -> None:
    async with at_tables(tmp_path, [card(f"t{number}") for number in range(100)]) as stage:
        assert "t0\n" in stage.shown() and "t99" not in stage.shown()
        await stage.press("end")
        assert "t99" in stage.shown() and "t0\n" not in stage.shown()
        await stage.press("enter")
        assert (await stage.asked(m.JoinTable)).table == "t99"


async def test_the_highlight_stays_on_its_table(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("down", "r")
        await list_tables(stage, [card("tX"), *CARDS])
        await stage.press("enter")
        assert (await stage.asked(m.JoinTable)).table == "tB"


async def test_a_click_goes_to_a_table(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.click("[red]x[/]")
        assert await stage.asked(m.JoinTable) == m.JoinTable(3, "tB")


# --- going to a table


async def test_enter_goes_to_a_table(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("enter", "enter")
        command = await stage.asked(m.JoinTable)
        assert (command.table, command.invitation) == ("tA", None)
        assert "One moment ..." in stage.shown()
        await stage.reject(command, "The table has been ended.")
        assert stage.app.said == ["The table has been ended."]
        assert stage.wire.quiet, "it was sent twice"
        await stage.press("enter")
        assert (await stage.asked(m.JoinTable)).table == "tA"


async def test_the_table_that_waits_is_on_top(tmp_path: Path) -> None:
    Memory(tmp_path, URL).keep(Remembered("token", "Ann", "own", "code"))
    async with at_tables(tmp_path) as stage:
        assert "▶ Your table is waiting" in stage.shown()
        await stage.press("enter")
        command = await stage.asked(m.JoinTable)
        assert (command.table, command.invitation) == ("own", "code")


@pytest.mark.parametrize("typed", ["tP:code", f"{URL}#tP:code"])
async def test_a_code_or_link_leads_to_a_private_table(tmp_path: Path, typed: str) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("j", *typed, "enter")
        command = await after_dialog(stage, m.JoinTable)
        assert (command.table, command.invitation) == ("tP", "code")


async def test_an_invitation_is_remembered_though_the_screen_is_gone_before_the_answer(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("j", *"t1:code", "enter")
        command = await after_dialog(stage, m.JoinTable)
        await stage.tell(GATHERING)
        await stage.app.switch_screen(an_empty_screen(stage.desk))
        await stage.accept(command)
        assert Memory(tmp_path, URL).now == Remembered(None, "Ann", "t1", "code")


async def test_a_link_may_lead_to_another_server(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("j", *"wss://there#tP:code", "enter")
        assert [wish.address for wish in stage.app.wishes if isinstance(wish, GoToServer)] == [
            Address("wss://there:443/", "tP", "code")
        ]


# --- a new table


async def test_a_table_is_made_and_one_is_there(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("n", "down", "right", "enter")
        command = await after_dialog(stage, m.CreateTable)
        assert command == m.CreateTable(command.id, "auction_bridge", private=True)
        stage.wire.say(m.TableMade("tN", "code"), m.Accepted(command.id))
        join = await stage.asked(m.JoinTable)
        assert (join.table, join.invitation) == ("tN", "code")
        assert stage.app.said == [f"Your friends come with: biritch join {URL}#tN:code"]


async def test_a_table_that_is_refused_is_not_gone_to(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("n", "enter")
        await stage.reject(await after_dialog(stage, m.CreateTable), "There are too many tables.")
        assert stage.app.said == ["There are too many tables."]
        assert stage.wire.quiet


async def test_a_form_that_is_left_makes_nothing(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("n", "escape")
        await list_tables(stage)
        assert stage.wire.quiet


# --- the own name


async def test_the_own_name_is_shown_and_changed(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        assert "You are Ann" in stage.shown()
        await stage.press("m", "end", *"e [b]", "enter")
        command = await after_dialog(stage, m.SetName)
        assert command.name == "Anne [b]"
        assert "You are Ann\n" in stage.shown()
        await stage.accept(command)
        assert "You are Anne [b]" in stage.shown()


async def test_a_name_that_is_refused_is_not_shown(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("m", "e", "enter")
        await stage.reject(await after_dialog(stage, m.SetName), "The name cannot be shown.")
        assert "You are Ann\n" in stage.shown()
        assert stage.app.said == ["The name cannot be shown."]


async def test_a_name_has_at_most_24_signs(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("m", "end", *"x" * 30, "enter")
        assert (await after_dialog(stage, m.SetName)).name == "Ann" + "x" * 21


def test_a_name_is_not_empty() -> None:
    assert read_name(" Ann ") == "Ann"
    with pytest.raises(Wrong):
        read_name("  ")


# --- the way back, and the link


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_a_key_goes_back_to_the_servers(tmp_path: Path, key: str) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press(key)
        assert [type(wish) for wish in stage.app.wishes] == [LeaveServer]


async def test_a_lost_connection_shows_at_once_and_nothing_is_sent_later(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.drop()
        assert "✖ The connection is lost; trying again ..." in stage.shown()
        assert_golden("lobby_tables_lost", stage.app)
        await stage.press("enter", "r", "n", "enter", "m", "x", "enter")
        assert stage.app.said == ["There is no connection; this was not sent."] * 3
        assert "lost" in stage.shown()
        await stage.come_back()
        assert "lost" not in stage.shown()
        await list_tables(stage, [card("tZ")])
        assert "tZ" in stage.shown()
        assert stage.wire.quiet, "something that was refused has been sent"


async def test_a_connection_lost_while_the_list_was_asked_for(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("r")
        await stage.asked(m.ListTables)
        await stage.drop()
        await stage.come_back()
        await list_tables(stage, [card("tZ")])
        assert "tZ" in stage.shown() and stage.app.said == []


async def test_a_command_whose_answer_is_lost(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        await stage.press("enter")
        await stage.asked(m.JoinTable)
        await stage.drop()
        await stage.come_back()
        await list_tables(stage)
        assert stage.app.said == ["The connection broke; nobody knows whether this was done."]
        assert "3 public tables" in stage.shown()


async def test_one_may_come_while_there_is_no_connection(tmp_path: Path) -> None:
    async with staged(an_empty_screen, tmp_path) as stage:
        await stage.drop()
        await stage.app.push_screen(TablesScreen(stage.desk, NEVER_S))
        await settled(stage.app)
        assert "The connection is lost" in stage.shown()
        await stage.come_back()
        await list_tables(stage)
        assert "3 public tables" in stage.shown()


# --- how it looks


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
async def test_it_looks_like_this(tmp_path: Path, size: tuple[int, int]) -> None:
    async with at_tables(tmp_path, size=size) as stage:
        assert_golden(f"lobby_tables_{size[0]}x{size[1]}", stage.app)


async def test_it_needs_ascii_alone(tmp_path: Path) -> None:
    cards = [structs.replace(CARDS[0], table="tZ", seats=[m.SeatPart("N", "z", "Zoë ♥", connected=True)]), *CARDS]
    async with at_tables(tmp_path, cards, config=ASCII) as stage:
        assert stage.shown().isascii()
        assert_golden("lobby_tables_ascii", stage.app)
        await stage.press("m")
        assert stage.shown().isascii()
        await stage.press("escape")
        await stage.drop()
        assert stage.shown().isascii() and "! The connection is lost" in stage.shown()
        await stage.come_back()


async def test_it_needs_no_colour(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        coloured = stage.shown()
    async with at_tables(tmp_path, config=Config(theme="mono", bell=False)) as stage:
        assert stage.shown() == coloured
        await stage.press("down")
        assert "▶ Vint" in stage.shown() and "▶ Royal" not in stage.shown()


async def test_who_is_away_is_shown_paler_in_every_theme(tmp_path: Path) -> None:
    for theme in get_args(Theme):
        async with at_tables(tmp_path, config=Config(theme=theme, bell=False)) as stage:
            assert stage.style_of("Bob, away").color != stage.style_of("Ann").color


async def test_another_size_packs_the_seats_anew(tmp_path: Path) -> None:
    async with at_tables(tmp_path) as stage:
        assert "name 1  2 A person" in stage.shown() and "name 2  3 A person" not in stage.shown()
        await stage.pilot.resize_terminal(120, 30)
        await settled(stage.app)
        assert "name 2  3 A person" in stage.shown()


@pytest.mark.parametrize(
    ("place", "lines"),
    [
        (
            0,
            [
                "Royal auction bridge    not begun      tA",
                "   N Ann  E Bob, away  S free  W bot",
                "   slams=english  nullos=on  dealer_may_pass=true",
            ],
        ),
        (1, ["Vint                    between deals  tB", "   N Ann  E bot for Bob  S bot  W [red]x[/]"]),
    ],
)
def test_a_table_in_lines(place: int, lines: list[str]) -> None:
    assert [line.plain for line in card_lines(CARDS[place], 60, SYMBOLS)] == lines


def test_what_others_wrote_can_do_nothing_to_the_terminal() -> None:
    seat = m.SeatPart("N", "x", "\x1b[31mé", connected=True)
    lines = card_lines(structs.replace(CARDS[1], seats=[seat], options={"a\n": "\x07"}), 60, LETTERS)
    assert [line.plain for line in lines][1:] == ["   N ?[31me", "   a?=?"]
