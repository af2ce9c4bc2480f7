"""What a player does: anything that is legal, and little things besides."""

from random import Random

from protocol import messages as m

LOWEST_BIDS = 5


def due(view: m.TableView, rng: Random, playing_on: bool) -> m.Command | None:
    """Return what the table waits for from this player, if anything; the command's id is to be set."""
    turn = view.turn
    if turn is not None and turn.legal is not None:
        return answer_turn(turn, turn.legal, rng)
    own = next((part for part in view.seats if part.player == view.player), None)
    if own is None or own.ready or not playing_on:
        return None
    if view.stage in ("gathering", "scored"):
        return m.Ready(0, view.next_deal)
    return m.Rematch(0, view.rubber) if view.stage == "over" else None


def answer_turn(turn: m.Turn, legal: m.Legal, rng: Random) -> m.Command:
    """Return anything that the turn allows; calls stay low, so that an auction comes to its end."""
    deal, index = turn.deal, turn.index
    if legal.cards:
        return m.PlayCard(0, deal, index, rng.choice(legal.cards))
    if legal.calls:
        call = "P" if "P" in legal.calls and rng.random() < 0.6 else rng.choice(legal.calls[:LOWEST_BIDS])
        return m.MakeCall(0, deal, index, call)
    if legal.discard is not None:
        count, cards = legal.discard
        return m.DiscardCards(0, deal, index, rng.sample(cards, count))
    if legal.partners:
        return m.CallPartners(0, deal, index, rng.choice(legal.partners))
    return m.NameJoker(0, deal, index, rng.choice(legal.jokers))


def somebody_is_away(view: m.TableView) -> bool:
    """Say whether a player is away for whom nobody plays."""
    return any(_missed(part) for part in view.seats)


def impatient(view: m.TableView, rng: Random, *, ends: bool) -> m.Command | None:
    """Return what may be done about a player who is away, too soon or not: a bot in his seat, or an end to it all."""
    away = [part.seat for part in view.seats if _missed(part)]
    if not away or view.seat is None or view.stage == "ended" or rng.random() < 0.5:
        return None
    return m.EndTable(0) if ends and rng.random() < 0.2 else m.SeatBot(0, rng.choice(away))


def _missed(part: m.SeatPart) -> bool:
    return part.player is not None and not part.connected and not part.bot


def small_talk(rng: Random, name: str, *, nudged: bool) -> m.Command:
    """Return something that is possible at any time."""
    if nudged or rng.random() < 0.3:
        return m.SetName(0, f"{name} {rng.randrange(100)}")
    return m.Say(0, f"{name} says {rng.getrandbits(48):x}")
