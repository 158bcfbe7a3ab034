"""HIP and OpenCL C: what their own words mean, for literal facts."""

from __future__ import annotations

import pytest

from occupancy_lsp.languages.registry import dialect_of
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.kernel_text import FileFacts
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import HIP, OPENCL, Dialect


def facts(source: str, dialect: Dialect) -> FileFacts:
    return Source(source.encode(), dialect).facts({})


def one(source: str, dialect: Dialect) -> Kernel:
    (kernel,) = facts(source, dialect).kernels
    return kernel


@pytest.mark.parametrize(
    "head",
    [
        "__kernel __attribute__((reqd_work_group_size(16, 8, 1))) void k",
        "__attribute__((reqd_work_group_size(16, 8, 1))) kernel void k",
        "__attribute__((vec_type_hint(float4))) __attribute__((reqd_work_group_size(16, 8, 1)))\n__kernel void\nk",
        "__kernel void __attribute__((reqd_work_group_size(16, 8, 1), intel_reqd_sub_group_size(16))) k",
    ],
)
def test_opencl_kernels_and_their_sizes(head: str) -> None:
    kernel = one(f"{head}(__global const float* restrict p, const int n) {{ p[0] = n; }}", OPENCL)
    assert kernel.name == "k"
    assert kernel.attributes.block is not None and [v.number for v in kernel.attributes.block[1]] == [16, 8, 1]


def test_opencl_sub_group_size() -> None:
    kernel = one(
        "__attribute__((intel_reqd_sub_group_size(16))) __kernel void k(__global int* p) { p[0] = 1; }", OPENCL
    )
    assert kernel.attributes.sub_group is not None and kernel.attributes.sub_group.value.number == 16


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("__local float t[16][17]; t[get_local_id(0)][0] = p[0]; p[1] = t[0][1];", 1088),
        ("local float4 t[64]; p[0] = t[get_local_id(0)].x;", 1024),
        ("__local float3 t[4]; p[0] = t[get_local_id(0)].x;", 64),
        ("__local ulong t[4]; t[get_local_id(0)] = 1; p[0] = t[0];", 32),
        ("__local float t[64]; __local float *q = t; p[0] = q[get_local_id(0)] + t[1];", 256),
        ("p[0] = helper(p);", 0),
        ("p[0] = 1;", 0),
    ],
)
def test_opencl_local_memory(body: str, size: int) -> None:
    local = one(f"__kernel void k(__global float* p) {{ {body} }}", OPENCL).summary.local
    assert (local.exact, local.dynamic, local.unseen) == (size, False, ())


def test_opencl_local_pointers_are_sized_by_the_host() -> None:
    local = one("__kernel void k(__global float* p, __local float* t) { t[0] = p[0]; }", OPENCL).summary.local
    assert local.dynamic and local.exact == 0


def test_an_unclosed_opencl_kernel_does_not_hide_the_next() -> None:
    source = "__kernel void a(__global int* p) { if (p[0]) {\n\n__kernel void b(__global int* p) { p[0] = 1; }\n"
    assert [kernel.name for kernel in facts(source, OPENCL).kernels] == ["b"]


def test_hip_attributes() -> None:
    attributes = "__attribute__((amdgpu_flat_work_group_size(64, 256), amdgpu_waves_per_eu(2, 4)))"
    kernel = one(f"__global__ {attributes} void k(int* p) {{}}", HIP)
    assert kernel.attributes.flat_size is not None and kernel.attributes.flat_size.value.number == 256
    assert kernel.attributes.waves is not None and kernel.attributes.waves.value.number == 2


@pytest.mark.parametrize(
    "launch",
    [
        "hipLaunchKernelGGL(k, dim3(4), dim3(16, 16), 1024, 0, p);",
        "hipLaunchKernelGGL((k<float, 4>), 4, 256, 1024, stream, p);",
        "hipLaunchKernelGGL(HIP_KERNEL_NAME(k<float>), dim3(4), 256, 1024, 0, p);",
        "k<<<4, 256, 1024>>>(p);",
    ],
)
def test_hip_launches(launch: str) -> None:
    found = facts(
        f"__global__ void k(float* p) {{ HIP_DYNAMIC_SHARED(float, s); s[0] = p[0]; }}\nvoid h() {{ {launch} }}", HIP
    )
    (launched,) = found.launches
    assert (launched.kernel, launched.size.number) == ("k", 256)
    assert launched.configuration.dynamic is not None and launched.configuration.dynamic.value.number == 1024
    assert found.unread_launches == 0
    assert found.kernels[0].summary.local.dynamic


# As in Kaldi's cu-kernels.cu and LightGBM's cuda_rocm_interop.h, and as in rocm-examples.
@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (("#include <hip/hip_runtime.h>",), "hip"),
        (("#ifdef __IS_HIP_COMPILE__", "#include <hip/hip_runtime.h>", "#endif"), "cuda"),
        (("#if USE_CUDA", "# if USE_ROCM", "#  include <hip/hip_runtime.h>", "# endif", "#endif"), "cuda"),
        (("#if A", "#elif defined(B)", "#include <hip/hip_runtime.h>", "#endif"), "cuda"),
        (("#ifdef A", "#include <x.h>", "#endif", "#include <hip/hip_runtime.h>"), "hip"),
        (("#ifndef USE_ROCM", "#include <x.h>", "#else", "#include <hip/hip_runtime.h>", "#endif"), "cuda"),
        (("#if !defined(A) && !B", "#else", "#include <hip/hip_runtime.h>", "#endif"), "cuda"),
        (("#if !A && B", "#else", "#include <hip/hip_runtime.h>", "#endif"), "hip"),
        (("#ifndef A", "#include <hip/hip_runtime.h>", "#else", "#include <x.h>", "#endif"), "hip"),
        (("#ifdef USE_CUDA", "#include <x.h>", "#else", "#include <hip/hip_runtime.h>", "#endif"), "cuda"),
        (("#ifdef __NVCC__", "#else", "#if 1", "#include <hip/hip_runtime.h>", "#endif", "#endif"), "cuda"),
        (("#ifdef __HIP_PLATFORM_NVIDIA__", "#else", "#include <hip/hip_runtime.h>", "#endif"), "hip"),
        (("#ifndef K_H", "#define K_H", "#include <hip/hip_runtime.h>", "#endif"), "hip"),
        (("#if !defined(__HIPCC_RTC__)", "#include <hip/hip_runtime.h>", "#endif"), "hip"),
        (("#ifdef A", "#include <hip/hip_runtime.h>", "#endif", "#include <hip/hip_runtime.h>"), "hip"),
        (("#endif", "#else", "#include <hip/hip_runtime.h>"), "hip"),
        (("#if 1", "#include <hip/hip_runtime.h>", "#endif"), "hip"),
        (("#if __has_include(<hip/hip_runtime.h>)", "#include <hip/hip_runtime.h>", "#endif"), "hip"),
        (("/* As:", "#ifdef FOO", "*/", "#include <hip/hip_runtime.h>"), "hip"),
    ],
)
def test_a_header_that_a_macro_asks_for_tells_no_language(lines: tuple[str, ...], name: str) -> None:
    text = "\n".join((*lines, "__global__ void k(float* p) { *p = 1; }")).encode()
    found = dialect_of("k.cu", "", text)
    assert found is not None and found.name == name
