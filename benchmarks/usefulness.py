"""What the hints of checkouts tell: `python -m benchmarks.usefulness DIR… [--list KIND] [--compile] [--most N]`.

Default settings, the source alone, or with `--compile` what a compiler on this machine makes of it as well. Kernels of
samples, tests, benchmarks and third parties do not count. With `--most`, N sources of each checkout that hold kernels,
drawn at random: all of a large one take hours to compile. Where shared memory is open, a hint may be a memory budget
(`100% if ≤32 regs, ≤13 KiB smem`); else it is but a range (`12.5–100% · smem?`), which counts as open memory.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.figures import Table, at_most
from occupancy_lsp.cli.commands.compiling import compile_missing
from occupancy_lsp.cli.commands.remembering import answers
from occupancy_lsp.cli.commands.sources import Found, Projects, found
from occupancy_lsp.cli.commands.task import Task
from occupancy_lsp.cli.commands.watching import Watch
from occupancy_lsp.features.hint_label import Label
from occupancy_lsp.findings.records import FileRecord
from occupancy_lsp.workspace.walk import is_unit

_KINDS = ("exact", "bounded", "by size", "budget", "memory budget", "upper bound", "open memory", "mute")
_FIGURES = ("exact", "bounded", "by size")
_HEAD = re.compile(rb"\b__global__\b|\b(?:__)?kernel\b")
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
    parser.add_argument("--compile", action="store_true", help="compile what has no count, in up to --jobs compilers")
    parser.add_argument("--most", type=int, metavar="N", help="sources of each checkout, drawn at random")
    parser.add_argument("--draw", default="", metavar="WORD", help="another word draws other sources")
    options = parser.parse_args()
    rows, whole = [], list[Kernel]()
    for checkout in options.checkouts:
        kernels = list(_kernels(checkout, options))
        if options.list:
            for it in kernels:
                if it.kind == options.list:
                    print(f"{it.path}:{it.line}: {it.name}: {it.hint or it.reason}")
        whole += kernels
        rows.append(_row(Path(checkout).resolve().name, kernels))
    share = _shares(whole)
    verdicts = tuple(at_most(kind, share[kind], most, "%") for kind, most in _MOST.items())
    print(Table("what the hints tell", ("kernels", *share), (*rows, _row("all", whole)), verdicts))
    return 0


@dataclass(frozen=True, slots=True)
class Kernel:
    """`counted`: its registers are known."""

    path: str
    line: int
    name: str
    kind: str
    hint: str
    reason: str
    counted: bool


def _row(name: str, kernels: Sequence[Kernel]) -> tuple[str, ...]:
    return name, f"{len(kernels):,}", *(f"{it:.1f}%" for it in _shares(kernels).values())


def _shares(kernels: Sequence[Kernel]) -> dict[str, float]:
    """In percent: of each kind, and of those that have a figure or registers."""
    counts = Counter(it.kind for it in kernels)
    known = sum(it.kind in _FIGURES or it.counted for it in kernels)
    found = {**{kind: counts[kind] for kind in _KINDS}, "figure or registers": known}
    return {what: 100 * count / max(len(kernels), 1) for what, count in found.items()}


def _kernels(checkout: str, options: argparse.Namespace) -> Iterator[Kernel]:
    inside = [it for it in found([checkout]) if isinstance(it, Found) and not _left_out(it.path, Path(checkout))]
    if options.most:
        inside = _drawn(inside, options.most, Random(f"{Path(checkout).resolve().name}{options.draw}"))
    projects = Projects(options.device)
    failed = compile_missing(inside, projects, options.jobs or 1) if options.compile else []
    for problem in failed:
        print(problem)
    task = Task(tuple(options.device), frozenset(), projects.compiled)
    for answer in answers(task, inside, options.jobs, Watch(inside), projects):
        if answer.record is not None:
            yield from _told(answer.record)


def _drawn(sources: Sequence[Found], most: int, random: Random) -> list[Found]:
    having = [it for it in sources if is_unit(it.path) and _HEAD.search(it.path.read_bytes())]
    return random.sample(sorted(having, key=lambda it: it.path), min(most, len(having)))


def _left_out(path: Path, checkout: Path) -> bool:
    folders = path.parent.relative_to(checkout.absolute()).parts
    return any(_LEFT_OUT.search(it.lower()) for it in folders)


def _told(record: FileRecord) -> Iterator[Kernel]:
    for it in record.kernels:
        for on in it.on[:1]:
            kind, hint = (_kind(on.label), on.label.text) if on.label else ("mute", "")
            reason = on.size.reason or on.local.reason or on.local.dynamic_reason
            counted = on.registers.lowest is not None
            yield Kernel(record.path, it.place.start.line, it.name, kind, hint, reason, counted)


def _kind(label: Label) -> str:
    return "memory budget" if label.kind == "open memory" and label.condition else label.kind


if __name__ == "__main__":
    raise SystemExit(main())
