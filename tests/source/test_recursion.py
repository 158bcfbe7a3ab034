"""Functions that call one another in a circle: what a kernel reaches does not hang on who was asked first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA

_NAMES = "abcde"
_BYTES = 48_000
_CALLS = st.fixed_dictionaries({name: st.lists(st.sampled_from(_NAMES), unique=True) for name in _NAMES})


def _text(calls: Mapping[str, Sequence[str]], holder: str, kernels: Sequence[str]) -> bytes:
    lines = [f"__device__ int {name}(int n);" for name in _NAMES]
    for name, callees in calls.items():
        own = f"__shared__ char s[{_BYTES}]; s[n] = n; n = s[n + 1]; " if name == holder else ""
        lines.append(
            f"__device__ int {name}(int n) {{ {own}{' '.join(f'n += {it}(n);' for it in callees)} return n; }}"
        )
    lines += [f"__global__ void k_{name}(int *n) {{ *n = {name}(*n); }}" for name in kernels]
    return "\n".join(lines).encode()


def _reached(calls: Mapping[str, Sequence[str]], start: str) -> set[str]:
    found, todo = {start}, [start]
    while todo:
        new = set(calls[todo.pop()]) - found
        found |= new
        todo += new
    return found


def _highest(source: Source) -> dict[str, int | None]:
    return {it.name: it.summary.local.highest for it in source.facts({"__CUDA_ARCH__": 900}).kernels}


@settings(max_examples=50, deadline=None)
@given(_CALLS, st.sampled_from(_NAMES), st.permutations(_NAMES))
def test_a_kernel_has_the_memory_of_what_it_reaches_whatever_stands_before_it(
    calls: Mapping[str, Sequence[str]], holder: str, order: Sequence[str]
) -> None:
    found = _highest(Source(_text(calls, holder, order), CUDA))
    assert found == {f"k_{it}": _BYTES if holder in _reached(calls, it) else 0 for it in order}


@settings(max_examples=40, deadline=None)
@given(_CALLS, st.sampled_from(_NAMES), st.permutations(_NAMES))
def test_a_kernel_has_the_barriers_of_what_it_reaches_whatever_stands_before_it(
    calls: Mapping[str, Sequence[str]], holder: str, order: Sequence[str]
) -> None:
    content = _text(calls, "", order).replace(
        f"int {holder}(int n) {{ ".encode(), f'int {holder}(int n) {{ asm volatile("bar.sync 5;"); '.encode()
    )
    found = {it.name: it.summary.barriers.exact for it in Source(content, CUDA).facts({"__CUDA_ARCH__": 900}).kernels}
    assert found == {f"k_{it}": 6 if holder in _reached(calls, it) else 0 for it in order}


def test_a_barrier_whose_number_a_function_hands_itself_may_be_any() -> None:
    text = """\
__device__ void wait(int number, int n) { asm volatile("bar.sync %0;" :: "r"(number)); if (n) wait(number + 1, n - 1); }
__global__ void k(int n) { wait(2, n); }
"""
    kernel = Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels[0]
    assert (kernel.summary.barriers.lowest, kernel.summary.barriers.highest) == (3, 16)


def test_a_kernel_that_goes_takes_nothing_of_the_others_along() -> None:
    calls = {"a": ["c", "b"], "b": ["a"], "c": [], "d": [], "e": []}
    content = _text(calls, "c", "ab")
    source = Source(content, CUDA)
    assert _highest(source) == {"k_a": _BYTES, "k_b": _BYTES}
    start, end = content.index(b"__global__ void k_a"), content.index(b"__global__ void k_b")
    source.replace(content[:start] + content[end:], start, end, start)
    assert _highest(source) == {"k_b": _BYTES}


@pytest.mark.parametrize("holder", [None, 0])
def test_however_many_functions_are_called_none_without_memory_is_a_doubt(holder: int | None) -> None:
    own = "__shared__ char s[64]; s[n] = n; n = s[n + 1];" if holder is not None else ""
    called = "".join(f"__device__ int f{i + 1}(int n) {{ return f{i}(n); }}\n" for i in range(600))
    way = f"__device__ int f0(int n) {{ {own} return n; }}\n{called}"
    ends = "__global__ void far(int *n) { *n = f600(*n); }\n__global__ void near(int *n) { *n = f100(*n); }"
    far, near = Source((way + ends).encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels
    if holder is None:
        assert (far.summary.local.exact, far.summary.local.reason, near.summary.local.exact) == (0, "", 0)
    else:
        assert (far.summary.local.highest, far.summary.local.reason) == (None, "too many functions to follow")
        assert near.summary.local.highest == 64


def test_a_template_without_a_known_end_hides_no_other_function() -> None:
    text = """\
template <int N> struct Step {};
template <int N> __device__ int endless(int *p, Step<N>) { return p[N] + endless(p, Step<N + 1>()); }
__device__ int holder(int n) { __shared__ int s[64]; s[n] = n; __syncthreads(); return s[n + 1]; }
__device__ int caller(int n) { return holder(n); }
__global__ void k(int *p) {
    __shared__ int own[16];
    own[p[1]] = p[0];
    __syncthreads();
    *p = endless(own, Step<0>()) + caller(*p);
}
"""
    local = Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels[0].summary.local
    assert (local.lowest, local.highest, local.reason) == (320, None, "too many functions to follow")


def test_a_barrier_behind_many_calls_is_counted() -> None:
    """At most 32 in one another were followed once."""
    called = "".join(f"__device__ void f{i + 1}() {{ f{i}(); }}\n" for i in range(300))
    text = f'__device__ void f0() {{ asm volatile("bar.sync 5;"); }}\n{called}__global__ void k() {{ f300(); }}'
    assert Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels[0].summary.barriers.exact == 6


def test_a_barrier_behind_too_many_functions_to_follow_is_not_missed() -> None:
    called = "".join(f"__device__ void f{i + 1}() {{ f{i}(); }}\n" for i in range(600))
    way = f'__device__ void f0() {{ asm volatile("bar.sync 5;"); }}\n{called}'
    ends = "__global__ void far() { f600(); }\n__global__ void near() { f20(); }"
    far, near = Source((way + ends).encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels
    assert (far.summary.barriers.lowest, far.summary.barriers.highest) == (0, 16)
    assert far.summary.barriers.reason == "it calls too many functions to follow"
    assert near.summary.barriers.exact == 6
