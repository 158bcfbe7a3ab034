"""Arrays of sizes in host code: `size_t local[2]`. Each element is followed as a variable of its own, "local[0]"."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from occupancy_lsp.source.dataflow.reaching_definitions import Look
from occupancy_lsp.source.dataflow.variable_uses import VariableUse, accessed_member, only_reads_arguments, variable_use
from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.lower.declarations import (
    declarator_name,
    declared_type,
    enclosing_block_span,
    is_bodiless_parameter_list,
    parse_expression_node,
)
from occupancy_lsp.source.lower.item_facts import Definition
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import (
    ELEMENTS,
    UNSET,
    Expression,
    Number,
    UnreadableExpression,
    array_element_name,
)
from occupancy_lsp.source.syntax.node_index import NodeIndex

_DECLARES = "array_declarator"
_SIZES = ("size_t", "std::size_t", "::size_t", "int", "unsigned", "unsigned int", "uint32_t")


def size_array_elements(
    masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions
) -> Iterator[Definition]:
    """The elements of the arrays of sizes that a declaration among statements makes."""
    scope = enclosing_block_span(nodes, node)
    lasting = any(it.type == "storage_class_specifier" for it in node.children)
    for declarator in node.children_by_field_name("declarator"):
        name = declarator_name(declarator)
        kind = _array_element_type(nodes, node, declarator)
        if scope is None or name is None or not kind:
            continue
        for index, value in enumerate(_initial_element_values(masked, declarator)):
            yield Definition(
                array_element_name(nodes.text(name), index), "variable",
                UnreadableExpression("is static") if lasting else value,
                name.start_byte, scope, (), regions.at(name.start_byte), kind,
            )  # fmt: skip


def _array_element_type(nodes: NodeIndex, declaration: Node, declarator: Node) -> str:
    """The type of its elements; "": it is no array of sizes."""
    holders = (declarator, declarator.child_by_field_name("declarator"))
    if any(it.type == "pointer_declarator" for it in holders if it is not None):
        return ""
    kind = declared_type(nodes.text, declaration, declarator).removeprefix("const ")
    return kind[:-1] if kind.endswith("*") and kind[:-1] in _SIZES else ""


def _initial_element_values(masked: MaskedCode, declarator: Node) -> tuple[Expression, ...]:
    """Of each element: those that a list leaves out are 0."""
    value = declarator.child_by_field_name("value")
    if value is None or value.type != "initializer_list":
        return (UNSET,) * ELEMENTS
    given = value.named_children
    if any(it.type in ("initializer_pair", "initializer_list") for it in given):
        return (UnreadableExpression("is initialised in another way"),) * ELEMENTS
    return (*(parse_expression_node(masked, it) for it in given), *(Number(0, 0, 0),) * ELEMENTS)[:ELEMENTS]


def array_use_reader(nodes: NodeIndex) -> Look:
    """`variable_use`, but for the names of arrays."""
    declared = (
        declarator_name(it) for it in nodes.nodes_of_kind(_DECLARES) if not _is_parameter_of_prototype(nodes, it)
    )
    arrays = {nodes.text(name) for name in declared if name is not None}
    if not arrays:
        return variable_use
    return lambda nodes, node: (_array_use if nodes.text(node) in arrays else variable_use)(nodes, node)


def _is_parameter_of_prototype(nodes: NodeIndex, declarator: Node) -> bool:
    listed = nodes.ancestor(declarator, "parameter_list")
    return listed is not None and is_bodiless_parameter_list(nodes, listed)


def _array_use(nodes: NodeIndex, node: Node) -> VariableUse | None:
    """What the place of an array's name says of its elements: whoever gets a pointer to them may keep it."""
    path, whole = accessed_member(nodes, node)
    outer = nodes.parent(whole)
    if path:
        return variable_use(nodes, node)
    if outer is None or outer.type in (_DECLARES, "sizeof_expression"):
        return None
    call = nodes.parent(outer) if outer.type == "argument_list" else None
    if call is not None and only_reads_arguments(callee(nodes, call)):
        return None
    return VariableUse(nodes.text(node), node.start_byte, (), "kept", outer)
