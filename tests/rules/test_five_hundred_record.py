"""Records of Five Hundred: what is wrong with widow, partners, discard, joker and plays is found at its place."""

import copy
from itertools import pairwise
from typing import Any

import pytest

from rules.errors import BadRecord
from rules.record import replay
from rules.replay import play_again
from tests.rules.deals import golden_records

RECORDS = {
    record["id"]: record
    for name in ("five_hundred.jsonl", "five_hundred_2_5_6.jsonl")
    for record in golden_records(name)
}
RESULTS = ("score", "after", "over", "winner")


def bare(number: str, **changed: object) -> dict[str, Any]:
    """Return a record without its results, with some keys changed."""
    kept = {key: value for key, value in copy.deepcopy(RECORDS[number]).items() if key not in RESULTS}
    return kept | changed


@pytest.mark.parametrize(
    ("number", "changed", "code", "place"),
    [
        # 500-001: three players, six spades by seat 2; C7 D8 C9 are laid away.
        ("500-001", {"discard": ["C7", "D8"]}, "discard.wrong_count", ("discard", 2)),
        ("500-001", {"discard": ["C7", "D8", "C9", "C8"]}, "discard.wrong_count", ("discard", 3)),
        ("500-001", {"discard": ["C7", "D8", "D8"]}, "discard.not_held", ("discard", 2)),
        ("500-001", {"discard": ["C7", "SK", "C9"]}, "discard.not_held", ("discard", 1)),
        ("500-001", {"discard": []}, "play.not_yet", ("plays", 0)),
        ("500-001", {"called_partners": ["1"]}, "action.not_due", ("called_partners", 0)),
        ("500-001", {"joker_suit": "H"}, "action.not_due", ("joker_suit", 0)),
        ("500-001", {"calls": ["P", "6S", "P", "P"]}, "auction.over", ("calls", 3)),
        ("500-001", {"options": {"back_door": -500}}, "options.bad_value", ("options", 0)),
        ("500-001", {"options": {"preset": "aus4"}}, "options.bad_value", ("options", 0)),
        ("500-001", {"before": {"scores": {"1": 500, "2": 0, "3": 0}}}, "bad_record", (None, None)),
        ("500-001", {"widow": ["C7", "DK"]}, "widow.wrong_cards", ("widow", 0)),
        # 500-005: ten no-trumps ends the auction.
        ("500-005", {"calls": ["6D", "10N", "P"]}, "auction.over", ("calls", 2)),
        # 500-010: nobody has bid, so that there is nothing to lay away.
        ("500-010", {"discard": ["C7"]}, "action.not_due", ("discard", 0)),
        # 500-022: four passes at aus4.
        ("500-022", {"plays": ["S5"]}, "deal.over", ("plays", 0)),
        ("500-022", {"calls": ["P"] * 5}, "deal.over", ("calls", 4)),
        # 500-023: no-trumps; the bidder has named hearts for his joker.
        ("500-023", {"joker_suit": "X"}, "record.unknown_action", ("joker_suit", 0)),
        # 500-026: the joker is led to the last trick, without a name.
        ("500-026", {"options": {"nt_joker": "free"}}, "play.suit_to_be_named", ("plays", 36)),
        # 500x-004: five players, seven diamonds by seat 2, who calls seat 4.
        ("500x-004", {"called_partners": ["4", "5"]}, "partners.not_allowed", ("called_partners", 1)),
        ("500x-004", {"called_partners": ["2"]}, "partners.not_allowed", ("called_partners", 0)),
        ("500x-004", {"called_partners": ["6"]}, "record.unknown_action", ("called_partners", 0)),
    ],
)
def test_what_is_wrong_is_found(
    number: str, changed: dict[str, object], code: str, place: tuple[str | None, int | None]
) -> None:
    with pytest.raises(BadRecord) as error:
        replay(bare(number, **changed))
    assert (error.value.code, (error.value.list, error.value.index)) == (code, place)


@pytest.mark.parametrize(
    ("number", "changed", "sentence"),
    [
        ("500-001", {"discard": ["C7", "D8"]}, "3 cards are to be laid away, and not 2."),
        ("500-001", {"discard": ["C7", "D8", "C9", "C8"]}, "3 cards are to be laid away, and not 4."),
        ("500-023", {"joker_suit": "X"}, "'X' is no suit: a joker's is one of S H D C, or null for none."),
        ("500-023", {"joker_suit": 0}, "0 is no text."),
        ("500-022", {"calls": ["P"] * 5}, "The deal is over."),
    ],
)
def test_what_is_wrong_is_said(number: str, changed: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadRecord) as error:
        replay(bare(number, **changed))
    assert error.value.message == sentence


def test_a_card_after_a_misere_that_is_lost_is_one_too_many() -> None:
    record = bare("500-game2-01")
    plays = [*record["plays"], "S5"]
    with pytest.raises(BadRecord) as error:
        replay(record | {"plays": plays})
    assert (error.value.code, error.value.list, error.value.index) == ("deal.over", "plays", len(plays) - 1)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("500-023", "play joker exchange exchange"),
        ("500x-004", "play play exchange partners"),
        ("500x-008", "joker joker exchange exchange"),
        ("500-016", "play play exchange exchange"),
    ],
)
def test_a_record_may_end_anywhere(number: str, expected: str) -> None:
    """Take away the plays, then the name of the joker, the discard, the partners, and calls one by one."""
    record = bare(number, plays=[])
    phases = [play_again(record).state.phase]
    for key in ("joker_suit", "discard", "called_partners"):
        record[key] = None if key == "joker_suit" else []
        phases.append(play_again(record).state.phase)
    assert phases == expected.split()
    while record["calls"]:
        record["calls"].pop()
        assert play_again(record).state.phase == "auction"


def test_a_missing_suit_of_the_joker_followed_by_plays_means_that_none_was_named() -> None:
    state = play_again(bare("500-025")).state
    assert state.result is not None
    assert RECORDS["500-025"]["joker_suit"] is None


def test_a_whole_game_in_a_row() -> None:
    """Each deal begins where the last one ended, and its dealer follows."""
    game = [record for id, record in RECORDS.items() if id.startswith("500-game1")]
    for record, following in pairwise(game):
        assert following["before"] == record["after"]
        assert following["dealer"] == "123"["123".index(record["dealer"]) - 2]
        assert not record["over"]
    assert game[-1]["over"]
