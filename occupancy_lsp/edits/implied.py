"""The bounds that a kernel's launches imply: all are of one size, and the compiler is not told so."""

from __future__ import annotations

from dataclasses import replace

from occupancy_lsp.analysis.ceilings import ceiling
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.edits.insertion import before_name
from occupancy_lsp.edits.resize.launched import EditContext, Refused, launched, report_with
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, Bounds
from occupancy_lsp.source.syntax.known_value import Place, Value
from occupancy_lsp.vendors.registry import vendor_of


@dataclass(frozen=True, slots=True)
class Implied:
    """`text` at `place` says it. `ceiling`: the most registers before and after. `after` None: one count is known."""

    text: str
    place: Place
    ceiling: tuple[int, int]
    before: KernelReport
    after: KernelReport | None


def implied_bounds(context: EditContext, index: int) -> Implied | Refused:
    """Only where every launch of the workspace is in sight, and where it makes the compiler do otherwise."""
    report = context.reports[index]
    kernel, count = report.kernel, report.registers
    if (
        kernel.attributes.bounds
        or kernel.attributes.block
        or kernel.attributes.flat_size
        or kernel.attributes.waves
        or kernel.attributes.max_registers
    ):
        return Refused("it already states its bounds")
    it = launched(context, index)
    if isinstance(it, Refused):
        return it
    if it.size > report.arch.max_group_size:
        return Refused("its launches are larger than any may be")
    place = before_name(it.files[0].source, kernel)
    if place is None:
        return Refused("its name is written with a scope")
    made = _with_bounds(kernel, it.size)
    was, now = (ceiling(report.arch, each, report.language, report.options).registers for each in (kernel, made))
    # Most kernels need fewer registers than bounds leave them: what is not known to need more is left alone.
    narrower = LANGUAGES[report.language].launch_bounds and not vendor_of(report.arch).assumed and now < was
    if not narrower or count.lowest is None or count.highest <= now:
        return Refused("they change nothing that is known")
    after = report_with(it, made) if count.exact is None else None
    second = vendor_of(report.arch).second_bound
    # With more registers than the bounds leave, ptxas gives the kernel all of those only if one block is asked for.
    needs = count.exact is not None and second is not None and second.counts_groups
    return Implied(f"__launch_bounds__({it.size}{', 1' if needs else ''}) ", place, (was, now), report, after)


def _with_bounds(kernel: Kernel, size: int) -> Kernel:
    given = AttributeValue(kernel.name_place, Value(size))
    bounds = Bounds(kernel.name_place, given, None, None)

    def bounded(it: Kernel) -> Kernel:
        return replace(it, attributes=replace(it.attributes, bounds=bounds))

    return replace(bounded(kernel), instances=tuple(map(bounded, kernel.instances)))
