"""The options of Five Hundred and their presets, laid out as in docs/rules/five_hundred.md, section 9."""

from collections.abc import Mapping
from dataclasses import replace

from rules.errors import BadOption
from rules.five_hundred_cards import PACKS
from rules.options import Option, Options, Value, parse_value

PRESETS = {"hoyle3": 3, "hoyle2": 2, "aus4": 4, "us_official4": 4, "five": 5, "aus6": 6}
"""Each preset with the number of its players; the first for a number is the default."""

PACKS_FOR = {2: (33, 24), 3: (33,), 4: (43, 42, 45, 46), 5: (53,), 6: (63,)}
"""The packs that so many players may use."""

# How many cards go at a time to each hand, or as `w` to the widow. What is left then goes to the widow too.
DEALS = {
    "hoyle": "3 3 3 1",
    "3w1-4w1-3w1": "3 w1 4 w1 3 w1",
    "3-w3-4-3": "3 w3 4 3",
    "45": "3 w3 2 w2 3 2",
    "3-4-3": "3 4 3",
}

# Packs that are dealt otherwise than the preset says. Section 2 has no name for 3-4-3; we call it so.
_DEAL_OF_PACK = {45: "45", 42: "3-4-3", 46: "3-4-3", 24: "3-4-3"}

OPTIONS = (
    Option("pack", tuple(PACKS), "How many cards there are: which ones, the rules say."),
    Option("deal", tuple(DEALS), "How many cards are dealt at a time to hands and widow."),
    Option("first_dealer", ("random", "cut"), "Who deals first: drawn, or by cutting for the lowest card."),
    Option("auction", ("continuing", "single_round"), "Whether bidding goes round until all have passed, or once."),
    Option("lone_bidder_may_raise", (False, True), "Whether the bidder may raise once more when all others passed."),
    Option("all_pass", ("no_trump_play", "redeal"), "What follows if all pass: play without trumps, or a new deal."),
    Option("misere", ("off", "on"), "Whether one may bid to lose every trick, for 250."),
    Option("misere_rank", ("below_8S", "between_8S_8C"), "Where misère stands among the bids."),
    Option("misere_needs_seven", (True, False), "Whether misère may be bid only after a bid of seven."),
    Option("open_misere", ("off", "on"), "Whether one may bid to lose every trick with an open hand, for 500."),
    Option("open_misere_rank", ("between_10D_10H", "top"), "Where open misère stands among the bids."),
    Option(
        "open_misere_expose",
        ("after_first_trick", "before_first_lead"),
        "When the hand of an open misère is shown.",
    ),
    Option("misere_force_joker", (True, False), "Whether in a misère a hand void of the suit led must play the joker."),
    Option("misere_stop_on_loss", (True, False), "Whether a misère ends as soon as the bidder wins a trick."),
    Option("misere_defenders_score", (False, True), "Whether the tricks of the others count in a misère."),
    Option(
        "nt_joker",
        ("hoyle", "modern", "free"),
        "Without trumps a joker leads a suit that its player has not renounced, one not yet led, or any.",
    ),
    Option(
        "nt_joker_follow",
        ("void_only", "anytime"),
        "Whether without trumps a joker may be played by a hand that could follow suit.",
    ),
    Option("joker_prenomination", ("off", "on"), "Whether without trumps the bidder may name the suit of his joker."),
    Option("slam_250", ("on", "off"), "Whether all ten tricks score at least 250."),
    Option("target", (500,), "How many points win the game.", numbers=range(10, 10_001)),
    Option("win_requires_contract", (False, True), "Whether only a side that makes its contract can win the game."),
    Option("back_door", ("none", -500), "The total at which a side loses the game."),
    Option("defender_cap_490", ("off", "on"), "Whether tricks alone lift no total above 490."),
    Option("inkle", ("off", "on"), "Whether sixes are for the first two callers and are not played."),
)

