"""GLSL's compute shaders, against what glslang and Mesa's drivers for AMD and Intel made of them."""

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
    judged_bytes,
    judged_sizes,
    kernels_of,
    project_of,
    said_of_size,
    truth_of,
)
from tests.support import text_of


def view_of(source: str, device: str = UNKNOWN, folder: Path | None = None, name: str = "k.comp") -> View:
    view = OpenFile((folder or Path()) / name, "glsl", Text(source.encode()), project_of(device, folder)).view()
    assert view is not None
    return view


def kernel_of(source: str, device: str = UNKNOWN, folder: Path | None = None) -> Kernel:
    (kernel,) = view_of(source, device, folder).facts.kernels
    return kernel


@pytest.fixture(scope="module", name="kernels")
def all_kernels(tmp_path_factory: pytest.TempPathFactory) -> Kernels:
    return kernels_of("glsl", tmp_path_factory.mktemp("shaders"), truth_of("glsl"), "k.comp")


def test_sizes_are_those_that_glslang_reads(kernels: Kernels) -> None:
    # Open are those that a pipeline sets by constants, or a compiler's `-D`, and that without any layout.
    assert judged_sizes(truth_of("glsl"), kernels) == {"exact": 81, "open": 7}


def test_bytes_are_those_that_drivers_allocate(kernels: Kernels) -> None:
    found = judged_bytes(truth_of("glsl"), kernels)
    assert not any(it["wrong"] for it in found.values())
    # Open on AMD: what constants or `-D` decide; on Intel also what one version of SPIR-V keeps and another drops.
    assert found["amd"]["exact"] == 924 and found["amd"]["open"] == 44
    assert found["intel"]["exact"] == 292 and found["intel"]["open"] == 60


_LAYOUT = "layout(local_size_x = 64) in;"
_BODY = """
layout(std430, binding = 0) buffer O { float b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  t[i] = b[i];
  barrier();
  b[i] = t[i ^ 1u];
}
"""


def _shader(layout: str = _LAYOUT, shared: str = "shared float t[64];") -> str:
    return f"#version 460\n{layout}\n{shared}\n{_BODY}"


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ("", "no layout in sight says it"),
        ("layout(local_size_y = 8) in;", (1, 8, 1)),
        ("layout(local_size_x = 16) in;\nlayout(local_size_y = 4, local_size_x = 16) in;", (16, 4, 1)),
        ("#define N 32\nlayout(local_size_x = N * 2, local_size_y = N > 16 ? 2 : 4) in;", (64, 2, 1)),
        ("layout(local_size_x = 16) in;\nlayout(local_size_x = 32) in;", "it is said twice, and differently"),
        ("layout(local_size_x_id = 3) in;", "local_size_x is specialization constant 3"),
        ("#ifdef A\nlayout(local_size_x = 64) in;\n#endif", "is under an #if that may be false"),
        ('layout(local_size_x = 64) in;\n#include "away.h"', "a header that is not in sight, or a macro, may say it"),
        (
            "#define SIZE layout(local_size_x = 64) in;\nSIZE\nlayout(local_size_y = 2) in;",
            "a header that is not in sight, or a macro, may say it",
        ),
        ("#define IN in\nlayout(local_size_x = 64) IN;", "its layout, which could not be read"),
    ],
)
def test_sizes_that_no_text_proves_are_open(layout: str, said: tuple[int, ...] | str, tmp_path: Path) -> None:
    kernel = kernel_of(_shader(layout), folder=tmp_path)
    assert said_of_size(kernel) == said


@pytest.mark.parametrize(
    ("layout", "hint"),
    [
        ("layout(local_size_x_id = 0) in;\nlayout(constant_id = 0) const uint N = 128;", "@128 · 100% if ≤32 regs"),
        ("layout(local_size_x = 64, local_size_x_id = 0) in;", "@64 · 100% if ≤32 regs"),
        ("layout(local_size_x_id = 0) in;\nlayout(constant_id = 1) const uint N = 128;", ""),
        ("layout(local_size_x_id = 0) in;\nlayout(constant_id = 0) const int N = -4;", ""),
    ],
)
def test_the_default_of_a_constant_is_marked_as_an_assumption(layout: str, hint: str) -> None:
    view = view_of(_shader(layout))
    (report,) = view.reports
    assert (text_of(report) or "").startswith(hint)
    assert diagnostics(view) == [] and report.size.exact is None


