"""What inline assembly does: barriers that are no call, and tensor memory; macros that stand alone as statements."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set

from tree_sitter import Node

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import CallSite, NumberedBarrier, TensorMemory
from occupancy_lsp.source.syntax.blanking import BARRIER, SHARED, MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Expression
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.node_index import NodeIndex

# Names of what has to do with tensor memory: wrappers of its instructions, CUTLASS's classes, and usual variables.
TENSOR_MEMORY = r"tcgen05|UMMA|\bTMEM\b|[tT]mem_?(?:[aA]lloc|[pP]tr|[aA]ddr|[bB]ase|[lL]oad|[sS]tore|[cC]ol)"
_TENSOR_MEMORY = regex(TENSOR_MEMORY)
_ALLOCATION = regex(rb"\btcgen05\.alloc\b")
_ALLOCATING = regex(r"tcgen05_alloc(?![a-z])")
_ALLOCATORS = frozenset(("Allocator1Sm", "Allocator2Sm"))  # CUTLASS's
_OPERAND = regex(rb"%(\d{1,2})")


def numbered_barriers(masked: MaskedCode, nodes: NodeIndex, inside: Span) -> Iterator[NumberedBarrier]:
    """The barriers that assembly in the function names by number, or in ways that are not followed."""
    pieces = [it for it in masked.assembly if inside.start < it.start < inside.end]
    if not pieces:
        return
    statements = nodes.nodes_of_kind_within(inside, "gnu_asm_expression")
    starts = [it.start_byte for it in statements]
    for piece in pieces:
        before = bisect_right(starts, piece.start)
        around = statements[before - 1] if before and piece.start < statements[before - 1].end_byte else None
        operands = _operand_values(around) if around is not None else []
        for match in BARRIER.finditer(piece.text):
            # A cluster's takes the block's first one where a kernel may run without a cluster.
            yield NumberedBarrier(piece.start, _barrier_number(masked, match, operands), match["what"] != b"cluster")


def may_declare_shared(masked: MaskedCode, inside: Span) -> bool:
    """Whether assembly in the function may declare shared memory."""
    return any(inside.start < it.start < inside.end and SHARED.search(it.text) for it in masked.assembly)


def _barrier_number(masked: MaskedCode, match: re.Match[bytes], given: Sequence[Node]) -> Expression | None:
    if match["what"] == b"cluster":
        return parse_detached("0")
    operands = [it.strip() for it in match["operands"].split(b",")]
    index = 1 if match["what"] == b"red" else 0
    said = operands[index] if index < len(operands) else b""
    if said.isdigit():
        return parse_detached(said.decode())
    referred = _OPERAND.fullmatch(said)
    if referred is None or int(referred[1]) >= len(given):
        return None
    value = given[int(referred[1])]
    return masked.unparsed_expression(value)


def _operand_values(statement: Node) -> list[Node]:
    """The values of `asm("…" : "=r"(a) : "r"(b))`, as `%0` and on count them."""
    lists = (statement.child_by_field_name(it) for it in ("output_operands", "input_operands"))
    operands = (it for each in lists if each is not None for it in each.children_by_field_name("operand"))
    values = [it.child_by_field_name("value") for it in operands]
    return [it for it in values if it is not None]


def kind_of_tensor_memory_use(masked: MaskedCode, inside: Span, names: Set[str], owner: Sequence[str]) -> TensorMemory:
    """By instructions in a function's assembly; an allocation also by the names that it uses.

    CUTLASS's allocators themselves are only "used": whoever calls them says how much they take.
    """
    assembly = [it.text for it in masked.tensor_memory if inside.start < it.start < inside.end]
    named = b"tcgen05_alloc" in masked.code and any(map(_ALLOCATING.match, names))
    if "allocate" in names:
        named = named or not _ALLOCATORS.isdisjoint(names) or any(map(_TENSOR_MEMORY.search, names))
    if named or any(map(_ALLOCATION.search, assembly)):
        return "allocated" if _ALLOCATORS.isdisjoint(owner[-1:]) else "used"
    return "used" if assembly else ""


def names_as_statements(nodes: NodeIndex, inside: Span) -> list[CallSite]:
    """Names that stand in the function as whole statements, `SYNC;`"""
    found: list[CallSite] = []
    for node in nodes.nodes_of_kind_within(inside, "alone"):
        if node.named_child_count == 1 and (name := node.named_children[0]).type == "identifier":
            found.append(CallSite(nodes.text(name), None, (), node.start_byte))
    return found


def macros_as_statements(standing: Sequence[CallSite], times: Callable[[str], int]) -> tuple[CallSite, ...]:
    """Those that stand nowhere else: macros, or they do nothing. `times`: how often a name stands in the function."""
    counted = Counter(it.name for it in standing)
    return tuple(it for it in standing if counted[it.name] == times(it.name))
