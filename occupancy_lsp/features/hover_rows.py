"""What a hover says of a kernel beyond its own text: the instances of a template, the launches in other files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from occupancy_lsp.analysis.inputs import GroupSize, Local
from occupancy_lsp.analysis.report import KernelReport, instance_reports
from occupancy_lsp.core.wording import bytes_text, or_text
from occupancy_lsp.features.labels import kernel_label
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.source.syntax.known_value import Value
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
    sizes: dict[tuple[str, int], list[Value]] = {}
    for it in (one for one in far if not one.unread):
        sizes.setdefault((Path(it.path).name, it.line), []).append(it.launch.size)
    each = [f"{name}:{line} with {_launched_with(those)}" for (name, line), those in sizes.items()]
    if not each:
        return ""
    left = len(each) - _MOST_LAUNCHES
    return f"Launched in {', '.join(each[:_MOST_LAUNCHES])}{f' and {left} more' if left > 0 else ''}."


def _launched_with(sizes: list[Value]) -> str:
    """What a launch is compiled for in several ways has several."""
    unknown = next((it for it in sizes if it.number is None), None)
    if unknown is not None:
        return f"a size that is not known: {unknown.reason}"
    numbers = sorted({it.number for it in sizes if it.number is not None})
    return f"{or_text(numbers)} threads"


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
