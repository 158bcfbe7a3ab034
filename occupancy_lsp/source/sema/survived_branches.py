"""What surely holds where a variable still has a value that assignments in branches would have replaced."""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.source.syntax.expression_nodes import BranchTaken

Path = Sequence[BranchTaken]  # the branches that lead to an assignment


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
