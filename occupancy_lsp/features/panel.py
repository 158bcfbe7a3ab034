"""The panel beside the editor: one kernel's figure with its inputs as fields, charts, limits and the other devices.

What a person types into a field is a what-if: it stands in for the input on this page alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from occupancy_lsp.analysis.any_size import at_size
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.calculator.calculate import Rung, names_of, rungs
from occupancy_lsp.calculator.chart import Chart, bars, described
from occupancy_lsp.calculator.svg import drawing
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.features.charted import charts_of
from occupancy_lsp.features.explain import summary
from occupancy_lsp.features.hover_rows import label_text
from occupancy_lsp.features.panel_fields import Changes, Field, fields_of
from occupancy_lsp.features.plain import plain
from occupancy_lsp.features.tried import Ends, figure_with, proviso, read, sentence, size_of, tried
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.session.view import View


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart as SVG, and as the table that says the same, with a column for the device beside. `head`: of its columns.
    `said`: it in a sentence; `bars`: in a line of characters."""

    title: str
    svg: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    said: str
    bars: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A chosen device: what is said of the kernel there, and its occupancy from 0 to 100; None: not known."""

    id: str
    name: str
    said: str
    percent: float | None


@dataclass(frozen=True, slots=True)
class Panel:
    """`own`: the device that the file is shown for. `said`: the figure as it is in a sentence; `what_if`: that with the
    changes, "" without any; `fault`: why a value cannot be tried. `colours`: the limits that the charts have, by the
    class of their steps.
    """

    kernel: str
    line: int
    own: str
    device: str
    arch: str
    said: str
    what_if: str
    fault: str
    fields: tuple[Field, ...]
    pictures: tuple[Picture, ...]
    colours: tuple[tuple[str, str], ...]
    limits: tuple[Rung, ...]
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """`offset`: where the cursor is. `kernel`: the one that was shown last, which stays where the cursor is at none;
    `changes` are of it. `device`, `beside` "": the one that the file is shown for, none.
    """

    offset: int | None
    kernel: str = ""
    device: str = ""
    beside: str = ""
    changes: Mapping[str, object] = field(default_factory=dict)


def panel(view: View, asked: Asked) -> Panel | None:
    """None: no kernel stands there, or no such device is known."""
    index = kernel_of(view, asked)
    device = view.device_named(asked.device) if asked.device else view.device
    beside = view.device_named(asked.beside) if asked.beside else None
    if index is None or device is None or view.reports[index].defect is not None:
        return None
    report = view.report_on(index, device)
    about = report.kernel.qualified == asked.kernel
    changes, fault = read(device, asked.changes if about else {})
    figure = report.figure or at_size(report, size_of(changes))
    least, most = (figure.least, figure.most) if figure else (None, None)
    fields = fields_of(report, least, most, changes)
    ends = tried(device, figure, changes)
    told = ends if report.figure is not None or "group_size" in changes else None
    charts = _charts(report, ends, told is not None)
    return Panel(
        report.kernel.qualified,
        view.text.line_of(view.span(report.kernel.name_place)[0]) + 1,
        view.reports[index].device.name,
        device.name,
        device.arch.id,
        _said(report),
        sentence(device, told, proviso(report, changes)) if changes and told else "",
        fault,
        fields,
        _pictures(charts, _beside(view, index, beside, changes) if beside else (), beside.name if beside else ""),
        _colours(charts, device.nouns),
        _limits(device, told) if told else (),
        _bars(view, index, changes),
    )


def _said(report: KernelReport) -> str:
    """The figure in a sentence without the kernel's name, which stands above it."""
    told = plain((summary(report)[1:],)).lstrip(": ")
    return f"{told[:1].upper()}{told[1:]}"


def kernel_of(view: View, asked: Asked) -> int | None:
    named = (index for index, it in enumerate(view.reports) if it.kernel.qualified == asked.kernel)
    at = kernel_at(view, asked.offset) if asked.offset is not None else None
    return at if at is not None else next(named, None)


def kernel_at(view: View, offset: int) -> int | None:
    """The kernel whose text, or the line of a launch of which, holds the offset."""
    line = view.text.line_of(offset)
    for index, report in enumerate(view.reports):
        kernel = report.kernel
        if not view.source.holds(kernel.head):
            continue
        if view.span(kernel.head)[0] <= offset <= view.span(view.source.body_of(kernel))[1]:
            return index
        if any(view.text.line_of(view.span(it.launch.place)[0]) == line for it in report.launches):
            return index
    return None


def _beside(view: View, index: int, device: Device, changes: Changes) -> tuple[Chart, ...]:
    """Of another device, with what is known of the kernel there and the changes that mean something there."""
    report = view.report_on(index, device)
    if report.defect is not None:
        return ()
    values, fault = read(report.device, changes)
    ends = tried(report.device, report.figure or at_size(report, size_of(values)), values) if not fault else None
    return tuple(charts_of(report, ends[0][0], ends[1][0])) if ends else ()


def _charts(report: KernelReport, ends: Ends | None, sized: bool) -> tuple[Chart, ...]:
    """Without a size, only that over all sizes says something."""
    found = charts_of(report, ends[0][0], ends[1][0]) if ends else ()
    return tuple(it for it in found if sized or it.over == "group_size")


def _pictures(charts: Sequence[Chart], beside: Sequence[Chart], name: str) -> tuple[Picture, ...]:
    others = {it.over: it for it in beside}
    return tuple(_picture(it, others.get(it.over), name) for it in charts)


def _colours(charts: Sequence[Chart], words: Nouns) -> tuple[tuple[str, str], ...]:
    """Of the steps that are drawn."""
    steps = (step for chart in charts for step in (*chart.best, *chart.sure))
    drawn = {it.result.limiters[0] for it in steps if it.result.groups}
    return tuple((limit, said) for limit, said in names_of(words).items() if limit in drawn)


def _picture(chart: Chart, other: Chart | None, name: str) -> Picture:
    """`name`: of the device that `other` is of."""
    head = chart.head if other is None else (*chart.head, f"occupancy on {name}")
    rows = chart.rows() if other is None else chart.rows_beside(other)
    return Picture(f"By {chart.axis}", drawing(chart, other), head, tuple(rows), described(chart), bars(chart))


def _limits(device: Device, ends: Ends) -> tuple[Rung, ...]:
    """Of the least that it may need, as the hover's."""
    need, result = ends[0]
    found = rungs(device.arch, need, result, device.nouns)
    return tuple(it for it in found if it.binds or it.allows != "no limit")


def _bars(view: View, index: int, changes: Changes) -> tuple[Bar, ...]:
    """The chosen devices, where there are several."""
    reports = [row[index] for row in (view.reports, *view.others)]
    return tuple(_bar(it, changes) for it in reports) if len(reports) > 1 else ()


def _bar(report: KernelReport, changes: Changes) -> Bar:
    device = report.device
    values, fault = read(device, changes)
    if fault:
        return Bar(device.id, device.name, fault, None)
    ends = tried(device, figure_with(report, values), values)
    if ends is None:
        return Bar(device.id, device.name, label_text(report), None)
    said = sentence(device, ends, proviso(report, values)) if changes else label_text(report)
    return Bar(device.id, device.name, said, ends[0][1].percent)
