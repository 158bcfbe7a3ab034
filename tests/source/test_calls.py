"""Which calls out of sight leave only an upper bound, and which functions a kernel may call at all.

What nvcc 13.0 (sm_90, CCCL 3.0) makes of the same text is said where it decides: the bytes of `ptxas -v`.
"""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.lex.dialect import CUDA, HIP, Dialect
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros

# What calls something out of sight, and so may hold local memory wherever it may be called.
_STREAM = "std::ostream &operator<<(std::ostream &o, const A &a) { return write(o, a.v); }"


def memory(body: str, before: str = "", head: str = "", dialect: Dialect = CUDA) -> LocalMemory:
    text = f"{before}\n{head}__global__ void k(float *p, int n) {{ {body} }}\n"
    read_in = with_annotation_macros(dialect, macro_summary_lines(before.encode()))
    found = {it.name: it for it in Source(text.encode(), read_in).facts({"__CUDA_ARCH__": 900}).kernels}
    return found["k"].summary.local


@pytest.mark.parametrize("dialect", [CUDA, HIP], ids=lambda it: it.name)
@pytest.mark.parametrize(
    "before",
    [
        "struct A { int v; };\n" + _STREAM,
        "struct A { int v; friend std::ostream &operator<<(std::ostream &o, const A &a) { return write(o, a); } };",
        "struct A { friend std::ostream &operator<<(std::ostream &o, A a); };\n" + _STREAM,
        "template <class T> struct A { template <class U> friend int operator<<(U o, A<U> a); };\n"
        "template <class U> int operator<<(U o, A<U> a) { return write(o, a.v); }",
        "struct A { int v; explicit A(const std::string &s) : v(parse(s)) {} };",
        "struct A { int v; ~A() noexcept { close(v); } };",
        "struct A { int v; };\nstatic inline unsigned operator+(A a, A b) { return write(a, b); }",
        "struct A { int v; };\ntemplate <class T> [[nodiscard]] std::vector<T> operator*(A a, T b) { return w(a); }",
        "#define NO_NULL(...) __attribute__((nonnull(__VA_ARGS__)))\nstruct A { int v; };\n"
        "NO_NULL(1) int operator<<(A *a, int o) { return write(o, a->v); }",
    ],
)
def test_what_only_a_host_can_call_is_not_called(before: str, dialect: Dialect) -> None:
    found = memory("A *a; p[0] = n << 2;", before, dialect=dialect)
    assert (found.exact, found.reason, found.unseen) == (0, "", ())


@pytest.mark.parametrize(
    "before",
    [
        "struct A { int v; };\n__device__ int operator<<(int o, const A &a) { return write(o, a.v); }",
        "struct A { int v; };\nconstexpr int operator<<(int o, const A &a) { return write(o, a.v); }",
        "struct A { int v; };\nSOME_MACRO int operator<<(int o, const A &a) { return write(o, a.v); }",
        "struct A { int v; };\nDEVICE_INT operator<<(int o, const A &a) { return write(o, a.v); }",
        "#define FN __host__ __device__\nstruct A { int v; };\nFN int operator<<(int o, A a) { return write(o, a); }",
        "struct A { int v; SOME_MACRO A(int i) : v(parse(i)) {} };",
        "struct A { int v; __device__ A(int); };\nA::A(int i) { v = parse(i); }",
        "struct A { int v; };\n__device__ int operator<<(int, A);\nint operator<<(int o, A a) { return write(o, a); }",
        "struct A { friend __device__ int operator<<(int, A); };\nint operator<<(int o, A a) { return write(o, a); }",
        "struct A { int v; };\n__attribute__((device)) int operator<<(int o, A a) { return write(o, a.v); }",
        "#define BOTH(n) __attribute__((device, aligned(n)))\nstruct A { int v; };\n"
        "BOTH(8) int operator<<(int o, A a) { return write(o, a.v); }",
        "#ifdef __CUDACC__\n#define FN __host__ __device__\n#else\n#define FN inline __attribute__((unused))\n#endif\n"
        "struct A { int v; };\nFN int operator<<(int o, A a) { return write(o, a); }",
    ],
)
def test_what_a_device_may_call_may_be_called(before: str) -> None:
    """Of two declarations that differ, nvcc says: "redeclared without __device__, hence treated as …"."""
    assert memory("A *a; p[0] = n << 2;", before).reason.endswith("may be called")


