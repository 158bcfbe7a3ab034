"""What an edit makes the reader work out again, counted in answers."""

from __future__ import annotations

import gc

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.lower.item_facts import Function
from occupancy_lsp.source.sema.translation_unit_scope import Environment

_KERNELS = 20
_TEXT = (
    b"#define WIDTH 64\n#define DEPTH 8\n"
    + b"__device__ float sum(float *p) { __shared__ float part[WIDTH]; part[threadIdx.x] = *p; return part[0]; }\n"
    + b"".join(
        b"__global__ void k%d(float *p) { __shared__ float a%d[%s]; a%d[0] = sum(p); p[0] = a%d[0]; }\n"
        % (i, i, b"DEPTH" if i < 3 else b"4", i, i)
        for i in range(_KERNELS)
    )
)


def _resolved(source: Source, text: bytes, old: bytes, new: bytes) -> tuple[bytes, int]:
    """The text with `new` in place of the first `old`, and how many items were resolved for it."""
    at = text.index(old)
    after = text[:at] + new + text[at + len(old) :]
    source.replace(after, at, at + len(old), at + len(new))
    queries = _environment(source).queries
    before = queries.computed["resolved"]
    source.facts({})
    return after, queries.computed["resolved"] - before


def _environment(source: Source) -> Environment:
    return source._first_environment()


@pytest.mark.parametrize(
    ("old", "new", "resolved"),
    [
        (b"p[0] = a7[0]; }", b"p[0] = a7[0]; __syncthreads(); }", 1),  # inside of one kernel
        (b"p[0] = a7[0]; }", b"p[0] = a7[0] + 1; }", 0),  # of which nothing says more
        (b"void k9(", b"\n\nvoid k9(", 0),
        (b"void k9(float *p) {", b"void k9(float *p) {{", 1),
        (b"void k9(float *p) {", b"void k9(float *p) {}", 1),  # its array stands outside of functions then
        (b"#define DEPTH 8", b"#define DEPTH 16", 3),  # what three kernels name
        (b"#define DEPTH 8", b"#define DEPTH 8\n#define OTHER 8", 0),
        (b"#define WIDTH 64", b"#define WIDTH 32", _KERNELS),  # what a function names that all call
        (b"__device__ float", b"__device__  float", 0),  # the function that they call moves in its item
        (b"__device__", b"\n// a comment\n\n__device__", 0),
        (b"__device__", b"#if WIDTH > 32\n__device__", 0),  # which nothing closes yet
        (b"__global__ void k9", b"/* a comment */\n__global__ void k9", 0),
    ],
)
def test_a_key_resolves_what_it_bears_on(old: bytes, new: bytes, resolved: int) -> None:
    source = Source(_TEXT, CUDA)
    source.facts({})
    text, again = _resolved(source, _TEXT, old, new)
    assert again == resolved
    _, back = _resolved(source, text, new, old)
    assert back == resolved


def test_what_other_calls_and_conditions_mean_is_not_worked_out_again() -> None:
    body = b"".join(b"if (p[%d] > WIDTH) f%d(p, WIDTH); " % (i, i) for i in range(30))
    text = _TEXT + b"__global__ void many(float *p) { int n = 1; " + body + b"}\n"
    source = Source(text, CUDA)
    source.facts({})
    computed = _environment(source).queries.computed
    before = {it: computed[it] for it in ("meant", "meant always", "waits", "waits always", "branch")}
    assert min(before["meant always"], before["waits always"], before["branch"]) >= 30
    typed, _ = _resolved(source, text, b"int n = 1;", b"int n = 1; int m = 2;")
    assert {it: computed[it] for it in before} == before
    _resolved(source, typed, b"#define WIDTH 64", b"#define WIDTH 16")
    assert computed["branch"] >= before["branch"] + 30


def test_what_a_function_names_and_calls_holds_on_where_one_of_them_is_edited() -> None:
    """Nothing is another macro or type, and the function bears the name that it had."""
    callers = b"".join(b"__global__ void c%d(float *p) { p[%d] = twice(p[0]); }\n" % (i, i) for i in range(9))
    text = _TEXT + b"__device__ float twice(float x) { return x + x; }\n" + callers
    source = Source(text, CUDA)
    source.facts({})
    computed = _environment(source).queries.computed
    kinds = ("called sites", "mentioned")

    def again(old: bytes, new: bytes) -> list[int]:
        before = [computed[it] for it in kinds]
        _resolved(source, text, old, new)
        found = [computed[it] - was for it, was in zip(kinds, before, strict=True)]
        _resolved(source, text.replace(old, new), new, old)
        return found

    assert again(b"return x + x;", b"return 2 * x;") == [1, 0]  # what the function itself calls
    assert again(b"#define WIDTH 64", b"#define WIDTH 64\n#define twice(x) (x)")[0] >= 9
    assert again(b"float twice(", b"float thrice(")[1] >= 9


