"""OCC005: a launch with more threads than the kernel's launch bounds allow."""

from __future__ import annotations

from collections.abc import Iterator

from occupancy_lsp.analysis.exceeding import instance_of, most_by_bounds
from occupancy_lsp.analysis.inputs import stated
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.rules import Rule
from occupancy_lsp.rules.bounds_edits import raise_threads
from occupancy_lsp.rules.finding import Finding, Fix, Note
from occupancy_lsp.rules.proof import launched, launched_elsewhere, said_of_far, threads_in
from occupancy_lsp.settings import Settings
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue
from occupancy_lsp.source.lower.annotation_comments import StatedFact
from occupancy_lsp.source.syntax.known_value import Place, Value
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.workspace.callers import FarLaunch


def _concerns(settings: Settings, report: KernelReport) -> bool:
    return any(larger(report)) or bool(_larger_elsewhere(report))


@dataclass(frozen=True, slots=True)
class Larger:
    """A size that launch bounds forbid, or several, all of which they forbid. `bound`: what says the most, which is
    that of an instance of a template; None: the compiler's own default, or what its command says."""

    size: Value
    most: int
    bound: AttributeValue | None
    by: str

    @property
    def fault(self) -> str:
        return f"{threads_in(self.size)}; {self.by} {self.most}: the launch fails"


def larger(report: KernelReport) -> Iterator[tuple[Larger, Place]]:
    """The sizes that bounds forbid, each with where it stands."""
    for kernel, size, place in _sizes(report):
        if (found := _larger(report, kernel, size)) is not None:
            yield found, place


def _larger_elsewhere(report: KernelReport) -> list[tuple[Larger, FarLaunch]]:
    """The same of launches in other files."""
    each = ((instance_of(report.kernel, it.launch), it) for it in launched_elsewhere(report))
    return [(found, it) for kernel, it in each if (found := _larger(report, kernel, it.launch.size))]


def _larger(report: KernelReport, kernel: Kernel | None, size: Value) -> Larger | None:
    if kernel is None or size.least is None:
        return None
    bound, most = vendor_of(report.arch).thread_bound(kernel), _most(report, kernel)
    if most is None or size.least <= most:
        return None
    default = vendor_of(report.arch).default_bound(report.language, report.options) if bound is None else None
    return Larger(size, most, bound, f"{default.by} allows" if default else "the kernel's launch bounds allow")


def _most(report: KernelReport, kernel: Kernel) -> int | None:
    return most_by_bounds(report.arch, kernel, report.language, report.options)


def _check(report: KernelReport) -> Iterator[Finding]:
    near, far = [*larger(report)], _larger_elsewhere(report)
    fixes = _fixes(report, max((max(it.size.choices) for it, _ in (*near, *far)), default=0))
    for found, place in near:
        yield Finding(place, found.fault, _notes(report, found), fixes)
    if far:
        found, launch = far[0]
        text = said_of_far(launch, found.fault, len(far) - 1)
        yield Finding(report.kernel.name_place, text, _notes(report, found), fixes)


def _notes(report: KernelReport, found: Larger) -> tuple[Note, ...]:
    if found.bound is None:
        return ()
    bounds, most = report.kernel.attributes.bounds, f"allows {found.most} threads"
    if bounds is not None and bounds.max_threads.place == found.bound.place:
        return (Note(bounds.place, f"{LANGUAGES[report.language].bounds} {most}"),)
    return (Note(found.bound.place, f"the attribute {most}"),)


def _fixes(report: KernelReport, threads: int) -> tuple[Fix, ...]:
    """For all its launches; that fewer threads are launched is an edit of the size."""
    bounds, now = report.kernel.attributes.bounds, _most(report, report.kernel)
    if bounds is None or now is None or not 0 < threads <= report.arch.max_group_size:
        return ()
    others = vendor_of(report.arch).thread_bound(report.kernel) != bounds.max_threads
    if others or (bounds.min_groups is not None and bounds.min_groups.value.number is None):
        return ()
    return (raise_threads(report, bounds, now, threads),)


def _sizes(report: KernelReport) -> Iterator[tuple[Kernel | None, Value, Place]]:
    """Each with the instance of the template that has it."""
    block = stated(report.directives, "block")
    if block is not None and isinstance(block.directive, StatedFact):
        yield report.kernel, Value(block.directive.value), block.place
    for launch in launched(report):
        yield instance_of(report.kernel, launch), launch.size, launch.configuration.block[0]


RULE = Rule(
    "OCC005",
    "error",
    "a launch larger than the kernel's launch bounds",
    check=_check,
    concerns=_concerns,
    hides_at_place=("OCC001", "OCC003", "OCC303"),
    hides_in_kernel=("OCC308",),
)
