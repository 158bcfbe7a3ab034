#!/usr/bin/env bash
# if (false) around all uses of a shared array: nvcc -G keeps its bytes, clang -O0 does not.
#
# Guess: no compiler keeps memory for what cannot run, optimised or not; or code that is not optimised keeps all that it
#   declares, in either compiler.
# In fact: with -G nvcc keeps 256 bytes behind `if (false)`, a false constant, a template argument, a call that never
#   comes, or a return; `if constexpr` and arrays that are named nowhere take none. clang at -O0 makes no code for any
#   of these, and keeps only what optimisation takes away, as an array that is written and never read. With -dopt on
#   beside -G nothing is kept. nvcc defines __CUDACC_DEBUG__ where it keeps them.
# Version: nvcc and ptxas 13.0.88, clang 22.1.8 (ziglang 0.17.1).
# Date: 2026-11-30. Source: measured.
set -euo pipefail
here=$(mktemp -d) && trap 'rm -rf "$here"' EXIT && cd "$here"
get() { python3 -m pip install --quiet --disable-pip-version-check --no-deps --target packages "$@" >pip.log 2>&1 || { cat pip.log; exit 2; }; }
status=0
holds() { if [ "$2" == "$3" ]; then echo "$1: $2"; else echo "$1: $2 instead of $3" && status=1; fi; }
get nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 ziglang==0.17.1
PATH="$here/packages/nvidia/cu13/bin:$PATH"
cat >words.h <<'END'
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __syncthreads __builtin_amdgcn_s_barrier
#define LANE __builtin_amdgcn_workitem_id_x()
END
cat >k.cu <<'END'
#ifndef LANE
#define LANE threadIdx.x
#endif
#define KERNEL(name) extern "C" __global__ void name(int* p, int n)
#define ARRAY __shared__ int t[64];
#define USE { t[LANE] = n; __syncthreads(); p[0] = t[n]; }
#ifdef __CUDACC_DEBUG__
#warning debugging
#endif
template <bool USED> __device__ void part(int* p, int n) { ARRAY if (USED) USE }
__device__ void whole(int* p, int n) { ARRAY USE }
KERNEL(named_nowhere) { ARRAY p[1] = n; }
KERNEL(never) { ARRAY if (false) USE p[1] = n; }
KERNEL(constant) { const bool on = false; ARRAY if (on) USE p[1] = n; }
KERNEL(argument) { part<false>(p, n); p[1] = n; }
KERNEL(called) { if (false) whole(p, n); p[1] = n; }
KERNEL(behind) { ARRAY p[1] = n; return; USE }
KERNEL(at_compile_time) { ARRAY if constexpr (false) USE p[1] = n; }
KERNEL(written) { ARRAY t[LANE] = n; }
END
kernels="named_nowhere never constant argument called behind at_compile_time written"
by_nvcc() {
  nvcc -arch=sm_90 -std=c++17 "$@" -Xptxas -v -cubin k.cu -o k.cubin >nvcc.log 2>&1 || { cat nvcc.log; exit 1; }
  for kernel in $kernels; do awk -F"'" -v kernel=$kernel '/Compiling entry/ {this = $2} /Used/ && this == kernel {print match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0; exit}' nvcc.log; done | paste -sd' '
}
by_clang() {
  packages/ziglang/zig clang -w -std=c++17 -x hip --cuda-device-only --offload-arch=gfx90a -nogpulib -nogpuinc -include words.h "$@" -S k.cu -o k.s >clang.log 2>&1 || { cat clang.log; exit 1; }
  for kernel in $kernels; do awk -v kernel=$kernel '/\.group_segment_fixed_size:/ {bytes = $2} /^ *\.name:/ && $2 == kernel {print bytes; exit}' k.s; done | paste -sd' '
}
echo "$kernels"
holds "nvcc" "$(by_nvcc)" "0 0 0 0 0 0 0 0"
holds "nvcc -G" "$(by_nvcc -G)" "0 256 256 256 256 256 0 256"
holds "nvcc -G: __CUDACC_DEBUG__" "$(by_nvcc -G >/dev/null; grep -c 'warning: debugging\|warning: #warning debugging' nvcc.log | sed 's/^[1-9].*/defined/')" "defined"
holds "nvcc -G -dopt on" "$(by_nvcc -G -dopt on)" "0 0 0 0 0 0 0 0"
holds "clang -O0 for gfx90a" "$(by_clang -O0)" "0 0 0 0 0 0 0 256"
holds "clang -O3 for gfx90a" "$(by_clang -O3)" "0 0 0 0 0 0 0 0"
exit $status
