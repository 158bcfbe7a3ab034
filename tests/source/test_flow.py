"""What a variable holds at a launch: claimed only where every way through the code gives that value."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.syntax.known_value import Value


def launches(source: str) -> list[Value]:
    return [it.size for it in Source(source.encode(), CUDA).facts({"__CUDA_ARCH__": 800}).launches]


def threads(body: str, before: str = "", parameters: str = "int m, bool c, int* p") -> int | None:
    """The size of the last launch in the body of a function."""
    return launches(f"{before}\nvoid h({parameters}) {{ {body} }}\n")[-1].number


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n = 64; n = 32; k<<<1, n>>>();", 32),
        ("int n; n = 32; k<<<1, n>>>();", 32),
        ("int n; k<<<1, n>>>();", None),
        ("int n = 64; n *= 2; n += 1; k<<<1, n>>>();", 129),
        ("int n = 64; ++n; n--; n++; k<<<1, n>>>();", 65),
        ("int n = 64; n <<= 1; k<<<1, n>>>();", 128),
        ("int n, o; n = o = 64; k<<<1, n>>>();", 64),
        ("int n = 4, o = n * 2; o = n + o, n = o; k<<<1, n>>>();", 12),
        ("int n = 4; int o = n; n = 8; k<<<1, o>>>();", 4),
        ("int n = 4; n = m; k<<<1, n>>>();", None),
        ("int n = 4; int o = (n = 8); k<<<1, n>>>();", None),
        ("int n = 4; c && (n = 8); k<<<1, n>>>();", None),
        ("m = 64; k<<<1, m>>>();", 64),
        ("static int n = 64; k<<<1, n>>>();", None),
        ("static int n = 64; n = 32; k<<<1, n>>>();", None),
        ("volatile int n = 64; k<<<1, n>>>();", None),
        ("float n = 7; k<<<1, n / 2 * 2>>>();", None),
        ("auto n = 64; k<<<1, n>>>();", 64),
        ("{ int n = 1; n = 2; } int n = 3; k<<<1, n>>>();", 3),
        ("int n = 1; { n = 2; } k<<<1, n>>>();", 2),
        ("int n = 1; { int n = 2; n = 3; } k<<<1, n>>>();", 1),
        ("int n = 1; { n = 2; int n = 3; } k<<<1, n>>>();", 2),
        ("int n = 1; { int n = 2; } n = 3; k<<<1, n>>>();", 3),
        ("int n = 1; if (int n = 2; c) { n = 3; } k<<<1, n>>>();", 1),
        ("int n = 1; auto [o, n2] = f(); { auto [n, q] = f(); k<<<1, n>>>(); }", None),
    ],
)
def test_assignments_one_after_another(body: str, value: int | None) -> None:
    assert threads(body) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n = 32; if (n < 64) n = 160;\n#ifdef NOT_SET\nelse n = 1;\n#endif\nk<<<1, n>>>();", 160),
        ("int n = 32; if (n > 64) n = 160;\n#ifndef NOT_SET\nelse n = 1;\n#endif\nk<<<1, n>>>();", 1),
        ("int n = 32;\n#ifdef NOT_SET\nif (n > 64)\n#endif\nn = 160;\nk<<<1, n>>>();", 160),
        ("int n = 32;\n#ifdef NOT_SET\nif (c) { n = 160; }\n#endif\nk<<<1, n>>>();", 32),
    ],
)
def test_an_if_that_lines_part_is_open_or_right(body: str, value: int) -> None:
    assert threads(body) in (value, None)


def test_a_launch_of_which_lines_leave_out_text_is_open() -> None:
    sizes = "\n#ifdef A\ndim3(2, 2),\n#else\n1,\n#endif\nn"
    assert threads(f"int n = 96; k<<<{sizes}>>>();") is None
    assert threads("int n = 96; k<<<1,\n#ifdef A\n2 *\n#endif\nn>>>();") in (96, None)


@pytest.mark.parametrize("first", [(16, "true", 64), (32, "false", 512)])
@pytest.mark.parametrize("last", [(16, "true", 64), (32, "false", 512)])
def test_each_call_takes_the_branch_that_its_arguments_decide(
    first: tuple[int, str, int], last: tuple[int, str, int]
) -> None:
    before = "dim3 d(int n, bool f) { dim3 r(n, n / 2); if (f) r.x = r.y; return r; }"
    body = " ".join(f"k<<<1, d({n}, {f})>>>();" for n, f, _ in (first, last))
    found = launches(f"{before}\nvoid h() {{ {body} }}\n")
    assert [it.number for it in found] == [first[2], last[2]]


@pytest.mark.parametrize("head", ["EXPORTED std::vector<T> h(T m)", "EXPORTED status h(T m)", "std::vector<T> h(T m)"])
def test_a_macro_before_the_type_leaves_a_function_readable(head: str) -> None:
    """nvcc 13.0 compiles each, with `EXPORTED` as `__attribute__((visibility("default")))`."""
    body = "int n = 64; if (m) { n = 32; k<<<1, n>>>(); } int o = 96; k<<<1, o>>>(); k<<<1, n>>>(); return {};"
    assert [it.number for it in launches(f"template <class T>\n{head} {{ {body} }}\n")] == [32, 96, None]
    assert [it.number for it in launches(f"template <class T>\n{head} {{ if (m {{ {body} }}\n")] == [None] * 3


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n = 1; if (c) n = 2; k<<<1, n>>>();", None),
        ("int n = 1; if (c) { n = 2; k<<<1, n>>>(); }", 2),
        ("int n = 1; if (c) { n = 2; } else { k<<<1, n>>>(); }", 1),
        ("int n = 1; if (c) { if (m) n = 2; } else { k<<<1, n>>>(); }", 1),
        ("int n = 1; if (c) { if (m) n = 2; k<<<1, n>>>(); }", None),
        ("int n; if (c) n = 2; else n = 3; k<<<1, n>>>();", None),
        ("int n = 1; if (c) n = 2; n = 3; k<<<1, n>>>();", 3),
        ("int n = 1; if (c) { n = 2; return; } k<<<1, n>>>();", 1),
        ("int n = 1; if (c) { n = 2; exit(1); } k<<<1, n>>>();", 1),
        ("int n = 1; if (c) { n = 2; throw m; } k<<<1, n>>>();", 1),
        ("int n = 1; if (c) { n = 2; leave(); } k<<<1, n>>>();", None),
        ("int n = 1; if (c) { n = 2; if (m) return; } k<<<1, n>>>();", None),
        ("int n = 1; if (c) { n = 2; if (m) return; else exit(1); } k<<<1, n>>>();", 1),
        ("int n = 1; if (c) { n = 2;\n#if A\nreturn;\n#endif\n} k<<<1, n>>>();", None),
        ("int n = 1; try { n = 2; f(); } catch (...) { k<<<1, n>>>(); }", None),
        ("int n = 1; try { if (c) { n = 2; throw m; } } catch (...) { } k<<<1, n>>>();", None),
        ("int n = 1; try { if (c) { n = 2; f(); return; } } catch (...) { } k<<<1, n>>>();", None),
        ("int n = 1; try { n = 2; k<<<1, n>>>(); } catch (...) { }", 2),
        ("int n = 1; again: k<<<1, n>>>(); n = 2; if (c) goto again;", None),
        ("int n = 1; again: n = 2; k<<<1, n>>>(); if (c) goto again;", 2),
        ("int n = 1; if (c) goto over; n = 2; over: k<<<1, n>>>();", None),
    ],
)
def test_branches(body: str, value: int | None) -> None:
    assert threads(body) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n = 1; while (c) { k<<<1, n>>>(); n = 2; }", None),
        ("int n = 1; while (c) { n = 2; k<<<1, n>>>(); n = 3; }", 2),
        ("int n = 1; while (c) { n = 2; } k<<<1, n>>>();", None),
        ("int n = 1; do { n = 2; } while (n > m); k<<<1, n>>>();", None),
        ("for (int n = 32; n < 1024; n *= 2) k<<<1, n>>>();", None),
        ("for (int n = 32; c; ) k<<<1, n>>>();", 32),
        ("int n; for (n = 32; c; ) k<<<1, n>>>();", 32),
        ("int n; for (n = 32; c; n++) { } k<<<1, n>>>();", None),
        ("int n = 1; for (int i = 0; i < m; i++) { int n = i; } k<<<1, n>>>();", 1),
        ("for (int i = 0; i < m; i++) { int n = 1; k<<<1, n>>>(); n = 2; }", 1),
        ("int n = 1; for (int n : {32, 64}) k<<<1, n>>>();", None),
        ("int n = 1; while (c) { if (m) { n = 2; continue; } k<<<1, n>>>(); }", None),
        ("int n = 1; while (c) { if (m) { n = 2; break; } k<<<1, n>>>(); }", None),
        ("int n = 1; while (c) { if (m) { n = 2; return; } k<<<1, n>>>(); }", 1),
        ("int n = 1; while (c) { if (m) { n = 2; if (p) continue; return; } k<<<1, n>>>(); }", None),
        ("int n = 1; while (c) { if (m) { n = 2; break; } } k<<<1, n>>>();", None),
        ("int n = 1; REPEAT(3) { n = 2; } k<<<1, n>>>();", None),
        ("int n = 1; REPEAT(3) { k<<<1, n>>>(); n = 2; }", None),
        ("int n = 1; REPEAT(3) { n = 2; k<<<1, n>>>(); }", 2),
        ("int n = 1; FOREACH(int x, p) { n = 2; } k<<<1, n>>>();", None),
        ("int n = 1; if c { n = 2; } k<<<1, n>>>();", None),
        ("int n = 1; for (i in 3) { k<<<1, n>>>(); n = 2; }", None),
        ("int n = 1; FOREVER { n = 2; } k<<<1, n>>>();", None),
        ("int n = 1; ONCE(c) n = 2; k<<<1, n>>>();", None),
        ("int n = 1; CHECK(); { n = 2; } k<<<1, n>>>();", 2),
    ],
)
def test_loops(body: str, value: int | None) -> None:
    assert threads(body) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n = 1; int* q = &n; k<<<1, n>>>();", None),
        ("int n = 1; k<<<1, n>>>(); int* q = &n;", 1),
        ("int n = 1; while (c) { k<<<1, n>>>(); q = &n; }", None),
        ("int n = 1; int* q = &n; n = 2; *q = 3; k<<<1, n>>>();", None),
        ("int n = 1; int& q = n; q = 3; k<<<1, n>>>();", None),
        ("int n = 1; const int& q = n; k<<<1, n>>>();", 1),
        ("int n = 1; auto&& q = n; k<<<1, n>>>();", None),
        ("int n = 1; (c ? n : m) = 4; k<<<1, n>>>();", None),
        ("int n = 1; int* q = &(c ? n : m); k<<<1, n>>>();", None),
        ("int n = 1; std::cin >> n; k<<<1, n>>>();", None),
        ("int n = 1; std::cin >> n; n = 2; k<<<1, n>>>();", 2),
        ('int n = 1; scanf("%d", &n); k<<<1, n>>>();', None),
        ("int n = 1; auto f = [&] { n = 2; }; f(); k<<<1, n>>>();", None),
        ("int n = 1; auto f = [&] { k<<<1, n>>>(); }; n = 2; f();", None),
        ("int n = 1; auto f = [=] { k<<<1, n>>>(); }; f();", 1),
        ("int n = 1; auto f = [&](int n) { n = 2; }; f(3); k<<<1, n>>>();", 1),
        ("int n = 1; int b, g; cudaOccupancyMaxPotentialBlockSize(&g, &n, k, 0, 0); k<<<1, n>>>();", None),
        ("int n = 1; UNKNOWN( { n = 3; } k<<<1, n>>>();", None),
        ("int n = 1;\n#if A\nif (c) {\n#else\nif (m) {\n#endif\nn = 2; }\nk<<<1, n>>>();", None),
        ("int n = 1; if (c { n = 2; } k<<<1, n>>>();", None),
        ("int n = 1; n = 2; f() g(); k<<<1, n>>>();", 2),
        ('int n = 1; asm("" : "=r"(n)); k<<<1, n>>>();', None),
    ],
)
def test_other_ways_to_change_a_variable(body: str, value: int | None) -> None:
    assert threads(body) == value


@pytest.mark.parametrize(
    ("before", "call", "value"),
    [
        ("", "f(n)", None),
        ("", "printf(n)", 1),
        ("", "std::max(n, 3)", 1),
        ("", "cudaMalloc(&p, n)", 1),
        ("", "f(n + 1)", 1),
        ("", "f((int)n)", 1),
        ("", "f<<<1, 1>>>(n)", 1),
        ("", "std::vector<float> v(n)", 1),
        ("", "Timer t(n)", None),
        ("", "Timer t{n}", None),
        ("", "new Timer(n)", None),
        ("struct Timer { Timer(int n) { } };", "Timer t(n)", 1),
        ("struct Timer { int* n; Timer(int& n) : n(&n) { } };", "Timer t(n)", None),
        ("void f(int n) { }", "f(n)", 1),
        ("void f(int n);", "f(n)", 1),
        ("void f(const int& n);", "f(n)", 1),
        ("void f(int& n);", "f(n)", None),
        ("void f(int n); void f(int& n);", "f(n)", None),
        ("void f(int& o, int n);", "f(m, n)", 1),
        ("void f(int& o, int n);", "f(n, m)", None),
        ("template <class T> void f(T&& n) { }", "f(n)", None),
        ("template <class... T> void f(T&&... n) { }", "f(m, n)", None),
        ("template <class... T> void f(T... n) { }", "f(m, n)", 1),
        ("#define f(a) ((a) + 1)", "f(n)", 1),
        ("#define f(a) ((a) = 1)", "f(n)", None),
        ("#define f(a) g(a)", "f(n)", None),
    ],
)
def test_calls(before: str, call: str, value: int | None) -> None:
    assert threads(f"int n = 1; {call}; k<<<1, n>>>();", before) == value


def test_who_took_a_reference_may_change_it_after_the_next_assignment() -> None:
    assert threads("int n; options.add(n); n = 1; options.read(); k<<<1, n>>>();") is None
    assert threads("int n; f(n); n = 1; k<<<1, n>>>();", "void f(int n);") == 1


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("dim3 b; k<<<1, b>>>();", 1),
        ("dim3 b; b.x = 16; b.y = 4; k<<<1, b>>>();", 64),
        ("dim3 b(8, 8, 2); b.x = 16; k<<<1, b>>>();", 256),
        ("dim3 b; b = dim3(8, 8); k<<<1, b>>>();", 64),
        ("dim3 b; b = {8, 8}; k<<<1, b>>>();", 64),
        ("dim3 b(8); b.x *= 4; k<<<1, b>>>();", 32),
        ("dim3 b(8); if (c) b.y = 4; k<<<1, b>>>();", None),
        ("dim3 b(8); b.x = m; k<<<1, b>>>();", None),
        ("dim3 b(8), d = b; b.x = 16; k<<<1, d>>>();", 8),
        ("dim3 b(8, 8); k<<<1, dim3(b)>>>();", 64),
        ("dim3 b(8, 8); if (b.x == 8) k<<<1, b>>>();", 64),
        ("dim3 b(m, 2); if (b.x == 8) k<<<1, b>>>();", 16),
        ("k<<<1, true ? dim3(8, 8) : dim3(4)>>>();", 64),
        ("k<<<1, c ? dim3(8, 8) : dim3(4)>>>();", None),
    ],
)
def test_three_dimensions(body: str, value: int | None) -> None:
    assert threads(body) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("switch (m) { case 8: k<<<1, m>>>(); }", 8),
        ("switch (m) { case 8: m++; case 9: k<<<1, m>>>(); }", None),
        ("switch (m) { case 8: f(); break; case 9: k<<<1, m>>>(); }", 9),
        ("switch (m) { case 8: case 9: k<<<1, m>>>(); }", None),
        ("switch (m) { case 8: break; default: k<<<1, m>>>(); }", None),
        ("switch (m) { case 8: m = 4; k<<<1, m>>>(); }", 4),
        ("switch (m) { case 8: m = 4; break; } k<<<1, m>>>();", None),
        ("int n = 1; switch (m) { case 8: n = 4; case 9: k<<<1, n>>>(); }", None),
        ("int n = 1; switch (m) { case 8: n = 4; break; case 9: k<<<1, n>>>(); }", 1),
        ("int n = 1; switch (m) { case 8: n = 4; break; } k<<<1, n>>>();", None),
        ("int n = 1; switch (m) { case 8: n = 4; return; } k<<<1, n>>>();", 1),
        ("int n = 1; switch (m) { case 8: do { n = 2; case 9: k<<<1, n>>>(); } while (c); }", None),
        ("dim3 b(m); switch (m) { case 8: k<<<1, b>>>(); }", 8),
        ("dim3 b(m); m += 1; switch (m) { case 8: k<<<1, b>>>(); }", None),
        ("dim3 b(m); while (c) { switch (m) { case 8: k<<<1, b>>>(); } m--; }", None),
        ("if (m == 8) k<<<1, m>>>();", 8),
        ("if (8 == m && c) k<<<1, m>>>();", 8),
        ("if (m == 8 || c) k<<<1, m>>>();", None),
        ("if (m == 8) { } else k<<<1, m>>>();", None),
        ("if (m != 8) k<<<1, m>>>();", None),
        ("if (m == 8 && (m = 9)) k<<<1, m>>>();", None),
        ("if (m == 8) { m++; k<<<1, m>>>(); }", 9),
        ("int* q = &m; if (m == 8) { *q = 9; k<<<1, m>>>(); }", None),
        ("int n = 2 * m; if (m == 8) k<<<1, n>>>();", 16),
        ("int n = 2 * m; if (m == 8) { m = 3; k<<<1, n>>>(); }", 16),
    ],
)
def test_what_a_condition_tells(body: str, value: int | None) -> None:
    assert threads(body) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("size_t b[2]; b[0] = 16; b[1] = 4; dim3 t(b[0], b[1]); k<<<1, t>>>();", 64),
        ("const int b[2] = {32, 8}; k<<<1, dim3(b[0], b[1])>>>();", 256),
        ("unsigned b[3] = {64}; b[0] *= 2; k<<<1, b[0]>>>();", 128),
        ('int b[1]; b[0] = 64; printf("%d", b[0]); k<<<1, b[0]>>>();', 64),
        ("int b[2]; b[0] = 64; b[m] = 3; k<<<1, b[0]>>>();", None),
        ("int b[2]; b[0] = 64; f(b); k<<<1, b[0]>>>();", None),
        ("int b[2]; b[0] = 64; int* q = b; q[0] = 3; k<<<1, b[0]>>>();", None),
        ("int b[2]; b[0] = 64; auto f = [&] { b[0] = 3; }; f(); k<<<1, b[0]>>>();", None),
        ("int b[2]; b[0] = 64; for (int& n : b) n = 3; k<<<1, b[0]>>>();", None),
        ("int b[2]; b[0] = 64; if (c) b[0] = 32; k<<<1, b[0]>>>();", None),
        ("static int b[1] = {64}; k<<<1, b[0]>>>();", None),
        ("k<<<1, p[0]>>>();", None),
    ],
)
def test_elements_of_an_array_of_sizes(body: str, value: int | None) -> None:
    assert threads(body) == value


def test_a_method_and_a_class_of_its_own() -> None:
    assert launches("struct S { void h() { int n = 64; n *= 2; k<<<1, n>>>(); } };")[0].number == 128
    assert launches("struct S { int n = 64; void h() { n = 32; f(); k<<<1, n>>>(); } };")[0].number is None


@pytest.mark.parametrize(
    ("members", "use", "value"),
    [
        ("A(int n, int) : size(N), count(n / N) { if (count < 1) count = 1; } int size, count;", "", 64),
        ("A(int n, int) : size(N) { count = std::max(n, 1); } int size, count;", "", 64),
        ("A(int n, int) : size(N) { size = n; } int size;", "", None),
        ("A(int n, int) : size(N) { set(n); } void set(int n) { size = n; } int size;", "", None),
        ("A(int n, int) : size(N) { *this = A(n + 1, 0); } int size;", "", None),
        ("A(int n, int) : size(N) { CHANGE; } int size;", "", None),
        ("A(int n, int) : size(N), other(size) { other = n; } int size; int& other;", "", None),
        ("A(int n, int) : A() { size = n; } A() : size(N) {} int size;", "", None),
        ("A(int n, int) : size(N) { count = n; } int size, count;", "a.size = m;", None),
        ("A(int n, int) : size(N) { count = n; } int size, count;", "f(a);", None),
    ],
)
def test_what_a_constructor_gives_and_its_body_leaves(members: str, use: str, value: int | None) -> None:
    of_class = f"template <int N> class A {{ public: {members} }};"
    assert threads(f"A<64> a(m, 1); {use} k<<<1, a.size>>>();", of_class) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("bool on = true; if (on) { n = 128; } else { n = 96; }", 128),
        ("bool on = n > 96; if (on) { n = 128; if (n > 100) n = 32; } else n = 256;", 256),
        ("if (n == 64) { int m = n; n = m * 2; m = 7; }", 128),
        ("if (n == 64) { if (c) return; n = 128; }", 128),
        ("if (n > 64) n = 1; if (n > 32) n /= 2; if (n == 32) n = 96;", 96),
        ("if (n == 64 && c) n = 128;", None),
        ("if (n > 64 && c) n = 128;", 64),
        ("static bool first = true; if (first) { n = 128; first = false; }", None),
        ("volatile int v = 1; if (v) n = 128;", None),
        ("bool on = true; while (c) { if (on) { if (m > 2) break; n = 128; } }", None),
        ("bool on = true;\nif (on) {\n#ifdef SEEN\nn = 128;\n#endif\n}", None),
        ("bool on = true; if (on) { goto out; n = 128; } out:", None),
        ("bool on = true; auto f = [&] { on = false; }; f(); if (on) n = 128;", None),
        ("int *q = &n; if (n == 64) n = 128; *q = 8;", None),
        ("for (int i = 0; i < 2; ++i) { if (n == 64) n = 32; else n = 16; }", None),
        ("try { if (n == 64) { use(); n = 128; } } catch (...) { }", None),
    ],
)
def test_a_branch_that_is_known_to_be_taken_or_not(body: str, value: int | None) -> None:
    assert threads(f"int n = 64; {body} k<<<1, n>>>();") == value


def test_reasons_are_said() -> None:
    assert launches("void h() { int n = 1; if (c) n = 2; k<<<1, n>>>(); }")[0].reason == "n depends on a branch"
    assert launches("void h() { int n = 1; while (n++) k<<<1, n>>>(); }")[0].reason == "n changes in a loop"
    assert launches("void h() { int n = 1; f(n); k<<<1, n>>>(); }")[0].reason == "n may be changed by f(…)"
    picked = launches("void h() { int n, g; cudaOccupancyMaxPotentialBlockSize(&g, &n, k); k<<<1, n>>>(); }")[0]
    assert picked.reason == "the size that cudaOccupancyMaxPotentialBlockSize picks"


# -- Random programs, against an interpreter that takes their branches as chance has it.

_ENOUGH = 60  # steps of one run


class _Leave(Exception):
    """How a statement ends other than by reaching its end: "break", "continue" or "return"."""


@dataclass
class _Run:
    rng: random.Random
    seen: dict[int, set[int]] = field(default_factory=dict)
    steps: int = 0

    def choose(self) -> bool:
        self.steps += 1
        return self.steps < _ENOUGH and self.rng.random() < 0.5


@dataclass(frozen=True)
class Node:
    kind: str
    name: str = "a"
    value: int = 0
    body: tuple[Node, ...] = ()
    other: tuple[Node, ...] = ()


def _text(node: Node, number: Iterator[int], at: dict[int, Node]) -> str:
    inner = " ".join(_text(it, number, at) for it in node.body)
    n, v = node.name, node.value
    match node.kind:
        case "launch":
            mark = next(number)
            at[mark] = node
            return f"k<<<{mark}, {n}>>>();"
        case "if" | "equal":
            test = "c()" if node.kind == "if" else f"{n} == {v}"
            return f"if ({test}) {{ {inner} }} else {{ {' '.join(_text(it, number, at) for it in node.other)} }}"
        case "switch":
            other = " ".join(_text(it, number, at) for it in node.other)
            return f"switch ({n}) {{ case {v}: {inner} case {v + 1}: {other} }}"
        case "shadow":
            return f"{{ int {n} = {v}; {inner} }}"
    return {
        "set": f"{n} = {v};", "copy": f"{n} = {'b' if n == 'a' else 'a'} + {v};", "add": f"{n} += {v};",
        "while": f"while (c()) {{ {inner} }}", "do": f"do {{ {inner} }} while (c());",
        "for": f"for ({n} = {v}; c(); {n}++) {{ {inner} }}", "block": f"{{ {inner} }}",
        "break": "break;", "continue": "continue;", "return": "return;",
    }[node.kind]  # fmt: skip


def _loop(node: Node, scope: dict[str, int], run: _Run, first: bool, after: Callable[[], None]) -> None:
    while first or run.choose():
        first = False
        try:
            _all(node.body, scope, run)
        except _Leave as how:
            if how.args[0] == "return":
                raise
            if how.args[0] == "break":
                return
        after()


def _all(nodes: tuple[Node, ...], scope: dict[str, int], run: _Run) -> None:
    for node in nodes:
        _execute(node, scope, run)


def _execute(node: Node, scope: dict[str, int], run: _Run) -> None:
    n, v = node.name, node.value
    match node.kind:
        case "launch":
            run.seen.setdefault(id(node), set()).add(scope[n])
        case "set":
            scope[n] = v
        case "copy":
            scope[n] = scope["b" if n == "a" else "a"] + v
        case "add":
            scope[n] += v
        case "if" | "equal":
            holds = run.choose() if node.kind == "if" else scope[n] == v
            _all(node.body if holds else node.other, scope, run)
        case "while":
            _loop(node, scope, run, False, lambda: None)
        case "do":
            _loop(node, scope, run, True, lambda: None)
        case "for":
            scope[n] = v
            _loop(node, scope, run, False, lambda: scope.__setitem__(n, scope[n] + 1))
        case "block":
            _all(node.body, scope, run)
        case "shadow":
            _shadowed(node, scope, run)
        case "switch":
            try:
                _all((node.body + node.other) if scope[n] == v else node.other if scope[n] == v + 1 else (), scope, run)
            except _Leave as how:
                if how.args[0] != "break":
                    raise
        case _:
            raise _Leave(node.kind)


def _shadowed(node: Node, scope: dict[str, int], run: _Run) -> None:
    outer, scope[node.name] = scope[node.name], node.value
    try:
        _all(node.body, scope, run)
    finally:
        scope[node.name] = outer


_NAMES, _VALUES = st.sampled_from("ab"), st.integers(1, 4)
_LEAF = st.builds(Node, st.sampled_from(["launch", "launch", "set", "copy", "add", "return"]), _NAMES, _VALUES)


def _blocks(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    kinds = st.sampled_from(["if", "equal", "while", "do", "for", "block", "shadow", "switch"])
    body = st.lists(inner, min_size=1, max_size=4).map(tuple)
    jump = st.sampled_from([(), (), (Node("break"),), (Node("continue"),)])
    ended = st.tuples(body, jump).map(lambda both: both[0] + both[1])
    return st.builds(Node, kinds, _NAMES, _VALUES, ended, ended)


_STATEMENTS = st.lists(st.recursive(_LEAF, _blocks, max_leaves=12), min_size=1, max_size=6).map(tuple)


def _fresh(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Each node an object of its own, so that every launch is told apart; jumps only where they may stand."""
    return tuple(Node(it.kind, it.name, it.value, _fresh(it.body), _fresh(it.other)) for it in nodes)


