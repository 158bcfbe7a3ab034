"""OCC107: a launch needs more local memory than a work-group gets without opting in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from occupancy_lsp.analysis.exceeding import instance_of
from occupancy_lsp.analysis.inputs import STATED, exceeds, least_static
from occupancy_lsp.analysis.report import KernelReport, opts_in
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.edits.opt_in import opt_in
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Fix, Severity, short
from occupancy_lsp.rules.proof import (
    launched,
    launched_elsewhere,
    refused,
    said_of_far,
    severity_of,
    variable_notes,
    without_entry,
)
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.syntax.known_value import Place


def _concerns(settings: Settings, report: KernelReport) -> bool:
    """Where no kernel can opt in, a launch may still need more than there is."""
    return report.arch.local_per_group > 0 and any(
        _dynamic(it) or it.configuration.local for it in report.every_launch()
    )


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    yield from beyond(report)
    yield from refused(report, "OCC107")
    arch, words = report.arch, report.device.nouns
    if report.may_opt_in is True:
        return
    fault = f"a {words.group} has {arch.local_per_group} unless the kernel opts in"
    every = range(arch.local_per_group + 1, arch.local_per_group_opt_in + 1)
    yield from _of_launches(
        _without_opted(report), every.__contains__, fault, lambda launch, _: tuple(_fixes(view, report, launch))
    )


def _without_opted(report: KernelReport) -> KernelReport:
    """With the launches alone of what does not opt in."""
    near = tuple(it for it in report.launches if not opts_in(report.may_opt_in, it.launch))
    far = tuple(it for it in report.far if not opts_in(report.may_opt_in, it.launch))
    return replace(report, launches=near, far=far)


def beyond(report: KernelReport) -> Iterator[Finding]:
    """The launches that need more than any work-group on the device may have."""
    arch, words = report.arch, report.device.nouns
    fault = f"a {words.group} on {arch.id} may have {arch.local_per_group_opt_in}"
    if not arch.local_per_group:  # not known
        return

    def is_beyond(needs: int) -> bool:
        return needs > arch.local_per_group_opt_in

    yield from _of_launches(report, is_beyond, fault, lambda _, place: without_entry(report, place))


def _of_launches(
    report: KernelReport,
    too_many: Callable[[int], bool],
    fault: str,
    fixes: Callable[[KernelLaunch, Place], tuple[Fix, ...]],
) -> Iterator[Finding]:
    """Yield one finding for each launch that needs too many bytes, and one for all of those in other files: of one that
    surely fails if any does."""
    for launch in launched(report):
        needs = _needed(report, launch)
        if launch.configuration.dynamic is not None and too_many(needs.most):
            place = launch.configuration.dynamic.place
            severity: Severity = severity_of(report, launch) if needs.proved else "warning"
            text = short(f"the launch needs {needs.said(report)}; {fault}")
            yield Finding(place, text, variable_notes(report), fixes(launch, place), severity=severity)
    each = [(it, _needed(report, it.launch)) for it in launched_elsewhere(report)]
    far = sorted((it for it in each if too_many(it[1].most)), key=lambda it: not it[1].proved)
    if far:
        first, needs = far[0]
        text = said_of_far(first, f"{needs.said(report)}; {fault}", len(far) - 1)
        severity = "error" if needs.proved else "warning"
        yield Finding(report.kernel.name_place, text, variable_notes(report), severity=severity)


def _fixes(view: View, report: KernelReport, launch: KernelLaunch) -> Iterator[Fix]:
    kernel, target = report.kernel, launch.target
    amount = launch.configuration.dynamic.value.number if launch.configuration.dynamic else None
    alone = sum(it.name == kernel.name for it in view.facts.kernels) == 1
    if amount and alone and view.source.holds(target) and view.source.is_in_host_function(target):
        call = LANGUAGES[report.language].opting_in
        edits = opt_in(view.source.item_text(target.item), kernel, launch, call)
        if edits:
            yield Fix(f"Ask for {bytes_text(amount)} before the launch", edits)


@dataclass(frozen=True, slots=True)
class _Needs:
    """The bytes of a launch in all. `proved`: what no compiler drops of them is too much, too, on any such device."""

    most: int
    proved: bool

    def said(self, report: KernelReport) -> str:
        unless = "" if self.proved else " (if all is read)"
        return f"{self.most} B of {report.device.nouns.local_memory}{unless}"


def _needed(report: KernelReport, launch: KernelLaunch) -> _Needs:
    """Nothing, of a launch without dynamic bytes."""
    dynamic, arch = _dynamic(launch), report.arch
    if dynamic <= 0 or not launch.on_device:
        return _Needs(0, False)
    most = least = report.local.static[0]
    may = opts_in(report.may_opt_in, launch)
    if report.local.origin not in ("compiled", STATED):
        kernel = instance_of(report.kernel, launch) or report.kernel
        most = kernel.summary.local.lowest
        least = least_static(arch, kernel, report.language, dynamic, may, report.read)
    too_many = exceeds(arch, least, dynamic, may)
    return _Needs(most + dynamic, too_many and not report.device.estimated)


def _dynamic(launch: KernelLaunch) -> int:
    return (launch.configuration.dynamic.value.number or 0) if launch.configuration.dynamic else 0


RULE = Rule(
    "OCC107",
    "error",
    "a launch needs more shared memory than the default limit",
    check_view=_check,
    concerns=_concerns,
    hides_in_kernel=("OCC308",),
)
