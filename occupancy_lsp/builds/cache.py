"""Triton's own cache, which lies outside every folder: read only where the user's own settings say so. File I/O."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.builds.find import find
from occupancy_lsp.builds.joining import has_binary
from occupancy_lsp.core.files import stays_in
from occupancy_lsp.counts.formats import triton
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.settings import USUAL_CACHE

WATCHED = f"*/{triton.GROUP}*{triton.METADATA}"


def usual_cache() -> Path:
    """Where Triton keeps what it compiles, unless a program says otherwise."""
    home = os.environ.get("TRITON_HOME") or Path.home()
    return Path(os.environ.get("TRITON_CACHE_DIR") or Path(home, ".triton", "cache"))


def cache_of(setting: str) -> Path | None:
    """The folder that the setting `triton_cache` means."""
    if setting == USUAL_CACHE:
        return usual_cache()
    return Path(setting).expanduser() if setting else None


def find_cached(cache: Path) -> tuple[Path, ...]:
    """The files of a cache that speak for kernels, within the bounds of every search."""
    return tuple(path for path in find(cache, (f"*/*{triton.METADATA}",)).paths if has_binary(path))


def of_sources_in(root: Path, reading: Reading) -> Reading:
    """What it says of kernels that were compiled from files below the root; it holds those of all other projects."""
    usages = tuple(it for it in reading.usages if it.at is not None and stays_in(it.at[0], root))
    return replace(reading, usages=usages) if usages else Reading()
