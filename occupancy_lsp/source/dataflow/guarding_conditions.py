"""Which conditions decide whether an assignment is reached: those of the `if` around it."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import BranchTaken
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

_ENTERED = ("labeled_statement", "case_statement")  # from elsewhere


def guarding_branches(
    masked: MaskedCode, nodes: NodeIndex, regions: ConditionRegions, taken: Sequence[tuple[Node, Node]]
) -> tuple[BranchTaken, ...]:
    """Return the branches that `taken` names; nothing where they may not be all that decides."""
    if not taken:
        return ()
    whole = taken[-1][0]
    if len({conditions for _, conditions in regions.pieces_with_conditions(span(whole))}) > 1:
        return ()
    if nodes.has_error(whole) or any(nodes.nodes_of_kind_within(span(whole), it) for it in _ENTERED):
        return ()
    found = [_branch_taken(masked, *it) for it in taken]
    return tuple(it for it in found if it is not None) if None not in found else ()


def _branch_taken(masked: MaskedCode, statement: Node, branch: Node) -> BranchTaken | None:
    condition = statement.child_by_field_name("condition")
    value = condition.child_by_field_name("value") if condition is not None else None
    if value is None or value.type == "declaration":
        return None
    text = masked.unparsed_expression(value)
    return BranchTaken(text, value.end_byte, branch == statement.child_by_field_name("consequence"))
