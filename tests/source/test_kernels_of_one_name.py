"""Which kernel a launch means of several of one name, as g++ picks among functions that stand so."""

from __future__ import annotations

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.launch_resolution import Namesakes, kernels_meant_by
from occupancy_lsp.source.lex.dialect import CUDA

_NAMESPACES = b"""
namespace a { inline namespace v1 { __global__ void step(float *p) { p[0] = 1; } }
void go() { step<<<1, 128>>>((float *)nullptr); } }
namespace b { namespace v1 { __global__ void step(float *p) { p[0] = 1; } }
namespace v2 { using namespace v1; }
using namespace v2;
void go() { step<<<1, 160>>>((float *)nullptr); } }
__global__ void step(int *p) { p[0] = 1; }
namespace d { void go() { step<<<1, 224>>>((int *)nullptr); }
__global__ void step(float *p) { p[0] = 1; }
void go2() { step<<<1, 256>>>((float *)nullptr); ::step<<<1, 288>>>((int *)nullptr); }
namespace e { __global__ void step(float *p) { p[0] = 1; } }
void go3() { e::step<<<1, 320>>>((float *)nullptr); } }
namespace e { struct T {}; __global__ void step(T t) {} }
void by_argument() { e::T t; step<<<1, 352>>>(t); }
void by_using() { using d::e::step; step<<<1, 384>>>((float *)nullptr); }
"""


def _meant(text: bytes) -> dict[int | None, set[str]]:
    facts = Source(text, CUDA).facts({"__CUDA_ARCH__": 900})
    return {
        it.size.number: {kernel.qualified for kernel, _ in kernels_meant_by(it, Namesakes(facts.kernels))}
        for it in facts.launches
    }


def test_a_launch_means_the_kernel_that_name_lookup_finds() -> None:
    assert _meant(_NAMESPACES) == {
        128: {"a::v1::step"},
        160: {"b::v1::step"},
        224: {"step"},
        256: {"d::step"},
        288: {"step"},
        320: {"d::e::step"},
        352: {"step", "e::step"},  # argument-dependent lookup adds e::step, which alone takes the argument
        384: {"d::e::step"},
    }


def test_a_value_is_that_of_the_function_which_overload_resolution_may_pick() -> None:
    text = b"""
    namespace geo { struct Tag {}; constexpr int block_of(Tag) { return 224; } constexpr int f(int) { return 64; } }
    constexpr int block_of(...) { return 32; }
    int f(long);
    constexpr int h(long x) { return x * 2; }
    int h(int);
    __global__ void k(float *p) { p[0] = 1; }
    int main() { k<<<1, block_of(1)>>>(nullptr); k<<<1, f(1)>>>(nullptr); k<<<1, h(1)>>>(nullptr);
      k<<<1, geo::f(1)>>>(nullptr); }
    """
    sizes = [it.size.number for it in Source(text, CUDA).facts({"__CUDA_ARCH__": 900}).launches]
    assert sizes == [None, None, None, 64]
