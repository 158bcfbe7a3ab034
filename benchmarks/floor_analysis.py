"""The least that hints can cost: a document, its tree kept in step, and a toy reading of each changed item."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

import tree_sitter_cuda
from tree_sitter import Language, Node, Parser, Query, QueryCursor

_LANGUAGE = Language(tree_sitter_cuda.language())
_PARSER = Parser(_LANGUAGE)
_KERNEL = Query(
    _LANGUAGE,
    '(function_definition "__global__" declarator: (function_declarator declarator: (identifier) @name)) @kernel',
)
_NEEDS = Query(_LANGUAGE, "(launch_bounds) @bounds (declaration (type_qualifier) @qualifier) @declaration")
_NUMBER = re.compile(rb"\d+")


def _kinds(*names: str) -> frozenset[int]:
    kinds = (_LANGUAGE.id_for_node_kind(name, True) for name in names)
    return frozenset(it for it in kinds if it is not None)


_CONTAINERS = _kinds("namespace_definition", "linkage_specification", "declaration_list", "preproc_if", "preproc_ifdef")
_ITEMS = _kinds("function_definition", "template_declaration")


@dataclass(frozen=True, slots=True)
class Kernel:
    """Counted from its item's start, so that it holds wherever the item moves."""

    line: int
    column: int
    threads: int
    percent: int


class Document:
    def __init__(self, text: str) -> None:
        self._content = text.encode()
        self._starts = [0, *(m.end() for m in re.finditer(b"\n", self._content))]
        self._tree = _PARSER.parse(self._content)
        self._known: dict[bytes, list[Kernel]] = {}
        self.kernels = self._read()

    def edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Columns are bytes, as the server tells its client."""
        new = text.encode()
        a, b = self._starts[start[0]] + start[1], self._starts[end[0]] + end[1]
        stop, shift = a + len(new), a + len(new) - b
        self._content = b"".join((self._content[:a], new, self._content[b:]))
        added = [a + m.end() for m in re.finditer(b"\n", new)]
        tail = self._starts[end[0] + 1 :]
        self._starts = self._starts[: start[0] + 1] + added + [s + shift for s in tail]
        line = bisect_right(self._starts, stop) - 1
        self._tree.edit(a, b, stop, start, end, (line, stop - self._starts[line]))
        self._tree = _PARSER.parse(self._content, self._tree)
        self.kernels = self._read()

    def _read(self) -> list[Kernel]:
        """Items are looked up by their bytes: tree-sitter renames nodes whenever it parses again."""
        fresh: dict[bytes, list[Kernel]] = {}
        found: list[Kernel] = []
        stack = [self._tree.root_node]
        while stack:
            for node in stack.pop().children:
                kind = node.kind_id
                if kind in _CONTAINERS:
                    stack.append(node)
                elif kind in _ITEMS:
                    key = self._content[node.start_byte : node.end_byte]
                    known = self._known.get(key)
                    if known is None:
                        known = _read(node)
                    fresh[key] = known
                    line = node.start_point.row
                    found += [Kernel(k.line + line, k.column, k.threads, k.percent) for k in known]
        self._known = fresh
        return found


def _read(item: Node) -> list[Kernel]:
    line = item.start_point.row
    matches = QueryCursor(_KERNEL).matches(item)
    return [_kernel(captures["kernel"][0], captures["name"][0], line) for _, captures in matches]


def _kernel(node: Node, name: Node, line: int) -> Kernel:
    threads, shared = 256, 0
    for _, captures in QueryCursor(_NEEDS).matches(node):
        if "bounds" in captures:
            number = _NUMBER.search(captures["bounds"][0].text or b"")
            threads = int(number[0]) if number else threads
        elif any(it.text == b"__shared__" for it in captures["qualifier"]):
            size = 4
            for number in _NUMBER.findall(captures["declaration"][0].text or b""):
                size *= int(number)
            shared += size
    warps = max((threads + 31) // 32, 1)
    groups = min(32, 64 // warps, 102400 // max(shared, 1))
    return Kernel(name.start_point.row - line, name.end_point.column, threads, 100 * groups * warps // 64)
