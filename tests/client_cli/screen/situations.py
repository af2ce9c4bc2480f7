"""Tables in situations that a person meets, as the server's own code makes them: what Ann sees, and is told next."""

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import TypeVar

from msgspec import structs

from bots.simple import choose
from client_cli.model import Model
from client_cli.screen.desk import Desk
from client_cli.screen.table import TableScreen
from protocol import messages as m
from protocol.translate import command_for
from rules.actions import Action, Choose, Discard
from server.decide import BotDue, Refusal, Repeated, decide
from server.entries import entry
from server.table import deed_of
from tests.client_cli.fakes import FakeTime
from tests.client_cli.screen.stage import Stage
from tests.client_cli.tables import Told, any_action

C = TypeVar("C", bound=m.Command)

SEED = bytes(32)


class _Noting(Model):
    """A model that keeps what it has heard."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[m.Entry] = []

    def fold(self, entry: m.Entry) -> None:
        self.entries.append(deepcopy(entry))  # a fold changes the hands of an entry
        super().fold(entry)


class Situation:
    """A table where Ann sits. `wishes` are calls, by player, that are made as soon as they may be."""

    def __init__(self, game: str, players: int = 4, *, seat: str | None = None, **options: str | int | bool) -> None:
        self.told = Told(game, players, **options)
        self.random = Random(1)
        self.wishes: dict[str, str] = {}
        self._noting = _Noting()
        self.told.arrive("ann")
        self._noting.replace(self.told.fresh("ann"))
        self.told.models["ann"] = self._noting
        names = [part.seat for part in self.view.seats]
        self.ask(m.TakeSeat(0, seat or ("S" if "S" in names else names[0])))

    @property
    def view(self) -> m.TableView:
        """What Ann sees now."""
        return self.told.fresh("ann")

    def since(self, view: m.TableView | None) -> list[m.Entry]:
        """Return what Ann has been told since a view."""
        assert view is not None, "she is at the table"
        return [told for told in self._noting.entries if told.number > view.number]

    # --- people

    def ask(self, command: m.Command, player: str = "ann") -> None:
        """Let somebody do something that may be done."""
        assert self.told.ask(player, structs.replace(command)), command

    def join(self, player: str, seat: str | None = None) -> None:
        """Let somebody else come, and sit down if there is a seat for him."""
        self.told.arrive(player)
        if seat is not None:
            self.ask(m.TakeSeat(0, seat), player)

    # --- deals

    def begin(self, seed: bytes = SEED) -> None:
        """Put bots in the free seats, let all agree, and deal."""
        for part in self.view.seats:
            if part.player is None and not part.bot:
                self.ask(m.SeatBot(0, part.seat))
        for part in self.view.seats:
            if part.player is not None and not part.ready:
                again = m.Rematch(0, self.view.rubber) if self.view.stage == "over" else m.Ready(0, self.view.next_deal)
                self.ask(again, part.player)
        assert self.told.begin_deal(seed)

    def do(self, *actions: str) -> None:
        """Let whoever has to act do this, one after the other: calls, or cards; for a bot, too."""
        for text in actions:
            found = [each for each in self._legal() if str(each) == text]
            assert found, f"{text} may not be done now"
            self._act(found[0])

    def play(self, number: int = 1) -> None:
        """Let so many things be done, each the first that may be: cards, or what comes before them."""
        for _ in range(number):
            first = self._legal()[0]
            self._act(Discard(first.cards[: first.count]) if isinstance(first, Choose) else first)

    def pass_all(self) -> None:
        """Let everybody pass until the auction is over."""
        while (turn := self.view.turn) is not None and turn.phase == "auction":
            self.do("P")

    def act(self) -> bool:
        """Let whoever has to act do so: bots as they do, people now and then at random; False if no deal is played."""
        table = self.told.table
        if table.stage != "playing" or table.deal is None or table.deal.state.to_act is None:
            return False
        decision = decide(table, BotDue(None), table.time)
        assert not isinstance(decision, Refusal | Repeated), decision
        if decision:
            self.told.append(*decision)
            return True
        state, game = table.deal.state, table.game
        assert state.to_act is not None, "somebody has to act"
        action = any_action(self.told, self.random)
        if self.random.random() < 0.8:
            action = choose(game.view(state, state.to_act), self._legal())
        wish = self.wishes.get(str(table.chairs[state.to_act].owner))
        self._act(next((each for each in self._legal() if not isinstance(each, Choose) and str(each) == wish), action))
        return True

    def until(self, condition: Callable[[m.TableView], bool]) -> None:
        """Play until what Ann sees is so, deal after deal. What is played depends on nothing but the seeds."""
        for _ in range(3_000):
            if condition(self.view):
                return
            if not self.act():
                self.begin(self.random.randbytes(32))
        raise AssertionError("it does not come to that")

    def _legal(self) -> list[Action | Choose]:
        table = self.told.table
        assert table.deal is not None, "a deal is being played"
        return list(table.game.legal_actions(table.deal.state))

    def _act(self, action: Action | Choose) -> None:
        assert not isinstance(action, Choose), "one of many has to be chosen"
        table = self.told.table
        deal = table.deal
        assert deal is not None and deal.state.to_act is not None, "somebody has to act"
        chair = table.chairs[deal.state.to_act]
        if chair.owner is not None:
            self.ask(command_for(action, 1, deal.number, deal.index, table.game.seats), chair.owner)
        else:
            self.told.append(entry("bot", deed_of(action)))


async def done(stage: Stage, situation: Situation, kind: type[C]) -> C:
    """Let the server do the next thing that the client asks for, which is of this kind; return the command."""
    command = await stage.asked(kind)
    situation.ask(command)
    await stage.accept(command, *situation.since(stage.desk.view))
    return command


async def goes_on(stage: Stage, situation: Situation) -> None:
    """Tell the client what has happened meanwhile."""
    await stage.tell(*situation.since(stage.desk.view))


def won_auction(bid: str, *, players: int, joker: bool | None = None) -> Situation:
    """Return a table of Five Hundred where Ann has won the auction, and holds the joker or not where that is wanted."""
    for number in range(200):
        situation = Situation("five_hundred", players)
        situation.begin(bytes([number]) * 32)
        while not my_turn(situation.view):
            situation.do("P")
        situation.do(bid)
        situation.pass_all()
        if joker is None or ("JK" in str(situation.view.deal)) == joker:
            return situation
    raise AssertionError("no deal is so")


# --- conditions


def legal(view: m.TableView) -> m.Legal:
    """Return what Ann may do in the deal; nothing if it is not her turn."""
    return view.turn.legal if view.turn is not None and view.turn.legal is not None else m.Legal()


def my_turn(view: m.TableView) -> bool:
    """Say whether Ann has to act."""
    return view.turn is not None and view.turn.legal is not None


def chooses_card(view: m.TableView) -> bool:
    """Say whether Ann has to play one of several cards, and may not play some others, from her own hand."""
    turn = view.turn
    if view.deal is None or turn is None or turn.hand != view.seat:
        return False
    return 1 < len(legal(view).cards) < view.deal.counts[turn.seat]


def chooses_dummys_card(view: m.TableView) -> bool:
    """Say whether Ann has to choose a card of dummy's."""
    turn = view.turn
    return turn is not None and turn.hand != view.seat and len(legal(view).cards) > 1


# --- the table's screen


def make_table(desk: Desk) -> TableScreen:
    """Make the screen of a table with a clock that stands still, where sleeping takes no time."""
    return TableScreen(desk, now=lambda: 100.0, sleep=FakeTime().sleep)
