"""The printed story of a rubber: every deal when it has been scored and checked, then the sheet of them all."""

from client_cli.blocks import columns, options_lines, standing_lines
from client_cli.console import Console, say_all
from client_cli.deal_check import Differs
from client_cli.diagram import contract_words
from client_cli.draw import side_label, unit_of
from client_cli.finished import Finished, heard_deal
from client_cli.notes import Notes
from protocol import messages as m
from rules.events import AuctionEnded


class Chronicle:
    """Hears the entries of one seat, in order, and prints; of the other seats it overhears what they alone are told."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._notes = Notes()
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
        self._notes.overhear(entry, view)

    def note(self, entry: m.Entry, view: m.TableView) -> None:
        """Take note of an entry that has been folded into the view. Raises Differs."""
        self._notes.told(entry, view)
        self._view = view
        for event in entry.events:
            match event:
                case m.RubberBegun():
                    self._console.say(*options_lines(view), "")
                case m.DealScored(deal=number):
                    self._print(heard_deal(self._notes.deals[number], view), event, view)
                case m.RubberScored():
                    self._over = event

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

    def _accounts(self, view: m.TableView) -> list[tuple[str, str]]:
        scores = view.deal.score.score if view.deal is not None and view.deal.score is not None else {}
        return [(side, account) for side in view.sides for account in scores.get(side, {})]
