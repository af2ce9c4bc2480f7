"""The table as this client knows it: a view, kept up to date by the entries that follow it.

It knows no laws: everything that it changes stands in an event. After each entry it equals the view that the server
would send at that moment, but for the order of the spectators, for `last_command`, which the link keeps, and for what
it might have done at a turn that had passed when it heard of it.
"""

from collections.abc import Iterable

from protocol import messages as m
from rules.cards import hand_text, parse_card, parse_hand


class Model:
    """The last view of a table, changed in place by `fold`. `view` is None while no table has been joined."""

    def __init__(self) -> None:
        self.view: m.TableView | None = None
        self._put_away: list[m.CallPart] = []

    def replace(self, view: m.TableView | None) -> None:
        """Start from a fresh view, or from none."""
        self.view = view
        self._put_away = []

    def fold(self, entry: m.Entry) -> None:
        """Change the view by the next entry."""
        view = self.view
        assert view is not None, "entries follow a view"
        for event in entry.events:
            self._fold(view, event)
        view.number, view.entry, view.turn = entry.number, entry.entry, entry.turn
        if view.deal is not None and entry.turn is not None:
            view.deal.phase = entry.turn.phase or view.deal.phase

    def _fold(self, view: m.TableView, event: m.AnyEvent) -> None:
        match event:
            case m.PlayerJoined() | m.PlayerNamed() | m.PlayerLeft() | m.PlayerConnected() | m.PlayerDropped():
                self._fold_player(view, event)
            case m.SeatTaken() | m.SeatLeft() | m.BotSeated() | m.SeatReady():
                self._fold_seat(view, event)
            case m.RubberBegun(rubber=rubber, seats=seats):
                view.rubber, view.seats = rubber, seats
                view.seat = next((part.seat for part in seats if part.player == view.player), None)
                view.standing = {column: dict.fromkeys(sides, 0) for column, sides in view.standing.items()}
            case m.CardsDealt():
                self._dealt(view, event)
            case m.TableResumed(time=time):
                for part in view.seats:
                    part.away_since = time if part.player is not None else None
            case m.DealVoided():
                view.deal, view.stage = None, "scored"
                for part in view.seats:
                    part.ready = True
            case m.RubberScored(ledger=ledger):
                view.ledger = ledger
            case m.TableEnded():
                view.stage = "ended"
            case m.TableOpened():
                pass
            case _:
                assert view.deal is not None, "a deal begins with its cards"
                self._fold_deal(view, view.deal, event)

    # --- people

    def _fold_player(
        self,
        view: m.TableView,
        event: m.PlayerJoined | m.PlayerNamed | m.PlayerLeft | m.PlayerConnected | m.PlayerDropped,
    ) -> None:
        chair = next((part for part in view.seats if part.player == event.player), None)
        match event:
            case m.PlayerJoined(player=player, name=name):
                view.spectators.append(m.SpectatorPart(player, name))
            case m.PlayerNamed(player=player, name=name):
                for watcher in view.spectators:
                    watcher.name = name if watcher.player == player else watcher.name
                if chair is not None:
                    chair.name = name
            case m.PlayerLeft(player=player):
                view.spectators = [part for part in view.spectators if part.player != player]
            case m.PlayerConnected() if chair is not None:
                chair.connected, chair.away_since, chair.bot = True, None, False
            case m.PlayerDropped(time=time) if chair is not None:
                chair.connected, chair.away_since = False, time

    def _fold_seat(self, view: m.TableView, event: m.SeatTaken | m.SeatLeft | m.BotSeated | m.SeatReady) -> None:
        place = next(place for place, part in enumerate(view.seats) if part.seat == event.seat)
        chair = view.seats[place]
        match event:
            case m.SeatTaken(seat=seat, player=player, name=name, former=former):
                view.spectators = [part for part in view.spectators if part.player != player]
                if former in view.ledger:
                    view.ledger[player] = view.ledger.get(player, 0) + view.ledger.pop(former)
                view.seats[place] = m.SeatPart(seat, player, name, connected=True)
            case m.SeatLeft(seat=seat):
                if chair.player is not None:
                    view.spectators.append(m.SpectatorPart(chair.player, chair.name))
                view.seats[place] = m.SeatPart(seat)
            case m.BotSeated():
                chair.bot = True
            case m.SeatReady():
                chair.ready = True
        view.seat = next((part.seat for part in view.seats if part.player == view.player), None)

    def _fold_deal(self, view: m.TableView, deal: m.DealPart, event: m.AnyEvent) -> None:
        if isinstance(event, m.AuctionEnded):
            self._put_away = deal.calls
        fold_deal(deal, event)
        if isinstance(event, m.DealScored):
            # Calls that were out of sight during the play are public again; who came in mid-play never knew them.
            deal.calls = deal.calls or self._put_away
            view.standing = event.score.standing
            view.stage = "over" if event.score.over else "scored"

    def _dealt(self, view: m.TableView, event: m.CardsDealt) -> None:
        view.stage, view.next_deal = "playing", event.deal + 1
        for part in view.seats:
            part.ready = False
        view.deal = m.DealPart(
            number=event.deal,
            dealer=event.dealer,
            phase="auction",
            hands=event.hands,
            counts=event.counts,
            calls=[],
            contract=None,
            trick=None,
            last_trick=None,
            tricks_won=dict.fromkeys(event.counts, 0),
            widow=event.widow,
            widow_count=event.widow_count,
        )


