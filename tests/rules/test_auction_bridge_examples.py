"""Every worked example of the rules of royal auction bridge: auctions S1 to S20, scores A1 to A30."""

import re
from itertools import pairwise
from typing import Any

import pytest

from rules.calls import Denomination, parse_call
from rules.errors import IllegalAction
from rules.game import permits
from rules.scoresheet import RubberStanding
from tests.rules.deals import (
    after_calls,
    after_plays,
    auction_bridge,
    auction_for,
    begun,
    bid_of,
    finished_with,
    honour_cards,
    points,
    texts,
)

ANY_HANDS = {"N": "AKQJT98765432...", "E": ".AKQJT98765432..", "S": "..AKQJT98765432.", "W": "...AKQJT98765432"}

# Auctions that end: dealer, calls, contract, declarer, dummy, leader.
ENDED = [
    # Foster's worked bidding; no trump was first named on that side by E.
    ("S1", "S", "1S P 1C 1N 2C 2R P P 3C X P 2N P P P", "2N", "E", "W", "S"),
    # The same, had it stopped at three clubs doubled: N named clubs first though S made the last bid.
    ("S2", "S", "1S P 1C 1N 2C 2R P P 3C X P P P", "3C X", "N", "S", "E"),
    # Work, case 7: N named clubs before S, in spite of what came between.
    ("S3", "N", "1C 1D P P 1H P P 2D 2H X 3C P P P", "3C", "N", "S", "E"),
    # Work, case 6: six clubs (36) is the cheapest club bid over four hearts (32).
    ("S4", "N", "3R P 4H X XX P P 6C X P P P", "6C X", "W", "E", "N"),
    # Foster: the overcall wiped out double and redouble; hearts are back to 8.
    ("S9", "W", "2H X XX 2R 3H P P P", "3H", "W", "E", "N"),
    # The dealer left in with one spade.
    ("S11", "S", "1S P P P", "1S", "S", "N", "W"),
    # A double reopens the bidding for three more passes; the dealer may redouble himself.
    ("S12", "S", "1S X P P XX P P P", "1S XX", "S", "N", "W"),
    # E makes the last bid, but W named hearts first.
    ("S18", "W", "1H P P 2C P P 2H P P P", "2H", "W", "E", "N"),
    # N raised the dealer's spade; S named spades first. The one-spade limit is gone.
    ("S19", "S", "1S P 2S X P P P", "2S X", "S", "N", "W"),
    # N named hearts first of all, but only the two players of the contracting side are compared.
    ("S20", "N", "1H P P 2H P 3H P P P", "3H", "W", "E", "N"),
]

# Auctions that go on: dealer, calls, who is to call, what is refused, what is allowed.
OPEN = [
    # Foster: four clubs (24) is not enough over three royals (27), five clubs (30) is.
    ("S5", "S", "3R", "W", "4C", "5C P X 4R 3N 4H"),
    # Foster: no diamond bid can reach fifty.
    ("S6", "S", "5N", "W", "6D 7D 6C 7C 6H", "6R 7H 7R 6N 7N"),
    # Foster / Law 44: three spades equals one club in value and names more tricks.
    ("S7", "S", "1C", "W", "2S 1C 1S", "3S 1D 1H"),
    # Foster / Law 53: the double does not lift the bar; three clubs (18) still suffices.
    ("S8", "S", "2R X", "N", "2H X", "3C XX P"),
    # The dealer may not pass, double or redouble.
    ("S10", "S", "", "S", "P X XX", "1S 2S 1C 7N"),
    # S doubled; W may redouble his partner's bid.
    ("S13", "E", "1H X", "W", "X", "XX P 1R"),
    # N may not redouble his partner's double.
    ("S14", "E", "1H X P", "N", "XX X", "P 1R 2C"),
    # A bid is doubled and redoubled once only.
    ("S15", "E", "1H X XX", "N", "X XX", "P 1R"),
    # Nothing outranks seven no trumps; only a double or pass is left.
    ("S16", "N", "7N", "E", "7R", "X P"),
    # Five clubs and three no trumps are both 30; five clubs names more tricks.
    ("S17", "N", "5C", "E", "3N", "4H 4N 5D 5R"),
]

