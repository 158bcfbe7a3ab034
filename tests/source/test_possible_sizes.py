"""What a launch's size may be that is not one number: a few sizes, or an upper bound. A compiled program decides."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.syntax.known_value import Value

_PARAMETERS = "int m, bool c, int* p, size_t z, long l, unsigned u, V v"


def sizes(source: str) -> list[Value]:
    return [it.size for it in Source(source.encode(), CUDA).facts({"__CUDA_ARCH__": 800}).launches]


def size(body: str, before: str = "", parameters: str = _PARAMETERS) -> Value:
    """Of the last launch in the body of a function."""
    return sizes(f"{before}\nvoid h({parameters}) {{ {body} }}\n")[-1]


@pytest.mark.parametrize(
    ("body", "among"),
    [
        ("k<<<1, m > 512 ? 512 : 256>>>();", (256, 512)),
        ("k<<<1, c ? m > 9 ? 64 : 128 : 256>>>();", (64, 128, 256)),
        ("k<<<1, c ? m : 256>>>();", ()),
        ("k<<<1, 32 * (c ? 2 : 4)>>>();", (64, 128)),
        ("int n = 256; if (c) n = 128; k<<<1, n>>>();", (128, 256)),
        ("int n = 256; if (c) n = m; k<<<1, n>>>();", ()),
        ("int n = 256; if (c) f(&n); k<<<1, n>>>();", ()),
        ("int n = 256; if (c) n /= 2; k<<<1, n>>>();", ()),
        ("int n; if (c) n = 64; else n = 128; k<<<1, n>>>();", (64, 128)),
        ("int n = 8; if (c) n = 64; else n = 128; k<<<1, n>>>();", (64, 128)),
        ("dim3 b; if (c) b.x = 64; else if (m) b.x = 96; else b.x = 128; k<<<1, b>>>();", (64, 96, 128)),
        ("dim3 b(8, 2); if (c) b.x = 64; else b.y = 1; k<<<1, b>>>();", (8, 16, 64, 128)),
        ("int n = 0; switch (m) { case 1: n = 64; break; case 2: n = 96; } k<<<1, n>>>();", (64, 96)),
        ("int n = 64; int o = c ? 1 : 2; n *= o; k<<<1, n>>>();", (64, 128)),
        ("int n = 64; auto f = [&] { n = m; }; f(); k<<<1, n>>>();", ()),
        ("again: int n = 64; if (c) { n = 32; goto again; } k<<<1, n>>>();", ()),
        ("dim3 b(32, 8); if (c) b.y = 4; k<<<1, b>>>();", (128, 256)),
        ("dim3 b(32, 8); if (c) b.y = m; k<<<1, b>>>();", ()),
        ("dim3 b(32); if (c) b = dim3(64); k<<<1, b>>>();", (32, 64)),
        ("k<<<1, c ? dim3(8, 8) : dim3(16, 8)>>>();", (64, 128)),
        ("k<<<1, dim3(c ? 32 : 64, 4)>>>();", (128, 256)),
        ("k<<<1, c ? 128 : dims(m)>>>();", ()),
        ("int i = 0; for (int n = 32; i < m; i++) { n = 64; k<<<1, n>>>(); }", ()),
        ("unsigned char n = c ? 300 : 64; k<<<1, n>>>();", (44, 64)),
        ("k<<<1, c ? -1 : 64>>>();", (64,)),
    ],
)
def test_a_few_sizes(body: str, among: tuple[int, ...]) -> None:
    found = size(body)
    assert found.among == among
    assert found.number is None or not among


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ("k<<<1, std::min(m, 512)>>>();", 512),
        ("k<<<1, min(m, 512)>>>();", 512),
        ("k<<<1, std::min(512u, u)>>>();", 512),
        ("k<<<1, std::min<size_t>(m, 512)>>>();", 512),  # below 0, it is more than 512, and then it is 512
        ("k<<<1, std::min<int>(z, 512)>>>();", 512),
        ("k<<<1, std::min((int)v.size(0), 512)>>>();", 512),
        ("k<<<1, std::min(v.size(0), 512)>>>();", 512),
        ("k<<<1, min(v.size(0), 512)>>>();", None),  # of any type
        ("k<<<1, std::min(l, 512l)>>>();", None),  # -4294967040 wraps to 256, -4294966272 to 1024
        ("k<<<1, std::min(l, 1024l)>>>();", 1024),  # the most that a device takes, whatever it wraps to
        ("dim3 b(1, 1, std::min(l, 32l)); k<<<1, b>>>();", None),
        ("dim3 b(1, 1, std::min(l, 64l)); k<<<1, b>>>();", 64),
        ("k<<<1, std::max(1l, std::min(l, 512l))>>>();", 512),
        # What a divisor may be is not known: by 0 there is no quotient.
        ("k<<<1, 512 / m>>>();", 512),
        ("k<<<1, 512 / u>>>();", 512),
        ("k<<<1, 512 % u>>>();", 512),
        ("k<<<1, m % 500 / (c ? 1 : -1)>>>();", 499),
        ("dim3 b(32); b.x /= 4 / sizeof(V); k<<<1, b>>>();", 32),
        ("k<<<1, std::max(m, 512)>>>();", None),
        ("k<<<1, std::min({m, 512, (int)z})>>>();", 512),
        ("k<<<1, std::max(32, std::min(m, 256))>>>();", 256),
        ("int n = std::min(m, 500); k<<<1, (n + 31) / 32 * 32>>>();", 512),
        ("int n = std::min(m, 512); n = n * 2; k<<<1, n>>>();", 1024),
        ("int n = std::min(m, 512); n++; k<<<1, n>>>();", 513),
        ("int n = 512; while (n > m) n /= 2; k<<<1, n>>>();", 512),
        ("int n = 512; while (n > m) n >>= 1; k<<<1, n>>>();", 512),
        ("int n = 512; while (n < m) n *= 2; k<<<1, n>>>();", None),
        ("int n = 512; for (int i = 0; i < m; i++) n = i; k<<<1, n>>>();", None),
        # What guards an assignment, and what a branch would have replaced.
        ("int n; if (m <= 512) n = m; else n = 256; k<<<1, n>>>();", 512),
        ("int n; if (m / 4 <= 512) { n = m / 4; } else { n = 512; } k<<<1, n>>>();", 512),
        ("dim3 b, g; if (m / 4 <= 512) { b.x = m / 4; g.x = 2; } else { b.x = 512; } k<<<g, b>>>();", 512),
        ("int n; if (m > 512) n = 512; else if (c) n = 2 * m; else n = 64; k<<<1, n>>>();", 1024),
        ("int n = m; if (n > 512) n = 512; k<<<1, n>>>();", 512),
        ("int n = m; if (m > 512) n = 512; k<<<1, n>>>();", 512),
        ("dim3 b(m); if (b.x > 512) b.x = 512; k<<<1, b>>>();", 512),
        ("dim3 b(m); if (m > 512) b.x = 512; k<<<1, b>>>();", 512),
        ("dim3 b(m, 2); if (m > 512) b.x = 512; k<<<1, b>>>();", 1024),
        ("dim3 b = pick(m, 2, 3); if (m > 512) b.x = 512; k<<<1, b>>>();", None),
        ("dim3 b; int e = 4 / sizeof(V); if (m / e <= 512) b.x = m / e; else b.x = 512; k<<<1, b>>>();", 512),
        ("dim3 b(32, m); b.x = 64; if (b.y > 4) b.y = 4; k<<<1, b>>>();", None),  # not followed
        ("int n = m; if (n > 512 && c) n = 512; k<<<1, n>>>();", None),
        ("int n = m; if (c) { if (n > 512) n = 512; } k<<<1, n>>>();", None),
        ("int n = m; if (m > 512) { m = 8; n = 512; } else if (c) n = 64; k<<<1, n>>>();", 512),
        ("int n; if (m <= 512) { m = p[0]; n = m; } else n = 256; k<<<1, n>>>();", None),
        ("int n; if (m <= 512 && (m = p[0])) n = m; else n = 256; k<<<1, n>>>();", None),
        ("int n = m; m = p[0]; if (m > 512) n = 512; k<<<1, n>>>();", None),
        ("int n = m; while (c) { k<<<1, n>>>(); if (n > 512) n = 512; }", None),
        ("int n = m; switch (u) { case 1: if (n > 512) n = 512; break; case 2: k<<<1, n>>>(); }", None),
        ("int n = m; if (c) goto e; if (n > 512) n = 512; e: k<<<1, n>>>();", None),
        ("int n = m; try { if (n > 512) n = 512; } catch (...) {} k<<<1, n>>>();", None),
        # What is compared and chosen, and what tests around the launch say of what it is given.
        ("int n = m < 256 ? m : 256; k<<<1, n>>>();", 256),
        ("k<<<1, 512 >= m ? m : 512>>>();", 512),
        ("int n = m < 512 ? (m + 31) / 32 * 32 : 512; k<<<1, n>>>();", 512),
        ("int n = m > 512 || c ? 512 : (m + 31) / 32 * 32; k<<<1, n>>>();", 512),
        ("dim3 b(m > 512 ? 512 : m * 2); k<<<1, b>>>();", 1024),
        ("int n = m > 512 && c ? 512 : (m + 31) / 32 * 32; k<<<1, n>>>();", None),
        ("int n = m < 512 && g(&m) ? m : 512; k<<<1, n>>>();", None),
        ("int n = m < 512 && g(&m) ? (m + 31) / 32 * 32 : 512; k<<<1, n>>>();", None),
        ("int n = m < 512 ? (m = p[0]) : 512; k<<<1, n>>>();", None),
        ("k<<<1, m < 256 ? u : 256>>>();", None),
        ("k<<<1, m < int(u) ? m : 256>>>();", None),
        ("if (m <= 512) k<<<1, m>>>();", 512),
        ("if (m > 512) return; k<<<1, (m + 31) / 32 * 32>>>();", 512),
        ("if (m / 4 <= 512) { dim3 b(m / 4); k<<<1, b>>>(); }", 512),
        ("dim3 b(m / 4); if (c && 513 > m / 4) k<<<1, b>>>();", 512),
        ("if (l <= 512) k<<<1, l>>>();", None),  # -4294966272 wraps to 1024
        ("if (l <= 512 && l > 0) k<<<1, l>>>();", 512),
        ("if (m <= 512) { m = p[0]; k<<<1, m>>>(); }", None),
        ("if (m <= 512 || c) k<<<1, m>>>();", None),
        ("int b = 1; for (;;) { int n = p[m]; if (n <= 512) k<<<1, b>>>(); b = n; }", None),
        ("if (v.n() <= 512) k<<<1, v.n()>>>();", None),
        ("if (p[0] <= 512) k<<<1, p[0]>>>();", None),
        ("for (int n = 32; n <= 512; n += 32) k<<<1, n>>>();", 512),
        ("k<<<1, u % 256 + 1>>>();", 256),
        ("k<<<1, u & 255>>>();", 255),
        ("k<<<1, (m & 7) << 5>>>();", 224),
        ("k<<<1, (unsigned char)m>>>();", 255),
        ("dim3 b(std::min(m, 64), 4); k<<<1, b>>>();", 256),
        ("dim3 b(std::min(m, 64), 4); b.y = c ? 2 : 1; k<<<1, b>>>();", 128),
        ("const int n = std::min(m, 128); auto f = [=] { k<<<1, n>>>(); };", 128),
        ("int n = std::min(m, 128); n = u / 4194304; k<<<1, n>>>();", 1023),
        ("int n = m / 4194304u; k<<<1, n>>>();", 1023),
        ("const dim3 b(z, 256 / z); k<<<1, b>>>();", 256),
        ("int x = v.size(); int y = 256 / x; k<<<1, dim3(x, y, 2)>>>();", 512),
        ("int x = v.size(); k<<<1, dim3(std::min(256 / m, x), m)>>>();", 256),
        ("int x = 1; if (c) x = m; else while (x < m) x <<= 1; k<<<1, dim3(x, 256 / x)>>>();", 256),
        ("int y = std::min(m, 32); k<<<1, dim3(std::max(1, std::min(512 / y, m)), y)>>>();", 512),
        ("int y = std::min(m, 32); k<<<1, dim3(std::max(64, 512 / y), y)>>>();", 2048),
        ("int x = v.size(); int y = 256 / x; x = m; k<<<1, dim3(x, y)>>>();", None),
        ("k<<<1, 256 / sizeof(T)>>>();", 256),
        ("k<<<1, 256 - sizeof(T)>>>();", None),
        ("const uint n = 256; int x = v.size(); k<<<1, dim3(x, n / x)>>>();", 256),
        ("k<<<1, (uint)m & 255>>>();", 255),
        ("k<<<1, dim3(m, 256 / z)>>>();", None),
        ("k<<<1, dim3(m, u / m)>>>();", None),
        ("k<<<1, dim3(m, 256 / m + 1)>>>();", None),
        ("k<<<1, dim3(1, m, 256 / m)>>>();", None),  # not followed
    ],
)
def test_an_upper_bound(body: str, most: int | None) -> None:
    found = size(body)
    assert found.number is None
    assert (found.most if found.most and found.most < 1 << 29 else None) == most


def test_a_function_of_the_workspace_hides_the_librarys() -> None:
    own = "int min(int a, int b) { return a; }"
    assert size("k<<<1, min(m, 512)>>>();", own).most == (1 << 31) - 1
    assert size("k<<<1, std::min(m, 512)>>>();", own).most == 512
    assert size("k<<<1, least(m, 512)>>>();", "#define least(a, b) ((a) < (b) ? (a) : (b))").most == 512
    assert size("k<<<1, least(m, 512)>>>();", "#define least(a, b) (std::min(a, b))").most == 512


@pytest.mark.parametrize(
    ("own", "most"),
    [
        ("using uint = cl_uint;", 256),
        ("typedef cl_uint uint;", 256),
        ("using uint = unsigned int;", 256),
        ("struct uint { uint(int); };", None),
        ("using uint = library::number;", None),
    ],
)
def test_what_the_workspace_calls_uint(own: str, most: int | None) -> None:
    found = size("const uint n = 256; int x = v.size(); k<<<1, dim3(x, n / x)>>>();", own).most
    assert (found if found and found < 1 << 29 else None) == most


@pytest.mark.parametrize(
    ("function", "call", "among", "most"),
    [
        ("dim3 r() { return dim3(16, 8); }", "r()", (), 128),
        ("dim3 r(int n) { return n ? dim3(16, 8) : dim3(32, 8); }", "r(m)", (128, 256), 256),
        ("struct S { static const int N = 4; static dim3 r() { return dim3(N, 8); } };", "S::r()", (), 32),
        ("int r(int n) { int p = std::log((double)n); return max(min(1 << p, 512), 1); }", "r(m)", (), 512),
        ("int r(int n) { if (n > 4) return 64; return 128; }", "r(m)", (64, 128), 128),
        ("int r(int n) { if (n > 4) return 64; return n; }", "r(m)", (), None),
        ("int r(int n, int o) { return std::min(n, o); }", "r(m, 256)", (), 256),
        ("int r(int n, int o) { o *= 2; return std::min(n, o); }", "r(m, 256)", (), 512),
        ("int r(int n, int o) { f(&o); return std::min(n, o); }", "r(m, 256)", (), None),
        ("int r(int n, int o = 256) { int s = o; while (s > n) { s = s >> 1; } return s; }", "r(m)", (), 256),
        ("int r(int n, int o) { if (n == 0) return 1; return std::min(n, o); }", "r(m, 64)", (), 64),
        ("int r(int n, int o) { return (n + o - 1) / o * o; }", "r(std::min(m, 250), 32)", (), 256),
        ("int r(int n) { return n < 1 ? 64 : r(n - 1); }", "r(m)", (), None),
        ("template <int N> int r(int n) { return n ? N : 2 * N; }", "r<32>(m)", (32, 64), 64),
        ("unsigned char r(int n) { return n ? 64 : 320; }", "r(m)", (), 64),
        ("int r(int n) { auto g = [] { return 9; }; return n ? 64 : 32; }", "r(m)", (32, 64), 64),
        ("int r(int n) { return 64; } int r(int n, int o = 2) { return 32; }", "r(m)", (), None),
        ("int r(int n);", "r(m)", (), None),
        ("int r(int n) { goto out; out: return 64; }", "r(m)", (), 64),
        ("int r(int n) { if (n) throw n; return 64; }", "r(m)", (), 64),
    ],
)
def test_what_functions_return(function: str, call: str, among: tuple[int, ...], most: int | None) -> None:
    found = size(f"k<<<1, {call}>>>();", function)
    assert found.among == among
    assert (found.highest if found.highest and found.highest < 1 << 29 else None) == most


_DISPATCH = """
#define WIDTH(n, N, ...) \\
  if (n == 64) { constexpr int N = 64; __VA_ARGS__ } \\
  else if (n == 128) { constexpr int N = 128; __VA_ARGS__ } \\
  else { throw n; }
