"""Launches that never run are none; those that may run are told. Which run: by running the functions (g++)."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.source import Source
from occupancy_lsp.source.text.dialects import CUDA

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
