"""`python -m tests.triton_cache make|check FOLDER`: what is said of Triton's cache, against others' readings of it.

`make` needs a Python with Triton 3.9 (1.1 GB, no GPU) and nothing of the project; `check` needs the project alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.triton_cache", description=__doc__)
    parser.add_argument("what", choices=("make", "check"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, help="compilations, of all that there are")
    parser.add_argument("--only", default="", metavar="NAME", help="kernels with this in their name")
    options = parser.parse_args()
    if options.what == "make":
        from .make import make

        return make(options.folder.absolute(), options.most, options.only)
    from .check import check

    return check(options.folder.absolute())


if __name__ == "__main__":
    raise SystemExit(main())
