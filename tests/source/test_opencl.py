"""OpenCL C as it is written: what clang-19 makes of it for gfx90a."""

from __future__ import annotations

import pytest
from gfx90a import MACROS, most_on_gfx90a

from occupancy_lsp.languages.registry import dialect_of
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.lex.dialect import OPENCL


def kernel(source: str) -> Kernel:
    return next(k for k in Source(source.encode(), OPENCL).facts(MACROS).kernels if k.name == "k")


def memory(body: str, before: str = "") -> LocalMemory:
    return kernel(f"{before}\n__kernel void k(__global int* p, int n) {{ {body} }}\n").summary.local


_USE = " a[n] = p[1]; barrier(CLK_LOCAL_MEM_FENCE); p[0] = a[n + 1];"


@pytest.mark.parametrize(
    ("declaration", "size"),
    [
        ("__local int a[64];", 256),
        ("local uchar3 a[4];", 16),
        ("__local half each[3][8]; __local half* a = each[n];", 48),
        ("volatile __local ulong a[2];", 16),
        ("__local int a[N];", 48),
        ("uint __local a[4];", 16),
        ("typedef struct { char c; double4 d; } S; __local S a[2];", 128),
        ("typedef uint uint32_t; __local uint32_t a[4];", 16),
        ("__local union { uint w[16]; uchar c[64]; } a[2];", 128),
        ("__local size_t a[2];", 16),
        ("{ __local int b[4]; b[p[2]] = n; p[1] = b[n]; } __local int a[4];", 32),
    ],
)
def test_local_arrays(declaration: str, size: int) -> None:
    assert memory(declaration + _USE, "constant int N = 12;").exact == size


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("__local int* q; q = 0; barrier(1); p[0] = q[n];", 0),  # a thread's own pointer to local memory
        # Parboil tpacf: a pointer that all threads share.
        ("__global int* __local q; q = p; barrier(1); p[0] = q[n];", 8),
        ("__local uint a[8]; ((__local uchar*)a)[n] = 1; int b = *(__local int*)a; p[0] = b;", 32),
    ],
)
def test_pointers(body: str, size: int) -> None:
    assert memory(body).exact == size


@pytest.mark.parametrize(
    ("before", "declaration", "size", "sure"),
    [
        ("typedef float T; struct T { char c[9]; };", "__local struct T b[2]; __local T a[8];", 52, False),
        ("typedef float T;", "struct T { char c[9]; }; __local struct T b[2]; __local T a[8];", 52, False),
        ("enum T { A }; typedef double T;", "__local enum T b[2]; __local T a[8];", 72, False),
        ("typedef struct T { char c[9]; } T;", "__local struct T b[2]; __local int a[8];", 52, True),
        ("struct T { char c[9]; }; typedef struct T T;", "__local T b[2]; __local int a[8];", 52, True),
        ("", "typedef struct T { char c[9]; } T; __local T b[2]; __local int a[8];", 52, True),
    ],
)
def test_what_struct_and_typedef_name_may_be_two_types(before: str, declaration: str, size: int, sure: bool) -> None:
    """clang 22 says the sizes, rounded up to 4 bytes."""
    read = "*(__local int*)&b[n] = p[3]; p[4] = *(__local int*)&b[p[1]];"
    local = memory(f"{declaration}{_USE}{read}", before)
    assert local.lowest <= size
    assert local.highest is None or local.highest >= size - 2
    assert (local.highest is not None) is sure


def test_a_pointer_to_local_memory_has_no_size_that_every_device_has() -> None:
    """clang 22 for gfx90a: 20 bytes; for SPIR, whose pointers all have 8, it is 40."""
    local = memory("__local float *__local q[5]; q[n] = 0; barrier(1); p[0] = q[p[1]] != 0;")
    assert local.exact is None
    assert local.lowest <= 20


