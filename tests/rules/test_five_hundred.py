"""Five Hundred: the tables of its rules, the deal, refusals, widow, partners and joker, and who sees what."""

from collections import Counter
from typing import Any

import pytest

from rules.actions import CallPartners, Choose, Discard, NameJoker, Play, parse_play
from rules.calls import Bid, Word, parse_call
from rules.cards import Suit, in_order, parse_card
from rules.errors import IllegalAction
from rules.events import AuctionEnded, CardPlayed, CardsDealt, CardsDiscarded, DealScored, HandExposed, WidowTaken
from rules.five_hundred_cards import ORDERS, PACKS, rank_in_cut
from rules.five_hundred_score import STRAINS, VALUES
from rules.session import first_dealer
from rules.shuffle import shuffled
from rules.view import redact
from tests.rules.five_hundred_deals import (
    PLAYERS,
    all_passed,
    bid_by,
    called,
    cards,
    dealt,
    discarded,
    five_hundred,
    played_out,
    texts,
    with_cards,
)

# Tricks bid, by what is bid.
SCHEDULE = """
     6   7   8   9  10
S   40 140 240 340 440
C   60 160 260 360 460
D   80 180 280 380 480
H  100 200 300 400 500
N  120 220 320 420 520
"""

LADDER = "6S 6C 6D 6H 6N 7S 7C 7D 7H 7N M 8S 8C 8D 8H 8N 9S 9C 9D 9H 9N 10S 10C 10D OM 10H 10N"

# Pack: cards of each suit (spades, hearts, diamonds, clubs), high to low.
PACK_CARDS = {
    24: "AKQJT9 AKQJT9 AKQJT9 AKQJT9",
    33: "AKQJT987 AKQJT987 AKQJT987 AKQJT987 JK",
    42: "AKQJT98765 AKQJT987654 AKQJT987654 AKQJT98765",
    43: "AKQJT98765 AKQJT987654 AKQJT987654 AKQJT98765 JK",
    45: "AKQJT987654 AKQJT987654 AKQJT987654 AKQJT987654 JK",
    46: "AKQJT987654 AKQJT987654 AKQJT987654 AKQJT987654 JK JL",
    53: "AKQJT98765432 AKQJT98765432 AKQJT98765432 AKQJT98765432 JK",
    63: "AKQJWET98765432 AKQJRWET98765432 AKQJRWET98765432 AKQJWET98765432 JK",
}

# Pack, trumps: trumps, the suit of the same colour, each other suit; without trumps each black and red suit.
SUIT_SIZES = """
33 S 10 7 8
33 H 10 7 8
43 S 12 9 11
43 C 12 9 11
43 D 13 10 10
43 H 13 10 10
45 C 13 10 11
45 D 13 10 11
53 S 15 12 13
53 H 15 12 13
63 S 17 14 16
63 H 18 15 15
"""

TRUMP_ORDERS = {
    (33, "S"): "JK SJ CJ SA SK SQ ST S9 S8 S7",
    (33, "C"): "JK CJ SJ CA CK CQ CT C9 C8 C7",
    (33, "D"): "JK DJ HJ DA DK DQ DT D9 D8 D7",
    (33, "H"): "JK HJ DJ HA HK HQ HT H9 H8 H7",
    (43, "S"): "JK SJ CJ SA SK SQ ST S9 S8 S7 S6 S5",
    (43, "C"): "JK CJ SJ CA CK CQ CT C9 C8 C7 C6 C5",
    (43, "D"): "JK DJ HJ DA DK DQ DT D9 D8 D7 D6 D5 D4",
    (43, "H"): "JK HJ DJ HA HK HQ HT H9 H8 H7 H6 H5 H4",
    (46, "D"): "JK JL DJ HJ DA DK DQ DT D9 D8 D7 D6 D5 D4",
    (63, "H"): "JK HJ DJ HA HK HQ HR HW HE HT H9 H8 H7 H6 H5 H4 H3 H2",
    (24, "S"): "SJ CJ SA SK SQ ST S9",
}

