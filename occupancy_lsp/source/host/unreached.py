"""What text of a host function runs only under conditions: of loops, of `?:` and `&&`, and behind what leaves a block.

Device code is not asked for these: what a compiler makes of them is told elsewhere (`facts/passages.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.facts.branches import is_jumped_into
from occupancy_lsp.source.facts.calls import callee
from occupancy_lsp.source.facts.facts import Branch, Function
from occupancy_lsp.source.facts.preprocessor import Regions
from occupancy_lsp.source.host.control_flow import NO_RETURN, leaves
from occupancy_lsp.source.text.expressions import Unread
from occupancy_lsp.source.text.masks import Masked
from occupancy_lsp.source.text.nodes import Nodes
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.tree import span

_BLOCKS = frozenset(("compound_statement", "case_statement"))
_STATEMENTS = _BLOCKS | frozenset(
    (
        "catch_clause",
        "do_statement",
        "else_clause",
        "for_range_loop",
        "for_statement",
        "if_statement",
        "labeled_statement",
        "switch_statement",
        "try_statement",
        "while_statement",
    )
)
_MACRO = regex(rb"\b[A-Z_][A-Z0-9_]*\b")  # that may stand for a label or a `case`
_CHANGES = regex(rb"\w\s*\(|\+\+|--|<<=|>>=|(?<![=!<>])=(?!=)")
_NEVER = b"0"


def with_conditions(
    masked: Masked, nodes: Nodes, regions: Regions, functions: Sequence[Function], hosts: Sequence[Span]
) -> Iterator[Function]:
    """Yield the functions; those among `hosts` with all conditions under which their text runs."""
    ends = {it.end for it in hosts}
    bodies = (it.child_by_field_name("body") for it in nodes.of("function_definition"))
    followed = {it.start_byte: it for it in bodies if it is not None and it.end_byte in ends}
    for function in functions:
        body = followed.get(function.body.start)
        yield function if body is None else _with_conditions(masked, nodes, regions, function, body)


def _with_conditions(masked: Masked, nodes: Nodes, regions: Regions, function: Function, body: Node) -> Function:
    labels = _entered(nodes, function.body)
    found = (*function.branches, *_branches(masked, nodes, regions, body, labels))
    alone = (it for it in found if not any(it.span.start <= at < it.span.end for at in labels))
    return structs.replace(function, branches=tuple(sorted(alone, key=lambda it: it.condition.base)))


def _entered(nodes: Nodes, where: Span) -> list[int]:
    """Return where text is entered from elsewhere, whatever stands around it."""
    cases = (it for it in nodes.within(where, "case_statement") if is_jumped_into(nodes, it))
    return [it.start_byte for it in (*nodes.within(where, "labeled_statement"), *cases)]


def _branches(masked: Masked, nodes: Nodes, regions: Regions, body: Node, labels: Sequence[int]) -> Iterator[Branch]:
    where = span(body)
    yield from _of_loops(masked, nodes, where)
    yield from _of_choices(masked, nodes, where)
    lambdas = (it.child_by_field_name("body") for it in nodes.within(where, "lambda_expression"))
    for each in (body, *lambdas):
        if each is not None:
            yield from _behind_jumps(masked, nodes, regions, each, labels)


def _branch(masked: Masked, condition: Node, governed: Node, tested: int, wanted: bool = True) -> Branch:
    said = b"" if masked.has_line(condition) else masked.plain[condition.start_byte : condition.end_byte]
    return Branch(span(governed), Unread(said, condition.start_byte), tested, wanted, False)


def _of_loops(masked: Masked, nodes: Nodes, where: Span) -> Iterator[Branch]:
    """Yield the bodies, by what the conditions say before the first round."""
    for node in nodes.within(where, "while_statement"):
        clause, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        value = clause.child_by_field_name("value") if clause is not None else None
        if value is not None and body is not None and value.type != "declaration":
            yield _branch(masked, value, body, _tested(masked, nodes, node, value, None))
    for node in nodes.within(where, "for_statement"):
        value, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        start = node.child_by_field_name("initializer")
        if value is not None and body is not None:
            yield _branch(masked, value, body, _tested(masked, nodes, node, value, start))


def _tested(masked: Masked, nodes: Nodes, loop: Node, condition: Node, start: Node | None) -> int:
    """Return where the condition is what it is before the first round, else where it is so in every round. What rounds
    change is in force from behind the loop's `start`, or where the loop itself is; so is what the condition changes."""
    where = span(condition)
    if any(it.search(masked.plain, where.start, where.end) for it in (_CHANGES, _MACRO)):
        return where.end
    if start is None:
        return loop.start_byte - 1 if loop.start_byte not in nodes.governed else where.end
    return start.end_byte - 1 if start.type == "declaration" else where.end


def _of_choices(masked: Masked, nodes: Nodes, where: Span) -> Iterator[Branch]:
    """Yield what stands behind `?`, `:`, `&&` and `||`, if it calls something."""
    for node in nodes.within(where, "conditional_expression"):
        condition = node.child_by_field_name("condition")
        for field, wanted in (("consequence", True), ("alternative", False)):
            it = node.child_by_field_name(field)
            if condition is not None and it is not None and nodes.within(span(it), "call_expression"):
                yield _branch(masked, condition, it, condition.end_byte, wanted)
    for node in nodes.within(where, "logical"):
        left, right, operator = (node.child_by_field_name(it) for it in ("left", "right", "operator"))
        if left is not None and right is not None and nodes.within(span(right), "call_expression"):
            yield _branch(masked, left, right, left.end_byte, operator is not None and operator.type == "&&")


def _behind_jumps(
    masked: Masked, nodes: Nodes, regions: Regions, body: Node, labels: Sequence[int]
) -> Iterator[Branch]:
    """Yield the rest of each block behind a statement that surely leaves it."""
    left = [body]
    while left:
        node = left.pop()
        children = nodes.children(node)
        left += (it for it in children if it.type in _STATEMENTS)
        passed = _passed(masked, nodes, regions, children, labels) if node.type in _BLOCKS else None
        if passed is not None:
            yield Branch(passed, Unread(_NEVER, passed.start), passed.start, True, False)


def _passed(
    masked: Masked, nodes: Nodes, regions: Regions, statements: Sequence[Node], labels: Sequence[int]
) -> Span | None:
    """Return what is passed over, up to where a label, a macro or the preprocessor may let it be entered."""
    jump = next((at for at, it in enumerate(statements) if _leaves(masked, nodes, regions, it)), len(statements) - 1)
    start = end = statements[jump].end_byte if statements else 0
    for it in statements[jump + 1 :]:
        if it.type == "case_statement" or any(it.start_byte <= at < it.end_byte for at in labels):
            break
        if regions.at(it.start_byte) != regions.at(start - 1):
            break
        if _MACRO.search(masked.plain, end, it.start_byte) or _MACRO.match(masked.plain, it.start_byte):
            break
        end = it.end_byte
    return Span(start, end) if end > start else None


def _leaves(masked: Masked, nodes: Nodes, regions: Regions, statement: Node) -> bool:
    """Whether it surely leaves the block: not by the preprocessor's word, nor by a function that a program may have."""
    if not leaves(nodes, statement, regions) or masked.has_line(statement):
        return False
    called = (callee(nodes, it) for it in nodes.within(span(statement), "call_expression"))
    return all(it not in NO_RETURN or it.startswith("std::") for it in called)