def test_what_calls_may_mean_outlives_their_text_and_does_not_hold_it() -> None:
    calls = b"".join(b"p[%d] = f%d(p); " % (i, i) for i in range(30))
    called = b"".join(b"__device__ float f%d(float *p) { return sum(p); }\n" % i for i in range(30))
    text = _TEXT + called + b"__global__ void many(float *p) { " + calls + b"}\n"
    source = Source(text, CUDA)
    source.facts({})
    for i in range(30):
        text, _ = _resolved(source, text, b"p[%d] = f%d(p);" % (i, i), b"p[%d] = f%d(p + 1);" % (i, i))
    gc.collect()
    held = [it for it in gc.get_objects() if isinstance(it, Function) and it.name == "many"]
    assert len(held) <= 3


def test_nor_is_what_hangs_on_variables_under_a_condition_of_the_preprocessor() -> None:
    body = b"".join(b"if (all > %d) sum(p + all + %d); " % (i, i) for i in range(30))
    code = b"int n = 1;\n#if __CUDA_ARCH__ >= 800\nusing T = float; const int all = p[0] * sizeof(T);\n" + body
    text = _TEXT + b"__global__ void many(float *p) { " + code + b"\n#endif\n}\n"
    source = Source(text, CUDA)
    source.facts({})
    computed = _environment(source).queries.computed
    before = {it: computed[it] for it in ("meant", "meant always", "waits", "waits always", "branch")}
    assert min(before["meant always"], before["branch"]) >= 30
    _resolved(source, text, b"int n = 1;", b"int n = 1; int m = 2;")
    assert {it: computed[it] for it in before} == before


_TEMPLATE = b"""
#define TWICE (2 * N)
template <typename T> __device__ T sum(T v) { __shared__ T part[32]; part[threadIdx.x] = v; return part[0]; }
template <typename T, int N, bool WAITS, int IDLE> __global__ void k(T *p, int n) {
  __shared__ T held[N];
#pragma unroll IDLE
  for (int i = 0; i < n; i++) held[threadIdx.x] += __ldg(p + i);
#ifdef CHECKED
  assert(n > 0);
#endif
  if (WAITS) { __syncthreads(); }
  p[0] = sum<T>(held[0]);
}
template <typename T> void run(T *p, int n, cudaStream_t s) {
  k<T, 64, true, 1><<<n, 256, 0, s>>>(p, n);
  k<T, 64, true, 2><<<n, 256, 0, s>>>(p, n);
  k<T, 64, true, 4><<<n, 256, 0, s>>>(p, n);
  k<T, 64, false, 4><<<n, 256, 0, s>>>(p, n);
  k<T, 32, false, 4><<<n, 256, 0, s>>>(p, n);
}
template void run(float *p, int n, cudaStream_t s);
template void run(double *p, int n, cudaStream_t s);
"""


def test_a_key_in_a_template_makes_no_other_instances() -> None:
    source = Source(_TEMPLATE, CUDA)
    (kernel,) = source.facts({}).kernels
    assert len(kernel.instances) == 10
    computed = _environment(source).queries.computed
    before = {it: computed[it] for it in ("instances", "made")}
    typed, _ = _resolved(source, _TEMPLATE, b"p[0] =", b"int q = 1; p[0] =")
    _resolved(source, typed, b"int q = 1;", b"int q = 1; foo(q);")
    assert {it: computed[it] for it in before} == before


def test_a_template_parameter_without_a_name_keeps_nothing_from_being_known_again() -> None:
    text = _TEMPLATE.replace(b"int IDLE>", b"int IDLE, std::enable_if_t<(N > 0), int> = 0>")
    assert text != _TEMPLATE
    source = Source(text, CUDA)
    source.facts({})
    computed = _environment(source).queries.computed
    before = {it: computed[it] for it in ("meant always", "waits always")}
    assert min(before.values()) > 1
    _resolved(source, text, b"p[0] =", b"int q = 1; p[0] =")
    assert {it: computed[it] for it in before} == before


def test_a_key_beside_launches_by_macros_makes_none_of_their_instances_anew() -> None:
    sizes = b"".join(b"  case %d: RUN(T, %d); break;\n" % (i, i) for i in range(32, 52))
    text = (
        b"template <typename T, int N> __global__ void k(T *p) { __shared__ T held[N]; held[0] = *p; *p = held[1]; }\n"
        b"#define RUN(T, N) k<T, N><<<1, N>>>(p)\n"
        b"template <typename T> void run(T *p, int n) {\n  switch (n) {\n" + sizes + b"  }\n}\n"
        b"template void run(float *p, int n);\ntemplate void run(double *p, int n);\n"
    )
    source = Source(text, CUDA)
    (kernel,) = source.facts({}).kernels
    assert len(kernel.instances) == 40
    computed = _environment(source).queries.computed
    before = computed["made"]
    assert before >= 40
    _resolved(source, text, b"switch", b"int q = n; switch")
    assert computed["made"] == before
    assert len(source.facts({}).kernels[0].instances) == 40


