"""Macros that stand as statements without a semicolon.

The sizes that launches have are of runs of the host's code (compiled by g++ with a stub for the launch, for several
values of `on`), those of shared memory and the barriers of ptxas (CUDA 13.0, sm_90).
"""

from __future__ import annotations

import re

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA, OPENCL
from occupancy_lsp.source.preprocessor.annotation_macros import macro_summary_lines, with_annotation_macros
from occupancy_lsp.source.preprocessor.macro_classification import kind_of_each_macro, macro_kind_lines
from occupancy_lsp.source.syntax.known_value import Value

_WHOLE = {
    "a block": "#define M { cudaDeviceSynchronize(); }",
    "a loop": "#define M do { cudaDeviceSynchronize(); } while (0);",
    "a call": "#define M cudaDeviceSynchronize();",
    "a choice": "#define M if (cudaGetLastError()) { f(); } else { g(); }",
    "several lines": "#define M \\\n  { \\\n    f(); \\\n  }",
    "another macro": "#define IMPL { f(); }\n#define M IMPL",
    "several macros": "#define ONE f();\n#define M ONE ONE",
    "one of two": "#ifdef DEBUG\n#define M { f(); f(); }\n#else\n#define M { f(); }\n#endif",
    "nothing": "#define M",
    "nothing in one": "#ifdef DEBUG\n#define M { f(); }\n#else\n#define M\n#endif",
}


def source(text: str) -> Source:
    content = text.encode()
    return Source(content, with_annotation_macros(CUDA, macro_summary_lines(content)))


def sizes(macro: str, body: str) -> list[Value]:
    text = f"{macro}\nstruct S {{ int t; }};\nvoid h(int on, int n, S s, float *x)\n{{\n{body}\n}}\n"
    return [it.size for it in source(text).facts({}).launches]


@pytest.mark.parametrize("macro", _WHOLE.values(), ids=_WHOLE.keys())
@pytest.mark.parametrize(
    ("statements", "true"),
    [
        ("M\n  b = 512;", {512}),
        ("M b = 512;", {512}),
        ("M\n  if (on) b = 1024;", {64, 1024}),
        ("M\n  if (on) b = 1024; else b = 32;", {32, 1024}),
        ("M\n  b *= 4;", {256}),
        ("M ++b;", {65}),
        ("M\n  int c = 96; b = c;", {96}),
        ("M\n  { b = 256; }", {256}),
        ("M\n  dim3 d(b * 2); b = d.x;", {128}),
        ("S v; v.t = 32;\n  M\n  v.t = 128; b = v.t;", {128}),
        ("M\n  switch (on) { case 1: b = 96; break; default: b = 160; }", {96, 160}),
        ("M\n  (b) = 224;", {224}),
        ("if (on) {\n    M\n    b = 512;\n  }", {64, 512}),
        ("if (on) b = 512;\n  else { M }", {64, 512}),
        ("b = 96;\n  M", {96}),
        ("M\n  M\n  b = 96;\n  M", {96}),
        ("{ int c = 3; M }\n  b = 96;", {96}),
    ],
)
def test_what_follows_is_read_as_behind_a_semicolon(macro: str, statements: str, true: set[int]) -> None:
    body = f"  int b = 64;\n  {statements}\n  k<<<1, b>>>(x);"
    (size,), (ended,) = sizes(macro, body), sizes(macro, re.sub(r"\bM\b", "M;", body))
    assert true <= {*size.choices}
    assert size.choices == ended.choices


@pytest.mark.parametrize("macro", [it for name, it in _WHOLE.items() if not name.startswith("nothing")])
@pytest.mark.parametrize(
    ("statements", "choices"),
    [
        ("if (on)\n    M\n  b = 512;", (512,)),
        ("if (on)\n    M\n  else\n    b = 128;", (64, 128)),
        ("for (int i = 0; i < 2; i++)\n    M\n  b = 512;", (512,)),
        ("for (int i = 0; i < 2; i++) M b = 512;", (512,)),
    ],
)
def test_it_is_the_body_of_what_it_stands_behind(macro: str, statements: str, choices: tuple[int, ...]) -> None:
    (size,) = sizes(macro, f"  int b = 64;\n  {statements}\n  k<<<1, b>>>(x);")
    assert size.choices == choices


def test_an_else_behind_a_macro_may_belong_to_it() -> None:
    body = "  if (n == 96) M\n  else k<<<1, n>>>(x);"
    assert [it.number for it in sizes("#define M if (on) f();", body)] == [None]
    assert [
        it.number
        for it in sizes("#define M if (on)", "  int b = 64;\n  if (n) M b = 128; else b = 256;\n  k<<<1, b>>>(x);")
    ] == [None]


