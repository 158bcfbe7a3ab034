"""How far what one statement does holds: to the end of its branch; beyond that it depends on the way taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.facts.calls import callee
from occupancy_lsp.source.facts.preprocessor import Regions
from occupancy_lsp.source.text.nodes import Nodes
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.tree import span

Part = Literal["branch", "case", "switch", "try", "loop", ""]
_DEEPEST = 16  # branches in branches that are looked into; beyond that they may all go on
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_JUMPS = ("break_statement", "continue_statement", "goto_statement", "throw_statement")
NO_RETURN = ("exit", "_exit", "abort", "quick_exit", "std::exit", "std::abort", "std::quick_exit", "std::terminate")


@dataclass(frozen=True, slots=True)
class Reach:
    """Where it holds, for a look-up past `order`. `doubt`: why only on some ways; "": surely. `taken`: the statements
    that branch, each with the branch that leads there; nothing where something else decides, too."""

    order: int
    where: Span
    doubt: str
    taken: tuple[tuple[Node, Node], ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """A node, and the child on the way to what it is around, which is that part of a statement that branches; "": it is
    none, and the node a lambda."""

    outer: Node
    inner: Node
    part: Part


def around(nodes: Nodes, node: Node, scope: Span) -> Sequence[Around]:
    """Return what around `node` within `scope` branches or runs later, from the inside out."""
    return nodes.remember(("around", scope), node, lambda: tuple(_around(nodes, node, scope)))


def _around(nodes: Nodes, inner: Node, scope: Span) -> Iterator[Around]:
    while (
        (outer := nodes.parent(inner)) is not None and scope.start <= outer.start_byte and outer.end_byte <= scope.end
    ):
        part = _part(nodes, outer, inner)
        if part or outer.type == "lambda_expression":
            yield Around(outer, inner, part)
        inner = outer


def _part(nodes: Nodes, outer: Node, inner: Node) -> Part:
    """Return what part of a statement that branches `inner` is."""
    if inner.start_byte in nodes.governed and outer.start_byte != inner.start_byte:
        return "loop"  # a macro may run it any number of times
    match outer.type:
        case "if_statement" if inner != outer.child_by_field_name("condition"):
            return "branch"
        case "compound_statement" if inner.type == "case_statement":
            return "case"
        case "switch_statement" if inner == outer.child_by_field_name("body"):
            return "switch"
        case "try_statement":
            return "try" if inner == outer.child_by_field_name("body") else "branch"
        case kind if kind in _LOOPS and inner != outer.child_by_field_name("initializer"):
            return "loop"
    return "loop" if _is_governed(nodes, outer, inner) else ""


def _is_governed(nodes: Nodes, outer: Node, inner: Node) -> bool:
    """Whether a macro may run a block any number of times: `REPEAT(3) { … }`, `FOREACH(int x, list) { … }`"""
    if outer.type == "function_definition":
        above = nodes.parent(outer)
        return above is not None and above.type in ("compound_statement", "case_statement")
    before = nodes.before(inner) if inner.type == "compound_statement" and nodes.has_error(outer) else None
    return before is not None and bool(before.children) and before.children[-1].is_missing


def loop_start(outer: Node, inner: Node) -> int:
    """From where on a loop, of which `inner` is a part, may have run before."""
    if outer.type not in (*_LOOPS, "function_definition"):
        return inner.start_byte
    first = outer.child_by_field_name("initializer")
    return first.end_byte if first is not None else outer.start_byte


def leaves(nodes: Nodes, node: Node, regions: Regions) -> str:
    """Whether what follows `node` is not reached from its end: "return" if the function is surely left, or "jump"."""
    return nodes.remember("leaves", node, lambda: _leaves(nodes, node, regions, 0))


def _leaves(nodes: Nodes, node: Node, regions: Regions, depth: int) -> str:
    last = node
    while last.type in ("compound_statement", "else_clause", "case_statement", "catch_clause", "labeled_statement"):
        children = nodes.children(last)
        if not children:
            return ""
        last = children[-1]
        if last.start_byte in nodes.governed:
            return ""
    if node.start_byte in nodes.governed:
        return ""
    if regions.at(last.start_byte) != regions.at(node.start_byte):
        return ""
    if last.type == "if_statement":
        then, otherwise = last.child_by_field_name("consequence"), last.child_by_field_name("alternative")
        if then is None or otherwise is None or depth >= _DEEPEST:
            return ""
        first = _leaves(nodes, then, regions, depth + 1)
        second = _leaves(nodes, otherwise, regions, depth + 1) if first else ""
        return "jump" if second and "jump" in (first, second) else second
    if last.type in _JUMPS:
        return "jump"
    return (
        "" if not _returns(nodes, last) else "jump" if any(nodes.within(span(node), it) for it in _JUMPS) else "return"
    )


def _returns(nodes: Nodes, statement: Node) -> bool:
    if statement.type == "return_statement":
        return True
    called = statement.named_children[0] if statement.named_children else statement
    ends = statement.type == "expression_statement" and called.type == "call_expression"
    return ends and callee(nodes, called) in NO_RETURN


def reach(nodes: Nodes, node: Node, start: int, scope: Span, name: str, regions: Regions) -> Iterator[Reach]:
    """Where a variable of that scope has what `node` gives it at `start`, and where it may have."""
    order, doubt, gone = node.start_byte, "", ""
    taken, only_ifs = list[tuple[Node, Node]](), True
    for it in around(nodes, node, scope):
        outer, inner, kind = it.outer, it.inner, it.part
        if not kind:
            continue
        if not gone and start < inner.end_byte:
            yield Reach(order, Span(start, inner.end_byte), doubt, tuple(taken))
        gone = gone or (leaves(nodes, inner, regions) if kind in ("branch", "case", "loop") else "")
        if kind == "try" or (gone != "return" and kind in ("switch", "loop")):
            gone = ""
        start = order = (
            loop_start(outer, inner)
            if kind == "loop"
            else inner.end_byte
            if kind in ("case", "try")
            else outer.end_byte
        )
        doubt = f"{name} changes in a loop" if kind == "loop" else f"{name} depends on a branch"
        only_ifs = only_ifs and kind == "branch" and outer.type == "if_statement"
        taken = [*taken, (outer, inner)] if only_ifs else []
    if not gone:
        yield Reach(order, Span(start, scope.end), doubt, tuple(taken))
