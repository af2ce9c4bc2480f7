"""`biritch score`: the worked examples of the rules as they are told by people, and what contradicts itself."""

import json
import re
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client_cli.main import cli
from rules.cards import Rank, Suit, parse_hand
from rules.errors import BadOption
from rules.facts import BadFact, Fact
from rules.five_hundred_options import PRESETS
from rules.game import Family
from rules.options import Value
from rules.registry import GAMES, make_game
from tests.rules.deals import golden_records
from tests.rules.test_auction_bridge_examples import SCORES as AUCTION_BRIDGE
from tests.rules.test_bridge_examples import SCORES as BRIDGE
from tests.rules.test_five_hundred_examples import SCORES as FIVE_HUNDRED

VINT = golden_records("vint_worked.jsonl")
SIDES = ("NS", "EW")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["score", *arguments])


def scored(*arguments: str) -> Any:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def rows(table: str) -> list[Any]:
    split = [re.split(r"\s*\|\s*", line) for line in table.strip().splitlines()]
    return [pytest.param(*row[1:], id=row[0].strip()) for row in split]


# --- rubbers


def pair(text: str) -> list[int]:
    return list(map(int, text.split("-")))


def standing(text: str) -> dict[str, dict[str, int]]:
    """Read `games part total` of the tables: what is not below the line is above it."""
    games, part, total = map(pair, text.split()[:3])
    above = [all_ - below for all_, below in zip(total, part, strict=True)]
    columns = {"below": part, "above": above, "games": games}
    return {name: dict(zip(SIDES, numbers, strict=True)) for name, numbers in columns.items()}


def told_before(before: dict[str, dict[str, int]]) -> list[str]:
    names = {"below": "part", "above": "above", "games": "games"}
    return [
        word
        for column, numbers in before.items()
        for word in (f"--{names[column]}", ",".join(f"{side}={number}" for side, number in numbers.items()))
    ]


def points(values: Any, account: str, *without: str) -> dict[str, int]:
    lines = [line for line in values["lines"] if line["account"] == account and line["reason"] not in without]
    return {side: sum(line["points"] for line in lines if line["side"] == side) for side in SIDES}


def check_rubber(values: Any, score: str, after: str) -> None:
    expected = list(map(int, score.split()))
    assert points(values, "below") == dict(zip(SIDES, expected[::2], strict=True))
    assert points(values, "above", "rubber") == dict(zip(SIDES, expected[1::2], strict=True))
    assert values["after"] == standing(after)
    winner = after.split()[3:]
    assert (values["over"], values["winner"]) == (bool(winner), winner[0] if winner else None)
    assert {side: numbers["below"] for side, numbers in values["score"].items()} == points(values, "below")


@pytest.mark.parametrize(("before", "contract", "honours", "score", "after"), rows(AUCTION_BRIDGE))
def test_auction_bridge(before: str, contract: str, honours: str, score: str, after: str) -> None:
    bid, *doubled, dealer, declarer, won = contract.split()
    told = ["--contract", "".join([bid, *doubled]), "--by", declarer, "--tricks", won, "--dealer", dealer]
    told += ["--honours", honours.replace(" ", ",")]
    check_rubber(scored("auction_bridge", *told, *told_before(standing(before))), score, after)


@pytest.mark.parametrize(("before", "declared", "honours", "score", "after"), rows(BRIDGE))
def test_bridge(before: str, declared: str, honours: str, score: str, after: str) -> None:
    declaration, _, doublings, _, dealer, won = declared.split()
    void = ",".join(part[0] for part in honours.split() if part.endswith("void"))
    told = ["--declaration", declaration, "--doubled", doublings, "--dealer", dealer, "--tricks", f"NS={won}"]
    told += ["--honours", honours.replace("void", "-").replace(" ", ",")] + (["--void", void] if void else [])
    check_rubber(scored("bridge", *told, *told_before(standing(before))), score, after)


