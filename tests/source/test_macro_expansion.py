"""Macro expansion is GCC's, token for token, and a macro means what it means where it is used.

The values are those of nvcc 13.0 for sm_90 and of runs of what it made of the host's code.
"""

import shutil
import subprocess

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.preprocessor.macro_expansion import Macro, Unexpandable, expand
from occupancy_lsp.source.preprocessor.preprocessing_tokens import lex_preprocessing_tokens, spell_tokens

_NAMES = "ABFGH"
_PARAMETERS = (None, (), ("p",), ("p", "q"), ("...",), ("p", "..."), ("p", "r..."))


@st.composite
def _bodies(draw: st.DrawFn, parameters: tuple[str, ...] | None) -> str:
    own = [it.removesuffix("...") or "__VA_ARGS__" for it in parameters or ()]
    word = st.sampled_from([*_NAMES, *own, *own, "x", "1"])
    called = st.builds(lambda name, given: f"{name} ( {given} )", st.sampled_from(_NAMES), word)
    pasted = st.builds(lambda one, other: f"{one} ## {other}", st.sampled_from([*own, "x", "F"]), word)
    parts = [word, word, called, pasted, st.sampled_from(["+", ",", "( x )"])]
    if own:
        parts.append(st.sampled_from(own).map(lambda it: f"#{it}"))
    if parameters and parameters[-1].endswith("..."):
        parts += [word.map(lambda it: f"__VA_OPT__ ( , {it} )"), st.just(f", ## {own[-1]}")]
    return " ".join(draw(st.lists(st.one_of(parts), max_size=5)))


@st.composite
def _programs(draw: st.DrawFn) -> tuple[dict[str, Macro], str]:
    macros = {}
    for name in _NAMES:
        parameters = draw(st.sampled_from(_PARAMETERS))
        macros[name] = Macro(name, parameters, draw(_bodies(parameters)))
    given = st.lists(st.sampled_from(["A", "F", "1", "G(x)", "F(1, A)", "(x, 2)", "x", ""]), max_size=3).map(", ".join)
    use = st.builds(lambda name, given: f"{name}({given})", st.sampled_from(_NAMES), given)
    return macros, " ".join(draw(st.lists(st.one_of(use, st.sampled_from([*_NAMES, "(2)"])), min_size=1, max_size=3)))


def _preprocessed(macros: dict[str, Macro], text: str) -> list[str] | None:
    lines = [
        f"#define {it.name}{'' if it.parameters is None else '(' + ', '.join(it.parameters) + ')'} {it.body}"
        for it in macros.values()
    ]
    command = ["gcc", "-E", "-P", "-x", "c++", "-std=gnu++20", "-"]
    done = subprocess.run(command, input="\n".join((*lines, text, "")), capture_output=True, text=True, check=False)
    return [it.text for it in lex_preprocessing_tokens(done.stdout)] if done.returncode == 0 else None


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no GCC")
@settings(max_examples=150, deadline=None)
@given(_programs())
def test_expansion_is_that_of_gcc(program: tuple[dict[str, Macro], str]) -> None:
    macros, text = program
    wanted = _preprocessed(macros, text)
    assume(wanted is not None)
    try:
        found = [it.text for it in expand(lex_preprocessing_tokens(text), macros.get)]
    except Unexpandable:
        return  # as of a string with a name behind it, which is a literal of its own
    assert found == wanted


@settings(max_examples=100)
@given(st.lists(st.sampled_from(["a", "1", "+", "-", "->", "/", "*", ".", "<", "<=", "'c'", '"s"', "##", ":", "::"])))
def test_tokens_are_spelled_as_text_that_reads_as_they_do(words: list[str]) -> None:
    tokens = lex_preprocessing_tokens(" ".join(words))
    assert [
        it.text for it in lex_preprocessing_tokens(spell_tokens(it._replace(spaced=False) for it in tokens))
    ] == words


_KERNEL = "__global__ void k() { __shared__ char s[%s]; s[threadIdx.x] = 1; f(s[0]); }\n"
_PASTE = "#define CAT(a, b) a##b\n#define XCAT(a, b) CAT(a, b)\n#define V 2\nconstexpr int N2 = 64, NV = 32;\n"