SIDE_SUITS = {
    (33, "H", "D"): "DA DK DQ DT D9 D8 D7",
    (33, "H", "S"): "SA SK SQ SJ ST S9 S8 S7",
    (33, "H", "C"): "CA CK CQ CJ CT C9 C8 C7",
    (43, "S", "C"): "CA CK CQ CT C9 C8 C7 C6 C5",
    (43, "S", "H"): "HA HK HQ HJ HT H9 H8 H7 H6 H5 H4",
    (43, "S", "D"): "DA DK DQ DJ DT D9 D8 D7 D6 D5 D4",
    (63, "S", "C"): "CA CK CQ CW CE CT C9 C8 C7 C6 C5 C4 C3 C2",
}


def suit_cards(pack: int, trumps: str, suit: str, joker_suit: Suit | None = None) -> list[str]:
    order = ORDERS[Suit(trumps) if trumps else None, joker_suit]
    held = [card for card in PACKS[pack] if order.suit(card) is Suit(suit)]
    return [str(card) for card in sorted(held, key=order.height, reverse=True)]


# --- tables


def test_the_schedule() -> None:
    head, *lines = SCHEDULE.strip("\n").splitlines()
    printed = {
        f"{level}{name}": int(value)
        for name, *values in (line.split() for line in lines)
        for level, value in zip(head.split(), values, strict=True)
    }
    assert {str(call): value for call, value in VALUES.items()} == printed | {"M": 250, "OM": 500}
    assert len(set(printed.values())) == 25
    for place, strain in enumerate(STRAINS):
        assert all(VALUES[Bid(level, strain)] == 40 + 20 * place + 100 * (level - 6) for level in range(6, 11))


def test_the_ladder() -> None:
    assert list(map(str, five_hundred("aus4").ladder)) == LADDER.split()
    plain = [str(call) for call in five_hundred("hoyle3").ladder]
    assert plain == [rung for rung in LADDER.split() if rung not in ("M", "OM")]
    assert plain == sorted(plain, key=lambda bid: VALUES[parse_call(bid)])


@pytest.mark.parametrize("preset", ["aus4", "hoyle3"])
def test_every_bid_admits_exactly_what_stands_above_it(preset: str) -> None:
    game = five_hundred(preset)
    rungs = list(map(str, game.ladder))
    for rung, bid in enumerate(rungs[:-1]):
        before = "7S " if bid == "M" else ""
        legal = texts(game.legal_actions(called(game, dealt(game), before + bid)))
        seven = bid == "M" or bid.startswith("7")
        assert legal == {"P", *(call for call in rungs[rung + 1 :] if call != "M" or seven)}


@pytest.mark.parametrize("pack", PACKS)
def test_packs(pack: int) -> None:
    (*suits,) = PACK_CARDS[pack].split()
    listed = {suit + rank for suit, ranks in zip("SHDC", suits[:4], strict=True) for rank in ranks} | set(suits[4:])
    assert set(map(str, PACKS[pack])) == listed
    assert len(listed) == len(PACKS[pack]) == pack


@pytest.mark.parametrize("line", SUIT_SIZES.strip().splitlines())
def test_how_many_cards_belong_to_a_suit(line: str) -> None:
    size, trumps, *numbers = line.split()
    partner = {"S": "C", "C": "S", "H": "D", "D": "H"}[trumps]
    others = [suit for suit in "SHDC" if suit not in (trumps, partner)]
    found = [len(suit_cards(int(size), trumps, suit)) for suit in (trumps, partner, *others)]
    assert found == [*map(int, numbers), int(numbers[-1])]
    assert sum(found) == int(size)


@pytest.mark.parametrize(("pack", "black", "red"), [(33, 8, 8), (43, 10, 11), (45, 11, 11), (53, 13, 13), (63, 15, 16)])
def test_without_trumps_the_joker_stands_alone(pack: int, black: int, red: int) -> None:
    assert [len(suit_cards(pack, "", suit)) for suit in "SCDH"] == [black, black, red, red]
    assert 2 * (black + red) + 1 == pack
    assert suit_cards(pack, "", "H", Suit.HEARTS)[:3] == ["JK", "HA", "HK"]


