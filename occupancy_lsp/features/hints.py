"""Inlay hints: one per kernel at the end of its signature line, and one at a launch whose figure differs."""

from __future__ import annotations

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.features.answers import Hint
from occupancy_lsp.features.explain import explain, explain_launch
from occupancy_lsp.features.labels import figure_label, kernel_label, matrix_label
from occupancy_lsp.view import View

_MOST_REMEMBERED = 1_000
# By the identity of the report, which is kept here so that the identity stays its own.
_remembered: dict[int, tuple[KernelReport, str | None]] = {}


def hints(view: View, start: int, end: int) -> list[Hint]:
    """The hints between two offsets, in order."""
    near = view.source.items_between(start, end)
    found: list[Hint] = []
    for index, report in enumerate(view.reports):
        if report.kernel.item in near:
            at = view.span(report.kernel.name_place)[1]
            if start <= at <= end and (label := _label(view, index)):
                found.append(Hint(view.text.line_end(view.text.line_of(at)), label, f"kernel:{index}"))
        if report.launches:
            for order, launch in enumerate(report.launches):
                if launch.differs and launch.figure is not None and launch.launch.place.item in near:
                    after = view.span(launch.launch.place)[1]
                    if start <= after <= end:
                        text = figure_label(report, launch.figure, launch.local, 1)
                        found.append(Hint(after, text, f"launch:{index}:{order}"))
    return sorted(found, key=lambda hint: hint.offset)


def tooltip(view: View, key: str) -> str | None:
    """The Markdown behind a hint; None if the document has moved on."""
    kind, *numbers = key.split(":")
    try:
        index, *rest = (int(number) for number in numbers)
        report = view.reports[index]
        if kind == "launch":
            return explain_launch(view, report, report.launches[rest[0]])
        return explain(view, index) if kind == "kernel" else None
    except (IndexError, ValueError):
        return None


def _label(view: View, index: int) -> str | None:
    """Several devices chosen by the user stand side by side if there is room."""
    label = _kernel_label(view.reports[index])
    if label is None or not view.others or view.origin == "default":
        return label
    cells = [(row[index].device, _kernel_label(row[index])) for row in (view.reports, *view.others)]
    return matrix_label([(device, text) for device, text in cells if text]) or label


def _kernel_label(report: KernelReport) -> str | None:
    """A report is made anew when its kernel's text changes; the others on the screen stay."""
    known = _remembered.get(id(report))
    if known is None:
        if len(_remembered) >= _MOST_REMEMBERED:
            _remembered.clear()
        known = _remembered[id(report)] = report, kernel_label(report)
    return known[1]
