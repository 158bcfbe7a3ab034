"""Files that do not compile as a whole: what their kernels need of them does, and counts as the whole would.

The truth is a real nvcc's count of a text without what is missing. What must be missing has a name that no library
gives a header (`of_mine`), so that it is missing on every machine, whatever lies in its system's folders.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from occupancy_lsp.cli.commands import compile as command
from occupancy_lsp.cli.commands.sources import Projects, sources
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.usage import Reading
from occupancy_lsp.session import compilations
from occupancy_lsp.session.compilations import compilation
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from tests.presets import CATALOGUE

KERNELS = """\
struct Complex { float x, y; __device__ Complex operator*(Complex o) const { return {x * o.x - y * o.y, x * o.y}; } };
__constant__ float table[64];
template <class T> __device__ T twice(T x) { return x + x * table[threadIdx.x]; }
__global__ void first(Complex* p) { p[threadIdx.x] = p[threadIdx.x] * p[threadIdx.x + 1]; }
template <class T, int N> __global__ void second(T* p) {
    __shared__ T s[N];
    s[threadIdx.x] = twice(p[threadIdx.x]);
    __syncthreads();
    p[threadIdx.x] = s[N - 1 - threadIdx.x];
}
"""
HOST = """\
cublasStatus_t status;
static void check(cublasStatus_t s, const char* file) { if (s != CUBLAS_STATUS_SUCCESS) throw s; }
void run(cublasHandle_t handle, double* d) {
    check(cublasSetStream(handle, 0), __FILE__);
    second<double, 128><<<1, 128>>>(d);
}
"""


def compiled(workspace: Path, file: str, device: str = "sm_90", only: Sequence[str] = ()) -> Reading:
    """As the tool compiles a file that is open. `only`: as it does after an edit of these kernels."""
    project = Project(workspace, None, {"devices": [device]})
    assert project.index is not None
    project.index.build(lambda: False, lambda done, of: None)
    path = workspace / file
    view = OpenFile(path, "", Text(path.read_bytes()), project).view()
    assert view is not None
    wanted = compilation(path, view.source.dialect, CATALOGUE.find(device), project, view.facts)
    wanted = replace(wanted, only=frozenset(only))
    return wanted.run(lambda: False, lambda step: None)


def counts(reading: Reading) -> dict[str, tuple[int | None, ...]]:
    return {it.kernel: (it.registers, it.static_local, it.stack, it.spill_stores) for it in reading.usages}


def left(reading: Reading) -> list[str]:
    return [it.message.removeprefix("not compiled: ") for it in reading.problems]


def test_a_library_of_the_host_is_missing(workspace: Path) -> None:
    (workspace / "k.cu").write_text(f"#include <cublas_of_mine.h>\n{KERNELS}{HOST}")
    (workspace / "plain.cu").write_text(f"{KERNELS}template __global__ void second<double, 128>(double*);\n")
    reading = compiled(workspace, "k.cu")
    assert counts(reading) == counts(compiled(workspace, "plain.cu"))
    assert len(reading.usages) == 2 and not reading.problems
    assert reading.usages[0].how == (
        "compiled here with the compiler's defaults, for no build file tells its flags; of the file only what its "
        "kernels need, without cublas_of_mine.h"
    )


def test_what_a_missing_library_brings_of_the_toolkit(workspace: Path) -> None:
    kernel = "__global__ void k(__nv_bfloat16* p, cuFloatComplex c) { p[0] = p[1] * __nv_bfloat16(c.x); }\n"
    (workspace / "k.cu").write_text(f"#include <cublas_of_mine.h>\n{kernel}cublasHandle_t handle;\n")
    (workspace / "plain.cu").write_text(f"#include <cuComplex.h>\n#include <cuda_bf16.h>\n{kernel}")
    reading = compiled(workspace, "k.cu")
    assert counts(reading) == counts(compiled(workspace, "plain.cu")) and len(reading.usages) == 1


@pytest.mark.parametrize("header", ["of_mine.h", "torch/of_mine.h"])
def test_what_a_missing_header_brings_of_the_language(workspace: Path, header: str) -> None:
    text = """\
__device__ __half* half_of(float* p) { return (__half*)p; }
template <class T> __device__ T least(uint32_t* p) { return T(*p % CHAR_BIT) - std::numeric_limits<T>::max(); }
__global__ void k(float* p, uint32_t* q) {
    *p = std::is_same<float, double>::value ? FLT_MAX : least<float>(q) * float(*half_of(p));
}
"""
    names = ("cfloat", "climits", "cstdint", "limits", "type_traits", "cuda_fp16.h")
    own = "".join(f"#include <{it}>\n" for it in names)
    (workspace / "k.cu").write_text(f"#include <{header}>\n{text}")
    (workspace / "whole.cu").write_text(f"{own}{text}")
    assert counts(compiled(workspace, "k.cu")) == counts(compiled(workspace, "whole.cu")) != {}


@pytest.mark.parametrize(
    ("headers", "versions"),
    [
        ("#include <of_mine.h>\n", {0, 256}),
        ("#include <of_mine.h>\n#include <cuda.h>\n", {256}),
        ("#ifdef WITH_DRIVER\n#include <cuda.h>\n#endif\n#include <torch/csrc/of_mine.h>\n", {0, 256}),
        ("#include <ATen/ATen.h>\n", {256}),
        ("#include <gtest/of_mine.h>\n", {0}),  # which knows nothing of CUDA
    ],
)
def test_a_missing_header_may_include_that_of_the_driver(workspace: Path, headers: str, versions: set[int]) -> None:
    """Which has its version; nvcc itself includes the runtime's alone."""
    body = f"#if CUDA_VERSION >= 8000\n{WIDE}\n#endif\n"
    (workspace / "k.cu").write_text(f"{headers}__global__ void k(float* p) {{\n{body}p[0] = 1;\n}}\n")
    assert {it.static_local for it in compiled(workspace, "k.cu").usages} == versions


def test_a_namespace_that_a_macro_names(workspace: Path) -> None:
    """And kernels in unnamed ones, which nvcc calls otherwise in each way."""
    (workspace / "own.h").write_text(
        "namespace own { namespace NS { template <int N> __device__ void fill(float* p) { p[threadIdx.x] = N; } } }\n"
    )
    (workspace / "Makefile").write_text("k.o: k.cu\n\tnvcc -DNS=here -c k.cu -o k.o\n")
    kernel = "namespace { using own::here::fill; __global__ void k(float* p) { fill<4>(p); } }\n"
    ask = "#ifdef WIDE\nint wide;\n#endif\n"
    (workspace / "k.cu").write_text(
        f'#include <of_mine.h>\n#include "own.h"\n{ask}{kernel}void f() {{ k<<<1, 1>>>(0); }}\n'
    )
    (usage,) = compiled(workspace, "k.cu").usages
    assert usage.registers and not usage.way


def test_headers_of_the_workspace_are_cut_down_too(workspace: Path) -> None:
    (workspace / "include").mkdir()
    (workspace / "include" / "kernels.cuh").write_text(f"#pragma once\n#include <cublas_of_mine.h>\n{KERNELS}")
    (workspace / "k.cu").write_text(f'#include "include/kernels.cuh"\n{HOST}')
    (workspace / "plain.cu").write_text(f"{KERNELS}template __global__ void second<double, 128>(double*);\n")
    assert counts(compiled(workspace, "k.cu")) == counts(compiled(workspace, "plain.cu"))


def test_a_toolkits_header_is_not_one_of_the_workspace(workspace: Path) -> None:
    """Though the workspace has one of that name, in the folder of another header that the file includes."""
    for folder, name, text in (("include", "own.h", "#define OWN 1\n"), ("include", "cuda.h", "#error none of it\n")):
        (workspace / folder).mkdir(exist_ok=True)
        (workspace / folder / name).write_text(text)
    kernel = "__global__ void k(float* p) { p[0] = OWN; }\nCUresult result;\n"
    (workspace / "k.cu").write_text(f"#include <cuda.h>\n#include <own.h>\n{kernel}")
    reading = compiled(workspace, "k.cu")
    assert len(reading.usages) == 1 and not reading.problems and "only what" not in reading.usages[0].how