def test_a_host_function_is_not_taken_for_the_one_of_devices() -> None:
    both = "__device__ float f(float x) { return x; }\nfloat f(double x) { return write(x); }"
    assert memory("p[0] = f(p[1]);", both).unseen == ()
    assert memory("p[0] = f(p[1]);", "inline float f(double x) { return write(x); }").unseen == ("write",)
    assert memory("p[0] = max(p[1], 1.f);", "inline float max(double x, int y) { return write(x); }").unseen == ()


_HELPER = "__device__ float f(float *x) { __shared__ float b[64]; b[0] = *x; __syncthreads(); return b[n(*x)]; }\n"
_HELPERS = _HELPER.replace("n(*x)", "threadIdx.x") + "__device__ float g(float *x) { return *x; }\n"


@pytest.mark.parametrize(
    ("macros", "body", "size"),
    [
        ("#define CALL(fn, x) fn(x)", "p[0] = CALL(f, p);", 256),
        ("#define CALL(fn, x) fn(x)", "p[0] = CALL(g, p); p[1] = CALL(f, p);", 256),
        ("#define CALL(fn, x) fn(x)", "p[0] = CALL(g, p); p[1] = CALL(g, p + 1);", 0),
        ("#define IN(op, x) op(x)\n#define OUT(op, x) IN(op, x)", "p[0] = OUT(f, p);", 256),
        ("#define IN(op, x) op(x)\n#define OUT(op, x) IN(op, x)", "p[0] = OUT(g, p);", 0),
        ("#define IF(fn) constexpr (sizeof(n) == 4) { p[0] = fn(p); }", "if IF(f) else if IF(g)", 256),
        ("#define IF(fn) constexpr (sizeof(n) == 4) { p[0] = fn(p); }", "if IF(g) else if IF(g)", 0),
        ("#define SWAP(a, b) SWAP(b, a)", "SWAP(n, p);", 0),
    ],
)
def test_a_macro_calls_what_it_is_given(macros: str, body: str, size: int) -> None:
    found = memory(body, f"{_HELPERS}{macros}")
    assert (found.exact, found.reason, found.unseen) == (size, "", ())


def test_a_macro_calls_templates() -> None:
    """nvcc: 256 bytes."""
    template = _HELPERS.replace("__device__ float f", "template <int N> __device__ float f").replace("[64]", "[N]")
    found = memory("p[0] = M(p);", f"{template}#define M(x) f<64>(x)")
    assert found.highest is None and found.reason == "template parameter N"


def test_what_a_macro_is_given_may_be_out_of_sight() -> None:
    call = "#define CALL(fn, x) fn(x)"
    assert memory("p[0] = CALL(helper, p);", call).unseen == ("helper",)
    assert memory(
        "p[0] = CALL(helper<4>, p) + CALL(std::sqrt, 2.f) + CALL([](float *x) { return 1.f; }, p);", call
    ).unseen == ("helper",)


@pytest.mark.parametrize(
    "call",
    [
        "::exp(p[0])",
        "::__ldg(p)",
        "::labs(n)",
        "std::numeric_limits<float>::infinity()",
        "numeric_limits<float>::max()",
        "at::numeric_limits<float>::lowest()",
        "c10::Half(1.f)",
        "at::cuda::philox::unpack(n)",
        "h2exp(n)",
        "UINT64_C(4)",
        "cute::size(n)",
        "cutlass::canonical_warp_idx_sync()",
    ],
)
def test_what_libraries_are_known_for(call: str) -> None:
    assert memory(f"p[0] = {call};").unseen == ()


@pytest.mark.parametrize(
    "call", ["mine::exp(n)", "mine::numeric_limits2<int>::max()", "at::native::f(n)", "cutlass::blockReduceSum(n)"]
)
def test_what_no_library_is_known_for(call: str) -> None:
    assert len(memory(f"p[0] = {call};").unseen) == 1


_REDUCE = "using R = cub::BlockReduce<float, 256>; "


@pytest.mark.parametrize(
    "body",
    [
        "p[0] = R().Sum(p[1]);",
        "R r; p[0] = r.Sum(p[1]);",
        "p[0] = R{}.Sum(p[1]);",
        "cub::BlockReduce<float, 256> r; p[0] = r.Sum(p[1]);",
        "p[0] = cub::BlockReduce<float, 256>().Sum(p[1]);",
        "p[0] = (R()).Sum(p[1]);",
    ],
)
def test_a_collective_without_storage_has_its_own(body: str) -> None:
    """nvcc: 44 bytes each."""
    assert memory(_REDUCE + body).unseen


