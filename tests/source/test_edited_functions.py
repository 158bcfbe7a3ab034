"""What callers see of a function that is edited, what a kernel's body comes to, and the launches of an item: what a
fresh file has, and nothing again of what the edit does not bear on."""

from __future__ import annotations

from functools import cache

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.lex.dialect import CUDA, HIP, Dialect
from occupancy_lsp.source.syntax.known_value import Place

_ABOVE = """
#define WAIT(x) if (x) { __syncthreads(); }
#define NOTHING(x) ((void)(x))
constexpr int limit = 4;
__shared__ float outside[16];
__device__ float sum(float *p) { __shared__ float part[64]; part[threadIdx.x] = *p; return part[0]; }
__device__ float next(float *p) {
  __shared__ float part[64]; part[threadIdx.x] = *p; __syncthreads(); return part[threadIdx.x + 1];
}
template <int N> __device__ float of(float *p) { __shared__ float part[N]; part[threadIdx.x] = *p; return part[0]; }
"""
_TEXT = (
    _ABOVE
    + """template <int N, typename T> __device__ float helper(float *p, int n) {
  BODY
  return p[0];
}
__device__ float between(float *p, int n) { return helper<8, float>(p, n) + helper<16, int>(p, n + 1); }
__global__ void k(float *p, int n) { extern __shared__ float given[]; p[0] = between(given, n); }
__global__ void other(float *p, int n) { p[0] = helper<32, float>(p, n); }
"""
)
_KERNEL = (  # too long to be followed statement by statement
    _ABOVE
    + """template <int N, typename T> __global__ void helper(float *p, int n) {
  LONG
  __shared__ T first[N];
  first[n] = p[n];
  BODY
  __shared__ float last[N][33];
  last[n][0] = first[n];
  p[2] = last[0][n];
}
void run(float *p) { helper<8, float><<<1, 32>>>(p, 1); helper<16, double><<<1, 64>>>(p, 2); }
""".replace("LONG", f"// {' ':2048}")
)
# Each is an edit of the one before it.
_BODIES = [
    "p[1] = n;",
    "p[1] = n + 1;",
    "// a note\n  p[1] = n + 1; int q = 4;",
    "p[1] = sum(p);",
    "return next(p) * 0;",
    "return next(p) * 2;",
    "float v = next(p); p[1] = v;",
    "float v = next(p); p[1] = 2;",
    "float v = next(p); v = 5; p[1] = v;",
    "float v = next(p); if (n < 0 && n > 0) p[1] = v;",
    "float v = next(p); if (n < 0 || n > 4) p[1] = v;",
    "float v = next(p); if (N > 8) p[1] = v;",
    "float v = next(p); if (N > 64) p[1] = v;",
    "if (n > 4) p[1] = sum(p);",
    "if (N > 8) p[1] = sum(p);",
    "if (N > 16) p[1] = sum(p);",
    "if (N > limit * 4) p[1] = sum(p); int q = 3;",
    "const int limit = 9; if (N > limit * 4) p[1] = sum(p);",
    "p[1] = of<N>(p);",
    "p[1] = of<16>(p);",
    "const int size = N; p[1] = of<size>(p);",
    "const int size = 2 * N; p[1] = of<size>(p);",
    "p[1] = of<sizeof(T) * 8>(p);",
    "float (*f)(float *) = sum; p[1] = n;",
    "__syncthreads();",
    "if (n) return 1; __syncthreads();",
    "if constexpr (N == 8) return 1; __syncthreads();",
    "if (N == 8) { } __syncthreads();",
    "for (int i = 0; i < N; i++) { __syncthreads(); }",
    "for (int i = N; i < 8; i++) { __syncthreads(); }",
    'asm volatile("bar.sync 3, 64;");',
    "__barrier_sync(N);",
    "__barrier_sync(n);",
    "WAIT(n)",
    "NOTHING(n);",
    "NOTHING(n) ; foreign(p);",
    "outside[1] = n;",
    "float outside[2]; outside[1] = n;",
    "elsewhere<N>(p);",
    "sum(p); if (n) return 1; __syncthreads();",
    "if (n) return 1; sum(p); __syncthreads();",
    "const int size = 4; { const int size = 8; p[1] = of<size>(p); }",
    "const int size = 4; { const int size = 8; } p[1] = of<size>(p);",
    "[](int i) { __syncthreads(); }(n);",
    "auto f = [&](auto m) { return of<m>(p); }; f(std::integral_constant<int, N>());",
    "p[2] = n; auto f = [&](auto m) { return of<m>(p); }; f(std::integral_constant<int, N>());",
    "p[2] = n; auto f = [&](auto m) { int q = 1; return of<m>(p); }; f(std::integral_constant<int, N>());",
    "p[2] = n; auto f = [&](auto m) { int q = 1; return of<sizeof(m)>(p); }; f(n); f(2.0);",
    "auto f = [&](auto m) { int q = 1; return of<sizeof(m)>(p); }; p[2] = n; f(n); f(2.0);",
    "auto f = [&](auto m) { int q = 1; return of<sizeof(m)>(p); }; p[2] = n; f(n);",
    "each([&](int i) { p[i] = n; });",
    "p[2] = n; each([&](int i) { p[i] = n; });",
    "p[2] = n; each([&](int i) { int q = 2;\n p[i] = n; });",
    "p[2] = n; each([&](int i) { int q = 2;\n p[i] = sum(p); });",
    "p[2] = n; each([&](int i) { p[i] = sum(p); }); each([&](int i) { p[i] = n; });",
    "helper<N / 2, T>(p, n);",
    "extern __shared__ float given[]; given[n] = 1;",
    "__shared__ float own[N]; own[0] = n; p[1] = own[n];",
    "p[2] = n; __shared__ float own[N]; own[0] = n; p[1] = own[n];",
    "p[2] = n; __shared__ float own[N * 2]; own[0] = n; p[1] = own[n];",
    "__shared__ union { T one; char two[N]; } either; either.one = n; p[1] = either.one;",
    "p[2] = n; __shared__ union { T one; char two[N]; } either; either.one = n; p[1] = either.one;",
    "p[2] = n; __shared__ struct { T one; char two[N]; } either; either.one = n; p[1] = either.one;",
    "__shared__ struct { T one; struct { char two[2 * N]; } inner; } either; either.one = n; p[1] = either.one;",
    "using U = T; __shared__ union { U one; char two[N]; } either; either.one = n; p[1] = either.one;",
    "using U = char[N * 3]; __shared__ union { U one; char two[N]; } either; either.two[0] = n; p[1] = either.two[1];",
    "__shared__ struct { enum { M = 4 }; char two[M]; } either; either.two[0] = n; p[1] = either.two[1];",
    "__shared__ struct { enum { M = 8 }; char two[M]; } either; either.two[0] = n; p[1] = either.two[1];",
    "__shared__ struct { using U = char; U two[4]; } either; either.two[0] = n; p[1] = either.two[1];",
    "__shared__ struct { using U = long; U two[4]; } either; either.two[0] = n; p[1] = either.two[1];",
    "__shared__ int flag; if (n) flag = 1; else flag = 1; __syncthreads(); p[1] = flag;",
    "__shared__ int flag; if (n) flag = 1; else flag = 2; __syncthreads(); p[1] = flag;",
    "__shared__ int own[N]; own[n] = n; __syncthreads(); int m = own[p[1] > 2]; if (N > 8) p[1] = m;",
    "__shared__ int own[N]; own[n] = n; __syncthreads(); int m = own[p[1] > 2]; if (N > 4) p[1] = m;",
    "p[2] = n; __shared__ int own[N]; own[n] = n; __syncthreads(); int m = own[p[1] > 2]; if (N > 4) p[1] = m;",
    "int n = 3; p[1] = n;",
    "p[1] = 0; n = n + p[1];",
    "using S = T; p[1] = of<sizeof(S)>(p);",
    "struct S { T one, two; }; p[1] = of<sizeof(S)>(p);",
    "p[2] = n; struct S { T one, two; }; p[1] = of<sizeof(S)>(p);",
    "p[2] = n; struct S { T one, two; }; struct R { S a; char b[N]; }; p[1] = of<sizeof(R)>(p);",
    "int q = 1; struct S { T one, two; }; struct R { S a; char b[N]; }; p[1] = of<sizeof(R)>(p);",
    "int q = 1; struct S { T one; }; struct R { S a; char b[N]; }; p[1] = of<sizeof(R)>(p);",
    "enum { M = 4, L }; p[1] = of<L>(p);",
    "p[2] = n; enum { M = 4, L }; p[1] = of<L>(p);",
    "p[2] = n; enum { M = 5, L }; p[1] = of<L>(p);",
    "{ { p[1] = 1; }",
    "} if (n > 3) { p[1] = 1; ",
]


