"""The cache that Warp made of `tests/data/warp/scripts`, and what `cuobjdump` says of it."""

from __future__ import annotations

import tarfile
from functools import cache
from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "warp"


@cache
def files() -> dict[str, bytes]:
    with tarfile.open(DATA / "scripts.tar.xz") as archive:
        found = [(member.name, archive.extractfile(member)) for member in archive.getmembers() if member.isfile()]
        return {name: stream.read() for name, stream in found if stream is not None}


def unpack(folder: Path) -> Path:
    for name, data in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder
