"""A file's facts follow its edits: the same as reading the result afresh."""

from __future__ import annotations

import gc
import random
import weakref
from pathlib import Path

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.incremental.kernel_text import FileFacts
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.lex.item_list import ItemList

_DATA = Path(__file__).parent.parent / "data" / "nvcc"
_MACROS = {"__CUDA_ARCH__": 900}


def shown(source: Source, facts: FileFacts) -> list[object]:
    """What is observable: facts with absolute offsets."""

    def at(place: object) -> object:
        return (source.start_of(place.item) + place.start, place.end - place.start)  # type: ignore[attr-defined]

    kernels = []
    for k, said in zip(facts.kernels, facts.directives, strict=True):
        bounds = k.attributes.bounds and (at(k.attributes.bounds.place), k.attributes.bounds.max_threads.value.number)
        local = (
            k.summary.local.lowest,
            k.summary.local.highest,
            k.summary.local.reason,
            k.summary.local.dynamic,
            k.summary.local.unseen,
        )
        kernels.append((k.qualified, at(k.name_place), local, bounds, [it.directive for it in said]))
    launches = [
        (
            it.kernel,
            at(it.place),
            it.size.number,
            it.size.reason,
            it.configuration.dynamic and it.configuration.dynamic.value.number,
        )
        for it in facts.launches
    ]
    return [kernels, launches, facts.unread_launches, len(facts.stray_directives)]


def test_a_thousand_edits_leave_what_reading_afresh_gives() -> None:
    rng = random.Random(7)
    content = (_DATA / "kernels.cu").read_bytes()
    source = Source(content, CUDA)
    bits = [
        b"{",
        b"}",
        b"\n",
        b"/*",
        b"*/",
        b"#define N 64\n",
        b"256",
        b";",
        b"__global__ ",
        b"(",
        b")",
        b"\n#if 0\n",
        b"\n#endif\n",
        b'"',
    ]
    pieces = [content[i : i + 60] for i in range(0, len(content), 60)]
    for step in range(1000):
        start = rng.randrange(len(content) + 1)
        end = min(start + rng.choice((0, 0, 1, 2, 20)), len(content))
        new = rng.choice([*bits, rng.choice(pieces), b""])
        content = content[:start] + new + content[end:]
        source.replace(content, start, end, start + len(new))
        if step % 5 == 0:
            facts = source.facts(_MACROS)
            fresh = Source(content, CUDA)
            assert shown(source, facts) == shown(fresh, fresh.facts(_MACROS))


_ARRAY = "__global__ void k(int* p) { __shared__ int a[%s]; p[0] = a[1]; }\n"


@pytest.mark.parametrize(
    ("before", "after", "asking"),
    [
        ("constexpr int N = 4;", "constexpr int N = 8;", _ARRAY % "N"),
        ("struct S { int i; };", "struct S { long i; };", _ARRAY % "sizeof(S)"),
        ("#define N(x) (x * 4)\n", "#define N(x) (x * 8)\n", _ARRAY % "N(1)"),
        ("#define N 4\n#undef M\n", "#define N 4\n#undef N\n", _ARRAY % "N"),
        (
            "__device__ int f(int i) { __shared__ int b[4]; return b[i]; }",
            "__device__ int f(int i) { __shared__ int b[8]; return b[i]; }",
            "__global__ void k(int* p) { p[0] = f(1); }",
        ),
        ("void f(int);", "void f(int&);", "__global__ void k();\nvoid g() { int n = 64; f(n); k<<<1, n>>>(); }"),
        ("void f() { k<4><<<1, 1>>>(0); }", "void f() { k<8><<<1, 1>>>(0); }", "template <int N>\n" + _ARRAY % "N"),
        (
            '#define M asm("nop;")\n',
            '#define M asm("bar.sync 3;")\n',
            "#define N M\nstruct S { __device__ S() { N; } };\n__global__ void k() { S s; }",
        ),
        (
            "#define RUN stop(128)\n",
            "#define RUN go(128)\n",
            "__global__ void k();\nstatic void go(int n) { k<<<1, n>>>(); }\nvoid f() { go(256); RUN; }",
        ),
    ],
    ids=["constant", "type", "macro", "undef", "function", "prototype", "use", "barrier", "call"],
)
def test_an_item_follows_what_its_names_mean(before: str, after: str, asking: str) -> None:
    source = Source((before + asking).encode(), CUDA)
    first = shown(source, source.facts(_MACROS))
    content = (after + asking).encode()
    source.replace(content, 0, len(before), len(after))
    fresh = Source(content, CUDA)
    found = shown(source, source.facts(_MACROS))
    assert found == shown(fresh, fresh.facts(_MACROS))
    assert found != first


