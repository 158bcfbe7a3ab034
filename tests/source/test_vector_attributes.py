"""Sizes of what attributes make a vector, of five elements each, held against clang 15 for gfx90a."""

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA, HIP
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros

_TYPES = [
    ("typedef float T __attribute__((ext_vector_type(3)));", 80),
    ("typedef __attribute__((ext_vector_type(4))) float T;", 80),
    ("typedef float __attribute__((ext_vector_type(16))) T;", 320),
    ("using T = float __attribute__((ext_vector_type(4)));", 80),
    ("using T = __attribute__((__vector_size__(8 * sizeof(float)))) float;", 160),
    ("template <class E, int N> using V = E __attribute__((ext_vector_type(N))); using T = V<int, 8>;", 160),
    ("template <class E, int N> struct V { typedef E type __attribute__((ext_vector_type(N))); };"
     "using T = V<double, 4>::type;", 160),
    ("#define VECTOR(n) __attribute__((ext_vector_type(n)))\ntypedef short T VECTOR(8);", 80),
    ("struct T { float m __attribute__((vector_size(16))); char c; };", 160),
    ("typedef float V __attribute__((ext_vector_type(3), aligned(4))); struct T { V v; char c; };", 100),
    ("using T = float [[gnu::vector_size(16)]];", None),  # g++ heeds what clang ignores
    ("typedef float T [[clang::ext_vector_type(2)]];", None),
    ("typedef float T __attribute__((vector_size(4)));", 20),
    ("typedef short T __attribute__((vector_size(6)));", 40),
    ("typedef _Float16 T __attribute__((ext_vector_type(8)));", 80),
    ("typedef int T __attribute__((mode(DI)));", None),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "size"), _TYPES)
def test_a_vector_is_as_large_as_its_attribute_says(declared: str, size: int | None) -> None:
    text = f"{declared}\n__global__ void k(char* p) {{ __shared__ T a[5]; p[0] = ((char*)a)[threadIdx.x]; }}\n"
    seen = with_annotation_macros(HIP, macro_summary_lines(text.encode()))
    (kernel,) = Source(text.encode(), seen).facts({}).kernels
    (variable,) = kernel.summary.local.variables
    assert variable.bytes.number == size


def test_a_variable_may_be_a_vector_itself() -> None:
    variable = "__shared__ float a[5] __attribute__((vector_size(16)));"
    text = f"__global__ void k(char* p) {{ {variable} p[0] = ((char*)a)[threadIdx.x]; }}"
    (kernel,) = Source(text.encode(), HIP).facts({}).kernels
    assert kernel.summary.local.highest == 80


def test_nvcc_aligns_what_an_alias_template_names_on_devices_alone() -> None:
    """nvcc 13.0: 320 bytes in the kernel, and a `sizeof(S)` of 8 in a launch."""
    declared = "template <class E> using A = E __attribute__((aligned(32))); struct S { char c; A<int> v; };"
    text = f"{declared}\n__global__ void k(int* p) {{ __shared__ S s[5]; p[0] = s[threadIdx.x].c; }}\n"
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    assert kernel.summary.local.highest is None
    (kernel,) = Source(text.encode(), HIP).facts({}).kernels
    assert kernel.summary.local.highest == 320


def test_attributes_behind_an_alias_align_it() -> None:
    """nvcc 13.0: 160 bytes."""
    declared = "using A = int __attribute__((aligned(16))); struct S { char c; A v; };"
    text = f"{declared}\n__global__ void k(int* p) {{ __shared__ S s[5]; p[0] = s[threadIdx.x].c; }}\n"
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    assert kernel.summary.local.highest == 160
