"""A view of a file → its record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from occupancy_lsp.analysis.report import KernelReport, instance_reports
from occupancy_lsp.core.query import shared
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.answers import Hint
from occupancy_lsp.features.charted import charts_of
from occupancy_lsp.features.diagnostics import Judged, judged
from occupancy_lsp.features.hints import hints, kernel_of, label_of
from occupancy_lsp.findings.records import (
    DeviceRecord,
    FileRecord,
    FindingRecord,
    HintedLine,
    KernelRecord,
    LaunchRecord,
    OnDevice,
    Position,
    Range,
    Related,
    Replacement,
    Suggestion,
)
from occupancy_lsp.findings.source_lines import hinted_lines, marked
from occupancy_lsp.model.device import Device
from occupancy_lsp.rules.finding import Fix
from occupancy_lsp.session.view import View
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.syntax.known_value import Place, Value

_MOST_LINES = 8  # that a suggestion in a review may span
_ROOM = 1000  # characters of a hint: a terminal has room for every device


def record(path: str, absolute: Path, view: View, instances: bool = False, charts: bool = False) -> FileRecord:
    """`path`: as the user wrote it. `instances`: also those of templates, each by itself, and what tells kernels and
    launches apart from those of another time. `charts`: of each kernel.
    """
    text = view.text
    return FileRecord(
        path,
        absolute,
        device=device_record(view.device) if view.device else None,
        chosen_by=view.origin if view.device else "",
        kernels=tuple(_kernels(view, instances, charts)),
        findings=tuple(_finding(view, it) for it in judged(view)),
        unread_kernels=_numbers(view, view.facts.unread_kernels),
        hidden_kernels=_numbers(view, view.facts.hidden_kernels),
        hidden_launches=_numbers(view, view.facts.hidden_launches),
        hinted=hinted_lines(text, (_named(view, it) for it in hints(view, 0, len(text.content), _ROOM))),
        judged=(device_record(view.device),) if view.device else (),
    )


def _named(view: View, hint: Hint) -> tuple[Hint, int, str]:
    """A kernel's hint stands where its parameters close: people look for the line of its name."""
    index = kernel_of(hint)
    if index is None:
        return hint, hint.offset, ""
    kernel = view.reports[index].kernel
    return hint, view.span(kernel.name_place)[0], kernel.name


def _numbers(view: View, places: Iterable[Place]) -> tuple[int, ...]:
    """The lines, from 1, in which they begin."""
    return tuple(view.text.line_of(view.span(it)[0]) + 1 for it in places)


def device_record(device: Device) -> DeviceRecord:
    return shared(DeviceRecord(device.id, device.name, device.arch.id, device.nouns))


def joined(records: Sequence[FileRecord]) -> FileRecord:
    """Of the texts that one file holds, as of one."""
    kernels: list[KernelRecord] = []
    findings: list[FindingRecord] = []
    for it in records:
        before = Counter(one.name for one in kernels)
        first = len(kernels)
        findings += (replace(one, kernel=one.kernel + first) if one.kernel is not None else one for one in it.findings)
        kernels += (replace(one, order=one.order + before[one.name]) for one in it.kernels)
    return replace(
        records[0],
        kernels=tuple(kernels),
        findings=tuple(sorted(findings, key=lambda one: (one.place.start.line, one.place.start.column))),
        unread_kernels=tuple(sorted(line for it in records for line in it.unread_kernels)),
        hidden_kernels=tuple(sorted(line for it in records for line in it.hidden_kernels)),
        hidden_launches=tuple(sorted(line for it in records for line in it.hidden_launches)),
        hinted=_lines(line for it in records for line in it.hinted),
        judged=tuple(dict.fromkeys(device for it in records for device in it.judged)),
        idle=tuple(dict.fromkeys(device for it in records for device in it.idle)),
    )


def _lines(found: Iterable[HintedLine]) -> tuple[HintedLine, ...]:
    lines: dict[int, HintedLine] = {}
    for it in found:
        known = lines.get(it.number)
        lines[it.number] = replace(known, hints=(*known.hints, *it.hints)) if known is not None else it
    return tuple(lines[number] for number in sorted(lines))