@pytest.mark.parametrize(
    ("declaration", "size"),
    [
        ("#define LP local int *\ntypedef LP X[2];", 8),
        ("#define LOC local\ntypedef LOC int *X;", 4),
        ("#define LOC local\n#define X LOC int *", 4),
        ("#define PRV __private\ntypedef struct { PRV float *p; } X;", 4),
        ("#define LOC local\ntypedef struct { LOC int (*p)[4]; } X;", 4),
    ],
)
def test_nor_has_one_whose_space_or_type_is_a_macro(declaration: str, size: int) -> None:
    local = memory(f"__local char a[sizeof(X)];{_USE}", declaration)
    assert local.exact is None
    assert local.lowest <= size


@pytest.mark.parametrize(
    ("declaration", "variable"),
    [
        ("typedef __local float T;", "T a[500];"),
        ("typedef local float T[500];", "T a;"),
        ("struct s { int a; }; typedef local struct s T;", "T a[5];"),
        ("", "typedef local float T; T a[5];"),
    ],
)
def test_variables_of_a_type_that_is_local_are_not_counted(declaration: str, variable: str) -> None:
    local = memory(f"{variable} a[n] = a[p[1]]; barrier(1); p[0] = sizeof(a[n + 1]);", declaration)
    assert (local.lowest, local.highest) == (0, None)
    assert "variables of the type T are in local memory" in local.reason


def test_a_pointer_to_local_memory_may_have_a_name() -> None:
    assert memory("typedef local float *T; T a = 0; p[0] = a != 0;").exact == 0


@pytest.mark.parametrize(
    ("expression", "size"),
    [
        ("(0x100U && 0377)", 4),
        ("1 < 0", 4),
        ("!1", 4),
        ("'a'", 4),
        ("(char)1 ? (char)1 : (char)2", 4),
        ("(char)1", 1),
        ("b", 1),
        ("b ? b : b", 4),
        ("true", None),
    ],
)
def test_a_comparison_has_the_type_that_c_gives_it(expression: str, size: int | None) -> None:
    """As clang 22 compiles it; in C++ most of these are one byte. Of `true` OpenCL C and clang say two things."""
    found = memory(f"bool b = p[5]; __local char a[sizeof({expression})];{_USE}")
    assert (found.highest if size else found.exact) == size


@pytest.mark.parametrize(
    ("condition", "sure"),
    [
        ("-(4u) % 98", False),
        ("-(4u) % (1 + 'a')", False),
        ("-5 ^ 1u", False),
        ("-4u == 18446744073709551612u", False),
        ("(1u << 64) != 0", False),
        ("(1 ? -1 : 0u) > 0", False),
        ("4294967295L > 2L", True),
        ("-4 % 3 == -1 && (1u << 40) > 5", True),
    ],
)
def test_where_the_preprocessor_needs_more_than_64_bits_nothing_is_decided(condition: str, sure: bool) -> None:
    """clang's has 128 bits, by which it takes the other branch of the first two and of the fourth."""
    local = memory(f"__local int a[C];{_USE}", f"#if {condition}\n#define C 8\n#else\n#define C 32\n#endif")
    assert (local.exact == 32) if sure else local.exact is None


@pytest.mark.parametrize("size", ["96", "(96)", "((((96))))", "(1 ? (((96))) : 3)"])
def test_a_required_size_in_any_number_of_parentheses(size: str) -> None:
    block = kernel(
        f"__kernel __attribute__((reqd_work_group_size(1, {size}, 1))) void k(__global int* p) {{ }}"
    ).attributes.block
    assert block is not None
    assert [it.number for it in block[1]] == [1, 96, 1]


def test_a_kernel_that_calls_a_kernel_needs_its_memory() -> None:
    inner = "__kernel void inner(__global int* p, int n) { __local int a[16]; a[n] = 1; barrier(1); p[0] = a[0]; }"
    assert memory("inner(p, n);", inner).exact == 64


