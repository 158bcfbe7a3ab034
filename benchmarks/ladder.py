"""What other bounds and sizes do for kernels that registers or their size limit:
`python -m benchmarks.ladder PATH… [--device D] [--most N]`.

Each source is compiled; of its kernels that registers or the block size keep below full occupancy, other bounds are
tried and other sizes looked for. One that helps gives the model a better figure and spills no more than before. At most
N sources (24) of each PATH, spread evenly over it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Table
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.cli.commands.sources import Projects, SourceFile, sources
from occupancy_lsp.core.text import Text
from occupancy_lsp.edits.ladder.rows import Rung, improves, rungs
from occupancy_lsp.edits.resize import resizes
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.features.actions import edit_context
from occupancy_lsp.session.compilations import missing_counts
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.trials import Trial, trial
from occupancy_lsp.session.view import OpenFile, View, lacks_count
from occupancy_lsp.workspace.walk import is_unit

_LIMITERS = {"registers", "sub_groups", "groups", "subgroups"}
_NUMBERS = re.compile(r"\d[\d,.]*|'[^']*'|`[^`]*`")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder", description=__doc__)
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--device", default="h100")
    parser.add_argument("--most", type=int, default=24, metavar="N")
    options = parser.parse_args()
    every: list[Kernel] = []
    rows = []
    for path in options.paths:
        kernels = list(_kernels(path, options.device, options.most))
        every += kernels
        rows.append(_row(Path(path).resolve().name, kernels))
    print(Table("kernels that registers or their size limit", _HEADINGS, (*rows, _row("all", every)), ()))
    why = Counter(it.why for it in every if it.limited and not it.helped)
    for reason, count in why.most_common():
        print(f"{count:5}  {reason}")
    return 0


@dataclass(frozen=True, slots=True)
class Kernel:
    """With a count. `by`: what helps it, of "bounds" and "size"; `why`: why nothing does."""

    limited: bool
    by: tuple[str, ...] = ()
    why: str = ""

    @property
    def helped(self) -> bool:
        return bool(self.by)


_HEADINGS = ("with counts", "limited", "helped", "by bounds", "by size")


def _row(name: str, kernels: list[Kernel]) -> tuple[str, ...]:
    limited = [it for it in kernels if it.limited]
    each = (sum(it.helped for it in limited), *(sum(kind in it.by for it in limited) for kind in ("bounds", "size")))
    return (name, str(len(kernels)), str(len(limited)), *map(str, each))


def _kernels(path: str, device: str, most: int) -> Iterator[Kernel]:
    units = [
        it for it in sources([path]) if isinstance(it, SourceFile) and is_unit(it.path) and b"__global__" in it.content
    ]
    projects = Projects([device])
    for source in units[:: max(len(units) // most, 1)][:most]:
        yield from _of_source(source, projects.at(source.root), device)


def _of_source(source: SourceFile, project: Project, device: str) -> Iterator[Kernel]:
    view = _view(source, project)
    if view is None or view.device is None or view.device.id != device:
        return
    for wanted in missing_counts(view, project, every=True):
        project.take_compiled([(wanted.source, wanted.run(lambda: False, lambda step: None))])
    view = _view(source, project)
    assert view is not None
    for index, report in enumerate(view.reports):
        if not lacks_count(report) and report.registers.lowest is not None:
            kernel = _judged(view, project, index, report)
            said = "not limited so" if not kernel.limited else " and ".join(kernel.by) or kernel.why
            print(f"{source.shown}: {report.kernel.qualified}: {said}", file=sys.stderr, flush=True)
            yield kernel


def _view(source: SourceFile, project: Project) -> View | None:
    return OpenFile(source.path, "", Text(source.content), project).view()


def _judged(view: View, project: Project, index: int, report: KernelReport) -> Kernel:
    figure = report.figure
    if figure is None or figure.lowest.percent == 100 or not set(figure.lowest.limiters) & _LIMITERS:
        return Kernel(False)
    context = edit_context(view, {})
    sizes = resizes(context, index)
    by = ["size"] if not isinstance(sizes, Refused) and any(_more(it.own.before, it.own.after) for it in sizes) else []
    made = trial(view, project, index, context)
    found: tuple[Rung, ...] = ()
    if isinstance(made, Trial):
        for wanted in made:
            made.take(wanted.run(lambda: False, lambda step: None))
        if made.ladder is not None and not made.why:
            found = rungs(made.report, made.ladder)
    if any(improves(found[0], it) and it.row.spilled <= found[0].row.spilled for it in found[1:]):
        by.append("bounds")
    why = sizes.reason if isinstance(sizes, Refused) else "no size does better"
    return Kernel(True, tuple(by), "" if by else _why(made, found, figure.lowest.limiters, why))


def _more(before: KernelReport, after: KernelReport) -> bool:
    was, becomes = before.figure, after.figure
    return was is not None and becomes is not None and becomes.lowest.percent > was.lowest.percent


def _why(made: Trial | Refused, found: tuple[Rung, ...], limiters: tuple[str, ...], size: str) -> str:
    if isinstance(made, Refused):
        return _NUMBERS.sub("…", made.reason)
    if made.why or not found:
        return "the kernel does not compile apart from its build" if made.why else "nothing was compiled"
    if "registers" not in limiters:
        return f"its size limits it, and no other is offered: {_NUMBERS.sub('…', size)}"
    if len(made.ladder.rows if made.ladder else ()) < 2:
        return "no head allows a step: shared memory or the registers of one block are next"
    spilling = [it for it in found[1:] if it.row.spilled > found[0].row.spilled]
    return (
        "each step spills"
        if len(spilling) == len(found) - 1 and spilling
        else "some steps spill, the others change nothing"
    )


if __name__ == "__main__":
    sys.exit(main())
