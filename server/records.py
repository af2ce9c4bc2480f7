"""The records of a table's finished deals: how one is written, who may read them, how they are told page by page."""

import json

from protocol import messages as m
from rules.cards import Card
from rules.game import Place
from rules.record import write
from rules.shuffle import shuffled
from server.store import Record, Store
from server.table import Deal, Table

ANYONE = "*"
"""The reader of a public table's records, which is no player's id."""

PAGE_DEALS, PAGE_BYTES = 32, 16 * 1024
"""At most so many records, of so many bytes if there are several, are told in one message."""


def record_of(table: Table, ttl_s: int) -> Record | None:
    """Return the record of a deal that has just come to its end, if one has; one in progress is in no record."""
    deal = table.deal
    if deal is None or not table.closes_deal:
        return None
    readers = (*deal.held, ANYONE) if table.invitation is None else tuple(deal.held)
    # ASCII alone: a record goes through any pipe and terminal unharmed, whatever names it holds.
    return Record(deal.number, json.dumps(_written(table, deal)).encode(), readers, ttl_s)


def _written(table: Table, deal: Deal) -> dict[str, object]:
    """Write the record, with its seed, when it was scored, and what the table was then."""
    piles: dict[Place, list[Card]] = {}
    places = table.game.places(deal.state.dealer)
    for place, card in zip(places, shuffled(table.game.deck, deal.seed), strict=True):
        piles.setdefault(place, []).append(card)
    record = write(
        table.game,
        deal.state.dealer,
        [tuple(piles[seat]) for seat in table.game.seats],
        deal.actions,
        deal.before,
        deal.state.result,
        widow=tuple(piles.get("widow", ())),
        dead=tuple(piles.get("dead", ())),
    )
    whole = {"id": f"{table.id}-{deal.number}", **record, "seed": deal.seed.hex(), "when": deal.acted}
    return {**whole, "table": _table_part(table, deal)}


def _table_part(table: Table, deal: Deal) -> dict[str, object]:
    """Say which deal of which table it was, who sat there during it, and how the rubbers stood with it."""
    name = table.game.seats.name
    known = {**table.departed, **table.members}
    return {
        "id": table.id,
        "private": table.invitation is not None,
        "deal": deal.number,
        "rubber": table.rubber,
        "sat": [
            {"player": player, "name": known[player].name if player in known else "", "seat": name(seat)}
            for player, seat in deal.held.items()
        ],
        "bots": [name(seat) for seat, chair in enumerate(table.chairs) if chair.bot],
        "ledger": dict(table.ledger),
    }


async def page(store: Store, table: str, reader: str, after: int, *, present: bool) -> m.DealRecords | None:
    """Return the records of the next deals after one, None for who may not read them; whoever is `present` may.

    Raises StoreError.
    """
    kept = await store.kept(table)
    if not present and kept.readers.isdisjoint((reader, ANYONE)):
        return None
    told = m.DealRecords(table, [], after)
    size = 0
    deals = [deal for deal in kept.deals if deal > after][:PAGE_DEALS]
    for deal, data in (await store.records(table, deals)).items():
        size += len(data)
        if told.records and size > PAGE_BYTES:
            break
        told.records.append(data.decode())
        told.last = deal
    told.more = bool(told.records) and told.last < kept.deals[-1]
    return told
