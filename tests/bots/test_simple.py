"""The simple bot: always legal, with the pack of 52, and no nuisance as a partner."""

import pytest

from bots.simple import choose
from rules.actions import Action, CallPartners, Choose, NameJoker, Play
from rules.calls import Declaration, Denomination, Word, parse_call
from rules.cards import PACK_52, Suit, parse_card, parse_hand
from rules.events import Contract
from rules.registry import make_game
from rules.tricks import PLAIN_ORDERS, Trick, playable
from rules.view import View
from tests.bots.deals import chosen, rubber
from tests.bots.test_any_game import margin


def test_rubbers_end_and_contracts_are_mostly_made() -> None:
    game = make_game("auction_bridge", 4, {})
    rubbers = [rubber(game, seed) for seed in range(100)]
    assert sum(len(ends) > 20 for ends in rubbers) <= 1, [len(ends) for ends in rubbers]
    margins = [margin(end) for ends in rubbers for end in ends if end.contract.call != parse_call("1S")]
    assert sum(m >= 0 for m in margins) / len(margins) > 0.75
    assert sum(m >= -2 for m in margins) / len(margins) > 0.95


# --- the auction. South is asked; the calls before are written in rotation, the last one West's.


def called(hand: str, before: str = "", **options: object) -> str:
    game = make_game("auction_bridge", 4, options)
    calls = before.split()
    dealer = (2 - len(calls)) % 4
    own = iter(parse_hand(hand))
    rest = iter([card for card in PACK_52 if card not in parse_hand(hand)])
    state, _ = game.deal(dealer, [next(own if place == 2 else rest) for place in game.places(dealer)], game.fresh())
    for call in calls:
        state, _ = game.apply(state, parse_call(call))
    assert state.to_act == 2
    return str(chosen(game, state))


@pytest.mark.parametrize(
    ("hand", "before", "call"),
    [
        pytest.param("Q864.J73.T82.Q54", "", "1S", id="a dealer with nothing to say"),
        pytest.param("Q864.J73.T82.Q54", "P P P", "P", id="or passes where he may"),
        pytest.param("AKJ84.73.A82.Q54", "", "1R", id="a good suit"),
        pytest.param("AK8.KQ3.KJ82.954", "", "1N", id="three suits stopped"),
        pytest.param("J9854.73.982.754", "1H P", "P", id="rubbish opposite a bid"),
        pytest.param("J98542.73.982.75", "1S 1H", "P", id="rubbish in competition"),
        pytest.param("K954.Q873.A982.7", "1H P", "P", id="no raise where partner holds the bid"),
        pytest.param("K954.Q873.A982.7", "1H 1R", "2H", id="a raise when he is overcalled"),
        pytest.param("K9.Q8.A9872.K754", "4R P", "P", id="partner's game"),
        pytest.param("K9.KQJ842.A87.54", "1S P", "1H", id="taking partner out of one spade"),
        pytest.param("A9.AQ842.KJ7.Q54", "1N P", "P", id="partner's no-trumps"),
        pytest.param("KQ52.A84.A73.Q54", "1H X", "P", id="partner's bid, doubled"),
        pytest.param("AKJ84.73.A82.Q54", "1S", "1R", id="spades over the dealer's one spade"),
        pytest.param("AQJT.A84.A73.A54", "1S", "1N", id="no double of one spade"),
        pytest.param("AQJ9.A84.A73.954", "1S P 1N 4R", "X", id="a game that must fail"),
        pytest.param("A982.A84.A73.954", "1S P P 2R", "P", id="no double on hope"),
    ],
)
def test_calls(hand: str, before: str, call: str) -> None:
    assert called(hand, before, dealer_may_pass=before == "P P P") == call


def test_never_bids_nullos() -> None:
    assert called("5432.432.432.432", nullos="on") == "1S"
    assert called("5432.432.432.432", "1H P", nullos="on") == "P"


@pytest.mark.parametrize(
    ("hand", "call"),
    [("AK8.KQ3.KJ82.954", "N"), ("A8.AKQ83.K82.954", "H"), ("8752.J83.Q82.954", "L"), ("KQJ98.83.A82.954", "L")],
)
def test_declares_what_it_holds_or_leaves_it_to_partner(hand: str, call: str) -> None:
    legal: list[Action | Choose] = [Word.LEAVE, *(Declaration(Denomination(name)) for name in "SCDHN")]
    view = View(2, 2, "declaration", 2, None, (None, None, parse_hand(hand), None), (13,) * 4, (), None, None, None, ())
    assert str(choose(view, legal)) == call
    assert isinstance(choose(view, legal[1:]), Declaration)
    assert choose(view, [Word.PASS, Word.DOUBLE]) is Word.PASS


# --- the play


