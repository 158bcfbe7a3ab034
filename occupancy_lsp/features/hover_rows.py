"""What a hover says of a kernel beyond its own text: the instances of a template, the launches in other files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from occupancy_lsp.analysis.inputs import GroupSize, Local
from occupancy_lsp.analysis.report import KernelReport, instance_reports
from occupancy_lsp.core.wording import bytes_text
from occupancy_lsp.features.labels import kernel_label
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.workspace.callers import FarLaunch

_MOST_ROWS = 8
_MOST_LAUNCHES = 4

Row = tuple[str, str, str, str]


def head(words: Nouns) -> Row:
    return "arguments", "threads", words.local_memory, "occupancy"


def instance_rows(report: KernelReport) -> tuple[list[Row], str]:
    """A row for each instance in sight, and what is left out; nothing where there is only one, or none has a figure."""
    if len(report.kernel.instances) < 2:
        return [], ""
    reports = instance_reports(report)
    if not any(map(kernel_label, reports)):
        return [], ""
    rows = [(it.kernel.arguments, _threads(it.size), _bytes(it.local), label_text(it)) for it in reports]
    left = len(rows) - _MOST_ROWS
    return rows[:_MOST_ROWS], f"and {left} more" if left > 0 else ""


def label_text(report: KernelReport) -> str:
    label = kernel_label(report)
    return label.without_size if label else "not known"


def far_launches(far: Sequence[FarLaunch]) -> str:
    if not far:
        return ""
    shown = ", ".join(map(_far, far[:_MOST_LAUNCHES]))
    more = f" and {len(far) - _MOST_LAUNCHES} more" if len(far) > _MOST_LAUNCHES else ""
    return f"Launched in {shown}{more}."


def _far(far: FarLaunch) -> str:
    size = far.launch.size
    threads = f"{size.number} threads" if size.number is not None else f"a size that is not known: {size.reason}"
    return f"{Path(far.path).name}:{far.line} with {threads}"


def _threads(size: GroupSize) -> str:
    if not size.sizes:
        return "not known"
    return ("≤ " if size.bounded else "") + ", ".join(map(str, size.sizes))


def _bytes(memory: Local) -> str:
    low, high = memory.static[0] + memory.dynamic[0], memory.static[1] + memory.dynamic[1]
    if memory.exact is not None:
        return bytes_text(low)
    if memory.reason or memory.unseen or memory.dynamic[0] != memory.dynamic[1]:
        return f"at least {bytes_text(low)}" if low else "not known"
    return f"{bytes_text(low)} to {bytes_text(high)}"