_UNFINISHED = [
    b"for (",
    b"else if (a[0]",
    b"return f(a[1]",
    b"for (int i = 0; i <",
    b"if (a[",
    b"s[i] = f(1,",
    b"x = g(a[2",
    b"while (threadIdx.x) { h(",
]


@pytest.mark.parametrize("typed", _UNFINISHED, ids=bytes.decode)
def test_a_kernel_keeps_its_figure_while_a_line_in_it_is_typed(typed: bytes) -> None:
    text = b"__global__ void k() {\n  __shared__ int a[64];\n  |\n  a[threadIdx.x] = 1; f(a[1]);\n}\n"
    other = b"__global__ void k%d() { __shared__ int s[%d]; s[threadIdx.x] = 1; f(s[1]); }\n"
    above, below = other % (32, 32), other % (64, 64)
    content, at = above + text.replace(b"|", b"") + below, len(above) + text.index(b"|")
    source = Source(content, CUDA)
    before = source.facts(_MACROS).kernels
    source.replace(content[:at] + typed + content[at:], at, at, at + len(typed))
    kernels = source.facts(_MACROS).kernels
    assert [it.summary.local.exact for it in kernels] == [128, 256, 256]
    assert all(was is now for was, now in zip(before, kernels, strict=True) if was.name != "k")


@pytest.mark.parametrize("typed", [b"__shared__ int c[64", b"__shared__ alignas(16", b"__shared__ T *c["])
def test_what_a_line_that_is_typed_declares_stays_open(typed: bytes) -> None:
    text = b"__global__ void k() {\n  __shared__ int a[64];\n  %b\n  a[0] = 1; f(a[1]);\n}\n" % typed
    (kernel,) = Source(text, CUDA).facts(_MACROS).kernels
    assert kernel.summary.local.exact is None


def test_no_keyword_becomes_the_name_of_a_variable() -> None:
    """All that names `int` would be in doubt, which nearly everything does."""
    head = b"template <typename T> __global__ void k(T *out, const T *in, const float eps, int batch, int n)"
    source = Source(b"int\n#endif\n" + head + b" { int a = 3; out[a] = in[n]; }\n", CUDA)
    source.facts({})
    assert source._first_environment().own.definitions.keys().isdisjoint({"const", "float", "int"})


@pytest.mark.parametrize("brace", [b"{", b"}"])
def test_a_lone_brace_has_no_kernel_looked_at_again(brace: bytes) -> None:
    each = b"constexpr int N%d = %d;\n__global__ void k%d() {\n  __shared__ int s[N%d];\n  s[0] = s[1];\n  f();\n}\n"
    content = b"".join(each % (i, i, i, i) for i in range(9))
    at = content.index(b"  f()", content.index(b"k4"))
    source = Source(content, CUDA)
    before = source.facts(_MACROS).kernels
    computed = source._first_environment().queries.computed
    resolved = computed["resolved"]
    source.replace(content[:at] + brace + content[at:], at, at, at + 1)
    now = source.facts(_MACROS).kernels
    assert computed["resolved"] == resolved
    assert [it.name for it in now] == [it.name for it in before]
    afresh = Source(content[:at] + brace + content[at:], CUDA).facts(_MACROS).kernels
    told = [
        [
            (it.summary.local.lowest, it.summary.local.highest, it.summary.local.reason, it.summary.barriers)
            for it in each
        ]
        for each in (now, afresh)
    ]
    assert told[0] == told[1]


def test_an_edit_in_a_body_that_says_nothing_else_leaves_the_kernel_as_it_was() -> None:
    content = (
        b"__global__ void k(int *out) {\n  __shared__ int s[8];\n  out[0] = s[1];\n}\n__global__ void other() {}\n"
    )
    source = Source(content, CUDA)
    (kernel, other), at = source.facts(_MACROS).kernels, content.index(b"  out[0]")
    for typed in (b" ", b"f", b"lo", b"at x = 1;"):
        content = content[:at] + typed + content[at:]
        source.replace(content, at, at, at + len(typed))
        at += len(typed)
    now = source.facts(_MACROS).kernels
    assert now[0] is kernel and now[1] is other
    body = source.body_of(kernel)
    start = source.start_of(body.item)
    assert content[start + body.start : start + body.end].endswith(b" float x = 1;  out[0] = s[1];\n}")
    assert source.start_of(other.item) == content.index(b"__global__ void other")


