"""OCC006: sizes that no launch can have, or that no compiler takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.regex import regex
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import counts_waves
from occupancy_lsp.rules.finding import Finding
from occupancy_lsp.rules.proof import refused
from occupancy_lsp.session.view import View
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue
from occupancy_lsp.source.syntax.known_value import Place

_ZERO = regex(rb"\s*0[uU]?\s*")


def _check(report: KernelReport) -> Iterator[Finding]:
    yield from _refused(report)
    yield from refused(report, "OCC006")


def _refused(report: KernelReport) -> Iterator[Finding]:
    """Attributes with which the file does not compile."""
    kernel = report.kernel
    if kernel.attributes.block is not None:
        place, dimensions = kernel.attributes.block
        yield from _positive(place, (it.number for it in dimensions), "threads")
    if kernel.attributes.max_registers is not None:
        yield from _positive(
            kernel.attributes.max_registers.place, (kernel.attributes.max_registers.value.number,), "registers"
        )
    if (
        kernel.attributes.sub_group is not None and kernel.attributes.sub_group.value.number == 0
    ):  # what is negative, clang takes
        yield from _positive(kernel.attributes.sub_group.place, (0,), "threads per sub-group")
    yield from _span(kernel.attributes.least_flat_size, kernel.attributes.flat_size, "threads", False)
    yield from _span(kernel.attributes.waves, kernel.attributes.most_waves, "waves per SIMD", True)


def _positive(place: Place, numbers: Iterable[int | None], what: str) -> Iterator[Finding]:
    wrong = next((it for it in numbers if it is not None and it <= 0), None)
    if wrong is not None:
        yield Finding(place, f"{wrong} {what}: the compiler accepts only positive numbers")


def _span(least: AttributeValue | None, most: AttributeValue | None, what: str, endless: bool) -> Iterator[Finding]:
    """AMD's attributes of a least and a most: unsigned, (0, 0) is the default. `endless`: a most of 0 is none."""
    if least is None or most is None or least.value.number is None or most.value.number is None:
        return
    wide = next((it for it in (least.value.number, most.value.number) if not -(2**31) <= it < 2**32), None)
    low, high = least.value.number % 2**32, most.value.number % 2**32
    if wide is not None:
        yield Finding(least.place, f"{wide} {what}: the compiler accepts only 32-bit numbers")
    elif low > high and not (endless and high == 0):
        yield Finding(least.place, f"at least {low} and at most {high} {what}: the compiler rejects it")
    elif low == 0 and high:
        yield Finding(least.place, f"at least 0 and at most {high} {what}: the compiler accepts 0 only for both")


def _concerns(settings: Settings, report: KernelReport) -> bool:
    bounds = report.kernel.attributes.bounds
    return bounds is not None and bounds.max_threads.value.number == 0 and counts_waves(report)


def _check_bounds(view: View, report: KernelReport) -> Iterator[Finding]:
    """HIP's header makes of bounds an attribute of AMD's, for groups of 1 to that many threads.

    Only where a 0 is written: negative bounds, which are read as none, are large unsigned numbers to the attribute.
    """
    bounds = report.kernel.attributes.bounds
    place = bounds.max_threads.place if bounds is not None else None
    if place is None or not view.source.holds(place):
        return
    if _ZERO.fullmatch(view.source.item_text(place.item)[place.start : place.end]):
        yield Finding(place, "bounds of 0 threads: the compiler rejects them")


RULE = Rule(
    "OCC006",
    "error",
    "a size that no launch can have or no compiler accepts",
    check=_check,
    check_view=_check_bounds,
    concerns=_concerns,
)
