"""Local memory proved from source, held against what nvcc 13.0 (ptxas -v, sm_80) says of the same file."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.lex.dialect import CUDA
from occupancy_lsp.source.sema.builtin_layout import Layout, packed_size_bounds, round_up

_DATA = Path(__file__).parent.parent / "data" / "nvcc"

# "Used … bytes smem" of each kernel; the file's dynamic memory is aligned to 1024, so every size is rounded up to it.
_COMPILED = {
    "s132": 1024,
    "s132_dynchar": 1024,
    "s132_dyndouble": 1024,
    "s132_dyn1024": 1024,
    "s1_8": 1024,
    "unused": 0,
    "deadstore": 0,
    "onescope": 3072,
    "via_helper": 1024,
    "twice_helper": 1024,
    "strct": 1024,
    "twod": 5120,
    "fs": 1024,
}


def kernels(source: bytes) -> dict[str, Kernel]:
    return {kernel.name: kernel for kernel in Source(source, CUDA).facts({"__CUDA_ARCH__": 800}).kernels}


@pytest.mark.parametrize("name", _COMPILED)
def test_what_nvcc_says_lies_between_the_bounds(name: str) -> None:
    local = kernels((_DATA / "local_layout.cu").read_bytes())[name].summary.local
    assert local.highest is not None
    assert local.lowest <= _COMPILED[name] <= local.highest
    # An array that is only written is left out by the compiler, which the text alone does not prove.
    assert local.exact == _COMPILED[name] or name == "deadstore"


_OTHERWISE = "struct B { B() = default; int i; char c; }; struct S : B { char d; };"  # 8 bytes in C++20, 12 before
_MAY_NOT = "a is under an #if that may be false: defined(B)"


def one(body: str, before: str = "", head: str = "") -> Kernel:
    return kernels(f"{before}\n{head}__global__ void k(float* p, int n) {{ {body} }}\n".encode())["k"]


_USE = " p[0] = a[threadIdx.x];"


@pytest.mark.parametrize(
    ("declaration", "size"),
    [
        ("__shared__ float a[64];", 256),
        ("__shared__ float each[32][33]; float* a = each[n];", 4224),
        ("__shared__ __align__(16) unsigned char a[48];", 48),
        ("alignas(128) __shared__ float a[32];", 128),
        ("__shared__ double a[2], b[4]; p[1] = b[n];", 48),
        ("__shared__ float4 a[4];", 64),
        ("__shared__ float* a[4];", 32),
        ("__shared__ cuComplex a[4];", 32),
        ("__shared__ cufftDoubleComplex a[4];", 64),
        ("struct S { char c; double d; }; __shared__ S a[2];", 32),
        ("__shared__ union { int i; double d; } a[4];", 32),
        ("constexpr int N = 4; __shared__ int a[N * 8];", 128),
        ("__shared__ unsigned long long a[2];", 16),
        ("volatile __shared__ int a[16];", 64),
    ],
)
def test_sizes(declaration: str, size: int) -> None:
    assert one(declaration + _USE).summary.local.exact == size


@pytest.mark.parametrize(("kind", "size"), [("at::Half", 2), ("torch::BFloat16", 2), ("c10::Float8_e4m3fn", 1)])
def test_sizes_of_pytorchs_types(kind: str, size: int) -> None:
    """As static assertions with its headers have them; what an element is read as may be left out."""
    assert one(f"__shared__ {kind} a[64];{_USE}").summary.local.highest == 64 * size


@pytest.mark.parametrize(
    ("before", "declaration", "reason"),
    [
        ("", "__shared__ float a[N];", "N is not defined in any file that is read"),
        ("", "__shared__ T a[4];", "the size of T"),
        ("#pragma pack(N)\nstruct S { char c; int i; };", "__shared__ S a[4];", "the size of S"),
        (_OTHERWISE, "__shared__ S a[4];", "the size of S, which compilers lay out differently"),
        ("", "\n#ifdef B\n__shared__ int a[8];\n#else\n__shared__ int a[4];\n#endif\n", _MAY_NOT),
        ("", "__shared__ float a[4", "a declaration that could not be read"),
    ],
)  # fmt: skip
def test_what_cannot_be_known_is_not_guessed(before: str, declaration: str, reason: str) -> None:
    local = one(declaration + _USE, before).summary.local
    assert local.highest is None
    assert local.reason == reason


def test_template_parameters_are_unknown() -> None:
    assert one("__shared__ float a[N];" + _USE, head="template <int N> ").summary.local.reason == "template parameter N"
    assert (
        one(
            "__shared__ float a[N];" + _USE, "#define M 3\nconstexpr int N = 4;", "template <int N> "
        ).summary.local.exact
        is None
    )


def test_memory_of_called_functions_counts_once() -> None:
    helper = "__device__ float f(float x) { __shared__ float b[32]; b[threadIdx.x] = x; __syncthreads(); return b[1]; }"
    assert one("p[0] = f(p[1]) + f(p[2]);", helper).summary.local.exact == 128
    assert one("p[0] = g(p[1]);", helper + "\n__device__ float g(float x) { return f(x); }").summary.local.exact == 128


def test_functions_out_of_sight_leave_only_a_lower_bound() -> None:
    assert one("helper(p);").summary.local.unseen == ("helper",)
    assert one("p[0] = sqrtf(p[1]) + __ldg(p); atomicAdd(p, 1.0f); __syncthreads();").summary.local.unseen == ()
    assert one("p[0] = T(3);", head="template <typename T> ").summary.local.unseen == ()
    assert one('_Pragma("unroll") for (int i = 0; i < 4; i++) p[i] = noexcept(p[i]);').summary.local.unseen == ()


def test_arrays_used_through_a_macro_are_used() -> None:
    assert one("__shared__ float a[64]; A(n) = p[0]; p[1] = A(1);", "#define A(i) a[i]").summary.local.exact == 256
    assert one("__shared__ float a[64]; p[1] = 0;", "#define USE(a) a[0]").summary.local.exact == 0


def test_what_is_never_written_stays_unless_it_is_small() -> None:
    """nvcc 13.0 keeps the array, and leaves out the single variable."""
    assert one("__shared__ float a[256]; __syncthreads(); p[0] = a[n] * 2;").summary.local.exact == 1024
    assert one("__shared__ float a; __syncthreads(); p[0] = a + 1;").summary.local.lowest == 0


def test_dynamic_memory() -> None:
    assert one("extern __shared__ float s[]; p[0] = s[0];").summary.local.dynamic
    assert one("p[0] = s[0];", "extern __shared__ float s[];").summary.local.dynamic
    assert not one("p[0] = 0;", "extern __shared__ float s[];").summary.local.dynamic


def test_a_function_called_by_a_macros_name() -> None:
    helper = (
        "__device__ float logg(float x) { __shared__ float b[32]; b[threadIdx.x] = x; __syncthreads(); return b[1]; }\n"
    )
    macros = "#define MATH(x) x##g\n#define LOG MATH(log)\n#define ALIAS LOG\n"
    assert one("p[0] = ALIAS(p[1]);", macros + helper).summary.local.exact == 128
    assert one("p[0] = A(p[1]);", "#define A B\n#define B A\n").summary.local.unseen == ("A",)
    assert one("p[0] = S(p[1]);", "#define S(x) #x\n" + helper).summary.local.exact == 0


def test_a_lambda_handed_through_templates() -> None:
    source = """
    template <typename F> __global__ void k(float* p, F f) { f(p); }
    template <int N, typename F> void launch(float* p, F f) { k<F><<<1, N>>>(p, f); }
    void run(float* p) { auto once = [=] __device__(float* q) { *q = 1; }; launch<64>(p, once); }
    """
    assert kernels(source.encode())["k"].summary.local.unseen == ()


_WITH_LAMBDA = """
    __device__ void reduce(float* p) { __shared__ float a[100]; a[threadIdx.x] = *p; p[1] = a[threadIdx.x ^ 1]; }
    __device__ float next(float x) { return x + 1; }
    #define REDUCE(p) reduce(p)
    template <typename F> __global__ void k(F f) { f(); }
    void run(float* p) { WHAT }
