"""A text that is parsed in parts has the nodes that it has as a whole, and keeps an error in its part."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Node

from occupancy_lsp.core.query import forget_remembered
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.lex.item_list import ItemList
from occupancy_lsp.source.syntax.blanking import mask_for_grammar
from occupancy_lsp.source.syntax.node_index import OFTEN, NodeIndex, index_nodes
from occupancy_lsp.source.syntax.parse_chunks import chunks_of
from occupancy_lsp.source.syntax.parser import parse
from tests.source.growing import in_kernel, many, nested

_DATA = Path(__file__).parent.parent / "data" / "nvcc"
_STATEMENTS = (
    b"  a[n] = g(a) + 1;\n  if (n < N && a[n]) { h(a, [&](int i) { return i + n; }); } else { f<N>(n); }\n" * 10
)
_KERNEL = (
    b"template <int N> __global__ void k(int *a, int n) {\n" + _STATEMENTS
    + b"  for (int i = 0; i < n; i++) {\n" + _STATEMENTS + b"    while (n--) {\n" + _STATEMENTS + b"    }\n  }\n"
    + b"  switch (n) {\n  case 1:\n" + _STATEMENTS + b"    break;\n  default:\n" + _STATEMENTS + b"  }\n"
    + b"  do {\n" + _STATEMENTS + b"  } while (n > 0);\n  auto f = [=](float b) {\n" + _STATEMENTS + b"  };\n}\n"
)  # fmt: skip


def _shown(nodes: NodeIndex) -> list[object]:
    every = nodes.walk(nodes.innermost_at(0, len(nodes.text(nodes._root))))
    return [_around(nodes, it) for it in every]


def _around(nodes: NodeIndex, node: Node) -> tuple[object, ...]:
    return _place(node), _place(nodes.parent(node)), _place(nodes.previous_sibling(node)), nodes.has_error(node)


def _place(node: Node | None) -> tuple[str, int, int] | None:
    return (node.type, node.start_byte, node.end_byte) if node is not None else None


def _same(code: bytes) -> None:
    """In both, the same nodes are at the same places, around one another, and found by their kinds."""
    parts, whole = index_nodes(code), NodeIndex(code, parse(code))
    assert _shown(parts) == _shown(whole)
    for kind in (*OFTEN, "identifier", "subscript_expression"):
        assert [_place(it) for it in parts.nodes_of_kind(kind)] == [_place(it) for it in whole.nodes_of_kind(kind)]
    for it in whole.nodes_of_kind("identifier"):
        assert _place(parts.innermost_at(it.start_byte, it.end_byte)) == _place(it)


@pytest.mark.parametrize("path", sorted(_DATA.rglob("*.cu")), ids=lambda it: it.name)
def test_real_functions_have_the_nodes_that_they_have_as_a_whole(path: Path) -> None:
    for item in ItemList(path.read_bytes(), CUDA.kernel).items:
        code = mask_for_grammar(item.text, CUDA).code
        if chunks_of(code) is not None and not parse(code).has_error:
            _same(code)


_SEQUENCES = {
    "what has an else": "if (a[#])\n  x = 1;\nelse\n  y = 2;\n",
    "a head in several lines": "for (i = 0;\n     i < #;\n     i++) g(i);\n",
    "a loop without braces": "do\n  g(#);\nwhile (n--);\n",
    "a lambda that is handed on": "h(#, [&](int i) {\n  g(i);\n  g(i + 1);\n}, 3);\n",
    "what only looks like the end": "g(\";\\n\", ';');\n",
    "braces of values": "float b#[] = {1, 2};\nfloat2 c#{1, 2};\ng({});\n",
}


@pytest.mark.parametrize("statement", _SEQUENCES.values(), ids=_SEQUENCES.keys())
def test_no_statement_is_parted(statement: str) -> None:
    code = in_kernel(many(statement))(200).encode()
    whole = chunks_of(code)
    assert whole is not None
    assert len(whole.inner[0].parts) > 1
    assert index_nodes(code)._inner
    _same(code)


def test_blocks_in_one_another_have_the_nodes_that_they_have_as_a_whole() -> None:
    assert len(index_nodes(_KERNEL)._inner) == 6
    _same(_KERNEL)
    _same(in_kernel(nested("if (n) { ", "x = f(1);\n" * 200, "} "))(40).encode())
    _same(in_kernel(many("if (a[#] && b) { x# = f(y, #); }\n"))(300).encode())


_TYPED = [
    b"int q = 1;",
    b"if (a < n) { g(a); }",
    b"x = y<z>(w);",
    b"a * b;",
    b"k<<<1, 2>>>(x);",
    b"\n",
    b"for (;;) {",
    b"}",
]
_TYPED += [b"// x", b'"', b"(", b"else", b"case 3:", b"auto f = [&](int a) { return a; };", b"template <int N> "]


@given(st.integers(0, len(_KERNEL)), st.sampled_from(_TYPED), st.integers(1, 40), st.integers(0, 60))
@settings(max_examples=40)
def test_after_an_edit_the_nodes_are_those_of_a_fresh_reader(at: int, typed: bytes, count: int, gone: int) -> None:
    """And those of the whole, where both have no error."""
    index_nodes(_KERNEL)
    code = _KERNEL[:at] + typed[:count] + _KERNEL[at + gone :]
    edited = _shown(index_nodes(code))
    forget_remembered()
    assert edited == _shown(index_nodes(code))
    if not parse(code).has_error:
        _same(code)


def test_the_same_text_twice_has_nodes_of_its_own() -> None:
    block = b"  if (n) {\n" + _STATEMENTS * 2 + b"  }\n"
    _same(b"void f(int *a, int n) {\n" + block * 3 + b"}\n")


def test_an_error_stays_in_its_part() -> None:
    head, typed = b"while (n--) {\n", b"  a b = ; c ] d;\n"
    start = _KERNEL.index(head) + len(head)
    broken = _KERNEL[:start] + typed + _KERNEL[start:]
    nodes, intact = index_nodes(broken), index_nodes(_KERNEL)
    erring = [it.start_byte for it in nodes.walk(nodes.innermost_at(0, len(broken))) if it.type == "ERROR"]
    assert erring
    assert all(start <= it < start + len(typed) for it in erring)
    for kind in OFTEN:
        shifted = [it.start_byte + (len(typed) if it.start_byte >= start else 0) for it in intact.nodes_of_kind(kind)]
        found = [it.start_byte for it in nodes.nodes_of_kind(kind) if not start <= it.start_byte < start + len(typed)]
        assert found == shifted, kind


_CONFIGURED = """
__global__ void k(int *p) {}
void run(int *p, cudaStream_t stream) {
  PADDING
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 128;
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = 2;
  attributes[1].val.clusterDim.y = 1;
  attributes[1].val.clusterDim.z = 1;
  config.attrs = attributes;
  config.numAttrs = 2;
  cudaLaunchKernelEx(&config, k, p);
}
"""


def test_a_launch_in_a_large_function_says_what_it_says_in_a_small_one() -> None:
    small, large = _CONFIGURED.replace("PADDING", ""), _CONFIGURED.replace("PADDING", "prepare(p);\n" * 200)
    assert index_nodes(large.encode())._inner
    (one,), (other,) = (Source(it.encode(), CUDA).facts({}).launches for it in (small, large))
    assert [
        [value.number for value in it.configuration.cluster[1]] for it in (one, other) if it.configuration.cluster
    ] == [[2, 1, 1]] * 2
    assert one.size.number == other.size.number == 128


def test_what_looks_like_a_block_and_is_none_is_read_as_a_whole() -> None:
    table = b"int f() {\n  return g(int[]) {\n" + b"    1, 2, 3,\n" * 100 + b"  };\n}\n"
    _same(table)
    _same(b'void f() {\n  g(R"({\n' + b"x;\n" * 400 + b'})");\n}\n')
