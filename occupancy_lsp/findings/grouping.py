"""Findings of one rule at one place: as many as devices differ in what is said, and to be shown as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.findings.records import SEVERITIES, FileRecord, FindingRecord, KernelRecord

_UNIT = "\0"


@dataclass(frozen=True, slots=True)
class Group:
    """`kernel` None: it stands in another file, or the finding is about a comment. `fingerprint`: the same as long as
    path, kernel and rule are: where its lines stand has no part in it, nor what they say.
    """

    findings: tuple[FindingRecord, ...]
    kernel: KernelRecord | None
    fingerprint: str

    @property
    def first(self) -> FindingRecord:
        return self.findings[0]

    @property
    def severity(self) -> str:
        """The highest."""
        return max((it.severity for it in self.findings), key=SEVERITIES.index)

    @property
    def message(self) -> str:
        """With the devices on which it was found."""
        return "; ".join(f"{it.message}{on(it)}" for it in self.findings)

    @property
    def short_message(self) -> str:
        """For where the devices are told once for all."""
        return "; ".join(dict.fromkeys(it.message for it in self.findings))


def on(finding: FindingRecord) -> str:
    """`, on sm_86, sm_120`: the devices, as they follow a message that does not name them."""
    names = ", ".join(finding.devices)
    return f", on {names}" if names and names not in finding.message else ""


def groups(record: FileRecord, path: str) -> Iterator[Group]:
    """In the order in which they stand. `path`: what the fingerprints know the file by."""
    found: dict[tuple[object, ...], list[FindingRecord]] = {}
    for it in record.findings:
        found.setdefault((it.rule, it.kernel, it.about, it.place), []).append(it)
    before: Counter[tuple[str, ...]] = Counter()
    for each in found.values():
        kernel = record.kernels[each[0].kernel] if each[0].kernel is not None else None
        about = (kernel.name, str(kernel.order)) if kernel else (each[0].about or each[0].line.strip(),)
        key = (path, *about, each[0].rule)
        before[key] += 1
        fingerprint = sha256(_UNIT.join((*key, str(before[key]))).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        yield Group(tuple(each), kernel, fingerprint)