@pytest.mark.parametrize(("pack", "trumps"), TRUMP_ORDERS)
def test_order_of_trumps(pack: int, trumps: str) -> None:
    assert " ".join(suit_cards(pack, trumps, trumps)) == TRUMP_ORDERS[pack, trumps]


@pytest.mark.parametrize(("pack", "trumps", "suit"), SIDE_SUITS)
def test_order_of_a_side_suit(pack: int, trumps: str, suit: str) -> None:
    assert " ".join(suit_cards(pack, trumps, suit)) == SIDE_SUITS[pack, trumps, suit]


# --- deal


@pytest.mark.parametrize(
    ("preset", "options", "pattern"),
    [
        ("hoyle3", {}, "111 222 000 111 222 000 111 222 000 1 2 0 www"),
        ("hoyle2", {}, "ddd 111 000 ddd 111 000 ddd 111 000 d 1 0 www"),
        ("hoyle2", {"pack": 24}, "111 000 1111 0000 111 000 wwww"),
        ("aus4", {}, "111 222 333 000 w 1111 2222 3333 0000 w 111 222 333 000 w"),
        ("us_official4", {}, "111 222 333 000 www 1111 2222 3333 0000 111 222 333 000"),
        ("aus4", {"pack": 45}, "111 222 333 000 www 11 22 33 00 ww 111 222 333 000 11 22 33 00"),
        ("aus4", {"pack": 42}, "111 222 333 000 1111 2222 3333 0000 111 222 333 000 ww"),
        ("aus4", {"pack": 46}, "111 222 333 000 1111 2222 3333 0000 111 222 333 000 wwwwww"),
        ("hoyle3", {"deal": "3-w3-4-3"}, "111 222 000 www 1111 2222 0000 111 222 000"),
    ],
)
def test_where_the_cards_go(preset: str, options: dict[str, object], pattern: str) -> None:
    names = {"w": "widow", "d": "dead"}
    expected = [names.get(sign) or int(sign) for sign in pattern.replace(" ", "")]
    assert list(five_hundred(preset, **options).places(0)) == expected


@pytest.mark.parametrize("preset", PLAYERS)
def test_ten_cards_each_and_the_rest_to_the_widow(preset: str) -> None:
    game = five_hundred(preset)
    for dealer in game.seats:
        numbers = Counter(game.places(dealer))
        assert numbers.pop("widow") == 3
        assert numbers.pop("dead", None) == (10 if preset == "hoyle2" else None)
        assert numbers == dict.fromkeys(game.seats, 10)
        state = dealt(game, dealer)
        assert (state.phase, state.to_act) == ("auction", game.seats.left(dealer))


def test_rank_in_the_cut() -> None:
    low_to_high = cards("JK HA H2 S3 DT DE DW DR CJ CQ CK")
    ranks = list(map(rank_in_cut, low_to_high))
    assert ranks == sorted(set(ranks))
    assert rank_in_cut(parse_card("SA")) == rank_in_cut(parse_card("HA"))


@pytest.mark.parametrize("preset", ["hoyle2", "hoyle3", "aus4", "aus6"])
def test_the_lowest_card_of_the_cut_deals_and_nobody_moves(preset: str) -> None:
    game, ties = five_hundred(preset, first_dealer="cut"), 0
    for number in range(60):
        seed = bytes([number]) * 32
        moved, dealer = first_dealer(game, seed)
        assert moved == tuple(game.seats)
        ranks = [rank_in_cut(card) for card in shuffled(game.deck, seed)[: game.players]]
        assert ranks[dealer] == min(ranks)
        ties += ranks.count(min(ranks)) > 1
    assert ties, "equals have drawn again"


# --- auction


