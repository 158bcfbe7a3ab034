"""OCC107: a launch needs more local memory than a work-group gets without opting in."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.edits.opt_in import opt_in
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Fix
from occupancy_lsp.rules.proof import (
    launched,
    launched_elsewhere,
    said_of_far,
    severity_of,
    static_bytes,
    variable_notes,
    without_entry,
)
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.launches import KernelLaunch
from occupancy_lsp.workspace.callers import FarLaunch


def _concerns(settings: Settings, report: KernelReport) -> bool:
    """Where no kernel can opt in, a launch may still need more than there is."""
    return report.arch.traits.refuses_local and any(map(_dynamic, report.every_launch()))


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    yield from beyond(report)
    arch, words = report.arch, report.device.nouns
    if report.may_opt_in:
        return
    fault = f"a {words.group} has {arch.local_per_group} unless the kernel opts in"
    for launch in launched(report):
        needs = _needed(report, launch)
        if launch.dynamic is not None and arch.local_per_group < needs <= arch.local_per_group_opt_in:
            text, fixes = f"{_lead(report, needs)}; {fault}", tuple(_fixes(view, report, launch))
            severity = severity_of(report, launch)
            yield Finding(launch.dynamic.place, text, variable_notes(report), fixes, severity=severity)
    every = range(arch.local_per_group + 1, arch.local_per_group_opt_in + 1)
    far = [it for it in launched_elsewhere(report) if _needed(report, it.launch) in every]
    yield from _elsewhere(report, far, fault)


def beyond(report: KernelReport) -> Iterator[Finding]:
    """The launches that need more than any work-group on the device may have."""
    arch, words = report.arch, report.device.nouns
    fault = f"a {words.group} on {arch.id} may have {arch.local_per_group_opt_in}"
    for launch in launched(report):
        needs = _needed(report, launch)
        if launch.dynamic is not None and needs > arch.local_per_group_opt_in:
            place, text, severity = (
                launch.dynamic.place,
                f"{_lead(report, needs)}; {fault}",
                severity_of(report, launch),
            )
            yield Finding(place, text, variable_notes(report), without_entry(report, place), severity=severity)
    far = [it for it in launched_elsewhere(report) if _needed(report, it.launch) > arch.local_per_group_opt_in]
    yield from _elsewhere(report, far, fault)


def _elsewhere(report: KernelReport, far: list[FarLaunch], fault: str) -> Iterator[Finding]:
    if far:
        asked = f"{_needed(report, far[0].launch)} B of {report.device.nouns.local_memory}; {fault}"
        yield Finding(report.kernel.name_place, said_of_far(far[0], asked, len(far) - 1), variable_notes(report))


def _fixes(view: View, report: KernelReport, launch: KernelLaunch) -> Iterator[Fix]:
    kernel, target = report.kernel, launch.target
    amount = launch.dynamic.value.number if launch.dynamic else None
    alone = sum(it.name == kernel.name for it in view.facts.kernels) == 1
    if amount and alone and view.source.holds(target) and view.source.on_host(target):
        call = LANGUAGES[report.language].opting_in
        edits = opt_in(view.source.item_text(target.item), kernel, launch, call)
        if edits:
            yield Fix(f"Ask for {bytes_text(amount)} before the launch", edits)


def _needed(report: KernelReport, launch: KernelLaunch) -> int:
    """The bytes that a launch with dynamic ones surely needs in all; else 0."""
    dynamic = _dynamic(launch)
    return static_bytes(report) + dynamic if dynamic > 0 and launch.on_device else 0


def _dynamic(launch: KernelLaunch) -> int:
    return (launch.dynamic.value.number or 0) if launch.dynamic else 0


def _lead(report: KernelReport, needs: int) -> str:
    return f"the launch needs {needs} B of {report.device.nouns.local_memory}"


RULE = Rule(
    "OCC107",
    "error",
    "a launch needs more shared memory than the default limit",
    check_view=_check,
    concerns=_concerns,
    hides_in_kernel=("OCC308",),
)
