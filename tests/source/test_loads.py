"""Local memory that is only written, by whatever pointer, held against nvcc 13.0 (sm_90) and clang 22 (gfx942)."""

from __future__ import annotations

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.lex.dialect import CUDA, HIP, OPENCL, Dialect

_DIALECTS = pytest.mark.parametrize("dialect", [CUDA, HIP, OPENCL], ids=["cuda", "hip", "opencl"])


def memory(dialect: Dialect, body: str, before: str = "") -> LocalMemory:
    """`local`, `device`, `id`, `to` and `wait` stand for each language's words."""
    words = {"local": "__shared__", "device": "__device__", "id": "threadIdx.x", "to": "", "wait": "__syncthreads();"}
    if dialect is OPENCL:
        words = {"local": "__local", "device": "", "id": "get_local_id(0)", "to": "__local"}
        words["wait"] = "barrier(CLK_LOCAL_MEM_FENCE);"
    head = "__kernel void k(__global int* p, int n)" if dialect is OPENCL else "__global__ void k(int* p, int n)"
    text = f"{before}\n{head} {{ {body} }}\n"
    for word, said in words.items():
        text = text.replace(f"${word}", said)
    target = {"__CUDA_ARCH__": 900} if dialect is CUDA else {"__AMDGCN__": 1}
    (found,) = Source(text.encode(), dialect).facts(target).kernels
    return found.summary.local


_READS = "$device int get($to int* q, int i) { return q[i]; }"
_WRITES = "$device void set($to int* q, int v, int i) { q[i] = v; }"
_SETS = "$device void set($to int* q, int v, int i) { $to int* r = q; *(r + i) = v; }"


@_DIALECTS
@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("", "$local int t[64]; $to int* q = t; q[$id] = n;"),
        ("", "$local int t[64]; $to int* q = &t[2]; if (n) *q = 3;"),
        ("", "$local int t[64]; *(t + $id) = n;"),
        ("", "$local int t[64]; (t[$id]) = n;"),
        ("", "$local int t[64]; ((char $to*)t)[$id] = n;"),
        ("", "$local int t[64]; ($to char*)t; (&t[2])[$id] = n;"),
        ("", "$local int t[64]; $to char* q = ($to char*)t; $to int* r = ($to int*)q; r[$id] = n;"),
        ("", "$local int t[64]; p[0] = sizeof(t[0]); $to int* q = t; q[n] = 1;"),
        ("", "$local int t[64]; t[$id] = n; int x = t[n];"),
        ("", "$local int t[64]; t[$id] = n; (void)t[n];"),
        ("", "$local int t[8][8]; $to int* q = t[$id]; q[n] = 1;"),
        ("", "$local int t[64]; t[$id] = n; $wait int x = t[n]; int y = x + 1;"),
        ("", "$local int t[64]; t[$id] = n; $wait (void)(t[n]);"),
        ("", "$local int t[64]; t[$id] = n; $wait if (t[n] > 3) ;"),
        ("#define AT(i) t[i]", "$local int t[64]; AT($id) = 1; $wait int x = AT(n);"),
        ("#define AT(i) t[i]", "$local int t[64]; for (int i = 0; i < n; ++i) AT(i) = n;"),
        (_READS, "$local int t[64]; t[$id] = n; $wait get(t, n);"),
        (_READS, "$local int t[64]; t[$id] = n; $wait int x = get(t, n);"),
        ("$device void set($to int* q, int i) { if (i > 5) q[1] = 1; }", "$local int t[64]; set(t, 3); p[0] = n;"),
        (_WRITES, "$local int t[64]; set(&t[3], n, $id);"),
        (_WRITES, "$local int t[64]; set(t + n, n, $id);"),
        (_SETS, "$local int t[64]; set(t, n, $id);"),
    ],
)
def test_what_is_only_written_may_be_left_out(dialect: Dialect, before: str, body: str) -> None:
    assert memory(dialect, body, before).lowest == 0