# `same` is the value in the first column. A dash is the first value of the option, and leaves no choice.
TABLE = """
                       | hoyle3            | hoyle2        | aus4        | us_official4 | five        | aus6
pack                   | 33                | 33            | 43          | 43           | 53          | 63
deal                   | hoyle             | hoyle         | 3w1-4w1-3w1 | 3-w3-4-3     | 3w1-4w1-3w1 | 3w1-4w1-3w1
first_dealer           | random            | random        | random      | random       | random      | random
auction                | continuing        | continuing    | continuing  | single_round | continuing  | continuing
lone_bidder_may_raise  | false             | false         | false       | false        | false       | false
all_pass               | no_trump_play     | no_trump_play | redeal      | redeal       | redeal      | redeal
misere                 | off               | off           | on          | off          | -           | on
misere_rank            | below_8S          | below_8S      | below_8S    | below_8S     | -           | below_8S
misere_needs_seven     | true              | true          | true        | true         | -           | true
open_misere            | off               | off           | on          | off          | -           | on
open_misere_rank       | between_10D_10H   | same          | same        | same         | -           | same
open_misere_expose     | after_first_trick | same          | same        | same         | -           | same
misere_force_joker     | true              | true          | true        | true         | -           | true
misere_stop_on_loss    | true              | true          | true        | true         | -           | true
misere_defenders_score | false             | false         | false       | false        | -           | false
nt_joker               | hoyle             | hoyle         | modern      | free         | modern      | modern
nt_joker_follow        | void_only         | void_only     | void_only   | void_only    | void_only   | void_only
joker_prenomination    | off               | off           | on          | off          | on          | on
slam_250               | on                | on            | on          | on           | on          | on
target                 | 500               | 500           | 500         | 500          | 500         | 500
win_requires_contract  | false             | false         | true        | false        | false       | true
back_door              | -                 | -500          | -500        | -500         | -           | -500
defender_cap_490       | off               | off           | off         | off          | off         | off
inkle                  | off               | off           | off         | off          | off         | off
"""


def _columns() -> dict[str, dict[str, Option]]:
    head, *rows = [[cell.strip() for cell in line.split("|")] for line in TABLE.strip("\n").splitlines()]
    options = {option.name: option for option in OPTIONS}
    return {
        preset: {
            name: _with_default(options[name], cells[0] if cells[place] == "same" else cells[place])
            for name, *cells in rows
        }
        for place, preset in enumerate(head[1:])
    }


def _with_default(option: Option, text: str) -> Option:
    """Return an option with the default that the table gives it in front."""
    if text == "-":
        return replace(option, values=option.values[:1])
    return _first(option, parse_value(option, text))


def _first(option: Option, default: Value) -> Option:
    others = [value for value in option.values if value != default or type(value) is not type(default)]
    return replace(option, values=(default, *others))


_COLUMNS = _columns()


def options_for(players: int, given: Mapping[str, object]) -> tuple[Option, ...]:
    """Return the options for so many players, with the defaults of the preset and the pack that are given."""
    presets = tuple(preset for preset, number in PRESETS.items() if number == players)
    preset = next((preset for preset in presets if preset == given.get("preset")), presets[0])
    column = dict(_COLUMNS[preset])
    packs = sorted(PACKS_FOR[players], key=lambda pack: pack != column["pack"].default)
    column["pack"] = replace(column["pack"], values=tuple(packs))
    pack = next((pack for pack in packs if pack == given.get("pack")), packs[0])
    if pack in _DEAL_OF_PACK:
        column["deal"] = _first(column["deal"], _DEAL_OF_PACK[pack])
    if pack == 46:
        column["joker_prenomination"] = _first(column["joker_prenomination"], "off")
    return (Option("preset", presets, "Which column of options is the default of the rest."), *column.values())


def hands_dealt(players: int, pack: int) -> int:
    """Return how many hands of ten are dealt: with two players and 33 cards one more, which is dead."""
    return 3 if (players, pack) == (2, 33) else players


def refuse_contradictory(players: int, options: Options) -> None:
    """Refuse options that contradict each other, by name. Raises BadOption."""
    pack, deal = int(options["pack"]), str(options["deal"])
    in_deal = sum(int(part[1:]) for part in DEALS[deal].split() if part.startswith("w"))
    widow = pack - 10 * hands_dealt(players, pack)
    if in_deal not in (0, widow) or (deal == "hoyle" and widow != 3):
        raise _contradiction(f"deal {deal} does not go with pack {pack}, which leaves a widow of {widow}")
    if pack == 46 and options["nt_joker"] == "hoyle":
        raise _contradiction("pack 46 has two jokers, which nt_joker hoyle does not provide for")
    if pack == 46 and options["joker_prenomination"] == "on":
        raise _contradiction("pack 46 has two jokers, so that joker_prenomination must be off")
    if options["auction"] == "single_round" and options["lone_bidder_may_raise"]:
        raise _contradiction("lone_bidder_may_raise is for the continuing auction, and auction is single_round")
    if options["auction"] == "continuing" and options["inkle"] == "on":
        raise _contradiction("inkle is for an auction of a single_round, and auction is continuing")


def _contradiction(sentence: str) -> BadOption:
    return BadOption("options.contradictory", f"{sentence}.")
