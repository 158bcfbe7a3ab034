"""OCC107: a launch needs more local memory than a work-group gets without opting in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.edits.opt_in import opt_in
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, Fix
from occupancy_lsp.rules.proof import launched, static_bytes, variable_notes, without_entry
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.facts.opt_ins import OPTING, may_opt_in
from occupancy_lsp.source.kernels.launches import KernelLaunch
from occupancy_lsp.source.text.values import Place


def _concerns(settings: Settings, report: KernelReport) -> bool:
    """Where no kernel can opt in, a launch may still need more than there is."""
    return report.arch.traits.refuses_local and any(it.launch.dynamic for it in report.launches)


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    yield from beyond(report)
    arch, words = report.arch, report.device.nouns
    for launch, place, needs in _needs(report):
        if arch.local_per_group < needs <= arch.local_per_group_opt_in and not _opts_in(view, report):
            text = f"{_lead(report, needs)}; a {words.group} has {arch.local_per_group} unless the kernel opts in"
            yield Finding(place, text, variable_notes(report), tuple(_fixes(view, report, launch)))


def _fixes(view: View, report: KernelReport, launch: KernelLaunch) -> Iterator[Fix]:
    kernel, target = report.kernel, launch.target
    amount = launch.dynamic.value.number if launch.dynamic else None
    alone = sum(it.name == kernel.name for it in view.facts.kernels) == 1
    if amount and alone and view.source.holds(target) and view.source.on_host(target):
        call = LANGUAGES[report.language].opting_in
        edits = opt_in(view.source.item_text(target.item), kernel, launch, call)
        if edits:
            yield Fix(f"Ask for {bytes_text(amount)} before the launch", edits)


def beyond(report: KernelReport) -> Iterator[Finding]:
    """The launches that need more than any work-group on the device may have."""
    arch, words = report.arch, report.device.nouns
    for _, place, needs in _needs(report):
        if needs > arch.local_per_group_opt_in:
            text = f"{_lead(report, needs)}; a {words.group} on {arch.id} may have {arch.local_per_group_opt_in}"
            yield Finding(place, text, variable_notes(report), without_entry(report, place))


def _needs(report: KernelReport) -> Iterator[tuple[KernelLaunch, Place, int]]:
    """The launches with dynamic bytes: where those stand, and how many each surely needs in all."""
    for launch in launched(report):
        dynamic = launch.dynamic.value.number if launch.dynamic else None
        if launch.dynamic is not None and dynamic and dynamic > 0 and launch.on_device:
            yield launch, launch.dynamic.place, static_bytes(report) + dynamic


def _lead(report: KernelReport, needs: int) -> str:
    return f"the launch needs {needs} B of {report.device.nouns.local_memory}"


def _opts_in(view: View, report: KernelReport) -> bool:
    """Whether anything in the workspace may: the call itself, or the kernel handed to some other function."""
    name = report.kernel.name
    if LANGUAGES[report.language].opts_in:
        return True
    if view.unread() or any(it.kernel in ("", name, report.kernel.qualified) for it in view.facts.allowed):
        return True
    handed = re.compile(rb"[(,=&]\s*(?:\w+\s*::\s*)*%b\s*(?:<[^;{}()]*>)?\s*[,);}]" % re.escape(name.encode()))

    def may(text: bytes) -> bool:
        return may_opt_in(text) or handed.search(text) is not None

    if view.source.says(may, (*OPTING, name.encode())):
        return True
    return view.others_say(may, name)


RULE = Rule(
    "OCC107",
    "warning",
    "a launch needs more shared memory than the default limit",
    check_view=_check,
    concerns=_concerns,
    hides_in_kernel=("OCC308",),
)
