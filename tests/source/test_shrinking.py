"""Shared arrays and structures of which compilers keep but parts, held against what nvcc 13.0 (ptxas -v, sm_90) and
clang 22 (gfx90a, -O3) say of the same file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.lex.dialect import CUDA, HIP, OPENCL, Dialect

_FILE = Path(__file__).parent.parent / "data" / "nvcc" / "shrinking.cu"
# Bytes of each kernel by nvcc and by clang; None: it was compiled by nvcc alone.
_COMPILED: dict[str, tuple[int, int | None]] = {
    "loop16": (64, 64), "loop4": (4096, 16), "loopu": (4096, 16), "loopn": (4096, 4096),
    "write_var_read0": (4096, 4096), "write0_read_var": (4096, 4096), "var_i0": (4, 4), "cond_idx": (4096, 4096),
    "ptr_alias": (4, 4), "ptr_alias_var": (4096, 4096), "ptr_sel": (4096, 4096), "ptr_store": (2048, 2048),
    "callc": (4, 4), "callv": (4096, 4096), "callcc": (4, 4), "many": (256, 256), "mix": (8, 8),
    "whole_struct": (4, 8), "struct_copy_out": (4104, 4104), "arr2d": (4224, 4224), "arr2dc": (4, 4),
    "byteptr": (4096, 1), "f4": (4096, 4096), "written_var_const_read_none": (4, 4), "sizeofuse": (0, 4),
    "and31": (4096, 4096), "ymod1": (4, 4), "atomc": (4096, None), "cvta": (4096, None), "asmu": (4096, None),
    "noinl": (4096, None), "vola": (4096, None), "volp": (4096, None), "globs": (4, None), "tm": (4, None),
    "lb1": (4096, None), "wrp": (128, None), "memc": (4096, None), "ty": (4096, None), "shfl": (4096, None),
}  # fmt: skip
# Of which the text proves that all is kept.
_KEPT = {
    "loopn", "write_var_read0", "write0_read_var", "cond_idx", "ptr_alias_var", "callv", "struct_copy_out", "arr2d",
    "and31", "atomc", "cvta", "asmu", "noinl", "vola", "lb1", "wrp", "memc", "ty", "shfl",
}  # fmt: skip


@cache
def _kernels(source: bytes, dialect: Dialect = CUDA) -> dict[str, Kernel]:
    target = {"__CUDA_ARCH__": 900} if dialect is CUDA else {"__AMDGCN__": 1}
    return {kernel.name: kernel for kernel in Source(source, dialect).facts(target).kernels}


@pytest.mark.parametrize("name", _COMPILED)
@pytest.mark.parametrize("dialect", [CUDA, HIP], ids=["nvcc", "clang"])
def test_what_compilers_keep_lies_between_the_bounds(name: str, dialect: Dialect) -> None:
    compiled = _COMPILED[name][dialect is HIP]
    if compiled is None:
        return
    local = _kernels(_FILE.read_bytes(), dialect)[name].summary.local
    assert local.highest is not None
    assert local.lowest <= compiled <= local.highest
    if name in _KEPT:
        assert local.lowest in (local.highest, compiled)


@pytest.mark.parametrize(("factor", "bounds"), [("0", (0, 1024)), ("2", (1024, 1024))])
def test_a_template_argument_decides_what_is_left_of_an_index(factor: str, bounds: tuple[int, int]) -> None:
    """nvcc keeps 4 and 1,024 bytes."""
    body = "{ __shared__ float a[256]; a[threadIdx.x * N] = p[0]; __syncthreads(); p[threadIdx.x] = a[0]; }"
    source = f"template <int N> __global__ void k(float* p) {body}\ntemplate __global__ void k<{factor}>(float*);"
    (instance,) = _kernels(source.encode())["k"].instances
    assert (instance.summary.local.lowest, instance.summary.local.highest) == bounds


_PICK = "template <int I = 0> __device__ float pick(const float *a, int n) {"
_ONE = "__global__ void k(float* p, int n) {{ {} __syncthreads(); p[threadIdx.x] = {}; }}"


@pytest.mark.parametrize(
    ("before", "body", "read"),
    [
        ("#define TID threadIdx.x\n", "__shared__ float a[256]; a[TID] = p[0];", "a[0]"),
        ("#define A(i) a[i]\n", "__shared__ float a[256]; A(threadIdx.x) = p[0];", "A(0)"),
        ("#define USE(v) v[threadIdx.x] = p[1]\n", "__shared__ float a[256]; USE(a);", "a[0]"),
        ("__device__ int lane() { return threadIdx.x % 32; }\n", "__shared__ float a[256]; a[lane()] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; int i = threadIdx.x; i += 32; a[i] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; for (int i = threadIdx.x; i < 256; i += 64) a[i] = p[i];", "a[0]"),
        ("", "__shared__ float a[256]; float* q = a; q[threadIdx.x] = p[0];", "a[0]"),
        ("struct S { float x, y[63]; };\n", "__shared__ S a[4]; a[0].y[n] = p[0];", "a[0].x"),
        ("", "__shared__ float a[256]; ((volatile char *)&a)[threadIdx.x] = 1;", "a[0]"),
        ("__shared__ float a[256];\n", "a[threadIdx.x] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; a[n > 0 ? 3 : 4] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; a[(n > 0 ? 1 : 2) + 1] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; a[n > 0 ? threadIdx.x : 0] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; a[threadIdx.x - n] = p[0];", "a[0]"),
        ("", '__shared__ float a[256]; if (n) a[0] = p[0]; asm volatile("" :: "l"(&(a)));', "a[0]"),
        ('#define KEEP(x) asm volatile("" :: "l"(&(x)))\n', "__shared__ float a[256]; KEEP(a); a[0] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; int z = 0; a[n * z + threadIdx.x] = p[0];", "a[0]"),
        ("#define N 4\n", "__shared__ float a[256]; a[threadIdx.x * N] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; constexpr int N = 32; a[threadIdx.x & (N - 1)] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; a[threadIdx.y * blockDim.x] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; a[threadIdx.x / warpSize] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; int s = 2; a[(n + 1) % s] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; const int N = 32; a[n * (N + 1)] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; a[(unsigned)p[n] >> 24] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; int w = 3; float* q = a + n * w; q[0] = p[0];", "a[0]"),
        ("#define AT(i, n) ((i) * (n))\n", "__shared__ float a[256]; a[AT(threadIdx.x, 2)] = p[0];", "a[0]"),
    ],
)
def test_indices_that_only_the_running_kernel_knows_keep_the_whole(before: str, body: str, read: str) -> None:
    """nvcc keeps 1,024 bytes in each."""
    assert _kernels((before + _ONE.format(body, read)).encode())["k"].summary.local.exact == 1024


@pytest.mark.parametrize(
    ("before", "body", "read"),
    [
        ("", "__shared__ float a[256]; int i = threadIdx.x; i = 3; if (n) a[i] = p[0];", "a[3]"),
        ("#define A(i) a[i]\n", "__shared__ float a[256]; if (n) A(3) = p[0];", "A(3)"),
        ("__device__ void put(float* q, int i) { q[i] = i; }\n", "__shared__ float a[256]; put(a, 3, *p);", "a[3]"),
        ("struct S { float x, y[63]; };\n", "__shared__ S a; a.x = p[0];", "a.x"),
        ("__shared__ float a[256];\n", "a[3] = p[0];", "a[3]"),
        ("", "__shared__ float a[256]; a[n > 0 ? 3 : 3] = p[0];", "a[n ? 1 + 2 : 3]"),
        ("", "__shared__ float a[256]; a[(n ? 3u : 3) + 1] = p[0];", "a[n < 5 ? 4 : n ? 4 : 4]"),
        ("", "__shared__ float a[256]; int i = n ? 3 : 3; a[i] = p[0];", "a[i]"),
        ("", "__shared__ float a[256]; a[n - n] = p[0];", "a[n ^ n]"),
        ("", "__shared__ float a[256]; int z = 0; a[n * z] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; const int z = 0; a[n + 1 & z] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; int z = -1; z++; a[n * z] = p[0];", "a[0]"),
        ("#define Z 0\n", "__shared__ float a[256]; int i = n; i *= Z; a[i] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; int s = 32; a[(unsigned long long)(unsigned)n >> s] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; int m = 1; a[n % m] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; int z = 0; float* q = a + n * z; q[0] = p[0];", "a[0]"),
        ("#define ROW (threadIdx.y * 0)\n", "__shared__ float a[256]; a[ROW] = p[0];", "a[0]"),
        ("#define AT(i, n) ((i) * (n))\n", "__shared__ float a[256]; a[AT(threadIdx.x, 0)] = p[0];", "a[0]"),
        ("", "__shared__ float a[256]; int z = 0; a[z / (n | 1)] = p[0];", "a[0]"),
        (f"{_PICK} return 0 ? a[n] : a[0]; }}\n", "__shared__ float a[256]; a[0] = p[0];", "pick(a, n)"),
        (f"{_PICK} return I && a[n] > 0 ? 1 : a[0]; }}\n", "__shared__ float a[256]; a[0] = p[0];", "pick(a, n)"),
    ],
)  # fmt: skip
def test_what_constants_touch_may_be_all_that_is_kept(before: str, body: str, read: str) -> None:
    """nvcc keeps 4 bytes in each."""
    local = _kernels((before + _ONE.format(body, read)).encode())["k"].summary.local
    assert local.lowest <= 4
    assert local.highest is not None and local.highest >= 256


@pytest.mark.parametrize(
    ("parameter", "declared", "index"),
    [
        ("const unsigned char *b", "", "b[n] >> 8"),
        ("const unsigned short *b", "", "b[n] / 65536"),
        ("const signed char *b", "", "(unsigned char)b[n] >> 8"),
        ("", "", "(n & 1) >> 1"),
        ("", "", "(n << 1) & 1"),
        ("", "", "(n & 4) & 3"),
        ("", "", "(n > 5) / 2"),
        ("", "", "!n & 2"),
        ("", "", "(n * 8 + 3) & 7"),
        ("", "", "(n + n) & 1"),
        ("", "", "(n | 63) & 63"),
        ("", "", "(threadIdx.x % 32) / 32"),
        ("", "unsigned u = n;", "u / 65536 / 65536"),
        ("", "unsigned u = n;", "u >> 16 >> 16"),
        ("", "unsigned u = n; unsigned h = u >> 16;", "h >> 16"),
        ("", "bool t = n;", "t >> 1"),
        ("", "bool t = n > 3; int i = t;", "i & 2"),
        ("", "unsigned char c = n;", "c >> 8"),
        ("", "int i = n & 1;", "i >> 1"),
        ("", "int i = n + n;", "i & 1"),
        ("", "const int w = 4; unsigned u = n;", "u % w / w"),
        ("", "unsigned lane = threadIdx.x & 31, w = lane / 32;", "w"),
    ],
)
def test_an_index_of_which_operators_leave_nothing_is_no_proof(parameter: str, declared: str, index: str) -> None:
    """nvcc keeps 4 bytes in each."""
    parameters = ", ".join(filter(None, ("float *p, int n", parameter)))
    body = f"{{ __shared__ float a[64]; {declared} a[{index}] = p[0]; __syncthreads(); p[1] = a[0] + a[3] + a[63]; }}"
    assert _kernels(f"__global__ void k({parameters}) {body}".encode())["k"].summary.local.lowest <= 4


@pytest.mark.parametrize(
    ("declared", "index"),
    [
        ("int t = threadIdx.x; int w = t / 32, lane = t % 32;", "w * 4 + lane / 8"),
        ("int i = blockIdx.x * blockDim.x + threadIdx.x;", "i % 64"),
        ("int i = blockIdx.x * blockDim.x + threadIdx.x;", "(i + n) & 31"),
        ("const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;", "(t + 1) >> 5"),
        ("auto t = threadIdx.x;", "(t / 32) * 2 + (t % 32) / 16"),
        ("int lane = (int)threadIdx.x & 0x1f;", "lane >> 2"),
        ("int e = (blockIdx.x * 4 + threadIdx.y) * 8 + threadIdx.x % 8;", "e / 64 % 64"),
        ("", "threadIdx.x / n"),
        ("", "threadIdx.x % n"),
    ],
)
def test_indices_by_division_keep_the_whole(declared: str, index: str) -> None:
    """nvcc keeps 256 bytes in each."""
    body = f"{{ __shared__ float a[64]; {declared} a[{index}] = p[0]; __syncthreads(); p[1] = a[0]; }}"
    assert _kernels(f"__global__ void k(float *p, int n) {body}".encode())["k"].summary.local.exact == 256


@pytest.mark.parametrize("index", ["k % 4", "k / 8"])
def test_the_counter_of_a_loop_leaves_something(index: str) -> None:
    """nvcc keeps 256 bytes in each."""
    body = f"{{ __shared__ float a[64]; for (int k = 0; k < n; k++) a[{index}] = p[k]; __syncthreads(); p[1] = a[0]; }}"
    assert _kernels(f"__global__ void k(float *p, int n) {body}".encode())["k"].summary.local.exact == 256


@pytest.mark.parametrize(
    "said",
    [
        "if ((c[n] >> 10) == 34) { $ }",
        "if ((x & 3) == 7) { $ }",
        "if ((unsigned char)x > 300) { $ }",
        "if (x % 4 == 5) { $ }",
        "if ((x | 1) == 0) { $ }",
        "if (x * 2 == n * 2 + 1) { $ }",
        "if (u < 0) { $ }",
        "if ((u >> 31) > 1) { $ }",
        "if (min(x, 5) > 7) { $ }",
        "if (x > 3 && (x & 8) == 4) { $ }",
        "if ((x & 8) == 4 || (x & 8) == 2) { $ }",
        "if (!x == 3) { $ }",
        "if ((x ? 3 : 5) == 4) { $ }",
        "if (s.bits > 3) { $ }",
        "if (q->bits > 3) { $ }",
        "if (float(x & 3) > 3.5f) { $ }",
        "if (__popc(x) > 32) { $ }",
        "if (__clz(x) > 32) { $ }",
        "if ((x & 3) != 7) return; $",
        "switch (x & 3) { case 5: { $ } }",
        "(x & 3) == 7 ? (a[n & 63] = x, p[n] = a[x & 63]) : 0;",
        "const int k = x & 3; if (k == 9) { $ }",
        "int k = x; k &= 7; if (k > 8) { $ }",
        "int k = 0; if (x & 1) k = 2; if (k == 3) { $ }",
        "int k = x; if (k > 3) k = 3; if (k > 3) { $ }",
        "int k = x & 3; while (k > 4) { $ k--; }",
        "int k = x & 3; for (int i = 0; i < 2; i++) { if (k > 3) { $ } k >>= 1; }",
        "for (int i = 0; i < 16; i += 4) { if (i & 3) { $ } }",
        "for (int i = threadIdx.x; i < n; i += 9) if (n < 1) { $ }",  # a signed `i` is never below 0
        "int i; for (i = threadIdx.x; i < n; i += 9) if (n < 1) { $ }",
        "for (int i = 0; i < n; i++) { if ((x & 3) != 4) continue; $ }",
        "if (low(x) == 9) { $ }",
        "auto f = [&](int z) { return (z & 3) == 7; }; if (f(x)) { $ }",
        "if (u >= 0) { if ((x & 3) < 4) return; } $",
        "if (u > 3) { if ((x & 3) < 4) return; } if (u > 4) { $ }",
        "if (x > 3) p[1] = 1; else if (n > 4) p[2] = 1; else return; if (x < 2 && n < 3) { $ }",
        "if (x > 5) { if (n > 5) return; else return; } if (x > 6) { $ }",
        "{ if (x > 4) return; } if (x > 7) { $ }",
        "if (u >= 0) { if ((x & 3) < 4) goto end; } $ end: p[0] = 1;",
        "switch (x) { case 1: return; case 2: return; } if (x == 1) { $ }",
        "switch (x & 1) { case 0: return; case 1: return; } $",
        "for (int i = 0; i < 4; ++i) { if (u >= 0) return; } $",
        "for (int i = 0; i < 4; ++i) { if (i > 2) return; } $",
        "for (int i = 0; i < n; ++i) { if (u >= 0) { if ((x & 3) < 4) continue; } $ }",
        "do { if ((x & 3) < 4) return; } while (n-- > 0); $",
        "int k = x; int &r = k; r &= 3; if (k == 7) { $ }",
        "int k = x; int *r = &k; *r = 3; if (k == 7) { $ }",
        "int k = x; mask(k); if (k == 7) { $ }",
        "int k = n; auto f = [&](int v) { k = v & 3; }; f(x); if (k == 7) { $ }",
        "int k = x; for (int i = 0; i < n; ++i) { k &= 3; if (k == 7) { $ } k += 1; }",
        "int k = x & 3; for (int i = 0; i < n; ++i) { if (k == 7) { $ } k = (k + 1) & 3; }",
        "for (int i = 0; i < n; i += 2) { i += 2; if (i & 1) { $ } }",
        "int k = 3; for (int i = 0; i < n; ++i) { if (i == 2) k = 4; if (k == 7) { $ } k = 3; }",
        "int k = x & 3; do { if (k == 7) { $ } k = 2; k = 1; } while (n-- > 0);",
        "int k = 0; for (int i = 0; i < 4; ++i) { k += 1; k += 1; } if (k == 7) { $ }",
        "int k{x & 3}; if (k == 7) { $ }",
        "int k = x & 3; int *r = &k; if (*r == 7) { $ }",
        "int e[2]; e[0] = x & 3; e[1] = n; if (e[0] == 7) { $ }",
        "if (make_int2(x & 3, n).x == 7) { $ }",
        "int2 v = make_int2(x & 3, n); if (v.x == 7) { $ }",
        "int2 v; v = make_int2(x & 3, n); int2 w = v; if (w.x == 7) { $ }",
        "int2 v{x & 3, n}; if (v.x == 7) { $ }",
        "uchar4 v = make_uchar4(x, n, 3, 4); if (v.z == 4) { $ }",
        "dim3 d(x & 3, 2); if (d.x == 7) { $ }",
        "P w = {x & 3}; if (w.a == 7) { $ }",
        "P w = {x}; if (w.b == 2) { $ }",
        "P w = {.a = x & 3, .b = n}; if (w.a == 7) { $ }",
        "P w = {x & 3}; w.b = n; if (w.a == 7) { $ }",
        "struct { int a, b; } w = {x & 3}; if (w.a == 7) { $ }",
        "P w[2] = {{x & 3, 2}, {n, 3}}; if (w[0].a == 7) { $ }",
        "D w; if (w.a == 7) { $ }",
        "K w(x); if (w.a == 7) { $ }",
    ],
)
def test_what_stands_under_a_condition_that_never_holds_is_no_proof(said: str) -> None:
    """nvcc keeps nothing in each."""
    assert _under_condition(said).lowest == 0


@pytest.mark.parametrize(
    "said",
    [
        "if ((c[n] >> 4) == 3) { $ }",
        "if (x % 4 == -3) { $ }",
        "if (x * 3 == n * 2 + 1) { $ }",
        "if (u == 0xdeadbeefu) { $ }",
        "if (x / 4 == 500) { $ }",
        "if ((x & 0xff00) == 0x4200) { $ }",
        "if (x == n + 1000) { $ }",
        "if (low(x) == 3) { $ }",
        "if (s.bits == 3) { $ }",
        "for (int i = 0; i < n; i += 4) { if (i & 8) { $ } }",
        "for (auto i = threadIdx.x; i < n; i += 9) if (n < 1) { $ }",
        "for (int i = 0; i < n; i++) { if (i > 3) { $ } }",
        "int k = x & 3; if (p[1]) p[2] = 1; else --k; if (k < 0) { $ }",
        "bool ok = x < n && x < 9; if (p) ok = ok && c[x] == 4; if (ok) { $ }",
        "if (u >= 0) { if (x > 3) return; } $",
        "if (u > 3) { if ((x & 3) < 4) return; } if (u > 2) { $ }",
        "if (x > 3) { p[1] = 1; } else { if (n > 4) return; } if (x > 4) { $ }",
        "if (x > 3) { if (n > 4) return; } if (x > 9 && n > 2) { $ }",
        "for (int i = 0; i < n; ++i) { if (u >= 0) return; } $",
        "{ { if ((x & 3) == 4) return; } } $",
        "if (sizeof(int) == 4) goto end; p[1] = 2; end: $",
        "int2 v = make_int2(x & 3, n); if (v.y == 7) { $ }",
        "uchar4 v = make_uchar4(x, n, 3, 4); if (v.z == 3) { $ }",
        "P w = {x & 3, n}; if (w.a == 2 && w.b > 3) { $ }",
        "P w = {x & 3}; w.a = n; if (w.a == 7) { $ }",
        "int k = 0; for (int i = 0; i < n; ++i) { k += 2; if (k == 6) { $ } k += 2; if (p[k]) k = 1; }",
    ],
)
def test_what_stands_under_a_condition_that_may_hold_keeps_the_whole(said: str) -> None:
    """nvcc keeps 256 bytes in each."""
    assert _under_condition(said).exact == 256


def test_launch_bounds_rule_no_text_out() -> None:
    """nvcc 13.0 keeps the array, and so does clang 22 for AMD."""
    body = "{ __shared__ int a[64]; if (threadIdx.x >= 256) { a[n & 63] = 1; __syncthreads(); p[n] = a[p[1] & 63]; } }"
    kernel = f"__global__ void __launch_bounds__(256) k(int *p, int n) {body}"
    assert all(_kernels(kernel.encode(), it)["k"].summary.local.exact == 256 for it in (CUDA, HIP))


def _under_condition(said: str) -> LocalMemory:
    """`$` stands for what touches an array by an index that varies."""
    before = b"struct S { unsigned bits : 2; }; static __device__ int low(int v) { return v & 3; }"
    before += b"static __device__ void mask(int &v) { v &= 3; } struct P { int a, b; }; struct D { int a = 3; };"
    before += b"struct K { int a; __device__ K(int v) : a(v & 3) {} };"
    parameters = "int *p, int n, int x, unsigned u, const unsigned char *c, S s, const S *q"
    body = "{ __shared__ int a[64]; " + said.replace("$", "a[n & 63] = x; __syncthreads(); p[n] = a[x & 63];") + " }"
    return _kernels(before + f"__global__ void k({parameters}) {body}".encode())["k"].summary.local


@pytest.mark.parametrize(
    ("said", "bytes_"),
    [
        ("get_local_id(3) > 0", 0),
        ("get_local_size(3) > 1", 0),
        ("get_group_id(3) == 1", 0),
        ("get_num_groups(-1) > 1", 0),
        ("get_local_id(d) > 0", 0),
        ("get_local_id(3) == 0", 256),
        ("get_local_size(3) == 1", 256),
        ("get_local_id(2) == 2", 256),
        ("get_local_id(x & 3) == 2", 256),
        ("(int2)(x & 3, n).x == 7", 0),
        ("v.x == 7", 0),
        ("(v & 3).y == 7", 0),
        ("v.s0 == 7", 0),
        ("v.lo.x == 7", 0),
        ("v.y == 7", 256),
    ],
)
def test_dimensions_and_vectors(said: str, bytes_: int) -> None:
    """The bytes are clang's."""
    touched = "a[n & 63] = x; barrier(CLK_LOCAL_MEM_FENCE); p[n] = a[x & 63];"
    body = (
        f"{{ __local int a[64]; const int d = 3; const int4 v = (int4)(x & 3, n, 1, 2); if ({said}) {{ {touched} }} }}"
    )
    source = f"__kernel void k(__global int *p, int n, int x) {body}"
    assert _kernels(source.encode(), OPENCL)["k"].summary.local.lowest == bytes_