@pytest.mark.parametrize("missing", ["", "#include <torch/of_mine.h>\n"])
def test_a_header_that_is_called_like_the_systems(workspace: Path, missing: str) -> None:
    """Its folder is needed for another, and hides none of the system's from these."""
    folder = workspace / "src" / "own"
    folder.mkdir(parents=True)
    (folder / "limits.h").write_text("#pragma once\n#include <limits.h>\nconstexpr int MOST = 64;\n")
    (folder / "platform.h").write_text("#pragma once\n#include <limits.h>\n#define OWN INT_MAX\n")
    head = "#include <own/limits.h>\n#include <platform.h>\n#include <climits>\n"
    body = WIDE.replace("64", "MOST").replace("p[1]", "OWN - INT_MAX")
    for name, text in (("k.cu", missing), ("k.hip", f"#include <hip/hip_runtime.h>\n{missing}")):
        (workspace / name).write_text(f"{text}{head}__global__ void k(float* p) {{ {body} }}\n")
    for name, device in (("k.cu", "sm_90"), ("k.hip", "gfx90a")):
        reading = compiled(workspace, name, device)
        assert [it.static_local for it in reading.usages] == [256] and not reading.problems


def test_an_error_that_a_missing_header_may_avert(workspace: Path) -> None:
    head = "#include <config_of_mine.h>\n#if !defined(HAVE_TIMER)\n#   error no timer\n#endif\n"
    (workspace / "k.cu").write_text(f"{head}__global__ void k(float* p) {{ p[0] = 1; }}\n")
    assert [it.kernel for it in compiled(workspace, "k.cu").usages] == ["_Z1kPf"]


WIDE = "__shared__ float s[64]; s[threadIdx.x] = p[1]; __syncthreads(); p[2] = s[63 - threadIdx.x]; "
BOTH = "#if {}\n{}\n#endif\n"


@pytest.mark.parametrize(
    ("head", "condition", "macro"),
    [
        ("#ifndef HALF\n#error HALF\n#define HALF 0\n#endif\n", "HALF", "HALF"),
        ("#ifdef A\n#define M 1\n#elif defined(B)\n#define M 2\n#else\n#error M\n#endif\n", "M == 2", "A"),
        ("#ifdef A\n#define M\n#endif\n#ifndef M\n#error M\n#endif\n", "defined(M)", "A"),
    ],
)
def test_an_error_that_holds_asks_for_what_decides(workspace: Path, head: str, condition: str, macro: str) -> None:
    """No build is without these macros; the library that is missing has none of them."""
    kernels = "__global__ void k(float* p) {\n%s p[0] = 1; }\n__global__ void other(float* p) { p[0] = 1; }\n"
    text = f"#include <torch/of_mine.h>\n{head}{kernels % BOTH.format(condition, WIDE)}"
    (workspace / "k.cu").write_text(text)
    reading = compiled(workspace, "k.cu")
    assert [it.kernel for it in reading.usages] == ["_Z5otherPf"]
    assert left(reading) == [f"{macro} is not defined, an #error asks for it, and it decides what it is"]


def test_an_error_that_shows_that_macros_are_lacking(workspace: Path) -> None:
    """Then any other may be, too. One that only says for which devices the file is stands against all counts."""
    kernel = f"__global__ void k(float* p) {{\n{BOTH.format('defined(FAST)', WIDE)} p[0] = 1; }}\n"
    head = "#include <torch/of_mine.h>\n#ifndef CONFIGURED\n#error configure it\n#endif\n"
    (workspace / "k.cu").write_text(head + kernel)
    ways = {it.way: it.static_local for it in compiled(workspace, "k.cu").usages}
    assert ways == {"without -DFAST": 0, "with -DFAST": 256}
    (workspace / "k.cu").write_text(head + kernel.replace("defined(FAST)", "FAST > 1"))
    why = "an #error shows that macros are lacking; FAST, which decides what it is"
    assert left(compiled(workspace, "k.cu"))[1:] == [f"{why}, may be one"]
    old = "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1000\n#error too old\n#endif\n"
    (workspace / "k.cu").write_text(f"#include <torch/of_mine.h>\n{old}__global__ void k(float* p) {{ p[0] = 1; }}\n")
    assert left(compiled(workspace, "k.cu"))[1:] == ["nvcc: #error too old"]


def test_kernels_of_what_is_included_that_only_its_own_functions_name(workspace: Path) -> None:
    part = "__global__ void inner(float* p) { p[0] = 1; }\nvoid run() { inner<<<1, 1>>>(0); }\n"
    (workspace / "part.cu").write_text(part)
    (workspace / "k.cu").write_text('#include <CL/of_mine.h>\n#include "part.cu"\nint main() { cl_int x; run(); }\n')
    assert [it.kernel for it in compiled(workspace, "k.cu").usages] == ["_Z5innerPf"]


def test_a_kernel_of_what_is_included_that_is_named_with_its_namespace(workspace: Path) -> None:
    kernel = "template <class T> __global__ void k(T* p) { p[threadIdx.x] *= 2; }"
    (workspace / "k.cuh").write_text(f"namespace inner {{ {kernel} }}\n")
    launch = "template <class T> void launch(T* p) { inner::k<T><<<1, 64>>>(p); }\n"
    go = "void go(double* d, cublasHandle_t handle) { launch(d); cublasSetStream(handle, 0); }\n"
    (workspace / "k.cu").write_text(f'#include <cublas_of_mine.h>\n#include "k.cuh"\n{launch}{go}')
    (workspace / "plain.cu").write_text('#include "k.cuh"\ntemplate __global__ void inner::k<double>(double*);\n')
    assert counts(compiled(workspace, "k.cu")) == counts(compiled(workspace, "plain.cu")) != {}


def test_a_kernel_that_needs_what_is_missing_is_left_out(workspace: Path) -> None:
    needs = "__global__ void third(at::PackedTensorAccessor64<float, 1> a) { a[0] = 1; }\n"
    (workspace / "k.cu").write_text(f"#include <torch/of_mine.h>\n{needs}{KERNELS}")
    reading = compiled(workspace, "k.cu")
    assert [it.kernel for it in reading.usages] == ["_Z5firstP7Complex"]
    third, second = reading.problems
    assert (third.line, left(reading)[0]) == (2, "it uses at::, and torch/of_mine.h is not found")
    assert "no instance of this template is in sight" in second.message


def test_nothing_takes_the_place_of_what_is_left_out(workspace: Path) -> None:
    """Without the second `pick`, the kernel would compile with the first."""
    text = """\
#include <cublas_of_mine.h>
__device__ float pick(float x) { return x; }
__device__ float pick(double x) { cublasMath_t m; return sin(x); }
__global__ void picks(float* p) { p[0] = pick(1.0 * p[1]); }
__global__ void other(float* p) { p[0] = 1; }
"""
    (workspace / "k.cu").write_text(text)
    reading = compiled(workspace, "k.cu")
    assert [it.kernel for it in reading.usages] == ["_Z5otherPf"]
    (problem,) = reading.problems
    assert problem.line == 4


@pytest.mark.parametrize(
    ("between", "body"),
    [
        ("template <> struct Of<half> { static const int n = cublas::n; };", "p[0] = Of<half>::n;"),
        ("template <> __device__ float Of<half>::f() { return cublasf(); }", "p[0] = Of<half>::f();"),
        ("namespace lib { __device__ int size(float) { return cublas::n; } }\nusing lib::size;", "p[0] = size(p[1]);"),
        (
            "struct H { float f; cublasX_t x; };\n__device__ float operator+(H a, H b) { return a.f * b.f; }",
            "H h; p[0] = h + h;",
        ),
    ],
)
def test_neither_do_specialisations_nor_operators(workspace: Path, between: str, body: str) -> None:
    text = f"""\
#include <cublas_of_mine.h>
#include <cuda_fp16.h>
template <class T> struct Of {{ static const int n = sizeof(T); static __device__ float f() {{ return n; }} }};
{between}
__global__ void k(float* p) {{
#ifdef __CUDA_ARCH__
    {body}
#endif
}}
__global__ void other(float* p) {{ p[0] = 1; }}
"""
    (workspace / "k.cu").write_text(text)
    assert [it.kernel for it in compiled(workspace, "k.cu").usages] == ["_Z5otherPf"]