def test_a_condition_that_is_typed_above_its_end_holds_up_to_there() -> None:
    content = b"__global__ void a() {}\n\n__global__ void b() {}\n#endif\n__global__ void c() {}\n"
    source, at, line = Source(content, CUDA), content.index(b"\n\n") + 1, b"#if 0\n"
    assert [it.name for it in source.facts(_MACROS).kernels] == ["a", "b", "c"]
    source.replace(content[:at] + line + content[at:], at, at, at + len(line))
    assert [it.name for it in source.facts(_MACROS).kernels] == ["a", "c"]


def test_prefixes_of_a_real_file_are_read() -> None:
    """Those of each item at every fifth byte, as items are read by themselves, and those of the file at some."""
    content = (_DATA / "kernels.cu").read_bytes()
    cut = [item.text[:end] for item in ItemList(content).items for end in range(0, len(item.text), 5)]
    for prefix in (*cut, *(content[:end] for end in range(0, len(content), 120))):
        assert Source(prefix, CUDA).facts(_MACROS).lost == ()


def test_nul_bytes_and_invalid_utf8_are_read() -> None:
    noise = b"\x00\xff\xfe__global__ void k(int* p) { __shared__ int a[4]; p[0] = a[p[1]]; }\xc3\x28\x00"
    (kernel,) = Source(noise, CUDA).facts(_MACROS).kernels
    assert kernel.summary.local.exact == 16


def one(source: str) -> Kernel:
    (kernel,) = Source(source.encode(), CUDA).facts(_MACROS).kernels
    return kernel


def test_annotations_in_any_order() -> None:
    for head in (
        "__global__ void __launch_bounds__(256, 2) k",
        "__global__ __launch_bounds__(256, 2) void k",
        "__launch_bounds__(256, 2) __global__ void k",
        "__global__ void __attribute__((noinline)) __launch_bounds__(256, 2) k",
        "template <typename T>\n__global__ void __launch_bounds__(256, 2) k",
        'extern "C" __global__ void __launch_bounds__(256, 2) k',
        "static inline __global__ void __launch_bounds__(256, 2)\nk",
        "[[maybe_unused]] __global__ void __launch_bounds__(256 /* threads */, 2) k",
        "__global__ void\n#if __CUDA_ARCH__ >= 800\n__launch_bounds__(256, 2)\n#else\n__launch_bounds__(9)\n#endif\nk",
        "__global__ void __launch_bounds__(64) __launch_bounds__(256, 2) k",
    ):
        bounds = one(f"{head}(float* p) {{ p[0] = 1; }}").attributes.bounds
        assert bounds is not None, head
        assert bounds.max_threads.value.number == 256, head
        assert bounds.min_groups is not None and bounds.min_groups.value.number == 2, head


def test_third_bound_maxnreg_block_size_and_clusters() -> None:
    kernel = one("__global__ void __launch_bounds__(128, 2, 8) k(int* p) { }")
    assert kernel.attributes.bounds is not None and kernel.attributes.bounds.max_cluster is not None
    assert kernel.attributes.bounds.max_cluster.value.number == 8
    kernel = one("__global__ void __maxnreg__(72) k(int* p) { }")
    assert kernel.attributes.max_registers is not None and kernel.attributes.max_registers.value.number == 72
    kernel = one("__global__ void __block_size__((128, 2, 1), (2, 1, 1)) k(int* p) { }")
    assert kernel.attributes.block is not None and [v.number for v in kernel.attributes.block[1]] == [128, 2, 1]
    assert kernel.attributes.cluster is not None and [v.number for v in kernel.attributes.cluster[1]] == [2, 1, 1]
    kernel = one("__global__ void __cluster_dims__(2, 1, 1) k(int* p) { }")
    assert kernel.attributes.cluster is not None and [v.number for v in kernel.attributes.cluster[1]] == [2, 1, 1]


def test_kernels_in_classes_and_namespaces_have_their_qualified_names() -> None:
    source = "namespace a { namespace { struct S { static __global__ void k(int* p) { p[0] = 1; } }; } }"
    assert one(source).qualified == "a::S::k"


