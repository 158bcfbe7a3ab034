"""occupancy-directive: a comment `// occupancy: …` that says nothing, or nothing that is understood.

What is not understood is a warning: a contract or a fact with a slip in it would pass for one that holds. What is
understood and has nothing to silence does no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.device import Device
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.directive_edits import without, without_code
from occupancy_lsp.rules.finding import Finding, Severity, short
from occupancy_lsp.rules.proof import proved_figure
from occupancy_lsp.session.project import runs
from occupancy_lsp.session.view import View
from occupancy_lsp.source.incremental.kernel_text import DirectiveAt
from occupancy_lsp.source.lower.annotation_comments import (
    DirectiveFault,
    Expectation,
    ForDevice,
    IgnoreRule,
    IntendedLimit,
    StatedFact,
)

_Find = Callable[[str], Device | None]


@dataclass(frozen=True, slots=True)
class Judged:
    """What is known of the other rules: whether there is one of a code, and what a directive silences.

    `useless`: those codes of an ignore that silence nothing; `needless`: intent where there is no advice to silence.
    """

    known: Callable[[str], bool]
    useless: Callable[[DirectiveAt, str], bool]
    needless: Callable[[KernelReport], bool]


def remarks(view: View, judged: Judged) -> Iterator[Finding]:
    find = view.device_named
    for index, report in enumerate(view.reports):
        for said in report.directives:
            yield from _of_kernel(view, find, index, said)
            yield from _of_ignore(view, said, judged)
            if isinstance(said.directive, IntendedLimit):
                yield from _of_intent(view, index, said, judged)
    for said in view.facts.file_directives:
        yield from _of_device(view, find, said)
        yield from _of_ignore(view, said, judged)
    for said in view.facts.stray_directives:
        text = (
            said.directive.message if isinstance(said.directive, DirectiveFault) else "no kernel follows this directive"
        )
        silences = isinstance(said.directive, IgnoreRule | IntendedLimit)
        severity: Severity = "information" if silences else "warning"
        yield Finding(said.place, short(text), fixes=without(view, said), severity=severity)


def _of_kernel(view: View, find: _Find, index: int, said: DirectiveAt) -> Iterator[Finding]:
    report = view.reports[index]
    directive = said.directive
    if isinstance(directive, DirectiveFault):
        yield Finding(said.place, short(directive.message), fixes=without(view, said))
    elif isinstance(directive, Expectation):
        yield from _of_contract(view, find, said, directive)
    elif isinstance(directive, StatedFact) and (text := impossible(report, directive)):
        yield Finding(said.place, text)


def impossible(report: KernelReport, said: StatedFact) -> str:
    """Why the text or the device cannot have the value; "" where they can. OCC001 tells of a block's size."""
    arch, words, value = report.arch, report.device.nouns, said.value
    if said.key == "regs" and value > arch.max_registers:
        return f"a thread has at most {arch.max_registers} {words.registers} on {arch.id}"
    if said.key == "subgroup":
        widths = getattr(arch, "sub_group_sizes", (arch.sub_group_size,))
        return "" if value in widths else f"a sub-group of {arch.id} has {' or '.join(map(str, widths))} work-items"
    if said.key == "shared" and value < report.kernel.summary.local.lowest:
        return f"the text needs at least {report.kernel.summary.local.lowest} B"
    if said.key == "shared" and value > arch.local_per_group:
        return f"a {words.group} may have at most {arch.local_per_group} B"
    return ""


def _of_contract(view: View, find: _Find, said: DirectiveAt, expect: Expectation) -> Iterator[Finding]:
    """Devices that there are not, or that never run the file."""
    fixes = without(view, said) if len(expect.devices) == 1 else ()
    for name in expect.devices:
        device = find(name)
        if device is None:
            yield Finding(said.place, f"unknown device '{name[:40]}'", fixes=fixes)
        elif not runs(device, view.source.dialect.name):
            # Another run of the same file, for the other vendor, checks it.
            text = f"never checked on {name[:40]}, which does not run this language"
            yield Finding(said.place, text, fixes=fixes, severity="information")


def _of_intent(view: View, index: int, said: DirectiveAt, judged: Judged) -> Iterator[Finding]:
    """More work-groups than fit on any of the chosen devices, or nothing to be silent about."""
    report, meant = view.reports[index], said.directive
    here, words = proved_figure(report), report.device.nouns
    others = [proved_figure(row[index]) for row in view.others]
    wanted = meant.groups if isinstance(meant, IntendedLimit) else None
    if here is None:
        return
    fits = here.highest.groups
    if wanted and 0 < fits < wanted and all(it is not None and it.highest.groups < wanted for it in others):
        fit = f"1 {words.group} fits" if fits == 1 else f"{fits} {words.groups} fit"
        yield Finding(said.place, f"{fit} on {report.device.id}, not {wanted}", severity="information")
    elif judged.needless(report):
        text = "occupancy is 100%: there is no advice to silence"
        yield Finding(said.place, text, fixes=without(view, said), severity="information")


def _of_device(view: View, find: _Find, said: DirectiveAt) -> Iterator[Finding]:
    if isinstance(said.directive, ForDevice) and find(said.directive.device) is None:
        text = f"unknown device '{said.directive.device[:40]}'"
        yield Finding(said.place, text, fixes=without(view, said))


def _of_ignore(view: View, said: DirectiveAt, judged: Judged) -> Iterator[Finding]:
    if not isinstance(said.directive, IgnoreRule):
        return
    codes = dict.fromkeys(said.directive.codes)
    useless = {code for code in codes if not judged.known(code) or judged.useless(said, code)}
    for code in codes:
        if code in useless:
            fixes, known = without_code(view, said, code, useless), judged.known(code)
            text = f"{code} reports nothing here to ignore" if known else f"unknown rule {code[:40]}"
            yield Finding(said.place, text, fixes=fixes, severity="information" if known else "warning")


RULE = Rule("occupancy-directive", "warning", "a comment 'occupancy: …' that is not understood or not used")
