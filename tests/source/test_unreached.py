"""Launches that never run are none; those that may run are told. Which run: by running the functions (g++)."""

from __future__ import annotations

import pytest

from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from tests.support import view_of

NEVER, RUNS = "k<<<1, 2048>>>();", "k<<<1, 64>>>();"


def told(body: str, before: str = "") -> set[int | None]:
    text = f"{before}\nvoid h(int u) {{ {body} }}\n".encode()
    return {it.size.number for it in Source(text, CUDA).facts({}).launches}


FAILS = "case 2048: k<<<1, n>>>(); break; default: k<<<1, 64>>>();"


@pytest.mark.parametrize(
    ("body", "before", "sizes"),
    [
        (f"unsigned n = u; switch (n % 4) {{ case 5: {NEVER} break; default: {RUNS} }}", "", {64}),
        (f"int n = u ? 64 : 128; if (n > 1024) {NEVER}", "", set()),
        (f"unsigned char n = u; if (!(n <= 1024) || n == 512) {NEVER}", "", set()),
        ("l(64); l(128);", f"static void l(int n) {{ if (n > 1024) {NEVER} }}", set()),
        (f"int n = u ? 64 : 128; switch (n) {{ {FAILS} }}", "", {64}),
        ("int n = u ? 64 : 96; if (n == 256) k<<<1, n>>>();", "", set()),
        (f"if (u > 1024) {NEVER}", "", {2048}),
        (f"int n = u ? 64 : 2048; if (n > 1024) {NEVER}", "", {2048}),
        # What never holds cannot be told: the value is open.
        (f"int n = 64; for (int i = 0; i < 3; i++) {{ switch (n) {{ {FAILS} }} n = n / 2 + 16; }}", "", {None, 64}),
        ("int n = u; if (n == 256) k<<<1, n>>>(); if (n == 4096) k<<<n, 64>>>();", "", {256, 64}),
    ],
)
def test_what_all_possible_values_rule_out(body: str, before: str, sizes: set[int | None]) -> None:
    assert told(body, before) == sizes


@pytest.mark.parametrize(
    "body",
    [
        f"{RUNS} return; {NEVER}",
        f"{RUNS} {{ return; }} {NEVER}",
        f"{RUNS} if (u) std::exit(0); else return; {NEVER}",
        f"{RUNS} throw 1; {NEVER}",
        f"do {{ {RUNS} break; {NEVER} }} while (0);",
        f"for (int i = 0; i < 2; i++) {{ {RUNS} continue; {NEVER} }}",
        f"switch (u) {{ case 0: return; {NEVER} case 1: {RUNS} }}",
        f"goto end; {NEVER} end: {RUNS}",
        f"{RUNS} auto f = [] {{ return 1; {NEVER} }};",
        f"{RUNS} int n = 64; while (n > 64) {{ {NEVER} n--; }}",
        f"{RUNS} int n = u ? 64 : 32; if (u) n = 128; else while (0) {{ {NEVER} n--; }}",
        f"{RUNS} int n = 0; for (int i = 0; i < n; i++) {{ {NEVER} }}",
        f"{RUNS} int n = 64; for (; n > 64;) {{ {NEVER} n--; }}",
        f"{RUNS} for (int i = 4, j = 0; i < j; i++) {NEVER}",
        f"int n = 2; {{ int n = 0; while (n > 0) {{ {NEVER} n--; }} }} while (n > 0) {{ {RUNS} n--; }}",
        "int n = 64; n > 64 ? k<<<1, 2048>>>() : k<<<1, 64>>>();",
        f"{RUNS} int n = 64; u && n > 64 && (k<<<1, 2048>>>(), true);",
        f"{RUNS} int n = 64; n == 64 || (k<<<1, 2048>>>(), true);",
    ],
)
def test_what_surely_never_runs_is_no_launch(body: str) -> None:
    assert told(body) == {64}


