"""Damaged files: cut short, bytes changed, pieces left out or put elsewhere. Which reader it is for does not matter."""

from __future__ import annotations

from hypothesis import strategies as st

NUMBERS = [0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, (1 << 63) - 1, 1 << 63]


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Often near the beginning, where the tables are that decide how the rest is read."""
    data = bytearray(whole)
    places = st.one_of(st.integers(0, min(len(data), 128)), st.integers(0, len(data)))
    for _ in range(draw(st.integers(0, 8))):
        at, width = draw(places), draw(st.sampled_from([1, 2, 4, 8]))
        number = draw(st.one_of(st.sampled_from(NUMBERS), st.integers(0, 255))) % (1 << 8 * width)
        data[at : at + width] = number.to_bytes(width, "little")
    if draw(st.booleans()):
        at, length, to = draw(places), draw(st.integers(1, 200)), draw(places)
        piece = data[at : at + length]
        del data[at : at + length]
        data[to:to] = piece * draw(st.integers(0, 2))
    return bytes(data[: draw(places)] if draw(st.booleans()) else data)
