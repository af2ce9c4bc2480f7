"""The plain frames against the library's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from server.frames import Piece, binary_frame, plain_frames, pong_frame

MAX = 4096
SIZES = [0, 1, 3, 4, 5, 125, 126, 127, 4096, 65535, 65536]

plain = st.one_of(
    st.builds(Frame, st.just(Opcode.BINARY), st.binary(max_size=300)),
    st.builds(Frame, st.sampled_from([Opcode.PING, Opcode.PONG]), st.binary(max_size=125)),
)
odd = st.one_of(
    st.builds(Frame, st.sampled_from([Opcode.TEXT, Opcode.CONT]), st.binary(max_size=20), st.booleans()),
    st.builds(Frame, st.just(Opcode.BINARY), st.binary(max_size=20), st.just(False)),
    st.just(Frame(Opcode.CLOSE, b"")),
)


def read_by_library(data: bytes) -> tuple[ServerProtocol, list[Piece]]:
    library = ServerProtocol(state=State.OPEN, max_size=MAX)
    library.receive_data(data)
    frames = [event for event in library.events_received() if isinstance(event, Frame)]
    return library, [(int(frame.opcode), frame.fin, bytes(frame.data)) for frame in frames]


@pytest.mark.parametrize("size", SIZES)
def test_binary_frame_is_the_library_s(size: int) -> None:
    payload = bytes(size)
    assert binary_frame(payload) == Frame(Opcode.BINARY, payload).serialize(mask=False)


@given(st.binary(max_size=125))
def test_pong_frame_is_the_library_s(payload: bytes) -> None:
    assert pong_frame(payload) == Frame(Opcode.PONG, payload).serialize(mask=False)


@given(st.lists(plain, max_size=6))
def test_plain_frames_read_as_by_the_library(frames: list[Frame]) -> None:
    data = b"".join(frame.serialize(mask=True) for frame in frames)
    assert plain_frames(data, MAX) == read_by_library(data)[1]


@pytest.mark.parametrize("size", [size for size in SIZES if size <= MAX])
def test_plain_frames_of_every_header(size: int) -> None:
    payload = bytes(range(256)) * 16
    data = Frame(Opcode.BINARY, payload[:size]).serialize(mask=True)
    assert plain_frames(data, MAX) == [(Opcode.BINARY, True, payload[:size])]


@given(st.lists(plain, max_size=3), odd)
def test_anything_else_among_them_is_left_to_the_library(frames: list[Frame], other: Frame) -> None:
    data = b"".join(frame.serialize(mask=True) for frame in [*frames, other])
    assert plain_frames(data, MAX) is None


@given(st.lists(plain, min_size=1, max_size=3), st.data())
def test_a_frame_cut_in_two_is_left_to_the_library(frames: list[Frame], data: st.DataObject) -> None:
    whole = [frame.serialize(mask=True) for frame in frames]
    cut = data.draw(st.integers(1, len(whole[-1]) - 1))
    assert plain_frames(b"".join(whole)[:-cut], MAX) is None


@given(st.binary(max_size=40))
def test_whatever_is_taken_leaves_the_library_as_it_was(data: bytes) -> None:
    taken = plain_frames(data, MAX)
    if taken is not None:
        library, pieces = read_by_library(data)
        assert taken == pieces
        assert library.state is State.OPEN
        library.receive_data(Frame(Opcode.BINARY, b"next").serialize(mask=True))
        assert [event.data for event in library.events_received() if isinstance(event, Frame)] == [b"next"]


@pytest.mark.parametrize(
    "data",
    [
        Frame(Opcode.BINARY, b"unmasked").serialize(mask=False),
        Frame(Opcode.BINARY, bytes(MAX + 1)).serialize(mask=True),
        Frame(Opcode.BINARY, bytes(1 << 16)).serialize(mask=True),
        bytes((0x82, 0xFF)) + (1 << 63).to_bytes(8, "big") + bytes(4),
        bytes((0x89, 0xFE, 0, 126)) + bytes(130),
        bytes((0xC2, 0x80)) + bytes(4),
    ],
    ids=["unmasked", "too large", "larger than two bytes say", "declared huge", "long ping", "reserved bit"],
)
def test_what_is_wrong_is_left_to_the_library(data: bytes) -> None:
    assert plain_frames(data, MAX) is None