@pytest.mark.parametrize(
    ("body", "before"),
    [
        (f"int n = 1; switch (n) {{ case 0: if (0) {{ case 1: {RUNS} }} }}", ""),
        (f"goto in; if (0) {{ in: {RUNS} }}", ""),
        (f"int i = 0; goto in; return; while (i < 2) {{ {RUNS} in: i++; }}", ""),
        (f"if (u) goto done; return; done: {RUNS}", ""),
        (f"if (u) goto done; return; LABEL {RUNS}", "#define LABEL done:"),
        (f"switch (u) {{ case 1: break; CASE(2) {RUNS} break; }}", "#define CASE(x) case x:"),
        (f"\n#ifdef NOT\nreturn;\n#endif\n{RUNS}", ""),
        (f"if (u) return;\n#ifdef NOT\nelse return;\n#endif\n{RUNS}", ""),
        (f"WHEN(u > 5) return; {RUNS}", "#define WHEN(c) if (c)"),
        (f"auto f = [] {{ return; }}; f(); {RUNS}", ""),
        (f"int n = 64; for (int i = 0; i < 3; i++) {{ while (n > 64) {{ {RUNS} n = 32; }} n = 128; }}", ""),
        (f"int n = 64; TIMES(2) while (n > 64) {RUNS}", "#define TIMES(m) for (int i = 0; i < m; n = 128, i++)"),
        (f"static int n = 64; while (n > 64) {{ {RUNS} break; }} n = 128;", ""),
        (f"int i = 100; for (i = 0; i < 2; i++) {RUNS}", ""),
        (f"int n = 2; while (n--) {RUNS}", ""),
        (f"int n = 64; int *p = &n; *p = 128; while (n > 64) {{ {RUNS} n = 1; }}", ""),
        (f"bool done = false; while (!done) {{ {RUNS} done = true; }}", ""),
        (f"int n = 0; while (set(n) && n > 0) {{ {RUNS} break; }}", "static bool set(int &p) { p = 2; return true; }"),
        (f"exit(1); {RUNS}", "void exit(int);"),
        (f"again: while (u > 3) {{ {RUNS} break; }} u = 4; goto again;", ""),
    ],
)
def test_what_may_run_is_told(body: str, before: str) -> None:
    assert told(body, before) == {64}


# Functions and macros that do not return, and their like that do. g++: `h(0)` was run.
DIES = """
[[noreturn]] void die(); void live(); [[noreturn]] void die() { exit(0); } void live() {}
static void bare(const char *said) { puts(said); abort(); }
static void check(bool ok) { if (!ok) { puts("no"); exit(1); } }
static void maybe(int n) { if (n > 3) return; exit(1); }
static void either(int n) { if (n) return; else exit(1); }
static void tries() { try { throw 1; } catch (...) {} }
struct S { [[noreturn]] static void out() { throw 1; } static void in() {} };
namespace own { void exit(int) {} }
static void last() { die(); } static void after(int n) { if (n) return; last(); }
static void spins() { for (;;) usleep(9); }
static void throws() { throw 1; } static void caught() { try { throw 1; } catch (int) {} }
#define BAIL return
#define ON (void)0
#define FAIL() do { puts("f"); exit(1); } while (0)
#define CHECK(c) do { if (!(c)) { puts("x"); exit(1); } } while (0)
#define REQUIRE(c) if (!(c)) return
"""


@pytest.mark.parametrize(
    ("never", "runs"),
    [
        ("exit(1);", "own::exit(1);"),
        ("::abort();", "if (u) ::abort();"),
        ("_exit(1);", "u++;"),
        ("(void)quick_exit(0);", "auto quick_exit = [](int) {}; quick_exit(0);"),
        ("u++, std::_Exit(0);", "u++;"),
        ("if (u) exit(0); else abort();", "if (u) exit(0);"),
        ("die();", "live();"),
        ('bare("x");', "tries();"),
        ("check(false);", "check(true);"),
        ("maybe(1);", "maybe(4);"),
        ("S::out();", "S::in();"),
        ("last();", "live();"),
        ("after(0);", "after(1);"),
        ("spins();", "tries();"),
        ("throws();", "caught();"),
        ("BAIL;", "ON;"),
        ("FAIL();", "ON;"),
        ("CHECK(1 > 2);", "CHECK(2 > 1);"),
        ("int n = 0; CHECK(n);", "int n = 1; CHECK(n);"),
        ("int n = 2048; REQUIRE(n <= 1024);", "int n = 512; REQUIRE(n <= 1024);"),
        ("assert(false);", "assert(true);"),
        ('assert(0 && "not here");', 'assert(1 && "here");'),
        ("while (true) { if (u) return; }", "while (true) { if (u) break; }"),
        ("for (;;) { for (;;) break; return; }", "for (;;) { for (;;) break; break; }"),
        ("int n = 1; while (n > 0) puts(0);", "int n = 1; while (n > 0) n--;"),
        ("for (int i = 0;; i++) if (i > 3) exit(0);", "for (int i = 0;; i++) if (i > 3) break;"),
        ("switch (u) { case 1: return; default: exit(0); }", "switch (u) { case 1: return; case 2: exit(0); }"),
        ("switch (u) { default: return; }", "switch (u) { default: break; }"),
        ("int n = 3; { if (n == 3) return; }", "int n = 3; { if (n != 3) return; }"),
        ("int n = 0; if (n == 0) goto end;", "int n = 1; if (n == 0) goto end;"),
        ("either(0);", "either(1);"),
        ("try { if (u) return; throw 1; } catch (...) { return; }", "try { return; } catch (...) { u++; }"),
        ("do { return; } while (u);", "do { if (u > 3) return; } while (0);"),
    ],
)
def test_what_never_goes_on(never: str, runs: str) -> None:
    assert told(f"{RUNS} {never} {NEVER} end:;", DIES) == {64}
    assert told(f"{runs} {NEVER} end:;", DIES) == {2048}