def test_types_that_only_an_instance_names(workspace: Path) -> None:
    types = "struct Wide { using T = double; static const int n = 7; };\n"
    kernel = "template <class P> __global__ void k(typename P::T* p) { p[threadIdx.x] = sin(p[P::n]); }\n"
    launch = "void run(double* d) { cublasX(); k<Wide><<<1, 128>>>(d); }\n"
    (workspace / "k.cu").write_text(f"#include <cublas_of_mine.h>\n{types}{kernel}{launch}")
    (workspace / "plain.cu").write_text(f"{types}{kernel}template __global__ void k<Wide>(double*);\n")
    assert counts(compiled(workspace, "k.cu")) == counts(compiled(workspace, "plain.cu")) != {}


def test_what_a_missing_header_may_decide(workspace: Path) -> None:
    """Both ways, where it matters only whether it is defined."""
    text = """\
#include <torch/of_mine.h>
#if AT_WIDE > 1
#define WIDTH 512
#else
#define WIDTH 4
#endif
__global__ void wide(float* p) { __shared__ float s[WIDTH]; s[threadIdx.x] = p[1]; __syncthreads(); p[0] = s[2]; }
__global__ void other(float* p) { p[0] = 1; }
"""
    (workspace / "k.cu").write_text(text)
    reading = compiled(workspace, "k.cu")
    assert [it.kernel for it in reading.usages] == ["_Z5otherPf"]
    assert left(reading) == ["torch/of_mine.h is not found, and may define AT_WIDE, which decides what it is"]
    (workspace / "k.cu").write_text(text.replace("#if AT_WIDE > 1", "#ifdef AT_WIDE  // not AT_WIDER"))
    reading = compiled(workspace, "k.cu")
    told = {(it.kernel, it.way): it.static_local for it in reading.usages}
    ways = {("_Z4widePf", "without -DAT_WIDE"): 16, ("_Z4widePf", "with -DAT_WIDE"): 2048}
    assert told == {("_Z5otherPf", ""): 0, **ways} and not reading.problems
    (workspace / "k.cu").write_text(text.replace("#if AT_WIDE > 1", "#ifdef AT_WIDE").replace("512", "AT_WIDE"))
    assert [it.kernel for it in compiled(workspace, "k.cu").usages] == ["_Z5otherPf"]


@pytest.mark.parametrize(
    ("ways", "head", "body"),
    [
        (2, "", BOTH.format("/* fast */ defined(MINE)", WIDE)),
        (2, "#if 0 || \\\n  defined(MINE)\n#define N 64\n#else\n#define N 1\n#endif\n", WIDE.replace("64", "N")),
        (0, "#define BOTH MINE\n", BOTH.format("BOTH", WIDE)),
        (2, "#ifdef MINE\n#define OWN\n#endif\n", BOTH.format("defined(OWN)", WIDE)),
        (2, '#ifdef MINE\n#include "n.h"\n#else\n#define N 1\n#endif\n', WIDE.replace("64", "N")),
        (2, "#ifdef MINE\n#pragma pack(1)\n#endif\nstruct S { char c; int i; };", WIDE.replace("64", "8 * sizeof(S)")),
        (0, "#if MINE\n#define float double\n#endif\n", WIDE),
        (0, "#if __has_include(<its_of_mine.h>)\n#include <its_of_mine.h>\n#define N 2\n#else\n#define N 1\n#endif\n",
         WIDE.replace("64", "N")),
        (2, "#define N 64\n#ifdef __MINE__\n#undef N\n#define N 2\n#endif\n", WIDE.replace("64", "N")),
    ],
)  # fmt: skip
def test_however_a_missing_header_may_decide(workspace: Path, ways: int, head: str, body: str) -> None:
    """By the conditions around what it names, and around their files: never one figure as if it were sure."""
    (workspace / "n.h").write_text("#pragma once\n#define N 64\n")
    kernel = f"__global__ void k(float* p) {{\n{body} p[0] = 1; }}\n"
    (workspace / "k.cu").write_text(f"#include <framework_of_mine.h>\n{head}{kernel}")
    usages = compiled(workspace, "k.cu").usages
    assert all(it.way for it in usages) and len(usages) == ways


def test_a_way_that_gives_a_kernel_other_parameters(workspace: Path) -> None:
    text = '#include "of_mine.h"\n#ifdef WIDE\nusing T = double;\n#else\nusing T = float;\n#endif\n'
    (workspace / "k.cu").write_text(f"{text}__global__ void k(T* p) {{ p[0] = sin(p[1]); }}\n")
    told = {it.kernel: it.way for it in compiled(workspace, "k.cu").usages}
    assert told == {"_Z1kPf": "without -DWIDE", "_Z1kPd": "with -DWIDE"}


def test_a_header_of_a_library_that_is_called_like_one_of_the_workspace(workspace: Path) -> None:
    (workspace / "own").mkdir()
    (workspace / "own/cudnn.h").write_text("")
    (workspace / "k.cu").write_text("#include <cudnn.h>\n__global__ void k(float* p) { *p = 1; }\n")
    assert [it.kernel for it in compiled(workspace, "k.cu").usages] == ["_Z1kPf"]


def test_a_header_that_is_not_included_after_all(workspace: Path) -> None:
    """It says nothing, whatever it is."""
    (workspace / "k.cu").write_text(
        "#include <cublas_of_mine.h>\n#ifdef _WIN32\n#include <of_mine.h>\n#endif\n"
        "#ifndef FAST\n#define FAST 1\n#endif\n"
        "__global__ void k(float* p) { p[0] = FAST; }\n"
    )
    assert [it.kernel for it in compiled(workspace, "k.cu").usages] == ["_Z1kPf"]


def test_a_function_that_is_shared_counts_with_all_its_callers_only(workspace: Path) -> None:
    text = """\
#include <torch/of_mine.h>
__device__ __noinline__ float shared_by_both(float x, int n) { for (int i = 0; i < n; ++i) x = sinf(x) / n; return x; }
__global__ void one(float* p, int n) { p[0] = shared_by_both(p[1], n); }
__global__ void __launch_bounds__(1024, 2) two(float* p, at::Tensor t) { p[0] = shared_by_both(p[1], t.n); }
"""
    (workspace / "k.cu").write_text(text)
    assert not compiled(workspace, "k.cu").usages
    (workspace / "k.cu").write_text(text.replace("__noinline__", "__forceinline__"))
    assert [it.kernel for it in compiled(workspace, "k.cu").usages] == ["_Z3onePfi"]
    (workspace / "k.cu").write_text(text.replace(", at::Tensor t", "").replace("t.n", "3").partition("\n")[2])
    whole = compiled(workspace, "k.cu")
    assert len(whole.usages) == 2 and not compiled(workspace, "k.cu", only=("one",)).usages


def test_a_function_that_instances_share_counts_with_all_that_the_file_makes(workspace: Path) -> None:
    text = """\
__noinline__ __device__ float f(float x) { return x * x + 1; }
template <class T> __global__ void t(T* p) { *p = f(*p); }
template <class T> void run(T* p) { t<<<1, 1>>>(p); }
template void run(float*);
template __global__ void t(double*);
"""
    (workspace / "k.cu").write_text(f"#include <of_mine.h>\n{text}")
    (workspace / "whole.cu").write_text(text)
    assert counts(compiled(workspace, "k.cu")) == counts(compiled(workspace, "whole.cu")) != {}
    (workspace / "k.cu").write_text(
        f"#include <of_mine.h>\n{text}void other(OfMine it) {{ t<<<1, 1>>>(it.ints()); }}\n"
    )
    assert left(compiled(workspace, "k.cu"))[-1] == "_Z1ff is not inlined, and others than these may call it"