@pytest.mark.parametrize(
    ("body", "run"),
    [
        ("case 0: k<<<1, n>>>(); break; case 384: k<<<2, n>>>(); break; default: k<<<3, 1>>>();", {384}),
        ("case 0: { k<<<1, n>>>(); break; } default: { k<<<3, 5>>>(); }", {5}),
        ("default: k<<<3, 5>>>(); break; case 384: k<<<1, 6>>>();", {6}),
        (
            "case 1: k<<<1, 5>>>(); case 384: k<<<2, 6>>>(); case 2: k<<<3, 7>>>(); break; case 3: k<<<4, 8>>>();",
            {6, 7},
        ),
        ("case 1: case 384: k<<<2, 6>>>(); return; case 2: k<<<3, 7>>>();", {6}),
        ("case 384: k<<<2, 6>>>(); default: k<<<3, 7>>>();", {6, 7}),
        ("case 0: k<<<1, 5>>>(); break; default: switch (n / 3) { case 128: k<<<2, 6>>>(); }", {6}),
        ("case 0: k<<<1, 5>>>(); break; case 384:\n#pragma unroll\nfor (;;) { k<<<2, 6>>>(); }", {6}),
        ("case 0:\n#ifdef A\nbreak;\n#endif\ncase 384: k<<<2, 6>>>();", {6}),
    ],
)
def test_a_case_that_is_not_chosen_never_runs(body: str, run: set[int]) -> None:
    """Which run: by running them. What follows a case without a jump may not be told to be left out."""
    text = f"void h() {{ int n = 384; switch (n) {{ {body} }} }}"
    assert {it.number for it in launches(text)} == run


