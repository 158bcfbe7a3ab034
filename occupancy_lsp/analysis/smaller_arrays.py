"""What an array of local memory with fewer elements would do to the number of resident work-groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from occupancy_lsp.analysis.report import Figure, KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.cliffs import cliffs
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.source.kernels.local_memory import LocalMemoryVariable

_ROUNDED = 32  # bytes to which compilers round the sum of the variables, if their alignment asks for no more
_NEAR = 2048  # bytes that an array may be asked to lose
_SHARE = 8  # or this part of its bytes


@dataclass(frozen=True, slots=True)
class Smaller:
    """The array as it would be declared, the bytes that it would lose, and what fits then."""

    declared: str
    less: int
    then: Occupancy


def smaller_array(report: KernelReport, figure: Figure, variable: LocalMemoryVariable) -> Smaller | None:
    """Of the extents the one that has to lose least. Powers of two stay, and the last extent of a padded array."""
    if not figure.exact or report.local.reason or not variable.extents or not variable.bytes.number:
        return None
    gain = cliffs(report.arch, figure.most).local_gain
    needed = -gain.delta if gain is not None else 0
    if not needed or needed > min(_NEAR, variable.bytes.number // _SHARE):
        return None
    return min(_candidates(report, figure, variable, needed), key=lambda it: it.less, default=None)


def _candidates(report: KernelReport, figure: Figure, variable: LocalMemoryVariable, needed: int) -> Iterator[Smaller]:
    size, extents = variable.bytes.number or 0, variable.extents
    for index, extent in enumerate(extents):
        if extent & (extent - 1) == 0 or (variable.pad is not None and index == len(extents) - 1):
            continue
        row = size // extent
        fewer = -(-(needed + _unsure(report, variable)) // row)
        less = fewer * row
        ends = [with_and_without(report, figure, it, less, variable) for it in (figure.least, figure.most)]
        thens = {it[1].groups for it in ends if it is not None and it[1].groups > it[0].groups}
        if None not in ends and len(thens) == 1 and ends[0] is not None and less <= min(_NEAR, size // _SHARE):
            declared = [*extents[:index], extent - fewer, *extents[index + 1 :]]
            yield Smaller(variable.name + "".join(f"[{it}]" for it in declared), less, ends[0][1])


def with_and_without(
    report: KernelReport, figure: Figure, need: Need, less: int, of: LocalMemoryVariable
) -> tuple[Occupancy, Occupancy] | None:
    """With the local memory of either end of the figure, and without as many bytes. None: the ends differ, or may."""
    if report.kernel.summary.local.alignment is None:
        return None
    amounts = ((it.static_local, it.dynamic_local) for it in (figure.least, figure.most))
    ends = [replace(need, static_local=static, dynamic_local=dynamic) for static, dynamic in amounts]
    # With fewer bytes both the gaps between variables and the rounding of their sum may be others.
    unsure = _unsure(report, of)
    by = less + unsure, max(less - unsure, 0)
    bare = [replace(it, static_local=max(it.static_local - lost, 0)) for it, lost in zip(ends, by, strict=True)]
    now, then = ([report.arch.occupancy(it) for it in several] for several in (ends, bare))
    same = now[0].groups == now[1].groups and then[0].groups == then[1].groups
    return (now[0], then[0]) if same else None


def _unsure(report: KernelReport, variable: LocalMemoryVariable) -> int:
    """Bytes by which the sum of the variables may change otherwise."""
    once = max(_ROUNDED, report.kernel.summary.local.alignment or 0)
    return once if report.kernel.summary.local.variables == (variable,) else 2 * once
