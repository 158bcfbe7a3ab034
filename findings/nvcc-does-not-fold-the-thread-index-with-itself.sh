#!/usr/bin/env bash
# t[threadIdx.x ^ threadIdx.x] keeps the whole array with nvcc; t[n ^ n] keeps one element.
#
# Guess: x ^ x is 0 whatever x is, so both leave 4 bytes, or both keep 256.
# In fact: nvcc reads the special register once for each threadIdx.x, and two reads are not known to be alike when the
#   array is taken apart. clang folds both.
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
extern "C" __global__ void of_the_thread(int* p, int n) { __shared__ int t[64]; t[LANE ^ LANE] = n; __syncthreads(); p[LANE] = t[0]; }
extern "C" __global__ void of_a_parameter(int* p, int n) { __shared__ int t[64]; t[n ^ n] = n; __syncthreads(); p[LANE] = t[0]; }
extern "C" __global__ void of_a_copy(int* p, int n) { __shared__ int t[64]; int x = LANE; t[x ^ x] = n; __syncthreads(); p[LANE] = t[0]; }
END
nvcc -w -arch=sm_90 -DLANE=threadIdx.x -Xptxas -v -cubin k.cu -o k.cubin 2>nvcc.log
clang() { packages/ziglang/zig clang -w --cuda-device-only -O3 -include words.h -S "$@"; }
clang -x hip --offload-arch=gfx90a -nogpulib -nogpuinc k.cu -o k.s
clang -x cuda --cuda-gpu-arch=sm_90 -nocudalib -nocudainc k.cu -o k.ptx
ptxas -v -arch=sm_90 k.ptx -o k.cubin 2>clang.log
three() { echo "$(smem "$1") $(smem "$1" clang.log) $(lds "$1")"; }
holds "threadIdx.x ^ threadIdx.x: nvcc, clang for CUDA, clang for AMD" "$(three of_the_thread)" "256 4 4"
holds "n ^ n" "$(three of_a_parameter)" "4 4 4"
holds "x ^ x of a copy of threadIdx.x" "$(three of_a_copy)" "4 4 4"
exit $status
