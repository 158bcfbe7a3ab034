"""Launches that stand among what a macro is given, or under one that may be a head: under which conditions of the
macro's own text they run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import GivenToMacro
from occupancy_lsp.source.syntax.blanking import MaskedCode, mask_for_grammar
from occupancy_lsp.source.syntax.expression_nodes import BranchTaken, UnparsedText
from occupancy_lsp.source.syntax.node_index import NodeIndex, index_nodes
from occupancy_lsp.source.syntax.parser import span

_MARK = "what_is_governed"  # stands for it in the macro's text
_LAUNCH = "kernel_call_syntax"
_APART = ("lambda_expression", "function_definition")
_LONGEST = 4096  # texts of uses that are looked at
_WORD = regex(rb"[A-Za-z_]\w*")
_START = regex(rb"\s*(?:(?:const|unsigned|int|size_t|auto|long)\s+)+(\w+)\s*=\s*([\w.]+|\([\w\s+*-]+\))\s*;?\s*")


def launches_given_to_macros(masked: MaskedCode, nodes: NodeIndex, where: Span) -> Iterator[GivenToMacro]:
    """The launches in `where` that may be among a macro's arguments, and the statements that a macro may govern."""
    for chevrons in nodes.nodes_of_kind_within(where, _LAUNCH):
        launch = nodes.parent(chevrons)
        outer = launch
        while launch is not None and outer is not None and outer.type not in _APART:
            outer = nodes.parent(outer)
            if outer is not None and outer.type == "call_expression" and not nodes.has_child_of_kind(outer, _LAUNCH):
                yield from _macro_use_around_launch(masked, span(launch), span(outer))
    for it in masked.macros.governed:
        if it.statement in nodes.governed and where.start <= it.statement < where.end:
            node: Node | None = nodes.innermost_at(it.statement, it.statement + 1)
            end = it.statement
            while node is not None and node.start_byte == it.statement:
                end, node = node.end_byte, nodes.parent(node)
            text = masked.plain[it.start : it.end].decode("utf-8", "replace")
            yield GivenToMacro(Span(it.statement, end), f"{text} {{ {_MARK}(); }}", it.start)


def _macro_use_around_launch(masked: MaskedCode, launch: Span, use: Span) -> Iterator[GivenToMacro]:
    if use.end - use.start <= _LONGEST:
        plain = masked.plain
        text = plain[use.start : launch.start] + f"{_MARK}()".encode() + plain[launch.end : use.end]
        yield GivenToMacro(launch, text.decode("utf-8", "replace"), use.start)


@remembered(1024)
def execution_conditions_in_expansion(text: str, dialect: Dialect) -> Sequence[Sequence[BranchTaken]] | None:
    """Under which conditions what is governed runs, at each place at which it stands in a text; None: that cannot be
    told. Conditions about variables that the text declares are left out."""
    masked = mask_for_grammar(b"void f() {%b;}" % text.encode(), dialect)
    nodes = index_nodes(masked.code)
    body = next((it.child_by_field_name("body") for it in nodes.nodes_of_kind("function_definition")), None)
    if body is None or masked.macros.torn or nodes.has_error(body):
        return None
    own = {word for it in nodes.nodes_of_kind("declaration") for word in _WORD.findall(nodes.text(it).encode())}
    calls = nodes.nodes_of_kind_within(span(body), "call_expression")
    marks = [it for it in calls if nodes.text(it).startswith(_MARK)]
    return [
        tuple(it for it in _enclosing_branches(masked, nodes, mark) if own.isdisjoint(_WORD.findall(it.condition.text)))
        for mark in marks
    ]


def _enclosing_branches(masked: MaskedCode, nodes: NodeIndex, inner: Node) -> Iterator[BranchTaken]:
    while (outer := nodes.parent(inner)) is not None:
        condition = outer.child_by_field_name("condition")
        value = (condition.child_by_field_name("value") or condition) if condition is not None else None
        if value is not None and inner == outer.child_by_field_name("consequence"):
            yield BranchTaken(_unparsed_text(masked, value), 0, True)
        elif value is not None and inner == outer.child_by_field_name("alternative"):
            yield BranchTaken(_unparsed_text(masked, value), 0, False)
        elif value is not None and outer.type in ("while_statement", "for_statement"):
            said = _first_iteration_condition(masked, outer, value)
            if inner == outer.child_by_field_name("body") and said is not None:
                yield BranchTaken(said, 0, True)
        inner = outer


def _first_iteration_condition(masked: MaskedCode, loop: Node, condition: Node) -> UnparsedText | None:
    """What is asked before the first round, with the value that a counter is declared with in its place."""
    said, start = _unparsed_text(masked, condition), loop.child_by_field_name("initializer")
    if start is None:
        return said
    declared = _START.fullmatch(masked.plain, start.start_byte, start.end_byte)
    if declared is None:
        return None
    word, value = declared.groups()
    return UnparsedText(re.sub(rb"\b%b\b" % word, b"(%b)" % value, said.text), 0)


def _unparsed_text(masked: MaskedCode, node: Node) -> UnparsedText:
    return UnparsedText(masked.plain[node.start_byte : node.end_byte], 0)
