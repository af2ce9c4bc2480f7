"""Every worked example of the rules of straight bridge: orders of doubling X1 to X8, scores B1 to B29, four replays."""

import re
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from rules.calls import Denomination
from rules.cards import PACK_52, Card, Cards, Suit, hand_text
from rules.record import replay
from rules.scoresheet import RubberStanding
from tests.rules.deals import (
    Hands,
    after_calls,
    after_plays,
    begun,
    bridge,
    finished,
    golden_records,
    hands_with,
    honour_cards,
    points,
    texts,
)

# Dealer South: what is said, who says it, and the value of a trick when play begins.
DOUBLING = [
    ("X1", "H P P", "SWE", 8),
    # N declared, so he is asked first.
    ("X2", "L H P X P P", "SNWENS", 16),
    ("X3", "N X P X P P", "SWSNWE", 48),
    # W doubled before, so he is asked first.
    ("X4", "N X P X P X P P", "SWSNWENS", 96),
    # N redoubled last, so he is asked first; at the limit play begins at once.
    ("X5", "N X P X P X X", "SWSNWEN", 100),
    ("X6", "L S P X P X P P", "SNWENSEW", 8),
    ("X7", "L S P X P X P X P P", "SNWENSEWSN", 16),
    ("X8", "C X X X X X", "SWSWSW", 100),
]

# Games NS-EW, part scores, totals | declaration, by whom, doublings, value of a trick, dealer, tricks of NS | honours
# held (at no trump: aces; void: no trump at all) | NS below, above, EW below, above (without the rubber's 100) |
# standing after, winner of the rubber. B1 to B6 are one rubber.
SCORES = """
B1  | 0-0 0-0 0-0          | D S 0  6 S  9 | N:AK E:T S:QJ W:-            | 18  24  0   0 | 0-0 18-0 42-0
B2  | 0-0 18-0 42-0        | N W 0 12 W  5 | N:S E:HD S:- W:C             |  0   0 24  30 | 0-0 18-24 42-54
B3  | 0-0 18-24 42-54      | H S 0  8 N  8 | N:K E:AQ S:T W:J             | 16   0  0  16 | 1-0 0-0 58-70
B4  | 1-0 0-0 58-70        | C W 0  4 E  7 | N:AQ E:K S:JT W:-            |  4  16  0   0 | 1-0 4-0 78-70
B5  | 1-0 4-0 78-70        | N S 0 12 S  8 | N:- E:SHDC S:- W:-           | 24   0  0 100 | 1-0 28-0 102-170
B6  | 1-0 28-0 102-170     | S W 0  2 W  7 | N:A E:KQ S:- W:JT            |  2   0  0   8 | 2-0 0-0 204-178 NS
B7  | 0-0 0-0 0-0          | H N 0  8 N  8 | N:AKQJ E:- S:T W:-           | 16  72  0   0 | 0-0 16-0 88-0
B8  | 0-0 0-0 0-0          | C E 0  4 E  6 | N:- E:AKQJT S:- W:-          |  0   0  4  40 | 0-0 0-4 0-44
B9  | 0-0 0-0 0-0          | N S 0 12 S  9 | N:S E:H S:D W:C              | 36   0  0   0 | 1-0 0-0 36-0
B10 | 0-0 0-0 0-0          | H S 0  8 S 10 | N:AQ E:K S:T W:J             | 32  16  0   0 | 1-0 0-0 48-0
B11 | 0-0 0-0 0-0          | C N 0  4 N 13 | N:AK E:- S:QJ W:T            | 28  56  0   0 | 0-0 28-0 84-0
B12 | 0-0 18-0 18-0        | D S 0  6 S  8 | N:A E:K S:QT W:J             | 12  12  0   0 | 1-0 0-0 42-0
B13 | 0-0 22-8 22-8        | H S 0  8 S  7 | N:AQ E:T S:KJ W:-            |  8  32  0   0 | 1-0 0-0 62-8
B14 | 0-0 0-0 0-0          | S N 1  4 S  5 | N:J E:AK S:- W:QT            |  0   0  8   8 | 0-0 0-8 0-16
B15 | 0-0 0-0 0-0          | H S 1 16 S  9 | N:AK E:T S:J W:Q             | 48  16  0   0 | 1-0 0-0 64-0
B16 | 0-0 10-0 10-0        | D W 2 24 W  5 | N:- E:AQ S:K W:JT            |  0   0 48  24 | 0-1 0-0 10-72
B17 | 0-0 0-0 0-0          | D S 2 24 S  4 | N:T E:KJ S:- W:AQ            |  0   0 72  24 | 0-1 0-0 0-96
B18 | 0-0 0-0 0-0          | N E 1 24 E  4 | N:S E:HDC S:- W:-            |  0   0 72  30 | 0-1 0-0 0-102
B19 | 0-0 0-0 0-0          | H S 0  8 S  8 | N:A E:KQ S:JT W:void         | 16  16  0  16 | 0-0 16-0 32-16
B20 | 0-0 0-0 0-0          | D N 0  6 N  9 | N:AKQT E:J S:void W:-        | 18  60  0   0 | 0-0 18-0 78-0
B21 | 0-0 0-0 0-0          | C S 0  4 S 12 | N:KQ E:- S:AJT W:-           | 24  40  0   0 | 0-0 24-0 64-0
B22 | 0-0 0-0 0-0          | S E 0  2 W 12 | N:AK E:Q S:JT W:-            | 12  28  0   0 | 0-0 12-0 40-0
B23 | 0-0 0-0 0-0          | N S 0 12 S 10 | N:SHDC E:- S:- W:-           | 48 100  0   0 | 1-0 0-0 148-0
B24 | 0-0 0-0 0-0          | N S 0 12 S  6 | N:S E:H S:D W:C              |  0   0 12   0 | 0-0 0-12 0-12
B25 | 1-1 8-0 96-330       | H N 0  8 S  9 | N:AK E:Q S:J W:T             | 24  16  0   0 | 2-1 0-0 236-330 NS
B26 | 1-1 0-0 150-150      | N S 0 12 S 10 | N:- E:CH S:SD W:-            | 48   0  0   0 | 2-1 0-0 298-150 NS
B27 | 0-0 0-0 0-0          | H S 0  8 S 13 | N:- E:T S:AKQJ W:-           | 56 104  0   0 | 1-0 0-0 160-0
B28 | 1-0 18-0 60-20       | D S 0  6 S 12 | N:- E:K S:AQJT W:-           | 36  68  0   0 | 2-0 0-0 264-20 NS
B29 | 0-0 0-0 0-0          | N S 0 12 S  9 | N:- E:C S:HS W:D             | 36   0  0   0 | 1-0 0-0 36-0
"""