@pytest.mark.parametrize("body", ["p[0] = R(t).Sum(p[1]);", "R r(t); p[0] = r.Sum(p[1]);", "p[0] = R{t}.Sum(p[1]);"])
def test_a_collective_with_storage_has_none(body: str) -> None:
    found = memory(_REDUCE + "__shared__ R::TempStorage t; " + body)
    assert (found.unseen, found.lowest, found.highest) == ((), 44, 48)


def test_a_static_function_of_a_template() -> None:
    """Its name is the class's and its own, whatever stands between."""
    cast = "template <class T> struct C { template <int N> __device__ static float cast(float *x) { return *x; } };\n"
    assert memory("p[0] = C<float>::template cast<4>(p) + C<int>::cast<2>(p);", cast).unseen == ()
    assert memory("p[0] = D<float>::template cast<4>(p);").unseen == ("D::cast",)


_LOOP = "#define FOR_EACH(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)"


def test_a_macros_loop_is_no_function() -> None:
    """It reads as one, in other kernels, too: with their memory, and calling what is in it."""
    other = (
        f"{_LOOP}\n__global__ void other(float *q) {{ FOR_EACH(j, 4) {{ __shared__ float b[4]; b[j] = mine(q[j]); }} }}"
    )
    found = memory("FOR_EACH(i, n) { p[i] = 0; }", other)
    assert (found.exact, found.unseen, found.reason) == (0, (), "")
    assert memory("FOR_EACH(i, n) { __shared__ float b[4]; b[i] = f(p); p[i] = b[1]; }", _LOOP).unseen == ("f",)
    assert memory("FOR_EACH(i, n) { p[i] = 0; }").unseen == ("FOR_EACH",)
    assert memory("CUDA_KERNEL_LOOP(i, n) { p[i] = 0; }").unseen == ()
    assert memory("CUDA_1D_KERNEL_LOOP(i, n) { p[i] = 0; }").unseen == ()


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("ERROR(n);", '#define ERROR(n) printf("%d (thread (%d), block (%d)) \\" here (%d)", n, n, n, n)'),
        ("__shared__ int __attribute((aligned(128))) s[64]; s[n] = 1; __syncthreads(); p[0] = s[1];", ""),
        ('asm volatile("bar %0, %1;" :: POINTER(p), "r"(n));', '#define POINTER(p) "l"(p)'),
        ("using E = typename M<4>::E; p[0] = E(p[1]);", ""),
        (
            "p[0] = C<float>::f(n);",
            "template <class T> struct C { __device__ static float f(int n) { return T(n); } };",
        ),
        ("using L = cutlass::Layout<4>; p[0] = L::size(n);", ""),
        ("p[0] = best.value_or(1.f);", ""),
    ],
)
def test_what_looks_like_a_call(body: str, before: str) -> None:
    assert memory(body, before).unseen == ()


def test_what_is_made_of_nothing_may_be_a_collective() -> None:
    assert memory("using R = typename M<4>::Reduce; p[0] = R().Sum(p[1]);").unseen == ("R", "Sum")
    assert memory("using L = mine::Layout<4>; p[0] = L::size(n);").unseen == ("L::size",)


def test_a_variable_whose_type_is_that_of_one_by_the_same_name() -> None:
    functor = "struct F { __device__ int operator()(int i) { return i; } };"
    assert memory("F f; { decltype(f) f = F(); p[0] = f(n); }", functor).lowest == 0


_OVERLOAD = (
    "__device__ void Reduce(T &v) { using Reduce = cub::BlockReduce<T, X>;"
    " __shared__ typename Reduce::TempStorage s; v = Reduce(s).Sum(v); }"
)


def test_a_type_of_its_own_hides_the_function_that_has_it() -> None:
    found = memory("float v = p[n]; Reduce<float, 64>(v); p[0] = v;", f"template <class T, int X> {_OVERLOAD}")
    assert (found.lowest, found.highest, found.unseen) == (16, 16, ())


def test_an_overload_whose_template_parameters_nothing_tells() -> None:
    """nvcc 13.0: 24 bytes with 128 threads, 44 with 256."""
    both = f"template <class T, int X> {_OVERLOAD}\ntemplate <class T> {_OVERLOAD.replace('X>', '256>')}"
    for call, size in (("Reduce<float, 128>", 24), ("Reduce<float>", 44)):
        found = memory(f"float v = p[n]; {call}(v); p[0] = v;", both)
        assert (found.lowest, found.unseen) == (size, ()), call


