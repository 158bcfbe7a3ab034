"""OCC007: a budget of the settings is broken, or cannot be proved to be kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import LONGEST, Finding, Note, short
from occupancy_lsp.rules.promises import Metric, Promise, Verdict, kept_if_fresh, on_devices, verdict
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


@dataclass(frozen=True, slots=True)
class Breach:
    """What became of one limit of a budget on one device; it may be kept. `report`: on the selected one."""

    budget: Budget
    limit: Limit
    promise: Promise
    report: KernelReport
    on: KernelReport
    found: Verdict

    @property
    def written(self) -> str:
        return f"{self.limit} {self.promise.text(self.promise.value)}"


def promises(settings: Settings, report: KernelReport) -> Iterator[Promise]:
    """Those of all budgets of the kernel, for whatever device."""
    for budget in settings.budgets:
        if fnmatchcase(report.kernel.qualified, budget.kernels):
            yield from (Promise(*_METRICS[limit], value) for limit, value in budget.limits)


def breaches(view: View, report: KernelReport) -> Iterator[Breach]:
    for budget in view.settings.budgets:
        if not fnmatchcase(report.kernel.qualified, budget.kernels):
            continue
        for on in on_devices(view, report, budget.devices):
            for limit, value in budget.limits:
                promise = Promise(*_METRICS[limit], value)
                yield Breach(budget, limit, promise, report, on, verdict(on, promise))


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    for it in breaches(view, report):
        yield from _said(it, view.settings.strict_budgets)


def _said(it: Breach, strict: bool) -> Iterator[Finding]:
    on, found, budget = it.on, it.found, it.budget
    written, where = f"budget {it.written}", f"on {on.device.id[:24]}"
    source = f"{Path(budget.path).name[:24]}:{budget.line}"
    if found.state == "broken":
        yield _finding(on, f"{written} is broken: {found.said} {where}", source, budget)
    elif found.state == "open" and (strict or not kept_if_fresh(on, it.promise)):
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
