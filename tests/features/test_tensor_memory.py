"""How many blocks have tensor memory at a time. ptxas 13.0 takes 32 to 512 columns, a power of two, for sm_100a."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.formats.cubin import read
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.tensor_memory import Columns
from tests.compilers import nvcc
from tests.support import text_of, view_of

PERMIT = 'asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");'
WRITTEN = """__global__ void k(unsigned* p) {
  __shared__ unsigned at;
  unsigned where = (unsigned)__cvta_generic_to_shared(&at);
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], COLUMNS;" :: "r"(where) : "memory");
  PERMIT
  p[0] = at;
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, COLUMNS;" :: "r"(at));
}
""".replace("PERMIT", PERMIT)
GIVEN = WRITTEN.replace('[%0], COLUMNS;" :: "r"(where)', '[%0], %1;" :: "r"(where), "r"(COLUMNS)')
CUTLASS = """__global__ void k(unsigned* p) {
  using TmemAllocator = cute::TMEM::Allocator1Sm;
  TmemAllocator allocator{};
  allocator.allocate(COLUMNS, p);
  allocator.release_allocation_lock();
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
    assert hints == ["6.25–50% · tmem?", "25–50% · tmem?", "50% · 8 blk/SM · regs"]


def test_a_count_says_it(tmp_path: Path) -> None:
    """Triton's JSON."""
    text = "import triton\n\n@triton.jit\ndef matmul(p):\n    pass\n"
    (tmp_path / "a.py").write_text(text)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "matmul.json").write_text(
        '{"target": {"backend": "cuda", "arch": 100, "warp_size": 32}, "num_warps": 4, "shared": 32784,'
        ' "tmem_size": 128, "name": "matmul"}'
    )
    project = Project(tmp_path, None, {"devices": ["b200"]})
    project.scan(lambda: False, lambda done, total: None)
    view = OpenFile(tmp_path / "a.py", "python", Text(text.encode()), project).view()
    assert view is not None and view.reports[0].built.tensor_columns == (128, 128)


ALLOCATE = (
    'asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], COLUMNS;" :: "r"(where) : "memory");'
)

NAMED = ALLOCATE.replace("COLUMNS", "%1").replace('"r"(where)', '"r"(where), "n"(COLS)')


def hint_of(
    body: str, head: str = "__global__ void k(unsigned* p, int n)", before: str = "", columns: int = 512
) -> str:
    """`TAKE` in a body stands for an allocation."""
    kernel = f"{head} {{\n  __shared__ unsigned where;\n  {body}\n  {PERMIT}\n  p[0] = where;\n}}\n"
    text = f"{before}// occupancy: block=128 regs=64\n{kernel}"
    text = text.replace("TAKE", ALLOCATE).replace("COLUMNS", str(columns))
    hint = text_of(view_of(text, "b200").reports[0])
    assert hint is not None
    return hint


WHOLE = "6.25% · 1 blk/SM · tmem"
WARP = "int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0);"


@pytest.mark.parametrize(
    "body",
    [
        "TAKE",
        "{ TAKE }",
        "if (threadIdx.x < 32) { TAKE }",
        "if (threadIdx.x / 32 == 0) TAKE",
        "if ((threadIdx.x >> 5) == 0 && cute::elect_one_sync()) { TAKE }",
        f"{WARP} if (warp == 0) {{ TAKE }}",
        "const auto warp = cutlass::canonical_warp_idx_sync(); if (warp == 0) { TAKE }",
        "for (int i = 0; i < n; i++) { p[i] = 0; } if (n > 1) { p[1] = 0; } TAKE",
    ],
)
def test_what_surely_runs(body: str) -> None:
    assert hint_of(body) == "6.25% · 1 blk/SM · tmem"


@pytest.mark.parametrize(
    "body",
    [
        "if (n > 100) { TAKE }",
        "if (n > 100) TAKE",
        "if (n > 100) { p[1] = 0; } else TAKE",
        "if (threadIdx.x < 32 && n > 100) { TAKE }",
        "if (threadIdx.x < 32) { if (n > 100) { TAKE } }",
        "if (threadIdx.x >= 512) { TAKE }",
        "int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32; if (warp == 0) { TAKE }",
        f"{WARP} warp += n; if (warp == 0) {{ TAKE }}",
        "if (n < 100) return; TAKE",
        "for (int i = 0; i < n; i++) { TAKE }",
        "while (n--) TAKE",
        "switch (n) { case 1: TAKE }",
        "auto take = [&]() { TAKE }; if (n) take();",
        "\n#if FAST\n TAKE\n#endif",
        "\n#ifdef FAST\n TAKE\n#endif",
        "\n#if 0\n TAKE\n#endif",
    ],
)
def test_what_may_not_run(body: str) -> None:
    """Either end is what a block of some launch has."""
    assert hint_of(body) == "6.25–50% · tmem?"