@pytest.mark.parametrize("dialect", [CUDA, HIP])
@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("", "__shared__ int t[64]; int& r = t[$id]; r = n;"),
        ("", "__shared__ int t[64]; auto q = t; q[$id] = n;"),
        ("", "__shared__ int t[64]; *reinterpret_cast<int2*>(&t[2 * $id]) = make_int2(n, n);"),
        ("$device void set(int& x, int v) { x = v; }", "__shared__ int t[64]; set(t[$id], n);"),
        ("#define SET(x, v) x = v", "__shared__ int t[64]; SET(t[$id], n);"),
        ("__shared__ int t[64];", "t[$id] = n;"),
    ],
)
def test_what_cpp_only_writes_may_be_left_out(dialect: Dialect, before: str, body: str) -> None:
    assert memory(dialect, body, before).lowest == 0


@_DIALECTS
@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("", "$local int t[64]; $to int* q = t; q[$id] = n; p[n] = q[n];"),
        ("", "$local int t[64]; t[$id] = n; p[0] = *(t + n);"),
        ("", "$local int t[64]; t[$id] = n; p[0] = *(($to int*)(t + 3) + n);"),
        ("", "$local int t[64]; t[$id] += n;"),
        ("", "$local int t[64]; t[$id] = n; $wait if (t[n] > 3) p[1] = 2;"),
        ("", "$local int t[64]; t[$id] = n; $wait int x = t[n]; int y[2]; y[n & 1] = x; p[n] = y[0];"),
        ("", "$local int t[64]; t[$id] = n; $wait p[t[n]] = 1;"),
        ("#define AT(i) t[i]", "$local int t[64]; AT($id) = 1; $wait p[n] = AT(n);"),
        (_READS, "$local int t[64]; t[$id] = n; $wait p[n] = 3 * get(t, n);"),
        ("", "$local int t[64]; t[$id] = n; if (n) *p = t[n];"),
        ("", "$local int t[64]; t[$id] = n; $to int* q = t + sizeof(int) * $id; p[1] = *q;"),
        ("", "$local int t[64]; ((volatile $to char*)&t)[$id] = n;"),
        ("", "$local int t[64]; t[$id] = n; int x = t[n]; p[1] = x;"),
        ("", "$local int t[64]; t[$id] = n; p[1] = t[$id ^ 1];"),
        ("", "$local int t[64]; int i = $id; t[i + 2] = n; p[1] = t[i];"),
        ("", "$local int t[64]; t[$id] = n; if (t[n] <= 3) p[1] = 2;"),
        ("", "$local int t[64]; $local int u[64]; t[$id] = n; u[$id] = t[n]; p[0] = u[n];"),
        (_READS, "$local int t[64]; t[$id] = n; p[1] = get(t, n);"),
        (_READS, "$local int t[64]; $to int* q = t; q[$id] = n; p[1] = get(q + 1, n);"),
        ("#define MAX(a, b) ((a) > (b) ? (a) : (b))", "$local int t[64]; t[$id] = n; p[1] = MAX(t[n], 3);"),
    ],
)
def test_what_is_read_is_kept(dialect: Dialect, before: str, body: str) -> None:
    assert memory(dialect, body, before).exact == (512 if " u[64]" in body else 256)


@_DIALECTS
def test_what_a_callee_writes_to_volatile_memory_stays(dialect: Dialect) -> None:
    before = "$device void set(volatile $to int* q, int v, int i) { q[i] = v; }"
    assert memory(dialect, "$local int t[64]; set(t, n, $id);", before).highest == 256


@_DIALECTS
@pytest.mark.parametrize(
    "body",
    [
        "if (n < 3) { if (n > 5) { $use } }",
        "if (n == 4) { p[1] = 2; if (n != 4) { $use } }",
        "if (n > 8) { p[1] = 1; } else if (n > 10) { $use }",
        "if (n >= 3) return; if (n > 5) { $use }",
        "int m = p[0]; if (n < m) { if (m <= n) { $use } }",
        "int m = p[0]; if (n == m && n > 7) { if (m < 7) { $use } }",
        "if (2 * n < 6) { if (n > 3) { $use } }",
        "if (n > 3) if (n < 5) if (n != 4) { $use }",
        "if (n < 3 && p[0] > 2) { if (n > 4 || n == 3) { $use } }",
        "if (n ? p[0] : n > 9) { if (n > 3 && n < 3) { $use } }",
        "int small = n < 9; if (small) { if (n > 20) { $use } }",
        "if (!n) { if (n) { $use } }",
        "while (n > 0) { if (n < 0) { $use } n--; }",
        "switch (n) { case 1: if (n == 2) { $use } break; }",
        "switch (n & 3) { case 5: $use }",
        "unsigned char c = n; if (c > 255) { $use }",
        "short h = n; if (h == 40000) { $use }",
        "signed char c = n; if (c + 1 > 128) { $use }",
        "if ((n & 7) >= 8) { $use }",
        "int m = n % 4; if (m > 3) { $use }",
        "if (n / 4 > 600000000) { $use }",
        "if (n > 3000000000) { $use }",
        "if ((unsigned)n < 4) { if (n < 0) { $use } }",
    ],
)
def test_what_conditions_or_types_exclude_may_be_left_out(dialect: Dialect, body: str) -> None:
    """One of the compilers leaves it out, most often all three."""
    assert used(dialect, body).lowest == 0