#define ANY(n, N, ...) { const int N = n; __VA_ARGS__ }
#define TYPE(n, T, ...) { using T = float; __VA_ARGS__ }
void f(int n);
"""


@pytest.mark.parametrize(
    ("body", "among"),
    [
        ("WIDTH(m, H, { k<<<1, H>>>(); });", (64, 128)),
        ("WIDTH(m, H, [&] { dim3 b(2 * H); k<<<1, b>>>(); });", (128, 256)),
        ("TYPE(m, T, { WIDTH(m, H, { f(H); k<<<1, H>>>(p); }); });", (64, 128)),
        ("ANY(m, H, { k<<<1, H>>>(); });", ()),
        ("TYPE(m, H, { k<<<1, H>>>(); });", ()),
        ("UNSEEN(m, H, { WIDTH(m, H, { k<<<1, H>>>(); }); });", ()),
        ("WIDTH(m, H, { k<<<1, O>>>(); });", ()),
    ],
)
def test_constants_that_a_macro_defines(body: str, among: tuple[int, ...]) -> None:
    assert size(body, _DISPATCH).among == among


_OWN = """
#define TWO(n, ...) [&] { switch (n) { \\
  case 1: { constexpr int V = 1; __VA_ARGS__; break; } \\
  default: { constexpr int V = 2; __VA_ARGS__; } } }()
