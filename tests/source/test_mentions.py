"""A kernel named other than to launch it may be launched through that name."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.address_taken import count_calls, has_other_mention
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA, HOST

_KERNEL = "template <class T> __global__ void k(T *p) { }\n"


@pytest.mark.parametrize(
    ("text", "otherwise"),
    [
        ("void f(int *p) { k<<<1, 64>>>(p); }", False),
        ("void f(int *p) { k<int><<<1, 64>>>(p); ns::k<int> <<< 1, 64 >>> (p); }", False),
        ("void f(int *p) { hipLaunchKernelGGL(k, 1, 64, 0, 0, p); }", False),
        ("void f(void **a) { cudaLaunchKernel((const void *)k<int>, 1, 64, a); }", False),
        ("template __global__ void k<int>(int *);", False),
        ("void f() { cudaFuncSetAttribute(k<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1); }", False),
        ('void f() { puts("k"); /* k, */ } // k,', False),
        ("void f() { go(k<int>); }", True),
        ("auto *g = &k<int>;", True),
        ("void (*g)(int *) = k;", True),
        ("void f() { cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k<int>, 256, 0); }", True),
        ("#define GO k\n", True),
        ("#if 0\nvoid f(int *p) { k<int><<<1, 64>>>(p); }\n#endif", True),
    ],
)
def test_names(text: str, otherwise: bool) -> None:
    source = Source((_KERNEL + text).encode(), CUDA)
    assert has_other_mention(source, source.facts({}), "k") is otherwise


def test_calls_are_no_declarations() -> None:
    text = b"""
        extern int go(int); CL_API int go(
            int);
        void f(void) { go(1); CHECK(go(2)); return go(3); } // go(4)
        int g(void) { int a = go(5), b = !go(6); if (a) go(7); else go(8); return a; }
    """
    source = Source(text, HOST)
    source.facts({})
    assert count_calls(source, "go") == 7