@pytest.mark.parametrize(
    ("preset", "calls", "call", "code"),
    [
        ("hoyle3", "6H", "6D", "auction.insufficient_bid"),
        ("hoyle3", "6H", "6H", "auction.insufficient_bid"),
        ("hoyle3", "", "5S", "auction.no_such_bid"),
        ("hoyle3", "", "6R", "auction.no_such_bid"),
        ("hoyle3", "", "6Z", "auction.no_such_bid"),
        ("hoyle3", "7S", "M", "auction.no_such_call"),
        ("hoyle3", "", "OM", "auction.no_such_call"),
        ("five", "7S", "M", "auction.no_such_call"),
        ("aus4", "6H", "X", "auction.no_such_call"),
        ("aus4", "", "L", "auction.no_such_call"),
        ("aus4", "", "H", "auction.no_such_call"),
        ("aus4", "6H", "M", "auction.misere_needs_seven"),
        ("aus4", "7H 8S", "M", "auction.insufficient_bid"),
        ("aus4", "10N", "P", "auction.over"),
        ("aus4", "7S P P P", "P", "auction.over"),
        ("aus4", "P P P P", "P", "deal.over"),
        ("hoyle3", "P P P", "6S", "auction.over"),
    ],
)
def test_refused_calls(preset: str, calls: str, call: str, code: str) -> None:
    game = five_hundred(preset)
    state = called(game, dealt(game), calls)
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, parse_call(call))
    assert refused.value.code == code
    assert refused.value.message.endswith(".")


def test_who_has_passed_is_asked_no_more() -> None:
    game = five_hundred("aus4")
    state, asked = dealt(game, dealer=3), []
    for call in ("6S", "P", "6C", "6D", "6H", "P", "P"):
        asked.append(state.to_act)
        state = called(game, state, call)
    assert asked == [0, 1, 2, 3, 0, 2, 3]
    assert state.contract.declarer == 0


# --- partners, widow, joker


def test_five_players_call_one_partner_two_by_an_eight_or_nobody() -> None:
    game = five_hundred("five")
    one = [action.seats for action in game.legal_actions(bid_by(game, 1, "7N")) if isinstance(action, CallPartners)]
    assert one == [(), (2,), (3,), (4,), (0,)]
    two = [action.seats for action in game.legal_actions(bid_by(game, 1, "8S")) if isinstance(action, CallPartners)]
    assert two == [*one, (2, 3), (2, 4), (2, 0), (3, 4), (3, 0), (4, 0)]


@pytest.mark.parametrize("partners", [(1,), (2, 3), (2, 2), (5,), (2, 3, 4)])
def test_partners_that_may_not_be_called(partners: tuple[int, ...]) -> None:
    game = five_hundred("five")
    with pytest.raises(IllegalAction) as refused:
        game.apply(bid_by(game, 1, "7S"), CallPartners(partners))
    assert refused.value.code == "partners.not_allowed"


def test_partners_are_called_before_the_widow_is_seen_and_in_any_order() -> None:
    game = five_hundred("five")
    state = bid_by(game, 1, "8S")
    assert (state.phase, game.view(state, 1).widow, game.view(state, 1).widow_count) == ("partners", None, 3)
    state, events = game.apply(state, CallPartners((4, 2)))
    assert (state.phase, state.contract.partners) == ("exchange", (2, 4))
    assert isinstance(events[-1], WidowTaken)


@pytest.mark.parametrize(
    ("bid", "discard", "code"),
    [
        ("6S", "SA SK", "discard.wrong_count"),
        ("6S", "SA SK SQ ST", "discard.wrong_count"),
        ("6S", "SA SK SK", "discard.not_held"),
        ("6S", "SA SK S2", "discard.not_held"),
        ("", "SA SK SQ", "action.not_due"),
    ],
)
def test_refused_discards(bid: str, discard: str, code: str) -> None:
    game = five_hundred("hoyle3")
    state = with_cards(game, {1: "SA SK SQ", "widow": "ST JK D7"})
    state = called(game, state, f"{bid} P P" if bid else "")
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, Discard(cards(discard)))
    assert refused.value.code == code


