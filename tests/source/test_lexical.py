"""Text is cut into words as compilers cut it: what is left out by `#if 0` may be prose, and digraphs are braces.

The truth is nvcc 13.0's for sm_90: which kernels there are, their static shared memory, and the launched size.
"""

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.lex.item_list import ItemList
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros

_USED = '  asm volatile("" :: "l"(&s));\n'
_KERNEL = f"__global__ void __launch_bounds__(96) k() {{\n  __shared__ int s[96];\n{_USED}}}\n"
_NO_CODE = (
    "it's not code\n",
    "/* closed */ ' \"\n",
    "some words of prose here\n",
    "don't do it; can't (or won't) {\n",
    "This kernel, launched with (a, b), isn't fast.\nSee section 3: \"limits\n",
    "it's /* open\n#endif */ over\n",
    "it's \\\n#endif\nmore\n",
    "#if A\nit's\n#else\ndon't\n#endif\nisn't\n",
    "#elif_no\n# 3 b\n#  'x\n",
    "#define SIZE 3\n",
    "__global__ void no() {\n",
    "}\n",
    "foo(1, 2\n",
    "template <int N\n",
    'a R"(\n#endif\n)" b\n',
)
_CONDITIONS = ("0", "(0)", "false", "0 // why", "0 && defined(X)", "0\nint on;\n#elif 0")


def _bytes(content: str) -> dict[str, tuple[int | None, int | None]]:
    kernels = Source(content.encode(), CUDA).facts({}).kernels
    return {it.name: (it.summary.local.lowest, it.summary.local.highest) for it in kernels}


@pytest.mark.parametrize("condition", _CONDITIONS)
@pytest.mark.parametrize("text", _NO_CODE)
def test_what_a_literal_leaves_out_may_be_anything(condition: str, text: str) -> None:
    left_out = f"#if {condition}\n{text}#endif\n"
    within = f"__global__ void b() {{\n  __shared__ int s[32];\n{left_out}{_USED}}}\n"
    assert _bytes(f"#define SIZE 1\n{left_out}{_KERNEL}{within}") == {"k": (384, 384), "b": (128, 128)}


@pytest.mark.parametrize("text", ["it's not code\n", "don't do it; can't (or won't) {\n", "/* closed */ ' \"\n"])
@pytest.mark.parametrize("opening", ["#ifdef NEVER", "#if 1\nint on;\n#else"])
def test_what_no_lexer_reads_costs_no_kernel_below(opening: str, text: str) -> None:
    assert _bytes(f"{opening}\n{text}#endif\n{_KERNEL}") == {"k": (384, 384)}


def test_groups_behind_one_that_is_compiled_are_left_out() -> None:
    chain = "#if 1\n  __shared__ int s[32];\n#elif SIZE\n}\n#else\nit's }\n#endif\n"
    assert _bytes(f"__global__ void b() {{\n{chain}{_USED}}}\n{_KERNEL}") == {"k": (384, 384), "b": (128, 128)}


def test_digraphs_are_what_they_stand_for() -> None:
    body = "  __shared__ int s<:N:>;\n  if (threadIdx.x<::N) <% s<:threadIdx.x:> = 1; %>\n"
    kernel = f"__global__ void k() <%\n{body}{_USED}%>\n"
    content = f"%:define N 32\nnamespace a <%\n{kernel}%>\n__global__ void b() {{ }}\n"
    assert _bytes(content) == {"k": (128, 128), "b": (0, 0)}


_EDITED = (
    "#if 0\nit's {\n#endif\n__global__ void k() {\n#if 0\n}\n#else\n  f();\n#endif\n}\n"
    "%:if 0\nnone\n%:endif\nnamespace a <%\n__global__ void b() <% f(); %>\n%>\nvoid g() {\n  h();\n}\n"
)


@pytest.mark.parametrize("typed", ["", "\n#endif\n", "\n#if 0\n", "%", "1", "'"])
def test_pieces_are_those_of_the_text_read_afresh(typed: str) -> None:
    for at in range(len(_EDITED)):
        outline = ItemList(_EDITED.encode())
        edited = (_EDITED[:at] + typed + _EDITED[at + 1 :]).encode()
        outline.replace(edited, at, at + 1, at + len(typed))
        assert [(it.kind, it.text) for it in outline.items] == [(it.kind, it.text) for it in ItemList(edited).items]


def _size(content: str) -> int | None:
    (launch,) = Source(content.encode(), CUDA).facts({}).launches
    return launch.size.number


@pytest.mark.parametrize(
    ("before", "said", "true"),
    [
        ("#define f(x) f((x) * 3)\n", "(f)(19)", 28),
        ("#define f(x) f((x) * 3)\n", "f(19)", 66),
        ("#define f(x) f((x) * 3)\n#define g f\n", "(g)(19)", 28),
        ("#define f(x) f((x) * 3)\n", "((f))((f)(19))", 37),
        ("#define PAIR(a, b) (b a 16)\n", "PAIR(, +)", 16),
        ("#define PAIR(a, b) (1 a + b 24)\n", "PAIR(, )", 25),
        ("#define PAIR(a, b) (1 a + b 24)\n", "PAIR(+ , - -)", 25),
        ("#define SUM(a, ...) (a __VA_OPT__(+) __VA_ARGS__)\n", "SUM(64, 32)", 96),
        ("#define OF(x) (x)\n", "OF(40/* of */ + 2)", 42),
        ("#define BYTES(t, ...) (sizeof(t) __VA_OPT__(* (__VA_ARGS__)))\n", "BYTES(double, 40)", 320),
        ("#define BYTES(n, t) (sizeof(t) * n)\n", "BYTES(4, float *)", 32),
    ],
)
def test_launches_have_what_macros_make(before: str, said: str, true: int) -> None:
    function = "__host__ __device__ constexpr int f(int x) { return x + 9; }\n"
    content = f"{function}{before}__global__ void k() {{ }}\nvoid run() {{ k<<<1, {said}, {said}>>>(); }}\n"
    assert _size(content) == true
    assert Source(content.encode(), CUDA).facts({}).unread_launches == 0


