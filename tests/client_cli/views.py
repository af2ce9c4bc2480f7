"""Views of a table for tests, made by hand; each test that changes one works on a copy."""

from msgspec import structs

from protocol import messages as m

SEATS = [
    m.SeatPart("N", bot=True),
    m.SeatPart("E", player="b", name="Bob", connected=True),
    m.SeatPart("S", player="a", name="Ann", connected=True),
    m.SeatPart("W"),
]
STANDING = {"below": {"NS": 0, "EW": 20}, "above": {"NS": 9, "EW": 0}, "games": {"NS": 1, "EW": 0}}

GATHERING = m.TableView(
    table="t1",
    number=5,
    entry="e5",
    game="auction_bridge",
    title="Royal auction bridge",
    options={},
    seats=SEATS,
    sides={"NS": ["N", "S"], "EW": ["E", "W"]},
    spectators=[m.SpectatorPart("c", "Cis")],
    player="a",
    seat="S",
    stage="gathering",
    rubber=0,
    next_deal=1,
    standing={column: {"NS": 0, "EW": 0} for column in STANDING},
    ledger={},
)

_DEAL = m.DealPart(
    number=7,
    dealer="E",
    phase="auction",
    hands={"S": "AK2.T98.QJ3.7654"},
    counts=dict.fromkeys("NESW", 13),
    calls=[m.CallPart("E", "1S"), m.CallPart("S", "X")],
    contract=None,
    trick=None,
    last_trick=None,
    tricks_won=dict.fromkeys("NESW", 0),
)

AUCTION = structs.replace(
    GATHERING,
    stage="playing",
    rubber=1,
    next_deal=8,
    standing=STANDING,
    deal=_DEAL,
    turn=m.Turn(7, 2, "S", None, m.Legal(calls=["P", "XX", "1C", "1D", "2S", "1H", "2C", "7N"])),
)

PLAY = structs.replace(
    AUCTION,
    deal=structs.replace(
        _DEAL,
        phase="play",
        hands={"S": "AK2.T98.QJ3.765", "N": "QJ.K.AK.AK"},
        counts={"N": 7, "E": 12, "S": 12, "W": 12},
        contract=m.ContractPart("2R", 2, "S", "N", ["N"], "S", "W"),
        trick=m.TrickPart("W", "H", [m.PlayPart("W", "H5")]),
        last_trick=None,
        tricks_won={"N": 1, "E": 0, "S": 2, "W": 0},
        exposed=["N"],
    ),
    turn=m.Turn(7, 9, "S", "N", m.Legal(cards=["HK"])),
)
