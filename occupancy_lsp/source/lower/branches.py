"""The text of a function that stands under a condition: what an `if` or a `switch` governs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from tree_sitter import Node

from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Branch
from occupancy_lsp.source.lower.possibly_unreachable_regions import is_decided_at_run_time, mentions_any
from occupancy_lsp.source.preprocessor.statement_macros import GovernedStatement
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import UnparsedText
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

LEAVES = ("return_statement", "throw_statement")
BLOCKS = ("compound_statement", "else_clause", "case_statement")
JUMPS = (*LEAVES, "break_statement", "continue_statement", "goto_statement")


def branches(masked: MaskedCode, nodes: NodeIndex, where: Span, known: frozenset[bytes]) -> tuple[Branch, ...]:
    """The text in `where` that stands under an `if` or in a case, and what an `if` that leaves the function lets
    through, in the order of the conditions; what macros may govern is among it.

    `known`: the names of what only the running kernel knows.
    """
    torn = [at for at in masked.macros.torn if where.start <= at < where.end]
    if torn:  # nobody knows to which `if` what belongs
        return (Branch(where, UnparsedText(b"", torn[0]), where.start, True, False, False, True),)
    hidden = map(partial(_macro_governed_branch, masked, nodes, known), masked.macros.governed)
    inside = [it for it in hidden if it is not None and where.start <= it.span.start < where.end]
    return tuple(
        sorted((*_if_and_switch_branches(masked, nodes, where, known), *inside), key=lambda it: it.condition.base)
    )


def _macro_governed_branch(
    masked: MaskedCode, nodes: NodeIndex, known: frozenset[bytes], it: GovernedStatement
) -> Branch | None:
    """A statement that a macro may govern: by what it is given, if that is known to the running kernel alone."""
    if it.statement not in nodes.governed:
        return None
    end = it.statement
    node: Node | None = nodes.innermost_at(it.statement, it.statement + 1)
    while node is not None and node.start_byte == it.statement:
        end, node = node.end_byte, nodes.parent(node)
    at_run_time = mentions_any(masked.plain, it.start, it.end, known)
    said = UnparsedText(masked.plain[it.start : it.end], it.start)
    return Branch(Span(it.statement, end), said, it.statement, True, False, at_run_time, True)


def _if_and_switch_branches(
    masked: MaskedCode, nodes: NodeIndex, where: Span, known: frozenset[bytes]
) -> Iterator[Branch]:
    yield from _branches_of_ifs(masked, nodes, where, known)
    for node in nodes.nodes_of_kind_within(where, "switch_statement"):
        yield from _branches_of_cases(masked, nodes, node, known)


def _branches_of_ifs(masked: MaskedCode, nodes: NodeIndex, where: Span, known: frozenset[bytes]) -> Iterator[Branch]:
    for node in nodes.nodes_of_kind_within(where, "if_statement"):
        condition = node.child_by_field_name("condition")
        value = condition and (condition.child_by_field_name("value") or condition)
        if value is None:
            continue
        head = masked.code[node.start_byte : value.start_byte]
        fixed = b"constexpr" in head and any(not c.is_named and c.type == "constexpr" for c in node.children)
        at_run_time = is_decided_at_run_time(masked, value.start_byte, value.end_byte, known)
        said = b"" if masked.has_directive_in(value) else _node_text(masked, value)  # which an #if in it may change
        expression = UnparsedText(said, value.start_byte)
        then, otherwise = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        alone = node.start_byte not in nodes.governed and not masked.has_directive_in(node)  # which may part it
        if then is not None:
            yield Branch(span(then), expression, value.end_byte, True, fixed, at_run_time)
            left = alone and otherwise is None and _ends_in_jump(nodes, then, JUMPS)
            if left and (block := nodes.parent(node)) is not None:
                # What leaves a loop may do so in a later round.
                later = at_run_time or not _ends_in_jump(nodes, then)
                end = _end_of_passed(nodes, then, block, where)
                yield Branch(Span(node.end_byte, end), expression, value.end_byte, False, False, later)
        if otherwise is not None:
            yield Branch(span(otherwise), expression, value.end_byte, False, fixed, at_run_time)
            if alone and _ends_in_jump(nodes, otherwise) and (block := nodes.parent(node)) is not None:
                yield Branch(Span(node.end_byte, block.end_byte), expression, value.end_byte, True, False, at_run_time)


def _ends_in_jump(nodes: NodeIndex, statement: Node, by: Collection[str] = LEAVES) -> bool:
    while statement.type in BLOCKS and (children := nodes.children(statement)):
        statement = children[-1]
    return statement.type in by and statement.start_byte not in nodes.governed


def _end_of_passed(nodes: NodeIndex, then: Node, block: Node, where: Span) -> int:
    """Return where the text ends that a jump at the end of a statement passes over in a block."""
    gotos = nodes.nodes_of_kind_within(span(then), "goto_statement")
    return min((block.end_byte, *(end_of_goto(nodes, it, where.end) for it in gotos)))


def end_of_goto(nodes: NodeIndex, goto: Node, end: int) -> int:
    """Return where the text ends that a `goto` passes over: at its label, or where that is above, at `end`."""
    label = goto.child_by_field_name("label")
    for it in nodes.nodes_of_kind_within(Span(goto.end_byte, end), "labeled_statement"):
        name = it.child_by_field_name("label")
        if name is not None and label is not None and nodes.text(name) == nodes.text(label):
            return it.start_byte
    return end


def _branches_of_cases(masked: MaskedCode, nodes: NodeIndex, node: Node, known: frozenset[bytes]) -> Iterator[Branch]:
    """Each case, under what `n == 1 || n == 2` says of it and of those that run on into it."""
    clause, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    tested = clause.child_by_field_name("value") if clause is not None else None
    if tested is None or body is None or masked.has_directive_in(node):
        return
    cases = [it for it in nodes.children(body) if it.type == "case_statement"]
    if nodes.has_error(body) or any(
        is_nested_case(nodes, it) for it in nodes.nodes_of_kind_within(span(body), "case_statement")
    ):
        return
    values = [it.child_by_field_name("value") for it in cases]
    every, entered = [it for it in values if it is not None], list[Node | None]()
    for case, value in zip(cases, values, strict=True):
        entered.append(value)
        wanted = None not in entered
        named = [it for it in entered if it is not None] if wanted else every
        if (wanted or len(entered) == 1) and named:
            said = b" || ".join(b"(%b) == (%b)" % (_node_text(masked, tested), _node_text(masked, it)) for it in named)
            at_run_time = mentions_any(said, 0, len(said), known)
            where = Span(value.end_byte if value is not None else case.start_byte, case.end_byte)
            yield Branch(where, UnparsedText(said, tested.start_byte), tested.end_byte, wanted, False, at_run_time)
        if _ends_in_jump(nodes, case, JUMPS):
            entered.clear()


def is_nested_case(nodes: NodeIndex, case: Node) -> bool:
    """Whether a case stands deeper in its switch than others, as in Duff's device."""
    block = nodes.parent(case)
    holder = nodes.parent(block) if block is not None else None
    return holder is None or holder.type != "switch_statement"


def _node_text(masked: MaskedCode, node: Node) -> bytes:
    return masked.plain[node.start_byte : node.end_byte]
