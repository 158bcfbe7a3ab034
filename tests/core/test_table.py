"""Text in columns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.core.table import aligned, axis_ends, padded

cells = st.text(st.sampled_from("ab|°"), max_size=12)
tables = st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=5))


@given(tables)
def test_columns_are_as_wide_as_their_widest_cell(rows: list[list[str]]) -> None:
    for column, drawn in zip(zip(*rows, strict=True), zip(*padded(rows), strict=True), strict=True):
        assert {len(it) for it in drawn} == {max(map(len, column))}
        assert [it.rstrip() for it in drawn] == list(column)


def test_lines() -> None:
    assert aligned([("a", "bb", ""), ("ccc", "d", "e")]) == ["a    bb", "ccc  d   e"]
    assert aligned([("a", "b"), ("too long", "d")], longest={0: 3}) == ["a  b", "too long  d"]
    assert axis_ends("0", "64", 6) == "0   64"