def _told(source: Source) -> list[tuple[object, ...]]:
    kernels = source.facts({}).kernels
    return [
        (it.name, it.arguments, *_of_memory(source, it.summary.local), it.summary.barriers)
        for kernel in kernels
        for it in (kernel, *kernel.instances)
    ]


def _of_memory(source: Source, it: LocalMemory) -> tuple[object, ...]:
    places = [(each.name, source.start_of(each.place.item) + each.place.start) for each in it.variables]
    return it.lowest, it.highest, it.reason, it.unseen, places, [each.bytes.number for each in it.variables]


def _with(text: str, body: str) -> bytes:
    return text.replace("BODY", body).encode()


@cache
def _afresh(text: str, body: str, dialect: Dialect) -> list[tuple[object, ...]]:
    return _told(Source(_with(text, body), dialect))


def _edited(source: Source, text: str, old: str, new: str) -> None:
    start = text.index("BODY")
    source.replace(_with(text, new), start, start + len(old.encode()), start + len(new.encode()))


@pytest.mark.parametrize(
    ("text", "dialect"), [(_TEXT, CUDA), (_TEXT, HIP), (_KERNEL, CUDA)], ids=["function", "function in HIP", "kernel"]
)
@pytest.mark.parametrize("step", [1, 2, 7, -3])
def test_an_edited_function_is_to_others_what_it_is_afresh(step: int, text: str, dialect: Dialect) -> None:
    source = Source(_with(text, _BODIES[0]), dialect)
    source.facts({})
    before, seen = _BODIES[0], set()
    for index in range(len(_BODIES) * 2):
        body = _BODIES[index * step % len(_BODIES)]
        _edited(source, text, before, body)
        told = _told(source)
        assert told == _afresh(text, body, dialect), f"{before!r} became {body!r}"
        before = body
        seen.add(str(told))
    assert len(seen) > len(_BODIES) // (2 * abs(step)) // 2  # they say different things


