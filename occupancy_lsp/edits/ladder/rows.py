"""What compilers made of a kernel under one head after another, as the model sees it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from occupancy_lsp.analysis.inputs import Counted, KernelInputs, Spills, spills_of
from occupancy_lsp.analysis.report import KernelReport, report
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.edits.ladder.heads import Head, head_of, with_head
from occupancy_lsp.edits.ladder.steps import Step
from occupancy_lsp.source.lower.annotation_comments import Directive, StatedFact
from occupancy_lsp.vendors.vendor import Options

_COUNTED = ("regs",)  # directives that state what a compiler counts


@dataclass(frozen=True, slots=True)
class Row:
    """`usages`: of each instance; none: nothing was compiled, and only what the head allows is known.

    `why`: the compiler failed.
    """

    step: Step
    usages: tuple[Usage, ...] = ()
    why: str = ""

    @property
    def head(self) -> Head:
        return self.step.head

    @property
    def spilled(self) -> int:
        """Of the worst instance: bytes, or on AMD registers; 0 as well where none is said to spill."""
        spills = self.spills
        return spills.highest if spills else 0

    @property
    def spills(self) -> Spills | None:
        return spills_of(self.usages)


@dataclass(frozen=True, slots=True)
class Basis:
    """What steps were chosen and judged by: where any of it differs, they tell nothing. No places: edits move them."""

    fingerprint: str
    head: Head
    device: str
    sizes: tuple[int, ...]
    sure: bool  # whether the launches have these sizes
    dynamic: tuple[int, int]  # bytes of local memory
    directives: tuple[Directive, ...]
    options: Options


def basis_of(report: KernelReport, fingerprint: str) -> Basis:
    said = tuple(it.directive for it in report.directives)
    size, dynamic = report.size, report.local.dynamic
    head = head_of(report.kernel)
    return Basis(fingerprint, head, report.device.id, size.sizes, size.sure, dynamic, said, report.options)


@dataclass(frozen=True, slots=True)
class Ladder:
    """Of one kernel on one architecture, as it was then. The first row is the head as it was.

    `build`: what the project said of its flags.
    """

    kernel: str
    arch: str
    basis: Basis
    build: Hashable
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Rung:
    """A row as a report: of the kernel with that head, launched as it is."""

    row: Row
    report: KernelReport

    @property
    def percent(self) -> float:
        """The least."""
        return self.report.figure.lowest.percent if self.report.figure else 0.0


def rungs(before: KernelReport, ladder: Ladder) -> tuple[Rung, ...]:
    """Of rows for which the compiler made the same, the first, and none of those that it failed at."""
    found: dict[object, Rung] = {}
    for it in ladder.rows:
        if not it.why:
            made = tuple(replace(usage, path="", line=0, mtime=0.0) for usage in it.usages)
            found.setdefault((made or it, it.step.size), Rung(it, as_tried(before, it)))
    return tuple(found.values())


def as_tried(before: KernelReport, row: Row) -> KernelReport:
    """What was counted of the text without this head, and what a person states of it, is left out."""
    if row.step.after is not None:
        before = row.step.after
    said = ((it, it.directive) for it in before.directives)
    own = tuple(it for it, given in said if not (isinstance(given, StatedFact) and given.key in _COUNTED))
    kernel = with_head(before.kernel, row.head) if row.step.edits and not row.step.size else before.kernel
    counted = tuple(Counted(it, "fresh") for it in row.usages)
    launches = tuple(it.launch for it in before.launches)
    return report(
        KernelInputs(
            kernel, before.language, before.device, own, launches, before.far, before.facts, counted, (),
            before.options, before.may_opt_in, before.preferred, before.tensor_columns, before.asked,
        )
    )  # fmt: skip


def improves(now: Rung, then: Rung) -> bool:
    """More occupancy, or fewer spills: what changes neither, or is not known to, is not worth an edit."""
    if then.percent > now.percent:
        return True
    return then.row.spills is not None and then.row.spilled < now.row.spilled


def preferred(rows: Sequence[Rung]) -> Rung | None:
    """The highest occupancy without spills, if it helps; of equal ones that with the most registers."""
    now = rows[0]
    unspilled = [it for it in rows[1:] if it.row.spills is not None and not it.row.spilled]
    better = [it for it in unspilled if improves(now, it)]
    return max(better, key=lambda it: (it.percent, it.report.registers.highest), default=None)
