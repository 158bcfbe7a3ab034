"""What nobody will change is told as by who records what it hangs on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.core.once import Once
from occupancy_lsp.core.query import Queries

_CELLS = 8
_said = st.one_of(st.integers(0, 12), st.lists(st.integers(0, _CELLS - 1), max_size=3).map(tuple))
_Cells = Mapping[int, int | tuple[int, ...]]


def _told(queries: Queries, cells: _Cells, cell: int, firm: frozenset[int] = frozenset()) -> int:
    def say() -> int:
        said = cells[cell]
        if isinstance(said, int):
            return said
        return min(sum(_told(queries, cells, it, firm) for it in said), 10)

    return queries.ask(("cell", cell), say, 0, firm=cell in firm)


@given(
    st.lists(_said, min_size=_CELLS, max_size=_CELLS),
    st.frozensets(st.integers(0, _CELLS - 1), max_size=3),
    st.lists(st.integers(0, _CELLS - 1), max_size=20),
)
def test_in_circles_too_the_answers_are_those_of_the_mechanism_that_records(
    said: list[int | tuple[int, ...]], firm: frozenset[int], asked: list[int]
) -> None:
    cells = dict(enumerate(said))
    once, recording = Once(), Queries()
    for it in asked:
        assert _told(once, cells, it, firm) == _told(recording, cells, it, firm)
        assert len(once) == len(recording)  # what leaned on something provisional is kept by neither
    assert once.computed == recording.computed


def test_a_firm_answer_that_noted_what_changes_is_worked_out_again_and_so_is_who_asked_it_firmly() -> None:
    once, wanted = Once(), {"first"}

    def rows() -> frozenset[str]:
        once.note("wanted")
        return frozenset(wanted)

    def row(name: str) -> bool:
        return name in once.ask(("rows", None), rows, frozenset(), firm=True)

    def ask(name: str) -> bool:
        return once.ask(("row", None, name), partial(row, name), False, firm=True)

    assert ask("first") and not ask("second")
    wanted.add("second")
    assert not ask("second")
    once.change(["wanted"])
    assert ask("first") and ask("second")
    assert once.computed["rows"] == 2


def test_a_failure_leaves_nothing_behind() -> None:
    once, broken = Once(), [True]

    def fails() -> int:
        if broken[0]:
            raise ValueError
        return 1

    def catches() -> int:
        try:
            return once.answer(("fails", "a"), fails)
        except ValueError:
            return -1

    assert once.answer(("catches", "b"), catches) == -1
    broken[0] = False
    assert once.answer(("fails", "a"), fails) == 1


@given(
    st.lists(_said, min_size=_CELLS, max_size=_CELLS),
    st.frozensets(st.integers(0, _CELLS - 1), max_size=3),
    st.lists(st.integers(0, _CELLS - 1), max_size=20),
)
def test_no_more_is_kept_than_is_bounded(
    said: list[int | tuple[int, ...]], firm: frozenset[int], asked: list[int]
) -> None:
    """And what was let go of is worked out again, to the same; in circles that hangs on who is asked first."""
    cells, few = dict(enumerate(said)), Once()
    straight = {cell: it if isinstance(it, int) else tuple(x for x in it if x < cell) for cell, it in cells.items()}
    once, bounded = Once(), Once()
    with patch("occupancy_lsp.core.once._MOST", 2):
        for it in asked:
            _told(few, cells, it, firm)
        assert len(few) <= 2 + _CELLS
        told = [_told(bounded, straight, it, firm) for it in asked]
    assert told == [_told(once, straight, it, firm) for it in asked]


def test_who_kept_more_on_the_way_is_told_to_let_go_of_it() -> None:
    forgotten = list[int]()
    once = Once(lambda: forgotten.append(len(once)))
    with patch("occupancy_lsp.core.once._MOST", 2):
        for cell in range(8):
            _told(once, dict.fromkeys(range(8), 1), cell)
    assert forgotten == [0, 0]


def test_what_is_closed_is_gone_and_may_be_asked_again() -> None:
    once = Once()
    assert _told(once, {0: (1,), 1: 4}, 0) == 4
    assert len(once) == 2
    once.close()
    assert len(once) == 0
    assert _told(once, {0: (1,), 1: 5}, 0) == 5
