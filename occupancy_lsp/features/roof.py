"""Where a kernel stands under its device's roofline: by the amounts that a comment states, and by a profile."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.inputs import Counted, stated
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.calculator.roofline import amount, number, ridge_text
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.features.prose import Block, Code, Line, Link, bullets
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.roofline import Roofline, intensity, rooflines
from occupancy_lsp.rules import help_url
from occupancy_lsp.source.lower.annotation_comments import InPrecision, StatedFact


def roofline(report: KernelReport) -> Block:
    """What is stated, and a line for each precision that was measured; nothing where there is neither."""
    wanting, places = _wanting(report), [*_stated(report), *_measured(report)]
    lines: list[Line] = [(f"{it}.",) for it in places[:-1]]
    if places:
        lines.append((f"{places[-1]} (", Link("what helps", help_url("advice")), ")."))
    if wanting:
        lines.insert(0, wanting)
    return bullets(lines) if len(lines) > 1 else next(iter(lines), "")


def _wanting(report: KernelReport) -> Line:
    """What it takes for the stated amounts to have a place."""
    given = [key for key in ("flops", "bytes") if _amount(report, key) is not None]
    if len(given) == 1:
        return "Roofline: also state ", Code("bytes=N" if given == ["flops"] else "flops=N"), "."
    if not given or _roof(report.device, _precision(report)) is not None:
        return ()
    known = ", ".join(it.precision for it in rooflines(report.device))
    if not known:
        return (f"Roofline: the memory bandwidth and the FLOPS of {report.device.name} are not known.",)
    return (f"Roofline: the peak of {report.device.name} in {_precision(report)} is not known, only in {known}.",)


@dataclass(frozen=True, slots=True)
class Amounts:
    """Floating-point operations and bytes of a kernel, in one precision."""

    operations: float
    moved: float
    precision: str


def amounts(report: KernelReport) -> Amounts | str:
    """Those that a comment states, or why there are none."""
    operations, moved = _amount(report, "flops"), _amount(report, "bytes")
    if operations is not None and moved is not None:
        return Amounts(operations, moved, _precision(report))
    if operations is None and moved is None:
        return "no comment states them"
    return f"only {'flops' if moved is None else 'bytes'}= is stated"


def _stated(report: KernelReport) -> list[str]:
    operations, moved = _amount(report, "flops"), _amount(report, "bytes")
    roof = _roof(report.device, _precision(report))
    if operations is not None and moved is not None and roof is not None:
        return [f"Roofline as stated: {_place(report.device, roof, intensity(operations, moved))}"]
    return []


def _measured(report: KernelReport) -> Iterator[str]:
    for it in report.counted:
        if it.freshness != "stale":
            yield from _of_profile(report.device, it)


def _of_profile(device: Device, counted: Counted) -> Iterator[str]:
    usage = counted.usage
    for work in usage.work:
        roof = _roof(device, work.precision)
        if roof is None:
            continue
        at = intensity(work.operations, work.moved)
        said = f"Measured ({usage.path}:{usage.line}): {_place(device, roof, at)}"
        if work.seconds:
            reached = work.operations / work.seconds
            share = percent_text(100 * reached / roof.attainable(at))
            said += f"; it reached {amount(reached)}FLOPS, {share} of that"
        yield said


def _place(device: Device, roof: Roofline, at: float) -> str:
    bound = "memory" if roof.memory_bound(at) else "arithmetic"
    return (
        f"{number(at)} FLOP/B in {roof.precision}, bound by {bound} on {device.name} (ridge at {ridge_text(roof)}), "
        f"at most {amount(roof.attainable(at))}FLOPS"
    )


def _roof(device: Device, precision: str) -> Roofline | None:
    return next((it for it in rooflines(device) if it.precision == precision), None)


def _precision(report: KernelReport) -> str:
    said = [it.directive.precision for it in report.directives if isinstance(it.directive, InPrecision)]
    return said[-1] if said else "fp32"


def _amount(report: KernelReport, key: str) -> int | None:
    said = stated(report.directives, key)
    return said.directive.value if said is not None and isinstance(said.directive, StatedFact) else None