@pytest.mark.parametrize(
    ("body", "doubt"),
    [
        ("typedef A<float> R; __shared__ R::S s; R(s).f(p);", False),
        ("using R = A<float>; __shared__ R::S s; R r(s); r.f(p);", False),
        ("using R = A<float>; __shared__ R::S s; R r; r.f(p);", True),
        ("using R = A<float>; __shared__ R::S s; R(s); s.v = 1;", True),
        ("using R = A<float>; __shared__ R::S s; R().f(p);", True),
        ("using R = A<float>; __shared__ R::S s; struct B : R { int v; }; B b; b.f(p);", True),
        ("using R = A<float>; __shared__ R::S s; g<R>(p);", True),
        ("__shared__ A<float>::S s; A<float> r; r.f(p);", True),
    ],
)
def test_a_class_whose_objects_are_made_of_storage_that_they_are_given(body: str, doubt: bool) -> None:
    of_class = (
        "template <class T> struct A { struct S { T v; }; S &s;"
        " __device__ static S &own() { __shared__ S it; return it; }"
        " __device__ A() : s(own()) {} __device__ A(S &given) : s(given) {} __device__ void f(T *p) { s.v = p[0]; } };"
        "template <class T> __device__ void g(float *p) { T().f(p); }"
    )
    found = memory(body, of_class)
    assert (found.highest is None) == doubt


def in_instances(text: str) -> list[tuple[str, int | None]]:
    """The exact bytes of the only kernel's instances."""
    (kernel,) = Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels
    return [(it.arguments, it.summary.local.exact) for it in kernel.instances]


def test_an_explicit_instantiation_tells_what_the_types_of_its_parameters_say() -> None:
    text = (
        "template <class T> struct M { T v; };\n"
        "template <class T> __global__ void k(T *p)"
        " { __shared__ T s[32]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[3]; }\n"
        "template <class T> void h(const M<T> &m, T *p) { k<<<1, 32>>>(p); }\n"
        "template void h(const M<float> &m, float *p);\ntemplate void h(const M<double> &, double *);\n"
    )
    assert in_instances(text) == [("float", 128), ("double", 256)]


def test_a_template_as_a_templates_argument() -> None:
    text = (
        "template <class T> struct Sum { __device__ static T f(T a) { return a; } };\n"
        "template <template <class> class F, typename T> __device__ T reduce(T v)"
        " { __shared__ T s[8]; s[threadIdx.x] = F<T>::f(v); __syncthreads(); return s[1]; }\n"
    )
    found = memory("p[0] = reduce<Sum, float>(p[1]) + reduce<Sum, float>(p[2]);", text)
    assert (found.exact, found.unseen) == (32, ())


def test_a_variadic_macro_makes_instances() -> None:
    text = (
        "#define EACH(f, ...) do { f<float>(__VA_ARGS__); f<double>(__VA_ARGS__); } while (0)\n"
        "template <class T> __global__ void k(void *p)"
        " { __shared__ T s[32]; s[threadIdx.x] = 1; __syncthreads(); *(T *)p = s[3]; }\n"
        "template <class T> void h(void *p, int n) { k<T><<<n, 32>>>(p); }\nvoid g(void *p, int n) { EACH(h, p, n); }\n"
    )
    assert in_instances(text) == [("float", 128), ("double", 256)]


def test_a_lambda_that_is_called_where_it_stands() -> None:
    assert memory("p[0] = [&]() -> float { return p[1]; }();").unseen == ()


@pytest.mark.parametrize(
    ("operator", "doubt"),
    [
        (
            "template <class T> __device__ bool operator<(Span<T> a, Span<T> b) { return out_of_sight(a.v, b.v); }",
            False,
        ),
        ("template <class A> __device__ bool operator<(A a, Span<A> b) { return out_of_sight(a, b.v); }", False),
        ("__device__ bool operator<(Mine a, Mine b) { return out_of_sight(a.v, b.v); }", True),
        ("__device__ bool operator<(Mine a, Mine b) { return std::equal(&a.v, &b.v, &a.v); }", False),
    ],
)
def test_whose_an_operator_is(operator: str, doubt: bool) -> None:
    """A name that it has for any type is no type of the kernel's."""
    before = (
        "template <class T> struct Span { T v; }; struct Mine { int v; };\n"
        "namespace other { __device__ bool equal(int* a, int* b, int* c) { return out_of_sight(a, b); } }\n" + operator
    )
    kernel = "template <class T> __global__ void k(T *p) { Mine m; p[0] = p[1] + m.v; }\n"
    (found,) = Source(f"{before}\n{kernel}".encode(), CUDA).facts({"__CUDA_ARCH__": 900}).kernels
    assert (found.summary.local.highest is None) == doubt
