"""Another work-group size for a kernel: every place in the file that must move together, and what it does.

Refused wherever the file does not show that the kernel stays the same: a launch out of sight, a grid that does not
follow the size, a number in the kernel's body that may be the size written out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from occupancy_lsp.analysis import Figure, KernelInputs, KernelReport, report
from occupancy_lsp.syntax.kernels import Kernel, KernelLaunch
from occupancy_lsp.syntax.source import FileFacts, Source
from occupancy_lsp.syntax.values import Place

_MOST_OFFERED = 3


@dataclass(frozen=True, slots=True)
class Resize:
    """The edits that make `size` threads of `before`, and the report of the kernel after them."""

    before: int
    size: int
    edits: tuple[tuple[Place, str], ...]
    after: KernelReport


@dataclass(frozen=True, slots=True)
class Refused:
    reason: str


def resizes(current: KernelReport, source: Source, facts: FileFacts) -> list[Resize] | Refused:
    """Sizes that reach a better occupancy, the best first, of equals the nearest to today's."""
    size = current.size.exact
    launched = [it.launch.size.number for it in current.launches]
    if size is None or current.figure is None or not launched or set(launched) != {size} or current.kernel.block:
        return Refused("its size is not set by a launch in this file")
    if current.far:
        return Refused("other files launch it too")
    found: list[Resize] = []
    step = current.arch.sub_group_size
    for candidate in range(step, current.arch.max_group_size + 1, step):
        made = _resize(current, source, facts, size, candidate)
        if isinstance(made, Refused):
            return made
        if made is not None and _reach(made.after.figure) > _reach(current.figure):
            found.append(made)
    found.sort(key=lambda it: (*(-part for part in _reach(it.after.figure)), abs(it.size - size)))
    return found[:_MOST_OFFERED]


def _reach(figure: Figure | None) -> tuple[int, int]:
    return (figure.lowest.sub_groups, figure.highest.sub_groups) if figure else (0, 0)


def _resize(current: KernelReport, source: Source, facts: FileFacts, size: int, new: int) -> Resize | Refused | None:
    kernel = current.kernel
    edits: dict[Place, int] = {}
    for launch in (it.launch for it in current.launches):
        refused = _launch_edits(launch, size, new, edits)
        if refused is not None:
            return refused
    refused = _bounds_edit(kernel, size, new, edits)
    if refused is not None:
        return refused
    if not all(source.holds(place) for place in edits):
        return Refused("its size is set in another file")
    if _written_out(source, kernel, size, edits):
        return Refused(f"its body has {size}, {size - 1} or {size // 2} written out, which may be the size")
    changed = source.facts_if(edits)
    index = facts.kernels.index(kernel)
    after = _report_after(current, changed, index)
    if after is None or after.size.exact != new:
        return None
    return Resize(size, new, tuple((place, str(number)) for place, number in edits.items()), after)


def _launch_edits(launch: KernelLaunch, size: int, new: int, edits: dict[Place, int]) -> Refused | None:
    literal = launch.size.literal
    if literal is None:
        return Refused("the launch does not take its size from one number")
    edits[literal] = new
    follows = False
    for place, number in launch.grid_literals:
        follows = follows or place == literal or number == size
        if number == size:
            edits[place] = new
        elif number == size - 1 and place != literal:
            edits[place] = new - 1
    return None if follows else Refused("its grid does not follow the size")


def _bounds_edit(kernel: Kernel, size: int, new: int, edits: dict[Place, int]) -> Refused | None:
    """Bounds that state today's size move with it; wider ones must still hold the new size."""
    if kernel.bounds is None:
        return None
    given = kernel.bounds.max_threads.value
    if given.number is None:
        return Refused("its launch bounds are not known")
    if given.literal is not None and given.number == size:
        edits[given.literal] = new
    elif given.literal in edits:
        return None
    elif given.number < new:
        return Refused("its launch bounds allow no more")
    return None


def _written_out(source: Source, kernel: Kernel, size: int, edits: dict[Place, int]) -> bool:
    text = source.item_text(kernel.item)[kernel.body.start : kernel.body.end]
    numbers = re.compile(rb"(?<![\w.])(?:%d|%d|%d)(?![\w.])" % (size, size - 1, size // 2))
    moved = {place.start - kernel.body.start for place in edits if place.item == kernel.item}
    return any(match.start() not in moved for match in numbers.finditer(text))


def _report_after(current: KernelReport, changed: FileFacts, index: int) -> KernelReport | None:
    if index >= len(changed.kernels):
        return None
    kernel = changed.kernels[index]
    launches = tuple(it for it in changed.launches if it.name == kernel.name)
    return report(
        KernelInputs(
            kernel, current.language, current.device, current.said, launches, (), (), current.counted, current.passed
        )
    )
