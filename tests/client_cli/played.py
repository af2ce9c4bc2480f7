"""Deals played at a table of the server's own pure code, as one of the players is told of them."""

from copy import deepcopy
from hashlib import sha256
from random import Random

from protocol import messages as m
from protocol.translate import command_for
from server.records import record_of
from tests.client_cli.tables import Told, any_action

PLAYERS = ("ann", "bob", "cis", "dan", "eve", "fay")


class Playing:
    """A table where all seats are taken. `heard` is all that ann, in the first seat, is told after her view `first`.

    `records` are those that the server would keep, by deal.
    """

    def __init__(self, game: str, players: int = 4, *, seed: int = 1, **options: str | int | bool) -> None:
        self.told = Told(game, players, **options)
        self._random = Random(seed)
        self.players = PLAYERS[:players]
        for player in self.players:
            self.told.arrive(player)
        for player, seat in zip(self.players, self.told.table.game.seats.names, strict=True):
            assert self.told.ask(player, m.TakeSeat(1, seat))
        self.first = self.view
        self.heard: list[m.Entry] = []
        self.records: dict[int, str] = {}
        model = self.told.models["ann"]
        fold = model.fold

        def note(entry: m.Entry) -> None:
            self.heard.append(deepcopy(entry))  # a fold changes the hands of an entry
            fold(entry)

        model.fold = note  # type: ignore[method-assign]  # listened in on

    @property
    def view(self) -> m.TableView:
        """What ann would be shown now."""
        return self.told.fresh("ann")

    def begin(self) -> None:
        """Let all agree, and deal."""
        table = self.told.table
        for player in self.players:
            self.told.ask(player, m.Rematch(1, max(1, table.rubber)))
            self.told.ask(player, m.Ready(1, table.deals + 1))
        assert self.told.begin_deal(sha256(str(table.deals).encode()).digest())

    def act(self) -> bool:
        """Let the seat to act do something legal; False if the deal is over."""
        deal, game = self.told.table.deal, self.told.table.game
        if deal is None or deal.state.to_act is None:
            return False
        command = command_for(any_action(self.told, self._random), 1, deal.number, deal.index, game.seats)
        assert self.told.ask(self.players[deal.state.to_act], command)
        if (record := record_of(self.told.table, 1)) is not None:
            self.records[record.deal] = record.data.decode()
        return True

    def play(self, deals: int = 1) -> "Playing":
        """Play whole deals."""
        for _ in range(deals):
            self.begin()
            while self.act():
                pass
        return self
