"""What people promise of a kernel, in contracts and budgets: whether it is surely kept, surely broken, or open."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from occupancy_lsp.analysis.inputs import GroupSize
from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.wording import bytes_text, percent_text
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Occupancy
from occupancy_lsp.rules.elsewhere import reads_alike
from occupancy_lsp.rules.proof import local_bytes, proved_figure
from occupancy_lsp.session.project import runs
from occupancy_lsp.session.view import View

Metric = Literal["percent", "groups", "registers", "local", "spill"]
State = Literal["kept", "broken", "open"]
_HOLDS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
}


@dataclass(frozen=True, slots=True)
class Promise:
    """`value`: percent, work-groups per compute unit, registers per thread, bytes per group, bytes or registers."""

    metric: Metric
    operator: str
    value: float

    def holds(self, amount: float) -> bool:
        return _HOLDS[self.operator](amount, self.value)

    def text(self, amount: float) -> str:
        if self.metric == "percent":
            return percent_text(amount)
        return bytes_text(int(amount)) if self.metric == "local" else f"{amount:g}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`said`: what is so instead, or why it is open."""

    state: State
    said: str = ""


@dataclass(frozen=True, slots=True)
class _Span:
    """Between which ends an amount surely lies. `highest` None: no end is known."""

    lowest: float
    highest: float | None


KEPT = Verdict("kept")


def on_devices(view: View, report: KernelReport, names: tuple[str, ...]) -> Iterator[KernelReport]:
    """The kernel on each device of these names for which the file says the same; without names, on the selected one."""
    if not names:
        yield report
        return
    index = next(index for index, it in enumerate(view.reports) if it is report)
    for name in names:
        device = view.device_named(name)
        if device is not None and _reads_alike(view, device):
            row = next((row for row in view.others if row[index].device == device), None)
            yield row[index] if row else view.report_on(index, device)


def _reads_alike(view: View, device: Device) -> bool:
    """Whether the file says the same for this device as for the selected one, for which it was read."""
    chosen, language = view.device, view.source.dialect.name
    if chosen is None or not runs(device, language):
        return False
    if chosen.vendor != device.vendor:
        return reads_alike(view, language, device)
    return chosen.arch.id == device.arch.id or b"__CUDA_ARCH__" not in view.text.content


def verdict(report: KernelReport, promise: Promise) -> Verdict:
    """Broken only where no value of what is unknown keeps it, for the kernel or for one of its launches."""
    if report.defect is not None:
        return Verdict("open", "it could not be analysed")
    if promise.metric not in ("percent", "groups"):
        return _of_amount(report, promise)
    figure = proved_figure(report)
    if figure is None:
        return Verdict("open", _why_no_figure(report))
    for it in (figure, *_of_launches(report)):
        span = _between(report, it, promise)
        if _is_impossible(span, promise):
            return Verdict("broken", _now(span, promise))
    return _kept_or_open(_between(report, figure, promise), promise)


def stale(report: KernelReport) -> bool:
    """Whether its counts are older than the text, which another rule reports."""
    return report.registers.freshness != "fresh"


def kept_if_fresh(report: KernelReport, promise: Promise) -> bool:
    """Whether stale counts would keep it: then they alone leave it open."""
    fresh = replace(report, registers=replace(report.registers, freshness="fresh"))
    return stale(report) and verdict(fresh, promise).state == "kept"


def provable(report: KernelReport, promise: Promise) -> float | None:
    """The strictest value that is surely kept in place of the promise's; None: none is."""
    if report.defect is not None:
        return None
    if promise.metric in ("percent", "groups"):
        figure = proved_figure(report)
        every = (figure, *_of_launches(report)) if figure is not None else ()
        return min((_between(report, it, promise).lowest for it in every), default=None)
    span = _spans(report, promise.metric)
    return None if isinstance(span, str) else span.highest


def _of_launches(report: KernelReport) -> Iterator[Figure]:
    """The figure of each launch in the file that is surely made, with a size that is surely one of a few."""
    if len(report.launches) > 1:
        yield from (it.figure for it in report.launches if it.figure and it.size.sure and not it.launch.perhaps)


def _between(report: KernelReport, figure: Figure, promise: Promise) -> _Span:
    """Clusters start only where all their work-groups find room: any figure up to the highest is possible."""
    lowest = 0.0 if report.clustered else _amount(figure.lowest, promise)
    return _Span(lowest, _amount(figure.highest, promise))


def _amount(result: Occupancy, promise: Promise) -> float:
    return result.percent if promise.metric == "percent" else float(result.groups)


def _is_impossible(span: _Span, promise: Promise) -> bool:
    if promise.operator == "==":
        return not span.lowest <= promise.value <= (span.highest if span.highest is not None else promise.value)
    if promise.operator in ("<=", "<"):
        return not promise.holds(span.lowest)
    return span.highest is not None and not promise.holds(span.highest)


def _kept_or_open(span: _Span, promise: Promise) -> Verdict:
    if span.highest is not None and promise.holds(span.lowest) and promise.holds(span.highest):
        return KEPT
    if span.highest is None:
        return Verdict("open", f"{promise.text(span.lowest)}, and what functions out of sight use")
    if not span.lowest:
        return Verdict("open", f"at most {promise.text(span.highest)}")
    return Verdict("open", f"{promise.text(span.lowest)} to {promise.text(span.highest)}")


def _now(span: _Span, promise: Promise) -> str:
    if span.highest == span.lowest:
        return promise.text(span.lowest)
    if span.highest is None or span.highest > promise.value:
        return f"at least {promise.text(span.lowest)}"
    return f"at most {promise.text(span.highest)}"


def _of_amount(report: KernelReport, promise: Promise) -> Verdict:
    span = _spans(report, promise.metric)
    if isinstance(span, str):
        return Verdict("open", span)
    return Verdict("broken", _now(span, promise)) if _is_impossible(span, promise) else _kept_or_open(span, promise)


def _spans(report: KernelReport, metric: Metric) -> _Span | str:
    """Or why no end is known."""
    if metric == "local":
        memory = report.local
        most = None if memory.unseen else float(memory.static[1] + memory.dynamic[1])
        return _Span(float(local_bytes(report)), most)
    count = report.registers
    if metric == "spill":
        if count.spills is None:
            return "no compiler has told what it spills"
        return _OLD if stale(report) else _Span(float(count.spills.lowest), float(count.spills.highest))
    if not count.counted:
        return _Span(0.0, 0.0)
    if stale(report):
        return _OLD
    surely = count.lowest is not None and count.source in ("measured", "compiled", "declared")
    return _Span(float(count.lowest or 0) if surely else 0.0, float(count.highest))


_OLD = "its counts are older than the text"


def _why_no_figure(report: KernelReport) -> str:
    """Why nothing sure is said of its occupancy."""
    group, size = report.device.nouns.group, report.size
    if not size.sizes or not size.sure:
        return f"the {group} size is {_how_known(size)}"
    if stale(report):
        return _OLD
    if report.figure is not None and report.figure.source == "estimated":
        return "numbers of the device are estimates"
    if any(it.perhaps for it in (*(it.launch for it in report.launches), *(it.launch for it in report.far))):
        return "a launch may be of another kernel"
    return f"the compiler may drop some of its {report.device.nouns.local_memory}"


def _how_known(size: GroupSize) -> str:
    if not size.sizes:
        return "unknown"
    return "only assumed" if size.assumed else "unknown below its bound"