def test_calls_by_pointers_may_reach_anything(workspace: Path) -> None:
    """What a kernel uses then depends on functions that it does not name."""
    text = """\
#include <cublas_of_mine.h>
typedef float (*Function)(float);
__device__ float large(float x) { float s[8]; for (int i = 0; i < 8; ++i) s[i] = x * i; return s[int(x) & 7]; }
__device__ Function pointer = large;
__global__ void k(float* p, Function f) { p[0] = f(p[1]); }
void run(cublasHandle_t h) { cublasDestroy(h); }
"""
    (workspace / "k.cu").write_text(text)
    assert not compiled(workspace, "k.cu").usages


def test_a_template_that_only_another_file_launches(workspace: Path) -> None:
    (workspace / "k.cuh").write_text(KERNELS)
    (workspace / "k.cu").write_text('#include "k.cuh"\n')
    reading = compiled(workspace, "k.cu")
    assert "_Z5firstP7Complex" in counts(reading)


def test_amd_likewise(workspace: Path) -> None:
    host = "void run(rocblas_handle h) { rocblas_set_stream(h, 0); }\n"
    kernel = (
        "__global__ void k(float* p) { __shared__ float s[64]; s[threadIdx.x] = p[1]; __syncthreads(); p[0] = s[3]; }\n"
    )
    (workspace / "k.hip").write_text(f"#include <hip/hip_runtime.h>\n#include <rocblas_of_mine.h>\n{kernel}{host}")
    (workspace / "plain.hip").write_text(f"#include <hip/hip_runtime.h>\n{kernel}")
    made, plain = compiled(workspace, "k.hip", "gfx90a"), compiled(workspace, "plain.hip", "gfx90a")
    assert counts(made) == counts(plain) != {}


def test_more_faults_than_clang_tells_by_default(workspace: Path) -> None:
    missing = "".join(f"#include <torch/of_mine_{number}.h>\n" for number in range(20))
    text = f"{missing}#ifndef WIDE\n#error WIDE\n#define WIDE 0\n#endif\n"
    kernel = f"__global__ void k(float* p) {{\n{BOTH.format('WIDE', WIDE)} p[0] = 1; }}\n"
    (workspace / "k.hip").write_text(f"#include <hip/hip_runtime.h>\n{text}{kernel}")
    reading = compiled(workspace, "k.hip", "gfx90a")
    assert left(reading)[1:] == ["WIDE is not defined, an #error asks for it, and it decides what it is"]


def test_one_of_several_headers_of_the_workspace_is_missed(workspace: Path) -> None:
    """Nothing is compiled without it, for it may say anything of the kernel."""
    for folder in ("a", "b"):
        (workspace / folder).mkdir()
        (workspace / folder / "sizes_of_mine.h").write_text(f"#define SIZE {ord(folder)}\n")
    (workspace / "k.cu").write_text('#include "sizes_of_mine.h"\n__global__ void k(float* p) { p[0] = 1; }\n')
    reading = compiled(workspace, "k.cu")
    assert not reading.usages and "sizes_of_mine.h" in reading.problems[0].message


@pytest.mark.parametrize(
    ("one", "other", "counted"),
    [
        ("#define N 4\n", "#define N 4\n", 1),
        ("#define N 4\n", "#define N 8\n", 0),
        ('#include "n.h"\n', '#include "n.h"\n', 0),
    ],
)
def test_copies_of_a_header_that_are_the_same(workspace: Path, one: str, other: str, counted: int) -> None:
    """Any is as good as the others, unless what it includes may not be the same."""
    for folder, text in (("a", one), ("b", other)):
        (workspace / folder / "own").mkdir(parents=True)
        (workspace / folder / "own" / "size.h").write_text(text)
        (workspace / folder / "own" / "n.h").write_text(f"#define N {len(folder) + (folder == 'b')}\n")
    (workspace / "src").mkdir()
    (workspace / "src" / "k.cu").write_text(
        f"#include <own/size.h>\n__global__ void k(float* p) {{ {WIDE} p[N] = 1; }}\n"
    )
    assert len(compiled(workspace, "src/k.cu").usages) == counted


def test_a_full_specialisation_and_its_template_have_their_own_counts(workspace: Path) -> None:
    """Each those that nvcc gives to its instances."""
    (workspace / "k.cu").write_text(
        "template <typename T> __global__ void add(T* p) { p[0] = 1; }\n"
        "template <> __global__ void add<float>(float* p) { p[0] = sinf(p[1]) / p[2] + p[3]; }\n"
        "void run(float* a, double* b, int* c) { add<<<1, 32>>>(a); add<<<1, 32>>>(b); add<int><<<1, 32>>>(c); }\n"
    )
    reading = compiled(workspace, "k.cu")
    project = Project(workspace, None, {"devices": ["sm_90"]})
    project.compiled(workspace / "k.cu", reading)
    view = OpenFile(workspace / "k.cu", "", Text((workspace / "k.cu").read_bytes()), project).view()
    assert view is not None
    registers = {it.kernel: it.registers for it in reading.usages}
    general, special = ({it.usage.registers for it in report.counted} for report in view.reports)
    assert special == {registers["_Z3addIfEvPT_"]} and general == {
        registers["_Z3addIdEvPT_"],
        registers["_Z3addIiEvPT_"],
    }
    assert not special & general


def package(workspace: Path, header: str, text: str) -> None:
    path = workspace / ".venv/lib/python3.11/site-packages" / header
    path.parent.mkdir(parents=True)
    path.write_text(text)


def test_headers_of_an_environment_are_named(workspace: Path) -> None:
    package(workspace, "pybind11/include/pybind11/mine.h", "__device__ inline float mine(float x) { return sin(x); }\n")
    includes = "#include <pybind11/mine.h>\n#include <cublas_of_mine.h>\n"
    (workspace / "k.cu").write_text(f"{includes}__global__ void k(float* p) {{ *p = mine(*p); }}\ncublasX x;\n")
    (usage,) = compiled(workspace, "k.cu").usages
    assert usage.how.endswith(
        "; headers also from pybind11 in .venv; of the file only what its kernels need, without cublas_of_mine.h"
    )


def test_an_environment_whose_headers_do_not_compile(workspace: Path) -> None:
    package(workspace, "torch/include/torch/of_mine.h", "#error not with this compiler\n")
    (workspace / "k.cu").write_text(f"#include <torch/of_mine.h>\n{KERNELS}\nat::Tensor t;\n")
    (usage,) = compiled(workspace, "k.cu").usages
    assert usage.how.endswith("flags; of the file only what its kernels need, without torch/of_mine.h")


ACCESSOR = """\
namespace at {
template <class T> struct RestrictPtrTraits { using Pointer = T* __restrict__; };
template <class T, int N, template <class> class Traits> struct PackedTensorAccessor32 {
    typename Traits<T>::Pointer data;
    __device__ T& operator[](int i) const { return data[i]; }
};
}
"""


