"""What an action promised, in its title and by what the engine says of the edited text, held against compiled counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from occupancy_lsp.analysis import KernelReport
from occupancy_lsp.view import View

_SIZE = re.compile(r"Use (\d+) threads")
_CEILING = re.compile(r"at most (\d+) registers")
_BY_BOUNDS = re.compile(r"≥[\d.]+% → ≥([\d.]+)% by its bounds")
_AT_COUNT = re.compile(r"(?<!at most )(?<![≥\d.])[\d.]+% → ([\d.]+)% (?:at|if it still takes) (\d+) registers")
_AT_MOST = re.compile(
    r"at most [\d.]+% → ([\d.]+)%(?:, by what registers allow| (?:at|if it still takes) (\d+) registers)"
)
_ROUNDING = 0.01  # of percentages in titles


@dataclass(frozen=True, slots=True)
class Seen:
    """One kernel of the edited text: as it reads, and with what the compiler counted."""

    text: KernelReport
    counted: KernelReport


def broken(title: str, edited: Seen) -> Iterator[str]:
    """Each promise that the compiled kernel does not keep."""
    counted = edited.counted.figure
    if counted is None:
        yield "the size of the edited kernel is not known"
        return
    yield from _by_text(edited)
    percent, registers = counted.lowest.percent, edited.counted.registers.highest
    for match in _SIZE.finditer(title):
        sizes = {it.launch.size.number for it in edited.text.launches}
        if sizes != {int(match[1])} or edited.text.size.exact != int(match[1]):
            yield f"{match[1]} threads promised, {sorted(map(str, sizes))} launched"
    for match in _CEILING.finditer(title):
        if registers > int(match[1]):
            yield f"at most {match[1]} registers promised, {registers} compiled"
    for match in _BY_BOUNDS.finditer(title):
        if percent < float(match[1]) - _ROUNDING:
            yield f"at least {match[1]}% promised, {percent:.2f}% compiled"
    for match in _AT_COUNT.finditer(title):
        if registers <= int(match[2]) and percent < float(match[1]) - _ROUNDING:
            yield f"{match[1]}% at {match[2]} registers promised, {percent:.2f}% at {registers} compiled"
    for match in _AT_MOST.finditer(title):
        takes = edited.counted.registers.lowest or 0
        if takes >= int(match[2] or 0) and counted.highest.percent > float(match[1]) + _ROUNDING:
            yield f"at most {match[1]}% promised, {counted.highest.percent:.2f}% compiled"


def _by_text(edited: Seen) -> Iterator[str]:
    """What the edited text proves of shared memory, registers and occupancy holds for what was compiled of it."""
    said, counted = edited.text, edited.counted
    low, high = said.local.static
    if not said.local.unseen and not (low <= counted.local.static[0] and counted.local.static[1] <= high):
        yield f"{low} to {high} B of local memory by the text, {counted.local.static} compiled"
    ceiling = said.registers.highest
    if counted.registers.counted and said.registers.source != "declared" and counted.registers.highest > ceiling:
        yield f"at most {ceiling} registers by its bounds, {counted.registers.highest} compiled"
    if said.figure is None or counted.figure is None:
        yield "no figure for the edited text"
    elif said.registers.source != "declared" and counted.figure.lowest.groups < said.figure.lowest.groups:
        yield f"{said.figure.lowest.groups} groups proved, {counted.figure.lowest.groups} compiled"


def moved(before: View, after: View, index: int) -> Iterator[str]:
    """What the edit changed of kernels that the title does not speak of."""
    if len(before.reports) != len(after.reports):
        yield f"{len(before.reports)} kernels before, {len(after.reports)} after"
        return
    for other, (was, now) in enumerate(zip(before.reports, after.reports, strict=True)):
        if other != index and (was.size.sizes, was.local.static) != (now.size.sizes, now.local.static):
            yield f"{now.kernel.name} changed too: {was.size.sizes} to {now.size.sizes} threads"
