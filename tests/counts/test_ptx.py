"""PTX of nvcc, NVRTC, Numba and Triton: what it says of a kernel is what ptxas made of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.counts.formats import cubin, ptx
from occupancy_lsp.counts.usage import Usage
from tests.counts.damage import damaged
from tests.counts.nvidia_samples import named, samples
from tests.support import seconds

# PTX, and the cubins that were made of it.
MADE = [(name, name.replace(".ptx", ".cubin")) for name in named(".ptx") if name.replace(".ptx", ".cubin") in samples()]
MADE += [("ptx/k130_sm90.ptx", "nvcc13.0/k_sm90.cubin")]
MADE += [("ptx/k118_sm75.ptx", name) for name in named("_75.cubin", "multi")]


def kernels(usages: tuple[Usage, ...]) -> dict[str, Usage]:
    assert len({usage.kernel for usage in usages}) == len(usages)
    return {usage.kernel: usage for usage in usages}


@pytest.mark.parametrize(("name", "compiled"), MADE, ids=lambda name: name)
def test_every_kernel_is_what_ptxas_made_of_it(name: str, compiled: str) -> None:
    written = kernels(ptx.read(samples()[name], name).usages)
    made = kernels(cubin.read(samples()[compiled], name).usages)
    assert written.keys() == made.keys()
    for kernel, usage in written.items():
        assert (usage.group_size, usage.max_group_size) == (made[kernel].group_size, made[kernel].max_group_size)
        assert usage.static_local in (made[kernel].static_local, None)
        assert usage.arch == made[kernel].arch and usage.registers is None and usage.barriers is None
    unknown = {kernel for kernel, usage in written.items() if usage.static_local is None}
    assert unknown == ({"usesfs"} if name == "made/shared.ptx" else set())


def test_there_is_ptx_of_every_kind() -> None:
    assert len(MADE) == 24 and {name.split("/")[0] for name, _ in MADE} == {"made", "numba", "nvrtc", "ptx", "triton"}


@pytest.mark.parametrize("name", named(".ptx"))
def test_the_line_is_that_of_the_name(name: str) -> None:
    lines = samples()[name].decode().split("\n")
    assert all(f".entry {usage.kernel}(" in lines[usage.line - 1] for usage in ptx.read(samples()[name], name).usages)


def static(outside: str = "", inside: str = "", body: str = "") -> int | None:
    text = f".version 8.0\n.target sm_80\n{outside}\n.visible .entry k(.param .u64 p)\n{{\n{inside}\n{body}\nret;\n}}\n"
    (usage,) = ptx.read(text.encode(), "p").usages
    return usage.static_local


def test_shared_variables_whose_order_does_not_matter() -> None:
    """What ptxas 13.0 says of each."""
    assert static() == 0
    assert static(inside=".shared .align 16 .b8 a[20];") == 20
    assert static(inside=".shared .align 4 .b8 a[4];\n.shared .align 8 .b8 b[8];") is None  # 16, or 12 the other way
    assert static(inside=".shared .align 8 .b8 a[4];\n.shared .align 4 .b8 b[8];") is None
    assert static(inside=".shared .align 8 .f64 d;\n.shared .align 8 .b8 b[8];") == 16
    assert static(inside=".shared .align 16 .v4 .f32 v[3][2];") == 96
    assert static(inside=".shared .b64 v[2];") == 16
    assert static(inside=".shared .odd v[2];") is None


def test_dynamic_shared_memory_rounds_the_static_up() -> None:
    outside = ".extern .shared .align 4 .b8 dyn[];"
    assert static(outside) == 0
    assert static(outside, ".shared .align 4 .b8 a[132];") == 144
    assert static(outside, ".shared .align 1 .b8 a[3];\n.shared .align 4 .b8 b[4];") == 16
    assert static(outside.replace("4", "1024"), ".shared .align 4 .b8 a[132];") == 1024


def test_variables_outside_count_where_they_are_named() -> None:
    outside = ".shared .align 4 .b8 tile[40];\n.shared .align 4 .b8 other[400];"
    assert static(outside) == 0
    assert static(outside, body="st.shared.u32 [tile+4], %r1;") == 40
    assert static(outside, body="st.shared.u32 [tile2], %r1;") == 0
    assert static(outside, body="call.uni helper, (param0);") is None
    assert static(outside, body="st.shared.u32 [tile], %r1; st.shared.u32 [other], %r1; call f;") == 440


def test_functions_may_use_more() -> None:
    call = "{ // callseq 0\ncall.uni (retval0), f, (param0); }"
    assert static(".func f(.param .b32 a)\n{\nret;\n}", body=call) == 0
    assert static(".func f(.param .b32 a)\n{\n.shared .align 4 .b8 h[64];\nret;\n}", body=call) is None
    assert static(".func f(.param .b32 a)\n{\n.shared .align 4 .b8 h[64];\nret;\n}") == 0
    assert static(".extern .func (.param .b32 r) vprintf (.param .b64 a)\n;", body=call) == 0
    assert static(".extern .func (.param .b32 r) f (.param .b64 a)\n;", body=call) is None
    assert static(".extern .shared .align 4 .b8 elsewhere[40];") is None


def test_comments_and_text_are_passed_over() -> None:
    outside = (
        '// .visible .entry no() {\n/* .shared .align 4 .b8 no[4]; { */ .file 1 "a{b.cu"\n.global .b8 g[2] = {1, 2};'
    )
    assert static(outside, "// .shared .align 4 .b8 no[4];", "isspacep.shared %p1, %rd1;") == 0


def test_bounds_are_products() -> None:
    kernels = b".entry a() .maxntid 32, 4\n{ }\n.entry b()\n.reqntid 8 , 8, 2 .minnctapersm 4 { }"
    text = b".version 8.0\n.target sm_90a\n" + kernels
    a, b = ptx.read(text, "p").usages
    assert (a.kernel, a.arch, a.max_group_size, a.group_size) == ("a", "sm_90", 128, None)
    assert (b.kernel, b.line, b.max_group_size, b.group_size) == ("b", 5, None, 128)


@pytest.mark.parametrize(
    "line",
    [
        ".shared .align 4 .b8 a[4][4]",
        ".extern .func (",
        "{",
        "}",
        "{ }",
        '"',
        "/*",
        ".entry k(",
        ".entry k() .maxntid 1,1,1 {st.shared [v1];}\n.shared .b8 v1[4];",
        ".version 8.0\n",
        "[999999999]",
        " ",
    ],
)
def test_hostile_files_take_no_more_than_linear_time(line: str) -> None:
    data = (".version 8.0\n.target sm_80\n" + line * 5_000).encode()
    assert ptx.looks_like(data)
    quarter = data[: len(data) // 4]
    assert seconds(lambda: ptx.read(data, "p")) < 0.05 + 10 * seconds(lambda: ptx.read(quarter, "p"))


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(["nvrtc/sm_80.ptx", "triton/add_kernel_sm80.ptx", "made/smem_layout.ptx"]), st.data())
def test_no_damage_raises(name: str, data: st.DataObject) -> None:
    text = data.draw(damaged(samples()[name]))
    ptx.looks_like(text)
    assert all(usage.line >= 1 for usage in ptx.read(text, "p").usages)
