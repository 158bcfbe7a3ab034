"""Items depend on their own bytes alone: edits piece by piece leave the same items as reading afresh."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.source.lex import item_list as outline_module
from occupancy_lsp.source.lex.item_list import ItemList

_BITS = st.sampled_from(
    [
        b"__global__ void k(float* p) { __shared__ float a[32]; }",
        b"struct S { int a; };",
        b"namespace a {",
        b"template<int N>",
        b"__global__",
        b"\n#if A\n",
        b"\n#else\n",
        b"\n#endif\n",
        b"\n#define X 3\n",
        b'R"(',
        b')"',
        b"x = 1;",
        b"f(",
        b"\ntemplate <class T>\n",
        b"\nnamespace n {\n",
        b"\nusing X = int",
        b"\n}\n",
        *(bytes([c]) for c in b"\n{}\"'() /*\\"),
        b"\r\n",
        b"//",
        b"/*",
        b"*/",
        b"\xff\x00",
    ]
)
_TEXT = st.lists(_BITS, max_size=25).map(b"".join)
_EDITS = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 60), _BITS | st.just(b"")), max_size=8)


@given(_TEXT, _EDITS)
@settings(max_examples=600, deadline=None)
def test_edits_leave_the_items_of_a_fresh_reading(content: bytes, edits: list[tuple[int, int, bytes]]) -> None:
    for outline in _edited(content, edits):
        for numbers in ({item.id for item in outline.items}, {item.slot for item in outline.items}):
            assert len(numbers) == len(outline.items)


def _edited(content: bytes, edits: list[tuple[int, int, bytes]]) -> Iterator[ItemList]:
    """After each edit, which leaves the items of a fresh reading."""
    outline = ItemList(content)
    for at, length, new in edits:
        start = at % (len(content) + 1)
        end = min(start + length, len(content))
        content = content[:start] + new + content[end:]
        outline.replace(content, start, end, start + len(new))
        fresh = ItemList(content)
        assert [(i.kind, i.text) for i in outline.items] == [(i.kind, i.text) for i in fresh.items]
        assert starts(outline) == starts(fresh)
        yield outline


def starts(outline: ItemList) -> list[int]:
    return [outline.start_of(item.slot) for item in outline.items]


@given(_TEXT)
def test_items_cover_every_byte(content: bytes) -> None:
    assert b"".join(item.text for item in ItemList(content).items) == content


def kinds(text: bytes) -> list[tuple[str, bytes]]:
    return [(item.kind, item.text.strip()) for item in ItemList(text).items if item.text.strip()]


def test_an_untouched_item_keeps_its_id() -> None:
    content = b"void a() {}\nvoid b() {}\nvoid c() {}\n"
    outline = ItemList(content)
    before = [item.id for item in outline.items]
    edited = content.replace(b"b()", b"bb()")
    outline.replace(edited, 17, 17, 18)
    after = [item.id for item in outline.items]
    assert (before[0], before[2]) == (after[0], after[2])
    assert before[1] != after[1]


def test_an_unclosed_brace_does_not_hide_the_next_kernel() -> None:
    found = kinds(b"__global__ void a() { if (x) {\n\n__global__ void b() { }\n")
    assert found == [("code", b"__global__ void a() { if (x) {"), ("code", b"__global__ void b() { }")]


def test_a_head_being_typed_does_not_hide_the_next_kernel() -> None:
    found = kinds(b"__global__ void\n\ntemplate <int N>\n__global__ void b(int n) { }\n")
    assert found == [("code", b"__global__ void"), ("code", b"template <int N>\n__global__ void b(int n) { }")]


def test_namespaces_open_and_close() -> None:
    found = [kind for kind, _ in kinds(b'namespace a::b { extern "C" { void f() {} } }')]
    assert found == ["open", "open", "code", "close", "close"]


def test_what_is_in_comments_and_strings_is_no_code() -> None:
    text = b'const char* s = "{ __global__ "; /* { */ // {\nauto r = R"x({)x"; char c = \'{\'; int n = 1\'000;\n'
    assert [kind for kind, _ in kinds(text)] == ["code", "comment", *["code"] * 3]


@pytest.mark.parametrize("other", [b"i = 1;", b"if (n) return;"])
def test_a_loop_of_one_branch_may_end_under_the_same_condition(other: bytes) -> None:
    """The namespace goes on behind it."""
    start = b"#ifdef A\n  for (;;) {\n#else\n  " + other + b"\n#endif\n"
    end = b"#ifdef  A  // of the loop\n  }\n#endif\n"
    text = b"namespace n {\n__global__ void k() {\n" + (start + b"  x();\n" + end) * 2 + b"}\nint i;\n}\n"
    assert [kind for kind, _ in kinds(text)] == ["open", "code", "code", "close"]


def test_both_branches_of_an_if_may_open_the_same_brace() -> None:
    text = b"#if A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n}\n__global__ void k() {}\n"
    assert kinds(text)[-1] == ("code", b"__global__ void k() {}")


NAMESPACES = b"""namespace outer {
namespace {
struct S { int a; };

__device__ int first(int a)
{
#pragma unroll
  for (int i = 0; i < a; ++i) {
    a += i;
  }
  a -= 1;
#pragma unroll
  for (int i = 0; i < a; ++i) {
    a += i;
  }
  return a;
}

__device__ int second(int a) {
  return a;
}

}  // namespace

__global__ void kernel(int* p)
{
  if (p) {
    *p = first(*p);
  }
}

// of the next one
__global__ void next_one(int* p)
{
  *p = 0;
}

int last() { return 1; }
}