def vint_told(example: dict[str, Any], *, in_order: bool) -> list[str]:
    """Tell of an example what people would: who held which honours, aces and sequences, and who won."""
    hands = {seat: parse_hand(text) for seat, text in example["hands"].items()}
    trumps = None if example["bid"].endswith("N") else Suit(example["bid"][-1])
    aces = {seat: "".join(card.suit or "" for card in hand if card.rank is Rank.ACE) for seat, hand in hands.items()}
    told = ["--contract", example["bid"], "--by", example["bidder"], "--aces", _parts(aces)]
    if trumps:
        held = {seat: [card for card in hand if card.suit is trumps] for seat, hand in hands.items()}
        honours = {seat: "".join(str(card)[1] for card in held[seat] if card.rank >= Rank.TEN) for seat in held}
        told += ["--honours", _parts(honours)]
    runs = [run for run in example["expected"]["breakdown"]["coronets"] if run["kind"] == "sequence"]
    told += ["--coronets", ",".join(f"{run['seat']}={run['suit']}{''.join(run['cards'])}" for run in runs)]
    won = example["expected"]["breakdown"]["tricks"]
    return told + (["--tricks-in-order", example["trick_winners"]] if in_order else ["--tricks", f"NS={won['NS']}"])


def _parts(held: dict[str, str]) -> str:
    return ",".join(f"{seat}={cards or '-'}" for seat, cards in held.items())


@pytest.mark.parametrize("example", [pytest.param(each, id=each["id"]) for each in VINT])
def test_vint(example: dict[str, Any]) -> None:
    told = vint_told(example, in_order=True) if example["bid"] else ["--contract", "pass"]
    values, expected = scored("vint", *told, *told_before(example["before"])), example["expected"]
    assert {account: points(values, account) for account in ("below", "above")} == {
        account: expected[account] for account in ("below", "above")
    }
    after = {column: values["after"][column] for column in ("below", "games")}
    assert (after, values["over"]) == (expected["after"], expected["rubber_over"])


@pytest.mark.parametrize("example", [pytest.param(each, id=each["id"]) for each in VINT if each["bid"]])
def test_vint_asks_for_the_order_where_it_matters(example: dict[str, Any]) -> None:
    told = [*vint_told(example, in_order=False), *told_before(example["before"])]
    done = run("vint", *told, "--json")
    if example["id"] in ("E25", "E26", "E28", "E39"):
        assert done.exit_code == 2
        assert "Both sides come to 500" in done.output
    else:
        ordered = [*vint_told(example, in_order=True), *told_before(example["before"])]
        assert json.loads(done.stdout) == scored("vint", *ordered)


# --- Five Hundred


@pytest.mark.parametrize(("preset", "before", "bid", "tricks", "after", "winner"), rows(FIVE_HUNDRED))
def test_five_hundred(preset: str, before: str, bid: str, tricks: str, after: str, winner: str) -> None:
    sides = {2: "1 2", 3: "1 2 3", 4: "NS EW", 5: "1 2 3 4 5", 6: "135 246"}[PRESETS[preset]].split()
    told = [
        "--players",
        str(PRESETS[preset]),
        "--option",
        f"preset={preset}",
        "--bid",
        bid.split()[1] if bid else "pass",
    ]
    if bid:
        by, _, *partners = bid.split()
        told += ["--by", sides[int(by)]] + (
            ["--partners", ",".join(sides[int(each)] for each in partners)] * bool(partners)
        )
    if tricks.isalpha():
        told += ["--tricks-in-order", tricks.translate(str.maketrans("ABC", "123"))]
    else:
        told += ["--tricks", numbers(sides, tricks)]
    values = scored("five_hundred", *told, "--before", numbers(sides, before))
    assert list(values["after"]["scores"].values()) == list(map(int, after.split()))
    assert values["winner"] == (sides[int(winner)] if winner else None)
    assert values["over"] is bool(winner)


def numbers(sides: list[str], text: str) -> str:
    return ",".join(f"{side}={number}" for side, number in zip(sides, text.split(), strict=True))


# --- lines and house rules


