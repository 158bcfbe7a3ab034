"""The parser, and small helpers over its trees."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

import tree_sitter_cuda
from tree_sitter import LANGUAGE_VERSION, MIN_COMPATIBLE_LANGUAGE_VERSION, Language, Node, Parser

from occupancy_lsp.syntax.facts import Span

_LANGUAGE = Language(tree_sitter_cuda.language())
if not MIN_COMPATIBLE_LANGUAGE_VERSION <= _LANGUAGE.abi_version <= LANGUAGE_VERSION:
    raise ImportError(
        f"tree-sitter-cuda has ABI {_LANGUAGE.abi_version}, tree-sitter reads {MIN_COMPATIBLE_LANGUAGE_VERSION} to "
        f"{LANGUAGE_VERSION}: install versions that go together"
    )
_PARSER = Parser(_LANGUAGE)
_START = attrgetter("start_byte")


def parse(code: bytes) -> Node:
    return _PARSER.parse(code).root_node


def walk(root: Node) -> list[Node]:
    """Every named node under `root`, itself first. Leaves are not asked for children: this runs on every key."""
    found: list[Node] = []
    stack = [root]
    while stack:
        node = stack.pop()
        found.append(node)
        if node.named_child_count:
            stack += node.named_children[::-1]
    return found


class Nodes:
    """All named nodes of a tree with their kinds, those of a kind, and those of a kind within a span: as they stand."""

    def __init__(self, root: Node) -> None:
        self.all = walk(root)
        self.kinds: list[str] = []
        self._by_kind: dict[str, list[Node]] = {}
        for node in self.all:
            kind = node.type
            self.kinds.append(kind)
            self._by_kind.setdefault(kind, []).append(node)
        self._parents: dict[int, Node] = {}

    def of(self, kind: str) -> Sequence[Node]:
        return self._by_kind.get(kind, ())

    def within(self, where: Span, kind: str) -> Sequence[Node]:
        """Those that start in `where`."""
        found = self.of(kind)
        first = bisect_left(found, where.start, key=_START)
        return found[first : bisect_left(found, where.end, first, key=_START)]

    def parent(self, node: Node) -> Node | None:
        """`node.parent`, which takes time with the depth: for those who climb far."""
        if not self._parents:
            self._parents = {child.id: outer for outer in self.all for child in outer.named_children}
        return self._parents.get(node.id)


def text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def span(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def ancestor(node: Node | None, *types: str) -> Node | None:
    """The nearest node of one of `types` that is or holds `node`."""
    while node is not None and node.type not in types:
        node = node.parent
    return node


def indices_of(element: Node) -> list[Node]:
    """What stands between the brackets of `a[i]`."""
    found = element.child_by_field_name("indices") or element.child_by_field_name("index")
    if found is None:
        return []
    return found.named_children if found.type == "subscript_argument_list" else [found]
