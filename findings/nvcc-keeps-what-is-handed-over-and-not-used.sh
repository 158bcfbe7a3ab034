#!/usr/bin/env bash
# A shared array whose value goes into an unused parameter, or an unused member: kept by nvcc, dropped by clang.
#
# Guess: calls are inlined, and then nobody reads the value: the array is written only and goes.
# In fact: nvcc decides on the array before it inlines. A plain `int v = t[n];` that nobody reads costs nothing, the
#   same read as an argument that the function ignores keeps 256 bytes, and so does make_int2(t[n], 0).y.
# Version: nvcc and ptxas 13.0.88, clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 ziglang==0.17.1
PATH="$here/packages/nvidia/cu13/bin:$PATH"
# Bytes of static shared memory, by ptxas.
smem() { awk -F"'" -v kernel="$1" '/Compiling entry/ {this = $2} /Used/ && this == kernel {print match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0}' "${2:-nvcc.log}"; }
# Bytes of LDS, by the metadata of the code object.
lds() { awk -v kernel="$1" '/group_segment_fixed_size:/ {bytes = $2} /^    \.name:/ && $2 == kernel {print bytes}' "${2:-k.s}"; }
cat >words.h <<'END'
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#ifdef __HIP__
#define __syncthreads __builtin_amdgcn_s_barrier
#define LANE __builtin_amdgcn_workitem_id_x()
#else
#define LANE __nvvm_read_ptx_sreg_tid_x()
#endif
END
cat >k.cu <<'END'
__device__ int first(int a, int b) { return a; }
struct Pair { int x, y; };
__device__ Pair pair(int x, int y) { Pair made; made.x = x; made.y = y; return made; }
extern "C" __global__ void variable(int* p, int n) { __shared__ int t[64]; t[LANE] = n; __syncthreads(); int v = t[n]; p[LANE] = n; }
extern "C" __global__ void parameter(int* p, int n) { __shared__ int t[64]; t[LANE] = n; __syncthreads(); p[LANE] = first(n, t[n]); }
extern "C" __global__ void member(int* p, int n) { __shared__ int t[64]; t[LANE] = n; __syncthreads(); p[LANE] = pair(t[n], 0).y; }
#ifdef __NVCC__
extern "C" __global__ void vector(int* p, int n) { __shared__ int t[64]; t[LANE] = n; __syncthreads(); p[LANE] = make_int2(t[n], 0).y; }
#endif
END
nvcc -w -arch=sm_90 -DLANE=threadIdx.x -Xptxas -v -cubin k.cu -o k.cubin 2>nvcc.log
clang() { packages/ziglang/zig clang -w --cuda-device-only -O3 -include words.h -S "$@"; }
clang -x hip --offload-arch=gfx90a -nogpulib -nogpuinc k.cu -o k.s
clang -x cuda --cuda-gpu-arch=sm_90 -nocudalib -nocudainc k.cu -o k.ptx
ptxas -v -arch=sm_90 k.ptx -o k.cubin 2>clang.log
three() { echo "$(smem "$1") $(smem "$1" clang.log) $(lds "$1")"; }
holds "a variable: nvcc, clang for CUDA, clang for AMD" "$(three variable)" "0 0 0"
holds "a parameter" "$(three parameter)" "256 0 0"
holds "a member" "$(three member)" "256 0 0"
holds "make_int2(t[n], 0).y, nvcc" "$(smem vector)" "256"
exit $status
