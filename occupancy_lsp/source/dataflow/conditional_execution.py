"""What text of a host function runs only under conditions: of loops, of `?:` and `&&`, and behind what leaves a block.

Device code is not asked for these: `lower/possibly_unreachable_regions.py` tells what a compiler makes of them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.macro_argument_launches import launches_given_to_macros
from occupancy_lsp.source.dataflow.scope_of_effect import NO_RETURN, kind_of_exit, may_break_out, may_not_return
from occupancy_lsp.source.dataflow.unreachable_statements import (
    MAY_LABEL,
    statements_before_cases,
    unused_lambda_bodies,
)
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.branches import is_nested_case
from occupancy_lsp.source.lower.calls import call_site, callee
from occupancy_lsp.source.lower.item_facts import Branch, CallSite, Function, LeavingStatement
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode, mask_for_grammar
from occupancy_lsp.source.syntax.expression_nodes import BranchTaken, UnparsedText
from occupancy_lsp.source.syntax.node_index import NodeIndex, index_nodes
from occupancy_lsp.source.syntax.parser import span

# What they leave, is told by what stands in them.
_ASKED_WITHIN = ("compound_statement", "case_statement", "expression_statement", "declaration")
_RETURN = "return_statement"
_RETURNS = regex(rb"\breturn\b")
_ASIDE = ("lambda_expression", "conditional_expression", "logical")  # in which a call may not be made
_OF_LOOPS = ("break_statement", "continue_statement")
_DEEPEST, _MOST = 64, 2000  # statements in one another, and what is passed over in one function
_WORD = regex(r"[A-Za-z_]\w*")
_CHANGES = regex(rb"\w\s*\(|\+\+|--|<<=|>>=|(?<![=!<>])=(?!=)")
_STEPS = regex(rb"\+\+|--")
_COMPARES = regex(rb"\A\s*(?:[<>]=?|[=!]=)|(?:[<>]=?|[=!]=)\s*\Z")
_GIVEN = regex(rb"\s*(\w+)\s*=\s*(\d{1,2})\s*;?\s*")  # few enough for every type
_NEVER, _ALWAYS = b"0", b"1"


def with_execution_conditions(
    masked: MaskedCode,
    nodes: NodeIndex,
    regions: ConditionRegions,
    functions: Sequence[Function],
    hosts: Sequence[Span],
) -> Iterator[Function]:
    """Yield the functions; those among `hosts` with all conditions under which their text runs."""
    ends = {it.end for it in hosts}
    bodies = (it.child_by_field_name("body") for it in nodes.nodes_of_kind("function_definition"))
    followed = {it.start_byte: it for it in bodies if it is not None and it.end_byte in ends}
    for function in functions:
        body = followed.get(function.body.start)
        yield function if body is None else _with_conditions(masked, nodes, regions, function, body)


def with_leaving_statements(
    masked: MaskedCode, nodes: NodeIndex, regions: ConditionRegions, functions: Sequence[Function]
) -> Iterator[Function]:
    """Yield the functions of host code that is not followed, with what may leave them."""
    bodies = (it.child_by_field_name("body") for it in nodes.nodes_of_kind("function_definition"))
    known = {it.start_byte: it for it in bodies if it is not None}
    for function in functions:
        body = known.get(function.body.start)
        if (
            body is None
            or function.specifiers.space != "host"
            or not (function.mentions.calls or function.mentions.alone)
        ):
            yield function
            continue
        behind = _Leaving(masked, nodes, regions, _entry_points(nodes, function.body)).find_leaving_statements(body)
        stops = tuple(it for it in behind if not _surely_leaves(it))
        yield structs.replace(function, flow=structs.replace(function.flow, stops=stops))


def _with_conditions(
    masked: MaskedCode, nodes: NodeIndex, regions: ConditionRegions, function: Function, body: Node
) -> Function:
    labels = _entry_points(nodes, function.body)
    where = span(body)
    behind = tuple(_Leaving(masked, nodes, regions, labels).find_leaving_statements(body))
    sure = [it.span for it in behind if _surely_leaves(it)]
    never = (Branch(it, UnparsedText(_NEVER, it.start), it.start, True, False) for it in sure)
    found = (
        *function.flow.branches,
        *_loop_body_branches(masked, nodes, where),
        *_conditional_operand_branches(masked, nodes, where),
        *_if_declaration_branches(masked, nodes, where),
        *never,
        *(
            Branch(it, UnparsedText(_NEVER, it.start), it.start, True, False)
            for it in statements_before_cases(masked, nodes, where)
        ),
    )
    alone = (it for it in found if not any(it.span.start <= at < it.span.end for at in labels))
    flow = structs.replace(
        function.flow,
        branches=tuple(sorted(alone, key=lambda it: it.condition.base)),
        stops=(
            *(it for it in behind if not _surely_leaves(it)),
            *map(_skip_of_uncalled_lambda, unused_lambda_bodies(masked, nodes, where)),
        ),
        in_macros=tuple(launches_given_to_macros(masked, nodes, where)),
    )
    return structs.replace(function, flow=flow)


@remembered(1024)
def leaving_statements_of_macro(statements: bytes, dialect: Dialect) -> Sequence[LeavingStatement]:
    """Of statements that a macro stands for, as those of a function whose body they are, but for what hangs on
    variables that they declare. The last place of that is behind them."""
    masked = mask_for_grammar(b"void f() {%b;}" % statements, dialect)
    nodes, regions = index_nodes(masked.code), ConditionRegions(masked.lines)
    body = next((it.child_by_field_name("body") for it in nodes.nodes_of_kind("function_definition")), None)
    if body is None or masked.macros.torn or nodes.has_error(body):
        return ()
    nodes.mark_governed_statements(masked.macros.governed)
    own = {word for it in nodes.nodes_of_kind("declaration") for word in _WORD.findall(nodes.text(it))}
    found = _Leaving(masked, nodes, regions, _entry_points(nodes, span(body))).find_leaving_statements(body)
    return [
        it for it in found if not any(own.intersection(_WORD.findall(way.condition.text.decode())) for way in it.ways)
    ]


def _skip_of_uncalled_lambda(body: Span) -> LeavingStatement:
    """What is told, but does not run."""
    return LeavingStatement(
        body, body.start, (BranchTaken(UnparsedText(_ALWAYS, body.start), body.start, True),), (), False
    )


def _surely_leaves(stop: LeavingStatement) -> bool:
    return not stop.ways and not stop.calls


def _entry_points(nodes: NodeIndex, where: Span) -> list[int]:
    """Return where text is entered from elsewhere, whatever stands around it."""
    cases = (it for it in nodes.nodes_of_kind_within(where, "case_statement") if is_nested_case(nodes, it))
    return [it.start_byte for it in (*nodes.nodes_of_kind_within(where, "labeled_statement"), *cases)]


def _branch_of_condition(
    masked: MaskedCode, condition: Node, governed: Node, tested: int, wanted: bool = True
) -> Branch:
    said = b"" if masked.has_directive_in(condition) else masked.plain[condition.start_byte : condition.end_byte]
    return Branch(span(governed), UnparsedText(said, condition.start_byte), tested, wanted, False)


def _loop_body_branches(masked: MaskedCode, nodes: NodeIndex, where: Span) -> Iterator[Branch]:
    """Yield the bodies, by what the conditions say before the first round."""
    for node in nodes.nodes_of_kind_within(where, "while_statement"):
        clause, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        value = clause.child_by_field_name("value") if clause is not None else None
        if value is not None and body is not None and value.type != "declaration":
            yield _first_iteration_branch(masked, nodes, node, value, body, None)
    for node in nodes.nodes_of_kind_within(where, "for_statement"):
        value, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        start = node.child_by_field_name("initializer")
        if value is not None and body is not None:
            yield _first_iteration_branch(masked, nodes, node, value, body, start)


def _first_iteration_branch(
    masked: MaskedCode, nodes: NodeIndex, loop: Node, condition: Node, body: Node, start: Node | None
) -> Branch:
    """What is asked before the first round; there, `n-- > 0` is `n > 0`, and `i` is what `i = 0` gave it."""
    given = _GIVEN.fullmatch(masked.plain, start.start_byte, start.end_byte) if start is not None else None
    if given is not None and not masked.has_directive_in(loop) and loop.start_byte not in nodes.governed:
        said = masked.plain[condition.start_byte : condition.end_byte]
        if not (_CHANGES.search(said) or MAY_LABEL.search(said)):
            at_first = re.sub(rb"\b%b\b" % given[1], given[2], said)
            return Branch(span(body), UnparsedText(at_first, condition.start_byte), loop.start_byte - 1, True, False)
    first = (
        _rewrite_with_value_before_increment(masked, nodes, condition)
        if _STEPS.search(masked.plain, condition.start_byte, condition.end_byte)
        else None
    )
    if first is not None and (start is None or start.type == "declaration") and loop.start_byte not in nodes.governed:
        tested = start.end_byte - 1 if start is not None else loop.start_byte - 1
        return Branch(span(body), UnparsedText(first, condition.start_byte), tested, True, False)
    return _branch_of_condition(masked, condition, body, _position_of_loop_test(masked, nodes, loop, condition, start))


def _rewrite_with_value_before_increment(masked: MaskedCode, nodes: NodeIndex, condition: Node) -> bytes | None:
    """A condition that only counts one variable, over what that was before, with all else in its place; None: it is
    none."""
    where = span(condition)
    steps = nodes.nodes_of_kind_within(where, "update_expression")
    text = masked.plain[where.start : where.end]
    step = steps[0] if len(steps) == 1 and not masked.has_directive_in(condition) else None
    name = step.child_by_field_name("argument") if step is not None else None
    outer = nodes.parent(step) if step is not None and step != condition else None
    if step is None or name is None or name.type != "identifier":
        return None
    said = nodes.text(step).encode()
    at, word = step.start_byte - where.start, nodes.text(name).encode()
    rest = text[:at] + b" " * len(said) + text[at + len(said) :]
    if _CHANGES.search(rest) or MAY_LABEL.search(rest) or re.search(rb"\b%b\b" % word, rest):
        return None
    if said.startswith(word):
        before = word.ljust(len(said))
    elif outer is None or (outer.type == "binary_expression" and _COMPARES.search(rest)):
        before = said[2:].strip() + said[:1] + b"1"
    else:
        return None
    return text[:at] + before.ljust(len(said)) + text[at + len(said) :]


def _position_of_loop_test(
    masked: MaskedCode, nodes: NodeIndex, loop: Node, condition: Node, start: Node | None
) -> int:
    """Return where the condition is what it is before the first round, else where it is so in every round. What rounds
    change is in force from behind the loop's `start`, or where the loop itself is; so is what the condition changes."""
    where = span(condition)
    if any(it.search(masked.plain, where.start, where.end) for it in (_CHANGES, MAY_LABEL)):
        return where.end
    if start is None:
        return loop.start_byte - 1 if loop.start_byte not in nodes.governed else where.end
    return start.end_byte - 1 if start.type == "declaration" else where.end