#define ONE(...) { const int V = 4; __VA_ARGS__; }
#define OPEN(n, ...) { const int V = n; __VA_ARGS__; }
#define INNER ONE
#define OUTER(...) ONE(__VA_ARGS__)
"""


@pytest.mark.parametrize(
    ("body", "among"),
    [
        ("TWO(m, k<V><<<1, 128 * V>>>());", (128, 256)),
        ("TWO(m, [&] { k<<<1, 64 * V>>>(); });", (64, 128)),
        ("TWO(m, { constexpr int t = 256 / V; k<V><<<1, t>>>(); })", (128, 256)),
        ("ONE(k<<<1, 64 * V>>>());", (256,)),
        ("TWO(m, k<<<1, V>>>()); ONE(k<<<1, 64 * V>>>());", (64, 128, 256)),  # of one before, or its own
        ("OPEN(m, k<<<1, 64 * V>>>());", ()),
        ("ONE(k<<<1, V>>>()); OPEN(m, k<<<1, 64 * V>>>());", ()),
        ("ONE(k<<<1, V>>>()); OUTER(k<<<1, 64 * V>>>());", ()),
        ("ONE(k<<<1, 64 * W>>>());", ()),
    ],
)
def test_a_constant_that_a_macro_defines_by_a_name_of_its_own(body: str, among: tuple[int, ...]) -> None:
    found = size(body, _OWN)
    assert found.choices == among


@pytest.mark.parametrize(
    ("before", "most"),
    [
        ("struct T { int min() const { return 0; } };", 512),
        ("struct T { int min(int a, int b) { return a + b; } };", 512),
        ("int min(int a, int b, int c) { return a + b + c; }", 512),
        ("namespace x { int min(int a, int b) { return a + b; } }", 512),
        ("namespace x { int min(int a, int b) { return a + b; } } using namespace x;", None),
        ("int min(int a, int b) { return a + b; }", None),
        ("template <class T> T min(T a, T b) { return a + b; }", None),
        ("int min(int a, int b);", None),  # out of sight
    ],
)
def test_which_min_is_meant(before: str, most: int | None) -> None:
    found = size("k<<<1, min(m, 512)>>>();", before)
    assert (found.most if found.most and found.most < 1 << 29 else None) == most


_MEMBERS = """\
struct In { short s; };
struct P { int n; long l; float f; int a[4]; int bits : 3; In in; void up(); };
template <class T> struct Q { T* p; int n; };
struct B { int base; };
struct De : B { int own; };
void other(P& p);
void by(P p);
"""


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ("k<<<1, min(p.n, 512)>>>();", 512),
        ("k<<<1, min(r.n, 512)>>>();", 512),
        ("k<<<1, min(a->n, 512)>>>();", None),  # not followed
        ("k<<<1, min(q.n, 512)>>>();", 512),
        ("k<<<1, min(d.own, 512)>>>();", 512),
        ("k<<<1, min(p.in.s, 512)>>>();", 512),
        ("k<<<1, min(p.l, 512)>>>();", None),
        ("k<<<1, min(p.f, 512)>>>();", None),
        ("k<<<1, min(p.a[1], 512)>>>();", None),
        ("k<<<1, min(p.bits, 512)>>>();", None),
        ("k<<<1, min(d.base, 512)>>>();", None),
        ("k<<<1, min(v.n, 512)>>>();", None),
        ("k<<<1, min(p.n / 4, 512)>>>();", 512),
        ("dim3 b; if (p.n / 4 <= 512) b.x = p.n / 4; else b.x = 512; k<<<1, b>>>();", 512),
        ("if (p.n <= 512) { by(p); k<<<1, p.n>>>(); }", 512),
        # What may have changed since.
        ("if (r.n <= 512) { g(); k<<<1, r.n>>>(); }", None),
        ("if (p.n <= 512) { p.n = 2048; k<<<1, p.n>>>(); }", None),
        ("if (p.n <= 512) { p.n++; k<<<1, p.n>>>(); }", None),
        ("if (p.n <= 512) { p.up(); k<<<1, p.n>>>(); }", None),
        ("if (p.n <= 512) { other(p); k<<<1, p.n>>>(); }", None),
        ("if (p.n <= 512) { v.by(p); k<<<1, p.n>>>(); }", None),
        ("if (p.n <= 512) { P& s = p; s.n = 2048; k<<<1, p.n>>>(); }", None),
        ("if (p.n <= 512) { [&] { p.n = 2048; }(); k<<<1, p.n>>>(); }", None),
    ],
)
def test_members_of_objects(body: str, most: int | None) -> None:
    found = size(body, _MEMBERS, "P p, P& r, P* a, Q<float> q, De d, V v")
    assert (found.most if found.most and found.most < 1 << 28 else None) == most


@pytest.mark.parametrize(
    ("before", "calls", "keeps"),
    [
        ("void f(int);", ("f(t)", "::f(t)"), True),
        ("void f(int);", ("v.f(t)", "p->f(t)", "V::f(t)"), False),  # of a library out of sight
        ("struct W { void f(int) {} };", ("v.f(t)", "p->f(t)"), True),
        ("struct W { void f(int) {} };", ("V::f(t)",), False),
        ("struct W { void f(int) {} }; struct X { void f(int&) {} };", ("v.f(t)", "f(t)"), False),
        ("namespace V { inline namespace v1 { void f(int) {} } }", ("V::f(t)", "V::v1::f(t)"), True),
        ("namespace V { void f(int) {} }", ("v.f(t)", "std::f(t)"), False),
        ("struct V { static void f(int) {} };", ("V::f(t)",), True),
    ],
)
def test_what_a_function_may_change_that_is_given_a_size(before: str, calls: tuple[str, ...], keeps: bool) -> None:
    for call in calls:
        assert size(f"int t = 64; {call}; k<<<1, t>>>();", before).number == (64 if keeps else None), call


# -- Random functions, compiled: every size that one has when it runs is among what is claimed.

_KINDS = {"int": "", "unsigned": "u", "int64_t": "l", "size_t": "ul", "short": "", "unsigned char": ""}
_PRELUDE = """
#include <algorithm>
#include <cstdint>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <type_traits>
template <class A, class B> std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>; return std::min<T>(a, b); }
template <class A, class B> std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>; return std::max<T>(a, b); }
struct dim3 { unsigned x, y, z; dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
static int number;
static sigjmp_buf left;
static void leave(int) { siglongjmp(left, 1); }  // signed arithmetic overflowed: the program has no meaning
static unsigned chance = 1;
static bool flip() { chance = chance * 1664525u + 1013904223u; return chance >> 31; }
static void launch(dim3 b) { printf("%d %u %u %u\\n", number, b.x, b.y, b.z); }
"""


class _Writer:
    """Writes functions whose variables and parameters have types, and that always come to an end."""

    def __init__(self, seed: int, helpers: int) -> None:
        self.rng = random.Random(seed)
        self.helpers = helpers  # functions that it may call
        self.known: dict[str, str] = {}  # the type of each variable

    def constant(self) -> str:
        number = self.rng.choice([0, 1, 2, 3, 7, 32, 64, 100, 128, 256, 512, 1024, 4096, 1 << 22])
        return f"{number}{self.rng.choice(['', '', '', 'u', 'l'])}"

    def expression(self, depth: int = 0) -> str:
        rng = self.rng
        if depth > 2 or rng.random() < 0.3:
            return rng.choice([self.constant(), *self.known] if self.known else [self.constant()])
        one, other = self.expression(depth + 1), self.expression(depth + 1)
        kind, choice = rng.choice([*_KINDS]), rng.choice(["min", "max"])
        wide = rng.choice(["int", "unsigned", "int64_t", "size_t"])
        return rng.choice([
            f"({one} {rng.choice('+-*&|^')} {other})", f"({one} / {rng.choice([1, 2, 3, 32, '4u', 4194304])})",
            f"({one} % {rng.choice([2, 32, '64u', 1000])})", f"({one} >> {rng.randrange(9)})", f"(-{one})",
            f"({one} / {other})", f"({one} % {other})",
            f"({one} << {rng.randrange(9)})", f"(flip() ? {one} : {other})", f"({one} < 77 ? {other} : 64)",
            f"std::{choice}<{kind}>({one}, {other})", f"{choice}({one}, {other})",
            f"std::{choice}(({wide}){one}, ({wide}){other})", f"({wide}){one}",
            f"({one} < 77 ? 2 * {one} : 64)",
            f"static_cast<{wide}>({other})", f"std::min({{({wide}){one}, ({wide})512, ({wide}){other}}})",
        ])  # fmt: skip

    def bounded(self) -> str:
        most = self.rng.choice([64, 128, 256, 1024])
        return self.rng.choice([
            f"std::min<int>({self.expression()}, {most})", f"std::max(1, std::min((int){self.expression(2)}, {most}))",
            f"(flip() ? {most} : {most // 2})", f"((size_t){self.expression(2)} % {most} + 1)", self.expression(1),
            f"std::min<int64_t>({self.expression(1)}, {most})",
            str(most), f"g{self.rng.randrange(self.helpers)}({self.expression(2)}, {most})" if self.helpers else "32",
        ])  # fmt: skip

    def comparison(self) -> str:
        rng, compared = self.rng, self.rng.choice([*self.known, self.expression(2)])
        said = f"{compared} {rng.choice(['<', '<=', '>', '>=', '=='])} {rng.choice([1, 64, 256, '512u', 1024])}"
        return rng.choice([said, said, f"flip() && {said}", f"!({said})", f"flip() || {said}"])

    def chosen(self, name: str) -> str:
        """A variable is given what a condition compares, or the limit, in branches of their own."""
        most, given = self.rng.choice([64, 256, 1024]), self.rng.choice([*self.known, self.expression(2)])
        between = self.rng.choice(["", "", f"{self.rng.choice([*self.known])} = {self.bounded()}; "])
        return self.rng.choice([
            f"if ({given} <= {most}) {{ {between}{name} = {given}; }} else {{ {name} = {most}; }}",
            f"if ({given} > {most}) {name} = {most}; else if (flip()) {name} = {given}; else {name} = 32;",
            f"{name} = {given}; {between}if ({given} > {most}) {name} = {most};",
            f"{name} = {given}; {between}if ({name} > {most}) {{ {name} = {most}; }}",
            f"if (flip()) {name} = {given}; if ({given} > {most}) {name} = {most};",
        ])  # fmt: skip

    def statement(self, depth: int = 0) -> str:
        rng, name = self.rng, self.rng.choice([*self.known])
        inner = "" if depth > 1 else " ".join(self.statement(depth + 1) for _ in range(rng.randrange(1, 3)))
        other = "" if depth > 1 else self.statement(depth + 1)
        value, compared = self.bounded(), self.comparison()
        return rng.choice([
            f"if ({compared}) {{ {inner} }}", f"if ({compared}) {{ {inner} }} else {{ {other} }}",
            f"if ({name} > {rng.choice([64, '256u', 512])}) {name} = {value};", self.chosen(name),
            f"{name} = {value};", f"{name} = {value};", f"{name} = {value};", f"{name} /= 2;", f"{name}++;",
            f"{name} >>= 1;",
            f"if (flip()) {{ {inner} }}", f"if (flip()) {{ {inner} }} else {{ {other} }}",
            f"for (int i = 0; i < 3; i++) {{ {inner} }}", f"while (flip()) {{ {inner} }}",
            f"switch ({name} & 3) {{ case 0: {inner} break; case 1: {inner} default: {other}; }}",
            f"{name} = min({name}, {rng.choice([64, 256])});",
        ])  # fmt: skip

    def helper(self, label: str) -> str:
        """A function that the others call."""
        kind, name = self.rng.choice([*_KINDS]), self.rng.choice(["int", "unsigned", "size_t"])
        self.known = {"n": name, "o": "int"}
        body = f"return {self.bounded()};"
        if self.rng.random() < 0.5:
            body = f"if (flip()) {{ {self.rng.choice(['o = 9;', 'return n;', body])} }} return {self.bounded()};"
        return f"static {kind} {label}({name} n, int o) {{ {body} }}"

    def giving(self, label: str) -> str:
        """A function that gives back a size."""
        self.known = {"n": "int", "u": "size_t"}
        rng = self.rng
        steps = [f"{rng.choice(['d.x', 'd.x', 'd.y'])} = {rng.choice(['64', '4 * 16', 'MOST', 'n'])};" for _ in "ab"]
        body = self.rng.choice([
            *[" ".join(steps)] * 3, steps[0], f"if (flip()) {{ {steps[0]} }} {steps[1]}", f"{steps[0]} d = dim3(n);",
            f"{steps[0]} if (flip()) return; {steps[1]}", f"{steps[0]} dim3& r = d; r.x = 8;", f"d.x++; {steps[1]}",
            f"for (int i = 0; i < n % 3; i++) {{ {steps[0]} }}", f"int& o = *(int*)&d.x; {steps[0]} o = 4;",
        ])  # fmt: skip
        # Where both are one, the last is what counts.
        return f"static void {label}(dim3& d, int n, dim3& e, size_t u = 1) {{ {body} e.x = 2; }}"

    def launching(self, label: str) -> str:
        """A function that launches with what its callers give it."""
        self.known = {"t": self.rng.choice([*_KINDS]), "u": self.rng.choice(["int", "unsigned", "size_t"])}
        head = ", ".join(f"{kind} {name}" for name, kind in self.known.items())
        said = self.rng.choice(["t", "t", "dim3(t, 2)", "dim3(t, u)", self.expression(1), self.bounded()])
        return f"static void {label}({head}) {{ {self.rng.choice(['', '', self.statement()])} LAUNCH({said}); }}"

    def calling(self, label: str) -> str:
        """The body of a function that calls such a one."""
        body = self.function().rpartition("LAUNCH")[0]
        return f"{body} if (flip()) {label}({self.bounded()}, {self.bounded()}); {label}({self.bounded()}, 4);"

    def function(self) -> str:
        """Its body, whose launch is written `LAUNCH(size)`."""
        rng = self.rng
        self.known = {"m": "int", "z": "size_t"}
        declared = ""
        for name in "abc":
            kind, value = rng.choice([*_KINDS, "auto"]), self.bounded()
            declared += f"{kind} {name} = {value}; "
            self.known[name] = kind
        declared += " ".join(self.statement() for _ in range(rng.randrange(5)))
        if rng.random() < 0.5:
            return f"{declared} LAUNCH({rng.choice([*self.known, self.bounded()])})"
        declared += rng.choice([
            f" dim3 d({self.bounded()}, {rng.choice([1, 2, 'b', self.bounded()])});",
            f" dim3 d(a, 256 / a, {rng.choice([1, 2])});",
            " dim3 d(a);",
            " dim3 d(a, 2);",
            f" dim3 d(std::max<int>(1, std::min<int>(512 / b, {self.bounded()})), b);",
        ])  # fmt: skip
        declared += rng.choice(
            [
                "",
                f" if (flip()) d.x = {self.bounded()};",
                f" if (flip()) d = dim3({self.bounded()});",
                f" if (a < 65) d.x = a; else {{ d.x = 64; {rng.choice(['', 'd.y = 2; '])}}}",
                f" if (d.x > 256) d.x = {rng.choice([256, self.bounded()])};",
                f" if (a > 256) d.x = {rng.choice([256, self.bounded()])};",
            ]
        )
        return f"{declared} LAUNCH(d)"


_INPUTS = "{0, 0}, {1, 1}, {-1, 100}, {77, 1ull << 33}, {-5000, 4096}, {1 << 30, 7}, {INT32_MIN, -1ull}, {513, 300}"
_MAIN = """
int main() {
    static void (*const each[])(int, size_t) = {%s};
    static const struct { int m; size_t z; } inputs[] = {%s};
    signal(SIGILL, leave);
    signal(SIGTRAP, leave);
    signal(SIGFPE, leave);
    for (auto* f : each) {
        for (auto& it : inputs)
            for (volatile int run = 0; run < 12; run = run + 1)
                if (!sigsetjmp(left, 1)) f(it.m, it.z);
        number++;
    }
}
"""
_FUNCTIONS, _HELPERS, _PASSING, _GIVING = 90, 8, 25, 40
_TRAPPING = ("-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[int, set[tuple[int, int, int]]]]:
    """The functions, and the sizes that each was seen to launch with."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no compiler of C++")
    bodies = [_Writer(seed, _HELPERS).function() for seed in range(_FUNCTIONS)]
    given = [f"dim3 d(8, 2), e; w{i}(d, m, {'d' if i % 7 == 0 else 'e'}); LAUNCH(d)" for i in range(_GIVING)]
    folder: Path = tmp_path_factory.mktemp("ran")
    passing = [line for i in range(_PASSING) for line in _Passing.written(i).code(i)]
    functions = [
        *_helpers(),
        *(f"static void f{i}(int m, size_t z) {{ {it}; }}" for i, it in enumerate(bodies)),
        *passing,
        *(f"static void b{i}(int m, size_t z) {{ {it}; }}" for i, it in enumerate(given)),
    ]
    called = [*(f"{name}{i}" for i in range(_PASSING) for name in "pq"), *(f"b{i}" for i in range(_GIVING))]
    each = [*(f"f{i}" for i in range(len(bodies))), *called]
    said = "\n".join(functions).replace("LAUNCH", "launch")
    code = "\n".join((_PRELUDE, said, _MAIN % (", ".join(each), _INPUTS)))
    (folder / "run.cpp").write_text(code)
    subprocess.run([compiler, "-std=c++17", "-w", *_TRAPPING, "-o", "run", "run.cpp"], cwd=folder, check=True)
    said = subprocess.run([folder / "run"], capture_output=True, text=True, check=True).stdout
    seen: dict[int, set[tuple[int, int, int]]] = defaultdict(set)
    for line in said.splitlines():
        number, x, y, z = map(int, line.split())
        seen[number].add((x, y, z))
    return [*bodies, *given], seen


