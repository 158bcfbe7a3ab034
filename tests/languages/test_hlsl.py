"""HLSL's compute shaders, against what DXC made of them, and Mesa's drivers for AMD and Intel of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.languages.registry import dialect_of
from occupancy_lsp.session.view import OpenFile, View
from occupancy_lsp.source.kernels.kernel import Kernel
from tests.languages.shaders import (
    AMD,
    INTEL,
    UNKNOWN,
    Kernels,
    bytes_of_lds,
    judged,
    judged_bytes,
    judged_sizes,
    kernels_of,
    project_of,
    said_of_size,
    truth_of,
)
from tests.support import text_of


def view_of(source: str, device: str = UNKNOWN, folder: Path | None = None, name: str = "k.hlsl") -> View:
    view = OpenFile((folder or Path()) / name, "hlsl", Text(source.encode()), project_of(device, folder)).view()
    assert view is not None
    return view


def kernel_of(source: str, device: str = UNKNOWN, folder: Path | None = None, name: str = "k.hlsl") -> Kernel:
    (kernel,) = view_of(source, device, folder, name).facts.kernels
    return kernel


@pytest.fixture(scope="module", name="kernels")
def all_kernels(tmp_path_factory: pytest.TempPathFactory) -> Kernels:
    return kernels_of("hlsl", tmp_path_factory.mktemp("shaders"), truth_of("hlsl"))


def test_sizes_are_those_that_dxc_reads(kernels: Kernels) -> None:
    assert judged_sizes(truth_of("hlsl"), kernels) == {"exact": 85, "open": 2}  # which hang on `-D`


def test_bytes_are_those_that_compilers_and_drivers_allocate(kernels: Kernels) -> None:
    found = judged_bytes(truth_of("hlsl"), kernels)
    assert not any(it["wrong"] for it in found.values())
    # Open are structures, of which Direct3D's compiler may leave out members, and lone vectors.
    assert found["amd"]["exact"] == 550 and found["intel"]["exact"] == 162
    for it in truth_of("hlsl"):
        for device in (AMD, INTEL, UNKNOWN) if it["dxil"] is not None else ():
            kernel = kernels[device, it["id"], it["entry"]]
            assert judged((kernel.summary.local.lowest, bytes_of_lds(kernel, 4)[1]), it["dxil"]) != "wrong"


_BODY = """
RWStructuredBuffer<float> b : register(u0);
[numthreads(64, 1, 1)]
void main(uint i : SV_GroupIndex, uint3 g : SV_DispatchThreadID) {
  t[i] = b[i];
  GroupMemoryBarrierWithGroupSync();
  b[g.x] = t[i ^ 1];
}
"""


def _shader(head: str = "[numthreads(64, 1, 1)]", shared: str = "groupshared float t[64];") -> str:
    return f"{shared}\n{_BODY}".replace("[numthreads(64, 1, 1)]", head)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("[NumThreads(8, 4, 2)]", (8, 4, 2)),
        ('[RootSignature("x")] [numthreads(8, 8, 1)]', (8, 8, 1)),
        ('[shader("compute")]\n[WaveSize(32)]\n[numthreads(32 * 2, (1 << 2), 1)]', (64, 4, 1)),
        ("[numthreads(64, 1, 1)] [numthreads(32, 1, 1)]", (32, 1, 1)),
        ("#define N 16\n[numthreads(N, N, 1)]", (16, 16, 1)),
        ("static const uint N = 32;\n[numthreads(N, 1, 1)]", (32, 1, 1)),
        # DXC: "'numthreads' attribute requires an integer constant"
        ("const uint N = 32;\n[numthreads(N, 1, 1)]", "the host gives it"),
        ("[[vk::constant_id(3)]] const uint N = 64;\n[numthreads(N, 1, 1)]", "the host gives it"),
        ("#define W 1\n#if W\n[numthreads(16, 16, 1)]\n#else\n[numthreads(8, 8, 1)]\n#endif", (16, 16, 1)),
        ("#if W\n[numthreads(16, 16, 1)]\n#else\n[numthreads(8, 8, 1)]\n#endif", "is under an #if that may be false"),
    ],
)
def test_sizes_stand_in_attributes(head: str, said: tuple[int, ...] | str) -> None:
    assert said_of_size(kernel_of(_shader(head))) == said


@pytest.mark.parametrize(
    ("shared", "amd", "intel", "other"),
    [
        ("groupshared float t[64], w[64];", (256, 256), (256, 256), (256, 256)),  # w is not used
        ("groupshared float3 t[65];", (780, 780), (780, 1036), (780, 1036)),
        ("groupshared float2x3 t[64];", (1536, 1536), (1536, 2048), (1536, 2048)),
        ("groupshared vector<float16_t, 3> t[65];", (390, 390), (390, 518), (390, 518)),
        ("struct S { float a; float b; };\ngroupshared S t[64];", (0, 512), (0, 512), (0, 512)),
        ("groupshared half t[64];", (0, None), (0, None), (0, None)),  # 2 bytes, or 4
        ("static const int N = 64;\ngroupshared float t[N];", (256, 256), (256, 256), (256, 256)),
        ("const int N = 64;\ngroupshared float t[N];", (0, None), (0, None), (0, None)),  # DXC refuses it
        ('#include "away.hlsli"\ngroupshared float t[64];', (256, None), (256, None), (256, None)),
        ("#ifdef __cplusplus\n#include <cmath>\n#endif\ngroupshared float t[64];", (256, 256), (256, 256), (256, 256)),
        ("#define SH groupshared\nSH float t[64];", (0, None), (0, None), (0, None)),
    ],
)
def test_bytes_are_the_devices(
    shared: str, amd: tuple[int, int], intel: tuple[int, int], other: tuple[int, int], tmp_path: Path
) -> None:
    for device, said in ((AMD, amd), (INTEL, intel), (UNKNOWN, other)):
        local = kernel_of(_shader(shared=shared), device, tmp_path).summary.local
        assert (local.lowest, local.highest) == said, device


@pytest.mark.parametrize(
    "use",
    [
        "t[i] = min(t[i], t[i + 1]);",  # DXC leaves it out: nothing else reads it
        "t[i] += 1;",
        "InterlockedAdd(t[i], 1);",
        "if (N == 64) b[g.x] = t[i ^ 1];",  # of which the host gives N
    ],
)
def test_what_a_compiler_may_drop_is_no_more_than_a_bound(use: str) -> None:
    source = _shader(shared="uint N = 64;\ngroupshared float t[64];").replace("b[g.x] = t[i ^ 1];", use)
    for device in (AMD, INTEL, UNKNOWN):
        local = kernel_of(source, device).summary.local
        assert (local.lowest, local.highest) == (0, 256)


@pytest.mark.parametrize(
    ("shared", "use", "direct3d", "vulkan"),  # bytes by DXC
    [
        ("float4 q", "q.y", 4, 16),
        ("float2 q", "q.y", 4, 8),
        ("float3x3 q", "q[0].x", 36, 36),
        ("float4 q[1]", "q[0].y", 16, 16),
        ("float q[4]", "q[1]", 16, 16),
        ("float3 q[64]", "q[i].x", 768, 768),
        ("struct { float a, b; } q[64]", "q[i].a", 256, 512),
        ("struct { float a[64], b[64]; } q", "q.a[i]", 256, 512),
    ],
)
def test_direct3d_may_leave_out_what_nothing_reads(shared: str, use: str, direct3d: int, vulkan: int) -> None:
    source = _shader(shared=f"groupshared {shared};").replace("t[i ^ 1]", use).replace("t[i]", use)
    for device in (AMD, INTEL, UNKNOWN):
        local = kernel_of(source, device).summary.local
        assert local.lowest <= direct3d and local.highest is not None and local.highest >= vulkan, device
    if "[" in shared and "struct" not in shared:
        assert kernel_of(source, AMD).summary.local.exact == direct3d  # arrays stay whole


def test_each_entry_point_has_what_it_reaches() -> None:
    source = """groupshared float v[100], w[50];
