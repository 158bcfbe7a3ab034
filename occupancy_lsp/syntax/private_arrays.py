"""A function's own arrays: what AMD's compiler may keep in local memory, for every thread of the work-group one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from occupancy_lsp.syntax.declarations import declared_fields
from occupancy_lsp.syntax.dialects import LOCAL
from occupancy_lsp.syntax.facts import PrivateArray, Span
from occupancy_lsp.syntax.masks import Masked
from occupancy_lsp.syntax.preprocessor import Regions
from occupancy_lsp.syntax.tree import Nodes, text

_SUBSCRIPTS = re.compile(rb"\s*((?:\[[^\[\]]*\]\s*)+)")
_FIXED = re.compile(rb"\[\s*\w*\d\w*\s*\]\s*")  # by a literal
_MEMBER = re.compile(rb"\s*\.\s*\w+(?:\s*\.\s*\w+)*")
_ELSEWHERE = frozenset(("static", "extern", "constexpr", "thread_local"))
_SHARED = frozenset((LOCAL, "__constant__", "__constant", "constant"))
_STATEMENT = re.compile(rb"[;{}]")
_NEAR = 80
_SIZE = re.compile(rb"sizeof\s*\(?\s*\Z")


def private_arrays(
    masked: Masked, nodes: Nodes, inside: Span, regions: Regions, names: Mapping[str, Sequence[int]]
) -> Iterator[PrivateArray]:
    """Arrays, and structs that may hold some, whose elements are not all picked by literals."""
    for node in nodes.within(inside, "declaration"):
        words = {text(c) for c in node.children if c.type == "storage_class_specifier"}
        if words & _ELSEWHERE or _is_shared(masked, node):
            continue
        for _, field in declared_fields(masked, node, node.start_byte):
            uses = [at for at in names.get(field.name, ()) if at > field.span.start]
            how = {_use(masked.code, at, len(field.name), len(field.extents)) for at in uses}
            if "picked" in how or "handed" in how:
                yield PrivateArray(field, "handed" in how, regions.at(node.start_byte))


def _is_shared(masked: Masked, node: Node) -> bool:
    """Whether an annotation before or in the declaration puts it where all threads see it."""
    near = masked.marks_between(max(node.start_byte - _NEAR, 0), node.end_byte)
    return any(
        mark.name in _SHARED and not _STATEMENT.search(masked.code, mark.end, max(mark.end, node.start_byte))
        for mark in near
    )


def _use(code: bytes, at: int, length: int, extents: int) -> str:
    """ "picked": by an index; "handed": as a whole, so that it may be picked elsewhere; "": neither."""
    end = at + length
    before = code[max(at - 40, 0) : at].rstrip()
    if not extents:
        member = _MEMBER.match(code, end)
        if member is None:
            return "handed" if before.endswith((b"&", b"(", b",")) else ""
        end = member.end()
    subscripts = _SUBSCRIPTS.match(code, end)
    if subscripts is None:
        return "" if _SIZE.search(before) or not extents else "handed"
    if subscripts[1].count(b"[") < extents:
        return "handed"
    return "" if not _FIXED.sub(b"", subscripts[1]) else "picked"
