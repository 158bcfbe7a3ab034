"""The nodes of a tree by their kinds, and what is around each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeVar, cast

from tree_sitter import Node, Query, QueryCursor

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lex.work_limits import MOST_DEEP, TOO_DEEP, TOO_LARGE, TooLarge, is_item_too_large
from occupancy_lsp.source.preprocessor.statement_macros import GovernedStatement
from occupancy_lsp.source.syntax.parse_chunks import chunks_of
from occupancy_lsp.source.syntax.parser import LANGUAGE, ParsedChunk, named_children, parse, parse_in_chunks, walk

_T = TypeVar("_T")
_BRACE = regex(rb"[{}]")
_START = attrgetter("start_byte")
_SMALL = 32  # nodes


def query_patterns_by_kind(kinds: str) -> Mapping[str, str]:
    """The patterns by which nodes of these kinds are found."""
    return {it: f"({it}) @{it}" for it in kinds.split()}


# What is looked for together, by the name that `NodeIndex.nodes_of_kind` knows it by: in every item, and in some. For
# each such set tree-sitter goes through the whole grammar once, which takes a hundredth of a second.
OFTEN = {
    "alone": "(expression_statement (identifier)) @alone",
    "logical": '(binary_expression operator: ["&&" "||"]) @logical',
    **query_patterns_by_kind(
        "alias_declaration assignment_expression break_statement call_expression case_statement class_specifier"
        " conditional_expression continue_statement declaration enum_specifier field_declaration for_range_loop"
        " for_statement function_definition gnu_asm_expression goto_statement if_statement kernel_call_syntax"
        " labeled_statement lambda_capture_specifier lambda_expression namespace_alias_definition parameter_list"
        " return_statement struct_specifier switch_statement template_function template_instantiation"
        " template_parameter_list throw_statement type_definition union_specifier using_declaration while_statement"
    ),
}
_LATE = {"alone", "logical"}  # found after what stands in them
NAMES = frozenset(("identifier", "type_identifier"))
SELDOM = query_patterns_by_kind(
    "array_declarator identifier init_declarator pointer_expression subscript_expression type_identifier"
    " update_expression"
)


@remembered(64)
def _compiled_query(patterns: str) -> Query:
    return Query(LANGUAGE, patterns)


def index_nodes(code: bytes) -> NodeIndex:
    """All that can be followed: of what is too large, what stands outside of braces."""
    try:
        if not is_item_too_large(code):
            return _index_by_blocks(code) or NodeIndex(code, parse(code))
    except TooLarge:
        pass
    hollow, cuts = _without_braced_text(code)
    try:
        return NodeIndex(hollow, parse(hollow), cuts, TOO_LARGE)
    except TooLarge:
        return NodeIndex(b"", parse(b""), [0], TOO_LARGE)


def _index_by_blocks(code: bytes) -> NodeIndex | None:
    """None: it has no large blocks, or what looks like one is something else to the grammar."""
    whole = chunks_of(code)
    found = parse_in_chunks(whole) if whole is not None else None
    if found is None:
        return None
    nodes = NodeIndex(code, found[0].top, inner=found[1])
    return nodes if nodes.has_all_blocks else None


def _without_braced_text(code: bytes) -> tuple[bytes, list[int]]:
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


def _matches_in(part: ParsedChunk, patterns: str, deepest: int) -> list[tuple[str, Node]]:
    """Remembered beside the part, which many keys leave as it is."""
    key = patterns, deepest
    if key not in part.found:
        part.found[key] = _matches(patterns, part.top, deepest)
    return cast("list[tuple[str, Node]]", part.found[key])


def _matches(patterns: str, root: Node, deepest: int) -> list[tuple[str, Node]]:
    cursor = QueryCursor(_compiled_query(patterns))
    cursor.set_max_start_depth(deepest)
    # `captures` would be in no order.
    return [(kind, node) for _, match in cursor.matches(root) for kind, (node,) in match.items()]


def _start_of(found: tuple[str, Node]) -> int:
    return found[1].start_byte


@dataclass(slots=True)
class _TreeIndex:
    """What was opened of one tree. `first`: the top's children; `upper`: what is large, and its children; `blocks`:
    those that are read apart, with how deep their children are."""

    first: Sequence[Node]
    upper: list[Node] = field(default_factory=list)
    children: dict[int, Sequence[Node]] = field(default_factory=dict)
    parents: dict[int, Node] = field(default_factory=dict)
    blocks: list[tuple[Node, int]] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)


class NodeIndex:
    """The named nodes of a tree by their kinds, as they stand, and what is around each.

    tree-sitter itself looks from the root down, over all siblings, for a node's parent and the sibling before it: who
    asks for those of many nodes asks here. Deeper than `MOST_DEEP` no node is looked at, so that who climbs from
    node to node, or calls itself for a node's children, soon comes to an end. `cuts`: where nodes are left out;
    `unread`: why.

    What is large is opened at once, from the root down: it may be deep. What is small, when somebody asks around there.

    `governed`: where statements start that a macro before them may be the head of.

    `inner`: the blocks that are read apart, by where they start. A node there stands
    where it does in the whole text, and knows nothing of that text itself: its `text`, `parent` and `children` are
    asked for here.
    """

    def __init__(
        self,
        code: bytes,
        root: Node,
        cuts: Sequence[int] = (),
        unread: str = "",
        inner: Mapping[int, Sequence[ParsedChunk]] = MappingProxyType({}),
    ) -> None:
        self.governed: frozenset[int] = frozenset()
        self._code = code
        self._ascii = code.decode("ascii") if code.isascii() else None
        self._root = root
        self.cuts = [*cuts]
        self.unread = unread
        self._found: dict[str, Sequence[tuple[str, Node]]] = {}  # by their patterns
        self._by_kind: dict[str, list[Node]] = {}
        self._upper = [root]  # what is large, and its children
        self._children: dict[int, Sequence[Node]] = {}  # of what is opened
        self._parents: dict[int, Node] = {}
        self._holders: dict[str, frozenset[int]] = {}
        self._known: dict[tuple[Hashable, int], Any] = {}
        self._inner = inner
        self._starts = sorted(inner)
        self._mounted: dict[int, int] = {}  # the blocks that were come across, and how deep what is in them is
        self._add_tree_index(self._index_tree(root, 1))
        self._upper.sort(key=_START)
        self.cuts.sort()

    def mark_governed_statements(self, statements: Iterable[GovernedStatement]) -> None:
        """Take down which statements macros may govern: no declaration, unless the macro surely is a head."""
        for it in statements:
            node = self.innermost_at(it.statement, it.statement + 1)
            while (outer := self.parent(node)) is not None and outer.start_byte == it.statement:
                node = outer
            if node.start_byte == it.statement and (it.surely or node.type != "declaration"):
                self.governed |= {it.statement}

    @property
    def has_all_blocks(self) -> bool:
        """Whether a block stands in all places that were left out for some."""
        return len(self._mounted) == len(self._inner)

    def _add_tree_index(self, seen: _TreeIndex, holder: Node | None = None) -> None:
        """`holder`: of a part of a block, where that stands."""
        self._upper += seen.upper
        self._children |= seen.children
        self._parents |= seen.parents
        if holder is not None:
            self._parents |= dict.fromkeys((it.id for it in seen.first), holder)
        if seen.cuts:
            self.cuts += seen.cuts
            self.unread = TOO_DEEP
        for block, depth in seen.blocks:
            self._mounted[block.start_byte] = depth
            self._children[block.id] = self.children(block)
            for part in self._parts_of_block(block):
                self._add_tree_index(self._remembered_tree_index(part, depth), block)

    def _remembered_tree_index(self, part: ParsedChunk, depth: int) -> _TreeIndex:
        """Remembered beside the part, which many keys leave as it is."""
        if depth not in part.found:
            part.found[depth] = self._index_tree(part.top, depth)
        return cast(_TreeIndex, part.found[depth])

    def _index_tree(self, top: Node, depth: int) -> _TreeIndex:
        """`depth`: of its children. No block that is read apart is looked into."""
        seen = _TreeIndex(top.named_children)
        todo = [(top, depth)]
        while todo:
            large, depth = todo.pop()
            children = seen.children[large.id] = large.named_children
            small = min(_SMALL, MOST_DEEP - depth)
            for node in children:
                seen.parents[node.id] = large
                seen.upper.append(node)
                if node.descendant_count <= small and not self._holds_block(node):
                    continue
                if depth < MOST_DEEP:
                    (seen.blocks if self._parts_of_block(node) else todo).append((node, depth + 1))
                elif node.named_child_count:
                    seen.children[node.id] = ()
                    seen.cuts.append(node.start_byte)
        return seen

    def _link_children(self, node: Node) -> Sequence[Node]:
        """Its children, which know it for their parent from then on."""
        found = self._children[node.id] = self.children(node)
        for child in found:
            self._parents[child.id] = node
        return found

    def children(self, node: Node) -> Sequence[Node]:
        """Those that are named."""
        parts = self._parts_of_block(node)
        return [child for it in parts for child in it.top.named_children] if parts else named_children(node)

    def all_children(self, node: Node) -> Sequence[Node]:
        parts = self._parts_of_block(node)
        return [child for it in parts for child in it.top.children] if parts else node.children

    def walk(self, top: Node) -> list[Node]:
        """Every named node under `top`, itself first."""
        return walk(top, self.children)

    def _parts_of_block(self, node: Node) -> Sequence[ParsedChunk]:
        """Those of a block that is read apart."""
        parts = self._inner.get(node.start_byte, ()) if self._inner and node.type == "compound_statement" else ()
        return parts if parts and parts[-1].top.end_byte == node.end_byte else ()

    def _holds_block(self, node: Node) -> bool:
        at = bisect_left(self._starts, node.start_byte)
        return at < len(self._starts) and self._starts[at] < node.end_byte

    def has_error(self, node: Node) -> bool:
        """Whether the grammar does not understand something in it."""
        if node.has_error or not self._starts:
            return node.has_error
        first, last = (bisect_left(self._starts, it) for it in (node.start_byte, node.end_byte))
        within = (it for start in self._starts[first:last] for it in self._inner[start])
        return any(it.top.has_error for it in within)

    def _open_subtree(self, top: Node) -> None:
        left = [top] if top.named_child_count and top.id not in self._children else []
        while left:
            left += [it for it in self._link_children(left.pop()) if it.named_child_count]

    def nodes_of_kinds(self, wanted: Mapping[str, str]) -> Sequence[tuple[str, Node]]:
        """Those of several kinds, as they stand, but for what hangs on what is in them: that comes when it is met."""
        patterns = " ".join(wanted.values())
        if patterns not in self._found:
            found = _matches(patterns, self._root, MOST_DEEP)
            for start, depth in self._mounted.items():
                for part in self._inner[start]:
                    found += _matches_in(part, patterns, MOST_DEEP + 1 - depth)
            self._found[patterns] = sorted(found, key=_start_of) if self._mounted else found
        return self._found[patterns]

    def nodes_of_kind(self, kind: str) -> Sequence[Node]:
        if kind not in self._by_kind:
            wanted = next((it for it in (OFTEN, SELDOM) if kind in it), None) or query_patterns_by_kind(kind)
            self._by_kind |= {it: [] for it in wanted}
            for name, node in self.nodes_of_kinds(wanted):
                self._by_kind[name].append(node)
            for name in _LATE & wanted.keys():
                self._by_kind[name].sort(key=lambda it: (it.start_byte, -it.end_byte))
        return self._by_kind[kind]

    def text(self, node: Node) -> str:
        """Quicker than the node's own, for which tree-sitter calls for the code piece by piece."""
        if self._ascii is not None:
            return self._ascii[node.start_byte : node.end_byte]
        return self._code[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def has_cut_within(self, where: Span) -> bool:
        """Whether nodes that start in `where` are left out."""
        first = bisect_left(self.cuts, where.start)
        return first < len(self.cuts) and self.cuts[first] < where.end

    def nodes_of_kind_within(self, where: Span, kind: str) -> Sequence[Node]:
        """Those that start in `where`."""
        found = self.nodes_of_kind(kind)
        first = bisect_left(found, where.start, key=_START)
        return found[first : bisect_left(found, where.end, first, key=_START)]

    def innermost_at(self, start: int, end: int) -> Node:
        """The innermost that holds the text between two offsets."""
        node = self._upper[bisect_right(self._upper, start, 1, key=_START) - 1]
        self._open_subtree(node)
        while before := bisect_right(inner := self._children.get(node.id, ()), start, key=_START):
            node = inner[before - 1]
        while node.end_byte < end and (outer := self.parent(node)) is not None:
            node = outer
        return node

    def parent(self, node: Node) -> Node | None:
        at = node.id
        found = self._parents.get(at)
        if found is None:
            self._link_ancestors(node)
            found = self._parents.get(at)
        return found

    def _link_ancestors(self, node: Node) -> None:
        """From what is opened to a node in something small."""
        at = bisect_right(self._upper, node.start_byte, key=_START) if node.is_named else 0
        # What is empty may be the end of what stands before.
        while at and node.id not in self._parents and self._upper[at - 1].end_byte >= node.start_byte:
            at -= 1
            outer = self._upper[at]
            inner = outer.child_with_descendant(node) if outer.id not in self._children else None
            while inner is not None:
                self._parents[inner.id] = outer
                outer, inner = inner, inner.child_with_descendant(node) if inner != node else None

    def ancestor(self, node: Node | None, *types: str) -> Node | None:
        """The nearest node of one of `types` that is or holds `node`."""
        while node is not None and node.type not in types:
            node = self.parent(node)
        return node

    def index_among_siblings(self, node: Node) -> int:
        """Which of its parent's named children it is."""
        siblings = self._siblings(node)
        return siblings.index(node, bisect_left(siblings, node.start_byte, key=_START))

    def previous_sibling(self, node: Node) -> Node | None:
        """The named sibling before it."""
        index = self.index_among_siblings(node) if self.parent(node) is not None else 0
        return self._siblings(node)[index - 1] if index else None

    def _siblings(self, node: Node) -> Sequence[Node]:
        outer = self.parent(node)
        return self._children.get(outer.id) or self.children(outer) if outer is not None else ()

    def remember(self, what: Hashable, node: Node, compute: Callable[[], _T]) -> _T:
        """What `compute` answered before of the node: for what is asked of it again from each node in it."""
        key = what, node.id
        if key not in self._known:
            self._known[key] = compute()
        value: _T = self._known[key]
        return value

    def has_child_of_kind(self, outer: Node, kind: str) -> bool:
        if kind not in self._holders:
            above = (self.parent(it) for it in self.nodes_of_kind(kind))
            self._holders[kind] = frozenset(it.id for it in above if it is not None)
        return outer.id in self._holders[kind]
