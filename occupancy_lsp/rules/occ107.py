"""OCC107: a launch needs more local memory than a work-group gets without opting in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import launched, static_bytes, variable_notes
from occupancy_lsp.settings import Settings
from occupancy_lsp.view import View

_OPTS_IN = re.compile(rb"FuncSetAttribute|MaxDynamicSharedMemorySize|MAX_DYNAMIC_SHARED_SIZE")


def _concerns(settings: Settings, report: KernelReport) -> bool:
    launched_with = any(it.launch.dynamic for it in report.launches)
    return launched_with and report.arch.local_per_group_opt_in > report.arch.local_per_group


def _check(view: View, report: KernelReport) -> Iterator[Finding]:
    arch, words = report.arch, report.device.nouns
    for launch in launched(report):
        dynamic = launch.dynamic.value.number if launch.dynamic else None
        if launch.dynamic is None or not dynamic or dynamic < 0:
            continue
        needs = static_bytes(report) + dynamic
        lead = f"the launch needs {needs} B of {words.local_memory}; a {words.group}"
        if needs > arch.local_per_group_opt_in:
            text = f"{lead} on {arch.id} may have {arch.local_per_group_opt_in}"
        elif needs > arch.local_per_group and not _opts_in(view, report):
            text = f"{lead} has {arch.local_per_group} unless it opts in"
        else:
            continue
        yield Finding(launch.dynamic.place, text, variable_notes(report))


def _opts_in(view: View, report: KernelReport) -> bool:
    """Whether anything in sight may: the call itself, or the kernel handed to some other function."""
    if any(it.kernel in ("", report.kernel.name, report.kernel.qualified) for it in view.facts.allowed):
        return True
    name = re.escape(report.kernel.name.encode())
    handed = rb"[(,=&]\s*(?:\w+\s*::\s*)*" + name + rb"\s*(?:<[^;{}()]*>)?\s*[,);}]"
    content = view.text.content
    return _OPTS_IN.search(content) is not None or re.search(handed, content) is not None


RULE = Rule(
    "OCC107",
    "warning",
    "a launch needs more shared memory than without opting in",
    False,
    check_view=_check,
    concerns=_concerns,
)
