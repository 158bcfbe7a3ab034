"""The instances of a template in one text are what each is alone: those that share an answer do so rightly."""

from __future__ import annotations

from itertools import product

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.sema.templates import parse_template_parameter

_BODIES = {
    "a size": "__shared__ T a[N]; if (B) a[0] = 1; p[0] = a[threadIdx.x];",
    "a size by a macro": "__shared__ T a[SIZE]; a[0] = 1; __syncthreads(); p[0] = a[threadIdx.x];",
    "a condition by a macro": "if (CHOSEN) { __shared__ T a[32]; a[0] = 1; __syncthreads(); p[0] = a[threadIdx.x]; }",
    "a condition that calls": "if (holds<N>(p)) p[0] = 1;",
    "a condition that is compiled": "if constexpr (B) { __shared__ T a[64]; a[0] = 1; __syncthreads(); p[1] = a[3]; }",
    "a condition by a variable": "const bool large = N > 32; if (large) { __syncthreads(); }",
    **{
        f"a condition by {name}": f"{before} if ({condition}) {{ __shared__ T a[32]; a[n] = *p; p[0] = a[n + 1]; }}"
        for name, before, condition in (
            ("a constant of a constant", "const int a = N; const int b = a;", "b > 32"),
            ("an enumerator", "enum { E = N };", "E > 32"),
            ("an alias", "using U = int[N];", "sizeof(U) > 128"),
            ("the size of a variable", "T one = *p;", "sizeof(one) > 4"),
            ("a macro of a variable", "const int chosen = N;", "CHOSEN_HERE"),
            ("another that excludes it", "const int a = N; if (n < a)", "n > 40"),
            ("another, of a variable given once", "int a = N; if (n < a)", "n > 40"),
            ("one that tells the variable", "if (n == N)", "n > 40"),
            ("no parameter, but others", "if (N > 32) p[1] = 1;", "n > 40"),
        )
    },
    "conditions alone": "if (B && N > 32) { __syncthreads(); } if (sizeof(T) == 4) { __barrier_sync(5); }",
    "a barrier's number": 'asm volatile("bar.sync %0, 64;" :: "r"(N / 32));',
    "what is called": "if (B) p[0] = sum<T, N>(p);",
    "nothing": "p[0] = 1;",
}
_TEXT = """
#define SIZE (N * 4)
#define CHOSEN (B && N > 32)
#define CHOSEN_HERE (chosen > 32)
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
    memory = kernel.summary.local
    variables = [(it.name, it.bytes.number, it.read) for it in memory.variables]
    return memory.lowest, memory.highest, memory.reason, memory.alignment, variables, kernel.summary.barriers


@pytest.mark.parametrize("body", _BODIES.values(), ids=_BODIES.keys())
def test_an_instance_among_others_is_what_it_is_alone(body: str) -> None:
    among = _kernel(body, _ARGUMENTS).instances
    assert len(among) == len(_ARGUMENTS)
    for it, arguments in zip(among, _ARGUMENTS, strict=True):
        (alone,) = _kernel(body, [arguments]).instances
        assert (it.arguments, _told(it)) == (alone.arguments, _told(alone))


_LAUNCHED = """
#define SIZE (N * 32)
#define BY_TYPE (sizeof(T) * 32)
template <int M> constexpr int twice() { return 2 * M; }
template <typename T> __global__ void k(T *p, int n) { p[n] = 1; }
"""
_SIZES = {
    "a parameter": ("", "N * 32", {64, 128}),
    "a type": ("", "sizeof(T) * 32", {128, 256}),
    "a macro": ("", "SIZE", {64, 128}),
    "a call": ("", "twice<N>() * 16", {64, 128}),
    "a variable": ("const int size = N * 32;", "size", {64, 128}),
    "a variable of a variable": ("const int one = N; const int size = one * 32;", "size", {64, 128}),
    "a variable by a macro": ("const int size = BY_TYPE;", "size", {128, 256}),
    "a local type": ("using S = T; const int size = sizeof(S) * 32;", "size", {128, 256}),
    "a local struct": ("struct S { T one; }; const int size = sizeof(S) * 32;", "size", {128, 256}),
    "an own type": ("dim3 size(N, 32);", "size", {64, 128}),
    "a member": ("dim3 size(1, 32); size.x = N;", "size", {64, 128}),
    "a branch": ("int size = 64; if constexpr (N > 2) size = N * 32;", "size", {64, 128}),
    "a lambda": ("auto size = [] { return N * 32; };", "size()", {None}),
    "none": ("const int size = 64;", "size", {64}),
}


@pytest.mark.parametrize(("before", "size", "sizes"), _SIZES.values(), ids=_SIZES.keys())
def test_a_launch_in_a_template_is_in_each_instance_what_it_is_alone(
    before: str, size: str, sizes: set[int | None]
) -> None:
    run = f"template <typename T, int N> void run(T *p, int n) {{ {before} k<T><<<n, {size}>>>(p, n); }}\n"
    each = [f"template void run<{kind}, {count}>({kind} *p, int n);\n" for kind, count in (("float", 2), ("double", 4))]

    def told(made: list[str]) -> list[tuple[str | None, int | None, tuple[str, ...] | None]]:
        launches = Source((_LAUNCHED + run + "".join(made)).encode(), CUDA).facts({}).launches
        return [(it.arguments, it.size.number, it.gives.types) for it in launches]

    together = told(each)
    assert together == [*told(each[:1]), *told(each[1:])]
    assert [it[0] for it in together] == ["float", "double"]
    assert {it[1] for it in together} == sizes


_WITH_LAMBDAS = """
template <typename F> __global__ void each(F f, int n) { int i = threadIdx.x; if (i < n) f(i); }
// BEFORE
struct Runs {
  void run(float *a, int n) {
    each<<<n, 256>>>([=] __device__ (int i) { a[i] = 1; }, n);
    each<<<n, 128>>>([=] __device__ ( int i ) { if (i) { a[i] = 2; } }, n);
    auto twice = [=] __device__ (int i) { a[i] *= 2; };
    each<<<n, 64>>>(twice, n);
  }
};
int main() { each<<<1, 32>>>([] __device__ (int i) { elsewhere(i); }, 10); }
"""


@pytest.mark.parametrize("before", ["", "#define SIZE 4\n", "__device__ int one(int n) { return n; }\n" * 3])
def test_a_lambda_is_called_by_what_makes_it(before: str) -> None:
    """Wherever that stands: nothing that people read, or that a later run compares, may change with lines above."""
    text = _WITH_LAMBDAS.replace("// BEFORE", before).encode()
    kernel = next(it for it in Source(text, CUDA).facts({}).kernels if it.name == "each")
    made = "Runs::run(float*, int)::"
    assert [it.arguments for it in kernel.instances] == [
        f"{made}[=](int i) {{…}}",
        f"{made}[=](int i) {{…}} #2",
        f"{made}twice",
        "main()::[](int i) {…}",
    ]
    assert [it.summary.local.unseen for it in kernel.instances] == [(), (), (), ("elsewhere",)]


def test_lambdas_that_a_macro_hands_on_are_told_apart() -> None:
    macro = "#define EACH(f, n) each<<<n, 32>>>(f, n)\n"
    launches = "EACH([] __device__ (int i) { first(i); }, 10); EACH([] __device__ (int i) { second(i); }, 20);"
    text = f"{_WITH_LAMBDAS.splitlines()[1]}\n{macro}int main() {{ {launches} }}\n"
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    assert len({it.arguments for it in kernel.instances}) == 2
    assert {it.summary.local.unseen for it in kernel.instances} == {("first",), ("second",)}


@pytest.mark.parametrize(
    ("text", "name", "kind", "type_", "default"),
    [
        ("typename T = float", "T", "type", "", "float"),
        ("typename = void", "", "type", "", "void"),
        ("template <typename> class C", "C", "template", "", None),
        ("int N", "N", "value", "int", None),
        ("unsigned long long N= A<3>::size", "N", "value", "unsigned long long", "A<3>::size"),
        ("bool Same = (A <= B)", "Same", "value", "bool", "(A <= B)"),
        ("std::enable_if_t<(N >= 3), int> Enabled = 0", "Enabled", "value", "std::enable_if_t<(N >= 3), int>", "0"),
        ("std::enable_if_t<A<T>::value && N >= 3, bool> = true", "", "value",
         "std::enable_if_t<A<T>::value && N >= 3, bool>", "true"),
        ("typename std::enable_if<(N > 0)>::type* = nullptr", "", "value",
         "typename std::enable_if<(N > 0)>::type*", "nullptr"),
        ("bool = is_small<T>", "", "value", "bool", "is_small<T>"),
        ("unsigned long = 3", "", "value", "unsigned long", "3"),
        ("unsigned long", "", "other", "", None),
        ("int... Ns", "", "other", "", None),
        ("std::enable_if_t<N>... = 1", "", "other", "", None),
        ("int (*F)(int) = f", "", "other", "", None),
    ],
)  # fmt: skip
def test_a_template_parameter_is_read(text: str, name: str, kind: str, type_: str, default: str | None) -> None:
    found = parse_template_parameter(text)
    assert (found.name, found.kind, found.type, found.default) == (name, kind, type_, default)


def test_what_a_template_parameter_without_a_name_decides_is_no_reason_to_take_another_function() -> None:
    """Which of them is called, the compiler tells by its condition."""
    text = b"""
        template <typename T, std::enable_if_t<sizeof(T) == 4, int> = 0> __device__ void sum(T *p) {
          __shared__ float held[1024]; held[0] = *p; *p = held[1];
        }
        template <typename T> __device__ void sum(T p) {}
        __global__ void k(float *p) { sum<float>(p); }
    """
    (kernel,) = Source(text, CUDA).facts({}).kernels
    assert kernel.summary.local.highest in (4096, None)


_TEMPLATE = (
    "template <int N> __global__ void k(float *p) { __shared__ float s[N]; s[threadIdx.x] = 1; p[0] = s[p[1]]; }\n"
)
_INST = "#define INST(n) template __global__ void k<n>(float *);\n"
_RUN = "#define RUN(n) k<n><<<1, n>>>(0);\n"
_TWICE = "#define ONCE(f, a) f(a)\n#define TWICE(f, a, ...) f(a) ONCE(f, __VA_ARGS__)\n"
_EACH = "#define PICK(_1, _2, NAME, ...) NAME\n#define EACH(f, ...) PICK(__VA_ARGS__, TWICE, ONCE)(f, __VA_ARGS__)\n"


@pytest.mark.parametrize(
    ("macros", "each"),
    [
        ("#define INST(n) template __global__ void k<n>(float *);\nINST(8)\nINST(16)", {"8", "16"}),
        ("#define INST(n) template __global__ void k<n>(float *)\nINST(8);\nINST(16);", {"8", "16"}),
        ("#define inst(n) template __global__ void k<n>(float *);\ninst(8)\ninst(16)", {"8", "16"}),
        ("#define inst(n) template __global__ decltype(k<n>) k<n>;\ninst(8)\n  inst(16)\nint m;", {"8", "16"}),
        (
            "#define INST(n) template __global__ void k<n>(float *);\n#define SIZES(X) X(8) X(16)\nSIZES(INST)",
            {"8", "16"},
        ),
        ("#define RUN(n) k<n><<<1, n>>>(0);\n#define SIZES(X) X(8) X(16)\nvoid f() { SIZES(RUN) }", {"8", "16"}),
        (
            "#define INST(n) template __global__ void k<n>(float *);\n#define BOTH(f, a, b) f(a) f(b)\n"
            "BOTH(INST, 8, 16)\n"
            "void f() { k<32><<<1, 32>>>(0); }",
            {"8", "16", "32"},
        ),
        (f"{_RUN}#define GO(n) RUN(n)\nvoid f() {{ GO(8) GO(16) }}", {"8", "16"}),
        (f"{_RUN}{_TWICE}#define ALL(a, b) TWICE(RUN, a, b)\nvoid f() {{ ALL(8, 16) }}", {"8", "16"}),
        (f"{_RUN}{_TWICE}{_EACH}void f() {{ EACH(RUN, 8, 16) EACH(RUN, 32) }}", {"8", "16", "32"}),
        (f"{_INST}{_TWICE}{_EACH}EACH(INST, 8, 16)\nvoid f() {{ k<32><<<1, 32>>>(0); }}", {"8", "16", "32"}),
        (f"{_RUN}#define BOTH RUN(8) RUN(16)\nvoid f() {{ BOTH; }}", {"8", "16"}),
    ],
)
def test_macros_that_instantiate_make_instances(macros: str, each: set[str]) -> None:
    (kernel,) = Source(f"{_TEMPLATE}{macros}\n".encode(), CUDA).facts({}).kernels
    assert {it.arguments for it in kernel.instances} == each
    assert kernel.summary.local.exact is None
    assert kernel.summary.local.highest == 4 * max(map(int, each))


def test_macros_that_cannot_be_expanded_leave_open_what_they_instantiate() -> None:
    """With `-DWIDE` there is k<64>, of 256 bytes."""
    either = f"#ifdef WIDE\n{_RUN.replace('<n>', '<2 * n>', 1)}#else\n{_RUN}#endif\n"
    text = f"{_TEMPLATE}{either}#define GO(n) RUN(n)\nvoid f() {{ GO(32) k<16><<<1, 1>>>(0); }}\n"
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    assert kernel.summary.local.highest is None or kernel.summary.local.highest >= 256
