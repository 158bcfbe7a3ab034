"""CUDA files of any length, the same on every machine, and a stub header with which clangd can read them."""

from __future__ import annotations

from itertools import count
from pathlib import Path

_STUB = """\
#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
typedef unsigned long size_t;
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct uint3 { unsigned x, y, z; };
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern "C" int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void* = 0);
extern "C" int cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
__device__ void __syncthreads();
__device__ float __shfl_xor_sync(unsigned, float, int);
__device__ float sqrtf(float);
"""

_FLAGS = """\
-xcuda
-nocudainc
-nocudalib
--cuda-gpu-arch=sm_80
--no-cuda-version-check
-std=c++17
-include
{header}
"""

# One part is 48 lines: a constant, a struct, a device function, a kernel, a template of one, and their launches.
_PART = """\
constexpr int kTile{i} = {tile};

struct Cell{i} {{
  float value;
  int index;
}};

__device__ float scaled_{i}(float x, float scale) {{
  return sqrtf(x) * scale + {i}.0f;
}}

// Tiled multiplication with a reduction at its end.
__global__ void __launch_bounds__({threads}, 2) multiply_{i}(const float* in, float* out, int n, float scale) {{
  __shared__ float tile[kTile{i}][kTile{i} + 1];
  __shared__ Cell{i} best[{threads} / 32];
  const int tid = threadIdx.x + threadIdx.y * blockDim.x;
  const int row = blockIdx.y * kTile{i} + threadIdx.y;
  float acc = 0.0f;
  for (int k = 0; k < n; k += kTile{i}) {{
    tile[threadIdx.y][threadIdx.x] = row < n ? scaled_{i}(in[row * n + k], scale) : 0.0f;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < kTile{i}; ++j) {{
      acc += tile[threadIdx.y][j] * tile[j][threadIdx.x];
    }}
    __syncthreads();
  }}
  for (int offset = 16; offset > 0; offset >>= 1) {{
    acc += __shfl_xor_sync(0xffffffffu, acc, offset);
  }}
  if ((tid & 31) == 0) best[tid >> 5] = Cell{i}{{acc, row}};
  __syncthreads();
  if (tid == 0) out[row] = best[0].value;
}}

template <typename T, int N>
__global__ void gather_{i}(const T* in, T* out) {{
  __shared__ T buffer[N];
  buffer[threadIdx.x] = in[blockIdx.x * N + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * N + threadIdx.x] = buffer[N - 1 - threadIdx.x];
}}

void launch_{i}(const float* in, float* out, int n) {{
  multiply_{i}<<<dim3(n, n), dim3(32, {threads} / 32)>>>(in, out, n, 1.5f);
  gather_{i}<float, 256><<<n, 256>>>(in, out);
}}
"""

# What is typed, and where: in the body of a kernel, before this statement.
TYPED_BEFORE = "  float acc = 0.0f;\n"
# Every server has something to say about it: more threads than a block may have, and no such name.
FAULT = "static void fault(float* p, int n) { gather_0<float, 2048><<<n, 2048>>>(p, missing_name); }\n"


def cuda(lines: int, first: int = 0) -> str:
    """A file of this many lines. `first`: its first part's number; other numbers make other bytes."""
    made: list[str] = []
    for i in count(first):
        made += _PART.format(i=i, tile=(16, 32)[i % 2], threads=(128, 256, 512)[i % 3]).splitlines(keepends=True)
        if len(made) >= lines:
            # Cut at the end of a part, filled with comments: a file that ends within a kernel is another benchmark.
            whole = made[: lines // _LINES * _LINES]
            return "".join(whole) + "// filled\n" * (lines - len(whole))
    raise AssertionError


def workspace(folder: Path, sizes: tuple[int, ...]) -> dict[int, Path]:
    """A folder that editors would open, with a file of each size and what clangd needs to read it."""
    for_clangd(folder)
    files = {size: folder / f"lines_{size}.cu" for size in sizes}
    for size, path in files.items():
        path.write_text(cuda(size))
    return files


def sources(folder: Path, files: int, lines: int) -> None:
    """A folder of sources for the command line, no two alike."""
    for i in range(files):
        (folder / f"part_{i:02}.cu").write_text(cuda(lines, first=1000 * i))


def tree(folder: Path, files: int, lines: int) -> Path:
    """A workspace of sources that include each a header of its own and one that all share. Returns one of them."""
    (folder / "include").mkdir(parents=True)
    (folder / "include" / "shared.cuh").write_text("#pragma once\n" + "".join(map(_CONSTANT.format, range(500))))
    for i in range(files):
        part = folder / f"part_{i // 50:02}"
        part.mkdir(exist_ok=True)
        own = f'#pragma once\n#include "shared.cuh"\n{cuda(100, first=1000 * i + 900)}'
        (folder / "include" / f"own_{i}.cuh").write_text(own)
        included = f'#include "own_{i}.cuh"\n#include "shared.cuh"\n'
        (part / f"file_{i}.cu").write_text(included + cuda(lines, first=1000 * i))
    return folder / "part_00" / "file_0.cu"


_CONSTANT = "constexpr int kShared{0} = {0};\n"
_LINES = _PART.count("\n")


def for_clangd(folder: Path) -> None:
    """What clangd needs to read CUDA without a toolkit."""
    header = folder / "cuda_stub.h"
    header.write_text(_STUB)
    (folder / "compile_flags.txt").write_text(_FLAGS.format(header=header))