def test_any_cards_may_be_laid_away() -> None:
    game = five_hundred("hoyle3")
    state = called(game, with_cards(game, {1: "SA SK SJ", "widow": "ST JK CJ"}), "6S P P")
    (choice,) = game.legal_actions(state)
    assert choice == Choose(3, in_order((*state.hands[1], *state.widow)))
    state, _ = game.apply(state, Discard(cards("JK SJ CJ")))
    assert set(cards("SA SK ST")) <= set(state.tricks.hands[1])
    assert len(state.tricks.hands[1]) == 10
    assert (state.phase, state.to_act) == ("play", 1)


@pytest.mark.parametrize(
    ("bid", "asked"), [("6S", False), ("7H", False), ("6N", True), ("10N", True), ("OM", True), ("7S M", True)]
)
def test_the_joker_is_named_without_trumps(bid: str, asked: bool) -> None:
    game = five_hundred("aus4")
    bidder = len(bid.split())  # the dealer is seat 0
    passes = "" if bid == "10N" else " P P P"
    state = called(game, with_cards(game, {bidder: "JK"}), bid + passes)
    (choice,) = game.legal_actions(state)
    assert isinstance(choice, Choose)
    low = tuple(card for card in choice.cards if card.suit is not None)[:3]
    state, _ = game.apply(state, Discard(low))
    assert (state.phase == "joker") is asked
    if asked:
        assert list(game.legal_actions(state)) == [NameJoker(None), *map(NameJoker, map(Suit, "SCDH"))]
        with pytest.raises(IllegalAction, match="played yet"):
            game.apply(state, Play(choice.cards[0]))
        named, _ = game.apply(state, NameJoker(Suit.HEARTS))
        assert (named.phase, named.joker_suit) == ("play", Suit.HEARTS)
        with pytest.raises(IllegalAction) as refused:
            game.apply(named, NameJoker(Suit.HEARTS))
        assert refused.value.code == "action.not_due"


def test_who_has_no_joker_is_asked_too_and_can_only_decline() -> None:
    """Else the question would tell the others who holds it."""
    game = five_hundred("aus4")
    state = called(game, with_cards(game, {2: "JK"}), "6N P P P")
    (choice,) = game.legal_actions(state)
    assert isinstance(choice, Choose)
    state, _ = game.apply(state, Discard(choice.cards[:3]))
    assert game.legal_actions(state) == [NameJoker(None)]
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, NameJoker(Suit.SPADES))
    assert refused.value.code == "joker.not_held"


# --- play


@pytest.mark.parametrize(
    ("preset", "bid", "plays", "play", "code"),
    [
        ("hoyle3", "6S", "", "SK", "play.not_held"),
        ("hoyle3", "6S", "", "JK", None),
        ("hoyle3", "6S", "", "JK:S", "play.no_suit_to_name"),
        ("hoyle3", "6N", "", "JK:S", None),
        ("hoyle3", "6N", "", "JK", "play.suit_to_be_named"),
        ("hoyle3", "6N", "JK:S", "SK", None),
        ("hoyle3", "6N", "JK:S", "HK", "play.revoke"),
        ("hoyle3", "6N", "JK:S", "SA", "play.not_held"),
        ("hoyle3", "6S", "JK", "HK", "play.revoke"),
        ("hoyle3", "6S", "CJ", "HK", "play.revoke"),
        ("hoyle3", "6C", "SJ", "HK", None),
        ("hoyle3", "6H", "SA", "HK", "play.revoke"),
    ],
)
def test_refused_plays(preset: str, bid: str, plays: str, play: str, code: str | None) -> None:
    game = five_hundred(preset)
    state = with_cards(
        game, {1: "JK SA SJ CJ HA HQ HT H9 H8 H7", 2: "SK SQ ST S9 S8 S7 HK DA DK DQ", "widow": "D7 D8 D9"}
    )
    state = called(game, state, f"{bid} P P")
    state, _ = game.apply(state, Discard(cards("D7 D8 D9")))
    for text in plays.split():
        state, _ = game.apply(state, parse_play(text))
    if code is None:
        assert parse_play(play) in game.legal_actions(state)
        game.apply(state, parse_play(play))
        return
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, parse_play(play))
    assert refused.value.code == code


