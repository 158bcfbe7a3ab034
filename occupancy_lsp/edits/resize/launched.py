"""A kernel with every launch of it, in whatever file: what is judged before its size changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from occupancy_lsp.analysis.inputs import KernelInputs, stated
from occupancy_lsp.analysis.report import KernelReport, report
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import Beside
from occupancy_lsp.languages.registry import LANGUAGES
from occupancy_lsp.source.incremental.address_taken import has_other_mention
from occupancy_lsp.source.incremental.kernel_text import FileFacts
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch
from occupancy_lsp.source.syntax.known_value import Place, product_of_dimensions
from occupancy_lsp.workspace.callers import FarLaunch
from occupancy_lsp.workspace.launchers import CurrentFile, Launchers, Unseen


@dataclass(frozen=True, slots=True)
class Follows:
    """What a number is of the dimension that an edit changes: `factor * side ** power + more`."""

    more: int = 0
    factor: int = 1
    power: int = 1

    def at(self, side: int) -> int:
        return int(self.factor * side**self.power) + self.more


SIDE = Follows()
Moving = Mapping[Place, Follows]


@dataclass(frozen=True, slots=True)
class Refused:
    """`reason`: for people; `at`: what it is about, where that is one place."""

    reason: str
    at: tuple[CurrentFile, Place] | None = field(default=None, compare=False)


_NAMESAKES = Refused("other kernels have its name")


@dataclass(frozen=True, slots=True, eq=False)
class EditContext:
    """A document, the reports of its kernels, and what other files launch of them. `known`: worked out of these.

    `sure`: files are read with other numbers as a whole, as is needed to edit them; else, for what is shown wherever
    the cursor goes, only what these may bear on by its names.
    """

    own: CurrentFile
    reports: Sequence[KernelReport]
    launchers: Launchers | None
    sure: bool = True
    known: Beside = field(default_factory=Beside)


@dataclass(frozen=True, slots=True, eq=False)
class Launched:
    """`files`: the document, and the other files that launch the kernel; `size`: of every launch.

    `axes`: the dimensions that an edit changes, all of which are of `side` threads; the others keep what they have.
    """

    index: int
    report: KernelReport
    files: tuple[CurrentFile, ...]
    launches: tuple[tuple[CurrentFile, KernelLaunch], ...]
    size: int
    axes: tuple[int, ...] = (0,)
    side: int = 0

    @property
    def threads(self) -> Follows:
        """Of all dimensions together."""
        power = len(self.axes)
        return Follows(factor=self.size // self.side**power, power=power)

    @property
    def is_flat(self) -> bool:
        """Whether it has but one dimension."""
        return self.side == self.size and self.axes == (0,)

    @property
    def kernel(self) -> Kernel:
        return self.report.kernel


def launched(context: EditContext, index: int) -> Launched | Refused:
    """The kernel, if every launch of it is in sight and all are of one size that nothing but the code says."""
    return context.known.ask(("launched", index), lambda: _launched(context, index))


def ahead(context: EditContext, index: int) -> Iterator[None]:
    """Read at each step a little of the other files that launch the kernel, for later."""
    kernel = context.reports[index].kernel
    if context.launchers and not context.own.facts.lost and not _is_named_otherwise(context, kernel):
        yield from context.launchers.ahead(kernel)


def _is_named_otherwise(context: EditContext, kernel: Kernel) -> bool:
    own = context.own
    asked = "named otherwise", kernel.name
    return context.known.ask(asked, lambda: has_other_mention(own.source, own.facts, kernel.name))


def _launched(context: EditContext, index: int) -> Launched | Refused:
    current = context.reports[index]
    kernel, own = current.kernel, context.own
    if own.facts.lost:
        return Refused("a part of the file could not be analysed")
    if _is_named_otherwise(context, kernel):
        return Refused("it is used other than by launching it")
    others = context.launchers.of(kernel) if context.launchers else ()
    if isinstance(others, Unseen):
        return Refused(others.reason)
    if len(own.facts.kernels_named(kernel.name)) > 1:
        return _NAMESAKES
    far = [(file, it) for file in others for it in launches_of(kernel, current.language, file.facts)]
    here = [(own, it) for it in launches_of(kernel, current.language, own.facts)]
    if len(here) != len(current.launches):
        return _NAMESAKES
    if current.far and not (here or far):
        return Refused(f"its launch at {Path(current.far[0].path).name}:{current.far[0].line} is not edited")
    if far or current.far:
        current = report(_inputs(current, kernel, [it for _, it in here], [_far(*it) for it in far]))
    every = (*here, *far)
    sizes = {it.size.number for _, it in every}
    if (reason := _unfit(current, sizes)) is not None:
        return Refused(reason)
    axes = _axes(every[0][1])
    side = every[0][1].configuration.block[1][axes[0]].number or 0
    return Launched(index, current, (own, *others), every, current.size.exact or 0, axes, side)


def _axes(launch: KernelLaunch) -> tuple[int, ...]:
    """The last one, which parts no sub-group where it is full; with it those that the same number is of."""
    dims = launch.configuration.block[1]
    last = max((axis for axis, it in enumerate(dims) if it.number != 1), default=0)
    literal = dims[last].literal
    return tuple(axis for axis, it in enumerate(dims) if axis == last or (literal and it.literal == literal))


def launches_of(kernel: Kernel, language: str, facts: FileFacts) -> Iterator[KernelLaunch]:
    """An OpenCL host sizes what parameters point to, nothing else."""
    for launch in facts.launches_named(kernel.name):
        yield (
            launch.without_dynamic_bytes()
            if LANGUAGES[language].hosted and not kernel.summary.local.dynamic
            else launch
        )


def _unfit(current: KernelReport, sizes: set[int | None]) -> str | None:
    """Why its size is not its launches' to choose, or is not known."""
    language = LANGUAGES[current.language]
    if not language.resizes or (current.kernel.attributes.block and language.launch_bounds):
        return f"{language.sized_by} fixes its size"
    if not sizes:
        return "no visible launch sets its size"
    if None in sizes:
        return "the size of its launch is not known"
    if len(sizes) > 1:
        return "its launches are of several sizes"
    if (
        current.kernel.attributes.block
        and product_of_dimensions(current.kernel.attributes.block[1]).number not in sizes
    ):
        return "its launches are of another size than it requires"
    apart = stated(current.directives, "block") or any(not it.assumed for it in current.facts)
    if apart or current.size.exact not in sizes:
        return "its size is stated apart from its launch"
    if stated(current.directives, "shared") or stated(current.directives, "dynamic_shared"):
        return "its local memory is stated in a comment, for today's size"
    return None


