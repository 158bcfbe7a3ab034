"""The two passes of a compiler: what host code says where a device's macros are not defined.

The figures are those of nvcc 13.0 for sm_90 (`.maxntid`, `.shared` of the PTX) and of the programs, run on a runtime
that prints what is launched; for HIP what each pass of clang 21 defines.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from gfx90a import CATALOGUE
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA, HIP, Dialect
from occupancy_lsp.source.sema.translation_unit import NOTHING
from occupancy_lsp.vendors.amd.arch import AmdArch
from occupancy_lsp.vendors.amd.vendor import AMD

_ALONE = (replace(NOTHING, settable=frozenset()),)  # no build defines macros besides
_GFX90A = AMD.predefined(arch, "hip") if isinstance(arch := CATALOGUE.architecture("gfx90a"), AmdArch) else {}
_KERNEL = "__global__ void k(char *p) { __shared__ char s[N]; s[threadIdx.x] = p[1]; *p = s[*p]; }\n"
_BOUNDED = _KERNEL.replace("void", "void __launch_bounds__(N)")


def said(text: str, dialect: Dialect = CUDA) -> tuple[Any, ...]:
    """The bytes of the kernel, its bounds, and each launch's threads and dynamic bytes."""
    facts = Source(text.encode(), dialect).facts({"__CUDA_ARCH__": 900} if dialect is CUDA else _GFX90A, _ALONE)
    (kernel,) = facts.kernels
    launches = [
        (it.size.number, it.configuration.dynamic.value.number if it.configuration.dynamic else 0)
        for it in facts.launches
    ]
    bounds = kernel.attributes.bounds.max_threads.value.number if kernel.attributes.bounds else None
    return kernel.summary.local.exact, bounds, launches


@pytest.mark.parametrize(
    ("text", "bytes_", "bounds", "launched"),
    [
        ("#if __CUDA_ARCH__ >= 900\n#define N 512\n#else\n#define N 128\n#endif\n", 512, 512, 128),
        ("#ifdef __CUDA_ARCH__\n#define N 64\n#else\n#define N 32\n#endif\n", 64, 64, 32),
        ("#ifdef __CUDA_ARCH__\nconstexpr int N = 96;\n#else\nconstexpr int N = 160;\n#endif\n", 96, 96, 160),
        ("#ifndef __CUDA_ARCH__\nenum { N = 64 };\n#else\nenum { N = 256 };\n#endif\n", 256, 256, 64),
        (
            "#ifdef __CUDA_ARCH__\n#define D\n#endif\n#ifndef D\n#define N 352\n#else\n#define N 64\n#endif\n",
            64,
            64,
            352,
        ),
        ("#ifdef __CUDA_ARCH__\n#define N 64\n#endif\n#ifndef N\n#define N 32\n#endif\n", 64, 64, 32),
        ("#if __CUDA_ARCH__ < 700\n#define N 32\n#else\n#define N 64\n#endif\n", 64, 64, 32),
        ("#if defined(__CUDACC__) && defined(__NVCC__)\n#define N 64\n#else\n#define N 32\n#endif\n", 64, 64, 64),
        (
            "#ifndef __CUDA_ARCH__\n#define __CUDA_ARCH__ 350\n#endif\n"
            "#if __CUDA_ARCH__ >= 800\n#define N 64\n#else\n#define N 32\n#endif\n",
            64,
            64,
            32,
        ),
        (
            "__host__ __device__ constexpr int f() {\n#ifdef __CUDA_ARCH__\nreturn 64;\n#else\nreturn 192;\n#endif\n}\n"
            "#define N f()\n",
            64,
            64,
            192,
        ),
        (
            "struct T {\n#ifdef __CUDA_ARCH__\nstatic constexpr int n = 64;\n#else\nstatic constexpr int n = 544;\n"
            "#endif\n};\n#define N T::n\n",
            64,
            64,
            544,
        ),
    ],
)
def test_each_side_by_its_own_pass(text: str, bytes_: int, bounds: int, launched: int) -> None:
    host = "int main() { k<<<1, N, N * 2>>>(0); }\n"
    assert said(text + _BOUNDED + host) == (bytes_, bounds, [(launched, 2 * launched)])


