"""What a line that was typed means: a command for the server, or something that the client does by itself.

It knows no laws. Where a text could be a call or a card, such as `3h`, the turn decides.
"""

import difflib
from collections.abc import Callable
from dataclasses import dataclass

from client_cli.draw import unit_of
from client_cli.words import read_call, read_card, read_seat, read_suit
from protocol import messages as m


@dataclass(frozen=True, slots=True)
class Show:
    """Print something that is known already."""

    what: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Take no further line until it is my `turn`, the `deal` is scored, or the rubber is `over`."""

    until: str


@dataclass(frozen=True, slots=True)
class Quit:
    """Stop the client."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Nothing that could be done; the sentence says why."""

    sentence: str


Meaning = m.Command | Show | Wait | Quit | Wrong

HELP = """
Calls and cards   2R  3h  2nt  pass  x  xx    HK  kh  10h
                  (also: bid 2R, play HK)
In some games     hearts  nt  leave (your partner is to choose trumps)  misere
                  jk  jk:h (a joker that leads hearts)
Choices           discard C7 D8 C9    partners E | none    joker H | none
At the table      sit N  stand  bot E  nobot E  ready  rematch
To see            table  hand  dummy  trick  last  auction  legal
                  score  who  options  rules
People            name NAME  say TEXT (also: chat TEXT)
To go             quit (your seat stays yours)  leave table (for good)
                  end (the table, for all)
Elsewhere         seat code (a code by which your seat moves to another device)
Here              help  wait turn|deal|over (a script waits with it)
""".strip().splitlines()

_SHOWS = ("auction", "dummy", "hand", "help", "last", "legal", "options", "rules", "score", "table", "trick", "who")
_WAITS = ("turn", "deal", "over")
_ALIASES = {
    "p": "pass",
    "chat": "say",
    "call": "bid",
    "card": "play",
    "dbl": "double",
    "x": "double",
    "xx": "redouble",
    "exit": "quit",
    "q": "quit",
    "?": "help",
    "h": "hand",
    "partner": "partners",
}


def read_line(line: str, view: m.TableView | None) -> Meaning:
    """Return what a line means at this table, None where none has been joined. Ids are given when it is sent."""
    text = line.strip()
    word, _, rest = text.partition(" ")
    verb, rest = word.lower(), rest.strip()
    turn = view.turn if view is not None else None
    # A denomination of Bridge or a joker's suit may be a letter that is a verb's short form too.
    if turn is not None and turn.legal is not None and read_call(text) in turn.legal.calls:
        return m.MakeCall(0, turn.deal, turn.index, read_call(text) or "")
    verb = _ALIASES.get(verb, verb)
    if verb in _SHOWS:
        return Show(verb)
    if verb == "quit":
        return Quit()
    if verb == "wait":
        return Wait(rest) if rest in _WAITS else Wrong("Say what to wait for: wait turn, wait deal or wait over.")
    if verb in _VERBS:
        if view is None:
            return Wrong("You are at no table.")
        return _VERBS[verb](rest, view)
    return _bare(text, verb, view)


def _bare(text: str, verb: str, view: m.TableView | None) -> Meaning:
    """Read a call or card that was typed without its verb."""
    call, card = read_call(text), read_card(text)
    calls_due = view is not None and view.deal is not None and view.deal.contract is None
    if view is not None and call is not None and (calls_due or card is None):
        return _call(text, view)
    if view is not None and card is not None:
        return _card(text, view)
    near = difflib.get_close_matches(verb, [*_SHOWS, *_VERBS, "quit", "wait"], 1)
    hint = f"Did you mean {near[0]!r}?" if near else "`help` lists what there is."
    return Wrong(f"There is no {verb!r} here. {hint}")


# --- the turn


def _turn(view: m.TableView) -> m.Turn | Wrong:
    return view.turn if view.turn is not None else Wrong("No deal is being played.")


def _call(text: str, view: m.TableView) -> Meaning:
    call, turn = read_call(text), _turn(view)
    if call is None:
        return Wrong(f"{text!r} is no call; calls are such as 2R, 3H, 1NT, pass, x, xx.")
    return turn if isinstance(turn, Wrong) else m.MakeCall(0, turn.deal, turn.index, call)


