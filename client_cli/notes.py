"""What has been heard of the deals of a table: the cards as they came, and what was told at the end of each.

Who comes in the middle of a deal, or misses a part of it, notes what is left of it, and that something is missing.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from protocol import messages as m


@dataclass(slots=True)
class NotedTrick:
    """The cards of a trick, each with its seat, in the order of play; the winner once it is complete."""

    plays: list[tuple[str, str]] = field(default_factory=list)
    winner: str | None = None


@dataclass(slots=True)
class Noted:
    """What is known of a deal.

    `hands` are those that were told while it lasted, `tricks` go by their number, and `missed` says that something
    after the calls was not heard. When the deal is over, `end` is all of it that is public then and `names` who sat
    there; `told` is how the end was told and `when` its time, in the store's seconds: None if that was before this
    client came.
    """

    number: int
    rubber: int
    dealer: str
    before: dict[str, dict[str, int]] | None
    hands: dict[str, str] = field(default_factory=dict)
    discard: str | None = None
    joker: m.JokerNamed | None = None
    tricks: dict[int, NotedTrick] = field(default_factory=dict)
    missed: bool = False
    end: m.DealPart | None = None
    names: dict[str, str] = field(default_factory=dict)
    told: m.DealScored | None = None
    when: float | None = None


class Notes:
    """The deals of one table, by number; `void` are the numbers of those that counted for nothing.

    `records` are those that the server has told of, of deals that this client need not have heard; `more` says after
    which deal there are others.
    """

    def __init__(self) -> None:
        self.deals: dict[int, Noted] = {}
        self.void: set[int] = set()
        self.records: dict[int, Mapping[str, object]] = {}
        self.more: int | None = None
        self._table: str | None = None
        self._number = 0

    # --- what is heard

    def viewed(self, view: m.TableView) -> None:
        """Take note of a fresh view: of what it shows, and of what may have been missed before it."""
        if (view.table, view.number) == (self._table, self._number):
            return
        if view.table != self._table:
            self.deals, self.records, self.void = {}, {}, set()
        self._table, self._number = view.table, view.number
        # A store that went back has taken back what came later.
        self.deals = {number: deal for number, deal in self.deals.items() if number < view.next_deal}
        self.records = {number: record for number, record in self.records.items() if number < view.next_deal}
        if view.deal is not None:
            self._come_upon(view, view.deal)

    def told(self, entry: m.Entry, view: m.TableView) -> None:
        """Take note of an entry that has been folded into the view."""
        self._number = entry.number
        for event in entry.events:
            match event:
                case m.CardsDealt():
                    self._begun(event, view)
                case m.DealVoided(deal=number):
                    self.deals.pop(number, None)
                    self.void.add(number)
                case m.DealScored(deal=number) if view.deal is not None:
                    noted = self.deals[number]
                    noted.told, noted.when = event, entry.time
                    _close(noted, view.deal, view)
                case _ if view.deal is not None and view.deal.number in self.deals:
                    _note(self.deals[view.deal.number], event)

    def overhear(self, entry: m.Entry, view: m.TableView) -> None:
        """Take note of what another seat alone has been told, folded into its view."""
        for event in entry.events:
            match event:
                case m.CardsDealt():
                    self._begun(event, view)
                case m.CardsDiscarded(cards=str() as cards) if view.deal is not None:
                    self.deals[view.deal.number].discard = cards

    def keep(self, told: m.DealRecords) -> None:
        """Keep the records of deals that are over."""
        self.more = told.last if told.more else None
        for text in told.records:
            with suppress(ValueError, LookupError, TypeError):
                record = json.loads(text)
                self.records[int(record["table"]["deal"])] = record

    def _begun(self, event: m.CardsDealt, view: m.TableView) -> None:
        deal = Noted(event.deal, view.rubber, event.dealer, view.standing)
        # Taken out one by one, for the hands in the view get smaller.
        self.deals.setdefault(event.deal, deal).hands |= event.hands

    def _come_upon(self, view: m.TableView, deal: m.DealPart) -> None:
        """Note what a view shows of a deal, some of which may have been heard before."""
        noted = self.deals.get(deal.number)
        if noted is None or (noted.end is not None and deal.score is None):
            before = view.standing if deal.score is None else None
            noted = self.deals[deal.number] = Noted(deal.number, view.rubber, deal.dealer, before)
            if deal.contract is None and view.seat in deal.hands:
                noted.hands[view.seat] = deal.hands[view.seat]
        if noted.end is None:
            noted.missed |= deal.contract is not None
            _see_tricks(noted, deal)
            if deal.score is not None:
                _close(noted, deal, view)


def _note(noted: Noted, event: m.AnyEvent) -> None:
    match event:
        case m.CardPlayed(seat=seat, card=card):
            _trick(noted).plays.append((seat, card))
        case m.TrickWon(seat=seat):
            _trick(noted).winner = seat
        case m.JokerNamed():
            noted.joker = event
        case m.CardsDiscarded(cards=str() as cards):
            noted.discard = cards


def _trick(noted: Noted) -> NotedTrick:
    """Return the trick that is on the table."""
    last = max(noted.tricks, default=0)
    if last == 0 or noted.tricks[last].winner is not None:
        last += 1
    return noted.tricks.setdefault(last, NotedTrick())


def _see_tricks(noted: Noted, deal: m.DealPart) -> None:
    if deal.trick is None:
        return
    complete = sum(deal.tricks_won.values())
    if deal.last_trick is not None:
        noted.tricks[complete] = NotedTrick(_plays(deal.last_trick), deal.trick.leader)
    if deal.trick.plays:
        noted.tricks[complete + 1] = NotedTrick(_plays(deal.trick))


def _plays(trick: m.TrickPart) -> list[tuple[str, str]]:
    return [(play.seat, play.card) for play in trick.plays]


def _close(noted: Noted, deal: m.DealPart, view: m.TableView) -> None:
    noted.end, noted.names = deal, {part.seat: part.name for part in view.seats if part.name}