def _if_declaration_branches(masked: MaskedCode, nodes: NodeIndex, where: Span) -> Iterator[Branch]:
    """Yield what `if (int n = f())` governs, by what the variable is given."""
    for node in nodes.nodes_of_kind_within(where, "if_statement"):
        condition, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        made = condition.child_by_field_name("value") if condition is not None else None
        given = made.child_by_field_name("value") if made is not None and made.type == "declaration" else None
        if given is not None and then is not None:
            yield _branch_of_condition(masked, given, then, given.end_byte)


def _conditional_operand_branches(masked: MaskedCode, nodes: NodeIndex, where: Span) -> Iterator[Branch]:
    """Yield what stands behind `?`, `:`, `&&` and `||`, if it calls something."""
    for node in nodes.nodes_of_kind_within(where, "conditional_expression"):
        condition = node.child_by_field_name("condition")
        for field, wanted in (("consequence", True), ("alternative", False)):
            it = node.child_by_field_name(field)
            if condition is not None and it is not None and nodes.nodes_of_kind_within(span(it), "call_expression"):
                yield _branch_of_condition(masked, condition, it, condition.end_byte, wanted)
    for node in nodes.nodes_of_kind_within(where, "logical"):
        left, right, operator = (node.child_by_field_name(it) for it in ("left", "right", "operator"))
        if left is not None and right is not None and nodes.nodes_of_kind_within(span(right), "call_expression"):
            yield _branch_of_condition(
                masked, left, right, left.end_byte, operator is not None and operator.type == "&&"
            )