@_DIALECTS
@pytest.mark.parametrize(
    "body",
    [
        "if (n > 5) { if (n < 9) { $use } }",
        "int m = p[0]; if (n <= m) { if (n >= m) { $use } }",
        "int m = p[0]; if (n < m) { if (n > m - 5) { $use } }",
        "if (n < 3) { } else if (n > 7) { $use }",
        "if (n > 3) p[1] = 1; if (n < 2) { $use }",
        "for (int j = 0; j < n; j++) { if (j > 3) { $use } }",
        "if (n == 3 || n == 4) { if (n != 3) { $use } }",
        "if (p[0] > 3) { if (p[1] < 2) { $use } }",
        "if (n >= 2) { if (n % 2 == 0) { $use } }",
        "unsigned char c = n; if (c > 254) { $use }",
        "if ((n & 7) >= 7) { $use }",
        "switch (n & 3) { case 3: $use }",
        "int m = n & 3; if (p[1]) p[2] = 1; else --m; if (m < 0) { $use }",
    ],
)
def test_what_conditions_let_through_is_kept(dialect: Dialect, body: str) -> None:
    assert used(dialect, body).exact == 256


@pytest.mark.parametrize("dialect", [HIP, OPENCL])
@pytest.mark.parametrize(
    "body",
    [
        "$local int t[64]; t[$id] = n; p[n] = t[$id];",
        "$local int t[64]; t[$id] = n; t[$id] += n;",
        "$local int t[64]; t[$id] = n; $to int* q = n > 2 ? t : t; p[0] = q[$id];",
        "$local int t[64]; $to int* q; q = t; q[$id] = n; p[0] = t[$id];",
        "$local int t[64]; int i = $id; $to int* q = t; q[n + 1] = i; p[0] = *(t + (n + 1));",
        "$local int t[64]; $to int *q, *r; q = t; r = q; r[$id] = n; p[0] = t[$id];",
        "$local int t[64]; $local int u[8]; $to int* q = u; q = t; q[$id] = n; p[0] = t[$id];",
        "$local int t[64]; int i = $id; t[i] = n; p[0] = *(t + $id);",
        "$local int t[64]; $local int u[64]; t[$id] = n; $wait u[n] = t[n];",
        "$local int t[64], u[64]; t[n & 7] = $id; $to int* q = &u[2]; q[$id] = n; $to int* r = t; r[n & 7] += n;",
        "$local int t[64], u[64]; $to int* q = u; t[n] = $id; q[n + 1] = n; p[0] = t[n];",
        "$local int t[64], u[64]; $to int *q = u, *r = t; r[n] = $id; q[$id] = n; p[n] = r[n];",
    ],
)
def test_what_a_thread_reads_back_at_once_may_be_left_out(dialect: Dialect, body: str) -> None:
    """Clang leaves it out; nvcc keeps it."""
    assert memory(dialect, body).lowest == 0


_FILL = "t[$id] = n; $wait"
_USE = f"{_FILL} p[n] = t[n + 1];"


_PAIR = "#define N 4\nstruct pair { int a, b; };"


def used(dialect: Dialect, body: str) -> LocalMemory:
    return memory(dialect, "$local int t[64]; " + body.replace("$use", _USE).replace("$fill", _FILL), _PAIR)