namespace other {
int more() { return 2; }
}
"""


def around(text: bytes) -> list[tuple[bytes, tuple[int, int]]]:
    """The items in which all that is typed leaves alone, each with how many braces are open and closed before."""
    names = (b"struct S", b"int second", b"void kernel", b"void next_one", b"int last", b"int more")
    found, opened, closed = [], 0, 0
    for item in ItemList(text).items:
        opened, closed = opened + (item.kind == "open"), closed + (item.kind == "close")
        found += [(name, (opened, closed)) for name in names if name in item.text]
    return found


@pytest.mark.parametrize("brace", [b"{", b"}"])
@pytest.mark.parametrize("function", [b"int first", b"void kernel"])
def test_a_lone_brace_leaves_all_else_where_it_is(brace: bytes, function: bytes) -> None:
    """Behind any statement of a function: only the function itself may be in pieces."""
    start = NAMESPACES.index(function)
    end = NAMESPACES.index(b"\n}\n", start)
    sure = around(NAMESPACES)
    for at in (at for at in range(start, end) if NAMESPACES[at - 1 : at + 1] in (b";\n", b"{\n")):
        for place in (at, at + 1):
            found = around(NAMESPACES[:place] + brace + NAMESPACES[place:])
            assert [it for it in found if it[0] != b"void kernel"] == [it for it in sure if it[0] != b"void kernel"]


@pytest.mark.parametrize("brace", [b"{", b"}"])
def test_a_lone_brace_makes_no_other_item_anew(brace: bytes) -> None:
    """All other items are the same ones, with the space before them, and are so again once it is gone."""
    places = (at for at in range(len(NAMESPACES)) if NAMESPACES[at - 1 : at + 1] == b";\n")
    for at in (at for at in places if around(NAMESPACES[:at] + brace + NAMESPACES[at:]) == around(NAMESPACES)):
        outline = ItemList(NAMESPACES)
        before, ids = list(outline.items), {it.id for it in outline.items}
        outline.replace(NAMESPACES[:at] + brace + NAMESPACES[at:], at, at, at + 1)
        now = {it.id for it in outline.items}
        assert (len(ids - now), len(now - ids)) == (1, 1)
        outline.replace(NAMESPACES, at, at + 1, at)
        assert [it.text for it in outline.items] == [it.text for it in before]


def test_blank_lines_make_no_item_anew() -> None:
    text = b"void a() {}\n\n  // of b\n  void b() {}\n#define A\n"
    for at in (at for at in range(1, len(text)) if text[at - 1 : at] == b"\n"):
        for more in (b"\n", b" \t\n", b"\r\n\n"):
            outline = ItemList(text)
            ids = [it.id for it in outline.items]
            outline.replace(text[:at] + more + text[at:], at, at, at + len(more))
            assert len(ids) == 4
            assert [it.id for it in outline.items] == ids


def test_a_brace_outside_of_functions_hides_the_next_one_alone() -> None:
    """As of a type that is being typed: what is no function ends where its layout says, too."""
    text = b"int a;\n\nstruct S {\n\nvoid f()\n{\n  g();\n}\n\n__global__ void k()\n{\n}\n\nint b;\n"
    assert [it for _, it in kinds(text)][-2:] == [b"__global__ void k()\n{\n}", b"int b;"]


@pytest.mark.parametrize("typed", [b"constexpr int n = 4", b"using T = float", b"__global__ void k(float* p", b"x"])
@pytest.mark.parametrize(
    "start", [b"template <typename T>\n", b"// of it\ntemplate <typename T>\n", b"namespace n {\n"]
)
def test_what_is_typed_above_a_declaration_leaves_it_as_it_is(typed: bytes, start: bytes) -> None:
    before, rest = b"int a;\n\n", start + b"void f(T* p)\n{\n  *p = 1;\n}\n"
    outline = ItemList(before + rest)
    ids = [it.id for it in outline.items]
    for at in range(len(typed)):
        text = before + typed[: at + 1] + b"\n" * (at >= 0) + rest
        outline.replace(text, len(before) + at, len(before) + at + (1 if at else 0), len(before) + at + 2)
        assert [it.id for it in outline.items][-len(ids) + 1 :] == ids[1:]


@pytest.mark.parametrize("head", [b"void g(int n) {", b"struct S {", b"{"])
def test_what_is_open_above_a_template_does_not_swallow_it(head: bytes) -> None:
    """No template stands in a function, nor further left than the type that has it."""
    text = (
        b"namespace n {\nint a;\n\n" + head + b"\n\n// of f\ntemplate <class T>\nvoid f()\n{\n  if (1) {\n  }\n}\n\n}\n"
    )
    assert kinds(text)[-3:] == [
        ("comment", b"// of f"),
        ("code", b"template <class T>\nvoid f()\n{\n  if (1) {\n  }\n}"),
        ("close", b"}"),
    ]


@pytest.mark.parametrize(
    "head",
    [
        b"template <template <class> class A,\ntemplate <class> class B>\nvoid f() {}",
        b"template <class T>\ntemplate <class U>\nvoid A<T>::f() {}",
        b"extern\ntemplate void f<int>();",
        b"inline\nnamespace n {",
        b"auto x = a.\ntemplate f<int>();",
        b"int f(int a,\n#if A\nint b)\n#else\nint c)\n#endif\n\n{ using namespace std; }",
        b"void f() /*\ntemplate <class T>\n*/ {}",
    ],
)
def test_what_may_stand_before_a_template_belongs_to_it(head: bytes) -> None:
    found = [text for kind, text in kinds(head) if kind != "directive"]
    assert len(found) == 1


def test_layout_says_nothing_where_braces_balance() -> None:
    """A function laid out badly is one, and so is a namespace."""
    text = b"namespace a {\nvoid f() {\nif (1) {\n}\n  g();\n}\n  }\nvoid h() {}\n"
    assert [kind for kind, _ in kinds(text)] == ["open", "code", "close", "code"]


_LINES = st.sampled_from(
    [
        b"  x = y;", b"  // note", b"  if (x) {", b"  }", b"  /* one", b"  two */", b"#if A", b"#endif",
        b"#define X \\",
        b'  f("{");', b"  char c = '}';", b"", b"  for (;;) {", b"  __global__ void g();", b"}", b"  using T = int;",
        b'  R"(', b'  )";', b"  a / b;", b"  int *p = q;",
    ]
)  # fmt: skip
_TYPED_IN = st.sampled_from(
    [
        b"q",
        b"\n",
        b"int q = 1;",
        b"{",
        b"}",
        b"/",
        b"*",
        b'"',
        b"\\",
        b"#",
        b"__global__",
        b" ",
        b"\ntemplate <class T>\n",
    ]
)


@given(
    st.lists(_LINES, max_size=12), st.lists(st.tuples(st.integers(0, 999), st.integers(0, 9), _TYPED_IN), max_size=8)
)
@settings(max_examples=400, deadline=None)
def test_edits_in_a_body_leave_the_items_of_a_fresh_reading(
    lines: list[bytes], edits: list[tuple[int, int, bytes]]
) -> None:
    content = (
        b"int a;\n__device__ void f(int x)\n{\n  g();\n" + b"\n".join(lines) + b"\n}\n\n__global__ void k() {\n}\n"
    )
    for _ in _edited(content, edits):
        pass


def test_a_line_without_braces_is_all_that_is_looked_at_in_a_body() -> None:
    content = b"int a;\nvoid f() {\n  x = y;\n  if (x) {\n    g();\n  }\n}\n\nint b;\n"
    outline, at = ItemList(content), content.index(b"    g();")
    with patch.object(outline_module, "scan_piece", side_effect=AssertionError):
        for typed in (b"    h(1);\n", b"q", b"\n"):
            content = content[:at] + typed + content[at:]
            outline.replace(content, at, at, at + len(typed))
    assert [it.text for it in outline.items] == [it.text for it in ItemList(content).items]
    behind = content.index(b"\nint b;")
    outline.replace(content[:behind] + b"q" + content[behind:], behind, behind, behind + 1)
    assert [it.text for it in outline.items][-1].startswith(b"q\nint b")
    outline.replace(content, behind, behind + 1, behind)
    for typed in (b"{", b"__global__"):
        with patch.object(outline_module, "scan_piece", wraps=outline_module.scan_piece) as scan:
            outline.replace(content[:at] + typed + content[at:], at, at, at + len(typed))
            outline.replace(content, at, at + len(typed), at)
        assert scan.called
