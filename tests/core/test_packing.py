"""Records as bytes: what comes back is equal, and what was not packed is refused, whatever it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.core.packing import Damaged, Form, packable
from occupancy_lsp.core.record import Alternative, Record


class Leaf(Alternative, frozen=True):
    text: str


class Pair(Alternative, frozen=True):
    left: Leaf | Pair
    right: int


class Whole(Record, frozen=True):
    numbers: tuple[int, ...]
    either: tuple[Leaf | Pair, ...]
    words: frozenset[str]
    rows: Mapping[str, tuple[tuple[str, bool], ...]]
    kind: Literal["one", "two"]
    data: bytes | None = None
    leaf: Leaf | None = None


INTEGERS = st.integers(-(1 << 63), (1 << 64) - 1)
TREES = st.recursive(st.builds(Leaf, st.text()), lambda inner: st.builds(Pair, inner, INTEGERS), max_leaves=5)
WHOLES = st.builds(
    Whole,
    st.lists(INTEGERS).map(tuple),
    st.lists(TREES).map(tuple),
    st.frozensets(st.text()),
    st.dictionaries(st.text(), st.lists(st.tuples(st.text(), st.booleans())).map(tuple)),
    st.sampled_from(("one", "two")),
    st.none() | st.binary(),
    st.none() | st.builds(Leaf, st.text()),
)
FORM = Form(Whole)


@given(WHOLES)
def test_what_comes_back_is_equal(value: Whole) -> None:
    packed = FORM.pack(value)
    assert FORM.unpack(packed) == value
    assert FORM.pack(FORM.unpack(packed)) == packed


@given(WHOLES, st.data())
def test_other_bytes_are_refused_or_are_such_a_value(value: Whole, data: st.DataObject) -> None:
    packed = bytearray(FORM.pack(value))
    at = data.draw(st.integers(0, len(packed) - 1))
    packed[at] = data.draw(st.integers(0, 255))
    try:
        found = FORM.unpack(bytes(packed))
        again = FORM.pack(found)  # looks at all of it
    except Damaged:
        return
    assert FORM.unpack(again) == found


@pytest.mark.parametrize("data", ["\udcff", "a\ud800"])
def test_what_is_no_utf8_is_not_packed(data: str) -> None:
    assert packable({"é": 1, data: 2, "": 3}) == (("é", 1), ("", 3))
    assert FORM.pack(Whole((), (), frozenset((data,)), {}, "one")) is None


@pytest.mark.parametrize("number", [1 << 64, -(1 << 63) - 1])
def test_numbers_of_more_than_64_bits_are_not_packed(number: int) -> None:
    assert FORM.pack(Whole((number,), (), frozenset(), {}, "one")) is None


@pytest.mark.parametrize(
    "other",
    [
        Whole(("1",), (), frozenset(), {}, "one"),  # type: ignore[arg-type]
        Whole((), (), frozenset(), {}, "three"),  # type: ignore[arg-type]
        Whole((), (), frozenset(), {}, "one", data="text"),  # type: ignore[arg-type]
        Whole((), (), frozenset(), {}, "one", leaf=Pair(Leaf(""), 1)),  # type: ignore[arg-type]
        Whole((True,), (), frozenset(), {}, "one"),
        Whole((), (), frozenset(), {"a": ((1, True),), "b": (("", True),)}, "one"),  # type: ignore[dict-item]
    ],
)
def test_another_kind_of_value_is_refused(other: Whole) -> None:
    with pytest.raises(Damaged):
        FORM.unpack(FORM.pack(other))


EMPTY = FORM.pack(Whole((), (), frozenset(), {}, "one"))


@pytest.mark.parametrize("packed", [b"", b"\xc1", b"\x90", b"\xc0", EMPTY[:-1], EMPTY + b"\xc0"])
def test_what_is_cut_off_is_refused(packed: bytes) -> None:
    with pytest.raises(Damaged):
        FORM.unpack(packed)
