"""The registers that a block starts with where its warps hand them over: what OCC104 takes for the pool, ptxas says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from occupancy_lsp.compile.toolchains import Machine, find_nvcc
from occupancy_lsp.features.diagnostics import diagnostics
from tests.presets import CATALOGUE
from tests.support import view_of

NVCC = next(find_nvcc(Machine.here(), None)).start[0]
KERNEL = """
__global__ void __launch_bounds__({}) k(float* p) {{
  if (threadIdx.x < 128) {{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 {};");
    p[0] = 1;
  }} else {{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 {};");
    p[1] = 2;
  }}
}}
"""


def said(folder: Path, source: str, arch: str = "sm_90a") -> str:
    (folder / "k.cu").write_text(source)
    command = [NVCC, f"-arch={arch}", "-cubin", "-Xptxas", "-v", "k.cu", "-o", "k.cubin"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("bounds", [(256, 1), (256, 2), (384, 1), (384, 2), (384, 3), (512, 1), (640, 1), (128, 4)])
def test_registers_at_entry(tmp_path: Path, bounds: tuple[int, int]) -> None:
    used = re.search(r"Used (\d+) registers", said(tmp_path, KERNEL.format(f"{bounds[0]}, {bounds[1]}", 24, 256)))
    assert used is not None
    assert int(used[1]) == CATALOGUE.find("h100").arch.register_ceiling(*bounds)


def test_what_ptxas_says_of_what_the_rule_speaks_of_and_of_its_neighbours(tmp_path: Path) -> None:
    def speaks(source: str) -> bool:
        return any(it.code == "OCC104" for it in diagnostics(view_of(source, "h100")))

    hangs, fits = KERNEL.format("256, 2", 40, 232), KERNEL.format("256, 2", 24, 232)
    assert [speaks(it) for it in (hangs, fits)] == [True, False]
    for source in (hangs, fits):
        assert "Used 128 registers" in said(tmp_path, source) and "C7508" not in said(tmp_path, source)
    ignored = KERNEL.format("256", 24, 240)
    assert "C7508" in said(tmp_path, ignored) and speaks(ignored)
    heeded = ignored.replace("(256)", "(256, 1)")  # as the fix makes it
    assert "C7508" not in said(tmp_path, heeded) and not speaks(heeded)
    refused = KERNEL.format("256, 1", 24, 250)
    assert "rror" in said(tmp_path, refused) and speaks(refused)
