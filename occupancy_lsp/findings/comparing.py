"""Records of a check set against an earlier time: what is new stays a finding, and what was lost becomes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Literal

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.files import read_bytes
from occupancy_lsp.core.text import Text
from occupancy_lsp.core.wording import bytes_text, span_text
from occupancy_lsp.devices.catalogue import Catalogue, UnknownDevice
from occupancy_lsp.features.answers import Severity
from occupancy_lsp.findings.changes import Change, changes, paired
from occupancy_lsp.findings.recording import range_of
from occupancy_lsp.findings.records import (
    SEVERITIES,
    FileRecord,
    FindingRecord,
    KernelRecord,
    LaunchRecord,
    Range,
    Related,
)
from occupancy_lsp.findings.source_lines import marked
from occupancy_lsp.findings.was import FindingKind, Key, Was, entries, named, stands_for
from occupancy_lsp.model.nouns import NEUTRAL, Nouns
from occupancy_lsp.rules import occupancy_lost
from occupancy_lsp.rules.finding import short

_MOST_BYTES = 2 << 20
_LOST = occupancy_lost.RULE
_Name = tuple[str, str]  # path and name of a kernel


@dataclass(frozen=True, slots=True)
class Before:
    """An earlier time. `title`: what people call it. `relative`: the path by which its keys know a file.

    `launches`, `digests`: of its kernels, as far as they are known. `changed_only`: what did not change since then is
    not looked at.
    """

    title: str
    relative: Callable[[Path], str]
    kernels: Mapping[Key, Was]
    launches: Mapping[_Name, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    digests: Mapping[_Name, str] = field(default_factory=dict)
    changed_only: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """`known`: how many findings there were before and are now. `fixed`: how many there were, and are no more.
    `milder`: how many there still are, less severe than before, on each architecture.

    `places`: where the kernels of `changes` stand, as people write it. `nouns`: by architecture. `changed_only`: what
    did not change was not looked at.
    """

    title: str
    changes: tuple[Change, ...]
    known: int
    fixed: int
    milder: int
    now: Mapping[Key, Was]
    places: Mapping[Key, str]
    nouns: Mapping[str, Nouns]
    changed_only: bool = False

    def count(self, kind: str) -> int:
        return sum(it.kind == kind for it in self.changes)


def before_of(title: str, records: Sequence[FileRecord], relative: Callable[[Path], str]) -> Before:
    kernels = {key: was for it in records for key, was in entries(it, relative(it.absolute))}
    launches = {(path, named(kernel)): tuple(_launches(kernel, relative)) for path, kernel in _each(records, relative)}
    digests = {(path, named(kernel)): kernel.digest for path, kernel in _each(records, relative)}
    return Before(title, relative, kernels, launches, digests, changed_only=True)


def compare(
    before: Before,
    records: Sequence[FileRecord],
    files: Collection[str],
    severity: Callable[[Path], Severity | Literal["off"]] = lambda path: _LOST.severity,
) -> tuple[list[FileRecord], Comparison]:
    """The records with the findings that are new, and with one for each kernel that lost occupancy.

    `files`: the paths that were looked at, or that there are no more, as the keys have them. `severity`: of a loss in
    the file at a path.
    """
    now = {key: was for it in records for key, was in entries(it, before.relative(it.absolute))}
    archs = {key.arch for key in now}
    was = {key: it for key, it in before.kernels.items() if key.path in files and (key.arch in archs or not archs)}
    digests = {(path, named(kernel)): kernel.digest for path, kernel in _each(records, before.relative)}
    pairs = paired(
        [key for key, it in was.items() if it.figured],
        [key for key, it in now.items() if it.figured],
        {key: before.digests.get((key.path, key.kernel), "") for key in was},
        {key: digests.get((key.path, key.kernel), "") for key in now},
        {before.relative(it.absolute) for it in records},
    )
    found = tuple(changes(was, now, pairs))
    left = {key: Counter(it.findings) for key, it in was.items()}
    new = [_new_ones(it, before.relative(it.absolute), left, pairs) for it in records]
    kept = [record for record, _ in new]
    known = sum(len(it.findings) for it in records) - sum(len(it.findings) for it in kept)
    kernels = {(path, named(kernel)): kernel for path, kernel in _each(records, before.relative)}
    names = {before.relative(it.absolute): it for it in records}
    compared = Comparison(
        before.title,
        found,
        known,
        sum(sum(it.values()) for it in left.values()),
        sum(milder for _, milder in new),
        now,
        {it.key: _place(it.key, names, kernels) for it in found},
        _nouns({it.key.arch for it in found}, kernels.values()),
        before.changed_only,
    )
    lost = [
        (path, replace(it, severity=severe))
        for change in found
        if change.kind == "lost" and (severe := severity(names[change.key.path].absolute)) != "off"
        for path, it in _lost(change, before, compared, names, kernels)
    ]
    return _with(kept, lost), compared


def _nouns(archs: Collection[str], kernels: Collection[KernelRecord]) -> Mapping[str, Nouns]:
    """By architecture, of those that only kernels of before are for, too, if they are built in."""
    known = {on.device.arch: on.device.nouns for kernel in kernels for on in kernel.on}
    if gone := [it for it in archs if it not in known]:
        catalogue = Catalogue()
        for arch in gone:
            with suppress(UnknownDevice):
                known[arch] = catalogue.architecture(arch).nouns
    return known


def _each(records: Sequence[FileRecord], relative: Callable[[Path], str]) -> Iterator[tuple[str, KernelRecord]]:
    for record in records:
        for kernel in record.kernels:
            yield relative(record.absolute), kernel


def _launches(kernel: KernelRecord, relative: Callable[[Path], str]) -> Iterator[tuple[str, str]]:
    for it in kernel.launches:
        yield relative(it.path), it.asks


def _place(key: Key, names: Mapping[str, FileRecord], kernels: Mapping[_Name, KernelRecord]) -> str:
    record, kernel = names.get(key.path), kernels.get((key.path, key.kernel))
    shown = record.path if record is not None else key.path
    return f"{shown}:{kernel.place.start.line}" if kernel is not None else shown


def _new_ones(
    record: FileRecord, path: str, left: Mapping[Key, Counter[FindingKind]], pairs: Mapping[Key, Key]
) -> tuple[FileRecord, int]:
    """Of the findings, those beyond the number that there was, and those that were less severe.

    Takes the others out of what is left. With how many of these were more severe.
    """
    archs = {on.device.id: on.device.arch for kernel in record.kernels for on in kernel.on}
    milder = 0

    def is_new(finding: FindingRecord, device: str) -> bool:
        nonlocal milder
        kernel = named(record.kernels[finding.kernel]) if finding.kernel is not None else ""
        key = Key(path, kernel, "", archs.get(device, device))
        count = left.get(pairs.get(key, key))
        known = stands_for(count, FindingKind(finding.rule, finding.severity)) if count is not None else None
        if count is None or known is None:
            return True
        count[known] -= 1
        milder += known.severity != finding.severity
        return False

    # The most severe first: they have the least choice of what stands for them.
    ordered = sorted(enumerate(record.findings), key=lambda it: -SEVERITIES.index(it[1].severity))
    new = {index: tuple(device for device in it.devices if is_new(it, device)) for index, it in ordered}
    found = [replace(it, devices=new[at]) for at, it in enumerate(record.findings) if new[at] or not it.devices]
    return replace(record, findings=tuple(found)), milder


def _lost(
    change: Change,
    before: Before,
    compared: Comparison,
    names: Mapping[str, FileRecord],
    kernels: Mapping[_Name, KernelRecord],
) -> Iterator[tuple[Path, FindingRecord]]:
    """With the file that it stands in: where a launch is another one, there."""
    record, kernel = names[change.key.path], kernels[change.key.path, change.key.kernel]
    index = next(index for index, it in enumerate(record.kernels) if it is kernel)
    name = change.key.name
    text = f"{difference(change, compared.nouns.get(change.key.arch, NEUTRAL))}, since {compared.title}"
    devices = tuple(on.device.id for on in kernel.on if on.device.arch == change.key.arch)[:1]
    was = change.before or change.key
    launches = before.launches.get((was.path, was.kernel))
    if launches is not None:  # those in the file itself moved with it
        launches = tuple((change.key.path if path == was.path else path, asks) for path, asks in launches)
    launch = _changed_launch(kernel, launches, before.relative)
    about = short(text if not change.key.instance else f"{name}: {text}")
    if launch is None:
        found = _at(record.absolute, kernel.place, about, index, False, devices)
        yield record.absolute, replace(found, about=kernel.name)
        return
    here = launch.path == record.absolute
    related = (Related(kernel.place, f"{name} is defined here"),) if here else ()
    place = _line_range(launch)
    said = about if here or change.key.instance else short(f"{name}: {text}")
    found = _at(launch.path, place, said, index if here else None, True, devices)
    yield launch.path, replace(found, related=related, about=kernel.name)


def _changed_launch(
    kernel: KernelRecord, before: tuple[tuple[str, str], ...] | None, relative: Callable[[Path], str]
) -> LaunchRecord | None:
    if before is None:
        return None
    left = Counter(before)
    for it in kernel.launches:
        known = relative(it.path), it.asks
        if not left[known]:
            return it
        left[known] -= 1
    return None


def _line_range(launch: LaunchRecord) -> Range:
    text = _text(launch.path)
    line = min(launch.line - 1, text.line_count - 1)
    start, end = text.line_start(line), text.line_end(line)
    row = text.content[start:end]
    return range_of(text, start + len(row) - len(row.lstrip()), start + len(row.rstrip()))


def _at(
    path: Path, place: Range, message: str, kernel: int | None, outside: bool, devices: tuple[str, ...]
) -> FindingRecord:
    text = _text(path)
    start, end = (text.offset(it.line - 1, it.byte - 1, "utf-8") for it in (place.start, place.end))
    line, mark = marked(text, start, end)
    return FindingRecord(_LOST.code, _LOST.severity, message, place, line, mark, kernel, outside, devices)


def _text(path: Path) -> Text:
    return Text(read_bytes(path, _MOST_BYTES) or b"")


def _with(records: Sequence[FileRecord], lost: Sequence[tuple[Path, FindingRecord]]) -> list[FileRecord]:
    found: dict[Path, list[FindingRecord]] = {}
    for path, it in lost:
        same = found.setdefault(path, [])
        if it not in same:
            same.append(it)
    done = [_added(it, found.pop(it.absolute, [])) for it in records]
    return done + [_added(FileRecord(_shown(path), path), more) for path, more in found.items()]


def _added(record: FileRecord, more: Sequence[FindingRecord]) -> FileRecord:
    every = sorted((*record.findings, *more), key=lambda it: (it.place.start.line, it.place.start.column))
    return replace(record, findings=tuple(every)) if more else record


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def difference(change: Change, words: Nouns) -> str:
    """`50% → 37.5% (4 → 3 blk/SM), registers 64 → 72`: what is another, and what it hangs on."""
    was, now = change.was, change.now
    if was is None or now is None:
        only = now or was
        return figure(only, words) if only is not None else ""
    parts = [_of_figures(was, now, words)]
    parts += _other("threads", _numbers(was.threads), _numbers(now.threads))
    parts += _other(words.registers, _span(was.registers), _span(now.registers))
    parts += _other(words.local_memory, _bytes(was.local), _bytes(now.local))
    return ", ".join(parts)


def figure(was: Was, words: Nouns) -> str:
    """`50% (4 blk/SM)`."""
    if was.percent is None or was.groups is None:
        return "unknown"
    return f"{span_text(*was.percent)} ({_span(was.groups)} {words.group_short}/{words.unit_short})"


def _of_figures(was: Was, now: Was, words: Nouns) -> str:
    if was.percent is None or now.percent is None or was.groups is None or now.groups is None:
        return " → ".join(dict.fromkeys((figure(was, words), figure(now, words))))
    if (was.percent, was.groups) == (now.percent, now.groups):
        return figure(now, words)
    percent = [*dict.fromkeys((span_text(*was.percent), span_text(*now.percent)))]
    groups = [*dict.fromkeys((_span(was.groups), _span(now.groups)))]
    return f"{' → '.join(percent)} ({' → '.join(groups)} {words.group_short}/{words.unit_short})"


def _other(what: str, was: str, now: str) -> list[str]:
    return [f"{what} {was} → {now}"] if was != now else []


def _span(ends: tuple[int, int] | None) -> str:
    if ends is None:
        return "unknown"
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}–{ends[1]}"


def _bytes(ends: tuple[int, int]) -> str:
    low, high = map(bytes_text, ends)
    return low if low == high else f"{low} to {high}"


def _numbers(several: Sequence[int]) -> str:
    return "/".join(map(str, several)) or "unknown"
