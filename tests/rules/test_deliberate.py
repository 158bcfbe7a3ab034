"""Kernels that are meant to have few work-groups are left in peace; errors, and their ordinary neighbours, are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile

KERNEL = """
__global__ void step(const float* in, float* out, int n{parameter}) {{
  extern __shared__ float tile[];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {{
    tile[threadIdx.x] = in[i]; __syncthreads(); out[i] = tile[threadIdx.x ^ 1];
  }}
  {body}
}}
void run(const float* in, float* out, int n, int device) {{
  allow(step);
  {host}
}}
"""
LAUNCH = "step<<<{grid}, {block}, 200000>>>(in, out, n);"
BODIES = pytest.mark.parametrize(
    "body",
    [
        'asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");',
        "cutlass::arch::warpgroup_reg_alloc<232>();",
        "warpgroup_arrive();",
        'asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {}, %0, %1, 1, 1, 1;" :: "l"(a), "l"(b));',
        'asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {}, {}, {}, {};");',
        'asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {}, [%0];" :: "r"(a));',
        'asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, 1;");',
        'asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile [%0], [%1, {%2, %3}], [%4];");',
        "cuda::device::experimental::cp_async_bulk_global_to_shared(tile, in, 4096, bar);",
        "cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, tile, in, 4096, &bar);",
        "cute::SM90_TMA_LOAD_2D::copy(descriptor, &bar, 0, tile, 0, 0);",
        "cute::copy(tma_a.with(bar), tAgA(k), tAsA(stage));",
        "cute::SM90_64x64x16_F32F16F16_SS<>::fma(a, b, c);",
        "TiledMma mma_of_this; ThrMMA thr = mma_of_this.get_slice(threadIdx.x);",
        "cutlass::arch::ClusterTransactionBarrier::wait(&bar, 0);",
        "nvcuda::wmma::mma_sync(c, a, b, c);",
        "c = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);",
        "rocwmma::mma_sync(c, a, b, c);",
        "cooperative_groups::this_grid().sync();",
        "cg::grid_group all = whole(); all.sync();",
        "for (int tile = blockIdx.x; tile < n; tile += num_sms) work(tile);",
        "PersistentTileScheduler scheduler(n);",
    ],
)
ORDINARY = ["", "float gamma = in[0]; out[1] = gamma;", "dilemma.x = 1;", "comma_separated(n);", "out[0] = num_smem;"]


def found(source: str, device: str = "h100", name: str = "k.cu") -> list[tuple[str, str]]:
    project = Project(None, None, {"devices": [device]})
    view = OpenFile(Path(f"/nowhere/{name}"), "", Text(source.encode()), project).view()
    assert view is not None
    return [(it.code, it.severity) for it in diagnostics(view)]


def source(body: str = "", grid: str = "n", block: int = 100, host: str = "", parameter: str = "") -> str:
    launch = LAUNCH.format(grid=grid, block=block)
    return KERNEL.format(parameter=parameter, body=body, host=f"{host} {launch}")


@BODIES
def test_marks_in_the_kernel(body: str) -> None:
    ignored = ("OCC104", "warning")  # without bounds ptxas ignores setmaxnreg
    assert [it for it in found(source(body)) if it != ignored] == []
    assert [it for it in found(source(body, block=2000)) if it != ignored] == [("OCC001", "error")]


def test_a_mark_that_is_typed_in_a_body_and_taken_back() -> None:
    """It changes nothing else of the kernel, whose report stays what it was."""
    document = OpenFile(None, "cuda-cpp", Text(source().encode()), Project(None, None, {"devices": ["h100"]}))
    said: list[list[str]] = []
    at, mark = document.text.content.index(b"\n  }\n  \n}") + 5, b"// persistent"
    for edit in (lambda: None, lambda: document.edit(at, at, mark), lambda: document.edit(at, at + len(mark), b"")):
        edit()
        view = document.view()
        assert view is not None
        said.append([it.code for it in diagnostics(view)])
    assert said == [["OCC201", "OCC303"], [], ["OCC201", "OCC303"]]


@pytest.mark.parametrize("body", ORDINARY)
def test_ordinary_kernels(body: str) -> None:
    assert found(source(body)) == [("OCC201", "information"), ("OCC303", "hint")]


def test_a_tensor_map_among_the_parameters() -> None:
    assert found(source(parameter=", const __grid_constant__ CUtensorMap map")) == []


@pytest.mark.parametrize(
    ("host", "grid"),
    [
        ("", "properties.multiProcessorCount"),
        ("", "2 * properties.multiProcessorCount"),
        ("int blocks = properties.multiProcessorCount;", "blocks"),
        ("int blocks = each; blocks *= properties.multiProcessorCount;", "blocks"),
        ("int units; cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, device);", "units * 4"),
        ("int u; check(cudaDeviceGetAttribute(&u, cudaDevAttrMultiProcessorCount, 0)); dim3 grid(u * 2);", "grid"),
        ("int a = p.multiProcessorCount; int b = min(n, a * 2); dim3 grid; grid.x = b;", "grid"),
        ("int blocks = std::min(tiles(n), num_sms());", "blocks"),
    ],
)
def test_a_loop_over_a_grid_that_is_counted_by_the_units(host: str, grid: str) -> None:
    assert found(source(grid=grid, host=host)) == []
    assert found(source(grid=grid, host=host, block=2000)) == [("OCC001", "error")]
    once = source(grid=grid, host=host).replace("i += gridDim.x * blockDim.x", "i += n")
    assert found(once) == [("OCC201", "information"), ("OCC303", "hint")]


@pytest.mark.parametrize(
    ("host", "grid"),
    [
        ("int blocks = (n + 99) / 100;", "blocks"),
        ("int units = properties.multiProcessorCount; log(units); int blocks = n / 100;", "blocks"),
        ("// as many as multiProcessorCount", "n"),
        ('log("multiProcessorCount"); int blocks = n / 100;', "blocks"),
    ],
)
def test_a_loop_over_a_grid_of_the_problem_s_size(host: str, grid: str) -> None:
    assert found(source(grid=grid, host=f"{host}\n")) == [("OCC201", "information"), ("OCC303", "hint")]


WAYS = ("", "Cooperative")


def test_a_cooperative_launch() -> None:
    launch = "cudaLaunch{}Kernel(step, dim3(n), dim3(100), arguments, 200000, 0);"
    plain, together = (source().replace(LAUNCH.format(grid="n", block=100), launch.format(it)) for it in WAYS)
    assert found(plain) == [("OCC201", "information"), ("OCC303", "hint")]
    assert found(together) == []


HIP = """#include <hip/hip_runtime.h>
__global__ void step(float* p, int n) {
  __shared__ float tile[12288];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    tile[threadIdx.x] = p[i]; __syncthreads(); p[i] = tile[threadIdx.x ^ 1]; // HERE
  }
}
void run(float* p, int n, hipDeviceProp_t properties) { step<<<GRID, 256>>>(p, n); }
"""


def test_hip_on_amd() -> None:
    advice = [("OCC201", "information")]
    assert found(HIP.replace("GRID", "n / 256"), "mi300x", "k.hip") == advice
    assert found(HIP.replace("GRID", "properties.multiProcessorCount"), "mi300x", "k.hip") == []
    matrix = HIP.replace("// HERE", "a = __builtin_amdgcn_mfma_f32_32x32x8f16(b, c, a, 0, 0, 0);")
    assert found(matrix.replace("GRID", "n / 256"), "mi300x", "k.hip") == []


def test_the_host_s_text_is_read_anew() -> None:
    """What the launch says is no part of the kernel's own text."""
    text = source(grid="blocks", host="int blocks = q.multiProcessorCount;")
    file = OpenFile(Path("/nowhere/k.cu"), "", Text(text.encode()), Project(None, None, {"devices": ["h100"]}))

    def write(old: str, new: str) -> list[str]:
        at = file.text.content.index(old.encode())
        file.edit(at, at + len(old), new.encode())
        view = file.view()
        assert view is not None
        return [it.code for it in diagnostics(view)]

    assert write("q.multi", "p.multi") == []
    assert write("p.multiProcessorCount", "n / 256") == ["OCC201", "OCC303"]
    assert write("n / 256", "p.multiProcessorCount") == []
