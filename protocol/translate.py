"""Between the values of the rules and the texts of the messages, in both directions."""

from collections.abc import Iterable, Mapping, Sequence

from protocol import messages as m
from rules import events as e
from rules.actions import Action, CallPartners, Choose, Discard, NameJoker, Play, parse_play
from rules.calls import Bid, Declaration, Word, parse_call
from rules.cards import Cards, Suit, hand_text, parse_card, parse_hand
from rules.game import AnyGame
from rules.scoresheet import Result, score_numbers, standing_numbers
from rules.seats import Seat, Seats
from rules.tricks import Trick
from rules.view import View

Acting = m.MakeCall | m.PlayCard | m.DiscardCards | m.CallPartners | m.NameJoker
"""The commands that answer a turn."""


def parse_action(command: Acting, seats: Seats) -> Action:
    """Return what a command does in the words of the rules. Raises ValueError for a text that is no call or card."""
    match command:
        case m.MakeCall(call=call):
            return parse_call(call)
        case m.PlayCard(card=card):
            return parse_play(card)
        case m.DiscardCards(cards=cards):
            return Discard(tuple(parse_card(card) for card in cards))
        case m.CallPartners(seats=names):
            return CallPartners(tuple(seats.parse(name) for name in names))
        case m.NameJoker(suit=suit):
            return NameJoker(Suit(suit) if suit is not None else None)


def command_for(action: Action, id: int, deal: int, index: int, seats: Seats) -> Acting:
    """Return the command that does an action as the answer to a turn."""
    match action:
        case Word() | Bid() | Declaration():
            return m.MakeCall(id, deal, index, str(action))
        case Play():
            return m.PlayCard(id, deal, index, str(action))
        case Discard(cards=cards):
            return m.DiscardCards(id, deal, index, [str(card) for card in cards])
        case CallPartners(seats=partners):
            return m.CallPartners(id, deal, index, _names(seats, partners))
        case NameJoker(suit=suit):
            return m.NameJoker(id, deal, index, suit)


def legal_part(actions: Iterable[Action | Choose], seats: Seats) -> m.Legal:
    """Return what a seat may do as messages list it."""
    legal = m.Legal([], [], None, [], [])
    for action in actions:
        match action:
            case Play():
                legal.cards.append(str(action))
            case Choose(count=count, cards=cards):
                legal.discard = (count, [str(card) for card in cards])
            case Discard(cards=cards):
                legal.discard = (len(cards), [str(card) for card in cards])
            case CallPartners(seats=partners):
                legal.partners.append(_names(seats, partners))
            case NameJoker(suit=suit):
                legal.jokers.append(suit)
            case _:
                legal.calls.append(str(action))
    return legal


def parse_legal(legal: m.Legal, seats: Seats) -> list[Action | Choose]:
    """Return what a seat may do in the words of the rules."""
    actions: list[Action | Choose] = [parse_call(call) for call in legal.calls]
    actions += [parse_play(card) for card in legal.cards]
    if legal.discard is not None:
        count, cards = legal.discard
        actions.append(Choose(count, tuple(parse_card(card) for card in cards)))
    actions += [CallPartners(tuple(seats.parse(name) for name in partners)) for partners in legal.partners]
    actions += [NameJoker(Suit(suit) if suit is not None else None) for suit in legal.jokers]
    return actions


def event_message(event: e.Event, game: AnyGame, deal: int, seed: bytes) -> m.AnyEvent:
    """Return the message for an event that has been redacted for its reader.

    `deal` is the number of the deal, `seed` the bytes that it was shuffled from: told when it has been scored.
    """
    seats = game.seats
    match event:
        case e.CardsDealt():
            counts = dict(zip(seats.names, event.counts, strict=True))
            hands = _hands(seats, event.hands)
            return m.CardsDealt(deal, seats.name(event.dealer), hands, counts, event.widow_count, _cards(event.widow))
        case e.CallMade():
            return m.CallMade(seats.name(event.seat), str(event.call))
        case e.AuctionEnded():
            hide = bool(game.options.get("hide_auction_during_play", False)) and event.contract is not None
            return m.AuctionEnded(_contract(event.contract, seats), hide)
        case e.PartnersCalled():
            return m.PartnersCalled(seats.name(event.seat), _names(seats, event.partners))
        case e.WidowTaken():
            return m.WidowTaken(seats.name(event.seat), event.count, _cards(event.cards))
        case e.CardsDiscarded():
            return m.CardsDiscarded(seats.name(event.seat), event.count, _cards(event.cards))
        case e.JokerNamed():
            return m.JokerNamed(seats.name(event.seat), event.suit)
        case e.CardPlayed():
            card = str(Play(event.card, event.suit))
            return m.CardPlayed(seats.name(event.seat), seats.name(event.by), card, event.led)
        case e.HandExposed():
            return m.HandExposed(seats.name(event.seat), hand_text(event.cards))
        case e.TrickWon():
            return m.TrickWon(seats.name(event.seat), event.number)
        case e.DealScored():
            score, hands = score_part(event.result, game), _hands(seats, event.hands)
            return m.DealScored(deal, hands, score, seed.hex(), _cards(event.widow), _cards(event.discard))


