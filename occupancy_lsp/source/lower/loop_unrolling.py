"""Loops that LLVM surely unrolls whole, after which their counters are constants.

Its limit is some hundred instructions (AMDGPUTTIImpl::getUnrollingPreferences: 300, and more where an array of the
thread is picked by the counter); only loops far below it count.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.node_index import NodeIndex

_MOST_TURNS = 16
_MOST_WORK = 128  # names and numbers in the body, times the turns
_FORBIDS = regex(rb"nounroll|unroll(?!\s*$)|loop")  # but not a plain `#pragma unroll`
_INNER = frozenset(
    ("for_statement", "while_statement", "do_statement", "call_expression", "goto_statement", "lambda_expression")
)


def unrolled_loop_counter(nodes: NodeIndex, node: Node) -> str | None:
    """The counter of the innermost loop around the node, if the loop is of that kind."""
    loop = nodes.ancestor(node, "for_statement", "while_statement", "do_statement")
    if loop is None or loop.type != "for_statement":
        return None
    body = loop.child_by_field_name("body")
    if body is None or not body.start_byte <= node.start_byte < body.end_byte:
        return None
    return nodes.remember("counter", loop, lambda: _find_unrolled_counter(nodes, loop, body))


def _find_unrolled_counter(nodes: NodeIndex, loop: Node, body: Node) -> str | None:
    if _has_macro_before(nodes, loop):
        return None
    name, turns = _counter_and_trip_count(nodes, loop)
    parts = nodes.walk(body)
    if any(part.type in _INNER for part in parts) or name is None or _is_counter_changed(nodes, name, parts):
        return None
    work = turns * sum(not part.named_children for part in parts if part.is_named)
    return name if turns <= _MOST_TURNS and work <= _MOST_WORK else None


def may_have_unroll_hint(masked: MaskedCode, start: int, end: int) -> bool:
    """Whether a pragma or an attribute between two offsets says how loops are to be unrolled."""
    pragmas = (line.text for line in masked.lines if start <= line.start < end)
    attributes = (masked.plain[mark.start : mark.end] for mark in masked.marks_between(start, end))
    return any(_FORBIDS.search(it) for it in (*pragmas, *attributes))


def _has_macro_before(nodes: NodeIndex, loop: Node) -> bool:
    """One that may stand for a pragma."""
    before = nodes.previous_sibling(loop)
    if before is None or before.type not in ("ERROR", "expression_statement"):
        return False
    return before.type == "ERROR" or not nodes.text(before).endswith(";")


def _counter_and_trip_count(nodes: NodeIndex, loop: Node) -> tuple[str | None, int]:
    """`for (i = 0; i < 5; i++)`: the counter and its turns."""
    start, end, step = (loop.child_by_field_name(it) for it in ("initializer", "condition", "update"))
    if start is None or end is None or step is None:
        return None, 0
    first = re.fullmatch(r"(?:[\w ]*\s)?(\w+)\s*=\s*(\d+)[uU]?\s*;?", nodes.text(start))
    last = re.fullmatch(r"(\w+)\s*(<=?)\s*(\d+)[uU]?", nodes.text(end))
    name = first[1] if first else ""
    steps = nodes.text(step).replace(" ", "") in (f"{name}++", f"++{name}")
    if first is None or last is None or last[1] != name or not steps:
        return None, 0
    return name, int(last[3]) - int(first[2]) + (last[2] == "<=")


def _is_counter_changed(nodes: NodeIndex, name: str, parts: list[Node]) -> bool:
    """Whether anything but reading its value may happen to the counter."""
    for part in parts:
        if part.type == "identifier" and nodes.text(part) == name and (outer := nodes.parent(part)) is not None:
            changed = outer.type in ("update_expression", "pointer_expression", "init_declarator")
            if changed or (outer.type == "assignment_expression" and outer.child_by_field_name("left") == part):
                return True
    return False