@_DIALECTS
@pytest.mark.parametrize(
    "body",
    [
        "unsigned u = n; if (u < 0) { $use }",
        "if (n != n) { $use }",
        "if (n - n > 0) { $use }",
        "int m = 2; if (m == 3) { $use }",
        "for (int j = 0; j < 0; ++j) { $use }",
        "while (1) { p[0] = 1; return; } $use",
        "goto end; $use end:;",
        "$fill p[n] = t[n + 1] & 0;",
        "$fill int v = t[n + 1]; p[n] = v ^ v;",
        "$fill p[n] = (unsigned)t[n + 1] >= 0u;",
        "$fill p[n] = (t[n + 1], 4);",
        "$fill p[n] = t[n + 1] ? 3 : 3;",
        "$fill p[n] = (t[n + 1] & 7) >> 3;",
        "$fill p[n] = 0 ? t[n + 1] : 1;",
        "$fill p[n] = 0 && t[n + 1];",
        "$fill int v = t[n + 1]; v = 3; p[n] = v;",
        "$fill int v = t[n + 1]; if (sizeof(v) > 8) p[0] = v;",
        "$fill int v = t[n + 1]; for (int j = 0; j < 0; ++j) p[j] = v;",
        "$fill int v = t[n + 1]; p[0] = N > 8 ? v : n;",
        "$fill int v = t[n + 1]; if (N > 5 && v > 5) p[0] = 1;",
        "$fill int v = t[n + 1]; int w = 0; if (N > 3) w = v; if (N < 3) p[1] = w;",
        "$fill for (int j = 0; j < n; ++j) { if (N > 2) break; p[0] = t[j]; }",
        "$fill for (int j = 0; j < n; ++j) { if (N > 2) continue; p[0] = t[j]; }",
        "$fill int v[2] = {t[n + 1], 0}; p[0] = v[1];",
        "$fill int v[2]; v[0] = t[n + 1]; v[1] = n; p[0] = v[1];",
        "$fill struct pair v = {t[n + 1], n}; p[0] = v.b;",
        "$fill struct pair v; v.a = t[n + 1]; v.b = n; p[0] = v.b;",
    ],
)
def test_what_never_runs_or_has_no_say_may_be_left_out(dialect: Dialect, body: str) -> None:
    """All three compilers leave it out."""
    assert used(dialect, body).lowest == 0


@_DIALECTS
@pytest.mark.parametrize(
    "body",
    [
        "if (n > 2) { $use }",
        "$fill for (int j = 0; j < n; ++j) p[j] = t[j];",
        "$fill if (n < 0) return; p[n] = t[n + 1];",
        "$fill int v = t[n + 1]; v = v + 3; p[n] = v;",
        "$fill while (1) { p[n] = t[n]; if (p[n]) break; } p[1] = 2;",
        "$fill p[n] = (t[n + 1] & 0xf0) >> 4;",
        "$fill p[n] = n > 3 ? t[n + 1] : 0;",
        "$fill p[n] = N > 3 ? t[n + 1] : 0;",
        "$fill int v = t[n + 1]; p[0] = N < 3 ? n : v;",
        "$fill int v = t[n + 1]; if (N > 2) p[0] = v;",
        "$fill int v = t[n + 1]; for (int j = 0; j < 4; ++j) p[j] = v;",
        "$fill int v = t[n + 1]; int w = 0; if (N > 3) w = v; if (N < 5) p[1] = w;",
        "$fill for (int j = 0; j < n; ++j) { if (N > 8) break; p[0] = t[j]; }",
        "$fill for (int j = 0; j < 8; ++j) { if (j > 2) break; p[0] += t[j + n]; }",
        "$fill int v[2] = {n, t[n + 1]}; p[0] = v[1];",
        "$fill int v[2] = {n, t[n + 1]}; for (int j = 0; j < 2; ++j) p[j] = v[j];",
        "$fill struct pair v; v.a = t[n + 1]; v.b = n; p[0] = v.a;",
    ],
)
def test_what_runs_and_has_a_say_is_kept(dialect: Dialect, body: str) -> None:
    assert used(dialect, body).exact == 256


@pytest.mark.parametrize("dialect", [HIP, OPENCL])
def test_what_a_callee_does_not_name_may_be_left_out(dialect: Dialect) -> None:
    """clang leaves it out, where nvcc keeps it."""
    body = f"$local int t[64]; {_FILL} p[0] = same(t[n + 1]);"
    assert memory(dialect, body, "$device int same(int v) { return 3; }").lowest == 0
    assert memory(dialect, body, "$device int same(int v) { return v > 3; }").exact == 256