# Games NS-EW, part scores, totals | contract, dealer, declarer, tricks of the declarer's side | honours held (at no
# trump: aces) | NS below, above, EW below, above (without the rubber's 250) | standing after, winner of the rubber.
SCORES = """
A1  | 0-0  0-0    0-0      | 1H     S S  7 | N:T E:K S:AQ W:J         |   8  16    0   0 | 0-0  8-0    24-0
A2  | 0-0  8-0    24-0     | 3R     W N  7 | N:AK E:Q S:T W:J         |   0  18    0 100 | 0-0  8-0    42-100
A3  | 0-0  8-0    42-100   | 3N     N E 10 | N:S E:HD S:- W:C         |   0   0   40  30 | 0-1  0-0    42-170
A4  | 0-1  0-0    42-170   | 4R     E W 10 | N:- E:AK S:T W:QJ        |   0   0   36  36 | 0-2  0-0    42-492   EW
A5  | 0-0  0-0    0-0      | 3H     S S  7 | N:K E:QJ S:AT W:-        |   0  16    0 100 | 0-0  0-0    16-100
A6  | 0-0  0-0    0-0      | 1S     S S  6 | N:J E:AK S:- W:QT        |   0   0    0  58 | 0-0  0-0    0-58
A7  | 0-0  0-0    0-0      | 1S X   S S  4 | N:J E:AK S:- W:QT        |   0   0    0 108 | 0-0  0-0    0-108
A8  | 0-0  0-0    0-0      | 3N X   E S 11 | N:HD E:- S:C W:S         | 100 180    0   0 | 1-0  0-0    280-0
A9  | 0-0  0-0    0-0      | 4H     S S 10 | N:QJ E:T S:A W:K         |  32  16    0   0 | 1-0  0-0    48-0
A10 | 0-0  0-0    0-0      | 4H X   S S 10 | N:QJ E:T S:A W:K         |  64  66    0   0 | 1-0  0-0    130-0
A11 | 0-0  0-0    0-0      | 4H XX  S S 10 | N:QJ E:T S:A W:K         | 128 116    0   0 | 1-0  0-0    244-0
A12 | 0-0  0-0    0-0      | 4H X   S S  9 | N:QJ E:T S:A W:K         |   0  16    0 100 | 0-0  0-0    16-100
A13 | 0-0  0-0    0-0      | 4H XX  S S  9 | N:QJ E:T S:A W:K         |   0  16    0 200 | 0-0  0-0    16-200
A14 | 0-0  0-0    0-0      | 4H     S S 11 | N:QJ E:T S:A W:K         |  40  16    0   0 | 1-0  0-0    56-0
A15 | 0-0  0-0    0-0      | 4H XX  S S 11 | N:QJ E:T S:A W:K         | 160 216    0   0 | 1-0  0-0    376-0
A16 | 0-0  0-0    0-0      | 4N     N N 10 | N:S E:H S:D W:C          |  40   0    0   0 | 1-0  0-0    40-0
A17 | 0-0  0-0    0-0      | 4N X   N N 10 | N:S E:H S:D W:C          |  80  50    0   0 | 1-0  0-0    130-0
A18 | 0-0  0-0    0-0      | 4N XX  N N 10 | N:S E:H S:D W:C          | 160 100    0   0 | 1-0  0-0    260-0
A19 | 0-0  0-0    0-0      | 6C X   N W  6 | N:AK E:T S:Q W:J         |   0 612    0   0 | 0-0  0-0    612-0
A20 | 0-0  0-0    0-0      | 7R     N N 12 | N:AKQJT E:- S:- W:-      |   0 110    0  50 | 0-0  0-0    110-50
A21 | 0-0  0-0    0-0      | 2S     N N 13 | N:AKQJ E:- S:T W:-       |  14  58    0   0 | 0-0  14-0   72-0
A22 | 0-0  0-0    0-0      | 5C     E E 11 | N:J E:AK S:T W:Q         |   0   0   30  12 | 0-1  0-0    0-42
A23 | 0-0  12-20  12-20    | 2R     N N  8 | N:AQ E:K S:- W:JT        |  18   0    0  18 | 1-0  0-0    30-38
A24 | 0-0  0-0    0-0      | 3D     S S 10 | N:- E:K S:AQJT W:-       |  28  56    0   0 | 0-0  28-0   84-0
A25 | 0-0  0-0    0-0      | 2H     E W  8 | N:- E:AQJ S:- W:KT       |   0   0   16  40 | 0-0  0-16   0-56
A26 | 0-0  0-0    0-0      | 1N     W W  7 | N:SHDC E:- S:- W:-       |   0 100   10   0 | 0-0  0-10   100-10
A27 | 0-0  0-0    0-0      | 6D X   S S 13 | N:AQ E:J S:K W:T         |  98 154    0   0 | 1-0  0-0    252-0
A28 | 0-0  0-0    0-0      | 2H XX  E E  7 | N:AK E:QJ S:T W:-        |   0 216    0   0 | 0-0  0-0    216-0
A29 | 1-1  24-0   150-640  | 1H     S S  7 | N:AK E:Q S:J W:T         |   8  16    0   0 | 2-1  0-0    424-640  NS
A30 | 0-0  0-0    0-0      | 3N     S N  9 | N:C E:H S:D W:S          |  30   0    0   0 | 1-0  0-0    30-0
"""


@pytest.mark.parametrize(
    ("dealer", "calls", "contract", "declarer", "dummy", "leader"), [pytest.param(*row[1:], id=row[0]) for row in ENDED]
)
def test_auction_that_ends(dealer: str, calls: str, contract: str, declarer: str, dummy: str, leader: str) -> None:
    game = auction_bridge()
    state = after_calls(game, begun(game, dealer, ANY_HANDS), calls)
    assert state.phase == "play"
    doubled = {1: "", 2: " X", 4: " XX"}[state.contract.doubling]
    assert f"{state.contract.call}{doubled}" == contract
    names = [game.seats.name(seat) for seat in (state.contract.declarer, state.contract.dummy, state.contract.leader)]
    assert names == [declarer, dummy, leader]
    assert state.to_act == state.hand_to_play == game.seats.parse(leader)


