"""A table of the server's own pure code, for tests: what everybody there is told, without sockets or store."""

from random import Random

from client_cli.model import Model
from protocol import messages as m
from protocol.codec import decode_message, encode
from protocol.translate import command_for
from rules.actions import Action, Choose, Discard, Play
from rules.calls import Bid
from rules.registry import VERSION
from server import entries as d
from server.decide import Arriving, Asked, decide, seat_code_hash
from server.entries import Entry, entry
from server.render import Telling, folded, table_view
from server.store import StoredEntry
from server.table import Table


class Told:
    """A table, and for everybody who is there a model of it that hears what the server would send."""

    def __init__(self, game: str, players: int = 4, **options: str | int | bool) -> None:
        self.table = Table("t")
        self.models: dict[str, Model] = {}
        self._id = 0
        self.append(entry("table", d.TableOpened(game, players, options, VERSION)))

    def append(self, *new: Entry) -> None:
        """Fold entries and tell everybody."""
        for one in new:
            number = self.table.head.number + 1
            stored = StoredEntry(number, f"e{number}", float(number), d.encode(one))
            happened = self.table.fold(number, stored.id, stored.time, one)
            telling = Telling(self.table, folded(self.table, stored, happened))
            for player, model in self.models.items():
                message = decode_message(telling.frame(self.table.seat_of(player)))
                assert isinstance(message, m.Entry)
                model.fold(message)
            match one.deed:
                case d.SatDown(player=player) | d.StoodUp(player=player) if self.table.deal is not None:
                    self.models[player].replace(self.fresh(player))
                case d.Arrived(player=player):
                    self.models[player] = Model()
                    self.models[player].replace(self.fresh(player))
                case d.Dropped(player=player) | d.Left(player=player):
                    del self.models[player]
                case d.SeatMoved(former=former, player=player):
                    self.models.pop(former, None)
                    self.models[player].replace(self.fresh(player))

    def fresh(self, player: str) -> m.TableView:
        """Return the view that the server would send now."""
        view = decode_message(encode(table_view(self.table, player)))
        assert isinstance(view, m.TableView)
        return view

    def ask(self, player: str, command: m.Command) -> bool:
        """Let a player send a command, if he is there; say whether anything came of it."""
        if player not in self.models:
            return False
        self._id += 1
        command.id = self._id
        decision = decide(self.table, Asked(player, command), self.table.time + 1000)
        if not isinstance(decision, list | tuple):
            return False
        self.append(*decision)
        return True

    def arrive(self, player: str) -> None:
        """Let a player come, or come back."""
        self.append(entry(player, d.Arrived(player, player.title(), "p", f"c{self.table.head.number}")))

    def move_seat(self, former: str, player: str) -> bool:
        """Let a player come to the seat of another by a code; say whether anything came of it."""
        self._id += 1
        code, now = str(self._id), self.table.time + 1
        made = Asked(former, m.MakeSeatCode(self._id), seat_code_hash("t", code))
        coming = Arriving(player, player.title(), "p", f"c{self.table.head.number}", None, code)
        for given in (made, coming):
            decision = decide(self.table, given, now)
            if not isinstance(decision, list | tuple):
                return False
            self.append(*decision)
        return True

    def drop(self, player: str) -> None:
        """Break a player's connection."""
        self.append(entry("clock", d.Dropped(player, self.table.members[player].connection or "", "lost")))

    def begin_deal(self, seed: bytes) -> bool:
        """Deal, if all have agreed."""
        if self.table.all_agreed:
            self.append(entry("clock", d.DealBegun(seed)))
        return self.table.stage == "playing"

    def void(self) -> None:
        """Take a deal in progress back, as after a loss of the store."""
        if self.table.stage == "playing":
            self.append(entry("clock", d.Voided()))

    def act(self, random: Random) -> bool:
        """Let whoever has to act do something legal; False if nobody is there to do it."""
        deal = self.table.deal
        if deal is None or deal.state.to_act is None:
            return False
        chair, action = self.table.chairs[deal.state.to_act], any_action(self, random)
        if chair.bot:
            self.append(entry("bot", d.Played(str(action)) if isinstance(action, Play) else d.Called(str(action))))
            return True
        command = command_for(action, 1, deal.number, deal.index, self.table.game.seats)
        return chair.owner is not None and self.ask(chair.owner, command)


def any_action(told: Told, random: Random) -> Action:
    """Choose among the legal actions; of bids a low one, so that auctions vary."""
    assert told.table.deal is not None
    legal = list(told.table.game.legal_actions(told.table.deal.state))
    first = next((place for place, action in enumerate(legal) if isinstance(action, Bid)), len(legal))
    choice = random.choice(legal[: first + 3])
    return Discard(tuple(random.sample(choice.cards, choice.count))) if isinstance(choice, Choose) else choice