_GIVE_BACK = f"""struct Two {{ int a, b; }};
$device int get(int n) {{ $local int t[64]; {_FILL} return t[n + 1]; }}
$device int same(int n) {{ return get(n); }}
$device void put(int n, int& to) {{ $local int t[64]; {_FILL} to = t[n + 1]; }}
$device void send(int n, int* to) {{ $local int t[64]; {_FILL} *to = t[n + 1]; }}
$device void on(int n, int* to) {{ send(n, to); }}
$device Two both(int n) {{ $local int t[64]; {_FILL} return {{1, t[n + 1]}}; }}
$device Two made(int n) {{ $local int t[64]; {_FILL} Two r; r.a = 1; r.b = t[n + 1]; return r; }}
$device int2 pair(int n) {{ $local int t[64]; {_FILL} return make_int2(1, t[n + 1]); }}
$device Two load(int* q, int i) {{ return {{q[i], 1}}; }}
$device bool is(int n) {{ $local int t[64]; {_FILL} if (t[n + 1]) return true; return false; }}
"""


@pytest.mark.parametrize("dialect", [CUDA, HIP])
@pytest.mark.parametrize(
    "body",
    [
        "get(n); p[1] = 1;",
        "(void)get(n); p[1] = 1;",
        "same(n); p[1] = 1;",
        "int v = same(n); p[1] = 3;",
        "int v = get(n); v = 5; p[1] = v;",
        "int v; v = get(n), p[1] = 2;",
        "int v = get(n); v ^= v; p[1] = v;",
        "Two v = made(n); v.b = 3; p[1] = v.b;",
        "int v = get(n); bool w = n > 3; if (w && !w) p[2] = v;",
        "$local int s[64]; s[$id] = n; $wait Two v = load(s, n); v.a = 1; p[1] = v.a;",
        "int v = get(n); v &= 0; p[1] = v;",
        "int v[2]; v[0] = get(n); v[1] = 4; p[1] = v[1];",
        "p[1] = get(n) & 0;",
        "p[1] = get(n) > 0 ? 1 : 1;",
        "get(n) > 3 ? (void)0 : (void)1; p[1] = 2;",
        "unsigned v = get(n); p[1] = v >= 0u;",
        "int v = get(n); if (p[1] < 0 && false) p[2] = v;",
        "int v = get(n); if (n < 0 && n > 0) p[2] = v;",
        "int v = get(n); if (p[1] < 4 && p[1] > 4) p[2] = v;",
        "int v; put(n, v); p[1] = 1;",
        "int v; put(n, v); put(n + 1, v); p[1] = 1;",
        "int v = 4; p[1] = v; put(n, v);",
        "int v; send(n, &v); p[1] = 1;",
        "int v; on(n, &v); p[1] = 1;",
        "p[1] = both(n).a;",
        "Two v = both(n); p[1] = v.a;",
        "Two v = made(n); p[1] = v.a;",
        "int2 v = pair(n); p[1] = v.x;",
        "int v = get(n); Two w = {v, 3}; Two u = w; p[1] = u.b;",
        "is(n); p[1] = 2;",
        "int v = 0; if (is(n)) v = 2; p[1] = 3;",
        "int v = 0; if (is(n)) ++v; p[1] = 3;",
        "if (is(n)) { int v = 3; v = v + 1; } p[1] = 2;",
        "if (is(n)) return;",
        "switch (get(n)) { case 1: ; }",
        "switch (get(n)) { case 1: break; default: ; }",
        "while (get(n) > 3) { break; }",
        "auto f = [&] { return get(n); }; p[1] = sizeof(f());",
    ],
)
def test_what_a_callee_gives_back_to_nobody_may_be_left_out(dialect: Dialect, body: str) -> None:
    """One of the compilers leaves it out, most often both."""
    assert memory(dialect, body, _GIVE_BACK).lowest == 0


