"""`python -m tests.ceilings [N]`: register ceilings of N random launch bounds, and of others, against compilers.

The exit status is 1 if one of them differs. With OCCUPANCY_VALIDATION=docs/validation.md the table goes there.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from occupancy_lsp.compile.toolchains import Machine, find_clang

from . import amd, nvidia
from .compared import Compared

_BEGIN, _END = "<!-- ceilings -->", "<!-- /ceilings -->"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ceilings", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=2000, metavar="N", help="launch bounds (default: 2000)")
    count = parser.parse_args().count
    ptxas, clang = nvidia.find_ptxas(Machine.here()), next(find_clang(Machine.here(), None), None)
    rows = []
    if ptxas is not None:
        rows.append(_row("ptxas: launch bounds", nvidia.triples(ptxas, count)))
        rows.append(_row("ptxas: other heads, `--maxrregcount`", nvidia.others(ptxas, count // 4)))
    for target in amd.TARGETS if clang is not None else ():
        rows.append(_row(f"LLVM: {target}", amd.compared(clang, target, amd.heads(target, count // 10))))
    lines = [f"| {name} | {total:,} | {total - exact} |" for name, total, exact in rows]
    table = "\n".join(["| compiler | heads | mismatches |", "|---|---|---|", *lines])
    print(table)
    different = any(total != exact for _, total, exact in rows)
    path = os.environ.get("OCCUPANCY_VALIDATION")
    if path and not different:
        head, _, rest = Path(path).read_text(encoding="utf-8").partition(_BEGIN)
        _, _, tail = rest.partition(_END)
        Path(path).write_text(f"{head}{_BEGIN}\n{table}\n{_END}{tail}", encoding="utf-8")
    return 1 if different else 0


def _row(name: str, every: Iterable[Compared]) -> tuple[str, int, int]:
    """The name, how many heads, and how many are exact; what is not is printed."""
    found = list(every)
    for it in found:
        if not it.exact:
            print(it, flush=True)
    return name, len(found), sum(it.exact for it in found)


if __name__ == "__main__":
    sys.exit(main())
