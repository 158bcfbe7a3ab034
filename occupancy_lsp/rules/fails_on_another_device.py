"""OCC202: the kernel would fail on another of the listed devices, or its bounds would do nothing there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from occupancy_lsp.analysis.inputs import STATED
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.rules import (
    Rule,
    bounds_count_waves,
    min_blocks_ignored,
    min_blocks_unreachable,
    shared_memory_without_opt_in,
    too_many_registers,
    too_many_threads,
    too_much_local_memory,
    unsupported_by_device,
)
from occupancy_lsp.rules.elsewhere import elsewhere, names
from occupancy_lsp.rules.finding import Finding, Note, short
from occupancy_lsp.rules.proof import sizes
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.lower.annotation_comments import IgnoreRule

# What a work-group may have on every device: bytes of static local memory on NVIDIA's, threads on any.
_LEAST_LOCAL, _LEAST_THREADS = 16 * 1024 - 1024, 256
# A number in the bounds that does nothing, or not what it says: the kernel runs all the same.
_BOUNDS = frozenset({"OCC101", "OCC102", "OCC103"})
_Failures = dict[str, Finding]  # by the code of the rule that finds it


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return settings.origin("devices") != "default" and _asks(report)


def _asks(report: KernelReport) -> bool:
    """Whether the kernel asks for something that any device lacks; most do not, and a key looks at none of those."""
    kernel, bounds = report.kernel, report.kernel.attributes.bounds
    return bool(
        kernel.attributes.block
        or kernel.attributes.cluster
        or (bounds and (bounds.max_cluster or bounds.min_groups))
        or report.counted
        or report.unused
        or kernel.summary.local.lowest > _LEAST_LOCAL
        or any(it.launch.configuration.dynamic for it in report.launches)
        or any(size > _LEAST_THREADS for size, _ in sizes(report))
    )


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    """What is found on the selected device, too, has its own message."""
    found = {it.device.id: _failures(view, it) for it in elsewhere(view, report)}
    if any(found.values()):
        known = _known(view, report)
        left = {device: _first(failures, known) for device, failures in found.items()}
        failing = {device: first for device, first in left.items() if first is not None}
        fatal = {device: first for device, first in failing.items() if first[0] not in _BOUNDS}
        if failing:
            yield _finding(fatal or failing, "would fail on " if fatal else "")


def _failures(view: View, report: KernelReport) -> _Failures:
    """The first error of each rule about the device."""
    known = report.beside.ask("failures", lambda: _of_report(report))
    if not too_much_local_memory.RULE.concerns(view.settings, report):
        return known
    static = next((it for it in too_much_local_memory.RULE.check_view(view, report) if it.severity == "error"), None)
    return known if static is None else {"OCC002": static} | known


def _of_report(report: KernelReport) -> _Failures:
    found: dict[str, Iterable[Finding]] = {"OCC004": unsupported_by_device.RULE.check(report)}
    # Where another launch runs, the program may choose it there.
    all_fail = report.figure is None or report.figure.highest.fault is not None
    if all_fail:
        found["OCC001"] = _errors(too_many_threads.RULE.check(report))
    if all_fail and _counted_for_it(report):
        found["OCC003"] = _errors(too_many_registers.RULE.check(report))
    found["OCC107"] = shared_memory_without_opt_in.beyond(report)
    found["OCC101"], found["OCC102"] = min_blocks_unreachable.unreachable(report), min_blocks_ignored.ignored(report)
    found["OCC103"] = bounds_count_waves.RULE.check(report)
    firsts = {code: next(iter(findings), None) for code, findings in found.items()}
    return {code: finding for code, finding in firsts.items() if finding is not None}


def _errors(found: Iterable[Finding]) -> Iterator[Finding]:
    return (it for it in found if it.severity == "error")


def _counted_for_it(report: KernelReport) -> bool:
    """Whether the registers are those of the very architecture, not what a comment says of some device."""
    return report.registers.origin != STATED and all(it.usage.arch for it in report.counted)


def _known(view: View, report: KernelReport) -> frozenset[str]:
    """What the selected device has a message of, and what is not to be told."""
    here = _failures(view, report).keys()
    said = [it.directive for it in (*report.directives, *view.facts.file_directives)]
    ignored = {code for it in said if isinstance(it, IgnoreRule) for code in it.codes}
    return frozenset(here | ignored | (_BOUNDS if here & _BOUNDS else frozenset()))


def _first(failures: _Failures, known: frozenset[str]) -> tuple[str, Finding] | None:
    return next(((code, finding) for code, finding in failures.items() if code not in known), None)


def _finding(failing: dict[str, tuple[str, Finding]], lead: str) -> Finding:
    """At the first device's fault; what the others say is told beside it."""
    first = next(iter(failing.values()))[1]
    notes = tuple(Note(it.place, f"{device}: {it.message}") for device, (_, it) in failing.items())
    return Finding(first.place, short(f"{lead}{names(list(failing))}: {first.message}"), notes)


RULE = Rule(
    "OCC202",
    "information",
    "would fail, or lose its bounds, on another of the listed devices",
    check_view=_check,
    concerns=_concerns,
    by_user=True,
)
