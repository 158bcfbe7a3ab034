"""The parser, and small helpers over its trees."""

from __future__ import annotations

import re
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TypeVar, cast

import tree_sitter_cuda
from tree_sitter import LANGUAGE_VERSION, MIN_COMPATIBLE_LANGUAGE_VERSION, Language, Node, Parser, Point

from occupancy_lsp.source.text.limits import MOST_DEEP, TOO_DEEP, TOO_LARGE, Steps, TooLarge
from occupancy_lsp.source.text.span import Span

_LANGUAGE = Language(tree_sitter_cuda.language())
if not MIN_COMPATIBLE_LANGUAGE_VERSION <= _LANGUAGE.abi_version <= LANGUAGE_VERSION:
    raise ImportError(
        f"tree-sitter-cuda has ABI {_LANGUAGE.abi_version}, tree-sitter reads {MIN_COMPATIBLE_LANGUAGE_VERSION} to "
        f"{LANGUAGE_VERSION}: install versions that go together"
    )


class _Own(threading.local):
    """Each thread's own: a parser that asks for its text piece by piece lets other threads run in between."""

    def __init__(self) -> None:
        self.parser = Parser(_LANGUAGE)


_OWN = _Own()
_SHORT = 2048  # bytes; nothing so short takes long, and the texts of nodes are quicker to get where steps are not told
_PIECE = 512  # bytes; for the text of a node a whole one is read
# The parser tells of itself once in some 160 bytes of code, in broken code in some 70.
_FEWEST_STEPS, _BYTES_A_STEP = 500, 8
_BRACE = re.compile(rb"[{}]")
_T = TypeVar("_T")
_START = attrgetter("start_byte")


def parse(code: bytes) -> Node:
    """Raises TooLarge where the grammar tries too many readings of what it does not know."""
    if len(code) <= _SHORT:
        return _OWN.parser.parse(code).root_node
    steps = Steps(_FEWEST_STEPS + len(code) // _BYTES_A_STEP)

    def is_enough(offset: int, has_error: bool) -> bool:
        return not steps.left_after(1)

    def piece(offset: int, point: Point) -> bytes:
        return code[offset : offset + _PIECE]

    try:
        return _OWN.parser.parse(piece, progress_callback=is_enough).root_node
    except ValueError:
        _OWN.parser.reset()
        raise TooLarge from None


def read(code: bytes) -> Nodes:
    """All that can be followed: of what is too large, what stands outside of braces."""
    try:
        return Nodes(parse(code))
    except TooLarge:
        pass
    hollow, cuts = _hollow(code)
    try:
        return Nodes(parse(hollow), cuts, TOO_LARGE)
    except TooLarge:
        return Nodes(parse(b""), [0], TOO_LARGE)


def _hollow(code: bytes) -> tuple[bytes, list[int]]:
    """The code without what stands in braces, and where that stood."""
    pieces: list[bytes] = []
    cuts: list[int] = []
    depth = done = 0
    for match in _BRACE.finditer(code):
        opens = match[0] == b"{"
        if opens and not depth:
            pieces.append(code[done : match.end()])
            cuts.append(match.end())
        elif not opens and depth == 1:
            pieces.append(b" " * (match.start() - cuts[-1]))
            done = match.start()
        depth = max(depth + (1 if opens else -1), 0)
    rest = b" " * (len(code) - cuts[-1]) if depth else code[done:]
    return b"".join((*pieces, rest)), cuts


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
    """The named nodes of a tree with their kinds, as they stand, and what is around each.

    tree-sitter itself looks from the root down, over all siblings, for a node's parent and the sibling before it: who
    asks for those of many nodes asks here. Deeper than `MOST_DEEP` no node is looked at, so that who climbs from
    node to node, or calls itself for a node's children, soon comes to an end. `cuts`: where nodes are left out;
    `unread`: why.
    """

    def __init__(self, root: Node, cuts: Sequence[int] = (), unread: str = "") -> None:
        self.all = [root]
        self.kinds = [root.type]
        self.cuts = [*cuts]
        self.unread = unread
        self._by_kind: dict[str, list[Node]] = {root.type: [root]}
        self._parents: dict[int, Node] = {}
        self._children: dict[int, list[Node]] = {}
        self._holders: dict[str, frozenset[int]] = {}
        self._known: dict[tuple[str, int], object] = {}
        self._look(root)

    def _look(self, root: Node) -> None:
        above = [root]
        left = [iter(root.named_children)]
        while left:
            node = next(left[-1], None)
            if node is None:
                left.pop()
                above.pop()
                continue
            kind = node.type
            self.all.append(node)
            self.kinds.append(kind)
            self._by_kind.setdefault(kind, []).append(node)
            self._parents[node.id] = above[-1]
            if node.named_child_count:
                if len(above) < MOST_DEEP:
                    above.append(node)
                    left.append(iter(node.named_children))
                else:
                    self.cuts.append(node.start_byte)
                    self.unread = TOO_DEEP

    def is_cut(self, where: Span) -> bool:
        """Whether nodes that start in `where` are left out."""
        first = bisect_left(self.cuts, where.start)
        return first < len(self.cuts) and self.cuts[first] < where.end

    def of(self, kind: str) -> Sequence[Node]:
        return self._by_kind.get(kind, ())

    def within(self, where: Span, kind: str) -> Sequence[Node]:
        """Those that start in `where`."""
        found = self.of(kind)
        first = bisect_left(found, where.start, key=_START)
        return found[first : bisect_left(found, where.end, first, key=_START)]

    def at(self, start: int, end: int) -> Node:
        """The innermost that holds the text between two offsets."""
        node = self.all[bisect_right(self.all, start, 1, key=_START) - 1]
        while node.end_byte < end and (outer := self.parent(node)) is not None:
            node = outer
        return node

    def parent(self, node: Node) -> Node | None:
        return self._parents.get(node.id)

    def ancestor(self, node: Node | None, *types: str) -> Node | None:
        """The nearest node of one of `types` that is or holds `node`."""
        while node is not None and node.type not in types:
            node = self.parent(node)
        return node

    def index(self, node: Node) -> int:
        """Which of its parent's named children it is."""
        siblings = self._siblings(node)
        return siblings.index(node, bisect_left(siblings, node.start_byte, key=_START))

    def before(self, node: Node) -> Node | None:
        """The named sibling before it."""
        index = self.index(node) if node.id in self._parents else 0
        return self._siblings(node)[index - 1] if index else None

    def _siblings(self, node: Node) -> list[Node]:
        outer = self._parents[node.id]
        if outer.id not in self._children:
            self._children[outer.id] = outer.named_children
        return self._children[outer.id]

    def remember(self, what: str, node: Node, compute: Callable[[], _T]) -> _T:
        """What `compute` answered before of the node: for what is asked of it again from each node in it."""
        key = what, node.id
        if key not in self._known:
            self._known[key] = compute()
        return cast(_T, self._known[key])

    def holds(self, outer: Node, kind: str) -> bool:
        """Whether one of that kind is a child of `outer`."""
        if kind not in self._holders:
            self._holders[kind] = frozenset(self._parents[it.id].id for it in self.of(kind) if it.id in self._parents)
        return outer.id in self._holders[kind]


def text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def span(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def indices_of(element: Node) -> list[Node]:
    """What stands between the brackets of `a[i]`."""
    found = element.child_by_field_name("indices") or element.child_by_field_name("index")
    if found is None:
        return []
    return found.named_children if found.type == "subscript_argument_list" else [found]
