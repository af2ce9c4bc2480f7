"""A deal checked: dealt once more from the seed that is told at its end, and played again by the laws of this program.

A server that shuffles, plays or scores otherwise is found out. What the laws of a game never show, such as the cards
laid away, those must have told who were told it, or it follows from what was played.
"""

from collections.abc import Mapping

from client_cli.notes import Noted
from protocol import messages as m
from protocol.translate import score_part
from rules.actions import parse_play
from rules.cards import Cards, hand_text, in_order, parse_hand
from rules.errors import BadRecord
from rules.game import AnyGame, Place
from rules.replay import FORMAT, Record, Replayed, play_again
from rules.shuffle import shuffled

Piles = Mapping[Place, Cards]
"""What lies in each place after the deal."""


class Differs(Exception):
    """A deal is not what the laws make of it."""


def deal_out(game: AnyGame, dealer: str, seed: str) -> Piles:
    """Return what a seed deals."""
    places = game.places(game.seats.parse(dealer))
    at = list(zip(places, shuffled(game.deck, bytes.fromhex(seed)), strict=True))
    return {pile: in_order(card for place, card in at if place == pile) for pile in dict.fromkeys(places)}


def dealt_again(game: AnyGame, noted: Noted) -> Piles:
    """Return what the seed of a deal deals. Raises Differs if anybody was told other cards."""
    assert noted.told is not None, "the seed is told at the end"
    piles = deal_out(game, noted.dealer, noted.told.seed)
    for told in (noted.hands, noted.told.hands):
        if any(set(parse_hand(hand)) != set(piles[game.seats.parse(seat)]) for seat, hand in told.items()):
            raise Differs(f"Deal {noted.number} was not shuffled from its seed.")
    return piles


def written(game: AnyGame, noted: Noted, piles: Piles, view: m.TableView) -> dict[str, object] | None:
    """Write the record of a deal that is over, without its score; None where not all of it is known."""
    discard = laid_away(game, noted, piles)
    if noted.end is None or noted.before is None or noted.missed or discard is None:
        return None
    record: dict[str, object] = {
        "format": FORMAT,
        "game": view.game,
        "options": view.options,
        "players": len(game.seats),
        "dealer": noted.dealer,
        "hands": {
            "dead" if place == "dead" else game.seats.name(place): hand_text(cards)
            for place, cards in piles.items()
            if place != "widow"
        },
        "calls": [made.call for made in noted.end.calls],
        "plays": [card for _, trick in sorted(noted.tricks.items()) for _, card in trick.plays],
        "before": {column: dict(numbers) for column, numbers in noted.before.items()},
    }
    if "widow" in piles:
        record |= {
            "widow": list(map(str, piles["widow"])),
            "called_partners": called_partners(noted.end, view),
            "discard": list(map(str, discard)),
            "joker_suit": None if noted.joker is None else noted.joker.suit,
        }
    return record


def called_partners(deal: m.DealPart, view: m.TableView) -> list[str]:
    """Return who has been called to play with the declarer, beside those who score with him always."""
    if deal.contract is None:
        return []
    own = next((seats for seats in view.sides.values() if deal.contract.declarer in seats), [])
    return [seat for seat in deal.contract.partners if seat not in own]


def laid_away(game: AnyGame, noted: Noted, piles: Piles) -> Cards | None:
    """Return the cards laid away for the widow, as told or as the play leaves them; None if that cannot be known."""
    contract = None if noted.end is None else noted.end.contract
    if "widow" not in piles or contract is None or contract.declarer is None:
        return ()
    if noted.discard is not None:
        return parse_hand(noted.discard)
    plays = [play for trick in noted.tricks.values() for play in trick.plays]
    played = {parse_play(card).card for seat, card in plays if seat == contract.declarer}
    held = (*piles[game.seats.parse(contract.declarer)], *piles["widow"])
    left = in_order(card for card in held if card not in played)
    return left if len(left) == len(piles["widow"]) else None


def played_again(noted: Noted, record: Record) -> Replayed:
    """Play a deal by the laws from its record. Raises Differs if it cannot be, or has been scored differently."""
    try:
        replayed = play_again(record)
    except BadRecord as error:
        raise Differs(f"Deal {noted.number} was not played by the laws: {error.message}") from None
    result = replayed.state.result
    if noted.told is None or result is None or score_part(result, replayed.game) != noted.told.score:
        raise Differs(f"Deal {noted.number} was not scored by the laws.")
    return replayed