def test_an_instance_of_a_template_may_be_without(tmp_path: Path) -> None:
    head = "template <bool Big> __global__ void __launch_bounds__(128, 4) k(unsigned* p)"
    source = WRITTEN.replace("__global__ void k(unsigned* p)", head).replace("COLUMNS", "512")
    start = source.index("  asm")
    source = f"{source[:start]}  if constexpr (Big) {{\n{source[start:].replace('  p[0]', '  }}  p[0]', 1)}"
    source += "void run(unsigned* p) { k<false><<<64, 128>>>(p); }\n"
    (tmp_path / ".occupancy.yaml").write_text('budgets:\n  - {kernel: "k", min_groups: 4}\n')
    view = view_of(source, "b200", path=tmp_path / "k.cu")
    assert text_of(view.reports[0]) == "6.25–100% · tmem?"
    found = [(it.code, it.severity) for it in diagnostics(view) if it.code == "OCC007"]
    assert found == [("OCC007", "warning")]


@pytest.mark.parametrize(
    ("columns", "body", "hint"),
    [
        (256, "TAKE TAKE", "6.25–12.5% · tmem?"),
        (128, "TAKE TAKE", "12.5–25% · tmem?"),
        (128, "TAKE if (n) { TAKE TAKE }", "6.25–25% · tmem?"),  # 384 columns
        (512, "TAKE TAKE", "6.25% · 1 blk/SM · tmem"),  # no block has fewer
        (32, "TAKE TAKE", "50% · 8 blk/SM · regs"),
    ],
)
def test_several_allocations(columns: int, body: str, hint: str) -> None:
    assert hint_of(body, columns=columns) == hint


def test_a_function_that_is_called_several_times() -> None:
    before = "__device__ void take(unsigned where) { TAKE }\n"
    assert hint_of("take(where);", before=before, columns=128) == "25–50% · tmem?"
    for body in ("take(where); take(where);", "for (int i = 0; i < 2; i++) take(where);"):
        assert hint_of(body, before=before, columns=128) == "6.25–50% · tmem?"


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("#define COLS 512\n", NAMED),
        ("", NAMED.replace('"n"(COLS)', '"r"(n)')),
        ("", "cuda::ptx::tcgen05_alloc(cuda::ptx::cta_group_1, &where, n);"),
        ("", "cute::TMEM::Allocator1Sm allocator{}; allocator.allocate(n, p);"),
        ("#define ALLOC " + ALLOCATE + "\n", "ALLOC"),
        ("#define ALLOC(where) " + ALLOCATE + "\n", "ALLOC(where)"),
        ("using Columns = cute::TMEM::Allocator1Sm;\n", "Columns columns{}; columns.allocate(512, p);"),
    ],
)
def test_an_amount_that_is_no_number(before: str, body: str) -> None:
    """From 32 columns to all of them."""
    assert hint_of(body, before=before) == "6.25–50% · tmem?"


def test_a_helper_whose_amount_is_an_argument_of_its_template() -> None:
    before = f"template <int N> __device__ void take(unsigned where) {{ {NAMED.replace('COLS', 'N')} }}\n"
    assert hint_of("take<512>(where);", before=before) == "6.25–50% · tmem?"


def test_registers_are_told_with_what_is_sure() -> None:
    """Where neither the registers nor the columns are known."""
    text = WRITTEN.replace("  asm", "  if (p[1]) asm", 1).replace("COLUMNS", "128")
    label = text_of(view_of(f"// occupancy: block=128\n{text}", "b200").reports[0])
    assert label == "128 thr · ≥25% if ≤128 regs"


