"""The records of one file, one for each device that it was looked at for, as one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from occupancy_lsp.findings.records import DeviceRecord, FileRecord, FindingRecord, KernelRecord, Position

_ARCH = "\0"
_Place = tuple[int, int]
_Kernel = tuple[_Place, str, str]  # an `#if` may have a kernel for some devices only


def merged(whole: FileRecord, each: Sequence[FileRecord]) -> FileRecord:
    """`whole`: of all devices together. What is found on several is one finding, with their names."""
    kernels = _kernels(it for record in each for it in record.kernels)
    index = {_key(it): number for number, it in enumerate(kernels)}
    findings: dict[FindingRecord, list[tuple[FindingRecord, DeviceRecord]]] = {}
    for record in each:
        for it in record.findings:
            here = replace(it, kernel=None if it.kernel is None else index[_key(record.kernels[it.kernel])])
            for device in record.judged:
                findings.setdefault(_alike(here, device), []).append((here, device))
    found = [_together(every) for every in findings.values()]
    return replace(
        whole,
        kernels=kernels,
        findings=tuple(sorted(found, key=lambda it: (_at(it.place.start), _at(it.place.end), it.rule))),
        unread_kernels=tuple(sorted({line for record in each for line in record.unread_kernels})),
        hidden_kernels=_in_all(record.hidden_kernels for record in each),
        hidden_launches=_in_all(record.hidden_launches for record in each),
        judged=tuple(dict.fromkeys(device for record in each for device in record.judged)),
    )


def _in_all(each: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """The lines that are hidden on whichever device."""
    first, *others = map(frozenset, each)
    return tuple(sorted(first.intersection(*others)))


def _alike(finding: FindingRecord, device: DeviceRecord) -> FindingRecord:
    """The same for findings that say the same of their devices."""
    message = re.sub(rf"\b{re.escape(device.arch)}\b", _ARCH, finding.message)
    return replace(finding, message=message, devices=(), related=(), suggestions=())


def _together(found: Sequence[tuple[FindingRecord, DeviceRecord]]) -> FindingRecord:
    """A message that names the architecture names all of them; what is suggested mends it on every device."""
    first, device = found[0]
    archs = ", ".join(dict.fromkeys(it.arch for _, it in found))
    message = re.sub(rf"\b{re.escape(device.arch)}\b", archs, first.message)
    edits = [{it.replacements for it in finding.suggestions} for finding, _ in found]
    common = tuple(it for it in first.suggestions if all(it.replacements in some for some in edits))
    return replace(first, message=message, devices=tuple(it.id for _, it in found), suggestions=common)


def _kernels(every: Iterable[KernelRecord]) -> tuple[KernelRecord, ...]:
    """In the order in which they stand."""
    apart: dict[_Kernel, list[KernelRecord]] = {}
    for it in every:
        apart.setdefault(_key(it), []).append(it)
    before: Counter[str] = Counter()
    found = []
    for key in sorted(apart):
        parts = apart[key]
        name, on = parts[0].name, tuple(on for it in parts for on in it.on)
        instances = _kernels(instance for it in parts for instance in it.instances)
        launches = tuple(dict.fromkeys(launch for it in parts for launch in it.launches))
        found.append(replace(parts[0], order=before[name], on=on, instances=instances, launches=launches))
        before[name] += not parts[0].instance
    return tuple(found)


def _key(kernel: KernelRecord) -> _Kernel:
    return _at(kernel.place.start), kernel.name, kernel.instance


def _at(position: Position) -> _Place:
    return position.line, position.byte