def test_no_more_of_an_environment_than_the_kernels_name(workspace: Path) -> None:
    """PyTorch's headers that all others come with take long, and do not always go with the file."""
    kernel = (
        "template <class T> __global__ void k(torch::PackedTensorAccessor32<T, 1, torch::RestrictPtrTraits> p) {\n"
        "    p[threadIdx.x] *= p[threadIdx.x + 1];\n}\n__global__ void other(at::Tensor* t) {}\n"
    )
    run = "void run(at::Tensor t) { k<float><<<1, 32>>>(t.packed_accessor32<float>()); }\n"
    package(workspace, "torch/include/ATen/core/TensorAccessor.h", ACCESSOR)
    (workspace / ".venv/lib/python3.11/site-packages/torch/include/torch").mkdir()
    package(workspace, "torch/include/torch/csrc/api/include/torch/extension.h", "#error not with this compiler\n")
    (workspace / "k.cu").write_text(f"#include <torch/extension.h>\n{kernel}{run}")
    (workspace / "plain.cu").write_text(
        f"{ACCESSOR}namespace torch {{ using namespace at; }}\n{kernel.partition('__global__ void other')[0]}"
        "template __global__ void k(torch::PackedTensorAccessor32<float, 1, torch::RestrictPtrTraits>);\n"
    )
    (whole,) = compiled(workspace, "plain.cu").usages
    for only in ((), ("k",)):
        reading = compiled(workspace, "k.cu", only=only)
        (usage,) = reading.usages
        assert (usage.registers, usage.kernel) == (whole.registers, whole.kernel)
        assert "headers also from torch in .venv" in usage.how and "without torch/extension.h" in usage.how
    assert any("at::" in it.message for it in compiled(workspace, "k.cu").problems)


LAYER = """\
template <class T> struct Layer { void run(T*); int size(); };
template <class T> void Layer<T>::run(T* p) { second<T, 32><<<1, 32>>>(p); }
"""


MAKERS = (
    ("template <class T> int Layer<T>::size() { return cublasX; }\ntemplate struct Layer<float>;", "float"),
    ("namespace { Layer<cublasX> other; }\nvoid run() { Layer<double>().run(nullptr); }", "double"),
    ("#ifdef CUBLAS_WIDE\ntemplate struct Layer<float>;\n#endif", ""),
    (
        "template <class T> struct Of { using X = T; };\n"
        "template <> struct Of<int> { using X = float; cublasX x; };\n"
        "void run() { Layer<Of<int>::X>().run(nullptr); }",
        "",
    ),
)


def test_hosts_that_make_instances(workspace: Path) -> None:
    """Where the instances are those of a class, the compiler makes them of the hosts' code that compiles."""
    every = "".join(f"template __global__ void second<{it}, 32>({it}*);\n" for it in ("float", "double"))
    (workspace / "plain.cu").write_text(f"{KERNELS}{every}")
    plain = counts(compiled(workspace, "plain.cu"))
    for number, (host, made) in enumerate(MAKERS):
        (root := workspace / str(number)).mkdir()
        (root / "k.cu").write_text(f"#include <cublas_of_mine.h>\n{KERNELS}{LAYER}{host}\ncublasX x;\n")
        of = {"float": "secondIf", "double": "secondId", "": "none"}[made]
        assert counts(compiled(root, "k.cu")) == {
            name: it for name, it in plain.items() if "second" not in name or of in name
        }, host


CONTEXT = """\
struct Context {
    cublasHandle_t handles[2] = {nullptr};
#ifdef GRAPHS
    int graphs;
#endif
    cublasHandle_t handle() {
#if CUBLAS_VER_MAJOR > 11
        cublasSetWorkspace(handles[0], nullptr, 0);
#endif
        return handles[0];
    }
};
__device__ float twice(float x) { return 2 * x; }
__device__ float root(float x) { return sqrtf(x); }
template <float (*op)(float), typename T> __global__ void each(T* p) { p[threadIdx.x] = op(p[threadIdx.x]); }
template <float (*op)(float)> void launches(Context& c, void* p, bool wide) {
    c.handle();
    if (wide) each<op><<<1, 32>>>((double*)p);
    else each<op><<<1, 32>>>((float*)p);
}
void run(Context& c, void* p) {
    launches<twice>(c, p, true);
    launches<root>(c, p, false);
    each<twice><<<1, 1>>>((int*)p);
}
"""


def test_a_class_of_hosts_with_a_librarys_handles(workspace: Path) -> None:
    """Its size is known, and what a method of hosts consists of decides nothing of kernels: all instances are made."""
    (workspace / "k.cu").write_text(f"#include <cublas_of_mine.h>\n{CONTEXT}")
    (workspace / "plain.cu").write_text(f"typedef struct cublasContext* cublasHandle_t;\n{CONTEXT}")
    reading = compiled(workspace, "k.cu")
    assert counts(reading) == counts(compiled(workspace, "plain.cu")) and len(reading.usages) == 5
    assert not reading.problems


def test_a_header_that_the_build_makes_of_a_template(workspace: Path) -> None:
    text = '#include "config_of_mine.h"\n#ifdef WIDE\nusing T = double;\n#else\nusing T = float;\n#endif\n'
    (workspace / "k.cu").write_text(f"{text}__global__ void k(T* p) {{ p[0] = sin(p[1]); }}\n")
    text = text.replace("#ifdef WIDE", "#if WIDE > 1")
    (workspace / "k.cu").write_text(f"{text}__global__ void k(T* p) {{ p[0] = sin(p[1]); }}\n")
    assert left(compiled(workspace, "k.cu"))[1:] == [
        "config_of_mine.h is not found, and may define WIDE, which decides what it is"
    ]
    (workspace / "cmake").mkdir()
    (workspace / "cmake" / "config_of_mine.h.in").write_text("#cmakedefine WITH_MPI\n#define VERSION @VERSION@\n")
    (usage,) = compiled(workspace, "k.cu").usages
    assert usage.how.endswith("of the file only what its kernels need, without config_of_mine.h")


def test_a_switch_of_such_a_header_is_tried_both_ways(workspace: Path) -> None:
    """The truth: the file with such a header, as CMake makes it with the option and without it."""
    text = '#include "config_of_mine.h"\n#ifdef WIDE\nusing T = double;\n#else\nusing T = float;\n#endif\n'
    kernels = "__global__ void k(float* p) { p[0] = sin(T(p[1])); }\n__global__ void b(T* p, float x) { *p = x; }\n"
    steady = "__global__ void steady(float* p) { T x = *p; *p = x; }\n"
    (workspace / "k.cu").write_text(text + kernels + steady)
    (workspace / "config_of_mine.h.in").write_text("#pragma once\n#cmakedefine WIDE\n#define VERSION @VERSION@\n")
    reading = compiled(workspace, "k.cu")
    assert {it.kernel for it in reading.usages if not it.way} == {"_Z6steadyPf"}
    assert {it.kernel for it in reading.usages if it.way} == {"_Z1kPf", "_Z1bPff", "_Z1bPdf"}
    for way, line in (("without -DWIDE", ""), ("with -DWIDE", "#define WIDE\n")):
        (workspace / "own.cu").write_text(text.replace('#include "config_of_mine.h"\n', line) + kernels + steady)
        own = counts(compiled(workspace, "own.cu"))
        found = counts(replace(reading, usages=tuple(it for it in reading.usages if it.way in ("", way))))
        assert found == own
    (workspace / "config_of_mine.h.in").write_text("#cmakedefine WIDE @WIDTH@\n")
    assert compiled(workspace, "k.cu").usages
    (workspace / "k.cu").write_text(text.replace("#ifdef", "#if 1 < ") + kernels + steady)
    assert not compiled(workspace, "k.cu").usages


def test_a_header_that_configuring_makes(workspace: Path) -> None:
    """As the defaults of the options have it; where these leave a macro open that matters, in each way."""
    (workspace / "k.cu").write_text(
        "#include <own/config.h>\n#ifdef WIDE\nusing T = double;\n#else\nusing T = float;\n#endif\n"
        "__global__ void k(float* p) { p[0] = sin(T(p[1])) * SCALE; }\n"
    )
    (workspace / "config.h.in").write_text("#cmakedefine WIDE\n#define SCALE @SCALE@\n#define VERSION @nowhere@\n")
    project = "project(p LANGUAGES CUDA)\noption(WIDE doc {})\nset(SCALE 3)\nadd_library(k k.cu)\n"
    made = "configure_file(config.h.in include/own/config.h)\n"
    for wide in ("ON", "OFF"):
        (workspace / "CMakeLists.txt").write_text(project.format(wide) + made)
        reading = compiled(workspace, "k.cu")
        (usage,), problems = reading.usages, reading.problems
        own = "#define SCALE 3\n" + "#define WIDE\n" * (wide == "ON")
        (workspace / "own.cu").write_text((workspace / "k.cu").read_text().replace("#include <own/config.h>\n", own))
        (truth,) = compiled(workspace, "own.cu").usages
        assert (usage.registers, usage.way) == (truth.registers, "") and not problems
        assert "of the file only what its kernels need, with own/config.h as configured by default" in usage.how
    (workspace / "CMakeLists.txt").write_text(project.replace("option(WIDE doc {})", "find_path(WIDE x)") + made)
    assert {it.way for it in compiled(workspace, "k.cu").usages} == {"without -DWIDE", "with -DWIDE"}


