"""Rules about local memory: OCC002 and OCC201. What nvcc 13.0 says of each source is noted at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.compilers import nvcc
from tests.support import check, view_of

DEVICES = pytest.mark.parametrize("device", ["h100", "sm_86", "sm_61"])
BODY = "b[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = b[threadIdx.x ^ 1];"


def severities(source: str, device: str = "h100") -> list[str]:
    return [it.severity for it in diagnostics(view_of(source, device)) if it.code == "OCC002"]


@DEVICES
def test_more_static_bytes_than_a_block_may_have(device: str) -> None:
    check(
        f"""
        __global__ void over(float* p) {{
          __shared__ float b[12289];
        //                 ^ error OCC002: 49156 B of static shared memory; a block may have 49152
          {BODY}
        }}
        __global__ void full(float* p) {{
          __shared__ float b[12288];
          {BODY}
        }}
        """,
        device,
        only="OCC0",
    )


@pytest.mark.parametrize(("bytes_", "device", "codes"), [
    (16384, "sm_13", ["error"]), (16372, "sm_10", ["error"]), (16368, "sm_13", []), (16384, "sm_20", []),
])  # fmt: skip
def test_what_compute_capability_1_keeps_beside_variables(bytes_: int, device: str, codes: list[str]) -> None:
    """16 bytes for the sizes of block and grid, and the parameters."""
    source = f"__global__ void k(float* p) {{ __shared__ float b[{bytes_} / 4]; {BODY} }}"
    assert severities(source, device) == codes
    (report,) = view_of(source, device).reports
    fewest, most = (16, 272) if device != "sm_20" else (0, 0)
    assert report.local.static[0] == bytes_ + fewest
    assert bytes_ + most <= report.local.static[1] < bytes_ + most + 16


REFUSED = [  # by ptxas: "uses too much shared data"
    f"__global__ void k(float* p) {{ __shared__ float b[20000]; {BODY} }}",
    f"static __global__ void k(float* p) {{ __shared__ float b[20000]; {BODY} }}",
    f"namespace {{ __global__ void k(float* p) {{ __shared__ float b[20000]; {BODY} }} }}",
    """
    #define TILE 128
    __global__ void multiply(const float* a, const float* b, float* c, int n) {
      __shared__ float left[TILE][TILE], right[TILE][TILE];
      int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
      float sum = 0.0f;
      for (int tile = 0; tile < n; tile += TILE) {
        left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
      }
      c[row * n + column] = sum;
    }
    """,
    """
    __global__ void reduce(const float* in, float* out, int n) {
      __shared__ float part[16384];
      unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      part[t] = in[i];
      __syncthreads();
      for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
      }
      if (t == 0) out[blockIdx.x] = part[0];
    }
    """,
]
LIKELY = [  # refused too, but this takes a compiler to be sure of
    "__device__ float first(float a, float) { return a; }"
    "__global__ void k(float* p) { __shared__ float b[20000]; b[threadIdx.x] = p[0]; __syncthreads();"
    " p[threadIdx.x] = first(1.f, b[threadIdx.x ^ 1]); }",
    "__global__ void k(float* p) { __shared__ float b[20000]; b[threadIdx.x] += p[threadIdx.x]; }",
    "__global__ void k(float* p) { __shared__ float b[20000]; atomicAdd(&b[threadIdx.x & 3], 1.f); }",
]
DROPPED = [  # compiled, for nothing reads the array
    "b[threadIdx.x] = p[0]; __syncthreads(); float s = b[threadIdx.x ^ 1];",
    "b[threadIdx.x] = p[0]; __syncthreads(); if (false) p[threadIdx.x] = b[threadIdx.x ^ 1];",
    "const bool log = false; b[threadIdx.x] = p[0]; __syncthreads(); if (log) p[threadIdx.x] = b[threadIdx.x ^ 1];",
    "b[0] = 1; __syncthreads(); p[threadIdx.x] = b[0];",
    "b[threadIdx.x] = p[0]; b[0] = sizeof(b);",
    "b[threadIdx.x] = p[0]; __syncthreads(); return; p[threadIdx.x] = b[threadIdx.x ^ 1];",
    "b[threadIdx.x] = p[0]; __syncthreads(); for (int i = 0; i < 0; i++) p[threadIdx.x] = b[threadIdx.x ^ 1];",
    "b[threadIdx.x] = p[0]; __syncthreads(); while (false) p[threadIdx.x] = b[threadIdx.x ^ 1];",
    "b[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = true ? 1.f : b[threadIdx.x ^ 1];",
    "b[threadIdx.x] = p[0]; __syncthreads(); int i = b[threadIdx.x ^ 1]; p[threadIdx.x] = 0 * i;",
    "b[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = sizeof(b[0]);",
    "b[threadIdx.x] = p[0]; __syncthreads(); float x = 0; x = b[threadIdx.x ^ 1]; x = 3; p[threadIdx.x] = x;",
    "b[threadIdx.x] = p[0]; __syncthreads(); float q[4]; q[threadIdx.x] = b[threadIdx.x ^ 1];",
    "b[threadIdx.x] = p[0]; __syncthreads(); goto end; p[threadIdx.x] = b[threadIdx.x ^ 1]; end: ;",
    "b[threadIdx.x] = p[0]; __syncthreads(); if (threadIdx.x < 5 && false) p[threadIdx.x] = b[threadIdx.x ^ 1];",
]


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_surely_refused(source: str) -> None:
    assert severities(source) == ["error"]


@pytest.mark.parametrize("source", LIKELY)
def test_what_is_likely_refused(source: str) -> None:
    assert severities(source) == ["warning"]


@pytest.mark.parametrize("statements", DROPPED)
def test_what_compiles_is_no_error(statements: str) -> None:
    source = f"__global__ void k(float* p) {{ __shared__ float b[20000]; {statements} }}"
    assert severities(source) in ([], ["warning"])


@pytest.mark.parametrize(
    "source",
    [
        "__global__ void k(float* p) { __shared__ float b[20000]; b[threadIdx.x] = p[0]; }",  # never read: compiles
        "__global__ void k(float* p) { __shared__ float b[20000]; }",
        f"template <int N> __global__ void k(float* p) {{ __shared__ float b[20000]; {BODY} }}",  # may not be used
        f"#if BIG\n__global__ void k(float* p) {{ __shared__ float b[20000]; {BODY} }}\n#endif",
        f"#if 0\n__global__ void k(float* p) {{ __shared__ float b[20000]; {BODY} }}\n#endif",
        "__global__ void k(float* p) { extern __shared__ float b[]; p[0] = b[1]; }",
        f"__global__ void k(float* p) {{ __shared__ float b[SIZE]; {BODY} }}",
    ],
)
def test_what_is_not_known_to_be_too_much(source: str) -> None:
    assert severities(source) == []


SHARED = """__global__ void k(float* p) {{ extern __shared__ float s[]; p[0] = s[1]; }}
{0}void run(float* p) {{
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, {1});
  k<<<1, 256, {1}>>>(p);
}}
"""


def one_group(message: str, amount: int, *, regs: int | None = None) -> str:
    stated = f"// occupancy: regs={regs}\n" if regs else ""
    return stated + SHARED.format(f"//              ^ information OCC201: {message}\n" if message else "", amount)


def test_local_memory_limits_to_one_group() -> None:
    check(
        one_group("shared memory limits residency to 1 block, 12.5%; ≤ 113 KiB has room for 2", 120000), only="OCC201"
    )
    check(
        one_group("shared memory limits residency to 1 block, 12.5%; ≤ 113 KiB would allow 2 (25%)", 120000, regs=64),
        only="OCC2",
    )
    check(
        one_group("shared memory limits residency to 1 block, 16.67%; ≤ 49 KiB has room for 2", 60000),
        "sm_86",
        only="OCC2",
    )


def test_what_contributes_is_told_beside_it() -> None:
    """A variable by its declaration, what a launch adds by its argument."""
    source = """
        __global__ void k(float* p) { extern __shared__ float s[]; __shared__ float t[4]; p[0] = s[1] + t[1]; }
        void run(float* p) {
          cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 120000);
          k<<<1, 256, 120000>>>(p);
        }
        """
    view = view_of(source)
    (found,) = [it for it in diagnostics(view) if it.code == "OCC201"]
    told = {it.message: view.text.content[it.start : it.end] for it in found.related}
    assert told == {"t: 16 bytes": b"t", "120000 bytes at launch": b"120000"}


def test_local_memory_lets_two_groups_in() -> None:
    check(one_group("", 113 * 1024), only="OCC201")
    check(one_group("", 49 * 1024), "sm_86", only="OCC201")


def test_local_memory_is_not_alone_in_limiting() -> None:
    check(one_group("", 120000, regs=255), only="OCC201")
    check(SHARED.format("", "bytes"), only="OCC201")


@pytest.mark.parametrize(
    "kernel",
    [
        "// occupancy: intended 1 block\n__global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[1]; }",
        "// occupancy: ignore[OCC201] fits\n__global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[1]; }",
        "// occupancy: ignore-file[OCC201]\n__global__ void k(float* p) { extern __shared__ float s[]; p[0] = s[1]; }",
        '__global__ void k(float* p) { extern __shared__ float s[]; asm("wgmma.fence.sync.aligned;"); p[0] = s[1]; }',
    ],
)
def test_one_group_by_intent(kernel: str) -> None:
    check(f"{kernel}\nvoid run(float* p) {{ k<<<1, 256, 120000>>>(p); }}\n", only="OCC2")


AMDGCN = """__kernel void turn(__global const float* in, __global float* out) {
  __local float tile[SIZE];
  int i = __builtin_amdgcn_workitem_id_x();
  tile[i] = in[i];
  __builtin_amdgcn_s_barrier();
  out[i] = tile[i ^ 1];
}
"""
OPENCL = """__kernel void turn(__global const float* in, __global float* out) {
  __local float tile[SIZE];
  tile[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[get_local_id(0) ^ 1];
}
"""


def of_opencl(device: str, size: int) -> list[tuple[str | None, str]]:
    source = Text(OPENCL.replace("SIZE", str(size)).encode())
    view = OpenFile(Path("/nowhere/k.cl"), "", source, Project(None, None, {"devices": [device]})).view()
    assert view is not None
    return [(it.severity, it.message) for it in diagnostics(view) if it.code == "OCC002"]


@pytest.mark.parametrize(("arch", "most"), [("gfx90a", 65536), ("gfx1100", 65536), ("gfx950", 163840)])
def test_what_clang_refuses_on_amd(arch: str, most: int, tmp_path: Path) -> None:
    (tmp_path / "k.cl").write_text(AMDGCN)
    clang = [sys.executable, "-m", "ziglang", "clang", "-x", "cl", "-cl-std=CL2.0", "-cl-no-stdinc", "-nogpulib", "-O2"]
    for over in (0, 1):
        size = most // 4 + over
        command = [*clang, "--target=amdgcn-amd-amdhsa", f"-mcpu={arch}", f"-DSIZE={size}", "-S", "-o", "k.s", "k.cl"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert (f"local memory ({size * 4}) exceeds limit ({most})" in done.stderr) is bool(over)
        said = ("error", f"{size * 4} B of static LDS; a work-group may have {most}")
        assert of_opencl(arch, size) == ([said] if over else [])


def test_relocatable_code_is_refused_by_the_linker(tmp_path: Path) -> None:
    """Its file compiles, so the error is of the program that it becomes part of."""
    over, full = (f"__global__ void k(float* p) {{ __shared__ float b[{size}]; {BODY} }}" for size in (12289, 12288))
    for source, refused in ((over, True), (full, False)):
        (tmp_path / "k.cu").write_text(source)
        make = [*nvcc(), "-arch=sm_90", "-rdc=true"]
        subprocess.run([*make, "-cubin", "k.cu", "-o", "k.cubin"], cwd=tmp_path, check=True, capture_output=True)
        link = [*make, "-dlink", "-cubin", "k.cubin", "-o", "linked.cubin"]
        done = subprocess.run(link, cwd=tmp_path, capture_output=True, text=True)
        assert ("too much shared data (0xc004 bytes, 0xc000 max)" in done.stdout + done.stderr) is refused, done
        assert severities(source) == (["error"] if refused else [])


def test_what_intel_s_driver_refuses_at_the_launch() -> None:
    """ocloc compiles any amount."""
    assert of_opencl("iris-xe", 16385) == [("error", "65540 B of static SLM; a work-group may have 65536")]
    assert of_opencl("iris-xe", 16384) == [] == of_opencl("arc-b580", 16385)


def test_hip_on_amd() -> None:
    source = f"#include <hip/hip_runtime.h>\n__global__ void k(float* p) {{ __shared__ float b[16385]; {BODY} }}"
    assert severities(source, "mi300x") == ["error"]
    assert severities(source.replace("__syncthreads();", ""), "mi300x") == ["warning"]
    assert severities(source.replace("16385", "16384"), "mi300x") == []


ELSEWHERE = """
__device__ float swap(float* p) {
  __shared__ float b[SIZE];
  b[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  return b[threadIdx.x ^ 1];
}
__global__ void calls(float* p) { p[threadIdx.x] = swap(p); }
__shared__ float outside[SIZE];
__global__ void uses(float* p) {
  outside[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = outside[threadIdx.x ^ 1];
}
template <class T> __global__ void made(T* p) {
  __shared__ T b[SIZE];
  b[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = b[threadIdx.x ^ 1];
}
template __global__ void made<float>(float*);
"""
HIP_ALONE = """#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __syncthreads __builtin_amdgcn_s_barrier
struct { __device__ __declspec(property(get = get)) unsigned x;
  __device__ static unsigned get() { return __builtin_amdgcn_workitem_id_x(); } } static __device__ threadIdx;
"""


def test_memory_of_functions_of_the_file_and_of_instances(tmp_path: Path) -> None:
    """That all of it is used takes a compiler to be sure of: clang for AMD is."""
    for size, refused in ((16385, True), (16384, False)):
        source = ELSEWHERE.replace("SIZE", str(size))
        (tmp_path / "k.hip").write_text(HIP_ALONE + source)
        clang = [sys.executable, "-m", "ziglang", "clang", "-x", "hip", "-nogpuinc", "-nogpulib", "-fdeclspec", "-O3"]
        command = [*clang, "--cuda-device-only", "--offload-arch=gfx942", "-S", "-o", "k.s", "k.hip"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert done.stderr.count("local memory (65540) exceeds limit (65536)") == (3 if refused else 0), done.stderr
        assert bool(done.returncode) is refused
        said = severities(f"#include <hip/hip_runtime.h>\n{source}", "mi300x")
        assert said == (["warning"] * 3 if refused else [])


@pytest.mark.parametrize(("kernel", "named"), [("k", "k"), ("k_of_some_length", "")])
def test_one_instance_of_several(kernel: str, named: str) -> None:
    """nvcc refuses that one alone. The name, which stands beside it, is left out if the message would be too long."""
    check(
        f"""
        template <class T, int N> __global__ void {kernel}(T* p) {{
          __shared__ T b[N];
        //             ^ warning OCC002: {named}<float, 20000>: 80000 B of static shared memory (unless some is unread); a block may have 49152
          {BODY}
        }}
        void run(float* p) {{
          {kernel}<float, 64><<<1, 64>>>(p);
          {kernel}<float, 20000><<<1, 64>>>(p);
        }}
        """,  # noqa: E501
        only="OCC002",
    )
    check(
        f"""
        template <int N> __global__ void k(float* p) {{ __shared__ float b[N > 64 ? 64 : N]; {BODY} }}
        void run(float* p) {{
          k<10><<<1, 64>>>(p);
          k<20000><<<1, 64>>>(p);
        }}
        """,
        only="OCC002",
    )