def test_only_a_joker_names_a_suit() -> None:
    game = five_hundred("hoyle3")
    state = discarded(game, bid_by(game, 0, "6N"))
    card = next(card for card in state.tricks.hands[0] if card.suit is not None)
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, Play(card, card.suit))
    assert refused.value.code == "play.no_suit_to_name"


def test_no_card_before_the_play() -> None:
    game = five_hundred("hoyle3")
    for state in (dealt(game), bid_by(game, 0, "6S")):
        with pytest.raises(IllegalAction) as refused:
            game.apply(state, Play(state.hands[0][0]))
        assert refused.value.code == "play.not_yet"


@pytest.mark.parametrize(("plays", "led"), [("CJ", Suit.SPADES), ("JK", Suit.SPADES), ("SA", None), ("HA", None)])
def test_a_card_says_what_it_leads_where_that_is_not_printed(plays: str, led: Suit | None) -> None:
    game = five_hundred("hoyle3")
    state = called(game, with_cards(game, {1: "JK SA CJ HA", "widow": "D7 D8 D9"}), "6S P P")
    state, _ = game.apply(state, Discard(cards("D7 D8 D9")))
    _, events = game.apply(state, parse_play(plays))
    assert events == (CardPlayed(1, 1, parse_card(plays), None, led),)


@pytest.mark.parametrize(
    ("preset", "bidder", "sitting_out"), [("aus4", 1, {3}), ("aus6", 2, {0, 4}), ("hoyle2", 0, set())]
)
def test_partners_sit_out_a_misere(preset: str, bidder: int, sitting_out: set[int]) -> None:
    game = five_hundred(preset, misere="on", open_misere="on")
    state = discarded(game, bid_by(game, bidder, "M"))
    assert set(state.tricks.live) == set(game.seats) - sitting_out
    state = played_out(game, state)
    assert all(len(trick.plays) == game.players - len(sitting_out) for trick in state.tricks.complete)
    assert all(state.tricks.hands[seat] == state.hands[seat] for seat in sitting_out)
    assert all(state.result is not None and game.view(state, None).dealt[seat] is None for seat in sitting_out)


def test_a_misere_ends_with_the_first_trick_of_the_bidder() -> None:
    game = five_hundred("aus4")
    state = with_cards(game, {1: "SA SK SQ SJ ST S9 S8 S7 S6 S5", 3: "JK", "widow": "H4 H5 H6"})
    state = called(game, state, "OM P P P")
    state, _ = game.apply(state, Discard(cards("H4 H5 H6")))
    state, _ = game.apply(state, NameJoker(None))
    state = played_out(game, state)
    assert len(state.tricks.complete) == 1
    assert [(line.side, line.points) for line in state.result.lines] == [(1, -500)]
    assert (state.result.over, state.result.winner) == (True, 0), "-500 is the back door"


# --- who sees what


def views(game: Any, state: Any) -> dict[int | None, Any]:
    return {seat: game.view(state, seat) for seat in (None, *game.seats)}


def test_the_widow_is_for_the_bidder_alone_until_he_has_laid_cards_away() -> None:
    game = five_hundred("hoyle3")
    state = dealt(game)
    assert all((view.widow, view.widow_count) == (None, 3) for view in views(game, state).values())
    state = bid_by(game, 1, "7S")
    assert {seat: view.widow for seat, view in views(game, state).items()} == {
        None: None,
        0: None,
        1: state.widow,
        2: None,
    }
    assert all((view.widow_count, view.counts[1]) == (0, 13) for view in views(game, state).values())
    assert set(state.widow) <= set(game.view(state, 1).hands[1] or ())
    state = discarded(game, state)
    assert all((view.widow, view.discard, view.counts[1]) == (None, None, 10) for view in views(game, state).values())