def test_an_empty_macro_is_no_body() -> None:
    body = "  int b = 64;\n  if (on) M\n  b = 512;\n  k<<<1, b>>>(x);"
    assert [it.choices for it in sizes("#define M", body)] == [(64, 512)]
    # By the one definition it is one, by the other it is not: 512, or 64 and 512.
    either = "#ifdef DEBUG\n#define M { f(); }\n#else\n#define M\n#endif"
    assert [it.number for it in sizes(either, body)] == [None]


_HEADS = (
    "#define M if (on)",
    "#define M while (on-- > 0)",
    "#define M if (!on) {} else",
    "#define N if (on)\n#define M N",
)


@pytest.mark.parametrize("macro", [*_HEADS, ""], ids=["if", "while", "else", "another", "out of sight"])
@pytest.mark.parametrize(
    ("statements", "may"),
    [
        ("ABC\n  b = 512;", {64, 512}),
        ("ABC\n  { b = 256; }", {64, 256}),
        ("ABC\n  b *= 2;", {64, 128, 256}),
        ("ABC\n  if (n > 3) b = 96; else b = 32;", {64, 96, 32}),
        ("if (on) b = 512;\n  else { b = 96; ABC return; }", {512, 96}),
    ],
)
def test_what_a_macro_may_govern_is_not_sure(macro: str, statements: str, may: set[int]) -> None:
    macro = macro.replace("define M", "define ABC")
    (size,) = sizes(macro, f"  int b = 64;\n  {statements}\n  k<<<1, b>>>(x);")
    assert size.number is None
    assert not size.choices or may & {64, 512, 256, 96, 32} <= {*size.choices}


@pytest.mark.parametrize("macro", ["#define CHECK { f(); }", "#define CHECK f();", "#define CHECK", ""])
def test_every_launch_is_read(macro: str) -> None:
    body = "  k<<<1, 64>>>(x);\n  CHECK\n  k<<<3, 1024>>>(x);\n  CHECK\n\n  k<<<1, 128>>>(x);\n  CHECK"
    assert [it.number for it in sizes(macro, body)] == [64, 1024, 128]


@pytest.mark.parametrize(
    "text",
    ["} else {", "else", "case 3:", "default: f();", "if (on) {", "do {", "} while (0);"],
)
def test_pieces_of_statements_make_nothing_sure(text: str) -> None:
    body = "  int b = 64;\n  if (on) { b = 128; M b = 256; }\n  k<<<1, b>>>(x);"
    assert [it.number for it in sizes(f"#define M {text}", body)] == [None]


@pytest.mark.parametrize(
    ("statements", "size"),
    [
        ("Foo\n    b = {512};\n  k<<<1, 64>>>(x);", 64),  # a type and its variable
        ("unsigned\n    int b = 512;\n  k<<<1, b>>>(x);", 512),
        ("const auto\n    b = 512;\n  k<<<1, b>>>(x);", 512),
        ("int a[] = { N\n  }; int b = 96;\n  k<<<1, b>>>(x);", 96),
        ("enum { A, B\n  };\n  int b = 96;\n  k<<<1, b>>>(x);", 96),
        ("struct T {\n    REAL\n      t;\n  };\n  int b = 96;\n  k<<<1, b>>>(x);", 96),
        ("int b = n\n    ? 96 : 96;\n  k<<<1, b>>>(x);", 96),
        ("int b = 32 +\n    N\n    ;\n  b = 96;\n  k<<<1, b>>>(x);", 96),
        ("goto OUT;\n  OUT:\n  int b = 96;\n  k<<<1, b>>>(x);", 96),
        ("REAL b = 96;\n  k<<<1, b>>>(x);", 96),
    ],
)
def test_what_is_no_macro_stays(statements: str, size: int) -> None:
    assert [it.number for it in sizes("#define REAL int", f"  {statements}")] == [size]


_DEVICE = """
#define WHOLE { asm volatile(""); }
#define SYNC __syncthreads();
#define NOTHING
#define PROLOGUE int tid = threadIdx.x; if (tid > 9999) { x[0] = 1; }
#define EACH(i, n) for (int i = threadIdx.x; i < n; i += blockDim.x)
#define LEAVE return;
#define NEVER if (0)
#define NEVER_COMPILED if constexpr (sizeof(int) == 8)
#define UNROLLED _Pragma("unroll")
__device__ void narrow(float *x, int j)
{ __shared__ float s[256]; s[threadIdx.x] = x[j]; __syncthreads(); x[j] = s[threadIdx.x ^ j]; }
__global__ void k(float *x, int j) { %s }
"""


