"""HIP as it is written: what clang-19 makes of it for gfx90a. The figures are the compiler's, of kernels like these."""

from __future__ import annotations

import pytest
from gfx90a import CATALOGUE, MACROS, most_on_gfx90a

from occupancy_lsp.analysis.predefined import predefined
from occupancy_lsp.source.incremental.document import Source
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.lex.dialect import CUDA, HIP, Dialect


def kernel(source: str, dialect: Dialect = HIP) -> Kernel:
    return next(k for k in Source(source.encode(), dialect).facts(MACROS).kernels if k.name == "k")


def memory(body: str, before: str = "", head: str = "") -> LocalMemory:
    return kernel(f"{before}\n{head}__global__ void k(int* p, int n, unsigned s) {{ {body} }}\n").summary.local


@pytest.mark.parametrize(
    ("declarations", "uses", "size"),
    [
        # HeCBench pathfinder: the second array starts at a multiple of 16.
        ("__shared__ int a[250]; __shared__ int b[250];", "a[s] = b[s] = n; p[0] = a[n] + b[n];", 2008),
        ("__shared__ float a[18][18]; __shared__ float b[16];", "a[s][n] = b[s] = n; p[0] = a[n][n] + b[n];", 1360),
        # What leaves the smallest gap comes next: b at 256, not c.
        ("__shared__ float a[63], b[14], c[2];", "a[s] = b[s] = c[s] = n; p[0] = a[n] + b[n] + c[n];", 320),
    ],
)
def test_amd_aligns_more_strictly(declarations: str, uses: str, size: int) -> None:
    assert memory(f"{declarations} {uses}").exact == size


@pytest.mark.parametrize(
    ("apart", "own", "least", "most"),
    [
        ("a[5]", "b[16]", 84, 96),
        ("a[8], c[50]", "b[49]", 436, 448),  # the structs of both leave smaller gaps than one
    ],
)
def test_what_several_kernels_reach_stands_before_the_memory_of_each(
    apart: str, own: str, least: int, most: int
) -> None:
    """clang 22 for gfx942 makes one of both, and the other where another kernel calls the function, too."""
    body = " ".join(f"atomicAdd(&{name}[s], n);" for name in "ac" if name in apart)
    helper = f"__device__ __noinline__ void help(int n, int s) {{ __shared__ int {apart}; {body} }}\n"
    local = memory(f"__shared__ int {own}; b[s] = n; p[0] = b[n]; help(n, s);", helper)
    assert (local.lowest, local.highest) == (least, most)


@pytest.mark.parametrize("macro", ["BOUNDS", "BOUNDS2_p14", "bounds"])
def test_a_macro_before_the_name_is_no_namespace(macro: str) -> None:
    (found,) = Source(f"__global__ void {macro} kern() {{\n}}\n".encode(), HIP).facts(MACROS).kernels
    assert found.qualified == "kern"


@pytest.mark.parametrize(
    ("declarations", "least", "most"),
    [
        ("__shared__ int a[3]; __shared__ char b[3];", 15, 16),
        ("__shared__ double a[2]; __shared__ char b[3];", 19, 24),
        ("__shared__ double a[2]; __shared__ int b[1];", 20, 24),
        ("__shared__ char a[10]; __shared__ char b[3];", 15, 15),
    ],
)
def test_amd_may_round_several_up(declarations: str, least: int, most: int) -> None:
    """clang 22 makes `most` of them, clang 19 of the first case 15."""
    told = memory(f"{declarations} a[s] = b[s] = n; p[0] = a[n] + b[n];")
    assert (told.lowest, told.highest) == (least, most)


