"""Registers that ptxas 13 keeps in shared memory for `.pragma "enable_smem_spilling"`: counted from builds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from tests.compilers import nvcc
from tests.support import live, text_of, view_of

PRAGMA = '  asm volatile(".pragma \\"enable_smem_spilling\\";");\n'
HEAD = "__global__ void __launch_bounds__(256, 4) k(const float* in, float* out, int i, int s, int n)"


def kernel(pragma: bool) -> str:
    text = live(96, HEAD)
    return text.replace("{\n", "{\n" + PRAGMA, 1) if pragma else text


def test_without_a_count_the_bytes_are_open() -> None:
    view = view_of(kernel(True), "h100")
    (report,) = view.reports
    assert report.local.static == (0, 49152)
    assert "not known: registers may be spilled there (enable_smem_spilling)" in plain(explain(view, 0))
    assert view_of(kernel(False), "h100").reports[0].local.static == (0, 0)


@pytest.mark.skipif(sys.platform == "darwin", reason="no nvcc for macOS")
def test_what_ptxas_says_counts(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(kernel(True))
    command = (*nvcc(), "-arch=sm_90", "-cubin", "-Xptxas", "-v", "k.cu")
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stderr
    (tmp_path / "k.ptxas.log").write_text(said)
    (amount,) = map(int, re.findall(r"(\d+) bytes smem", said))
    view = view_of(kernel(True), "h100", path=path)
    (report,) = view.reports
    assert amount > 0 and report.local.static == (amount, amount) and report.figure is not None
    taken = -(-(amount + 1024) // 128) * 128
    assert report.figure.highest.limits.local_memory == 233472 // taken
    assert "with registers that were spilled there" in plain(explain(view, 0))
    assert text_of(report)