@pytest.mark.parametrize(
    ("host", "threads"),
    [
        ("int main() {\n#ifdef __CUDA_ARCH__\nk<<<1, 64>>>(0);\n#else\nk<<<1, 128>>>(0);\n#endif\n}\n", [128]),
        ("int main() { int n = 32;\n#if __CUDA_ARCH__ >= 700\nn = 512;\n#endif\nk<<<1, n>>>(0); }\n", [32]),
        ("__host__ __device__ void go() {\n#ifndef __CUDA_ARCH__\nk<<<1, 224>>>(0);\n#endif\n}\n", [224]),
        ("__device__ void go() {\n#ifdef __CUDA_ARCH__\nk<<<1, 96>>>(0);\n#endif\n}\n", [96]),
        ("#ifdef __CUDA_ARCH__\n#define B 64\n#else\n#define B 96\n#endif\nvoid go() { k<<<1, B>>>(0); }\n", [96]),
        ("#ifdef __CUDA_ARCH__\n#define B 64\n#else\n#define B 96\n#endif\n"
         "__device__ void go() { k<<<1, B>>>(0); }\n", [64]),
        ("#ifdef __CUDA_ARCH__\n#define B 64\n#else\n#define B 96\n#endif\n"
         "static void go(int b) { k<<<1, b>>>(0); }\nint main() { go(B); }\n", [96]),
    ],
)  # fmt: skip
def test_launches_by_where_they_run(host: str, threads: list[int]) -> None:
    assert [size for size, _ in said("#define N 8\n" + _KERNEL + host)[2]] == threads


def test_what_takes_a_macro_away_is_not_overlooked() -> None:
    """nvcc takes it as of any other macro: 32 in both passes."""
    text = "#undef __CUDA_ARCH__\n#ifdef __CUDA_ARCH__\n#define N 64\n#else\n#define N 32\n#endif\n"
    bytes_, bounds, ((threads, _),) = said(text + _BOUNDED + "int main() { k<<<1, N>>>(0); }\n")
    assert bytes_ in (32, None) and bounds in (32, None) and threads in (32, None)


@pytest.mark.parametrize(
    ("macro", "on_host"),
    [
        ("__HIP_DEVICE_COMPILE__", 32),
        ("__gfx90a__", 32),
        ("__GFX9__", 32),
        ("__AMDGCN__", 64),
        ("__AMDGPU__", 64),
        ("__HIPCC__", 64),
        ("__CUDA_ARCH__", None),
        ("__AMDGCN_WAVEFRONT_SIZE", "unknown"),
    ],
)
def test_clang_s_macros(macro: str, on_host: int | str | None) -> None:
    """clang 21 defines what tells the target for the device alone, and the rest of AMD's for both; clang 22 the size of
    a wave for neither."""
    text = f"#ifdef {macro}\n#define N 64\n#else\n#define N 32\n#endif\n"
    bytes_, _, ((threads, _),) = said(text + _KERNEL + "int main() { k<<<1, N>>>(0); }\n", HIP)
    assert bytes_ == {None: 32, "unknown": None}.get(on_host, 64)
    assert threads == {"unknown": None, None: 32}.get(on_host, on_host)