def test_a_condition_with_an_if_of_the_preprocessor_in_it_may_hold_or_not() -> None:
    """Without A all three run, with `n` as declared or given."""
    body = "k<<<1, n>>>();"
    never = f"void h() {{ int n = 64; bool on = true; if (on\n#ifdef A\n&& false\n#endif\n) {body} }}"
    passed = f"void h() {{ int n = 64; if (n\n#ifndef A\n== 0\n#endif\n) return; {body} }}"
    equal = f"void h(int n, bool c) {{ if (c\n#ifdef A\n&& n == 8\n#endif\n) {body} }}"
    assert [[it.number for it in launches(text)] for text in (never, passed, equal)] == [[64], [64], [None]]


def test_a_condition_speaks_of_what_was_before_it() -> None:
    assert launches("void h() { int n = 384; if (n == 0) k<<<1, n>>>(); }") == []
    assert [it.number for it in launches("void h(int n) { if (n == 8) k<<<1, n>>>(); }")] == [8]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("int n = 384; if (n > 100) { n = 5; } else return; k<<<1, n>>>();", 5),
        ("int n = 64; if (n == 64) n = 128; else n = 96; k<<<1, n>>>();", 128),
        ("int n = 64; if (n > 64) n = 128; k<<<1, n>>>();", 64),
        ("int n = 64; bool on = n > 96; if (on) { n = 128; if (n > 100) n = 32; } else n = 256; k<<<1, n>>>();", 256),
        ("int n = 64; if (n == 64) { if (c) return; n = 128; } k<<<1, n>>>();", 128),
        ("int n = 64; if (n == 64) { if (c) n = 128; } k<<<1, n>>>();", None),
        ("int n = 64; if (m) n = 8; if (n == 64) n = 128; k<<<1, n>>>();", None),
        ("dim3 n(64); if (n.x >= 32) n.x = 28; k<<<1, n.x>>>();", 28),
        ("int n = 64; static bool on = true; if (on) { n = 128; on = false; } k<<<1, n>>>();", None),
        ("int n = 64; volatile int on = 1; if (on) n = 128; k<<<1, n>>>();", None),
        ("int n = 64; while (c) { if (n == 64) n = 32; else n = 16; k<<<1, n>>>(); }", None),
        ("int n = 64; bool on = true; while (c) { if (on) { if (m) break; n = 128; } } k<<<1, n>>>();", None),
        ("int n = 64; bool on = true; if (on) { if (m) goto over; n = 128; } over: k<<<1, n>>>();", None),
        ("int n = 64; bool on = true; auto f = [&] { on = false; }; f(); if (on) n = 128; k<<<1, n>>>();", None),
        ("int n = 64; bool on = true; if (on) {\n#ifdef A\nn = 128;\n#endif\n} k<<<1, n>>>();", None),
        ("int n = 64; bool on = true; if (on\n#ifdef A\n&& false\n#endif\n) n = 128; k<<<1, n>>>();", None),
        ("int n = 64; if (n) { n = 1;\n#ifdef A\n} else {\n#endif\nn = 2; } k<<<1, n>>>();", None),
        ("int n = 64; switch (m) case 1: if (n == 1) { case 2: n = 128; } k<<<1, n>>>();", None),
        ("int n = 64; if (bool on = true) n = 128; k<<<1, n>>>();", None),
        ("int n = 64; if (n++ == 64) n = 128; k<<<1, n>>>();", None),
    ],
)
def test_a_branch_whose_condition_is_known(body: str, value: int | None) -> None:
    assert threads(body) == value


