"""Grids that wait for blocks which cannot be resident: OCC010, its edit, and the line in hovers.

The truth is the documented limit of cooperative launches: the blocks that the occupancy API says an SM holds, times as
many SMs as there are.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hover import hover
from occupancy_lsp.features.markdown import markdown
from occupancy_lsp.session.holding_file import open_file
from occupancy_lsp.session.project import Project
from tests.support import text_of, view_of

SYNC = "cooperative_groups::this_grid().sync();"
STEP = f"__global__ void __launch_bounds__(256) k(float* p) {{ {SYNC} }}\n"
HELP = "__device__ void all(float* p) {{ {} }}\n"
HELPED = "__global__ void __launch_bounds__(256) k(float* p) { p[0] = 1; all(p); }\n"
PLAIN = "__global__ void __launch_bounds__(256) k(float* p) { p[0] = 1; }\n"
LARGE = "__global__ void __launch_bounds__(256) k(float* p) { __shared__ float s[12000]; BODY }\n"
READ = "s[threadIdx.x] = p[0]; __syncthreads(); p[threadIdx.x] = s[int(p[1])];"
HOST = "void run(float* p, int n, bool c) {{ void* a[] = {{&p}}; {} }}\n"
CALL = "cudaLaunchCooperativeKernel((void*)k, {}, 256, a);"
SET = """cudaLaunchConfig_t c = {}; c.gridDim = 1057; c.blockDim = 256; cudaLaunchAttribute at[2];
  at[0].id = cudaLaunchAttributeCooperative; at[0].val.cooperative = 1;
  c.attrs = at; c.numAttrs = 1; cudaLaunchKernelEx(&c, k, p);"""
ERROR, WARNING = ["error"], ["warning"]


def levels(source: str, device: str = "h100") -> list[str]:
    return [it.severity for it in diagnostics(view_of(source, device)) if it.code == "OCC010"]


# An H100 has 132 SMs, of 8 blocks of 256 threads if nothing else limits.
@pytest.mark.parametrize(
    ("kernel", "body", "expected"),
    [
        (PLAIN, CALL.format(1057), ERROR),
        (PLAIN, CALL.format(1056), []),
        (PLAIN, CALL.format("dim3(33, 33)"), ERROR),
        (PLAIN, CALL.format("n"), []),
        (PLAIN, "cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 256, 0); " + CALL.format("n * 132"), []),
        (PLAIN, f"if (false) {CALL.format(5000)}", []),
        (PLAIN, "k<<<5000, 256>>>(p);", []),
        (f"// occupancy: regs=64\n{PLAIN}", CALL.format(529), ERROR),  # 4 blocks
        (f"// occupancy: regs=64\n{PLAIN}", CALL.format(528), []),
        (LARGE.replace("BODY", READ), CALL.format(529), ERROR),  # 48 KB: 4 blocks
        (LARGE.replace("BODY", "float x = s[1];"), CALL.format(529), []),  # the array is dropped
        (PLAIN, SET, ERROR),
        (PLAIN, SET.replace("1057", "1056"), []),
        (PLAIN, SET.replace("cooperative = 1", "cooperative = 0"), []),
        (PLAIN, SET.replace("cooperative = 1", "cooperative = n"), []),
        (PLAIN, SET.replace("numAttrs = 1", "numAttrs = 0"), []),
        (PLAIN, SET.replace("numAttrs = 1", "numAttrs = n"), []),
        (PLAIN, SET.replace("at[0]", "at[1]"), []),  # not heeded
        (PLAIN, SET.replace("at[0]", "at[1]").replace("numAttrs = 1", "numAttrs = 2"), ERROR),
        (PLAIN, SET.replace("at[0].id", "if (c) at[0].id"), []),
        (PLAIN, SET.replace("c.attrs", "change(at); c.attrs"), []),
        (PLAIN, SET.replace("Cooperative;", "Priority;"), []),
        # A barrier of the kernel's own.
        (STEP, "k<<<1057, 256>>>(p);", WARNING),
        (STEP, "k<<<1056, 256>>>(p);", []),
        (STEP, f"k<<<5000, 256>>>(p); {CALL.format(64)}", []),
        (STEP.replace(SYNC, f"auto g = cg::this_grid(); if (g.is_valid()) {SYNC}"), "k<<<5000, 256>>>(p);", []),
        (STEP.replace(SYNC, "auto g = cg::this_grid(); g.sync();"), "k<<<5000, 256>>>(p);", WARNING),
        (STEP.replace(SYNC, "auto g = cg::this_grid(); cg::sync(g);"), "k<<<5000, 256>>>(p);", WARNING),
        (STEP.replace(SYNC, "p[cg::this_grid().block_rank()] = 1;"), "k<<<5000, 256>>>(p);", []),
        (STEP.replace("float* p)", "cub::GridBarrier b, float* p)").replace(SYNC, "b.Sync();"),
         "k<<<5000, 256>>>(b, p);", WARNING),
        # cub's `Setup` takes the grid by value.
        (STEP.replace("float* p)", "cub::GridBarrier b, float* p)").replace(SYNC, "b.Sync();"),
         "int g = 5000; cub::GridBarrierLifetime b; b.Setup(g); k<<<g, 256>>>(b, p);", WARNING),
        (STEP.replace("float* p)", "cub::GridBarrier b, float* p)").replace(SYNC, "b.Sync();"),
         "int g = 5000; OwnLifetime b; b.Setup(g); k<<<g, 256>>>(b, p);", []),
        (STEP.replace(SYNC, "while (atomicAdd(p, 0) < gridDim.x);"), "k<<<5000, 256>>>(p);", WARNING),
        (STEP.replace(SYNC, "while (*(volatile float*)p < gridDim.x) { __nanosleep(9); }"),
         "k<<<5000, 256>>>(p);", WARNING),
        (STEP.replace(SYNC, "int t; while ((t = atomicAdd(p, 1)) < gridDim.x) p[t] = 1;"), "k<<<5000, 256>>>(p);", []),
        (STEP.replace(SYNC, f"// {SYNC}\n"), "k<<<5000, 256>>>(p);", []),
        # In functions that it calls.
        (HELP.format(SYNC) + HELPED, "k<<<1057, 256>>>(p);", WARNING),
        (HELP.format(SYNC) + HELPED, "k<<<1056, 256>>>(p);", []),
        (HELP.format(SYNC) + HELPED, f"k<<<5000, 256>>>(p); {CALL.format(64)}", []),
        (HELP.format("if (threadIdx.x == 0) while (atomicAdd(p, 0) < gridDim.x); __syncthreads();") + HELPED,
         "k<<<5000, 256>>>(p);", WARNING),
        (HELP.format(f"auto g = cg::this_grid(); if (g.is_valid()) {SYNC}") + HELPED, "k<<<5000, 256>>>(p);", []),
        (HELP.format(SYNC) + HELPED.replace("all(p)", "if (false) all(p)"), "k<<<5000, 256>>>(p);", []),
        (HELP.format(f"if (sizeof(float) == 8) {SYNC}") + HELPED, "k<<<5000, 256>>>(p);", []),
        (HELP.format(SYNC) + PLAIN, "k<<<5000, 256>>>(p);", []),
        (HELP.format(SYNC) + "__device__ void more(float* p) { all(p); }\n" + HELPED.replace("all(p)", "more(p)"),
         "k<<<5000, 256>>>(p);", WARNING),
        ("__device__ void all(cg::grid_group g) { g.sync(); }\n" + HELPED.replace("(p)", "(cg::this_grid())"),
         "k<<<5000, 256>>>(p);", WARNING),
        (f"template <bool ALL> __device__ void all(float* p) {{ if constexpr (ALL) {SYNC} }}\n"
         + HELPED.replace("all(", "all<true>("), "k<<<5000, 256>>>(p);", WARNING),
        (f"template <bool ALL> __device__ void all(float* p) {{ if constexpr (ALL) {SYNC} }}\n"
         + HELPED.replace("all(", "all<false>("), "k<<<5000, 256>>>(p);", []),
    ],
)  # fmt: skip
def test_more_blocks_than_can_be_resident(kernel: str, body: str, expected: list[str]) -> None:
    assert levels(kernel + HOST.format(body)) == expected


def test_nothing_is_said_where_the_number_of_units_is_not_known() -> None:
    assert levels(PLAIN + HOST.format(CALL.format(99999)), "sm_90") == []


def test_each_instance_has_its_own_limit() -> None:
    kernel = "template <int T> __global__ void __launch_bounds__(T) k(float* p) { p[0] = 1; }\n"
    call = "cudaLaunchCooperativeKernel((void*)k<{}>, {}, {}, a);"
    body = call.format(128, 2112, 128) + call.format(128, 2113, 128) + call.format(1024, 265, 1024)
    found = [it.message for it in diagnostics(view_of(kernel + HOST.format(body), "h100")) if it.code == "OCC010"]
    assert found == [
        f"a cooperative launch of {asked} blocks; H100 SXM5 holds at most {most} at once: it fails"
        for asked, most in ((2113, 2112), (265, 264))
    ]


@pytest.mark.parametrize(
    ("regs", "grid", "after"),
    [
        ("regs=40", "dim3 g(1000); " + CALL.format("g"), "dim3 g(792); " + CALL.format("g")),  # 6 blocks
        ("regs=40", CALL.format("1000"), CALL.format("792")),
        ("regs=40", "k<<<1000, 1000>>>(p); " + CALL.format("1000"), "k<<<1000, 1000>>>(p); " + CALL.format("792")),
        ("regs=40", "n = 1000; k<<<n, 64>>>(p); " + CALL.format("n"), None),  # of another launch, too
        ("block=256", CALL.format("2000"), None),  # how many fit is not known
    ],
)
def test_the_largest_grid_that_fits_is_offered(regs: str, grid: str, after: str | None) -> None:
    kernel = f"// occupancy: {regs}\n" + PLAIN.replace("__launch_bounds__(256)", "")
    view = view_of(kernel + HOST.format(grid), "h100")
    found = [it for it in actions(view, 0, len(view.text.content)) if "at once" in it.title]
    assert len({it.title for it in found}) == (after is not None)
    for it in found:
        text = view.text.content
        for edit in sorted(it.edits, key=lambda each: -each.start):
            text = text[: edit.start] + edit.new.encode() + text[edit.end :]
        assert text.decode() == kernel + HOST.format(after)
        assert it.title == "Launch 792 blocks, as many as H100 SXM5 holds at once"


def test_the_hover_tells_how_many_can_be_resident() -> None:
    def said(body: str, kernel: str = STEP) -> str:
        view = view_of(kernel + HOST.format(body), "h100")
        found = hover(view, view.text.content.index(b"k(float"))
        assert found is not None
        lines = [it for it in markdown(found.prose).splitlines() if "can be resident" in it]
        return "".join(lines)

    room = "At most 1056 blocks can be resident on H100 SXM5 (132 SMs × 8)"
    open_ends = f"{room}, and 132 whatever is not known"
    assert said(CALL.format("n")) == f"{open_ends}. A cooperative launch of more fails."
    assert said("k<<<n, 256>>>(p);") == f"{open_ends}. With more, its grid-wide barrier never ends."
    assert said("k<<<n, 256>>>(p);", PLAIN) == ""
    exact = said(CALL.format("n"), f"// occupancy: regs=32 barriers=1\n{STEP}")
    assert exact == f"{room}. A cooperative launch of more fails."


def test_the_hint_tells_it_too() -> None:
    view = view_of(PLAIN + HOST.format(CALL.format(1057)), "h100")
    assert text_of(view.reports[0]) == "no launch: 1057>1056 at once"


def test_on_amd() -> None:
    kernel = "#include <hip/hip_runtime.h>\n__global__ void __launch_bounds__(1024) k(float* p) { p[0] = 1; }\n"

    def found(grid: int) -> list[str]:
        call = f"hipLaunchCooperativeKernel((void*)k, dim3({grid}), dim3(1024), a, 0, 0);"
        project = Project(None, None, {"devices": ["mi210"]})
        view = open_file(Path("k.hip"), "", Text((kernel + HOST.format(call)).encode()), project).view()
        assert view is not None
        return [it.message for it in diagnostics(view) if it.code == "OCC010"]

    # 104 CUs with 32 waves each, 16 of which are a work-group.
    assert found(208) == []
    assert found(209) == ["a cooperative launch of 209 work-groups; Instinct MI210 holds at most 208 at once: it fails"]


CUPY = f"""import cupy
k = cupy.RawKernel(r'''extern "C" {PLAIN}''', "k"ASKED)
k((GRID,), (256,), (x,))
"""
CORE = f"""from cuda.core import Program, LaunchConfig, launch
k = Program(r'''extern "C" {PLAIN}''', "c++").compile("cubin").get_kernel("k")
launch(stream, LaunchConfig(grid=GRID, block=256ASKED), k, x)
"""
NUMBA = """from numba import cuda
@cuda.jit(launch_bounds=256)
def k(x):
    g = cuda.cg.this_grid()
    ASKED
    x[0] = 1
k[GRID, 256](x)
"""


@pytest.mark.parametrize(
    ("source", "asked"),
    [(CUPY, ", enable_cooperative_groups=True"), (CORE, ", cooperative_launch=True"), (NUMBA, "g.sync()")],
)
def test_in_python(source: str, asked: str) -> None:
    def found(asked: str, grid: int) -> list[str]:
        text = source.replace("ASKED", asked).replace("GRID", str(grid))
        project = Project(None, None, {"devices": ["h100"]})
        views = open_file(Path("k.py"), "", Text(text.encode()), project).views()
        return [it.severity for view in views for it in diagnostics(view) if it.code == "OCC010"]

    assert found(asked, 1056) == found("", 1057) == []
    assert found(asked, 1057) == ERROR
