"""Which budgets of the settings are in force, and which are for no kernel that there is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.settings import Budget, Settings
from occupancy_lsp.workspace.index import Index


def in_force(settings: Settings, today: date) -> tuple[Settings, tuple[Problem, ...]]:
    """The settings without the budgets that have ended, and a remark on each of these.

    They are not errors: the same commit must not pass on one day and fail on the next.
    """
    kept = tuple(it for it in settings.budgets if it.in_force(today))
    ended = tuple(_ended(it) for it in settings.budgets if not it.in_force(today))
    return replace(settings, budgets=kept), ended


def _ended(budget: Budget) -> Problem:
    said = f"the budget of '{budget.kernels[:40]}' ended on {budget.until} and is not checked"
    return Problem(budget.path, budget.line, budget.column, said, "remove it, or give it a later day", grave=False)


def without_kernels(
    budgets: Iterable[Budget], index: Index, kernels: Collection[str] = (), read: Collection[Path] = ()
) -> Iterator[Problem]:
    """A fault for each that matches none of `kernels`, qualified names of the files `read`, nor one of another file.

    Of other files the index knows the names without their namespaces.
    """
    defining = index.kernel_names()
    for budget in budgets:
        last = budget.kernels.rpartition("::")[2]
        if any(fnmatchcase(it, budget.kernels) for it in kernels):
            continue
        alike = [name for name in defining if fnmatchcase(name, last)]
        if all(path in read for name in alike for path in index.defining(name)):
            said = f"budget of '{budget.kernels[:40]}': no kernel here has such a name"
            remedy = "correct the glob, or remove the budget"
            yield Problem(budget.path, budget.line, budget.column, said, remedy)
