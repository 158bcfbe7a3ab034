"""What a hover says to help decide whether occupancy matters."""

from __future__ import annotations

import os
from pathlib import Path
from textwrap import dedent

import pytest

from occupancy_lsp.features.explain import explain
from occupancy_lsp.features.plain import plain
from tests.support import view_of

_KERNEL = "{0}// occupancy: regs={1} block=128\n__global__ void k(float* p) {{ {2} }}\n"
_HEADER = (
    '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",'
    '"Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"\n'
)
_ROW = '"{}","77","app","127.0.0.1","k(float *)","1","7","(256, 1, 1)","(16, 1, 1)","0","9.0","Any","{}","{}","{}"\n'


def hover(source: str, device: str = "h100", path: Path | None = None) -> str:
    return plain(explain(view_of(source, device, path=path), 0))


@pytest.mark.parametrize(
    ("device", "registers", "said"),
    [
        ("h100", 72, "Each warp scheduler has 7 of 16 warps to hide latency with."),
        ("rtx-4090", 72, "Each warp scheduler has 7 of 12 warps to hide latency with."),
        ("p100", 72, "Each warp scheduler has 14 of 32 warps to hide latency with."),
        ("h100", 32, ""),
        ("k80", 72, ""),
    ],
)
def test_sub_groups_of_a_scheduler(device: str, registers: int, said: str) -> None:
    text = hover(_KERNEL.format("", registers, "p[0] = 1;"), device)
    assert ("to hide latency with" in text) is bool(said) and said in text


def test_waves_of_a_simd() -> None:
    source = "#include <hip/hip_runtime.h>\n" + _KERNEL.format("", 72, "p[0] = 1;")
    assert "Each SIMD has 7 of 8 waves to hide latency with." in hover(source, "mi250x")


_MMA = 'asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1};" : "+f"(p[0]));'


@pytest.mark.parametrize(
    ("before", "body", "said"),
    [
        ("", _MMA, "mma.sync (matrix units)"),
        (f"__device__ void f(float* p) {{ {_MMA} }}\n", "f(p);", "mma.sync (matrix units)"),
        ("", "nvcuda::wmma::mma_sync(c, a, b, c); p[0] = 1;", "mma_sync (matrix units)"),
        ("", 'asm("cp.async.bulk.tensor.2d.shared::cluster.global");', "cp.async.bulk (asynchronous copies)"),
        ("", "cuda::memcpy_async(p, p, 16, pipe);", "memcpy_async (asynchronous copies)"),
        ("", f"{_MMA} __pipeline_memcpy_async(p, p, 16);",
         "mma.sync (matrix units) and __pipeline_memcpy_async (asynchronous copies)"),
        ("", "p[0] = 1; // mma.sync", ""),
        ("", "int memcpy_async_done = 1; p[0] = memcpy_async_done;", ""),
        (f"__device__ void other(float* p) {{ {_MMA} }}\n", "p[0] = 1;", ""),
    ],
)  # fmt: skip
def test_matrix_units_and_copies(before: str, body: str, said: str) -> None:
    text = hover(_KERNEL.format(before, 72, body))
    assert ("Its code has" in text) is bool(said)
    assert not said or f"Its code has {said}: few warps are often enough then." in text
    assert "Its code has" not in hover(_KERNEL.format(before, 32, body))  # the SM is full


def profiled(folder: Path, *launches: list[tuple[str, str, str]]) -> tuple[str, Path]:
    source = "__global__ void k(float* p) { p[0] = 1; }\nvoid h(float* p) { k<<<16, 256>>>(p); }\n"
    path = folder / "k.cu"
    path.write_text(source)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    rows = [_ROW.format(number, *it) for number, launch in enumerate(launches) for it in launch]
    (folder / ".occupancy.yaml").write_text('sidecars: ["*.csv"]\n')
    (folder / "profile.csv").write_text(_HEADER + "".join(rows))
    return source, path


_STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
_LAUNCH = [
    ("Registers Per Thread", "register/thread", "64"),
    ("Static Shared Memory Per Block", "byte/block", "0"),
    ("Achieved Occupancy", "%", "41.50"),
    ("Warp Cycles Per Issued Instruction", "cycle", "20.00"),
    (_STALLED.format("long_scoreboard"), "inst", "12.40"),
    (_STALLED.format("barrier"), "inst", "3.00"),
    (_STALLED.format("wait"), "inst", "1.00"),
]


def test_what_a_profile_saw(tmp_path: Path) -> None:
    source, path = profiled(tmp_path, _LAUNCH)
    said = (
        f"Measured ({tmp_path}/profile.csv:2): achieved occupancy 41.5%, theoretical 50%. Warps waited mostly for"
        " global or local memory (62% of the time) and other warps at a barrier (15%)."
    )
    assert said in hover(source, path=path)
    assert "Measured" not in hover(source.replace("= 1", "= 2"), path=path)  # it is of another text


def test_launches_of_a_profile_together(tmp_path: Path) -> None:
    """What one of them does not tell is not 0, and what it tells as 0 is."""
    barrier, memory = (
        (_STALLED.format(it), "inst", value) for it, value in (("barrier", "9"), ("long_scoreboard", "0"))
    )
    other = [*_LAUNCH[:2], ("Achieved Occupancy", "%", "30"), _LAUNCH[3], barrier]
    said = "achieved occupancy 30–41.5%, theoretical 50%. Warps waited mostly for "
    source, path = profiled(tmp_path, _LAUNCH, other)
    assert f"{said}other warps at a barrier (30% of the time)." in hover(source, path=path)
    source, path = profiled(tmp_path, _LAUNCH, [*other, memory])
    both = f"{said}global or local memory (31% of the time) and other warps at a barrier (30%)."
    assert both in hover(source, path=path)


@pytest.mark.parametrize(
    "more",
    [
        [],
        [("Achieved Occupancy", "%", "n/a")],
        [("Achieved Occupancy", "%", "41,50")],
        [("Achieved Occupancy", "%", "400")],
    ],
)
def test_profiles_that_do_not_tell(tmp_path: Path, more: list[tuple[str, str, str]]) -> None:
    source, path = profiled(tmp_path, [*_LAUNCH[:2], *more, *_LAUNCH[3:]])
    assert "Measured" not in hover(source, path=path)


def test_the_size_of_clusters() -> None:
    source = dedent("""
        // occupancy: regs=72 block=128
        __global__ void __cluster_dims__(2, 2, 1) k(float* p) { p[0] = 1; }
    """)
    text = hover(source)
    assert "Clusters of 4 blocks can only lower the figure" in text
    assert "Each warp scheduler has at most 7 of 16 warps to hide latency with." in text


def test_fewer_warps_than_schedulers() -> None:
    text = hover(
        "// occupancy: regs=72\n"
        "__global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[1]; }\n"
        "void run(float* p) {\n"
        "  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);\n"
        "  k<<<1, 32, 200 * 1024>>>(p);\n"
        "}\n"
    )
    assert "Each warp scheduler has at most 1 of 16 warps to hide latency with." in text
