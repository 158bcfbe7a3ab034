"""What cuTile's compiler made of `tests/data/cutile/kernels.py`, and what `cuobjdump` says of it."""

from __future__ import annotations

import json
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data" / "cutile"
SOURCE = (FOLDER / "kernels.py").read_text()


@cache
def files() -> dict[str, bytes]:
    """`four.sm_90.cubin` and the like."""
    with tarfile.open(FOLDER / "cubins.tar.xz") as archive:
        found = [(member.name, archive.extractfile(member)) for member in archive.getmembers()]
        return {name: stream.read() for name, stream in found if stream is not None}


@cache
def truth() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(files()["truth.json"]))