@pytest.mark.parametrize(("calls", "speakers", "value"), [pytest.param(*row[1:], id=row[0]) for row in DOUBLING])
def test_order_of_doubling(calls: str, speakers: str, value: int) -> None:
    game: Any = bridge()
    state = begun(game, "S", hands_with({}, Random(1)))
    for call, speaker in zip(calls.split(), speakers, strict=True):
        assert state.phase != "play"
        assert game.seats.name(state.to_act) == speaker
        if state.phase == "doubling":
            assert texts(game.legal_actions(state)) == {"P", "X"}
        state = after_calls(game, state, call)
    contract = state.contract
    assert state.phase == "play"
    assert game.trick_value(contract.call.denomination, contract.doubling) == value
    assert [game.seats.name(seat) for seat in (contract.declarer, contract.dummy, contract.leader)] == ["S", "N", "W"]


def numbers(text: str) -> tuple[int, int]:
    left, right = text.split("-")
    return int(left), int(right)


def standing(text: str) -> RubberStanding:
    """Read `games part total`: what is not below the line is above it."""
    games, below, total = map(numbers, text.split()[:3])
    return RubberStanding(below, (total[0] - below[0], total[1] - below[1]), games)


def score_rows() -> list[list[str]]:
    return [re.split(r"\s*\|\s*", line) for line in SCORES.strip().splitlines()]


def dealt_so(held: str, trumps: Suit | None, random: Random) -> Hands:
    """Deal at random so that each hand has these honours, and none but those said to be void is without a trump."""
    honours: dict[str, Cards] = honour_cards(held.replace("void", "-"), trumps)
    if trumps is None:
        return hands_with(honours, random)
    voids = [part[0] for part in held.split() if part.endswith("void")]
    given = {card for cards in honours.values() for card in cards}
    spare = [card for card in PACK_52 if card.suit is trumps and card not in given]
    random.shuffle(spare)
    piles: dict[str, list[Card]] = {name: list(cards) for name, cards in honours.items()}
    holders = [name for name in piles if name not in voids]
    for name in [name for name in holders if not piles[name]] + [random.choice(holders) for _ in spare]:
        if spare:
            piles[name].append(spare.pop())
    rest = [card for card in PACK_52 if card.suit is not trumps]
    random.shuffle(rest)
    return {name: hand_text([*pile, *(rest.pop() for _ in range(13 - len(pile)))]) for name, pile in piles.items()}


@pytest.mark.parametrize(
    ("before", "declared", "held", "score", "after"), [pytest.param(*row[1:], id=row[0]) for row in score_rows()]
)
def test_score(before: str, declared: str, held: str, score: str, after: str) -> None:
    name, maker, doublings, value, dealer, tricks = declared.split()
    calls = [name] if maker == dealer else ["L", name]
    calls += ["X"] * int(doublings) + ["P", "P"]
    trumps = Denomination(name).trumps
    game: Any = bridge()
    won = int(tricks) if dealer in "NS" else 13 - int(tricks)
    state = finished(
        game, dealer, " ".join(calls), lambda random: dealt_so(held, trumps, random), won, standing(before)
    )
    assert game.trick_value(Denomination(name), state.contract.doubling) == int(value)
    in_account = [points(state, side, account, rubber=False) for side in (0, 1) for account in ("below", "above")]
    assert in_account == list(map(int, score.split()))
    assert state.result.standing == standing(after)
    winner = after.split()[3:]
    assert [game.sides[state.result.winner].name] == winner if winner else state.result.winner is None
    assert state.result.over is bool(winner)
    assert state.result.next_dealer == game.seats.left(game.seats.parse(dealer))


