"""The printed story of a rubber: every deal when it has been scored, then the sheet of them all.

Each deal is dealt once more from the seed that is told at its end, and played by the laws of this program: a server
that shuffles, plays or scores otherwise is found out. What the laws of a game never show, such as the cards laid away,
those must have told who were told it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from client_cli.blocks import columns, options_lines, standing_lines
from client_cli.console import Console, say_all
from client_cli.diagram import contract_words, deal_lines
from client_cli.draw import side_label, unit_of
from protocol import messages as m
from protocol.translate import score_part
from rules.cards import Cards, hand_text, in_order, parse_hand
from rules.errors import BadRecord
from rules.events import AuctionEnded
from rules.game import Place
from rules.registry import make_game
from rules.replay import FORMAT, Replayed, play_again
from rules.shuffle import shuffled


class Differs(Exception):
    """A deal is not what the laws make of it."""


@dataclass(slots=True)
class _Deal:
    """What is known of a deal before it is over."""

    number: int
    dealer: str
    before: dict[str, dict[str, int]]
    lists: dict[str, object] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    plays: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Secrets:
    """What single seats were told of a deal: their hands, by seat, and what the bidder has laid away."""

    hands: dict[str, str] = field(default_factory=dict)
    discard: str | None = None


class Chronicle:
    """Hears the entries of one seat, in order, and prints; of the other seats it overhears what they alone are told."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._secrets: dict[int, _Secrets] = {}
        self._deal: _Deal | None = None
        self._standing: dict[str, dict[str, int]] = {}
        self._rows: list[list[str]] = []
        self._over: m.RubberScored | None = None
        self._view: m.TableView | None = None

    @property
    def deals(self) -> int:
        """How many deals have been printed."""
        return len(self._rows)

    @property
    def is_over(self) -> bool:
        """Whether the rubber has come to its end."""
        return self._over is not None

    def overhear(self, entry: m.Entry, view: m.TableView) -> None:
        """Take note of what another seat has been told, folded into its view. Its player must be one of ours."""
        for event in entry.events:
            match event:
                case m.CardsDealt(deal=deal, hands=hands):
                    self._secrets_of(deal).hands |= hands
                case m.CardsDiscarded(cards=cards) if cards is not None and view.deal is not None:
                    self._secrets_of(view.deal.number).discard = cards

    def _secrets_of(self, deal: int) -> _Secrets:
        return self._secrets.setdefault(deal, _Secrets())

    def note(self, entry: m.Entry, view: m.TableView) -> None:
        """Take note of an entry that has been folded into the view. Raises Differs."""
        self.overhear(entry, view)
        self._view = view
        for event in entry.events:
            match event:
                case m.RubberBegun():
                    self._console.say(*options_lines(view), "")
                case m.CardsDealt(deal=deal, dealer=dealer):
                    self._deal = _Deal(deal, dealer, view.standing)
                case m.DealScored() if self._deal is not None:
                    self._print(self._deal, event, view)
                case m.RubberScored():
                    self._over = event
                case _ if self._deal is not None:
                    _write_down(self._deal, event)

    def finish(self) -> None:
        """Print the sheet of the rubber and its total."""
        view = self._view
        if view is None or not self._rows:
            return
        accounts, unit = self._accounts(view), unit_of(view)
        alone = len(accounts) == len(view.sides)
        heads = ["deal", "contract", "tricks", *(side if alone else f"{side} {account}" for side, account in accounts)]
        self._console.say(f"{unit.title()} {view.rubber}", *columns([heads, *self._rows]), "")
        say_all(self._console, standing_lines(view.sides, view.standing))
        if self._over is None:
            self._console.say(f"The {unit} is not over after {len(self._rows)} deals; the bots stop here.")
            return
        totals = ", ".join(f"{side_label(side)} {points}" for side, points in self._over.totals.items())
        won = f" {self._over.winner} wins the {unit}." if self._over.winner is not None else ""
        self._console.say(f"Total: {totals}.{won}")

    def _print(self, deal: _Deal, event: m.DealScored, view: m.TableView) -> None:
        replayed = _played_again(deal, event, view, self._secrets.pop(deal.number, _Secrets()))
        signs = self._console.signs
        self._console.say(
            f"Deal {deal.number}", f"seed {event.seed}", *deal_lines(replayed.game, replayed.events, signs), ""
        )
        contract = next(e.contract for e in replayed.events if isinstance(e, AuctionEnded))
        won = view.deal.tricks_won if view.deal is not None else {}
        tricks = " ".join(
            f"{side_label(side)} {sum(won[seat] for seat in seats)}" for side, seats in view.sides.items()
        )
        points = [str(event.score.score[side][account]) for side, account in self._accounts(view)]
        self._rows.append([str(deal.number), contract_words(replayed.game.seats, contract, signs), tricks, *points])

    def _accounts(self, view: m.TableView) -> list[tuple[str, str]]:
        scores = view.deal.score.score if view.deal is not None and view.deal.score is not None else {}
        return [(side, account) for side in view.sides for account in scores.get(side, {})]


