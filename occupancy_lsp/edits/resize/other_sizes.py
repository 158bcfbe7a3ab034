"""What a kernel would be at other work-group sizes, whether or not an edit is offered for them.

Its registers are as they are, and its local memory is what the text gives each size, as for an edit.
Where that is not seen, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.inputs import GroupSize
from occupancy_lsp.analysis.report import KernelReport, figure
from occupancy_lsp.core.steps import finished
from occupancy_lsp.edits.resize.checks import arrays_alike, not_moved
from occupancy_lsp.edits.resize.launched import (
    EditContext,
    Launched,
    Moving,
    Refused,
    launched,
    launches_of,
    report_after,
)
from occupancy_lsp.edits.resize.moving import of_annotations, of_size
from occupancy_lsp.source.syntax.known_value import product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of


def at_sizes(context: EditContext, index: int, sizes: Iterable[int]) -> Mapping[int, KernelReport] | Refused:
    """By size, the kernel's report; without those that it cannot be launched with as it is built or would be built."""
    now = context.reports[index]
    if not now.size.sure or not _has_local(now):
        return {size: then for size in sizes if _can_be(then := _with_size(context, now, size), size)}
    it = launched(context, index)
    if isinstance(it, Refused):
        return it
    moving = of_size(it, context.launchers)
    if isinstance(moving, Refused):
        return moving
    if (refused := arrays_alike(it, moving)) is not None:
        return refused
    found: dict[int, KernelReport] = {}
    for size in sizes:
        after = _after(it, moving, size)
        if isinstance(after, Refused):
            return after
        if after is not None and _can_be(after, size):
            found[size] = after
    return found


def _has_local(now: KernelReport) -> bool:
    """Whether it takes any local memory, or AMD's compiler may move a thread's own arrays there."""
    memory = now.kernel.summary.local
    return bool(now.local.static[1] or now.local.dynamic[1] or memory.highest or memory.private)


def _with_size(context: EditContext, now: KernelReport, size: int) -> KernelReport:
    """Another size and nothing else; bounds that are the size move with it, one that stands in for it does not."""
    kernel, exact = now.kernel, now.size.exact
    moving = of_annotations(kernel, exact) if exact is not None else {}
    if moving and not isinstance(moving, Refused):
        facts = finished(context.own.source.facts_with_overrides(dict.fromkeys(moving, size), {kernel.item}))
        kernel = next(it for it in facts.kernels if it.name_place == kernel.name_place)
    alone = GroupSize((size,), False, "")
    return replace(now, kernel=kernel, size=alone, figure=figure(now.arch, alone, now.registers, now.local, now.built))


def _after(it: Launched, moving: Moving, size: int) -> KernelReport | Refused | None:
    """As an edit of the size would leave it; None: the text does not say how much local memory it takes then."""
    edits = {place: it.at(size) for place, it in moving.items()}
    asked = {it.kernel.item, *(launch.place.item for _, launch in it.launches)}
    changed = {file: finished(file.source.facts_with_overrides(edits, asked)) for file in it.files}
    then = [launch for file in it.files for launch in launches_of(it.kernel, it.report.language, changed[file])]
    if len(then) != len(it.launches):
        return None
    for (_, was), now in zip(it.launches, then, strict=True):
        if (refused := not_moved(it.kernel, was, now)) is not None:
            return refused
    after = report_after(it, changed)
    return after if after.size.exact == size and after.kernel.summary.local.highest is not None else None


def _can_be(then: KernelReport, size: int) -> bool:
    """Whether it may have so many threads, and so many registers then."""
    kernel, given = then.kernel, (then.arch, then.kernel, then.language, then.options)
    most = (
        product_of_dimensions(kernel.attributes.block[1]).number
        if kernel.attributes.block
        else vendor_of(given[0]).most_threads(*given)
    )
    fits = most == size if kernel.attributes.block else most is not None and size <= most
    return fits and then.figure is not None and (then.registers.exact or 0) <= ceiling(*given).registers
