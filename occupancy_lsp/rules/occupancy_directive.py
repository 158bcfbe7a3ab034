"""occupancy-directive: a comment `// occupancy: …` that says nothing, or nothing that is understood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.model.device import Device
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.finding import Finding, short
from occupancy_lsp.syntax.directives import Expect, Fault, ForDevice, Ignore, Stated
from occupancy_lsp.syntax.source import Said
from occupancy_lsp.view import View

_Find = Callable[[str], Device | None]


def remarks(view: View, known: Callable[[str], bool], unused: Callable[[Said, str], bool]) -> Iterator[Finding]:
    """`known`: is there a rule of that code; `unused`: did ignoring that code silence nothing."""
    find = lru_cache(maxsize=None)(view.find_device)
    for report in view.reports:
        for said in report.said:
            yield from _of_kernel(find, report, said)
            yield from _of_ignore(said, known, unused)
    for said in view.facts.said_for_file:
        yield from _of_device(find, said)
        yield from _of_ignore(said, known, unused)
    for said in view.facts.said_in_vain:
        text = said.directive.message if isinstance(said.directive, Fault) else "no kernel follows that this speaks of"
        yield Finding(said.place, short(text))


def _of_kernel(find: _Find, report: KernelReport, said: Said) -> Iterator[Finding]:
    directive, most = said.directive, report.arch.max_registers
    if isinstance(directive, Fault):
        yield Finding(said.place, short(directive.message))
    elif isinstance(directive, Expect):
        for name in directive.devices:
            yield from _unknown_device(find, said, name)
    elif isinstance(directive, Stated) and directive.key == "regs" and directive.value > most:
        yield Finding(said.place, f"a thread has at most {most} registers on {report.arch.id}")
    elif isinstance(directive, Stated) and directive.key == "shared":
        yield from _of_local(report, said, directive.value)


def _of_local(report: KernelReport, said: Said, stated: int) -> Iterator[Finding]:
    """Bytes that the text disproves, or that no work-group may have."""
    words, least, most = report.device.nouns, report.kernel.local.lowest, report.arch.local_per_group
    if stated < least:
        yield Finding(said.place, f"the text needs at least {least} B")
    elif stated > most:
        yield Finding(said.place, f"a {words.group} may have at most {most} B")


def _of_device(find: _Find, said: Said) -> Iterator[Finding]:
    if isinstance(said.directive, ForDevice):
        yield from _unknown_device(find, said, said.directive.device)


def _unknown_device(find: _Find, said: Said, name: str) -> Iterator[Finding]:
    if find(name) is None:
        yield Finding(said.place, f"unknown device '{name[:40]}'")


def _of_ignore(said: Said, known: Callable[[str], bool], unused: Callable[[Said, str], bool]) -> Iterator[Finding]:
    if isinstance(said.directive, Ignore):
        for code in said.directive.codes:
            if not known(code):
                yield Finding(said.place, f"there is no rule {code[:40]}")
            elif unused(said, code):
                yield Finding(said.place, f"{code} finds nothing here to ignore")


RULE = Rule("occupancy-directive", "information", "a comment 'occupancy: …' that is not understood or not used", False)
