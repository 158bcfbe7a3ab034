"""What a function gives a `dim3` that it takes by reference: `void dims(dim3& block) { block.x = 64; }`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.source.dataflow.variable_uses import variable_use
from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.lower.item_facts import Definition, Function, Parameter
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.syntax.expression_nodes import Call, Member, Name, Number, OutParameterValue
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.known_value import DIMENSIONS
from occupancy_lsp.source.syntax.node_index import NodeIndex, index_nodes

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope

_HEAD = b"void f() "
_LEAVES = ("return_statement", "goto_statement", "throw_statement", "labeled_statement")
_Given = Mapping[str, int]


def definition_after_call(definition: Definition, scope: ItemScope) -> Definition | None:
    """The variable's definition behind a call, in what it was before the call; None: the text does not show it."""
    if not isinstance(definition.value, OutParameterValue):
        return None
    given = _assigned_dimensions(definition, scope)
    if not given:
        return None
    whole = Name((definition.name,))
    each = (Number(given[it], 0, 0) if it in given else Member(whole, it) for it in DIMENSIONS)
    # Just before it, the variable is what it was.
    return structs.replace(definition, value=Call(Name(("dim3",)), tuple(each)), start=definition.start - 1)


def _assigned_dimensions(definition: Definition, scope: ItemScope) -> _Given:
    assert isinstance(definition.value, OutParameterValue)
    call, env = definition.value.call, scope.env
    label = call.callee.rsplit("::", 1)[-1]
    found = env.functions(label)
    plain = not call.callee.startswith(".") and not env.possible_function_macros(call.callee, *scope.position)
    if not plain or len(found) != 1:
        return {}
    placed, function = found[0]
    if any(_parameter_types(it.parameters) != _parameter_types(function.parameters) for it in env.prototypes(label)):
        return {}
    key = ("given back", placed.item, function.body.start, call.index)
    nothing: _Given = {}
    return env.remember(key, lambda: _follow_assignments(placed, function, call.index, scope), nothing)


def _parameter_types(parameters: Sequence[Parameter]) -> tuple[str, ...]:
    return tuple(it.type for it in parameters)


def _follow_assignments(placed: LocatedItem, function: Function, index: int, caller: ItemScope) -> _Given:
    """By dimension. Empty where a step is not understood, so also where the function may keep the reference."""
    from occupancy_lsp.source.sema.scope import ItemScope

    shown = caller.env.function_body_pieces(placed, function)
    whole = len(shown) == 1 and not shown[0][1] and not function.mentions.alone and not function.mentions.loose
    if not whole or function.owner or index >= len(function.parameters) or function.parameters[index].type != "dim3&":
        return {}
    name = function.parameters[index].name
    nodes = index_nodes(_HEAD + shown[0][0])
    places = [node for node in nodes.nodes_of_kind("identifier") if nodes.text(node) == name]
    touches = [it for node in places if (it := variable_use(nodes, node)) is not None]
    steps = [it for it in touches if it.call is None or not caller.env.callee_leaves_argument(it.call, placed.order)]
    if (
        nodes.cuts
        or not steps
        or not all(it.kind == "assigned" and _is_unconditional_assignment(nodes, it.whole) for it in steps)
    ):
        return {}
    if _may_exit_before(nodes, max(it.start for it in steps), caller):
        return {}
    found: dict[str, int] = {}
    for it in steps:
        right = it.whole.child_by_field_name("right")
        at = ItemScope(caller.env, placed, function.body.start + it.start - len(_HEAD), function.owner)
        number = evaluate(parse_detached(nodes.text(right)), at).number if right is not None else None
        if number is None or len(it.path) != 1 or it.path[0] not in DIMENSIONS or not 0 <= number < 1 << 31:
            return {}
        found[it.path[0]] = number
    return found


def _is_unconditional_assignment(nodes: NodeIndex, node: Node) -> bool:
    """Whether it is an assignment that surely runs: a statement of the function's own block."""
    operator = node.child_by_field_name("operator")
    statement = nodes.parent(node)
    block = nodes.parent(statement) if statement is not None and statement.type == "expression_statement" else None
    holder = nodes.parent(block) if block is not None and block.type == "compound_statement" else None
    plain = node.type == "assignment_expression" and operator is not None and operator.type == "="
    return plain and holder is not None and holder.type == "function_definition"


def _may_exit_before(nodes: NodeIndex, last: int, caller: ItemScope) -> bool:
    """Whether the function may be left before its last step: by a statement, or in a macro."""
    if any(node.start_byte < last for kind in _LEAVES for node in nodes.nodes_of_kind(kind)):
        return True
    called = {callee(nodes, node) for node in nodes.nodes_of_kind("call_expression") if node.start_byte < last}
    return bool(caller.env.function_macros_among(called)) or any(it.isupper() for it in called)
