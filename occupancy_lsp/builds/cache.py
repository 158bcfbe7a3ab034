"""Triton's own cache and Warp's, outside every folder: read only where the user's settings say so. File I/O."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from occupancy_lsp.builds.find import find
from occupancy_lsp.builds.joining import is_cached
from occupancy_lsp.core.files import stays_in
from occupancy_lsp.counts.formats import triton
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.settings import USUAL_CACHE, Settings

WATCHED = (f"*/{triton.GROUP}*{triton.METADATA}", "**/wp_*.cubin")
_GLOBS = (f"*/*{triton.METADATA}", "**/wp_*.cubin")


def usual_of_triton() -> Path:
    """Where Triton keeps what it compiles, unless a program says otherwise."""
    home = os.environ.get("TRITON_HOME") or Path.home()
    return Path(os.environ.get("TRITON_CACHE_DIR") or Path(home, ".triton", "cache"))


def usual_of_warp() -> Path:
    """The same of Warp, of all its versions (`init_kernel_cache` in `warp._src.build`)."""
    if stated := os.environ.get("WARP_CACHE_PATH"):
        return Path(stated)
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local", "NVIDIA", "warp", "Cache")
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "warp"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache", "warp")


# By their owners' names.
CACHES: Mapping[str, Callable[[], Path]] = {"Triton": usual_of_triton, "Warp": usual_of_warp}


def caches_of(settings: Settings) -> tuple[Path, ...]:
    """The folders that the settings allow to be read."""
    stated = (settings.triton_cache, usual_of_triton), (settings.warp_cache, usual_of_warp)
    return tuple(usual() if said == USUAL_CACHE else Path(said).expanduser() for said, usual in stated if said)


def find_cached(cache: Path) -> tuple[Path, ...]:
    """The files of a cache that speak for kernels, within the bounds of every search."""
    return tuple(path for path in find(cache, _GLOBS).paths if is_cached(path))


def of_sources_in(root: Path, reading: Reading) -> Reading:
    """What it says of kernels that may stand in files below the root; it holds those of all other projects."""
    usages = tuple(it for it in reading.usages if it.digest or (it.at is not None and stays_in(it.at[0], root)))
    return replace(reading, usages=usages) if usages else Reading()
