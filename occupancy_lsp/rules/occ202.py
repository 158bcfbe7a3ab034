"""OCC202: the kernel would fail on another of the listed devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.inputs import STATED
from occupancy_lsp.predefined import predefined
from occupancy_lsp.rules import Rule, occ001, occ002, occ003, occ004, occ107
from occupancy_lsp.rules.finding import Finding, Note
from occupancy_lsp.rules.proof import sizes
from occupancy_lsp.settings import Settings
from occupancy_lsp.view import View

_LONGEST, _LONGEST_NAMES = 100, 24
_MOST_REMEMBERED = 4_000
# What a work-group may have on every device: bytes of static local memory on NVIDIA's, threads on any.
_LEAST_LOCAL, _LEAST_THREADS = 16 * 1024 - 1024, 256
_Failures = dict[str, Finding]  # by the code of the rule that finds it

# By the identity of the report, which is kept here so that the identity stays its own.
_remembered: dict[int, tuple[KernelReport, _Failures]] = {}


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return settings.origin("devices") != "default" and _asks(report)


def _asks(report: KernelReport) -> bool:
    """Whether the kernel asks for something that any device lacks; most do not, and a key looks at none of those."""
    kernel, bounds = report.kernel, report.kernel.bounds
    return bool(
        kernel.block
        or kernel.cluster
        or (bounds and bounds.max_cluster)
        or report.counted
        or report.passed
        or kernel.local.lowest > _LEAST_LOCAL
        or any(it.launch.dynamic for it in report.launches)
        or any(size > _LEAST_THREADS for size, _ in sizes(report))
    )


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    """What fails on the selected device, too, has its own message."""
    if not view.others:
        return
    index = _indices(view)[id(report)]
    there = [row[index] for row in view.others if _reads_alike(view, row[index])]
    found = {it.device.id: _failures(view, it) for it in there}
    if any(found.values()):
        here = _failures(view, report)
        left = {device: _first(failures, here) for device, failures in found.items()}
        failing = {device: failure for device, failure in left.items() if failure is not None}
        if failing:
            yield _finding(failing)


def _reads_alike(view: View, other: KernelReport) -> bool:
    """Whether the file says the same for this device as for the selected one, for which it was read."""
    if view.device is None or view.device.vendor == other.device.vendor:
        return True  # the view has no devices for which one vendor's compiler reads it otherwise
    content = view.text.content
    told = predefined(view.device, other.language).keys() | predefined(other.device, other.language).keys()
    return other.language == "opencl" and b"#include" not in content and not any(it.encode() in content for it in told)


@lru_cache(maxsize=1)
def _indices(view: View) -> dict[int, int]:
    return {id(report): index for index, report in enumerate(view.reports)}


def _failures(view: View, report: KernelReport) -> _Failures:
    """The first error of each rule about the device."""
    known = _remembered.get(id(report))
    if known is None:
        if len(_remembered) >= _MOST_REMEMBERED:
            _remembered.clear()
        known = _remembered[id(report)] = report, _of_report(report)
    if not occ002.RULE.concerns(view.settings, report):
        return known[1]
    static = next((it for it in occ002.RULE.check_view(view, report) if it.severity == "error"), None)
    return known[1] if static is None else known[1] | {"OCC002": static}


def _of_report(report: KernelReport) -> _Failures:
    found = {"OCC001": _errors(occ001.RULE.check(report)), "OCC004": occ004.RULE.check(report)}
    if _counted_for_it(report):
        found["OCC003"] = _errors(occ003.RULE.check(report))
    if report.device.vendor == "nvidia":
        found["OCC107"] = occ107.beyond(report)
    firsts = {code: next(iter(findings), None) for code, findings in found.items()}
    return {code: finding for code, finding in firsts.items() if finding is not None}


def _errors(found: Iterable[Finding]) -> Iterator[Finding]:
    return (it for it in found if it.severity == "error")


def _counted_for_it(report: KernelReport) -> bool:
    """Whether the registers are those of the very architecture, not what a comment says of some device."""
    return report.registers.origin != STATED and all(it.usage.arch for it in report.counted)


def _first(failures: _Failures, here: _Failures) -> Finding | None:
    return next((finding for code, finding in failures.items() if code not in here), None)


def _finding(failing: dict[str, Finding]) -> Finding:
    """At the first device's fault; what the others say is told beside it."""
    first = next(iter(failing.values()))
    text = f"would fail on {_names(list(failing))}: {first.message}"
    notes = tuple(Note(it.place, f"{device}: {it.message}") for device, it in failing.items())
    return Finding(first.place, text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…", notes)


def _names(devices: list[str]) -> str:
    every = ", ".join(devices)
    if len(every) <= _LONGEST_NAMES or len(devices) == 1:
        return every[:_LONGEST_NAMES]
    return f"{devices[0][:_LONGEST_NAMES]} and {len(devices) - 1} more"


RULE = Rule(
    "OCC202",
    "information",
    "would fail on another of the listed devices",
    False,
    check_view=_check,
    concerns=_concerns,
)