@pytest.mark.parametrize(
    ("body", "least"),
    [
        # HPCTrainingExamples matrix_multiply, whose stores are left to the reader: nothing of it is left.
        ("__shared__ double a[16][16]; __syncthreads(); p[0] = n * a[s][n];", 0),
        ("__shared__ int a[256]; __syncthreads(); int v = a[n]; p[0] = v;", 0),
        ("__shared__ int a[256]; __syncthreads(); p[n] = a[n];", 0),
        ("__shared__ int a[256]; __syncthreads(); p[n] = (-a[n]);", 0),
        ("__shared__ int a[256]; __syncthreads(); if (a[n]) p[n] = 1;", 0),
        ("__shared__ int a[256]; (a[n]) = s; __syncthreads(); p[n] = a[s];", 1024),
        ("__shared__ int a[256]; ++(a[n]); __syncthreads(); p[n] = a[s];", 1024),
        ("__shared__ int a[256]; __syncthreads(); p[n] = atomicAdd(&a[n], 1) + a[s];", 1024),
        ("__shared__ int a[256]; a[n] += s; __syncthreads(); p[n] = a[s];", 1024),
        ("__shared__ int a[256]; int& v = a[n]; v = s; __syncthreads(); p[n] = a[s];", 1024),
        ("__shared__ int a[256]; int* v = a + n; *v = s; __syncthreads(); p[n] = a[s];", 1024),
    ],
)
def test_what_is_never_written_may_be_left_out(body: str, least: int) -> None:
    assert (memory(body).lowest, memory(body).highest) == (least, 1024 if "int" in body.split("a[")[0] else 2048)


def test_a_hidden_array_of_the_library() -> None:
    """HeCBench nms: AMD's `__syncthreads_and` keeps 256 bytes of its own; NVIDIA's is an instruction."""
    source = "__global__ void k(int* p) { p[0] = __syncthreads_and(p[1]); }"
    assert (kernel(source).summary.local.exact, kernel(source).summary.local.unseen) == (256, ())
    assert (kernel(source, CUDA).summary.local.exact, kernel(source, CUDA).summary.local.unseen) == (0, ())
    both = source.replace("p[1]);", "p[1]) + __syncthreads_count(p[2]);")
    assert kernel(both).summary.local.exact == 256
    one_wave = kernel(source.replace("void k", "void __launch_bounds__(64) k")).summary.local
    assert (one_wave.lowest, one_wave.highest) == (0, 256)
    assert memory("__syncthreads(); p[0] = n;").unseen == ()


@pytest.mark.parametrize(
    ("body", "most"),
    [
        # HeCBench nqueen: 20 numbers, picked by a variable, for each of 1024 threads.
        ("char a[20]; for (int i = 0; i < n; ++i) a[i] = p[i]; p[0] = a[n];", 20480),
        # HeCBench aes: structs make no vector.
        ("__shared__ uchar4 l[8]; uchar4 a[4]; a[n] = l[n]; p[0] = a[s].x;", 16416),
        # HeCBench f16max: the array is the library's.
        ("p[0] = __byte_perm(n, n, s);", 8192),
        ("int a[4]; a[n] = 1; p[0] = ((char*)a)[s];", 16384),
    ],
)
def test_arrays_that_the_compiler_may_move(body: str, most: int) -> None:
    given = kernel(f"__global__ void k(int* p, int n, unsigned s) {{ {body} }}")
    assert most_on_gfx90a(given) == (most, "the compiler may move arrays of each thread there")


@pytest.mark.parametrize(
    "body",
    [
        "int a[4]; a[n] = 1; p[0] = a[s];",  # a vector in registers
        "char a[20]; a[0] = n; a[1] = s; p[0] = a[0] + a[1];",
        "double a[8]; a[n] = 1; p[0] = a[s];",  # 64 bytes for each thread leave fewer waves
        "const char a[20] = {1, 2, 3}; p[0] = a[n];",
        "__shared__ char a[20]; a[n] = 1; __syncthreads(); p[0] = a[s];",
        "extern __shared__ int d[]; char a[20]; a[n] = d[n]; p[0] = a[s];",  # then none is moved
        "static __device__ char a[20]; p[0] = a[n];",
    ],
)
def test_arrays_that_stay(body: str) -> None:
    given = kernel(f"__global__ void k(int* p, int n, unsigned s) {{ {body} }}")
    assert most_on_gfx90a(given)[0] == given.summary.local.highest


