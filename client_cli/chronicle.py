"""The printed story of a session: every deal when it has been scored and checked, then the sheet of each rubber.

A session of several rubbers, in which the players move, also says who sits where, and ends with their ledger.
"""

from collections.abc import Sequence

from client_cli.blocks import columns, game_line, ledger_lines, standing_lines
from client_cli.console import Console, say_all
from client_cli.deal_check import Differs
from client_cli.diagram import contract_words
from client_cli.draw import side_label, unit_of
from client_cli.finished import Finished, heard_deal
from client_cli.notes import Notes
from protocol import messages as m
from rules.events import AuctionEnded
from rules.session import rubbers_of


class Chronicle:
    """Hears the entries of one seat, in order, and prints; of the other seats it overhears what they alone are told."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._notes = Notes()
        self._rows: list[list[str]] = []
        self._deals = self._rubbers = 0
        self._view: m.TableView | None = None

    @property
    def deals(self) -> int:
        """How many deals have been printed."""
        return self._deals

    @property
    def is_over(self) -> bool:
        """Whether the session has come to its end."""
        return self._view is not None and self._rubbers == rubbers_of(self._view.options)

    def overhear(self, entry: m.Entry, view: m.TableView) -> None:
        """Take note of what another seat has been told, folded into its view. Its player must be one of ours."""
        self._notes.overhear(entry, view)

    def note(self, entry: m.Entry, view: m.TableView) -> None:
        """Take note of an entry that has been folded into the view. Raises Differs."""
        self._notes.told(entry, view)
        self._view = view
        for event in entry.events:
            match event:
                case m.RubberBegun(rubber=rubber, seats=seats):
                    self._begin(rubber, seats, view)
                case m.DealScored(deal=number):
                    self._print(heard_deal(self._notes.deals[number], view), event, view)
                case m.RubberScored():
                    self._end(event, view)

    def finish(self) -> None:
        """Print the sheet of a rubber that is not over, or the ledger of several that are."""
        view = self._view
        if view is None:
            return
        if self._rows:
            deals = len(self._rows)
            self._sheet(view)
            self._console.say(f"The {unit_of(view)} is not over after {deals} deals; the bots stop here.")
        elif self._rubbers > 1:
            say_all(self._console, ["", *ledger_lines(view, view.ledger)])

    def _begin(self, rubber: int, seats: Sequence[m.SeatPart], view: m.TableView) -> None:
        if rubber == 1:
            self._console.say(game_line(view), "")
        if rubbers_of(view.options) > 1:
            sit = ", ".join(f"{part.seat} {part.name}" for part in seats)
            self._console.say(*([] if rubber == 1 else [""]), f"{unit_of(view).title()} {rubber} begins: {sit}", "")

    def _end(self, over: m.RubberScored, view: m.TableView) -> None:
        """Print the sheet of a rubber and its total."""
        self._sheet(view)
        totals = ", ".join(f"{side_label(side)} {points}" for side, points in over.totals.items())
        won = f" {over.winner} wins the {unit_of(view)}." if over.winner is not None else ""
        self._console.say(f"Total: {totals}.{won}")
        self._rubbers += 1

    def _sheet(self, view: m.TableView) -> None:
        accounts, rows = self._accounts(view), self._rows
        alone = len(accounts) == len(view.sides)
        heads = ["deal", "contract", "tricks", *(side if alone else f"{side} {account}" for side, account in accounts)]
        self._console.say(f"{unit_of(view).title()} {view.rubber}", *columns([heads, *rows]), "")
        say_all(self._console, standing_lines(view.sides, view.standing))
        self._rows = []

    def _print(self, deal: Finished, event: m.DealScored, view: m.TableView) -> None:
        if not deal.verdict.right:
            raise Differs(deal.verdict.sentence)
        signs = self._console.signs
        self._console.say(*deal.lines(signs), "")
        contract = next(e.contract for e in deal.events if isinstance(e, AuctionEnded))
        won = dict(zip(deal.game.seats.names, deal.tricks_won, strict=True))
        tricks = " ".join(
            f"{side_label(side)} {sum(won[seat] for seat in seats)}" for side, seats in view.sides.items()
        )
        points = [str(event.score.score[side][account]) for side, account in self._accounts(view)]
        self._rows.append([str(deal.number), contract_words(deal.game.seats, contract, signs), tricks, *points])
        self._deals += 1

    def _accounts(self, view: m.TableView) -> list[tuple[str, str]]:
        scores = view.deal.score.score if view.deal is not None and view.deal.score is not None else {}
        return [(side, account) for side in view.sides for account in scores.get(side, {})]
