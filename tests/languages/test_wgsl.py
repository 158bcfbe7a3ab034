"""WGSL's compute shaders, against what naga made of them, and Mesa's drivers for AMD and Intel of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.hints import hints
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.languages.registry import dialect_of
from occupancy_lsp.session.view import OpenFile, View
from tests.languages.shaders import AMD, UNKNOWN, judged_bytes, judged_sizes, kernels_of, project_of, truth_of
from tests.support import text_of


def view_of(source: str, device: str = AMD) -> View:
    view = OpenFile(Path("k.wgsl"), "wgsl", Text(source.encode()), project_of(device, None)).view()
    assert view is not None
    return view


def test_sizes_and_bytes_are_those_of_the_compiler_and_the_drivers(tmp_path: Path) -> None:
    truth = truth_of("wgsl")
    kernels = kernels_of("wgsl", tmp_path, truth)
    assert judged_sizes(truth, kernels) == {"exact": 77}
    found = judged_bytes(truth, kernels)
    assert not any(it["wrong"] for it in found.values())
    assert found["amd"]["exact"] == 461 and found["intel"]["exact"] == 118


_SHADER = """@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  t[i] = b[i];
  workgroupBarrier();
  b[i] = t[i ^ 1u];
}
"""


def _shader(size: str = "64", before: str = "var<workgroup> t: array<f32, 64>;") -> str:
    return f"{before}\n{_SHADER}".replace("workgroup_size(64)", f"workgroup_size({size})")


@pytest.mark.parametrize(
    ("before", "size", "said"),
    [
        ("", "8, 4, 2", (8, 4, 2)),
        ("", "0x40u, 2i,", (64, 2, 1)),
        ("const N: u32 = 8;\nconst M = N * 2u;", "M, u32(N / 3u)", (16, 2, 1)),
        ("override W: u32 = 32u;", "W, 2", (None, 2, 1)),
        ("override W: u32;", "W", (None, 1, 1)),
        ("#define N 16", "N, N", (16, 16, 1)),
        ("fn f() { const N = 9; }", "N", (None, 1, 1)),  # a function's own
    ],
)
def test_sizes_stand_in_attributes(before: str, size: str, said: tuple[int | None, ...]) -> None:
    (kernel,) = view_of(_shader(size, f"var<workgroup> t: array<f32, 64>;\n{before}")).facts.kernels
    assert kernel.attributes.block is not None and tuple(it.number for it in kernel.attributes.block[1]) == said


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("var<workgroup>t:array<f32,(32+32)*2>;", (512, 512)),
        ("const N: u32 = 8;\nvar<workgroup> t: array<f32, N * 8>; var<workgroup> unused: array<f32, 9>;", (256, 256)),
        ("struct P { a: f32, b: vec2<f32>, }\nvar<workgroup> t: array<P, 64>;", (0, 768)),
        ("struct P { @size(32) a: f32, b: f32 }\nvar<workgroup> t: array<P, 64>;", (0, None)),
        ("override N: u32 = 64;\nvar<workgroup> t: array<f32, N>;", (0, None)),
        ("var<workgroup> t: array<f32, #{N}>;", (0, None)),
        ("alias A = array<f32, 64>;\nvar<workgroup> t: A;", (0, 256)),
        ("var<workgroup> t: " + "array<" * 9 + "f32" + ", 2>" * 9 + ";", (0, None)),
    ],
)
def test_bytes_are_told_where_the_text_says_them(before: str, said: tuple[int, int | None]) -> None:
    (kernel,) = view_of(_shader(before=before)).facts.kernels
    assert (kernel.summary.local.lowest, kernel.summary.local.highest) == said


def test_memory_counts_where_a_function_reaches_it() -> None:
    source = """var<workgroup> t: array<f32, 64>;
var<workgroup> w: array<vec4<f32>, 8>;
@group(0) @binding(0) var<storage, read_write> b: array<f32>;
fn from_t(i: u32, scale: f32) -> f32 { if i > 3 { workgroupBarrier(); } return scale + t[i ^ 1u]; }
@compute @workgroup_size(64) fn first(@builtin(local_invocation_index) i: u32) { t[i] = 1.0; b[i] = from_t(i, 2.0); }
@workgroup_size(4, 4) @compute
fn second(@builtin(local_invocation_index) i: u32) { loop { if i > 2 { break; } b[i] = w[i].x; } }
@compute @workgroup_size(32) fn third(@builtin(local_invocation_index) i: u32) { b[i] = 5; }
"""
    found = {it.name: it.summary.local.highest for it in view_of(source).facts.kernels}
    assert found == {"first": 256, "second": 128, "third": 0}


def test_the_default_of_an_override_is_marked_as_an_assumption() -> None:
    source = _shader("W", "override W: u32 = 128;\nvar<workgroup> t: array<f32, 64>;")
    view = view_of(source, UNKNOWN)
    (report,) = view.reports
    assert text_of(report) == "@128 · 100% if ≤32 regs" and report.size.exact is None
    assert [it.label for it in hints(view, 0, len(view.text.content))] == ["@128 · 100% if ≤32 regs"]


@pytest.mark.parametrize(
    ("source", "read"), [("@compute @workgroup_size(1) fn main() {}", True), ("@fragment fn main() {}", False)]
)
def test_other_stages_are_silent(source: str, read: bool) -> None:
    assert (dialect_of("a.wgsl", "wgsl", source.encode()) is not None) == read


def test_no_attribute_is_named_that_the_language_does_not_have() -> None:
    view = view_of(_shader(), "arc-b580")
    found = hover(view, view.text.content.index(b"main"))
    assert found is not None and "Sub-group size: 16 or 32" in (said := markdown(found.prose)) and "reqd" not in said


def test_what_declares_a_function_out_of_sight_may_declare_more() -> None:
    for called, most in (("reduce(i)", None), ("countOneBits(i)", 256)):
        (kernel,) = view_of(_shader().replace("t[i ^ 1u]", f"t[i ^ 1u] + f32({called})")).facts.kernels
        assert kernel.summary.local.highest == most