@pytest.mark.parametrize(
    ("shared", "amd", "intel", "other"),
    [
        ("shared vec3 u[65]; shared float t[64];", (256, 256), (256, 1292), (256, 1292)),  # u is not used
        ("shared float t[64], w;", (256, 256), (256, 260), (256, 260)),
        ("shared f16vec3 t[65];", (390, 390), (518, 518), (390, 518)),
        ("shared mat3 t[64];", (2304, 2304), (3072, 3072), (2304, 3072)),
        ("struct S { bool a; vec3 v; };\nshared S t[10];", (160, 160), (320, 320), (160, 320)),
        ("shared float[64] t;", (0, None), (0, None), (0, None)),
        ("shared float t[64]; shared Block { float x[10]; };", (256, None), (256, None), (256, None)),
        ("#define SH shared\nSH float t[64];", (0, None), (0, None), (0, None)),
        ("#define DECLARE(x) shared float x[64];\nDECLARE(t)", (0, None), (0, None), (0, None)),
        ("layout(constant_id = 0) const int N = 64;\nshared float t[N];", (0, None), (0, None), (0, None)),
        ('#include "away.h"\nshared float t[64];', (256, None), (256, None), (256, None)),
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
        "b[i] = t[i ^ 1u] * 0.0;",
        "b[i] = ignored(t[i ^ 1u]);",
        "float x = t[i ^ 1u];",
        "if (USED) b[i] = t[i ^ 1u];",
        "written(t[i]);",
    ],
)
def test_what_a_driver_may_drop_is_no_more_than_a_bound(use: str) -> None:
    declared = """shared float t[64];
layout(constant_id = 1) const bool USED = false;
float ignored(float x) { return 1.0; }
void written(out float x) { x = 1.0; }
"""
    source = _shader(shared=declared).replace("b[i] = t[i ^ 1u];", use)
    for device in (AMD, INTEL, UNKNOWN):
        local = kernel_of(source, device).summary.local
        assert (local.lowest, local.highest) == (0, 256)


@pytest.mark.parametrize(
    ("device", "hint"),
    [
        ("mi300x", "≥50% · regs ≤128"),
        ("rx-7900-xtx", "≥25% · regs ≤192"),
        ("arc-b580", "100% · 1–2 WG/Xe-core"),
        ("h100", "≥50% · regs ≤64"),
        ("mali-g78-mp14", "100% · 1 WG/core"),
        ("m1", "~≥33.33% · regs ≤104"),
        ("adreno-740", "1024 thr · 100% if ≤6 regs"),
    ],
)
def test_each_vendors_devices_have_a_hint(device: str, hint: str) -> None:
    view = view_of(_shader("layout(local_size_x = 1024) in;", "shared float t[1024];"), device)
    (report,) = view.reports
    assert text_of(report) == hint
    assert [it.label for it in hints(view, 0, len(view.text.content))] == [hint]


@pytest.mark.parametrize(
    ("layout", "finding"),
    [
        ("layout(local_size_x = 1025) in;", ("OCC001", "1025 threads per block; a block has at most 1024")),
        (
            "layout(local_size_x = 2, local_size_z = 65) in;",
            ("OCC001", "65 threads in z; a block has at most 64 in that dimension"),
        ),
        ("layout(local_size_x = 0) in;", ("OCC006", "0 threads: the compiler accepts only positive numbers")),
        ("layout(local_size_x = -4) in;", ("OCC006", "-4 threads: the compiler accepts only positive numbers")),
        ("layout(local_size_x = 64) in;\nshared float more[12225];", ("OCC002", None)),
    ],
)
def test_limits_are_told_where_the_text_says_it(layout: str, finding: tuple[str, str | None]) -> None:
    source = _shader(layout)
    if "more" in layout:
        source = source.replace("t[i] = b[i];", "t[i] = b[i]; more[i] = b[i];").replace("= t[", "= more[i + 1] + t[")
    (found,) = diagnostics(view_of(source))
    assert found.severity == "error" and found.code == finding[0]
    assert finding[1] in (None, found.message)


