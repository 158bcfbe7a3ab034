"""Kernels whose heads macros make: seen, with their sizes and memory, or counted as what could not be read."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import CUDA, HIP, OPENCL, Dialect, reads_equally_in_dialects
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros


def kernels(text: str, dialect: Dialect, macros: dict[str, int] | None = None) -> dict[str, Kernel]:
    content = text.encode()
    source = Source(content, with_annotation_macros(dialect, macro_summary_lines(content)))
    return {it.name: it for it in source.facts(macros or {}).kernels}


_BODY = "(global int *p) { LOCAL int a[64]; a[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); p[0] = a[3]; }"


@pytest.mark.parametrize(
    ("macros", "head", "size"),
    [
        ("#define KERNEL(n) kernel __attribute__((reqd_work_group_size(n, 1, 1))) void", "KERNEL(64) k", 64),
        ("#define KERNEL(n) __attribute__((reqd_work_group_size(n, 2, 1))) __kernel void", "KERNEL(64) k", 128),
        ("#define FQ __kernel", "FQ void k", None),
        ("#define FQ kernel\n#define FA", "FQ FA void k", None),
        ("#if A\n#define FQ kernel\n#else\n#define FQ\n#endif", "FQ void k", None),
        (
            "#define FQ __kernel\n#define SIZED(n) __attribute__((reqd_work_group_size(n, 1, 1)))",
            "FQ SIZED(32) void k",
            32,
        ),
        ("#define FQ __kernel void", "FQ k", None),
    ],
)
def test_opencl(macros: str, head: str, size: int | None) -> None:
    found = kernels(f"{macros}\n#define LOCAL __local\n{head}{_BODY}\n", OPENCL)["k"]
    assert found.summary.local.exact == 256
    sizes = [it.number or 0 for it in found.attributes.block[1]] if found.attributes.block else []
    assert sizes == ([] if size is None else [64, size // 64, 1] if size > 64 else [size, 1, 1])


@pytest.mark.parametrize(
    ("macros", "parameters", "reason"),
    [
        ("#define P(x) global x *", "P(int) p", ""),
        ("#define L(x) local x *", "L(int) p", "a macro declares local memory"),
        ("#define ALL() IN(int), IN(float)\n#define IN(x) local x *", "ALL ()", "macro IN declares local memory"),
        ("", "ALL (int)", "ALL is not defined in any file that is read"),
        ("", "ALL", "ALL is not defined in any file that is read"),
        ("#define ALL global int *p", "ALL", ""),
        ("#define ALL local int *p", "ALL", "a macro declares local memory"),
        ("#define AS local\n#define ALL AS int *p", "ALL", "a macro declares local memory"),
    ],
)
def test_parameters_by_macro(macros: str, parameters: str, reason: str) -> None:
    assert kernels(f"{macros}\n__kernel void k({parameters}) {{ }}\n", OPENCL)["k"].summary.local.reason == reason


@pytest.mark.parametrize(
    ("macros", "head", "most"),
    [
        ("#define KERNEL(n) __global__ void __launch_bounds__(n)", "KERNEL(128) k", 128),
        ("#define KERNEL(n) __launch_bounds__(n) __global__ void", "KERNEL(128) k", 128),
        ("#define KERNEL __global__", "KERNEL void k", None),
        ("", "__global__ SOME_BOUNDS(N) void k", None),
        ("", "__global__ SOME_BOUNDS void k", None),
        ("#define KERNEL(n) __device__ __launch_bounds__(n)", "__global__ void k", None),
        ("#define BOUNDS(n) __launch_bounds__(n)\n#define KERNEL(n) __global__ void BOUNDS(n)", "KERNEL(128) k", 128),
        ("#define INLINED\n#define KERNEL __global__ INLINED", "KERNEL void k", None),
    ],
)
def test_cuda(macros: str, head: str, most: int | None) -> None:
    found = kernels(f"{macros}\ntemplate <int N> {head}(float *p) {{ p[0] = 0; }}\n", CUDA)["k"]
    bound = found.attributes.bounds.max_threads.value.number if found.attributes.bounds else None
    assert (found.summary.local.exact, bound) == (0, most)


@pytest.mark.parametrize("macro", ['extern "C" __global__ void', "__global__ void BOUNDS\n#define BOUNDS"])
def test_a_kernel_whose_macro_says_more(macro: str) -> None:
    assert list(kernels(f"#define KERNEL {macro}\nKERNEL k(float *p) {{ p[0] = 0; }}\n", CUDA)) == ["k"]


@pytest.mark.parametrize(
    ("macros", "head", "most"),
    [
        ("#define GLOBAL __global__\n#define KERNEL GLOBAL void", "KERNEL k", None),
        ("#define KERNEL GLOBAL void\n#define GLOBAL __global__", "KERNEL k", None),
        ("#define GLOBAL __global__\n#define KERNEL GLOBAL", "KERNEL void k", None),
        ("#define GLOBAL __global__\n#define KERNEL static GLOBAL void", "KERNEL k", None),
        ('#define GLOBAL __global__\n#define KERNEL extern "C" GLOBAL void', "KERNEL k", None),
        ("#define GLOBAL __global__\n#define SAME GLOBAL void\n#define KERNEL SAME", "KERNEL k", None),
        ("#define GLOBAL __global__\n#define BOUNDS __launch_bounds__(128)\n#define K GLOBAL BOUNDS", "K void k", 128),
        ("#define GLOBAL __global__\n#define BOUNDS __launch_bounds__(128)\n#define K GLOBAL void BOUNDS", "K k", 128),
        (
            "#define GLOBAL __global__\n#define B(n) __launch_bounds__(n)\n#define K(n) GLOBAL void B(n)",
            "K(128) k",
            128,
        ),
        ("#define K(n) GLOBAL __launch_bounds__(n) void\n#define GLOBAL __global__", "K(128) k", 128),
        ("#define G(n) __global__ __launch_bounds__(n)\n#define K G(128) void", "K k", 128),
        ("#define K(n) \\\n    __launch_bounds__(n) static __global__", "K(128) void k", 128),
        ("#define KERNEL \\\n    __global__ \\\n    void", "KERNEL k", None),
        ("#define GLOBAL \\\r\n __global__\r\n#define KERNEL GLOBAL \\\r\n void", "KERNEL k", None),
    ],
)
def test_a_kernel_by_macros_that_stand_for_macros(macros: str, head: str, most: int | None) -> None:
    """nvcc 13.0 compiles each, and its PTX has an `.entry k` and these bounds."""
    found = kernels(f"{macros}\n{head}(float *p) {{ p[0] = 0; }}\n", CUDA)["k"]
    assert (found.attributes.bounds.max_threads.value.number if found.attributes.bounds else None) == most
    assert unread(f"{macros}\n{head}(float *p) {{ p[0] = 0; }}\n") == []


_IF, _CLUSTERED = "#if CUDART_VERSION >= 12000", "__global__ void CLUSTER k"


@pytest.mark.parametrize(
    ("macros", "head", "cluster"),
    [
        ("#define CLUSTER __cluster_dims__(2, 1, 1)", "__global__ void CLUSTER k", [2, 1, 1]),
        ("#define CLUSTER(n) __cluster_dims__(n)", "__global__ void CLUSTER(2) k", [2, 1, 1]),
        ("#define CLUSTER(n) __cluster_dims__(n)", "__global__ void CLUSTER(N) k", [None] * 3),
        ("#define BOTH(t, n) __launch_bounds__(t) __cluster_dims__(1, n)", "__global__ void BOTH(128, 4) k", [1, 4, 1]),
        ("#define KERNEL __global__ void __cluster_dims__(2)", "KERNEL k", [2, 1, 1]),
        # Macros that stand for macros.
        ("#define PAIR __cluster_dims__(2)\n#define KERNEL __global__ void PAIR", "KERNEL k", [2, 1, 1]),
        ("#define KERNEL __global__ void PAIR\n#define PAIR __cluster_dims__(2)", "KERNEL k", [2, 1, 1]),
        ("#define Pair __cluster_dims__(2)\n#define KERNEL Pair __global__", "KERNEL void k", [2, 1, 1]),
        ("#define DIMS(n) __cluster_dims__(n)\n#define KERNEL(n) __global__ void DIMS(n)", "KERNEL(2) k", [2, 1, 1]),
        (
            f"{_IF}\n#define PAIR __cluster_dims__(2)\n#else\n#define PAIR\n#endif\n#define KERNEL __global__ PAIR",
            "KERNEL void k",
            [None] * 3,
        ),
        ("#define DIMS(n) __cluster_dims__(n)\n#define CLUSTER DIMS(2)", _CLUSTERED, [2, 1, 1]),
        ("#define DIMS(n) __cluster_dims__(n)\n#define CLUSTER DIMS(2)", "__global__ CLUSTER void k", [2, 1, 1]),
        (
            "#define DIMS(n) __cluster_dims__(n)\n#define CLUSTER(n) DIMS(2 * n)",
            "__global__ CLUSTER(1) void k",
            [2, 1, 1],
        ),
        ("#define PAIR __cluster_dims__(2)\n#define CLUSTER PAIR __launch_bounds__(64)", _CLUSTERED, [2, 1, 1]),
        ("#define PAIR __cluster_dims__(2)\n#define SAME PAIR\n#define CLUSTER SAME", _CLUSTERED, [2, 1, 1]),
        (
            f"{_IF}\n#define DIMS __cluster_dims__(2)\n#else\n#define DIMS\n#endif\n#define CLUSTER DIMS",
            _CLUSTERED,
            [None] * 3,
        ),
        ("#define NOTHING\n#define CLUSTER NOTHING", _CLUSTERED, None),
        (
            "#if __CUDA_ARCH__ >= 900\n#define CLUSTER __cluster_dims__(2)\n#else\n#define CLUSTER\n#endif",
            "__global__ void CLUSTER k",
            None,
        ),
        (f"{_IF}\n#define CLUSTER __cluster_dims__(2)\n#else\n#define CLUSTER\n#endif", _CLUSTERED, [None] * 3),
        (f"{_IF}\n#define CLUSTER\n#else\n#define CLUSTER __cluster_dims__(2)\n#endif", _CLUSTERED, [None] * 3),
        (
            f"{_IF}\n#define CLUSTER(n) __cluster_dims__(n)\n#else\n#define CLUSTER(n)\n#endif",
            "__global__ void CLUSTER(2) k",
            [None] * 3,
        ),
        (f"{_IF}\n#define CLUSTER __launch_bounds__(64)\n#else\n#define CLUSTER\n#endif", _CLUSTERED, None),
        ("#define BOUNDS(n) __launch_bounds__(n)", "__global__ void BOUNDS(128) k", None),
        ("", "__global__ void CLUSTER k", None),
    ],
)
def test_clusters_by_macro(macros: str, head: str, cluster: list[int | None] | None) -> None:
    text = f"{macros}\ntemplate <int N> {head}(float *p) {{ p[0] = 0; }}\n"
    assert _cluster(text, 800) == cluster
    assert _cluster(text, 900) == ([2, 1, 1] if "__CUDA_ARCH__" in macros else cluster)


@pytest.mark.parametrize(("first", "bounded"), [("__cluster_dims__(2)", False), ("__launch_bounds__(64)", True)])
def test_no_bounds_where_no_definition_has_them(first: str, bounded: bool) -> None:
    macros = f"{_IF}\n#define ANNOTATED {first}\n#else\n#define ANNOTATED\n#endif"
    (found,) = kernels(f"{macros}\n__global__ void ANNOTATED k(float* p) {{ p[0] = 0; }}\n", CUDA).values()
    assert (found.attributes.bounds is not None, found.attributes.max_registers) == (bounded, None)


def _cluster(text: str, arch: int) -> list[int | None] | None:
    (found,) = kernels(text, CUDA, {"__CUDA_ARCH__": arch}).values()
    return [it.number for it in found.attributes.cluster[1]] if found.attributes.cluster else None


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("#define HELPER(n) __attribute__((always_inline)) void\nHELPER(4) k(global int *p) { }", OPENCL),
        ("#define FQ\nFQ void k(global int *p) { }", OPENCL),
        ("#define kernels(n) kernel2(n)\nkernels(4) k(global int *p) { }", OPENCL),
        ("#define FN __device__\nFN void k(float *p) { }", CUDA),
        ("#define KERNEL(n) __device__ void __launch_bounds__(n)\nKERNEL(4) k(float *p) { }", CUDA),
        ("#define DEVICE __device__\n#define FN DEVICE void\nFN k(float *p) { }", CUDA),
        ("#define EMPTY\n#define FN EMPTY void\nFN k(float *p) { }", CUDA),
        ("#define FN GLOBAL void\nFN k(float *p) { }", CUDA),
    ],
)
def test_what_is_no_kernel(text: str, dialect: Dialect) -> None:
    assert kernels(text, dialect) == {}


def unread(text: str, dialect: Dialect = CUDA, macros: dict[str, int] | None = None) -> list[int]:
    """The lines of what looks like a kernel and is not read."""
    content = text.encode()
    source = Source(content, with_annotation_macros(dialect, macro_summary_lines(content)))
    places = source.facts(macros or {}).unread_kernels
    return [content[: source.start_of(it.item) + it.start].count(b"\n") + 1 for it in places]


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void {{ name }}_kernel(int *p) { p[0] = {{ n }}; }",
        "#define HEAD __global__ SOMETHING\nHEAD b(int *p) { }",
    ],
)
def test_what_is_not_read_is_counted(text: str) -> None:
    assert unread(text) == [1]


def test_the_head_of_a_kernel_that_is_not_read_is_counted_where_it_is_used() -> None:
    assert unread("#define HEAD(type) __global__ type\nHEAD(void) b(int *p) { }") == [2]
    assert unread("#define MAKE(name) __global__ void name(int *p) { }\ntemplate <int N> MAKE(a)") == [2]


@pytest.mark.parametrize(
    "text",
    [
        "#define BEGIN(n) __global__ void n(int *p) {\n#define END }\nBEGIN(a) __shared__ int s[64]; s[*p] = 1; END",
        "#define BOTH(n) __device__ int f_##n() { __shared__ int s[64]; return s[1]; } \\\n"
        "  __global__ void n() { f_##n(); }\nBOTH(a)",
    ],
)
def test_a_kernel_of_which_a_macro_makes_more_or_less_is_not_read(text: str) -> None:
    """nvcc 13.0: 256 bytes of shared memory each."""
    assert kernels(text, CUDA) == {}
    assert unread(text) == [3]


def test_opencl_that_is_not_read() -> None:
    assert unread("#define kernels 4\n#define MAKE(name) void name##kernel (int *p) { p[0] = 0; }", OPENCL) == []


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k(int *p) { p[0] = 0; }",
        "__global__ void k(int *p);",
        "template <class T> __global__ void k(T *p);\ntemplate __global__ void k<int>(int *);",
        "class A { friend __global__ void k(int *p); };",
        "#define KERNEL __global__ void\nKERNEL k(int *p) { }",
        "#define KERNEL(n) __global__ void __launch_bounds__(n)\nKERNEL(64) k(int *p) { }",
        "#define DECLARE(name) extern template __global__ void name(int *);",
        '#define ERROR(n) fail("no __global__ function", n)  // __global__ void f() {',
        "#define __global__",
        "#define GLOBAL __global__\n#define RUN(GLOBAL) GLOBAL<<<1, 64>>>()",
        "__global__ void unfinished(int *p, ",
        "__global__ void unfinished",
        "#ifdef __HIP__\n__global__ void {{ k }}(int *p) { }\n#endif",
        '// __global__ void k(int *p) { }\nconst char *text = "__global__ void k() {}";',
    ],
)
def test_what_needs_no_reading(text: str) -> None:
    assert unread(text) == []


def test_macros_that_are_known_already_keep_what_is_known_of_them() -> None:
    lines = macro_summary_lines(
        b"#define BOUNDED __launch_bounds__(256)\n#define ALIGNED(x) __attribute__((aligned(x)))\n"
    )
    read_in = with_annotation_macros(CUDA, lines)
    seen = read_in.annotations
    assert b"BOUNDED" in seen.carrying and b"ALIGNED" in seen.silent_calls
    assert reads_equally_in_dialects(
        with_annotation_macros(read_in, lines), read_in, b"BOUNDED ALIGNED(16) __global__ void k() {}"
    )


@pytest.mark.parametrize("between", ["\n", "\n\n", "\n// of it\n"])
def test_a_macro_before_a_namespace_hides_none(between: str) -> None:
    """As `CUB_NAMESPACE_BEGIN`, which opens another one around it."""
    text = "BEGIN_LIBRARY" + between + "namespace n {\n__global__ void k(int *p) { p[0] = f(); }\n}\nEND_LIBRARY\n"
    library = "BEGIN_LIBRARY" + between + "namespace n {\n__device__ int f() { __shared__ int s[8]; return s[1]; }\n}\n"
    kernel = kernels(library + text, CUDA)["k"]
    assert (kernel.qualified, kernel.summary.local.highest, kernel.summary.local.unseen) == ("n::k", 32, ())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("#define MAKE(name, T) __global__ void name(T *p) { p[0] = 0; }\nMAKE(a, float)", ["a"]),
        (
            "#define MAKE(name) \\\n  __global__ void name(int *p) { \\\n    p[0] = 0; }\nMAKE(a);\nMAKE(b)\nint n;",
            ["a", "b"],
        ),
        ("#define HEAD(name) __global__ void name\nHEAD(b)(int *p) { }", ["b"]),
        ("#define HEAD(name) GLOBAL void name\n#define GLOBAL __global__\nHEAD(b)(int *p) { }", ["b"]),
        ("#define MAKE(n) B(64) void n(int *p) { }\n#define B(n) __global__ __launch_bounds__(n)\nMAKE(b)", ["b"]),
        ("#define ALL(X) X(a) X(b)\n#define MAKE(n) __global__ void n##_k(int *p) { }\nALL(MAKE)", ["a_k", "b_k"]),
        ("#define MAKE(n) __global__ void n(int *p) { }\n#undef MAKE\n#define MAKE(n) int n();\nMAKE(a)", []),
        ("#define SUM(T) sum_##T\n__global__ void SUM(int)(int *p) { }", ["sum_int"]),
        ("#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)\n#define N 4\n__global__ void CAT(k, N)() { }", ["k4"]),
        ("__global__ void SUM(int)(int *p) { }", []),
    ],
)
def test_names_and_kernels_that_macros_make(text: str, names: list[str]) -> None:
    assert [*kernels(text, CUDA)] == names


def test_kernels_that_macros_make_in_opencl() -> None:
    text = "#define MAKE(T, N) kernel void name_##T(global T *p) { local T s[N]; s[0] = p[0]; }\nMAKE(int, 4)"
    assert [*kernels(text, OPENCL)] == ["name_int"]


@pytest.mark.parametrize(
    "head",
    [  # nvcc: .maxntid 96 of each
        "__global__ void __launch_bounds__((((((sizeof(sizeof(sizeof(char))) / 2 < 0 ? 8 : 96)))))) k()",
        "__global__ void __launch_bounds__(((((((((((96)))))))))))  k()",
        "#define BOUNDS __attribute__((launch_bounds(96)))\nBOUNDS __global__ void k()",
        "#define BOUNDS __attribute__((launch_bounds(96)))\n__global__ void BOUNDS k()",
        '#define N 96\n#define BOUNDS __attribute__((launch_bounds(((N)), 2)))\nextern "C" __global__ void BOUNDS k()',
    ],
)
def test_bounds_in_parentheses_and_macros(head: str) -> None:
    found = kernels(f"{head} {{}}\n", CUDA)["k"]
    assert found.attributes.bounds is not None
    assert found.attributes.bounds.max_threads.value.number == 96


@pytest.mark.parametrize("dialect", [CUDA, HIP])
@pytest.mark.parametrize(
    ("text", "kernels"),
    [
        ("__attribute__((global)) void k(float *p) {}", ["k"]),
        ("void __attribute__((global)) k(float *p) {}", ["k"]),
        ("__attribute__((unused, global)) static void k(float *p) {}", ["k"]),
        ("template <int N> __attribute__((global)) void k(float *p);", []),
        ("__attribute__((device)) void k(float *p) {}", []),
        ('__attribute__((section("global"))) void k(float *p) {}', []),
        ("__attribute__((globals)) void k(float *p) {}", []),
    ],
)
def test_words_that_stand_for_attributes_of_clang(text: str, kernels: list[str], dialect: Dialect) -> None:
    assert [it.name for it in Source(text.encode(), dialect).facts({}).kernels] == kernels


def test_attributes_of_clang_bound_and_share() -> None:
    head = b"__attribute__((global, launch_bounds(128))) void k(float *p)"
    body = b"{ __attribute__((shared)) float s[64]; s[threadIdx.x] = p[0]; __syncthreads(); p[1] = s[p[2] > 0]; }"
    (kernel,) = Source(head + body, CUDA).facts({}).kernels
    assert kernel.summary.local.lowest == 256
    assert kernel.attributes.bounds is not None and kernel.attributes.bounds.max_threads.value.number == 128


@pytest.mark.parametrize(
    ("dialect", "kernel", "local"), [(CUDA, "__global__", "__shared__"), (OPENCL, "__kernel", "__local")]
)
def test_a_body_that_is_a_macro_hides_neither_its_kernel_nor_the_next(
    dialect: Dialect, kernel: str, local: str
) -> None:
    define = f"#define BODY(T, n) {{ {local} T s[n]; s[p[1]] = 1; p[0] = s[p[2]]; }}"
    text = f"{define}\n{kernel} void a(int *p) BODY(int, 12)\n{kernel} void b(int *p) {{ p[0] = 1; }}\n"
    found = kernels(f"{text}{kernel} void c(int *p) BODY(int, 4)\nint other;\n", dialect)
    assert list(found) == ["a", "b", "c"]
    assert (found["a"].summary.local.exact, found["b"].summary.local.exact) == (None, 0)
    assert "macro BODY declares local memory" in found["a"].summary.local.reason


def test_a_body_that_is_a_macro_without_arguments_is_counted() -> None:
    text = b"#define BODY { *p = 1; }\n__global__ void a(int *p) BODY\nint main() { a<<<1, 32>>>(0); }\n"
    facts = Source(text, CUDA).facts({})
    assert [it.name for it in facts.kernels] == ["a"] or len(facts.unread_kernels) == 1


def test_a_macro_that_is_given_a_kernel_is_none() -> None:
    text = (
        b"#define SAME(x) x\nSAME(__global__ void e(int *p) { p[0] = 1; })\n"
        b"__global__ void SAME(f)(int *p) { p[0] = 1; }\n"
    )
    found = Source(text, CUDA).facts({})
    assert [it.name for it in found.kernels] == ["f"]
    assert len(found.unread_kernels) == 1


def test_what_braces_of_macros_part_is_counted_and_no_others() -> None:
    """nvcc: `a` has 60 bytes, `b` 3,600; `c` waits, `d` and `e` do not."""
    text = (
        "#define OPEN {\n#define CLOSE }\n"
        "#define BODY(T, n) { __shared__ T s[n]; s[threadIdx.x] = *p; __syncthreads(); *p = s[p[1]]; }\n"
        "#define SIG(name, ...) __global__ void name(__VA_ARGS__)\n"
        "#define BOTH(n) SIG(n##_x, int *p) { *p = 1; } SIG(n##_y, int *p) { *p = 2; }\n"
        "__global__ void a(int *p) BODY(short, 30)\n"
        "__global__ void b(int *p) OPEN __shared__ int s[900]; s[p[2]] = *p; __syncthreads(); *p = s[p[1]]; CLOSE\n"
        "SIG(c, int *p) OPEN *p = 1; __syncthreads(); CLOSE\n"
        "SIG(d, int *p) { *p = 3; }\n"
        "SIG(e, int *p);\n"
        "BOTH(f)\n"
    )
    found = kernels(text, CUDA)
    assert found["a"].summary.local.lowest == 0 and found["a"].summary.local.exact is None
    assert {*found} >= {"a", "f_x", "f_y"}
    assert [it for it in (7, 8, 9) if it not in unread(text)] == [9] * ("d" in found)
    assert 10 not in unread(text)