@pytest.mark.parametrize("dialect", [CUDA, HIP])
@pytest.mark.parametrize(
    "body",
    [
        "get(n); p[1] = get(n);",
        "p[1] = same(n);",
        "int v = same(n); p[1] = v;",
        "int v = get(n); p[1] = v; v = 5;",
        "int v = get(n); v ^= n; p[1] = v;",
        "p[1] = get(n) & 1;",
        "p[get(n)] = 2;",
        "int v = get(n); if (n < 9 && n > 0) p[2] = v;",
        "int v = get(n); if (n < 0 || n > 0) p[2] = v;",
        "int v; put(n, v); p[1] = v;",
        "int v = 4; for (int j = 0; j < n; ++j) { p[j] = v; put(n, v); }",
        "put(n, p[1]);",
        "int v; send(n, &v); p[1] = v;",
        "send(n, p);",
        "on(n, p + 2);",
        "p[1] = pair(n).y;",
        "int2 v = pair(n); p[1] = v.y;",
        "int2 v = pair(n); *(int2*)p = v;",
        "if (is(n)) p[1] = 2;",
        "if (is(n)) return; p[1] = 3;",
        "int v = 0; if (is(n)) v = 2; p[1] = v;",
        "int v = 0; for (int j = 0; j < get(n); ++j) v += 2; p[1] = v;",
    ],
)
def test_what_something_comes_of_that_a_callee_gives_back_is_kept(dialect: Dialect, body: str) -> None:
    assert memory(dialect, body, _GIVE_BACK).exact == 256


_GIVEN_VALUES = """$device void none(int* q, int v) {}
$device void keeps(int* q, int v) { int a = v * 2; a++; }
$device void stores(int* q, int v) { q[0] = v; }
$device void picks(int* q, int v) { q[v] = 1; }
$device void only(int* q, int v) { if (v > 3) { int z = 1; z++; } }
$device void under(int* q, int v) { if (v > 3) q[1] = 2; }
$device void rounds(int* q, int v) { for (int i = 0; i < v; i++) q[i] = i; }
$device void moves(int* q, int v) { q += v; }
$device void anew(int* q, int v) { v = 3; q[0] = v; }
$device int back(int* q, int v) { return v; }
$device int there(int* q, int v) { return q[v]; }
$device void on(int* q, int v) { stores(q, v); }
$device void nowhere(int* q, int v) { none(q, v); int k = back(q, v); keeps(q, k); }
struct Box { int a; $device void set(int v) { a = v; } $device void drop(int v) { int t = v; } };
"""


@pytest.mark.parametrize("dialect", [CUDA, HIP])
@pytest.mark.parametrize(
    "body",
    [
        "none(p, t[n]);",
        "none(p + t[n], 1);",
        "none(p - t[n] * 2, 1), p[1] = 2;",
        "keeps(p, t[n] + 1);",
        "keeps((int*)(p + t[n]), 1);",
        "only(p, t[n]);",
        "moves(p, t[n]);",
        "moves(p + t[n], 1);",
        "anew(p, t[n]);",
        "back(p, t[n]);",
        "there(p, t[n]);",
        "there(&p[t[n]], 1);",
        "nowhere(p, t[n]);",
        "nowhere(p + t[n], n);",
        "none(p, back(p, t[n]));",
        "int k = t[n]; none(p, k);",
        "int a[2]; stores(a, t[n]);",
        "if (n) none(p, t[n]); else keeps(p, t[n + 1]);",
        "Box b; b.set(t[n]);",
        "Box b; b.a = 3; b.drop(t[n]); p[0] = b.a;",
        "auto l = [=](int v) {}; l(t[n]);",
    ],
)
def test_a_value_of_which_a_callee_makes_nothing_may_be_left_out(dialect: Dialect, body: str) -> None:
    """nvcc and clang leave it out."""
    assert memory(dialect, f"$local int t[64]; {_FILL} {body}", _GIVEN_VALUES).lowest == 0


@pytest.mark.parametrize("dialect", [CUDA, HIP])
@pytest.mark.parametrize(
    "body",
    [
        "stores(p, t[n]);",
        "picks(p, t[n]);",
        "under(p, t[n]);",
        "rounds(p, t[n]);",
        "on(p, t[n]);",
        "on(p + t[n], n);",
        "stores(p, back(p, t[n]));",
        "int k = t[n]; stores(p, k);",
        "none(p, t[n]); stores(p, t[n + 1]);",
        "Box b; b.set(t[n]); p[0] = b.a;",
        "out_of_sight(p, t[n]);",
    ],
)
def test_a_value_of_which_a_callee_makes_something_is_kept(dialect: Dialect, body: str) -> None:
    assert memory(dialect, f"$local int t[64]; {_FILL} {body}", _GIVEN_VALUES).lowest == 256


