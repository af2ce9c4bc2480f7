"""What a hand may play in Five Hundred, and when a joker counts without trumps.

With trumps a joker is one of them, and all is as in any game. Without, it is apart until its suit has been named.
Source: *Hoyle's Games Modernized*, chapter Five Hundred; docs/rules/five_hundred.md, section 6.
"""

from collections.abc import Sequence

from rules import tricks
from rules.actions import PLAYS, Play
from rules.calls import Call
from rules.cards import Card, Cards, Suit
from rules.errors import IllegalAction
from rules.five_hundred_cards import BIDDING_ORDER, ORDERS, FiveHundredOrder
from rules.five_hundred_score import MISERES
from rules.options import Options
from rules.seats import Seat
from rules.tricks import Tricks


def legal_plays(play: Tricks, order: FiveHundredOrder, options: Options, call: Call | None) -> list[Play]:
    """List the plays of the hand to play, in the order in which it is held; a joker's suits as they are bid.

    `call` is the contract, None where nobody has bid.
    """
    hand = play.hands[play.next_hand]
    if not order.lone:
        return [PLAYS[card] for card in tricks.playable(hand, play.trick.led, order)]
    if play.trick.plays:
        return [PLAYS[card] for card in _following(hand, play.trick.led, options, call)]
    plays: list[Play] = []
    for card in hand:
        if card.suit is not None:
            plays.append(PLAYS[card])
        else:
            plays += [Play(card, suit) if suit else PLAYS[card] for suit in _names(play, hand, options)]
    return plays


def _following(hand: Cards, led: Suit | None, options: Options, call: Call | None) -> Cards:
    """Return the cards of a hand that may follow without trumps, where a joker belongs to no suit."""
    if led is None:
        return hand  # a joker has led without a name
    same = tuple(card for card in hand if card.suit is led)
    jokers = tuple(card for card in hand if card.suit is None)
    if same:
        return same + jokers if options["nt_joker_follow"] == "anytime" else same
    return jokers or hand if call in MISERES and options["misere_force_joker"] else hand


def _names(play: Tricks, hand: Cards, options: Options) -> Sequence[Suit | None]:
    """Return which suits a joker may lead; only None where it leads without a name."""
    match options["nt_joker"]:
        case "hoyle":
            barred = renounced(play, play.next_hand)
        case "modern":
            if all(card.suit is None for card in hand):
                return (None,)
            barred = {trick.led for trick in play.complete}
        case _:
            barred = set()
    return [suit for suit in BIDDING_ORDER if suit not in barred]


def renounced(play: Tricks, seat: Seat) -> set[Suit | None]:
    """Return the suits that a seat has not followed in earlier tricks, where a joker belongs to no suit.

    That a joker of its own is counted makes no difference: asked is only who still has, or has just played, the one
    joker there is.
    """
    cards = ((trick.led, card) for trick in play.complete for by, card in trick.plays if by == seat)
    return {led for led, card in cards if card.suit is not led}


def refuse(play: Tricks, action: Play, order: FiveHundredOrder, options: Options, call: Call | None) -> None:
    """Raise IllegalAction if the hand to play may not play a card, or not with this suit named."""
    hand, card, led = play.hands[play.next_hand], action.card, play.trick.led
    if not order.lone or (card.suit is not None and not play.trick.plays):
        tricks.refuse_unplayable(hand, card, led, order)
    elif card not in hand:
        raise IllegalAction("play.not_held", f"The hand to play does not hold {card}.")
    elif not play.trick.plays:
        return _refuse_name(action, _names(play, hand, options), str(options["nt_joker"]))
    elif card not in _following(hand, led, options, call):
        raise _not_following(hand, led)
    if action.suit is not None:
        raise IllegalAction("play.no_suit_to_name", "Only a joker that leads without trumps names a suit.")


def _not_following(hand: Cards, led: Suit | None) -> IllegalAction:
    if any(card.suit is led for card in hand):
        return IllegalAction("play.revoke", "The card does not follow suit, and the hand holds a card of the suit led.")
    return IllegalAction("play.joker_is_due", "In a misère a hand void of the suit led must play the joker.")


def _refuse_name(action: Play, names: Sequence[Suit | None], rule: str) -> None:
    if action.suit in names:
        return
    why = {"hoyle": "its player has not renounced", "modern": "has not been led yet"}.get(rule, "is named")
    if not names:
        raise IllegalAction("play.joker_may_not_lead", "All suits have been led: the joker leads only the last trick.")
    if None in names:
        raise IllegalAction("play.no_suit_to_name", "To the last trick the joker is led without a name.")
    if action.suit is None:
        raise IllegalAction("play.suit_to_be_named", "A joker that leads without trumps names the suit that it leads.")
    raise IllegalAction("play.suit_barred", f"The joker may lead only a suit that {why}.")


def order_for_winner(play: Tricks, last: Card, order: FiveHundredOrder, options: Options) -> FiveHundredOrder:
    """Return the order by which the trick on the table, with its last card, is won.

    A joker that counts is the highest card of the suit led. By the rule `hoyle` it has no value in a suit that its
    player had renounced before.
    """
    plays = (*play.trick.plays, (play.next_hand, last))
    jokers = [seat for seat, card in plays if card.suit is None]
    led = play.trick.led
    if not order.lone or not jokers or led is None:
        return order
    # `hoyle` is played with one joker, so that there is no other seat to ask about.
    if options["nt_joker"] == "hoyle" and jokers[0] != play.trick.leader and led in renounced(play, jokers[0]):
        return order
    return ORDERS[None, led]
