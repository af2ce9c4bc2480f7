"""The entries of a table's log as bytes."""

import contextlib
from typing import get_args

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server import entries as d
from server.entries import UnknownEntry, entry

DEEDS: list[d.AnyDeed] = [
    d.TableOpened("auction_bridge", 4, {"first_dealer": "cut", "dealer_may_pass": True, "goal": 7}, 1, "hash"),
    d.TableOpened("auction_bridge", 4, {}, 1),
    d.Arrived("p", "Ann\u00e9", "process", "connection"),
    d.Dropped("p", "connection", "lost"),
    d.Left("p"),
    d.Renamed("p", "Ann"),
    d.SatDown("p", 3),
    d.StoodUp("p"),
    d.SeatCodeMade(2, "hash", 1600.0),
    d.SeatMoved("p", "q"),
    d.BotSeated(0),
    d.BotRemoved(1),
    d.Agreed(2),
    d.DealBegun(bytes(range(32))),
    d.Voided(),
    d.Called("2R"),
    d.Played("JK:H"),
    d.Discarded(["SA", "JK"]),
    d.PartnersCalled([0, 2]),
    d.PartnersCalled([]),
    d.JokerNamed("H"),
    d.JokerNamed(),
    d.Resumed(),
    d.Checkpoint(b"all of it", "f00d"),
    d.Ended("ended by Ann"),
]


def test_every_deed_is_tried() -> None:
    assert {type(deed) for deed in DEEDS} == set(get_args(d.AnyDeed))


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: type(deed).__name__)
def test_an_entry_comes_back_as_it_was(deed: d.Deed) -> None:
    one = entry("player", deed, 2**53)
    assert d.decode(d.encode(one)) == one
    assert type(d.decode(d.encode(one)).deed) is type(deed)
    assert d.encode(one) == d.encode(one)


def test_an_entry_of_a_later_version_is_refused() -> None:
    later = d.Entry(d.VERSION + 1, "p", 0, d.Left("p"))
    with pytest.raises(UnknownEntry, match=f"version {d.VERSION + 1}"):
        d.decode(d.encode(later))


def test_an_entry_with_a_deed_of_a_later_version_is_refused() -> None:
    with pytest.raises(UnknownEntry, match="cannot read"):
        d.decode(msgpack.packb([d.VERSION + 1, "p", 0, {"deed": "Claimed", "tricks": 3}]))


def test_what_a_later_server_has_added_to_a_deed_is_passed_over() -> None:
    assert d.decode(msgpack.packb([1, "p", 0, {"deed": "Left", "player": "p", "mood": "sad"}])).deed == d.Left("p")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\xc1",
        b"{}",
        msgpack.packb([]),
        msgpack.packb([1, "p", 0]),
        msgpack.packb({"deed": "Left"}),
        msgpack.packb([1, "p", 0, {"deed": "Left"}]),
        msgpack.packb([1, "p", "0", {"deed": "Voided"}]),
        msgpack.packb([1, "p", 0, {"deed": "SatDown", "player": "p", "seat": "N"}]),
        d.encode(entry("p", DEEDS[0]))[:-1],
    ],
    ids=repr,
)
def test_bytes_that_are_no_entry_are_refused(data: bytes) -> None:
    with pytest.raises(UnknownEntry):
        d.decode(data)


@given(st.binary(max_size=64))
def test_any_bytes_are_an_entry_or_refused(data: bytes) -> None:
    with contextlib.suppress(UnknownEntry):
        assert d.decode(data).version <= d.VERSION