def test_functions_of_the_whole_work_group_may_take_memory() -> None:
    """ocloc 26.27: 1,792 bytes for this sum on Xe-LP, 4,096 on Xe2; 32 for `all`, `any` and `broadcast`."""
    for call in ("work_group_reduce_add(n)", "work_group_scan_inclusive_max(n)", "work_group_broadcast(n, 0)"):
        assert memory(f"p[0] = {call};").unseen == (call.partition("(")[0],)
    assert memory("work_group_barrier(CLK_LOCAL_MEM_FENCE); p[0] = n;").unseen == ()


def test_a_parameter_is_sized_by_the_host() -> None:
    found = kernel(
        "__kernel void k(__global int* p, __local int* a) { char b[20]; b[p[0]] = 1; p[0] = a[0] + b[p[1]]; }"
    )
    assert found.summary.local.dynamic and found.summary.local.private == ()


def test_a_single_variable_may_be_kept_by_each_thread() -> None:
    """Parboil spmv: 8 bytes by the text, none by the compiler."""
    found = memory("__local int a, b; a = p[1]; for (b = 0; b < a; b++) p[n] += b;")
    assert (found.lowest, found.highest) == (0, 8)


def test_one_of_several_macros_that_call_nothing() -> None:
    macros = "#ifdef FAST\n#define F(x) bitselect(x, x, x)\n#else\n#define F(x) ((x) ^ (x))\n#endif"
    assert memory("p[0] = F(n);", macros).unseen == ()


def test_a_macro_that_the_build_gives_is_named() -> None:
    found = memory("\n#ifdef USE_LOCAL\n__local int a[8];\n#else\nint a[8];\n#endif\n" + _USE)
    assert found.highest is None and "USE_LOCAL" in found.reason
    assert "WGS" in memory("__local int a[WGS];" + _USE).reason


def test_conditions_with_macros_that_take_arguments() -> None:
    device = "#define AMD 2\n#define DEVICE 34\n#define is_amd(n) ((n & AMD) == AMD)\n"
    body = "\n#if is_amd(DEVICE)\n__local int a[8];\n#else\n__local int a[4];\n#endif\n"
    assert memory(body + _USE, device).exact == 32


def test_what_the_compiler_may_move() -> None:
    given = kernel("__kernel void k(__global int* p, int n) { uchar a[20]; a[n] = 1; p[0] = a[p[1]]; }")
    assert most_on_gfx90a(given, "opencl")[0] == 256 * 20
    recast = "uint a[5]; a[n] = 1; p[0] = ((uchar*)a)[n];"  # john's pbkdf2_ripemd160
    assert most_on_gfx90a(kernel(f"__kernel void k(__global int* p, int n) {{ {recast} }}"), "opencl")[0] == 5120


_FRAGMENT = """// CLBlast's way
R"(
#ifndef WGS
  #define WGS 64
#endif
__kernel __attribute__((reqd_work_group_size(WGS, 1, 1)))
void k(__global int* p, int n) { __local int a[16]; a[p[1]] = n; p[0] = a[n]; }
)"
"""


def test_a_file_that_is_a_raw_string() -> None:
    content = _FRAGMENT.encode()
    dialect = dialect_of("x.opencl", "", content)
    assert dialect is not None and dialect.device_only
    (found,) = Source(content, dialect).facts(MACROS).kernels
    assert found.summary.local.exact == 64
    assert (
        found.attributes.block is not None and found.attributes.block[1][0].number is None
    )  # the host may put another text before it
    assert dialect_of("x.cl", "", b"__kernel void k() {}") is OPENCL


_FILL = "for (i = 0; i < 8; i++) a[i] = p[i]; ((uchar*)a)[1] = 2; "
_COPY = "for (uint j = 0; j <= 7; ++j) p[j + n] = a[j];"