def _helpers() -> list[str]:
    helpers = (_Writer(1000 + i, 0).helper(f"g{i}") for i in range(_HELPERS))
    return ["static const int MOST = 32;", *helpers, *(_Writer(2000 + i, 0).giving(f"w{i}") for i in range(_GIVING))]


@dataclass(frozen=True)
class _Passing:
    """A function that launches with its parameters, and the bodies of two that call it."""

    launching: str
    callers: tuple[str, str]

    @staticmethod
    def written(number: int) -> _Passing:
        label, writer = f"launching{number}", _Writer(5000 + number, _HELPERS)
        return _Passing(writer.launching(label), (writer.calling(label), writer.calling(label)))

    def code(self, number: int) -> list[str]:
        callers = (
            f"static void {name}{number}(int m, size_t z) {{ {body} }}"
            for name, body in zip("pq", self.callers, strict=True)
        )
        return [self.launching, *callers]


def _launches(block: tuple[int, int, int]) -> bool:
    """Whether a device takes it: CUDA's own limits."""
    x, y, z = block
    return 0 < x <= 1024 and 0 < y <= 1024 and 0 < z <= 64


def test_every_size_that_a_compiled_function_has_is_claimed(
    ran: tuple[list[str], dict[int, set[tuple[int, int, int]]]],
) -> None:
    bodies, seen = ran
    told = 0
    for number, body in enumerate(bodies[:_FUNCTIONS]):
        found = _of(body)
        told += _agree(found, seen[number], body)
    assert told > _FUNCTIONS // 3  # it is not by silence that nothing is wrong


