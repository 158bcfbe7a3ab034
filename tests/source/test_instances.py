"""The instances of a template in one text are what each is alone: those that share an answer do so rightly."""

from __future__ import annotations

from itertools import product

import pytest

from occupancy_lsp.source.kernels.kernels import Kernel
from occupancy_lsp.source.source import Source
from occupancy_lsp.source.text.dialects import CUDA

_BODIES = {
    "a size": "__shared__ T a[N]; if (B) a[0] = 1; p[0] = a[threadIdx.x];",
    "a size by a macro": "__shared__ T a[SIZE]; a[0] = 1; __syncthreads(); p[0] = a[threadIdx.x];",
    "a condition by a macro": "if (CHOSEN) { __shared__ T a[32]; a[0] = 1; __syncthreads(); p[0] = a[threadIdx.x]; }",
    "a condition that calls": "if (holds<N>(p)) p[0] = 1;",
    "a condition that is compiled": "if constexpr (B) { __shared__ T a[64]; a[0] = 1; __syncthreads(); p[1] = a[3]; }",
    "a condition by a variable": "const bool large = N > 32; if (large) { __syncthreads(); }",
    "conditions alone": "if (B && N > 32) { __syncthreads(); } if (sizeof(T) == 4) { __barrier_sync(5); }",
    "a barrier's number": 'asm volatile("bar.sync %0, 64;" :: "r"(N / 32));',
    "what is called": "if (B) p[0] = sum<T, N>(p);",
    "nothing": "p[0] = 1;",
}
_TEXT = """
#define SIZE (N * 4)
#define CHOSEN (B && N > 32)
template <typename T, int M> __device__ T sum(T *p) { __shared__ T b[M]; b[0] = *p; __syncthreads(); return b[1]; }
template <int M> __device__ bool holds(void *p) { __shared__ int b[M]; b[0] = 1; __syncthreads(); return b[1]; }
template <typename T, int N, bool B> __global__ void k(T *p, int n) { %s /* so long that it is not followed%s */ }
"""
_ARGUMENTS = [*product(("float", "double"), (32, 64, 128), ("false", "true"))]


def _kernel(body: str, each: list[tuple[str, int, str]]) -> Kernel:
    launches = "".join(f"  k<{kind}, {size}, {chosen}><<<n, 256>>>(({kind} *)p, n);\n" for kind, size, chosen in each)
    text = _TEXT % (body, " ; p[n] = p[n + 1]" * 400) + f"void run(void *p, int n) {{\n{launches}}}\n"
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    return kernel


def _told(kernel: Kernel) -> tuple[object, ...]:
    memory = kernel.local
    variables = [(it.name, it.bytes.number, it.read) for it in memory.variables]
    return memory.lowest, memory.highest, memory.reason, memory.alignment, variables, kernel.barriers


@pytest.mark.parametrize("body", _BODIES.values(), ids=_BODIES.keys())
def test_an_instance_among_others_is_what_it_is_alone(body: str) -> None:
    among = _kernel(body, _ARGUMENTS).instances
    assert len(among) == len(_ARGUMENTS)
    for it, arguments in zip(among, _ARGUMENTS, strict=True):
        (alone,) = _kernel(body, [arguments]).instances
        assert (it.arguments, _told(it)) == (alone.arguments, _told(alone))
