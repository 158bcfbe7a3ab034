"""Whether a count still speaks of a kernel: what is remembered of the text that was compiled."""

from __future__ import annotations

import os
from pathlib import Path

from occupancy_lsp.analysis.freshness import Baselines, fingerprints
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.source.lex.dialect import CUDA

KERNEL = "__global__ void k(float *p) {{ p[0] = {}; }}\n"


def written(path: Path, value: int, mtime: float) -> str:
    """The fingerprint of the kernel that is on disk then."""
    path.write_text(KERNEL.format(value))
    os.utime(path, (mtime, mtime))
    return fingerprints(path.read_bytes(), CUDA)["k"]


def built(mtime: float) -> Usage:
    return Usage("k", "compiled", "build.log", 1, arch="sm_90", mtime=mtime)


def test_what_was_compiled_is_told_from_what_was_written_since(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    compiled = written(path, 1, mtime=100)
    baselines = Baselines(path, None)
    assert baselines.freshness(built(200), "k", compiled, CUDA) == "fresh"
    edited = written(path, 2, mtime=300)
    assert baselines.freshness(built(200), "k", edited, CUDA) == "stale"
    assert baselines.freshness(built(200), "another", edited, CUDA) == "maybe"


def test_a_save_has_what_was_unknown_compared_anew(tmp_path: Path) -> None:
    """As when an older text comes back: until then a file newer than the build says nothing of what was compiled."""
    path = tmp_path / "k.cu"
    written(path, 2, mtime=300)
    baselines = Baselines(path, None)
    compiled = fingerprints(KERNEL.format(1).encode(), CUDA)["k"]
    assert baselines.freshness(built(200), "k", compiled, CUDA) == "maybe"
    assert written(path, 1, mtime=100) == compiled
    assert baselines.freshness(built(200), "k", compiled, CUDA) == "maybe"
    baselines.compare_anew()
    assert baselines.freshness(built(200), "k", compiled, CUDA) == "fresh"


def test_a_save_forgets_nothing_that_is_known(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    edited = written(path, 2, mtime=300)
    baselines = Baselines(None, None)
    baselines.know(built(200), {"k": edited})
    baselines.compare_anew()
    assert baselines.freshness(built(200), "k", edited, CUDA) == "fresh"