def test_the_lines_say_where_each_point_comes_from() -> None:
    done = run("auction_bridge", "--contract", "3♥ x", "--by", "south", "--tricks", "10", "--honours", "S=AQ,N=K")
    assert done.exit_code == 2
    assert "'south' is nobody here; it can be: NS, EW, N, E, S, W" in done.output
    done = run("auction_bridge", "--contract", "3♥ x", "--by", "s", "--tricks", "10", "--honours", "S=AQ,N=K")
    assert done.stdout.splitlines() == [
        "NS  below     64  tricks 4 x 8 x 2",
        "NS  above     50  doubled contract made 50",
        "NS  above     50  overtricks 1 x 50",
        "NS  above     16  honours 2 x 8",
        "in all: NS 180, EW 0",
        "after: below NS 0 EW 0, above NS 180 EW 0, games NS 1 EW 0",
    ]


@pytest.mark.parametrize("honours", ["S=AK", "N=A,S=K", "S=AK,E=QJT", "N=A,S=K,E=Q,W=JT"])
def test_the_other_side_has_the_honours_that_are_not_told(honours: str) -> None:
    score = scored(*AUCTION, "--honours", honours)
    assert points(score, "above") == {"NS": 0, "EW": 2 * 8}


def test_house_rules_change_the_score() -> None:
    told = ["--contract", "1S XX", "--by", "S", "--tricks", "4", "--honours", "E=AKQ,N=J,S=10"]
    assert points(scored("auction_bridge", *told), "above")["EW"] == 600 + 4
    assert points(scored("auction_bridge", *told, "--option", "one_spade_limit=always"), "above")["EW"] == 100 + 4
    void = ["--contract", "2H", "--by", "NS", "--tricks", "8", "--honours", "N=AKQ", "--void", "E,W"]
    assert "nobody is left to hold HJ HT" in run("auction_bridge", *void, "--option", "chicane=1908").output
    void[-1] = "E"
    assert points(scored("auction_bridge", *void, "--option", "chicane=1908"), "above") == {"NS": 16, "EW": 16}
    nullos = ["--contract", "2Z", "--by", "S", "--tricks", "5", "--option", "nullos=on"]
    assert points(scored("auction_bridge", *nullos), "below")["NS"] == 20
    spades = ["--declaration", "S", "--option", "spade_convention=two_and_four"]
    assert scored("bridge", *spades, "--dealer", "E")["score"]["EW"] == {"below": 2, "above": 4}
    assert "--dealer is missing" in run("bridge", *spades).output


def test_the_order_of_the_tricks_is_asked_for_in_five_hundred_too() -> None:
    told = ["--players", "3", "--bid", "8C", "--by", "1", "--before", "1=300,2=480,3=490"]
    done = run("five_hundred", *told, "--tricks", "1=5,2=3,3=2")
    assert done.exit_code == 2
    assert "tell who won each trick" in done.output
    assert scored("five_hundred", *told, "--tricks-in-order", "1123123121")["winner"] == "3"


# --- what is refused

