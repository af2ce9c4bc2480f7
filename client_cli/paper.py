"""The scoresheet of a table as on paper: what each deal scored above and below the line, and why.

Where points are scored in one account alone, it is a row for each deal with the running totals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from textwrap import wrap

from client_cli.blocks import ledger_lines
from client_cli.diagram import score_words
from client_cli.diagram import sheet_lines as standing_table
from client_cli.draw import side_label
from client_cli.finished import Finished
from client_cli.signs import LETTERS, Signs
from protocol import messages as m
from rules.scoresheet import points

ABOVE, BELOW = "above", "below"

Columns = Mapping[str, tuple[int, ...]]
"""A standing, with one number for every side."""

_POINTS = 6
_DEAL = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """Points of a side, and the deal and the sum that they come from. Without a deal, they are of deals not known."""

    side: int
    points: int
    words: str
    deal: int | None = None


@dataclass(slots=True)
class Paper:
    """The entries above the line, in order, and those below it, game by game; each game but the last is over."""

    above: list[Entry] = field(default_factory=list)
    below: list[list[Entry]] = field(default_factory=lambda: [[]])


def paper_of(deals: Sequence[Finished]) -> Paper:
    """Enter the deals of a rubber, which has accounts above and below the line."""
    paper = Paper()
    last: Columns = dict.fromkeys((ABOVE, BELOW, "games"), (0,) * len(deals[0].game.sides))
    for deal in deals:
        before = _before(deal)
        _carry(paper, last, before)
        for line in deal.result.lines:
            entry = Entry(line.side, line.points, line.words, deal.number)
            (paper.below[-1] if line.account == BELOW else paper.above).append(entry)
        last = deal.result.standing.columns
        if last["games"] != before["games"]:
            paper.below.append([])
    return paper


def _before(deal: Finished) -> Columns:
    """Return the standing that a deal inherited; where nobody has told it, what its points leave of the one after."""
    sides = [side.name for side in deal.game.sides]
    if deal.before is not None:
        return {column: tuple(by[side] for side in sides) for column, by in deal.before.items()}
    before = dict(deal.result.standing.columns)
    for account in deal.game.accounts:
        scored = (points(deal.result.lines, side, account) for side in range(len(sides)))
        before[account] = tuple(now - new for now, new in zip(before[account], scored, strict=True))
    if BELOW in before and min(before[BELOW]) < 0:
        # The deal has ended a game: what was below the line is above it now, and more than that is not known.
        before[ABOVE] = tuple(map(sum, zip(before[ABOVE], before[BELOW], strict=True)))
        before[BELOW] = (0,) * len(sides)
        winner = before["games"].index(max(before["games"]))
        before["games"] = tuple(games - (side == winner) for side, games in enumerate(before["games"]))
    return before


def _carry(paper: Paper, last: Columns, before: Columns) -> None:
    """Bring forward what has been scored in deals that are not known."""
    new_game = before["games"] != last["games"]
    if new_game:
        paper.below.append([])
    for side in range(len(before[BELOW])):
        below = before[BELOW][side] - (0 if new_game else last[BELOW][side])
        in_all = before[ABOVE][side] + before[BELOW][side] - last[ABOVE][side] - last[BELOW][side]
        if below:
            paper.below[-1].append(Entry(side, below, "brought forward"))
        if in_all != below:
            paper.above.append(Entry(side, in_all - below, "brought forward"))


# --- the sheet in blocks

Block = tuple[str, list[str]]
"""A title and the lines under it."""


def sheet_blocks(deals: Sequence[Finished], view: m.TableView, width: int, signs: Signs) -> list[Block]:
    """Set out the rubbers or games of a table in the order of these deals, and the ledger of the players."""
    blocks: list[Block] = []
    for rubber, its_deals in groupby(deals, key=lambda deal: deal.rubber):
        blocks += _rubber_blocks(rubber, list(its_deals), width, signs)
    title, *ledger = ledger_lines(view, view.ledger) or [""]
    return [*blocks, (title, ledger)] if ledger else blocks


def _rubber_blocks(rubber: int, deals: Sequence[Finished], width: int, signs: Signs) -> list[Block]:
    game, result = deals[-1].game, deals[-1].result
    unit = "Rubber" if "games" in result.standing.columns else "Game"
    won = "" if result.winner is None else f", won by {game.sides[result.winner].name}"
    lines = [*sheet_lines(deals, width, signs), "", *standing_table(game, result.standing)]
    blocks = [(f"{unit} {rubber}{won}", lines)]
    if BELOW in game.accounts:
        blocks.append(("Deals", [f"{deal.number:4}  {deal.outcome(signs)}" for deal in deals]))
    return blocks


# --- lines


def sheet_lines(deals: Sequence[Finished], width: int, signs: Signs) -> list[str]:
    """Set out the scoresheet of a rubber or game; there is at least one deal."""
    accounts = deals[0].game.accounts
    return _on_paper(deals, width, signs) if BELOW in accounts else _running(deals, width, signs)


def _on_paper(deals: Sequence[Finished], width: int, signs: Signs) -> list[str]:
    paper, sides = paper_of(deals), deals[0].game.sides
    column = (width - 3) // 2
    down, thin, thick, cross, thick_cross = ("|", "-", "=", "+", "+") if signs is LETTERS else ("│", "─", "═", "┼", "╪")

    def rows(entries: Sequence[Entry], *, upwards: bool = False) -> list[str]:
        """Set both sides beside each other; above the line what came first stands lowest."""
        left, right = (_column(entries, side, column, signs, upwards) for side in range(len(sides)))
        pairs = list(zip_longest(left, right, fillvalue=""))
        return [f"{one:{column}} {down} {other}".rstrip() for one, other in (reversed(pairs) if upwards else pairs)]

    heads = [f"{side.name}  {_players(deals[-1], place)}"[:column] for place, side in enumerate(sides)]
    lines = [f"{heads[0]:{column}} {down} {heads[1]}".rstrip(), *rows(paper.above, upwards=True)]
    lines.append(f"{thick * (column + 1)}{thick_cross}{thick * (column + 1)}")
    for number, game in enumerate(paper.below):
        if number:
            lines.append(f"{thin * (column + 1)}{cross}{thin * (column + 1)}")
        lines += rows(game)
    return lines


def _players(deal: Finished, side: int) -> str:
    names = (deal.names.get(deal.game.seats.name(seat), "") for seat in deal.game.sides[side].seats)
    return ", ".join(name for name in names if name)


def _column(entries: Sequence[Entry], side: int, width: int, signs: Signs, upwards: bool) -> list[str]:
    """Write the entries of a side; if they are read upwards, from the last line of each to its first."""
    blocks = [_entry_lines(entry, width, signs) for entry in entries if entry.side == side]
    return [line for block in blocks for line in (reversed(block) if upwards else block)]


def _entry_lines(entry: Entry, width: int, signs: Signs) -> list[str]:
    deal = "" if entry.deal is None else str(entry.deal)
    head = f"{entry.points:{_POINTS}}{deal:>{_DEAL}}  "
    first, *others = wrap(score_words(entry.words, signs), width - len(head)) or [""]
    return [head + first, *(" " * len(head) + other for other in others)]


def _running(deals: Sequence[Finished], width: int, signs: Signs) -> list[str]:
    """Set out what each deal added for each side, and its total then; under it, what for."""
    sides = deals[0].game.sides
    (account,) = deals[0].game.accounts
    lines = ["deal" + "".join(f"{side.name:>13}" for side in sides)]
    last: tuple[int, ...] = (0,) * len(sides)
    for deal in deals:
        before = _before(deal)[account]
        if before != last:
            lines.append("    " + "".join(f"{number:13}" for number in before) + "  brought forward")
        last = deal.result.standing.columns[account]
        changes = (now - then for now, then in zip(last, before, strict=True))
        numbers = (f"{change:+7}{now:6}" for change, now in zip(changes, last, strict=True))
        lines += [f"{deal.number:4}{''.join(numbers)}", *(f"{'':6}{line}" for line in _why(deal, width - 6, signs))]
    return lines


def _why(deal: Finished, width: int, signs: Signs) -> list[str]:
    """Say what was played and what each side scored, and what for; lines are broken only between these."""
    sides = deal.game.sides
    scored = [f"{side_label(sides[line.side].name)} {score_words(line.words, signs)}" for line in deal.result.lines]
    pieces = [f"{deal.outcome(signs)}:", *(f"{each};" for each in scored[:-1]), scored[-1] if scored else "no score"]
    lines: list[str] = []
    for piece in pieces:
        if lines and len(lines[-1]) + 1 + len(piece) <= width:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
    return lines