def test_a_smaller_group_leaves_room_for_less() -> None:
    body = "{ char a[20]; a[n] = 1; p[0] = a[n]; }"
    given = kernel(f"__global__ __launch_bounds__(256) void k(int* p, int n) {body}")
    assert most_on_gfx90a(given)[0] == 256 * 20


def test_an_array_is_followed_into_functions_and_macros() -> None:
    handed, twenty = "char a[20]; f(a); p[0] = a[0];", ((20, 20),)
    assert memory(handed, "__device__ void f(char* q) { q[0] = 1; }").private == ()
    assert memory(handed, "__device__ void f(char* q) { for (int i = 0; i < q[0]; ++i) q[i] = 1; }").private == twenty
    assert memory(handed, "#define f(q) q[3] = 2").private == ()
    assert memory(handed, "#define f(q) q[n] = 2").private == twenty
    assert memory(handed, "__device__ void f(char* q);").private == twenty


def test_an_array_is_followed_so_far_into_a_function_that_hands_it_to_itself() -> None:
    before = "__device__ void f(float *a, int n) { if (n) f(a, n - 1); a[n] = 0; }"
    assert memory("float a[4]; f(a, n); p[0] = a[n];", before).lowest == 0


def test_a_variable_that_each_thread_may_keep() -> None:
    assert memory("__shared__ int a; a = p[n]; p[0] = a;").lowest == 0
    assert memory("__shared__ int a; if (!n) a = p[n]; __syncthreads(); p[0] = a;").exact == 4


def test_bounds() -> None:
    given = kernel("__global__ __attribute__((amdgpu_flat_work_group_size(64, 128))) void k(int* p) { p[0] = 1; }")
    assert given.attributes.flat_size is not None and given.attributes.flat_size.value.number == 128


@pytest.mark.parametrize(
    "condition",
    ["defined(__AMDGCN__)", "defined(__gfx90a__)", "defined(__GFX9__)", "__AMDGCN__ && !defined(__CUDA_ARCH__)"],
)
def test_what_the_device_defines(condition: str) -> None:
    warp = f"#if {condition}\n#define WARP 64\n#else\n#define WARP 32\n#endif\n"
    assert memory("__shared__ int a[WARP]; a[s] = n; __syncthreads(); p[0] = a[n];", warp).exact == 256


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("#if WAVE == 64\n#define LANES 64\n#else\n#define LANES 32\n#endif\n", None),
        ("#ifndef WAVE\n#define WAVE 32\n#endif\n#define LANES WAVE\n", None),
        ("#define LANES WAVE\n", 256),  # what needs it is compiled by those that have it
    ],
)
@pytest.mark.parametrize("wave", ["__AMDGCN_WAVEFRONT_SIZE", "__AMDGCN_WAVEFRONT_SIZE__"])
def test_the_size_of_a_wave_is_no_macro_of_clang_22(wave: str, text: str, exact: int | None) -> None:
    """It is 64 for clang 19, and not defined for clang 22."""
    text += "__global__ void k(int* p, int n) { __shared__ int a[LANES]; a[n] = 1; __syncthreads(); p[0] = a[p[1]]; }"
    source = Source(text.replace("WAVE", wave).encode(), HIP)
    (kernel,) = source.facts(predefined(CATALOGUE.find("mi300x"), "hip")).kernels
    assert kernel.summary.local.exact == exact


def test_predefined() -> None:
    found = predefined(CATALOGUE.find("mi300x"), "hip")
    assert found["__gfx942__"] == found["__GFX9__"] == found["__HIP_DEVICE_COMPILE__"] == 1
    assert found["__AMDGCN_WAVEFRONT_SIZE"] == 64
    assert "__HIP_DEVICE_COMPILE__" not in predefined(CATALOGUE.find("mi300x"), "opencl")
    assert predefined(CATALOGUE.find("h100"), "cuda") == {"__CUDA_ARCH__": 900}
    assert predefined(None, "hip") == {}