@pytest.mark.parametrize(
    ("body", "local", "barriers"),
    [
        ("x[0] = j; WHOLE __syncthreads(); x[1] = x[j];", 0, 1),
        ("int tid = threadIdx.x;\n  WHOLE\n  narrow(x, j + tid);", 1024, 1),
        ("PROLOGUE\n  __shared__ float s[512];\n  s[tid] = x[tid]; SYNC x[tid] = s[tid ^ j];", 2048, 1),
        ("EACH(i, j)\n    narrow(x, i);", 1024, 1),
        ("EACH(i, j) x[i] *= 2; __syncthreads(); x[j] = x[threadIdx.x];", 0, 1),
        ("NOTHING __syncthreads(); x[j] = 1; NOTHING", 0, 1),
        ("if (j > 3)\n    WHOLE\n  else\n    __syncthreads();\n  x[j] = 1;", 0, 1),
        ("for (int i = 0; i < j; i++)\n    SYNC\n  x[j] = 1;", 0, 1),
        (
            "switch (j) {\n  case 1:\n    WHOLE\n    narrow(x, j);\n    break;\n  case 2: WHOLE __syncthreads();\n  }",
            1024,
            1,
        ),
        ("x[j] = 1;\n  if (j > 4) LEAVE\n  __syncthreads();\n  x[j + 1] = x[threadIdx.x];", 0, 1),
        ("x[0] = j; NEVER __syncthreads(); x[1] = x[j];", 0, 0),
        ("UNROLLED\n  for (int i = 0; i < 4; i++) { x[i] += j; __syncthreads(); }", 0, 1),
    ],
)
def test_device_code_is_read_as_behind_a_semicolon(body: str, local: int, barriers: int) -> None:
    (kernel,) = source(_DEVICE.replace("%s", body)).facts({"__CUDA_ARCH__": 900}).kernels
    assert (kernel.summary.local.exact, kernel.summary.barriers.exact) == (local, barriers)


@pytest.mark.parametrize(
    ("body", "local", "barriers"),
    [
        ("x[0] = j;\n  NEVER_COMPILED\n  narrow(x, j);", 0, 0),
        ("x[0] = j;\n  OUT_OF_SIGHT\n  narrow(x, j);", 0, 0),
        ("x[0] = j;\n  OUT_OF_SIGHT\n  narrow(x, j);", 1024, 1),
    ],
)
def test_what_may_not_be_compiled_is_open(body: str, local: int, barriers: int) -> None:
    """What is out of sight may be `NEVER_COMPILED` as well as `WHOLE`."""
    (kernel,) = source(_DEVICE.replace("%s", body)).facts({"__CUDA_ARCH__": 900}).kernels
    assert kernel.summary.local.highest is not None
    assert kernel.summary.local.lowest <= local <= kernel.summary.local.highest
    assert kernel.summary.barriers.lowest <= barriers <= kernel.summary.barriers.highest
    assert kernel.summary.barriers.exact is None


def test_barriers_of_opencl_are_counted_behind_a_macro() -> None:
    text = b"#define MARK {}\n__kernel void k(__global float *x) { \n  MARK\n  barrier(CLK_GLOBAL_MEM_FENCE); }"
    (kernel,) = Source(text, with_annotation_macros(OPENCL, macro_summary_lines(text))).facts({}).kernels
    assert kernel.summary.barriers.exact == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("M", "empty"),
        ('M _Pragma("unroll")', "empty"),
        ("M [[likely]]", "empty"),
        ("M { f(); }", "whole"),
        ("M(x) do { x; } while (0);", "whole"),
        ("M try { f(); } catch (...) { }", "whole"),
        ("M if (a) f(); else g();", "whole"),
        ("M if (a) f();", "open-if"),
        ("M if (a) g(); else if (b) f();", "open-if"),
        ("M if (a)", "head"),
        ("M for (;;) if (a) {} else", "head"),
        ("M f(); while (a)", "head"),
        ("M do", "head"),
        ("M else", "torn"),
        ("M } else {", "torn"),
        ("M default:", "torn"),
        ("M (a", "torn"),
        ("M unsigned int", "other"),
        ("M(x) x", "any"),
        ("M(...) __VA_ARGS__", "any"),
    ],
)
def test_the_kind_of_a_macro(text: str, kind: str) -> None:
    name = b"M(" if text.startswith("M(") else b"M"
    assert kind_of_each_macro(macro_kind_lines(f"#define {text}\n".encode())) == {name: kind}


def test_several_definitions_say_together_what_a_macro_is() -> None:
    def together(*texts: str) -> str | None:
        lines = (line for it in texts for line in macro_kind_lines(f"#define {it}\n".encode()))
        return kind_of_each_macro(lines).get(b"M")

    assert together("M { f(); }", "M") == "optional"
    assert together("M { f(); }", "M if (a) f();") == "open-if"
    assert together("M { f(); }", "M if (a)") == "any"
    assert together("M { f(); }", "M f() + 1") == "whole"  # that does not compile without a semicolon
    assert together("M N", "N { f(); }") == "whole"
    assert together("M N N", "N f();") == "whole"
    assert together("M N N") == together("M const N", "N f();") == "other"
    assert together("M N") is None
    assert together("M 256") is None
    assert together("M N", "N M") is None
