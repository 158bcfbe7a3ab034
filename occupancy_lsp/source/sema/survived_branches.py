"""What surely holds where a variable still has a value that assignments in branches would have replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from occupancy_lsp.source.sema import interval_domain
from occupancy_lsp.source.sema.comparisons import AssumedCondition
from occupancy_lsp.source.sema.interval_domain import Range
from occupancy_lsp.source.sema.ranges_under_conditions import range_under_condition
from occupancy_lsp.source.sema.scope import AssignmentBranches, ItemScope
from occupancy_lsp.source.syntax.expression_nodes import BranchTaken, Expression
from occupancy_lsp.source.syntax.integer_types import IntegerType

Path = Sequence[BranchTaken]  # the branches that lead to an assignment


def paths_beside(
    label: str,
    own: Expression,
    values: Sequence[tuple[Expression, ItemScope]],
    parts: Sequence[Expression],
    branches: Sequence[AssignmentBranches],
) -> Mapping[int, Sequence[Path]]:
    """By the index of a value, the paths to assignments that would have replaced it."""
    found: dict[int, list[Path]] = {}
    of = {(value, there.offset): index for index, (value, there) in enumerate(values)}
    for index, it in enumerate(branches):
        if not it.since or parts[index] == own:
            continue
        scope = values[index][1].at(it.since[-1].tested)
        before = scope.local(label)
        replaced = of.get((before.value, before.start)) if before is not None else None
        if replaced is not None and replaced != index:
            found.setdefault(replaced, []).append(it.since)
    return found


def branches_taken_beside(paths: Sequence[Path]) -> Sequence[BranchTaken] | None:
    """Return the branches that were taken if none of the paths was; None: one of them always is.

    A condition is known by where it is tested. Of a path of which all branches but one were taken, that one was not.
    """
    known: dict[int, BranchTaken] = {}
    left = list(paths)
    for _ in paths:
        undecided: list[Path] = []
        for path in left:
            if any(it.tested in known and known[it.tested].wanted is not it.wanted for it in path):
                continue
            unknown = [it for it in path if it.tested not in known]
            if not unknown:
                return None
            if len(unknown) > 1:
                undecided.append(path)
                continue
            (branch,) = unknown
            known[branch.tested] = BranchTaken(branch.condition, branch.tested, not branch.wanted)
        if len(undecided) == len(left):
            break
        left = undecided
    return tuple(known.values())


def range_if_survived(
    own: Expression,
    part: Expression,
    found: Range,
    there: ItemScope,
    taken: Sequence[BranchTaken],
    kind: IntegerType | None,
) -> Range:
    """Of a variable that the assignment at `there` gave `part`, with what the branches taken since say of either.

    It is converted to the variable's type only if they say something of the variable itself: a number below 0 is none
    that a launch takes, and would be any.
    """
    conditions = [AssumedCondition(it.condition, there.at(it.tested), it.wanted) for it in taken]
    for it in conditions:
        found = range_under_condition(part, found, there, it)
    held = interval_domain.converted_range(found, kind) if kind is not None else found
    limited = held
    for it in conditions:
        limited = range_under_condition(own, limited, it.scope, it)
    return found if limited == held else limited
