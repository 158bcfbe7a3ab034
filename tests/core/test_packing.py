"""Dataclasses as bytes: what comes back is equal, and what was not packed is refused, whatever it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.core.packing import Damaged, Form


@dataclass(frozen=True)
class Leaf:
    text: str


@dataclass(frozen=True)
class Pair:
    left: Leaf | Pair
    right: int


@dataclass(frozen=True)
class Whole:
    numbers: tuple[int, ...]
    either: tuple[Leaf | Pair, ...]
    words: frozenset[str]
    rows: Mapping[str, tuple[tuple[str, bool], ...]]
    kind: Literal["one", "two"]
    data: bytes | None = None
    leaf: Leaf | None = None


TREES = st.recursive(st.builds(Leaf, st.text()), lambda inner: st.builds(Pair, inner, st.integers()), max_leaves=5)
WHOLES = st.builds(
    Whole,
    st.lists(st.integers()).map(tuple),
    st.lists(TREES).map(tuple),
    st.frozensets(st.text(st.characters(codec=None))),
    st.dictionaries(st.text(), st.lists(st.tuples(st.text(), st.booleans())).map(tuple)),
    st.sampled_from(("one", "two")),
    st.none() | st.binary(),
    st.none() | st.builds(Leaf, st.text()),
)
FORM = Form(Whole, (Leaf, Pair))


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


@pytest.mark.parametrize(
    "other",
    [
        Whole(("1",), (), frozenset(), {}, "one"),  # type: ignore[arg-type]
        Whole((), (), frozenset(), {}, "three"),  # type: ignore[arg-type]
        Whole((), (), frozenset(), {}, "one", data="text"),  # type: ignore[arg-type]
        Whole((), (), frozenset(), {}, "one", leaf=Pair(Leaf(""), 1)),  # type: ignore[arg-type]
        Whole((True,), (), frozenset(), {}, "one"),
    ],
)
def test_another_kind_of_value_is_refused(other: Whole) -> None:
    with pytest.raises(Damaged):
        FORM.unpack(FORM.pack(other))


def test_what_is_in_a_mapping_is_refused_when_it_is_looked_at() -> None:
    other = Whole((), (), frozenset(), {"a": ((1, True),), "b": (("", True),)}, "one")  # type: ignore[dict-item]
    rows = FORM.unpack(FORM.pack(other)).rows
    assert rows.keys() == {"a", "b"} and rows["b"] == (("", True),)
    with pytest.raises(Damaged):
        rows["a"]


EMPTY = FORM.pack(Whole((), (), frozenset(), {}, "one"))


@pytest.mark.parametrize("packed", [b"", b"\xc1", b"\x90", b"\xc0", EMPTY[:-1], EMPTY + b"\xc0"])
def test_what_is_cut_off_is_refused(packed: bytes) -> None:
    with pytest.raises(Damaged):
        FORM.unpack(packed)
