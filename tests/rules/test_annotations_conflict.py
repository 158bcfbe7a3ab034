"""OCC004 and OCC009: what no compiler takes is reported in its words, and the hint has no figure.

Each was compiled with nvcc 13.0 and 13.5 for sm_90a, or with clang 22 for gfx942 and gfx1250.
"""

from __future__ import annotations

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.support import check, text_of, view_of


def _hints(view: View) -> list[str | None]:
    return [text_of(it) for it in view.reports]


def test_bounds_and_a_cap_of_registers() -> None:
    view = check(
        """
        __global__ void __launch_bounds__(256) __maxnreg__(64) one(float *p) { p[0] = 1; }
        //              ^^^^^^^^^^^^^^^^^^^^^^ error OCC009: nvcc: __launch_bounds__ and __maxnreg__ cannot be applied to the same kernel
        __global__ void __launch_bounds__(256) two(float *p);
        __global__ void __maxnreg__(64) two(float *p) { p[0] = 1; }
        //                              ^^^ error OCC009: nvcc: __launch_bounds__ and __maxnreg__ cannot be applied to the same kernel
        template <int N> __global__ void __maxnreg__(64) __launch_bounds__(N) three(float *p) { p[0] = 1; }
        //                                               ^^^^^^^^^^^^^^^^^^^^ error OCC009: nvcc: __launch_bounds__ and __maxnreg__ cannot be applied to the same kernel
        void run(float *p) { three<128><<<1, 128>>>(p); }
        """  # noqa: E501
    )
    assert _hints(view) == ["no launch: does not compile"] * 3


def test_which_may_stand_together() -> None:
    check(
        """
        __global__ void __block_size__((256, 1, 1)) __maxnreg__(64) a(float *p) { p[0] = 1; }
        __global__ void __block_size__((256, 1, 1)) __launch_bounds__(0, 2) b(float *p) { p[0] = 1; }
        #if SOME_BUILD
        __global__ void __launch_bounds__(256) __maxnreg__(64) c(float *p) { p[0] = 1; }
        #endif
        """
    )


def test_a_size_and_bounds() -> None:
    """13.5 compiles the first."""
    view = check(
        """
        __global__ void __block_size__((256, 1, 1)) __launch_bounds__(512, 2) a(float *p) { p[0] = 1; }
        //              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning OCC009: nvcc before 13.1: .maxntid and .reqntid cannot both be specified
        __global__ void __block_size__((256, 1, 1)) __launch_bounds__(128) b(float *p) { p[0] = 1; }
        //              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error OCC009: nvcc: the 256 threads of __block_size__ exceed the limit of __launch_bounds__, 128
        """  # noqa: E501
    )
    assert _hints(view)[1] == "no launch: does not compile"


@pytest.mark.parametrize(
    ("device", "compiles"), [("mi300x", False), ("mi210", False), ("gfx1100", False), ("gfx1250", True)]
)
def test_clusters_on_amd(device: str, compiles: bool) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n__global__ void __cluster_dims__(4, 1, 1) k(float *x) { x[threadIdx.x] = 1; }\n"
    )
    project = Project(None, None, {"devices": [device]})
    view = OpenFile(None, "hip", Text(text.encode()), project).view()
    assert view is not None
    said = "__cluster_dims__ is not supported for this GPU architecture, says clang for"
    found = [it.code for it in diagnostics(view) if it.message.startswith(said)]
    assert found == ([] if compiles else ["OCC004"])
    assert (_hints(view) == ["no launch: does not compile"]) is not compiles


def test_clusters_that_nvcc_rejects_have_no_figure() -> None:
    text = (
        "__global__ void __cluster_dims__(2, 1, 1) k(float *p) { p[0] = 1; }\nvoid run(float *p) { k<<<8, 9>>>(p); }\n"
    )
    assert _hints(view_of(text, "sm_80")) == ["no launch: does not compile"]


def test_two_sizes_of_clusters() -> None:
    view = check(
        """
        __global__ void __block_size__((64, 2, 1), (2, 1, 1)) __cluster_dims__(2, 1, 1) a(float *p) { p[0] = 1; }
        //              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error OCC009: nvcc: cannot specify the second tuple in __block_size__ while __cluster_dims__ is present
        __global__ void __block_size__((64, 2, 1), (1, 1, 1)) b(float *p);
        __global__ void __cluster_dims__(1, 1, 1) b(float *p) { p[0] = 1; }
        //                                        ^ error OCC009: nvcc: cannot specify the second tuple in __block_size__ while __cluster_dims__ is present
        __global__ void __block_size__((64, 2, 1)) __cluster_dims__(2, 1, 1) c(float *p) { p[0] = 1; }
        __global__ void __block_size__((64, 2, 1), (2, 1, 1)) d(float *p) { p[0] = 1; }
        """  # noqa: E501
    )
    assert [it == "no launch: does not compile" for it in _hints(view)] == [True, True, False, False]


def test_an_exact_size_of_clusters_beside_a_bound_of_it_has_no_figure() -> None:
    text = (
        "__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256, 1, 4) a(float *p) { p[0] = 1; }\n"
        "__global__ void __block_size__((64, 1, 1), (8, 1, 1)) __launch_bounds__(64, 1, 4) b(float *p) { p[0] = 1; }\n"
        "__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256, 1, 0) c(float *p) { p[0] = 1; }\n"
    )
    assert [it == "no launch: does not compile" for it in _hints(view_of(text))] == [True, True, False]


@pytest.mark.parametrize(
    ("head", "device", "says"),
    [
        ("__maxnreg__(0)", "h100", "0 registers: the compiler accepts only positive numbers"),
        ("__cluster_dims__(0, 1, 1)", "h100", "0 blocks in a cluster: the compiler accepts only positive numbers"),
        ("__cluster_dims__(2, -1, 1)", "h100", "-1 blocks in a cluster: the compiler accepts only positive numbers"),
        ("__block_size__((64, 0, 1))", "h100", "0 threads: the compiler accepts only positive numbers"),
        ("__launch_bounds__(0)", "mi210", "bounds of 0 threads: the compiler rejects them"),
        (
            "__attribute__((amdgpu_flat_work_group_size(128, 64)))",
            "mi210",
            "at least 128 and at most 64 threads: the compiler rejects it",
        ),
        (
            "__attribute__((amdgpu_waves_per_eu(4, 2)))",
            "mi210",
            "at least 4 and at most 2 waves per SIMD: the compiler rejects it",
        ),
    ],
)
def test_numbers_that_no_compiler_takes(head: str, device: str, says: str) -> None:
    """nvcc 13.0; clang 15."""
    text = f"__global__ void {head} k(float *p) {{ p[0] = 1; }}\nvoid run(float *p) {{ k<<<8, 64>>>(p); }}\n"
    language = "cuda" if device == "h100" else "hip"
    view = OpenFile(None, language, Text(text.encode()), Project(None, None, {"devices": [device]})).view()
    assert view is not None
    found = diagnostics(view)
    assert [it.message for it in found if it.code == "OCC006"] == [says]
    assert _hints(view) == ["no launch: does not compile"]


def test_an_instance_with_a_number_that_no_compiler_takes() -> None:
    text = (
        "template <int N> __global__ void __cluster_dims__(N, 1, 1) k(float *p) { p[0] = 1; }\n"
        "void run(float *p) { k<0><<<8, 64>>>(p); }\n"
    )
    assert [it.code for it in diagnostics(view_of(text))] == ["OCC006"]