def test_after_the_deal_nothing_tells_widow_or_discard() -> None:
    game = five_hundred("hoyle3")
    state = played_out(game, discarded(game, bid_by(game, 1, "7S")))
    for view in views(game, state).values():
        assert (view.widow, view.discard, view.dealt) == (None, None, (state.hands[0], None, state.hands[2]))


def test_two_players_never_see_the_dead_hand() -> None:
    game = five_hundred("hoyle2")
    states = [bid_by(game, 1, "7S")]
    states += [discarded(game, states[0]), all_passed(game)]
    states += [played_out(game, state) for state in states[1:]]
    deal = game.deal(0, game.deck, game.fresh())
    piles: dict[object, set[object]] = {}
    for card, place in zip(game.deck, game.places(0), strict=True):
        piles.setdefault(place, set()).add(card)
    held = {card for hand in deal[0].hands for card in hand} | set(deal[0].widow)
    assert held.isdisjoint(piles["dead"]), "not even the state knows it"
    for state in states:
        assert len(game.view(state, 0).hands) == len(game.view(state, None).counts) == 2


def test_a_deal_that_is_thrown_in_shows_no_hand() -> None:
    game = five_hundred("aus4")
    state = called(game, dealt(game), "P P P")
    state, events = game.apply(state, Word.PASS)
    assert events[1:] == (AuctionEnded(None), DealScored((None,) * 4, None, None, state.result))
    assert all(view.dealt == (None,) * 4 for view in views(game, state).values())


def test_where_nobody_has_bid_all_hands_are_known_at_the_end() -> None:
    game = five_hundred("hoyle3")
    state = all_passed(game)
    assert all((view.widow, view.widow_count) == (None, 3) for view in views(game, state).values())
    state = played_out(game, state)
    assert all((view.widow, view.dealt) == (None, state.hands) for view in views(game, state).values())


def test_events_as_each_seat_may_know_them() -> None:
    game = five_hundred("hoyle3")
    _, (event,) = game.deal(0, game.deck, game.fresh())
    assert isinstance(event, CardsDealt) and event.widow is not None
    assert all(redact(event, seat).widow is None for seat in (None, 0, 1, 2))  # type: ignore[union-attr]
    state = called(game, dealt(game), "6S P")
    state, events = game.apply(state, Word.PASS)
    assert redact(events[-1], 1) == WidowTaken(1, state.widow, 3)
    assert redact(events[-1], 2) == redact(events[-1], None) == WidowTaken(1, None, 3)
    state, (event,) = game.apply(state, Discard(state.widow))
    assert redact(event, 1) == CardsDiscarded(1, state.widow, 3)
    assert redact(event, 0) == CardsDiscarded(1, None, 3)


@pytest.mark.parametrize("expose", ["after_first_trick", "before_first_lead"])
def test_an_open_misere_is_shown(expose: str) -> None:
    game = five_hundred("aus4", open_misere_expose=expose)
    low = "S5 S6 H4 H5 H6 D4 D5 D6 C5 C6"
    state = called(game, with_cards(game, {1: low, "widow": "SA HA DA"}), "OM P P P")
    state, _ = game.apply(state, Discard(cards("SA HA DA")))
    assert game.view(state, None).exposed == ()
    state, events = game.apply(state, NameJoker(None))
    shown = [event for event in events if isinstance(event, HandExposed)]
    for number in range(1, 4):
        assert (game.view(state, None).exposed == (1,)) is bool(shown) is (expose == "before_first_lead")
        state, events = game.apply(state, game.legal_actions(state)[0])
        shown += [event for event in events if isinstance(event, HandExposed)]
        assert len(state.tricks.complete) == (number == 3)
    assert [event.seat for event in shown] == [1]
    assert len(shown[0].cards) == (10 if expose == "before_first_lead" else 9)
    for view in views(game, state).values():
        assert (view.exposed, view.hands[1]) == ((1,), state.tricks.hands[1])
        assert view.hands[3] is None or view.seat == 3, "who sits out shows nothing"
