"""How many blocks have tensor memory at a time. ptxas 13.0 takes 32 to 512 columns, a power of two, for sm_100a."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.compilers import nvcc
from tests.support import text_of, view_of

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
    return next((it for it in text.splitlines() if "tcgen05.alloc" in it), "")


@pytest.mark.parametrize("source", [WRITTEN, GIVEN, CUTLASS])
@pytest.mark.parametrize(
    ("columns", "have"),
    [
        (512, "one block has them at a time. Up to 8"),
        (256, "2 blocks have them at a time. Up to 8"),
        (128, "4 blocks have them at a time. Up to 8"),
        (64, "8 blocks have them at a time, others wait."),
        (32, "16 blocks have them at a time, others wait."),
    ],
)
def test_how_many_blocks_have_it(source: str, columns: int, have: str) -> None:
    lead = f"tcgen05.alloc takes {columns} of the SM's 512 columns of tensor memory: {have}"
    waiting = (
        " can be resident, which is what CUDA's occupancy functions tell, since they know nothing of tensor memory;"
        " the other blocks wait until columns are free."
    )
    assert said(source.replace("COLUMNS", str(columns))) == lead + (waiting if have.endswith("8") else "")


@pytest.mark.parametrize(
    ("directive", "columns", "device", "hint"),
    [
        # What Triton 3.9 makes of a matrix product of 128 x N x 32 for sm_100 and sm_107, with `maxnreg`: cuobjdump's
        # registers, the bytes and the `tmem_size` of its JSON. N = 128, 64, 256, 128.
        ("regs=96 dynamic_shared=32784", 128, "b200", "25% · 4 blk/SM · tmem"),
        ("regs=86 dynamic_shared=24592", 64, "b200", "31.25% · 5 blk/SM · regs"),
        ("regs=168 dynamic_shared=49168", 256, "b200", "12.5% · 2 blk/SM · tmem"),
        ("regs=128 dynamic_shared=32784", 128, "b200", "25% · 4 blk/SM · regs"),  # as many by either
        ("regs=96 dynamic_shared=32784", 128, "h100", "31.25% · 5 blk/SM · regs"),
        ("dynamic_shared=32784", 128, "b200", "25% if ≤128 regs · tmem"),
        ("dynamic_shared=24592", 64, "b200", "128 thr · 50% if ≤64 regs · tmem"),
    ],
)
def test_it_limits(directive: str, columns: int, device: str, hint: str) -> None:
    source = f"// occupancy: block=128 {directive}\n{WRITTEN.replace('COLUMNS', str(columns))}"
    assert text_of(view_of(source, device).reports[0]) == hint


def test_an_edit_is_heeded() -> None:
    """Also where the columns stand in a function that the kernel calls."""
    called = WRITTEN.replace("__global__ void k", "__device__ void take")
    text = f"{called}// occupancy: block=128 regs=64\n__global__ void k(unsigned* p) {{ take(p); }}\n"
    text = text.replace("COLUMNS", "512")
    document = OpenFile(None, "cuda", Text(text.encode()), Project(None, None, {"devices": ["b200"]}))
    hints = []
    for columns in ("512", "128", "32"):
        at = document.text.content.index(b"[%0], ") + 6
        document.edit(at, document.text.content.index(b";", at), columns.encode())
        view = document.view()
        assert view is not None
        hints.append(text_of(view.reports[0]))
    assert hints == ["6.25% · 1 blk/SM · tmem", "25% · 4 blk/SM · tmem", "50% · 8 blk/SM · regs"]


def test_a_count_says_it(tmp_path: Path) -> None:
    """Triton's JSON."""
    text = "// occupancy: regs=96\n__global__ void matmul(float* p) { p[0] = 1; }\n"
    (tmp_path / "a.cu").write_text(text)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "matmul.json").write_text(
        '{"target": {"backend": "cuda", "arch": 100, "warp_size": 32}, "num_warps": 4, "shared": 32784,'
        ' "tmem_size": 128, "name": "matmul"}'
    )
    project = Project(tmp_path, None, {"devices": ["b200"]})
    project.scan(lambda: False, lambda done, total: None)
    view = OpenFile(tmp_path / "a.cu", "cuda", Text(text.encode()), project).view()
    assert view is not None and view.reports[0].built.tensor_columns == (128, 128)


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