def test_of_the_uses_of_launching_macros_those_are_expanded_that_may_name_the_kernel() -> None:
    checks = b"".join(b"  CHECK(n > %d);\n" % i for i in range(20))
    text = (
        b"template <int N> __global__ void first_k(float *p) { p[0] = N; }\n"
        b"#define PICK(_1, _2, NAME, ...) NAME\n"
        b"#define CHECK1(c) if (!static_cast<bool>(c)) fail()\n#define CHECK2(c, t) if (!(c)) fail(t)\n"
        b"#define CHECK(...) PICK(__VA_ARGS__, CHECK2, CHECK1)(__VA_ARGS__)\n"
        b"#define MADE(name, n) name##_k<n><<<1, n>>>(p)\n#define RUN(...) APPLY(MADE, __VA_ARGS__)\n"
        b"#define APPLY(M, ...) M(__VA_ARGS__)\n"
        b"void run(float *p, int n) {\n"
        + checks
        + b"  CHECK((first_k<64><<<1, 64>>>(p), n > 1));\n  RUN(first, 32);\n}\n"
    )
    source = Source(text, CUDA)
    (kernel,) = source.facts({}).kernels
    assert {it.arguments for it in kernel.instances} == {"32", "64"}
    assert _environment(source).queries.computed["made by macro"] == 2


def test_what_a_variable_takes_is_worked_out_once() -> None:
    arrays = b"".join(
        b"__shared__ float s%d[WIDTH * %d]; s%d[0] = *p; *p = s%d[1]; " % (i, i, i, i) for i in range(1, 9)
    )
    text = _TEXT + b"__global__ void many(float *p) { " + arrays + b"}\n"
    source = Source(text, CUDA)
    source.facts({})
    computed = _environment(source).queries.computed
    before = computed["room"]
    typed, _ = _resolved(source, text, b"void many(float *p) { ", b"void many(float *p) { int q = 1; ")
    assert computed["room"] == before
    _resolved(source, typed, b"#define WIDTH 64", b"#define WIDTH 16")
    assert computed["room"] >= before + 8


def test_instances_with_the_same_text_are_worked_out_once() -> None:
    """`IDLE` stands in no code, and `WAITS` decides which text runs: of 10 instances 6 are left."""
    source = Source(_TEMPLATE, CUDA)
    (kernel,) = source.facts({}).kernels
    computed = _environment(source).queries.computed
    assert computed["calls"] == 6 + 2  # and `sum` of either type
    waits = {it.arguments: it.summary.barriers.exact for it in kernel.instances}
    assert waits["float, 64, true, 4"] == 1
    assert waits["float, 64, false, 4"] == waits["double, 32, false, 4"] == 0


def test_a_key_beside_a_launch_works_out_its_size_in_no_instance_again() -> None:
    kinds = ("float", "double", "int", "short")
    text = _TEMPLATE.replace(b"<<<n, 256,", b"<<<n, n,") + b"".join(
        b"template void run(%b *p, int n, cudaStream_t s);\n" % it.encode() for it in kinds[2:]
    )
    source = Source(text, CUDA)
    launches = source.facts({}).launches
    assert len({it.arguments for it in launches}) == len(launches) == 5 * len(kinds)
    computed = _environment(source).queries.computed
    before = computed["possible"]
    assert before == 4 * len(kinds)  # the bytes, the dimensions, what these may be, and the most threads, of all five
    _resolved(source, text, b"<<<n, n,", b"; int q = 1; k<<<n, n,")
    assert computed["possible"] == before


def test_a_launch_in_instances_that_give_the_kernel_the_same_is_one() -> None:
    """Its size hangs on W by way of a variable."""
    text = b"""
template <typename T, int N> __global__ void k(T *p, int n) { p[0] = N; }
template <typename T, int W, int N> void run(T *p, int n) { int width = W * n; k<T, N><<<1, width>>>(p, n); }
""" + b"".join(
        b"template void run<%b, %d, %d>(%b *p, int n);\n" % (kind, width, number, kind)
        for kind in (b"float", b"double") for width in (32, 64) for number in (1, 2, 3)
    )  # fmt: skip
    source = Source(text, CUDA)
    launches = source.facts({}).launches
    assert {it.arguments for it in launches} == {f"{kind}, {n}" for kind in ("float", "double") for n in (1, 2, 3)}
    assert {it.gives.types for it in launches} == {("float*", "int"), ("double*", "int")}
    assert len(launches) == 2 * 3  # of W nothing is known that it would tell


