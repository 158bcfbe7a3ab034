"""A kernel's place under a device's roofline as text for a terminal: in numbers, and as a small plot in characters."""

from __future__ import annotations

from math import log2

from occupancy_lsp.core.table import axis_ends
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.roofline import Roofline, intensity, rooflines

_HEIGHT = 10
_LABEL = 15  # columns of the vertical axis
_LEAST_COLUMNS = 24
_SPAN = 3  # powers of two that are shown beyond the ridge point and the kernel
_PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def roofline_report(device: Device, roof: Roofline, operations: float, moved: float, width: int = 100) -> str:
    """`operations` and bytes `moved` under `roof`, one of the device's, in `width` columns. ValueError: not above 0."""
    at = intensity(operations, moved)
    reached = roof.attainable(at)
    bound = "memory bound" if roof.memory_bound(at) else "compute bound"
    lines = [
        f"{device.name}, {roof.precision}: {peak_text(roof)}, {bandwidth_text(roof)}, ridge at {ridge_text(roof)}",
        f"{amount(operations)}FLOP over {amount(moved)}B: {number(at)} FLOP/B, {bound}: "
        f"at most {amount(reached)}FLOPS, {percent_text(100 * reached / roof.peak)} of the peak",
        "",
        *plot(roof, at, width),
        "",
    ]
    others = [f"{it.precision} {number(it.ridge)}" for it in rooflines(device) if it.precision != roof.precision]
    lines += [f"other ridge points: {', '.join(others)} FLOP/B"] if others else []
    return "\n".join(line.rstrip() for line in [*lines, f"source: {device.roofline_source or 'not given'}"]) + "\n"


def plot(roof: Roofline, at: float, width: int) -> list[str]:
    """FLOPS over FLOP/B, both axes logarithmic: "/" and "-" are the roof, "o" the kernel on it."""
    columns = max(min(width, 76) - _LABEL, _LEAST_COLUMNS)
    low, high = log2(min(roof.ridge, at)) - _SPAN, log2(max(roof.ridge, at)) + _SPAN
    floor, top = log2(roof.attainable(2.0**low)), log2(roof.peak)
    places = [2.0 ** (low + (high - low) * column / (columns - 1)) for column in range(columns)]
    rows = [_row(log2(roof.attainable(place)), floor, top) for place in places]
    kernel = round((log2(at) - low) / (high - low) * (columns - 1))
    lines = []
    for row in range(_HEIGHT, -1, -1):
        label = f"{amount(2.0 ** (floor + (top - floor) * row / _HEIGHT))}FLOPS" if row in (0, _HEIGHT) else ""
        drawn = [
            ("/" if roof.memory_bound(place) else "-") if rows[at] == row else " " for at, place in enumerate(places)
        ]
        if rows[kernel] == row:
            drawn[kernel] = "o"
        lines.append(f"{label:>{_LABEL - 2}} |" + "".join(drawn))
    lines.append(" " * (_LABEL - 2) + " +" + "-" * columns)
    first, last = number(places[0]), f"{number(places[-1])} FLOP/B"
    return [*lines, " " * _LABEL + axis_ends(first, last, columns)]


def _row(height: float, floor: float, top: float) -> int:
    return round((height - floor) / (top - floor) * _HEIGHT)


def peak_text(roof: Roofline) -> str:
    return f"{amount(roof.peak)}FLOPS"


def bandwidth_text(roof: Roofline) -> str:
    return f"{number(roof.bandwidth / 1e9)} GB/s"


def ridge_text(roof: Roofline) -> str:
    return f"{number(roof.ridge)} FLOP/B"


def amount(value: float) -> str:
    """`19.5 T`, `388.75 G`: a decimal prefix, to stand before a unit."""
    for power, prefix in _PREFIXES:
        if value >= power:
            return f"{number(value / power)} {prefix}"
    return f"{number(value)} "


def number(value: float) -> str:
    """At least four digits that mean something, no zeros behind the point: 1555, 12.54, 0.25, 0.001953."""
    if value >= 1000:
        return f"{value:.0f}"
    digits = 2 if value >= 10 else 3 if value >= 1 else 4
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if value >= 0.01 else f"{value:.4g}"
