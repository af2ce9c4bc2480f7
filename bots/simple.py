"""The simplest sane bot: bids what its side may expect to make, follows the old maxims of play.

It knows what its view shows and remembers nothing, so it may be asked anew at any moment, in any process.
"""

from collections.abc import Sequence

from bots.bidding import choose_call
from bots.exchange import choose_discard, choose_partners, choose_suit
from bots.play import choose_card
from rules.actions import Action, CallPartners, Choose, NameJoker, Play
from rules.calls import Bid, Declaration, Word
from rules.view import View


def choose(view: View, legal: Sequence[Action | Choose]) -> Action:
    """Return one of the legal actions of the seat to act, always the same for the same view."""
    plays = [action for action in legal if isinstance(action, Play)]
    if plays:
        return choose_card(view, plays)
    calls = [action for action in legal if isinstance(action, Word | Bid | Declaration)]
    if calls:
        return choose_call(view, calls)
    match legal[0]:
        case Choose() as choice:
            return choose_discard(view, choice)
        case CallPartners():
            return choose_partners(view, [action for action in legal if isinstance(action, CallPartners)])
        case NameJoker():
            return choose_suit([action for action in legal if isinstance(action, NameJoker)])
        case first:
            return first