AUCTION = ("auction_bridge", "--contract", "3H", "--by", "S", "--tricks", "9")
VINT_DEAL = ("vint", "--contract", "2H", "--by", "N", "--tricks", "NS=8")
ACES = ("--aces", "N=SH,E=DC")
REFUSED = [
    (("auction_bridge", "--contract", "3H", "--by", "S"), "--tricks is missing"),
    (("auction_bridge", "--contract", "3H", "--by", "S", "--tricks", "14"), "are 13 in all"),
    (("auction_bridge", "--contract", "3H", "--by", "S", "--tricks", "NS=9,EW=5"), "are 13 in all"),
    (("auction_bridge", "--contract", "8H", "--by", "S", "--tricks", "9"), "There is no bid 8H at this table"),
    (("auction_bridge", "--contract", "what", "--by", "S", "--tricks", "9"), "is no call"),
    (("auction_bridge", "--contract", "3HXXX", "--by", "S", "--tricks", "9"), "once only"),
    (AUCTION, "--honours is missing: tell who was dealt A K Q J 10 of hearts"),
    ((*AUCTION, "--honours", "S=AQ,N=A"), "names HA twice"),
    ((*AUCTION, "--honours", "S=A9"), "H9, which is no honour"),
    ((*AUCTION, "--honours", "S=AZ"), "is not understood"),
    ((*AUCTION, "--honours", "AQ"), "does not say whose"),
    ((*AUCTION, "--honours", "Q=A"), "the seats are: N, E, S, W"),
    ((*AUCTION, "--honours", "S=A"), "nobody is said to hold HK HQ HJ HT"),
    ((*AUCTION, "--honours", "S=AK,E=Q"), "nobody is said to hold HJ HT"),
    ((*AUCTION, "--honours", "S=AKQ", "--void", "E"), "--void has no place here"),
    ((*AUCTION, "--honours", "S=AKQ", "--void", "S", "--option", "chicane=1908"), "S cannot be void"),
    (("auction_bridge", "--contract", "1S", "--by", "N", "--dealer", "S", "--tricks", "4"), "the dealer's own"),
    ((*AUCTION, "--honours", "S=AKQ", "--part", "NS=30"), "No deal begins like this"),
    ((*AUCTION, "--honours", "S=AKQ", "--part", "NS=x"), "is no number"),
    ((*AUCTION, "--honours", "S=AKQ", "--part", "N=3"), "the sides are: NS, EW"),
    ((*AUCTION, "--honours", "S=AKQ", "--part", "NS=1,NS=2"), "names NS twice"),
    ((*AUCTION, "--option", "chicane=maybe"), "It can be: off, 1912, 1908"),
    ((*AUCTION, "--colour", "red"), "No such option"),
    (("bridge", "--declaration", "R", "--tricks", "NS=8"), "the declarations are: S, C, D, H, N"),
    (("bridge", "--declaration", "H", "--tricks", "8", "--honours", "S=AKQ"), "does not say whose"),
    (("bridge", "--declaration", "H", "--doubled", "5", "--tricks", "NS=8"), "up to 4 times"),
    (("bridge", "--declaration", "N", "--tricks", "NS=8", "--void", "E"), "there are no trumps"),
    ((*VINT_DEAL, *ACES), "--honours is not complete: nobody is said to hold HK HQ HJ HT"),
    ((*VINT_DEAL, "--honours", "N=AKQJ10", "--aces", "N=SH,E=D"), "--aces is not complete"),
    ((*VINT_DEAL, "--honours", "N=AKQJ10", "--aces", "N=S,E=DCH"), "HA is said to be with N and with E"),
    ((*VINT_DEAL, "--honours", "N=AKQJ10", *ACES, "--coronets", "S=SKQT"), "is no sequence"),
    ((*VINT_DEAL, "--tricks-in-order", "NNN"), "tells of 3 tricks"),
    ((*VINT_DEAL, "--tricks-in-order", "NSNSNSNEWEWEW"), "--tricks gives NS 8 and --tricks-in-order 7"),
    (("vint", "--contract", "2HX", "--by", "N", "--tricks", "NS=8"), "nothing is doubled"),
    (("vint", "--contract", "pass", "--by", "N"), "--by has no place here: nobody has bid"),
    (("five_hundred", "--bid", "7D", "--by", "NS", "--tricks", "NS=8,EW=3"), "11 in all, and there are 10"),
    (("five_hundred", "--bid", "pass", "--tricks", "NS=8"), "is not played"),
    (("five_hundred", "--bid", "M", "--by", "N", "--tricks", "NS=2,EW=3"), "ends as soon as the bidder wins a trick"),
    (("five_hundred", "--players", "3", "--bid", "M", "--by", "1", "--tricks", "1=0"), "There is no bid 'M'"),
    (("five_hundred", "--players", "3", "--bid", "7D", "--by", "1", "--tricks", "1=7"), "7 in all"),
    (("five_hundred", "--players", "7", "--bid", "7D", "--by", "1", "--tricks", "1=7"), "is not for 7 players"),
    (("five_hundred", "--bid", "7D", "--by", "N", "--partners", "S", "--tricks", "NS=7"), "by five players only"),
    (
        ("five_hundred", "--players", "5", "--bid", "7D", "--by", "1", "--partners", "2,3", "--tricks", "1=7"),
        "at most 1",
    ),
    (("whist",), "There is no game 'whist' here. The games are: vint, bridge, auction_bridge, five_hundred."),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_what_makes_no_sense_gets_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert sentence in " ".join(done.stderr.split())


@pytest.mark.parametrize("family", GAMES.values(), ids=GAMES)
def test_help_lists_what_the_game_asks_for(family: Family) -> None:
    done = run(family.name, "--help")
    listed = re.findall(r"^  (?:-h, )?--([\w-]+)", done.stdout, re.MULTILINE)
    players = ["players"] if len(family.players) > 1 else []
    assert listed == [*(fact.name for fact in family.facts), *players, "option", "json", "help"]


@pytest.mark.parametrize("family", GAMES.values(), ids=GAMES)
def test_the_example_of_the_help_is_scored(family: Family) -> None:
    _, _, rest = run(family.name, "--help").stdout.partition(f"biritch score {family.name}")
    example, _, _ = rest.partition("\n\n")
    assert scored(family.name, *example.replace("\\", "").split())["lines"]


def test_a_game_without_such_a_function_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "vint", Family("vint", "Vint", (4,), GAMES["vint"].options, GAMES["vint"].make))
    done = run("vint")
    assert done.exit_code == 2
    assert "Deals of Vint cannot be scored from the command line." in done.stderr