def test_every_size_that_compiled_functions_give_back_is_claimed(
    ran: tuple[list[str], dict[int, set[tuple[int, int, int]]]],
) -> None:
    bodies, seen = ran
    told = 0
    for number, body in enumerate(bodies[_FUNCTIONS:], _FUNCTIONS + 2 * _PASSING):
        told += _agree(_of(body), seen[number], body)
    assert told > _GIVING // 12


def _agree(found: Value, seen: set[tuple[int, int, int]], code: str) -> bool:
    """Whether something is claimed; every size seen is what is."""
    for block in filter(_launches, seen):
        threads = block[0] * block[1] * block[2]
        assert found.number in (None, threads), code
        assert not found.among or threads in found.among, code
        assert found.most is None or threads <= found.most, code
    return found.number is not None or bool(found.among) or (found.most or 1 << 31) <= 1024


def test_every_size_that_compiled_callers_give_is_claimed(
    ran: tuple[list[str], dict[int, set[tuple[int, int, int]]]],
) -> None:
    told = 0
    for number in range(_PASSING):
        code = "\n".join((*_helpers(), *_Passing.written(number).code(number))).replace("LAUNCH(", "k<<<1, ")
        code = re.sub(r"(k<<<1, .*)\); }$", r"\1>>>(); }", code, flags=re.MULTILINE)
        (found,) = sizes(code)
        first = _FUNCTIONS + 2 * number
        told += _agree(found, ran[1][first] | ran[1][first + 1], code)
    assert told > _PASSING // 4


