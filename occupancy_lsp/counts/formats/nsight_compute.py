"""What Nsight Compute measured: `ncu --csv`, of the details page (a line per metric) or the raw one (per launch).

Columns, metrics and units: NVIDIA's Nsight Compute documentation ("Kernel Profiling Guide", launch__*), and reports
from 2020 to 2026. Sizes come scaled to fit, a Kbyte being 1000 bytes: `49.15` may be any of ten sizes, so nothing is
said unless bytes are, or decimals enough for each of them. What the driver reserves is a metric of its own and is not
counted. The work-group size is that of all launches in the report; launches that it does not show may have others.
The same pages as text are read by `nsight_text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats import nsight_activity, nsight_work, path_archs
from occupancy_lsp.counts.formats.tables import Row, each_kernel_once, rows, threads, whole
from occupancy_lsp.counts.usage import Reading, Usage

_KERNEL, _METRIC = "Kernel Name", "Metric Name"
_RAW = "launch__registers_per_thread"
_REGISTERS = ("Registers Per Thread", _RAW)
_STATIC = ("Static Shared Memory Per Block", "launch__shared_mem_per_block_static")
_DYNAMIC = ("Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic")
_BLOCK = ("Block Size", "launch__block_size")
FIGURES = frozenset((*_REGISTERS, *_STATIC, *_DYNAMIC, *_BLOCK)) | nsight_work.METRICS | nsight_activity.METRICS
_LAUNCH = ("Process ID", "ID", _KERNEL, "Block Size", "Grid Size", "Device", "CC")
_CUT = "unnamed>::"  # some releases leave so much of an anonymous namespace
_CAPABILITY = regex(r"(\d{1,2})\.(\d)")
_THOUSANDTHS = regex(r"(\d{1,6})\.(\d{3})0*")


@dataclass(slots=True)
class Launch:
    """`first`: where it begins, with the columns that speak of the launch itself."""

    first: Row
    figures: dict[str, tuple[str, str]] = field(default_factory=dict)  # value and unit

    def figure(self, names: tuple[str, ...]) -> tuple[str, str] | None:
        return next((self.figures[name] for name in names if name in self.figures), None)


def looks_like(data: bytes) -> bool:
    return b"Kernel Name" in data and (b"Metric Name" in data or _RAW.encode() in data)


def read(data: bytes, path: str) -> Reading:
    """A usage for each kernel. Never raises."""
    text = data.decode("utf-8", "replace")
    return reading([*_raw(text), *_details(text)], path)


def reading(launches: Iterable[Launch], path: str) -> Reading:
    usages = [usage for launch in launches if (usage := _usage(launch, path)) is not None]
    message = "the report has no compute capability: name the file for it, as in report.sm_90.csv"
    problems = (Problem(path, 0, 0, message),) if any(usage.arch is None for usage in usages) else ()
    return Reading(each_kernel_once(usage for usage in usages if usage.arch is not None), problems)


def _raw(text: str) -> Iterator[Launch]:
    """One row for each launch, below one with the units."""
    units: dict[str, str] = {}
    for row in rows(text, (_KERNEL, _RAW)):
        if not row.cells[_KERNEL]:
            units = dict(row.cells)
        elif _METRIC not in row.cells:
            figures = {name: (row.cells[name], units.get(name, "")) for name in FIGURES & row.cells.keys()}
            yield Launch(row, figures)


def _details(text: str) -> Iterator[Launch]:
    """One row for each metric of a launch; or, in a summary, of all launches of a kernel with one shape."""
    launch: Launch | None = None
    for row in rows(text, (_KERNEL, _METRIC)):
        if launch is None or any(launch.first.cells.get(name) != row.cells.get(name) for name in _LAUNCH):
            if launch is not None:
                yield launch
            launch = Launch(row)
        if row.cells[_METRIC] in FIGURES:
            launch.figures[row.cells[_METRIC]] = (_value(row), row.cells.get("Metric Unit", ""))
    if launch is not None:
        yield launch


def _value(row: Row) -> str:
    least, most = row.cells.get("Minimum", ""), row.cells.get("Maximum", "")
    return row.cells.get("Metric Value", least if least == most else "")


def _usage(launch: Launch, path: str) -> Usage | None:
    """None where the report says none of the figures that count."""
    count, static, dynamic = (launch.figure(names) for names in (_REGISTERS, _STATIC, _DYNAMIC))
    registers = whole(count[0]) if count else None
    done = nsight_work.work(launch.figures)
    if not registers and static is None and dynamic is None and not done:
        return None
    cells = launch.first.cells
    block = launch.figure(_BLOCK)
    return Usage(
        cells[_KERNEL].removeprefix(_CUT),
        "measured",
        path,
        launch.first.line,
        _arch(cells.get("CC", "")) or path_archs.nvidia(path),
        registers=registers or None,
        static_local=_bytes(*static) if static else None,
        dynamic_local=_bytes(*dynamic) if dynamic else None,
        group_size=threads(cells.get("Block Size")) or (threads(block[0]) if block else None),
        work=done,
        activity=nsight_activity.activity(launch.figures),
    )


def _arch(capability: str) -> str | None:
    match = _CAPABILITY.fullmatch(capability)
    return f"sm_{match[1]}{match[2]}" if match else None


def _bytes(value: str, unit: str) -> int | None:
    size = unit.partition("/")[0]
    if size == "byte":
        return whole(value)
    match = _THOUSANDTHS.fullmatch(value) if size == "Kbyte" else None
    return int(match[1]) * 1000 + int(match[2]) if match else None
