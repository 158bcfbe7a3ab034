"""What a condition says of a variable in the text it guards: `case 256:`, `if (n == 256)`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.dataflow.scope_of_effect import kind_of_exit
from occupancy_lsp.source.dataflow.variable_lookup import Variable, Variables
from occupancy_lsp.source.dataflow.variable_uses import accessed_member
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Call, Expression, Member, Name
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span


@dataclass(frozen=True, slots=True)
class Refinement:
    """In `where` the variable has the value, which stands at `order`, if `condition` does not change it."""

    variable: Variable
    value: Expression
    order: int
    where: Span
    condition: Span


def refinements(
    masked: MaskedCode, nodes: NodeIndex, host: Span, variables: Variables, regions: ConditionRegions
) -> Iterator[Refinement]:
    for node in nodes.nodes_of_kind_within(host, "switch_statement"):
        yield from _refinements_of_cases(masked, nodes, node, variables, regions)
    for node in nodes.nodes_of_kind_within(host, "if_statement"):
        condition, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        tested = condition.child_by_field_name("value") if condition is not None else None
        if tested is None or then is None or condition is None or masked.has_directive_in(condition):
            continue
        for left, right in _equalities(tested):
            for side, other in ((left, right), (right, left)):
                if _is_constant(nodes, other, variables):
                    yield from _refinement_by_equality(
                        masked, nodes, side, other, span(then), span(condition), variables
                    )


def tested_names(nodes: NodeIndex) -> frozenset[str]:
    """The names that conditions may tell the values of."""
    conditions = (
        it.child_by_field_name("condition")
        for kind in ("switch_statement", "if_statement")
        for it in nodes.nodes_of_kind(kind)
    )
    return frozenset(
        nodes.text(name)
        for it in conditions
        if it is not None
        for name in nodes.nodes_of_kind_within(span(it), "identifier")
    )


def _refinements_of_cases(
    masked: MaskedCode, nodes: NodeIndex, node: Node, variables: Variables, regions: ConditionRegions
) -> Iterator[Refinement]:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    tested = condition.child_by_field_name("value") if condition is not None else None
    if tested is None or body is None or condition is None:
        return
    fallen_into = False
    for case in nodes.children(body):
        value = case.child_by_field_name("value") if case.type == "case_statement" else None
        if value is not None and not fallen_into and not nodes.has_error(case):
            where = Span(value.end_byte, case.end_byte)
            yield from _refinement_by_equality(masked, nodes, tested, value, where, span(condition), variables)
        fallen_into = not kind_of_exit(nodes, case, regions)


def _equalities(node: Node) -> Iterator[tuple[Node, Node]]:
    """The `==` that all hold where an expression is true."""
    todo = [node]
    while todo:
        node = _without_parentheses(todo.pop())
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if node.type != "binary_expression" or left is None or right is None or operator is None:
            continue
        if operator.type == "&&":
            todo += (right, left)
        elif operator.type == "==":
            yield _without_parentheses(left), _without_parentheses(right)


def _without_parentheses(node: Node) -> Node:
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def _is_constant(nodes: NodeIndex, node: Node, variables: Variables) -> bool:
    """A number, or a name that is no local variable's."""
    if node.type == "identifier":
        return not variables.declares(nodes.text(node), node.start_byte)
    return node.type in ("number_literal", "qualified_identifier")


def _refinement_by_equality(
    masked: MaskedCode, nodes: NodeIndex, tested: Node, value: Node, where: Span, condition: Span, variables: Variables
) -> Iterator[Refinement]:
    whole = _without_parentheses(tested)
    name = whole
    while name.type == "field_expression":
        name = name.child_by_field_name("argument") or name.children[0]
    variable = variables.at(nodes.text(name), name.start_byte) if name.type == "identifier" else None
    if variable is None:
        return
    path, _ = accessed_member(nodes, name)
    number: Expression = masked.unparsed_expression(value)
    if path and variable.type == "dim3" and path in (("x",), ("y",), ("z",)):
        before = Name((variable.name,))
        number = Call(Name(("dim3",)), tuple(number if c == path[0] else Member(before, c) for c in "xyz"))
    elif path or variable.type == "dim3":
        return
    yield Refinement(variable, number, value.start_byte, where, condition)