def report_after(before: Launched, changed: Mapping[CurrentFile, FileFacts]) -> KernelReport:
    """Of the compiler's word its registers are kept; its bytes are of today's text."""
    own, *others = before.files
    kernel = changed[own].kernels[before.index]
    language = before.report.language
    near = list(launches_of(kernel, language, changed[own]))
    far = [_far(file, it) for file in others for it in launches_of(kernel, language, changed[file])]
    return report(_inputs(before.report, kernel, near, far, "stale"))


def report_with(before: Launched, kernel: Kernel) -> KernelReport:
    """With another head, launched as before."""
    own = before.files[0]
    near = [launch for file, launch in before.launches if file is own]
    far = [_far(*it) for it in before.launches if it[0] is not own]
    return report(_inputs(before.report, kernel, near, far, "stale"))


def _inputs(
    of: KernelReport, kernel: Kernel, near: Sequence[KernelLaunch], far: Sequence[FarLaunch], counts: str = ""
) -> KernelInputs:
    counted = tuple(replace(it, freshness="stale") for it in of.counted) if counts else of.counted
    return KernelInputs(
        kernel, of.language, of.device, of.directives, tuple(near), tuple(far), of.facts if not counts else (), counted,
        of.unused, of.options, of.may_opt_in, of.preferred, of.tensor_columns, of.asked,
    )  # fmt: skip


def _far(file: CurrentFile, launch: KernelLaunch) -> FarLaunch:
    return FarLaunch(str(file.path), 0, launch)
