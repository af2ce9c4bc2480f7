"""What has happened at the table, one short line for each event, a block for a score; without colour."""

from collections.abc import Mapping

from client_cli.blocks import deal_score_lines, ledger_lines, standing_lines
from client_cli.draw import call_text, card_text, cards_line, contract_text, hand_line, order_in, side_label, unit_of
from client_cli.signs import SYMBOLS, Signs
from protocol import messages as m
from rules.calls import Declaration, parse_call

_LOST = "has lost the connection"
_DROPPED = {
    "left": "has gone, and may come back",
    "replaced": "has come from somewhere else",
    "server_gone": "is cut off, since a server has stopped",
}
_CALLS = {"P": "passes", "X": "doubles", "XX": "redoubles", "L": "leaves it to the partner"}


def tell(event: m.AnyEvent, view: m.TableView, names: Mapping[str, str], signs: Signs = SYMBOLS) -> list[str]:
    """Tell of an event, by the view after its entry; `names` are the players' before it, also of those now gone."""
    match event:
        case m.CallMade(seat=seat, call=call):
            verb = "declares" if isinstance(parse_call(call), Declaration) else "bids"
            return [f"{seat} {_CALLS.get(call) or f'{verb} {call_text(call, signs)}'}"]
        case m.CardPlayed(seat=seat, by=by, card=card):
            return [f"{by} plays {card_text(card, signs)}" + (f" from dummy ({seat})" if by != seat else "")]
        case m.TrickWon(seat=seat, number=number):
            return [f"Trick {number} to {seat}"]
        case m.AuctionEnded(contract=contract):
            return [_contract_line(contract, signs)]
        case m.HandExposed(seat=seat, cards=cards):
            return [f"{seat} lays down {hand_line(cards, signs, order_in(view))}"]
        case m.CardsDealt(deal=deal, dealer=dealer, hands=hands):
            own = [f"Your hand: {hand_line(hand, signs)}" for seat, hand in hands.items() if seat == view.seat]
            return ["", f"Deal {deal}: {dealer} deals", *own]
        case m.DealVoided(deal=deal):
            return [f"Deal {deal} counts for nothing, since the server's store went back; it is dealt anew"]
        case m.DealScored() | m.RubberBegun() | m.RubberScored():
            return _score_lines(event, view, signs)
        case m.PartnersCalled() | m.WidowTaken() | m.CardsDiscarded() | m.JokerNamed():
            return [_widow_line(event, signs)]
        case m.SeatTaken(seat=seat, name=name, former=str(former)):
            return [f"{names.get(former, 'Somebody')} has moved to another device, as {name} at {seat}"]
        case m.SeatTaken() | m.SeatLeft() | m.BotSeated() | m.SeatReady() | m.TableEnded():
            return [_seat_line(event)]
        case _:
            return _person_lines(event, view, names)


def _contract_line(contract: m.ContractPart | None, signs: Signs) -> str:
    if contract is None:
        return "The deal is not played."
    if contract.call is None:
        return f"Nobody has bid: the deal is played without trumps; {contract.leader} leads"
    return f"The contract is {contract_text(contract, signs)}; {contract.leader} leads"


def _widow_line(event: m.PartnersCalled | m.WidowTaken | m.CardsDiscarded | m.JokerNamed, signs: Signs) -> str:
    match event:
        case m.PartnersCalled(seat=seat, partners=partners):
            return f"{seat} plays with {', '.join(partners) or 'nobody'}"
        case m.WidowTaken(seat=seat, count=count, cards=cards):
            return f"{seat} takes up the widow, {cards_line(cards, signs) if cards is not None else f'{count} cards'}"
        case m.CardsDiscarded(seat=seat, count=count, cards=cards):
            return f"{seat} lays away {cards_line(cards, signs) if cards is not None else f'{count} cards'}"
        case m.JokerNamed(seat=seat, suit=suit):
            return f"{seat} names {card_text(f'JK:{suit}', signs) if suit else 'no suit for the joker'}"


def _score_lines(event: m.DealScored | m.RubberBegun | m.RubberScored, view: m.TableView, signs: Signs) -> list[str]:
    match event:
        case m.RubberBegun(rubber=rubber):
            return ["", f"{unit_of(view).title()} {rubber} begins"]
        case m.DealScored(deal=deal, score=score):
            lines = deal_score_lines(view, score, signs)
            return ["", f"Deal {deal} is over", *lines, *standing_lines(view.sides, score.standing)]
        case m.RubberScored(rubber=rubber, winner=winner, totals=totals, ledger=ledger):
            total = ", ".join(f"{side_label(side)} {points}" for side, points in totals.items())
            won = f", won by {winner}" if winner is not None else ""
            return ["", f"{unit_of(view).title()} {rubber} is over{won}: {total}", *ledger_lines(view, ledger)]


def _seat_line(event: m.SeatTaken | m.SeatLeft | m.BotSeated | m.SeatReady | m.TableEnded) -> str:
    match event:
        case m.SeatTaken(seat=seat, name=name):
            return f"{name} sits down at {seat}"
        case m.SeatLeft(seat=seat):
            return f"Seat {seat} is free"
        case m.BotSeated(seat=seat):
            return f"A bot plays for {seat}"
        case m.SeatReady(seat=seat):
            return f"{seat} is ready"
        case m.TableEnded(reason=reason):
            return f"The table is closed: {reason}"


def _person_lines(event: m.AnyEvent, view: m.TableView, names: Mapping[str, str]) -> list[str]:
    match event:
        case m.PlayerJoined(name=name):
            return [f"{name} has come"]
        case m.PlayerNamed(player=player, name=name) if names.get(player) != name:
            return [f"{names.get(player, 'Somebody')} is now {name}"]
        case m.PlayerLeft(player=player):
            return [f"{names.get(player, 'Somebody')} has left"]
        case m.PlayerConnected(player=player) if player != view.player:
            return [f"{names.get(player, 'Somebody')} is back"]
        case m.PlayerDropped(player=player, seat=seat, reason=reason) if player != view.player:
            return [f"{names.get(player, 'Somebody')}{f' ({seat})' if seat else ''} {_DROPPED.get(reason, _LOST)}"]
        case _:
            return []