def test_what_a_branch_tells_of_a_variable_holds_in_that_branch_alone() -> None:
    text = b"void h(int b) { int a = 1; a = b + 1; a += 1; if (b == 1) { k<<<0, a>>>(); } else { k<<<1, a>>>(); } }"
    found = Source(text, CUDA).facts({}).launches
    assert [it.size.number for it in found] == [3, None]


@settings(max_examples=200, deadline=None)
@given(_STATEMENTS, st.booleans(), st.integers(0, 1 << 30))
def test_random_programs(nodes: tuple[Node, ...], known: bool, seed: int) -> None:
    first = (Node("set", "a", 1), Node("set", "b", 2)) if known else ()
    program = (Node("while", body=(*first, *_fresh(nodes))),)  # inside a loop, so that a jump may stand anywhere
    at: dict[int, Node] = {}
    code = _text(program[0], iter(range(10_000)), at)
    source = f"void h(int b) {{ int a = 1; b = 2; {code} }}"
    found = Source(source.encode(), CUDA).facts({}).launches
    claims = {it.configuration.grid[1][0].number: it.size.number for it in found}
    choices = {it.configuration.grid[1][0].number: it.size for it in found}
    rng = random.Random(seed)
    seen: dict[int, set[int]] = {}
    for _ in range(60):
        run = _Run(rng, seen)
        try:
            _all(program, {"a": 1, "b": 2}, run)
        except _Leave:
            continue
    for number, node in at.items():
        values = seen.get(id(node), set())
        # A launch that is not reported is one that is proven not to run.
        assert claims.get(number, -1) is None or values <= {claims.get(number)}, code
        if number in choices and choices[number].number is None:
            assert not choices[number].among or values <= set(choices[number].among), code
            assert max(values, default=1) <= (choices[number].most or 1 << 40), code


def test_a_parameter_named_as_what_the_call_is_assigned_to() -> None:
    """It was 2,048 bytes, of the value from before; a run has 2,048 or 28."""
    helper = "int help(int n) { n = n % 32 == 0 ? n : 96; if (other() > 0) return 7; return n; }"
    text = f"{helper}\nvoid h() {{ int n = 512; n = help(n); k<<<1, n, n * 4>>>(); }}\n"
    (found,) = Source(text.encode(), CUDA).facts({"__CUDA_ARCH__": 800}).launches
    assert found.size.number is None
    assert found.configuration.dynamic is not None
    assert (found.configuration.dynamic.value.number, found.configuration.dynamic.value.among) == (None, (28, 2048))