"""


@pytest.mark.parametrize(
    "launch",
    [
        "k<<<1, 32>>>([=] __device__() { reduce(p); });",
        "k<<<1, 32>>>([=] __device__() { REDUCE(p); });",
        "auto f = [=] __device__() { reduce(p); }; k<<<1, 32>>>(f);",
        "k<<<1, 32>>>([=] __device__() { __shared__ float a[100]; a[threadIdx.x] = *p; p[1] = a[threadIdx.x ^ 1]; });",
    ],
)
def test_a_lambda_that_the_host_makes_has_memory_of_its_own(launch: str) -> None:
    """nvcc counts 400 bytes in each."""
    local = kernels(_WITH_LAMBDA.replace("WHAT", launch).encode())["k"].summary.local
    assert (local.lowest, local.highest) == (0, None)
    assert "lambda" in local.reason


def test_a_lambda_that_the_host_makes_may_call_what_needs_no_memory() -> None:
    launch = "k<<<1, 32>>>([=] __device__() { p[0] = next(sqrtf(p[1])); atomicAdd(p, 1.0f); });"
    local = kernels(_WITH_LAMBDA.replace("WHAT", launch).encode())["k"].summary.local
    assert (local.exact, local.unseen) == (0, ())
    launch = "k<<<1, 32>>>([=] __device__() { elsewhere(p); });"
    assert kernels(_WITH_LAMBDA.replace("WHAT", launch).encode())["k"].summary.local.unseen == ("elsewhere",)


# nvcc 13.0, ptxas -v, sm_90: an array whose size is no multiple of its alignment leaves a gap that fills.
_FITTING = b"""__global__ void k() {
  __shared__ long unsigned a[1][2];
  __shared__ alignas(16) unsigned short b[9][1];
  __shared__ unsigned short c;
  ((volatile char *)&a)[threadIdx.x] = ((volatile char *)&b)[threadIdx.x] = ((volatile char *)&c)[threadIdx.x] = 1;
}
"""


def test_the_fewest_bytes_are_those_of_the_order_that_fits_best() -> None:
    local = kernels(_FITTING)["k"].summary.local
    assert local.lowest <= 36 <= (local.highest or 0)


@given(st.lists(st.builds(Layout, st.integers(1, 40), st.sampled_from((1, 2, 4, 8, 16))), min_size=1, max_size=5))
def test_bounds_are_those_of_all_orders(variables: list[Layout]) -> None:
    ends = set()
    for order in permutations(variables):
        end = 0
        for it in order:
            end = round_up(end, it.alignment) + it.size
        ends.add(end)
    assert packed_size_bounds(variables) == (min(ends), max(ends))


def test_what_assembly_declares_is_not_counted() -> None:
    """nvcc: 128 bytes."""
    declares = "{ .shared .align 16 .b8 buffer[128]; .reg .u32 r; mov.u32 r, buffer; st.shared.u32 [r], %0; }"
    text = '__global__ void k(int *p) { asm volatile("' + declares + '" :: "r"(p[0])); }\n'
    (kernel,) = Source(text.encode(), CUDA).facts({}).kernels
    assert (kernel.summary.local.lowest, kernel.summary.local.highest) == (0, None)
    plain = text.replace(".shared .align 16 .b8 buffer[128];", "")
    (kernel,) = Source(plain.encode(), CUDA).facts({}).kernels
    assert kernel.summary.local.exact == 0