def played(
    hand: str,
    trick: str = "",
    contract: str = "1N W",
    dummy: str = "",
    seat: str = "S",
    own: str = "",
    before: str = "",
) -> str:
    """Ask South which card of a hand to play: his own or, with `seat`, dummy's beside his own; trick as `W:HK N:H2`."""
    call, declarer = contract.split()
    bid = parse_call(call)
    assert not isinstance(bid, Word)
    place, declaring = "NESW".index(seat), "NESW".index(declarer)
    open_hand = (declaring + 2) % 4
    cards = parse_hand(hand)
    seen = {2: own, open_hand: dummy, place: hand}
    plays = tuple(("NESW".index(play[0]), parse_card(play[2:])) for play in trick.split())
    trumps = bid.denomination.trumps
    view = View(
        seat=2,
        dealer=declaring,
        phase="play",
        to_act=2,
        hand_to_play=place,
        hands=tuple(parse_hand(seen[n]) if seen.get(n) else None for n in range(4)),
        counts=(13,) * 4,
        calls=tuple(("NESW".index(made[0]), parse_call(made[2:])) for made in before.split()),
        contract=Contract(bid, 1, declaring, open_hand, (open_hand,), trumps, (declaring + 1) % 4),
        trick=Trick(plays[0][0], plays[0][1].suit, plays) if plays else Trick(place),
        last_trick=None,
        tricks_won=(0, 0, 0, 0),
    )
    legal = playable(cards, view.trick.led if view.trick else None, PLAIN_ORDERS[trumps])
    return str(choose(view, [Play(card) for card in legal]))


def test_leads_the_top_of_a_sequence() -> None:
    assert played("KQJ4.83.9742.T65") == "SK"


def test_leads_the_fourth_best_of_the_longest_suit() -> None:
    assert played("K8642.83.974.T65") == "S4"


def test_leads_partners_suit() -> None:
    assert played("K864.83.9742.T65", before="N:1H W:1N") == "H8"


def test_plays_low_as_second_hand() -> None:
    assert played("AQ6.83.9742.T65", "E:S2", contract="1N E") == "S6"


def test_covers_an_honour() -> None:
    assert played("KT6.83.9742.T65", "E:SQ", contract="1N E") == "SK"


def test_plays_high_as_third_hand() -> None:
    assert played("KT6.83.9742.T65", "N:S3 E:S4", contract="1N W") == "SK"


def test_plays_the_lowest_of_a_sequence() -> None:
    assert played("QJT.83.9742.T65", "N:S3 E:S4", contract="1N W") == "ST"


def test_plays_no_higher_than_dummy_behind_makes_needful() -> None:
    assert played("K96.83.9742.T65", "N:S3 E:S4", contract="1N E", dummy="875.KQ2.AQJ.KQ4") == "S9"


def test_lets_partners_card_win_that_is_as_good() -> None:
    assert played("J86.83.9742.T65", "N:ST E:S4", contract="1H W", dummy="Q2.A7.KQJ5.A942") == "S6"
    assert played("J86.83.9742.T65", "N:SQ E:SK", contract="1H W") == "S6"
    assert played("AJ6.83.9742.T65", "N:SK E:S4", contract="1H W") == "S6"


def test_wins_cheaply_as_fourth_hand() -> None:
    assert played("AQ96.83.974.T654", "W:S2 N:S3 E:S8", contract="1N E") == "S9"


def test_does_not_beat_partners_winner() -> None:
    assert played("AK6.83.9742.T654", "W:S2 N:SJ E:S8", contract="1N E") == "S6"


def test_does_not_ruff_partners_winner() -> None:
    assert played(".Q83.97542.T7654", "W:S2 N:SA E:S8", contract="1H E") == "D2"
    assert played(".Q83.97542.T7654", "N:SA E:S8", contract="1H W") == "D2"


def test_ruffs_an_adversarys_winner_as_low_as_it_can() -> None:
    assert played(".Q83.97542.T7654", "W:SA N:S2 E:S8", contract="1H E") == "H3"
    assert played(".Q83.97542.T7654", "W:SA N:S2 E:H7", contract="1H E") == "H8"


def test_throws_low_cards_and_keeps_guarded_honours() -> None:
    assert played(".KQ3.K4.9765432", "W:SA N:S2 E:S8", contract="1N E") == "C2"


def test_declarer_draws_trumps_and_leads_dummys_hand() -> None:
    assert played("AKQ76.83.A42.T65", contract="2R S", dummy="J54.A742.K865.42")[0] == "S"
    assert played("J54.A742.K865.42", contract="2R S", own="AKQ76.83.A42.T65", seat="N")[0] == "S"


def test_declarer_finesses() -> None:
    assert played("AQ6.83.9742.T654", "N:S3 E:S4", contract="1N S", dummy="J52.A7.KQJ5.A942") == "SQ"
    assert played("AQ6.83.9742.T654", "N:SJ E:S4", contract="1N S", dummy="52.A7.KQJ5.A942") == "S6"


def test_plays_to_lose_in_nullos() -> None:
    assert played("AQ62.83.974.T654", "W:SK N:S3 E:S8", contract="1Z E") == "SQ"
    assert played("AQ62.83.974.T654", contract="1Z W") == "S2"
    assert played("AQ9.83.9742.T654", "W:S7 N:S3 E:S8", contract="1Z E") == "SA"


# --- phases that other games have


def test_falls_back_to_something_legal() -> None:
    bare = View(0, 0, "", 0, None, (None,) * 3, (0,) * 3, (), None, None, None, (0,) * 3)
    cards = parse_hand("A93.K2.Q.+JK")
    assert choose(bare, [CallPartners(()), CallPartners((1,))]) == CallPartners((1,))
    assert choose(bare, [NameJoker(None), NameJoker(Suit.HEARTS)]) == NameJoker(None)
    assert choose(bare, [Declaration(Denomination.CLUBS), Word.LEAVE]) == Declaration(Denomination.CLUBS)
    assert choose(bare, [Word.PASS, parse_call("6S")]) is Word.PASS
    assert choose(bare, [Play(card) for card in cards]) == Play(cards[0])
