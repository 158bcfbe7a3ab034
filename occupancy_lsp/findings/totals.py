"""How much a check looked at, and what it found, in one line."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.findings.records import SEVERITIES, FileRecord
from occupancy_lsp.source.syntax.known_value import UNDEFINED

_WORDS = {"error": "error", "warning": "warning", "information": "information", "hint": "hint"}


@dataclass(slots=True)
class Totals:
    files: int = 0
    kernels: int = 0
    unread: int = 0  # what looks like a kernel
    hidden_kernels: int = 0
    hidden_launches: int = 0
    without_figure: int = 0  # kernels at which nothing is shown, because no size of theirs is known
    undefined: Counter[str] = field(default_factory=Counter)  # names of which that is so that no file defines
    groups: dict[str, None] = field(default_factory=dict)  # what their devices call a work-group
    devices: dict[str, None] = field(default_factory=dict)  # their names
    severities: Counter[str] = field(default_factory=Counter)

    def count(self, record: FileRecord) -> None:
        if record.skipped:
            return
        self.files += 1
        self.kernels += len(record.kernels)
        self.unread += len(record.unread_kernels)
        self.hidden_kernels += len(record.hidden_kernels)
        self.hidden_launches += len(record.hidden_launches)
        self.severities.update(it.severity for it in record.findings)
        for it in record.kernels:
            first = it.on[0] if it.on else None
            if first is not None and first.label is None and not first.error:
                self.without_figure += 1
                if first.size.reason.endswith(UNDEFINED):
                    self.undefined[first.size.reason.removesuffix(UNDEFINED).rstrip()] += 1
                self.groups[first.device.nouns.group] = None
        if record.kernels:
            self.devices |= {it.name: None for it in record.judged}

    @property
    def looked_at(self) -> str:
        """`9 kernels in 6 files on H100 SXM5`."""
        on = f" on {', '.join(self.devices)}" if self.devices else ""
        return f"{counted(self.kernels, 'kernel')} in {counted(self.files, 'file')}{on}"

    @property
    def found(self) -> str:
        """`1 error, 3 warnings`."""
        counts = self.severities
        return ", ".join(counted(counts[it], _WORDS[it]) for it in reversed(SEVERITIES) if counts[it]) or "no findings"

    @property
    def hidden(self) -> str:
        """`2 kernels and 1 launch`; "" where there are none."""
        each = (self.hidden_kernels, "kernel", "kernels"), (self.hidden_launches, "launch", "launches")
        return " and ".join(f"{number} {one if number == 1 else several}" for number, one, several in each if number)


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