_POLICIES = "struct A { enum { m, n = 64 }; }; struct B { static constexpr int n = 96; };"


@pytest.mark.parametrize(
    ("source", "among"),
    [
        ("static void l(int t) { k<<<1, t>>>(); } void h() { l(64); }", 64),
        ("static void l(int t) { k<<<1, t>>>(); } void launches() { int n = 64; l(n); n = 32; l(n); }", (32, 64)),
        ("inline void l(int t, int o = 4) { k<<<1, t * o>>>(); } void h() { l(64); l(32, 2); }", (64, 128, 256)),
        ("namespace { void l(dim3 b) { k<<<1, b>>>(); } void h() { l(dim3(8, 4)); l({16, 2}); } }", (32, 64, 16)),
        (
            "static void l(int t) { k<<<1, t>>>(); } static void launch(int u) { l(2 * u); } void h() { launch(32); }",
            64,
        ),
        ("template <int N> void l(int t) { k<<<1, t>>>(); } void h() { l<2>(64); l<4>(32); }", (32, 64)),
        (
            "static void l(int t) { k<<<1, t>>>(); } template <int N> void h() { l(N); } void g() { h<2>(); h<4>(); }",
            (2, 4),
        ),
        ("struct S { void l(int t) { k<<<1, t>>>(); } }; void h(S s) { s.l(64); }", 64),
        ("static void l(int t) { t++; k<<<1, t>>>(); } void h() { l(63); }", 64),
        ("static void l(const int& t) { k<<<1, t>>>(); } void h() { l(64); }", 64),
        ("template <class T, int N = 64> void l(T* p) { k<<<1, N>>>(); } void h(V v) { l(v.p()); }", 64),
        ("template <class T, int N> void l(T p) { k<<<1, T(N)>>>(); } void h(V v) { l<decltype(v), 64>(v); }", None),
        ("template <class T, int N> void l(T p) { T(N); k<<<1, N>>>(); } void h(V v) { l<decltype(v), 64>(v); }", 64),
        ("template <class T, int N = 4> void l(V<T, N> p) { k<<<1, N>>>(); } void h(V<int, 64> v) { l(v); }", None),
        (
            f"{_POLICIES} template <class P, class T> void l(T p) {{ k<<<1, P::n>>>(); }}"
            " void h(V v) { l<A>(v.p()); }",
            64,
        ),
        (
            f"{_POLICIES} template <class P, class T> void l(T p) {{ k<<<1, dim3(P::n, 2)>>>(); }}"
            " template <class P, class T> void h(T p) { l<P>(p.q()); }"
            " void a(V v) { h<A>(v.p()); } void b(V v) { h<B>(v.p()); }",
            (128, 192),
        ),
        # A file with a `main` is a program.
        ("void l(int t) { k<<<1, t>>>(); } int main() { int n = 32; l(n); }", 32),
        ("void l(int t); int main() { l(64); } void l(int t) { k<<<1, t>>>(); }", 64),
        (
            "void l(int t) { k<<<1, t>>>(); } void launches(int n) { l(n); } int main() { l(64); launches(32); }",
            (64, 32),
        ),
        ("void l(int t) { k<<<1, t>>>(); } int main() { l(64); g(l); }", None),
        ("struct S { void l(int t); }; void S::l(int t) { k<<<1, t>>>(); } int main() { S().l(64); }", None),
        ("struct S { int main() { l(64); } }; void l(int t) { k<<<1, t>>>(); }", None),
        # Any other size may come from what is not seen.
        ("void l(int t) { k<<<1, t>>>(); } void h() { l(64); }", None),
        ("static void l(int t) { k<<<1, t>>>(); }", None),
        (
            "template <int N> void l(int t); template <> void l<4>(int t) { k<<<1, t>>>(); } void h() { l<4>(64); }",
            None,
        ),
        ("void l(T::template A<4> a, int t) { k<<<1, t>>>(); } void h() { l(4, 64); }", None),
        ("static void l(int t) { k<<<1, t>>>(); } void h(int n) { l(64); l(n); }", None),
        ("static void l(int t) { k<<<1, t>>>(); } void h() { l(64); auto f = l; }", None),
        ("static void l(int t) { k<<<1, t>>>(); } void h() { l(64); } void (*f)(int) = &l;", None),
        ("static void l(int t) { k<<<1, t>>>(); } void h() { l(64); } F f[] = {l};", None),
        ("static void l(int t) { k<<<1, t>>>(); } void h() { l(64); g(l); }", None),
        ("static void l(int t) { k<<<1, t>>>(); }\n#define L(n) l(n)\nvoid h() { l(64); L(32); }", None),
        (
            "template <class T> void l(int t) { k<<<1, t>>>(); } void h() { l<int>(64); } template void l<int>(int);",
            None,
        ),
        ("static void l(int t) { k<<<1, t>>>(); } void h(int n) { n = 64; l(n); }", None),  # nothing there is followed
        ("static void l(int t) { g(&t); k<<<1, t>>>(); } void h() { l(64); }", None),
        (
            f"{_POLICIES} template <class P, class T> void l(T p) {{ k<<<1, P::n>>>(); }}"
            " void a(V v) { l<A>(v.p()); l<V::P>(v.p()); }",
            None,
        ),
        (
            f"{_POLICIES} template <class P, class T> void l(P q, T p) {{ k<<<1, P::n>>>(); }}"
            " void a(V v) { l(A(), v.p()); l(v.b(), v.p()); }",
            None,
        ),
        (
            f"{_POLICIES} template <class P, class T> void l(T p) {{ k<<<1, P::n>>>(); }}"
            " template <class T> void a(T p) { l<A>(p.q()); l<T>(p.q()); }",
            None,
        ),
        ("static void l(int t) { auto f = [&] { t = 3; }; f(); k<<<1, t>>>(); } void h() { l(64); }", None),
        ("static void l(int t) { t ? l(t - 1) : l(3); k<<<1, t>>>(); } void h() { l(64); }", None),
    ],
)
def test_what_callers_give(source: str, among: tuple[int, ...] | int | None) -> None:
    found = sizes(f"__global__ void k();\n{source}")[-1]
    if isinstance(among, int):
        assert found.number == among
    elif among is None:
        assert found.number is None and not found.among and (found.most or 1 << 31) > 1024
    else:
        assert set(found.among) == set(among)


def test_a_size_that_is_not_known_has_a_reason() -> None:
    best = (
        "template <class T> dim3 best(T k) { int n; pick(&n, k); dim3 b(32, n, 1); if (n) return b; return dim3(32); }"
    )
    found = sizes(f"{best}\n__global__ void k();\nvoid h() {{ const dim3 b = best(k); k<<<1, b>>>(); }}")[-1]
    assert (found.number, found.reason) == (None, "the value of best(…)")


def _of(body: str) -> Value:
    before, _, launched = body.rpartition("LAUNCH(")
    return size(f"{before} k<<<1, {launched[:-1]}>>>();", "\n".join(_helpers()), "int m, size_t z")
