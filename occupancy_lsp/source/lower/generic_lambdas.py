"""Generic lambdas: what a function does with each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.declarations import declarator_name, declared_type, lambda_parameters
from occupancy_lsp.source.lower.item_facts import Lambda
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span


def generic_lambdas(nodes: NodeIndex, where: Span, names: Mapping[str, Sequence[int]]) -> Iterator[Lambda]:
    """Those in `where`; `names`: where each identifier stands there."""
    for node in nodes.nodes_of_kind_within(where, "lambda_expression"):
        given, body = lambda_parameters(node), node.child_by_field_name("body")
        autos = tuple(_auto_parameters(nodes, given)) if given is not None else ()
        if given is not None and body is not None and autos:
            variable = _variable_holding_lambda(nodes, node)
            uses = tuple(at for at in names.get(variable[0], ()) if at != variable[1]) if variable else ()
            called, handed = _arguments_of_immediate_call(nodes, node), _call_and_argument_index(nodes, node)
            yield Lambda(
                span(body), span(given), autos, called, handed, variable, uses, tuple(_parameter_names(nodes, given))
            )


def _parameter_names(nodes: NodeIndex, parameters: Node) -> Iterator[str]:
    for it in parameters.named_children:
        if it.type.startswith("variadic"):
            return
        if it.type.endswith("parameter_declaration"):
            name = declarator_name(it.child_by_field_name("declarator"))
            yield nodes.text(name) if name is not None else ""


def _auto_parameters(nodes: NodeIndex, parameters: Node) -> Iterator[tuple[int, str]]:
    listed = [it for it in parameters.named_children if it.type.endswith("parameter_declaration")]
    for index, it in enumerate(listed):
        name = declarator_name(it.child_by_field_name("declarator"))
        if (
            name is not None
            and declared_type(nodes.text, it, it.child_by_field_name("declarator")).rstrip("&") == "auto"
        ):
            yield index, nodes.text(name)


def _arguments_of_immediate_call(nodes: NodeIndex, node: Node) -> tuple[str, ...] | None:
    outer = nodes.parent(node)
    while outer is not None and outer.type == "parenthesized_expression":
        outer = nodes.parent(outer)
    function = outer.child_by_field_name("function") if outer is not None and outer.type == "call_expression" else None
    given = outer.child_by_field_name("arguments") if outer is not None and function is not None else None
    return tuple(nodes.text(it) for it in given.named_children) if given is not None else None


def _call_and_argument_index(nodes: NodeIndex, node: Node) -> tuple[int, int] | None:
    listed = nodes.parent(node)
    call = nodes.parent(listed) if listed is not None and listed.type == "argument_list" else None
    if listed is None or call is None or call.type != "call_expression":
        return None
    return call.start_byte, nodes.index_among_siblings(node)


def _variable_holding_lambda(nodes: NodeIndex, node: Node) -> tuple[str, int] | None:
    declarator = nodes.parent(node)
    declaration = nodes.parent(declarator) if declarator is not None and declarator.type == "init_declarator" else None
    name = declarator_name(declarator) if declaration is not None else None
    kind = declaration.child_by_field_name("type") if declaration is not None else None
    if name is None or kind is None or kind.type != "placeholder_type_specifier":
        return None
    return nodes.text(name), name.start_byte