def _asked_again(text: str, old: str, new: str) -> int:
    """How many bodies of kernels are worked out again after the edit, which has to show what a fresh file has."""
    source = Source(_with(text, old), CUDA)
    source.facts({})
    computed = source._first_environment().queries.computed
    before = computed["in body"]
    assert before == 3
    _edited(source, text, old, new)
    assert _told(source) == _told(Source(_with(text, new), CUDA))
    return computed["in body"] - before


_APART = "__global__ void apart(float *p) { p[0] = sum(p); }\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p[1] = n;", "p[1] = n + 1;"),
        ("p[1] = n;", "// a note\n  p[1] = n; int q = 4;"),
        ("p[1] = n;", "p[1] = n; q"),
        ("if (n > 4) p[1] = 2;", "int m = 2;\n  if (n > 4) p[1] = m;"),
        ("p[1] = n;", "p[1] = sum(p);"),
        ("p[1] = n;", "__syncthreads(); p[1] = n;"),
        ("p[1] = n; __syncthreads();", "if (n) { p[1] = n; } __syncthreads();"),
        ("if (n > 4) p[1] = 2;", "if (n > 5) p[1] = 2;"),
        ("p[1] = n;", "p[1] = n + limit;"),
        ("p[1] = n;", "__shared__ float own[4]; own[0] = n; p[1] = own[n];"),
    ],
)
def test_none_but_the_kernels_that_reach_a_function_are_asked_again(old: str, new: str) -> None:
    assert _asked_again(_TEXT + _APART, old, new) <= 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p[1] = n;", "p[1] = n + 1;"),
        ("p[1] = n;", "// a note\n  p[1] = n; int q = 4;"),
        ("p[1] = n;", "p[1] = sum(p);"),
        ("p[1] = n;", "p[1] = n; __syncthreads();"),
        ("each([&](int i) { p[i] = n; });", "int q = 4; each([&](int i) { p[i] = n; });"),
        ("each([&](int i) { p[i] = n; });", "each([&](int i) { int q = 4; p[i] = n; });"),
        ("each([&](int i) { p[i] = n; });", "each([&](int i) { p[i] = sum(p); });"),
        ("auto f = [&](auto m) { }; f(n);", "auto f = [&](auto m) { int q = 4; }; f(n);"),
        ("auto f = [&](auto m) { }; f(n);", "auto f = [&](auto m) { }; f(n); f(N);"),
        ("struct S { T t; }; S s;", "int q = 4; struct S { T t; }; S s;"),
        ("struct S { T t; }; p[1] = of<sizeof(S)>(p);", "int q; struct S { T t; }; p[1] = of<sizeof(S)>(p);"),
        ("struct S { T t; }; p[1] = of<sizeof(S)>(p);", "struct S { T t, u; }; p[1] = of<sizeof(S)>(p);"),
        ("p[1] = n;", "if (N > 8) return; p[1] = n;"),
        ("p[1] = n;", "p[1] = first[n];"),
        ("p[1] = n;", "float last; p[1] = n;"),
        ("if (N > 8) first[n] = 1;", "if (N > 9) first[n] = 1;"),
        ("__shared__ float own[N]; p[1] = own[n];", "__shared__ float own[N];\n p[1] = own[n];"),
        ("__shared__ float own[N]; p[1] = own[n];", "__shared__ float own[8]; p[1] = own[n];"),
        ("__shared__ union { T t; int i; } u; u.i = n;", "__shared__ union { T t; int i; } u; u.i = n + 1;"),
    ],
)
def test_no_kernel_but_the_one_that_is_edited_is_asked_again(old: str, new: str) -> None:
    assert _asked_again(_KERNEL + _APART, old, new) <= 2  # its two instances