def fold_deal(deal: m.DealPart, event: m.AnyEvent) -> None:
    """Change a deal by one event of it; others leave it alone."""
    match event:
        case m.CallMade(seat=seat, call=call):
            deal.calls.append(m.CallPart(seat, call))
        case m.AuctionEnded(contract=contract, hide_calls=hide_calls):
            _auction_ended(deal, contract, hide_calls)
        case m.CardPlayed():
            _played(deal, event)
        case m.HandExposed(seat=seat, cards=cards):
            deal.hands[seat] = cards
            deal.exposed.append(seat)
        case m.TrickWon(seat=seat):
            deal.last_trick, deal.trick = deal.trick, m.TrickPart(seat)
            deal.tricks_won[seat] += 1
        case m.WidowTaken(seat=seat, count=count, cards=cards):
            deal.widow, deal.widow_count = cards, 0
            deal.counts[seat] += count
            _change_hand(deal, seat, gained=_cards(cards))
        case m.CardsDiscarded(seat=seat, count=count, cards=cards):
            deal.widow = None  # what has been laid away nobody may look at again
            deal.counts[seat] -= count
            _change_hand(deal, seat, lost=_cards(cards))
        case m.PartnersCalled(partners=partners):
            if deal.contract is not None:
                deal.contract.partners = partners
        case m.DealScored():
            _scored(deal, event)


def _auction_ended(deal: m.DealPart, contract: m.ContractPart | None, hide_calls: bool) -> None:
    deal.contract = contract
    if contract is None:
        return
    deal.trick = m.TrickPart(contract.leader)
    if hide_calls:
        deal.calls = []


def _played(deal: m.DealPart, event: m.CardPlayed) -> None:
    assert deal.trick is not None, "a trick has begun"
    card, _, suit = event.card.partition(":")
    if not deal.trick.plays:
        deal.last_trick = None
        printed = parse_card(card).suit
        deal.trick.led = suit or event.led or (None if printed is None else str(printed))
    deal.trick.plays.append(m.PlayPart(event.seat, card))
    deal.counts[event.seat] -= 1
    _change_hand(deal, event.seat, lost=(card,))


def _scored(deal: m.DealPart, event: m.DealScored) -> None:
    deal.phase, deal.dealt, deal.score = "over", event.hands, event.score
    if event.widow is not None:
        deal.widow = event.widow
    if event.discard is not None:
        deal.discard = event.discard


def _change_hand(deal: m.DealPart, seat: str, gained: Iterable[str] = (), lost: Iterable[str] = ()) -> None:
    """Put cards into a hand that is visible, or take them out."""
    if seat not in deal.hands:
        return
    held = {*map(str, parse_hand(deal.hands[seat])), *gained}.difference(lost)
    deal.hands[seat] = hand_text(map(parse_card, held))


def _cards(hand: str | None) -> tuple[str, ...]:
    return () if hand is None else tuple(map(str, parse_hand(hand)))
