"""How far what one statement does holds: to the end of its branch; beyond that it depends on the way taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

Part = Literal["branch", "case", "switch", "try", "loop", ""]
_DEEPEST = 16  # branches in branches that are looked into; beyond that they may all go on
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_JUMPS = ("break_statement", "continue_statement", "goto_statement", "throw_statement")
_CONDITIONAL_LOOPS = ("for_statement", "while_statement", "do_statement")
_BROKEN_OUT_OF = (*_LOOPS, "switch_statement")
_ALWAYS = regex(r"\(?\s*(?:1|true)\s*\)?")
_LEAVING = ("exit", "_Exit", "abort", "quick_exit")
NO_RETURN = frozenset(
    (
        *_LEAVING,
        *(f"std::{it}" for it in (*_LEAVING, "terminate")),
        *(f"::{it}" for it in (*_LEAVING, "_exit")),
        *("_exit", "__builtin_trap", "__builtin_abort", "__builtin_exit"),
    )
)
# Functions that return, as is known.
_RETURNING = regex(
    r"(?:std::)?(?:f?printf|s?n?printf|puts|malloc|free|mem(?:cpy|set)|min|max)|(?:cuda|hip|cl)[A-Z]\w*|\.\w+"
)


@dataclass(frozen=True, slots=True)
class ScopeOfEffect:
    """Where it holds, for a look-up past `order`. `doubt`: why only on some ways; "": surely. `taken`: the statements
    that branch, each with the branch that leads there; nothing where something else decides, too."""

    order: int
    where: Span
    doubt: str
    taken: tuple[tuple[Node, Node], ...] = ()


@dataclass(frozen=True, slots=True)
class EnclosingPart:
    """A node, and the child on the way to what it is around, which is that part of a statement that branches; "": it is
    none, and the node a lambda."""

    outer: Node
    inner: Node
    part: Part


def enclosing_parts(nodes: NodeIndex, node: Node, scope: Span) -> Sequence[EnclosingPart]:
    """Return what around `node` within `scope` branches or runs later, from the inside out."""
    return nodes.remember(("around", scope), node, lambda: tuple(_find_enclosing_parts(nodes, node, scope)))


def _find_enclosing_parts(nodes: NodeIndex, inner: Node, scope: Span) -> Iterator[EnclosingPart]:
    while (
        (outer := nodes.parent(inner)) is not None and scope.start <= outer.start_byte and outer.end_byte <= scope.end
    ):
        part = _kind_of_part(nodes, outer, inner)
        if part or outer.type == "lambda_expression":
            yield EnclosingPart(outer, inner, part)
        inner = outer


def _kind_of_part(nodes: NodeIndex, outer: Node, inner: Node) -> Part:
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
    return "loop" if _is_body_of_macro(nodes, outer, inner) else ""


def _is_body_of_macro(nodes: NodeIndex, outer: Node, inner: Node) -> bool:
    """Whether a macro may run a block any number of times: `REPEAT(3) { … }`, `FOREACH(int x, list) { … }`"""
    if outer.type == "function_definition":
        above = nodes.parent(outer)
        return above is not None and above.type in ("compound_statement", "case_statement")
    before = nodes.previous_sibling(inner) if inner.type == "compound_statement" and nodes.has_error(outer) else None
    return before is not None and bool(before.children) and before.children[-1].is_missing


def loop_start(outer: Node, inner: Node) -> int:
    """From where on a loop, of which `inner` is a part, may have run before."""
    if outer.type not in (*_LOOPS, "function_definition"):
        return inner.start_byte
    first = outer.child_by_field_name("initializer")
    return first.end_byte if first is not None else outer.start_byte


def kind_of_exit(nodes: NodeIndex, node: Node, regions: ConditionRegions) -> str:
    """Whether what follows `node` is not reached from its end: "return" if the function is surely left, or "jump"."""
    return nodes.remember("leaves", node, lambda: _find_kind_of_exit(nodes, node, regions, 0))


def _find_kind_of_exit(nodes: NodeIndex, node: Node, regions: ConditionRegions, depth: int) -> str:
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
        first = _find_kind_of_exit(nodes, then, regions, depth + 1)
        second = _find_kind_of_exit(nodes, otherwise, regions, depth + 1) if first else ""
        return "jump" if second and "jump" in (first, second) else second
    if last.type == "try_statement" and depth < _DEEPEST:
        parts = [it for it in nodes.children(last) if it.type in ("compound_statement", "catch_clause")]
        each = [_find_kind_of_exit(nodes, it, regions, depth + 1) for it in parts]
        return "" if not all(each) else "jump" if "jump" in each else "return"
    if last.type in _JUMPS:
        return "jump"
    left = (
        _leaves_function(nodes, last)
        or _is_endless_loop(nodes, last)
        or _leaves_by_all_cases(nodes, last, regions, depth)
    )
    return "" if not left else "jump" if any(nodes.nodes_of_kind_within(span(node), it) for it in _JUMPS) else "return"


def _is_endless_loop(nodes: NodeIndex, loop: Node) -> bool:
    """Whether it is a loop that nothing ends but what leaves the function."""
    condition = loop.child_by_field_name("condition")
    if loop.type not in _CONDITIONAL_LOOPS or loop.start_byte in nodes.governed or nodes.has_error(loop):
        return False
    always = loop.type == "for_statement" if condition is None else bool(_ALWAYS.fullmatch(nodes.text(condition)))
    return always and not may_break_out(nodes, loop) and not nodes.nodes_of_kind_within(span(loop), "labeled_statement")


def may_break_out(nodes: NodeIndex, statement: Node) -> bool:
    """Whether something in a loop or `switch` may go on behind it: a `break` of its own, or a `goto`."""
    breaks = nodes.nodes_of_kind_within(span(statement), "break_statement")
    return bool(nodes.nodes_of_kind_within(span(statement), "goto_statement")) or any(
        _is_break_of(nodes, it, statement) for it in breaks
    )


def _is_break_of(nodes: NodeIndex, node: Node, statement: Node) -> bool:
    """Whether a `break` is of that statement, and of none within."""
    while (outer := nodes.parent(node)) is not None and outer.type not in _BROKEN_OUT_OF:
        node = outer
    return outer == statement


def _leaves_by_all_cases(nodes: NodeIndex, switch: Node, regions: ConditionRegions, depth: int) -> bool:
    """Whether it is a `switch` with a default of which no case leads behind it."""
    body = switch.child_by_field_name("body") if switch.type == "switch_statement" else None
    cases = nodes.children(body) if body is not None and not nodes.has_error(switch) else ()
    if (
        depth >= _DEEPEST
        or not cases
        or may_break_out(nodes, switch)
        or nodes.nodes_of_kind_within(span(switch), "labeled_statement")
    ):
        return False
    only = all(it.type == "case_statement" and it.start_byte not in nodes.governed for it in cases)
    otherwise = any(it.child_by_field_name("value") is None for it in cases)
    return only and otherwise and bool(_find_kind_of_exit(nodes, cases[-1], regions, depth + 1))


def _leaves_function(nodes: NodeIndex, statement: Node) -> bool:
    if statement.type == "return_statement":
        return True
    called = statement.named_children[0] if statement.named_children else statement
    ends = statement.type == "expression_statement" and called.type == "call_expression"
    return ends and callee(nodes, called) in NO_RETURN


def may_not_return(function: str) -> bool:
    """Whether a function of that name may be one that does not return."""
    return bool(function) and not _RETURNING.fullmatch(function)


def scopes_of_effect(
    nodes: NodeIndex, node: Node, start: int, scope: Span, name: str, regions: ConditionRegions
) -> Iterator[ScopeOfEffect]:
    """Where a variable of that scope has what `node` gives it at `start`, and where it may have."""
    order, doubt, gone = node.start_byte, "", ""
    taken, only_ifs = list[tuple[Node, Node]](), True
    for it in enclosing_parts(nodes, node, scope):
        outer, inner, kind = it.outer, it.inner, it.part
        if not kind:
            continue
        if not gone and start < inner.end_byte:
            yield ScopeOfEffect(order, Span(start, inner.end_byte), doubt, tuple(taken))
        gone = gone or (kind_of_exit(nodes, inner, regions) if kind in ("branch", "case", "loop") else "")
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
        yield ScopeOfEffect(order, Span(start, scope.end), doubt, tuple(taken))