def test_kernels_of_one_name_in_one_class_are_told_apart() -> None:
    text = """struct S {
      template <int N> static __global__ void k(int *p) { __shared__ int a[N]; a[*p] = *p; p[1] = a[1]; }
      template <int N> static __global__ void k(float *p) { __shared__ float a[N * 10]; a[int(*p)] = *p; p[1] = a[1]; }
    };
    void run(int *p) { S::k<1><<<1, 32>>>(p); S::k<2><<<1, 32>>>(p); }
    """
    one, other = Source(text.encode(), CUDA).facts({}).kernels
    assert [it.summary.local.lowest for it in (*one.instances, *other.instances)] == [4, 8, 40, 80]


def test_each_instance_has_local_memory_of_its_own() -> None:
    """As compilers lay it out: also where its size hangs on nothing that the instances differ in."""
    text = (
        "template <typename T> __device__ float sum(T *p) {"
        " __shared__ float part[64]; part[threadIdx.x] = *p; return part[0]; }\n"
        "template <typename T> __device__ float by(T *p) { return sum(p); }\n"
        "__global__ void k(float *p, int *q) { p[0] = by(p) + by(q); }\n"
    )
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    assert kernel.summary.local.lowest == 512


def test_instances_that_name_a_barrier_are_told_apart() -> None:
    text = (
        'template <int N> __device__ void wait() { asm volatile("bar.sync %0, 64;" :: "r"(N)); }\n'
        "__global__ void k(float *p) { wait<3>(); wait<5>(); wait<2>(); }\n"
    )
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    assert kernel.summary.barriers.exact == 6


