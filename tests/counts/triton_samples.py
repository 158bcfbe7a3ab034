"""Kernels of Triton 3.9.0's cache, and what others read of them (tests/data/triton)."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from occupancy_lsp.counts.formats.triton import INTERMEDIATE

FOLDER = Path(__file__).parents[1] / "data" / "triton"
SOURCE = Path("/tmp/project/kernels.py")  # where it stood when it was compiled


@cache
def files() -> dict[str, bytes]:
    """By their paths: `cache/HASH/add.json`."""
    with tarfile.open(FOLDER / "cache.tar.xz") as archive:
        found = [(member.name, archive.extractfile(member)) for member in archive.getmembers()]
        return {name: stream.read() for name, stream in found if stream is not None}


@cache
def rows() -> tuple[Mapping[str, Any], ...]:
    return tuple(json.loads(line) for line in files()["truth.jsonl"].splitlines())


def row(kernel: str, target: int | str, **sizes: object) -> Mapping[str, Any]:
    return next(
        it for it in rows() if (it["kernel"], it["target"]) == (kernel, target) and sizes.items() <= it["sizes"].items()
    )


def path_of(row: Mapping[str, Any]) -> str:
    return f"cache/{row['folder']}/{row['file']}.json"


def beside(row: Mapping[str, Any]) -> dict[str, bytes]:
    """What stands beside the JSON file, by its suffix."""
    start = path_of(row).removesuffix("json")
    return {f".{name.removeprefix(start)}": data for name, data in files().items() if name.startswith(start)}


def unpack(folder: Path, project: Path | None = None) -> Path:
    """What Triton has compiled: `cache` in the folder, and `kernels.py` there or in the project."""
    source = (project or folder) / "kernels.py"
    for name, data in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        moved = data.replace(str(SOURCE).encode(), str(source).encode()) if path.suffix in INTERMEDIATE else data
        path.write_bytes(moved)
    source.write_bytes((FOLDER / "kernels.py").read_bytes())
    return folder