@pytest.mark.parametrize(
    ("loops", "most"),
    [
        (_FILL + _COPY, 0),
        (f"for (int u = 0; u < n; u++) {{ {_FILL} {_COPY} }}", 0),
        ("#pragma unroll\n" + _FILL + _COPY, 0),
        ("if (n) " + _FILL + _COPY, 0),
        ("#pragma unroll 1\n" + _FILL + _COPY, 8192),
        ("#pragma nounroll\n" + _FILL + _COPY, 8192),
        ('_Pragma("nounroll") ' + _FILL + _COPY, 8192),
        ("__attribute__((opencl_unroll_hint(1))) " + _FILL + _COPY, 8192),
        (_FILL + "for (i = 0; i < n; i++) p[i] = a[i];", 8192),
        (_FILL + "for (i = 0; i < 8; i += n) p[i] = a[i];", 8192),
        (_FILL + "for (i = 0; i < 8; i++) { p[i] = a[i]; i += n; }", 8192),
        (_FILL + "for (i = 0; i < 8; i++) p[i] = a[(i + n) & 7];", 8192),
    ],
)
def test_the_counter_of_a_small_loop_is_a_constant(loops: str, most: int) -> None:
    """clang 22 for gfx90a moves the array to local memory in those of 8192, and only there."""
    given = kernel(f"__kernel void k(__global int* p, int n) {{ int a[8], i;\n{loops} }}\n")
    assert most_on_gfx90a(given, "opencl")[0] == most


def test_an_array_whose_type_depends_on_the_build_has_a_least_size() -> None:
    before = "#define JOIN(t, w) t ## w\n#define V(t, w) JOIN(t, w)\n"
    before += "#if WIDTH > 1\n#define T V(uint, WIDTH)\n#else\n#define T uint\n#endif\n"
    given = kernel(f"{before}__kernel void k(__global int* p, int n) {{ T a[16]; a[n] = 1; p[0] = ((uchar*)a)[n]; }}")
    assert given.summary.local.private == ((64, None),)
    assert most_on_gfx90a(given, "opencl")[0] == 0


@pytest.mark.parametrize("size", ["((((64))))", "A(A(A(A(64))))", "(A((A(32)) * (A((2)))))"])
@pytest.mark.parametrize("head", ["__kernel {} void", "__kernel void {}", "{} __kernel void"])
def test_a_required_size_in_deep_parentheses(size: str, head: str) -> None:
    """clang 22 for gfx942: `.reqd_workgroup_size` 64, 1, 1."""
    required = head.format(f"__attribute__((reqd_work_group_size({size}, 1, 1)))")
    block = kernel(f"#define A(x) x\n{required} k(__global int* p) {{ p[0] = 1; }}\n").attributes.block
    assert block is not None
    assert [it.number for it in block[1]] == [64, 1, 1]


@pytest.mark.parametrize(
    "use", ["((local char*)&a)[n] = 1;", "((volatile local char*)&a[0])[n] = 1;", "*((local char*)(&a) + n) = 1;"]
)
def test_an_index_behind_an_address_keeps_the_whole(use: str) -> None:
    """clang 22 for gfx942: 64 bytes."""
    assert memory(f"local int a[16]; {use} barrier(1); p[0] = a[3];").exact == 64


@pytest.mark.parametrize(
    ("before", "own"),
    [
        ("typedef struct { __local int* q; int x; } S;", True),
        ("struct P { int x; private int *a, *q; }; typedef struct P S;", True),
        ("typedef local int* P; typedef struct { P q; int x; } S;", True),
        ("typedef struct { __global int* q; int x; } S;", False),
        ("typedef struct { int* q; int x; } S;", False),
    ],
)
def test_the_size_of_a_pointer_to_local_or_private_memory_is_open(before: str, own: bool) -> None:
    """clang 22 for gfx942: 8 bytes each of the first and the third, 16 of the last two."""
    local = memory("__local S s[8]; s[n].x = n; barrier(1); p[0] = s[p[1]].x;", before)
    assert (local.lowest, local.highest) == ((0, None) if own else (128, 128))
