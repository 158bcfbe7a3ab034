"""Bounds that stand at another declaration than the definition, and which of several count.

What is expected for CUDA is what nvcc 13.0 writes into PTX: `.maxntid`, `.minnctapersm`, `.maxclusterrank`; `.maxnreg`,
`.reqntid`, `.reqnctapercluster`. For AMD and OpenCL it is what clang 22 writes for gfx90a, `.max_flat_workgroup_size`
and `.reqd_workgroup_size`, and by the VGPRs of a kernel that needs many, how many waves it heeds.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue
from occupancy_lsp.source.lex.dialect import CUDA, HIP, OPENCL, Dialect
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros
from occupancy_lsp.source.syntax.known_value import Dimensions, Place
from tests.support import check

_BODY = "{ if (o) o[0] = 1; }"
_AMD = {"__AMDGCN__": 1, "__gfx90a__": 1, "__GFX9__": 1, "__HIP_DEVICE_COMPILE__": 1}
_OPEN = "?"
_Number = int | str | None


def _kernels(text: str, dialect: Dialect, macros: dict[str, int]) -> dict[str, Kernel]:
    """By their template arguments. `K`: `__global__ void`, `B`: a body."""
    said = text.replace(" B", f" {_BODY}").replace("K ", "__global__ void ")
    content = said.encode()
    source = Source(content, with_annotation_macros(dialect, macro_summary_lines(content)))
    found = source.facts(macros).kernels
    return {each.arguments or each.specialises: each for it in found for each in it.instances or (it,)}


def _number(given: AttributeValue | None) -> _Number:
    value = given.value if given is not None else None
    return None if value is None or value.number == 0 else _OPEN if value.number is None else value.number


def _bounds(kernel: Kernel) -> tuple[_Number, ...]:
    bounds = kernel.attributes.bounds
    each = (bounds.max_threads, bounds.min_groups, bounds.max_cluster) if bounds else (None,) * 3
    return tuple(map(_number, each))


def _sizes(given: tuple[Place, Dimensions] | None) -> list[int | None] | None:
    return [it.number for it in given[1]] if given else None


_SAME = (
    ("K __launch_bounds__(128, 8) k(float *o); K k(float *o) B", "", (128, 8)),
    ("K __launch_bounds__(128, 8) k(float *o); K __launch_bounds__(256, 2) k(float *o) B", "", (256, 2)),
    ("K __launch_bounds__(128, 8) k(float *o); K __launch_bounds__(256) k(float *o) B", "", (256, 8)),
    ("K __launch_bounds__(128) k(float *o); K __launch_bounds__(256, 2) k(float *o) B", "", (256, 2)),
    ("K __launch_bounds__(128, 8) k(float *o); K __launch_bounds__(256, 0) k(float *o) B", "", (256, None)),
    ("K __launch_bounds__(128, 8) k(float *); K __launch_bounds__(64) k(float *); K k(float *o) B", "", (64, 8)),
    ("K __launch_bounds__(128, 8) k(float *); K k(float *o); K k(float *o) B", "", (128, 8)),
    ("K k(float *); K __launch_bounds__(128, 8) k(float *o) B K k(float *);", "", (128, 8)),
    ("struct S { friend K __launch_bounds__(128, 8) k(float *o); }; K k(float *o) B", "", (128, 8)),
    ("K __launch_bounds__(128, 8) k(float *o); K k(double *o) B K k(float *o, int) B", "", (None, None)),
    ("K __launch_bounds__(128, 8) k(float *o), l(float *o); K k(float *o) B", "", (128, 8)),
    ('extern "C" K __launch_bounds__(128, 8) k(float *o); extern "C" K k(float *o) B', "", (128, 8)),
    ("namespace n { K __launch_bounds__(128, 8) k(float *o); } K n::k(float *o) B", "", (128, 8)),
    ("namespace n { K __launch_bounds__(128, 8) k(float *o); } K k(float *o) B", "", (None, None)),
    ("typedef void F(float *); __global__ __launch_bounds__(128, 8) F k; K k(float *o) B", "", (128, 8)),
    ("#define N 128\n#define W __launch_bounds__(N, 8)\nK W k(float *o);\nK k(float *o) B", "", (128, 8)),
    ("#define W(n) __launch_bounds__(n, 8)\n__global__ W(128) void k(float *o);\nK k(float *o) B", "", (128, 8)),
    ("#if SOME\nK __launch_bounds__(128, 8) k(float *o);\n#endif\nK k(float *o) B", "", (_OPEN, _OPEN)),
    ("#if 0\nK __launch_bounds__(128, 8) k(float *o);\n#endif\nK k(float *o) B", "", (None, None)),
    # Full specialisations start from their template's bounds; explicit instantiations add to them.
    (
        "template <int T> K __launch_bounds__(T, 2) k(float *o) B template <> K k<128>(float *o) B",
        "128",
        (128, 2),
    ),
    (
        "template <int T> K __launch_bounds__(T, 2) k(float *o) B"
        " template <> K __launch_bounds__(64) k<128>(float *o) B",
        "128",
        (64, 2),
    ),
    (
        "template <int T> K k(float *o) B template <> K __launch_bounds__(128, 4) k<128>(float *o);"
        " template <> K k<128>(float *o) B",
        "128",
        (128, 4),
    ),
    ("template <class T> K __launch_bounds__(128) k(T *o); template <> K k<float>(float *o) B", "", (128, None)),
    # Nor is a full specialisation what a declaration of its template means.
    (
        "template <int T> K __launch_bounds__(128, 8) k(float *o); template <int T> K k(float *o) B"
        " template <> K __launch_bounds__(256) k<64>(float *o) B template K k<32>(float *);",
        "32",
        (128, 8),
    ),
    ("template <int T> K k(float *o) B template K __launch_bounds__(128, 4) k<128>(float *);", "128", (128, 4)),
    (
        "template <int T> K k(float *o) B template K __launch_bounds__(128, 4) k<128>(float *);"
        " template K k<64>(float *);",
        "64",
        (None, None),
    ),
    (
        "template <int T> K __launch_bounds__(128, 8) k(float *o); template <int T> K k(float *o) B"
        " template K k<64>(float *);",
        "64",
        (128, 8),
    ),
)


@pytest.mark.parametrize(("dialect", "macros"), [(CUDA, {}), (HIP, _AMD)])
@pytest.mark.parametrize(("text", "instance", "expected"), _SAME)
def test_bounds_of_another_declaration_hold(
    text: str, instance: str, expected: tuple[_Number, ...], dialect: Dialect, macros: dict[str, int]
) -> None:
    assert _bounds(_kernels(text, dialect, macros)[instance])[:2] == expected


@pytest.mark.parametrize(
    ("text", "instance", "by_nvcc", "on_amd"),
    [
        # nvcc heeds what stands behind the definition, and the last of two; clang neither.
        ("K k(float *o) B K __launch_bounds__(128, 8) k(float *o);", "", (128, 8), (None, None)),
        (
            "K __launch_bounds__(256, 2) k(float *o) B K __launch_bounds__(128, 8) k(float *o);",
            "",
            (128, 8),
            (256, 2),
        ),
        ("K __launch_bounds__(128, 8) __launch_bounds__(256) k(float *o) B", "", (256, 8), (128, 8)),
        ("K __launch_bounds__(128) __launch_bounds__(256, 2) k(float *o) B", "", (256, 2), (128, 2)),
        (
            "template <int T> K __launch_bounds__(T, 2) k(float *o) B"
            " template K __launch_bounds__(64, 4) k<128>(float *);",
            "128",
            (64, 4),
            (128, 2),
        ),
        # That of a template counts where the instance is made behind it.
        (
            "template <int T> K k(float *o) B template <int T> K __launch_bounds__(T, 2) k(float *o);"
            " template K k<128>(float *);",
            "128",
            (_OPEN, _OPEN),
            (None, None),
        ),
        # clang 22 makes it 1 there, whatever T is.
        (
            "template <int U> K __launch_bounds__(U, 2) k(float *o); template <int T> K k(float *o) B"
            " template K k<128>(float *);",
            "128",
            (128, 2),
            (_OPEN, _OPEN),
        ),
        # Clang's own attribute does nothing on AMD, where HIP's macro stands for others.
        ("__attribute__((launch_bounds(256, 8))) K k(float *o) B", "", (256, 8), (None, None)),
        ("K k(float *o) __attribute__((launch_bounds(256, 8))); K k(float *o) B", "", (256, 8), (None, None)),
        ("#define W __attribute__((launch_bounds(256, 8)))\nK W k(float *o) B", "", (256, 8), (None, None)),
    ],
)
def test_compilers_differ(text: str, instance: str, by_nvcc: tuple[_Number, ...], on_amd: tuple[_Number, ...]) -> None:
    assert _bounds(_kernels(text, CUDA, {})[instance])[:2] == by_nvcc
    assert _bounds(_kernels(text, HIP, {})[instance])[:2] == by_nvcc  # where hipcc calls nvcc
    assert _bounds(_kernels(text, HIP, _AMD)[instance])[:2] == on_amd


def test_what_else_nvcc_takes_from_declarations() -> None:
    def one(text: str, instance: str = "") -> Kernel:
        return _kernels(text, CUDA, {})[instance]

    assert _number(one("K __maxnreg__(64) k(float *o); K k(float *o) B").attributes.max_registers) == 64
    assert _number(one("K __maxnreg__(64) k(float *o) B K __maxnreg__(96) k(float *o);").attributes.max_registers) == 96
    special = "template <int T> K __maxnreg__(T) k(float *o) B template <> K k<64>(float *o) B"
    assert _number(one(special, "64").attributes.max_registers) == 64
    assert _number(one("__attribute__((maxnreg(64))) K k(float *o) B").attributes.max_registers) == 64
    assert _sizes(one("K __cluster_dims__(4, 1, 1) k(float *o); K k(float *o) B").attributes.cluster) == [4, 1, 1]
    assert _sizes(one("__attribute__((cluster_dims(4, 1, 1))) K k(float *o) B").attributes.cluster) == [4, 1, 1]
    made = "template <int T> K k(float *o) B template K __cluster_dims__(T, 1, 1) k<4>(float *o);"
    assert _sizes(one(made.replace("(T", "(4"), "4").attributes.cluster) == [4, 1, 1]
    sized = one("K __block_size__((128, 1, 1), (2, 1, 1)) k(float *o); K k(float *o) B")
    assert (_sizes(sized.attributes.block), _sizes(sized.attributes.cluster)) == ([128, 1, 1], [2, 1, 1])
    again = one("K __block_size__((128, 1, 1), (2, 1, 1)) k(float *o); K __block_size__((64, 1, 1)) k(float *o) B")
    assert (_sizes(again.attributes.block), _sizes(again.attributes.cluster)) == ([64, 1, 1], None)
    clusters = "K __launch_bounds__(128, 8, 4) k(float *o); K __launch_bounds__(256, 2) k(float *o) B"
    assert _bounds(one(clusters)) == (256, 2, 4)


_SIZED = "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global float *o)"
_PLAIN = "kernel void k(global float *o)"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (f"{_SIZED}; {_PLAIN} B", 64),
        (f"{_PLAIN} __attribute__((reqd_work_group_size(64, 1, 1))); {_PLAIN} B", 64),
        (f"{_SIZED}; {_SIZED.replace('64', '128')} B", 128),
        (f"{_PLAIN} B {_SIZED};", None),
    ],
)
def test_opencl(text: str, size: int | None) -> None:
    found = _sizes(_kernels(text, OPENCL, {})[""].attributes.block)
    assert found == ([size, 1, 1] if size else None)


def test_amd_takes_its_own_attributes_from_declarations() -> None:
    flat, few = "__attribute__((amdgpu_flat_work_group_size(1, 64)))", "__attribute__((amdgpu_num_vgpr(40)))"
    kernel = _kernels(f"{flat} {few} K k(float *o); K k(float *o) B", HIP, _AMD)[""]
    assert (_number(kernel.attributes.flat_size), _number(kernel.attributes.num_vgpr)) == (64, 40)
    # HIP's macro stands for the same attribute: that of the definition counts.
    bounded = _kernels(f"{flat} K k(float *o); K __launch_bounds__(256, 2) k(float *o) B", HIP, _AMD)[""]
    assert (bounded.attributes.flat_size, _bounds(bounded)[:2]) == (None, (256, 2))


def test_of_a_header(tmp_path: Path) -> None:
    (tmp_path / "k.cuh").write_text("#pragma once\n__global__ void __launch_bounds__(128, 8) step(float *x);\n")
    check(
        """
        #include "k.cuh"
        __global__ void step(float *x) { x[threadIdx.x] = 1; }
        void go(float *x) {
          step<<<1, 256>>>(x);
        //          ^^^ error OCC005: 256 threads; the kernel's launch bounds allow 128: the launch fails
        }
        """,
        path=tmp_path / "k.cu",
    )


_LINES = st.sampled_from(
    (
        "__global__ void __launch_bounds__(128, 8) k(float *o);",
        "__global__ void __launch_bounds__(N) k(float *o);",
        "__global__ void __launch_bounds__(64, 2) k(int *o);",
        "constexpr int N = 32;",
        "#define N 96",
        "#if N > 64",
        "#endif",
        "namespace n {",
        "}",
        f"__global__ void k(float *o) {_BODY}",
        f"__global__ void __launch_bounds__(512) k(float *o) {_BODY}",
        f"template <int T> __global__ void __launch_bounds__(T, 4) t(float *o) {_BODY}",
        f"template <> __global__ void t<32>(float *o) {_BODY}",
        "template __global__ void __launch_bounds__(16) t<8>(float *o);",
    )
)
_Edit = tuple[int, int, str]  # where, how many lines go, and what comes


def _said(source: Source) -> list[object]:
    each = source.facts({}).kernels
    return [(it.name, source.start_of(it.item), *map(_bounds, (it, *it.instances))) for it in each]


@given(st.lists(_LINES, max_size=10), st.lists(st.tuples(st.integers(0, 10), st.integers(0, 2), _LINES), max_size=6))
def test_after_edits_they_hold_as_in_a_fresh_file(lines: list[str], edits: list[_Edit]) -> None:
    now = [*lines]
    source = Source(_text(now), CUDA)
    for at, gone, new in edits:
        at = min(at, len(now))
        above, come, left = _text(now[:at]), _text([new]), _text(now[at : at + gone])
        now[at : at + gone] = [new]
        source.replace(_text(now), len(above), len(above) + len(left), len(above) + len(come))
        assert _said(source) == _said(Source(_text(now), CUDA))


def _text(lines: list[str]) -> bytes:
    return "".join(f"{it}\n" for it in lines).encode()