@pytest.mark.parametrize("header", ["", '#include "framework_of_mine.h"\n'])
def test_a_macro_that_nothing_defines_is_named(workspace: Path, header: str) -> None:
    """Not what a compiler then says of an instance that is not there."""
    (workspace / "k.cu").write_text(
        f"#if WITH_CUDA\n{header}{KERNELS}void run(double* d) {{ second<double, 4><<<1, 4>>>(d); }}\n#endif\n"
    )
    why = "WITH_CUDA is not defined, and decides whether"
    assert left(compiled(workspace, "k.cu")) and all(why in it for it in left(compiled(workspace, "k.cu")))


def test_a_macro_that_decides_what_a_kernel_needs_is_named(workspace: Path) -> None:
    (workspace / "own.h").write_text("#if HAVE_CUDA == 1\nstruct Params { float* p; };\n#endif\n")
    (workspace / "k.cu").write_text('#include "own.h"\n__global__ void k(Params it) { it.p[0] = 1; }\n')
    assert left(compiled(workspace, "k.cu"))[1:] == ["HAVE_CUDA is not defined, and decides whether Params is declared"]


def test_what_a_kernel_means_is_left_out_for_a_fault(workspace: Path) -> None:
    """The first fault is named, not what the compiler then says of the parts that mean it."""
    text = "struct Rows { gone_t* p; };\nstruct Table { Rows rows; };\n__global__ void k(Table it) { it.rows.p = 0; }\n"
    (workspace / "k.cu").write_text(f"#include <cublas_of_mine.h>\n{text}")
    assert left(compiled(workspace, "k.cu"))[-1] == 'nvcc: identifier "gone_t" is undefined'


def test_why_nothing_of_it_is_told(workspace: Path) -> None:
    function = "__noinline__ __device__ float f(float x) { return x * x + 1; }\n"
    kernels = (
        "__global__ void k(float* p) { *p = f(*p); }\ntemplate <class T> __global__ void t(T* p) { *p = f(*p); }\n"
    )
    (workspace / "k.cu").write_text(f"#include <of_mine.h>\n{function}{kernels}")
    assert left(compiled(workspace, "k.cu"))[-1] == "_Z1ff is not inlined, and others than these may call it"


def test_a_kernel_that_uses_a_missing_library_names_it(workspace: Path) -> None:
    text = "struct State { curandState* p; __device__ float next() { return curand_uniform(p); } };\n"
    (workspace / "k.cu").write_text(
        f"#include <curand_of_mine.h>\n{text}__global__ void k(State s, float* p) {{ *p = s.next(); }}\n"
    )
    assert left(compiled(workspace, "k.cu"))[1:] == ["it uses curandState, and curand_of_mine.h is not found"]


def test_an_instance_that_the_file_does_not_make(workspace: Path) -> None:
    """`second<half2>` means the overload: as an instance of the template it does not compile, and nothing else hangs
    on that."""
    text = """\
#include <cuda_fp16.h>
template <class T, class S> __global__ void scaled(T* p, const S* s) { p[0] = float(p[0]) * float(s[0]); }
template <> __global__ void scaled(half2* p, const half* s) { p[0] = __hmul2(p[0], half2(s[0], s[0])); }
void run(half2* p, half* s, float* f) { scaled<<<1, 1>>>(p, s); scaled<<<1, 1>>>(f, f); scaled<half2><<<1, 1>>>(p, s); }
"""
    (workspace / "k.cu").write_text(f"#include <cublas_of_mine.h>\ncublasHandle_t handle = cublasMake();\n{text}")
    (workspace / "plain.cu").write_text(text)
    assert counts(compiled(workspace, "k.cu")) == counts(compiled(workspace, "plain.cu"))
    assert len(compiled(workspace, "k.cu").usages) == 2


def test_a_macro_that_makes_instances_declares_no_type_of_c(workspace: Path) -> None:
    """`MAKE(float, int64_t)` is not what `int64_t` means: so what it makes is not part of every kernel with one."""
    text = "template <class T> void run(T* p);\n#define MAKE(T, I) template void run<T>(T*);\nMAKE(float, int64_t)\n"
    (workspace / "k.cu").write_text(
        f"#include <fmt/of_mine.h>\n{text}template <class T> void run(T* p) {{ fmt::go(p); }}\n"
        "__global__ void k(int64_t* p) { *p += 1; }\n"
    )
    reading = compiled(workspace, "k.cu")
    assert len(reading.usages) == 1 and not reading.problems


def test_some_kernels_alone_count_as_the_whole_does(workspace: Path) -> None:
    """Of a template only its instances, and nothing at all if one of the names has no count."""
    (workspace / "k.cu").write_text(KERNELS + "void run(double* d) { second<double, 128><<<1, 128>>>(d); }\n")
    whole = counts(compiled(workspace, "k.cu"))
    parts = [counts(compiled(workspace, "k.cu", only=(it,))) for it in ("first", "second")]
    assert [len(it) for it in parts] == [1, 1] and parts[0] | parts[1] == whole
    assert not compiled(workspace, "k.cu", only=("first", "third")).usages


def test_shared_memory_that_another_kernel_rounds(workspace: Path) -> None:
    """ptxas rounds that of all kernels up where one takes more at launch: not claimed in a slice without that one."""
    small = "__global__ void small(int* p) { __shared__ int s; s = p[0]; __syncthreads(); p[threadIdx.x] = s; }\n"
    even = "__global__ void even(int* p) { __shared__ int4 s; s.x = p[0]; __syncthreads(); p[threadIdx.x] = s.x; }\n"
    more = "extern __shared__ int more[];\n"
    aligned = "extern __align__(16) __shared__ int more[];\n"
    takes = "__global__ void takes(int* p) {{ more[threadIdx.x] = p[0]; __syncthreads(); p[0] = more[1]{}; }}\n"
    (workspace / "whole.cu").write_text(small + even + more + takes.format(""))
    (workspace / "k.cu").write_text(
        "#include <lib_of_mine.h>\n" + small + even + aligned + takes.format(" + lib::one(p)")
    )
    (workspace / "none.cu").write_text(
        "#include <CL/of_mine.h>\n" + small + even + takes.format("").replace("more", "p")
    )
    whole = {it.kernel: it.static_local for it in compiled(workspace, "whole.cu").usages}
    assert whole == {"_Z5smallPi": 16, "_Z4evenPi": 16, "_Z5takesPi": 0}
    assert {it.kernel: it.static_local for it in compiled(workspace, "k.cu").usages} == {
        "_Z5smallPi": None,
        "_Z4evenPi": 16,
    }
    assert {it.static_local for it in compiled(workspace, "whole.cu", only=["small"]).usages} == {None}
    assert {it.kernel: it.static_local for it in compiled(workspace, "none.cu").usages}["_Z5smallPi"] == 4


