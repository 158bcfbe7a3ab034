"""Sweeps over one input as text for a terminal: a plot in plain characters, and a table of where the figure changes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, pairwise
from textwrap import wrap

from occupancy_lsp.analysis.what_if import what_if
from occupancy_lsp.calculator.calculate import counted, names_of
from occupancy_lsp.calculator.widths import assumed
from occupancy_lsp.core.table import axis_ends
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.sweep import Points, over_group_sizes, over_local, over_registers

_SWEEPS: dict[str, Callable[[Architecture, Need], Points]] = {"registers": over_registers, "local": over_local}

_UNITS = {"group_size": "threads", "registers": "registers", "local": "bytes"}

_HEIGHT = 10
_SCALE = "  75% |"  # as wide as every label of the plot's vertical axis
_LEAST_COLUMNS = 16


def sweep_report(device: Device, need: Need, over: str, width: int = 100, per_thread: int = 0) -> str:
    """The sweep `over` "group_size", "registers" or "local" around `need`, its plot and its table, in `width` columns.

    `per_thread`: bytes of its dynamic local memory that follow the size. ValueError: impossible need.
    """
    sized = over == "group_size"
    points = over_group_sizes(device.arch, need, per_thread) if sized else _SWEEPS[over](device.arch, need)
    words = device.nouns
    need = counted(need)
    now = {"group_size": need.group_size, "registers": need.registers, "local": need.static_local + need.dynamic_local}
    title = f"{device.name}: occupancy by {_axis(over, words)}"
    sections = [
        title,
        *wrap(assumed(device.arch, need), width),
        "",
        *plot(points, width, now[over]),
        "",
        *_table(points, over, words, width, now[over]),
    ]
    if ways := what_if(device.arch, need, words):
        sections += ["", f"At {need.group_size} threads per {words.group}:"]
        sections += [line for way in ways for line in _wrapped(way, width)]
    return "\n".join(line.rstrip() for line in sections) + "\n"


def _wrapped(way: str, width: int) -> list[str]:
    """In plain characters, of which ">" marks a row of the table."""
    return wrap(way.replace("−", "-").replace(" →", ":"), width, initial_indent="  ", subsequent_indent="    ")


def plot(points: Points, width: int, now: int | None = None) -> list[str]:
    """Percent over the swept amount, "^" under `now`. A column of several points shows the lowest of them."""
    columns = _columns(points, max(width - len(_SCALE), _LEAST_COLUMNS))
    heights = [min(_level(points[index][1].percent) for index in column) for column in columns]
    lines = []
    for row in range(_HEIGHT, 0, -1):
        label = f"{100 * row // _HEIGHT}%" if row % 2 == 0 else ""
        lines.append(f"{label:>5} |" + "".join("#" if height >= row else " " for height in heights))
    lines.append("   0% +" + "-" * len(columns))
    marker = "".join("^" if _holds(points, column, now) else " " for column in columns)
    if "^" in marker:
        # Where a point is several columns wide, one mark is enough.
        lines.append(" " * len(_SCALE) + marker[: marker.index("^") + 1])
    first, last = str(points[0][0]), str(points[-1][0])
    lines.append(" " * len(_SCALE) + axis_ends(first, last, len(columns)))
    return lines


def _columns(points: Points, wide: int) -> list[range]:
    """Which points each column stands for: several points share one, or one point takes several."""
    count = len(points)
    if count < wide:
        each = wide // count
        return [range(index, index + 1) for index in range(count) for _ in range(each)]
    edges = [column * count // wide for column in range(wide + 1)]
    return [range(low, high) for low, high in pairwise(edges)]


def _level(percent: float) -> int:
    """Rows of a bar: it reaches a label that the figure reaches. What runs at all shows."""
    return max(int(percent * _HEIGHT) // 100, 1) if percent else 0


def _holds(points: Points, column: range, now: int | None) -> bool:
    """Whether `now` is at one of the points of `column`, or between them and the point before."""
    if now is None or now > points[-1][0]:
        return False
    before = points[column.start - 1][0] if column.start else -1
    return before < now <= points[column[-1]][0]


def _table(points: Points, over: str, words: Nouns, width: int, now: int | None) -> list[str]:
    """Every size; of registers and bytes the last amount of each step. ">" marks the row that holds `now`."""
    steps, amount = points, _UNITS[over]
    if over != "group_size":
        ends = groupby(points, key=lambda point: (point[1].groups, point[1].limiters))
        steps, amount = [list(step)[-1] for _, step in ends], f"{amount} up to"
    held = next((at for at, _ in steps if now is not None and at >= now), None)
    wide = max(len(words.sub_groups), 7)
    lines = [f"  {amount}  {words.groups:>6}  {words.sub_groups:>{wide}}  percent  limited by"]
    for at, result in steps:
        figures = f"{result.groups:>6}  {result.sub_groups:>{wide}}  {percent_text(result.percent):>7}"
        start = f"{'>' if at == held else ' '} {at:>{len(amount)}}  {figures}  "
        limiters = ", ".join(names_of(words)[name] for name in result.limiters)
        first, *rest = wrap(limiters, max(width - len(start), _LEAST_COLUMNS))
        lines += [start + first, *(" " * len(start) + more for more in rest)]
    return lines


def _axis(over: str, words: Nouns) -> str:
    return {
        "group_size": f"threads per {words.group}",
        "registers": f"{words.registers} per thread",
        "local": f"bytes of {words.local_memory} per {words.group}",
    }[over]
