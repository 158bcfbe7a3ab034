"""The statements of a function that leave what is around them, and the text that each passes over."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.branches import BLOCKS, JUMPS, LEAVES, end_of_goto
from occupancy_lsp.source.lower.item_facts import Jump
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.node_index import NodeIndex

_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_LEFT = {"continue_statement": _LOOPS, "break_statement": (*_LOOPS, "switch_statement")}


def jumps(masked: MaskedCode, nodes: NodeIndex, where: Span) -> Iterator[Jump]:
    """Those of a body."""
    for kind in JUMPS:
        for node in nodes.nodes_of_kind_within(where, kind):
            start = _end_of_what_branches_tell(masked, nodes, node)
            yield Jump(node.start_byte, Span(start, max(start, _end_of_what_is_left(nodes, node, where))))


def _end_of_what_branches_tell(masked: MaskedCode, nodes: NodeIndex, jump: Node) -> int:
    """Return where the text ends that is known to be passed over by the condition right before the jump alone."""
    statement = jump
    while (around := nodes.parent(statement)) is not None:
        if around.type == "if_statement":
            block = nodes.parent(around)
            known = around.child_by_field_name("alternative") is None or (
                statement.type == "else_clause" and jump.type in LEAVES
            )
            alone = around.start_byte not in nodes.governed and not masked.has_directive_in(around)
            return block.end_byte if known and alone and block is not None else around.end_byte
        if around.type not in BLOCKS or nodes.children(around)[-1] != statement:
            return around.end_byte if statement == jump else statement.end_byte
        statement = around
    return statement.end_byte


def _end_of_what_is_left(nodes: NodeIndex, jump: Node, where: Span) -> int:
    if jump.type == "goto_statement":
        return end_of_goto(nodes, jump, where.end)
    kinds = _LEFT.get(jump.type, ("lambda_expression",))
    node = nodes.parent(jump)
    while node is not None and node.type not in kinds:
        node = nodes.parent(node)
    if node is None:
        return where.end
    return node.end_byte if node.type != "switch_statement" else jump.end_byte  # its cases have conditions of their own
