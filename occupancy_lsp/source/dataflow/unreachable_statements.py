"""Text of a host function that never runs, whatever its variables hold."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

MAY_LABEL = regex(rb"\b[A-Z_][A-Z0-9_]*\b")  # a macro that may stand for a label or a `case`
_USE = regex(rb"(\(\s*void\s*\)\s*)?(?<![\w\x80-\xff])([A-Za-z_\x80-\xff][\w\x80-\xff]*)")


def statements_before_cases(masked: MaskedCode, nodes: NodeIndex, where: Span) -> Iterator[Span]:
    """Yield what stands before the first case of a `switch`."""
    for switch in nodes.nodes_of_kind_within(where, "switch_statement"):
        body = switch.child_by_field_name("body")
        children = nodes.children(body) if body is not None and not nodes.has_error(switch) else ()
        first = next((it for it in children if it.type == "case_statement"), None)
        if body is None or first is None or children[0] == first or masked.has_directive_in(switch):
            continue
        if not MAY_LABEL.search(masked.plain, body.start_byte, first.start_byte):
            yield Span(body.start_byte, first.start_byte)


def unused_lambda_bodies(masked: MaskedCode, nodes: NodeIndex, where: Span) -> Iterator[Span]:
    """Yield the bodies of lambdas in variables that are never named again."""
    each = [(made, _variable_of_lambda(nodes, made)) for made in nodes.nodes_of_kind_within(where, "lambda_expression")]
    used = _last_uses(masked, where) if any(name for _, name in each) else {}
    for made, name in each:
        block = made.child_by_field_name("body")
        if name and block is not None and used.get(name.encode(), -1) < made.end_byte:
            yield span(block)


def _variable_of_lambda(nodes: NodeIndex, made: Node) -> str:
    """The local variable that holds a lambda from its declaration on; "": none does."""
    declarator = nodes.parent(made)
    if declarator is None or declarator.type != "init_declarator" or made != declarator.child_by_field_name("value"):
        return ""
    name = declarator.child_by_field_name("declarator")
    return nodes.text(name) if name is not None and name.type == "identifier" else ""


def _last_uses(masked: MaskedCode, where: Span) -> dict[bytes, int]:
    """By name, where it stands for the last time, other than in `(void)name`."""
    return {it[2]: it.start() for it in _USE.finditer(masked.plain, where.start, where.end) if not it[1]}