@dataclass(frozen=True, slots=True)
class _Leave:
    """A statement at `start`, of that kind, that leaves what is around it: as `LeavingStatement` says."""

    start: int
    kind: str
    ways: tuple[BranchTaken, ...] = ()
    calls: tuple[CallSite, ...] = ()

    def under_condition(self, way: BranchTaken) -> _Leave:
        return _Leave(self.start, self.kind, (way, *self.ways), self.calls)


class _Leaving:
    """Looks for what statements of a function leave what is around them. `labels`: where text is entered from
    elsewhere."""

    def __init__(self, masked: MaskedCode, nodes: NodeIndex, regions: ConditionRegions, labels: Sequence[int]) -> None:
        self._masked, self._nodes, self._regions, self._labels = masked, nodes, regions, sorted(labels)
        self._found: list[LeavingStatement] = []

    def find_leaving_statements(self, body: Node) -> Sequence[LeavingStatement]:
        """What stands behind those in the function and its lambdas."""
        inner = (
            it.child_by_field_name("body") for it in self._nodes.nodes_of_kind_within(span(body), "lambda_expression")
        )
        for each in (body, *inner):
            if each is not None:
                self._exits_of_block(each, each.end_byte)
        return self._found

    def _exits_of_statement(self, node: Node, depth: int = 0) -> Iterator[_Leave]:
        """Those in a statement behind which it is not reached."""
        if node.start_byte in self._nodes.governed or depth > _DEEPEST:
            return
        inside = [*self._exits_within(node, depth)]
        if node.type == "throw_statement":  # which tells who calls that it is left, too
            inside.append(_Leave(node.start_byte, "", (self._unconditional_branch(node),)))
        whole = None if node.type in _ASKED_WITHIN else self._exit_by_statement(node)
        for it in inside if whole is None else (*inside, whole):
            if not self._has_entry_point(node, inside=True) and not self._may_be_compiled_apart(
                it.start, node.start_byte
            ):
                yield it

    def _may_be_compiled_apart(self, one: int, other: int) -> bool:
        """Whether the preprocessor may leave out what stands at one of two places alone."""
        return self._regions.any and self._regions.at(one) != self._regions.at(other)

    def _exits_within(self, node: Node, depth: int) -> Iterator[_Leave]:
        nodes, field = self._nodes, node.child_by_field_name
        match node.type:
            case "compound_statement":
                yield from self._exits_of_block(node, 0, depth)
            case "else_clause" | "labeled_statement":
                for inner in nodes.children(node):
                    yield from self._exits_of_statement(inner, depth + 1)
            case "if_statement":
                for name, wanted in (("consequence", True), ("alternative", False)):
                    yield from self._exits_under_condition(field("condition"), None, wanted, field(name), depth)
            case "while_statement" | "for_statement" | "do_statement":
                yield from self._exits_by_endless_loop(node)
                tested = None if node.type == "do_statement" else field("condition")
                for it in self._exits_under_condition(tested, node, True, field("body"), depth):
                    if it.kind not in _OF_LOOPS and not self._may_break_before(node, it.start):
                        yield it
            case "switch_statement":
                for it in self._exits_of_cases(node, depth):
                    if it.kind != "break_statement" and not self._may_break_before(node, it.start):
                        yield it
            case "try_statement" | "catch_clause" | "for_range_loop":
                for inner in nodes.children(node):  # of which it is not known what it leaves
                    list(self._exits_of_statement(inner, depth + 1))
            case "expression_statement" | "declaration":
                yield from self._exits_by_calls(node)

    def _exit_by_statement(self, node: Node) -> _Leave | None:
        """A statement that surely leaves, if none of its calls returns of which that is expected."""
        if not kind_of_exit(self._nodes, node, self._regions) or self._masked.has_directive_in(node):
            return None
        nodes, where = self._nodes, span(node)
        calls = (it for it in nodes.nodes_of_kind_within(where, "call_expression") if callee(nodes, it) in NO_RETURN)
        own = _RETURN if _RETURNS.search(self._masked.code, where.start, where.end) else node.type
        kind = next((it for it in _OF_LOOPS if nodes.nodes_of_kind_within(where, it)), own)
        return _Leave(node.end_byte - 1, kind, (), tuple(call_site(nodes, it) for it in calls))

    def _exits_under_condition(
        self, condition: Node | None, loop: Node | None, wanted: bool, statement: Node | None, depth: int
    ) -> Iterator[_Leave]:
        """Those in what a condition governs. `loop`: that it is of, in which it is tested first."""
        found = self._exits_of_statement(statement, depth + 1) if statement is not None else ()
        if condition is None:
            yield from found
            return
        value = condition.child_by_field_name("value") or condition
        tested = value.end_byte
        if loop is not None:
            start = loop.child_by_field_name("initializer")
            tested = _position_of_loop_test(self._masked, self._nodes, loop, value, start)
        for it in found:
            if value.type not in ("declaration", "condition_clause") and not self._masked.has_directive_in(condition):
                yield it.under_condition(BranchTaken(self._masked.unparsed_expression(value), tested, wanted))

    def _exits_by_endless_loop(self, loop: Node) -> Iterator[_Leave]:
        """The loop itself, which goes on as long as its condition holds in every round."""
        condition, where = loop.child_by_field_name("condition"), span(loop)
        value = (condition.child_by_field_name("value") or condition) if condition is not None else None
        if loop.type == "for_statement" and condition is None and not may_break_out(self._nodes, loop):
            yield _Leave(where.start, "", (self._unconditional_branch(loop),))
        if value is None or value.type in ("declaration", "condition_clause") or self._masked.has_directive_in(loop):
            return
        if not may_break_out(self._nodes, loop):
            tested = value.named_children[0] if value.type == "parenthesized_expression" else value
            yield _Leave(
                where.start, "", (BranchTaken(self._masked.unparsed_expression(tested), tested.end_byte, True),)
            )

    def _unconditional_branch(self, node: Node) -> BranchTaken:
        return BranchTaken(UnparsedText(_ALWAYS, node.start_byte), node.start_byte, True)

    def _may_break_before(self, node: Node, before: int) -> bool:
        """Whether something in a loop or `switch` may end it, or its round, before that place."""
        each = ("break_statement", "continue_statement", "goto_statement")
        return any(it.start_byte < before for kind in each for it in self._nodes.nodes_of_kind_within(span(node), kind))

    def _exits_of_cases(self, node: Node, depth: int) -> Iterator[_Leave]:
        clause, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        tested = clause.child_by_field_name("value") if clause is not None else None
        for case in self._nodes.children(body) if body is not None else ():
            value = case.child_by_field_name("value")
            found = self._exits_of_block(case, 0, depth) if case.type == "case_statement" else ()
            for it in found:
                if value is not None and tested is not None and not self._masked.has_directive_in(node):
                    said = b"(%b) == (%b)" % (
                        self._masked.unparsed_expression(tested).text,
                        self._masked.unparsed_expression(value).text,
                    )
                    yield it.under_condition(BranchTaken(UnparsedText(said, tested.start_byte), tested.end_byte, True))

    def _exits_by_calls(self, node: Node) -> Iterator[_Leave]:
        """What an expression surely calls, or names alone, if it may not return."""
        nodes = self._nodes
        if self._masked.plain.find(b"(", node.start_byte, node.end_byte) < 0:
            if [it.type for it in node.named_children] == ["identifier"] and node.type == "expression_statement":
                name = nodes.text(node.named_children[0])
                yield _Leave(node.start_byte, "", (), (CallSite(name, None, None, node.start_byte),))
            return
        if self._masked.has_directive_in(node):
            return
        calls = [
            it for it in nodes.nodes_of_kind_within(span(node), "call_expression") if may_not_return(callee(nodes, it))
        ]
        kinds = _ASIDE if calls else ()
        aside = [it for kind in kinds for it in nodes.nodes_of_kind_within(span(node), kind)]
        for it in calls:
            apart = any(other.start_byte <= it.start_byte < other.end_byte for other in aside)
            if not apart and not nodes.has_child_of_kind(it, "kernel_call_syntax"):
                yield _Leave(node.start_byte, "", (), (call_site(nodes, it),))

    def _exits_of_block(self, block: Node, end: int, depth: int = 0) -> Sequence[_Leave]:
        """Those in a block. `end`: of a function that it is the body of."""
        statements = self._nodes.children(block)
        found: list[_Leave] = []
        entered = self._end_offsets_before_next_entry(statements, end)
        for index, statement in enumerate(statements):
            each = [*self._exits_of_statement(statement, depth + 1)]
            found += each
            start, last = statement.end_byte, entered[index]
            if last > start and len(self._found) < _MOST:
                for it in each:
                    self._found.append(
                        LeavingStatement(Span(start, last), it.start, it.ways, it.calls, it.kind == _RETURN)
                    )
        return found

    def _end_offsets_before_next_entry(self, statements: Sequence[Node], last: int) -> Sequence[int]:
        """Behind each statement, how far it goes on until a label, a macro or the preprocessor may let it be entered.
        `last`: what the block ends with."""
        plain = self._masked.plain
        ends = [0] * len(statements)
        end = last
        for index in range(len(statements) - 1, -1, -1):
            it = statements[index]
            ends[index] = max(end, it.end_byte)
            before = statements[index - 1] if index else None
            end = ends[index]
            apart = before is not None and (
                bool(MAY_LABEL.search(plain, before.end_byte, it.start_byte))
                or self._may_be_compiled_apart(before.start_byte, it.start_byte)
            )
            if (
                apart
                or it.type == "case_statement"
                or MAY_LABEL.match(plain, it.start_byte)
                or self._has_entry_point(it)
            ):
                end = 0
        return ends

    def _has_entry_point(self, node: Node, inside: bool = False) -> bool:
        """Whether it is entered from elsewhere; `inside`: behind its start."""
        at = bisect_left(self._labels, node.start_byte + inside)
        return at < len(self._labels) and self._labels[at] < node.end_byte
