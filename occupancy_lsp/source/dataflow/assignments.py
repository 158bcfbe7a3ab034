"""What an assignment gives a variable, as an expression over what it was before."""

from __future__ import annotations

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.variable_lookup import Variable
from occupancy_lsp.source.dataflow.variable_uses import VariableUse
from occupancy_lsp.source.lower.variables import CONFIGURATIONS, launch_configuration_members
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import (
    ELEMENTS,
    Binary,
    Call,
    Expression,
    Member,
    Name,
    Number,
    ObjectWithMember,
    Unary,
    UnreadableExpression,
)
from occupancy_lsp.source.syntax.expression_parser import NOT_CONSTANT, parse
from occupancy_lsp.source.syntax.node_index import NodeIndex

# One component of a dim3; one member of another object, or one element of it that is followed.
_AXIS, _MEMBER = regex("[xyz]"), regex(rf"[A-Za-z_]\w*(?:\[[0-{ELEMENTS - 1}]\])?")


@dataclass(frozen=True, slots=True)
class VariableChange:
    """A use of a variable, or of a member of it."""

    variable: Variable
    path: tuple[str, ...]
    touch: VariableUse


def value_after_unknown_change(variable: Variable) -> Expression:
    return UnreadableExpression(f"{variable.name} may change at run time")


def is_plain_statement(nodes: NodeIndex, node: Node) -> bool:
    """Whether an assignment is a statement, so that its value holds where it ends."""
    outer = nodes.parent(node)
    while outer is not None and outer.type == "comma_expression":
        outer = nodes.parent(outer)
    # In a `for` it may stand where it is not met first; that it then holds no further is said by the loop.
    return outer is not None and outer.type in ("expression_statement", "for_statement")


def assigned_value(masked: MaskedCode, nodes: NodeIndex, change: VariableChange) -> Expression:
    """What an assignment, `n *= 2` or `++n` gives the variable, in terms of what it was before."""
    variable, node = change.variable, change.touch.whole
    if variable.name != change.touch.name and not change.touch.path:
        return _member_value_of_list_assignment(masked, nodes, change)
    token = node.child_by_field_name("operator")
    operator = token.type if token is not None else ""
    three, member = variable.type == "dim3", ".".join(change.path).replace(".[", "[")
    if member and not (_AXIS if three else _MEMBER).fullmatch(member):
        return value_after_unknown_change(variable)
    whole = Name((variable.name,))
    before = Member(whole, member) if member else whole
    if node.type == "update_expression":
        value: Expression = Binary(operator[0], before, Number(1, 0, 0))
    else:
        given = _right_side_value(masked, node, three and not member)
        value = given if operator == "=" else Binary(operator[:-1], before, given)
    if not three:
        return ObjectWithMember(whole, member, value) if member else value
    if not member:
        return Call(Name(("dim3",)), (value,))
    return Call(Name(("dim3",)), tuple(value if c == member else Member(whole, c) for c in "xyz"))


def _member_value_of_list_assignment(masked: MaskedCode, nodes: NodeIndex, change: VariableChange) -> Expression:
    """What `config = {grid, block}` gives a member."""
    name = change.variable.name.removeprefix(f"{change.touch.name}.")
    members = next((it for it in CONFIGURATIONS.values() if name in it), {})
    right = change.touch.whole.child_by_field_name("right")
    if right is None or right.type != "initializer_list":
        return value_after_unknown_change(change.variable)
    return dict(launch_configuration_members(masked, nodes, right, members)).get(
        name, value_after_unknown_change(change.variable)
    )


def _right_side_value(masked: MaskedCode, node: Node, three: bool) -> Expression:
    right = node.child_by_field_name("right")
    if right is not None and right.type == "assignment_expression":
        return _chained_assignment_value(masked, right, three)
    if right is None:
        return UnreadableExpression(NOT_CONSTANT)
    if right.type != "initializer_list":
        return masked.unparsed_expression(right)
    read = parse(masked.plain, right.start_byte, right.end_byte)
    if three or not isinstance(read, Call):
        return read
    return read.arguments[0] if len(read.arguments) == 1 else UnreadableExpression(NOT_CONSTANT)


def _chained_assignment_value(masked: MaskedCode, node: Node, three: bool) -> Expression:
    """Of `a = b = 3` what b has then, in its type."""
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is None or operator is None or operator.type != "=":
        return UnreadableExpression(NOT_CONSTANT)
    given = _right_side_value(masked, node, three)
    name = masked.plain[left.start_byte : left.end_byte].decode("utf-8", "replace")
    return given if three else Unary("cast", given, f"decltype({name})")
