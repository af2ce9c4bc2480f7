"""What may be done at a table besides playing: seats, bots, and agreeing to go on; as choices."""

from collections.abc import Callable, Iterable

from client_cli.board import asks_ready
from client_cli.draw import unit_of
from client_cli.screen.offer import Choice, Offer, Row
from protocol import messages as m


def seating(view: m.TableView) -> Offer:
    """Return what may be done about the seats and the next deal; the server has the last word."""
    seated = [part for part in view.seats if view.seat is not None]
    rows = [
        Row(tuple(_going_on(view))),
        _seats("Take seat", "take seat", m.TakeSeat, (part.seat for part in view.seats if _may_take(part, view))),
        _seats("Put a bot in", "put a bot in", m.SeatBot, (part.seat for part in seated if _wants_bot(part, view))),
        _seats("Send bot from", "send away the bot at", m.RemoveBot, (part.seat for part in seated if _own_bot(part))),
    ]
    return Offer(_title(view), tuple(row for row in rows if row.choices))


def _may_take(part: m.SeatPart, view: m.TableView) -> bool:
    return part.player is None and (view.seat is None or view.stage == "gathering")


def _own_bot(part: m.SeatPart) -> bool:
    return part.player is None and part.bot


def _wants_bot(part: m.SeatPart, view: m.TableView) -> bool:
    """Say whether a seat is free, or its player away; one who is too shortly away the server defends."""
    return not part.bot and not part.connected and part.player != view.player


def _seats(heading: str, words: str, command: Callable[[int, str], m.Command], seats: Iterable[str]) -> Row:
    return Row(tuple(Choice(seat, f"{words} {seat}", command=command(0, seat)) for seat in seats), heading)


def _going_on(view: m.TableView) -> list[Choice]:
    choices = []
    if (agree := agreement(view)) is not None:
        choices.append(agree)
    if view.seat is not None and view.stage != "playing":
        choices.append(Choice("Stand up", "stand up", ("u",), m.LeaveSeat(0)))
    if view.seat is not None and view.stage in ("over", "scored"):
        choices.append(Choice("End table", "end the table for all", ("e",), m.EndTable(0)))
    return choices


def agreement(view: m.TableView) -> Choice | None:
    """Return how this person agrees to go on, where that is awaited."""
    if asks_ready(view):
        return Choice("Ready", "ready", ("r",), m.Ready(0, view.next_deal))
    own = next((part for part in view.seats if part.seat == view.seat), None)
    if view.stage == "over" and own is not None and not own.ready:
        return Choice("Rematch", f"another {unit_of(view)}", ("r",), m.Rematch(0, view.rubber))
    return None


def _title(view: m.TableView) -> str:
    match view.stage:
        case "gathering":
            return "Who plays?"
        case "scored":
            return "Next deal?"
        case "over":
            return f"Another {unit_of(view)}?"
        case "ended":
            return "The table is closed"
        case _:
            return "Seats"


def leaving(view: m.TableView) -> Offer:
    """Return the ways to go; the one without a command goes away from the server and leaves everything as it is."""
    choices = [Choice("Go, and come back to this table", "go", ("g",))]
    if view.seat is not None and view.stage != "ended":
        choices = [
            Choice("Go, and keep the seat", "go", ("g",)),
            Choice("Move to another device", "ask for a seat code", ("m",), m.MakeSeatCode(0)),
            Choice("End the table for all", "end the table for all", ("e",), m.EndTable(0)),
        ]
    choices.append(Choice("Leave the table for good", "leave the table for good", ("l",), m.LeaveTable(0)))
    return Offer("Leave?", tuple(Row((choice,)) for choice in choices))
