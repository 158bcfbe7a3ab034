"""The base protocol's framing, byte by byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.server.frames import Frames

from .pipe import frame


@given(st.lists(st.binary(max_size=40), max_size=5), st.data())
def test_bodies_come_out_however_the_bytes_arrive(bodies: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(map(frame, bodies))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    frames = Frames()
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert [body for piece in pieces for body in frames.feed(piece)] == bodies


@pytest.mark.parametrize(
    "noise",
    [
        b"stray\r\n\r\n",
        b"Content-Length: -4\r\n\r\n",
        b"Content-Length: 4 apples\r\n\r\n",
        b"Content-Length: 2\r\n\r\n{} and the rest",
        b"x" * 100_000,
    ],
)
def test_noise_is_skipped(noise: bytes) -> None:
    assert list(Frames().feed(noise + frame(b"{}")))[-1] == b"{}"


def test_header_fields_in_any_case_and_order() -> None:
    assert list(Frames().feed(b"X-A: b\r\ncontent-length:2\r\nContent-Type: c\r\n\r\n{}")) == [b"{}"]


def test_a_body_too_long_to_be_true_is_skipped() -> None:
    frames = Frames()
    assert not list(frames.feed(b"Content-Length: 99999999999\r\n\r\n{"))
    for _ in range(50):
        assert not list(frames.feed(b"x" * 10_000))
    assert list(frames.feed(frame(b"{}"))) == [b"{}"]


@pytest.mark.parametrize("at", range(0, 70_000, 4_999))
def test_a_header_after_much_noise_is_found_wherever_it_is_cut(at: int) -> None:
    stream, frames = b"x" * 60_000 + frame(b"{}" * 4_000), Frames()
    assert [*frames.feed(stream[:at]), *frames.feed(stream[at:])] == [b"{}" * 4_000]