_HANDED = ("t + n", "n + t", "&t[n]", "&t[0] + n", "(int*)t + n")
_OF_POINTERS = """$device int dead(int* q) { int unused = q[1]; return 1; }
$device int live(int* q) { return q[1]; }
$device int either(int* q, int n) { int unused = q[1]; return 1; }
$device int either(int* q, long n) { int unused = q[1]; return 2; }
"""


@pytest.mark.parametrize("dialect", [CUDA, HIP])
@pytest.mark.parametrize("given", _HANDED)
def test_what_a_callee_does_counts_wherever_in_the_variable_it_points(dialect: Dialect, given: str) -> None:
    before = f"$local int t[64]; t[n] = n; $wait p[1] = {{}}({given});"
    assert memory(dialect, before.format("live"), _OF_POINTERS).exact == 256
    assert memory(dialect, before.format("dead"), _OF_POINTERS).lowest == 0
    several = f"$local int t[64]; t[n] = n; $wait p[1] = either({given}, n);"
    assert memory(dialect, several, _OF_POINTERS).lowest == 0


_READ = "$wait p[$id] = f;"
_GIVES = "$device void set($to int* x, int v) { *x = v; }"


@pytest.mark.parametrize("dialect", [CUDA, OPENCL])
@pytest.mark.parametrize(
    "body",
    [
        f"$local int f; if ($id == 0) f = 1; {_READ}",
        f"$local int f; int m = 2; if ($id == 0) f = m; {_READ}",
        f"$local int f; if ($id == 0) f = 0; $wait if (n > 3) f = 0; {_READ}",
        f"$local int f; if ($id == 0) f = 0; $wait if (N > 5) f = 1; {_READ}",
        "$local float f; if ($id == 0) f = 1.5f; $wait p[$id] = f > 3;",
        f"$local int f; if ($id == 0) set(&f, 1); {_READ}",
        f"$local int f; $to int* q = &f; if ($id == 0) *q = 1; {_READ}",
    ],
)
def test_a_scalar_that_is_only_given_one_constant_may_be_left_out(dialect: Dialect, body: str) -> None:
    """Both compilers leave it out, where clang keeps it for HIP."""
    assert memory(dialect, body, f"{_PAIR}\n{_GIVES}").lowest == 0
    assert memory(HIP, body, f"{_PAIR}\n{_GIVES}").highest == 4


def test_a_pointer_that_is_only_given_one_address_may_be_left_out() -> None:
    body = "$local int *f; if ($id == 0) f = table; $wait p[$id] = f[n];"
    assert memory(CUDA, body, "$device int table[8];").lowest == 0
    assert memory(HIP, body, "$device int table[8];").exact == 8


@_DIALECTS
def test_one_constant_that_is_given_under_no_condition_may_be_left_out(dialect: Dialect) -> None:
    """HIP's compiler keeps it otherwise."""
    assert memory(dialect, "$local int f; f = 4; $wait p[$id] = f;").lowest == 0
    assert memory(dialect, "$local int f; f = n; $wait p[$id] = f;").lowest == 4


@_DIALECTS
@pytest.mark.parametrize(
    "body",
    [
        f"$local int f; if ($id == 0) f = n; {_READ}",
        f"$local int f; if ($id == 0) f = p[3]; {_READ}",
        f"$local int f; if ($id == 0) set(&f, n); {_READ}",
        f"$local int f; int m = n; if ($id == 0) f = m + 2; {_READ}",
        f"$local int f; if ($id == 0) f = 0; $wait if (n > 3) f = 1; {_READ}",
        f"$local int f; if ($id == 0) f = 0; $wait if (n > 3) f += 1; {_READ}",
        "$local float f; if ($id == 0) f = 1.5f; $wait if (n) f = -1.f; $wait p[$id] = f > 3;",
        "$local bool f[3]; $local int g; if ($id == 0) g = n; $wait p[$id] = g;",
    ],
)
def test_a_scalar_that_is_given_several_values_is_kept(dialect: Dialect, body: str) -> None:
    assert memory(dialect, body, f"{_PAIR}\n{_GIVES}").lowest == 4


@_DIALECTS
def test_which_of_two_variables_a_pointer_stands_for_is_open(dialect: Dialect) -> None:
    """Of 512 bytes, all three compilers keep 256."""
    body = "$local int u[64]; $to int* q = sizeof(int) == 4 ? u : t; q[$id] = n; $wait p[n] = q[n + 1];"
    found = used(dialect, body)
    assert (found.lowest, found.highest) == (256, 512)
