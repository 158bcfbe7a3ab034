"""Reaching definitions in host code: what a variable holds after an assignment, and from where that is unknown.

Each assignment becomes a definition that holds from its end to the end of the branch, loop body or block it stands in;
beyond that the variable depends on the way taken. Nothing is executed: a value that several ways could give is unknown.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.assignments import (
    VariableChange,
    assigned_value,
    is_plain_statement,
    value_after_unknown_change,
)
from occupancy_lsp.source.dataflow.branch_refinement import refinements
from occupancy_lsp.source.dataflow.scope_of_effect import enclosing_parts, loop_start, scopes_of_effect
from occupancy_lsp.source.dataflow.variable_lookup import Variable, Variables
from occupancy_lsp.source.dataflow.variable_uses import VariableUse, variable_use
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lex.work_limits import StepBudget
from occupancy_lsp.source.lower.branches import is_nested_case
from occupancy_lsp.source.lower.item_facts import Conditions, Definition
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import (
    AfterCall,
    BranchTaken,
    Expression,
    OneOfAssignments,
    OutParameterValue,
    UnreadableExpression,
)
from occupancy_lsp.source.syntax.node_index import NAMES, SELDOM, NodeIndex
from occupancy_lsp.source.syntax.parser import span

Look = Callable[[NodeIndex, Node], VariableUse | None]
_MOST_CALLS = 16
_BROKEN = regex(r"[{}]|\b(?:if|else|for|while|do|switch|case|default|goto|return|try|catch)\b", re.ASCII)
_ENTERED = ("labeled_statement", "case_statement")  # from elsewhere


@dataclass(frozen=True, slots=True)
class PossibleChange:
    """From `start` on a variable may change at any time; by `call` if that takes it by reference, None: surely."""

    start: int
    call: AfterCall | None


@dataclass(frozen=True, slots=True)
class PossibleChanges:
    """About one variable: from `sure` on it may change at any time, and by each call from the first place on."""

    sure: int | None
    calls: tuple[tuple[int, AfterCall], ...]

    @staticmethod
    def from_single_changes(each: Iterable[PossibleChange]) -> PossibleChanges:
        first: dict[AfterCall | None, int] = {}
        for it in each:
            first[it.call] = min(it.start, first.get(it.call, it.start))
        calls = ((start, call) for call, start in first.items() if call is not None)
        return PossibleChanges(first.get(None), tuple(sorted(calls, key=lambda it: it[0])))

    def calls_until(self, offset: int) -> Sequence[AfterCall] | None:
        """The calls that may have changed the variable up to there; None: anything may have."""
        count = bisect_right(self.calls, offset, key=lambda it: it[0])
        if (self.sure is not None and self.sure <= offset) or count > _MOST_CALLS:
            return None
        return sorted((call for _, call in self.calls[:count]), key=str)


_NO_DOUBTS = PossibleChanges(None, ())


@dataclass(frozen=True, slots=True)
class VariableFlow:
    """What changes variables, in order of the text; `hosts`: the functions in which that order is followed.

    `names`: of all that is changed. `ends`: by host, how far it and those before it reach.
    """

    touches: tuple[VariableUse, ...]
    hosts: tuple[Span, ...]
    names: frozenset[str]
    ends: tuple[int, ...]

    @staticmethod
    def from_uses(touches: tuple[VariableUse, ...], hosts: tuple[Span, ...]) -> VariableFlow:
        ends = tuple(accumulate((host.end for host in hosts), max))
        return VariableFlow(touches, hosts, frozenset(it.name for it in touches), ends)

    def within(self, host: Span) -> Sequence[VariableUse]:
        first = bisect_left(self.touches, host.start, key=lambda it: it.start)
        return self.touches[first : bisect_left(self.touches, host.end, first, key=lambda it: it.start)]

    def names_changed_out_of_order(self, offset: int) -> frozenset[str]:
        """The names whose initial value says nothing, because they change where order is not followed."""
        before = bisect_right(self.hosts, offset, key=lambda it: it.start)
        return frozenset() if before and offset < self.ends[before - 1] else self.names


def read_variable_flow(
    masked: MaskedCode, nodes: NodeIndex, words: Sequence[bytes], look: Look = variable_use
) -> VariableFlow:
    """Of functions that hold one of `words`, where there are any. `look`: what a name's place says of its variable."""
    hosts = [
        span(node)
        for node in nodes.nodes_of_kind("function_definition")
        if _has_reliable_tree(masked, nodes, node, words)
    ]
    found = (look(nodes, node) for kind, node in nodes.nodes_of_kinds(SELDOM) if kind in NAMES)
    return VariableFlow.from_uses(tuple(it for it in found if it is not None), tuple(hosts))