@pytest.mark.parametrize(
    ("dealer", "calls", "to_call", "refused", "allowed"), [pytest.param(*row[1:], id=row[0]) for row in OPEN]
)
def test_auction_that_goes_on(dealer: str, calls: str, to_call: str, refused: str, allowed: str) -> None:
    game = auction_bridge()
    state = after_calls(game, begun(game, dealer, ANY_HANDS), calls)
    assert state.to_act == game.seats.parse(to_call)
    legal = texts(game.legal_actions(state))
    assert legal.isdisjoint(refused.split())
    assert legal.issuperset(allowed.split())
    for call in refused.split():
        with pytest.raises(IllegalAction):
            game.apply(state, parse_call(call))
    assert all(permits(game, state, parse_call(call)) for call in allowed.split())


def numbers(text: str) -> tuple[int, int]:
    left, right = text.split("-")
    return int(left), int(right)


def standing(text: str) -> RubberStanding:
    """Read `games part total`: what is not below the line is above it."""
    games, below, total = map(numbers, text.split()[:3])
    return RubberStanding(below, (total[0] - below[0], total[1] - below[1]), games)


def score_rows() -> list[Any]:
    rows = [re.split(r"\s*\|\s*", line) for line in SCORES.strip().splitlines()]
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


@pytest.mark.parametrize(("before", "contract", "honours", "score", "after"), score_rows())
def test_score(before: str, contract: str, honours: str, score: str, after: str) -> None:
    bid, *doubled, dealer, declarer, tricks = contract.split()
    calls = auction_for(dealer, declarer, bid, *doubled)
    game = auction_bridge()
    held = honour_cards(honours, bid_of(bid).denomination.trumps)
    state = finished_with(game, dealer, calls, held, int(tricks), standing(before))
    assert state.contract.declarer == game.seats.parse(declarer)

    in_account = [points(state, side, account, rubber=False) for side in (0, 1) for account in ("below", "above")]
    assert in_account == list(map(int, score.split()))
    assert state.result.standing == standing(after)
    winner = after.split()[3:]
    assert [game.sides[state.result.winner].name] == winner if winner else state.result.winner is None
    assert state.result.over is bool(winner)
    assert state.result.next_dealer == game.seats.left(game.seats.parse(dealer))


def test_a1_to_a4_are_one_rubber_won_by_450() -> None:
    rows = [re.split(r"\s*\|\s*", line) for line in SCORES.strip().splitlines()[:4]]
    for before, then in pairwise(rows):
        assert standing(before[5]) == standing(then[1])
    last = standing(rows[3][5])
    totals = [last.below[side] + last.above[side] for side in (0, 1)]
    assert totals[1] - totals[0] == 450


A30_HANDS = {"N": "JT62.5.Q93.AKQ63", "E": "9843.AT962.874.T", "S": ".KQJ73.AKJ65.972", "W": "AKQ75.84.T2.J854"}
A30_CALLS = "1H 1R 2C 2R 3D P 3N P P P"
A30_TRICKS = """
 1. E S9 S C2 W SQ N S2 -> W
 2. W SA N S6 E S8 S H3 -> W
 3. W SK N ST E S4 S H7 -> W
 4. W S5 N SJ E S3 S HJ -> N
 5. N DQ E D4 S D5 W D2 -> N
 6. N D9 E D7 S DJ W DT -> S
 7. S DA W H4 N D3 E D8 -> S
 8. S DK W S7 N H5 E H9 -> S
 9. S D6 W H8 N C3 E H2 -> S
10. S C9 W C4 N CQ E CT -> N
11. N CA E H6 S C7 W C5 -> N
12. N CK E HT S HQ W C8 -> N
13. N C6 E HA S HK W CJ -> W
"""


def test_a30_card_by_card() -> None:
    """Foster's first illustrative hand: three no trumps by North, who plays South's cards as well."""
    game = auction_bridge()
    state = after_calls(game, begun(game, "S", A30_HANDS), A30_CALLS)
    assert state.contract.declarer == game.seats.parse("N")
    assert state.contract.call.denomination is Denomination.NO_TRUMPS
    for line in A30_TRICKS.strip().splitlines():
        _, *plays, _, taker = line.split()
        for name, card in zip(plays[::2], plays[1::2], strict=True):
            assert state.hand_to_play == game.seats.parse(name)
            assert state.to_act == game.seats.parse("N" if name == "S" else name)
            state = after_plays(game, state, [card])
        assert state.tricks.winners[-1] == game.seats.parse(taker)
    assert [points(state, side, account) for side in (0, 1) for account in ("below", "above")] == [30, 0, 0, 0]
    assert state.result.standing == RubberStanding((0, 0), (30, 0), (1, 0))