@pytest.mark.parametrize(
    ("name", "source", "read"),
    [
        ("a.comp", "void main() {}", True),
        ("a.glsl", "layout(local_size_x = 1) in; void main() {}", True),
        ("a.glsl", "void main() { gl_FragColor = vec4(1); }", False),
        ("a.frag", "void main() {}", False),
        ("a.mesh", "layout(local_size_x = 32) in; layout(triangles, max_primitives = 3) out; void main() {}", False),
    ],
)
def test_other_stages_are_silent(name: str, source: str, read: bool) -> None:
    dialect = dialect_of(name, "glsl", source.encode())
    assert (dialect is not None and dialect.name == "glsl") == read


def test_counts_of_a_main_are_those_of_a_file_that_they_name(tmp_path: Path) -> None:
    (tmp_path / "k.comp.occupancy.yaml").write_text("kernels:\n  main: {registers: 40}\n")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "ptxas.log").write_text(
        "ptxas info    : Compiling entry function 'main' for 'sm_90'\nptxas info    : Used 99 registers\n"
    )
    for name, count in (("k.comp", 40), ("other.comp", None)):
        (tmp_path / name).write_text(_shader())
        (report,) = view_of(_shader(), folder=tmp_path, name=name).reports
        assert report.registers.exact == count


def test_an_edited_shader_equals_a_fresh_one(tmp_path: Path) -> None:
    project = project_of(UNKNOWN, tmp_path)
    before, after = _shader(), _shader("layout(local_size_x = 32) in;", "shared vec2 t[48];")
    file = OpenFile(tmp_path / "k.comp", "glsl", Text(before.encode()), project)
    assert file.view() is not None
    file.edit(0, len(before.encode()), after.encode())
    view = file.view()
    assert view is not None and [text_of(it) for it in view.reports] == ["32 thr · 50% if ≤64 regs"]
    (kernel,) = view.facts.kernels
    assert (kernel.summary.local.lowest, kernel.summary.local.highest) == (384, 384)


_BUILT = """#version 460
#include "types.glsl"
layout(local_size_x_id = 0, local_size_y = 2) in;
layout(constant_id = 3) const uint BLOCK = 8;
shared FLOAT_TYPE t[BLOCK];
layout(std430, binding = 0) buffer Data { float data[]; };
void main() { uint i = gl_LocalInvocationIndex; t[i] = data[i]; barrier(); data[i] = t[i ^ 1]; }
"""


_DOUBLE = 'shaders: [{files: "*.comp", define: {TYPE: double}}'


@pytest.mark.parametrize(
    ("settings", "size", "most"),
    [
        ("", None, None),
        ('shaders: [{files: "*.comp", define: {TYPE: float}, constants: {0: 64, 3: 32}}]', 128, 128),
        ('shaders: [{files: "*.comp", define: {TYPE: double}, constants: {3: 32}}]', None, 256),
        ('shaders: [{files: "*.comp", define: {TYPE: float}, constants: {0: 64}}]', 128, None),
        (_DOUBLE + ', {files: "k.*", define: {TYPE: int}, constants: {3: 4}}]', None, 16),
        ('shaders: [{files: "other/*.comp", define: {TYPE: float}, constants: {0: 64, 3: 32}}]', None, None),
        ('shaders: [{files: "*.comp", define: {TYPE: float}, constants: {BLOCK: 32}}]', None, None),  # by its id alone
    ],
)
def test_the_settings_say_how_shaders_are_built(
    settings: str, size: int | None, most: int | None, tmp_path: Path
) -> None:
    (tmp_path / ".occupancy.yaml").write_text(settings)
    (tmp_path / "types.glsl").write_text("#define FLOAT_TYPE TYPE\n")
    (tmp_path / "k.comp").write_text(_BUILT)
    view = OpenFile(tmp_path / "k.comp", "", Text(_BUILT.encode()), project_of(AMD, tmp_path)).view()
    assert view is not None
    (report,) = view.reports
    assert not report.size.assumed and (report.size.sizes or (None,)) == (size,)
    assert report.kernel.summary.local.highest == most


def test_overrides_are_set_by_name(tmp_path: Path) -> None:
    source = "override W: u32 = 32u;\n@compute @workgroup_size(W) fn main() {}\n"
    (tmp_path / ".occupancy.yaml").write_text('shaders: [{files: "*.wgsl", constants: {W: 128}}]')
    (tmp_path / "k.wgsl").write_text(source)
    view = OpenFile(tmp_path / "k.wgsl", "", Text(source.encode()), project_of(AMD, tmp_path)).view()
    assert view is not None and view.reports[0].size.sizes == (128,) and not view.reports[0].size.assumed
