"""A deal that is over, as this client can tell it: its events as far as they are known, its record, what a check finds.

It comes from what was heard, or from the record that the server keeps.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from client_cli.deal_check import (
    Differs,
    Piles,
    called_partners,
    deal_out,
    dealt_again,
    laid_away,
    played_again,
    written,
)
from client_cli.diagram import deal_lines
from client_cli.notes import Noted, Notes
from client_cli.record_lines import outcome
from client_cli.shelf import names_in
from client_cli.signs import Signs
from client_cli.steps import Picture, picture_of
from protocol import messages as m
from protocol.translate import parse_view
from rules import events as e
from rules.actions import parse_play
from rules.cards import Cards, Suit, parse_hand
from rules.errors import BadOption, BadRecord
from rules.game import AnyGame
from rules.record import filled
from rules.registry import make_game
from rules.replay import Record, Replayed, play_again
from rules.scoresheet import Line, Result

CHECKED = "Checked: the seed deals these cards, and the laws give this score."
CARDS_CHECKED = "The seed deals these cards. The score is not checked: not all is known here."
NOT_CHECKED = "Not checked: this client came after the deal, and was not told its seed."


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check has found: right, wrong, or None where not all could be checked; in a sentence."""

    right: bool | None
    sentence: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A deal that is over; `names` say who sat where, `before` is the standing that it inherited.

    `record`, and it played again, are None where not all of the deal is known, or it was not played by the laws.
    """

    number: int
    rubber: int
    game: AnyGame
    events: tuple[e.Event, ...]
    tricks_won: tuple[int, ...]
    names: Mapping[str, str]
    before: Mapping[str, Mapping[str, int]] | None
    seed: str | None
    verdict: Verdict
    record: Record | None = None
    replayed: Replayed | None = None

    @property
    def picture(self) -> Picture:
        """What can be seen of the deal."""
        return picture_of(self.game, self.events, self.tricks_won)

    @property
    def result(self) -> Result:
        """The score of the deal."""
        (result,) = (event.result for event in self.events if isinstance(event, e.DealScored))
        return result

    def lines(self, signs: Signs) -> list[str]:
        """Write the whole deal."""
        seed = [] if self.seed is None else [f"seed {self.seed}"]
        return [f"Deal {self.number}", *seed, *deal_lines(self.game, self.events, signs)]

    def outcome(self, signs: Signs) -> str:
        """Say in a few words what was played, and how many tricks were won."""
        (contract,) = (event.contract for event in self.events if isinstance(event, e.AuctionEnded))
        return outcome(self.game.seats, contract, self.tricks_won, signs)


# --- from what was heard


def heard_deal(noted: Noted, view: m.TableView) -> Finished:
    """Tell a deal of a table that is over from what was noted of it."""
    game = make_game(view.game, len(view.seats), view.options)
    piles = record = replayed = None
    verdict = Verdict(None, NOT_CHECKED)
    try:
        if noted.told is not None:
            piles = dealt_again(game, noted)
            verdict = Verdict(None, CARDS_CHECKED)
            record = written(game, noted, piles, view)
        if record is not None:
            replayed = played_again(noted, record)
            record, verdict = _labelled(filled(record, replayed), noted, view), Verdict(True, CHECKED)
    except Differs as error:
        record, verdict = None, Verdict(False, str(error))
    assert noted.end is not None, "the deal is over"
    return Finished(
        number=noted.number,
        rubber=noted.rubber,
        game=game,
        events=tuple(_retold(game, noted, piles, view)) if replayed is None else replayed.events,
        tricks_won=tuple(noted.end.tricks_won[seat] for seat in game.seats.names),
        names=noted.names,
        before=noted.before,
        seed=None if noted.told is None else noted.told.seed,
        verdict=verdict,
        record=record,
        replayed=replayed,
    )


def _labelled(record: Record, noted: Noted, view: m.TableView) -> dict[str, object]:
    """Say in a record which deal of which table it is, in the form of the server's own records."""
    assert noted.told is not None, "its seed is known"
    sat = [{"name": name, "seat": seat} for seat, name in noted.names.items()]
    table = {"id": view.table, "deal": noted.number, "rubber": noted.rubber, "sat": sat}
    return {"id": f"{view.table}-{noted.number}", **record, "seed": noted.told.seed, "when": noted.when, "table": table}


