"""Colours: four themes, each with a colour for every suit. Colour is never alone: a suit has its sign or letter too."""

import os

from textual.theme import Theme

from client_cli.config import Config
from rules.cards import Suit

MUTED = "dim"
"""The style of what matters less, in a `Content`; `$text-muted`, which is for CSS alone, shows there as plain white."""

SUIT_VARIABLES = {
    Suit.SPADES: "suit-spades",
    Suit.HEARTS: "suit-hearts",
    Suit.DIAMONDS: "suit-diamonds",
    Suit.CLUBS: "suit-clubs",
}

THEMES = (
    Theme(
        "dark",
        primary="#5fae8b",
        secondary="#8fb8de",
        accent="#ffc857",
        warning="#ffb454",
        error="#ff7a70",
        success="#7ed491",
        foreground="#e6e8e3",
        background="#10191a",
        surface="#162325",
        panel="#1d2f31",
        dark=True,
        variables={
            "felt": "#143b30",
            "suit-spades": "#c5d3ff",
            "suit-hearts": "#ff8480",
            "suit-diamonds": "#ffb35c",
            "suit-clubs": "#7fdc8f",
        },
    ),
    Theme(
        "light",
        primary="#1f6f54",
        secondary="#2b5f8f",
        accent="#8a5a00",
        warning="#8a5a00",
        error="#b3261e",
        success="#1b6e32",
        foreground="#1d2422",
        background="#f7f5ee",
        surface="#efece2",
        panel="#e4e0d2",
        dark=False,
        variables={
            "felt": "#dbe9df",
            "suit-spades": "#1c2a6b",
            "suit-hearts": "#b3001b",
            "suit-diamonds": "#9a4b00",
            "suit-clubs": "#0b6126",
        },
    ),
    Theme(
        "colour-blind",
        primary="#56b4e9",
        secondary="#cc79a7",
        accent="#f0e442",
        warning="#e69f00",
        error="#e69f00",
        success="#56b4e9",
        foreground="#f2f2f2",
        background="#0c1116",
        surface="#131b23",
        panel="#1b2733",
        dark=True,
        variables={
            "felt": "#10283a",
            # The palette of Okabe and Ito, which all kinds of colour vision tell apart.
            "suit-spades": "#ffffff",
            "suit-hearts": "#e69f00",
            "suit-diamonds": "#f0e442",
            "suit-clubs": "#56b4e9",
        },
    ),
    Theme(
        "mono",
        primary="#ffffff",
        secondary="#ffffff",
        accent="#ffffff",
        warning="#ffffff",
        error="#ffffff",
        success="#ffffff",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#202020",
        dark=True,
        variables={"felt": "#000000", **dict.fromkeys(SUIT_VARIABLES.values(), "#ffffff")},
    ),
)


def theme_of(config: Config) -> str:
    """Return the name of the theme to use; `auto` goes by what the terminal says of its background."""
    if config.theme != "auto":
        return config.theme
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if background in ("7", "15") else "dark"