def test_what_stands_in_macros_is_gathered_again_only_if_one_is_another() -> None:
    source, text = Source(_TEXT, CUDA), _TEXT
    source.facts({})
    computed = _environment(source).queries.computed
    tables = ("macro words", "macro calls", "asm macros")
    before = {it: computed[it] for it in tables}
    assert set(before.values()) == {1}
    text, _ = _resolved(source, text, b"__device__", b"const int other = 8;\n__device__")
    text, _ = _resolved(source, text, b"const int other = 8;", b"const int other = DEPTH;")
    assert {it: computed[it] for it in tables} == before
    _resolved(source, text, b"#define DEPTH 8", b"#define DEPTH 8\n#define OTHER 8")
    assert {computed[it] for it in tables} == {2}


def test_which_attributes_are_macros_is_asked_once_for_all_instances() -> None:
    text = _TEMPLATE.replace(b"__global__ void k(", b"__global__ void BOUNDED k(")
    source = Source(b"#define BOUNDED __launch_bounds__(N)\n" + text, CUDA)
    (kernel,) = source.facts({}).kernels
    bounds = {it.attributes.bounds and it.attributes.bounds.max_threads.value.number for it in kernel.instances}
    assert bounds == {64, 32}
    assert _environment(source).queries.computed["attributes of macros"] == 1


def test_what_an_edit_took_away_is_let_go() -> None:
    source, text = Source(_TEXT, CUDA), _TEXT
    source.facts({})
    first = len(_environment(source).queries)
    for number in range(40):
        typed = b"int q%d = sum(p + %d);" % (number, number)
        text, _ = _resolved(source, text, b"p[0] = a7[0]; }", typed + b"p[0] = a7[0]; }")
        text, _ = _resolved(source, text, typed, b"")
    assert text == _TEXT
    assert len(_environment(source).queries) <= first + 20  # of the last edit


def test_what_a_function_calls_is_asked_for_together() -> None:
    """The table of what is reached is made again once, not for each of them."""
    called = b"".join(b"__device__ int f%d(int n) { return n + %d; }\n" % (i, i) for i in range(8))
    calls = b" + ".join(b"f%d(n)" % i for i in range(8))
    text = called + b"__device__ int all(int n) { return %s; }\n__global__ void k(int *p) { *p = all(1); }\n" % calls
    source = Source(text, CUDA)
    source.facts({})
    # Asked when the kernel calls `all`: eight rows of a table that has none of them yet, then of one with all.
    assert _environment(source).queries.computed["local memory"] == 2 * (1 + 8)


def test_what_functions_reach_is_told_once_of_each_whoever_calls_it() -> None:
    leaf = b"__device__ void leaf(int *p) { __syncthreads(); *p = 1; }\n"
    between = b"".join(b"__device__ void f%d(int *p) { leaf(p); }\n" % i for i in range(6))
    calls = b" ".join(b"f%d(p);" % i for i in range(6))
    kernels = b"".join(b"__global__ void k%d(int *p) { %s p[%d] = 2; }\n" % (i, calls, i) for i in range(10))
    source = Source(leaf + between + kernels, CUDA)
    assert {it.summary.barriers.lowest for it in source.facts({}).kernels} == {1}
    assert _environment(source).queries.computed["waits below"] == 6 + 1


def test_what_templates_of_a_class_take_is_told_once_for_all_its_specialisations() -> None:
    special = b"".join(b"template <> struct Box<%d, float> { float x; };\n" % i for i in range(2, 40))
    method = b"  __device__ int f(float x) { return %s; }\n" % b" + ".join(b"int(Kind(x + %d))" % i for i in range(9))
    general = b"template <int N, typename Kind> struct Box {\n%s};\n" % method
    kernel = b"__global__ void k(int *p) { Box<1, short> box; *p = box.f(*p); }\n"
    source = Source(general + special + kernel, CUDA)
    (made,) = source.facts({}).kernels
    assert made.summary.local.unseen == ()
    assert _environment(source).queries.computed["types taken by"] == 1


def test_a_function_that_comes_back_twice_is_two() -> None:
    """Functions are told apart by which they are."""
    line = next(it for it in _TEXT.splitlines(keepends=True) if b"void k9(" in it)
    for between in (b"", line.replace(b"k9", b"k9x")):  # taken away whole, or typed in before
        source, text = Source(_TEXT, CUDA), _TEXT
        source.facts({})
        text, _ = _resolved(source, text, line, between)
        if between:
            text, _ = _resolved(source, text, between, line)
            text, _ = _resolved(source, text, line, 2 * line)
        else:
            text, _ = _resolved(source, text, b"__global__ void k10(", 2 * line + b"__global__ void k10(")
        said = [it.facts for it in source.placed_items() if any(f.name == "k9" for f in it.facts.functions)]
        assert len(said) == 2 and said[0] is not said[1]
