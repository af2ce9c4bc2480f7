"""The printed story of a rubber, and servers that it finds out."""

import io
from collections.abc import Callable
from copy import deepcopy
from random import Random

import pytest
from msgspec import structs

from client_cli.chronicle import Chronicle
from client_cli.console import Console
from client_cli.deal_check import Differs
from protocol import messages as m
from tests.client_cli.tables import Told
from tests.client_cli.test_model import PLAYERS, play_deal, seated


class Recorder:
    """Keeps what somebody at a table is told, with the view after each entry."""

    def __init__(self, told: Told, player: str = "eve") -> None:
        self.heard: list[tuple[m.Entry, m.TableView]] = []
        self._model = told.models[player]
        self._fold, self._model.fold = self._model.fold, self.fold  # type: ignore[method-assign]  # listened in on

    def fold(self, entry: m.Entry) -> None:
        kept = deepcopy(entry)  # a fold keeps the hands that it is told, and plays from them
        self._fold(entry)
        assert self._model.view is not None
        self.heard.append((kept, structs.replace(self._model.view)))


@pytest.fixture(scope="module")
def heard() -> list[tuple[m.Entry, m.TableView]]:
    """All that is told of three deals."""
    told = seated("auction_bridge")
    recorder = Recorder(told)
    for seed in range(3):
        play_deal(told, Random(seed))
    return recorder.heard


def test_every_deal_is_printed_and_then_the_sheet(heard: list[tuple[m.Entry, m.TableView]]) -> None:
    chronicle = Chronicle(Console(screen := io.StringIO()))
    for entry, view in heard:
        chronicle.note(entry, view)
    chronicle.finish()
    lines = screen.getvalue().splitlines()
    assert [line for line in lines if line.startswith("Deal ")] == ["Deal 1", "Deal 2", "Deal 3"]
    assert sum("(dealer)" in line for line in lines) == 3
    sheet = lines[lines.index("Rubber 1") :]
    assert sheet[1].split() == [
        "deal",
        "contract",
        "tricks",
        "NS",
        "below",
        "NS",
        "above",
        "EW",
        "below",
        "EW",
        "above",
    ]
    assert [line.split()[0] for line in sheet[2:5]] == ["1", "2", "3"]
    assert sheet[-1] == "The rubber is not over after 3 deals; the bots stop here."


def altered(event: m.AnyEvent, what: str) -> m.AnyEvent:
    """Return an event as a server that cheats would tell it."""
    match event:
        case m.DealScored(score=score) if what == "score":
            lines = [*score.lines, m.ScoreLine("NS", "above", 5, "gift", "gift 5")]
            return structs.replace(event, score=structs.replace(score, lines=lines))
        case m.DealScored() if what == "seed":
            return structs.replace(event, seed="00" * 32)
        case m.CardPlayed(card=card) if what == "card" and card[0] == "S":
            return structs.replace(event, card="H2")
        case _:
            return event


@pytest.mark.parametrize(
    ("what", "words"),
    [("score", "was not scored by the laws"), ("seed", "was not shuffled"), ("card", "was not played by the laws")],
)
def test_a_server_that_cheats_is_found_out(heard: list[tuple[m.Entry, m.TableView]], what: str, words: str) -> None:
    chronicle = Chronicle(Console(io.StringIO()))

    def hear_all() -> None:
        for entry, view in heard:
            events = [altered(event, what) for event in entry.events]
            chronicle.note(structs.replace(entry, events=events), view)

    with pytest.raises(Differs, match=words):
        hear_all()


# --- a game in which some cards are for single seats alone


@pytest.fixture(scope="module")
def told_each() -> dict[str, list[tuple[m.Entry, m.TableView]]]:
    """What everybody is told of six deals of Five Hundred: eve, who watches, and the four who play."""
    told = seated("five_hundred", all_pass="no_trump_play", misere_needs_seven=False)
    recorders = {player: Recorder(told, player) for player in ("eve", *PLAYERS)}
    for seed in range(6):
        play_deal(told, Random(seed))
    return {player: recorder.heard for player, recorder in recorders.items()}


def hear(
    chronicle: Chronicle,
    told_each: dict[str, list[tuple[m.Entry, m.TableView]]],
    change: Callable[[m.AnyEvent], m.AnyEvent] = lambda event: event,
) -> None:
    """Let a chronicle note what eve is told, and overhear what the players are."""
    for heard in zip(*(told_each[player] for player in (*PLAYERS, "eve")), strict=True):
        for entry, view in heard:
            entry = structs.replace(entry, events=[change(event) for event in entry.events])
            (chronicle.note if view.player == "eve" else chronicle.overhear)(entry, view)


def test_a_deal_with_hidden_cards_is_told_whole(told_each: dict[str, list[tuple[m.Entry, m.TableView]]]) -> None:
    chronicle = Chronicle(Console(screen := io.StringIO()))
    hear(chronicle, told_each)
    chronicle.finish()
    lines = screen.getvalue().splitlines()
    assert chronicle.deals == 6
    assert sum(line.startswith("widow: ") for line in lines) == 6
    assert sum(line.startswith("laid away: ") for line in lines) >= 3
    sheet = next(place for place, line in enumerate(lines) if line.startswith("Game "))
    assert lines[sheet + 1].split() == ["deal", "contract", "tricks", "NS", "EW"]


def lies(event: m.AnyEvent, what: str) -> m.AnyEvent:
    match event:
        case m.CardsDiscarded(cards=str() as cards) if what == "discard":
            return structs.replace(event, cards=cards.replace("+JK", "") if "+" in cards else "AKQ...")
        case m.CardsDealt(hands=hands) if what == "hand" and "N" in hands:
            return structs.replace(event, hands={"N": "AKQJT98765..."})
        case m.DealScored(hands=hands) if what == "shown":
            return structs.replace(event, hands={"N": "AKQJT98765..."})
        case _:
            return event


@pytest.mark.parametrize(
    ("what", "words"),
    [("discard", "was not played by the laws"), ("hand", "was not shuffled"), ("shown", "was not shuffled")],
)
def test_who_tells_somebody_other_cards_is_found_out(
    told_each: dict[str, list[tuple[m.Entry, m.TableView]]], what: str, words: str
) -> None:
    with pytest.raises(Differs, match=words):
        hear(Chronicle(Console(io.StringIO())), told_each, lambda event: lies(event, what))
