"""The page for authors of clients says what the program does."""

import json
import re

import pytest
from msgpack import packb
from msgspec import inspect

from protocol import messages as m
from protocol.codec import decode_command, decode_message
from tests.protocol.samples import COMMANDS, EVENTS, SAYINGS
from tools import protocol_page
from tools.protocol_session import session

OUT_OF_DATE = "run `python -m tools.protocol_page`"


def test_the_page_is_up_to_date() -> None:
    assert protocol_page.PAGE.read_text("utf-8") == protocol_page.page(), OUT_OF_DATE


@pytest.mark.parametrize("kind", [*COMMANDS, *SAYINGS, *EVENTS], ids=lambda kind: kind.__name__)
def test_every_message_is_described(kind: type[m.Command | m.ServerMessage]) -> None:
    words = protocol_page.words(kind)
    assert words and f"\n### {kind.__struct_config__.tag}\n\n{words}\n" in protocol_page.page()


def test_a_pattern_that_has_no_words_yet_is_noticed() -> None:
    with pytest.raises(KeyError):
        protocol_page.described(inspect.StrType(pattern="[a-z]"))


def test_links_lead_somewhere() -> None:
    page = protocol_page.page()
    titles = {title.lower().replace(" ", "-") for title in re.findall(r"^#+ (.+)$", page, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= titles


def test_the_session_is_made_of_real_messages() -> None:
    text = re.sub(r"\n    ", " ", session())
    lines = [(line[0], json.loads(line[2:])) for line in text.splitlines() if line[0] in "<>"]
    commands = [decode_command(packb(fields)) for arrow, fields in lines if arrow == ">"]
    answers = [decode_message(packb(fields)) for arrow, fields in lines if arrow == "<"]
    answered = [said.id for said in answers if isinstance(said, m.Accepted | m.Rejected)]
    assert None not in answers
    assert answered == [command.id for command in commands]


def test_check_tells_a_page_that_is_out_of_date(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol_page, "PAGE", protocol_page.ROOT / "docs" / "none.md")
    assert protocol_page.main(["--check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert protocol_page.main(["--wrong"]) == 2