VALUES = {
    "contract": ["1S", "7N", "3hxx", "2z", "pass", "M", ""],
    "bid": ["6S", "10N", "M", "om", "pass", "7DX", "8S"],
    "declaration": ["S", "n", "R", "1H", "L"],
    "by": ["N", "NS", "EW", "1", "135", "5", ""],
    "tricks": ["NS=9", "EW=8", "13", "0", "EW=10", "1=10", "135=7", "1=4,2=3,3=3", "NS=1", "=", "x"],
    "tricks-in-order": ["NNNNNNNNNNNNN", "NESWNESWNE", "1231231231", "12", ""],
    "honours": ["N=AKQJ10", "N=A,E=K,S=Q,W=J10", "S=SHDC", "N=SH,E=DC", "", "N", "N==", "é=A"],
    "aces": ["N=SHDC", "N=S,E=H,S=D,W=C", "N=SS"],
    "coronets": ["", "E=H987,C432", "N=SAKQ", "W=S"],
    "void": ["E", "N,E,S,W", "X", ","],
    "doubled": ["1", "7", "-1", "²"],
    "dealer": ["N", "E", "5", ""],
    "partners": ["2", "2,3", "1", ""],
    "before": ["NS=490,EW=-490", "1=490,2=490,3=480", "1=900", "135=-500"],
    "part": ["NS=29", "EW=499", "NS=-1"],
    "games": ["NS=1,EW=1", "NS=2"],
    "above": ["NS=100", "NS=99999999999"],
}


def some_value(fact: Fact, random: Random) -> str:
    """Choose a value for a fact, mostly one of the first two, which often make sense."""
    values = VALUES[fact.name]
    return random.choice(values if random.random() < 0.3 else values[:2])


@pytest.mark.parametrize("name", GAMES)
def test_whatever_is_told_is_scored_or_refused(name: str) -> None:
    random, family = Random(19), GAMES[name]
    scored_some = 0
    for _ in range(2000):
        players = random.choice(family.players)
        options: dict[str, Value] = {}
        for option in random.sample(family.options(players, {}), 2):
            options[option.name] = random.choice(option.values)
        told = {fact.name: some_value(fact, random) for fact in family.facts if fact.needed or random.random() < 0.5}
        try:
            game = make_game(name, players, options)
            assert family.score_facts is not None
            scored_some += bool(family.score_facts(game, told).lines)
        except (BadFact, BadOption):
            continue
    assert scored_some > 2