@pytest.mark.parametrize(
    ("never", "runs"),
    [
        ("int b = u; if (u < b)", "int b = u; if (u <= b)"),
        ("int b = u; if (b != u)", "int b = u; b++; if (b != u)"),
        ("if (u != u)", "if (u == u)"),
        ("int b = u + 1; if (b < u)", "unsigned a = u, b = a + 1; if (b < a)"),
        ("int b = u; if (u - b)", "int b = u; if (u - b + 1)"),
        ("if (u > 3 && u < 2)", "if (u > 3 || u < 2)"),
        ("if (u > 5) if (u < 3)", "if (u > 5) { u = 0; if (u < 3)"),
        ("if (u > 5) if (u < 3)", "int &r = u; if (u > 5) { r = 0; if (u < 3)"),
        ("if (u == 1) if (u == 2)", "if (u == 1) if (u != 2)"),
        ("if (u > 0) return; else if (u > 5)", "if (u > 5) return; else if (u > 0)"),
        ("if (u) return; if (u)", "if (!u) return; if (u)"),
        ("if (u > 0) exit(0); if (u > 3)", "if (u > 3) exit(0); if (u > 0)"),
        ("for (int i = 0; i < 2; i++) if (i > 4)", "for (int i = 0; i < 6; i++) if (i > 4)"),
        ("for (int i = u; i < u; i++)", "for (int i = u - 1; i < u; i++)"),
        ("int n = 0; while (n-- > 0)", "int n = 1; while (n-- > 0)"),
        ("int n = 1; while (--n > 0)", "int n = 2; while (--n > 0)"),
        ("int n = 0; for (int i = n; i--;)", "int n = 1; for (int i = n; i--;)"),
        ("int n = 5; while (n++ < 5)", "int n = 4; while (n++ < 5)"),
        ("volatile int v = u; if (0)", "volatile int v = u; if (v != v)"),
        ("if (int n = 0)", "if (int n = 1)"),
        ("if (int *p = nullptr)", "if (int *p = &u)"),
        ("int i; for (i = 0; i < 0; i++)", "int i; for (i = 0; i < 1; i++)"),
        ("int i = 1; for (i = 8; i < 8; i++)", "int i = 8; for (i = 0; i < 8; i++)"),
    ],
)
def test_conditions_that_contradict_one_another(never: str, runs: str) -> None:
    assert told(f"{RUNS} {never} {NEVER}") == {64}
    assert told(f"{runs} {NEVER} {'}' * runs.count('{')}") == {2048}


# g++: `h(1)` was run.
@pytest.mark.parametrize(
    ("never", "runs"),
    [
        ("switch (u) { X case 1: break; }", "switch (u) { case 1: X break; }"),
        ("switch (u) { X default: break; }", "switch (u) { if (u) { case 1: X } }"),
        ("switch (u) { u++; X case 1: break; }", "switch (u) { CASE(1) X break; default: break; }"),
        ("auto f = [] { X };", "auto f = [] { X }; f();"),
        ("auto f = [&] { X }; (void)f;", "auto f = [&] { X }; auto g = f; g();"),
        ("f(); auto ff = [] { X }; auto f = [] {}; f();", "auto é = [] { X }; é();"),
        ("WHEN(2 > 3, X);", "WHEN(2 < 3, X);"),
        ("int n = 0; WHEN(n, X);", "int n = 1; WHEN(n, X);"),
        ("WHEN(u, WHEN(0, X));", "WHEN(u, WHEN(1, X));"),
        ("UNLESS(true) X", "UNLESS(false) X"),
        ("EACH(i, 0) X", "EACH(i, 1) X"),
        ("EACH(i, 0) { EACH(j, 1) { X } }", "EACH(i, 1) { EACH(j, 1) { X } }"),
        ("int n = 0; EACH(i, n) { X }", "int n = 0; n++; EACH(i, n) { X }"),
        ("DROP(X)", "KEEP(X)"),
        ("ONCE(i, 0, X)", "ONCE(i, 1, X)"),
    ],
)
def test_what_macros_cases_and_lambdas_leave_out(never: str, runs: str) -> None:
    macros = """
#define WHEN(c, ...) do { if (c) { __VA_ARGS__; } } while (0)
#define UNLESS(c) if (c) ; else
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define CASE(n) case n:
#define DROP(x)
#define KEEP(x) x
#define ONCE(i, n, ...) { int i = 1; if (i > n) { i = 0; } if (n) { __VA_ARGS__ } }
"""
    kernel = "__global__ void k(int *p = nullptr) {}"
    assert not diagnostics(view_of(f"{kernel}{macros}void h(int u) {{ {never.replace('X', NEVER)} }}\n"))
    found = diagnostics(view_of(f"{kernel}{macros}void h(int u) {{ {runs.replace('X', NEVER)} }}\n"))
    assert ["OCC001" in it.code for it in found] == [True]


