"""What the hints of checkouts tell: `python -m benchmarks.usefulness DIR… [--list KIND] [--jobs N]`.

Default settings, the source alone. Kernels of samples, tests, benchmarks and third parties do not count.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import Table, at_most
from occupancy_lsp.cli.commands.checking import Task, answers
from occupancy_lsp.cli.commands.sources import Found, found
from occupancy_lsp.cli.formats.result import Checked, Told, place
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.features.labels import kernel_label

_KINDS = ("exact", "bounded", "by size", "budget", "upper bound", "open memory", "mute")
_MOST = {"mute": 20.0, "open memory": 3.0, "upper bound": 4.0}
_LEFT_OUT = re.compile(
    r"(^|[-_.])(3rd_?party|third[-_]?party|externals?|vendor|tests?|testing|samples?|examples?|bench(marks?|marking)?|tutorials?)($|[-_.])"
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.usefulness", description=__doc__)
    parser.add_argument("checkouts", nargs="+", metavar="DIR")
    parser.add_argument("--list", choices=_KINDS, help="also print each kernel of this kind, with the reason")
    parser.add_argument("--device", action="append", default=[])
    parser.add_argument("--jobs", type=int)
    options = parser.parse_args()
    rows, whole = [], Counter[str]()
    for checkout in options.checkouts:
        kernels = list(_kernels(checkout, options.device, options.jobs))
        if options.list:
            for it in kernels:
                if it.kind == options.list:
                    print(f"{it.path}:{it.line}: {it.name}: {it.hint or it.reason}")
        counts = Counter(it.kind for it in kernels)
        whole += counts
        rows.append(_row(Path(checkout).resolve().name, counts))
    share = {kind: 100 * whole[kind] / max(whole.total(), 1) for kind in _KINDS}
    verdicts = tuple(at_most(kind, share[kind], most, "%") for kind, most in _MOST.items())
    print(Table("what the hints tell", ("kernels", *_KINDS), (*rows, _row("all", whole)), verdicts))
    return 0


@dataclass(frozen=True, slots=True)
class Kernel:
    path: str
    line: int
    name: str
    kind: str
    hint: str
    reason: str


def _row(name: str, counts: Counter[str]) -> tuple[str, ...]:
    total = counts.total()
    return name, f"{total:,}", *(f"{100 * counts[kind] / max(total, 1):.1f}%" for kind in _KINDS)


def _kernels(checkout: str, devices: Sequence[str], jobs: int | None) -> Iterator[Kernel]:
    inside = [it for it in found([checkout]) if isinstance(it, Found) and not _left_out(it.path, Path(checkout))]
    for answer in answers(Task(tuple(devices), _Telling(), frozenset()), inside, jobs):
        if answer.told is not None:
            kernels: Any = answer.told.entry.get("kernels", ())
            yield from kernels


def _left_out(path: Path, checkout: Path) -> bool:
    folders = path.parent.relative_to(checkout.absolute()).parts
    return any(_LEFT_OUT.search(it.lower()) for it in folders)


class _Telling:
    """A format of `check` whose entries are the kernels."""

    def told(self, checked: Checked) -> Told:
        view = checked.view
        if view is None:
            return Told()
        kernels = []
        for report in view.reports:
            at, label = view.span(report.kernel.name_place)[0], kernel_label(report)
            line = place(view.text, at)[0]
            kind, hint = (label.kind, label.text) if label else ("mute", "")
            reason = report.size.reason or report.local.reason or report.local.dynamic_reason
            kernels.append(Kernel(checked.path, line, report.kernel.qualified, kind, hint, reason))
        return Told(entry={"kernels": kernels})

    def end(self, told: Sequence[Told], problems: Sequence[Problem]) -> None:
        pass


if __name__ == "__main__":
    raise SystemExit(main())