def _card(text: str, view: m.TableView) -> Meaning:
    card, turn = read_card(text), _turn(view)
    if card is None:
        return Wrong(f"{text!r} is no card; cards are such as HK, KH, 10S.")
    return turn if isinstance(turn, Wrong) else m.PlayCard(0, turn.deal, turn.index, card)


def _discard(rest: str, view: m.TableView) -> Meaning:
    texts = rest.replace(",", " ").split()
    cards, turn = [read_card(text) for text in texts], _turn(view)
    known = [card for card in cards if card is not None]
    if not texts or len(known) < len(texts):
        return Wrong("Name the cards to lay away, such as: discard C7 D8 C9.")
    return turn if isinstance(turn, Wrong) else m.DiscardCards(0, turn.deal, turn.index, known)


def _partners(rest: str, view: m.TableView) -> Meaning:
    names = [] if rest.lower() == "none" else rest.replace(",", " ").split()
    seats, turn = [read_seat(name, _seats(view)) for name in names], _turn(view)
    known = [seat for seat in seats if seat is not None]
    if not rest or len(known) < len(seats):
        return Wrong(f"Name the seats that play with you, or none; the seats are {', '.join(_seats(view))}.")
    return turn if isinstance(turn, Wrong) else m.CallPartners(0, turn.deal, turn.index, known)


def _joker(rest: str, view: m.TableView) -> Meaning:
    suit, turn = read_suit(rest), _turn(view)
    if suit is None and rest.lower() != "none":
        return Wrong("Name the joker's suit, such as: joker H; or: joker none.")
    return turn if isinstance(turn, Wrong) else m.NameJoker(0, turn.deal, turn.index, suit)


# --- the table


def _seats(view: m.TableView) -> list[str]:
    return [part.seat for part in view.seats]


def _at_seat(verb: str, command: Callable[[int, str], m.Command]) -> Callable[[str, m.TableView], Meaning]:
    def read(rest: str, view: m.TableView) -> Meaning:
        seat = read_seat(rest, _seats(view))
        if seat is None:
            return Wrong(
                f"Name a seat, such as: {verb} {view.seats[-1].seat}; the seats are {', '.join(_seats(view))}."
            )
        return command(0, seat)

    return read


def _seat(rest: str, view: m.TableView) -> Meaning:
    if rest.lower() != "code":
        return Wrong("`seat code` prints a code that moves your seat to another device; `sit S` takes a seat here.")
    return m.MakeSeatCode(0)


def _rematch(rest: str, view: m.TableView) -> Meaning:
    if view.stage != "over":
        return Wrong(f"A rematch is for a {unit_of(view)} that is over.")
    return m.Rematch(0, view.rubber)


def _leave(rest: str, view: m.TableView) -> Meaning:
    """Leave for good only by two words: alone, `leave` is a call of Bridge, and may come a moment too late."""
    if rest.lower() == "table":
        return m.LeaveTable(0)
    return Wrong("To leave the table for good type `leave table`; `quit` keeps your seat.")


def _name(rest: str, view: m.TableView) -> Meaning:
    return m.SetName(0, rest) if 0 < len(rest) <= 24 else Wrong("A name has 1 to 24 characters.")


def _say(rest: str, view: m.TableView) -> Meaning:
    return m.Say(0, rest) if 0 < len(rest) <= 400 else Wrong("Say something of at most 400 characters.")


_VERBS: dict[str, Callable[[str, m.TableView], Meaning]] = {
    "bid": _call,
    "play": _card,
    "pass": lambda rest, view: _call("P", view),
    "double": lambda rest, view: _call("X", view),
    "redouble": lambda rest, view: _call("XX", view),
    "discard": _discard,
    "partners": _partners,
    "joker": _joker,
    "sit": _at_seat("sit", m.TakeSeat),
    "bot": _at_seat("bot", m.SeatBot),
    "nobot": _at_seat("nobot", m.RemoveBot),
    "stand": lambda rest, view: m.LeaveSeat(0),
    "seat": _seat,
    "ready": lambda rest, view: m.Ready(0, view.next_deal),
    "rematch": _rematch,
    "end": lambda rest, view: m.EndTable(0),
    "leave": _leave,
    "name": _name,
    "say": _say,
}