_LAUNCHING = """__global__ void k(float *p) { p[0] = 1; }
void run(float *p, int n) {
  int before = n;
  BODY
  const int threads = 128;
  k<<<dim3((n + threads - 1) / threads), dim3(threads, 2)>>>(p);
}
"""
_DISPATCHING = """#define DISPATCH(type, ...) if (type) { using scalar_t = float; __VA_ARGS__(); }
__global__ void k(float *p) { p[0] = 1; }
void run(float *p, int n) {
  DISPATCH(n, [&] {
    int before = n;
    BODY
    const int threads = sizeof(scalar_t) * 32;
    k<<<dim3((n + threads - 1) / threads), dim3(threads, 2)>>>(p);
  });
}
"""


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("", "// a note", False),
        ("before = 1;", "before = 1;  int q = 4;", False),
        ("int q = 4;", "\n", False),
        ("before = 1;", "n = 1;", True),
        ("", "const int threads = 64;", True),
        ("before = 1;", "k<<<1, 2>>>(p);", True),
        ("int k = 1;", "int q = 1;", True),  # the name means something here
        ("each([&] { before = 1; });", "each([&] { int q = 4;\n before = 1; });", False),
        ("each([&] { before = 1; });", "each([&] { n = 1; });", True),
        ("struct S { int i; }; S s;", "int q = 4; struct S { int i; }; S s;", False),
    ],
)
@pytest.mark.parametrize("text", [_LAUNCHING, _DISPATCHING], ids=["plain", "in a lambda"])
def test_launches_are_asked_again_only_if_more_than_their_place_is_another(
    text: str, old: str, new: str, again: bool
) -> None:
    source = Source(_with(text, old), CUDA)
    source.facts({})
    computed = source._first_environment().queries.computed
    before = computed["resolved"]
    _edited(source, text, old, new)
    found = [_of_launches(it) for it in (source, Source(_with(text, new), CUDA))]
    assert found[0] == found[1]
    assert (computed["resolved"] > before) is again


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("p[0] = 1;", "p[0] = 1; p[1] = 2;", 0),
        ("p[0] = 1;", "p[0] = 1; __syncthreads();", 1),  # of the kernel itself
        ("__global__", "__global__ __launch_bounds__(64)", 2),
    ],
)
def test_launches_are_not_asked_again_for_what_a_kernel_does(old: str, new: str, again: int) -> None:
    text = _LAUNCHING.replace("BODY", "")
    source = Source(text.encode(), CUDA)
    source.facts({})
    computed = source._first_environment().queries.computed
    before = computed["resolved"]
    source.replace(
        text.replace(old, new).encode(), text.index(old), text.index(old) + len(old), text.index(old) + len(new)
    )
    assert _of_launches(source) == _of_launches(Source(text.replace(old, new).encode(), CUDA))
    assert computed["resolved"] == before + again


@pytest.mark.parametrize("new", ["[&] __device__ (int i) { }", "[=] __device__ (int i) { int q = 4; }"])
@pytest.mark.parametrize("first", ["", "each<<<1, 32>>>([=] __device__ (int i) { });"])
def test_what_a_lambda_is_called_that_is_launched_is_what_it_is_afresh(new: str, first: str) -> None:
    old = "[=] __device__ (int i) { }"
    run = f"void run() {{ {first} each<<<1, 32>>>(BODY); }}\n"
    text = f"template <typename F> __global__ void each(F f) {{ f(3); }}\n{run}"
    source = Source(_with(text, old), CUDA)
    source.facts({})
    _edited(source, text, old, new)
    found = [it.facts({}) for it in (source, Source(_with(text, new), CUDA))]
    assert [it.arguments for it in found[0].launches] == [it.arguments for it in found[1].launches]
    assert _told(source) == _told(Source(_with(text, new), CUDA))


def _of_launches(source: Source) -> list[object]:
    """With the text at each of their places."""

    def text(it: Place | None) -> object:
        return it and (source.start_of(it.item) + it.start, source.item_text(it.item)[it.start : it.end])

    return [
        (
            (
                it.name,
                text(it.place),
                text(it.target),
                text(it.configuration.grid[0]),
                text(it.configuration.block[0]),
                it.size.number,
            ),
            [(text(each.literal), each.number) for each in it.configuration.block[1]],
            [(text(each.place), each.number) for each in it.configuration.grid_literals],
        )
        for it in source.facts({}).launches
    ]


def test_a_pointer_to_a_function_in_a_template_parts_nothing() -> None:
    """A key in such a kernel works out none of its calls again."""
    calls = "".join(f"f{n}(p, n);" for n in range(9))
    text = f"template <float (*F)(float), int N> __global__ void k(float *p, int n) {{ int q = 1; {calls} }}\n"
    text += "float id(float); void run(float *p) { k<id, 4><<<1, 32>>>(p, 3); }\n"
    source = Source(text.encode(), CUDA)
    source.facts({})
    computed = source._first_environment().queries.computed
    before = computed["waits always"]
    at = text.index("q = 1")
    source.replace(text.replace("q = 1", "q = 2").encode(), at, at + 5, at + 5)
    source.facts({})
    assert computed["waits always"] == before >= 9


def test_a_barrier_that_some_of_many_instances_wait_at_is_one() -> None:
    calls = " ".join(f"p[{n}] = of<{n}, {n % 2}>(p);" for n in range(40))
    text = (
        "template <int N, bool B> __device__ float of(float *p) { if (B) __syncthreads(); return p[N]; }\n"
        f"__global__ void k(float *p) {{ {calls} }}\n"
    )
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    assert kernel.summary.barriers.exact == 1
