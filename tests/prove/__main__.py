"""`make prove`, or `python -m tests.prove [FOLDER…]`: every offered edit applied to real kernels, and compiled.

The kernels are those of tests/data/prove and of the folders that are named. The exit status is 1 if an action does not
compile or breaks its promise. With OCCUPANCY_VALIDATION=docs/validation.md, and no folder named, the tables go there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from occupancy_lsp.workspace.walk import is_source

from .prover import Applied, NotCompiled, NotOffered, Result, prove
from .table import refusals, table, write

OWN = Path(__file__).parents[1] / "data" / "prove"
DEVICES = ("h100", "a100", "mi250x", "rx-7900-xtx", "arc-a770")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.prove", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="of further sources")
    parser.add_argument("--device", action="append", metavar="D", help=f"may be repeated; {', '.join(DEVICES)}")
    parser.add_argument("--only", action="store_true", help="the named folders, without the project's own kernels")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    own = [] if options.only else [OWN]
    results: list[Result] = []
    for result in proved([*own, *options.folders], options.device or DEVICES, options.jobs):
        results.append(result)
        if isinstance(result, Applied) and result.faults:
            said = f"{result.title}: {'; '.join(result.faults)}"
            print(f"{result.path}:{result.line}: {result.device}: {said}", flush=True)
    done = [it for it in results if isinstance(it, Applied)]
    refused = [it for it in results if isinstance(it, NotOffered)]
    print(f"{table(done)}\n\n{refusals(refused)}")
    for it in results:
        if isinstance(it, NotCompiled):
            print(f"{it.path}: {it.device}: {it.why}", file=sys.stderr)
    if not options.folders:
        write(done, refused)
    return 1 if any(it.faults for it in done) else 0


def proved(folders: list[Path], devices: list[str] | tuple[str, ...], jobs: int) -> Iterator[Result]:
    paths = [path for folder in folders for path in sources(folder)]
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(lambda it: list(prove(*it)), [(path, device) for path in paths for device in devices]):
            yield from found


def sources(folder: Path) -> list[Path]:
    if folder.is_file():
        return [folder.resolve()]
    return sorted(it.resolve() for it in folder.rglob("*") if it.is_file() and is_source(it.name))


if __name__ == "__main__":
    sys.exit(main())