def score_part(result: Result, game: AnyGame) -> m.ScorePart:
    """Return a scored deal as messages show it."""
    sides = [side.name for side in game.sides]
    return m.ScorePart(
        score=score_numbers(result.lines, game.sides, game.accounts),
        lines=[
            m.ScoreLine(sides[line.side], line.account, line.points, line.reason, line.words) for line in result.lines
        ],
        standing=standing_numbers(result.standing, game.sides),
        next_dealer=game.seats.name(result.next_dealer),
        over=result.over,
        winner=None if result.winner is None else sides[result.winner],
    )


def deal_part(view: View, game: AnyGame, number: int) -> m.DealPart:
    """Return a view of a deal as messages show it."""
    seats = game.seats
    return m.DealPart(
        number=number,
        dealer=seats.name(view.dealer),
        phase=view.phase,
        hands=_hands(seats, view.hands),
        counts=dict(zip(seats.names, view.counts, strict=True)),
        calls=[m.CallPart(seats.name(seat), str(call)) for seat, call in view.calls],
        contract=_contract(view.contract, seats),
        trick=_trick(view.trick, seats),
        last_trick=_trick(view.last_trick, seats),
        tricks_won=dict(zip(seats.names, view.tricks_won, strict=True)),
        exposed=_names(seats, view.exposed),
        widow=_cards(view.widow),
        widow_count=view.widow_count,
        discard=_cards(view.discard),
        dealt=None if view.dealt is None else _hands(seats, view.dealt),
        score=None if view.result is None else score_part(view.result, game),
    )


def parse_view(deal: m.DealPart, turn: m.Turn | None, seat: str | None, seats: Seats) -> View:
    """Return a view of a deal in the words of the rules; its `result` is left out."""
    return View(
        seat=None if seat is None else seats.parse(seat),
        dealer=seats.parse(deal.dealer),
        phase=deal.phase,
        to_act=None if turn is None else seats.parse(turn.seat),
        hand_to_play=None if turn is None or turn.hand is None else seats.parse(turn.hand),
        hands=_parse_hands(seats, deal.hands),
        counts=tuple(deal.counts[name] for name in seats.names),
        calls=tuple((seats.parse(made.seat), parse_call(made.call)) for made in deal.calls),
        contract=_parse_contract(deal.contract, seats),
        trick=_parse_trick(deal.trick, seats),
        last_trick=_parse_trick(deal.last_trick, seats),
        tricks_won=tuple(deal.tricks_won[name] for name in seats.names),
        exposed=tuple(seats.parse(name) for name in deal.exposed),
        widow=None if deal.widow is None else parse_hand(deal.widow),
        widow_count=deal.widow_count,
        discard=None if deal.discard is None else parse_hand(deal.discard),
        dealt=None if deal.dealt is None else _parse_hands(seats, deal.dealt),
    )


def _names(seats: Seats, some: Iterable[Seat]) -> list[str]:
    return [seats.name(seat) for seat in some]


def _cards(cards: Cards | None) -> str | None:
    return None if cards is None else hand_text(cards)


def _hands(seats: Seats, hands: Sequence[Cards | None]) -> dict[str, str]:
    return {seats.name(seat): hand_text(hand) for seat, hand in enumerate(hands) if hand is not None}


def _parse_hands(seats: Seats, hands: Mapping[str, str]) -> tuple[Cards | None, ...]:
    return tuple(parse_hand(hands[name]) if name in hands else None for name in seats.names)


def _contract(contract: e.Contract | None, seats: Seats) -> m.ContractPart | None:
    if contract is None:
        return None
    return m.ContractPart(
        call=None if contract.call is None else str(contract.call),
        doubling=contract.doubling,
        declarer=None if contract.declarer is None else seats.name(contract.declarer),
        dummy=None if contract.dummy is None else seats.name(contract.dummy),
        partners=_names(seats, contract.partners),
        trumps=contract.trumps,
        leader=seats.name(contract.leader),
    )


def _parse_contract(contract: m.ContractPart | None, seats: Seats) -> e.Contract | None:
    if contract is None:
        return None
    call = None if contract.call is None else parse_call(contract.call)
    return e.Contract(
        call=call,
        doubling=contract.doubling,
        declarer=None if contract.declarer is None else seats.parse(contract.declarer),
        dummy=None if contract.dummy is None else seats.parse(contract.dummy),
        partners=tuple(seats.parse(name) for name in contract.partners),
        trumps=None if contract.trumps is None else Suit(contract.trumps),
        leader=seats.parse(contract.leader),
    )


def _trick(trick: Trick | None, seats: Seats) -> m.TrickPart | None:
    if trick is None:
        return None
    plays = [m.PlayPart(seats.name(seat), str(card)) for seat, card in trick.plays]
    return m.TrickPart(seats.name(trick.leader), trick.led, plays)


def _parse_trick(trick: m.TrickPart | None, seats: Seats) -> Trick | None:
    if trick is None:
        return None
    plays = tuple((seats.parse(play.seat), parse_card(play.card)) for play in trick.plays)
    return Trick(seats.parse(trick.leader), None if trick.led is None else Suit(trick.led), plays)