def test_a_library_whose_kernels_take_shared_memory_at_launch(workspace: Path) -> None:
    """It is no file of the workspace, so whether they do is not looked at."""
    library = workspace.parent / "library"
    library.mkdir()
    body = "extern __shared__ int more[]; more[threadIdx.x] = p[0]; __syncthreads(); p[0] = more[1];"
    (library / "lib_of_mine.h").write_text(f"template <class T> __global__ void takes(T* p) {{ {body} }}\n")
    small = "__global__ void small(int* p) { __shared__ int s; s = p[0]; __syncthreads(); p[threadIdx.x] = s; }\n"
    (workspace / "k.cu").write_text(
        f"#include <lib_of_mine.h>\n{small}void run(int* p) {{ small<<<1, 32>>>(p); takes<<<1, 32, 512>>>(p); }}\n"
    )
    command = {"directory": str(workspace), "file": "k.cu", "command": f"nvcc -I{library} -c k.cu"}
    (workspace / "compile_commands.json").write_text(json.dumps([command]))
    assert {it.static_local for it in compiled(workspace, "k.cu").usages} == {16, 0}
    assert {it.static_local for it in compiled(workspace, "k.cu", only=["small"]).usages} == {None}


CLASS = """\
template <class T> struct Buffer {
    explicit Buffer(int n);
    ~Buffer();
    void read(const char* path);  // a device cannot call that
    template <class U> operator Buffer<U>() const;
    __device__ T at(int i) const;
    T* data;
};
template <class T> Buffer<T>::Buffer(int n) { cublasAlloc(n, sizeof(T), (void**)&data); }
template <class T> Buffer<T>::~Buffer() { cublasFree(data); }
template <class T> template <class U> Buffer<T>::operator Buffer<U>() const { return cublasCopy(data); }
template <class T> void Buffer<T>::read(const char* path) { google::LogMessage(path); }
template <class T> T Buffer<T>::at(int i) const { return data[i] * data[i + 1]; }
__global__ void k(Buffer<float>* b) { b->data[0] = b->at(threadIdx.x); }
"""


def test_members_that_only_hosts_call_are_left_out(workspace: Path) -> None:
    """Their class says so, and that devices call another one."""
    (workspace / "k.cu").write_text(f"#include <glog/of_mine.h>\n#include <cublas_of_mine.h>\n{CLASS}")
    plain = [line for line in CLASS.splitlines(keepends=True) if "google" not in line and "cublas" not in line]
    (workspace / "plain.cu").write_text("".join(plain))
    reading = compiled(workspace, "k.cu")
    assert counts(reading) == counts(compiled(workspace, "plain.cu")) and len(reading.usages) == 1
    assert not reading.problems


def test_what_cublas_may_define(workspace: Path) -> None:
    """Its macros begin with its name: CUB's are none of them. A template of that name adds its own."""
    (workspace / "lib" / "include" / "dmlc").mkdir(parents=True)
    (workspace / "lib" / "cmake").mkdir()
    (workspace / "lib" / "include" / "dmlc" / "base.h").write_text("#include <dmlc/build_of_mine.h>\n")
    (workspace / "lib" / "cmake" / "build_of_mine.h.in").write_text("#cmakedefine FOPEN_64_PRESENT\n")
    kernel = "#ifndef {}\n__global__ void k(float* p) {{ p[0] = 1; }}\n#endif\n"
    head = "#include <cublas_of_mine.h>\n#include <dmlc/base.h>\n"
    for macro, counted in (
        ("CUB_DISABLED", 1),
        ("CUBLAS_OLD", 0),
        ("DMLC_GLOG_DEFINED", 0),  # the template may be that of another header
        ("FOPEN_64_PRESENT", 0),
    ):
        (workspace / "k.cu").write_text(head + kernel.format(macro))
        assert len(compiled(workspace, "k.cu").usages) == counted, macro


def test_a_default_that_a_configuration_may_change(workspace: Path) -> None:
    kernel = "#ifndef N\n#define N 4\n#endif\n__global__ void k(float* p) { __shared__ float s[N]; *p = s[1]; }\n"
    (workspace / "k.cu").write_text(f"#include <config_of_mine.h>\n{kernel}")
    why = "config_of_mine.h is not found, and may define N, which decides what it is"
    assert left(compiled(workspace, "k.cu"))[1:] == [why]
    text = f"#include <timer_of_mine.h>\n{kernel}__global__ void other(float* p) {{ *p = 1; }}\n"
    (workspace / "k.cu").write_text(text)
    assuming = "assuming that timer_of_mine.h, not found, leaves N as here"
    told = {it.kernel: (it.source, it.assuming) for it in compiled(workspace, "k.cu").usages}
    assert told == {"_Z1kPf": ("estimated", assuming), "_Z5otherPf": ("compiled", "")}
    flag = "#ifndef OWN\n#define OWN\n#define N 1\n#else\n#define N 64\n#endif\n"
    (workspace / "k.cu").write_text(text.replace(kernel.partition("__global__")[0], flag))
    assuming = "assuming that timer_of_mine.h, not found, leaves OWN as here"
    assert {it.kernel: it.assuming for it in compiled(workspace, "k.cu").usages} == {
        "_Z1kPf": assuming,
        "_Z5otherPf": "",
    }


def test_whether_assertions_are_compiled_where_a_header_is_missing(workspace: Path) -> None:
    text = "#include <{}>\n#include <cassert>\n__global__ void k(float* p) {{ assert(*p); }}\n"
    for header, assuming in (
        ("of_mine.h", "assuming that of_mine.h, not found, leaves NDEBUG as here"),
        ("torch/of_mine.h", ""),
    ):
        (workspace / "k.cu").write_text(text.format(header))
        assert [it.assuming for it in compiled(workspace, "k.cu").usages] == [assuming]


@pytest.mark.parametrize(("name", "counted"), [("EIGEN_STEP", 0), ("STEP", 1)])
def test_a_default_for_what_a_missing_header_may_define(workspace: Path, name: str, counted: int) -> None:
    default = f"#ifndef OWN_H\n#define OWN_H\n#ifndef {name}\n// In bytes.\n#define {name} 4\n#endif\n#endif\n"
    kernel = f"__global__ void k(float* p) {{ __shared__ float s[{name}]; s[0] = p[0]; p[1] = s[threadIdx.x]; }}\n"
    (workspace / "k.cu").write_text(f"#include <Eigen/OfMine>\n{default}{kernel}")
    reading = compiled(workspace, "k.cu")
    assert len(reading.usages) == counted
    undecided = f"Eigen/OfMine is not found, and may define {name}, which decides what it is"
    assert left(reading)[1:] == [undecided][counted:]


def test_a_condition_that_calls_a_macro_of_a_missing_header(workspace: Path) -> None:
    """It is an error where nobody defines the macro; what only it decides is left out."""
    text = """\
#include <Eigen/OfMine>
#if !EIGEN_VERSION_AT_LEAST(3, 4, 0) && defined(EIGEN_VECTORIZE)
#define ALIGNED 1
#endif
__global__ void k(float* p) { p[0] = 1; }
#if EIGEN_VERSION_AT_LEAST(3, (4), 0)
__global__ void other(float* p) { p[0] = 1; }
#endif
"""
    (workspace / "k.cu").write_text(text)
    reading = compiled(workspace, "k.cu")
    assert [it.kernel for it in reading.usages] == ["_Z1kPf"]
    assert left(reading) == [
        "Eigen/OfMine is not found, and may define EIGEN_VERSION_AT_LEAST, which decides what it is"
    ]


def test_a_specialisation_for_a_type_that_is_missing(workspace: Path) -> None:
    text = """\
#include <torch/of_mine.h>
template <class T> struct Wide { typedef T type; };
template <> struct Wide<at::Half> { typedef float type; };
__global__ void k(float* p) { Wide<double>::type wide = *p; p[1] = wide / 3; }
"""
    (workspace / "k.cu").write_text(text)
    (workspace / "plain.cu").write_text(
        "".join(it for it in text.splitlines(True) if "include" not in it and "Half" not in it)
    )
    assert counts(compiled(workspace, "k.cu")) == counts(compiled(workspace, "plain.cu")) != {}
    (workspace / "k.cu").write_text(text.replace("struct Wide<at::Half>", "struct Wide<double> : at::Base"))
    assert not compiled(workspace, "k.cu").usages