def test_dead_code_is_not_seen() -> None:
    source = (
        '#if 0\n__global__ void a() { }\n#endif\n// __global__ void b() { }\nauto s = R"(__global__ void c() {})";\n'
    )
    assert Source(source.encode(), CUDA).facts(_MACROS).kernels == ()


def test_a_fingerprint_follows_tokens_and_what_is_named() -> None:
    base = (
        b"#define N 4\n__device__ int f(int x) { return x; }\n__global__ void k(int* p) { p[0] = f(N); }\nvoid o() {}\n"
    )

    def fingerprint(content: bytes) -> str:
        source = Source(content, CUDA)
        return source.kernel_fingerprint(source.facts(_MACROS).kernels[0])

    same = fingerprint(base)
    assert fingerprint(base.replace(b"p[0] = f", b"p[0]  =  /* why */ f")) == same
    assert fingerprint(base.replace(b"o() {}", b"another() { return; }")) == same
    assert fingerprint(b"// comment\n" + base) == same
    assert fingerprint(base.replace(b"p[0]", b"p[1]")) != same
    assert fingerprint(base.replace(b"return x", b"return x + 1")) != same
    assert fingerprint(base.replace(b"N 4", b"N 5")) != same


def test_two_local_definitions_under_an_if_are_two_answers() -> None:
    branches = b"\n#if A\nconst int n = 32;\n#else\nconst int n = 64;\n#endif\n"
    source = b"__global__ void k() {}\nvoid h() {" + branches + b"k<<<1, n>>>(); }\n"
    (launch,) = Source(source, CUDA).facts(_MACROS).launches
    assert launch.size.number is None


def test_large_and_hostile_files_are_read() -> None:
    """Each of these took time in its square once."""
    kernel = b"__global__ void k(float* p) { p[0] = 1; }\n"
    for content in (
        kernel + b"void h() {" + b"int n = 3; k<<<1, n>>>(p);\n" * 1500 + b"}",
        b"struct S {" + b"__device__ int f(int x) { __shared__ int a[4]; a[0] = x; return a[1]; }\n" * 1500 + b"};",
        b"#if A\n" * 10_000 + kernel,
        b"__global__ " * 40_000,
        b"// occupancy: regs=3 foo\n" * 20_000 + kernel,
        b"struct S0 { int a; };\n"
        + b"".join(b"struct S%d { S%d a; S%d b; };\n" % (i + 1, i, i) for i in range(60))
        + kernel,
        b"void f() {" + b"{" * 50_000 + kernel,
    ):
        Source(content, CUDA).facts(_MACROS)


def test_a_file_that_nobody_asks_any_more_goes_at_once() -> None:
    """A check reads thousands: what waits for a garbage collection stays."""
    source = Source(b"__global__ void k(float *p) { p[0] = 1; }\nvoid run(float *p) { k<<<1, 32>>>(p); }\n", CUDA)
    source.edited = False
    source.facts({})
    source.close()
    gone = weakref.ref(source)
    gc.disable()
    try:
        del source
        assert gone() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "edits",
    [
        [(b"p[n] =", b" p[n] ="), (b"= 1", b"=  1"), (b"p[n]", b"p[ n]"), (b"f(p, n);", b"f(p, n) ;")],
        [(b"n = 2", b"n = 3"), (b"f(p, n)", b"f(p, n + 1)"), (b"n > 1", b"n > 2"), (b"(n > 2)", b"(2 * n > 2)")],
    ],
)
def test_an_edit_leaves_nothing_to_a_garbage_collection(edits: list[tuple[bytes, bytes]]) -> None:
    """Else memory grows with keys between two of them."""
    content = b"__device__ void f(float *p, int n) { if (n > 1) p[n] = 1; }\n"
    content += b"__global__ void k(float *p) { int n = 2; f(p, n); }\n"

    def edit(source: Source) -> None:
        now = content
        for old, new in edits:
            at = now.index(old)
            now = now.replace(old, new)
            source.replace(now, at, at + len(old), at + len(new))
            source.facts({})

    sources = [Source(content, CUDA) for _ in range(2)]
    for it in sources:
        it.facts({})
    edit(sources[0])  # which leaves what classes make for their first objects
    while gc.collect():  # of others, which may have more in the second round
        pass
    gc.disable()
    try:
        edit(sources[1])
        assert gc.collect() == 0
    finally:
        gc.enable()
