"""What a person asks to see of a table, as blocks of lines; without colour, which is the console's."""

import shlex
from collections.abc import Callable, Mapping, Sequence

from client_cli.diagram import auction_lines, score_lines
from client_cli.draw import (
    contract_in,
    hand_line,
    legal_lines,
    names_of,
    order_in,
    seat_text,
    seats_of,
    sides_of,
    trick_text,
    unit_of,
)
from client_cli.option_text import table_option_lines
from client_cli.signs import SYMBOLS, Signs
from protocol import messages as m
from rules.calls import parse_call
from rules.options import value_text
from rules.scoresheet import Line


def show(what: str, view: m.TableView, signs: Signs = SYMBOLS) -> list[str]:
    """Return what was asked for; one sentence where there is nothing of the kind."""
    if what in _OF_TABLE:
        return _OF_TABLE[what](view, signs)
    if view.deal is None:
        return ["No deal has begun yet."]
    return _OF_DEAL[what](view, view.deal, signs)


# --- the table


def who_lines(view: m.TableView, signs: Signs = SYMBOLS) -> list[str]:
    """Say who sits where and who watches."""
    lines = []
    for part in view.seats:
        agreed = part.ready and not part.bot and view.stage not in ("playing", "ended")
        marks = ["you"] * (part.seat == view.seat) + ["ready"] * agreed
        lines.append(f"{part.seat}  {seat_text(part)}" + (f" ({', '.join(marks)})" if marks else ""))
    if view.spectators:
        lines.append(f"watching: {', '.join(part.name for part in view.spectators)}")
    return lines


def game_line(view: m.TableView) -> str:
    """Name the game and the options that differ from its defaults."""
    given = ", ".join(f"{name}={value_text(value)}" for name, value in view.options.items())
    return f"{view.title}, {given or 'all options at their defaults'}"


def options_lines(view: m.TableView, signs: Signs = SYMBOLS) -> list[str]:
    """Name the game, and all its options: what each is here, what else it might be, what it changes."""
    return [game_line(view), *table_option_lines(view.game, len(view.seats), view.options, all_of_them=True)]


def rules_lines(view: m.TableView, signs: Signs = SYMBOLS) -> list[str]:
    """Say how the rules of the table can be read: they are too long for a table in play."""
    words = ["biritch", "rules", view.game, "--players", str(len(view.seats))]
    words += [word for name, value in view.options.items() for word in ("--option", f"{name}={value_text(value)}")]
    return [
        "In another terminal, or when you have quit, this prints the rules of this table:",
        f"  {shlex.join(words)}",
    ]


def table_lines(view: m.TableView, signs: Signs = SYMBOLS) -> list[str]:
    """Draw the table: who sits where, and of a deal what is on it."""
    deal = view.deal
    if deal is None or view.stage != "playing":
        return who_lines(view, signs)
    lines = [f"Deal {deal.number}, {deal.dealer} deals"]
    if deal.contract is not None:
        lines += [contract_in(view, deal.contract, signs), *_trick_lines(view, deal, signs)]
    for part in view.seats:
        cards = f"  {hand_line(deal.hands[part.seat], signs, order_in(view))}" if part.seat in deal.hands else ""
        to_act = " <" if view.turn is not None and view.turn.seat == part.seat else ""
        won = f", {_tricks(deal.tricks_won[part.seat])}" if deal.contract is not None else ""
        lines.append(f"{part.seat}  {seat_text(part)}{won}{to_act}{cards}")
    return lines


def _tricks(number: int) -> str:
    return "1 trick" if number == 1 else f"{number} tricks"


def sheet_lines(view: m.TableView, signs: Signs = SYMBOLS) -> list[str]:
    """Set out the rubber so far, the score of the deal just over, and the ledger of the players."""
    if not view.rubber:
        return ["Nothing has been played yet."]
    lines = [f"{unit_of(view).title()} {view.rubber}", *standing_lines(view.sides, view.standing)]
    if view.deal is not None and view.deal.score is not None:
        lines += [f"Deal {view.deal.number}", *deal_score_lines(view, view.deal.score, signs)]
    return [*lines, *ledger_lines(view, view.ledger)]