@pytest.mark.parametrize("index", ["threadIdx.x >> 10", "threadIdx.x / 1024"])
def test_the_greatest_work_group_may_leave_nothing(index: str) -> None:
    """clang keeps 4 bytes: it knows that no work-group has more than 1,024 threads."""
    body = f"{{ __shared__ float a[64]; a[{index}] = p[0]; __syncthreads(); p[1] = a[0]; }}"
    assert _kernels(f"__global__ void k(float *p) {body}".encode(), HIP)["k"].summary.local.lowest <= 4


@pytest.mark.parametrize("count", [20, 150, 300])
def test_a_value_that_many_callers_hand_on_is_followed_so_far(count: int) -> None:
    """nvcc keeps 16 bytes."""
    first = "__device__ void f0(float *p) { __shared__ float a[4]; a[threadIdx.x & 3] = p[0]; p[1] = a[0]; }\n"
    chain = "".join(f"__device__ void f{i}(float *p) {{ f{i - 1}(p); }}\n" for i in range(1, count))
    kernel = _kernels(f"{first}{chain}__global__ void k(float *p) {{ f{count - 1}(p); }}".encode())["k"]
    assert (kernel.summary.local.lowest, kernel.summary.local.highest) == ((16, 16) if count < 50 else (0, 16))


@pytest.mark.parametrize("count", [10, 200, 3000])
def test_an_index_that_many_variables_hand_on_is_followed_so_far(count: int) -> None:
    """nvcc keeps 256 bytes."""
    chain = " ".join(f"int i{it} = i{it - 1} + 1;" for it in range(1, count))
    body = f"{{ __shared__ float a[64]; int i0 = threadIdx.x; {chain} a[i{count - 1} & 3] = p[0]; p[1] = a[0]; }}"
    local = _kernels(f"__global__ void k(float *p) {body}".encode())["k"].summary.local
    assert local.highest == 256
    assert local.lowest == (256 if count < 25 else 0)
