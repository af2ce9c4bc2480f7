"""Coming to a table by a link or a code."""

from pathlib import Path

import pytest

from client_cli.address import Address, parse_address
from client_cli.screen.field import Wrong
from client_cli.screen.join import join_dialog, read_invitation, read_link
from tests.client_cli.screen.dialogs import ASCII, empty_stage, opened
from tests.client_cli.screen.stage import assert_golden

HERE = "ws://here:8765/"


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("t1", Address(HERE, "t1")),
        (" t1:code ", Address(HERE, "t1", "code")),
        ("#t1:code", Address(HERE, "t1", "code")),
        ("ws://here:8765/#t1:code", Address(HERE, "t1", "code")),
        ("here#t1", Address(HERE, "t1")),
        ("wss://there/#t2:x", Address("wss://there:443/", "t2", "x")),
        ("biritch join wss://there/#t2", Address("wss://there:443/", "t2")),
    ],
)
def test_what_leads_to_a_table(typed: str, address: Address) -> None:
    assert read_invitation(typed, HERE) == address


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Give a link"),
        ("t 1", "Give a link"),
        ("ws://there/", "Give a link"),
        ("t" * 33, "Give a link"),
        ("ws://there/#", "leads to no table"),
        ("ws://there/#a/b", "leads to no table"),
        ("ws://there/#t:" + "c" * 33, "leads to no table"),
        ("ftp://there/#t", "is no address of a server"),
    ],
)
def test_what_does_not(typed: str, sentence: str) -> None:
    with pytest.raises(Wrong, match=sentence):
        read_invitation(typed, HERE)


def test_a_link_may_come_with_the_command_before_it() -> None:
    assert read_link("biritch join h:1#t") == read_link("h:1#t") == parse_address("h:1#t")


async def test_a_code_is_typed(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, join_dialog(HERE))
        await stage.press(*"t1:?", "enter")
        assert results == [Address(HERE, "t1", "?")]


async def test_what_is_wrong_is_told_and_nothing_done(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, join_dialog(HERE))
        await stage.press("enter")
        assert "Give a link with a # in it" in stage.shown() and results == []
        assert_golden("lobby_join", stage.app)
        await stage.press("t")
        assert "Give a link" not in stage.shown()


async def test_esc_leaves_it(tmp_path: Path) -> None:
    async with empty_stage(tmp_path) as stage:
        results = await opened(stage, join_dialog(HERE))
        await stage.press("t", "escape")
        assert results == [None]


async def test_it_needs_ascii_alone(tmp_path: Path) -> None:
    async with empty_stage(tmp_path, config=ASCII) as stage:
        await opened(stage, join_dialog(HERE))
        await stage.press("enter")
        assert stage.shown().isascii()
        assert_golden("lobby_join_ascii", stage.app)
