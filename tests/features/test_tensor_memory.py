"""How many blocks have tensor memory at a time. ptxas 13.0 takes 32 to 512 columns, a power of two, for sm_100a."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from tests.compilers import nvcc
from tests.support import view_of

WRITTEN = """__global__ void k(unsigned* p) {
  __shared__ unsigned at;
  unsigned where = (unsigned)__cvta_generic_to_shared(&at);
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], COLUMNS;" :: "r"(where) : "memory");
  p[0] = at;
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, COLUMNS;" :: "r"(at));
}
"""
GIVEN = WRITTEN.replace('[%0], COLUMNS;" :: "r"(where)', '[%0], %1;" :: "r"(where), "r"(COLUMNS)')
CUTLASS = """__global__ void k(unsigned* p) {
  using TmemAllocator = cute::TMEM::Allocator1Sm;
  TmemAllocator allocator{};
  allocator.allocate(COLUMNS, p);
}
"""


def said(source: str, device: str = "b200") -> str:
    text = plain(explain(view_of(f"// occupancy: block=128 regs=64\n{source}", device), 0))
    return next((it for it in text.splitlines() if "tensor memory" in it), "")


@pytest.mark.parametrize("source", [WRITTEN, GIVEN, CUTLASS])
@pytest.mark.parametrize(
    ("columns", "have"),
    [
        (512, "one block has them"),
        (256, "2 blocks have them"),
        (128, "4 blocks have them"),
        (32, "16 blocks have them"),
    ],
)
def test_how_many_blocks_have_it(source: str, columns: int, have: str) -> None:
    expected = f"tcgen05.alloc takes {columns} of the SM's 512 columns of tensor memory: {have} at a time, others wait."
    assert said(source.replace("COLUMNS", str(columns))) == expected


def test_cutlass_names_all_of_it() -> None:
    found = said(CUTLASS.replace("COLUMNS", "TmemAllocator::Sm100TmemCapacityColumns"))
    assert found.startswith("tcgen05.alloc takes 512 of the SM's 512 columns")


@pytest.mark.parametrize(
    ("source", "device"),
    [
        (WRITTEN.replace("COLUMNS", "512"), "h100"),  # has none
        (WRITTEN.replace("COLUMNS", "512"), "rtx-5090"),
        (CUTLASS.replace("COLUMNS", "n"), "b200"),
        (
            CUTLASS.replace("COLUMNS", "512").replace("  alloc", "#if 0\n  alloc").replace("p);\n", "p);\n#endif\n"),
            "b200",
        ),
        (
            WRITTEN.replace("COLUMNS", "512")
            .replace("  asm", "#ifdef FAST\n  asm", 1)
            .replace("  p[0]", "#endif\n  p[0]"),
            "b200",
        ),
        (CUTLASS.replace("COLUMNS", "512").replace("cute::TMEM::Allocator1Sm", "Pool").replace("Tmem", ""), "b200"),
        ("// " + CUTLASS.replace("\n", "\n// ") + "\n__global__ void k(unsigned* p) { p[0] = 1; }\n", "b200"),
    ],
)
def test_what_says_nothing(source: str, device: str) -> None:
    assert said(source, device) == ""


@pytest.mark.skipif(sys.platform == "darwin", reason="no nvcc for macOS")
@pytest.mark.parametrize(("columns", "refused"), [(512, ""), (32, ""), (1024, "out of range"), (48, "power of 2")])
def test_ptxas_takes_what_an_sm_has(columns: int, refused: str, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(WRITTEN.replace("COLUMNS", str(columns)))
    command = (*nvcc(), "-arch=sm_100a", "-cubin", "k.cu")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode == 0) == (not refused) and refused in done.stderr