def test_instances_of_classes_that_a_variable_registers(workspace: Path) -> None:
    host = """\
#include <torch/of_mine.h>
template <class T> struct Op : torch::Kernel { void run(torch::Tensor t) { second<T, 4><<<t.n, 4>>>(t.data<T>()); } };
static torch::Registration registered = torch::Registry::get("second").set<Op<float>>();
const void* kernels[] = {(const void*)&second<double, 8>};
"""
    (workspace / "k.cu").write_text(f"{KERNELS}{host}")
    made = "template __global__ void second<float, 4>(float*);\ntemplate __global__ void second<double, 8>(double*);\n"
    (workspace / "plain.cu").write_text(f"{KERNELS}{made}")
    assert counts(compiled(workspace, "k.cu")) == counts(compiled(workspace, "plain.cu"))


HOST_CODE = [
    ("second<double, 128><<<1, 128>>>(d);", "double, 128"),
    ("PICK(n, N, { second<float, N><<<1, N>>>(t.data<float>()); })", "float, 32", "float, 64"),
    ("BY(t, n, [&] { second<scalar_t, 4><<<1, 4>>>(t.data<scalar_t>()); });", "double, 4", "float, 4"),
    ("constexpr int N = sizeof(float) * 4; auto k = second<int, N>; launch(k, t);", "int, 16"),
    ("if constexpr (sizeof(void*) == 8) { run_all<8>(t, n); } else { run_all<16>(t, n); }", "float, 8"),
    ("auto each = [&](auto x) { using T = decltype(x); second<T, 4><<<t.n, 4>>>(t); }; each(int{});", "int, 4"),
    ("std::vector<Out<T>> outs = t.outs(); run_to<12>(outs[0], t);", "float, 12"),
]


@pytest.mark.parametrize(("code", "instances"), [(code, instances) for code, *instances in HOST_CODE])
def test_instances_that_hosts_code_names_which_does_not_compile(
    workspace: Path, code: str, instances: Sequence[str]
) -> None:
    """The truth: a file that makes just these."""
    host = f"""\
#include <torch/of_mine.h>
#define PICK(n, N, ...) \\
    if (n == 32) {{ constexpr int N = 32; __VA_ARGS__ }} else {{ constexpr int N = 64; __VA_ARGS__ }}
#define BY(...) AT_DISPATCH_FLOATING_TYPES_AND_HALF(__VA_ARGS__)
template <int N> void run_all(torch::Tensor t, int n) {{ const int m = t.size(n); second<float, N><<<m, N>>>(t); }}
template <int N, class Out> void run_to(Out& out, torch::Tensor t) {{ second<float, N><<<1, N>>>(out.get(t)); }}
void run(torch::Tensor t, int n) {{ TORCH_CHECK(t.ok(), "{{"); {code} }}
"""
    (workspace / "k.cu").write_text(f"{KERNELS}{host}")
    made = "".join(f"template __global__ void second<{it}>({it.partition(',')[0]}*);\n" for it in instances)
    (workspace / "plain.cu").write_text(f"{KERNELS}{made}")
    reading = compiled(workspace, "k.cu")
    assert counts(reading) == counts(compiled(workspace, "plain.cu")) and len(reading.usages) == 1 + len(instances)
    assert not reading.problems


@pytest.mark.parametrize(
    "code",
    [
        "template void Layer<float>::run(int, Blob<float>);",
        "MAKE(Layer)",
        "template class Layer<float>;",
        "template <class T> void go(T* p, int n) { third<<<n, 1>>>(p, n); }\ntemplate void go(float*, int);",
        "template <class T> void go(T* p) { T* q = p; third<<<1, 1>>>(q, 4); }\n"
        "void all(Blob<int> b) { go(b.data<float>()); }",
    ],
)
def test_instances_of_classes_and_by_what_is_handed(workspace: Path, code: str) -> None:
    kernel = "template <class T> __global__ void third(T* p, int n) { p[n] = p[n] / 3; }\n"
    host = (
        "#include <boost/of_mine.h>\n#define MAKE(C) template void C<float>::run(int, Blob<float>)\n"
        "template <class T> struct Blob : boost::Base { T* p; };\n"
        "template <class T> struct Layer : boost::Base { void run(int n, Blob<T> b); };\n"
        "template <class T> void Layer<T>::run(int n, Blob<T> b) { third<T><<<1, n>>>(b.p, n); }\n"
    )
    (workspace / "k.cu").write_text(f"{kernel}{host}{code}\n")
    (workspace / "plain.cu").write_text(f"{kernel}template __global__ void third<float>(float*, int);\n")
    reading = compiled(workspace, "k.cu")
    assert counts(reading) == counts(compiled(workspace, "plain.cu")) and len(reading.usages) == 1


def told_by_command(file: Path) -> list[Reading]:
    """What `compile` has of it, in the order in which it comes."""
    (source,) = sources([str(file)])
    assert not isinstance(source, Problem)
    return [it for _, it in command._compile(source, Projects(["sm_90"]).at(source.root), True, True)]


@pytest.mark.parametrize(("type_", "counted"), [("at::Half", True), ("double", False)])
def test_a_specialisation_for_a_librarys_type_is_nobody_elses(workspace: Path, type_: str, counted: bool) -> None:
    """For `double`, the template would be compiled in its place."""
    kernel = "template <class T> __global__ void k(T* p) { p[0] = p[1] * p[2]; }\n"
    special = f"using at::Half;\ntemplate <> __global__ void k<{type_}>({type_}* p) {{ Half h; at::sum(p, h); }}\n"
    make = "void run(double* p) { k<double><<<1, 1>>>(p); }\n"
    (workspace / "k.cu").write_text(f"#include <ATen/of_mine.h>\n{kernel}{special}{make}")
    assert [it.kernel for it in compiled(workspace, "k.cu").usages] == ["_Z1kIdEvPT_"] * counted


@pytest.mark.parametrize(("soon", "told"), [(0.0, [0, 1, 1, 0, 0, 2]), (math.inf, [0, 1, 0, 1, 0, 0, 2])])
def test_what_takes_too_long_is_compiled_kernel_by_kernel(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, soon: float, told: list[int]
) -> None:
    """As each of them comes, and as the whole has them; then what has no count alone, with all the rest."""
    templates = f"{KERNELS}void run(double* d) {{ second<double, 128><<<1, 128>>>(d); }}\n"
    shared = "__noinline__ __device__ float f(float x) { return x * x + 1; }\n"
    callers = "".join(f"__global__ void {it}(float* p) {{ *p = f(*p); }}\n" for it in "ab")
    (workspace / "k.cu").write_text(f"{templates}{shared}{callers}")
    monkeypatch.setattr(command, "PATIENCE", 0.0)
    monkeypatch.setattr(compilations, "_SOON", soon)
    slow = told_by_command(workspace / "k.cu")
    assert [len(it.usages) for it in slow] == told
    monkeypatch.undo()
    (whole,) = told_by_command(workspace / "k.cu")
    assert len(whole.usages) == 4
    assert {name: count for it in slow for name, count in counts(it).items()} == counts(whole)


def test_a_source_that_is_a_part_of_another(workspace: Path) -> None:
    (workspace / "part.cu").write_text("__global__ void k(real* p) { p[0] = sin(p[1]); }\n")
    text = '#define real double\n#include "part.cu"\n__global__ void other(real* p) { p[0] = 1; }\n'
    (workspace / "whole.cu").write_text(text)
    (reading,) = told_by_command(workspace / "part.cu")
    whole = counts(compiled(workspace, "whole.cu"))
    assert counts(reading) == {"_Z1kPd": whole["_Z1kPd"]}


def test_what_only_the_variant_of_an_architecture_has(workspace: Path) -> None:
    (workspace / "k.cu").write_text(
        '__global__ void k(float* p) { asm volatile("wgmma.fence.sync.aligned;"); p[threadIdx.x] = 1; }\n'
    )
    (usage,) = compiled(workspace, "k.cu").usages
    assert usage.registers and usage.how.endswith(", for sm_90a")
