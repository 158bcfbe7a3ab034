"""Which local variable a name means where it stands, as far as its value can be followed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.dataflow.variable_uses import ANY, EITHER, VariableUse
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lex.work_limits import StepBudget
from occupancy_lsp.source.lower.declarations import declarator_name
from occupancy_lsp.source.lower.item_facts import Definition
from occupancy_lsp.source.lower.variables import CONFIGURATIONS, TO_ANY, is_floating_point_type
from occupancy_lsp.source.syntax.expression_nodes import ELEMENTS, UnreadableExpression, array_element_name
from occupancy_lsp.source.syntax.node_index import NodeIndex

_ELSEWHERE = ("static", "extern", "thread_local", "volatile")


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    type: str
    start: int
    scope: Span
    fixed: bool


class Variables:
    """The local variables that hold numbers, and parameters that point, that are changed under their own names only."""

    def __init__(self, known: Iterable[Definition], nodes: NodeIndex, steps: StepBudget) -> None:
        self._steps = steps
        elsewhere = set(_declarations_changed_elsewhere(nodes))
        self._of: dict[str, list[Variable | None]] = {}
        self._starts: dict[str, list[tuple[int, Span]]] = {}
        for it in sorted(known, key=lambda d: d.start):
            if it.scope is None:
                continue
            refers = it.type.endswith("&") or (it.type.endswith("*") and it.kind != "parameter")
            aside = refers and it.type not in (*TO_ANY, "void**")
            followed = it.start not in elsewhere and not aside and not is_floating_point_type(it.type)
            fixed = it.kind == "constant" or it.value == UnreadableExpression(f"template parameter {it.name}")
            variable = Variable(it.name, it.type, it.start, it.scope, fixed) if followed else None
            self._of.setdefault(it.name, []).append(variable)
            self._starts.setdefault(it.name, []).append((it.start, it.scope))

    def at(self, name: str, offset: int) -> Variable | None:
        starts = self._starts.get(name, [])
        for index in range(bisect_right(starts, offset, key=lambda it: it[0]) - 1, -1, -1):
            self._steps.take()
            scope = starts[index][1]
            if scope.start <= offset < scope.end:
                return self._of[name][index]
        return None

    def declares(self, name: str, offset: int) -> bool:
        """Whether the name is a local one, followed or not."""
        starts = self._starts.get(name, [])
        self._steps.take(len(starts))
        return any(start <= offset and offset < scope.end for start, scope in starts)

    def changed_by_use(self, touch: VariableUse) -> Iterator[tuple[Variable, tuple[str, ...]]]:
        """What a use changes, with the members named after it."""
        yield from self._elements_maybe_changed(touch)
        variable = self.at(touch.name, touch.start)
        if variable is None or variable.fixed:
            return
        if variable.type not in CONFIGURATIONS:
            yield variable, touch.path
            return
        for member, kind in CONFIGURATIONS[variable.type].items():
            if not touch.path or touch.path[0] in (member, EITHER):
                name = f"{variable.name}.{member}"
                yield Variable(name, kind, variable.start, variable.scope, False), touch.path[1:]

    def _elements_maybe_changed(self, touch: VariableUse) -> Iterator[tuple[Variable, tuple[str, ...]]]:
        """Of an array whose elements are followed, those that a use may change."""
        for index in range(ELEMENTS):
            found = self.at(array_element_name(touch.name, index), touch.start)
            if found is None:
                continue
            if touch.path and touch.path[0] == f"[{index}]":
                yield found, touch.path[1:]
            elif not touch.path or touch.path[0] == ANY:
                yield found, touch.path


def _declarations_changed_elsewhere(nodes: NodeIndex) -> Iterator[int]:
    """Where names are declared of variables that live on, or are changed from outside."""
    for node in nodes.nodes_of_kind("declaration"):
        if not any(nodes.text(it) in _ELSEWHERE for it in node.children):
            continue
        for declarator in node.children_by_field_name("declarator"):
            name = declarator_name(declarator)
            if name is not None:
                yield name.start_byte