RWStructuredBuffer<float> b;
float of_w(uint i) {
  [unroll] for (int k = 0; k < 2; k++) w[i + k] = b[i];
  GroupMemoryBarrierWithGroupSync();
  return w[i ^ 1];
}
[numthreads(64, 1, 1)] void first(uint i : SV_GroupIndex) {
  v[i] = b[i];
  GroupMemoryBarrierWithGroupSync();
  b[i] = v[i ^ 1];
}
[numthreads(8, 8, 1)] void second(uint i : SV_GroupIndex) { b[i] = of_w(i); }
[numthreads(32, 1, 1)] void third(uint i : SV_GroupIndex) { b[i] = 5u; }
"""
    found = {it.name: (it.summary.local.lowest, it.summary.local.highest) for it in view_of(source, AMD).facts.kernels}
    assert found == {"first": (400, 400), "second": (200, 200), "third": (0, 0)}


def test_a_shader_that_others_include_is_one_of_its_own(tmp_path: Path) -> None:
    shared = "#ifdef WIDE\ngroupshared float2 t[64];\n#else\ngroupshared float t[64];\n#endif"
    (tmp_path / "k.hlsl").write_text(_shader(shared=shared))
    (tmp_path / "wide.hlsl").write_text('#define WIDE\n#include "k.hlsl"\n')
    local = kernel_of(_shader(shared=shared), AMD, tmp_path).summary.local
    assert local.lowest <= 256 and local.highest is not None and local.highest >= 512


@pytest.mark.parametrize(
    ("head", "finding"),
    [
        ("[numthreads(1025, 1, 1)]", "OCC001"),
        ("[numthreads(2, 1, 65)]", "OCC001"),
        ("[numthreads(0, 1, 1)]", "OCC006"),
    ],
)
def test_limits_are_told_where_the_text_says_it(head: str, finding: str) -> None:
    (found,) = diagnostics(view_of(_shader(head)))
    assert found.severity == "error" and found.code == finding


def test_a_shader_has_a_hint() -> None:
    view = view_of(_shader())
    (report,) = view.reports
    assert text_of(report) == "64 thr · 100% if ≤32 regs"
    assert [it.label for it in hints(view, 0, len(view.text.content))] == ["64 thr · 100% if ≤32 regs"]


@pytest.mark.parametrize(
    ("name", "source", "read"),
    [
        ("a.hlsl", "[numthreads(1, 1, 1)] void main() {}", True),
        ("a.compute", "#pragma kernel A\n[numthreads(8,8,1)]\nvoid A () {}", True),
        ("a.hlsl", "float4 main() : SV_Target { return 1; }", False),
        ("a.hlsl", '[outputtopology("triangle")] [numthreads(32, 1, 1)] void main() {}', False),
        ("a.hlsl", "[numthreads(32, 1, 1)] void main() { DispatchMesh(1, 1, 1, p); }", False),
    ],
)
def test_other_stages_are_silent(name: str, source: str, read: bool) -> None:
    dialect = dialect_of(name, "hlsl", source.encode())
    assert (dialect is not None and dialect.name == "hlsl") == read