@pytest.mark.parametrize(
    ("struct", "on_device", "on_host"),
    [
        ("struct P { int a;\n#ifdef __CUDA_ARCH__\nint b[3];\n#endif\n};\n", 16, 4),
        ("typedef struct { int a;\n#ifndef __CUDA_ARCH__\nint b[3];\n#endif\n} P;\n", 4, 16),
        ("struct P { struct { int a;\n#ifdef __HIP__\nint b;\n#endif\n} in; };\n", 4, 4),
        ("struct P {\n#if FOO\nint b[3];\n#else\nchar c;\n#endif\n};\n", 1, 1),
        ("template<class T> struct C { T a;\n#ifdef __CUDA_ARCH__\nT b;\n#endif\n};\nusing P = C<int>;\n", 8, 4),
        ("#ifdef __CUDA_ARCH__\nstruct P { int a[4]; };\n#else\nstruct P { int a; };\n#endif\n", 16, 4),
        ("#ifdef __HIP__\nstruct P { int a[4]; };\n#else\nclass P { int a; };\n#endif\n", 4, 4),
        (
            "struct A { int a[4]; };\n#ifdef __CUDA_ARCH__\nstruct P : A { };\n#else\nstruct P;\n"
            "struct P { char c; };\n#endif\n",
            16,
            1,
        ),
    ],
)
def test_classes_and_members_that_a_pass_decides(struct: str, on_device: int, on_host: int) -> None:
    text = f"{struct}#define N (sizeof(P) * 16)\n{_KERNEL}int main() {{ k<<<1, sizeof(P)>>>(0); }}\n"
    bytes_, _, ((threads, _),) = said(text)
    assert (bytes_, threads) == (16 * on_device, on_host)


def test_a_device_that_is_not_known() -> None:
    """Whichever it is, its pass defines the macro."""
    text = "#ifdef __CUDA_ARCH__\n#define N 64\n#else\n#define N 32\n#endif\n"
    facts = Source(f"{text}{_KERNEL}int main() {{ k<<<1, N>>>(0); }}".encode(), CUDA).facts({})
    assert (facts.kernels[0].summary.local.exact, facts.launches[0].size.number) == (64, 32)


_LINES = (
    "#ifdef __CUDA_ARCH__",
    "#ifndef __CUDA_ARCH__",
    "#else",
    "#endif",
    "#define N 64",
    "#define N 32",
    "constexpr int N = 96;",
    "#define M N",
    "__host__ __device__ constexpr int f() { return N; }",
    "__global__ void k(float *p) { __shared__ float a[N]; a[p[0]] = *p; *p = a[p[1]]; }",
    "template<int X> __global__ void t(float *p) { __shared__ float a[X]; a[p[0]] = *p; *p = a[p[1]]; }",
    "void go() { k<<<1, N>>>(0); t<M><<<1, f()>>>(0); }",
    "__host__ __device__ void both() { k<<<1, f()>>>(0); }",
)
_line = st.sampled_from(_LINES)


def _all(source: Source) -> list[tuple[object, ...]]:
    facts = source.facts({"__CUDA_ARCH__": 900})
    kernels = [
        (
            it.name,
            source.start_of(it.item),
            it.conditional,
            it.summary.local.exact,
            [each.arguments for each in it.instances],
        )
        for it in facts.kernels
    ]
    return kernels + [(it.kernel, it.size.number, it.arguments) for it in facts.launches]


@settings(max_examples=20)  # `make fuzz` draws more edits
@given(
    st.lists(_line, max_size=14),
    st.lists(st.tuples(st.integers(0, 14), st.integers(0, 2), _line), max_size=8),
)
def test_both_passes_follow_edits(lines: list[str], edits: list[tuple[int, int, str]]) -> None:
    now = [*lines]
    source = Source(_text(now), CUDA)
    source.edited = True
    assert _all(source) == _all(Source(_text(now), CUDA))
    for at, gone, new in edits:
        at = min(at, len(now))
        above, left = _text(now[:at]), _text(now[at : at + gone])
        now[at : at + gone] = [new]
        source.replace(_text(now), len(above), len(above) + len(left), len(above) + len(_text([new])))
        assert _all(source) == _all(Source(_text(now), CUDA))


def _text(lines: list[str]) -> bytes:
    return "".join(f"{it}\n" for it in lines).encode()