def test_b1_to_b6_are_one_rubber_won_by_26() -> None:
    rows = score_rows()[:6]
    for before, then in pairwise(rows):
        assert standing(before[5]) == standing(then[1])
    last = standing(rows[5][5])
    assert last.above[0] - last.above[1] == 26


# Elwell's hands 1, 6 and 7 and Foster's first: hands, declaration, part score before, each trick with its winner.
REPLAYS = {
    "B26": """
N 9.763.Q65.KQJ542    E T75.AJ95.JT87.A7    S A43.KQ4.AK32.T63    W KQJ862.T82.94.98
W SK S9 S5 S3 W | W SQ H3 S7 S4 W | W S2 H6 ST SA S | S CT C8 C2 C7 S | S C6 C9 CJ CA E | E H5 HK H2 H7 S
S C3 S6 C4 H9 N | N C5 HJ H4 S8 N | N CQ D7 HQ SJ N | N CK D8 D2 D4 N | N DQ DT D3 D9 N | N D6 DJ DK H8 S
S DA HT D5 HA S""",
    "B27": """
N A643.95.A4.AJ943    E 9872.T32.T86.KQT    S KJ.AKQJ8.KQ53.52    W QT5.764.J972.876
W D2 DA D6 D3 N | N D4 D8 DK D7 S | S D5 D9 H5 DT N | N H9 H2 HA H4 S | S HK H6 C3 H3 S | S HQ H7 C4 HT S
S HJ C6 C9 CT S | S DQ DJ CJ S2 S | S SK S5 S3 S7 S | S SJ SQ SA S8 N | N S4 S9 H8 ST S | S C2 C7 CA CQ N
N S6 CK C5 C8 N""",
    "B28": """
N A8765..876.AQT54    E QT4.97653.K92.K7    S 2.AQ.AQJT.J98632    W KJ93.KJT842.543.
W HT D6 H3 HQ N | N D7 D2 DQ D3 S | S S2 S3 SA S4 N | N D8 D9 DJ D4 S | S DA D5 S5 DK S | S C2 H2 CT CK E
E H5 HA H4 S6 S | S C3 H8 CQ C7 N | N CA H6 C6 HJ N | N C5 H7 C8 HK S | S C9 S9 C4 H9 S | S CJ SJ S7 ST S
S DT SK S8 SQ S""",
    "B29": """
N J.T75.Q83.976532    E K65432.J82.J6.AK    S AQT7.AQ4.K52.JT8    W 98.K963.AT974.Q4
W D7 D3 DJ DK S | S CJ CQ C2 CK E | E D6 D2 DA D8 W | W D4 DQ S2 D5 N | N C3 CA CT C4 E | E HJ HA H3 H5 S
S C8 S8 C9 H2 N | N C7 S3 H4 S9 N | N C6 S4 HQ H6 N | N C5 H8 S7 H9 N | N SJ S5 SQ D9 S | S SA DT H7 S6 S
S ST HK HT SK E""",
}


@pytest.mark.parametrize("number", REPLAYS)
def test_replay(number: str) -> None:
    """Card by card: who leads, what everybody plays, who wins; South, the dealer, plays North's cards as well."""
    hands_line, *lines = REPLAYS[number].strip().splitlines()
    hands = dict(zip(hands_line.split()[::2], hands_line.split()[1::2], strict=True))
    row = next(row for row in score_rows() if row[0] == number)
    game = bridge()
    state = after_calls(game, begun(game, "S", hands, standing(row[1])), f"{row[2][0]} P P")
    tricks = [trick.split() for line in lines for trick in line.split("|")]
    assert len(tricks) == 13
    for leader, *cards, taker in tricks:
        assert game.seats.name(state.hand_to_play) == leader
        for card in cards:
            assert state.to_act == (2 if state.hand_to_play == 0 else state.hand_to_play)
            state = after_plays(game, state, [card])
        assert game.seats.name(state.tricks.winners[-1]) == taker
    in_account = [points(state, side, account, rubber=False) for side in (0, 1) for account in ("below", "above")]
    assert in_account == list(map(int, row[4].split()))
    assert state.result.standing == standing(row[5])


@pytest.mark.parametrize("record", golden_records("bridge.jsonl"), ids=lambda record: record["id"])
def test_golden_record(record: dict[str, Any]) -> None:
    assert replay(record) == record
