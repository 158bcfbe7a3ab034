"""OCC007: a budget of the settings is broken, or cannot be proved to be kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import LONGEST, Finding, Note, short
from occupancy_lsp.rules.promises import Metric, Promise, kept_if_fresh, on_devices, verdict
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Budget, Limit, Settings

_METRICS: dict[Limit, tuple[Metric, str]] = {
    "min_groups": ("groups", ">="),
    "min_percent": ("percent", ">="),
    "max_registers": ("registers", "<="),
    "max_local": ("local", "<="),
    "max_spill": ("spill", "<="),
}


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return any(fnmatchcase(report.kernel.qualified, it.kernels) for it in settings.budgets)


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    for budget in view.settings.budgets:
        if not fnmatchcase(report.kernel.qualified, budget.kernels):
            continue
        for on in on_devices(view, report, budget.devices):
            for limit, value in budget.limits:
                yield from _of_limit(on, budget, limit, value, view.settings.strict_budgets)


def _of_limit(on: KernelReport, budget: Budget, limit: Limit, value: float, strict: bool) -> Iterator[Finding]:
    metric, how = _METRICS[limit]
    promise = Promise(metric, how, value)
    found = verdict(on, promise)
    written, where = f"budget {limit} {promise.text(value)}", f"on {on.device.id[:24]}"
    source = f"{Path(budget.path).name[:24]}:{budget.line}"
    if found.state == "broken":
        yield _finding(on, f"{written} is broken: {found.said} {where}", source, budget)
    elif found.state == "open" and (strict or not kept_if_fresh(on, promise)):
        text = f"{written} cannot be proved {where}: {found.said}"
        yield replace(_finding(on, text, source, budget), severity="error" if strict else "warning")


def _finding(on: KernelReport, text: str, source: str, budget: Budget) -> Finding:
    """With the place in the settings where there is room for it; the reason beside it."""
    place = on.kernel.name_place
    full = f"{text} ({source})"
    notes = (Note(place, short(budget.reason)),) if budget.reason else ()
    return Finding(place, full if len(full) <= LONGEST else short(text), notes)


RULE = Rule(
    "OCC007",
    "error",
    "a budget in the settings is broken, or cannot be proved to be kept",
    check_view=_check,
    concerns=_concerns,
    hides_in_kernel=("OCC203",),
    needs_counts=True,
)
