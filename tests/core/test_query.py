"""What is remembered equals what is worked out afresh, and only what may differ is worked out again."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from occupancy_lsp.core.memory import give_back
from occupancy_lsp.core.query import Budget, Queries, remembered, shared


class _Sheet:
    """Cells that are numbers, or made of others: their sum, cut at 10. Of a cell that hangs on itself, 0 is taken."""

    def __init__(
        self,
        cells: Mapping[int, int | tuple[int, ...]],
        firm: frozenset[int] = frozenset(),
        made: Callable[[Iterable[int]], int] = sum,
    ) -> None:
        self.cells = dict(cells)
        self.firm = firm
        self.made = made
        self.queries = Queries()

    def __getitem__(self, cell: int) -> int:
        return self.queries.ask(("cell", cell), partial(self._say, cell), 0, firm=cell in self.firm)

    def _say(self, cell: int) -> int:
        said = self.cells[cell]
        return said if isinstance(said, int) else min(self.made(self[it] for it in said), 10)

    def put(self, cell: int, said: int | tuple[int, ...]) -> None:
        self.put_all({cell: said})

    def put_all(self, said: Mapping[int, int | tuple[int, ...]]) -> None:
        self.cells |= said
        self.queries.change(said)


_CELLS = 8
_said = st.one_of(st.integers(0, 12), st.lists(st.integers(0, _CELLS - 1), max_size=3).map(tuple))


@given(
    st.lists(_said, min_size=_CELLS, max_size=_CELLS),
    st.frozensets(st.integers(0, _CELLS - 1), max_size=3),
    st.lists(st.one_of(st.tuples(st.integers(0, _CELLS - 1), _said), st.integers(0, _CELLS - 1)), max_size=20),
)
def test_any_order_of_changes_and_questions_ends_as_a_fresh_start(
    cells: list[int | tuple[int, ...]],
    firm: frozenset[int],
    steps: list[tuple[int, int | tuple[int, ...]] | int],
) -> None:
    below = {at: it if isinstance(it, int) else tuple(to for to in it if to < at) for at, it in enumerate(cells)}
    sheet = _Sheet(below, firm)
    for step in steps:
        if isinstance(step, int):
            assert sheet[step] == _Sheet(sheet.cells)[step]
        else:
            at, said = step
            sheet.put(at, said if isinstance(said, int) else tuple(to for to in said if to < at))
    fresh = _Sheet(sheet.cells)
    assert [sheet[it] for it in range(_CELLS)] == [fresh[it] for it in range(_CELLS)]


@given(
    st.lists(_said, min_size=_CELLS, max_size=_CELLS),
    st.frozensets(st.integers(0, _CELLS - 1)),
    st.lists(st.dictionaries(st.integers(0, _CELLS - 1), _said, max_size=4), max_size=6),
)
@example([0, 0, (0,), 0, 0, 0, 0, 0], frozenset({0, 3}), [{3: (2,), 0: 1}])  # 3 asks for 2 before 0 is settled
def test_what_changes_at_once_is_seen_as_a_whole(
    cells: list[int | tuple[int, ...]], firm: frozenset[int], steps: list[dict[int, int | tuple[int, ...]]]
) -> None:
    below = {at: it if isinstance(it, int) else tuple(to for to in it if to < at) for at, it in enumerate(cells)}
    sheet = _Sheet(below, firm)
    for step in ({}, *steps):
        sheet.put_all({at: it if isinstance(it, int) else tuple(to for to in it if to < at) for at, it in step.items()})
        fresh = _Sheet(sheet.cells)
        assert [sheet[it] for it in range(_CELLS)] == [fresh[it] for it in range(_CELLS)]


@given(
    st.lists(_said, min_size=_CELLS, max_size=_CELLS),
    st.lists(st.tuples(st.integers(0, _CELLS - 1), _said), max_size=12),
)
@example([0, (0, 3), 0, (4,), 1, 0, 0, 0], [(0, (1, 4)), (4, (1,))])
@example([0, 1, (4,), 0, (7,), 0, 0, (1, 3)], [(3, 1), (0, (2,)), (1, (2,)), (3, 0)])  # 4 holds by what leans on 2
def test_in_circles_too_what_is_shown_is_what_a_fresh_start_shows(
    cells: list[int | tuple[int, ...]], steps: list[tuple[int, int | tuple[int, ...]]]
) -> None:
    most = partial(max, default=0)  # what a circle sums up to hangs on where one enters it; its maximum does not
    sheet = _Sheet(dict(enumerate(cells)), made=most)
    for at, said in steps:
        sheet.put(at, said)
        assert sheet[0] == _Sheet(sheet.cells, made=most)[0]


@given(
    st.lists(st.one_of(st.permutations(range(_CELLS)), st.tuples(st.integers(0, _CELLS - 1), _said)), max_size=12),
    st.integers(0, _CELLS),
)
@example([(2, (0,)), [0, 2, 1, 3, 4, 5, 6, 7], (2, 0), [*range(8)], (0, 0)], 2)  # cell 0 lost who asked for it
def test_the_answers_about_several_are_those_about_each(
    steps: list[list[int] | tuple[int, int | tuple[int, ...]]], most: int
) -> None:
    sheet = _Sheet(dict.fromkeys(range(_CELLS), 1))
    order = list(range(_CELLS))
    for step in steps:
        if isinstance(step, list):
            order = step
        else:
            cell, said = step
            sheet.put(cell, said if isinstance(said, int) else tuple(to for to in said if to < cell))
        about = order[:most]

        def work(index: int, about: list[int] = about) -> Callable[[], int]:
            return partial(sheet._say, about[index])

        every = [_Sheet(sheet.cells)[cell] for cell in about]
        assert [*sheet.queries.each("cell", about, work)] == every
        exceeding = (it for it in range(len(every)) if sum(every[:it]) > 3)
        assert [*sheet.queries.each("first", about, work, Budget(int, 3))] == every[: next(exceeding, len(every))]


def test_only_those_that_came_into_doubt_are_asked_again() -> None:
    sheet, asked = _Sheet(dict.fromkeys(range(_CELLS), 1)), list[int]()

    def work(index: int) -> Callable[[], int]:
        asked.append(index)
        return partial(sheet._say, index)

    sheet.queries.each("cell", range(_CELLS), work)
    asked.clear()
    sheet.put(3, 2)
    assert [*sheet.queries.each("cell", range(_CELLS), work)] == [1, 1, 1, 2, 1, 1, 1, 1]
    assert asked == [3]


def test_what_did_not_change_is_not_worked_out_again() -> None:
    sheet = _Sheet({0: 1, 1: (0,), 2: 3, 3: (1, 2)})
    assert sheet[3] == 4
    sheet.put(2, 5)
    assert sheet[3] == 6
    assert sheet.queries.computed["cell"] == 4 + 2  # 2 and 3


def test_an_answer_that_comes_out_equal_bothers_nobody() -> None:
    sheet = _Sheet({0: 11, 1: (0,), 2: (1,), 3: (2,)})
    assert sheet[3] == 10
    sheet.put(0, 12)
    assert sheet[3] == 10
    assert sheet.queries.computed["cell"] == 4 + 2  # 0, and 1, which is cut at 10 as before
    assert sheet.queries.kept["cell"] == 1


def test_a_firm_answer_that_holds_puts_nobody_in_doubt() -> None:
    sheet = _Sheet({0: 11, 1: (0,), 2: (1,)}, firm=frozenset({1}))
    assert sheet[2] == 10
    sheet.put(0, 12)
    assert sheet.queries.computed["cell"] == 3 + 2  # without being asked
    assert sheet[2] == 10


def test_nothing_about_what_is_gone_is_kept() -> None:
    sheet = _Sheet({0: 1, 1: (0,)})
    assert sheet[1] == 1
    sheet.cells = {0: 7, 1: (0,)}
    sheet.queries.change([], gone=[0])
    assert len(sheet.queries) == 1
    assert sheet[1] == 7


def test_what_the_key_says_already_is_looked_past() -> None:
    queries, words, worth = Queries(), {1: "price", 2: "price"}, {"price": 5}

    def at_place(line: int) -> int:
        queries.note(words[line])
        return worth[words[line]]

    def alike(line: int) -> int:
        return queries.ask(("place", line), partial(at_place, line), 0) + 1

    def ask(line: int) -> int:
        return queries.ask(("alike", "", words[line]), partial(alike, line), 0, through=[line])

    assert ask(1) == ask(2) == 6
    queries.change([], gone=[1])  # the line is another, which says the same
    assert ask(1) == 6
    assert queries.computed["alike"] == 1
    worth["price"] = 7
    queries.change(["price"])
    assert ask(1) == 8


def test_a_key_may_say_what_several_inputs_do() -> None:
    queries, worth = Queries(), {"price": 5}

    def price() -> int:
        queries.note("price")
        return worth["price"]

    def sum_of_both() -> int:
        return sum(queries.ask(("place", line), price, 0) for line in (1, 2))

    def ask() -> int:
        return queries.ask(("alike", ""), sum_of_both, 0, through=(1, 2))

    assert ask() == 10
    for gone in ([1], [2], [1, 2]):
        queries.change([], gone=gone)
        assert ask() == 10
    assert queries.computed["alike"] == 1
    worth["price"] = 7
    queries.change(["price"])
    assert ask() == 14


def test_what_is_being_worked_out_keeps_what_it_has_asked_for() -> None:
    """Although something changes on the way, and nobody else asks for that any more."""
    queries, values = Queries(), {"x": 1, "y": 1}

    def of(name: str) -> int:
        queries.note(name)
        return values[name]

    def asked(way: Callable[[], None]) -> int:
        of("x")
        inner = queries.answer(("inner", "it"), lambda: of("y"))
        way()
        return values["x"] + inner

    queries.answer(("before", "gone"), lambda: of("x") + queries.answer(("inner", "it"), lambda: of("y")))
    queries.change([], gone=["gone"])  # who alone asked for x and for what hangs on y
    assert queries.answer(("sum", "it"), lambda: asked(lambda: queries.change(["other"]))) == 2
    for name, value, found in (("x", 2, 3), ("y", 4, 6)):
        values[name] = value
        queries.change([name])
        assert queries.answer(("sum", "it"), lambda: asked(lambda: None)) == found


def test_an_answer_that_leans_on_a_running_one_is_not_kept() -> None:
    sheet = _Sheet({0: (1, 2), 1: (0, 2), 2: 5})
    assert sheet[0] == 10  # 1 takes 0 for 0
    assert len(sheet.queries) == 2
    assert sheet[1] == _Sheet(sheet.cells)[1]


def test_a_failure_leaves_nothing_behind_and_who_caught_it_hangs_on_its_cause() -> None:
    queries, broken = Queries(), [True]

    def fails() -> int:
        queries.note("cause")
        if broken[0]:
            raise ValueError
        return 1

    def catches() -> int:
        try:
            return queries.ask(("fails", "a"), fails, 0)
        except ValueError:
            return -1

    ask: Callable[[], int] = partial(queries.ask, ("catches", "b"), catches, 0)
    assert ask() == -1
    broken[0] = False
    queries.change(["cause"])
    assert ask() == 1
    with pytest.raises(ZeroDivisionError):
        queries.ask(("never", "c"), lambda: 1 // 0, 0)
    assert len(queries) == 2


def test_what_is_remembered_of_functions_is_let_go() -> None:
    worked: list[int] = []

    @remembered(4)
    def double(number: int) -> int:
        worked.append(number)
        return 2 * number

    assert double(3) == double(3) == 6 and worked == [3]
    give_back()
    assert double(3) == 6 and worked == [3, 3]


class _Known:
    """An answer of which a test can tell whether it is still there."""


def test_what_is_closed_goes_without_a_collection_and_may_be_asked_again() -> None:
    queries = Queries()

    def upper() -> _Known:
        queries.ask(("lower", "one"), _Known, None)
        return _Known()

    gc.disable()
    try:
        gone = [weakref.ref(queries.ask((kind, "one"), upper, None)) for kind in ("upper", "lower")]
        assert all(it() is not None for it in gone)
        queries.close()
        assert [it() for it in gone] == [None, None]
    finally:
        gc.enable()
    assert isinstance(queries.ask(("upper", "one"), upper, None), _Known)


def test_what_is_equal_is_one_object() -> None:
    each = [shared(frozenset({"T": it}.items())) for it in (1, 2, 1)]
    assert each[0] is each[2] is not each[1]
