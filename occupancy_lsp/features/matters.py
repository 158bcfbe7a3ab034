"""Whether occupancy matters to a kernel: facts of its text and its figure, and what a profile saw."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.core.wording import percent_text, span_text
from occupancy_lsp.counts.usage import Activity
from occupancy_lsp.features.prose import Block, Bullets, Code, Line, bullets
from occupancy_lsp.model.occupancy import Occupancy
from occupancy_lsp.session.view import View
from occupancy_lsp.vendors.registry import vendor_of

_MOST_WAITS = 2
_LEAST_WAIT = 0.1  # of the time
_DONE_BY = {"matrix": "matrix units", "copy": "asynchronous copies"}


def matters(view: View, report: KernelReport, figure: Figure) -> Block:
    """At most three lines; nothing of a full unit, but what a profile saw."""
    lines: list[Line] = [(it,) for it in _measured(report, figure)]
    if 0 < figure.highest.percent < 100:
        lines += _per_scheduler(report, figure)
        lines += _techniques(view, report)
    found = bullets(lines[:3])
    return found.lines[0] if isinstance(found, Bullets) and len(found.lines) == 1 else found


def _per_scheduler(report: KernelReport, figure: Figure) -> Iterator[Line]:
    found = vendor_of(report.arch).scheduler(report.arch) if figure.exact else None
    if found is not None:
        name, most = found
        words = report.device.nouns.sub_groups
        share = _share(figure.highest, most, report.clustered)
        yield (f"Each {name} has {share} of {most} {words} to hide latency with.",)


def _share(result: Occupancy, most: int, up_to: bool) -> str:
    schedulers = result.max_sub_groups // most
    low, high = result.sub_groups // schedulers, -(-result.sub_groups // schedulers)
    if up_to or not low:
        return f"at most {high}"
    return str(low) if low == high else f"{low} or {high}"


def _techniques(view: View, report: KernelReport) -> Iterator[Line]:
    found = view.source.latency_hiding_techniques(report.kernel)
    if found:
        line: Line = ("Its code has ",)
        for number, it in enumerate(found):
            line = *line, *((" and ",) if number else ()), Code(it.word), f" ({_DONE_BY[it.kind]})"
        yield *line, f": few {report.device.nouns.sub_groups} are often enough then."


def _measured(report: KernelReport, figure: Figure) -> Iterator[str]:
    for it in report.counted:
        seen = it.usage.activity if it.freshness == "fresh" else None
        if seen is not None:
            place = f"{it.usage.path}:{it.usage.line}"
            possible = f", theoretical {percent_text(figure.highest.percent)}" if figure.exact else ""
            achieved = span_text(*seen.achieved)
            yield f"Measured ({place}): achieved occupancy {achieved}{possible}{_waits(seen, report)}."


def _waits(seen: Activity, report: KernelReport) -> str:
    longest = sorted(seen.waits, key=lambda it: -it[1])[:_MOST_WAITS]
    said = [(what, f"{100 * part:.0f}%") for what, part in longest if part >= _LEAST_WAIT]
    if not said:
        return ""
    (what, part), *others = said
    causes = [f"{what} ({part} of the time)", *(f"{other} ({share})" for other, share in others)]
    return f". {report.device.nouns.sub_groups.capitalize()} waited mostly for {' and '.join(causes)}"