def _retold(game: AnyGame, noted: Noted, piles: Piles | None, view: m.TableView) -> Iterator[e.Event]:
    """Yield what is known of a deal; hands that are not known are None, and tricks that are not known are left out."""
    end = noted.end
    assert end is not None and end.score is not None, "the deal is over"
    seen = parse_view(end, None, None, game.seats)
    hands = _hands(game, noted, seen.dealt or (), piles)
    widow = seen.widow if piles is None else piles.get("widow", ())
    yield e.CardsDealt(seen.dealer, hands, tuple(len(hand or ()) for hand in hands), widow, len(widow or ()))
    for seat, call in seen.calls:
        yield e.CallMade(seat, call)
    yield e.AuctionEnded(seen.contract)
    if seen.contract is not None and seen.contract.declarer is not None:
        yield from _settled(game, noted, piles, seen.contract.declarer, called_partners(end, view))
    for number, trick in sorted(noted.tricks.items()):
        for name, card in trick.plays:
            play, seat = parse_play(card), game.seats.parse(name)
            yield e.CardPlayed(seat, seat, play.card, play.suit)
        if trick.winner is not None:
            yield e.TrickWon(game.seats.parse(trick.winner), number)
    yield e.DealScored(hands, widow, None, _result(game, end.score))


def _hands(
    game: AnyGame, noted: Noted, shown: tuple[Cards | None, ...], piles: Piles | None
) -> tuple[Cards | None, ...]:
    """Return the hands as dealt: those of the seed, else those that were shown in the end or told before."""
    if piles is not None:
        return tuple(piles[seat] for seat in game.seats)
    told = {game.seats.parse(name): parse_hand(hand) for name, hand in noted.hands.items()}
    return tuple((shown[seat] if shown else None) or told.get(seat) for seat in game.seats)


def _settled(game: AnyGame, noted: Noted, piles: Piles | None, declarer: int, called: list[str]) -> Iterator[e.Event]:
    if called:
        yield e.PartnersCalled(declarer, tuple(map(game.seats.parse, called)))
    discard = laid_away(game, noted, piles) if piles is not None else None
    if discard:
        yield e.CardsDiscarded(declarer, discard, len(discard))
    if noted.joker is not None:
        yield e.JokerNamed(declarer, None if noted.joker.suit is None else Suit(noted.joker.suit))


@dataclass(frozen=True, slots=True)
class _Columns:
    """A standing as it was told, which no deal need be able to begin with."""

    columns: Mapping[str, tuple[int, ...]]


def _result(game: AnyGame, score: m.ScorePart) -> Result:
    sides = [side.name for side in game.sides]
    lines = (Line(sides.index(line.side), line.account, line.points, line.reason, line.words) for line in score.lines)
    standing = _Columns({column: tuple(by[side] for side in sides) for column, by in score.standing.items()})
    winner = None if score.winner is None else sides.index(score.winner)
    return Result(tuple(lines), standing, game.seats.parse(score.next_dealer), score.over, winner)


# --- from the server's records


def kept_deal(record: Mapping[str, Any], noted: Noted | None = None) -> Finished | None:
    """Tell a deal from the record that a server keeps of it; None if that is none, or was played by other laws.

    It must agree with what was noted of the deal.
    """
    try:
        replayed = play_again(record)
        filled(record, replayed)
        before = record["before"]
        number, rubber, seed = record["table"]["deal"], record["table"]["rubber"], record["seed"]
        verdict = _verdict(number, replayed, deal_out(replayed.game, record["dealer"], seed))
    except (BadRecord, LookupError, TypeError, ValueError):
        return None
    if replayed.state.result is None:
        return None
    if noted is not None and noted.told is not None and noted.told.seed != seed:
        verdict = Verdict(False, f"The server's record of deal {number} is not of the deal that was played.")
    return Finished(
        number=number,
        rubber=rubber,
        game=replayed.game,
        events=replayed.events,
        tricks_won=replayed.game.view(replayed.state, None).tricks_won,
        names=names_in(record),
        before=before,
        seed=seed,
        verdict=verdict,
        record=record,
        replayed=replayed,
    )


def _verdict(number: int, replayed: Replayed, piles: Piles) -> Verdict:
    dealt = next(event for event in replayed.events if isinstance(event, e.CardsDealt))
    if any(set(hand or ()) != set(piles[seat]) for seat, hand in enumerate(dealt.hands)):
        return Verdict(False, f"Deal {number} was not shuffled from its seed.")
    return Verdict(True, CHECKED)


# --- from both


def finished_deal(number: int, notes: Notes, view: m.TableView) -> Finished | None:
    """Tell a deal of a table by what was heard of it or, if that is not all, by the server's record.

    None if it is not over, or its game is not known here.
    """
    noted, record = notes.deals.get(number), notes.records.get(number)
    try:
        heard = heard_deal(noted, view) if noted is not None and noted.end is not None else None
    except BadOption:
        return None
    if record is None or (heard is not None and heard.verdict.right is not None):
        return heard
    return kept_deal(record, noted) or heard


def finished_deals(notes: Notes, view: m.TableView) -> list[Finished]:
    """Tell all deals of a table that are known and over, in order."""
    deals = (finished_deal(number, notes, view) for number in sorted({*notes.deals, *notes.records}))
    return [deal for deal in deals if deal is not None]
