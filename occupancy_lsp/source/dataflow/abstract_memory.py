"""What an abstract interpreter of host code remembers: memory, names, and the states in which jumps leave."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from tree_sitter import Node

from occupancy_lsp.source.dataflow import abstract_values as values
from occupancy_lsp.source.dataflow.abstract_values import Place, State, Value, join_states, join_values
from occupancy_lsp.source.dataflow.program_outline import FunctionOutline, ProgramOutline
from occupancy_lsp.source.lex.work_limits import StepBudget

_MOST_STEPS = 10_000
CELLS_A_STEP = 16
DEEPEST = 24  # calls in one another
Thrown = tuple[State, "str | None"]  # the type of what is thrown, where that shows
Given = tuple[Value, "Place | None"]  # an argument


Bindings = Mapping[str, "Value | str"]  # what template parameters stand for: a value or a type


class Gone(Exception):
    """Control does not come past this."""


class Unfollowed(Exception):
    """What may run is not known."""


class Names:
    """The variables of a block, and of what is around it. `bound`: what template parameters stand for."""

    def __init__(self, outer: Names | None, this: Place | None, owner: str, bound: Bindings) -> None:
        self.own: dict[str, Place] = {}
        self.types: dict[str, str] = {}
        self.outer, self.this, self.owner, self.bound = outer, this, owner, bound

    def inner(self) -> Names:
        return Names(self, self.this, self.owner, self.bound)

    def find(self, name: str) -> Place | None:
        names: Names | None = self
        while names is not None:
            if name in names.own:
                return names.own[name]
            names = names.outer
        return None


class Jumps:
    """The states in which statements leave a function, or a loop in it. `end`: of the function's body."""

    def __init__(self, end: int = 0) -> None:
        self.end = end
        self.breaks: list[State] = []
        self.continues: list[State] = []
        self.returned: list[State] = []
        self.results: list[Value] = []
        self.gotos: dict[str, State] = {}

    def all_states(self) -> list[State]:
        return [*self.breaks, *self.continues, *self.returned, *self.gotos.values()]


class Memory:
    """`asserts`: whether `assert` is compiled. `reached`: where the expressions start that may run."""

    def __init__(self, code: bytes, root: Node, outline: ProgramOutline, asserts: bool) -> None:
        self.reached: set[int] = set()
        self._asserts = asserts
        self._code, self._root, self._outline = code, root, outline
        self._steps = StepBudget(_MOST_STEPS)
        self._state: State | None = {}
        self._jumps = Jumps()
        self._handlers: list[list[Thrown]] = []
        self._caught: list[str | None] = []
        self._depth = 0
        self._cells = 0
        self._globals: dict[str, list[tuple[str, Place]]] = {}
        self._types: dict[int, str] = {}  # of cells
        self._shared: set[int] = set()  # cells that code out of sight may change
        self._around: list[Names] = []  # of closures
        self._lambdas: dict[int, Node] = {}  # by where they start
        self._named: set[str] = set()  # functions that may be called where their names do not stand
        self._opaque: set[int] = set()  # cells that are read and written as of other types
        self._kept: set[int] = set()  # cells that outlive the call in which they are made
        self._statics: dict[int, int] = {}  # the cells of static variables, by where they are declared
        self._enumerators: dict[str, Value] = {}

    def _evaluate(self, node: Node | None, names: Names) -> Value:
        raise NotImplementedError

    def _evaluate_truth(self, node: Node, names: Names) -> bool | None:
        raise NotImplementedError

    def _evaluate_argument(self, node: Node, names: Names) -> Given:
        raise NotImplementedError

    def _call_function(
        self,
        function: FunctionOutline,
        arguments: Sequence[Given],
        this: Place | None,
        bound: Mapping[str, Value | str],
    ) -> Value:
        raise NotImplementedError

    def _call_unknown_function(self, name: str, arguments: Sequence[Given]) -> Value:
        raise NotImplementedError

    def _allocate_cell(self, value: Value) -> Place:
        self._cells += 1
        if self._state is not None:
            self._state[self._cells] = value
        return self._cells, ()

    def _keep_after_call(self, place: Place) -> Place:
        self._kept.add(place[0])
        return place

    def _discard_cells(self, after: int) -> None:
        """Of variables that were made since there were so many cells."""
        if self._state is not None and self._cells > after:
            self._state = {cell: it for cell, it in self._state.items() if cell <= after or cell in self._kept}

    def _require_state(self) -> State:
        if self._state is None:
            raise Gone
        return self._state

    def _write(self, place: Place, value: Value) -> None:
        values.write_place(self._require_state(), place, value)

    def _read(self, place: Place) -> Value:
        return values.read_place(self._require_state(), place) if place[0] not in self._opaque else None

    @contextmanager
    def _catch_end_of_path(self) -> Iterator[None]:
        """What may come to an end within."""
        try:
            yield
        except Gone:
            self._state = None

    def _forget_place(self, place: Place) -> None:
        """What is there may be anything."""
        self._write(place, values.forgotten_value(self._read(place)))

    def _evaluate_branches(self, holds: bool | None, one: Callable[[], Value], other: Callable[[], Value]) -> Value:
        if holds is not None:
            return one() if holds else other()
        before = dict(self._require_state())
        self._steps.take(len(before) // CELLS_A_STEP)
        found: list[tuple[Value, State | None]] = []
        for way in (one, other):
            self._state = dict(before)
            result: Value = None
            with self._catch_end_of_path():
                result = way()
            found.append((result, self._state))
        (first, left), (second, right) = found
        self._state = join_states(left, right)
        self._require_state()
        return second if left is None else first if right is None else join_values(first, second)

    def _place_of_global(self, path: str, owner: str = "") -> Place | None:
        *outer, label = path.removeprefix("::").split("::")
        said = "::".join((*outer, label))
        found = [it for full, it in self._globals.get(label, ()) if f"::{full}".endswith(f"::{said}")]
        of_class = [it for full, it in self._globals.get(label, ()) if f"::{full}".endswith(f"::{owner}::{label}")]
        chosen = of_class if owner and not outer and of_class else found
        return chosen[0] if len(chosen) == 1 else None

    def _record_throw(self, kind: str | None) -> None:
        if self._handlers:
            self._handlers[-1].append((dict(self._require_state()), kind))

    def _maybe_call(self, function: FunctionOutline, place: Place | None) -> None:
        """A call that may be made, with anything."""

        def call_with_unknowns() -> Value:
            return self._call_function(function, [(None, None)] * len(function.parameters), place, {})

        self._evaluate_branches(None, call_with_unknowns, lambda: None)