def _write_down(deal: _Deal, event: m.AnyEvent) -> None:
    match event:
        case m.CallMade(call=call):
            deal.calls.append(call)
        case m.CardPlayed(card=card):
            deal.plays.append(card)
        case m.PartnersCalled(partners=partners):
            deal.lists["called_partners"] = partners
        case m.JokerNamed(suit=suit):
            deal.lists["joker_suit"] = suit


def _played_again(deal: _Deal, event: m.DealScored, view: m.TableView, secrets: _Secrets) -> Replayed:
    """Play the deal by the laws of this program. Raises Differs if the cards or the score turn out differently."""
    record: dict[str, object] = {
        "format": FORMAT,
        "game": view.game,
        "options": view.options,
        "players": len(view.seats),
        "dealer": deal.dealer,
        **_dealt_again(deal, event, view, secrets),
        "calls": deal.calls,
        "plays": deal.plays,
        "before": _before(deal.before),
        **deal.lists,
    }
    discard = secrets.discard or event.discard
    if discard is not None:
        record["discard"] = list(map(str, parse_hand(discard)))
    try:
        replayed = play_again(record)
    except BadRecord as error:
        raise Differs(f"Deal {deal.number} was not played by the laws: {error.message}") from None
    result = replayed.state.result
    if result is None or score_part(result, replayed.game) != event.score:
        raise Differs(f"Deal {deal.number} was not scored by the laws.")
    return replayed


def _before(standing: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {column: dict(numbers) for column, numbers in standing.items()}


def _dealt_again(deal: _Deal, event: m.DealScored, view: m.TableView, secrets: _Secrets) -> dict[str, object]:
    """Return hands and widow as the seed deals them. Raises Differs if anybody was told other cards."""
    game = make_game(view.game, len(view.seats), view.options)
    piles = _piles(game.places(game.seats.parse(deal.dealer)), shuffled(game.deck, bytes.fromhex(event.seed)))
    hands = {"dead" if place == "dead" else game.seats.name(place): cards for place, cards in piles if place != "widow"}
    for told in (secrets.hands, event.hands):
        if any(set(parse_hand(hand)) != set(hands[seat]) for seat, hand in told.items()):
            raise Differs(f"Deal {deal.number} was not shuffled from its seed.")
    dealt: dict[str, object] = {"hands": {name: hand_text(cards) for name, cards in hands.items()}}
    widow = [str(card) for place, cards in piles if place == "widow" for card in cards]
    return {**dealt, "widow": widow} if widow else dealt


def _piles(places: Sequence[Place], cards: Cards) -> list[tuple[Place, Cards]]:
    """Return what lies in each place after the deal."""
    at = list(zip(places, cards, strict=True))
    return [(pile, in_order(card for place, card in at if place == pile)) for pile in dict.fromkeys(places)]
