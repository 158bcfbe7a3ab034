"""Code lenses above kernels: the figure, or why there is none, and what can be done about it.

A lens takes only what is known already: that other bounds may help, counts and limits say; which, trying them does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.features.answers import Lens
from occupancy_lsp.features.hints import told_of
from occupancy_lsp.features.labels import size_wanted
from occupancy_lsp.rules.finding import short
from occupancy_lsp.session.compilations import can_compile
from occupancy_lsp.session.view import View, lacks_count
from occupancy_lsp.workspace.walk import is_unit

_MOST_KERNELS = 300  # of one file: a client asks for all lenses at once


def lenses(view: View) -> Iterator[Lens]:
    shown = (it for it in enumerate(view.reports) if it[1].defect is None and view.source.holds(it[1].kernel.head))
    for index, report in islice(shown, _MOST_KERNELS):
        start, name = view.span(report.kernel.head)[0], report.kernel.qualified
        yield Lens(start, short(_figure(view, index)), "panel", name)
        if view.path is not None and can_compile(report.language, report.device):
            if lacks_count(report):
                yield Lens(start, "Compile", "compile", name)
            elif is_unit(view.path) and _may_gain(report):
                yield Lens(start, "Try bounds", "bounds", name)
        yield Lens(start, "Panel", "panel", name)


def _figure(view: View, index: int) -> str:
    """As the hint says it; else what is missing, and why."""
    report = view.reports[index]
    if said := told_of(view, index):
        return said
    reading = not report.size.sizes and view.unread()
    why = "not read yet" if reading else report.size.reason
    return f"{size_wanted(report)} · {why}" if why else size_wanted(report)


def _may_gain(report: KernelReport) -> bool:
    """Whether fewer registers may let more work-groups in."""
    best = report.figure.highest if report.figure else None
    known = report.registers.lowest is not None
    return best is not None and known and best.percent < 100 and "registers" in best.limiters