HELPER = "static void g() { k<<<1, 2048>>>(); }"


@pytest.mark.parametrize(
    ("main", "before", "told"),
    [
        ("", "", False),
        ("g();", "", True),
        ("if (0) g();", "", False),
        ("return; g();", "", False),
        ("u > 3 && u < 2 && (g(), true);", "", False),
        ("bool on = false; on && (g(), true);", "", False),
        ("f();", "static void f() { g(); }", True),
        ("", "static void f() { g(); }", False),
        ("f(0);", "static void g(); static void f(int n) { g(); if (n) f(n - 1); }", True),
        ("auto p = g; p();", "", True),
        ("CALL(g);", "#define CALL(f) f()", True),
        ("S s; (void)s;", "namespace { struct S { void go() { g(); } void run() { go(); } }; }", False),
        ("S s; s.run();", "namespace { struct S { void go() { g(); } void run() { go(); } }; }", True),
        ("S s;", "namespace { struct S { S() { g(); } }; }", True),
        ("S s; s == s;", "namespace { struct S { bool operator==(S) { g(); return true; } }; }", True),
        ("run(S());", "namespace { struct S : Base { void go() override { g(); } }; }", True),
        ("f(0);", "static void e(int n) { if (n) g(); } static void f(int n) { e(n); }", False),
        ("f(nullptr);", "static void f(int *p) { if (p) g(); }", False),
        ("f(0);", "static void f(int *p) { if (p != NULL) g(); }", False),
        ("f(&u);", "static void f(int *p) { if (p) g(); }", True),
        ("f(nullptr);", "static void f(int *p) { if (p == nullptr) g(); }", True),
        ("f(nullptr);", "static void f(int *p) { int a = 1; p = &a; if (p) g(); }", True),
        ("f(nullptr);", "static void f(int *p) { set(&p); if (p) g(); }", True),
        ("f(nullptr);", "static void f(int *p) { set(p); if (p) g(); }", True),
        ("f(nullptr);", "static void f(int *p) { if (!p) p = new int; if (p) g(); }", True),
        ("f(1);", "static void e(int n) { if (n) g(); } static void f(int n) { e(n); }", True),
        ("f(0);", "static void e(int n) { if (n) g(); } static void f(int n) { n++; e(n); }", True),
    ],
)
def test_a_launch_in_a_function_that_nobody_calls_does_not_fail(main: str, before: str, told: bool) -> None:
    code = f"__global__ void k() {{}}\n{HELPER}\n{before}\nint main(int u, char **) {{ {main} return 0; }}\n"
    assert ["OCC001" in it.code for it in diagnostics(view_of(code))] == [True] * told
    small = view_of(code.replace("2048", "64"))
    assert [it.launch.size.number for it in small.reports[0].launches] == [64]


def test_bounds_are_not_exceeded_by_what_never_runs() -> None:
    kernel = "__global__ void __launch_bounds__(128) k() {}"
    never = "int n = u; if (n < u) k<<<1, 256>>>(); exit(1); k<<<1, 512>>>();"
    assert not diagnostics(view_of(f"{kernel}\nvoid h(int u) {{ {never} }}\n"))
    found = diagnostics(view_of(f"{kernel}\nvoid h(int u) {{ if (u) exit(1); k<<<1, 512>>>(); }}\n"))
    assert [it.code for it in found] == ["OCC005"]
