"""What `NodeIndex` knows of a tree, against what tree-sitter says of each node itself."""

from __future__ import annotations

import pytest
from tree_sitter import Node

from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lex.work_limits import MOST_DEEP
from occupancy_lsp.source.syntax.node_index import OFTEN, NodeIndex
from occupancy_lsp.source.syntax.parser import parse, walk
from tests.source.growing import in_kernel, many, nested

_KERNEL = b"""template <int N> __device__ void f(const float* a, int n = N) {
  for (int i = 0; i < n && a[i] > 0; ++i) { if (i == 3 || n) g<N>(a[i], [&](int j) { return j + i; }); SYNC; }
  switch (n) { case 1: n += 2; break; default: { float b[2] = {1, 2}; h(b); } }
}
struct S { int a; enum class E { x, y } e; };
"""
_CODES = {
    "a kernel": _KERNEL,
    "what is said in other letters": "// ä\nvoid f() { int größe = 1; g(größe); }".encode(),
    "what is broken": _KERNEL.replace(b";", b"", 3).replace(b")", b"", 2),
    "much": in_kernel(many("if (a[#] && b) { x# = f(y, #); } "))(60).encode(),
    "what is deep": in_kernel(nested("if (n) { ", "x = f(1);", "} "))(60).encode(),
}


@pytest.mark.parametrize("code", _CODES.values(), ids=_CODES)
def test_nodes_are_where_the_tree_has_them(code: bytes) -> None:
    root = parse(code)
    every = walk(root)
    for asked in (every, every[::-1]):  # what is found on the way to one may answer for the next
        nodes = NodeIndex(code, root)
        for node in asked:
            outer = nodes.parent(node)
            assert outer == node.parent
            assert nodes.text(node).encode() == node.text
            if outer is not None:
                assert outer.named_children[nodes.index_among_siblings(node)] == node
                assert nodes.previous_sibling(node) == node.prev_named_sibling
            if node.type == "identifier" and node.text:
                assert nodes.innermost_at(node.start_byte, node.end_byte) == node


@pytest.mark.parametrize("code", _CODES.values(), ids=_CODES)
def test_nodes_of_a_kind_come_as_they_stand(code: bytes) -> None:
    root = parse(code)
    nodes, every = NodeIndex(code, root), walk(root)
    plain = [it for it in every if it.type in OFTEN]
    assert [node for kind, node in nodes.nodes_of_kinds(OFTEN) if kind not in ("alone", "logical")] == plain
    for kind in ("identifier", "declaration", "subscript_expression"):
        assert nodes.nodes_of_kind(kind) == [it for it in every if it.type == kind]
    assert nodes.nodes_of_kind("logical") == [it for it in every if _operator(it) in ("&&", "||")]


def _operator(node: Node) -> str:
    found = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    return found.type if found is not None else ""


def test_what_is_nested_too_deeply_is_left_out() -> None:
    code = in_kernel(nested("if (n) { ", "x = f(1);", "} "))(300).encode()
    root = parse(code)
    nodes = NodeIndex(code, root)
    assert nodes.cuts
    deepest, depth = nodes.nodes_of_kind("if_statement")[-1], 0
    while (outer := nodes.parent(deepest)) is not None:
        deepest, depth = outer, depth + 1
    assert MOST_DEEP - 3 < depth <= MOST_DEEP
    inside = code.index(b"x = f(1)")
    assert not nodes.nodes_of_kind_within(Span(inside, inside + 1), "assignment_expression")
