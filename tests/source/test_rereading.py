"""An item that is read again by the statements in an edit says what it says when all of it is read."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.source import rereading
from occupancy_lsp.source.facts.sections import Place
from occupancy_lsp.source.items import code_of, read_item
from occupancy_lsp.source.rereading import Reader, Reading, read_again
from occupancy_lsp.source.source import Source
from occupancy_lsp.source.text.dialects import CUDA, HIP, OPENCL
from occupancy_lsp.source.text.outline import Item, Outline

_DATA = Path(__file__).parent.parent / "data" / "nvcc"
_STEP = b"""\
  // step %d
  float a%d = x[i + %d]; // of the row
  const int last%d = N - 1;
  using Row%d = Row<%d>;
  if (a%d > limit && flag) { y[i] = helper<%d>(a%d, shared[i %% 4]); SYNC; }
#pragma unroll
  for (int j%d = 0; j%d < N; ++j%d) {
    acc += a%d * other.part[0].v; total.mean[1] = acc;
    shared[j%d] = WRAPPED(acc) + sizes[j%d];
  }
  each(rows, [&](auto row) { acc += row.sum(a%d) ? first(acc) : std::max<float>(acc, 1.f); });
  if constexpr (FLAG) { total.add(acc); }
"""
_STEPS = [_STEP.replace(b"%%", b"%").replace(b"%d", b"%d" % n) for n in range(6)]
_BODY = b"".join(_STEPS)
_TEXT = (
    b"template <int N, bool FLAG, bool MORE>\n__global__ void k(const float *x, float *y, Sizes sizes, bool flag) {\n"
    b"  __shared__ float shared[N];\n  int i = threadIdx.x;\n  float acc = 0;\n" + _BODY + b"  while (i < N) {\n"
    + _BODY + b"    if (MORE) {\n" + _BODY.replace(b"SYNC;", b"barrier(i);") + b"    }\n" + _BODY + b"  }\n" + _BODY
    + b"  y[0] = acc;\n}\n"
)  # fmt: skip
_CLASS = b"struct S {\n  int n;\n  __device__ int f(int i, float *x) {\n" + _BODY + b"    return i;\n  }\n};\n"
_ENDS = re.compile(rb";(?=\n)")
_TYPED = (
    b"\nint q = 1;", b"q", b"i", b"SYNC;", b"WRAPPED(q)", b"acc", b"x[i]", b"threadIdx.x", b" = i;", b"shared[0] = 1;",
    b"total.mean[2]", b"call(acc, i);", b"f<int>(i);", b"auto z = [&](auto v) { return v; };", b"using T = int;",
    b"struct P { int a; };", b"float z[4];", b"// note\n", b"c ? d : e;", b"if (FLAG) total.add(i);", b"if (N > 2) {",
    b"}", b"(", b")", b"\"", b"/*", b"return;", b"case 1:", b"#if A\n", b"__shared__ int s[4];", b"else", b"\n", b";",
    b"__syncthreads();", b"const", b"template *;", b"\n#pragma unroll 4\n", b"\n#pragma omp\n", b"a && b;",
    b"// occupancy: regs=4\n", b"k<<<1, 2>>>(x);", b"enable_smem_spilling",
)  # fmt: skip


def _item(text: bytes) -> Item:
    return Item(0, "code", text, 1)


@lru_cache(maxsize=8)
def _reading(text: bytes, dialect: object = CUDA) -> Reading:
    return rereading._read(code_of(_item(text)) or b"", CUDA if dialect is CUDA else dialect)  # type: ignore[arg-type]


def _long_items() -> Iterator[bytes]:
    yield from (_TEXT, _CLASS)
    for path in sorted(_DATA.rglob("*.cu")):
        for item in Outline(path.read_bytes(), CUDA.kernel).items:
            if item.kind == "code" and len(item.text) > 2048 and b"__global__" in item.text:
                yield item.text


_ITEMS = [*_long_items()]


def _again(text: bytes, at: int, gone: int, came: bytes) -> Reading | None:
    return read_again(_reading(text), code_of(_item(text[:at] + came + text[at + gone :])) or b"")


def _follow(text: bytes, edits: Sequence[tuple[int, int, bytes]]) -> int:
    """Make the edits one after the other, and compare what is read. How many were read by their statements."""
    reader, before, found = Reader(CUDA), _item(text), 0
    for at, gone, came in edits:
        at = min(at, len(text))
        text = text[:at] + came + text[at + gone :]
        item = _item(text)
        with patch.object(rereading, "_read", wraps=rereading._read) as whole:
            said = reader.read(item, before)
        found += bool(code_of(item)) and len(text) > 2048 and not whole.called
        assert said == read_item(item, CUDA)
        before = item
    return found


def test_what_is_typed_between_statements_is_read_alone() -> None:
    """Most of it: not where it breaks the text beyond what stands there, nor where the block is cut elsewhere then."""
    ends = [it.end() for it in _ENDS.finditer(_TEXT)][5:-8:27]
    alone = sum(_follow(_TEXT, [(at + i, 0, b"\nint q=1;"[i : i + 1]) for i in range(9)]) for at in ends)
    assert alone > 4 * len(ends)


@pytest.mark.parametrize("seed", range(2))
def test_real_functions_say_what_they_say_as_a_whole(seed: int) -> None:
    drawn = random.Random(seed)
    alone = 0
    for text in drawn.sample(_ITEMS, min(len(_ITEMS), 4)):
        ends = [it.end() for it in _ENDS.finditer(text)] or [0]
        for _ in range(4):
            at, came = drawn.choice(ends), drawn.choice(_TYPED)
            alone += _follow(text, [(at + i, 0, came[i : i + 1]) for i in range(len(came))])
    assert alone


@settings(max_examples=10, deadline=None)  # `make fuzz` draws more edits
@given(st.data())
def test_any_edits_leave_what_all_of_it_says(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from((_TEXT, _CLASS)))
    places = st.integers(0, len(text)) | st.sampled_from([it.end() for it in _ENDS.finditer(text)])
    gone = st.sampled_from((0, 0, 0, 1, 2, 40))
    _follow(text, data.draw(st.lists(st.tuples(places, gone, st.sampled_from(_TYPED)), min_size=2, max_size=8)))


_AT = _TEXT.index(b"  // step 3")  # in the first of the bodies


@pytest.mark.parametrize(
    "typed",
    [
        b"return;", b"case 1:", b"if (i) {", b"}", b"call(", b"__shared__ int s[4];", b"#if A\n#endif\n", b"/* note",
        b"// occupancy: regs=4\n", b"k<<<1, 2>>>(x);", b'asm("bar.sync 1, 64;");', b"cudaFuncSetAttribute(k, a, 1);",
        b"auto z = [&](auto v) { return v; };", b'// enable_smem_spilling\n', b"int g() { throw 1; }",
        b"x" * 20 + b"; y = z;\n" * 120,
    ],
)  # fmt: skip
def test_what_bears_on_more_is_read_as_a_whole(typed: bytes) -> None:
    text = _TEXT[:_AT] + b"\n" + _TEXT[_AT:]
    before = _reading(text)
    assert read_again(before, code_of(_item(text.replace(b"\n\n", b"\nq;\n"))) or b"") is not None
    assert read_again(before, code_of(_item(text.replace(b"\n\n", b"\n" + typed + b"\n"))) or b"") is None
    _follow(text, [(_AT, 0, b"q;"), (_AT, 2, typed)])


@pytest.mark.parametrize("typed", [b'"', b"else", b" /* a */", b"{}", b"while (i);"])
def test_what_stands_where_a_block_is_cut(typed: bytes) -> None:
    starts = [it.start for it in _reading(_TEXT).places]
    assert len(starts) > 12
    for at in starts[::3]:
        _follow(_TEXT, [(at, 0, b"\n"), (at, 1, typed), (at + len(typed), 0, b"\n")])


_LEAVING = (
    _TEXT.replace(b"while (i < N) {", b"while (true) {").replace(b"    if (MORE) {", b"    for (;;) {")
    .replace(b"{ total.add(acc); }", b"{ if (i) { continue; } total.add(acc); break; }")
)  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "alone"),
    [
        (b"q;", True), (b"__trap();", True), (b"for (;;) { q; }", True), (b"{ while (1) r; q; }", True),
        (b"break;", False), (b"{ continue; q; }", True), (b"if (i) goto end;", False), (b"break_;", True),
    ],
)  # fmt: skip
def test_what_leaves_a_block_or_a_loop(typed: bytes, alone: bool) -> None:
    """It is read alone, but for what a loop around it may end by."""
    places = _reading(_LEAVING).places
    asked = [_again(_LEAVING, it.start + 1, 0, b"  " + typed + b"\n") is not None for it in places]
    assert any(asked) is alone
    plain = re.sub(rb"(?:break|continue);", lambda it: b"t += i".ljust(len(it[0]) - 1) + b";", _LEAVING)
    for text in (_LEAVING, plain):
        for place in places[3::25]:
            for at in (place.start + 1, text.rfind(b";\n", 0, place.end) + 2):
                _follow(text, [(at, 0, b"  q;\n"), (at, 0, typed + b"\n"), (at, 0, b"r;\n"), (at + 3, len(typed), b"")])


def test_what_stands_in_a_loop_that_a_jump_alone_ends() -> None:
    """Whether one does is told by what is read apart from it."""
    places = [it for it in _reading(_LEAVING).places if b"for (;;)" in _LEAVING[it.start : it.end] and it.holes]
    assert places
    for place in places[:2]:
        assert _again(_LEAVING, place.start + 1, 0, b"  q;\n") is None
        at = _LEAVING.index(b"for (;;)", place.start)
        _follow(_LEAVING, [(at, 8, b"while (i)"), (at, 9, b"while (1)"), (at, 9, b"for (;;)"), (at, 8, b"while (i)")])


@pytest.mark.parametrize(
    ("before", "gone", "came"),
    [
        (b"  q;\n", b"", b"  if (m < 0) y[i] = 1;\n"),  # of a variable that is declared above, and is no unsigned one
        (b"  for (int c = 0; c < 4; ++c) q;\n", b"4", b"i"),  # a counter that comes to be known to the running kernel
    ],
)
def test_what_a_declaration_or_a_head_says_of_a_variable(before: bytes, gone: bytes, came: bytes) -> None:
    text = _TEXT.replace(b"  float acc = 0;", b"  float acc = 0; int m = i;").replace(b"  y[0] =", b"  if (c) y[0] =")
    for place in _reading(text).places[::8]:
        at = place.start + 1
        _follow(text, [(at, 0, before), (at, 0, b"  r;\n"), (at + 5 + before.index(gone), len(gone), came)])


_PICKING = _TEXT.replace(
    b"  float acc = 0;\n",
    b"  float acc = 0; int at = i; float *p = shared; float kept = shared[at]; int other[2]; unsigned u;\n",
).replace(b"  y[0] = acc;", b"  p[at] = kept + other[1]; if (u < 0) y[1] = outside[at]; y[0] = acc;")


@pytest.mark.parametrize(
    "typed",
    [
        b"q = r * 2;", b"float q = r", b"at = 3;", b"++at;", b"r = at;", b"y[1] = kept;", b"q = kept;", b"p = x;",
        b"q = p;", b"int at;", b"float other;", b"int outside;", b"f(shared);", b"READ(q);", b"volatile int q;",
        b"unsigned q;", b"shared;", b"auto *q = p;", b"for (q = 0; q < at; ++q) r;", b"i = threadIdx.x;", b"(",
        b"x, at = 2;", b"{ q; }",
    ],
)  # fmt: skip
def test_what_bears_on_how_elements_are_picked(typed: bytes) -> None:
    at = _PICKING.index(b"  // step 3", _PICKING.index(b"while"))
    _follow(_PICKING, [(at, 0, b"  r = q;\n"), (at, 0, b"  r;\n"), (at, 0, b"  " + typed + b"\n"), (at, 0, b"  q;\n")])


def test_a_class_with_lines_has_constructors_that_nobody_knows() -> None:
    text = re.sub(rb"  using .*\n|#.*\n", b"", _CLASS)
    at = text.index(b"  // step 1")
    assert _follow(text, [(at, 0, b"q;\n"), (at, 0, b"r;\n"), (at, 0, b"#pragma unroll\n")]) == 1


def test_what_follows_an_if_may_belong_to_it() -> None:
    text = re.sub(rb"  each.*\n", b"  if (i > N) y[i] = %b;\n" % b" + ".join([b"acc"] * 12), _TEXT)
    starts = [it.start for it in _reading(text).places if text[: it.start].endswith(b" + acc;")]
    assert starts
    for at in starts:
        for typed in (b"\n  else acc = 2;", b' "'):
            _follow(text, [(at + 1, 0, b"  q;\n"), (at, 0, typed)])


def test_what_stands_beside_a_large_block() -> None:
    holes = [hole for place in _reading(_TEXT).places for hole in place.holes]
    assert len(holes) > 1
    for hole in holes:
        near = _TEXT.rindex(b"\n", 0, hole.start) + 1
        for at in (hole.start, hole.end, hole.start + 1, hole.end - 1):
            for typed in (b"q", b"\n"):
                _follow(_TEXT, [(near, 0, b"q;\n"), (at + 3, 0, typed)])
        head = _TEXT[near : hole.start]
        assert _again(_TEXT, near + head.index(b"("), 1, b"(1 + ") is not None
        assert _again(_TEXT, near + 2, len(head) - 3, b"auto f = [&](int j)") is None


def test_a_part_may_lose_its_last_semicolon() -> None:
    places = [it for it in _alone(_TEXT) if not it.last]
    assert len(places) > 6
    for place in places:
        assert _again(_TEXT, place.end - 1, 0, b" // ") is None


def _alone(text: bytes, typed: bytes = b" ") -> list[Place]:
    """What of it is read alone if that is typed where it starts."""
    return [it for it in _reading(text).places if _again(text, it.start + 1, 0, typed) is not None]


@pytest.mark.parametrize(
    ("bound", "once", "alone", "whole"),
    [
        (b"held(acc)", b"flag", b" held = [&](auto v) { acc += v; };", b"auto held = [&](auto v) {acc += v; };"),
        (b"acc", b"bound", b"bound = 2;", b"bound = i;"),
    ],
)
def test_what_has_a_say_elsewhere(bound: bytes, once: bytes, alone: bytes, whole: bytes) -> None:
    """A lambda that a variable holds, where that is used; and what only the running kernel knows."""
    text = _TEXT.replace(b"  y[0] = acc;", b"  y[0] = %b;" % bound).replace(b"&& flag) {", b"&& %b) {" % once)
    places = _alone(text, alone + b"\n")
    assert len(places) > 3
    for place in places:
        assert _again(text, place.start + 1, 0, whole + b"\n") is None


def test_an_array_that_is_written_to_in_one_place() -> None:
    text = _TEXT.replace(b"  float acc = 0;\n", b"  __shared__ float once[2][3];\n  float acc = once[1][2] + 1;\n")
    at = text.index(b"  // step 1", text.index(b"while"))
    text = text[:at] + b"  once[0][1] = 1;\n" + text[at:]
    equals = text.index(b"= 1;", at)
    _follow(text, [(at, 0, b"q;\n"), (equals + 3, 0, b"="), (equals + 3, 1, b""), (at, 0, b"r;\n")])
    _follow(text, [(at, 0, b"q;\n"), (at + 3, len(b"  once[0][1] = 1;"), b""), (at, 0, b"once[1][1] = 2;\n")])


_DECLARED = b"  int n = N;\n  extern __shared__ char bytes[];\n  __shared__ float some[4], more[N];\n  int m = n;\n"
_DECLARING = _TEXT.replace(b"  int i = threadIdx.x;\n", b"  int i = threadIdx.x;\n  {\n" + _DECLARED + _BODY + b"  }\n")


@pytest.mark.parametrize(
    ("behind", "typed", "alone"),
    [
        (b"int n", b"1", True), (b"int m = n;", b" q;", True), (b"more[N];", b" bytes[0] = more[m];", True),
        (b"more[N];", b" float bytes;", True), (b"int n = N;", b" q;", False), (b"int n = N;", b' "q;', False),
        (b"extern ", b"const ", False), (b"char bytes", b"[2]", False), (b"some[4]", b", other", False),
        (b"int m = n;", b" __shared__ int s[4];", False), (b"__shared__ float", b" *", False),
    ],
)  # fmt: skip
def test_what_stands_beside_local_memory(behind: bytes, typed: bytes, alone: bool) -> None:
    """It is declared in a statement of its own, which says what it said."""
    at = _DECLARING.index(behind) + len(behind)
    assert (_again(_DECLARING, at, 0, typed) is not None) is alone
    _follow(_DECLARING, [(at + i, 0, typed[i : i + 1]) for i in range(len(typed))])
    broken = _DECLARING.index(b"__shared__ float")
    _follow(_DECLARING, [(broken, 3, b""), (broken - 3, 0, typed), (broken - 3, 0, b";")])


def test_what_is_broken_may_reach_into_a_statement_behind_it() -> None:
    at = _DECLARING.index(b"  int n = N;")
    _follow(_DECLARING, [(at + 7, 0, b"the "), (at + 12, 3, b'"')])


def test_what_is_typed_in_a_type_of_local_memory() -> None:
    text = _DECLARING.replace(b"float some[4], more[N];", b"union { int a; float b; } either;")
    _follow(text, [(text.index(b"  int n = N;"), 0, b"q;\n"), (text.index(b" float b;") + 3, 0, b" int c;")])


def test_what_is_typed_in_a_function_of_a_host() -> None:
    text = _TEXT.replace(b"__global__ ", b"").replace(b"__shared__ ", b"")
    assert len(_alone(text)) > 3
    at = text.index(b"  // step 1")
    assert _again(text, at, 0, b"launch(k<N, FLAG>, i);\n") is None
    _follow(text, [(at, 0, b"q;\n"), (at, 0, b"dim3 block(4);\n"), (at, 0, b"k<<<1, 2>>>(x);\n"), (at, 0, b"r;\n")])


def test_what_another_function_seems_to_be_returned_by() -> None:
    """To the grammar a broken class may be the type of a function in it."""
    text = _CLASS.replace(b"  int n;\n", b"  int n;\n  };i\n  the\n") + b"  S(int n) : n(n) {}\n};\n"
    at = text.index(b"  // step 1")
    _follow(text, [(at, 0, b"q;\n"), (at, 0, b"} end:break;\n"), (at, 0, b"}else c(); int a; };i\n")])


def test_a_line_is_left_aside_for_what_stands_beside_it() -> None:
    at = _TEXT.index(b"  // step 1")
    _follow(_TEXT, [(at, 0, b"int idrun(a * i;\n"), (at + 6, 0, b"f<int>(i);")])


def test_types_of_a_method_are_its_classes() -> None:
    text = re.sub(rb"  using .*\n", b"", _CLASS)
    at = text.index(b"  // step 1")
    assert _follow(text, [(at, 0, b"q;\n"), (at, 0, b"r;\n")]) == 1
    _follow(text, [(at, 0, b"q;\n"), (at, 0, b"struct P { int a; };\n"), (at, 0, b"p;\n")])


def test_a_macro_at_the_end_has_no_semicolon() -> None:
    text = _TEXT.removesuffix(b"}\n") + b"  SYNC\n}\n"
    at = text.rindex(b"  SYNC")
    _follow(text, [(at, 0, b"  SYNC;\n"), (at, 0, b"q"), (at, 1, b""), (at, 0, b"\n")])


@pytest.mark.parametrize("dialect", [HIP, OPENCL])
def test_languages_that_ask_for_more_are_read_as_a_whole(dialect: object) -> None:
    assert not _reading(_TEXT, dialect).places


def test_a_key_in_a_long_kernel_reads_its_statements_alone() -> None:
    """Be it where something was typed before, or where what was typed elsewhere was taken back."""
    source, text = Source(_TEXT, CUDA), _TEXT
    source.facts({})

    def edit(start: int, end: int, came: bytes) -> None:
        nonlocal text
        text = text[:start] + came + text[end:]
        source.replace(text, start, end, start + len(came))
        assert source.facts({}).kernels[0].name == "k"

    first, second = (_TEXT.index(b"\n    acc +=", at) for at in (_AT, len(_TEXT) // 2))
    edit(first, first, b"\n")
    with patch.object(rereading, "_read", side_effect=AssertionError):
        for index, byte in enumerate(b"++i;"):
            edit(first + 1 + index, first + 1 + index, bytes([byte]))
        edit(first, first + 5, b"")
        for index, byte in enumerate(b"\n--i;"):
            edit(second + index, second + index, bytes([byte]))
