"""`make prove`, or `python -m tests.prove [FOLDER…]`: every offered edit applied to real kernels, and compiled.

The kernels are those of tests/data/prove, of the folders that are named, and of checkouts of repositories. The exit
status is 1 if an action does not compile or breaks its promise. With OCCUPANCY_VALIDATION=docs/validation.md, and
nothing named, the tables go there.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from occupancy_lsp.session.project import Project
from occupancy_lsp.workspace.walk import is_source

from .bench import read_project
from .checkouts import InCheckout
from .prover import Applied, NotCompiled, NotOffered, Result, prove, proved_at
from .table import by_repository, refusals, table, write

OWN = Path(__file__).parents[1] / "data" / "prove"
DEVICES = ("h100", "a100", "mi250x", "rx-7900-xtx", "arc-a770")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.prove", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="of further sources")
    parser.add_argument("--device", action="append", metavar="D", help=f"may be repeated; {', '.join(DEVICES)}")
    parser.add_argument("--only", action="store_true", help="the named folders, without the project's own kernels")
    parser.add_argument("--checkout", action="append", default=[], type=Path, metavar="ROOT", help="of a repository")
    parser.add_argument("--most", type=int, default=20, metavar="N", help="files of each checkout, drawn at random")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    own = [] if options.only else [OWN]
    devices = options.device or DEVICES
    results = [*told(proved([*own, *options.folders], devices, options.jobs))]
    found = {root.name: [*told(proved_in(root, devices, options.most))] for root in options.checkout}
    results += chain.from_iterable(found.values())
    done = [it for it in results if isinstance(it, Applied)]
    if found:
        print(by_repository({name: [it for it in every if isinstance(it, Applied)] for name, every in found.items()}))
    refused = [it for it in results if isinstance(it, NotOffered)]
    print(f"{table(done)}\n\n{refusals(refused)}")
    for it in results:
        if isinstance(it, NotCompiled):
            print(f"{it.path}: {it.device}: {it.why}", file=sys.stderr)
    if not options.folders and not options.checkout:
        write(done, refused)
    return 1 if any(it.faults for it in done) else 0


def told(results: Iterator[Result]) -> Iterator[Result]:
    """With what broke its promise, as soon as it is known."""
    for it in results:
        if isinstance(it, Applied) and it.faults:
            print(f"{it.path}:{it.line}: {it.device}: {it.title}: {'; '.join(it.faults)}", flush=True)
        yield it


def proved(folders: list[Path], devices: list[str] | tuple[str, ...], jobs: int) -> Iterator[Result]:
    paths = [path for folder in folders for path in sources(folder)]
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(lambda it: list(prove(*it)), [(path, device) for path in paths for device in devices]):
            yield from found


def proved_in(root: Path, devices: Sequence[str], most: int) -> Iterator[Result]:
    """Sources of a copy of a repository, where they stand in it; links may lead back into the original."""
    with TemporaryDirectory(prefix="occupancy-checkout-") as folder:
        copy = Path(folder).resolve() / root.name
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        for device in devices:
            project = read_project(copy, device)
            having = [it for it in sources(copy) if has_kernels(project, it)]
            for path in Random(root.name).sample(having, min(most, len(having))):
                yield from proved_at(InCheckout.at(path, device, project), root / path.relative_to(copy), trying=True)


def has_kernels(project: Project, path: Path) -> bool:
    entry = project.index.entry(path) if project.index is not None else None
    return entry is not None and bool(entry.kernels)


def sources(folder: Path) -> list[Path]:
    if folder.is_file():
        return [folder.resolve()]
    found = (it for it in folder.rglob("*") if it.is_file() and not it.is_symlink() and is_source(it.name))
    return sorted(it.resolve() for it in found)


if __name__ == "__main__":
    sys.exit(main())
