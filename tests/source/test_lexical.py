"""Text is cut into words as compilers cut it: what is left out by `#if 0` may be prose, and digraphs are braces.

The truth is nvcc 13.0's for sm_90: which kernels there are, their static shared memory, and the launched size.
"""

import pytest

from occupancy_lsp.source.source import Source
from occupancy_lsp.source.text.dialects import CUDA
from occupancy_lsp.source.text.outline import Outline

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
    return {it.name: (it.local.lowest, it.local.highest) for it in kernels}


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
        outline = Outline(_EDITED.encode())
        edited = (_EDITED[:at] + typed + _EDITED[at + 1 :]).encode()
        outline.replace(edited, at, at + 1, at + len(typed))
        assert [(it.kind, it.text) for it in outline.items] == [(it.kind, it.text) for it in Outline(edited).items]
