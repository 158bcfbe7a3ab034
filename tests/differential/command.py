"""The command line: which programs, in which processes, and what is written of them."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path

from . import drawing
from .batch import COMPILERS, Compared, compared
from .compiled import Missing
from .constructs import CONSTRUCTS
from .minimise import cases, minimised, write
from .table import Table

BATCH = 200


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    known = {it.name for it in CONSTRUCTS if options.language in it.languages}
    wanted = frozenset(options.construct or known)
    if unknown := wanted - known:
        print(f"no such construct: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}", file=sys.stderr)
        return 2
    if options.out:
        (options.out / "truth").mkdir(parents=True, exist_ok=True)
    try:
        return _run(options, wanted)
    except Missing as it:
        print(it, file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, metavar="N", help="how many programs (default: 1000)")
    parser.add_argument("--first", type=int, default=0, metavar="I", help="leave out the first I of them")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which: those of a seed are always the same")
    parser.add_argument("--language", choices=(*COMPILERS,), default="cuda")
    parser.add_argument("--construct", action="append", metavar="NAME", help="only these; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="keep truth there, and what differs")
    parser.add_argument("--minimise", type=Path, metavar="FOLDER", help="write what differs there, made smaller")
    parser.add_argument("--most", type=int, default=2, metavar="N", help="programs of a kind to minimise (default: 2)")
    return parser


def _run(options: argparse.Namespace, wanted: frozenset[str]) -> int:
    table, started, done = Table(), time.monotonic(), 0
    different: list[Compared] = []
    for batch in _batches(options, wanted):
        table.take(batch)
        done += len(batch)
        for it in batch:
            different += [it] if it.wrong else []
            _tell(it, options.out)
        rate = done / (time.monotonic() - started) * 60
        print(f"{done:,} of {options.count:,} programs, {rate:,.0f} a minute", file=sys.stderr, flush=True)
    print("\n".join(table.lines()))
    print("open:", ", ".join(f"{what} {number}" for what, number in table.open.most_common()))
    if options.minimise and different:
        options.minimise.mkdir(parents=True, exist_ok=True)
        for it in minimised(list(cases(different, options.most)), options.language):
            print(write(it, options.minimise))
    return 1 if different else 0


def _batches(options: argparse.Namespace, wanted: frozenset[str]) -> Iterator[list[Compared]]:
    drawn = islice(
        drawing.numbers(options.seed, wanted, options.language), options.first, options.first + options.count
    )
    shares = iter(lambda: list(islice(drawn, BATCH)), [])
    work = partial(_batch, options.seed, options.language, options.out / "truth" if options.out else None)
    if options.jobs < 2:
        yield from map(work, shares)
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        yield from pool.map(work, shares)


def _batch(seed: int, language: str, kept: Path | None, numbers: Sequence[int]) -> list[Compared]:
    return compared([drawing.program(seed, it, language) for it in numbers], language, kept)


def _tell(it: Compared, out: Path | None) -> None:
    if it.truth.failed:
        print(f"program {it.program.number} ({it.program.construct}): {it.truth.failed}")
    for figure in it.wrong:
        print(f"program {it.program.number} ({it.program.construct}): {figure.told}")
    if out and (it.wrong or it.truth.failed):
        folder = out / "different" if it.wrong else out / "not-compiled"
        folder.mkdir(exist_ok=True)
        for name, text in it.program.files.items():
            (folder / name).write_text(text)
