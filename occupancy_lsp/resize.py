"""Another work-group size for a kernel: every place in the file that must move together, and what it does.

Refused wherever the file does not show that the kernel stays the same: a launch out of sight, a grid that does not
follow the size, a number in the kernel's code that may be the size written out, another kernel that it also sizes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from occupancy_lsp.analysis import Figure, KernelInputs, KernelReport, report
from occupancy_lsp.inputs import stated
from occupancy_lsp.syntax.kernels import Kernel, KernelLaunch
from occupancy_lsp.syntax.source import FileFacts, Source
from occupancy_lsp.syntax.values import Place

_MOST_OFFERED = 3
_NUMBER = re.compile(r"\d+")


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


_Moving = Mapping[Place, int]  # what each number is more than the size


def resizes(current: KernelReport, source: Source, facts: FileFacts) -> list[Resize] | Refused:
    """Sizes that reach a better occupancy, the best first, of equals the nearest to today's."""
    unfit, size = _unfit(current), current.size.exact
    if unfit is not None or size is None or current.figure is None:
        return Refused(unfit or "its size is not known")
    moving = _moving(current, size)
    if isinstance(moving, Refused):
        return moving
    if not all(source.holds(place) for place in moving):
        return Refused("its size is set in another file")
    numbers = frozenset(number for place, number in source.numbers(current.kernel) if place not in moving)
    if (written := _written_out(source, current, size, moving, numbers)) is not None:
        return written
    found: list[Resize] = []
    step = current.arch.sub_group_size
    for candidate in range(step, current.arch.max_group_size + 1, step):
        if candidate == size or not (_fits(current, moving, candidate) and _parts_alike(numbers, size, candidate)):
            continue
        made = _resize(current, source, facts, moving, candidate)
        if isinstance(made, Refused):
            return made
        if made is not None and _reach(made.after.figure) > _reach(current.figure):
            found.append(made)
    found.sort(key=lambda it: (*(-part for part in _reach(it.after.figure)), abs(it.size - size)))
    return found[:_MOST_OFFERED]


def _unfit(current: KernelReport) -> str | None:
    """Why its size is not this file's launches' to choose, or is not known."""
    sizes = {it.launch.size.number for it in current.launches}
    if current.kernel.block:
        return "its annotation fixes its size"
    if not sizes:
        return "its size is not set by a launch in this file"
    if None in sizes:
        return "the size of its launch is not known"
    if len(sizes) > 1:
        return "its launches are of several sizes"
    if current.far:
        return "other files launch it too"
    if stated(current.said, "block") or current.facts or current.size.exact not in sizes:
        return "its size is stated beside its launch"
    if stated(current.said, "shared") or stated(current.said, "dynamic_shared"):
        return "its local memory is stated in a comment, for today's size"
    return None


def _reach(figure: Figure | None) -> tuple[int, int]:
    return (figure.lowest.sub_groups, figure.highest.sub_groups) if figure else (0, 0)


def _moving(current: KernelReport, size: int) -> _Moving | Refused:
    """Every number that moves with the size."""
    moving: dict[Place, int] = {}
    for launch in (it.launch for it in current.launches):
        refused = _launch_numbers(launch, size, moving)
        if refused is not None:
            return refused
    if current.kernel.flat_size is not None:
        return Refused("its attribute says what sizes it may have")
    given = current.kernel.bounds.max_threads.value if current.kernel.bounds else None
    if given is not None and given.number is None:
        return Refused("its launch bounds are not known")
    if given is not None and given.literal is not None and given.number == size:
        moving[given.literal] = 0
    return moving


def _launch_numbers(launch: KernelLaunch, size: int, moving: dict[Place, int]) -> Refused | None:
    """Those of the size, and of the grid where it is divided by the size."""
    literal = launch.size.literal
    if literal is None:
        return Refused("its size is not written as one number")
    moving[literal] = 0
    follows = False
    for it in launch.grid_literals:
        is_size = it.place == literal or it.number == size
        if it.place == literal and not it.part:
            return Refused("its grid is not seen to follow the size")
        if it.part in ("divisor", "rounding up") and is_size:
            follows, moving[it.place] = True, 0
        elif it.part == "dividend" and (is_size or it.number == size - 1):
            moving[it.place] = it.number - size
    return None if follows else Refused("its grid is not seen to follow the size")


