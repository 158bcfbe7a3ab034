"""Outputs of real compilers and profilers, kept compressed."""

from __future__ import annotations

import lzma
import tarfile
from functools import cache
from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "resources"


@cache
def archive(name: str) -> dict[str, bytes]:
    """The files of `DATA/name`, by name."""
    with tarfile.open(DATA / name) as packed:
        files = [(member.name.removeprefix("./"), packed.extractfile(member)) for member in packed.getmembers()]
        return {name: stream.read() for name, stream in files if stream is not None}


@cache
def compressed(name: str) -> bytes:
    return lzma.decompress((DATA / name).read_bytes())