def test_what_is_open_beside_it() -> None:
    """Neither registers, nor columns, nor bytes: one count of registers fits, so the figure is not from 0 on."""
    body = f"__shared__ unsigned at; extern __shared__ unsigned s[]; s[0] = n; if (s[1]) {{ {ALLOCATE} }} {PERMIT}"
    text = f"__global__ void k(unsigned where, int n) {{ {body} }}\n".replace("COLUMNS", "512")
    assert text_of(view_of(f"// occupancy: block=384\n{text}", "b200").reports[0]) == "≤93.75% · tmem?"


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "if (n) { TAKE }",
            "may take up to 512 of the SM's 512 columns of tensor memory, or not run: with 512, one block has",
        ),
        ("TAKE if (n) { TAKE }", "takes 512"),
    ],
)
def test_a_range_in_the_hover(body: str, sentence: str) -> None:
    body = f"__shared__ unsigned where; {body.replace('TAKE', ALLOCATE)} {PERMIT}"
    text = f"__global__ void k(unsigned* p, int n) {{ {body} }}\n"
    assert said(text.replace("COLUMNS", "512")).startswith(f"tcgen05.alloc {sentence}")


def test_a_key_in_a_kernel_asks_for_that_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = [WRITTEN.replace("void k(", f"void k{index}(").replace("COLUMNS", "128") for index in range(20)]
    document = OpenFile(None, "cuda", Text("".join(kernels).encode()), Project(None, None, {"devices": ["b200"]}))
    view = document.view()
    assert view is not None and len(view.reports) == 20
    asked: list[str] = []
    answer = Source.tensor_columns

    def counted(source: Source, kernel: Kernel) -> Columns:
        asked.append(kernel.name)
        return answer(source, kernel)

    monkeypatch.setattr(Source, "tensor_columns", counted)
    at = document.text.content.index(b"[%0], ", len("".join(kernels[:10]))) + 6
    document.edit(at, at + 3, b"512")
    view = document.view()
    assert view is not None and view.reports[10].built.tensor_columns == (512, 512)
    assert asked == ["k10"]


@pytest.mark.parametrize(("columns", "hint"), [(32, "6.25–50% · tmem?"), (128, "6.25–25% · tmem?"), (512, WHOLE)])
def test_a_block_that_keeps_the_permit_to_allocate_may_be_alone(columns: int, hint: str) -> None:
    """ptxas has it start with all of the SM's virtual resources, and gives them back with the permit."""
    text = WRITTEN.replace(PERMIT, "").replace("COLUMNS", str(columns))
    assert text_of(view_of(f"// occupancy: block=128 regs=64\n{text}", "b200").reports[0]) == hint
    alone = (
        f"tcgen05.alloc takes {columns} or more of the SM's 512 columns of tensor memory: one that takes all, or keeps"
        " the permit to allocate, is the SM's only block (it gives it up by tcgen05.relinquish_alloc_permit)."
    )
    assert said(text) == alone or columns == 512


@pytest.mark.skipif(sys.platform == "darwin", reason="no nvcc for macOS")
def test_what_a_cubin_says(tmp_path: Path) -> None:
    """Whether it allocates, not how much: of a kernel whose text shows nothing of it, too."""
    kernel = "template <class F> __global__ void k(F f, unsigned* p) { f(p); }\n"
    found = []
    for body in (WRITTEN.split("{", 1)[1].replace("COLUMNS", "128"), "p[0] = 1; }"):
        functor = f"struct F {{ __device__ void operator()(unsigned* p) const {{ {body} }};\n"
        (tmp_path / "f.cuh").write_text(functor)
        text = f'#include "f.cuh"\n{kernel}template __global__ void k<F>(F, unsigned*);\n'
        (tmp_path / "k.cu").write_text(text)
        command = (*nvcc(), "-arch=sm_100a", "-cubin", "k.cu")
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        (usage,) = read((tmp_path / "k.cubin").read_bytes(), "k.cubin").usages
        (tmp_path / "f.cuh").unlink()
        project = Project(tmp_path, None, {"devices": ["b200"]})
        project.scan(lambda: False, lambda done, total: None)
        view = OpenFile(tmp_path / "k.cu", "cuda", Text(text.encode()), project).view()
        assert view is not None
        found.append((usage.tensor_columns, usage.tensor_memory, view.reports[0].built.tensor_columns))
    assert found == [(None, True, (32, 512)), (None, False, (0, 0))]


def test_cutlass_names_all_of_it() -> None:
    found = said(CUTLASS.replace("COLUMNS", "TmemAllocator::Sm100TmemCapacityColumns"))
    assert found.startswith("tcgen05.alloc takes 512 of the SM's 512 columns")


@pytest.mark.parametrize(
    ("source", "device"),
    [
        (WRITTEN.replace("COLUMNS", "512"), "h100"),  # has none
        (WRITTEN.replace("COLUMNS", "512"), "rtx-5090"),
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