def _has_reliable_tree(masked: MaskedCode, nodes: NodeIndex, function: Node, words: Sequence[bytes]) -> bool:
    """Whether the statements of a function are where the tree says: no error in it swallows a brace or a keyword."""
    code = masked.code[function.start_byte : function.end_byte]
    if words and not any(word in code for word in words):
        return False
    if any(function.start_byte <= at < function.end_byte for at in masked.macros.torn):
        return False
    return not nodes.has_error(function) or not any(
        _swallows_keyword(nodes, node) for node in _erroneous_nodes(nodes, function)
    )


def _erroneous_nodes(nodes: NodeIndex, node: Node) -> Iterator[Node]:
    """Every node under `node` where something is wrong, tokens as well."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in nodes.all_children(node) if nodes.has_error(child) or child.is_missing]


def _swallows_keyword(nodes: NodeIndex, node: Node) -> bool:
    if node.is_missing:
        return node.type not in (";", "::")  # `EXPORTED status f(…)`: a macro before a type, read as a class of it
    return node.type == "ERROR" and bool(_BROKEN.search(nodes.text(node)))


def reaching_definitions(
    masked: MaskedCode, nodes: NodeIndex, regions: ConditionRegions, flow: VariableFlow, known: Sequence[Definition]
) -> Iterator[Definition]:
    """The definitions that assignments, branches and calls make, for variables that `known` declares.

    Raises TooLarge.
    """
    steps = StepBudget()
    variables = Variables(known, nodes, steps)
    for it in _definitions_in_hosts(masked, nodes, regions, flow, variables, steps):
        steps.take()
        yield it


def _definitions_in_hosts(
    masked: MaskedCode,
    nodes: NodeIndex,
    regions: ConditionRegions,
    flow: VariableFlow,
    variables: Variables,
    steps: StepBudget,
) -> Iterator[Definition]:
    for host in flow.hosts:
        changes = [
            VariableChange(variable, path, it)
            for it in flow.within(host)
            for variable, path in variables.changed_by_use(it)
        ]
        at: dict[Variable, list[int]] = {}  # where each is changed
        found: dict[Variable, list[PossibleChange]] = {}
        for change in changes:
            at.setdefault(change.variable, []).append(change.touch.start)
            found.setdefault(change.variable, []).extend(_possible_changes(nodes, change))
        doubts = {variable: PossibleChanges.from_single_changes(each) for variable, each in found.items()}
        for change in changes:
            yield from _definitions_of_change(masked, nodes, regions, change, doubts)
        for it in refinements(masked, nodes, host, variables, regions):
            changed = at.get(it.variable, ())
            next_change = bisect_left(changed, it.condition.start)
            if next_change == len(changed) or changed[next_change] >= it.condition.end:
                conditions = regions.at(it.order)
                for made in _definitions_unless_changed_again(
                    it.variable, it.value, it.order, it.where, doubts, conditions
                ):
                    yield structs.replace(made, kind="narrowed")
        yield from _definitions_in_lambdas_and_labels(nodes, host, changes, regions, steps)


def _possible_changes(nodes: NodeIndex, change: VariableChange) -> Iterator[PossibleChange]:
    """From where on this change may happen again, or at any time: out of a loop or a lambda, by who keeps a pointer."""
    start, call, kept = change.touch.whole.start_byte, change.touch.call, change.touch.kind in ("kept", "passed")
    for it in enclosing_parts(nodes, change.touch.whole, change.variable.scope):
        if it.outer.type == "lambda_expression":
            start, kept = it.outer.start_byte, True
        elif it.part == "loop" and kept:
            start = loop_start(it.outer, it.inner)
    if kept:
        yield PossibleChange(start, call)


def _definitions_of_change(
    masked: MaskedCode,
    nodes: NodeIndex,
    regions: ConditionRegions,
    change: VariableChange,
    doubts: Mapping[Variable, PossibleChanges],
) -> Iterator[Definition]:
    variable, node = change.variable, change.touch.whole
    own, conditions = list(_possible_changes(nodes, change)), regions.at(node.start_byte)
    for doubt in own:
        value = doubt.call or value_after_unknown_change(variable)
        yield _make_definition(variable, value, doubt.start, Span(doubt.start, variable.scope.end), conditions)
    if own:
        yield from _definitions_after_call(nodes, regions, change, doubts)
        return
    straight = change.touch.kind == "assigned" and is_plain_statement(nodes, node)
    value = (
        assigned_value(masked, nodes, change)
        if straight
        else UnreadableExpression(change.touch.reason or f"{variable.name} may change at run time")
    )
    for it in scopes_of_effect(
        nodes, node, node.end_byte if straight else node.start_byte, variable.scope, variable.name, regions
    ):
        led = _guarding_branches(masked, nodes, regions, it.taken) if straight else ()
        joined = OneOfAssignments(it.doubt, value, node.start_byte, led)
        if led:
            yield from _definitions_unless_changed_again(variable, joined, it.order, it.where, doubts, conditions)
        elif it.doubt:
            yield _make_definition(variable, joined, it.order, it.where, conditions)
        else:
            yield from _definitions_unless_changed_again(variable, value, it.order, it.where, doubts, conditions)


def _definitions_after_call(
    nodes: NodeIndex, regions: ConditionRegions, change: VariableChange, doubts: Mapping[Variable, PossibleChanges]
) -> Iterator[Definition]:
    """Behind a call that stands alone and takes the variable, as far as it is surely the last to have changed it."""
    variable, node, call = change.variable, change.touch.whole, change.touch.call
    if call is None or change.path or variable.type != "dim3" or not is_plain_statement(nodes, node):
        return
    conditions = regions.at(node.start_byte)
    for it in scopes_of_effect(nodes, node, node.end_byte, variable.scope, variable.name, regions):
        before = doubts[variable].calls_until(it.where.start)
        if it.doubt or before is None:
            return
        yield _make_definition(variable, OutParameterValue(call), it.order, it.where, conditions)
        for other in before:
            if other != call:
                yield _make_definition(variable, other, it.order, it.where, conditions)


def _definitions_unless_changed_again(
    variable: Variable,
    value: Expression,
    order: int,
    where: Span,
    doubts: Mapping[Variable, PossibleChanges],
    conditions: Conditions,
) -> Iterator[Definition]:
    """The value, unless what got hold of the variable before may change it again."""
    calls = doubts.get(variable, _NO_DOUBTS).calls_until(where.start)
    yield _make_definition(
        variable, value_after_unknown_change(variable) if calls is None else value, order, where, conditions
    )
    for call in calls or ():
        yield _make_definition(variable, call, order, where, conditions)


def _make_definition(
    variable: Variable, value: Expression, order: int, where: Span, conditions: Conditions
) -> Definition:
    return Definition(variable.name, "variable", value, order, where, (), conditions, variable.type, declares=False)


def _definitions_in_lambdas_and_labels(
    nodes: NodeIndex, host: Span, changes: Sequence[VariableChange], regions: ConditionRegions, steps: StepBudget
) -> Iterator[Definition]:
    """What a change means for lambdas, which run later, and for labels, which are reached from anywhere."""
    last: dict[tuple[Variable, AfterCall | None], int] = {}
    for change in changes:
        key = change.variable, change.touch.call
        last[key] = max(last.get(key, -1), _last_possible_offset_of_change(nodes, change))
    for node in nodes.nodes_of_kind_within(host, "lambda_expression"):
        steps.take(len(last))
        conditions = regions.at(node.start_byte)
        inside = span(node.child_by_field_name("body") or node)  # what it captures is as it is where the lambda is made
        for (variable, call), end in last.items():
            if variable.start < node.start_byte < variable.scope.end and end > node.start_byte:
                yield _make_definition(
                    variable, call or value_after_unknown_change(variable), node.start_byte, inside, conditions
                )
    inner = [node for node in nodes.nodes_of_kind_within(host, "case_statement") if is_nested_case(nodes, node)]
    for node in (*nodes.nodes_of_kind_within(host, "labeled_statement"), *inner):
        steps.take(len(last))
        for variable, call in last:
            if variable.scope.start <= node.start_byte < variable.scope.end:
                where = Span(node.start_byte, variable.scope.end)
                yield _make_definition(
                    variable,
                    call or value_after_unknown_change(variable),
                    node.start_byte,
                    where,
                    regions.at(node.start_byte),
                )


def _last_possible_offset_of_change(nodes: NodeIndex, change: VariableChange) -> int:
    """The last offset at which it may happen: a loop's end."""
    each = enclosing_parts(nodes, change.touch.whole, change.variable.scope)
    return next((it.outer.end_byte for it in reversed(each) if it.part == "loop"), change.touch.whole.end_byte)


def _guarding_branches(
    masked: MaskedCode, nodes: NodeIndex, regions: ConditionRegions, taken: Sequence[tuple[Node, Node]]
) -> tuple[BranchTaken, ...]:
    """Return the branches that `taken` names; nothing where they may not be all that decides."""
    if not taken:
        return ()
    whole = taken[-1][0]
    if len({conditions for _, conditions in regions.pieces_with_conditions(span(whole))}) > 1:
        return ()
    if nodes.has_error(whole) or any(nodes.nodes_of_kind_within(span(whole), it) for it in _ENTERED):
        return ()
    found = [_branch_taken(masked, *it) for it in taken]
    return tuple(it for it in found if it is not None) if None not in found else ()


def _branch_taken(masked: MaskedCode, statement: Node, branch: Node) -> BranchTaken | None:
    condition = statement.child_by_field_name("condition")
    value = condition.child_by_field_name("value") if condition is not None else None
    if value is None or value.type == "declaration":
        return None
    text = masked.unparsed_expression(value)
    return BranchTaken(text, value.end_byte, branch == statement.child_by_field_name("consequence"))
