"""The deals of one log: each scored once more from its seed and its actions alone, and compared with its record."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rules.actions import Action
from rules.cards import Card
from rules.errors import BadRecord
from rules.game import Place
from rules.record import replay, result_values, write
from rules.scoresheet import Standing
from rules.shuffle import shuffled
from server import entries as d
from server.table import Table, action_of
from tests.faults.logs import Secrets


class Deals:
    """Looks on as a table is folded."""

    def __init__(self, table: Table) -> None:
        self.scored = 0
        self._table = table
        self._before: Standing
        self._actions: list[Action] = []
        self._last: dict[str, Any] = {}
        self._closed: dict[int, dict[str, Any]] = {}

    def note(self, deed: d.AnyDeed, secrets: Secrets) -> str | None:
        """Note what was folded last; return what is wrong with a deal that is over by it."""
        match deed:
            case d.DealBegun(seed=seed):
                self._before, self._actions = self._table.standing, []
                secrets.add(seed, self._dealt().values())
            case d.Called() | d.Played() | d.Discarded() | d.PartnersCalled() | d.JokerNamed():
                self._actions.append(action_of(deed))
                if self._table.deal_over:
                    return self._replay()
            case d.Checkpoint() if self._table.deal_over:
                self._closed[self._table.deals] = self._last
        return None

    def compare(self, records: Mapping[int, bytes]) -> Iterator[str]:
        """Return what is wrong with the records that are kept: one of each deal that a checkpoint has closed."""
        for number in sorted({*records, *self._closed}):
            own = self._closed.get(number)
            if own is None or number not in records:
                yield f"deal {number}: {'no record' if own else 'a record, but no checkpoint closes it'}"
                continue
            record = json.loads(records[number])
            try:
                replay(record)
            except BadRecord as error:
                yield f"deal {number}: its record cannot be: {error}"
            if different := [name for name in own if record.get(name) != own[name]]:
                yield f"deal {number}: its record says {[record.get(name) for name in different]} for {different}"

    def _dealt(self) -> dict[Place, list[Card]]:
        deal, game = self._table.deal, self._table.game
        assert deal is not None
        piles: dict[Place, list[Card]] = {}
        for where, card in zip(game.places(deal.state.dealer), shuffled(game.deck, deal.seed), strict=True):
            piles.setdefault(where, []).append(card)
        return piles

    def _replay(self) -> str | None:
        """Write the record of the deal that is over, and let the laws score it."""
        deal, game, piles = self._table.deal, self._table.game, self._dealt()
        assert deal is not None and deal.state.result is not None
        self.scored += 1
        hands = [tuple(piles[seat]) for seat in game.seats]
        widow, dead = tuple(piles.get("widow", [])), tuple(piles.get("dead", []))
        record = write(game, deal.state.dealer, hands, self._actions, self._before, None, widow=widow, dead=dead)
        scored = record | result_values(game, deal.state.result)
        self._last = {**json.loads(json.dumps(scored)), "seed": deal.seed.hex()}
        try:
            replay(json.loads(json.dumps(scored)))
        except BadRecord as error:
            return f"deal {deal.number} replayed from its record: {error}"
        return None