def _kernels(view: View, instances: bool, charts: bool) -> Iterator[KernelRecord]:
    before: Counter[str] = Counter()
    for index, kernel in enumerate(view.facts.kernels):
        reports = [row[index] for row in (view.reports, *view.others) if row]
        name, place = kernel.qualified, range_of(view.text, *view.span(kernel.name_place))
        each = tuple(_instances(name, place, before[name], reports)) if instances else ()
        on, order = tuple(_on_device(it, charts) for it in reports), before[name]
        launches = tuple(_launches(view, reports[0])) if instances and reports else ()
        digest = _digest(view, reports[0]) if instances and reports else ""
        yield KernelRecord(name, place, order, on, instances=each, launches=launches, digest=digest)
        before[name] += 1


def _launches(view: View, report: KernelReport) -> Iterator[LaunchRecord]:
    for it in report.launches:
        if view.path is not None:
            yield LaunchRecord(view.path, view.text.line_of(view.span(it.launch.place)[0]) + 1, _asks(it.launch))
    yield from (LaunchRecord(Path(it.path), it.line, _asks(it.launch)) for it in report.far if not it.unread)


def _asks(launch: KernelLaunch) -> str:
    size, dynamic = (
        launch.size,
        launch.configuration.dynamic.value if launch.configuration.dynamic is not None else Value(0),
    )
    return f"{size.number} {size.among} {size.most} {dynamic.number} {dynamic.among} {dynamic.most} {launch.arguments}"


def _digest(view: View, report: KernelReport) -> str:
    start, end = view.span(view.source.body_of(report.kernel))
    return sha256(b"".join(view.text.content[start:end].split())).hexdigest()[:16]


def _instances(name: str, place: Range, order: int, reports: Sequence[KernelReport]) -> Iterator[KernelRecord]:
    for of_one in zip(*map(instance_reports, reports), strict=True):
        yield KernelRecord(name, place, order, tuple(map(_on_device, of_one)), of_one[0].kernel.arguments)


def _on_device(report: KernelReport, charts: bool = False) -> OnDevice:
    figure = report.figure
    return OnDevice(
        device_record(report.device),
        label_of(report),
        figure.lowest if figure else None,
        figure.highest if figure else None,
        figure.source if figure else None,
        report.size,
        report.registers,
        report.local,
        report.built.possible_barriers,
        str(report.defect) if report.defect else "",
        tuple(charts_of(report, figure.least, figure.most)) if charts and figure else (),
    )


def _finding(view: View, it: Judged) -> FindingRecord:
    said, text, report = it.said, view.text, it.report
    line, mark = marked(text, said.start, said.end)
    return FindingRecord(
        said.code,
        said.severity,
        said.message,
        range_of(text, said.start, said.end),
        line,
        mark,
        next((index for index, one in enumerate(view.reports) if one is report), None),
        report is not None and it.finding.place.item != report.kernel.item,
        (view.device.id,) if view.device else (),
        tuple(Related(range_of(text, note.start, note.end), note.message) for note in said.related),
        tuple(_suggestions(view, it.finding.fixes)),
        report.kernel.qualified if report is not None else "",
    )


def _suggestions(view: View, fixes: Sequence[Fix]) -> Iterator[Suggestion]:
    for fix in fixes:
        if fix.edits and all(view.source.holds(place) for place, _ in fix.edits):
            edits = sorted((view.span(place), new) for place, new in fix.edits)
            if not all(view.takes(*span, new) for span, new in edits):
                continue
            each = tuple(Replacement(range_of(view.text, *span), new) for span, new in edits)
            yield Suggestion(fix.title, each, _whole(view.text, edits))


def _whole(text: Text, edits: Sequence[tuple[tuple[int, int], str]]) -> Replacement | None:
    """Several edits, in the order in which they stand, as one."""
    start, end = edits[0][0][0], edits[-1][0][1]
    if text.line_of(end) - text.line_of(start) >= _MOST_LINES:
        return None
    parts, at = [], start
    for (first, last), new in edits:
        parts += [text.content[at:first].decode("utf-8", "replace"), new]
        at = last
    return Replacement(range_of(text, start, end), "".join(parts))


def range_of(text: Text, start: int, end: int) -> Range:
    return Range(_position(text, start), _position(text, end))


def _position(text: Text, offset: int) -> Position:
    line, byte = text.position(offset, "utf-8")
    return Position(line + 1, text.position(offset, "utf-32")[1] + 1, text.position(offset, "utf-16")[1] + 1, byte + 1)
