"""The line under one's hand: what one is asked to do now, and what has been typed of it."""

from textual.content import Content

from client_cli.draw import seat_text
from client_cli.screen.marks import clean, marks_of
from client_cli.screen.pick import Pick
from client_cli.screen.seating import agreement
from client_cli.signs import Signs
from protocol import messages as m


def prompt(view: m.TableView, pick: Pick, signs: Signs) -> Content:
    """Say what is awaited; the own turn is marked and reversed."""
    if pick.armed is not None:
        return _asked(f"{_sentence(pick.armed.words)}? Enter again does it, Esc takes it back.", signs)
    if view.turn is not None and view.turn.legal is not None and pick.offer is not None:
        return _asked(f"YOUR TURN  {_to_do(pick)}", signs)
    if pick.offer is not None and pick.choice is not None:
        return Content(f" Enter: {pick.choice.words}")
    return Content(f" {_waiting(view, signs)}")


def _asked(text: str, signs: Signs) -> Content:
    return Content.styled(f" {marks_of(signs).turn} {text} ", "bold reverse")


def _to_do(pick: Pick) -> str:
    offer = pick.offer
    assert offer is not None, "something is to be done"
    if pick.refused:
        return f"No card that may be played has {pick.refused!r}; Shift+letter is a key below"
    typed = f"   typed: {pick.typed}" if pick.typed else ""
    if offer.lay_away:
        missing = offer.lay_away - len(pick.laid)
        return (f"{offer.title}: {missing} more, by Space" if missing else "Enter lays these cards away") + typed
    if pick.choice is not None and not typed:
        return f"Enter: {pick.choice.words}"
    title = offer.title.rstrip("?")
    return f"{title}{typed}" if typed else f"{title}: arrows and Enter, letters, or click"


def _waiting(view: m.TableView, signs: Signs) -> str:
    turn = view.turn
    if turn is not None:
        part = next(part for part in view.seats if part.seat == turn.seat)
        return f"It is {turn.seat}'s turn ({clean(seat_text(part), signs)})."
    if view.stage == "ended":
        return "The table is closed."
    if (agree := agreement(view)) is not None:
        free = [part.seat for part in view.seats if part.player is None and not part.bot]
        return f"Free: {', '.join(free)}." if free else f"Enter, or r: {agree.words}."
    if view.seat is None:
        return "You watch."
    missing = [part.seat for part in view.seats if not part.ready and not part.bot]
    return f"Waiting for {', '.join(missing)}." if missing else "The cards are being dealt."


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
