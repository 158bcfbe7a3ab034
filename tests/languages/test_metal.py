"""Metal's kernels. No compiler of them runs here: sizes are those of the Metal Shading Language Specification 3.2."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.languages.registry import dialect_of
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.source.kernels.kernel import Kernel
from tests.languages.shaders import project_of
from tests.support import text_of

_BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
_USE = f"a[t] = x[t]; {_BARRIER} x[t] = a[t ^ 1];"
_MEMBER = "#define FIXED static constant constexpr const\nstruct S { FIXED int n = 8; };"
_SUM = "int sum(threadgroup const int *p, uint n) { return p[n]; }"


def view_of(source: str, device: str = "m1") -> View:
    view = OpenFile(Path("k.metal"), "metal", Text(source.encode()), project_of(device, None)).view()
    assert view is not None
    return view


def kernel_of(source: str) -> Kernel:
    (kernel,) = view_of(source).facts.kernels
    return kernel


_THREAD = "uint t [[thread_index_in_threadgroup]]"


def _kernel(body: str, before: str = "", head: str = "kernel void") -> str:
    return f"#include <metal_stdlib>\n{before}\n{head} k(device int *x [[buffer(0)]], {_THREAD}) {{ {body} }}\n"


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("bool", 1), ("uchar", 1), ("half", 2), ("bfloat", 2), ("uint", 4), ("ulong", 8), ("size_t", 8),
        ("char3", 4), ("half3", 8), ("float2", 8), ("float3", 16), ("uint4", 16), ("long4", 32),
        ("packed_char3", 3), ("packed_half3", 6), ("packed_float3", 12), ("packed_float4", 16),
        ("half2x3", 16), ("float2x2", 16), ("float3x3", 48), ("float4x2", 32), ("float2x4", 32),
        ("vec<half, 3>", 8), ("metal::vec<float, 4>", 16), ("atomic_uint", 4), ("atomic<int>", 4),
    ],
)  # fmt: skip
def test_types_have_the_layout_of_the_specification(kind: str, size: int) -> None:
    assert kernel_of(_kernel(f"threadgroup {kind} a[64]; x[t] = sizeof(a);")).summary.local.highest == 64 * size


@pytest.mark.parametrize("kind", ["double", "float3x5", "packed_float2x2", "float8", "int2x2", "vec<float, 5>"])
def test_what_is_no_type_of_it_leaves_the_bytes_open(kind: str) -> None:
    assert kernel_of(_kernel(f"threadgroup {kind} a[64]; x[t] = sizeof(a);")).summary.local.highest is None


@pytest.mark.parametrize(
    ("before", "body", "said"),
    [
        ("", f"threadgroup int a[256]; {_USE}", (1024, 1024)),
        ("constant int N = 16;", f"threadgroup int a[N * N]; {_USE}", (1024, 1024)),
        ("constant constexpr int N = 16;", f"threadgroup int a[N]; {_USE}", (64, 64)),
        (_MEMBER, f"threadgroup int a[S::n]; {_USE}", (32, 32)),
        ("#define TG threadgroup", f"TG int a[64]; {_USE}", (256, 256)),
        ("constant int N [[function_constant(0)]];", f"threadgroup int a[N]; {_USE}", (0, None)),
        ("", "device int *threadgroup a[64]; a[t] = x; x[t] = *a[t ^ 1];", (0, 512)),
        ("", "threadgroup int *a[64]; a[t] = nullptr; x[t] = *a[t];", (0, 0)),  # a thread's own pointers
        ("", "threadgroup int a[64]; a[t] = 1;", (0, 256)),  # nothing reads it
        (_SUM, f"threadgroup int a[64]; a[t] = x[t]; {_BARRIER} x[t] = sum(a, t);", (256, 256)),
        (_SUM, "threadgroup int a[64]; a[t] = x[t]; x[t] = sum(a, t);", (0, 256)),  # its own, perhaps
    ],
)  # fmt: skip
def test_threadgroup_memory(before: str, body: str, said: tuple[int, int | None]) -> None:
    local = kernel_of(_kernel(body, before)).summary.local
    assert (local.lowest, local.highest) == said


def test_what_sets_a_function_constant_is_told() -> None:
    before = "constant int N [[function_constant(0)]];"
    local = kernel_of(_kernel(f"threadgroup int a[N]; {_USE}", before)).summary.local
    assert "the pipeline sets the function constant N" in str(local)


def test_what_a_kernel_is_given_has_the_size_that_the_host_says() -> None:
    source = f"kernel void k(device int *x, threadgroup int *a [[threadgroup(0)]], {_THREAD}) {{ x[t] = a[t]; }}"
    (report,) = view_of(source).reports
    assert report.kernel.summary.local.highest == 0 and report.local.open


_TEMPLATE = f"""
template <typename T, int M> [[kernel, max_total_threads_per_threadgroup(M * 32)]]
void k(device T *x [[buffer(0)]], {_THREAD}) {{ threadgroup T a[M * 32]; {_USE} }}
"""
_MAKE = "(name, f, ...) template [[host_name(name)]] [[kernel]] decltype(f<__VA_ARGS__>) f<__VA_ARGS__>;\n"


@pytest.mark.parametrize(
    "instances",
    [
        'template [[host_name("a")]] [[kernel]] decltype(k<float, 4>) k<float, 4>;\n'
        'template [[host_name("b")]] [[kernel]] decltype(k<half, 8>) k<half, 8>;',
        'template [[host_name("a")]] kernel void k<float, 4>(device float *x, uint t);\n'
        'template [[host_name("b")]] kernel void k<half, 8>(device half *x, uint t);',
        f'#define MAKE{_MAKE}MAKE("a", k, float, 4)\nMAKE("b", k, half, 8)',
        # As mlx has it, in lower case, with and without semicolons, one by way of another.
        f'#define instantiate{_MAKE}#define half_of(n) instantiate("b" #n, k, half, n)\n'
        'instantiate("a", k, float, 4)\nhalf_of(8);',
    ],
)
def test_templates_have_the_bytes_and_bounds_of_their_instances(instances: str) -> None:
    made = kernel_of(_TEMPLATE + instances).instances
    bounds = {it.attributes.max_threads.value.number for it in made if it.attributes.max_threads is not None}
    assert [it.summary.local.exact for it in made] == [512, 512] and bounds == {128, 256}


@pytest.mark.parametrize(
    ("head", "body", "device", "hint"),
    [
        ("[[kernel, max_total_threads_per_threadgroup(256)]] void", "", "m1", "~100% at 256 if ≤32 regs"),
        ("[[kernel, required_threads_per_threadgroup(32, 8, 1)]] void", "", "m1", "256 thr · ~100% if ≤32 regs"),
        ("[[required_threads_per_threadgroup(32, 8, 1)]] kernel void", "", "m4", "~100% · 12 TG/core"),
        ("kernel void", f"threadgroup int a[9000]; {_USE}", "m1", "~no launch: 36000>32768 B tgmem"),
    ],
)
def test_hints(head: str, body: str, device: str, hint: str) -> None:
    (report,) = view_of(_kernel(body, head=head), device).reports
    assert text_of(report) == hint


def test_other_stages_are_no_kernels() -> None:
    assert not view_of(
        "vertex float4 v(uint i [[vertex_id]]) { return 0; }\nfragment float4 f() { return 1; }\n"
    ).facts.kernels


def test_a_header_is_known_by_its_attributes() -> None:
    text = "template <typename T> [[kernel]] void k(device T *x, uint t [[thread_position_in_grid]]) { x[t] = 1; }"
    found = dialect_of("k.h", "", text.encode())
    assert found is not None and found.name == "metal"
    assert dialect_of("k.h", "", b"void kernel(int *device, uint t);") is None


def test_an_m1_stands_in_without_a_choice() -> None:
    project = Project(None, None, {})
    assert [it.id for it in project.devices_for("metal")][:1] == ["m1"]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "k.metal",
            _kernel(
                f"threadgroup int a[256]; {_USE}", head="[[required_threads_per_threadgroup(64, 1, 1)]] kernel void"
            ),
        ),
        ("k.hlsl", "groupshared float a[256]; [numthreads(64, 1, 1)] void k(uint t : SV_GroupIndex) { a[t] = t; }"),
    ],
)
def test_launches_of_namesakes_in_cuda_are_not_of_kernels_that_a_driver_compiles(
    name: str, source: str, tmp_path: Path
) -> None:
    (tmp_path / "host.cu").write_text("void f(int *x) { k<<<1, 128, 40000>>>(x); }\n")
    (tmp_path / name).write_text(source)
    view = OpenFile(tmp_path / name, "", Text(source.encode()), project_of("m1", tmp_path)).view()
    assert view is not None and not view.reports[0].far