@pytest.mark.parametrize(
    ("before", "between", "text", "size"),
    [
        ("#define N 64\n#define M N\n", "#undef N\n#define N 32\n", "M", 32),
        ("#define T 128\n#define B (T * 2)\n", "#ifdef __CUDACC__\n#undef T\n#define T 64\n#endif\n", "B", 128),
        (_PASTE, "", "XCAT(N, V)", 64),
        (_PASTE, "", "CAT(N, V)", 32),
        ("#define N 32\n#define M (N * 2)\n", "#undef N\nconstexpr int N = 96;\n", "M", 192),
        ("constexpr int N = 16;\n#define N (N + 16)\n", "", "N", 32),
        ("constexpr int A = 8, B = 24;\n#define A (B + 1)\n#define B (A + 2)\n", "", "B", 27),
        ("constexpr int f1(int x) { return x * 2; }\n#define f1(x) (f1(x) + 32)\n", "", "f1(32)", 96),
        ("#define G(x) ((x) * 2)\n#define F G\n", "", "F(32)", 64),
        ("#define SQ(x) x*x\n", "", "SQ(4+4) + 8", 32),
        ("#define CNT(a, ...) (a __VA_OPT__(* 2 +) __VA_ARGS__)\n", "", "CNT(64, 32)", 160),
        ("#define CNT(a, ...) (a __VA_OPT__(* 2 +) __VA_ARGS__)\n", "", "CNT(64)", 64),
        ("#define PICK(a, b, c, d, ...) d\n#define COUNT(...) PICK(__VA_ARGS__, 3, 2, 1, 0)\n", "",
         "32 * COUNT(p, q, r)", 96),
        ("constexpr int most(int a, int b = 128) { return a > b ? a : b; }\n",
         "#define MOST(a, ...) most(a, ##__VA_ARGS__)\n", "MOST(64)", 128),
        ("#define N AB ## CD\nconstexpr int ABCD = 48;\n", "", "N", 48),
        ("#define SIZE_A 64\n#define SIZE_B 96\n#define SIZE(x) SIZE_##x\n#define X(x) SIZE(x)\n#define KIND B\n", "",
         "X(KIND)", 96),
        ("#define T float\n#define BYTES(n) ((n) * sizeof(T))\n", "#undef T\n#define T double\n", "BYTES(8)", 64),
        ('#define N 32\n#pragma push_macro("N")\n#undef N\n#define N 64\n', "", "N", 64),
        ('#define N 32\n#pragma push_macro("N")\n#undef N\n#define N 64\n', '#pragma pop_macro("N")\n', "N", 32),
        ("#define ARCH 90\n#define FEAT_90 1\n#define FEAT_(a) FEAT_##a\n#define FEAT(a) FEAT_(a)\n",
         "#if FEAT(ARCH)\n#define N 128\n#else\n#define N 32\n#endif\n", "N", 128),
        ("#define A 1\n#define HAS defined(A)\n", "#if HAS\n#define N 96\n#else\n#define N 32\n#endif\n", "N", 96),
        ("#define E\n#define DEFER(x) x E\n#define REAL() 32\n#define X(x) x\n", "", "X(DEFER(REAL)())", 32),
        ("#define ADD(x) x + 16\n#define WRAP(x) ADD(x)\n", "", "2 * WRAP(24)", None),  # 64: what is torn is left open
        ("#define ID(x) x\n", "", "2 * ID(16 + 48)", None),  # 80
    ],
)  # fmt: skip
def test_a_macro_means_what_it_means_where_it_is_used(before: str, between: str, text: str, size: int | None) -> None:
    source = f"{before}{_KERNEL % text if not between else ''}{between}void h() {{ k<<<1, {text}>>>(); }}\n"
    (found,) = Source(source.encode(), CUDA).facts({}).launches
    assert found.size.number == size


def test_bounds_and_bytes_follow_what_is_defined_anew() -> None:
    # nvcc: .maxntid 64, 256 bytes; the launch takes 256 bytes.
    source = (
        "#define BS 256\n#define SMEM (BS * sizeof(float))\n#undef BS\n#define BS 64\n"
        "__global__ void __launch_bounds__(BS) k() { __shared__ char s[SMEM]; f(s[threadIdx.x]); }\n"
        "int main() { k<<<1, BS, SMEM>>>(); }\n"
    )
    found = Source(source.encode(), CUDA).facts({})
    (kernel,), (launch,) = found.kernels, found.launches
    assert kernel.attributes.bounds is not None
    assert kernel.attributes.bounds.max_threads.value.number == 64
    assert launch.configuration.dynamic is not None
    assert (launch.size.number, launch.configuration.dynamic.value.number) == (64, 256)


@pytest.mark.parametrize(
    ("macro", "body"),
    [
        ("SETN(x) n = x", "SETN(96); k<<<1, n>>>();"),
        ("BUMP n += 64", "BUMP; k<<<1, n>>>();"),
        ("BUMP n += 32", "for (int i = 0; i < 2; i++) BUMP; k<<<1, n>>>();"),
        ("BIG if (n > 16) n = 64", "BIG; k<<<1, n>>>();"),
        ("NEXT (++n)", "int m = NEXT; k<<<1, n>>>();"),
        ("INNER n = 96\n#define OUTER INNER", "OUTER; k<<<1, n>>>();"),
    ],
)
def test_a_macro_may_change_a_variable_that_it_is_not_given(macro: str, body: str) -> None:
    source = f"#define {macro}\n__global__ void k();\nvoid h() {{ int n = 32; {body} }}\n"
    (found,) = Source(source.encode(), CUDA).facts({}).launches
    assert found.size.number is None


def test_a_macro_that_only_reads_a_variable_leaves_it_known() -> None:
    source = "#define RUN k<<<1, n>>>()\n__global__ void k();\nvoid h() { int n = 32; RUN; k<<<2, n>>>(); }\n"
    found = Source(source.encode(), CUDA).facts({}).launches
    assert {it.size.number for it in found} == {32}


def test_a_word_goes_on_behind_a_line_continuation() -> None:
    # nvcc: 128 bytes; the launch has 64 threads.
    source = "#define N 6\\\n4\n__global__ void k() { __sha\\\nred__ char s[1\\\n28]; f(s[threadIdx.x]); }\n"
    found = Source(f"{source}void h() {{ k<<<1, N>>>(); }}\n".encode(), CUDA).facts({})
    assert [it.summary.local.highest for it in found.kernels] == [128]
    assert [it.size.number for it in found.launches] == [64]
