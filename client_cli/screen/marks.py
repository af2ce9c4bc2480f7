"""The few signs beside those of the suits, as symbols or in ASCII, and texts of other people made fit to be shown."""

import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from client_cli.console import printable
from client_cli.signs import LETTERS, Signs


class Frame(NamedTuple):
    """What the edges of a card are drawn with; the tees are where one edge meets another from a side."""

    across: str
    down: str
    upper_left: str
    upper_right: str
    lower_right: str
    lower_left: str
    tee_right: str
    tee_left: str


@dataclass(frozen=True, slots=True)
class Marks:
    """`turn` stands before whoever has to act, `bad` before bad news, `up` under the cursor, `cut` where a text ends.

    A card that was led has another frame than the others.
    """

    turn: str
    bad: str
    dot: str
    up: str
    cut: str
    rule: str
    frame: Frame
    frame_led: Frame


SYMBOL_MARKS = Marks("▶", "✖", "·", "▲", "…", "━", Frame(*"─│╭╮╯╰├┤"), Frame(*"═║╔╗╝╚╠╣"))
LETTER_MARKS = Marks(">", "!", "-", "^", "~", "=", Frame(*"-|..''.."), Frame(*"=#######"))


def marks_of(signs: Signs) -> Marks:
    """Return the marks that go with signs."""
    return LETTER_MARKS if signs is LETTERS else SYMBOL_MARKS


def clean(text: str, signs: Signs) -> str:
    """Return a text that others wrote, without what a terminal cannot show, or would take for more than a text."""
    shown = printable(text)
    if signs is not LETTERS:
        return shown
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", shown) if not unicodedata.combining(sign))
    return bare.encode("ascii", "replace").decode()


def cut(text: str, width: int, signs: Signs) -> str:
    """Return as much of a text as has room, with a mark where there was more."""
    return text if len(text) <= width else text[: max(0, width - 1)] + marks_of(signs).cut
