"""The logs folded once more, beside the servers, and everything that was told compared with what ought to be told."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from protocol import messages as m
from protocol.codec import decode_message, encode
from rules.actions import Action
from rules.cards import Card, hand_text
from rules.errors import BadRecord
from rules.game import Place
from rules.record import replay, result_values, write
from rules.scoresheet import Standing
from rules.shuffle import shuffled
from server import entries as d
from server.render import Folded, entry_frame, folded, table_view
from server.table import Table, action_of
from tests.faults.check import Refusals
from tests.faults.history import History
from tests.faults.notes import Finding, Stretch, Told
from tests.faults.player import Player
from tests.server.rig import cards_in, hidden_from


class Secrets:
    """What nobody may read in a log of the servers or on a page of theirs: seeds, hands, cards."""

    _CARD = re.compile(r"(?<![\w.:/-])(?:[CDHS][2-9TJQKA]|JK)(?![\w.:/-])")

    def __init__(self) -> None:
        self._texts: set[str] = set()

    def add(self, seed: bytes, hands: Iterable[Iterable[Card]]) -> None:
        self._texts |= {seed.hex(), *(hand_text(hand) for hand in hands if hand)}

    def search(self, where: str, text: str) -> Iterator[Finding]:
        for line in text.splitlines():
            if self._CARD.search(line) or any(secret in line for secret in self._texts):
                yield Finding("leaked", "", 0, f"{where} says {line[:200]!r}")


class Walk:
    """One fold of one table's log, with those who were told of it as it grew."""

    def __init__(
        self,
        id: str,
        number: int,
        history: History,
        stretches: Iterable[Stretch],
        players: Iterable[Player],
        remembered: bool,
    ) -> None:
        self.table = Table(id)
        self.findings: list[Finding] = []
        self.scored = 0
        self._number, self._era = number, history[number]
        # Where the log went back to, if there was anybody left to know it.
        self._cut_at = history[number].shared(history[number - 1]) if number and remembered else 0
        self._suspect = 0  # the number of a deal of which players know more than the log
        self._told: defaultdict[int, list[tuple[str, Told]]] = defaultdict(list)
        for stretch in stretches:
            for told in stretch.told:
                self._told[told.number].append((stretch.player, told))
        self._models = [(player.id, model) for player in players for model in player.notes.models]
        self._before: Standing
        self._actions: list[Action] = []

    def go(self, refusals: Refusals, secrets: Secrets) -> None:
        """Fold the log, checking at each entry all that belongs there."""
        refusals.look(self.table, self._number)
        for stored, entry in zip(self._era.stored, self._era.entries, strict=True):
            try:
                happened = self.table.fold(stored.number, stored.id, stored.time, entry)
            except Exception as error:  # whatever it is that the servers have written there
                return self._find("log", f"the next entry cannot be: {entry.deed}: {error!r}")
            self._look(folded(self.table, stored, happened), entry.deed, secrets)
            refusals.look(self.table, self._number)

    def _look(self, what: Folded, deed: d.AnyDeed, secrets: Secrets) -> None:
        """Check what belongs to the entry that was folded last."""
        self._note(deed, secrets)
        self._see_to_void(deed)
        for player, told in self._told.get(what.number, ()):
            self._compare(player, told, what)
        for player, model in self._models:
            if (model.number, model.entry) == (what.number, what.id):
                self._compare_model(player, model)

    def _find(self, kind: str, what: str) -> None:
        self.findings.append(Finding(kind, self.table.id, self.table.head.number, what))

    # --- what they were told

    def _compare(self, player: str, told: Told, what: Folded) -> None:
        seat = self.table.seat_of(player)
        leaked = cards_in(told.frame) & hidden_from(self.table, seat)
        if leaked:
            self._find("leaked", f"{player} in seat {seat} was told of {sorted(leaked)}")
        message = decode_message(told.frame)
        if isinstance(message, m.TableView):
            ought = decode_message(encode(table_view(self.table, player)))
            if message != ought:
                self._find("view", f"{player} was shown {_difference(message, ought)}")
        elif isinstance(message, m.Entry):
            entry = decode_message(entry_frame(self.table, what, seat, None))
            assert isinstance(entry, m.Entry)
            if (message.events, message.time) != (entry.events, entry.time):
                self._find("view", f"{player} was told {message.events} and not {entry.events}")

    def _compare_model(self, player: str, model: m.TableView) -> None:
        ought = decode_message(encode(table_view(self.table, player)))
        assert isinstance(ought, m.TableView)
        for view in (model, ought):
            view.last_command = 0
            view.spectators.sort(key=lambda part: part.player)
        if model != ought:
            self._find("view", f"{player} had made of the entries {_difference(model, ought)}")

    # --- deals

    def _see_to_void(self, deed: d.AnyDeed) -> None:
        """See that a deal in progress is void after its log has gone back."""
        if self.table.head.number == self._cut_at and self.table.deal is not None and self.table.stage == "playing":
            self._suspect = self.table.deal.number
        elif isinstance(deed, d.Voided):
            self._suspect = 0
        elif self._suspect and self.table.stage != "playing":
            self._find("played_on", f"deal {self._suspect} went on although its log had gone back")

    def _note(self, deed: d.AnyDeed, secrets: Secrets) -> None:
        match deed:
            case d.DealBegun(seed=seed):
                self._before, self._actions = self.table.standing, []
                secrets.add(seed, self._dealt().values())
            case d.Called() | d.Played() | d.Discarded() | d.PartnersCalled() | d.JokerNamed():
                self._actions.append(action_of(deed))
                if self.table.stage != "playing":
                    self._replay()

    def _dealt(self) -> dict[Place, list[Card]]:
        deal, game = self.table.deal, self.table.game
        assert deal is not None
        piles: dict[Place, list[Card]] = {}
        for where, card in zip(game.places(deal.state.dealer), shuffled(game.deck, deal.seed), strict=True):
            piles.setdefault(where, []).append(card)
        return piles

    def _replay(self) -> None:
        """Score the deal again, from its record alone."""
        deal, game, piles = self.table.deal, self.table.game, self._dealt()
        assert deal is not None and deal.state.result is not None
        self.scored += 1
        hands = [tuple(piles[seat]) for seat in game.seats]
        widow, dead = tuple(piles.get("widow", [])), tuple(piles.get("dead", []))
        record = write(game, deal.state.dealer, hands, self._actions, self._before, None, widow=widow, dead=dead)
        try:
            replay(json.loads(json.dumps(record | result_values(game, deal.state.result))))
        except BadRecord as error:
            self._find("score", f"deal {deal.number} replayed from its record: {error}")


def _difference(told: m.TableView, ought: object) -> str:
    fields = [name for name in told.__struct_fields__ if getattr(told, name) != getattr(ought, name, None)]
    return "; ".join(f"{name} {getattr(told, name)} and not {getattr(ought, name, None)}" for name in fields)