def _written_out(
    source: Source, current: KernelReport, size: int, moving: _Moving, numbers: Set[int]
) -> Refused | None:
    """The size may stand in the kernel's code as a number, or as one that is reckoned from it."""
    if not numbers.isdisjoint((size, size - 1, size // 2)):
        return Refused(f"its code has {size}, {size - 1} or {size // 2} written out, which may be the size")
    sub_groups = size // current.arch.sub_group_size
    for variable in current.kernel.local.variables:
        extents = [number for place, number in source.extents(variable.place) if place not in moving]
        if sub_groups > 1 and sub_groups in extents:
            return Refused(f"{variable.name} has {sub_groups} elements, which may be one for each sub-group")
    return None


def _fits(current: KernelReport, moving: _Moving, new: int) -> bool:
    """Bounds that do not move hold it, and a grid that is not rounded up has no rest."""
    bounds = current.kernel.bounds.max_threads.value if current.kernel.bounds else None
    if bounds is not None and bounds.literal not in moving and (bounds.number or 0) < new:
        return False
    parts = [{it.part for it in found.launch.grid_literals if it.place in moving} for found in current.launches]
    rounded = all(it & {"dividend", "rounding up"} for it in parts)
    return rounded or (current.size.exact or 0) % new == 0


def _parts_alike(numbers: Set[int], size: int, new: int) -> bool:
    """Whether the code may take the new size apart as it does today's: into halves, rows, elements for each thread."""
    if size & (size - 1) == 0 and new & (new - 1):
        return False
    divides = all(new % it == 0 for it in numbers if it > 1 and size % it == 0)
    return divides and all(it % new == 0 for it in numbers if it > size and it % size == 0)


def _resize(
    current: KernelReport, source: Source, facts: FileFacts, moving: _Moving, new: int
) -> Resize | Refused | None:
    edits = {place: new + more for place, more in moving.items()}
    changed = source.facts_if(edits)
    index = facts.kernels.index(current.kernel)
    if len(changed.kernels) != len(facts.kernels):
        return None
    other = _others_changed(facts, changed, current.kernel)
    if other is not None:
        return Refused(f"the same number sizes {other} too")
    launches = [it for it in changed.launches if it.name == current.kernel.name]
    for was, now in zip((it.launch for it in current.launches), launches, strict=False):
        if refused := _not_moved(current.kernel, was, now):
            return refused
        if not _covers(was, now):
            return None
    after = _report_after(current, changed, index)
    if after.size.exact != new:
        return None
    before = current.size.exact or 0
    return Resize(before, new, tuple((place, str(number)) for place, number in edits.items()), after)


def _others_changed(was: FileFacts, now: FileFacts, own: Kernel) -> str | None:
    """The name of a kernel that the edits are also of."""
    kernels = (a.name for a, b in zip(was.kernels, now.kernels, strict=True) if a != b and a is not own)
    launches = (a.name for a, b in zip(was.launches, now.launches, strict=False) if a != b and a.name != own.name)
    return next(kernels, None) or next(launches, None)


def _not_moved(kernel: Kernel, was: KernelLaunch, now: KernelLaunch) -> Refused | None:
    """What a launch gives the kernel besides its size may be reckoned from it."""
    size, new = was.size.number or 0, now.size.number or 0
    uses_more = kernel.local.dynamic or kernel.local.unseen
    if uses_more and was.dynamic is not None and was.dynamic.value.number != 0:
        before, after = was.dynamic.value.number, now.dynamic.value.number if now.dynamic else None
        if before is None or after is None:
            return Refused("how much its launch adds to local memory is not known")
        if before * new != after * size:
            return Refused("what its launch adds to local memory does not follow the size")
    if kernel.template and was.arguments is None:
        return Refused("the arguments of its template are not known")
    if kernel.template and was.arguments == now.arguments and str(size) in _NUMBER.findall(was.arguments or ""):
        return Refused(f"an argument of its template is {size}, which may be the size")
    return None


def _covers(was: KernelLaunch, now: KernelLaunch) -> bool:
    """Whether both grids may be of the same number of threads, each group but the last full; where they are known."""
    size, new = was.size.number or 0, now.size.number or 0
    groups, then = was.grid[1][0].number, now.grid[1][0].number
    return groups is None or then is None or ((groups - 1) * size < then * new and (then - 1) * new < groups * size)


def _report_after(current: KernelReport, changed: FileFacts, index: int) -> KernelReport:
    """Of the compiler's word its registers are kept; its bytes are of today's text."""
    kernel = changed.kernels[index]
    launches = tuple(it for it in changed.launches if it.name == kernel.name)
    old = tuple(replace(it, freshness="stale") for it in current.counted)
    return report(
        KernelInputs(kernel, current.language, current.device, current.said, launches, (), (), old, current.passed)
    )
