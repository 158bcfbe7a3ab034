#!/usr/bin/env bash
# if (threadIdx.x == 0) flag = 1; with no other value: nvcc and OpenCL C take no byte, HIP takes four.
#
# Guess: a shared variable that is written, crosses a barrier and is read takes its 4 bytes; or, if compilers see that
#   only 1 can be read, nowhere any.
# In fact: uninitialised memory may be anything, 1 too, so the flag may become the constant. nvcc and clang for OpenCL
#   C do so with and without the condition, clang for HIP only without it, clang for CUDA never. Two different
#   constants keep the flag.
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
extern "C" __global__ void under_a_condition(int* p, int n) { __shared__ int flag; if (LANE == 0) flag = 1; __syncthreads(); p[LANE] = flag; }
extern "C" __global__ void always(int* p, int n) { __shared__ int flag; flag = 1; __syncthreads(); p[LANE] = flag; }
extern "C" __global__ void two_values(int* p, int n) { __shared__ int flag; flag = 0; __syncthreads(); if (n > LANE) flag = 1; __syncthreads(); p[LANE] = flag; }
END
nvcc -w -arch=sm_90 -DLANE=threadIdx.x -Xptxas -v -cubin k.cu -o k.cubin 2>nvcc.log
clang() { packages/ziglang/zig clang -w --cuda-device-only -O3 -include words.h -S "$@"; }
clang -x hip --offload-arch=gfx90a -nogpulib -nogpuinc k.cu -o k.s
clang -x cuda --cuda-gpu-arch=sm_90 -nocudalib -nocudainc k.cu -o k.ptx
ptxas -v -arch=sm_90 k.ptx -o k.cubin 2>clang.log
three() { echo "$(smem "$1") $(smem "$1" clang.log) $(lds "$1")"; }
cat >k.cl <<'END'
#define LANE __builtin_amdgcn_workitem_id_x()
__kernel void under_a_condition(__global int* p, int n) { __local int flag; if (LANE == 0) flag = 1; __builtin_amdgcn_s_barrier(); p[LANE] = flag; }
__kernel void always(__global int* p, int n) { __local int flag; flag = 1; __builtin_amdgcn_s_barrier(); p[LANE] = flag; }
__kernel void two_values(__global int* p, int n) { __local int flag; flag = 0; __builtin_amdgcn_s_barrier(); if (n > LANE) flag = 1; __builtin_amdgcn_s_barrier(); p[LANE] = flag; }
END
packages/ziglang/zig clang -w -x cl -cl-std=CL2.0 -cl-no-stdinc -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -O3 -S k.cl -o opencl.s
four() { echo "$(three "$1") $(lds "$1" opencl.s)"; }
holds "under a condition: nvcc, clang for CUDA, for HIP, for OpenCL C" "$(four under_a_condition)" "0 4 4 0"
holds "always" "$(four always)" "0 4 0 0"
holds "two values" "$(four two_values)" "4 4 4 4"
exit $status
