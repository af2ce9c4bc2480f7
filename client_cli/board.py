"""The table as a player at the console sees it: printed as it changes."""

from client_cli.blocks import game_line, table_lines
from client_cli.console import Console, say_all
from client_cli.draw import names_of, turn_lines, unit_of
from client_cli.option_text import table_option_lines
from client_cli.tell import tell
from protocol import messages as m
from rules.session import rubbers_of


class Board:
    """Prints what changes at a table. `hints` says whether to tell what may be typed next."""

    def __init__(self, console: Console, hints: bool) -> None:
        self._console, self._hints = console, hints
        self._names: dict[str, str] = {}
        self._announced: tuple[int, int] | None = None

    def viewed(self, view: m.TableView, before: m.TableView | None) -> None:
        """Print a fresh view, as far as it is not what one knew before."""
        self._names |= names_of(view)
        if before is None or before.table != view.table:
            self._announced = None
            self._greet(view)
        elif not 0 <= view.number - before.number <= 1:
            # A view at the number where one is, or one after it, comes with another seat; any other after an absence.
            self._console.say(*table_lines(view, self._console.signs))
        self._announce(view)

    def told(self, entry: m.Entry, view: m.TableView) -> None:
        """Print what an entry says that has been folded into the view."""
        for event in entry.events:
            say_all(self._console, tell(event, view, self._names, self._console.signs))
        self._names |= names_of(view)
        if any(isinstance(event, m.DealScored | m.SeatTaken | m.BotSeated) for event in entry.events):
            self._say_what_next(view)
        self._announce(view)

    def dropped(self) -> None:
        """Take note that the connection is lost: when it is back, whose turn it is has to be said again."""
        self._announced = None

    def returned(self, view: m.TableView | None) -> None:
        """Say again whose turn it is, unless what was missed has said so."""
        if view is not None:
            self._announce(view)

    def rewound(self) -> None:
        """Say that what was seen last did not happen."""
        self._announced = None
        self._console.say("The server's store went back; the table is shown as it is now.")

    def _greet(self, view: m.TableView) -> None:
        if view.stage == "ended":
            self._console.say(f"Table {view.table} has been ended.")
        else:
            self._console.say(f"Table {view.table}: {game_line(view)}")
            self._explain(view)
            self._console.say(*table_lines(view, self._console.signs))

    def _explain(self, view: m.TableView) -> None:
        """Say to who has no seat yet what is played otherwise here than usual."""
        if view.seat is None:
            self._console.say(*table_option_lines(view.game, len(view.seats), view.options, all_of_them=False))
            if self._hints:
                self._console.say("Type `options` for all options and what they mean.")

    def _say_what_next(self, view: m.TableView) -> None:
        if not self._hints or view.seat is None:
            return
        if view.stage == "over":
            self._console.say(after_rubber_line(view))
        elif asks_ready(view) and all(part.bot or part.player is not None for part in view.seats):
            self._console.say("Type `ready`, or press Enter, to begin the next deal.")

    def _announce(self, view: m.TableView) -> None:
        """Say once that it is this player's turn."""
        turn = view.turn
        if turn is None or turn.legal is None or self._announced == (turn.deal, turn.index):
            return
        self._announced = (turn.deal, turn.index)
        self._console.say(*turn_lines(view, self._console.signs))
        self._console.alert()


def after_rubber_line(view: m.TableView) -> str:
    """Say what may follow a rubber that is over, and whether a session of several is over with it."""
    rubbers = rubbers_of(view.options)
    if rubbers == 1:
        return f"Type `rematch` for another {unit_of(view)}, or `quit`."
    if view.rubber % rubbers:
        return f"Type `rematch` for {unit_of(view)} {view.rubber + 1}, in other seats, or `quit`."
    return "The session is over. Type `rematch` for another, or `quit`."


# --- questions about a view


def asks_ready(view: m.TableView) -> bool:
    """Say whether the next deal waits for this player."""
    own = next((part for part in view.seats if part.seat == view.seat), None)
    return view.stage in ("gathering", "scored") and own is not None and not own.ready


def is_my_turn(view: m.TableView | None) -> bool:
    """Say whether this player has to act."""
    return view is not None and view.turn is not None and view.turn.legal is not None


def deal_being_played(view: m.TableView | None) -> int | None:
    """Return the number of the deal that is being played, None between deals."""
    return view.deal.number if view is not None and view.deal is not None and view.stage == "playing" else None


def is_ended(view: m.TableView | None) -> bool:
    """Say whether nothing more can happen at the table."""
    return view is None or view.stage == "ended"
