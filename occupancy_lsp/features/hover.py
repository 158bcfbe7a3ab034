"""Hover on a kernel's head, its annotations, its local-memory declarations, and its launches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.analysis.together import launch_at
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.features.answers import Hover
from occupancy_lsp.features.changes import local_changes
from occupancy_lsp.features.explain import ahead as explain_ahead
from occupancy_lsp.features.explain import explain, lost, summary
from occupancy_lsp.features.prose import Bold, Line, Prose, bullets, prose
from occupancy_lsp.features.surprises import why
from occupancy_lsp.session.view import View
from occupancy_lsp.source.incremental.kernel_text import DirectiveAt
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.kernels.local_memory import LocalMemoryVariable
from occupancy_lsp.source.lower.annotation_comments import KEYS, WORDS
from occupancy_lsp.source.syntax.known_value import Place
from occupancy_lsp.vendors.registry import vendor_of


def hover(view: View, offset: int) -> Hover | None:
    def on(place: Place | None) -> bool:
        return place is not None and view.span(place)[0] <= offset <= view.span(place)[1]

    for index, report in enumerate(view.reports):
        kernel = report.kernel
        if on(kernel.name_place):
            return Hover(*view.span(kernel.name_place), _of_each(view, index))
        if report.defect is not None:
            continue
        if kernel.attributes.bounds is not None and on(kernel.attributes.bounds.place):
            said: Line = _bounds(report), *why("registers")
            return Hover(*view.span(kernel.attributes.bounds.place), _alone(view, index, prose(said, summary(report))))
        for given in vendor_of(report.arch).annotations(kernel):
            if on(given.place):
                most: Line = f"The{_most(report).removeprefix('the')}", *why("registers")
                return Hover(*view.span(given.place), prose(most, summary(report)))
        for order, launch in enumerate(report.launches):
            if on(launch.launch.target) or on(launch.launch.place):
                shown = explain(view, index, launch_at(report, order))
                return Hover(*_whole(view, launch.launch), shown)
        for variable in filter(lambda it: view.source.holds(it.place), kernel.summary.local.variables):
            if on(variable.place):
                return Hover(*view.span(variable.place), _alone(view, index, _variable(report, variable)))
    return _directive(view, offset) or _on_head(view, offset) or _lost(view, offset)


def _on_head(view: View, offset: int) -> Hover | None:
    """Where a kernel's head says nothing of its own: what its name does."""
    for index, report in enumerate(view.reports):
        start, end = view.span(report.kernel.head)
        if start <= offset <= end:
            return Hover(start, end, _of_each(view, index))
    return None


def ahead(view: View, offset: int) -> Iterator[None]:
    """Read at each step a little of the other files that a hover there asks, for later."""
    for index, report in enumerate(view.reports):
        start, end = view.span(report.kernel.head)
        if start <= offset <= end:
            yield from explain_ahead(view, index)


def _of_each(view: View, first: int) -> Prose:
    """The kernel's report; of a name that macros make several of, each with the name that it is of."""
    each = _at_same_place(view, first)
    if len(each) == 1:
        return explain(view, first)
    return tuple(block for it in each for block in (f"{view.reports[it].kernel.qualified}:", *explain(view, it)))


def _alone(view: View, first: int, said: Prose) -> Prose:
    """What is said of a part of the kernel; all that there is to say of each, where macros make several of it."""
    return said if len(_at_same_place(view, first)) == 1 else _of_each(view, first)


def _at_same_place(view: View, first: int) -> Sequence[int]:
    place = view.reports[first].kernel.name_place
    return [it for it in range(first, len(view.reports)) if view.reports[it].kernel.name_place == place]


def _whole(view: View, launch: KernelLaunch) -> tuple[int, int]:
    """From the kernel's name to the end of the configuration; one that stands before the kernel alone."""
    target, place = view.span(launch.target), view.span(launch.place)
    return (target[0], max(target[1], place[1])) if target[0] <= place[0] else place


def _lost(view: View, offset: int) -> Hover | None:
    """On an item of which nothing is known because of a defect of ours."""
    for item, defect in view.facts.lost:
        text, start = view.source.item_text(item), view.source.start_of(item)
        first = start + view.source.code_start(Place(item, 0, len(text)))
        if first <= offset <= start + len(text):
            return Hover(first, start + len(text), lost("This code", defect))
    return None


def _bounds(report: KernelReport) -> str:
    """What the launch bounds make the compiler do."""
    bounds, words = report.kernel.attributes.bounds, report.device.nouns
    threads = bounds.max_threads.value if bounds else None
    if bounds is None or threads is None or not threads.number:
        return f"The bounds depend on {threads.reason if threads else 'what is not known'}."
    wanted = bounds.min_groups.value.number if bounds.min_groups else None
    second = vendor_of(report.arch).second_bound
    counted = f"{words.groups} per {words.unit}" if second is None or second.counts_groups else second.argument
    least = f", at least {wanted} {counted}" if wanted else ""
    most = f"At most {threads.number} threads per {words.group}{least}"
    return f"{most}: {_most(report)}"


def _most(report: KernelReport) -> str:
    found = ceiling(report.arch, report.kernel, report.language, report.options)
    return f"the compiler may use up to {found.registers} {report.device.nouns.registers} per thread."


def _variable(report: KernelReport, variable: LocalMemoryVariable) -> Prose:
    """A declaration's bytes, the kernel's total, and what is left before the next group is lost."""
    words, local = report.device.nouns, report.kernel.summary.local
    own = (
        bytes_text(variable.bytes.number)
        if variable.bytes.number is not None
        else f"size not known: {variable.bytes.reason}"
    )
    parts = [f": {own} of {words.local_memory}."]
    if local.exact is not None:
        parts.append(f"{report.kernel.qualified} declares {bytes_text(local.exact)} in all.")
    elif local.lowest:
        parts.append(f"{report.kernel.qualified} declares at least {bytes_text(local.lowest)}.")
    return prose((Bold(variable.name), " ".join(parts)), bullets(local_changes(report, variable)))


def _directive(view: View, offset: int) -> Hover | None:
    everything: list[DirectiveAt] = [
        *view.facts.file_directives,
        *view.facts.stray_directives,
        *(s for said in view.facts.directives for s in said),
    ]
    for said in everything:
        start, end = view.span(said.place)
        if start <= offset <= end:
            return Hover(start, end, prose(_meaning(view.text.content[start:end].decode("utf-8", "replace"))))
    return None


def _meaning(text: str) -> str:
    word = re.split(r"[=\[\s]", text.lstrip(), maxsplit=1)[0]
    return {**KEYS, **WORDS}.get(word, "A directive for occupancy-lsp.")