def standing_lines(sides: Mapping[str, object], standing: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Set out a standing: a row for each of its columns, a column for each side."""
    names = list(sides)
    rows = [["", *(f"{side:>6}" for side in names)]]
    rows += [[column, *(f"{numbers[side]:6}" for side in names)] for column, numbers in standing.items()]
    return [f"  {line}" for line in columns(rows)]


def deal_score_lines(view: m.TableView, score: m.ScorePart, signs: Signs = SYMBOLS) -> list[str]:
    """Write what a deal scored, line by line with how it comes about."""
    names = list(view.sides)
    lines = [Line(names.index(line.side), line.account, line.points, line.reason, line.words) for line in score.lines]
    return [f"  {line}" for line in score_lines(sides_of(view), lines, signs)]


def ledger_lines(view: m.TableView, ledger: Mapping[str, int]) -> list[str]:
    """Write what each player has won or lost at this table; nothing while that is nothing."""
    names = names_of(view)
    rows = [[names.get(player, "(gone)"), f"{points:+6}"] for player, points in ledger.items()]
    return ["Ledger", *(f"  {line}" for line in columns(rows))] if rows else []


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Set rows of equal length in columns, two spaces apart."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


# --- the deal


def _hand_lines(view: m.TableView, deal: m.DealPart, signs: Signs) -> list[str]:
    if view.seat is None:
        return ["You watch; you have no hand."]
    return [hand_line(deal.hands[view.seat], signs, order_in(view))]


def _dummy_lines(view: m.TableView, deal: m.DealPart, signs: Signs) -> list[str]:
    order = order_in(view)
    lines = [f"{seat}  {hand_line(deal.hands[seat], signs, order)}" for seat in deal.exposed if seat in deal.hands]
    return lines or ["No hand lies open."]


def _trick_lines(view: m.TableView, deal: m.DealPart, signs: Signs) -> list[str]:
    if deal.trick is None or view.stage != "playing":
        return ["No trick is being played."]
    number = sum(deal.tricks_won.values()) + 1
    return [f"Trick {number}: {trick_text(deal.trick, signs) or f'{deal.trick.leader} leads'}"]


def _last_lines(view: m.TableView, deal: m.DealPart, signs: Signs) -> list[str]:
    if deal.last_trick is None or deal.trick is None:
        return ["The last trick can be seen until the next one is led."]
    return [f"The last trick: {trick_text(deal.last_trick, signs)}; {deal.trick.leader} won it."]


def _auction_lines(view: m.TableView, deal: m.DealPart, signs: Signs) -> list[str]:
    seats = seats_of(view)
    calls = [(seats.parse(made.seat), parse_call(made.call)) for made in deal.calls]
    lines = auction_lines(seats, calls, signs) or ["There are no calls to be seen."]
    return [*lines, contract_in(view, deal.contract, signs)] if deal.contract is not None else lines


def _legal_lines(view: m.TableView, deal: m.DealPart, signs: Signs) -> list[str]:
    if view.turn is not None and view.turn.legal is None:
        return [f"It is {view.turn.seat}'s turn."]
    return legal_lines(view, signs) or ["Nothing is to be done in the deal."]


_OF_TABLE: dict[str, Callable[[m.TableView, Signs], list[str]]] = {
    "who": who_lines,
    "options": options_lines,
    "rules": rules_lines,
    "score": sheet_lines,
    "table": table_lines,
}
_OF_DEAL: dict[str, Callable[[m.TableView, m.DealPart, Signs], list[str]]] = {
    "hand": _hand_lines,
    "dummy": _dummy_lines,
    "trick": _trick_lines,
    "last": _last_lines,
    "auction": _auction_lines,
    "legal": _legal_lines,
}
