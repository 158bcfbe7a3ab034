"""What was known of a kernel at another time, in as few values as comparing it takes, by what it is known by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import NamedTuple

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.features.answers import Severity
from occupancy_lsp.findings.records import SEVERITIES, FileRecord, KernelRecord, OnDevice


class FindingKind(NamedTuple):
    """What findings are counted by."""

    rule: str
    severity: Severity


class Key(NamedTuple):
    """`path`: with slashes, from a folder that both times share. `kernel`: "" for what is about a file's comments.

    `kernel` ends with `#2` and so on for further kernels of its name in the file. `instance`: template arguments.
    No line is part of it: lines move.
    """

    path: str
    kernel: str
    instance: str
    arch: str

    @property
    def name(self) -> str:
        """As people write it."""
        return f"{self.kernel}<{self.instance}>" if self.instance else self.kernel


@dataclass(frozen=True, slots=True)
class Was:
    """`groups` per compute unit, `percent`, `registers` per thread, `local` bytes per group: each lowest and highest.

    `groups` and `percent` None: no size is known. `threads`: the sizes of work-groups in question, `sure` if it is
    certain to be one of them. `stale`: its count is older than its text. `findings`: how many of each kind.
    `figured` False: what stands here is no kernel with a figure of its own: a file's comments, or a template whose
    instances are in sight.
    """

    groups: tuple[int, int] | None = None
    percent: tuple[float, float] | None = None
    source: str = ""
    threads: tuple[int, ...] = ()
    sure: bool = True
    registers: tuple[int, int] | None = None
    local: tuple[int, int] = (0, 0)
    stale: bool = False
    findings: Mapping[FindingKind, int] = field(default_factory=dict)
    figured: bool = True

    @property
    def exact(self) -> bool:
        return self.percent is not None and self.percent[0] == self.percent[1] and self.sure and not self.stale

    @property
    def figure(self) -> object:
        """All but the findings, and who says so."""
        return self.groups, self.percent, self.threads, self.sure, self.registers, self.local


def entries(record: FileRecord, path: str) -> Iterator[tuple[Key, Was]]:
    """Of all that a file says."""
    counts = _counts(record)
    for index, kernel in enumerate(record.kernels):
        name = named(kernel)
        for on in kernel.on:
            arch = on.device.arch
            own = Was(figured=False) if kernel.instances else was(on)
            yield Key(path, name, "", arch), replace(own, findings=counts.pop((index, arch), {}))
        for instance in kernel.instances:
            for on in instance.on:
                yield Key(path, name, instance.instance, on.device.arch), was(on)
    for (_, arch), found in counts.items():
        yield Key(path, "", "", arch), Was(findings=found, figured=False)


def named(kernel: KernelRecord) -> str:
    return f"{kernel.name}#{kernel.order + 1}" if kernel.order else kernel.name


def was(on: OnDevice) -> Was:
    count, memory = on.registers, on.local
    return Was(
        on.groups,
        on.percent,
        on.source or "",
        on.size.sizes,
        on.size.sure,
        (count.lowest, count.highest) if count.lowest is not None else None,
        (memory.static[0] + memory.dynamic[0], memory.static[1] + memory.dynamic[1]),
        count.freshness != "fresh",
    )


def _counts(record: FileRecord) -> dict[tuple[int | None, str], dict[FindingKind, int]]:
    archs = {on.device.id: on.device.arch for kernel in record.kernels for on in kernel.on}
    if record.device is not None:
        archs[record.device.id] = record.device.arch
    found: dict[tuple[int | None, str], Counter[FindingKind]] = {}
    for it in record.findings:
        for device in it.devices:
            found.setdefault((it.kernel, archs.get(device, device)), Counter())[FindingKind(it.rule, it.severity)] += 1
    return {key: dict(sorted(count.items())) for key, count in found.items()}


def stands_for(before: Mapping[FindingKind, int], it: FindingKind) -> FindingKind | None:
    """Of the findings that there were, one of the same rule that was at least as severe, the least severe of them."""
    worse = SEVERITIES[SEVERITIES.index(it.severity) :]
    return next((kind for severity in worse if before.get(kind := FindingKind(it.rule, severity))), None)