def test_names_that_only_macros_part_leave_the_launch_open_and_seen() -> None:
    macros = "#define EMPTY\n#define f(x) ((x) * 3)\n"
    content = f"{macros}int f(int x);\n__global__ void k() {{ }}\nvoid run() {{ k<<<1, 64, f EMPTY (16)>>>(); }}\n"
    (launch,) = Source(content.encode(), CUDA).facts({}).launches
    assert launch.size.number == 64
    assert launch.configuration.dynamic is not None
    assert launch.configuration.dynamic.value.number is None


@pytest.mark.parametrize(("macro", "true"), [("", 32), ("#define n 64\n", 64), ("#define n 64\n#undef n\n", 32)])
def test_a_macro_behind_a_variable_is_meant_from_there_on(macro: str, true: int) -> None:
    content = f"__global__ void k() {{ }}\nvoid run() {{ int n = 32;\n{macro}k<<<1, n>>>(); }}\n"
    assert _size(content) == true


def _bounds(kernel: Kernel) -> tuple[int | None, int | None]:
    assert kernel.attributes.bounds is not None
    least = kernel.attributes.bounds.min_groups
    return kernel.attributes.bounds.max_threads.value.number, None if least is None else least.value.number


_TEMPLATES = """template <int A, int B> struct Mul { static constexpr int value = A * B; };
template <typename T, typename U> constexpr int two() { return sizeof(T) * 16; }
"""


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("(3 < 4 ? 64 : 96), (5 > 2)", (64, 1)),
        ("((((((((2 + 1)) * (4 - 2)))) < 7 ? ((((64)))) : 96)))", (64, None)),
        ("Mul<16, 4>::value", (64, None)),
        ("Mul<16, 4>::value, 2", (64, 2)),
        ("2 * Mul<16, Mul<1, 2>::value>::value, Mul<1, 2>::value", (64, 2)),
        ("two<int, float>(), 2", (64, 2)),
        ("1 < 2 ? 32 : 64, 2 > 1 ? 3 : 4", (32, 3)),
    ],
)
def test_launch_bounds_are_split_as_compilers_split_them(said: str, true: tuple[int, int | None]) -> None:
    content = f"{_TEMPLATES}__global__ void __launch_bounds__({said}) k() {{ }}\n"
    (kernel,) = Source(content.encode(), CUDA).facts({}).kernels
    assert _bounds(kernel) == true


@pytest.mark.parametrize("name", ["BOUNDS", "bounds_of_k"])
@pytest.mark.parametrize("head", ["__global__ void {}", "{} __global__ void", "__global__ {} void"])
@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("__attribute__((launch_bounds(128)))", (128, None)),
        ("__attribute__((launch_bounds((4 * (30 + 2)), 10)))", (128, 10)),
        ('__attribute__((launch_bounds(128))) __attribute__((visibility("default")))', (128, None)),
    ],
)
def test_macros_that_are_attributes_with_bounds(name: str, head: str, said: str, true: tuple[int, int | None]) -> None:
    content = f"#define {name} {said}\n{head.format(name)} k() {{ }}\n".encode()
    (kernel,) = Source(content, with_annotation_macros(CUDA, macro_summary_lines(content))).facts({}).kernels
    assert kernel.qualified == "k"
    assert _bounds(kernel) == true


@pytest.mark.parametrize(("said", "runs"), [("if (false)", 0), ("if (0 > 1)", 0), ("if (on)", 1), ("if (true)", 1)])
def test_what_a_macro_governs_by_a_constant_never_runs(said: str, runs: int) -> None:
    head = f"#define HEAD {said}\n__global__ void k() {{ }}\n"
    content = f"{head}void run(bool on) {{\n  HEAD k<<<1, 2048>>>();\n  k<<<1, 64>>>();\n}}\n".encode()
    launches = Source(content, with_annotation_macros(CUDA, macro_summary_lines(content))).facts({}).launches
    assert [it.size.number for it in launches] == [2048, 64][1 - runs :]


def test_braces_of_macros_tell_variables_of_one_name_apart() -> None:
    macros = "#define BEGIN { int ticks = 0;\n#define END (void)ticks; }\n"
    body = "  int b = 64;\n  BEGIN\n  int b = 256;\n  k<<<1, b>>>();\n  END\n  k<<<1, b>>>();\n"
    content = f"{macros}__global__ void k() {{ }}\nvoid run() {{\n{body}}}\n".encode()
    launches = Source(content, with_annotation_macros(CUDA, macro_summary_lines(content))).facts({}).launches
    assert [it.size.number in (true, None) for it, true in zip(launches, (256, 64), strict=True)] == [True, True]
